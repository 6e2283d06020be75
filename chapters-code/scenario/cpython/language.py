"""The program language: which ops there are, what each takes, and a check of a whole program.

A program that passes `check` can be run without asking again whether its parts are what they
should be. The ops themselves are in `program.py`.
"""

import asyncio
import json
import sys

EXCEPTIONS = {
    "ValueError": ValueError,
    "KeyError": KeyError,
    "RuntimeError": RuntimeError,
    "OSError": OSError,
    "ZeroDivisionError": ZeroDivisionError,
    "TimeoutError": TimeoutError,
    "CancelledError": asyncio.CancelledError,
    "InvalidStateError": asyncio.InvalidStateError,
    "QueueEmpty": asyncio.QueueEmpty,
    "QueueFull": asyncio.QueueFull,
    "BrokenBarrierError": asyncio.BrokenBarrierError,
    "KeyboardInterrupt": KeyboardInterrupt,
    "SystemExit": SystemExit,
}
if sys.version_info >= (3, 13):
    EXCEPTIONS["QueueShutDown"] = asyncio.QueueShutDown
CLAUSES = EXCEPTIONS | {
    "ExceptionGroup": BaseExceptionGroup,
    "Exception": Exception,
    "BaseException": BaseException,
}

# The arguments of each op, by kind; `?` ends the kind of one that may be left out.
OPS = {
    "log": "scalar",
    "time": "",
    "block": "natural",
    "call_soon": "str callback?",
    "call_later": "ms str callback?",
    "call_at": "ms str callback?",
    "cancel_handle": "str",
    "handle_cancelled": "str",
    "io": "ms str callback?",
    "stop": "",
    "raise": "type str",
    "try": "inline clauses final?",
    "reraise": "",
    "repeat": "natural inline",
    "return": "scalar?",
    "future": "str",
    "set_result": "str scalar",
    "set_exception": "str type str",
    "on_done": "str str callback?",
    "off_done": "str str",
    "state": "str",
    "result": "str",
    "exception": "str",
    "task": "str coroutine task_options?",
    "await": "str",
    "yield": "",
    "sleep": "ms",
    "nest": "coroutine",
    "gather": "str items gather_options?",
    "set_debug": "bool",
    "set_slow": "ms",
    "agen": "str generator",
    "aclose": "str",
    "cancel": "str",
    "uncancel": "str",
    "cancelling": "str",
    "wait_for": "item ms_or_null",
    "timeout": "str ms_or_null inline",
    "reschedule": "str ms_or_null",
    "expired": "str",
    "wait": "names wait_options?",
    "as_completed": "items ms_or_null?",
    "shield": "str item",
    "taskgroup": "str inline",
    "event": "str",
    "event_set": "str",
    "event_clear": "str",
    "event_is_set": "str",
    "event_wait": "str",
    "lock": "str",
    "semaphore": "str natural",
    "bounded_semaphore": "str natural",
    "condition": "str str?",
    "acquire": "str",
    "release": "str",
    "locked": "str",
    "with": "str inline",
    "cond_wait": "str",
    "cond_wait_for": "str str",
    "notify": "str natural?",
    "notify_all": "str",
    "queue": "str int? queue_kind?",
    "put": "str scalar",
    "get": "str",
    "put_nowait": "str scalar",
    "get_nowait": "str",
    "task_done": "str",
    "queue_join": "str",
    "qsize": "str",
    "queue_shutdown": "str bool?",
    "barrier": "str natural",
    "barrier_wait": "str",
    "barrier_reset": "str",
    "barrier_abort": "str",
}
OPS = {op: kinds.split() for op, kinds in OPS.items()}

SUSPENDING = frozenset(
    "yield sleep await nest wait_for wait as_completed timeout taskgroup agen aclose event_wait "
    "acquire with cond_wait cond_wait_for put get queue_join barrier_wait barrier_reset "
    "barrier_abort".split()
)

MAX_DEPTH = 100
MAX_NUMBER = 10**12

# Where a body stands: may it suspend, may it return, is there an exception to reraise?
SCRIPT = (False, False, False)
CALLBACK = (False, True, False)
COROUTINE = (True, True, False)
GENERATOR = (True, False, False)


def program_exception(kind, message):
    """An exception of the program; a trace will show it with its message."""
    exc = EXCEPTIONS[kind](message)
    exc.program_message = message
    return exc


class Invalid(Exception):
    """The program is not one; the text says what to change."""


class Unsupported(Exception):
    """The program is one, but this CPython lacks what it uses."""


def check(program):
    """Raises Invalid unless `program` is a program of the language."""
    _expect(isinstance(program, dict), "a program is an object", program)
    for key, ok, what in (
        ("name", lambda v: isinstance(v, str), "a string"),
        ("mode", lambda v: v in ("loop", "run"), '"loop" or "run"'),
        ("script", lambda v: isinstance(v, list), "a list"),
    ):
        _expect(key in program and ok(program[key]), f'"{key}" is {what}', program.get(key))
    for key, kind in (
        ("debug", "bool"),
        ("eager_factory", "bool"),
        ("slow", "ms"),
        ("resolution", "natural"),
    ):
        if key in program:
            _expect(SIMPLE[kind](program[key]), f'"{key}" is {_WORDS[kind]}', program[key])
    if program.get("eager_factory"):
        _need((3, 12), "eager tasks")
    for element in program["script"]:
        if element == ["run_forever"] and program["mode"] == "loop":
            continue
        if program["mode"] == "loop":
            _ops([element], SCRIPT, 1)
        else:
            _expect(
                isinstance(element, list)
                and len(element) == 3
                and element[0] == "run"
                and isinstance(element[1], str),
                'mode "run": an element of the script is ["run", name, body]',
                element,
            )
            _ops(element[2], COROUTINE, 1)


