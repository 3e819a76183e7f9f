//! Numbers as text.

use super::scale::label;
use crate::cross::statistics::Estimate;

/// Formats a mean with its interval.
pub fn interval(estimate: Estimate) -> String {
    format!("{:.3} [{:.3} {:.3}]", estimate.mean, estimate.low, estimate.high)
}

/// Formats three digits with a sign. Zero is `+0.000`.
pub fn signed(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3;
    format!("{:+.3}", rounded + 0.0).replace('-', "−")
}

/// Formats a difference with its interval.
pub fn signed_interval(estimate: Estimate) -> String {
    format!("{} [{} {}]", signed(estimate.mean), signed(estimate.low), signed(estimate.high))
}

/// Formats a p-value: three digits, or a power of ten below.
pub fn p_value(p: f64) -> String {
    match p {
        p if p >= 0.001 => format!("{p:.3}"),
        p if p > 0.0 => format!("{p:.0e}"),
        _ => "0".to_owned(),
    }
}

/// Formats a positive number with about three digits.
pub fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 0.001 => format!("{value:.3}"),
        value => label(value),
    }
}

/// Formats a size in units of 1024 bytes.
pub fn bytes(size: u64) -> String {
    let size = size as f64 / 1024.0;
    match size {
        size if size >= 1024.0 * 1024.0 => format!("{:.2} GiB", size / 1024.0 / 1024.0),
        size if size >= 1024.0 => format!("{:.1} MiB", size / 1024.0),
        _ => format!("{size:.0} KiB"),
    }
}

/// Formats a share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_matter() {
        assert_eq!(
            (signed(-0.0801), signed(-0.0001), signed(0.5)),
            ("−0.080".into(), "+0.000".into(), "+0.500".into())
        );
        assert_eq!([0.04, 0.0004, 3.2e-12, 0.0].map(p_value), ["0.040", "4e-4", "3e-12", "0"]);
        assert_eq!([131.4, 13.14, 0.131, 0.0].map(number), ["131", "13.1", "0.131", "0"]);
        assert_eq!([900, 5 << 20, 3 << 30].map(bytes), ["1 KiB", "5.0 MiB", "3.00 GiB"]);
        assert_eq!(percent(0.1234), "12.3%");
    }
}
