"""What it costs to run a coroutine that does nothing, and the turns of whole runs. The rows of
rows.toml.

    python3 measure.py ROW [--uvloop]
"""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

from sample import CountedLoop, cpu, figure, main, on_a_loop
from turn_table import PROGRAMS, noop


def run(count):
    def work():
        for _ in range(count):
            asyncio.run(noop())

    return cpu(work)


def make_and_close(count):
    def work():
        for _ in range(count):
            asyncio.new_event_loop().close()

    return cpu(work)


def runner(count):
    with asyncio.Runner() as runner:
        runner.run(noop())

        def work():
            for _ in range(count):
                runner.run(noop())

        return cpu(work)


def run_until_complete(count):
    loop = asyncio.new_event_loop()

    def work():
        for _ in range(count):
            loop.run_until_complete(noop())

    taken = cpu(work)
    loop.close()
    return taken


async def create_and_await(count):
    for _ in range(count):
        await asyncio.create_task(noop())


async def await_inside(count):
    for _ in range(count):
        await noop()


def turns():
    figures = []
    for name, program in PROGRAMS.items():
        with asyncio.Runner(loop_factory=CountedLoop) as runner:
            loop = runner.get_loop()
            runner.run(program())
        figures.append(figure(f"turns-{name}", loop.turns, "turns"))
    return figures


main(
    {
        "run": run,
        "make-and-close": make_and_close,
        "runner": runner,
        "run-until-complete": run_until_complete,
        "create-and-await": lambda count: on_a_loop(create_and_await(count)),
        "await": lambda count: on_a_loop(await_inside(count)),
    },
    {"turns": turns},
)
