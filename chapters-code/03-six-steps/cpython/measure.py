"""What a callback costs on its way through asyncio's loop. The rows of rows.toml.

    python3 measure.py ROW [--uvloop]
"""

import asyncio
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

import threading

from sample import cpu, figure, main, wall

MANY, TIMERS, POSTS = 1_000, 100_000, 10_000


def hold(word):
    pass


def with_loop(work, clock=cpu):
    loop = asyncio.new_event_loop()
    taken = clock(work, loop)
    loop.close()
    return taken


def call_soon_batch(batches):
    def work(loop):
        for _ in range(batches):
            for n in range(MANY):
                loop.call_soon(hold, n)
            loop.call_soon(loop.stop)
            loop.run_forever()

    return with_loop(work)


def call_soon_chain(batches):
    def link(loop, n):
        if n:
            loop.call_soon(link, loop, n - 1)
        else:
            loop.stop()

    def work(loop):
        loop.call_soon(link, loop, batches * MANY - 1)
        loop.run_forever()

    return with_loop(work)


def delays():
    spread = random.Random(1)
    return [spread.random() * 0.05 for _ in range(TIMERS)]


class ForwardLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be put forward: asking the time costs what it costs."""

    by = 0.0

    def time(self):
        return super().time() + self.by


def timers_fire(batches):
    each = delays()

    def work(loop):
        for _ in range(batches):
            for n, delay in enumerate(each):
                loop.call_later(delay, hold, n)
            # Behind all of them in time, in the turn in which they ring.
            loop.call_later(0.0505, loop.stop)
            loop.by += 0.051
            loop.run_forever()

    loop = ForwardLoop()
    taken = cpu(work, loop)
    loop.close()
    return taken


def timers_cancel(batches):
    each = delays()

    def work(loop):
        for _ in range(batches):
            timers = [loop.call_later(3600 + delay, hold, n) for n, delay in enumerate(each)]
            for timer in timers:
                timer.cancel()
            loop.call_soon(loop.stop)
            loop.run_forever()

    return with_loop(work)


def post(batches):
    def burst(loop):
        for n in range(POSTS - 1):
            loop.call_soon_threadsafe(hold, n)
        loop.call_soon_threadsafe(loop.stop)

    def work(loop):
        for _ in range(batches):
            poster = threading.Thread(target=burst, args=(loop,))
            poster.start()
            loop.run_forever()
            poster.join()

    return with_loop(work, wall)


def idle():
    def work(loop):
        loop.call_later(1, loop.stop)
        loop.run_forever()

    return [figure("idle", with_loop(work) / 1e6, "ms")]


main(
    {
        "call-soon-batch": (call_soon_batch, MANY),
        "call-soon-chain": (call_soon_chain, MANY),
        "timers-fire": (timers_fire, TIMERS),
        "timers-cancel": (timers_cancel, TIMERS),
        "post": (post, POSTS),
    },
    {"idle": idle},
)
