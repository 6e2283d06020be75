//! The loop beside its peers: the same work on each runtime, interleaved round by round, one
//! process a sample, each kept on one processor.
//!
//! `cargo bench -p the-loop --bench peers -- --help` lists what it can be told.

#[cfg(target_os = "linux")]
#[path = "peers/across.rs"]
mod across;
#[cfg(target_os = "linux")]
#[path = "peers/instructions.rs"]
mod instructions;
#[cfg(target_os = "linux")]
#[path = "peers/limit.rs"]
mod limit;
#[cfg(target_os = "linux")]
#[path = "peers/limit_system.rs"]
mod limit_system;
#[cfg(target_os = "linux")]
#[path = "peers/measure.rs"]
mod measure;
#[cfg(target_os = "linux")]
#[path = "peers/on_async_executor.rs"]
mod on_async_executor;
#[cfg(target_os = "linux")]
#[path = "peers/on_local_pool.rs"]
mod on_local_pool;
#[cfg(target_os = "linux")]
#[path = "peers/on_tokio.rs"]
mod on_tokio;
#[cfg(target_os = "linux")]
#[path = "peers/oneshot.rs"]
mod oneshot;
#[cfg(target_os = "linux")]
#[path = "peers/ours.rs"]
mod ours;
#[cfg(target_os = "linux")]
#[path = "peers/peer.rs"]
mod peer;
#[cfg(target_os = "linux")]
#[path = "peers/record.rs"]
mod record;
#[cfg(target_os = "linux")]
#[path = "peers/row.rs"]
mod row;
#[cfg(target_os = "linux")]
#[path = "peers/run.rs"]
mod run;
#[cfg(target_os = "linux")]
#[path = "peers/sample.rs"]
mod sample;
#[cfg(target_os = "linux")]
#[path = "peers/table.rs"]
mod table;
#[cfg(target_os = "linux")]
#[path = "peers/workloads.rs"]
mod workloads;

#[cfg(target_os = "linux")]
fn main() -> anyhow::Result<()> {
    run::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("this bench pins processors and opens epoll by hand: it runs on Linux only");
}
