"""What a coroutine costs in CPython: made, awaited, nested, suspended. The rows of rows.toml.

    python3 measure.py ROW [--uvloop]

Rows that need no loop run inside one all the same, so that all are measured in the same
surroundings. The cost of the measuring `for` is left in them.
"""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

import types
from itertools import repeat

from sample import main, on_a_loop


# A bare yield, as in asyncio's own sleep(0).
@types.coroutine
def suspend_once():
    yield


async def noop():
    pass


async def once():
    await suspend_once()
    return 1


async def endless(depth):
    if depth > 1:
        await endless(depth - 1)
    while True:
        await suspend_once()


async def level_1(n):
    return n


def level(below):
    async def one_more(n):
        return await below(n) + 1

    return one_more


level_3 = level(level(level_1))
level_10 = level_3
for _ in range(7):
    level_10 = level(level_10)


async def create(count):
    for _ in repeat(None, count):
        noop().close()


async def await_ready(count):
    for _ in repeat(None, count):
        await noop()


async def send_ready(count):
    for _ in repeat(None, count):
        try:
            noop().send(None)
        except StopIteration:
            pass


async def nested_3(count):
    for _ in repeat(None, count):
        await level_3(1)


async def nested_10(count):
    for _ in repeat(None, count):
        await level_10(1)


async def suspended_by_hand(count):
    for _ in repeat(None, count):
        coro = once()
        coro.send(None)
        try:
            coro.send(None)
        except StopIteration:
            pass


def resume(depth):
    async def steps(count):
        coro = endless(depth)
        send = coro.send
        for _ in repeat(None, count):
            send(None)
        coro.close()

    return steps


async def suspension(count):
    for _ in repeat(None, count):
        await suspend_once()


ROWS = {
    "create": create,
    "await-ready": await_ready,
    "send-ready": send_ready,
    "nested-3": nested_3,
    "nested-10": nested_10,
    "suspended-by-hand": suspended_by_hand,
    "resume-1": resume(1),
    "resume-10": resume(10),
    "suspension": suspension,
}
main({row: lambda count, work=work: on_a_loop(work(count)) for row, work in ROWS.items()})
