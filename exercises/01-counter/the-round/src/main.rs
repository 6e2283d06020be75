//! Serves slips in rounds and prints each round. A slip is a name; `A+B` is a slip A that puts B on
//! the counter when it is served, `A*` one that puts itself on the counter again. Three rounds at most.

use std::cell::RefCell;
use std::rc::Rc;

use the_round::Counter;

type Served = Rc<RefCell<Vec<String>>>;

fn put(counter: &mut Counter, slip: &str, served: &Served) {
    let slip = slip.to_owned();
    let served = Rc::clone(served);
    counter.put(move |counter| {
        if let Some((first, rest)) = slip.split_once('+') {
            served.borrow_mut().push(first.to_owned());
            put(counter, rest, &served);
        } else if let Some(name) = slip.strip_suffix('*') {
            served.borrow_mut().push(name.to_owned());
            assert!(
                served.borrow().len() < 100,
                "slip {name} never lets the round end"
            );
            put(counter, &slip, &served);
        } else {
            served.borrow_mut().push(slip);
        }
    });
}

fn main() {
    let served = Served::default();
    let mut counter = Counter::new();
    for slip in std::env::args().skip(1) {
        put(&mut counter, &slip, &served);
    }
    for round in 1..=3 {
        if counter.waiting() == 0 {
            break;
        }
        let count = counter.round();
        println!("round {round}: {} ({count})", served.take().join(" "));
    }
    println!("left on the counter: {}", counter.waiting());
}
