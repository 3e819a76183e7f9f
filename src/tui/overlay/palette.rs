//! The command palette: fuzzy search over the names of all commands, with completion of arguments.

use std::sync::Arc;
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::search::{names, ranked};
use crate::tui::command::{self, Argument, Command, CommandSpec, Context, argument, parse_tokens};
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
    /// Whether the user selected a line. Until then a name that is only guessed is not highlighted, and does not run.
    is_chosen: bool,
    /// The argument of this command that is offered and selected until another one is typed.
    offered: Option<(Command, String)>,
    keymap: Arc<Keymap>,
}

/// A selectable line.
struct Choice {
    entry: &'static CommandSpec,
    /// Empty while the name is being completed.
    argument: String,
}

/// The palette grows with the screen.
const MAX_COLUMNS: u16 = 110;
const MIN_ROWS: u16 = 16;
const MAX_ROWS: u16 = 30;

/// Opens the palette with initial text, or closes it if it is the top window and the text is empty.
pub fn toggle(model: &mut Model, line: &str) {
    let is_open = matches!(model.overlays.last(), Some(Overlay::Palette(_)));
    if is_open && line.is_empty() {
        model.overlays.pop();
    } else {
        let (line, keymap) = (Input::new(line.to_owned()), model.keymap.clone());
        model.overlays.push(Overlay::Palette(Palette { line, keymap, ..Palette::default() }));
    }
}

/// Opens the palette for the argument of a command.
pub fn ask_argument(model: &mut Model, command: Command) {
    toggle(model, &format!("{} ", command.spec().name));
}

/// Opens the palette for the argument of a command, with this one selected.
pub fn offer_argument(model: &mut Model, command: Command, argument: String) {
    let line = Input::new(format!("{} ", command.spec().name));
    let mut palette = Palette { line, offered: Some((command, argument)), ..Palette::default() };
    palette.select_first();
    model.overlays.push(Overlay::Palette(palette));
}

impl Palette {
    /// Selects the offered argument, or the first line.
    fn select_first(&mut self) {
        let is_typed = self.command_with_argument().is_some_and(|(.., typed)| !typed.trim().is_empty());
        let offered = self.offered.as_ref().filter(|_| !is_typed).map(|(_, argument)| argument);
        let row = self.choices().iter().position(|choice| Some(&choice.argument) == offered);
        self.selected.select(row.unwrap_or(0));
        self.is_chosen = false;
    }

    /// Returns the command whose argument is being typed, and the argument so far.
    fn command_with_argument(&self) -> Option<(Command, Argument, &str)> {
        let (spec, typed) = command::split(self.line.value().trim_start()).ok()?;
        Some((spec.command, argument(spec.command)?, typed?))
    }

    /// Returns the highlighted line: the selected one, if the user selected it or the typed text is a name of it.
    fn highlighted(&self, choices: &[Choice]) -> Option<usize> {
        let line = self.line.value().trim();
        let is_named = |choice: &Choice| line.is_empty() || names(choice.entry, &line.to_lowercase());
        let is_meant =
            |choice: &Choice| !choice.argument.is_empty() || is_named(choice) || self.has_key(choice.entry, line);
        let row = self.selected.row();
        let choice = choices.get(row)?;
        (self.is_chosen || self.command_with_argument().is_some() || is_meant(choice)).then_some(row)
    }

    /// Returns the message for a name that no command has.
    fn unknown(&self, choices: &[Choice]) -> String {
        let line = self.line.value().trim();
        match choices.first() {
            Some(nearest) => format!("no command `{line}`; nearest: {}", nearest.entry.name),
            None => format!("no command `{line}`"),
        }
    }

    /// Returns whether a command has this key in a pane.
    fn has_key(&self, entry: &CommandSpec, key: &str) -> bool {
        let in_panes = entry.bindings.iter().map(|(context, _)| *context);
        let mut in_panes = in_panes.filter(|context| matches!(context, Context::Normal | Context::Pane(_)));
        in_panes.any(|context| self.keymap.keys_of(context, entry.command).iter().any(|keys| keys == key))
    }

