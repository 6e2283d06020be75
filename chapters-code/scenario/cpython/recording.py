"""The recording: what each turn of the loop did, in the form SPEC.md gives a trace.

It knows handles, futures and exceptions by the names SPEC.md gives them. It changes nothing: what
it needs to see, it is told by the loop (`loop.py`) and by the running program (`program.py`).
"""

from asyncio import Task, TimerHandle, current_task

from clock import MS, SECOND


class TurnLimit(BaseException):
    """The program made more turns than it may."""


def exception_text(exc):
    """`Type:msg` for an exception of the program, `Type` for one of asyncio's; groups spelt out."""
    name = type(exc).__name__
    if isinstance(exc, BaseExceptionGroup):
        return f"{name}[{', '.join(map(exception_text, exc.exceptions))}]"
    message = getattr(exc, "program_message", None)
    return name if message is None else f"{name}:{message}"


def json_value(value):
    """A value of the program as it stands in a trace."""
    if isinstance(value, BaseException):
        return {"exc": exception_text(value)}
    if isinstance(value, list):
        return [json_value(item) for item in value]
    return value


# The callbacks of the library: (name in a trace, which argument names the future), by the
# function's qualified name. An argument of None: the handle has no future to name.
LIBRARY_CALLBACKS = {
    "_set_result_unless_cancelled": ("sleep", None),
    "Timeout._on_timeout": ("timeout", None),
    "_run_until_complete_cb": ("run_done", 0),
    "gather.<locals>._done_callback": ("gather_cb", 0),
    "_wait.<locals>._on_completion": ("wait_cb", 0),
    "_AsCompletedIterator._handle_completion": ("ac_done", 0),
    "_AsCompletedIterator._handle_timeout": ("ac_timeout", None),
    "as_completed.<locals>._on_completion": ("ac_done", 0),
    "as_completed.<locals>._on_timeout": ("ac_timeout", None),
    "shield.<locals>._inner_done_callback": ("shield_inner", 0),
    "shield.<locals>._outer_done_callback": ("shield_outer", 0),
    "shield.<locals>._clear_awaited_by_callback": ("shield_clear", 0),
    "shield.<locals>._log_on_exception": ("shield_log", 0),
    "TaskGroup._on_task_done": ("tg_done", 0),
    "BaseEventLoop._set_coroutine_origin_tracking": ("set_debug", None),
}


