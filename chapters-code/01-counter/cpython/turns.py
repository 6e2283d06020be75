"""Two tasks take turns on CPython's own loop; each line says in which turn it was printed."""

import asyncio


class CountedLoop(asyncio.SelectorEventLoop):
    """The standard loop, counting the calls of the method that runs one turn."""

    turn = 0

    def _run_once(self):
        self.turn += 1
        super()._run_once()


async def count_to(last, name):
    loop = asyncio.get_running_loop()
    for number in range(1, last + 1):
        print(f"turn {loop.turn}: {name}{number}")
        await asyncio.sleep(0)


async def both():
    async with asyncio.TaskGroup() as group:
        for name in "AB":
            group.create_task(count_to(2, name))


with asyncio.Runner(loop_factory=CountedLoop) as runner:
    runner.run(both())
