//! The additive ranking model: the contribution of a feature is a piecewise linear function of its value, its shape, and
//! a score is the sum of the contributions (a generalized additive model; Hastie and Tibshirani, 1990).
//!
//! `seeds/ranking.toml` has a model for each intent. `knowing-eval fit` makes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::model::Intent;

/// The contribution of one feature by its value: linear between the knots, constant outside.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Values of the feature, ascending.
    pub knots: Vec<f64>,
    /// The contribution at each knot.
    pub values: Vec<f64>,
}

/// The model of one intent.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// Added to every score, so that 0 separates what may be relevant from what hardly is.
    pub base: f64,
    /// Shapes by the names of their features.
    pub features: BTreeMap<String, Shape>,
}

/// The fitted models.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankingModel {
    pub locate: Shapes,
    pub explore: Shapes,
}

/// An invalid model file.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error(transparent)]
    Syntax(#[from] toml::de::Error),
    #[error("the shape of `{feature}` needs at least one knot, a value for each, and knots in ascending order")]
    Shape { feature: String },
}

impl Shape {
    /// Returns the contribution of a value. Logarithmic in the number of knots.
    pub fn at(&self, value: f64) -> f64 {
        let next = self.knots.partition_point(|knot| *knot <= value);
        let [Some(last), Some(after)] = [next.checked_sub(1), Some(next).filter(|next| *next < self.knots.len())]
        else {
            return if next == 0 { self.values[0] } else { self.values[next - 1] };
        };
        let share = (value - self.knots[last]) / (self.knots[after] - self.knots[last]);
        self.values[last] + share * (self.values[after] - self.values[last])
    }

    fn is_valid(&self) -> bool {
        let ascends = self.knots.windows(2).all(|pair| pair[0] < pair[1]);
        !self.knots.is_empty() && self.knots.len() == self.values.len() && ascends
    }
}

impl RankingModel {
    /// Parses a model file.
    ///
    /// # Errors
    /// When the text is not TOML of this form, or a shape's knots and values don't match.
    pub fn parse(text: &str) -> Result<RankingModel, ModelError> {
        let model: RankingModel = toml::from_str(text)?;
        let shapes = model.locate.features.iter().chain(&model.explore.features);
        match shapes.into_iter().find(|(_, shape)| !shape.is_valid()) {
            Some((feature, _)) => Err(ModelError::Shape { feature: feature.clone() }),
            None => Ok(model),
        }
    }

    /// Returns the embedded model.
    ///
    /// # Panics
    /// When the embedded file is invalid; a test parses it.
    pub fn embedded() -> &'static RankingModel {
        static MODEL: LazyLock<RankingModel> = LazyLock::new(|| {
            RankingModel::parse(include_str!("../../../seeds/ranking.toml"))
                .expect("the embedded model is valid: a test parses it")
        });
        &MODEL
    }

    /// Returns the model of an intent.
    pub fn shapes(&self, intent: Intent) -> &Shapes {
        match intent {
            Intent::Locate => &self.locate,
            Intent::Explore => &self.explore,
        }
    }

    /// Returns the model as the text of a file that [`RankingModel::parse`] reads, after the comment `header`. Numbers
    /// are rounded to four decimals.
    pub fn to_toml(&self, header: &str) -> String {
        let mut text = String::new();
        header.lines().for_each(|line| text.push_str(&format!("# {line}\n")));
        for (name, shapes) in [("locate", &self.locate), ("explore", &self.explore)] {
            let _ = write!(text, "\n[{name}]\nbase = {}\n\n[{name}.features]\n", number(shapes.base));
            for (feature, shape) in &shapes.features {
                let [knots, values] = [&shape.knots, &shape.values].map(|list| numbers(list));
                let _ = writeln!(text, "{feature} = {{ knots = [{knots}], values = [{values}] }}");
            }
        }
        text
    }
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<String>>().join(", ")
}

/// Returns a number with at most four decimals, and at least one.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let short = text.trim_end_matches('0');
    let padded = if short.ends_with('.') { format!("{short}0") } else { short.to_owned() };
    if padded == "-0.0" { "0.0".to_owned() } else { padded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(knots: &[f64], values: &[f64]) -> Shape {
        Shape { knots: knots.to_vec(), values: values.to_vec() }
    }

    #[test]
    fn shapes_are_linear_between_knots_and_constant_outside() {
        let bent = shape(&[0.0, 0.5, 1.0], &[0.0, 1.0, 0.5]);
        assert_eq!(
            [-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 7.0].map(|value| bent.at(value)),
            [0.0, 0.0, 0.5, 1.0, 0.75, 0.5, 0.5]
        );
        assert_eq!(shape(&[0.3], &[2.0]).at(0.9), 2.0);
    }

    #[test]
    fn a_file_that_was_written_is_read_back() {
        let shapes = Shapes {
            base: -1.25,
            features: BTreeMap::from([("lexical".to_owned(), shape(&[0.0, 1.0], &[0.0, 0.1234]))]),
        };
        let model = RankingModel { locate: shapes.clone(), explore: shapes };
        assert_eq!(RankingModel::parse(&model.to_toml("Made by a test.")).unwrap(), model);
    }

    #[test]
    fn an_invalid_shape_is_refused_by_name() {
        let text = "[locate]\nbase = 0.0\n[locate.features]\nname = { knots = [1.0, 0.0], values = [0.0, 1.0] }\n\
                    [explore]\nbase = 0.0\n[explore.features]\n";
        assert!(RankingModel::parse(text).unwrap_err().to_string().contains("`name`"));
    }

    #[test]
    fn the_embedded_model_is_valid() {
        assert!(!RankingModel::embedded().locate.features.is_empty());
    }
}
