"""What the chapters' measure.py share: a row is measured in this process, and printed as JSON.

    python3 measure.py ROW [--uvloop] [--budget MILLISECONDS]
    python3 measure.py            lists the rows

A chapter's measure.py gives its rows to `main`. A row is a function that says how long so many
operations took, in nanoseconds; a whole run, one that gives its figures. Python 3.12 or newer,
standard library only (and uvloop, where it is asked for).
"""

import asyncio
import gc
import json
import sys
import time

BUDGET_MS = 40


def cpu(work, *args):
    """The processor time that a call takes, in nanoseconds."""
    start = time.process_time_ns()
    work(*args)
    return time.process_time_ns() - start


def wall(work, *args):
    """The time on the wall that a call takes, in nanoseconds: for work that waits."""
    start = time.perf_counter_ns()
    work(*args)
    return time.perf_counter_ns() - start


def on_a_loop(main, clock=cpu):
    """The time of a coroutine on a loop, of which making and closing it is no part."""
    loop = asyncio.new_event_loop()
    taken = clock(loop.run_until_complete, main)
    loop.close()
    return taken


def resident():
    """The bytes of this process that are in memory."""
    with open("/proc/self/smaps_rollup") as rollup:
        for line in rollup:
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    raise SystemExit("/proc/self/smaps_rollup has no line Rss")


class CountedLoop(asyncio.SelectorEventLoop):
    """The standard loop, which counts its turns and knows the longest."""

    turns = 0
    longest = 0.0

    def _run_once(self):
        self.turns += 1
        start = time.perf_counter()
        super()._run_once()
        self.longest = max(self.longest, time.perf_counter() - start)


def figure(row, value, unit, values=()):
    """One value of one row; `values`, what it was made of, where the distribution matters."""
    line = {"row": row, "value": value, "unit": unit}
    if values:
        line["values"] = list(values)
    return line


def timed(row, run, batch):
    """Nanoseconds an operation: a first look that warms up, then as many as fill the budget."""
    budget = BUDGET_MS * 1_000_000
    batches = 1
    while (taken := run(batches)) < budget / 4:
        factor = budget / 2 / max(taken, 1)
        batches = int(batches * min(max(factor, 2), 64)) + 1
    batches = max(1, int(batches * budget / taken))
    return [figure(row, run(batches) / (batches * batch), "ns")]


def main(rows, whole=None):
    """Measures the row that the command line names.

    `rows` has a function of a number of batches for each row, or a pair of it and the operations
    of a batch; `whole` has the functions that give a list of figures.
    """
    global BUDGET_MS
    whole = whole or {}
    words = sys.argv[1:]
    uvloop = "--uvloop" in words
    if uvloop:
        words.remove("--uvloop")
    if "--budget" in words:
        at = words.index("--budget")
        BUDGET_MS = int(words[at + 1])
        del words[at : at + 2]
    if not words:
        print("\n".join([*rows, *whole]))
        return
    row = words[0]
    if row not in rows and row not in whole:
        sys.exit(f"no row {row!r}; there are: {', '.join([*rows, *whole])}")
    if uvloop:
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    if row in whole:
        figures = whole[row]()
    else:
        run, batch = rows[row] if isinstance(rows[row], tuple) else (rows[row], 1)
        # Collections come when they like, and would be a part of one sample and not of another.
        gc.disable()
        figures = timed(row, run, batch)
    for line in figures:
        print(json.dumps(line))
