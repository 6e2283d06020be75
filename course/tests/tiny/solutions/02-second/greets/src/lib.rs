//! Complete [`greet`].

/// A greeting for a name.
pub fn greet(name: &str) -> String {
    format!("Good day, {name}")
}
