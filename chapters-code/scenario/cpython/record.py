#!/usr/bin/env python3
"""Records what CPython's own event loop does with programs of the scenario language.

Reads programs as JSON lines from files or from standard input and writes one line for each to
standard output as soon as it is recorded. See README.md beside this file.
"""

import argparse
import gc
import json
import platform
import signal
import sys
import warnings

import origins  # isort: skip  # before anything that imports asyncio
import loop
import order
from language import Invalid, Unsupported, check
from program import record
from recording import TurnLimit

# How many objects may wait for the garbage collector between two programs.
GARBAGE = 50_000

encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def main(arguments):
    """The command; gives its exit status."""
    options = command_line().parse_args(arguments)
    quiet()
    order.install()
    loop.install()
    output = Checked() if options.check else Written(options.corpus)
    for source in options.files or ["-"]:
        try:
            lines = sys.stdin.buffer if source == "-" else open(source, "rb")
        except OSError as error:
            return fail(f"{source}: {error.strerror}")
        with lines:
            # readline gives each line as it comes; iterating would read ahead.
            for number, line in enumerate(iter(lines.readline, b""), 1):
                if not line.strip():
                    continue
                try:
                    row = parse(line)
                    output.take(row, *trace_of(row["program"], options.max_turns))
                except (Invalid, UnicodeError) as error:
                    where = "standard input" if source == "-" else source
                    return fail(f"{where}, line {number}: {error}")
    return output.status()


def command_line():
    """The options."""
    parser = argparse.ArgumentParser(prog="record.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="*", help="JSON lines; none, or -: standard input")
    parser.add_argument("--corpus", action="store_true", help='write {"program":…,"trace":…}')
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with the traces the lines hold, write only differences",
    )
    parser.add_argument(
        "--max-turns",
        type=int,
        default=100_000,
        metavar="N",
        help="give up on a program after N turns (default 100000)",
    )
    return parser


def quiet():
    """Keeps the interpreter's own reports off stderr: what they say stands in the trace."""
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None
    # An interrupt from the keyboard ends the recorder; Runner would hand it to the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):  # a reader that has gone ends it as quietly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Destructors run between programs, so that no program meets another's remains.
    gc.disable()
    gc.freeze()


def parse(line):
    """A line as a corpus line, whichever of the two forms it has."""
    try:
        row = json.loads(line, parse_constant=no_number)
    except RecursionError:
        raise Invalid("nested too deeply") from None
    except ValueError as error:
        raise Invalid(f"not JSON: {error}") from None
    return row if isinstance(row, dict) and "program" in row else {"program": row}


def no_number(text):
    """NaN and the infinities."""
    raise Invalid(f"not JSON: {text} is no number of JSON")


def trace_of(program, max_turns):
    """The trace and None, or None and why there is none."""
    try:
        check(program)
        return record(program, max_turns), None
    except Unsupported as error:
        return None, f"{error}; this is {platform.python_version()}"
    except TurnLimit:
        return None, f"no end after {max_turns} turns; --max-turns N allows N"
    finally:
        if gc.get_count()[0] > GARBAGE:
            gc.collect()


class Written:
    """Traces as they are written."""

    def __init__(self, corpus):
        self._corpus = corpus
        self._failed = False

    def take(self, row, trace, error):
        """Writes a line for a program."""
        program = row["program"]
        first = {"program": program} if self._corpus else {"name": program["name"]}
        if error is not None:
            self._failed = True
        line = encode(first | ({"trace": trace} if error is None else {"error": error}))
        sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()

    def status(self):
        """1 if some program has no trace."""
        return int(self._failed)


class Checked:
    """Traces compared with those that the corpus lines hold for this version."""

    def __init__(self):
        self._version = platform.python_version()
        self._same = self._different = self._other = 0

    def take(self, row, trace, error):
        """Compares one program's trace, if the line says what this version gives."""
        if error is not None or self._version not in row.get("agree", ["3.13.0"]):
            self._other += 1
        elif encode(trace) == encode(row.get("trace")):
            self._same += 1
        else:
            self._different += 1
            print(f"differs: {row['program']['name']}", flush=True)

    def status(self):
        """1 if a trace differs, or if none was compared."""
        print(
            f"CPython {self._version}: {self._same} the same byte for byte, "
            f"{self._different} different, {self._other} not comparable"
        )
        return int(self._different > 0 or self._same == 0)


def fail(message):
    """Bad input: one line on stderr, status 2."""
    print(f"record.py: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
