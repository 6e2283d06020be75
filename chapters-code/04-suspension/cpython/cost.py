"""What a coroutine costs in CPython, beside benches/suspension.rs.

Prints one JSON line a row: the median and the minimum over the repeats, in nanoseconds per
operation. Each row first finds a count that runs for about 20 ms. The cost of the
measuring `for` is measured as a row of its own (`empty_loop`) and left in the others.
Standard library only, Python 3.11 or newer.

    python3 cost.py [REPEATS]
"""

import asyncio
import gc
import json
import platform
import statistics
import sys
import time
import types
from itertools import repeat

TARGET_NS = 20_000_000


@types.coroutine
def suspend_once():
    yield


async def noop():
    pass


async def level_1(n):
    return n


async def level_2(n):
    return await level_1(n) + 1


async def level_3(n):
    return await level_2(n) + 1


async def level_4(n):
    return await level_3(n) + 1


async def level_5(n):
    return await level_4(n) + 1


async def level_6(n):
    return await level_5(n) + 1


async def level_7(n):
    return await level_6(n) + 1


async def level_8(n):
    return await level_7(n) + 1


async def level_9(n):
    return await level_8(n) + 1


async def level_10(n):
    return await level_9(n) + 1


async def endless(depth):
    if depth > 1:
        await endless(depth - 1)
    while True:
        await suspend_once()


async def once():
    await suspend_once()
    return 1


# Each row is a coroutine function: it runs its operation `count` times and returns the time
# in nanoseconds. Rows that need no loop run inside one all the same, so that every row is
# measured in the same surroundings.


async def empty_loop(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        pass
    return time.perf_counter_ns() - start


async def create_close(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        noop().close()
    return time.perf_counter_ns() - start


async def create_send(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        try:
            noop().send(None)
        except StopIteration:
            pass
    return time.perf_counter_ns() - start


async def await_ready(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        await noop()
    return time.perf_counter_ns() - start


async def nested_1(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        await level_1(1)
    return time.perf_counter_ns() - start


async def nested_3(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        await level_3(1)
    return time.perf_counter_ns() - start


async def nested_10(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        await level_10(1)
    return time.perf_counter_ns() - start


async def suspension_once(count):
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        coro = once()
        coro.send(None)
        try:
            coro.send(None)
        except StopIteration:
            pass
    return time.perf_counter_ns() - start


async def step_1(count):
    return step_of(endless(1), count)


async def step_10(count):
    return step_of(endless(10), count)


def step_of(coro, count):
    send = coro.send
    send(None)
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        send(None)
    elapsed = time.perf_counter_ns() - start
    coro.close()
    return elapsed


async def loop_sleep_0(count):
    sleep = asyncio.sleep
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        await sleep(0)
    return time.perf_counter_ns() - start


ROWS = [
    empty_loop,
    create_close,
    create_send,
    await_ready,
    nested_1,
    nested_3,
    nested_10,
    suspension_once,
    step_1,
    step_10,
    loop_sleep_0,
]


async def measure(repeats):
    counts = {}
    for row in ROWS:
        count = 1_000
        while (elapsed := await row(count)) < TARGET_NS / 4:
            count *= 2
        counts[row] = max(1, round(count * TARGET_NS / elapsed))
    # Round robin, so that a slow moment of the machine falls on every row alike.
    times = {row: [] for row in ROWS}
    for _ in range(repeats):
        for row in ROWS:
            times[row].append(await row(counts[row]) / counts[row])
    for row in ROWS:
        line = {
            "row": row.__name__,
            "median_ns": round(statistics.median(times[row]), 1),
            "min_ns": round(min(times[row]), 1),
            "repeats": repeats,
            "count": counts[row],
            "python": platform.python_version(),
        }
        print(json.dumps(line))


def main():
    try:
        repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
        if repeats < 1:
            raise ValueError
    except ValueError:
        sys.exit(f"cost.py: REPEATS must be a whole number from 1 up, not {sys.argv[1]!r}")
    gc.disable()
    asyncio.run(measure(repeats))


if __name__ == "__main__":
    main()
