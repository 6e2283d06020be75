"""What a job on another thread costs, and what blocking costs the others. The rows of rows.toml.

    python3 measure.py ROW [--uvloop]
"""

import asyncio
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

import time

from sample import CountedLoop, figure, main, wall

CHUNK = 0.1
TRIPS = 100


async def round_trips(times):
    await asyncio.to_thread(int)  # starts the thread
    start = time.perf_counter_ns()
    for _ in range(times * TRIPS):
        await asyncio.to_thread(int)
    return time.perf_counter_ns() - start


async def thousand_jobs(times):
    loop = asyncio.get_running_loop()
    await asyncio.gather(*(loop.run_in_executor(None, int) for _ in range(100)))
    start = time.perf_counter_ns()
    for _ in range(times):
        await asyncio.gather(*(loop.run_in_executor(None, int) for _ in range(1_000)))
    return time.perf_counter_ns() - start


async def rude(chunks, chunk):
    for _ in range(chunks):
        time.sleep(chunk)


async def yielding(chunks, chunk):
    for _ in range(chunks):
        time.sleep(chunk)
        await asyncio.sleep(0)


async def waiting(chunks, chunk):
    for _ in range(chunks):
        await asyncio.sleep(chunk)


async def offloaded(chunks, chunk):
    for _ in range(chunks):
        await asyncio.to_thread(time.sleep, chunk)


def tasks(row, work, n):
    """N tasks of 100 ms: until main resumes, turns of the whole run, the longest of them."""

    async def all_of_them():
        await asyncio.gather(*(work(1, CHUNK) for _ in range(n)))

    def run():
        with asyncio.Runner(loop_factory=CountedLoop) as runner:
            loop = runner.get_loop()
            total = wall(runner.run, all_of_them())
        return [
            figure(row, total / 1e6, "ms"),
            figure(f"{row}-turns", loop.turns, "turns"),
            figure(f"{row}-longest", loop.longest * 1e3, "ms"),
        ]

    return run


async def beat(every, ticks, stopped):
    loop = asyncio.get_running_loop()
    start = loop.time()
    while not stopped.is_set():
        await asyncio.sleep(every)
        ticks.append((loop.time() - start) * 1e3)


def gaps_of(ticks):
    return [after - before for before, after in zip([0, *ticks], ticks)]


def pulse(row, work):
    """A pulse every 10 ms beside ten chunks of 100 ms."""

    async def beside():
        ticks, stopped = [], asyncio.Event()
        beating = asyncio.create_task(beat(0.01, ticks, stopped))
        await asyncio.create_task(work(10, CHUNK))
        stopped.set()
        await beating
        return ticks

    def run():
        ticks = asyncio.run(beside())
        gaps = gaps_of(ticks)
        return [
            figure(f"{row}-ticks", len(ticks), "ticks"),
            figure(row, statistics.median(gaps), "ms", gaps),
            figure(f"{row}-longest", max(gaps), "ms"),
        ]

    return run


def heartbeat(row, work):
    """A heartbeat every 20 ms beside half a second of work."""

    async def beside():
        ticks, stopped = [], asyncio.Event()
        beating = asyncio.create_task(beat(0.02, ticks, stopped))
        await asyncio.sleep(0.05)
        await work(1, 0.5)
        await asyncio.sleep(0.05)
        stopped.set()
        await beating
        return ticks

    def run():
        gaps = gaps_of(asyncio.run(beside()))
        return [figure(row, max(gaps), "ms", gaps)]

    return run


WHOLE = {}
for name, work in {"blocking": rude, "waiting": waiting}.items():
    for n in (1, 2, 5, 10, 20, 50):
        WHOLE[f"{name}-{n}"] = tasks(f"{name}-{n}", work, n)
for work in (rude, yielding, waiting, offloaded):
    WHOLE[f"pulse-{work.__name__}"] = pulse(f"pulse-{work.__name__}", work)
for name, work in {"rude": rude, "polite": waiting, "offloaded": offloaded}.items():
    WHOLE[f"gap-{name}"] = heartbeat(f"gap-{name}", work)

main(
    {
        "round-trip": (lambda times: asyncio.run(round_trips(times)), TRIPS),
        "thousand-jobs": (lambda times: asyncio.run(thousand_jobs(times)), 1_000),
    },
    WHOLE,
)