class Recording:
    """One program's trace while it grows."""

    def __init__(self, max_turns):
        self.max_turns = max_turns
        self.entries = []
        self.outcome = []
        self.phase = "forever"
        self.over = False
        self.names = {}  # future or task -> its first name, in order of creation
        self.coroutine_names = {}  # coroutine -> the name of the task it becomes, if it does
        self.generator_names = {}
        self._loop = None
        self._selector = None
        self._turn = None
        self._log = None
        self._handle_name = None
        self._turns = self._handles = self._longest_turn = 0

    def attach(self, loop, selector):
        """Listens to a loop and its selector."""
        self._loop, self._selector = loop, selector
        selector.before_select, selector.after_select = self.before_select, self.after_select

    # One turn, in the order of its steps.

    def turn_started(self):
        """`_run_once` is about to run."""
        if self._turns == self.max_turns:
            raise TurnLimit
        self._turns += 1
        self._log = []
        self._turn = {
            "turn": self._turns,
            "phase": self.phase,
            "t": self._selector.now // MS,
            "timeout": None,
            "woke": None,
            "heap": [len(self._loop._scheduled)],
            "ccount": [self._loop._timer_cancelled_count],
            "ran": [],
            "log": self._log,
        }
        self.entries.append(self._turn)
        self._started = self._selector.now

    def before_select(self, timeout):
        """Steps 1 and 2 are done: the heap is swept, the timeout is known."""
        self._turn["timeout"] = timeout if timeout is None else timeout // MS
        self._turn["heap"].append(len(self._loop._scheduled))
        self._turn["ccount"].append(self._loop._timer_cancelled_count)

    def after_select(self):
        """Step 3 is done."""
        self._turn["woke"] = self._selector.now // MS

    def handle_taken(self, handle):
        """Step 6 has taken a handle from `_ready`."""
        name = "cancelled" if handle._cancelled else self.handle_name(handle)
        self._handle_name = name
        self._turn["ran"].append(name)

    def turn_ended(self, exc=None):
        """`_run_once` has returned, or `exc` has left it."""
        turn = self._turn
        if exc is not None:
            turn["raised"] = exception_text(exc)
            if turn["woke"] is None:
                del turn["woke"]
        self._handles += len(turn["ran"])
        self._longest_turn = max(self._longest_turn, self._selector.now - self._started)
        self._log = None

    # Names.

    def register(self, future, name):
        """A future or task is made; it keeps the first name it gets."""
        self.names.setdefault(future, name)

    def handle_name(self, handle):
        """The name of a handle's callback."""
        callback, args = handle._callback, handle._args
        kind = type(callback).__name__
        if kind == "Callback":  # the program's own
            return callback.label
        if kind == "TaskStepMethWrapper":
            return self._with_future("step", callback.__self__)
        if kind == "builtin_function_or_method" and callback.__name__ == "task_wakeup":
            return self._with_future("wakeup", callback.__self__)
        if kind == "partial" or callback.__name__ == "_release_waiter":
            return self._with_future("release_waiter", args[0] if kind == "partial" else None)
        name, argument = LIBRARY_CALLBACKS[callback.__qualname__]
        return self._with_future(name, None if argument is None else args[argument])

    def _with_future(self, name, future):
        future_name = None if future is None else self.names.get(future)
        return name if future_name is None else f"{name}:{future_name}"

    def who(self):
        """Whose event it is: the current task's, the loop's, or nobody's."""
        if not self._loop.is_running():
            return "outside"
        task = current_task(self._loop)
        if task is None:
            return "loop"
        # An eager task has no other name while it takes its first step.
        return self.names.get(task) or self.coroutine_names[task.get_coro()]

    # Events.

    def event(self, *what):
        """Something the program did, or the library reported, in the turn under way."""
        if not self.over:
            self._append([self.who(), *what])

    def _append(self, event):
        if self._log is not None:
            self._log.append(event)
        elif self.entries and "outside" in self.entries[-1]:
            self.entries[-1]["outside"].append(event)
        else:
            self.entries.append({"outside": [event]})

    def reported(self, context):
        """The loop's exception handler was called.

        What is reported when an object dies is not recorded here: `late` tells it without having
        to wait for the garbage collector.
        """
        if "future" in context or "was destroyed" in context["message"]:
            return
        exc = exception_text(context["exception"])
        if "handle" in context:
            self.event("unhandled", "callback", self._handle_name, exc)
        elif "asyncgen" in context:
            self.event("unhandled", "asyncgen", self.generator_names[context["asyncgen"]], exc)
        else:
            self.event("unhandled", "shutdown", self.names[context["task"]], exc)

    def slow(self, handle, duration):
        """Debug mode found that a handle took `duration`; it has run by now."""
        task = getattr(handle._callback, "__self__", None)
        if isinstance(task, Task):
            state = task._state.lower()
            if state == "pending" and task.cancelling():
                state = "cancelling"
            what = f"Task {state} {self.names[task]}"
        elif isinstance(handle, TimerHandle):
            when = f"{handle._when / SECOND:.9f}".rstrip("0").rstrip(".")
            what = f"TimerHandle when={when} {self._handle_name}"
        else:
            what = f"Handle {self._handle_name}"
        text = f"Executing <{what}> took {duration / SECOND:.3f} seconds"
        self._append(["loop", "slow", text])

    # The end.

    def finish(self):
        """The whole trace. Nothing is recorded after it, whatever the garbage collector runs."""
        self.over = True
        return {
            "turns": self.entries,
            "outcome": self.outcome,
            "late": list(self._late()),
            "totals": {
                "turns": self._turns,
                "handles": self._handles,
                "t_end": self._selector.now // MS,
                "longest_turn": self._longest_turn // MS,
            },
        }

    def _late(self):
        """What the destructors of futures and tasks will say, read from the flags they look at."""
        for future, name in self.names.items():
            if isinstance(future, Task) and not future.done():
                if future._log_destroy_pending:
                    yield ["destroyed_pending", name]
            elif future._log_traceback:
                yield ["never_retrieved", name, exception_text(future._exception)]
