"""One line, three objects. The loop's clock is moved by hand: blocking takes no time here.

    python3 slow.py
"""

import asyncio
import logging
import os
import sys


class VirtualLoop(asyncio.SelectorEventLoop):
    now = 0.0

    def time(self):
        return self.now


def hold(seconds):
    asyncio.get_running_loop().now += seconds


def reload_menu():
    hold(0.25)


def print_receipts():
    hold(0.12)


async def serve():
    await asyncio.sleep(0)
    hold(0.3)
    await asyncio.sleep(0)
    hold(0.2)
    return "espresso"


async def day():
    loop = asyncio.get_running_loop()
    loop.call_soon(reload_menu)
    loop.call_at(0.0, print_receipts)
    await asyncio.create_task(serve(), name="table 4")


class Short(logging.Formatter):
    """Paths cut to the part that is the same on every machine."""

    def format(self, record):
        text = super().format(record)
        library = os.path.dirname(os.path.dirname(asyncio.__file__))
        here = os.path.dirname(__file__)
        return text.replace(library + "/", "").replace(here + "/", "")


handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(Short("%(levelname)s %(name)s: %(message)s"))
logging.getLogger().addHandler(handler)
with asyncio.Runner(debug=True, loop_factory=VirtualLoop) as runner:
    runner.run(day())
