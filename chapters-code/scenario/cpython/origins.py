"""Keeps debug mode from writing down where each handle and future was made.

Nothing of it stands in a trace, and the corpus's open programs of level 3 take twice the time with
it. The futures in C take `traceback.extract_stack` when asyncio is first imported, so this module
is imported before it.
"""

import sys
import traceback

assert "asyncio" not in sys.modules

_extract_stack = traceback.extract_stack
traceback.extract_stack = lambda *_: []

from asyncio import format_helpers  # noqa: E402

traceback.extract_stack = _extract_stack
format_helpers.extract_stack = lambda *_: []
