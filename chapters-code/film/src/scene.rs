//! The scene: what stands in the containers, as it was seen last. Each look at the loop says what
//! has changed since.
//!
//! The ready queue is known by place: it only grows at its end, and only step 6 takes from its
//! head. The heap is known by the handles' places in memory, which last as long as they stand on it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use containers::Fd;
use six_steps::{EventLoop, Handle};

use crate::cast::Cast;
use crate::run::Deeds;

/// With more handles standing than this, those that are not on the heap are not searched for
/// cancelled ones after each handle; one of them is then known as cancelled once it is skipped.
const SEARCHED: usize = 1_000;

#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) ready: VecDeque<usize>,
    heap: HashMap<*const (), usize>,
    cancelled: HashSet<usize>,
    cancelled_count: usize,
    // By descriptor and side: where the handle stands, and its number among the readers.
    registered: BTreeMap<(Fd, bool), (*const (), usize)>,
}

impl Scene {
    /// What has changed since the last look.
    pub(crate) fn look(
        &mut self,
        event_loop: &EventLoop,
        cast: &mut Cast,
        owner: Option<usize>,
    ) -> Deeds {
        let (added, removed) = self.registered(event_loop, cast);
        let ready = self.queued(event_loop, cast, owner);
        let heap = self.scheduled(event_loop, cast, owner);
        Deeds {
            ready,
            heap,
            cancelled: self.cancelled(event_loop),
            added,
            removed,
            log: Vec::new(),
        }
    }

    /// What stands at the end of the ready queue and was not there before.
    pub(crate) fn queued(
        &mut self,
        event_loop: &EventLoop,
        cast: &mut Cast,
        owner: Option<usize>,
    ) -> Vec<usize> {
        let known = self.ready.len();
        event_loop.look_at_ready(|ready| {
            for handle in ready.iter().skip(known) {
                let id = match self.heap.remove(&handle.as_ptr()) {
                    Some(timer) => timer,
                    None => cast.enter(handle, owner),
                };
                if let Some(reader) = self.reader(handle) {
                    cast.handles[id].reader = Some(reader);
                }
                self.ready.push_back(id);
            }
        });
        self.ready.iter().skip(known).copied().collect()
    }

    fn reader(&self, handle: &Handle) -> Option<usize> {
        let mut all = self.registered.values();
        let found = all.find(|(place, _)| *place == handle.as_ptr());
        found.map(|(_, reader)| *reader)
    }

    fn scheduled(
        &mut self,
        event_loop: &EventLoop,
        cast: &mut Cast,
        owner: Option<usize>,
    ) -> Vec<usize> {
        if event_loop.scheduled_len() <= self.heap.len() {
            return Vec::new();
        }
        let mut new = Vec::new();
        event_loop.look_at_scheduled(|scheduled| {
            for handle in scheduled.iter() {
                self.heap.entry(handle.as_ptr()).or_insert_with(|| {
                    let id = cast.enter(handle, owner);
                    new.push(id);
                    id
                });
            }
        });
        new
    }

    /// What step 1 took off the heap.
    pub(crate) fn swept(&mut self, event_loop: &EventLoop) -> Vec<usize> {
        self.cancelled_count = event_loop.timer_cancelled_count();
        if event_loop.scheduled_len() == self.heap.len() {
            return Vec::new();
        }
        let left: HashSet<*const ()> = event_loop
            .look_at_scheduled(|scheduled| scheduled.iter().map(Handle::as_ptr).collect());
        let mut swept: Vec<usize> = self
            .heap
            .extract_if(|place, _| !left.contains(place))
            .map(|(_, id)| id)
            .collect();
        swept.sort_unstable();
        swept
    }

    /// What was cancelled and still stands in its container.
    fn cancelled(&mut self, event_loop: &EventLoop) -> Vec<usize> {
        let count = event_loop.timer_cancelled_count();
        let searched = self.ready.len() + self.heap.len() <= SEARCHED;
        let mut new = Vec::new();
        if searched || count != self.cancelled_count {
            event_loop.look_at_scheduled(|scheduled| {
                let cancelled = scheduled.iter().filter(|handle| handle.cancelled());
                new.extend(cancelled.filter_map(|handle| self.heap.get(&handle.as_ptr())));
            });
        }
        if searched {
            event_loop.look_at_ready(|ready| {
                let both = ready.iter().zip(&self.ready);
                new.extend(
                    both.filter(|(handle, _)| handle.cancelled())
                        .map(|(_, id)| id),
                );
            });
        }
        self.cancelled_count = count;
        new.retain(|id| self.cancelled.insert(*id));
        new
    }

    /// Which readers and writers came and went.
    fn registered(&mut self, event_loop: &EventLoop, cast: &mut Cast) -> (Vec<usize>, Vec<usize>) {
        let mut now = BTreeMap::new();
        let mut handles = BTreeMap::new();
        event_loop.look_at_descriptors(|fd, interest, handle| {
            let side = (fd, interest.writable);
            match self.registered.get(&side) {
                Some(&(place, id)) if place == handle.as_ptr() => {
                    now.insert(side, (place, id));
                }
                _ => {
                    handles.insert(side, handle.clone());
                }
            }
        });
        let still: HashSet<usize> = now.values().map(|(_, id)| *id).collect();
        let before = self.registered.values().map(|(_, id)| *id);
        let removed: Vec<usize> = before.filter(|id| !still.contains(id)).collect();
        let mut added = Vec::new();
        for (side, handle) in handles {
            let id = cast.enter_reader(&handle);
            added.push(id);
            now.insert(side, (handle.as_ptr(), id));
        }
        self.registered = now;
        (added, removed)
    }
}
