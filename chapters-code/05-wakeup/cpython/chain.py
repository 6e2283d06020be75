"""From an await to its result, turn by turn."""

import asyncio

from turns_loop import note, run


# ANCHOR: program
async def waiter(future):
    note("waiter awaits")
    tea = await future
    note(f"waiter has {tea}")


async def setter(future):
    note("setter sets")
    future.set_result("tea")
    note("setter has set")
    await asyncio.sleep(0)
    note("setter goes on")


async def main():
    future = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(waiter(future))
    setting = asyncio.create_task(setter(future))
    await waiting
    note("main has waited")
    # ANCHOR_END: program
    await setting


run(main())
