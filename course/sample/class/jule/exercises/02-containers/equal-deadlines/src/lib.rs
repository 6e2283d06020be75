//! # Equal deadlines
//!
//! Predict the order in which timers come off CPython's heap. Each program pushes its timers one by
//! one on `containers::Scheduled` and then takes them off until the heap is empty.
//!
//! | program | what it does |
//! |---|---|
//! | five | pushes `a b c d e`, all with one deadline |
//! | six | pushes `a b c d e f`, all with one deadline |
//! | and a later one | pushes `a b c d e` with one deadline and then `z`, which is due later |
//! | and an earlier one | pushes `a b c` with one deadline and then `x`, which is due before them |
//! | two deadlines | pushes `a` at 1 s, `b` at 2 s, `c` at 1 s, `d` at 2 s, `e` at 1 s |
//! | a late guest | pushes `a b c d` with one deadline, takes one timer off, pushes `e` with the same deadline, and takes off the rest |
//!
//! Write the list down and move the letters, as the page does it. Whoever has done this once will not
//! rely on the order of equal timers again. The rules are those of chapter 2, "In which order do
//! equal timers ring?":
//!
//! * A push adds a leaf at the end. The leaf changes places with its parent as long as it is strictly
//!   nearer. The parent of place *i* is place *(i - 1) / 2*, rounded down, and the root is place 0.
//! * A pop takes the root, and puts the last leaf in the hole. The hole then sinks to the bottom: the
//!   child that moves up is the right one, unless the left one is strictly nearer. An only child
//!   moves up too. At the bottom the leaf rises again as long as it is strictly nearer than its parent.

/// The order of *five*, with spaces between: `"a b c d e"`.
pub const FIVE: &str = "a c e b d";

/// The order of *six*.
pub const SIX: &str = "a c f e b d";

/// The order of *and a later one*.
pub const AND_A_LATER_ONE: &str = "a c b d e z";

/// The order of *and an earlier one*.
pub const AND_AN_EARLIER_ONE: &str = "x c a b";

/// The order of *two deadlines*.
pub const TWO_DEADLINES: &str = "a c e d b";

/// The order of *a late guest*.
pub const A_LATE_GUEST: &str = "a c d b e";
