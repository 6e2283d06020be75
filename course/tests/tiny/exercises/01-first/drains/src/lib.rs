//! Complete [`drain`].

/// Takes everything out of the queue; returns how much it was.
pub fn drain(_queue: &mut Vec<u32>) -> usize {
    todo!("take until nothing is left")
}
