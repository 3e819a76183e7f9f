//! The trainer of the additive ranking model.
//!
//! 1. [`Data`] joins the samples of feature files.
//! 2. The choice of training rows, and the piecewise linear basis that they are placed in.
//! 3. A convex objective with bounds for the shapes' directions, and its minimization. The model of the intent `explore`
//!    is a deviation from that of `locate`, because it has few tasks.
//! 4. [`validate`] measures models on projects that they were not fitted on.
//!
//! Deterministic: the model depends neither on the order of files and threads nor on the machine.

mod basis;
mod choice;
mod data;
mod directions;
mod measure;
mod minimize;
mod objective;
mod validate;

use std::collections::BTreeMap;

pub use data::{Data, DataError};
pub use directions::{Direction, direction};
pub use measure::{Measures, Suite};
pub use validate::{Change, CurvePoint, Line, SuiteReport, folds, learning_curve, validate};

use crate::eval::training::Sample;
use crate::model::Intent;
use crate::rank::additive::{RankingModel, Shape, Shapes};
use basis::Basis;
use choice::Chosen;
use minimize::{Minimum, minimize};
use objective::{Objective, Rows};

/// Divisor of the fitted contributions, so that the scores have the range of a linear model with weights of about 0.2:
/// the weights of feedback and sessions keep their meaning.
const SCALE: f64 = 6.0;
/// Fitted score that becomes 0. Fewer than one in a thousand candidates below it is relevant.
const ZERO: f64 = 6.5;
/// Minimum range of a shape, before scaling.
const MIN_RANGE: f64 = 0.02;
/// Decimals of the model.
const ROUNDING: f64 = 1e4;
/// Relative norm of the gradient at which a model is final.
const TOLERANCE: f64 = 1e-7;
/// The same for models that are only measured.
const TOLERANCE_MEASURED: f64 = 1e-5;

/// The rows of both intents, from which models are fitted.
pub struct Trainer<'a> {
    data: &'a Data,
    basis: Basis,
    directions: Vec<Direction>,
    locate: Rows,
    explore: Rows,
}

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub model: RankingModel,
    /// Number of tasks by intent, locate first.
    pub tasks: [usize; 2],
    /// Number of steps of the minimization.
    pub steps: [usize; 2],
    /// Relative norm of the gradient.
    pub residuals: [f64; 2],
    increments: [Vec<f64>; 2],
}

impl<'a> Trainer<'a> {
    /// Chooses the rows and places them in the basis of all features but those of `without`.
    ///
    /// # Errors
    /// When a name in `without` is unknown.
    pub fn new(data: &'a Data, without: &[String]) -> Result<Trainer<'a>, DataError> {
        data.check_features(without)?;
        let basis = Basis::new(data, without);
        let mut directions = vec![Direction::Free; basis.size];
        for column in &basis.columns {
            directions[column.start..column.start + column.knots.len()].fill(column.direction);
        }
        let locate = Rows::new(data, &basis, choice::locate_tasks(data));
        let explore = Rows::new(data, &basis, choice::explore_tasks(data));
        Ok(Trainer { data, basis, directions, locate, explore })
    }

    /// Returns the number of features with a shape.
    pub fn features(&self) -> usize {
        self.basis.columns.len()
    }

    /// Fits the model of all tasks.
    pub fn fit(&self) -> Fitted {
        self.fit_tasks(None, TOLERANCE, |_| true)
    }

    /// Fits the tasks that `is_used` selects, from the increments of `start`.
    fn fit_tasks(&self, start: Option<&Fitted>, tolerance: f64, is_used: impl Fn(&Sample) -> bool) -> Fitted {
        let zeros = vec![0.0; self.basis.size];
        let is_used = |task: &Chosen| is_used(&self.data.samples[task.sample]);
        let minimum = |rows: &Rows, center: &[f64], start: &[f64]| -> (Minimum, usize) {
            let objective = Objective::new(&self.basis, rows, center, is_used);
            match objective.tasks() {
                0 => (Minimum { point: center.to_vec(), steps: 0, residual: 0.0 }, 0),
                count => {
                    let function = |point: &[f64], gradient: &mut [f64]| objective.evaluate(point, gradient);
                    (minimize(start, &self.directions, tolerance, function), count)
                }
            }
        };
        let (locate, locate_tasks) = minimum(&self.locate, &zeros, start.map_or(&zeros, |start| &start.increments[0]));
        let start = start.map_or(&locate.point, |start| &start.increments[1]);
        let (explore, explore_tasks) = minimum(&self.explore, &locate.point, start);
        Fitted {
            model: RankingModel { locate: self.shapes(&locate.point), explore: self.shapes(&explore.point) },
            tasks: [locate_tasks, explore_tasks],
            steps: [locate.steps, explore.steps],
            residuals: [locate.residual, explore.residual],
            increments: [locate.point, explore.point],
        }
    }

    /// Returns the scaled and rounded shapes of these increments.
    fn shapes(&self, increments: &[f64]) -> Shapes {
        let values = self.basis.values(increments);
        let mut features = BTreeMap::new();
        for column in &self.basis.columns {
            let values = &values[column.start..column.start + column.knots.len()];
            let extreme = |better: fn(f64, f64) -> f64| values.iter().copied().fold(values[0], better);
            if extreme(f64::max) - extreme(f64::min) >= MIN_RANGE {
                let values = values.iter().map(|value| rounded(value / SCALE)).collect();
                features.insert(column.name.clone(), Shape { knots: column.knots.clone(), values });
            }
        }
        Shapes { base: rounded(-ZERO / SCALE), features }
    }

    /// Returns the medians of the fitted scores at ranks 1, 10 and 100 of an intent's tasks, before scaling.
    pub fn levels(&self, model: &RankingModel, intent: Intent) -> [f64; 3] {
        let of_intent = self.data.samples.iter().filter(|sample| sample.intent == intent && sample.candidates >= 100);
        let mut by_task: Vec<[f64; 3]> = of_intent
            .map(|sample| {
                let mut scores = scores(self.data, model, sample);
                scores.sort_by(|one, other| other.total_cmp(one));
                [0, 9, 99].map(|rank| scores[rank] * SCALE + ZERO)
            })
            .collect();
        std::array::from_fn(|rank| {
            by_task.sort_by(|one, other| one[rank].total_cmp(&other[rank]));
            by_task.get(by_task.len() / 2).map_or(0.0, |levels| levels[rank])
        })
    }
}

fn rounded(value: f64) -> f64 {
    (value * ROUNDING).round() / ROUNDING
}

/// Returns the scores of a sample's candidates: those of the model, and the fixed parts.
fn scores(data: &Data, model: &RankingModel, sample: &Sample) -> Vec<f64> {
    let shapes = model.shapes(sample.intent);
    let mut scores: Vec<f64> = sample.fixed.iter().map(|fixed| shapes.base + fixed).collect();
    for (feature, name) in data.features.iter().enumerate() {
        if let Some(shape) = shapes.features.get(name) {
            let values = scores.iter_mut().zip(sample.column(feature));
            values.for_each(|(score, value)| *score += shape.at(f64::from(*value)));
        }
    }
    scores
}

#[cfg(test)]
mod tests;
