//! The command's answers, word for word: the files in `cmd/`, one a verb.
//!
//! `TRYCMD=overwrite cargo test -p course --test golden` writes them anew; read the diff.

use std::fs;

#[test]
fn every_verb_answers_as_written() {
    let mut steps = 0;
    for entry in fs::read_dir("tests/cmd").unwrap() {
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
    assert!(steps > 30, "only {steps} commands in tests/cmd");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("tests/cmd/*.trycmd")
        .run();
}
