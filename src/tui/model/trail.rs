//! Where the user has been: symbols and panes, to walk back to and forward again, as in a browser.

use super::Focus;
use crate::model::Symbol;

/// Older places are forgotten.
const KEPT: usize = 100;

/// A symbol, and the pane that it was looked at in.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    pub symbol: Symbol,
    pub pane: Focus,
    /// The line of a use that the user was at.
    pub line: Option<u32>,
}

/// The places before and after the present one.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    before: Vec<Spot>,
    after: Vec<Spot>,
}

impl Trail {
    /// The user has left this place by a jump.
    pub fn leave(&mut self, spot: Spot) {
        self.after.clear();
        self.before.push(spot);
        self.before.drain(..self.before.len().saturating_sub(KEPT));
    }

    /// The place before; none when there is none.
    pub fn back(&mut self, now: Option<Spot>) -> Option<Spot> {
        let spot = self.before.pop()?;
        self.after.extend(now);
        Some(spot)
    }

    /// The place that [`Trail::back`] left; none when there is none.
    pub fn forward(&mut self, now: Option<Spot>) -> Option<Spot> {
        let spot = self.after.pop()?;
        self.before.extend(now);
        Some(spot)
    }

    /// Forgets the places for which `keep`, which may change them, is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Spot) -> bool) {
        self.before.retain_mut(&mut keep);
        self.after.retain_mut(&mut keep);
    }
}

impl Spot {
    /// True when both are the same place of a symbol in the same pane.
    pub fn is(&self, other: &Spot) -> bool {
        self.symbol.id == other.symbol.id && self.pane == other.pane && self.line == other.line
    }
}
