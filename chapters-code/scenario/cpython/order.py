"""What stock CPython leaves to memory addresses, put in a fixed order.

asyncio keeps tasks in sets, and a set of tasks iterates by address: which task is cancelled first
differs from one process to the next. Here every such set keeps its order of insertion. Nothing
else of asyncio is changed but the unit of one constant (see `install`).
"""

import ast
import inspect
from asyncio import base_events, tasks

from clock import SECOND


class OrderedSet(dict):
    """A set that iterates in order of insertion; it has the methods asyncio calls on its sets."""

    def __init__(self, items=()):
        super().__init__(dict.fromkeys(items))

    def add(self, item):
        """Adds an item at the end, unless it is there."""
        self.setdefault(item)

    def discard(self, item):
        """Removes an item if it is there."""
        self.pop(item, None)

    def remove(self, item):
        """Removes an item; KeyError if it is not there."""
        del self[item]


class _SetDisplays(ast.NodeTransformer):
    """Turns `{f(x) for x in xs}` into `set(f(x) for x in xs)`, so that a name decides."""

    def visit_SetComp(self, node):
        self.generic_visit(node)
        items = ast.GeneratorExp(node.elt, node.generators)
        return ast.Call(ast.Name("set", ast.Load()), [items], [])


def install():
    """Puts the order into asyncio.tasks, once for the process.

    `wait` builds its sets by the name `set`, which a global of the module can shadow.
    `as_completed` builds one with a set comprehension, which no name can reach: it is compiled
    again from the interpreter's own source with that one expression replaced.
    """
    tasks.set = OrderedSet
    for name in ("_AsCompletedIterator", "as_completed"):
        if hasattr(tasks, name):  # the class is there from 3.13 on
            tree = _SetDisplays().visit(ast.parse(inspect.getsource(getattr(tasks, name))))
            code = compile(ast.fix_missing_locations(tree), tasks.__file__, "exec")
            exec(code, vars(tasks))
    tasks.all_tasks = lambda loop: loop.pending_tasks()
    # A day in the unit of the virtual clock, like every other time the loop sees.
    base_events.MAXIMUM_SELECT_TIMEOUT = 24 * 3600 * SECOND
