"""What tasks and futures cost in asyncio: time, turns and memory. The rows of rows.toml.

    python3 measure.py ROW [--uvloop]
"""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

import threading

from sample import CountedLoop, figure, main, on_a_loop, resident, wall

MANY = 1_000


async def value(n):
    return n


async def yields(times):
    for _ in range(times):
        await asyncio.sleep(0)


async def yield_1000(times):
    await asyncio.gather(*(yields(times) for _ in range(MANY)))


async def spawn_1000(times):
    for _ in range(times):
        tasks = [asyncio.create_task(value(n)) for n in range(MANY)]
        for task in tasks:
            await task


async def gather_1000(times):
    for _ in range(times):
        await asyncio.gather(*(value(n) for n in range(MANY)))


async def spawn_one(times):
    for n in range(times):
        await asyncio.create_task(value(n))


async def ping_pong(times):
    loop = asyncio.get_running_loop()
    waiting = {"ping": loop.create_future(), "pong": None}

    async def player(mine, theirs):
        for _ in range(times):
            waiting[mine] = fresh = loop.create_future()
            other, waiting[theirs] = waiting[theirs], None
            if other is not None:
                other.set_result(None)
            await fresh
        if waiting[theirs] is not None:
            waiting[theirs].set_result(None)

    a = asyncio.create_task(player("ping", "pong"))
    b = asyncio.create_task(player("pong", "ping"))
    await a
    await b


async def sleeps(times):
    for _ in range(times):
        await asyncio.gather(*(asyncio.sleep((1 + n) * 1e-9) for n in range(MANY)))


async def future(times):
    loop = asyncio.get_running_loop()
    for _ in range(times):
        pending = loop.create_future()
        loop.call_soon(pending.set_result, None)
        await pending


async def gathered():
    await asyncio.gather(*(asyncio.sleep(0.2) for _ in range(100)))


async def in_a_row():
    for _ in range(5):
        await asyncio.sleep(0.2)


def waits(row, work):
    return lambda: [figure(row, on_a_loop(work(), wall) / 1e6, "ms")]


def tasks(row, count):
    """Tasks that sleep for an hour, and what they keep in memory."""

    async def asleep():
        await asyncio.sleep(0)
        before = resident()
        tasks = [asyncio.create_task(asyncio.sleep(3600)) for _ in range(count)]
        await asyncio.sleep(0)  # all of them sleep
        grown = resident() - before
        for task in tasks:
            task.cancel()
        return grown

    return lambda: [figure(row, asyncio.run(asleep()) / count, "bytes")]


def threads(row, count):
    """Threads that wait, and what they keep in memory."""

    def run():
        end, waiting = threading.Event(), threading.Semaphore(0)

        def wait():
            waiting.release()
            end.wait()

        before = resident()
        threads = [threading.Thread(target=wait) for _ in range(count)]
        for thread in threads:
            thread.start()
        for _ in threads:
            waiting.acquire()
        grown = resident() - before
        end.set()
        for thread in threads:
            thread.join()
        return [figure(row, grown / count, "bytes")]

    return run


async def awaits_a_task(times):
    await asyncio.create_task(yields(times))


async def gathers(count, times):
    await asyncio.gather(*(yields(times) for _ in range(count)))


def turns():
    """Turns of run_until_complete alone, without the closing phases of a run."""
    programs = {
        "empty": yields(0),
        "yield": yields(1),
        "yield-ten-times": yields(10),
        "sleep": asyncio.sleep(0.001),
        "task": awaits_a_task(0),
        "task-that-yields": awaits_a_task(1),
        "future": future(1),
    }
    for count in (1, 10, 1_000):
        programs[f"gather-{count}"] = gathers(count, 0)
        programs[f"gather-{count}-that-yield"] = gathers(count, 1)
    figures = []
    for name, program in programs.items():
        loop = CountedLoop()
        loop.run_until_complete(program)
        loop.close()
        figures.append(figure(f"turns-{name}", loop.turns, "turns"))
    return figures


def on_loop(work):
    return lambda times: on_a_loop(work(times))


WHOLE = {
    "waits-gathered": waits("waits-gathered", gathered),
    "waits-in-a-row": waits("waits-in-a-row", in_a_row),
    "bytes-thread-1000": threads("bytes-thread-1000", 1_000),
    "turns": turns,
}
for count in (1_000, 10_000, 100_000):
    WHOLE[f"bytes-task-{count}"] = tasks(f"bytes-task-{count}", count)
main(
    {
        "yield-1": on_loop(yields),
        "yield-1000": (on_loop(yield_1000), MANY),
        "spawn-1000": (on_loop(spawn_1000), MANY),
        "gather-1000": (on_loop(gather_1000), MANY),
        "spawn-one": on_loop(spawn_one),
        "ping-pong": on_loop(ping_pong),
        "sleeps": (on_loop(sleeps), MANY),
        "future": on_loop(future),
    },
    WHOLE,
)
