"""What a step costs on CPython's own loop, and an idle second: the rows of rows.toml.

    python3 measure.py ROW
"""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

from sample import cpu, figure, main

TASKS, STEPS = 1_000, 100


async def yielding():
    for _ in range(STEPS):
        await asyncio.sleep(0)


async def sleeping(task):
    for step in range(STEPS):
        await asyncio.sleep((1 + (task * 7 + step * 13) % 97) / 1_000)


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next alarm instead of waiting for it."""

    now = 0.0

    def __init__(self):
        super().__init__()
        select = self._selector.select

        def jump(timeout=None):
            self.now += timeout or 0
            return select(0)

        self._selector.select = jump

    def time(self):
        return self.now


def all_of_them(make_loop, coroutines):
    """The time until all tasks have ended; making them is not measured."""
    loop = make_loop()
    tasks = [loop.create_task(coroutine) for coroutine in coroutines]

    async def end():
        for task in tasks:
            await task

    taken = cpu(loop.run_until_complete, end())
    loop.close()
    return taken


def yield_only(batches):
    one = lambda: all_of_them(asyncio.new_event_loop, [yielding() for _ in range(TASKS)])
    return sum(one() for _ in range(batches))


def with_timers(batches):
    one = lambda: all_of_them(JumpingLoop, [sleeping(task) for task in range(TASKS)])
    return sum(one() for _ in range(batches))


def idle():
    loop = asyncio.new_event_loop()
    taken = cpu(loop.run_until_complete, asyncio.sleep(1))
    loop.close()
    return [figure("idle", taken / 1e6, "ms")]


CALLS = TASKS * (STEPS + 1)
main({"yield-only": (yield_only, CALLS), "with-timers": (with_timers, CALLS)}, {"idle": idle})
