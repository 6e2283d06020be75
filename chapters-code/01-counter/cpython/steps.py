"""What one step of a task costs on CPython's own loop: 1,000 tasks that yield 100 times each."""

import asyncio
import platform
import statistics
import time

TASKS, STEPS, SAMPLES = 1_000, 100, 15


async def yielding():
    for _ in range(STEPS):
        await asyncio.sleep(0)


async def sample():
    tasks = [asyncio.create_task(yielding()) for _ in range(TASKS)]
    began = time.perf_counter_ns()
    for task in tasks:
        await task
    return (time.perf_counter_ns() - began) / (TASKS * (STEPS + 1))


costs = [asyncio.run(sample()) for _ in range(SAMPLES)]
low, middle, high = statistics.quantiles(costs, n=4)
print(f"CPython {platform.python_version()}, {SAMPLES} samples:", end=" ")
print(f"{middle:.0f} ns a step (half of them between {low:.0f} and {high:.0f})")
