//! The guard as a program of its own; all it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    guard::main(std::env::args_os().skip(1))
}
