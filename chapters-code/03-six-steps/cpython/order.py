"""What runs before what in one turn, on CPython's own loop."""

import asyncio
import socket

turn = 0
run_once = asyncio.BaseEventLoop._run_once


def counted(self):
    global turn
    turn += 1
    run_once(self)


asyncio.BaseEventLoop._run_once = counted


def say(name):
    print(f"turn {turn}: {name}")


def reader():
    say("reader")
    loop.remove_reader(ours)


def soon():
    say("soon")
    loop.stop()


def first():
    say("first")
    loop.call_later(0, say, "timer")
    loop.add_reader(ours, reader)
    loop.call_soon(soon)


loop = asyncio.new_event_loop()
ours, theirs = socket.socketpair()
theirs.send(b"x")
loop.call_soon(first)
loop.run_forever()
loop.close()
ours.close()
theirs.close()
