//! The list: its selection, its budget, its scrolling.

use std::time::Instant;

use super::searching;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::model::pack::{Arrangement, Facet, Sort};
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, filter};

/// The commands of the list.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::GoCut => {
            model.focus = Focus::Pack;
            model.pack.select(model.pack.packed.saturating_sub(1));
        }
        Command::BudgetMore => searching::change_budget(model, true, now, effects),
        Command::BudgetLess => searching::change_budget(model, false, now, effects),
        Command::Refresh => {
            effects.push(Effect::Index);
            searching::start_full(model, now, effects);
        }
        Command::Filter => filter::open(model),
        Command::FacetFunctions => facet(model, Facet::Functions),
        Command::FacetTypes => facet(model, Facet::Types),
        Command::FacetModules => facet(model, Facet::Modules),
        Command::FacetTests => facet(model, Facet::Tests),
        Command::FacetClear => rearrange(model, |arrangement| {
            *arrangement = Arrangement { sort: arrangement.sort, reversed: arrangement.reversed, ..Default::default() };
        }),
        Command::SortNext => rearrange(model, |arrangement| arrangement.sort = arrangement.sort.next()),
        Command::SortReverse => rearrange(model, |arrangement| arrangement.reversed = !arrangement.reversed),
        Command::OnlyPacked => rearrange(model, |arrangement| arrangement.only_packed = !arrangement.only_packed),
        _ => return false,
    }
    true
}

/// Lists one kind of symbols; the same kind again lists all.
fn facet(model: &mut Model, wanted: Facet) {
    rearrange(model, |arrangement| {
        arrangement.facet = if arrangement.facet == wanted { Facet::All } else { wanted };
    });
}

/// Sorts by this column; the column that it is sorted by already turns round.
pub fn sort_by(model: &mut Model, sort: Sort) {
    rearrange(model, |arrangement| {
        arrangement.reversed = arrangement.sort == sort && !arrangement.reversed;
        arrangement.sort = sort;
    });
}

fn rearrange(model: &mut Model, change: impl FnOnce(&mut Arrangement)) {
    change(&mut model.pack.arrangement);
    model.pack.arrange();
}

/// Keeps the selection on the screen.
pub fn settle(model: &mut Model) {
    let (_, list) = model.areas().list();
    let free = model.size.height.saturating_sub(overlay::covered_rows(model)).saturating_sub(list.y).min(list.height);
    if free > 0 {
        model.pack.settle(free as usize);
    }
}
