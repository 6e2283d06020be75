//! The timers: a binary heap by deadline, and the count of the cancelled ones among them. Its
//! order, ties included, is exactly that of CPython's `heapq`.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::handle::{Callback, Handle};
use crate::timer::{Cancellations, Timer, TimerHandle};

/// A sweep needs more timers than this on the heap
/// (`base_events.py`, `_MIN_SCHEDULED_TIMER_HANDLES`).
pub const MIN_SCHEDULED_TIMER_HANDLES: usize = 100;

/// A sweep needs more than this share of them cancelled, as numerator and denominator
/// (`base_events.py`, `_MIN_CANCELLED_TIMER_HANDLES_FRACTION`, 0.5).
pub const MIN_CANCELLED_TIMER_HANDLES_FRACTION: (usize, usize) = (1, 2);

/// A deadline lies beyond the clock's range of 2⁶⁴ nanoseconds, 584 years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the deadline is not representable: a loop's clock ends after 584 years")]
pub struct DeadlineOverflow;

/// The timers that are due later (`BaseEventLoop._scheduled`, a list kept by `heapq`, and
/// `_timer_cancelled_count`).
///
/// ```
/// use containers::{Scheduled, once};
/// use std::time::Duration;
///
/// let mut scheduled = Scheduled::new();
/// for name in ["a", "b", "c", "d"] {
///     scheduled.push(Duration::from_millis(5), once(move || print!("{name} ")))?;
/// }
/// // Equal deadlines do not come out in the order they went in: prints "a c b d".
/// while let Some(handle) = scheduled.pop_due(Duration::from_millis(6)) {
///     handle.run().unwrap();
/// }
/// # Ok::<(), containers::DeadlineOverflow>(())
/// ```
#[derive(Default)]
pub struct Scheduled {
    // std's heap pushes and pops with the very moves of heapq, so equal deadlines come out in the
    // same order. Only `heapify` differs, and that one is ours.
    heap: BinaryHeap<Entry>,
    cancellations: Cancellations,
}

// ANCHOR: entry
/// Compared by deadline alone, as `TimerHandle.__lt__` does; the nearest is the greatest, since
/// std's heap keeps the greatest at the head.
struct Entry {
    when: u64,
    handle: Handle,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.when.cmp(&self.when)
    }
}
// ANCHOR_END: entry

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.when == other.when
    }
}

impl Eq for Entry {}

impl Scheduled {
    /// An empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a callback on the heap, due at `when`.
    ///
    /// # Errors
    /// [`DeadlineOverflow`] if `when` lies beyond the clock's range.
    pub fn push(
        &mut self,
        when: Duration,
        callback: impl Callback + 'static,
    ) -> Result<TimerHandle, DeadlineOverflow> {
        let when = u64::try_from(when.as_nanos()).map_err(|_| DeadlineOverflow)?;
        Ok(self.push_entry(when, Handle::from_callback(Timer { when, callback })))
    }

    /// Puts a handle on the heap that knows its own deadline.
    ///
    /// # Errors
    /// [`DeadlineOverflow`] if it has none, or one beyond the clock's range.
    pub fn push_handle(&mut self, handle: Handle) -> Result<TimerHandle, DeadlineOverflow> {
        let when = handle.when().ok_or(DeadlineOverflow)?;
        let when = u64::try_from(when.as_nanos()).map_err(|_| DeadlineOverflow)?;
        Ok(self.push_entry(when, handle))
    }

    fn push_entry(&mut self, when: u64, handle: Handle) -> TimerHandle {
        handle.scheduled().set(true);
        self.heap.push(Entry {
            when,
            handle: handle.clone(),
        });
        self.cancellations.timer_handle(handle)
    }

    // ANCHOR: sweep
    /// Step 1 of a turn. Where more than 100 timers stand on the heap and more than half of them
    /// are cancelled, it rebuilds the heap without them; otherwise it only takes cancelled ones
    /// off the head. Never both (`_run_once`, lines 1955 to 1976 at v3.13.0).
    #[inline]
    pub fn sweep(&mut self) {
        let (part, whole) = MIN_CANCELLED_TIMER_HANDLES_FRACTION;
        if self.len() > MIN_SCHEDULED_TIMER_HANDLES
            && self.cancelled_count() * whole > self.len() * part
        {
            self.rebuild();
        } else {
            while let Some(head) = self.heap.peek()
                && head.handle.cancelled()
            {
                self.cancellations
                    .0
                    .set(self.cancelled_count().saturating_sub(1));
                self.pop();
            }
        }
    }

