//! The command palette: fuzzy search over the names of all commands, with completion of arguments.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::tui::command::{self, Command, CommandSpec, Context, argument, commands, disabled_reason, is_listed};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Bound, Keymap};
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};
use crate::tui::{fuzzy, update};

/// The palette and its text field.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    pub line: Input,
    pub selected: Selection,
}

/// A selectable line.
struct Choice {
    entry: &'static CommandSpec,
    /// Empty while the name is being completed.
    argument: String,
}

const COLUMNS: u16 = 78;
const ROWS: u16 = 16;

/// Opens the palette with initial text, or closes it if it is the top window and the text is empty.
pub fn toggle(model: &mut Model, line: &str) {
    let is_open = matches!(model.overlays.last(), Some(Overlay::Palette(_)));
    if is_open && line.is_empty() {
        model.overlays.pop();
    } else {
        model
            .overlays
            .push(Overlay::Palette(Palette { line: Input::new(line.to_owned()), selected: Selection::default() }));
    }
}

impl Palette {
    fn choices(&self) -> Vec<Choice> {
        let line = self.line.value().trim_start();
        if let Some((name, typed)) = line.split_once(' ')
            && let Ok((command, _)) = command::parse(name)
            && let Some(argument) = argument(command)
        {
            let typed = typed.trim();
            let found = fuzzy::matching(typed, argument.values.iter().copied());
            let mut values: Vec<String> = found.into_iter().map(|index| argument.values[index].to_owned()).collect();
            // The typed value may be valid without being listed. If the argument is free text, it comes first.
            if !typed.is_empty() && !values.iter().any(|value| value == typed) {
                values.insert(if argument.is_free { 0 } else { values.len() }, typed.to_owned());
            }
            return values.into_iter().map(|argument| Choice { entry: command.spec(), argument }).collect();
        }
        let offered: Vec<&'static CommandSpec> = commands().filter(|entry| is_listed(entry)).collect();
        let labels: Vec<String> = offered.iter().map(|entry| format!("{} {}", entry.name, entry.title)).collect();
        let found = fuzzy::matching(line, labels.iter().map(String::as_str));
        found.into_iter().map(|index| Choice { entry: offered[index], argument: String::new() }).collect()
    }

    /// Replaces the text with this choice.
    fn complete(&mut self, choice: &Choice) {
        let line = match (argument(choice.entry.command), choice.argument.as_str()) {
            (Some(_), argument) => format!("{} {argument}", choice.entry.name),
            (None, _) => choice.entry.name.to_owned(),
        };
        self.line = Input::new(line);
        self.selected.select_first();
    }

    fn accept(&mut self, choice: &Choice, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let command = choice.entry.command;
        let needs_more = argument(command).is_some() && choice.argument.is_empty() && command != Command::Mouse;
        if needs_more {
            self.complete(choice);
            return EventResult::Consumed;
        }
        if let Some(reason) = disabled_reason(model, command) {
            model.show_error(format!("{}: {reason}", choice.entry.name));
            return EventResult::Consumed;
        }
        update::invoke(model, &Bound { command, argument: choice.argument.clone() }, now, effects);
        EventResult::Close
    }
}

impl Window for Palette {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.line)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.line)
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let choices = self.choices();
        if self.selected.apply(command, choices.len()) {
            return EventResult::Consumed;
        }
        let chosen = choices.get(self.selected.row());
        match (command, chosen) {
            (Command::OverlayClose | Command::Palette, _) => EventResult::Close,
            (Command::OverlayRun, Some(choice)) => self.accept(choice, model, now, effects),
            (Command::Complete, Some(choice)) => {
                self.complete(choice);
                EventResult::Consumed
            }
            (Command::CopyBinding, Some(choice)) => {
                let line = [choice.entry.name, choice.argument.as_str()].join(" ");
                let text = format!("[keys.normal]\n\"KEY\" = \"{}\"\n", line.trim_end());
                effects.push(Effect::Copy { what: "key binding for config.toml".to_owned(), text });
                EventResult::Consumed
            }
            (Command::OverlayRun | Command::Complete | Command::CopyBinding, None) => {
                model.show_error(format!("no command matches `{}`", self.line.value().trim()));
                EventResult::Consumed
            }
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "run"
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.choices().len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let choices = self.choices();
        let title = format!("commands {} {}", canvas.model.appearance.glyphs.dot, text::count(choices.len(), "line"));
        let mut inner =
            window::open(canvas, self.area(canvas.model), &title, "Enter runs, Tab completes, C-y copies a binding");
        window::field(canvas, &mut inner, &self.line);
        window::list(canvas, inner, self.selected.row(), choices.len(), |canvas, row| line(canvas, &choices[row]));
    }
}

/// Widths of the columns of the name with its argument, and of the keys.
const NAME_COLUMNS: usize = 26;
const KEY_COLUMNS: usize = 9;

fn line(canvas: &Canvas<'_>, choice: &Choice) -> Line<'static> {
    let model = canvas.model;
    let entry = choice.entry;
    let given = match (argument(entry.command), choice.argument.as_str()) {
        (Some(argument), "") => format!(" <{}>", argument.name),
        (_, argument) => format!(" {argument}"),
    };
    let name = crate::text::display::safe(&format!("{}{} ", entry.name, given.trim_end())).into_owned();
    let keys = keys(&model.keymap, entry.command);
    match disabled_reason(model, entry.command) {
        Some(reason) => Line::from(vec![
            canvas.span(Slot::Dim, text::pad(&name, NAME_COLUMNS)),
            canvas.span(Slot::Dim, text::pad(&keys, KEY_COLUMNS)),
            canvas.span(Slot::Dim, format!("({reason})")),
        ]),
        None => Line::from(vec![
            canvas.span(Slot::Text, text::pad(&name, NAME_COLUMNS)),
            canvas.span(Slot::HintKey, text::pad(&keys, KEY_COLUMNS)),
            canvas.span(Slot::Text, entry.title.to_owned()),
        ]),
    }
}

/// Returns the key to show beside a command: one of the panes, else any.
fn keys(keymap: &Keymap, command: Command) -> String {
    let order = [Context::Normal, Context::Pane(crate::tui::panes::pack::ID)].into_iter().chain(Context::all());
    order.flat_map(|context| keymap.keys_of(context, command)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Vec<String> {
        let palette = Palette { line: Input::new(line.to_owned()), selected: Selection::default() };
        palette
            .choices()
            .iter()
            .map(|choice| format!("{} {}", choice.entry.name, choice.argument).trim().to_owned())
            .collect()
    }

    #[test]
    fn letters_find_a_command() {
        assert_eq!(typed("budset")[0], "budget.set");
        assert!(typed("bud").iter().take(3).all(|name| name.starts_with("budget.")));
        assert!(typed("no such thing at all").is_empty());
        assert!(!typed("").iter().any(|name| name.starts_with("edit.")));
    }

    #[test]
    fn arguments_are_completed_or_typed() {
        assert_eq!(typed("mouse "), ["app.mouse on", "app.mouse off"]);
        assert_eq!(typed("mouse of"), ["app.mouse off", "app.mouse of"]);
        assert_eq!(typed("budget.set 1234"), ["budget.set 1234"]);
        assert_eq!(typed("budget.set 800")[..2], ["budget.set 800", "budget.set 8000"]);
        assert_eq!(typed("theme gruv"), ["app.theme gruvbox", "app.theme gruv"]);
    }
}
