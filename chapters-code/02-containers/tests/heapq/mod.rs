//! The oracle: the timers of CPython's loop as a plain list and `heapq`'s moves, written for
//! nothing but to be compared with `Scheduled`. It is slow, obvious, and shares no code with it.

/// What CPython's loop knows of its timers; a timer is its index.
#[derive(Default)]
pub(crate) struct Oracle {
    when: Vec<u64>,
    cancelled: Vec<bool>,
    scheduled: Vec<bool>,
    /// `_scheduled`, the list that heapq keeps.
    heap: Vec<usize>,
    /// `_timer_cancelled_count`.
    pub(crate) cancelled_count: usize,
}

impl Oracle {
    /// How many timers stand on the heap.
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// The nearest deadline.
    pub(crate) fn nearest(&self) -> Option<u64> {
        self.heap.first().map(|&timer| self.when[timer])
    }

    /// `loop.call_at`.
    pub(crate) fn push(&mut self, when: u64) {
        let timer = self.when.len();
        self.when.push(when);
        self.cancelled.push(false);
        self.scheduled.push(true);
        self.heap.push(timer);
        self.sift_down(0, self.heap.len() - 1);
    }

    /// `TimerHandle.cancel` and the loop's `_timer_handle_cancelled`.
    pub(crate) fn cancel(&mut self, timer: usize) {
        if !self.cancelled[timer] {
            self.cancelled_count += usize::from(self.scheduled[timer]);
            self.cancelled[timer] = true;
        }
    }

    /// The end of `_run_once`'s fifth step, for one timer.
    pub(crate) fn pop_due(&mut self, end: u64) -> Option<usize> {
        if self.nearest()? >= end {
            return None;
        }
        self.pop()
    }

    /// The first step of `_run_once`.
    pub(crate) fn sweep(&mut self) {
        let share_is_cancelled = self.cancelled_count * 2 > self.heap.len();
        if self.heap.len() > 100 && share_is_cancelled {
            let (gone, kept) = self.heap.iter().partition(|&&timer| self.cancelled[timer]);
            self.heap = kept;
            let gone: Vec<usize> = gone;
            for timer in gone {
                self.scheduled[timer] = false;
            }
            for start in (0..self.heap.len() / 2).rev() {
                self.sift_up(start);
            }
            self.cancelled_count = 0;
        } else {
            while self.heap.first().is_some_and(|&head| self.cancelled[head]) {
                self.cancelled_count -= 1;
                self.pop();
            }
        }
    }

    /// `heapq.heappop`.
    fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let popped = match self.heap.first_mut() {
            Some(root) => {
                let popped = std::mem::replace(root, last);
                self.sift_up(0);
                popped
            }
            None => last,
        };
        self.scheduled[popped] = false;
        Some(popped)
    }

    /// `heapq._siftdown`: moves the one at `at` towards `start` past every later parent.
    fn sift_down(&mut self, start: usize, mut at: usize) {
        let moved = self.heap[at];
        while at > start {
            let parent = (at - 1) / 2;
            if self.when[moved] >= self.when[self.heap[parent]] {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = moved;
    }

    /// `heapq._siftup`: lets the nearer child rise all the way to a leaf, then puts the moved one
    /// there and lets it rise.
    fn sift_up(&mut self, start: usize) {
        let (end, moved) = (self.heap.len(), self.heap[start]);
        let (mut at, mut child) = (start, 2 * start + 1);
        while child < end {
            let right = child + 1;
            if right < end && self.when[self.heap[child]] >= self.when[self.heap[right]] {
                child = right;
            }
            self.heap[at] = self.heap[child];
            (at, child) = (child, 2 * child + 1);
        }
        self.heap[at] = moved;
        self.sift_down(start, at);
    }
}
