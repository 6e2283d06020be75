//! Runs a program on your loop and prints its turns. `a` is a callback that is ready, `a+b` one that
//! queues `b`, `a!` one that fails, `t@30` a timer at 30 ms, `t@30x` one that is cancelled before the
//! loop runs, `door#15` a reader of a descriptor that is readable at 15 ms, which reads once.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use containers::VirtualSelector;
use the_turn::SmallLoop;

#[derive(Clone)]
struct Program {
    small_loop: Rc<SmallLoop>,
    ran: Rc<RefCell<Vec<String>>>,
}

impl Program {
    /// What the callback of this name does.
    fn run(&self, name: &str) -> Result<(), &'static str> {
        let (name, next) = name.split_once('+').unwrap_or((name, ""));
        self.ran.borrow_mut().push(name.to_owned());
        if !next.is_empty() {
            self.soon(next);
        }
        if name.ends_with('!') {
            Err("it fails")
        } else {
            Ok(())
        }
    }

    fn soon(&self, name: &str) {
        let (program, name) = (self.clone(), name.to_owned());
        self.small_loop.call_soon(move || program.run(&name));
    }

    fn arrange(&self, selector: &VirtualSelector, argument: &str) -> Option<()> {
        let ms = |text: &str| text.parse().ok().map(Duration::from_millis);
        let program = self.clone();
        if let Some((name, when)) = argument.split_once('@') {
            let (when, cancelled) = match when.strip_suffix('x') {
                Some(when) => (when, true),
                None => (when, false),
            };
            let name = name.to_owned();
            let timer = self
                .small_loop
                .call_at(ms(when)?, move || program.run(&name));
            let timer = timer.ok()?;
            if cancelled {
                timer.cancel();
            }
        } else if let Some((name, when)) = argument.split_once('#') {
            let source = selector.readable_at(ms(when)?);
            let (fd, name) = (source.fd(), name.to_owned());
            let reader = move || {
                let _ = program.small_loop.remove_reader(fd);
                program.run(&name)
            };
            self.small_loop.add_reader(source, reader).ok()?;
        } else {
            self.soon(argument);
        }
        Some(())
    }
}

fn main() -> ExitCode {
    let selector = VirtualSelector::new();
    let program = Program {
        small_loop: Rc::new(SmallLoop::new(selector.clone())),
        ran: Rc::default(),
    };
    for argument in std::env::args().skip(1) {
        if program.arrange(&selector, &argument).is_none() {
            eprintln!("{argument} cannot be arranged: write a, a+b, a!, t@30, t@30x or door#15");
            return ExitCode::FAILURE;
        }
    }
    for turn in 1..=20 {
        match program.small_loop.run_once() {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Deadlock => {
                println!(
                    "nothing will ever happen; failed {}",
                    program.small_loop.failed()
                );
                return ExitCode::SUCCESS;
            }
            Err(error) => {
                eprintln!("the selector failed: {error}");
                return ExitCode::FAILURE;
            }
        }
        let (now, ran) = (program.small_loop.time().as_millis(), program.ran.take());
        println!(
            "{}",
            format!("turn {turn}, t = {now:>3} ms: {}", ran.join(" ")).trim_end()
        );
    }
    println!("stopped after 20 turns");
    ExitCode::FAILURE
}
