#[test]
fn the_oldest_slip_is_served_first() {}
