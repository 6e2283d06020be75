//! The still picture of a run: a row for each task, time from left to right, a block for each handle.
//! Where the loop sleeps stands in a row of its own, in dashed boxes.

use std::fmt::Write as _;

use scenario::Run;

use super::table::{self, MOST, escaped, ms};

const LEFT: f64 = 150.0;
const WIDTH: f64 = 470.0;
const ROW: f64 = 24.0;

/// Picture, table and caption.
pub(super) fn of_run(run: &Run) -> String {
    figure(run, &table::of_run(run))
}

/// Picture and caption.
pub(super) fn picture_of(run: &Run) -> String {
    figure(run, "")
}

fn figure(run: &Run, table: &str) -> String {
    format!(
        "<figure class=\"still diagram\">\n{}{table}<figcaption>{}. {}</figcaption>\n</figure>\n",
        picture(run),
        escaped(&run.title),
        escaped(&run.text),
    )
}

/// A block of a picture.
struct Block {
    row: usize,
    from: f64,
    to: f64,
    task: Option<usize>,
    name: String,
}

fn picture(run: &Run) -> String {
    let turns = &run.turns[..run.turns.len().min(MOST)];
    let end = turns.last().map_or(0.0, |turn| turn.end.0);
    let mut rows = vec!["asleep".to_owned()];
    let mut blocks = Vec::new();
    let mut place = 0.0;
    let mut bounds = Vec::new();
    for turn in turns {
        bounds.push(if end > 0.0 { turn.t.0 } else { place });
        if let Some(woke) = turn.woke.filter(|woke| woke.0 > turn.t.0) {
            blocks.push(Block {
                row: 0,
                from: turn.t.0,
                to: woke.0,
                task: None,
                name: format!("asleep for {}", ms(woke.0 - turn.t.0)),
            });
        }
        for ran in &turn.ran {
            let handle = &run.handles[ran.h];
            let lane = match handle.task {
                Some(task) => run.tasks[task].clone(),
                None => "callbacks".to_owned(),
            };
            let row = rows
                .iter()
                .position(|known| *known == lane)
                .unwrap_or_else(|| {
                    rows.push(lane);
                    rows.len() - 1
                });
            // A run that takes no time is told by the order of its handles.
            let (from, to) = if end > 0.0 {
                (ran.t.0, ran.end.0)
            } else {
                (place, place + 0.8)
            };
            place += 1.0;
            blocks.push(Block {
                row,
                from,
                to,
                task: handle.task,
                name: handle.name.clone(),
            });
        }
    }
    let whole = if end > 0.0 { end } else { place.max(1.0) };
    let x = |moment: f64| LEFT + moment / whole * WIDTH;
    let height = y_of(rows.len());
    let mut svg = head(run, turns.len(), end, height + 34.0);
    for (index, name) in rows.iter().enumerate() {
        let y = y_of(index) + 18.0;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            escaped(&shortened(name))
        );
    }
    for bound in bounds {
        let at = x(bound);
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} 4V{:.1}\" stroke=\"var(--map-line, currentColor)\" stroke-width=\"0.5\"/>",
            height + 4.0
        );
    }
    for block in &blocks {
        draw(&mut svg, block, x);
    }
    let label = |at: f64, text: &str, anchor: &str| {
        let y = height + 22.0;
        format!(
            "<text x=\"{at:.1}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"11\">{text}</text>\n"
        )
    };
    if end > 0.0 {
        svg += &label(LEFT, "0 ms", "start");
        svg += &label(LEFT + WIDTH, &ms(end), "end");
    } else {
        svg += &label(LEFT, "in their order; no time passes", "start");
    }
    svg + "</svg>\n"
}

/// Where a row begins.
fn y_of(row: usize) -> f64 {
    f64::from(u32::try_from(row).unwrap_or(u32::MAX)) * ROW
}

fn head(run: &Run, shown: usize, end: f64, height: f64) -> String {
    let all = run.turns.len();
    let which = if shown < all {
        format!("the first {shown} of {all} turns")
    } else {
        format!("all {all} turns")
    };
    let time = if end > 0.0 {
        format!("Time goes from left to right, from 0 to {}.", ms(end))
    } else {
        "No time passes; the handles stand in the order in which they ran.".to_owned()
    };
    format!(
        "<svg role=\"img\" viewBox=\"0 0 640 {height}\" font-size=\"12\" fill=\"currentColor\" \
         stroke=\"none\">\n<title>{}: {which}</title>\n<desc>{time} The first row is the loop asleep in \
         select, in dashed boxes; each other row is a task or the callbacks, with a solid block for each \
         handle that ran. A thin line marks the beginning of a turn.</desc>\n",
        escaped(&run.title),
    )
}

fn draw(svg: &mut String, block: &Block, x: impl Fn(f64) -> f64) {
    let (from, to) = (x(block.from), x(block.to));
    let (y, width) = (y_of(block.row) + 7.0, (to - from).max(2.5));
    let place = format!("x=\"{from:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"15\"");
    let name = escaped(&block.name);
    let shape = match (block.row, block.task) {
        (0, _) => format!(
            "<rect {place} fill=\"none\" stroke=\"var(--map-selector, currentColor)\" \
             stroke-dasharray=\"4 3\">"
        ),
        (_, Some(task)) => format!(
            "<rect class=\"task-{}\" {place} fill=\"var(--task, currentColor)\">",
            task % 8
        ),
        (_, None) => format!("<rect {place} fill=\"var(--map-quiet, currentColor)\">"),
    };
    let _ = writeln!(svg, "{shape}<title>{name}</title></rect>");
}

fn shortened(name: &str) -> String {
    const MOST: usize = 18;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}
