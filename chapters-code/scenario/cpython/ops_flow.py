"""The ops that steer: raise, try, repeat, return, and a coroutine awaited in place.

An op returns None, or a tuple of one value when a `return` leaves the body it stands in.
"""

from contextvars import ContextVar

from language import CLAUSES, program_exception
from recording import exception_text


# The exception of the except clause that is running. A bare `raise` would do where all ops stood in
# one coroutine; here each body is one of its own, which forgets the clause if an inner one awaits.
_handled = ContextVar("handled", default=None)


def raise_(program, kind, message):
    raise program_exception(kind, message)


async def try_(program, body, clauses, final=()):
    try:
        returned = await program.run(body)
    except BaseException as exc:
        clause = _clause(program, exc, clauses)
        if clause is None:
            raise
        program.event("caught", exception_text(exc))
        outer = _handled.get()
        _handled.set(exc)
        try:
            returned = await program.run(clause)
        finally:
            _handled.set(outer)
    finally:
        if not program.recording.over:
            await program.run(final)
    return returned


def _clause(program, exc, clauses):
    if program.recording.over:  # a coroutine left suspended is being thrown away
        return None
    for kind, body in clauses:
        if isinstance(exc, CLAUSES[kind]):
            return body
    return None


def reraise(program):
    raise _handled.get()


async def repeat(program, n, body):
    for _ in range(n):
        if (returned := await program.run(body)) is not None:
            return returned


def return_(program, value=None):
    return (value,)


async def nest(program, body):
    program.event("nest", await program.coroutine(body))
