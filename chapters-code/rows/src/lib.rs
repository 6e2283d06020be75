//! What the chapters' benches share. A bench says what its rows do, once; this crate measures them
//! in two ways: with criterion, as `cargo bench` asks for, or as one sample in a process of its own,
//! as `cargo course measure` asks for with `--sample ROW`. Without its feature `criterion` it can
//! only take samples.
//!
//! It knows no floor. What rows there are stands in `rows.toml` beside each bench, and a bench that
//! has others refuses to run.
//!
//! ```no_run
//! use rows::{Rows, each};
//!
//! let toml = "[[row]]\nid = \"add\"\nsides = [\"ours\", \"cpython\"]";
//! Rows::new("sums", toml).timed("add", || each(|| 1 + 1)).main();
//! ```

mod clock;
mod figure;
mod listed;
mod sample;
#[cfg(feature = "criterion")]
mod with_criterion;

use std::time::Duration;

pub use clock::{cpu, resident, wall};
pub use figure::{Figure, Scale};

use listed::Listed;

/// A workload: the time that so many batches take.
type Timed = Box<dyn FnMut(u64) -> Duration>;
/// A whole run, and what was seen in it.
type Whole = Box<dyn FnMut(Scale) -> Vec<Figure>>;

/// How a row is measured.
enum Work {
    /// Again and again: a batch is so many operations.
    Timed {
        batch: u64,
        start: Box<dyn Fn() -> Timed>,
    },
    /// As a whole, once.
    Whole(Whole),
}

/// A row, or one side of it, with its workload.
struct Row {
    /// `ROW`, or `ROW/SIDE` where there are several.
    name: String,
    work: Work,
}

/// The rows of a chapter.
pub struct Rows {
    chapter: &'static str,
    listed: Listed,
    all: Vec<Row>,
}

impl Rows {
    /// A chapter without a row yet; `toml` is the text of its `rows.toml`.
    pub fn new(chapter: &'static str, toml: &str) -> Self {
        let listed = Listed::read(toml).unwrap_or_else(|why| panic!("rows.toml: {why}"));
        Self {
            chapter,
            listed,
            all: Vec::new(),
        }
    }

    /// A row whose operation is done again and again. `start` prepares the work, which is then
    /// asked for the time of so many operations: see [`each`], [`cpu`] and [`wall`].
    #[must_use]
    pub fn timed<W>(self, name: &str, start: impl Fn() -> W + 'static) -> Self
    where
        W: FnMut(u64) -> Duration + 'static,
    {
        self.batched(name, 1, start)
    }

    /// The same where the work comes in batches of `batch` operations, and is asked for the time of
    /// so many batches.
    #[must_use]
    pub fn batched<W>(mut self, name: &str, batch: u64, start: impl Fn() -> W + 'static) -> Self
    where
        W: FnMut(u64) -> Duration + 'static,
    {
        let start = Box::new(move || Box::new(start()) as Timed);
        let work = Work::Timed { batch, start };
        self.all.push(Row {
            name: name.to_owned(),
            work,
        });
        self
    }

    /// A run that is made once and gives one figure or several. Criterion has no part in it.
    #[must_use]
    pub fn whole(mut self, name: &str, run: impl FnMut(Scale) -> Vec<Figure> + 'static) -> Self {
        let work = Work::Whole(Box::new(run));
        self.all.push(Row {
            name: name.to_owned(),
            work,
        });
        self
    }

    /// Does what the command line asks for.
    pub fn main(self) {
        self.listed
            .agrees_with(self.all.iter().map(|row| row.name.as_str()));
        let Some(asked) = sample::asked() else {
            return self.all();
        };
        match sample::take(self, &asked) {
            Ok(figures) => figures
                .iter()
                .for_each(|figure| println!("{}", figure.line())),
            Err(why) => {
                eprintln!("{why}");
                std::process::exit(2);
            }
        }
    }

    #[cfg(feature = "criterion")]
    fn all(self) {
        with_criterion::main(self);
    }

    #[cfg(not(feature = "criterion"))]
    fn all(self) {
        eprintln!("{}: name a row with --sample ROW", self.chapter);
        std::process::exit(2);
    }
}

/// A workload that does one operation again and again. What it returns is not optimised away.
pub fn each<T>(mut operation: impl FnMut() -> T) -> impl FnMut(u64) -> Duration {
    move |times| {
        cpu(|| {
            for _ in 0..times {
                std::hint::black_box(operation());
            }
        })
    }
}
