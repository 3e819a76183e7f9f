//! The piecewise linear basis: the knots of each feature, and training rows as sparse combinations of the shapes' values
//! at the knots.

use super::data::{Data, seed};
use super::directions::{Direction, direction};
use crate::random::SplitMix64;

/// Candidates of each task whose values the knots are quantiles of.
const POOLED: usize = 40;
/// Quantiles of the nonzero values that are knots, beside 0, the smallest and the largest.
const QUANTILES: [f64; 5] = [0.2, 0.5, 0.75, 0.9, 0.98];
/// Decimals of a knot.
const SCALE: f64 = 1e4;

/// A feature with a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// Index of the feature in the samples.
    pub feature: usize,
    /// At least two, ascending.
    pub knots: Vec<f64>,
    pub direction: Direction,
    /// Index of the shape's first value among the values of all shapes.
    pub start: usize,
}

/// The shapes' knots. A parameter vector has the shapes' values at their knots as increments: the first of each shape is
/// 0, since softmax does not depend on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    pub columns: Vec<Column>,
    /// Number of parameters.
    pub size: usize,
}

/// A row's position between two knots of one feature: the index of the left one, and the share of the right one.
pub type Position = (u32, f64);

impl Basis {
    /// Places the knots. Features without variation, and those in `without`, have none.
    pub fn new(data: &Data, without: &[String]) -> Basis {
        let pooled: Vec<(usize, Vec<usize>)> = (data.samples.iter().enumerate())
            .map(|(index, sample)| {
                let all = (0..sample.candidates).collect();
                (index, SplitMix64(!seed(sample)).choose(all, POOLED))
            })
            .collect();
        let mut basis = Basis { columns: Vec::new(), size: 0 };
        for (feature, name) in data.features.iter().enumerate().filter(|(_, name)| !without.contains(name)) {
            let values = pooled.iter().flat_map(|(index, candidates)| {
                let column = data.samples[*index].column(feature);
                candidates.iter().map(|candidate| f64::from(column[*candidate]))
            });
            if let Some(knots) = knots(values.collect()) {
                let (start, direction) = (basis.size, direction(name));
                basis.size += knots.len();
                basis.columns.push(Column { name: name.clone(), feature, knots, direction, start });
            }
        }
        basis
    }

    /// Returns the positions of one candidate. Features at their first knot are left out, because their shapes are 0.
    pub fn positions<'a>(&'a self, value: impl Fn(usize) -> f32 + 'a) -> impl Iterator<Item = Position> + 'a {
        self.columns.iter().filter_map(move |column| {
            let value = f64::from(value(column.feature));
            let knots = &column.knots;
            let right = knots.partition_point(|knot| *knot < value).min(knots.len() - 1);
            let left = right.checked_sub(1)?;
            let share = ((value - knots[left]) / (knots[right] - knots[left])).clamp(0.0, 1.0);
            Some(((column.start + left) as u32, share))
        })
    }

    /// Returns the values at the knots: the sums of the increments.
    pub fn values(&self, increments: &[f64]) -> Vec<f64> {
        let mut values = increments.to_vec();
        for column in &self.columns {
            for index in column.start + 1..column.start + column.knots.len() {
                values[index] += values[index - 1];
            }
        }
        values
    }

    /// Turns a gradient by the values into one by the increments, in place. The first increment of a shape is constant.
    pub fn by_increments(&self, gradient: &mut [f64]) {
        for column in &self.columns {
            for index in (column.start + 1..column.start + column.knots.len() - 1).rev() {
                gradient[index] += gradient[index + 1];
            }
            gradient[column.start] = 0.0;
        }
    }
}

/// Returns the knots of a feature with these values; `None` if they don't vary.
fn knots(values: Vec<f64>) -> Option<Vec<f64>> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| *value != 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    let (smallest, largest) = (*sorted.first()?, *sorted.last()?);
    let has_zero = sorted.len() < values.len();
    let quantile = |share: f64| {
        let position = (sorted.len() - 1) as f64 * share;
        let (index, rest) = (position.floor() as usize, position.fract());
        let next = sorted[(index + 1).min(sorted.len() - 1)];
        sorted[index] + rest * (next - sorted[index])
    };
    let mut knots: Vec<f64> = QUANTILES.iter().map(|share| quantile(*share)).collect();
    knots.extend([smallest, largest]);
    if has_zero || smallest > 0.0 {
        knots.push(0.0);
    }
    // The addition turns -0 into 0.
    knots.iter_mut().for_each(|knot| *knot = (*knot * SCALE).round() / SCALE + 0.0);
    knots.sort_by(f64::total_cmp);
    knots.dedup_by(|next, last| *next - *last < 1.5 / SCALE);
    let varies = has_zero || smallest < largest;
    (varies && knots.len() > 1).then_some(knots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(start: usize, knots: &[f64]) -> Column {
        let direction = Direction::Free;
        Column { name: format!("f{start}"), feature: start, knots: knots.to_vec(), direction, start }
    }

    #[test]
    fn knots_are_zero_extremes_and_quantiles() {
        let values = (0..=100).map(|value| f64::from(value) / 100.0).chain([0.0; 50]).collect();
        // The quantiles are those of 0.01 to 1.
        assert_eq!(knots(values).unwrap(), [0.0, 0.01, 0.208, 0.505, 0.7525, 0.901, 0.9802, 1.0]);
        assert_eq!(knots(vec![0.0, 1.0, 1.0]).unwrap(), [0.0, 1.0]);
        assert_eq!(knots(vec![-1.0, 0.0, 0.0]).unwrap(), [-1.0, 0.0]);
        for constant in [vec![], vec![0.0; 3], vec![1.0; 3], vec![0.00001, 0.0]] {
            assert_eq!(knots(constant), None);
        }
    }

    #[test]
    fn positions_interpolate_between_knots() {
        let basis = Basis { columns: vec![column(0, &[0.0, 0.5, 1.0]), column(3, &[-1.0, 1.0])], size: 5 };
        let values = basis.values(&[0.0, 1.0, 2.0, 0.0, 4.0]);
        assert_eq!(values, [0.0, 1.0, 3.0, 0.0, 4.0]);
        let at = |first: f32, second: f32| -> f64 {
            let positions = basis.positions(|feature| if feature == 0 { first } else { second });
            positions
                .map(|(left, share)| {
                    let left = left as usize;
                    values[left] * (1.0 - share) + values[left + 1] * share
                })
                .sum()
        };
        assert_eq!([at(0.0, -1.0), at(0.25, -1.0), at(0.75, -2.0), at(7.0, 0.0)], [0.0, 0.5, 2.0, 5.0]);
        let mut gradient = vec![9.0, 1.0, 2.0, 9.0, 3.0];
        basis.by_increments(&mut gradient);
        assert_eq!(gradient, [0.0, 3.0, 2.0, 0.0, 3.0]);
    }
}
