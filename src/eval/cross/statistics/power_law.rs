//! Growth with size: a power law fitted by least squares on logarithms.

use serde::Serialize;

use super::mean;

/// `y = factor · x^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerLaw {
    pub exponent: f64,
    pub factor: f64,
    /// Share of the variance of log y that the law explains.
    pub r_squared: f64,
    pub points: usize,
}

/// Smallest number of sizes that an exponent is fitted to: two have no residual.
const MIN_POINTS: usize = 3;

/// Fits a power law to points with positive coordinates; others are left out. `None` with fewer than three sizes.
pub fn power_law(points: &[(f64, f64)]) -> Option<PowerLaw> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let (xs, ys): (Vec<f64>, Vec<f64>) = logs.iter().copied().unzip();
    let mut sizes = xs.clone();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    if sizes.len() < MIN_POINTS {
        return None;
    }
    let (mean_x, mean_y) = (mean(&xs), mean(&ys));
    let sum = |term: &dyn Fn(f64, f64) -> f64| logs.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    let exponent = xy / xx;
    let r_squared = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    Some(PowerLaw { exponent, factor: (mean_y - exponent * mean_x).exp(), r_squared, points: logs.len() })
}
