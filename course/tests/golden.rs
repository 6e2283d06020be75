//! The command's answers, word for word: the files in `cmd/`, one a verb, and a learner's in
//! `learner/`.
//!
//! `TRYCMD=overwrite cargo test -p course --test golden` writes them anew; read the diff.

use std::fs;

#[test]
fn every_verb_answers_as_written() {
    let mut steps = 0;
    let folders = ["tests/cmd", "tests/learner"].map(|folder| fs::read_dir(folder).unwrap());
    for entry in folders.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "trycmd")
        {
            let text = fs::read_to_string(&path).unwrap();
            let commands: Vec<&str> = text.lines().filter(|l| l.trim().starts_with('$')).collect();
            // trycmd passes over a program that it does not know.
            for command in &commands {
                assert!(
                    command.starts_with("$ course"),
                    "{}: {command}",
                    path.display()
                );
            }
            steps += commands.len();
        }
    }
    assert!(steps > 50, "only {steps} commands");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("tests/cmd/*.trycmd")
        .run();
}

#[test]
fn a_learner_s_verbs_answer_as_written() {
    // What `verbs.out` holds is compared with the copy of the course in which the verbs ran.
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("VISUAL", "")
        .env("EDITOR", "")
        .case("tests/learner/*.trycmd")
        .run();
}
