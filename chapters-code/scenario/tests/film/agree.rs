//! What must hold of a run file: it agrees with the trace, and replayed from its first turn it
//! never takes from a container what is not there.

use std::collections::{HashSet, VecDeque};

use scenario::Run;
use serde_json::{Value, json};

/// Turn by turn, what both say is equal.
pub(crate) fn with_trace(run: &Run, trace: &Value) {
    let name = &run.name;
    let file: Value = serde_json::from_str(&run.to_json()).unwrap();
    let (traced, outside): (Vec<&Value>, Vec<&Value>) = trace["turns"]
        .as_array()
        .unwrap()
        .iter()
        .partition(|entry| entry.get("turn").is_some());
    let filmed = file["turns"].as_array().unwrap();
    assert_eq!(filmed.len(), traced.len(), "{name}: turns");
    for (film, turn) in filmed.iter().zip(traced) {
        let number = &turn["turn"];
        for key in ["phase", "t", "timeout", "woke", "heap", "ccount", "raised"] {
            assert_eq!(film.get(key), turn.get(key), "{name}, turn {number}: {key}");
        }
        let handles = film["ran"].as_array().cloned().unwrap_or_default();
        let ran: Vec<Value> = handles.iter().map(|ran| name_of(&file, ran)).collect();
        assert_eq!(json!(ran), turn["ran"], "{name}, turn {number}: ran");
        let log: Vec<&Value> = handles.iter().flat_map(|ran| list(&ran["log"])).collect();
        assert_eq!(json!(log), turn["log"], "{name}, turn {number}: log");
    }
    let between = list(&file["between"]).iter();
    let said: Vec<&Value> = between.flat_map(|gap| list(&gap["log"])).collect();
    let events = outside.iter().flat_map(|entry| list(&entry["outside"]));
    assert_eq!(
        json!(said),
        json!(events.collect::<Vec<_>>()),
        "{name}: outside"
    );
    for key in ["outcome", "totals"] {
        assert_eq!(file[key], trace[key], "{name}: {key}");
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What the trace calls a handle that step 6 took.
fn name_of(file: &Value, ran: &Value) -> Value {
    if ran["skipped"] == true {
        return "cancelled".into();
    }
    let id = usize::try_from(ran["h"].as_u64().unwrap()).unwrap();
    file["handles"][id]["name"].clone()
}

/// Replays the run.
pub(crate) fn with_itself(run: &Run) {
    let name = &run.name;
    let mut ready: VecDeque<usize> = VecDeque::new();
    let mut heap: HashSet<usize> = HashSet::new();
    let mut now = 0.0;
    let mut readers: HashSet<usize> = HashSet::new();
    let mut cancelled: HashSet<usize> = HashSet::new();
    let mut gaps = run.between.iter().peekable();
    for (index, turn) in run.turns.iter().enumerate() {
        let place = format!("{name}, turn {}", index + 1);
        while let Some(gap) = gaps.next_if(|gap| gap.turn == index) {
            ready.extend(&gap.did.ready);
            heap.extend(&gap.did.heap);
            readers.extend(&gap.did.added);
            cancelled.extend(&gap.did.cancelled);
        }
        assert_eq!(ready, turn.ready, "{place}: ready at its start");
        assert_eq!(heap.len(), turn.heap[0], "{place}: heap at its start");
        for id in &turn.swept {
            assert!(heap.remove(id), "{place}: swept from the heap");
            assert!(cancelled.contains(id), "{place}: swept, and not cancelled");
        }
        assert_eq!(heap.len(), turn.heap[1], "{place}: heap after the sweep");
        ready.extend(&turn.events);
        for id in &turn.due {
            assert!(heap.remove(id), "{place}: due from the heap");
            ready.push_back(*id);
        }
        assert!(turn.t.0 >= now && turn.woke.is_none_or(|woke| woke >= turn.t));
        now = turn.woke.map_or(turn.t.0, |woke| woke.0);
        for ran in &turn.ran {
            assert_eq!(ready.pop_front(), Some(ran.h), "{place}: head of ready");
            assert!(
                ran.t.0 >= now && ran.end >= ran.t,
                "{place}: time goes back"
            );
            now = ran.end.0;
            assert_eq!(ran.skipped, cancelled.contains(&ran.h), "{place}: skipped");
            ready.extend(&ran.did.ready);
            heap.extend(&ran.did.heap);
            readers.extend(&ran.did.added);
            cancelled.extend(&ran.did.cancelled);
            for id in &ran.did.removed {
                assert!(readers.remove(id), "{place}: removed, and not there");
            }
        }
        assert!(turn.end.0 >= now, "{place}: ends before its last handle");
        now = turn.end.0;
    }
    let known = run.handles.len();
    assert!(ready.iter().chain(&heap).all(|id| *id < known));
    assert!(
        run.handles
            .iter()
            .all(|handle| handle.task.is_none_or(|task| task < run.tasks.len()))
    );
}