    fn choices(&self) -> Vec<Choice> {
        let line = self.line.value().trim_start();
        if let Some((command, argument, typed)) = self.command_with_argument() {
            let typed = typed.trim();
            let found = fuzzy::matching(typed, argument.values.iter().copied());
            let mut values: Vec<String> = found.into_iter().map(|index| argument.values[index].to_owned()).collect();
            // The typed value may be valid without being listed. If the argument is free text, it comes first.
            let offered = self.offered.as_ref().filter(|(of, _)| *of == command && typed.is_empty());
            let other = offered.map_or(typed, |(_, argument)| argument);
            if !other.is_empty() && !values.iter().any(|value| value == other) {
                values.insert(if argument.is_free { 0 } else { values.len() }, other.to_owned());
            }
            return values.into_iter().map(|argument| Choice { entry: command.spec(), argument }).collect();
        }
        let choice = |entry, argument: &str| Choice { entry, argument: argument.to_owned() };
        let mut choices: Vec<Choice> = ranked(line).into_iter().map(|entry| choice(entry, "")).collect();
        // The key of a command finds it where the line is no name.
        let key = line.trim();
        if !key.is_empty() && !choices.first().is_some_and(|first| names(first.entry, &key.to_lowercase())) {
            let by_key: Vec<_> = command::commands().filter(|entry| self.has_key(entry, key)).collect();
            choices.retain(|other| by_key.iter().all(|entry| entry.command != other.entry.command));
            choices.splice(0..0, by_key.into_iter().map(|entry| choice(entry, "")));
        }
        // A number can only be a budget.
        if parse_tokens(line).is_some() {
            choices.insert(0, choice(Command::BudgetSet.spec(), line.trim()));
        }
        choices
    }

    /// Replaces the text with this choice.
    fn complete(&mut self, choice: &Choice) {
        let line = match (argument(choice.entry.command), choice.argument.as_str()) {
            (Some(_), argument) => format!("{} {argument}", choice.entry.name),
            (None, _) => choice.entry.name.to_owned(),
        };
        self.line = Input::new(line);
        self.select_first();
    }

    fn accept(&mut self, choice: &Choice, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let command = choice.entry.command;
        let needs_more = argument(command).is_some() && choice.argument.is_empty() && command != Command::Mouse;
        if needs_more {
            self.complete(choice);
            return EventResult::Consumed;
        }
        if let Some(reason) = command.disabled_reason(model) {
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
        self.select_first();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let choices = self.choices();
        let highlighted = self.highlighted(&choices);
        // The first step down selects the first line.
        if highlighted.is_none() && command == Command::OverlayDown {
            self.is_chosen = true;
            return EventResult::Consumed;
        }
        if self.selected.apply(command, choices.len()) {
            self.is_chosen = true;
            return EventResult::Consumed;
        }
        let chosen = match command {
            Command::Complete => choices.get(self.selected.row()),
            _ => highlighted.and_then(|row| choices.get(row)),
        };
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
                model.show_error(self.unknown(&choices));
                EventResult::Consumed
            }
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "run"
    }

    fn area(&self, model: &Model) -> Rect {
        let rows = (model.size.height * 2 / 3).clamp(MIN_ROWS, MAX_ROWS);
        window::middle(model.size, MAX_COLUMNS, rows)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.choices().len(), position);
        self.is_chosen |= room.contains(position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let choices = self.choices();
        let highlighted = self.highlighted(&choices);
        let count = match highlighted {
            None if !choices.is_empty() => "no such name, nearest:".to_owned(),
            _ => text::count(choices.len(), "line"),
        };
        let asked = self.command_with_argument().map(|(command, ..)| command.spec().title);
        let title = format!("{} {} {count}", asked.unwrap_or("commands"), canvas.model.appearance.glyphs.dot);
        let mut inner =
            window::open(canvas, self.area(canvas.model), &title, "Enter runs, Tab completes, C-y copies a binding");
        window::field(canvas, &mut inner, &self.line);
        if choices.is_empty() {
            let words = if asked.is_some() { " Type it." } else { " No command has such a name." };
            let line = Line::from(canvas.span(Slot::Dim, words));
            canvas.line(inner, &line);
        }
        let longest = choices.iter().map(|choice| text::width(&label(choice))).max().unwrap_or(0);
        let name_columns = (longest + 1).clamp(NAME_COLUMNS, MAX_NAME_COLUMNS);
        let typed = self.line.value();
        let columns = (inner.width as usize).saturating_sub(1);
        window::list(canvas, inner, highlighted.unwrap_or(choices.len()), choices.len(), |canvas, row| {
            line(canvas, &choices[row], typed, (name_columns, columns))
        });
    }
}

