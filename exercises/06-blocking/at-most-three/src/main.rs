//! Cooks everything that was ordered at once, with three permits: `5` is a dish, `5+6` a course.

use std::process::ExitCode;
use std::rc::Rc;

use at_most_three::kitchen::Kitchen;
use at_most_three::permits::Permits;
use at_most_three::{course, dish};
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Outcome, Tasks, gather_return_exceptions};

type Order = (u32, Option<u32>);

fn order(text: &str) -> Option<Order> {
    match text.split_once('+') {
        Some((main, dessert)) => Some((main.parse().ok()?, Some(dessert.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}

fn run(orders: Vec<Order>) -> Outcome<()> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let place = Rc::new((Kitchen::default(), Permits::new(3)));
    let same = Rc::clone(&place);
    let evening = async move {
        let each = move |(main, dessert): Order| {
            let place = Rc::clone(&same);
            async move {
                let (kitchen, permits) = &*place;
                match dessert {
                    None => dish(kitchen, permits, main).await,
                    Some(dessert) => {
                        let (main, dessert) = course(kitchen, permits, main, dessert).await?;
                        Ok(format!("{main} and {dessert}"))
                    }
                }
            }
        };
        gather_return_exceptions(orders.into_iter().map(each))?.await
    };
    for answer in event_loop.run_until_complete(evening)? {
        match answer {
            Ok(served) => println!("{served}"),
            Err(exception) => println!("nothing: {exception}"),
        }
    }
    println!(
        "after {} ms; at most {} at once; permits free: {}",
        clock.time().as_millis(),
        place.0.most_at_once(),
        place.1.free()
    );
    event_loop.close()?;
    Ok(())
}

fn main() -> ExitCode {
    let orders: Option<Vec<Order>> = std::env::args().skip(1).map(|text| order(&text)).collect();
    let Some(orders) = orders else {
        eprintln!("give dishes by their numbers, and courses as two of them, such as: 1 2+3 4");
        return ExitCode::FAILURE;
    };
    match run(orders) {
        Ok(()) => ExitCode::SUCCESS,
        Err(exception) => {
            eprintln!("the evening ended: {exception}");
            ExitCode::FAILURE
        }
    }
}
