//! Films that the environment asks for: whatever ends a program, the turns that were over are on
//! the tape.

use std::fs;
use std::path::Path;

use film::{FILM_VARIABLE, Run, read_tape};
use libtest_mimic::{Failed, Trial};

use crate::Program;

fn filmed(name: &str, tape: &Path) -> Result<Program, Failed> {
    let tape = tape.to_str().ok_or("a folder whose name is no text")?;
    Program::start_with(name, &[(FILM_VARIABLE, tape)])
}

fn read(tape: &Path) -> Result<Run, Failed> {
    Ok(read_tape(&fs::read_to_string(tape)?)?)
}

/// The phases of a run, each once, in order.
fn phases(run: &Run) -> Vec<&str> {
    let mut phases: Vec<&str> = run.turns.iter().map(|turn| turn.phase.as_str()).collect();
    phases.dedup();
    phases
}

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        Trial::test("a_whole_run_is_filmed_with_its_phases", || {
            let folder = tempfile::tempdir()?;
            let tape = folder.path().join("tape");
            let mut program = filmed("goes on", &tape)?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("ended")?;
            program.ends_with(0)?;
            let run = read(&tape)?;
            assert_eq!(phases(&run), ["run:Task-1", "asyncgens", "executor"]);
            assert_eq!(run.handles[0].name, "step:Task-1");
            assert_eq!(run.turns.last().unwrap().ran.len(), 1);
            // The sleep of an hour: its timer was scheduled by main's first step, and cancelled.
            let first = &run.turns[0].ran[0].did;
            assert_eq!(run.handles[first.heap[0]].name, "sleep");
            Ok(())
        }),
        Trial::test("a_run_that_is_killed_is_filmed_to_its_last_turn", || {
            let folder = tempfile::tempdir()?;
            let tape = folder.path().join("tape");
            let mut program = filmed("never ends", &tape)?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("cleaning up")?;
            program.interrupt()?;
            program.dies_of_it()?;
            let run = read(&tape)?;
            assert_eq!(phases(&run), ["run:Task-1"]);
            Ok(())
        }),
        Trial::test("an_exit_within_a_turn_leaves_the_turns_before", || {
            let folder = tempfile::tempdir()?;
            let tape = folder.path().join("tape");
            let mut program = filmed("exits in turn 3", &tape)?;
            program.says("going")?;
            program.ends_with(3)?;
            assert_eq!(read(&tape)?.turns.len(), 2);
            Ok(())
        }),
        Trial::test("a_film_ends_where_it_is_full", || {
            let folder = tempfile::tempdir()?;
            let tape = folder.path().join("tape");
            let mut program = filmed("takes 30,000 turns", &tape)?;
            program.says("ended")?;
            program.ends_with(0)?;
            let run = read(&tape)?;
            assert_eq!(run.handles.len(), film::MOST_HANDLES);
            let said = run.cut.ok_or("it does not say so")?;
            assert!(said.contains("20000 handles"), "{said}");
            Ok(())
        }),
        Trial::test("without_a_place_for_the_film_the_program_runs", || {
            let mut program = filmed("exits in turn 3", Path::new("/no/such/folder/tape"))?;
            program.says("going")?;
            program.ends_with(3)
        }),
        Trial::test("one_loop_is_filmed_and_not_a_second", || {
            let folder = tempfile::tempdir()?;
            let tape = folder.path().join("tape");
            fs::write(&tape, "of another")?;
            let mut program = filmed("exits in turn 3", &tape)?;
            program.says("going")?;
            program.ends_with(3)?;
            assert_eq!(fs::read_to_string(&tape)?, "of another");
            Ok(())
        }),
    ]
}
