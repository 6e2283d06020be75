"""The ops on locks, events, semaphores, conditions, queues and barriers."""

import asyncio

QUEUES = {
    "fifo": asyncio.Queue,
    "lifo": asyncio.LifoQueue,
    "priority": asyncio.PriorityQueue,
}


def event(program, e):
    program.names[e] = asyncio.Event()


def event_set(program, e):
    if (event := program.find(e)) is not None:
        event.set()


def event_clear(program, e):
    if (event := program.find(e)) is not None:
        event.clear()


def event_is_set(program, e):
    if (event := program.find(e)) is not None:
        program.event("event_is_set", e, event.is_set())


async def event_wait(program, e):
    if (event := program.find(e)) is not None:
        await event.wait()
        program.event("event_wait", e)


def lock(program, x):
    program.names[x] = asyncio.Lock()


def semaphore(program, x, n):
    program.names[x] = asyncio.Semaphore(n)


def bounded_semaphore(program, x, n):
    program.names[x] = asyncio.BoundedSemaphore(n)


def condition(program, x, lock=None):
    if lock is None:
        program.names[x] = asyncio.Condition()
    elif (found := program.find(lock)) is not None:
        program.names[x] = asyncio.Condition(found)


async def acquire(program, x):
    if (lock := program.find(x)) is not None:
        await lock.acquire()
        program.event("acquire", x)


def release(program, x):
    if (lock := program.find(x)) is not None:
        lock.release()


def locked(program, x):
    if (lock := program.find(x)) is not None:
        program.event("locked", x, lock.locked())


async def with_(program, x, body):
    if (lock := program.find(x)) is None:
        return
    async with lock:
        program.event("enter", x)
        returned = await program.run(body)
    program.event("exit", x)
    return returned


async def cond_wait(program, c):
    if (condition := program.find(c)) is not None:
        await condition.wait()
        program.event("cond_wait", c)


async def cond_wait_for(program, c, e):
    if (condition := program.find(c)) is None or (event := program.find(e)) is None:
        return
    await condition.wait_for(event.is_set)
    program.event("cond_wait_for", c)


def notify(program, c, n=1):
    if (condition := program.find(c)) is not None:
        condition.notify(n)


def notify_all(program, c):
    if (condition := program.find(c)) is not None:
        condition.notify_all()


def queue(program, q, maxsize=0, kind="fifo"):
    program.names[q] = QUEUES[kind](maxsize)


async def put(program, q, value):
    if (queue := program.find(q)) is not None:
        await queue.put(value)
        program.event("put", q, value)


async def get(program, q):
    if (queue := program.find(q)) is not None:
        program.event("get", q, await queue.get())


def put_nowait(program, q, value):
    if (queue := program.find(q)) is not None:
        queue.put_nowait(value)


def get_nowait(program, q):
    if (queue := program.find(q)) is not None:
        program.event("get_nowait", q, queue.get_nowait())


def task_done(program, q):
    if (queue := program.find(q)) is not None:
        queue.task_done()


async def queue_join(program, q):
    if (queue := program.find(q)) is not None:
        await queue.join()
        program.event("queue_join", q)


def qsize(program, q):
    if (queue := program.find(q)) is not None:
        program.event("qsize", q, queue.qsize())


def queue_shutdown(program, q, immediate=False):
    if (queue := program.find(q)) is not None:
        queue.shutdown(immediate)


def barrier(program, b, n):
    program.names[b] = asyncio.Barrier(n)


async def barrier_wait(program, b):
    if (barrier := program.find(b)) is not None:
        program.event("barrier_wait", b, await barrier.wait())


async def barrier_reset(program, b):
    if (barrier := program.find(b)) is not None:
        await barrier.reset()
        program.event("barrier_reset", b)


async def barrier_abort(program, b):
    if (barrier := program.find(b)) is not None:
        await barrier.abort()
        program.event("barrier_abort", b)
