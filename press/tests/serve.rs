//! `cargo book serve`: it serves the book, rebuilds it on change, keeps the last good one when a
//! build fails, and ends cleanly. The tests wait for what the server prints, never for a time.

#![cfg(unix)]

mod project;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use project::Project;

/// Longer than any build; only a server that hangs reaches it.
const LIMIT: Duration = Duration::from_mins(2);

struct Server {
    child: Child,
    lines: Receiver<String>,
    address: String,
}

impl Server {
    fn start(project: &Project) -> Self {
        let temporary = project.path().join("tmp");
        std::fs::create_dir(&temporary).unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("press"))
            .args(["serve", "--no-open", "--port", "0"])
            .current_dir(project.path())
            .env("TMPDIR", &temporary)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let mut server = Self {
            child,
            lines,
            address: String::new(),
        };
        let line = server.wait_for("The book is served at ");
        let address = line
            .split_whitespace()
            .find_map(|word| word.strip_prefix("http://"));
        address.unwrap().clone_into(&mut server.address);
        server
    }

    /// The next line that holds `text`.
    fn wait_for(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(LIMIT).expect(text);
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The head and the body of an answer.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends the signal of Ctrl-C and waits for the end.
    fn interrupt(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already, unless its test failed.
        let _: std::io::Result<()> = self.child.kill();
    }
}

#[test]
fn a_change_is_built_a_failure_keeps_the_last_book_and_ctrl_c_ends() {
    let project = Project::new();
    let mut server = Server::start(&project);
    let page = server.get("/preface.html");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("cache-control: no-store"),
        "{page}"
    );
    assert!(
        page.contains("/_tower-livereload/"),
        "the page does not reload"
    );
    assert!(server.get("/nowhere.html").starts_with("HTTP/1.1 404"));

    project.replace(
        "book/preface.md",
        "# Preface",
        "# Preface\n\nOne more line.",
    );
    server.wait_for("Built in");
    assert!(server.get("/preface.html").contains("One more line."));

    project.replace(
        "chapters-code/01-a/src/lib.rs",
        "fn f() {}",
        "fn f() { g() }",
    );
    server.wait_for("Built in");
    assert!(server.get("/01-a/index.html").contains("fn f() { g() }"));

    project.replace("book/preface.md", "One more line.", "{{#include gone.md}}");
    server.wait_for("book/preface.md:3: book/gone.md cannot be read");
    server.wait_for("The last good book stays up");
    assert!(server.get("/preface.html").contains("One more line."));

    project.replace("book/preface.md", "{{#include gone.md}}", "Mended.");
    server.wait_for("Built in");
    assert!(server.get("/preface.html").contains("Mended."));

    // An open page holds its connection; nobody waits for it.
    let mut open = TcpStream::connect(&server.address).unwrap();
    write!(
        open,
        "GET /_tower-livereload/event-stream HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    .unwrap();
    assert_eq!(open.read(&mut [0; 1]).unwrap(), 1);
    assert_eq!(server.interrupt(), Some(0));
    server.wait_for("Stopped.");
    let left = std::fs::read_dir(project.path().join("tmp"))
        .unwrap()
        .count();
    assert_eq!(left, 0, "the folder of the builds is still there");
}

#[test]
fn a_port_in_use_is_one_error_that_names_another() {
    let project = Project::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let said = project.bad(&["serve", "--no-open", "--port", &port.to_string()]);
    assert!(
        said.starts_with(&format!("error: port {port} is in use")),
        "{said}"
    );
    assert!(said.contains("cargo book serve --port"), "{said}");
    assert!(
        !said.contains("Built"),
        "it built before it looked at the port"
    );
}

#[test]
fn a_book_that_cannot_be_built_at_all_is_not_served() {
    let project = Project::new();
    project.write("book/preface.md", "{{#include gone.md}}\n");
    let said = project.bad(&["serve", "--no-open", "--port", "0"]);
    assert!(
        said.contains("book/preface.md:1:") && !said.contains("served"),
        "{said}"
    );
}

#[test]
fn the_readers_own_figures_show_as_soon_as_they_are_kept() {
    let project = Project::new();
    let record = project::workspace().join("book/measured/counter.json");
    let record = std::fs::read_to_string(record).unwrap();
    project.write("book/measured/counter.json", &record);
    let page = project.read("book/01-a/index.md");
    let measured = format!("{page}\n## Measure it\n\n{{{{#measured counter}}}}\n");
    project.write("book/01-a/index.md", &measured);
    let server = Server::start(&project);
    assert!(!server.get("/01-a/index.html").contains("your machine</th>"));

    project.write("target/measured/counter.json", &record);
    server.wait_for("Built in");
    assert!(server.get("/01-a/index.html").contains("your machine</th>"));

    let old = record.replace("six-steps record 1", "six-steps record 0");
    project.write("target/measured/counter.json", &old);
    server.wait_for("Built in");
    let page = server.get("/01-a/index.html");
    assert!(!page.contains("your machine</th>") && page.contains("cannot be read"));
}
