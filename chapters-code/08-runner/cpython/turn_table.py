"""The programs of the turn table: whole runs, whose turns measure.py counts."""

import asyncio
import time

# Tasks and generators that a program leaves behind, which nobody else would keep.
kept = []


async def noop():
    pass


async def nested(depth):
    if depth:
        await nested(depth - 1)


async def sleeps(times, delay):
    for _ in range(times):
        await asyncio.sleep(delay)


async def task(times):
    await asyncio.create_task(sleeps(times, 0))


async def never_awaited():
    kept.append(asyncio.create_task(noop()))


async def left_pending():
    kept.append(asyncio.create_task(asyncio.sleep(10)))
    await asyncio.sleep(0)


async def ten_in_a_row():
    async def after(before):
        if before:
            await before

    last = None
    for _ in range(10):
        last = asyncio.create_task(after(last))
    await last


async def gathers(count, times, delay):
    await asyncio.gather(*(sleeps(times, delay) for _ in range(count)))


async def resolved(how, *args):
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    getattr(loop, how)(*args, future.set_result, None)
    await future


async def done_already():
    future = asyncio.get_running_loop().create_future()
    future.set_result(None)
    await future


async def cancelled():
    task = asyncio.create_task(asyncio.sleep(10))
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        pass


async def generator_left_open():
    async def numbers():
        yield 1

    generator = numbers()
    kept.append(generator)
    await anext(generator)


async def call_soon_of_nothing():
    asyncio.get_running_loop().call_soon(lambda: None)


PROGRAMS = {
    "empty": lambda: noop(),
    "nested-1": lambda: nested(1),
    "nested-3": lambda: nested(3),
    "nested-10": lambda: nested(10),
    "sleep-0": lambda: sleeps(1, 0),
    "sleep-0-ten-times": lambda: sleeps(10, 0),
    "sleep": lambda: sleeps(1, 0.01),
    "sleep-three-times": lambda: sleeps(3, 0.01),
    "sleep-ten-times": lambda: sleeps(10, 0.01),
    "task": lambda: task(0),
    "task-that-yields": lambda: task(1),
    "task-never-awaited": never_awaited,
    "task-left-pending": left_pending,
    "ten-tasks-in-a-row": ten_in_a_row,
    "gather-1": lambda: gathers(1, 0, 0),
    "gather-10": lambda: gathers(10, 0, 0),
    "gather-1000": lambda: gathers(1_000, 0, 0),
    "gather-10-that-yield": lambda: gathers(10, 1, 0),
    "gather-1000-that-yield": lambda: gathers(1_000, 1, 0),
    "gather-10-that-sleep": lambda: gathers(10, 1, 0.01),
    "future-by-call-soon": lambda: resolved("call_soon"),
    "future-by-call-later": lambda: resolved("call_later", 0.01),
    "future-done-already": done_already,
    "cancel-a-sleeping-task": cancelled,
    "generator-left-open": generator_left_open,
    "call-soon-of-nothing": call_soon_of_nothing,
    "to-thread": lambda: asyncio.to_thread(int),
    "to-thread-that-sleeps": lambda: asyncio.to_thread(time.sleep, 0.05),
}
