//! Complete [`drain`].

/// Takes everything out of the queue; returns how much it was.
pub fn drain(queue: &mut Vec<u32>) -> usize {
    queue.drain(..).count()
}
