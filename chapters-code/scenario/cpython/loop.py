"""CPython's selector event loop on the virtual clock, with a recorder listening.

`_run_once` is the interpreter's own. The recorder sees a turn from outside: at its start and end,
in `select`, and in the `popleft` by which step 6 takes each handle from `_ready`.
"""

import asyncio
import collections
import logging
from asyncio import base_events, selector_events

from clock import VirtualSelector
from order import OrderedSet

# What the coroutines of Runner.close() are called, and the phase each one is.
SHUTDOWN_PHASES = {"shutdown_asyncgens": "asyncgens", "shutdown_default_executor": "executor"}


class Ready(collections.deque):
    """`_ready`, telling the recorder of each handle taken from it."""

    taken = None

    def popleft(self):
        """Takes the first handle."""
        handle = super().popleft()
        self.taken(handle)
        return handle


class RecordedLoop(selector_events.BaseSelectorEventLoop):
    """The loop under observation."""

    def __init__(self, recording, *, debug, slow, resolution, eager):
        self.recording = recording
        super().__init__(VirtualSelector())
        recording.attach(self, self._selector)
        self._ready = Ready()
        self._ready.taken = recording.handle_taken
        self._asyncgens = OrderedSet()
        self._acloses = 0
        self._clock_resolution = resolution
        self.set_debug(debug)
        self.slow_callback_duration = slow
        if eager:
            self.set_task_factory(asyncio.eager_task_factory)

    def time(self):
        """The virtual clock, in nanoseconds."""
        return self._selector.now

    def block(self, duration):
        """What time.sleep would do to the clock."""
        self._selector.now += duration

    def descriptor(self, moment):
        """A new descriptor that becomes readable at `moment`."""
        return self._selector.descriptor(moment)

    def _run_once(self):
        self.recording.turn_started()
        try:
            super()._run_once()
        except BaseException as exc:
            self.recording.turn_ended(exc)
            raise
        self.recording.turn_ended()

    def run_until_complete(self, future):
        """Runs one phase: of a run, or of Runner.close()."""
        if asyncio.iscoroutine(future):
            self.recording.phase = SHUTDOWN_PHASES[future.__name__]
        elif isinstance(future, asyncio.Task):
            self.recording.phase = f"run:{self.recording.names[future]}"
        else:
            self.recording.phase = "cancel"  # the gather of runners.py, _cancel_all_tasks
        return super().run_until_complete(future)

    def create_task(self, coro, **options):
        """Makes a task; the name is known by the coroutine before its first step, eager or not."""
        names = self.recording.coroutine_names
        name = names.get(coro)
        if name is None:
            # A task the library makes: of a shutdown coroutine, or of an aclose().
            name = getattr(coro, "__name__", None)
            if name not in SHUTDOWN_PHASES:
                name = f"aclose.{self._acloses}"
                self._acloses += 1
            names[coro] = name
        task = super().create_task(coro, **options)
        self.recording.register(task, name)
        return task

    def pending_tasks(self):
        """What asyncio.all_tasks gives, in the order in which create_task returned them."""
        return [
            task
            for task in self.recording.names
            if isinstance(task, asyncio.Task) and not task.done()
        ]

    def call_exception_handler(self, context):
        """Tells the recorder, and nobody else."""
        self.recording.reported(context)

    # There is no self-pipe: nothing wakes a virtual selector from another thread, and a pipe would
    # add its reader's handle to the turn after set_debug.

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


class _SlowCallbacks(logging.Handler):
    """Debug mode's log lines, brought to the recorder of the loop that wrote them."""

    def emit(self, record):
        loop = asyncio._get_running_loop()
        if loop is not None and record.msg == "Executing %s took %.3f seconds":
            loop.recording.slow(*record.args)


def install():
    """Listens to the logger of asyncio, once for the process, and keeps it off stderr."""
    # The recorder has its own text for a handle: it is given the handle in place of its repr.
    base_events._format_handle = lambda handle: handle
    logger = logging.getLogger("asyncio")
    logger.setLevel(logging.WARNING)
    logger.addHandler(_SlowCallbacks())
    logger.propagate = False
