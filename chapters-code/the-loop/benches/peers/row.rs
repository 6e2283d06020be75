//! The rows of the table: what each measures, who takes part, and how far the best of all known
//! peers is from the bare row.

use clap::ValueEnum;
use serde::Serialize;

/// A runtime, or the work by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Name {
    /// By hand.
    Limit,
    /// By hand, with handles that can be cancelled.
    LimitHandles,
    /// This house's loop.
    Ours,
    /// tokio, one thread.
    Tokio,
    /// async-executor with async-io.
    AsyncExecutor,
    /// The same with the static executor.
    AsyncExecutorStatic,
    /// `futures::executor::LocalPool`.
    LocalPool,
}

/// A workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Row {
    /// A callback schedules the next.
    CallSoonChain,
    /// 1,000 callbacks a turn.
    CallSoonBatch,
    /// One task yields, the runtime's own way.
    YieldOne,
    /// One task yields with a bare wake.
    WakeOne,
    /// 1,000 tasks yield, the runtime's own way.
    YieldMany,
    /// 1,000 tasks yield with a bare wake.
    WakeMany,
    /// 1,000 spawned, each awaited.
    SpawnJoin,
    /// 1,000 spawned, awaited as one.
    Gather,
    /// One spawned and awaited.
    SpawnAwait,
    /// Two tasks wake each other with the same one-shot for all.
    PingPong,
    /// Two tasks wake each other, ours with its own futures.
    PingPongOwn,
    /// 100,000 sleeps of up to 50 ms.
    Sleeps,
    /// 100,000 timers registered and cancelled.
    CancelTimers,
    /// A fresh loop, a run of nothing, its end.
    RunFresh,
    /// A run of nothing on a kept loop.
    RunKept,
    /// A run of a task that does nothing, on a kept loop.
    RunTaskKept,
    /// The same through a kept `Runner`, with its Ctrl-C.
    RunnerKept,
    /// A wake round trip from another thread, own API.
    WakeRoundTrip,
    /// The same through a channel.
    WakeRoundTripChannel,
    /// Posts from another thread, own API.
    Post,
    /// The same through a channel.
    PostChannel,
    /// A job on another thread that does nothing.
    ToThread,
    /// Memory of a task asleep.
    BytesAsleep,
    /// Memory of a task waiting on the same one-shot for all.
    BytesWaiting,
    /// Memory of a task waiting, ours on its own future.
    BytesWaitingOwn,
}

/// How fast the row is to be. The best of all peers known, monoio, compio and glommio among them,
/// is not in this project; what it took beside the bare row and beside tokio, in one measurement of
/// all of them, is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Ours is to take `factor` times the best, which took `limit` times the bare row and `tokio`
    /// times tokio.
    OfBest {
        factor: f64,
        limit: f64,
        tokio: f64,
    },
    /// At most so many times the bare row.
    OfLimit(f64),
    /// At most so much.
    Absolute(f64),
    None,
}

impl Row {
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("no row is skipped");
        value.get_name().to_owned()
    }

    pub(crate) fn all() -> &'static [Self] {
        Self::value_variants()
    }

    pub(crate) fn is_memory(self) -> bool {
        matches!(
            self,
            Self::BytesAsleep | Self::BytesWaiting | Self::BytesWaitingOwn
        )
    }

    /// What a sample of it is given in.
    pub(crate) fn unit(self) -> &'static str {
        if self.is_memory() { "bytes" } else { "ns" }
    }

    /// Operations a sample.
    pub(crate) fn count(self) -> u64 {
        match self {
            Self::CallSoonChain
            | Self::CallSoonBatch
            | Self::YieldOne
            | Self::WakeOne
            | Self::YieldMany
            | Self::WakeMany
            | Self::Post
            | Self::PostChannel => 1_000_000,
            Self::PingPong | Self::PingPongOwn => 500_000,
            Self::RunFresh => 2_000,
            Self::WakeRoundTrip | Self::WakeRoundTripChannel | Self::ToThread => 20_000,
            _ => 100_000,
        }
    }

    /// Who takes part.
    pub(crate) fn peers(self) -> Vec<Name> {
        let all = Name::value_variants().iter().copied();
        match self {
            Self::CallSoonChain | Self::CallSoonBatch => all.collect(),
            Self::RunnerKept => vec![Name::Limit, Name::Ours],
            Self::WakeRoundTrip | Self::Post | Self::ToThread => {
                vec![Name::Limit, Name::Ours, Name::Tokio]
            }
            Self::RunFresh => all
                .filter(|&name| name != Name::LimitHandles && name != Name::AsyncExecutorStatic)
                .collect(),
            _ => all.filter(|&name| name != Name::LimitHandles).collect(),
        }
    }

    /// Who of them does the same work as ours, so that a ratio says something.
    pub(crate) fn comparable(self) -> Vec<Name> {
        match self {
            // Only tokio opens a selector; async-io's is the process's own, and stays.
            Self::RunFresh => vec![Name::Tokio],
            // Ours makes a task of what it runs, as asyncio does; its counterpart is the next row.
            Self::RunKept => Vec::new(),
            _ => self
                .peers()
                .into_iter()
                .filter(|&name| name > Name::Ours)
                .collect(),
        }
    }

    /// Whether other threads have a part in it.
    pub(crate) fn crosses_threads(self) -> bool {
        self >= Self::WakeRoundTrip && self <= Self::ToThread
    }

    /// Whether a sample needs the full count: memory would measure the page size with less, and
    /// fewer sleeps in the same time would measure sleeping.
    pub(crate) fn indivisible(self) -> bool {
        self.is_memory() || self == Self::Sleeps
    }

    pub(crate) fn target(self) -> Target {
        let (factor, limit, tokio) = match self {
            Self::CallSoonChain => (0.5, 4.95, 0.349),
            Self::CallSoonBatch => (0.8, 12.57, 0.243),
            Self::YieldOne => (0.6, 12.18, 0.132),
            Self::WakeOne => (0.6, 11.54, 0.784),
            Self::YieldMany => (0.6, 7.13, 0.553),
            Self::WakeMany => (0.6, 6.66, 0.623),
            Self::SpawnJoin => (1.0, 1.95, 0.280),
            Self::Gather => (1.0, 6.62, 0.587),
            Self::SpawnAwait => (0.8, 6.60, 0.588),
            Self::PingPong | Self::PingPongOwn => (0.8, 2.89, 0.966),
            Self::Sleeps => (1.1, 2.63, 0.961),
            Self::CancelTimers => (0.5, 3.58, 0.832),
            Self::RunFresh => (1.0, 1.39, 0.833),
            Self::RunTaskKept => (1.5, 12.68, 0.207),
            Self::WakeRoundTrip | Self::WakeRoundTripChannel => (1.1, 0.93, 1.0),
            Self::ToThread => (1.1, 1.02, 0.944),
            Self::Post => return Target::OfLimit(1.1),
            Self::BytesAsleep => return Target::Absolute(250.0),
            Self::BytesWaiting | Self::BytesWaitingOwn => return Target::Absolute(200.0),
            Self::RunKept | Self::RunnerKept | Self::PostChannel => return Target::None,
        };
        Target::OfBest {
            factor,
            limit,
            tokio,
        }
    }
}
