//! Complete [`greet`].

/// A greeting for a name.
pub fn greet(_name: &str) -> String {
    todo!("greet")
}
