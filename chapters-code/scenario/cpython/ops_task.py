"""The ops on futures and tasks, and on what waits for them or cancels them."""

import asyncio
from asyncio import tasks

from clock import MS
from language import program_exception
from order import OrderedSet
from recording import exception_text, json_value

NO_OPTIONS = {}


def future(program, f):
    program.bind_future(f, program.loop.create_future())


def set_result(program, f, value):
    if (future := program.find(f)) is not None:
        future.set_result(value)


def set_exception(program, f, kind, message):
    if (future := program.find(f)) is not None:
        future.set_exception(program_exception(kind, message))


def on_done(program, x, c, body=()):
    if (future := program.find(x)) is not None:
        callback = program.done_callbacks[c] = program.callback("done", c, body)
        future.add_done_callback(callback)


def off_done(program, x, c):
    if (future := program.find(x)) is not None:
        program.event("off_done", c, future.remove_done_callback(program.done_callbacks.get(c)))


def state(program, x):
    if (future := program.find(x)) is not None:
        done = "cancelled" if future.cancelled() else "finished"
        program.event("state", x, done if future.done() else "pending")


def result(program, x):
    if (future := program.find(x)) is not None:
        program.event("result", x, json_value(future.result()))


def exception(program, x):
    if (future := program.find(x)) is not None:
        exc = future.exception()
        program.event("exception", x, None if exc is None else exception_text(exc))


def task(program, t, body, options=NO_OPTIONS):
    if "group" in options:
        if (group := program.find(options["group"])) is None:
            return
        task = group.create_task(program.coroutine(body, t), name=t)
    elif options.get("eager"):
        coroutine = program.coroutine(body, t)
        task = asyncio.Task(coroutine, loop=program.loop, name=t, eager_start=True)
    else:
        task = program.loop.create_task(program.coroutine(body, t), name=t)
    program.bind_future(t, task)


async def await_(program, x):
    if (future := program.find(x)) is not None:
        program.event("await", x, json_value(await future))


async def yield_(program):
    await asyncio.sleep(0)


async def sleep(program, ms):
    await asyncio.sleep(ms * MS)


def gather(program, g, items, options=NO_OPTIONS):
    if (found := program.find_all(items)) is not None:
        re = options.get("return_exceptions", False)
        program.bind_future(g, asyncio.gather(*program.awaitables(found, g), return_exceptions=re))


async def agen(program, a, final):
    generator = _generator(program, final)
    program.recording.generator_names[generator] = a
    await anext(generator)
    program.names[a] = generator


async def _generator(program, final):
    try:
        yield 0
    finally:
        if not program.recording.over:
            await program.run(final)


async def aclose(program, a):
    if (generator := program.find(a)) is not None:
        await generator.aclose()
        program.event("aclose", a)


def cancel(program, x):
    if (future := program.find(x)) is not None:
        program.event("cancel", x, future.cancel())


def uncancel(program, t):
    if (task := program.find(t)) is not None:
        program.event("uncancel", t, task.uncancel())


def cancelling(program, t):
    if (task := program.find(t)) is not None:
        program.event("cancelling", t, task.cancelling())


async def wait_for(program, x, ms):
    if isinstance(x, list):
        awaitable = program.coroutine(x, f"{program.recording.who()}.wf")
    elif (awaitable := program.find(x)) is None:
        return
    value = await asyncio.wait_for(awaitable, nanoseconds(ms))
    program.event("wait_for", json_value(value))


async def timeout(program, cm, ms, body):
    async with asyncio.timeout(nanoseconds(ms)) as timeout:
        program.names[cm] = timeout
        returned = await program.run(body)
    program.event("timeout", cm, timeout.expired())
    return returned


def reschedule(program, cm, ms):
    if (timeout := program.find(cm)) is not None:
        timeout.reschedule(None if ms is None else program.loop.time() + ms * MS)


def expired(program, cm):
    if (timeout := program.find(cm)) is not None:
        program.event("expired", cm, timeout.expired())


async def wait(program, xs, options=NO_OPTIONS):
    if (found := program.find_all(xs)) is None:
        return
    done, pending = await asyncio.wait(
        found,
        timeout=nanoseconds(options.get("timeout")),
        return_when=options.get("when", asyncio.ALL_COMPLETED),
    )
    names = {}
    for future, x in zip(found, xs):
        names.setdefault(future, x)
    done_names = [x for future, x in names.items() if future in done]
    program.event("wait", done_names, [x for future, x in names.items() if future in pending])


async def as_completed(program, items, ms=None):
    if (found := program.find_all(items)) is None:
        return
    awaitables = program.awaitables(found, f"{program.recording.who()}.ac")
    for coroutine in tasks.as_completed(awaitables, timeout=nanoseconds(ms)):
        try:
            value = json_value(await coroutine)
        except Exception as exc:
            value = json_value(exc)
        program.event("as_completed", value)


def shield(program, s, x):
    if isinstance(x, list):
        awaitable = program.coroutine(x, f"{s}.0")
    elif (awaitable := program.find(x)) is None:
        return
    program.bind_future(s, asyncio.shield(awaitable))


async def taskgroup(program, g, body):
    group = asyncio.TaskGroup()
    group._tasks = OrderedSet()
    async with group:
        program.names[g] = group
        returned = await program.run(body)
    program.event("taskgroup", g)
    return returned


def nanoseconds(ms):
    """A time of the program in the clock's unit; null stays null."""
    return None if ms is None else ms * MS
