//! Numbers within a sentence.

use super::directive::{Place, Wrong};
use super::record::{Row, Side};
use super::{Measured, figures, no_row};

/// A median with its unit.
pub(super) fn figure(measured: &Measured, place: &Place) -> Result<String, Wrong> {
    let (row, side) = find(measured, place)?;
    let median = median(place, side)?;
    Ok(figures::in_words(median, &row.unit, row.counted))
}

/// How many times of `to` one `of` is; with its spread where that crosses 1.
pub(super) fn ratio(measured: &Measured, of: &Place, to: &Place) -> Result<String, Wrong> {
    let (row, side) = find(measured, of)?;
    let (base_row, base) = find(measured, to)?;
    if row.unit != base_row.unit {
        return Err(Wrong::new(
            format!("{of} is in {} and {to} in {}", row.unit, base_row.unit),
            "name two rows of one unit",
        ));
    }
    let whole = median(of, side)? / median(to, base)?;
    // Round by round where both have every round, so that drift cancels.
    let mut rounds: Vec<f64> = if side.samples.len() == base.samples.len() {
        side.samples
            .iter()
            .zip(&base.samples)
            .map(|(of, to)| of / to)
            .collect()
    } else {
        vec![whole]
    };
    rounds.retain(|ratio| ratio.is_finite());
    rounds.sort_by(f64::total_cmp);
    let [low, middle, high] = [1, 2, 3].map(|quarter| quantile(&rounds, quarter));
    if low <= 1.0 && 1.0 <= high && low < high {
        let [low, middle, high] = [low, middle, high].map(figures::times);
        return Ok(format!("{middle} ({low} to {high})"));
    }
    Ok(figures::times(middle))
}

/// The value below which so many quarters of the sorted values lie, between two if need be.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let (at, rest) = (last * quarters / 4, last * quarters % 4);
    let value = |at: usize| sorted.get(at.min(last)).copied().unwrap_or(f64::NAN);
    let share = [0.0, 0.25, 0.5, 0.75][rest];
    value(at) + (value(at + 1) - value(at)) * share
}

fn find<'a>(measured: &'a Measured, place: &Place) -> Result<(&'a Row, &'a Side), Wrong> {
    let record = measured.record(&place.chapter)?;
    let row = record.rows.iter().find(|row| row.id == place.row);
    let row = row.ok_or_else(|| no_row(record, &place.row))?;
    let side = row.side(&place.side).ok_or_else(|| {
        let known: Vec<String> = row.sides.iter().map(Side::name).collect();
        Wrong::new(
            format!("the row {} has no side `{}`", row.id, place.side),
            format!("write one of {}", known.join(", ")),
        )
    })?;
    Ok((row, side))
}

fn median(place: &Place, side: &Side) -> Result<f64, Wrong> {
    side.median.ok_or_else(|| {
        let why = side.missing.as_deref().unwrap_or("not measured");
        Wrong::new(
            format!("the record has no figure for {place}: {why}"),
            format!(
                "measure it again, or say it without; `cargo course measure {}`",
                place.chapter
            ),
        )
    })
}
