//! A score as a sum of named components: built together with its explanation, never explained after the fact.

use crate::model::Component;

/// A component before it is weighed: its name, weight, and value.
pub type Part = (&'static str, f64, f64);

/// Sums the parts. When `test_factor` is given, one more component takes what the `found` parts give down to that share of
/// itself, so that the components still sum to the score; what users `taught` counts in full. Parts of value zero stay: a
/// reader sees what a symbol lacks.
pub fn score(found: &[Part], taught: &[Part], test_factor: Option<f64>) -> (f64, Vec<Component>) {
    let component = |&(name, weight, value): &Part| Component { name, value, weight, contribution: weight * value };
    let mut components: Vec<Component> = found.iter().map(component).collect();
    let sum: f64 = components.iter().map(|component| component.contribution).sum();
    components.extend(taught.iter().map(component));
    if let Some(factor) = test_factor {
        let value = -sum.max(0.0);
        let weight = 1.0 - factor;
        components.push(Component { name: "test", value, weight, contribution: value * weight });
    }
    (components.iter().map(|component| component.contribution).sum(), components)
}

/// How widely something is used, from 0 to 1: the logarithm of its users, full at `full` of them.
pub fn popularity(users: usize, full: f64) -> f64 {
    ((users as f64).ln_1p() / full.ln_1p()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_sum_to_the_score() {
        let (score, components) =
            score(&[("lexical", 1.0, 0.8), ("kind", 0.2, -1.0)], &[("feedback", 0.2, 0.5)], Some(0.3));
        assert!((score - 0.28).abs() < 1e-12); // (0.8 - 0.2) * 0.3 + 0.2 * 0.5
        assert!((components.iter().map(|component| component.contribution).sum::<f64>() - score).abs() < 1e-12);
    }

    #[test]
    fn a_test_with_a_negative_score_gains_nothing() {
        let (total, _) = score(&[("kind", 1.0, -0.5)], &[], Some(0.3));
        assert_eq!(total, -0.5);
    }

    #[test]
    fn popularity_is_bounded() {
        assert_eq!(popularity(0, 1000.0), 0.0);
        assert_eq!(popularity(1_000_000, 1000.0), 1.0);
    }
}
