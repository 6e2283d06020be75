//! How a line of the log is read.

use which_callback::Object;

/// Which of the three objects the line is about.
pub(crate) fn object(line: &str) -> Object {
    let (_, object) = line.split_once("Executing <").unwrap_or_default();
    match object.split(' ').next() {
        Some("Handle") => Object::Handle,
        Some("TimerHandle") => Object::TimerHandle,
        Some("Task") => Object::Task,
        _ => Object::Unread,
    }
}

/// How long it took.
pub(crate) fn millis(line: &str) -> u64 {
    let (_, took) = line.rsplit_once(" took ").unwrap_or_default();
    let digits: String = took.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// The line of `service.rs` in which it was made.
pub(crate) fn made_at(line: &str) -> u32 {
    let (_, place) = line.rsplit_once("service.rs:").unwrap_or_default();
    let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// The function of a handle, the name of a task.
pub(crate) fn who(line: &str) -> &str {
    let name = line
        .split_once("name='")
        .and_then(|(_, rest)| rest.split_once('\''));
    let function = line
        .split_once("service::")
        .and_then(|(_, rest)| rest.split_once("()"));
    name.or(function).unwrap_or_default().0
}

/// The line that took longest.
pub(crate) fn longest(log: &[String]) -> &str {
    let longest = log.iter().max_by_key(|line| millis(line));
    longest.map_or("", String::as_str)
}

/// How long one of them took in all.
pub(crate) fn total(log: &[String], name: &str) -> u64 {
    let lines = log.iter().filter(|line| who(line) == name);
    lines.map(|line| millis(line)).sum()
}

/// The numbers of the lines that are about a task's last step.
pub(crate) fn last_steps(log: &[String]) -> Vec<usize> {
    let numbered = log.iter().zip(1..);
    let last = numbered.filter(|(line, _)| line.contains("<Task finished"));
    last.map(|(_, number)| number).collect()
}