/// Widths of the columns of the name, and of the keys.
const NAME_COLUMNS: usize = 20;
const MAX_NAME_COLUMNS: usize = 40;
const KEY_COLUMNS: usize = 9;

/// Returns the name of a command with its argument.
fn label(choice: &Choice) -> String {
    let given = match (argument(choice.entry.command), choice.argument.as_str()) {
        (Some(argument), "") => format!(" <{}>", argument.name),
        (_, argument) => format!(" {argument}"),
    };
    safe(&format!("{}{}", choice.entry.name, given.trim_end())).into_owned()
}

/// Returns the row of a command: its key, what it does, and its name; of an argument: the whole line.
fn line(canvas: &Canvas<'_>, choice: &Choice, typed: &str, (name_columns, columns): (usize, usize)) -> Line<'static> {
    let model = canvas.model;
    let (entry, ellipsis) = (choice.entry, model.appearance.glyphs.ellipsis);
    if !choice.argument.is_empty() {
        let label = text::fit(&label(choice), columns, ellipsis).into_owned();
        return Line::from(window::matched(canvas, Slot::Text, &label, typed));
    }
    let name = text::fit(&label(choice), name_columns - 1, ellipsis).into_owned();
    let keys = text::pad(&format!(" {}", keys(&model.keymap, entry.command)), KEY_COLUMNS);
    let (slot, key_slot, title) = match (entry.disabled)(model) {
        Some(reason) => (Slot::Dim, Slot::Dim, format!("{} ({reason})", entry.title)),
        None => (Slot::Text, Slot::HintKey, entry.title.to_owned()),
    };
    let room = columns.saturating_sub(name_columns + text::width(&keys));
    let title = text::pad(&text::fit(&title, room.saturating_sub(1), ellipsis), room);
    let mut spans = vec![canvas.span(key_slot, keys), canvas.span(slot, title)];
    spans.extend(window::matched(canvas, Slot::Dim, &name, typed));
    Line::from(spans)
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
        let palette = Palette { line: Input::new(line.to_owned()), ..Palette::default() };
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
    fn names_of_vim_and_helix_are_first() {
        for (line, name) in [
            ("q", "app.quit"),
            ("quit", "app.quit"),
            ("help", "app.keys"),
            ("h", "app.keys"),
            ("w", "export.file"),
            ("e", "go.editor"),
            ("undo", "feedback.undo"),
            ("wq", "app.quit"),
            ("x", "app.quit"),
            ("8000", "budget.set 8000"),
            ("8k", "budget.set 8k"),
        ] {
            assert_eq!(typed(line)[0], name, "{line}");
        }
    }

    #[test]
    fn only_a_name_or_a_piece_of_it_is_highlighted() {
        let highlighted = |line: &str| {
            let palette = Palette { line: Input::new(line.to_owned()), ..Palette::default() };
            let choices = palette.choices();
            palette.highlighted(&choices).map(|row| choices[row].entry.name)
        };
        for (line, name) in [
            ("q", "app.quit"),
            ("zoom", "pane.zoom"),
            ("budget.l", "budget.less"),
            ("set bud", "budget.set"),
            ("theme gruv", "app.theme"),
            ("8000", "budget.set"),
        ] {
            assert_eq!(highlighted(line), Some(name), "{line}");
        }
        for line in ["abc", "budset", "sptd", "smaller", "useful", "no such thing at all"] {
            assert_eq!(highlighted(line), None, "{line}");
        }
    }

    #[test]
    fn keys_find_their_commands_where_they_are_no_names() {
        let first = |line: &str| {
            let (line, keymap) = (Input::new(line.to_owned()), Arc::new(Keymap::new()));
            let palette = Palette { line, keymap, ..Palette::default() };
            let choices = palette.choices();
            palette.highlighted(&choices).map(|row| choices[row].entry.name)
        };
        for (key, name) in
            [("gb", "task.changes"), ("C-d", "move.half-down"), ("zz", "source.center"), ("q", "app.quit")]
        {
            assert_eq!(first(key), Some(name), "{key}");
        }
        assert_eq!(first("GB"), None, "keys have their case");
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
