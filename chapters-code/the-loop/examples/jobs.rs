//! A job pool: counts the lines of many files on a few threads, while the loop stays free.
//!
//! ```console
//! $ cargo run -p the-loop --example jobs -- Cargo.toml README.md
//! ```
//!
//! Reading a file blocks, so each is a job for `to_thread`. The loop's own thread meanwhile shows
//! how far it is: with the reading on that thread, nothing would be shown until the end.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use the_loop::{
    Outcome, ThreadPool, create_task, gather_return_exceptions, run, running_loop,
    set_default_executor, sleep, to_thread,
};

/// How many files are read at once.
const THREADS: usize = 4;

/// The blocking job. Its error is a text, for what comes back from a thread may be cloned by
/// everybody who awaits it.
fn count_lines(path: &Path) -> Result<usize, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.split_inclusive(|byte| *byte == b'\n').count())
}

/// The lines of each file, in the order of the files; an exception for one that can't be read.
async fn count_all(files: Vec<PathBuf>, done: Rc<Cell<usize>>) -> Outcome<Vec<Outcome<usize>>> {
    // Jobs that find no free thread wait in the pool's queue.
    let pool = Rc::new(ThreadPool::with_threads(THREADS));
    set_default_executor(&running_loop()?, pool);
    let jobs = files.into_iter().map(|file| {
        let done = Rc::clone(&done);
        async move {
            let counted = to_thread(move || count_lines(&file)).await;
            done.set(done.get() + 1);
            Ok(counted??)
        }
    });
    gather_return_exceptions(jobs)?.await
}

/// Says how far it is, ten times a second, for ever: it ends when it is cancelled.
async fn progress(all: usize, done: Rc<Cell<usize>>) -> Outcome<()> {
    loop {
        sleep(Duration::from_millis(100)).await?;
        eprintln!("{} of {all}", done.get());
    }
}

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        eprintln!("usage: jobs FILE...");
        return ExitCode::from(2);
    }
    let names = files.clone();
    let counted = run(async move {
        let done = Rc::new(Cell::new(0));
        let progress = create_task(progress(files.len(), Rc::clone(&done)))?;
        let counted = count_all(files, done).await;
        progress.cancel();
        counted
    });
    let counted = match counted {
        Ok(counted) => counted,
        Err(exception) => {
            eprintln!("jobs: {exception}");
            return ExitCode::FAILURE;
        }
    };
    let mut code = ExitCode::SUCCESS;
    for (name, lines) in names.iter().zip(counted) {
        match lines {
            Ok(lines) => println!("{lines:8} {}", name.display()),
            Err(exception) => {
                eprintln!("jobs: {exception}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_its_count_or_its_error_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let files = vec![
            file("two", "a\nb\n"),
            folder.path().join("missing"),
            file("none", ""),
            file("unended", "a\nb"),
        ];
        let done = Rc::new(Cell::new(0));
        let counting = Rc::clone(&done);
        let counted = run(count_all(files, counting)).unwrap();
        assert_eq!(done.get(), 4);
        let shown: Vec<_> = counted.iter().map(|lines| lines.as_ref().ok()).collect();
        assert_eq!(shown, [Some(&2), None, Some(&0), Some(&2)]);
        let error = counted[1].as_ref().unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
    }
}
