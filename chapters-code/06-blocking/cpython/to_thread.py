"""One to_thread in a whole asyncio.run, turn by turn; then the price of a round trip.

The turns are those of examples/to_thread_turns.rs. Python 3.11 or newer, standard library only.
"""

import asyncio
import statistics
import time
from asyncio import base_events, events

turns = []
run_once = base_events.BaseEventLoop._run_once
run_handle = events.Handle._run


def name(callback):
    return getattr(callback, "__qualname__", type(callback).__name__).rsplit(".")[-1]


def recorded_turn(loop):
    turns.append([])
    run_once(loop)


def recorded_handle(handle):
    turns[-1].append(name(handle._callback))
    run_handle(handle)


base_events.BaseEventLoop._run_once = recorded_turn
events.Handle._run = recorded_handle

# ANCHOR: to_thread
result = asyncio.run(asyncio.to_thread(sum, range(1, 1_001)))
# ANCHOR_END: to_thread
for number, ran in enumerate(turns, 1):
    print(f"turn {number:>2}: {', '.join(ran)}")
print("result:", result)

base_events.BaseEventLoop._run_once = run_once
events.Handle._run = run_handle


async def round_trips(n):
    start = time.perf_counter()
    for _ in range(n):
        await asyncio.to_thread(int)
    return (time.perf_counter() - start) / n * 1e6


prices = [asyncio.run(round_trips(1_000)) for _ in range(11)]
print(
    f"a round trip: {statistics.median(prices):.1f} µs"
    f" ({min(prices):.1f} to {max(prices):.1f})"
)
