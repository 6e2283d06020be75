//! Numbers of things in messages: one of them has no plural.

/// A number with its noun, in the plural unless it is one.
///
/// ```
/// assert_eq!(lesson::many(1, "turn"), "1 turn");
/// assert_eq!(lesson::many(0, "turn"), "0 turns");
/// ```
pub fn many(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}
