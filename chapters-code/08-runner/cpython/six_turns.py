"""The empty program, turn by turn.

    python3 six_turns.py
"""

import asyncio


class Watched(asyncio.SelectorEventLoop):
    turn = 0

    def _run_once(self):
        self.turn += 1
        for handle in self._ready:
            name = getattr(handle._callback, "__qualname__", "a task's step")
            print(f"turn {self.turn}: {name}")
        super()._run_once()


async def main():
    pass


with asyncio.Runner(loop_factory=Watched) as runner:
    runner.run(main())
    print("main is over")
