"""Drives three coroutines step by step with send(None); no loop runs.

The same program as examples/by_hand.rs. A loop object is made, since an asyncio future
belongs to one, but it never turns. Python 3.11 or newer, standard library only.
"""

import asyncio
import types


# A bare yield, as in asyncio's own __sleep0: an `async def` may not yield, a generator
# marked as a coroutine may.
@types.coroutine
def suspend_once():
    yield


# ANCHOR: order
async def order():
    print("  the coroutine writes the slip")
    await suspend_once()
    print("  the coroutine fetches the tea")
    return "tea"
# ANCHOR_END: order


async def quick():
    return "the value from return"


async def with_milk(future):
    return f"{await future} with milk"


# ANCHOR: step
def step(coro):
    try:
        return f"yielded {coro.send(None)!r}"
    except StopIteration as stop:
        return f"StopIteration.value = {stop.value}"
# ANCHOR_END: step


print("1. It never suspends: one step, the first and the last.")
coro = quick()
print("send 1:", step(coro))

print("2. It suspends once.")
coro = order()
print("made, and nothing has run")
print("send 1:", step(coro))
print("send 2:", step(coro))

print("3. It waits for a future.")
loop = asyncio.new_event_loop()
future = loop.create_future()
coro = with_milk(future)
print("flag before:", future._asyncio_future_blocking)
print("yielded the future itself:", coro.send(None) is future)
print("flag after: ", future._asyncio_future_blocking)
print("set the result: the coroutine has not moved")
future.set_result("tea")
print("send 2:", step(coro))

print("4. What a driver must not do.")
try:
    coro.send(None)
except RuntimeError as error:
    print("send to a finished coroutine:", error)
future = loop.create_future()
coro = with_milk(future)
coro.send(None)
try:
    coro.send(None)
except RuntimeError as error:
    print("send while the future is pending:", error)
loop.close()
