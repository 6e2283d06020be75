//! The rounds: every side of every row once, then all again. What slows the machine down for a
//! while slows a round, and the ratios within it stand.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::rows::{Chapter, Program};
use super::sample::{Figure, Sampler};
use super::sums::Taken;

/// How often, and how long, things are measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) quick: bool,
}

impl Effort {
    /// About how many milliseconds a sample measures, where that can be chosen.
    pub(crate) fn budget(self) -> u32 {
        if self.quick { 10 } else { 40 }
    }

    /// Counted things are the same each time, and are counted again to see it.
    fn rounds(self, counted: bool, slow: bool) -> u32 {
        match (self.quick, counted, slow) {
            (true, true, _) => 2,
            (true, false, _) | (false, true, _) => 3,
            (false, false, true) => 7,
            (false, false, false) => 15,
        }
    }
}

/// A program that is started once a round, and the rows it says something of.
#[derive(Debug)]
struct Run {
    program: Program,
    sample: String,
    side: String,
    rows: Vec<String>,
    rounds: u32,
    /// Seconds that one takes, about.
    expected: f64,
    done: u32,
    spent: Duration,
    failed: Option<String>,
}

impl Run {
    fn seconds(&self) -> f64 {
        if self.done == 0 {
            self.expected
        } else {
            self.spent.as_secs_f64() / f64::from(self.done)
        }
    }

    fn left(&self) -> f64 {
        match self.failed {
            Some(_) => 0.0,
            None => self.seconds() * f64::from(self.rounds - self.done),
        }
    }
}

/// Programs that take samples, or why there are none.
pub(crate) type Samplers = BTreeMap<Program, Result<Sampler, String>>;

/// All runs of a chapter. Those of one row stand together, and take turns in going first.
#[derive(Debug)]
pub(crate) struct Plan {
    groups: Vec<Vec<Run>>,
}

impl Plan {
    pub(crate) fn new(chapter: &Chapter, effort: Effort, samplers: &Samplers) -> Self {
        let mut groups: Vec<(&str, Vec<Run>)> = Vec::new();
        for row in &chapter.rows {
            let at = groups
                .iter()
                .position(|(run, _)| *run == row.run())
                .unwrap_or_else(|| {
                    groups.push((row.run(), Vec::new()));
                    groups.len() - 1
                });
            let group = &mut groups[at].1;
            for side in &row.sides {
                let (program, sample) = row.sample(side);
                if !matches!(samplers.get(&program), Some(Ok(_))) {
                    continue;
                }
                if let Some(run) = group.iter_mut().find(|run| run.side == *side) {
                    run.rows.push(row.id.clone());
                    continue;
                }
                // A run belongs to its first row: that one says how long it takes.
                group.push(Run {
                    program,
                    sample,
                    side: side.clone(),
                    rows: vec![row.id.clone()],
                    rounds: effort.rounds(row.counted, row.slow.is_some()),
                    expected: 0.2 + row.slow.unwrap_or(0.0),
                    done: 0,
                    spent: Duration::ZERO,
                    failed: None,
                });
            }
        }
        Self {
            groups: groups.into_iter().map(|(_, runs)| runs).collect(),
        }
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.groups.iter().flatten()
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.runs().map(|run| run.rounds).max().unwrap_or(0)
    }

    /// The seconds it takes still, about.
    pub(crate) fn left(&self) -> f64 {
        self.runs().map(Run::left).sum()
    }

    /// Goes through the rounds. `on` hears of each sample before it is taken, with the round and
    /// the seconds left; if it says no, the rounds end there.
    pub(crate) fn go(
        &mut self,
        samplers: &Samplers,
        taken: &mut Taken,
        mut on: impl FnMut(u32, &str, &str, f64) -> bool,
    ) {
        for round in 0..self.rounds() {
            for at in 0..self.groups.len() {
                let length = self.groups[at].len();
                for turn in 0..length {
                    let first = usize::try_from(round).unwrap_or(0);
                    let place = (turn + first) % length;
                    let left = self.left();
                    let run = &mut self.groups[at][place];
                    if run.rounds <= round || run.failed.is_some() {
                        continue;
                    }
                    let Some(Ok(sampler)) = samplers.get(&run.program) else {
                        continue;
                    };
                    if !on(round, &run.rows[0], &run.side, left) {
                        return;
                    }
                    let start = Instant::now();
                    let said = sampler.take(&run.sample);
                    // A sample that was ended with the whole run has not failed.
                    if !on(round, &run.rows[0], &run.side, left) {
                        return;
                    }
                    run.spent += start.elapsed();
                    run.done += 1;
                    run.keep(round, said, taken);
                }
            }
        }
    }

    /// What failed, and where the rounds were not gone through.
    pub(crate) fn conclude(
        &self,
        chapter: &Chapter,
        samplers: &Samplers,
        taken: &mut Taken,
    ) -> Vec<String> {
        for row in &chapter.rows {
            for side in &row.sides {
                if let Some(Err(why)) = samplers.get(&row.sample(side).0) {
                    taken.of(&row.id, side).missing = Some(why.clone());
                }
            }
        }
        let mut failed = Vec::new();
        for run in self.runs() {
            if let Some(why) = &run.failed {
                failed.push(format!("{}, {}: {why}", run.rows[0], run.side));
            } else if run.done < run.rounds {
                let why = format!("stopped after {} of {} rounds", run.done, run.rounds);
                for row in &run.rows {
                    taken.of(row, &run.side).missing = Some(why.clone());
                }
            }
        }
        failed
    }
}

