//! Three nested awaits that never suspend: one poll, no yields, at every level. A stop at the
//! bottom is one yield, whatever the depth, and the resume passes every level again.

use suspension::{Polls, finish, outer};

#[test]
fn three_nested_awaits_that_never_suspend_take_one_poll_and_no_yield() {
    let polls = Polls::default();
    let finished = finish(&mut Box::pin(outer(&polls, 0)), 10).unwrap();
    assert_eq!(finished.value, 3, "every level added its one");
    assert_eq!((finished.polls, finished.yields()), (1, 0));
    assert_eq!(polls.counts(), [1, 1, 1]);
}

#[test]
fn a_stop_at_the_bottom_is_one_yield_and_one_more_poll_of_every_level() {
    for stops in 1..=20 {
        let polls = Polls::default();
        let finished = finish(&mut Box::pin(outer(&polls, stops)), 100).unwrap();
        assert_eq!(
            finished.yields(),
            stops,
            "three levels do not make three yields"
        );
        assert_eq!(polls.counts(), [stops + 1; 3]);
    }
}

#[test]
fn making_the_outermost_coroutine_makes_none_of_the_others() {
    let polls = Polls::default();
    drop(outer(&polls, 5));
    assert_eq!(polls.counts(), [0, 0, 0]);
}
