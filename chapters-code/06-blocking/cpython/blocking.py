"""N tasks of 100 ms each, blocking and waiting: total, turns, longest turn.

The same as examples/fifty.rs. Python 3.11 or newer, standard library only.
"""

import asyncio
import time
from asyncio import base_events

turns = []
run_once = base_events.BaseEventLoop._run_once


def timed(loop):
    start = time.perf_counter()
    run_once(loop)
    turns.append(time.perf_counter() - start)


base_events.BaseEventLoop._run_once = timed


# ANCHOR: work
async def rude():
    time.sleep(0.1)


async def cooperative():
    await asyncio.sleep(0.1)


async def all_at_once(work, n):
    await asyncio.gather(*(work() for _ in range(n)))
# ANCHOR_END: work


for work in (rude, cooperative):
    for n in (1, 10, 50):
        turns.clear()
        start = time.perf_counter()
        asyncio.run(all_at_once(work, n))
        total = time.perf_counter() - start
        print(
            f"{work.__name__:<12}{n:>3} tasks: {total * 1e3:7.1f} ms,"
            f" {len(turns):>2} turns, the longest {max(turns) * 1e3:7.1f} ms"
        )
