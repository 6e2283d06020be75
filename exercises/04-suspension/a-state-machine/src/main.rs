//! Steps a bill by hand and prints where it stands: `a-state-machine TEA@SUSPENSIONS CAKE@SUSPENSIONS`.

use std::pin::{Pin, pin};
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use a_state_machine::Bill;

/// A price that is there after some suspensions.
struct After {
    suspensions: u32,
    price: u32,
}

impl After {
    fn parse(word: &str) -> Option<Self> {
        let (price, suspensions) = word.split_once('@')?;
        Some(Self {
            suspensions: suspensions.parse().ok()?,
            price: price.parse().ok()?,
        })
    }
}

impl Future for After {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let Some(left) = self.suspensions.checked_sub(1) else {
            return Poll::Ready(self.price);
        };
        self.suspensions = left;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let prices: Option<Vec<After>> = words.iter().map(|word| After::parse(word)).collect();
    let Some(Ok([tea, cake])) = prices.map(<[After; 2]>::try_from) else {
        eprintln!("usage: a-state-machine TEA@SUSPENSIONS CAKE@SUSPENSIONS, such as 3@1 4@0");
        return ExitCode::from(2);
    };
    let mut bill = pin!(Bill::new(
        Box::new(|line| println!("  {line}")),
        Box::pin(tea),
        Box::new(move |tea| {
            println!("  cake for a tea of {tea}");
            Box::pin(cake)
        }),
    ));
    println!("made: {}", bill.state());
    for step in 1..=20 {
        let polled = bill.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        println!("step {step}: {polled:?}, now {}", bill.state());
        if polled.is_ready() {
            return ExitCode::SUCCESS;
        }
    }
    println!("it does not end");
    ExitCode::FAILURE
}
