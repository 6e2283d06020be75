"""What debug mode costs a handle in CPython: 1,000 callbacks to a turn. The rows of rows.toml.

    python3 measure.py ROW
"""

import asyncio
import logging
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "rows" / "cpython"))

from sample import cpu, main

HANDLES = 1_000


def nothing():
    pass


class Thrown(logging.Handler):
    """Writes each line and throws it away."""

    def emit(self, record):
        record.getMessage()


def turns(debug, slow):
    def run(batches):
        loop = asyncio.new_event_loop()
        loop.set_debug(debug)
        loop.slow_callback_duration = slow

        def work():
            for _ in range(batches):
                # One run is one turn.
                loop.stop()
                for _ in range(HANDLES):
                    loop.call_soon(nothing)
                loop.run_forever()

        taken = cpu(work)
        loop.close()
        return taken

    return run, HANDLES


logger = logging.getLogger("asyncio")
logger.addHandler(Thrown())
logger.propagate = False
main({"off": turns(False, 0.1), "on": turns(True, 0.1), "on-slow": turns(True, 0)})
