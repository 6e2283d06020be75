//! One piece of work, done in four ways. What differs is where its thread is meanwhile.

use std::time::Duration;

use wakeup::{Outcome, sleep, yield_now};

use crate::block::Block;
use crate::offload::to_thread;

/// How a worker works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Blocks, chunk after chunk, and never lets anybody else run.
    Rude,
    /// Blocks, and yields after each chunk.
    Yielding,
    /// Waits for each chunk without holding the thread.
    Cooperative,
    /// Blocks, on another thread.
    Offloaded,
}

// ANCHOR: work
/// Works off `chunks` chunks that take `chunk` each.
///
/// # Errors
/// What is thrown into the task meanwhile.
pub async fn work(manner: Manner, chunks: u32, chunk: Duration, block: Block) -> Outcome<()> {
    for _ in 0..chunks {
        match manner {
            Manner::Rude => block.hold(chunk),
            Manner::Yielding => {
                block.hold(chunk);
                yield_now().await?;
            }
            Manner::Cooperative => sleep(chunk).await?,
            Manner::Offloaded => to_thread(block.job(chunk)).await?,
        }
    }
    Ok(())
}
// ANCHOR_END: work
