"""What tasks and futures cost in asyncio, beside benches/wakeup.rs.

Prints one JSON line a row: the median and the minimum over the repeats, in nanoseconds per
operation. Each row first finds a count that runs for about 50 ms. Standard library only,
Python 3.11 or newer.

    python3 cost.py [REPEATS]
"""

import asyncio
import gc
import json
import platform
import statistics
import sys
import time

TARGET_NS = 50_000_000


async def value(n):
    return n


async def yield_1(count):
    for _ in range(count):
        await asyncio.sleep(0)
    return count


async def yield_1000(count):
    times = -(-count // 1000)

    async def each():
        for _ in range(times):
            await asyncio.sleep(0)

    await asyncio.gather(*(each() for _ in range(1000)))
    return times * 1000


async def spawn_1000(count):
    times = -(-count // 1000)
    for _ in range(times):
        tasks = [asyncio.create_task(value(n)) for n in range(1000)]
        for task in tasks:
            await task
    return times * 1000


async def gather_1000(count):
    times = -(-count // 1000)
    for _ in range(times):
        await asyncio.gather(*(value(n) for n in range(1000)))
    return times * 1000


async def spawn_one(count):
    for n in range(count):
        await asyncio.create_task(value(n))
    return count


async def ping_pong(count):
    loop = asyncio.get_running_loop()
    waiting = {"ping": loop.create_future(), "pong": None}

    async def player(mine, theirs):
        for _ in range(count):
            waiting[mine] = fresh = loop.create_future()
            other, waiting[theirs] = waiting[theirs], None
            if other is not None:
                other.set_result(None)
            await fresh
        if waiting[theirs] is not None:
            other, waiting[theirs] = waiting[theirs], None
            other.set_result(None)

    a = asyncio.create_task(player("ping", "pong"))
    b = asyncio.create_task(player("pong", "ping"))
    await a
    await b
    return count


async def sleeps(count):
    times = -(-count // 1000)
    for _ in range(times):
        await asyncio.gather(*(asyncio.sleep((1 + n) * 1e-9) for n in range(1000)))
    return times * 1000


async def future(count):
    loop = asyncio.get_running_loop()
    for _ in range(count):
        pending = loop.create_future()
        loop.call_soon(pending.set_result, None)
        await pending
    return count


ROWS = {
    "yield, 1 task": yield_1,
    "yield, 1000 tasks": yield_1000,
    "spawn 1000, await each": spawn_1000,
    "gather 1000": gather_1000,
    "spawn one, await it": spawn_one,
    "ping-pong round trip": ping_pong,
    "sleeps fired": sleeps,
    "future + call_soon + await": future,
}


def run(row, count):
    """Nanoseconds per operation, without making and closing the loop."""
    loop = asyncio.new_event_loop()
    start = time.perf_counter_ns()
    done = loop.run_until_complete(row(count))
    elapsed = time.perf_counter_ns() - start
    loop.close()
    return elapsed / done


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    gc.disable()
    print(json.dumps({"python": platform.python_version(), "repeats": repeats}))
    for name, row in ROWS.items():
        gc.collect()
        count = 1000
        while count * (each := run(row, count)) < TARGET_NS / 2:
            count = max(2 * count, int(TARGET_NS / each))
        times = [run(row, count) for _ in range(repeats)]
        result = {"row": name, "median": statistics.median(times), "min": min(times)}
        print(json.dumps(result), flush=True)


main()
