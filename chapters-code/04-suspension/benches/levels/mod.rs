//! Ten coroutines, each awaiting the one below it. Their types are known, so the compiler may
//! inline the whole chain.

use std::hint::black_box;

pub(crate) async fn level_1(n: u64) -> u64 {
    black_box(n)
}

macro_rules! levels {
    ($($name:ident awaits $next:ident),*) => {$(
        pub(crate) async fn $name(n: u64) -> u64 {
            $next(black_box(n)).await + 1
        }
    )*};
}

levels!(
    level_2 awaits level_1, level_3 awaits level_2, level_4 awaits level_3,
    level_5 awaits level_4, level_6 awaits level_5, level_7 awaits level_6,
    level_8 awaits level_7, level_9 awaits level_8, level_10 awaits level_9
);

/// The same chain with nothing between the levels.
#[expect(clippy::unused_async, reason = "a ready coroutine is what is measured")]
async fn folded_1(n: u64) -> u64 {
    n
}

macro_rules! folded {
    ($($name:ident awaits $next:ident),*) => {$(
        pub(crate) async fn $name(n: u64) -> u64 {
            $next(n).await + 1
        }
    )*};
}

folded!(
    folded_2 awaits folded_1, folded_3 awaits folded_2, folded_4 awaits folded_3,
    folded_5 awaits folded_4, folded_6 awaits folded_5, folded_7 awaits folded_6,
    folded_8 awaits folded_7, folded_9 awaits folded_8, folded_10 awaits folded_9
);
