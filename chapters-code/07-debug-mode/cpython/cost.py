"""What debug mode costs a handle in CPython, beside benches/debug_mode.rs.

1,000 callbacks to a turn, that do nothing. Prints a JSON line a row: median and minimum in
nanoseconds per handle. Standard library only, Python 3.11 or newer.

    python3 cost.py [REPEATS]
"""

import asyncio
import json
import logging
import platform
import statistics
import sys
import time

HANDLES = 1_000


def nothing():
    pass


def per_handle(loop, turns):
    """Nanoseconds a handle, over this many turns of 1,000 handles."""
    call_soon, stop, run = loop.call_soon, loop.stop, loop.run_forever
    elapsed = 0
    for _ in range(turns):
        # One run is one turn, as `run_once` is in the benchmark beside this.
        stop()
        start = time.perf_counter_ns()
        for _ in range(HANDLES):
            call_soon(nothing)
        run()
        elapsed += time.perf_counter_ns() - start
    return elapsed / (turns * HANDLES)


class Thrown(logging.Handler):
    """Writes each line and throws it away."""

    def emit(self, record):
        record.getMessage()


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    logger = logging.getLogger("asyncio")
    logger.addHandler(Thrown())
    logger.propagate = False
    rows = {"off": (False, 0.1), "on": (True, 0.1), "on, every handle slow": (True, 0)}
    loops = {}
    for row, (debug, slow) in rows.items():
        loops[row] = asyncio.new_event_loop()
        loops[row].set_debug(debug)
        loops[row].slow_callback_duration = slow
    times = {row: [] for row in rows}
    for _ in range(repeats):
        for row, loop in loops.items():
            times[row].append(per_handle(loop, 10))
    for row, loop in loops.items():
        loop.close()
        line = {
            "row": row,
            "median_ns": round(statistics.median(times[row]), 1),
            "min_ns": round(min(times[row]), 1),
            "repeats": repeats,
            "python": platform.python_version(),
        }
        print(json.dumps(line))


if __name__ == "__main__":
    main()
