//! The command palette: fuzzy search over the names of all commands, with completion of arguments.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::text::display::safe;
use crate::tui::command::{
    self, Command, CommandSpec, Context, alias, argument, changes_data, commands, disabled_reason, is_listed,
    parse_tokens,
};
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

/// The palette grows with the screen.
const MIN_COLUMNS: u16 = 78;
const MAX_COLUMNS: u16 = 110;
const MIN_ROWS: u16 = 16;
const MAX_ROWS: u16 = 30;

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
        let choice = |entry, argument: &str| Choice { entry, argument: argument.to_owned() };
        let mut choices: Vec<Choice> = ranked(line).into_iter().map(|entry| choice(entry, "")).collect();
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

/// Returns the commands that match a line, best first: by their names, then by the words of their titles, then by letters
/// that are scattered over both, if nothing else matches. Among the last, commands that change data are left out: `Enter`
/// after a guess must not vote, undo or quit.
fn ranked(line: &str) -> Vec<&'static CommandSpec> {
    let offered: Vec<&'static CommandSpec> = commands().filter(|entry| is_listed(entry)).collect();
    let line = line.trim().to_lowercase();
    if line.is_empty() {
        return offered;
    }
    let labels: Vec<String> = offered.iter().map(|entry| format!("{} {}", entry.name, entry.title)).collect();
    let found = fuzzy::matching(&line, labels.iter().map(String::as_str));
    let mut ranked: Vec<(Closeness, &'static CommandSpec)> =
        found.into_iter().map(|index| (closeness(offered[index], &line), offered[index])).collect();
    let has_closer = ranked.iter().any(|(closeness, _)| *closeness < Closeness::Scattered);
    ranked
        .retain(|(closeness, entry)| *closeness < Closeness::Scattered || !has_closer && !changes_data(entry.command));
    if let Some(own) = alias(&line) {
        ranked.retain(|(_, entry)| entry.command != own);
        ranked.push((Closeness::Alias, own.spec()));
    }
    // Stable: within a class the best fuzzy match is first.
    ranked
        .sort_by_key(|(closeness, entry)| (*closeness, *closeness == Closeness::Words && changes_data(entry.command)));
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// The closeness of a command to a line, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// It is the name of the command in vim.
    Alias,
    /// It is the name, or its last part.
    Name,
    /// A part of the name starts with it.
    Start,
    /// It is in the name, in one piece or in several.
    Inside,
    /// Each of its words starts a word of name or title.
    Words,
    /// Its letters are in the name or the title.
    Scattered,
}

fn closeness(entry: &CommandSpec, line: &str) -> Closeness {
    let starts = |text: &str, word: &str| text.split(['.', '-', ' ', ',']).any(|part| part.starts_with(word));
    let title = entry.title.to_lowercase();
    if entry.name == line || entry.name.split_once('.').is_some_and(|(_, last)| last == line) {
        Closeness::Name
    } else if entry.name.starts_with(line) || starts(entry.name, line) {
        Closeness::Start
    } else if entry.name.contains(line) || !changes_data(entry.command) && is_in_name(entry, line) {
        Closeness::Inside
    } else if line.split_whitespace().all(|word| word.len() > 1 && (starts(entry.name, word) || starts(&title, word))) {
        Closeness::Words
    } else {
        Closeness::Scattered
    }
}

fn is_in_name(entry: &CommandSpec, line: &str) -> bool {
    !fuzzy::matching(line, std::iter::once(entry.name)).is_empty()
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
        let columns = (model.size.width * 3 / 4).clamp(MIN_COLUMNS, MAX_COLUMNS);
        let rows = (model.size.height * 2 / 3).clamp(MIN_ROWS, MAX_ROWS);
        window::middle(model.size, columns, rows)
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
        let longest = choices.iter().map(|choice| text::width(&label(choice))).max().unwrap_or(0);
        let name_columns = (longest + 1).clamp(NAME_COLUMNS, MAX_NAME_COLUMNS);
        let typed = self.line.value();
        window::list(canvas, inner, self.selected.row(), choices.len(), |canvas, row| {
            line(canvas, &choices[row], typed, name_columns)
        });
    }
}

/// Widths of the columns of the name with its argument, and of the keys.
const NAME_COLUMNS: usize = 26;
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

fn line(canvas: &Canvas<'_>, choice: &Choice, typed: &str, name_columns: usize) -> Line<'static> {
    let model = canvas.model;
    let entry = choice.entry;
    let name = text::fit(&label(choice), name_columns - 1, model.appearance.glyphs.ellipsis).into_owned();
    let keys = text::pad(&keys(&model.keymap, entry.command), KEY_COLUMNS);
    let (slot, key_slot, title) = match disabled_reason(model, entry.command) {
        Some(reason) => (Slot::Dim, Slot::Dim, format!("({reason})")),
        None => (Slot::Text, Slot::HintKey, entry.title.to_owned()),
    };
    let mut spans = window::matched(canvas, slot, &text::pad(&name, name_columns), typed);
    spans.extend([canvas.span(key_slot, keys), canvas.span(slot, title)]);
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
    fn names_of_vim_and_helix_are_first() {
        for (line, name) in [
            ("q", "app.quit"),
            ("quit", "app.quit"),
            ("help", "app.keys"),
            ("h", "app.keys"),
            ("w", "export.file"),
            ("e", "go.editor"),
            ("undo", "feedback.undo"),
            ("8000", "budget.set 8000"),
            ("8k", "budget.set 8k"),
        ] {
            assert_eq!(typed(line)[0], name, "{line}");
        }
    }

    #[test]
    fn scattered_letters_change_nothing() {
        let letters = ('a'..='z').map(String::from);
        let pairs = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
        let words = ["hlp", "vte", "stdot", "undi", "tsk", "open", "mute it", "nxt"].map(str::to_owned);
        for line in letters.chain(pairs).chain(words) {
            let Some(first) = ranked(&line).first().copied() else { continue };
            let is_meant = alias(&line) == Some(first.command) || closeness(first, &line) < Closeness::Scattered;
            assert!(is_meant || !changes_data(first.command), "{line}: {}", first.name);
        }
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
