"""A thread that ends a future of a sleeping loop, without the hatch and through it.

Python 3.11 or newer, standard library only.
"""

import asyncio
import threading
import time


# ANCHOR: without
async def ended_by_a_thread(through_the_hatch):
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def neighbour():
        time.sleep(0.1)
        if through_the_hatch:
            loop.call_soon_threadsafe(future.set_result, "tea")
        else:
            loop.call_soon(future.set_result, "tea")

    threading.Thread(target=neighbour).start()
    loop.call_later(2, print, "  (an alarm that has nothing to do with it)")
    start = loop.time()
    await future
    return loop.time() - start
# ANCHOR_END: without


for through_the_hatch in (True, False):
    waited = asyncio.run(ended_by_a_thread(through_the_hatch))
    print(f"through the hatch: {through_the_hatch}, waited {waited:.1f} s")

print("and in debug mode:")
threading.excepthook = lambda args: print(f"  in the thread: {args.exc_value}")


async def at_most(seconds):
    try:
        await asyncio.wait_for(ended_by_a_thread(False), seconds)
    except TimeoutError:
        print(f"  not ended after {seconds} s")


asyncio.run(at_most(1), debug=True)
