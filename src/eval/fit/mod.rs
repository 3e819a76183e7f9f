//! The trainer of the additive ranking model.
//!
//! 1. [`Data`] joins the samples of feature files.
//! 2. The choice of training rows, and the piecewise linear basis that they are placed in.
//! 3. A convex objective with bounds for the shapes' directions, and its minimization. The model of the intent `explore`
//!    is a deviation from that of `locate`, because it has fewer tasks.
//! 4. [`validate()`] measures models on projects that they were not fitted on.
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
pub use measure::{LOSSES, Measures, Suite};
pub use objective::Prior;
pub use validate::{Change, CurvePoint, Line, SuiteReport, folds, learning_curve, validate};

use crate::model::Intent;
use crate::rank::additive::{RankingModel, Shape, Shapes};
use crate::training::Sample;
use basis::Basis;
use choice::Chosen;
use minimize::{Minimum, minimize};
use objective::{Objective, Rows};

/// Divisor of the fitted contributions, so that the scores have the range of a linear model with weights of about 0.2,
/// and the constant weights of `seeds/weights.toml` need not change with a new fit.
const SCALE: f64 = 6.0;
/// Rank of the candidate whose score becomes 0, in the median of the tasks: a pack of the default budget holds about 150
/// symbols.
const ZERO_RANK: usize = 200;
/// Minimum range of a shape, before scaling.
const MIN_RANGE: f64 = 0.02;
/// Decimals of the model.
const ROUNDING: f64 = 1e4;
/// Fits of a model that doubts labels: the first by the labels as they are, each next one by the targets of the last.
const ROUNDS: usize = 4;
/// Relative norm of the gradient at which a model is final.
const TOLERANCE: f64 = 1e-7;
/// The same for models that are only measured.
const TOLERANCE_MEASURED: f64 = 1e-5;

/// Features that `explore` does without: most say what a change touches, and with so few explore tasks each costs more
/// than it tells (tests/eval/EXPERIMENTS.md, entry 18).
const LOCATE_ONLY: [&str; 24] = [
    "authority",
    "best_sibling",
    "callable",
    "file_matches",
    "lexical_share",
    "lines",
    "name_rank",
    "owner_text",
    "past",
    "past_commits",
    "path_rarity",
    "path_rarity_share",
    "rank_in_file",
    "rank_in_type",
    "run",
    "scoped_overlap",
    "scoped_run",
    "signature",
    "special",
    "subject",
    "subject_coverage",
    "subject_rank",
    "uses",
    "walk",
];

/// Features that `locate` does without: what a change touches is as often internal (entry 28).
const EXPLORE_ONLY: [&str; 4] = ["cited", "documented", "interface", "public"];

/// Choices that experiments vary.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Features without a shape.
    pub without: Vec<String>,
    /// The prior of the model of `locate`.
    pub prior: Prior,
    /// The prior of the difference of `explore` from it.
    pub explore_prior: Prior,
    /// Features that the model of `explore` does without.
    pub explore_without: Vec<String>,
    /// Weight of the questions from documentation beside the development tasks.
    pub document_weight: f64,
    /// Doubt of labels by the models of locate and explore: 0 trusts every label, 1 doubts as much as the scores say.
    pub doubt: [f64; 2],
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            without: Vec::new(),
            prior: Prior { slope: 2.0, deviation: 50.0 },
            explore_prior: Prior { slope: 3.0, deviation: 75.0 },
            explore_without: LOCATE_ONLY.map(str::to_owned).to_vec(),
            document_weight: 1.0,
            doubt: [0.0, 0.5],
        }
    }
}

/// The rows of both intents, from which models are fitted.
pub struct Trainer<'a> {
    data: &'a Data,
    settings: Settings,
    locate: Stage,
    explore: Stage,
}

/// The shapes of an intent's features, and the rows of both intents in their basis.
struct Stage {
    basis: Basis,
    directions: Vec<Direction>,
    locate: Rows,
    explore: Rows,
}

