//! The still of the map: its picture, and what its parts are, each with its listing. The parts' texts
//! are those of the script.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::table::escaped;

/// The files, from the folder of the pages.
const PICTURE: &str = "components/loop-map.svg";
const PARTS: &str = "components/loop-map.json";

/// What the parts are called, in the order of the list, as in `components/picture.js`.
const TITLES: [(&str, &str); 19] = [
    ("task", "Task, Future"),
    ("program", "transports"),
    ("thread", "other threads"),
    ("soon", "call_soon"),
    ("later", "call_later"),
    ("reader", "add_reader"),
    ("threadsafe", "call_soon_threadsafe"),
    ("scheduled", "_scheduled"),
    ("selector", "_selector"),
    ("hatch", "_ssock"),
    ("ready", "_ready"),
    ("sweep", "1 sweep"),
    ("timeout", "2 timeout"),
    ("sleep", "3 sleep"),
    ("posted", "4 posted"),
    ("readable", "4 readable"),
    ("due", "5 due"),
    ("call", "6 call"),
    ("callback", "callback"),
];

#[derive(Deserialize)]
struct Part {
    text: String,
    #[serde(rename = "where")]
    place: String,
    listing: String,
}

/// What the map is made of.
#[derive(Default)]
pub(super) struct Map {
    picture: String,
    parts: BTreeMap<String, Part>,
}

impl Map {
    /// Reads the map's files. What is missing is missing in the still as well.
    pub(super) fn read(pages: &Path) -> Result<Self, String> {
        let read = |file: &str| fs::read_to_string(pages.join(file)).unwrap_or_default();
        let parts = match read(PARTS).as_str() {
            "" => BTreeMap::new(),
            text => serde_json::from_str(text).map_err(|error| format!("{PARTS}: {error}"))?,
        };
        Ok(Self {
            picture: read(PICTURE),
            parts,
        })
    }

    pub(super) fn still(&self, to_root: &str) -> String {
        let lines = self.picture.lines().filter(|line| !line.trim().is_empty());
        let mut html = format!(
            "<figure class=\"still diagram\">\n{}\n<figcaption>Five fields of CPython's loop. Everything \
             that runs goes through <code>_ready</code>; the loop does not know what a task is.\
             </figcaption>\n</figure>\n<dl class=\"still\">\n",
            lines.collect::<Vec<_>>().join("\n")
        );
        for (name, title) in TITLES {
            let Some(Part {
                text,
                place,
                listing,
            }) = self.parts.get(name)
            else {
                continue;
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                html,
                "<dt>{title}</dt>\n<dd>{} <a href=\"{to_root}{listing}\">{}</a></dd>",
                escaped(text),
                escaped(place)
            );
        }
        html + "</dl>\n"
    }
}
