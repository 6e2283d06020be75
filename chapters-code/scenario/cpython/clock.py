"""The virtual clock and the selector that owns it.

Time is an integer number of nanoseconds, so that deadlines compare exactly. It moves in two ways
only: `block` adds to it, and `select` moves it to the moment the loop would have been woken.
"""

import selectors

MS = 1_000_000
SECOND = 1000 * MS


class Deadlock(Exception):
    """The loop would sleep for ever: no timer, and no descriptor still to become readable."""


class VirtualSelector:
    """A selector whose descriptors become readable at moments given in advance.

    It has the methods that asyncio's selector_events.py calls, no more. `before_select` and
    `after_select` are called with the timeout and with nothing: the recorder listens there.
    """

    def __init__(self):
        self.now = 0
        self._readable_at = []
        self._registered = {}
        self.before_select = self.after_select = None

    def descriptor(self, moment):
        """Makes a descriptor that becomes readable at `moment`; it is a number, counted from 0."""
        self._readable_at.append(moment)
        return len(self._readable_at) - 1

    def select(self, timeout):
        """Moves the clock as a sleep of `timeout` would; gives the descriptors readable by then."""
        self.before_select(timeout)
        waiting = sorted((self._readable_at[fd], fd) for fd in self._registered)
        if timeout is None:
            if not waiting:
                raise Deadlock
            self.now = max(self.now, waiting[0][0])
        elif timeout > 0:
            end = self.now + timeout
            self.now = min(end, max(self.now, waiting[0][0])) if waiting else end
        self.after_select()
        return [
            (self._registered[fd], selectors.EVENT_READ)
            for moment, fd in waiting
            if moment <= self.now
        ]

    def register(self, fd, events, data=None):
        """Adds a descriptor."""
        self._registered[fd] = selectors.SelectorKey(fd, fd, events, data)

    modify = register

    def unregister(self, fd):
        """Removes a descriptor."""
        del self._registered[fd]

    def get_key(self, fd):
        """The key of a registered descriptor; KeyError for any other (asked for up to 3.12)."""
        return self._registered[fd]

    def get_map(self):
        """The registered descriptors and their keys (asked for from 3.13 on)."""
        return self._registered

    def close(self):
        """Forgets the descriptors; there is nothing real to close."""
        self._registered.clear()
