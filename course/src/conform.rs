//! `cargo course conform`: runs corpora, and asks for the very traces that CPython recorded.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use scenario::{Case, LEVEL, Strictness};
use serde_json::{Value, json};

use crate::random::{Manner, Random};
use crate::verdict::{Failure, Verdict, judge, trace};
use crate::{RIGHT, WRONG, source};

/// Run corpora and compare each program's trace with CPython's
#[derive(Args)]
pub(crate) struct Conform {
    /// Corpora, one program with its trace a line; none: the open corpus, as far as the floors reach
    #[arg(value_name = "FILE.jsonl")]
    files: Vec<PathBuf>,
    /// Compare only what a program can see: not which handles ran, nor how the heap was kept
    #[arg(long)]
    visible: bool,
    /// How many programs run at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Name the programs that pass, too
    #[arg(long)]
    verbose: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    random: Random,
}

/// A corpus, read.
struct Corpus {
    shown: String,
    cases: Vec<Case>,
}

/// A program with the verdict on it.
struct Judged<'a> {
    corpus: &'a Corpus,
    case: &'a Case,
    verdict: Verdict,
}

impl Conform {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.random.is_wanted() {
            return self.random.run(&Manner {
                strictness: self.strictness(),
                jobs: self.jobs(),
                json: self.json,
            });
        }
        // All is read first: what can't be read should not cost a run.
        let corpora = self.corpora()?;
        let judged = self.judge(&corpora);
        let mut out = anstream::stdout().lock();
        if self.json {
            writeln!(out, "{}", self.report(&judged))?;
        } else {
            self.print(&judged, &mut out)?;
        }
        let all_equal = judged.iter().all(Judged::passed);
        Ok(ExitCode::from(u8::from(!all_equal)))
    }

    fn corpora(&self) -> Result<Vec<Corpus>> {
        if !self.files.is_empty() {
            let read = |file: &PathBuf| Corpus::read(file, source::shown(file));
            return self.files.iter().map(read).collect();
        }
        let root = source::workspace()
            .context("no corpus here: name a FILE.jsonl, or go to the course's folder")?;
        let open = (1..=LEVEL).map(|level| source::open_corpus(&root, level));
        open.map(|(file, shown)| Corpus::read(&file, shown))
            .collect()
    }

    /// Runs everything, a program a thread: a loop never leaves the thread it was made on.
    fn judge<'a>(&self, corpora: &'a [Corpus]) -> Vec<Judged<'a>> {
        let all: Vec<(&Corpus, &Case)> = corpora
            .iter()
            .flat_map(|corpus| corpus.cases.iter().map(move |case| (corpus, case)))
            .collect();
        let threads = self.jobs().min(all.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut judged = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some((corpus, case)) = all.get(index) else {
                    return judged;
                };
                let expected = case.trace.as_ref().unwrap_or(&Value::Null);
                let verdict = judge(trace(&case.program), expected, self.strictness());
                let (corpus, case) = (*corpus, *case);
                judged.push((
                    index,
                    Judged {
                        corpus,
                        case,
                        verdict,
                    },
                ));
            }
        };
        let mut judged: Vec<(usize, Judged)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread
                    .join()
                    .unwrap_or_else(|e| std::panic::resume_unwind(e))
            };
            threads.into_iter().flat_map(join).collect()
        });
        judged.sort_by_key(|(index, _)| *index);
        judged.into_iter().map(|(_, judged)| judged).collect()
    }

    fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(cores, NonZero::get)
    }

    fn strictness(&self) -> Strictness {
        if self.visible {
            Strictness::Visible
        } else {
            Strictness::Strict
        }
    }

    fn print(&self, judged: &[Judged], out: &mut impl Write) -> Result<()> {
        for program in judged {
            if !program.passed() {
                program.failure().write(out)?;
            } else if self.verbose {
                let name = program.case.program["name"].as_str().unwrap_or_default();
                writeln!(out, "{RIGHT}passed{RIGHT:#} {name}")?;
            }
        }
        for ((shown, level), (passed, total)) in table(judged) {
            let style = if passed == total { RIGHT } else { WRONG };
            writeln!(
                out,
                "{shown}, level {level}: {style}{passed}/{total}{style:#}"
            )?;
        }
        let passed = judged.iter().filter(|program| program.passed()).count();
        writeln!(out, "{passed} passed, {} failed", judged.len() - passed)?;
        Ok(())
    }

    fn report(&self, judged: &[Judged]) -> Value {
        let rows = table(judged).into_iter().map(|((file, level), (passed, total))| {
            json!({"file": file, "level": level, "passed": passed, "total": total})
        });
        let failed: Vec<Value> = judged
            .iter()
            .filter(|program| !program.passed())
            .map(|program| program.failure().json())
            .collect();
        json!({
            "comparison": self.strictness().to_string(),
            "passed": judged.len() - failed.len(),
            "failed": failed.len(),
            "corpora": rows.collect::<Vec<Value>>(),
            "failures": failed,
        })
    }
}

impl Corpus {
    fn read(file: &Path, shown: String) -> Result<Self> {
        let text = source::read(file)?;
        let cases = scenario::cases(&text).map_err(|(line, reason)| {
            anyhow!("{shown}:{line}: not JSON: {reason}; a corpus has one program a line")
        })?;
        if cases.is_empty() {
            bail!("{shown} holds no program");
        }
        if let Some(case) = cases.iter().find(|case| case.trace.is_none()) {
            let line = case.line;
            bail!(
                "{shown}:{line}: no \"trace\" to compare with; `cargo course trace` runs a program \
                 without one"
            );
        }
        Ok(Self { shown, cases })
    }
}

impl Judged<'_> {
    fn passed(&self) -> bool {
        matches!(self.verdict, Verdict::Equal)
    }

    fn failure(&self) -> Failure<'_> {
        Failure {
            place: format!("{}:{}", self.corpus.shown, self.case.line),
            program: &self.case.program,
            verdict: &self.verdict,
            notes: Vec::new(),
        }
    }
}

/// Passed and total for each level of each corpus.
fn table<'a>(judged: &[Judged<'a>]) -> BTreeMap<(&'a str, u64), (usize, usize)> {
    let mut rows = BTreeMap::new();
    for program in judged {
        let level = program.case.program["level"].as_u64().unwrap_or_default();
        let row = rows.entry((program.corpus.shown.as_str(), level));
        let (passed, total) = row.or_default();
        *passed += usize::from(program.passed());
        *total += 1;
    }
    rows
}
