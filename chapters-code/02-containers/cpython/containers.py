"""What ends up in which container of an asyncio loop."""

import asyncio
import socket


def show(what):
    # The loop watches one socket of its own: its hatch.
    watched = len(loop._selector.get_map()) - 1
    print(
        f"{what:<11}",
        f"_ready {len(loop._ready)}",
        f"_scheduled {len(loop._scheduled)}",
        f"_selector {watched}",
        f"_timer_cancelled_count {loop._timer_cancelled_count}",
        sep="  ",
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
