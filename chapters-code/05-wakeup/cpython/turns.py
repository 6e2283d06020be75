"""The turns of small programs; `asyncio.run` adds four to each, for its two closing phases."""

import asyncio

from turns_loop import run


async def yields(times):
    for _ in range(times):
        await asyncio.sleep(0)


async def awaits_a_task(times):
    await asyncio.create_task(yields(times))


async def resolved_by_call_soon():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_soon(future.set_result, None)
    await future


async def gathers(count, times):
    await asyncio.gather(*(yields(times) for _ in range(count)))


def show(program, turns):
    print(f"{program:<42} {turns:>2}")


show("empty", run(yields(0)))
show("sleep(0), once", run(yields(1)))
show("sleep(0), ten times", run(yields(10)))
show("sleep(0.001)", run(asyncio.sleep(0.001)))
show("create_task, await it", run(awaits_a_task(0)))
show("the same, which sleeps(0)", run(awaits_a_task(1)))
show("a future resolved by call_soon", run(resolved_by_call_soon()))
for count in (1, 10, 1000):
    show(f"gather of {count}", run(gathers(count, 0)))
    show(f"gather of {count}, each sleeps(0)", run(gathers(count, 1)))
