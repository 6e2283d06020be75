"""What ends up in which container of an asyncio loop."""

import asyncio
import socket


def show(what):
    watched = len(loop._selector.get_map()) - 1  # the loop watches one socket of its own
    print(
        f"{what:<11}  _ready {len(loop._ready)}  _scheduled {len(loop._scheduled)}"
        f"  _selector {watched}  _timer_cancelled_count {loop._timer_cancelled_count}"
    )


loop = asyncio.new_event_loop()
ours, theirs = socket.socketpair()

show("new loop")
loop.call_soon(print, "greet")
show("call_soon")
tea = loop.call_later(10, print, "tea")
show("call_later")
loop.add_reader(ours, print, "door")
show("add_reader")
tea.cancel()
show("cancel")

loop.remove_reader(ours)
loop.close()
ours.close()
theirs.close()