impl Stage {
    fn new(data: &Data, without: &[String], document_weight: f64) -> Stage {
        let basis = Basis::new(data, without);
        let mut directions = vec![Direction::Free; basis.size];
        for column in &basis.columns {
            directions[column.start..column.start + column.knots.len()].fill(column.direction);
        }
        let locate = Rows::new(data, &basis, choice::locate_tasks(data));
        let explore = Rows::new(data, &basis, choice::explore_tasks(data, document_weight));
        Stage { basis, directions, locate, explore }
    }
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
    /// Of locate, of locate with the features of explore, and of explore.
    increments: [Vec<f64>; 3],
}

impl<'a> Trainer<'a> {
    /// Chooses the rows and places them in the basis of the features.
    ///
    /// # Errors
    /// When a feature to leave out is unknown.
    pub fn new(data: &'a Data, settings: Settings) -> Result<Trainer<'a>, DataError> {
        data.check_features(&settings.without)?;
        let of_explore: Vec<String> = settings.without.iter().chain(&settings.explore_without).cloned().collect();
        let of_locate: Vec<String> =
            (settings.without.iter().cloned()).chain(EXPLORE_ONLY.map(str::to_owned)).collect();
        let weight = settings.document_weight;
        let [locate, explore] = [&of_locate, &of_explore].map(|without| Stage::new(data, without, weight));
        Ok(Trainer { data, settings, locate, explore })
    }

    /// Returns the number of features with a shape.
    pub fn features(&self) -> usize {
        self.locate.basis.columns.len()
    }

    /// Fits the model of all tasks. Without explore tasks both intents have the same one.
    pub fn fit(&self) -> Fitted {
        let mut fitted = self.fit_tasks(None, TOLERANCE, |_| true);
        let RankingModel { locate, explore } = &mut fitted.model;
        for (shapes, intent) in [(&mut *locate, Intent::Locate), (&mut *explore, Intent::Explore)] {
            let [level] = levels(self.data, shapes, intent, [ZERO_RANK]);
            shapes.base = rounded(-level);
        }
        if fitted.tasks[1] == 0 {
            explore.base = locate.base;
        }
        fitted
    }

    /// Fits the tasks that `is_used` selects, from the increments of `start`. The base of the scores is 0.
    fn fit_tasks(&self, start: Option<&Fitted>, tolerance: f64, is_used: impl Fn(&Sample) -> bool) -> Fitted {
        let is_used = |task: &Chosen| is_used(&self.data.samples[task.sample]);
        let doubt = self.settings.doubt;
        let minimum = |stage: &Stage, rows: &Rows, prior: Prior, center: &[f64], start: &[f64], of: usize| {
            let mut objective = Objective::new(&stage.basis, rows, prior, center, is_used);
            if objective.tasks() == 0 {
                return (Minimum { point: center.to_vec(), steps: 0, residual: 0.0 }, 0);
            }
            let mut minimum = Minimum { point: start.to_vec(), steps: 0, residual: 0.0 };
            for round in 0..if doubt[of] > 0.0 { ROUNDS } else { 1 } {
                if round > 0 {
                    objective.targets = Some(rows.doubted(&stage.basis, &minimum.point, doubt[of]));
                }
                let function = |point: &[f64], gradient: &mut [f64]| objective.evaluate(point, gradient);
                minimum = minimize(&minimum.point, &stage.directions, tolerance, function);
            }
            (minimum, objective.tasks())
        };
        let Settings { prior, explore_prior, .. } = self.settings;
        let of_start = |fit: usize| start.map(|start| start.increments[fit].as_slice());
        let of_locate = |stage: &Stage, fit: usize| {
            let zeros = vec![0.0; stage.basis.size];
            minimum(stage, &stage.locate, prior, &zeros, of_start(fit).unwrap_or(&zeros), 0)
        };
        let (locate, locate_tasks) = of_locate(&self.locate, 0);
        let (common, _) = of_locate(&self.explore, 1);
        let (center, rows) = (&common.point, &self.explore.explore);
        let (explore, explore_tasks) =
            minimum(&self.explore, rows, explore_prior, center, of_start(2).unwrap_or(center), 1);
        Fitted {
            model: RankingModel {
                locate: shapes(&self.locate.basis, &locate.point),
                explore: shapes(&self.explore.basis, &explore.point),
            },
            tasks: [locate_tasks, explore_tasks],
            steps: [locate.steps, explore.steps],
            residuals: [locate.residual, explore.residual],
            increments: [locate.point, common.point, explore.point],
        }
    }

    /// Measures the scores of an intent's tasks.
    pub fn scale(&self, model: &RankingModel, intent: Intent) -> ScoreScale {
        let shapes = model.shapes(intent);
        let (mut all, mut negative, mut relevant, mut negative_relevant) = (0, 0, 0, 0);
        for sample in of_intent(self.data, intent) {
            for (score, label) in scores(self.data, shapes, sample).iter().zip(choice::labels(sample)) {
                let (is_negative, is_relevant) = (*score < 0.0, label > 0.0);
                all += 1;
                negative += usize::from(is_negative);
                relevant += usize::from(is_relevant);
                negative_relevant += usize::from(is_negative && is_relevant);
            }
        }
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        ScoreScale {
            levels: levels(self.data, shapes, intent, [1, 10, ZERO_RANK]),
            negative: share(negative, all),
            negative_relevant: share(negative_relevant, relevant),
            relevant_of_negative: share(negative_relevant, negative),
        }
    }
}

/// Returns the scaled and rounded shapes of these increments.
fn shapes(basis: &Basis, increments: &[f64]) -> Shapes {
    let values = basis.values(increments);
    let mut features = BTreeMap::new();
    for column in &basis.columns {
        let values = &values[column.start..column.start + column.knots.len()];
        let extreme = |better: fn(f64, f64) -> f64| values.iter().copied().fold(values[0], better);
        if extreme(f64::max) - extreme(f64::min) >= MIN_RANGE {
            let values = values.iter().map(|value| rounded(value / SCALE)).collect();
            features.insert(column.name.clone(), Shape { knots: column.knots.clone(), values });
        }
    }
    Shapes { base: 0.0, features }
}

/// The range of a model's scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreScale {
    /// Medians of the scores at ranks 1, 10 and 200.
    pub levels: [f64; 3],
    /// Share of the candidates with negative scores, which are not packed.
    pub negative: f64,
    /// The same of the relevant candidates.
    pub negative_relevant: f64,
    /// Share of the candidates with negative scores that are relevant.
    pub relevant_of_negative: f64,
}