    #[cold]
    fn rebuild(&mut self) {
        let mut entries = std::mem::take(&mut self.heap).into_vec();
        entries.retain(|entry| {
            let keep = !entry.handle.cancelled();
            entry.handle.scheduled().set(keep);
            keep
        });
        heapify(&mut entries);
        self.heap = BinaryHeap::from(entries);
        self.cancellations.0.set(0);
    }
    // ANCHOR_END: sweep

    // ANCHOR: pop_due
    /// Takes the nearest timer if it is due before `end`, cancelled or not. A cancelled one that
    /// leaves here stays in [`cancelled_count`](Self::cancelled_count): CPython subtracts it
    /// nowhere, so neither do we.
    #[inline]
    pub fn pop_due(&mut self, end: Duration) -> Option<Handle> {
        let end = u64::try_from(end.as_nanos()).unwrap_or(u64::MAX);
        if self.heap.peek()?.when < end {
            self.pop()
        } else {
            None
        }
    }
    // ANCHOR_END: pop_due

    fn pop(&mut self) -> Option<Handle> {
        let entry = self.heap.pop()?;
        entry.handle.scheduled().set(false);
        Some(entry.handle)
    }

    /// The nearest deadline.
    #[inline]
    pub fn nearest(&self) -> Option<Duration> {
        self.heap
            .peek()
            .map(|entry| Duration::from_nanos(entry.when))
    }

    /// How many timers stand on the heap, cancelled ones included.
    #[inline]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether no timer stands on the heap.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// How many timers were cancelled while they stood on the heap, less those a sweep removed
    /// (`BaseEventLoop._timer_cancelled_count`).
    pub fn cancelled_count(&self) -> usize {
        self.cancellations.0.get()
    }

    /// The count as it is shared with the timers' handles.
    pub fn cancellations(&self) -> Cancellations {
        self.cancellations.clone()
    }

    /// The timers in the order in which the heap's list holds them, for those who only look.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Handle> {
        self.heap.iter().map(|entry| &entry.handle)
    }

    /// Takes all timers out at once, to be dropped.
    pub fn drain(&mut self) -> impl Iterator<Item = Handle> + use<> {
        self.cancellations.0.set(0);
        std::mem::take(&mut self.heap)
            .into_vec()
            .into_iter()
            .map(|entry| {
                entry.handle.scheduled().set(false);
                entry.handle
            })
    }
}

// ANCHOR: heapify
/// `heapq.heapify`: from the last parent to the root, each entry sinks to a leaf along the
/// nearer children and rises again to its place (`Lib/heapq.py`, `_siftup`, line 260 at v3.13.0).
/// `BinaryHeap::from` stops sinking earlier, which orders ties differently; given what we return,
/// it finds nothing to move.
fn heapify(entries: &mut [Entry]) {
    for start in (0..entries.len() / 2).rev() {
        let mut hole = start;
        while 2 * hole + 1 < entries.len() {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            let right_is_nearer =
                right < entries.len() && entries[left].when >= entries[right].when;
            let child = if right_is_nearer { right } else { left };
            entries.swap(hole, child);
            hole = child;
        }
        while hole > start {
            let parent = (hole - 1) / 2;
            if entries[hole].when >= entries[parent].when {
                break;
            }
            entries.swap(hole, parent);
            hole = parent;
        }
    }
}
// ANCHOR_END: heapify

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_from_a_heapified_vector_moves_nothing() {
        for n in 0..64_u64 {
            let mut entries: Vec<Entry> = (0..n)
                .map(|i| Entry {
                    when: i * 7 % 5,
                    handle: Handle::new(|| ()),
                })
                .collect();
            heapify(&mut entries);
            let handles: Vec<Handle> = entries.iter().map(|e| e.handle.clone()).collect();
            let after = BinaryHeap::from(entries).into_vec();
            assert!(
                after.iter().zip(&handles).all(|(e, h)| e.handle.is(h)),
                "n = {n}"
            );
        }
    }
}
