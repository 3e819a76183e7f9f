//! Axes: values to positions, and the ticks between them.

/// A linear or logarithmic axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    /// Positions of `low` and `high`.
    start: f64,
    end: f64,
}

/// Number of intervals between ticks that a linear axis has about.
const INTERVALS: f64 = 5.0;

impl Scale {
    /// Creates a linear axis from 0, or from the smallest value if it is negative, to a tick above the largest value.
    pub fn linear(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Scale {
        let (low, high) = range(values.chain([0.0]));
        let high = if high > low { high } else { low + 1.0 };
        let step = step(high - low);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale { is_log: false, low, high, start, end }
    }

    /// Creates a logarithmic axis between powers of ten, or their doubles and fives, around the positive values.
    pub fn log(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Scale {
        let (low, high) = range(values.filter(|value| *value > 0.0));
        let (low, high) = if low <= high { (low, high) } else { (1.0, 10.0) };
        let low = log_ticks(low / 10.0, low).last().copied().unwrap_or(low);
        let high = log_ticks(high, high * 10.0).first().copied().unwrap_or(high);
        let high = if high > low { high } else { low * 10.0 };
        Scale { is_log: true, low, high, start, end }
    }

    /// Returns the position of a value.
    pub fn position(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.start + share * (self.end - self.start)
    }

    /// Returns the ticks with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = if self.is_log { self.spread_log_ticks() } else { self.linear_ticks() };
        values.into_iter().map(|value| (value, label(value))).collect()
    }

    fn linear_ticks(&self) -> Vec<f64> {
        let step = step(self.high - self.low);
        let count = ((self.high - self.low) / step).round() as usize;
        (0..=count).map(|index| self.low + index as f64 * step).collect()
    }

    /// Returns 1, 2 and 5 times powers of ten, or powers only where the axis spans many.
    fn spread_log_ticks(&self) -> Vec<f64> {
        let mut ticks = log_ticks(self.low, self.high);
        if ticks.len() > 9 {
            ticks.retain(|tick| (tick.log10() - tick.log10().round()).abs() < 1e-9);
        }
        ticks
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Returns 1, 2, 2.5 or 5 times a power of ten: about a fifth of `length`.
fn step(length: f64) -> f64 {
    let power = 10f64.powf((length / INTERVALS).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| length / step <= INTERVALS + 0.5).unwrap_or(10.0 * power)
}

/// Returns 1, 2 and 5 times powers of ten from `low` to `high`.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let ticks = (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10f64.powi(power)));
    ticks.filter(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9)).collect()
}

/// Formats a value with the digits that a reader needs, and large ones with `k` or `M`.
pub fn label(value: f64) -> String {
    let short = |value: f64, unit: &str| format!("{}{unit}", trimmed(format!("{value:.1}")));
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 1e9 => short(value / 1e9, "G"),
        size if size >= 1e6 => short(value / 1e6, "M"),
        size if size >= 1e3 => short(value / 1e3, "k"),
        size if size >= 10.0 => trimmed(format!("{value:.1}")),
        size if size >= 0.01 => trimmed(format!("{value:.3}")),
        _ => format!("{value:.0e}"),
    }
}

fn trimmed(text: String) -> String {
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_axis_begins_at_zero_and_covers_the_values() {
        let scale = Scale::linear([0.31, 0.62].into_iter(), 100.0, 0.0);
        assert_eq!(labels(scale), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!((scale.position(0.0), scale.position(0.8), scale.position(0.4)), (100.0, 0.0, 50.0));
        assert_eq!(labels(Scale::linear([-0.1, 0.2].into_iter(), 0.0, 1.0))[0], "-0.1");
        assert_eq!(labels(Scale::linear([].into_iter(), 0.0, 1.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    }

    #[test]
    fn log_axis_has_ones_twos_and_fives() {
        let scale = Scale::log([0.03, 1.7, 0.0].into_iter(), 0.0, 100.0);
        assert_eq!(labels(scale), ["0.02", "0.05", "0.1", "0.2", "0.5", "1", "2"]);
        assert!((scale.position(0.2) - 50.0).abs() < 1e-9);
        let wide = Scale::log([3.0, 2e6].into_iter(), 0.0, 1.0);
        assert_eq!(labels(wide), ["10", "100", "1k", "10k", "100k", "1M"]);
        assert_eq!(labels(Scale::log([].into_iter(), 0.0, 1.0)).len(), 4);
        assert_eq!(labels(Scale::log([5.0].into_iter(), 0.0, 1.0)), ["5", "10", "20", "50"]);
    }
}
