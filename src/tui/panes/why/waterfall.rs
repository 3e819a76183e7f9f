//! A score as a waterfall chart: each component begins where the previous one ended, and the last one ends at the
//! score.

use crate::engine::{component_meaning, component_title, shares};
use crate::model::Component;

/// One bar, on the scale of the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The component's title.
    pub name: String,
    /// The meaning of the component and the reason of its value; may be empty.
    pub sentence: String,
    pub from: f64,
    pub to: f64,
    /// The number of components that share the bar because they are small; 0 for a bar of one component.
    pub folded: usize,
}

/// The bars of one score.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waterfall {
    pub bars: Vec<Bar>,
    pub score: f64,
    /// The start of the first bar.
    pub start: f64,
    /// The range of all bars; never empty.
    pub lowest: f64,
    pub highest: f64,
}

/// Contributions and differences smaller than this round to 0.000.
pub const ROUNDING: f64 = 5e-4;

/// The component that is the same for every symbol: the bars begin there.
pub const INTERCEPT: &str = "base";

/// The name of the row of the whole score.
const SCORE_TITLE: &str = "= score";

/// The name of the bar for a score that its components do not sum to.
pub const RESIDUAL: &str = "residual";

impl Bar {
    /// Returns the contribution of the component.
    pub fn value(&self) -> f64 {
        self.to - self.from
    }
}

impl Waterfall {
    /// Returns the bars, the largest first; small components share one, unless `unfolded`. A residual follows if they
    /// do not sum to the score.
    pub fn new(score: f64, components: &[Component], unfolded: bool) -> Waterfall {
        let mut waterfall = Waterfall { score, ..Waterfall::default() };
        let (constant, components): (Vec<Component>, Vec<Component>) =
            components.iter().cloned().partition(|component| component.name == INTERCEPT);
        waterfall.start = constant.iter().map(|component| component.contribution).sum();
        let mut reached = waterfall.start;
        let shares = shares(&components);
        let is_large = shares.large.len();
        let all = shares.large.into_iter().chain(shares.small).enumerate();
        // What rounds to zero never has a bar of its own.
        let (shown, folded): (Vec<_>, Vec<_>) =
            all.partition(|(index, one)| (unfolded || *index < is_large) && one.contribution.abs() >= ROUNDING);
        for (_, component) in shown {
            let (title, sentence) = (component_title(component.name).to_owned(), component_meaning(&component));
            waterfall.push(title, sentence, &mut reached, component.contribution);
        }
        if !folded.is_empty() {
            let sum: f64 = folded.iter().map(|(_, component)| component.contribution).sum();
            waterfall.push(format!("+ {} more", folded.len()), String::new(), &mut reached, sum);
            waterfall.bars.last_mut().expect("a bar was pushed").folded = folded.len();
        }
        let missing = score - reached;
        if missing.abs() >= ROUNDING {
            waterfall.push(RESIDUAL.into(), String::new(), &mut reached, missing);
        }
        let ends = || waterfall.bars.iter().flat_map(|bar| [bar.from, bar.to]).filter(|end| end.is_finite());
        let lowest = ends().fold(waterfall.start.min(0.0), f64::min);
        let highest = ends().fold(score.max(0.0), f64::max);
        waterfall.lowest = lowest;
        waterfall.highest = if highest > lowest { highest } else { lowest + 1.0 };
        waterfall
    }

    fn push(&mut self, name: String, sentence: String, reached: &mut f64, value: f64) {
        let from = *reached;
        *reached += value;
        self.bars.push(Bar { name, sentence, from, to: *reached, folded: 0 });
    }

    /// Returns the bar of the whole score.
    pub fn total(&self) -> Bar {
        Bar { name: SCORE_TITLE.to_owned(), sentence: String::new(), from: 0.0, to: self.score, folded: 0 }
    }

    /// Returns the end of the last bar.
    pub fn reached(&self) -> f64 {
        self.bars.last().map_or(self.start, |bar| bar.to)
    }

