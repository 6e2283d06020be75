"""A program while it runs: its script, its bodies, its names.

The ops are in `ops_*.py`, each one the line of Python that SPEC.md gives for it. One coroutine,
`Running.run`, executes every body. A callback's body is that coroutine driven to its end by a
single send: `language.check` has made sure that it holds no op that suspends.
"""

import asyncio

import ops_flow
import ops_loop
import ops_sync
import ops_task
from clock import MS
from language import OPS
from loop import RecordedLoop
from recording import Recording, TurnLimit, exception_text, json_value


def record(program, max_turns):
    """Runs a checked program on a new loop and gives its trace; TurnLimit if it does not end."""
    recording = Recording(max_turns)
    debug = program.get("debug", False)
    loop = RecordedLoop(
        recording,
        debug=debug,
        slow=program.get("slow", 100) * MS,
        resolution=program["resolution"] * MS if "resolution" in program else 1,
        eager=program.get("eager_factory", False),
    )
    running = Running(recording, loop)
    try:
        if program["mode"] == "loop":
            running.script(program["script"])
        else:
            running.runs(program["script"], debug)
    finally:
        recording.over = True
        loop.close()
    return recording.finish()


class Callback:
    """A plain callback of the program: it records its event, then runs its body."""

    def __init__(self, running, kind, name, body, before=None):
        self.label = f"{kind}:{name}"
        self._event = (kind, name)
        self._running = running
        self._body = body
        self._before = before

    def __call__(self, *_future):
        if self._before is not None:
            self._before()
        self._running.event(*self._event)
        self._running.drive(self._body)


class Running:
    """A program while it runs. The ops are handed it as `program`."""

    def __init__(self, recording, loop):
        self.recording = recording
        self.loop = loop
        self.event = recording.event
        self.names = {}
        self.done_callbacks = {}

    # The script.

    def script(self, elements):
        """Mode "loop"."""
        outcome = self.recording.outcome
        for element in elements:
            if element == ["run_forever"]:
                try:
                    self.loop.run_forever()
                except TurnLimit:
                    raise
                except BaseException as exc:
                    outcome.append(["run_forever", "error", exception_text(exc)])
                else:
                    outcome.append(["run_forever", "stopped"])
            else:
                try:
                    self.drive([element])
                except BaseException as exc:
                    outcome.append(["script", "error", exception_text(exc)])
                    break

    def runs(self, elements, debug):
        """Mode "run"."""
        with asyncio.Runner(debug=debug, loop_factory=lambda: self.loop) as runner:
            for _, name, body in elements:
                main = self.coroutine(body, name)
                self._outcome(name, lambda: ["result", json_value(runner.run(main))])
            self._outcome("close", lambda: runner.close() or ["ok"])

    def _outcome(self, name, run):
        try:
            how = run()
        except TurnLimit:
            raise
        except BaseException as exc:
            how = ["error", exception_text(exc)]
        self.recording.outcome.append([name, *how])

    # Bodies.

    async def run(self, body):
        """Runs a body; None, or a tuple of one value if a `return` has left it."""
        for op in body:
            plain = PLAIN.get(op[0])
            if plain is not None:
                returned = plain(self, *op[1:])
            else:
                returned = await AWAITED[op[0]](self, *op[1:])
            if returned is not None:
                return returned
        return None

    def drive(self, body):
        """Runs a body that does not suspend."""
        if body:
            try:
                self.run(body).send(None)
            except StopIteration:
                pass

    def callback(self, kind, name, body, before=None):
        """A callback whose handle will be called `kind:name`."""
        return Callback(self, kind, name, body, before)

    def coroutine(self, body, name=None):
        """The coroutine of a body; `name` is that of the task it becomes, if it does."""
        coroutine = self._value(body)
        if name is not None:
            self.recording.coroutine_names[coroutine] = name
        return coroutine

    async def _value(self, body):
        returned = await self.run(body)
        return None if returned is None else returned[0]

    # Names.

    def find(self, name):
        """The object a name is bound to; None, and an event, if there is none."""
        if name == "self":
            found = asyncio.current_task(self.loop) if self.loop.is_running() else None
        else:
            found = self.names.get(name)
        if found is None:
            self.event("unbound", name)
        return found

    def find_all(self, items):
        """The objects of a list of names and bodies, a body as it is; None if one is unbound."""
        found = [item if isinstance(item, list) else self.find(item) for item in items]
        return None if any(item is None for item in found) else found

    def awaitables(self, found, name):
        """What `find_all` found, with a coroutine for each body, named after its index."""
        return [
            self.coroutine(item, f"{name}.{index}") if isinstance(item, list) else item
            for index, item in enumerate(found)
        ]

    def bind_future(self, name, future):
        """Binds a name to a future or task, which is known by it from now on if by no other."""
        self.recording.register(future, name)
        self.names[name] = future


# The ops by name, those that are coroutines apart; a Python keyword as a name has a `_` after it.
PLAIN = {}
AWAITED = {}
for _module in (ops_flow, ops_loop, ops_sync, ops_task):
    for _name, _op in vars(_module).items():
        if _name.removesuffix("_") in OPS and getattr(_op, "__module__", None) == _module.__name__:
            _table = AWAITED if asyncio.iscoroutinefunction(_op) else PLAIN
            _table[_name.removesuffix("_")] = _op
assert OPS.keys() == PLAIN.keys() | AWAITED.keys()
