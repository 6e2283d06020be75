//! The last line of every test. A test that ends before it has not passed, whatever its exit code.

use std::io::{self, BufRead as _, Write as _};

/// Says that a test came to its end.
///
/// It stands last in every test of every exercise. Under `cargo test` it does nothing. A grader
/// sets `LESSON_TOKEN` to the word `stdin` and writes a word of its own to the test's standard input;
/// the word comes out again here and nowhere else, so a submission that leaves the process early
/// with exit code 0 has not passed.
pub fn passed() {
    if std::env::var_os("LESSON_TOKEN").is_none() {
        return;
    }
    let mut token = String::new();
    if io::stdin().lock().read_line(&mut token).is_ok() {
        // With nobody left to tell, the missing word says enough.
        let _ = writeln!(io::stderr(), "lesson passed: {}", token.trim_end());
    }
}
