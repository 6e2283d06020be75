"""A heartbeat every 20 ms beside half a second of pure computation: in the coroutine, and on
another thread, which shares one interpreter lock with the loop.

Python 3.11 or newer, standard library only.
"""

import asyncio
import time


def compute(seconds=0.5):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


async def here():
    compute()


async def on_a_thread():
    await asyncio.to_thread(compute)


async def longest_gap(work):
    loop = asyncio.get_running_loop()
    beats = [loop.time()]
    working = asyncio.create_task(work())
    while not working.done():
        await asyncio.sleep(0.02)
        beats.append(loop.time())
    gap = max(after - before for before, after in zip(beats, beats[1:]))
    await working
    return gap * 1e3


for work in (here, on_a_thread):
    gaps = sorted(asyncio.run(longest_gap(work)) for _ in range(5))
    print(f"{work.__name__:<12} longest gap {gaps[2]:5.1f} ms ({gaps[0]:.1f} to {gaps[4]:.1f})")
