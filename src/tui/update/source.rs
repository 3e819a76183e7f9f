//! The source pane: it follows the selected symbol.

use std::time::Instant;

use super::super::command::Command;
use super::super::effect::{Effect, PreviewRequest};
use super::super::model::source::Place;
use super::super::model::{Focus, Model};
use super::panes;

/// The commands of the source pane.
pub fn run(model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::SourceDown => panes::step(model, Focus::Source, 1),
        Command::SourceUp => panes::step(model, Focus::Source, -1),
        Command::Centre => {
            let height = panes::page_lines(model, Focus::Source);
            model.source.centre(height);
        }
        Command::Open => model.focus = Focus::Source,
        Command::Editor => open_editor(model, effects),
        _ => return false,
    }
    true
}

fn open_editor(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.pack.selected_symbol() {
        Some(packed) if !packed.symbol.file.is_empty() => effects.push(Effect::Edit {
            file: packed.symbol.file.clone(),
            line: packed.symbol.span.name_line.max(1) as usize,
        }),
        Some(_) => model.complain("this symbol is defined outside the repository"),
        None => model.complain("there is no symbol to edit yet"),
    }
}

/// Keeps the preview in step with the selected symbol.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let wanted = model.pack.selected_symbol().filter(|packed| !packed.symbol.file.is_empty()).map(|packed| {
        let span = packed.symbol.span;
        Place {
            file: packed.symbol.file.clone(),
            start_line: span.start_line as usize,
            end_line: span.end_line as usize,
            name_line: span.name_line as usize,
        }
    });
    if wanted == model.source.wanted {
        return;
    }
    model.why.scroll = 0;
    match wanted {
        Some(place) => {
            model.source.turn_to(place);
            request(model, effects);
        }
        None => model.source.turn_away(),
    }
}

/// Asks for the wanted file anew.
pub fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(place) = model.source.wanted.clone() {
        model.source.generation += 1;
        effects.push(Effect::Preview(PreviewRequest {
            generation: model.source.generation,
            place,
            index_version: model.index_version,
        }));
    }
}
