"""What it costs to run a coroutine that does nothing, beside benches/runner.rs.

The rows have the benchmark's names. Prints a JSON line a row: median and minimum in nanoseconds
per coroutine. Standard library only, Python 3.11 or newer.

    python3 runner.py [REPEATS]
"""

import asyncio
import gc
import json
import platform
import statistics
import sys
import time


async def noop():
    pass


def run_each_time(count):
    start = time.perf_counter_ns()
    for _ in range(count):
        asyncio.run(noop())
    return time.perf_counter_ns() - start


def make_and_close(count):
    start = time.perf_counter_ns()
    for _ in range(count):
        asyncio.new_event_loop().close()
    return time.perf_counter_ns() - start


def runner_one_loop(count):
    with asyncio.Runner() as runner:
        runner.run(noop())
        start = time.perf_counter_ns()
        for _ in range(count):
            runner.run(noop())
        return time.perf_counter_ns() - start


def run_until_complete(count):
    loop = asyncio.new_event_loop()
    start = time.perf_counter_ns()
    for _ in range(count):
        loop.run_until_complete(noop())
    elapsed = time.perf_counter_ns() - start
    loop.close()
    return elapsed


def create_and_await(count):
    async def work():
        start = time.perf_counter_ns()
        for _ in range(count):
            await asyncio.create_task(noop())
        return time.perf_counter_ns() - start

    return asyncio.run(work())


def await_inside(count):
    async def work():
        start = time.perf_counter_ns()
        for _ in range(count):
            await noop()
        return time.perf_counter_ns() - start

    return asyncio.run(work())


ROWS = {
    "run, each time": (run_each_time, 100),
    "of which making and closing a loop": (make_and_close, 300),
    "Runner, one loop": (runner_one_loop, 500),
    "run_until_complete, one loop": (run_until_complete, 1_000),
    "create_task and await, in a running loop": (create_and_await, 2_000),
    "await, in a running loop": (await_inside, 100_000),
}


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    gc.disable()
    times = {row: [] for row in ROWS}
    # Round robin, so that a slow moment of the machine falls on every row alike.
    for _ in range(repeats):
        for row, (run, count) in ROWS.items():
            times[row].append(run(count) / count)
    for row, samples in times.items():
        line = {
            "row": row,
            "median_ns": round(statistics.median(samples), 1),
            "min_ns": round(min(samples), 1),
            "repeats": repeats,
            "python": platform.python_version(),
        }
        print(json.dumps(line))


if __name__ == "__main__":
    main()
