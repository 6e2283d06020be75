"""How a cancellation arrives, turn by turn."""

import asyncio

from turns_loop import note, run


# ANCHOR: program
async def brewing():
    note("brews")
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        note("raised: cancelled")
        await asyncio.sleep(0)  # clean up, with an await
        note("has swept")
        raise


async def main():
    task = asyncio.create_task(brewing())
    await asyncio.sleep(0)
    note(f"cancel says {str(task.cancel()).lower()}")
    note(f"done: {str(task.done()).lower()}")
    try:
        await task
        raised = False
    except asyncio.CancelledError:
        raised = True
    note(f"await raised: {str(raised).lower()}, cancelled: {str(task.cancelled()).lower()}")
    # ANCHOR_END: program


run(main())
