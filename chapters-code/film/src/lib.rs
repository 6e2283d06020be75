//! Films a loop: a watcher that writes down what stood in the containers at every moment of every
//! turn, and what each handle did there. The film is a *run file*: the visual components of the
//! book play it, and `cargo course trace` makes one of any program built on the loop.
//!
//! ```
//! use film::Film;
//! use six_steps::{EventLoop, VirtualSelector};
//!
//! let event_loop = EventLoop::with_selector(VirtualSelector::new());
//! let film = Film::roll(&event_loop);
//! let stop = event_loop.clone();
//! event_loop.call_soon(move || stop.stop())?;
//! event_loop.run_forever()?;
//! let run = film.cut(&event_loop);
//! assert_eq!(run.turns.len(), 1);
//! assert_eq!(run.turns[0].ran[0].h, 0);
//! # Ok::<(), six_steps::LoopError>(())
//! ```

mod camera;
mod cast;
mod run;
mod scene;
mod tape;

pub use camera::{FILM_VARIABLE, Film, film_from_environment};
pub use run::{
    Between, Clock, Deeds, HandleSeen, Lines, Millis, Ran, ReaderSeen, Run, Source, Span, Totals,
    Turn,
};
pub use tape::{MOST_HANDLES, TapeError, read_tape};
