//! One sample: a process of its own, which prints a line of JSON for each figure.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::workshop::process::{End, Limits, run};

/// Nothing that is measured takes as long.
const LIMITS: Limits = Limits {
    wall: Duration::from_mins(2),
    output: 4 << 20,
};

/// A program that takes samples, and what it is told before the sample's name.
#[derive(Debug, Clone)]
pub(crate) struct Sampler {
    pub(crate) program: PathBuf,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
}

/// What a sample says of a row.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Figure {
    pub(crate) row: String,
    pub(crate) value: f64,
    #[serde(default)]
    pub(crate) values: Vec<f64>,
}

impl Sampler {
    /// Takes a sample, or says why there is none.
    pub(crate) fn take(&self, name: &str) -> Result<Vec<Figure>, String> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.before)
            .arg(name)
            .args(&self.after)
            // Debug mode would be measured too, and files beside the programs are not wanted.
            .env_remove("PYTHONASYNCIODEBUG")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        let ended = run(command, b"", LIMITS)
            .map_err(|error| format!("{} cannot be started: {error}", self.program.display()))?;
        match ended.end {
            End::Exited(status) if status.success() => {}
            End::Exited(status) => {
                let said = String::from_utf8_lossy(&ended.stderr);
                let said = said.trim().lines().last().unwrap_or_default();
                return Err(format!("it failed ({status}): {said}"));
            }
            End::OutOfTime => {
                return Err(format!("it took longer than {} s", LIMITS.wall.as_secs()));
            }
            End::TooMuchOutput => return Err("it printed without end".to_owned()),
        }
        figures(&String::from_utf8_lossy(&ended.stdout))
    }
}

fn figures(text: &str) -> Result<Vec<Figure>, String> {
    let figure = |line: &str| {
        serde_json::from_str::<Figure>(line).map_err(|_| {
            let line: String = line.chars().take(80).collect();
            format!("it printed what is no sample: {line}")
        })
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let figures: Vec<Figure> = lines.map(figure).collect::<Result<_, _>>()?;
    if figures.is_empty() {
        return Err("it printed no sample".to_owned());
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Vec<Figure>, String> {
        let before = vec!["-c".to_owned(), script.to_owned()];
        Sampler {
            program: "sh".into(),
            before,
            after: vec!["last".to_owned()],
        }
        .take("row")
    }

    #[test]
    fn a_sample_may_say_several_rows() {
        let figures = shell(
            r#"echo "{\"row\":\"$0\",\"value\":1,\"unit\":\"ns\"}"; echo '{"row":"b","value":2.5,"unit":"ms","values":[1,4]}'"#,
        )
        .unwrap();
        assert_eq!(
            figures[0],
            Figure {
                row: "row".to_owned(),
                value: 1.0,
                values: Vec::new()
            }
        );
        assert_eq!(figures[1].values, [1.0, 4.0]);
    }

    #[test]
    fn a_sample_that_fails_says_why() {
        assert_eq!(shell("exit 0").unwrap_err(), "it printed no sample");
        assert_eq!(
            shell("echo hello").unwrap_err(),
            "it printed what is no sample: hello"
        );
        let why = shell("echo first >&2; echo last words >&2; exit 3").unwrap_err();
        assert_eq!(why, "it failed (exit status: 3): last words");
        let nowhere = Sampler {
            program: "/no/such".into(),
            before: vec![],
            after: vec![],
        };
        assert!(
            nowhere
                .take("row")
                .unwrap_err()
                .starts_with("/no/such cannot be started")
        );
    }
}
