//! The workloads of all chapters' benches in one program: `samples CHAPTER --sample ROW` takes one
//! sample. `cargo course measure` calls it.
//!
//! The workloads are those of the benches, file for file. A bench brings criterion along, which
//! takes long to build and more than a minute of a processor to link with the optimisation that the
//! figures need; eight of them would take longer than the measurement.

macro_rules! chapters {
    ($($name:literal: $module:ident = $path:literal;)*) => {
        $(
            // Their `main` is that of a bench.
            #[allow(dead_code, reason = "a bench's own `main`")]
            #[path = $path]
            mod $module;
        )*

        fn main() {
            let chapter = std::env::args().nth(1).unwrap_or_default();
            match &*chapter {
                $($name => $module::rows().main(),)*
                _ => {
                    let known = [$($name),*].join(", ");
                    eprintln!("usage: samples CHAPTER --sample ROW, of the chapters {known}");
                    std::process::exit(2);
                }
            }
        }
    };
}

chapters! {
    "counter": of_counter = "../../01-counter/benches/counter.rs";
    "containers": of_containers = "../../02-containers/benches/containers.rs";
    "six-steps": of_six_steps = "../../03-six-steps/benches/six_steps.rs";
    "suspension": of_suspension = "../../04-suspension/benches/suspension.rs";
    "wakeup": of_wakeup = "../../05-wakeup/benches/wakeup.rs";
    "blocking": of_blocking = "../../06-blocking/benches/blocking.rs";
    "debug-mode": of_debug_mode = "../../07-debug-mode/benches/debug_mode.rs";
    "runner": of_runner = "../../08-runner/benches/runner.rs";
}
