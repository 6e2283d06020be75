//! Checks out one order: `the-forgotten-await ITEM…`, with `--sold-out ITEM` or `--declined`.
//! Every item costs 250 cents.

use std::pin::pin;
use std::process::ExitCode;

use suspension::{finish, suspend_once};
use the_forgotten_await::{Order, Refused, Shop, checkout};

#[derive(Default)]
struct Corner {
    sold_out: Option<String>,
    declined: bool,
}

impl Shop for Corner {
    async fn reserve(&self, item: &str) -> Result<(), Refused> {
        println!("  reserve {item}");
        suspend_once().await;
        if self.sold_out.as_deref() == Some(item) {
            return Err(Refused(format!("{item} is sold out")));
        }
        println!("  {item} is reserved");
        Ok(())
    }

    async fn charge(&self, cents: u32) -> Result<(), Refused> {
        println!("  charge {cents}");
        suspend_once().await;
        if self.declined {
            return Err(Refused("the bank declined".to_owned()));
        }
        println!("  {cents} are paid");
        Ok(())
    }

    async fn ship(&self, items: &[String]) -> Result<u32, Refused> {
        println!("  ship {}", items.join(" and "));
        suspend_once().await;
        println!("  parcel 501 is on its way");
        Ok(501)
    }

    async fn send_receipt(&self, parcel: u32) {
        println!("  mail the receipt of {parcel}");
        suspend_once().await;
        println!("  the receipt is mailed");
    }
}

fn main() -> ExitCode {
    let (mut shop, mut items) = (Corner::default(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--declined" => shop.declined = true,
            "--sold-out" => shop.sold_out = words.next(),
            _ => items.push(word),
        }
    }
    if items.is_empty() {
        eprintln!("usage: the-forgotten-await ITEM… [--sold-out ITEM] [--declined]");
        return ExitCode::from(2);
    }
    let cents = items.iter().map(|_| 250).sum();
    let order = Order { items, cents };
    let mut coroutine = pin!(checkout(&shop, &order));
    match finish(&mut coroutine, 100) {
        Err(pending) => println!("{pending}"),
        Ok(finished) => {
            match finished.value {
                Ok(parcel) => println!("done: parcel {parcel}, {} polls", finished.polls),
                Err(refused) => println!("{refused}, {} polls", finished.polls),
            }
            return ExitCode::SUCCESS;
        }
    }
    ExitCode::FAILURE
}
