//! The visual components: a tag in a page becomes the element with its data and with what stands in
//! its place where no script runs: a still picture and a table. Their files are written among the
//! pages, where mdBook copies them from, so that an ordinary `mdbook build` has them too.

mod files;
mod grid;
mod map;
mod room;
mod still;
mod table;
mod tag;
mod turn;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use scenario::Run;
use serde_json::Value;

use crate::fault::Fault;
use crate::fences::line_at;
use tag::{Name, Tag};

/// The programs, from the folder of the pages.
pub(crate) const PROGRAMS: &str = "runs/programs.json";

/// Everything the components show.
#[derive(Default)]
pub(crate) struct Components {
    /// The runs of the gallery, in its order.
    runs: Vec<Run>,
    grid: Value,
    map: map::Map,
    /// What the steppers' code is: a function of floor 3, by name.
    listings: Option<Value>,
    /// The folder of the pages.
    source: PathBuf,
}

impl Components {
    /// Reads the gallery and runs its programs. A book without one has no components.
    pub(crate) fn read(root: &Path, source: &Path) -> Result<Self, Fault> {
        let pages = root.join(source);
        let file = source.join(PROGRAMS).display().to_string();
        let wrong =
            |what: String| Fault::new(&file, None, what, "mend the program that this names");
        let Ok(text) = fs::read_to_string(pages.join(PROGRAMS)) else {
            return Ok(Self::default());
        };
        let shown = scenario::gallery(&text).map_err(|error| wrong(error.to_string()))?;
        let mut runs = Vec::new();
        for program in &shown {
            let name = &program.program.name;
            let run = program
                .film()
                .map_err(|error| wrong(format!("program {name}: {error}")))?;
            runs.push(run);
        }
        Ok(Self {
            runs,
            grid: grid::once().map_err(|error| wrong(error.clone()))?,
            map: map::Map::read(&pages).map_err(&wrong)?,
            listings: files::listings(root),
            source: pages,
        })
    }

    fn run(&self, name: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.name == name)
    }

    /// What is wrong with the tags of a page, called `name`.
    pub(crate) fn faults(&self, name: &str, text: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        for found in tag::all(text) {
            let line = line_at(text, found.at());
            let wrong = match &found {
                tag::Found::Tag(tag) => self.judge(tag),
                tag::Found::Wrong { what, remedy, .. } => Some((what.clone(), remedy.clone())),
            };
            faults.extend(wrong.map(|(what, remedy)| Fault::new(name, line, what, remedy)));
        }
        faults
    }

    /// What is wrong with a tag, and what to do.
    fn judge(&self, tag: &Tag) -> Option<(String, String)> {
        let known = tag.name.attributes();
        for (attribute, value) in &tag.attributes {
            if !known.contains(&attribute.as_str()) {
                let may = match known {
                    [] => "it has none".to_owned(),
                    known => format!("it may have {}", known.join(", ")),
                };
                let what = format!("<{}> has an unknown attribute `{attribute}`", tag.name);
                return Some((what, format!("take it out; {may}")));
            }
            if let Some(wrong) = self.judge_value(tag, attribute, value) {
                return Some(wrong);
            }
        }
        let needs = tag.name.needs();
        let count = tag.programs().count();
        (count != needs).then(|| {
            let names = if needs == 1 {
                "one program"
            } else {
                "three programs"
            };
            let what = format!("<{}> needs {names} and has {count}", tag.name);
            (
                what,
                format!("write program=\"…\" with {names} of {PROGRAMS}"),
            )
        })
    }

    fn judge_value(&self, tag: &Tag, attribute: &str, value: &str) -> Option<(String, String)> {
        match attribute {
            "program" => tag
                .programs()
                .find(|name| self.run(name).is_none())
                .map(|name| {
                    let known: Vec<&str> = self.runs.iter().map(|run| run.name.as_str()).collect();
                    (
                        format!(
                            "<{}> names a program `{name}`, which {PROGRAMS} does not have",
                            tag.name
                        ),
                        format!("write one of {}", known.join(", ")),
                    )
                }),
            "turn" => {
                let run = tag.programs().next().and_then(|name| self.run(name))?;
                let last = run.turns.len();
                let turn = value
                    .parse()
                    .is_ok_and(|turn: usize| (1..=last).contains(&turn));
                (!turn).then(|| {
                    let what = format!("<{}> names the turn `{value}` of {}", tag.name, run.name);
                    (what, format!("write a turn from 1 to {last}"))
                })
            }
            "kind" | "chunk" | "tasks" | "period" => grid::judge(&self.grid, attribute, value),
            _ => None,
        }
    }

    /// The page with its components in place of their tags.
    pub(crate) fn expand(&self, page: &Path, text: &str) -> String {
        let depth = page.components().count().saturating_sub(1);
        let to_root = "../".repeat(depth);
        let mut expanded = text.to_owned();
        for found in tag::all(text).into_iter().rev() {
            if let tag::Found::Tag(tag) = found {
                expanded.replace_range(tag.range.clone(), &self.element(&tag, &to_root));
            }
        }
        expanded
    }

    /// The element: its tag, and what is shown in its place where no script runs. It has no empty
    /// line, at which markdown would begin again.
    fn element(&self, tag: &Tag, to_root: &str) -> String {
        let file = |name: &str| format!("{to_root}runs/{name}.json");
        let runs: Vec<&Run> = tag.programs().filter_map(|name| self.run(name)).collect();
        let data = match tag.name {
            Name::LoopMap | Name::LoopRoom => None,
            Name::ResponsivenessLab => Some(file("responsiveness")),
            _ => Some(
                runs.iter()
                    .map(|run| file(&run.name))
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
        };
        let mut html = format!("<{}", tag.name);
        for (attribute, value) in &tag.attributes {
            // Writing to a string cannot fail.
            let _ = write!(html, " {attribute}=\"{}\"", table::escaped(value));
        }
        if let Some(data) = data {
            let _ = write!(html, " data-run=\"{data}\"");
        }
        html.push_str(">\n");
        html.push_str(&match tag.name {
            Name::RecordedRun => still::of_run(runs[0]),
            Name::TurnStepper => turn::of_run(runs[0], tag.turn()),
            Name::WatchItRun => runs.iter().map(|run| still::picture_of(run)).collect(),
            Name::LoopMap => self.map.still(to_root),
            Name::ResponsivenessLab => grid::still(&self.grid, &tag.attributes),
            Name::LoopRoom => room::list(&self.runs, to_root),
        });
        let _ = write!(html, "</{}>", tag.name);
        html
    }

    /// Every file that the components load, by its name in the folder of the runs.
    fn files(&self) -> BTreeMap<String, String> {
        let runs = self.runs.iter();
        let mut files: BTreeMap<String, String> = runs
            .map(|run| (format!("{}.json", run.name), run.to_json()))
            .collect();
        files.insert("responsiveness.json".to_owned(), self.grid.to_string());
        if let Some(listings) = &self.listings {
            files.insert("listings.json".to_owned(), listings.to_string());
        }
        files
    }
}

#[cfg(test)]
mod tests;