def _ops(body, place, depth):
    _expect(isinstance(body, list), "a body is a list of ops", body)
    _expect(depth <= MAX_DEPTH, f"bodies nest at most {MAX_DEPTH} deep", body)
    suspends, returns, handles = place
    for op in body:
        _expect(
            isinstance(op, list) and op and isinstance(op[0], str),
            "an op is a list that starts with its name",
            op,
        )
        name, arguments = op[0], op[1:]
        kinds = OPS.get(name)
        if kinds is None:
            raise Invalid(f'op "{name}": there is no such op here')
        _expect(
            suspends or name not in SUSPENDING,
            f'op "{name}" suspends, so it stands only in a coroutine\'s body',
            op,
        )
        _expect(
            returns or name != "return",
            'op "return" stands in the body of a callback or coroutine, not in a final',
            op,
        )
        _expect(handles or name != "reraise", 'op "reraise" stands in an except clause', op)
        least = sum(not kind.endswith("?") for kind in kinds)
        _expect(
            least <= len(arguments) <= len(kinds),
            f'op "{name}" takes {" ".join(kinds) or "no argument"}',
            op,
        )
        for kind, argument in zip(kinds, arguments):
            _argument(name, kind.rstrip("?"), argument, place, depth + 1)
        if name == "queue_shutdown":
            _need((3, 13), "Queue.shutdown")


def _argument(op, kind, value, place, depth):
    suspends, returns, handles = place
    if kind in SIMPLE:
        _expect(SIMPLE[kind](value), f'op "{op}": {_WORDS[kind]} is wanted', value)
    elif kind == "callback":
        _ops(value, CALLBACK, depth)
    elif kind == "coroutine" or kind == "item" and isinstance(value, list):
        _ops(value, COROUTINE, depth)
    elif kind == "generator":
        _ops(value, GENERATOR, depth)
    elif kind == "inline":
        _ops(value, place, depth)
    elif kind == "final":
        _ops(value, (suspends, False, handles), depth)
    elif kind == "clauses":
        _expect(isinstance(value, list), f'op "{op}": a list of clauses is wanted', value)
        for clause in value:
            _expect(
                isinstance(clause, list) and len(clause) == 2,
                f'op "{op}": a clause is [type, ops]',
                clause,
            )
            if not isinstance(clause[0], str) or clause[0] not in CLAUSES:
                _no_exception(op, clause[0])
            _ops(clause[1], (suspends, returns, True), depth)
    elif kind == "item":
        _expect(isinstance(value, str), f'op "{op}": a name or a body is wanted', value)
    elif kind == "items":
        _expect(isinstance(value, list), f'op "{op}": a list of names and bodies is wanted', value)
        for item in value:
            _argument(op, "item", item, place, depth)
    elif kind == "names":
        _expect(
            isinstance(value, list) and all(isinstance(name, str) for name in value),
            f'op "{op}": a list of names is wanted',
            value,
        )
    elif kind == "type":
        if not isinstance(value, str) or value not in EXCEPTIONS:
            _no_exception(op, value)
    elif kind == "queue_kind":
        _expect(
            value in ("fifo", "lifo", "priority"),
            f'op "{op}": the kind is "fifo", "lifo" or "priority"',
            value,
        )
    else:
        _options(op, OPTIONS[kind], value)


def _options(op, kinds, value):
    _expect(
        isinstance(value, dict) and value.keys() <= kinds.keys(),
        f'op "{op}": its options are {", ".join(kinds)}',
        value,
    )
    for key, option in value.items():
        _expect(SIMPLE[kinds[key]](option), f'op "{op}": "{key}" is {_WORDS[kinds[key]]}', option)
    if value.get("eager"):
        _need((3, 12), "eager tasks")


def _no_exception(op, value):
    if value == "QueueShutDown":
        _need((3, 13), "QueueShutDown")
    raise Invalid(f'op "{op}": the language has no exception type {json.dumps(value)} here')


def _need(version, what):
    if sys.version_info < version:
        raise Unsupported(f"{what} need CPython {version[0]}.{version[1]}")


def _expect(ok, message, value):
    if not ok:
        text = json.dumps(value, ensure_ascii=False)
        raise Invalid(f"{message}; found {text if len(text) < 70 else text[:67] + '...'}")


def _is_int(value):
    return type(value) is int and abs(value) <= MAX_NUMBER


SIMPLE = {
    "str": lambda v: isinstance(v, str),
    "bool": lambda v: isinstance(v, bool),
    "int": _is_int,
    "ms": _is_int,
    "natural": lambda v: _is_int(v) and v >= 0,
    "ms_or_null": lambda v: v is None or _is_int(v),
    "scalar": lambda v: v is None or isinstance(v, (bool, int, float, str)),
    "when": lambda v: v in ("FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"),
}
_WORDS = {
    "str": "a string",
    "bool": "true or false",
    "int": "an integer",
    "ms": "an integer of milliseconds",
    "natural": "an integer, not negative",
    "ms_or_null": "an integer of milliseconds or null",
    "scalar": "a string, number, boolean or null",
    "when": "FIRST_COMPLETED, FIRST_EXCEPTION or ALL_COMPLETED",
}
OPTIONS = {
    "task_options": {"group": "str", "eager": "bool"},
    "gather_options": {"return_exceptions": "bool"},
    "wait_options": {"timeout": "ms_or_null", "when": "when"},
}