fn of_intent(data: &Data, intent: Intent) -> impl Iterator<Item = &Sample> {
    data.samples.iter().filter(move |sample| sample.intent == intent && sample.candidates > 0)
}

/// Returns the medians of the scores at some ranks, from 1, of an intent's tasks. The last candidate counts for ranks
/// beyond it.
fn levels<const N: usize>(data: &Data, shapes: &Shapes, intent: Intent, ranks: [usize; N]) -> [f64; N] {
    let mut by_rank: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for sample in of_intent(data, intent) {
        let mut scores = scores(data, shapes, sample);
        scores.sort_by(|one, other| other.total_cmp(one));
        let at_ranks = ranks.iter().filter_map(|rank| scores.get(*rank - 1).or(scores.last()));
        by_rank.iter_mut().zip(at_ranks).for_each(|(levels, score)| levels.push(*score));
    }
    by_rank.map(|mut levels| {
        levels.sort_by(f64::total_cmp);
        levels.get(levels.len() / 2).copied().unwrap_or(0.0)
    })
}

fn rounded(value: f64) -> f64 {
    (value * ROUNDING).round() / ROUNDING
}

/// Returns the scores of a sample's candidates: those of the model, and the fixed parts.
fn scores(data: &Data, shapes: &Shapes, sample: &Sample) -> Vec<f64> {
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
