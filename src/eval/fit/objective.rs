//! The objective: the listwise softmax loss (ListNet; Cao et al., 2007) and a quadratic prior. Convex.
//!
//! The loss of a task is the cross-entropy between the softmax of its candidates' scores and their shares of the
//! relevance. The prior of a shape is that of `slope * width + deviation` for each increment, so that a shape is
//! straight unless the data contradict it. Sums have a fixed order, and the exponential is that of `libm`, so that the
//! result has the same bits on every machine.

use super::basis::{Basis, Position};
use super::choice::Chosen;
use super::data::Data;

/// Precisions of the prior of a shape's increments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    pub slope: f64,
    /// The deviations of the increments from the slope.
    pub deviation: f64,
}

/// The training rows of an intent.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    pub tasks: Vec<Chosen>,
    /// The rows' positions, one row after the other.
    positions: Vec<Position>,
    /// For each task, the start of its first row in `positions`, and the end of each row.
    ranges: Vec<(usize, Vec<usize>)>,
}

impl Rows {
    /// Places the chosen candidates in the basis.
    pub fn new(data: &Data, basis: &Basis, tasks: Vec<Chosen>) -> Rows {
        let mut positions = Vec::new();
        let mut ranges = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let (sample, start) = (&data.samples[task.sample], positions.len());
            let rows = task.candidates.iter().map(|candidate| {
                positions.extend(basis.positions(|feature| sample.column(feature)[*candidate]));
                positions.len()
            });
            ranges.push((start, rows.collect()));
        }
        Rows { tasks, positions, ranges }
    }

    /// Returns the targets of a model that doubts labels: each is multiplied by the odds of its candidate in the model of
    /// `increments`, to the power of `doubt`, and those of a task sum to 1 again.
    pub fn doubted(&self, basis: &Basis, increments: &[f64], doubt: f64) -> Vec<Vec<f64>> {
        let values = basis.values(increments);
        let of_task = |(index, task): (usize, &Chosen)| {
            let scores: Vec<f64> = self.rows(index).map(|row| score(row, &values)).collect();
            let relevant = scores.iter().zip(&task.targets).filter(|(_, target)| **target > 0.0);
            let largest = relevant.map(|(score, _)| *score).fold(f64::NEG_INFINITY, f64::max);
            let odds = |(score, target): (&f64, &f64)| match *target > 0.0 {
                true => target * libm::exp(doubt * (score - largest)),
                false => 0.0,
            };
            let targets: Vec<f64> = scores.iter().zip(&task.targets).map(odds).collect();
            let sum: f64 = targets.iter().sum();
            targets.into_iter().map(|target| target / sum).collect()
        };
        self.tasks.iter().enumerate().map(of_task).collect()
    }

    /// Returns a task's rows.
    fn rows(&self, task: usize) -> impl Iterator<Item = &[Position]> {
        let (mut start, ends) = (self.ranges[task].0, &self.ranges[task].1);
        ends.iter().map(move |end| &self.positions[std::mem::replace(&mut start, *end)..*end])
    }
}

/// The objective over some of the tasks.
pub struct Objective<'a> {
    basis: &'a Basis,
    rows: &'a Rows,
    /// Indexes of the tasks with their weights, which sum to 1.
    tasks: Vec<(usize, f64)>,
    /// The increments that the prior expects.
    center: &'a [f64],
    prior: Prior,
    /// The targets of each task in place of those that were chosen.
    pub targets: Option<Vec<Vec<f64>>>,
    blocks: Vec<Block>,
}

/// The inverse covariance of a shape's increments: a multiple of the identity minus a matrix of rank one.
struct Block {
    start: usize,
    widths: Vec<f64>,
    shrinkage: f64,
}

