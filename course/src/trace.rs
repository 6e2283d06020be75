//! `cargo course trace`: runs one program on the loop and prints every turn as JSON, or makes a run
//! file of it, which the book's loop room opens; `wall.rs` makes one of any command.

mod wall;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use serde_json::{Deserializer, Value};

use crate::{source, verdict};

/// How many names an error lists.
const NAMES: usize = 5;

/// Run a program on the loop and print every turn as JSON
#[derive(Args)]
pub(crate) struct Trace {
    /// A JSON program, a line of a corpus or a whole corpus; `-` is standard input
    #[arg(required_unless_present = "wall")]
    file: Option<PathBuf>,
    /// Which program, where the file holds more than one
    #[arg(long)]
    name: Option<String>,
    /// Print the trace on one line
    #[arg(long, conflicts_with_all = ["run", "wall"])]
    compact: bool,
    /// Make a run file, which the book's loop room opens, instead of the trace
    #[arg(long)]
    run: bool,
    /// Run a command, and make a run file of the loop in it, on the real clock
    #[arg(long, conflicts_with_all = ["file", "name", "run"], requires = "command")]
    wall: bool,
    /// Where the run file goes: standard output with `--run`, run.json with `--wall`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The command of `--wall`, behind `--`
    #[arg(last = true, requires = "wall")]
    command: Vec<OsString>,
}

impl Trace {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.wall {
            let out = self.out.as_deref().unwrap_or(Path::new("run.json"));
            return wall::record(&self.command, out);
        }
        if self.out.is_some() && !self.run {
            bail!("--out is for a run file; add --run, or send the trace into a file with > FILE");
        }
        let file = self.file.as_deref().unwrap_or(Path::new("-"));
        let text = source::read(file)?;
        let shown = source::shown(file);
        let programs = programs(&text).map_err(|error| anyhow!("{shown}: not JSON: {error}"))?;
        let (line, program) = self.choose(&shown, &programs)?;
        if self.run {
            let run =
                verdict::film(program).map_err(|reason| anyhow!("{shown}:{line}: {reason}"))?;
            return self.hand_over(&run);
        }
        let trace =
            verdict::trace(program).map_err(|reason| anyhow!("{shown}:{line}: {reason}"))?;
        let mut out = anstream::stdout().lock();
        if self.compact {
            writeln!(out, "{trace}")?;
        } else {
            writeln!(out, "{}", pretty(&trace))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The run file goes to its place.
    fn hand_over(&self, run: &scenario::Run) -> Result<ExitCode> {
        let Some(out) = &self.out else {
            writeln!(anstream::stdout().lock(), "{}", run.to_json())?;
            return Ok(ExitCode::SUCCESS);
        };
        std::fs::write(out, run.to_json() + "\n")
            .with_context(|| format!("cannot write {}", out.display()))?;
        writeln!(anstream::stdout().lock(), "{}", what_is_in(run, out))?;
        Ok(ExitCode::SUCCESS)
    }

    fn choose<'a>(
        &self,
        shown: &str,
        programs: &'a [(usize, Value)],
    ) -> Result<(usize, &'a Value)> {
        let name = |program: &Value| program["name"].as_str().unwrap_or("(unnamed)").to_owned();
        let names: Vec<String> = programs.iter().map(|(_, p)| name(p)).collect();
        let list = || match names.len() {
            0..=NAMES => names.join(", "),
            more => format!("{} and {} more", names[..NAMES].join(", "), more - NAMES),
        };
        let found = match (&self.name, programs) {
            (_, []) => bail!("{shown} holds no program"),
            (None, [only]) => Some(only),
            (None, more) => bail!(
                "{shown} holds {} programs; choose one with --name: {}",
                more.len(),
                list()
            ),
            (Some(wanted), _) => programs.iter().find(|(_, p)| p["name"] == **wanted),
        };
        match (found, &self.name) {
            (Some((line, program)), _) => Ok((*line, program)),
            (None, wanted) => bail!(
                "{shown} holds no program {:?}; it has {}",
                wanted.as_deref().unwrap_or_default(),
                list()
            ),
        }
    }
}

/// What a run file holds, where it is, and what to do with it.
fn what_is_in(run: &scenario::Run, out: &Path) -> String {
    let some = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    let turns = some(run.totals.turns, "turn");
    let handles = some(run.totals.handles, "handle");
    format!(
        "{turns}, {handles}: {}; the book's loop room opens it",
        out.display()
    )
}

/// Every program of a text with the line it starts on. One may spread over several lines.
fn programs(text: &str) -> serde_json::Result<Vec<(usize, Value)>> {
    let mut programs = Vec::new();
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let rest = &text[values.byte_offset()..];
        let start = text.len() - rest.trim_start().len();
        let line = 1 + text[..start].matches('\n').count();
        match values.next() {
            None => return Ok(programs),
            Some(value) => {
                let mut value = value?;
                let program = value.get_mut("program").map(Value::take);
                programs.push((line, program.unwrap_or(value)));
            }
        }
    }
}

/// The trace with one turn a line, as the language's description writes it.
fn pretty(trace: &Value) -> String {
    let turns = trace["turns"].as_array().map(Vec::as_slice);
    let turns: Vec<String> = turns
        .unwrap_or_default()
        .iter()
        .map(|turn| format!("\n  {turn}"))
        .collect();
    let end = if turns.is_empty() { "" } else { "\n" };
    let mut parts = vec![format!("\"turns\":[{}{end}]", turns.join(","))];
    let others = trace.as_object().into_iter().flatten();
    let others = others.filter(|(key, _)| *key != "turns");
    parts.extend(others.map(|(key, value)| format!("\n \"{key}\":{value}")));
    format!("{{{}}}", parts.join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pretty_printing_changes_no_value() {
        for turns in [
            json!([]),
            json!([{"turn": 1, "ran": ["a"]}, {"outside": []}]),
        ] {
            let trace = json!({"turns": turns, "outcome": [["a", null]], "late": []});
            let read: Value = serde_json::from_str(&pretty(&trace)).unwrap();
            assert_eq!(read, trace);
        }
    }

    #[test]
    fn programs_know_the_line_they_start_on() {
        let text = "\n{\"name\":\n\"a\"}\n\n  {\"program\": {\"name\": \"b\"}} {\"name\": \"c\"}\n";
        let found: Vec<(usize, String)> = programs(text)
            .unwrap()
            .into_iter()
            .map(|(line, program)| (line, program["name"].to_string()))
            .collect();
        let expected = [(2, "\"a\""), (5, "\"b\""), (5, "\"c\"")];
        assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
    }
}
