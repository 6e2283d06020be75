"""A pulse every 10 ms beside a worker that does ten chunks of 100 ms.

The same as examples/pulse.rs. Python 3.11 or newer, standard library only.
"""

import asyncio
import statistics
import time


# ANCHOR: pulse
async def beat(ticks, stopped):
    loop = asyncio.get_running_loop()
    start = loop.time()
    while not stopped.is_set():
        await asyncio.sleep(0.01)
        ticks.append((loop.time() - start) * 1e3)


async def yielding():
    for _ in range(10):
        time.sleep(0.1)
        await asyncio.sleep(0)
# ANCHOR_END: pulse


async def rude():
    for _ in range(10):
        time.sleep(0.1)


async def cooperative():
    for _ in range(10):
        await asyncio.sleep(0.1)


async def offloaded():
    for _ in range(10):
        await asyncio.to_thread(time.sleep, 0.1)


async def beside(worker):
    ticks, stopped = [], asyncio.Event()
    pulse = asyncio.create_task(beat(ticks, stopped))
    await asyncio.create_task(worker())
    stopped.set()
    await pulse
    return ticks


for worker in (rude, yielding, cooperative, offloaded):
    ticks = asyncio.run(beside(worker))
    gaps = [after - before for before, after in zip([0, *ticks], ticks)]
    shown = [f"{tick:.0f}" for tick in ticks]
    if len(shown) > 4:
        shown[3:-1] = ["…"]
    print(
        f"{worker.__name__:<12}{len(ticks):>4} ticks, median gap"
        f" {statistics.median(gaps):6.1f} ms, at {', '.join(shown)} ms"
    )
