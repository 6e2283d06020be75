"""The work of benches/peers on asyncio: the rows of rows.toml.

    python3 measure.py ROW [--uvloop]
"""

import asyncio
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

import threading
import time
import types

from sample import cpu, figure, main, on_a_loop, resident, wall

MANY, SLEEPS, TRIPS = 1_000, 100_000, 100


def nothing():
    pass


async def noop():
    pass


async def value(n):
    return n


@types.coroutine
def bare_yield():
    yield


async def call_soon_chain(times):
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def link(n):
        if n:
            loop.call_soon(link, n - 1)
        else:
            done.set()

    link(times)
    await done.wait()


async def call_soon_batch(times):
    loop = asyncio.get_running_loop()
    for _ in range(times):
        for _ in range(MANY - 1):
            loop.call_soon(nothing)
        done = loop.create_future()
        loop.call_soon(done.set_result, None)
        await done


async def sleeps_0(times):
    for _ in range(times):
        await asyncio.sleep(0)


async def wakes(times):
    for _ in range(times):
        await bare_yield()


def many(work):
    async def all_of_them(times):
        for task in [asyncio.create_task(work(times)) for _ in range(MANY)]:
            await task

    return all_of_them


async def spawn_join(times):
    for _ in range(times):
        for task in [asyncio.create_task(value(n)) for n in range(MANY)]:
            await task


async def gather(times):
    for _ in range(times):
        await asyncio.gather(*(asyncio.create_task(value(n)) for n in range(MANY)))


async def spawn_await(times):
    for n in range(times):
        await asyncio.create_task(value(n))


async def ping_pong(times):
    loop = asyncio.get_running_loop()
    slots = {"a": None, "b": None}

    def complete(slot):
        waiting, slots[slot] = slots[slot], None
        if waiting is not None:
            waiting.set_result(None)

    async def side(mine, other):
        for _ in range(times):
            slots[mine] = future = loop.create_future()
            complete(other)
            await future
        complete(other)

    a = asyncio.create_task(side("a", "b"))
    b = asyncio.create_task(side("b", "a"))
    await a
    await b


async def sleeps(times):
    spread = random.Random(1)
    for _ in range(times):
        await asyncio.gather(*(asyncio.sleep(spread.random() * 0.05) for _ in range(SLEEPS)))


async def cancel_timers(times):
    loop, spread = asyncio.get_running_loop(), random.Random(1)
    for _ in range(times):
        timers = [loop.call_later(3600 * (1 + spread.random()), nothing) for _ in range(SLEEPS)]
        for timer in timers:
            timer.cancel()
        await asyncio.sleep(0)


def run_fresh(times):
    def work():
        for _ in range(times):
            asyncio.run(noop())

    return cpu(work)


def run_task_kept(times):
    loop = asyncio.new_event_loop()

    def work():
        for _ in range(times):
            loop.run_until_complete(noop())

    taken = cpu(work)
    loop.close()
    return taken


def runner_kept(times):
    with asyncio.Runner() as runner:
        runner.run(noop())

        def work():
            for _ in range(times):
                runner.run(noop())

        return cpu(work)


def from_another_thread(work):
    """The time of a loop that waits until another thread has done its work on it."""

    def run(times):
        async def wait():
            loop, done = asyncio.get_running_loop(), asyncio.Event()
            other = threading.Thread(target=work, args=(loop, times, done))
            other.start()
            await done.wait()
            other.join()

        return on_a_loop(wait(), wall)

    return run


def posts(loop, times, done):
    for _ in range(times * MANY - 1):
        loop.call_soon_threadsafe(nothing)
    loop.call_soon_threadsafe(done.set)


def round_trips(loop, times, done):
    ran = threading.Event()
    for _ in range(times * TRIPS):
        loop.call_soon_threadsafe(ran.set)
        ran.wait()
        ran.clear()
    loop.call_soon_threadsafe(done.set)


async def to_thread(times):
    await asyncio.to_thread(int)  # starts the thread
    start = time.perf_counter_ns()
    for _ in range(times * TRIPS):
        await asyncio.to_thread(int)
    return time.perf_counter_ns() - start


def memory(row, make):
    """What a task keeps in memory that waits, of 100,000."""

    async def grown():
        await asyncio.sleep(0)
        before = resident()
        tasks = [asyncio.create_task(make()) for _ in range(SLEEPS)]
        await asyncio.sleep(0)  # all of them wait
        grown = resident() - before
        for task in tasks:
            task.cancel()
        return grown

    return lambda: [figure(row, asyncio.run(grown()) / SLEEPS, "bytes")]


async def waits_on_a_future():
    await asyncio.get_running_loop().create_future()


def on_loop(work):
    return lambda times: on_a_loop(work(times))


main(
    {
        "call-soon-chain": on_loop(call_soon_chain),
        "call-soon-batch": (on_loop(call_soon_batch), MANY),
        "yield-one": on_loop(sleeps_0),
        "wake-one": on_loop(wakes),
        "yield-many": (on_loop(many(sleeps_0)), MANY),
        "wake-many": (on_loop(many(wakes)), MANY),
        "spawn-join": (on_loop(spawn_join), MANY),
        "gather": (on_loop(gather), MANY),
        "spawn-await": on_loop(spawn_await),
        "ping-pong-own": on_loop(ping_pong),
        "sleeps": (on_loop(sleeps), SLEEPS),
        "cancel-timers": (on_loop(cancel_timers), SLEEPS),
        "run-fresh": run_fresh,
        "run-task-kept": run_task_kept,
        "runner-kept": runner_kept,
        "wake-round-trip": (from_another_thread(round_trips), TRIPS),
        "post": (from_another_thread(posts), MANY),
        "to-thread": (lambda times: asyncio.run(to_thread(times)), TRIPS),
    },
    {
        "bytes-asleep": memory("bytes-asleep", lambda: asyncio.sleep(3600)),
        "bytes-waiting-own": memory("bytes-waiting-own", waits_on_a_future),
    },
)
