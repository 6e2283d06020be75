//! The rules that the judge can name, and where each is explained.

use lesson::Rule;

pub(super) const TURN: Rule = Rule {
    says: "A turn has six steps: sweep, timeout, select, descriptors, due timers, callbacks.",
    reread: "chapter 3, \"What is a turn?\"",
};
pub(super) const SWEEP: Rule = Rule {
    says: "Step 1 is one of two things, never both. With more than 100 timers on the heap and more than half of them cancelled it rebuilds the heap with heapify and sets the count to zero. Else it pops cancelled timers off the head, and subtracts each.",
    reread: "chapter 2, \"What does a cancelled timer cost?\"",
};
pub(super) const COUNT: Rule = Rule {
    says: "The count grows when a timer is cancelled that still stands on the heap, once. Only step 1 lowers it: a cancelled timer that leaves in step 5 stays counted.",
    reread: "chapter 2, \"What does a cancelled timer cost?\"",
};
pub(super) const TIMEOUT: Rule = Rule {
    says: "Step 2 answers zero if anything is ready or the loop is to stop; else the time to the nearest deadline, not below zero and not above 24 hours; else no limit at all.",
    reread: "chapter 3, \"How long may the loop sleep?\"",
};
pub(super) const WATCH: Rule = Rule {
    says: "select returns early for a watched descriptor that is readable, and for no other. A reader that is removed is no longer watched.",
    reread: "chapter 3, \"How do descriptors become handles?\"",
};
pub(super) const NTODO: Rule = Rule {
    says: "Step 6 runs the handles that were ready when it began, and counts them once. What a callback adds waits for the next turn.",
    reread: "chapter 3, \"A wrong turn: run until the queue is empty\"",
};
pub(super) const ALL: Rule = Rule {
    says: "Step 6 takes every handle that was ready when it began, the timers of step 5 included. Neither stop nor an exception that is no exit ends the turn before.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
pub(super) const STEPS: Rule = Rule {
    says: "What is in the queue runs first, then the callbacks of descriptors (step 4), then timers (step 5). Timers are due if their deadline lies before now plus the resolution, and now is read after select.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
pub(super) const DUE: Rule = Rule {
    says: "Step 5 takes the timers whose deadline lies before now plus the resolution, and now is read after select. The others stay on the heap.",
    reread: "chapter 3, \"How do timers become handles?\"",
};
pub(super) const TIES: Rule = Rule {
    says: "Timers leave the heap by deadline. Equal ones leave as heapq gives them up: its push, its pop and its heapify, move by move.",
    reread: "chapter 2, \"How is `heapq` copied?\"",
};
pub(super) const CANCELLED: Rule = Rule {
    says: "A cancelled handle keeps its place in the turn and is skipped when it comes up. Nobody searches a queue for it.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
pub(super) const FAILED: Rule = Rule {
    says: "An exception in a callback is reported, and the turn goes on. One that is an exit leaves the loop at once, and what is behind it stays queued.",
    reread: "chapter 3, \"What if a callback fails?\"",
};
pub(super) const STOP: Rule = Rule {
    says: "stop sets a flag. The turn goes on to its end, run_forever looks at the flag after it, and the next run begins without it.",
    reread: "chapter 3, \"What does `stop` stop?\"",
};
pub(super) const BORROW: Rule = Rule {
    says: "A callback may call any method of the loop. No container stays borrowed while one runs, nor while you cancel or finish a future. A borrow in the head of an `if let`, a `while let` or a `match` lasts to the end of its block, and the panic names the second borrow, not that one.",
    reread: "chapter 3, \"What does a loop have to remember?\"",
};
pub(super) const ONE_BY_ONE: Rule = Rule {
    says: "Callbacks run in step 6 and nowhere else. call_soon, finish and cancel only queue them.",
    reread: "chapter 3, \"When do callbacks run?\"",
};
pub(super) const GOES_ON: Rule = Rule {
    says: "A turn ends when the handles that were ready as step 6 began have been taken, and a run ends with the turn in which stop was called.",
    reread: "chapter 3, \"What does `stop` stop?\"",
};
pub(super) const STEP: Rule = Rule {
    says: "A task's step is a callback. Its first step, and the one after a bare yield, it queues itself (step:NAME); a future that it awaits queues the next one when it is done (wakeup:NAME).",
    reread: "chapter 5, \"What is one step of a task?\"",
};
pub(super) const FUTURE: Rule = Rule {
    says: "A future that is done runs nothing. It queues its callbacks, in the order of adding, and a callback added later is queued at once.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};
pub(super) const CANCEL: Rule = Rule {
    says: "Cancelling a future ends it, once, and `cancel` says whether it could. Cancelling a task cancels what it waits for; the task's wakeup raises the cancellation a turn later. A task that waits for no future raises it in its next step.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};
pub(super) const OWN_CANCEL: Rule = Rule {
    says: "A cancellation that a task asks for in its own step goes to the future that the step then awaits. A step that returns instead ends the task as cancelled; one that fails keeps its exception.",
    reread: "chapter 5, \"How does a cancellation arrive?\", and the page of `Candidate::create_task`",
};