    /// Returns the first cell of a bar and its length in a row of `cells`; a bar has at least one cell.
    pub fn cells(&self, bar: &Bar, cells: usize) -> (usize, usize) {
        let position =
            |value: f64| ((value - self.lowest) / (self.highest - self.lowest)).clamp(0.0, 1.0) * cells as f64;
        let (low, high) = (position(bar.from.min(bar.to)), position(bar.from.max(bar.to)));
        let start = (low.round() as usize).min(cells.saturating_sub(1));
        let end = (high.round() as usize).clamp(start, cells).max((start + 1).min(cells));
        (start, end - start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn component(contribution: f64) -> Component {
        Component { name: "some_component", value: contribution, contribution }
    }

    #[test]
    fn bars_are_contiguous_and_the_largest_is_first() {
        let waterfall = Waterfall::new(0.5, &[component(0.2), component(0.0), component(-0.1), component(0.4)], false);
        let ends: Vec<(f64, f64)> = waterfall.bars.iter().map(|bar| (bar.from, bar.to)).collect();
        assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].0), "{ends:?}");
        assert_eq!(waterfall.bars.len(), 3);
        assert!(waterfall.bars.is_sorted_by(|one, two| one.value().abs() >= two.value().abs()));
        assert_eq!(waterfall.cells(&waterfall.bars[0], 10), (0, 7));
        assert_eq!(waterfall.cells(&waterfall.bars[2], 10), (8, 2));
    }

    #[test]
    fn small_components_share_a_bar_until_it_is_unfolded() {
        let components: Vec<Component> = [0.5, 0.01, 0.4, 0.008, -0.003, 1e-5].map(component).into();
        let score: f64 = components.iter().map(|component| component.contribution).sum();
        let folded = Waterfall::new(score, &components, false);
        assert_eq!(folded.bars.iter().map(|bar| bar.folded).collect::<Vec<_>>(), [0, 0, 4]);
        assert_eq!(folded.bars[2].name, "+ 4 more");
        let unfolded = Waterfall::new(score, &components, true);
        assert_eq!(unfolded.bars.iter().map(|bar| bar.folded).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn what_rounds_to_zero_has_no_bar_of_its_own() {
        let folded = Waterfall::new(1.2, &[component(1.0), component(0.2), component(0.0004)], false);
        assert_eq!(folded.bars.iter().map(|bar| bar.folded).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn a_score_that_does_not_sum_up_has_a_residual() {
        let waterfall = Waterfall::new(0.9, &[component(0.4)], false);
        assert_eq!(waterfall.bars[1].name, RESIDUAL);
        assert!((waterfall.bars[1].value() - 0.5).abs() < 1e-12);
        let empty = Waterfall::new(0.0, &[], false);
        assert_eq!(empty.cells(&empty.total(), 0), (0, 0));
    }

    #[test]
    fn what_is_the_same_for_every_symbol_has_no_bar() {
        let base = Component { name: INTERCEPT, value: 1.0, contribution: -0.3 };
        let waterfall = Waterfall::new(0.5, &[base, component(0.8)], false);
        let ends: Vec<(f64, f64)> = waterfall.bars.iter().map(|bar| (bar.from, bar.to)).collect();
        assert_eq!(ends, [(-0.3, 0.5)]);
        assert_eq!((waterfall.lowest, waterfall.highest), (-0.3, 0.5));
    }

    proptest! {
        #[test]
        fn bars_sum_to_the_score(
            values in proptest::collection::vec(-2.0..2.0_f64, 0..20), small in -1.0..1.0_f64, cells in 0usize..80,
        ) {
            let mut components: Vec<Component> = values.into_iter().map(component).collect();
            components.extend((0..30).map(|_| component(ROUNDING * 0.9 * small)));
            let score: f64 = components.iter().map(|component| component.contribution).sum();
            for (score, unfolded) in [(score, false), (score, true), (score + 1.0, false)] {
                let waterfall = Waterfall::new(score, &components, unfolded);
                prop_assert!((waterfall.reached() - score).abs() < 2.0 * ROUNDING);
                for bar in &waterfall.bars {
                    let (start, length) = waterfall.cells(bar, cells);
                    prop_assert!(start + length <= cells && (length > 0 || cells == 0));
                }
            }
        }
    }
}
