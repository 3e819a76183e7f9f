//! A score as a waterfall chart: each component begins where the previous one ended, and the last one ends at the score.

use crate::model::Component;

/// One bar, on the scale of the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The component's name with blanks in place of underscores.
    pub name: String,
    pub from: f64,
    pub to: f64,
}

/// The bars of one score.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waterfall {
    pub bars: Vec<Bar>,
    pub score: f64,
    /// Names of the components that contribute nothing.
    pub idle: Vec<String>,
    /// The range of all bars; never empty.
    pub lowest: f64,
    pub highest: f64,
}

/// Contributions and differences smaller than this round to 0.000.
pub const ROUNDING: f64 = 5e-4;

/// The name of the bar for a score that its components do not sum to.
pub const RESIDUAL: &str = "residual";

impl Bar {
    /// Returns the contribution of the component.
    pub fn value(&self) -> f64 {
        self.to - self.from
    }
}

impl Waterfall {
    /// Returns the bars in the order of the components; a residual follows if they do not sum to the score.
    pub fn new(score: f64, components: &[Component]) -> Waterfall {
        let mut waterfall = Waterfall { score, ..Waterfall::default() };
        let mut reached = 0.0;
        for component in components {
            if component.contribution.abs() < ROUNDING {
                waterfall.idle.push(component_label(component.name));
            } else {
                waterfall.push(component_label(component.name), &mut reached, component.contribution);
            }
        }
        // Components too small for a bar share one, so that the residual shows mistakes only.
        let unshown: f64 =
            components.iter().map(|component| component.contribution).filter(|value| value.abs() < ROUNDING).sum();
        let missing = score - reached - unshown;
        if unshown.abs() >= ROUNDING {
            waterfall.push("others".into(), &mut reached, unshown);
        }
        if missing.abs() >= ROUNDING {
            waterfall.push(RESIDUAL.into(), &mut reached, missing);
        }
        let ends = || waterfall.bars.iter().flat_map(|bar| [bar.from, bar.to]).filter(|end| end.is_finite());
        let lowest = ends().fold(0.0, f64::min);
        let highest = ends().fold(score.max(0.0), f64::max);
        waterfall.lowest = lowest;
        waterfall.highest = if highest > lowest { highest } else { lowest + 1.0 };
        waterfall
    }

    fn push(&mut self, name: String, reached: &mut f64, value: f64) {
        let from = *reached;
        *reached += value;
        self.bars.push(Bar { name, from, to: *reached });
    }

    /// Returns the end of the last bar.
    pub fn reached(&self) -> f64 {
        self.bars.last().map_or(0.0, |bar| bar.to)
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

/// Returns a component's name for the screen.
fn component_label(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn component(contribution: f64) -> Component {
        Component { name: "some_component", value: contribution, weight: 1.0, contribution }
    }

    #[test]
    fn bars_are_contiguous_and_zero_components_have_none() {
        let waterfall = Waterfall::new(0.5, &[component(0.4), component(0.0), component(-0.1), component(0.2)]);
        let ends: Vec<(f64, f64)> = waterfall.bars.iter().map(|bar| (bar.from, bar.to)).collect();
        assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].0), "{ends:?}");
        assert_eq!((waterfall.bars.len(), waterfall.idle.len()), (3, 1));
        assert_eq!(waterfall.bars[0].name, "some component");
        assert_eq!(waterfall.cells(&waterfall.bars[0], 10), (0, 8));
        assert_eq!(waterfall.cells(&waterfall.bars[1], 10), (6, 2));
    }

    #[test]
    fn a_score_that_does_not_sum_up_has_a_residual() {
        let waterfall = Waterfall::new(0.9, &[component(0.4)]);
        assert_eq!(waterfall.bars[1].name, RESIDUAL);
        assert!((waterfall.bars[1].value() - 0.5).abs() < 1e-12);
        assert_eq!(Waterfall::new(0.0, &[]).cells(&Bar { name: String::new(), from: 0.0, to: 0.0 }, 0), (0, 0));
    }

    proptest! {
        #[test]
        fn bars_sum_to_the_score(
            values in proptest::collection::vec(-2.0..2.0_f64, 0..20), small in -1.0..1.0_f64, cells in 0usize..80,
        ) {
            let mut components: Vec<Component> = values.into_iter().map(component).collect();
            components.extend((0..30).map(|_| component(ROUNDING * 0.9 * small)));
            let score: f64 = components.iter().map(|component| component.contribution).sum();
            for score in [score, score + 1.0] {
                let waterfall = Waterfall::new(score, &components);
                prop_assert!((waterfall.reached() - score).abs() < 2.0 * ROUNDING);
                for bar in &waterfall.bars {
                    let (start, length) = waterfall.cells(bar, cells);
                    prop_assert!(start + length <= cells && (length > 0 || cells == 0));
                }
            }
        }
    }
}
