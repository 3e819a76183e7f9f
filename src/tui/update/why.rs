//! The pane of reasons.

use super::super::model::Model;

/// Scrolls by some lines.
pub fn step(model: &mut Model, by: isize) {
    let longest = model.pack.selected_symbol().map_or(0, |packed| packed.components.len());
    model.why.scroll = model.why.scroll.saturating_add_signed(by).min(longest);
}
