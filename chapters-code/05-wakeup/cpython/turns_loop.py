"""A loop that counts its turns. The programs beside it run on it; Python 3.11 or newer."""

import asyncio


class CountedLoop(asyncio.SelectorEventLoop):
    turn = 0

    def _run_once(self):
        self.turn += 1
        super()._run_once()


def note(text):
    print(f"turn {asyncio.get_running_loop().turn}: {text}")


def run(main):
    """Runs a coroutine, without the phases of asyncio.run. Returns the number of turns."""
    loop = CountedLoop()
    loop.run_until_complete(main)
    loop.close()
    return loop.turn
