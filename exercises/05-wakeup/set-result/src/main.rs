//! Plays a script on one future: `set-result WORD…`, where a word is `add:NAME`, `set:NUMBER` or
//! `turn`. Prints what runs, and when.

use std::process::ExitCode;

use set_result::Future;
use six_steps::{EventLoop, Exception, VirtualSelector};

fn play(event_loop: &EventLoop, future: &Future<i64>, word: &str) -> Result<(), Exception> {
    match word.split_once(':') {
        Some(("add", name)) => {
            let name = name.to_owned();
            future.add_done_callback(move |result| println!("  {name} gets {result}"))
        }
        Some(("set", number)) => future.set_result(number.parse()?),
        None if word == "turn" => {
            event_loop.stop();
            Ok(event_loop.run_forever()?)
        }
        _ => Err("neither add:NAME nor set:NUMBER nor turn".into()),
    }
}

fn main() -> ExitCode {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let future = Future::new(&event_loop);
    for word in std::env::args().skip(1) {
        println!("{word}");
        if let Err(error) = play(&event_loop, &future, &word) {
            println!("  refused: {error}");
        }
        println!(
            "  waiting {}, ready {}, result {:?}",
            future.waiting(),
            event_loop.ready_len(),
            future.result()
        );
    }
    ExitCode::SUCCESS
}
