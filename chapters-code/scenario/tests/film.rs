//! Run files: what the film says of a program is what the trace of the program says.

#[path = "film/agree.rs"]
mod agree;

use std::fs;
use std::path::Path;

use scenario::{Kind, Place, Program, Shown, cases, film, run};

/// Every program of a level of the corpus.
fn level(level: u8) -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/open");
    let text = fs::read_to_string(folder.join(format!("level{level}.jsonl"))).unwrap();
    let cases = cases(&text).unwrap();
    let programs = cases.iter().map(|case| Program::from_json(&case.program));
    programs.collect::<Result<_, _>>().unwrap()
}

#[test]
fn films_agree_with_the_traces_of_the_corpus() {
    let mut programs = 0;
    for program in (1..=scenario::LEVEL).flat_map(level) {
        let run_file = film(&program).unwrap();
        agree::with_trace(&run_file, &run(&program).unwrap());
        agree::with_itself(&run_file);
        programs += 1;
    }
    assert_eq!(programs, 137 + 138 + 145);
}

fn shown() -> Vec<Shown> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/runs/programs.json");
    scenario::gallery(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn films_agree_with_the_traces_of_the_gallery() {
    let all = shown();
    assert!(all.len() >= 15, "about fifteen programs are shown");
    for Shown { title, program } in all {
        assert!(!title.is_empty() && program.level <= scenario::LEVEL);
        let run_file = film(&program).unwrap();
        agree::with_trace(&run_file, &run(&program).unwrap());
        agree::with_itself(&run_file);
    }
}

/// One turn of it does what each of the six steps is for.
#[test]
fn the_program_of_the_six_steps_has_one_turn_with_all_of_them() {
    let all = shown();
    let six = all.iter().find(|shown| shown.program.name == "six-steps");
    let run_file = six.unwrap().film().unwrap();
    let turn = &run_file.turns[0];
    assert!(!turn.swept.is_empty() && !turn.events.is_empty() && !turn.due.is_empty());
    assert!(turn.timeout.is_some_and(|timeout| timeout.0 > 0.0));
    assert_eq!(turn.ran.len(), 2);
}

/// The pulses of the gallery are cells of the grid.
#[test]
fn pulses_of_the_gallery_stand_in_the_grid() {
    let all = shown();
    for (kind, name) in [
        (Kind::Blocking, "pulse-blocking"),
        (Kind::Yielding, "pulse-yielding"),
        (Kind::Cooperative, "pulse-cooperative"),
        (Kind::Offloaded, "pulse-offloaded"),
    ] {
        let pulse = all.iter().find(|shown| shown.program.name == name).unwrap();
        let place = Place {
            chunk: 100,
            period: 10,
            tasks: 1,
            kind,
        };
        let (pulse, place) = (run(&pulse.program), run(&place.program()));
        assert_eq!(pulse.unwrap(), place.unwrap(), "{name}");
    }
}

#[test]
fn the_grid_counts_what_the_chapter_counts() {
    let grid = scenario::responsiveness().unwrap();
    let text = grid.to_string();
    assert!(text.len() < 150_000, "{} bytes", text.len());
    let cells = grid["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 5 * 4 * 3 * 4);
    let cell = |wanted: Place| {
        let at = Place::all().position(|place| place == wanted).unwrap();
        &cells[at]
    };
    let of = |kind, tasks| {
        cell(Place {
            chunk: 100,
            period: 10,
            tasks,
            kind,
        })
    };
    assert_eq!(
        of(Kind::Blocking, 1)["gaps"],
        serde_json::json!([[1000, 1]])
    );
    let yielding = serde_json::json!([[300, 3], [100, 1]]);
    assert_eq!(of(Kind::Yielding, 1)["gaps"], yielding);
    assert_eq!(of(Kind::Yielding, 1)["one"].as_array().unwrap().len(), 3);
    assert_eq!(of(Kind::Yielding, 2)["gaps"][0][0], 600);
    for kind in [Kind::Cooperative, Kind::Offloaded] {
        assert_eq!(of(kind, 5)["gaps"], serde_json::json!([[10, 100]]));
    }
    // Ticks and missed ones are all that the time has room for.
    for (place, cell) in Place::all().zip(cells) {
        let had = cell["ticks"].as_u64().unwrap() + cell["missed"].as_u64().unwrap();
        let room = cell["end"].as_u64().unwrap() / place.period;
        assert!(had >= room && had <= room + 1, "{place}");
    }
}
