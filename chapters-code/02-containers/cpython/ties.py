"""Four timers with one deadline, and the list that heapq keeps them in."""

import asyncio
import heapq

loop = asyncio.new_event_loop()
for name in "abcd":
    loop.call_at(5, print, name)
heap = loop._scheduled


def names():
    return " ".join(handle._args[0] for handle in heap)


print("pushed  ", names())
while heap:
    handle = heapq.heappop(heap)
    print("pop", handle._args[0], "->", names())
loop.close()
