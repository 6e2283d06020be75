"""What asyncio's containers cost: a deque of handles, a heap of timers. The rows of rows.toml.

    python3 measure.py ROW
"""

import asyncio
import heapq
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

from collections import deque

from sample import cpu, main

HANDLES, TIMERS = 1_000, 100_000


def nothing():
    pass


def ready(batches):
    loop = asyncio.new_event_loop()
    handles = [asyncio.Handle(nothing, (), loop) for _ in range(HANDLES)]
    queue = deque()

    def push_and_pop():
        for _ in range(batches):
            for handle in handles:
                queue.append(handle)
            while queue:
                queue.popleft()

    taken = cpu(push_and_pop)
    loop.close()
    return taken


def scheduled(batches):
    loop = asyncio.new_event_loop()
    spread = random.Random(1)
    deadlines = [spread.random() * 0.05 for _ in range(TIMERS)]
    heap = []

    def push_and_pop():
        for _ in range(batches):
            for when in deadlines:
                heapq.heappush(heap, asyncio.TimerHandle(when, nothing, (), loop))
            while heap:
                heapq.heappop(heap)

    taken = cpu(push_and_pop)
    loop.close()
    return taken


main({"ready": (ready, HANDLES), "scheduled": (scheduled, TIMERS)})
