"""The ops on the loop itself: callbacks, timers, descriptors, the clock, debug mode."""

import functools

from clock import MS


def log(program, x):
    program.event("log", x)


def time(program):
    program.event("time", program.loop.time() // MS)


def block(program, ms):
    program.loop.block(ms * MS)


def call_soon(program, h, body=()):
    program.names[h] = program.loop.call_soon(program.callback("call", h, body))


def call_later(program, ms, h, body=()):
    program.names[h] = program.loop.call_later(ms * MS, program.callback("call", h, body))


def call_at(program, ms, h, body=()):
    program.names[h] = program.loop.call_at(ms * MS, program.callback("call", h, body))


def cancel_handle(program, h):
    if (handle := program.find(h)) is not None:
        handle.cancel()


def handle_cancelled(program, h):
    if (handle := program.find(h)) is not None:
        program.event("handle_cancelled", h, handle.cancelled())


def io(program, ms, r, body=()):
    fd = program.loop.descriptor(ms * MS)
    read = functools.partial(program.loop.remove_reader, fd)
    program.loop.add_reader(fd, program.callback("io", r, body, read))


def stop(program):
    program.loop.stop()


def set_debug(program, on):
    program.loop.set_debug(on)


def set_slow(program, ms):
    program.loop.slow_callback_duration = ms * MS
