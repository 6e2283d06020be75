//! A few samples, summed up.

use serde::{Deserialize, Serialize};

/// The value below which the share `q` of the samples lies, between two of them if need be.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into a few samples"
)]
pub(crate) fn quantile(samples: &[f64], q: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = q * (sorted.len().saturating_sub(1)) as f64;
    let value = |at: f64| sorted.get(at as usize).copied().unwrap_or(f64::NAN);
    let (low, high) = (value(at.floor()), value(at.ceil()));
    low + (high - low) * at.fract()
}

pub(crate) fn median(samples: &[f64]) -> f64 {
    quantile(samples, 0.5)
}

/// The median of the distances from the median.
pub(crate) fn mad(samples: &[f64]) -> f64 {
    let middle = median(samples);
    let distances: Vec<f64> = samples
        .iter()
        .map(|sample| (sample - middle).abs())
        .collect();
    median(&distances)
}

/// The middle of some values and their quartiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// None of no values.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        (!values.is_empty()).then(|| Self {
            median: median(values),
            low: quantile(values, 0.25),
            high: quantile(values, 0.75),
        })
    }
}

/// How values lie that a run is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Distribution {
    pub(crate) n: usize,
    pub(crate) min: f64,
    pub(crate) p10: f64,
    pub(crate) p25: f64,
    pub(crate) p50: f64,
    pub(crate) p75: f64,
    pub(crate) p90: f64,
    pub(crate) max: f64,
}

impl Distribution {
    /// None of no values.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let at = |q| rounded(quantile(values, q));
        (!values.is_empty()).then(|| Self {
            n: values.len(),
            min: at(0.0),
            p10: at(0.1),
            p25: at(0.25),
            p50: at(0.5),
            p75: at(0.75),
            p90: at(0.9),
            max: at(1.0),
        })
    }
}

/// Four digits that count: more would be noise, and a longer file.
pub(crate) fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let digits = 3.0 - value.abs().log10().floor();
    if digits < 0.0 {
        let scale = 10_f64.powf(-digits);
        (value / scale).round() * scale
    } else {
        let scale = 10_f64.powf(digits);
        (value * scale).round() / scale
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "exact by construction")]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_samples() {
        let samples = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&samples), 2.5);
        assert_eq!(quantile(&samples, 0.0), 1.0);
        assert_eq!(quantile(&samples, 1.0), 4.0);
        assert_eq!(quantile(&samples, 0.25), 1.75);
        assert_eq!(mad(&samples), 1.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert!(Spread::of(&[]).is_none() && Distribution::of(&[]).is_none());
    }

    #[test]
    fn four_digits_are_kept() {
        assert_eq!(rounded(1.234_56), 1.235);
        assert_eq!(rounded(0.000_123_456), 0.000_123_5);
        assert_eq!(rounded(123_456.0), 123_500.0);
        assert_eq!(rounded(5_000.0), 5_000.0);
        assert_eq!(rounded(0.0), 0.0);
    }
}
