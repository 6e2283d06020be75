//! A checkout: which steps run, in which order, and what ends it.

use std::pin::pin;

use lesson::{Journal, Rule};
use suspension::{Finished, finish, suspend_once};
use the_forgotten_await::{Order, Refused, Shop, checkout};

const AWAITED: Rule = Rule {
    says: "A coroutine that is made and not awaited runs none of its body.",
    reread: "chapter 4, \"A coroutine made and not awaited\"",
};
const LAZY: Rule = Rule {
    says: "A coroutine does not start when it is made: it starts when it is awaited, and the await is where its result arrives.",
    reread: "chapter 4, \"Check yourself\", the program with `first` and `second`",
};
const ORDER: Rule = Rule {
    says: "An await in a row of awaits ends before the next one begins.",
    reread: "chapter 4, \"Nested awaits\"",
};
const REFUSED: Rule = Rule {
    says: "A coroutine fails with a Result inside Ready: only who awaits it, and looks, learns of it.",
    reread: "chapter 4, \"Two protocols, side by side\"",
};

/// Every step says when it begins and when it has come to its end, one suspension later.
#[derive(Default)]
struct Watched {
    journal: Journal,
    refuses: &'static str,
}

impl Watched {
    async fn step(&self, name: String) -> Result<(), Refused> {
        self.journal.note(format!("{name}?"));
        suspend_once().await;
        if self.refuses == name {
            return Err(Refused(name));
        }
        self.journal.note(format!("{name}!"));
        Ok(())
    }

    fn steps(&self, what: &str) -> Vec<String> {
        let mut entries = self.journal.entries();
        entries.retain(|entry| entry.starts_with(what));
        entries
    }

    fn place(&self, what: &str) -> Option<usize> {
        self.journal
            .entries()
            .iter()
            .position(|entry| entry == what)
    }
}

impl Shop for Watched {
    async fn reserve(&self, item: &str) -> Result<(), Refused> {
        self.step(format!("reserve-{item}")).await
    }

    async fn charge(&self, cents: u32) -> Result<(), Refused> {
        self.step(format!("charge-{cents}")).await
    }

    async fn ship(&self, items: &[String]) -> Result<u32, Refused> {
        self.step(format!("ship-{}", items.join("+"))).await?;
        Ok(77)
    }

    async fn send_receipt(&self, parcel: u32) {
        let sent = self.step(format!("receipt-{parcel}")).await;
        assert!(sent.is_ok(), "no test refuses a receipt");
    }
}

fn order(items: &[&str]) -> Order {
    Order {
        items: items.iter().map(|&item| item.to_owned()).collect(),
        cents: 900,
    }
}

/// Checks out in a shop that refuses the named step.
fn run(items: &[&str], refuses: &'static str) -> (Watched, Finished<Result<u32, Refused>>) {
    let shop = Watched {
        refuses,
        ..Watched::default()
    };
    let finished = finish(&mut pin!(checkout(&shop, &order(items))), 50);
    let Ok(finished) = finished else {
        ORDER.broken("After 50 polls the checkout has not ended.");
    };
    (shop, finished)
}

#[test]
fn every_item_is_reserved() {
    let (shop, _) = run(&["tea", "cake"], "");
    AWAITED.same(
        "what was reserved",
        vec![
            "reserve-tea?",
            "reserve-tea!",
            "reserve-cake?",
            "reserve-cake!",
        ],
        shop.steps("reserve"),
    );
    lesson::passed();
}

#[test]
fn the_receipt_is_sent_before_the_checkout_ends() {
    let (shop, finished) = run(&["tea"], "");
    AWAITED.same(
        "what became of the receipt",
        vec!["receipt-77?", "receipt-77!"],
        shop.steps("receipt"),
    );
    ORDER.same("the number of the parcel", Ok(77), finished.value);
    lesson::passed();
}

#[test]
fn nothing_is_shipped_before_it_is_paid() {
    let (shop, _) = run(&["tea"], "");
    LAZY.holds(
        shop.place("charge-900!").is_some() && shop.place("charge-900!") < shop.place("ship-tea?"),
        format_args!(
            "The money should be there before the parcel is packed, but this happened:\n    {}",
            shop.journal.text()
        ),
    );
    lesson::passed();
}

#[test]
fn one_thing_after_another() {
    let (shop, finished) = run(&["tea", "cake"], "");
    ORDER.same(
        "the whole checkout",
        "reserve-tea? reserve-tea! reserve-cake? reserve-cake! charge-900? charge-900! \
         ship-tea+cake? ship-tea+cake! receipt-77? receipt-77!",
        shop.journal.text(),
    );
    ORDER.same(
        "the number of polls, with five suspensions in a row",
        6,
        finished.polls,
    );
    lesson::passed();
}

#[test]
fn a_sold_out_item_ends_it() {
    let (shop, finished) = run(&["tea", "cake", "milk"], "reserve-cake");
    REFUSED.same(
        "the answer when the cake is sold out",
        Err("refused: reserve-cake".to_owned()),
        finished.value.map_err(|refused| refused.to_string()),
    );
    REFUSED.same(
        "what happened up to there",
        "reserve-tea? reserve-tea! reserve-cake?",
        shop.journal.text(),
    );
    lesson::passed();
}

#[test]
fn a_declined_card_ships_nothing() {
    let (shop, finished) = run(&["tea"], "charge-900");
    REFUSED.same(
        "the answer when the bank declines",
        Err(Refused("charge-900".to_owned())),
        finished.value,
    );
    REFUSED.same(
        "what was shipped after the bank declined",
        Vec::<String>::new(),
        shop.steps("ship"),
    );
    lesson::passed();
}

#[test]
fn a_parcel_that_stays_brings_no_receipt() {
    let (shop, finished) = run(&["tea"], "ship-tea");
    REFUSED.same(
        "the answer when the carrier refuses",
        Err(Refused("ship-tea".to_owned())),
        finished.value,
    );
    ORDER.same(
        "what happened up to there",
        "reserve-tea? reserve-tea! charge-900? charge-900! ship-tea?",
        shop.journal.text(),
    );
    lesson::passed();
}