impl Run {
    fn keep(&mut self, round: u32, said: Result<Vec<Figure>, String>, taken: &mut Taken) {
        let figures = match said {
            Ok(figures) => figures,
            Err(why) => {
                let why = format!("in round {}, {why}", round + 1);
                for row in &self.rows {
                    taken.of(row, &self.side).missing = Some(why.clone());
                }
                self.failed = Some(why);
                return;
            }
        };
        // The peers' bench has its own names for rows, and says one figure.
        let alone = self.program == Program::Peers;
        for row in &self.rows {
            let samples = taken.of(row, &self.side);
            match figures.iter().find(|figure| alone || figure.row == *row) {
                Some(figure) => {
                    samples.rounds.insert(round, figure.value);
                    samples.values.extend(&figure.values);
                }
                None => samples.missing = Some(format!("{} says nothing of it", self.sample)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "chapter = 'a'\n\
        [[row]]\nid = 'x'\ntitle = 'X'\nwhat = 'W'\nunit = 'ns'\nper = 'op'\nsides = ['ours', 'cpython']\n\
        [[row]]\nid = 'x-turns'\ntitle = 'X'\nwhat = 'W'\nunit = 'turns'\nper = 'op'\nsample = 'x'\n\
        counted = true\nsides = ['ours', 'cpython']\n\
        [[row]]\nid = 'y'\ntitle = 'Y'\nwhat = 'W'\nunit = 'ns'\nper = 'op'\nslow = 2.0\n\
        sides = ['ours', 'tokio']\npeers = 'z'\n";

    fn chapter() -> Chapter {
        Chapter::parse("01-a", ROWS).unwrap()
    }

    fn shell(script: &str) -> Sampler {
        Sampler {
            program: "sh".into(),
            before: vec!["-c".to_owned(), script.to_owned()],
            after: Vec::new(),
        }
    }

    /// A bench that says both figures of `x`, and one of anything else.
    fn samplers() -> Samplers {
        let bench = r#"echo "{\"row\":\"$0\",\"value\":1}"; echo '{"row":"x-turns","value":6}'"#;
        let peers = r#"[ "$0" = z/tokio ] && echo '{"row":"z","value":7}'"#;
        let python = Err("no CPython".to_owned());
        BTreeMap::from([
            (Program::Bench, Ok(shell(bench))),
            (Program::Peers, Ok(shell(peers))),
            (Program::Python { uvloop: false }, python),
        ])
    }

    #[test]
    fn every_side_takes_its_turn_and_one_run_says_several_rows() {
        let (chapter, samplers, mut taken) = (chapter(), samplers(), Taken::default());
        let mut plan = Plan::new(&chapter, Effort { quick: true }, &samplers);
        assert_eq!(plan.rounds(), 3);
        // x is short, three times; y takes two seconds more, three times on two sides.
        assert!(
            (plan.left() - (3.0 * 0.2 + 6.0 * 2.2)).abs() < 1e-9,
            "{}",
            plan.left()
        );
        let mut seen = Vec::new();
        plan.go(&samplers, &mut taken, |round, row, side, _| {
            seen.push(format!("{round} {row} {side}"));
            true
        });
        seen.dedup();
        let first = [
            "0 x ours",
            "0 y ours",
            "0 y tokio",
            "1 x ours",
            "1 y tokio",
            "1 y ours",
        ];
        assert_eq!(seen[..6], first);
        assert_eq!(
            plan.conclude(&chapter, &samplers, &mut taken),
            Vec::<String>::new()
        );
        let rows = taken.rows(&chapter);
        assert_eq!(
            (rows[0].sides[0].n, rows[0].sides[0].median),
            (3, Some(1.0))
        );
        assert_eq!(rows[0].sides[1].missing.as_deref(), Some("no CPython"));
        assert_eq!(rows[1].sides[0].median, Some(6.0));
        assert_eq!(
            (rows[2].sides[1].n, rows[2].sides[1].median),
            (3, Some(7.0))
        );
        assert!(plan.left() < 1e-9);
    }

    #[test]
    fn a_run_that_fails_is_not_tried_again_and_the_others_go_on() {
        let (chapter, mut samplers, mut taken) = (chapter(), samplers(), Taken::default());
        samplers.insert(Program::Peers, Ok(shell("echo broken >&2; exit 1")));
        let mut plan = Plan::new(&chapter, Effort { quick: true }, &samplers);
        plan.go(&samplers, &mut taken, |_, _, _, _| true);
        let failed = plan.conclude(&chapter, &samplers, &mut taken);
        assert_eq!(
            failed,
            ["y, tokio: in round 1, it failed (exit status: 1): broken"]
        );
        let rows = taken.rows(&chapter);
        assert_eq!((rows[2].sides[0].n, rows[2].sides[1].n), (3, 0));
    }

    #[test]
    fn what_was_measured_before_a_stop_is_kept() {
        let (chapter, samplers, mut taken) = (chapter(), samplers(), Taken::default());
        let mut plan = Plan::new(&chapter, Effort { quick: true }, &samplers);
        plan.go(&samplers, &mut taken, |round, row, _, _| {
            (round, row) != (1, "y")
        });
        assert!(plan.conclude(&chapter, &samplers, &mut taken).is_empty());
        let rows = taken.rows(&chapter);
        assert_eq!((rows[0].sides[0].n, rows[2].sides[0].n), (2, 1));
        let why = rows[0].sides[0].missing.as_deref();
        assert_eq!(why, Some("stopped after 2 of 3 rounds"));
    }
}