impl<'a> Objective<'a> {
    /// Creates the objective over the tasks that `is_used` selects.
    pub fn new(
        basis: &'a Basis,
        rows: &'a Rows,
        prior: Prior,
        center: &'a [f64],
        is_used: impl Fn(&Chosen) -> bool,
    ) -> Objective<'a> {
        let used = rows.tasks.iter().enumerate().filter(|(_, task)| is_used(task));
        let mut tasks: Vec<(usize, f64)> = used.map(|(index, task)| (index, task.weight)).collect();
        let sum: f64 = tasks.iter().map(|(_, weight)| weight).sum();
        tasks.iter_mut().for_each(|(_, weight)| *weight /= sum);
        let blocks = basis.columns.iter().map(|column| {
            let range = column.knots[column.knots.len() - 1] - column.knots[0];
            let widths: Vec<f64> = column.knots.windows(2).map(|pair| (pair[1] - pair[0]) / range).collect();
            let squares: f64 = widths.iter().map(|width| width * width).sum();
            // By the formula of Sherman and Morrison.
            let shrinkage = prior.deviation / (prior.slope / prior.deviation + squares);
            Block { start: column.start + 1, widths, shrinkage }
        });
        let blocks = blocks.collect();
        Objective { basis, rows, tasks, center, prior, targets: None, blocks }
    }

    /// Returns the number of tasks.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the value at `increments` and writes the gradient to `gradient`.
    pub fn evaluate(&self, increments: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let values = self.basis.values(increments);
        let mut loss = 0.0;
        for (task, weight) in &self.tasks {
            loss += weight * self.task_loss(*task, *weight, &values, gradient);
        }
        self.basis.by_increments(gradient);
        loss + self.penalty(increments, gradient)
    }

    /// Returns the loss of a task and adds its weighted gradient by the shapes' values.
    fn task_loss(&self, task: usize, weight: f64, values: &[f64], gradient: &mut [f64]) -> f64 {
        let Chosen { corrections, targets, .. } = &self.rows.tasks[task];
        let targets = self.targets.as_ref().map_or(targets, |all| &all[task]);
        let scores: Vec<f64> =
            self.rows.rows(task).zip(corrections).map(|(row, correction)| score(row, values) + correction).collect();
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let exponentials: Vec<f64> = scores.iter().map(|score| libm::exp(score - largest)).collect();
        let sum: f64 = exponentials.iter().sum();
        let expected: f64 = targets.iter().zip(&scores).map(|(target, score)| target * score).sum();
        for ((row, exponential), target) in self.rows.rows(task).zip(&exponentials).zip(targets) {
            let slope = weight * (exponential / sum - target);
            for (left, share) in row {
                let left = *left as usize;
                gradient[left] += slope * (1.0 - share);
                gradient[left + 1] += slope * share;
            }
        }
        largest + libm::log(sum) - expected
    }

    /// Returns the penalty of the prior and adds its gradient.
    fn penalty(&self, increments: &[f64], gradient: &mut [f64]) -> f64 {
        let count = self.tasks.len() as f64;
        let mut penalty = 0.0;
        for Block { start, widths, shrinkage } in &self.blocks {
            let range = *start..start + widths.len();
            let differences: Vec<f64> = increments[range.clone()]
                .iter()
                .zip(&self.center[range.clone()])
                .map(|(one, center)| one - center)
                .collect();
            let along: f64 = differences.iter().zip(widths).map(|(difference, width)| difference * width).sum();
            for ((slope, difference), width) in gradient[range].iter_mut().zip(&differences).zip(widths) {
                let by_increment = self.prior.deviation * difference - shrinkage * along * width;
                penalty += 0.5 * difference * by_increment / count;
                *slope += by_increment / count;
            }
        }
        penalty
    }
}

/// Returns the sum of the shapes at a row's positions.
fn score(row: &[Position], values: &[f64]) -> f64 {
    let at = |(left, share): &Position| {
        let left = *left as usize;
        values[left] + share * (values[left + 1] - values[left])
    };
    row.iter().map(at).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::choice::locate_tasks;
    use crate::fit::tests::random_data;

    const PRIOR: Prior = Prior { slope: 2.0, deviation: 50.0 };

    #[test]
    fn gradient_matches_finite_differences() {
        let data = random_data(12);
        let basis = Basis::new(&data, &[]);
        let rows = Rows::new(&data, &basis, locate_tasks(&data));
        let center: Vec<f64> = (0..basis.size).map(|index| 0.1 * (index % 3) as f64).collect();
        let objective = Objective::new(&basis, &rows, PRIOR, &center, |_| true);
        let point: Vec<f64> = (0..basis.size).map(|index| 0.3 * ((index * 7 % 5) as f64 - 2.0)).collect();
        let point: Vec<f64> = {
            let mut free = vec![0.0; basis.size];
            basis.columns.iter().for_each(|column| {
                let range = column.start + 1..column.start + column.knots.len();
                free[range.clone()].copy_from_slice(&point[range]);
            });
            free
        };
        let (mut gradient, mut ignored) = (vec![0.0; basis.size], vec![0.0; basis.size]);
        objective.evaluate(&point, &mut gradient);
        for column in &basis.columns {
            assert_eq!(gradient[column.start], 0.0);
            for index in column.start + 1..column.start + column.knots.len() {
                let mut moved = |step: f64| {
                    let mut moved = point.clone();
                    moved[index] += step;
                    objective.evaluate(&moved, &mut ignored)
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((difference - gradient[index]).abs() < 1e-8, "{index}: {difference} {}", gradient[index]);
            }
        }
    }

    #[test]
    fn prior_is_the_inverse_of_its_covariance() {
        let data = random_data(4);
        let basis = Basis::new(&data, &[]);
        let rows = Rows::new(&data, &basis, locate_tasks(&data));
        let center = vec![0.0; basis.size];
        let objective = Objective::new(&basis, &rows, PRIOR, &center, |_| true);
        for block in &objective.blocks {
            let count = block.widths.len();
            // Covariance times inverse covariance is the identity.
            for column in 0..count {
                let inverse = |row: usize| {
                    let own = if row == column { PRIOR.deviation } else { 0.0 };
                    own - block.shrinkage * block.widths[row] * block.widths[column]
                };
                let along: f64 = (0..count).map(|row| block.widths[row] * inverse(row)).sum();
                for row in 0..count {
                    let product = block.widths[row] * along / PRIOR.slope + inverse(row) / PRIOR.deviation;
                    let identity = if row == column { 1.0 } else { 0.0 };
                    assert!((product - identity).abs() < 1e-9);
                }
            }
        }
    }
}
