#!/usr/bin/env python3
"""Compiles the Python sources of programs, and runs those that are to be run, on a virtual clock.

Reads JSON lines `{"name", "lines", "run"}` from standard input and writes one for each:
`{"name", "printed"}`, or `{"name", "error"}`.
"""

import asyncio
import contextlib
import io
import json
import logging
import sys
import threading
import time


class Clock:
    """A clock that moves in select and in time.sleep, and threads that wait for it."""

    def __init__(self):
        self.now = 0.0
        self.threads = []

    def timer(self, delay, function, args=()):
        """threading.Timer, as far as the sources use it."""
        clock = self

        class Timer:
            def start(self):
                clock.threads.append((clock.now + delay, function, args))

        return Timer()

    def sleep(self, seconds):
        """time.sleep."""
        self.now += seconds

    def advance(self, timeout):
        """Until the timeout, or until a thread does something."""
        nearest = min((when for when, _, _ in self.threads), default=None)
        if timeout is None and nearest is None:
            raise RuntimeError("nothing will ever happen")
        moments = [] if timeout is None else [self.now + timeout]
        if nearest is not None:
            moments.append(nearest)
        self.now = max(self.now, min(moments))
        due = [thread for thread in self.threads if thread[0] <= self.now]
        self.threads = [thread for thread in self.threads if thread[0] > self.now]
        for _, function, args in due:
            function(*args)


def loop_on(clock):
    """A new selector loop of CPython's on the clock."""
    loop = asyncio.SelectorEventLoop()
    loop.time = lambda: clock.now
    loop._clock_resolution = 1e-9
    select = loop._selector.select

    def virtual(timeout=None):
        if timeout is None or timeout > 0:
            clock.advance(timeout)
        return select(0)

    loop._selector.select = virtual
    return loop


def run(name, code):
    """What the source prints."""
    clock = Clock()
    time.sleep, threading.Timer = clock.sleep, clock.timer
    asyncio.new_event_loop = asyncio.events.new_event_loop = lambda: loop_on(clock)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {"__name__": "__main__", "__file__": name})
    return printed.getvalue().splitlines()


def main():
    """Every line of standard input."""
    logging.disable()
    for line in sys.stdin:
        source = json.loads(line)
        said = {"name": source["name"]}
        try:
            code = compile("\n".join(source["lines"]) + "\n", source["name"], "exec")
            said["printed"] = run(source["name"], code) if source["run"] else []
        except Exception as error:
            said["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
