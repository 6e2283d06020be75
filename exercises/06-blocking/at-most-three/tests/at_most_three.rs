//! A busy evening: how many dishes are on the fire, and whether every permit comes back.

use std::rc::Rc;
use std::time::Duration;

use at_most_three::kitchen::{Burnt, Kitchen};
use at_most_three::permits::Permits;
use at_most_three::{course, dish};
use lesson::{Limit, Rule, virtual_loop};
use wakeup::{Outcome, Task, Tasks, create_task, gather_return_exceptions, sleep, yield_now};

const CAP: Rule = Rule {
    says: "A coroutine that was made has not begun. The permit is held until the await of the work is over, and not a step less.",
    reread: "chapter 4, \"A coroutine made and not awaited\", and chapter 6, \"Between two awaits\"",
};
const BACK: Rule = Rule {
    says: "An error leaves a function at the `?`, past every line below it. What must happen on every way out stands before the `?`, or in a destructor.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};
const OVER: Rule = Rule {
    says: "What fails or is cancelled at a main dish is over there: the `?` leaves the course, and no dessert is cooked behind it.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};
const OWN: Rule = Rule {
    says: "A task that was cancelled while it waited for a permit has none, and gives none back.",
    reread: "chapter 5, \"How does a cancellation arrive?\"",
};

#[derive(Default)]
struct Evening {
    kitchen: Kitchen,
    took: std::cell::Cell<Duration>,
}

/// Runs a busy evening and returns what main returned; a kitchen in which all wait for ever is told.
fn run<T: Clone + 'static>(
    permits: &Rc<Permits>,
    main: impl AsyncFnOnce(Rc<Evening>, Rc<Permits>) -> Outcome<T> + 'static,
) -> (T, Rc<Evening>) {
    let (event_loop, clock) = virtual_loop();
    let _limit = Limit::on(&event_loop, 1000, BACK);
    let evening = Rc::new(Evening::default());
    let (here, permits) = (Rc::clone(&evening), Rc::clone(permits));
    let outcome = event_loop.run_until_complete(async move { main(here, permits).await });
    evening.took.set(clock.time());
    event_loop.close().unwrap();
    match outcome {
        Ok(value) => (value, evening),
        Err(exception) => BACK.broken(format_args!(
            "somebody waits for a permit that never comes; the evening ended with: {exception}"
        )),
    }
}

fn start(evening: &Rc<Evening>, permits: &Rc<Permits>, number: u32) -> Outcome<Task<String>> {
    let (evening, permits) = (Rc::clone(evening), Rc::clone(permits));
    let cooks = async move { dish(&evening.kitchen, &permits, number).await };
    Ok(create_task(cooks)?)
}

fn start_course(
    evening: &Rc<Evening>,
    permits: &Rc<Permits>,
    main: u32,
) -> Outcome<Task<(String, String)>> {
    let (evening, permits) = (Rc::clone(evening), Rc::clone(permits));
    let cooks = async move { course(&evening.kitchen, &permits, main, main + 100).await };
    Ok(create_task(cooks)?)
}

fn dishes(permits: &Rc<Permits>, numbers: Vec<u32>) -> (Vec<Outcome<String>>, Rc<Evening>) {
    run(permits, async move |evening, permits| {
        let tasks: Outcome<Vec<_>> = numbers
            .into_iter()
            .map(|number| start(&evening, &permits, number))
            .collect();
        gather_return_exceptions(tasks?)?.await
    })
}

fn courses(
    permits: &Rc<Permits>,
    numbers: Vec<u32>,
) -> (Vec<Outcome<(String, String)>>, Rc<Evening>) {
    run(permits, async move |evening, permits| {
        let tasks: Outcome<Vec<_>> = numbers
            .into_iter()
            .map(|number| start_course(&evening, &permits, number))
            .collect();
        gather_return_exceptions(tasks?)?.await
    })
}

#[test]
fn ten_dishes_are_three_at_once() {
    let permits = Rc::new(Permits::new(3));
    let (cooked, evening) = dishes(&permits, (1..=10).collect());
    CAP.same(
        "the most dishes on the fire at once",
        3,
        evening.kitchen.most_at_once(),
    );
    CAP.same(
        "the time for ten dishes",
        4 * Kitchen::COOKING,
        evening.took.get(),
    );
    let cooked: Vec<String> = cooked.into_iter().map(Result::unwrap_or_default).collect();
    let named: Vec<String> = (1..=10).map(|number| format!("dish {number}")).collect();
    CAP.same("the dishes", named, cooked);
    BACK.same("the permits that are free at the end", 3, permits.free());
    lesson::passed();
}

#[test]
fn courses_keep_their_flame_to_the_dessert() {
    let permits = Rc::new(Permits::new(2));
    let (served, evening) = courses(&permits, vec![1, 2, 3]);
    CAP.same(
        "the most dishes on the fire at once",
        2,
        evening.kitchen.most_at_once(),
    );
    CAP.same(
        "the time for three courses on two flames",
        4 * Kitchen::COOKING,
        evening.took.get(),
    );
    let first = served[0].clone().unwrap_or_default();
    CAP.same(
        "the first course",
        ("dish 1".to_owned(), "dish 101".to_owned()),
        first,
    );
    BACK.same("the permits that are free at the end", 2, permits.free());
    lesson::passed();
}

#[test]
fn a_burnt_dish_gives_its_permit_back() {
    let permits = Rc::new(Permits::new(1));
    let (cooked, _) = dishes(&permits, vec![13, 13, 5]);
    let burnt = matches!(&cooked[0], Err(e) if e.downcast_ref() == Some(&Burnt) && e.to_string() == "burnt");
    BACK.holds(
        burnt,
        format_args!("dish 13 should be Burnt, but ended with {:?}", cooked[0]),
    );
    BACK.holds(
        cooked[2].is_ok(),
        "the dish after the burnt ones should be cooked",
    );
    BACK.same("the permits that are free at the end", 1, permits.free());
    lesson::passed();
}

#[test]
fn a_course_that_burns_gives_its_permit_back() {
    // The main dish burns in these, the dessert in the one below.
    let permits = Rc::new(Permits::new(1));
    let (served, evening) = courses(&permits, vec![13, 13, 5]);
    BACK.same(
        "which courses were served",
        vec![false, false, true],
        served.iter().map(Result::is_ok).collect::<Vec<_>>(),
    );
    OVER.same(
        "the time for two burnt dishes and a course of two, with no dessert after a burnt dish",
        4 * Kitchen::COOKING,
        evening.took.get(),
    );
    let (served, _) = run(&permits, async |evening, permits| {
        let burnt = course(&evening.kitchen, &permits, 1, 13).await.is_err();
        Ok((burnt, permits.free()))
    });
    BACK.same(
        "a burnt dessert, and the permits that are free after it",
        (true, 1),
        served,
    );
    lesson::passed();
}

#[test]
fn a_dish_cancelled_on_the_fire_gives_its_permit_back() {
    let permits = Rc::new(Permits::new(1));
    let (cooked, evening) = run(&permits, async |evening, permits| {
        let (dish, course) = (
            start(&evening, &permits, 1)?,
            start_course(&evening, &permits, 2)?,
        );
        let last = start(&evening, &permits, 3)?;
        sleep(Kitchen::COOKING / 2).await?;
        dish.cancel();
        sleep(Kitchen::COOKING / 2).await?;
        course.cancel();
        last.await
    });
    BACK.same("the dish that waited for both", "dish 3".to_owned(), cooked);
    // The first is cancelled after half a cooking time, the course after another half.
    OVER.same(
        "when dish 3 is done: it begins at 100 ms, when the course before it is cancelled, and cooks for 100 ms",
        2 * Kitchen::COOKING,
        evening.took.get(),
    );
    BACK.same("the permits that are free at the end", 1, permits.free());
    lesson::passed();
}

#[test]
fn who_is_cancelled_while_waiting_gives_nothing_back() {
    let permits = Rc::new(Permits::new(1));
    let (free, _) = run(&permits, async |evening, permits| {
        let first = start(&evening, &permits, 1)?;
        let waits = start(&evening, &permits, 2)?;
        let waits_too = start_course(&evening, &permits, 3)?;
        sleep(Kitchen::COOKING / 2).await?;
        waits.cancel();
        waits_too.cancel();
        yield_now().await?;
        let while_cooking = permits.free();
        first.await?;
        Ok((while_cooking, permits.free()))
    });
    OWN.same(
        "the permits that are free, while the first cooks and after it",
        (0, 1),
        free,
    );
    lesson::passed();
}

#[test]
fn a_permit_handed_to_a_cancelled_task_goes_to_the_next() {
    let permits = Rc::new(Permits::new(1));
    let (cooked, _) = run(&permits, async |evening, permits| {
        start(&evening, &permits, 1)?;
        let waits = start(&evening, &permits, 2)?;
        let next = start(&evening, &permits, 3)?;
        yield_now().await?;
        // Ends in the turn in which the first dish does, behind it: the permit has been handed over.
        sleep(Kitchen::COOKING).await?;
        waits.cancel();
        next.await
    });
    OWN.same(
        "the dish of the task behind it",
        "dish 3".to_owned(),
        cooked,
    );
    OWN.same("the permits that are free at the end", 1, permits.free());
    lesson::passed();
}
