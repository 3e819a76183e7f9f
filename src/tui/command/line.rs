//! Parses commands written as text: a name and, for some, an argument.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::{Command, CommandSpec, commands};
use crate::tui::appearance::AUTO;
use crate::tui::theme::BUILT_IN_THEMES;

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("unknown command `{0}`")]
    Unknown(String),
    #[error("`{0}` takes no argument")]
    NoArgument(&'static str),
}

/// The budgets that can be set, in tokens. Smaller ones, which hold little more than the frame of a pack, and larger ones are taken
/// for typing errors.
pub const BUDGETS: RangeInclusive<usize> = 100..=10_000_000;

/// A text is no budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a budget is a number of tokens from {} to {}, such as 8000 or 8k", BUDGETS.start(), BUDGETS.end())]
pub struct BudgetError;

/// The argument that a command takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name in the palette, such as `tokens`.
    pub name: &'static str,
    /// The values to choose from.
    pub values: Vec<&'static str>,
    /// Whether other values are accepted too.
    pub is_free: bool,
}

/// Returns the argument of a command; `None` for most.
pub fn argument(command: Command) -> Option<Argument> {
    let (name, values, is_free): (&str, Vec<&str>, bool) = match command {
        Command::BudgetSet => ("tokens", vec!["1000", "4000", "8000", "16000", "32000", "50000", "100000"], true),
        Command::ExportFile => {
            ("file", vec!["knowing-pack.gcf", "knowing-pack.json", "knowing-pack.md", "knowing-pack.xml"], true)
        }
        Command::TrailSave | Command::TrailDelete => ("name", Vec::new(), true),
        Command::Mouse => ("on|off", vec!["on", "off"], false),
        Command::SetGlyphs => ("set", vec!["unicode", "ascii"], false),
        Command::SetTheme => {
            let names = BUILT_IN_THEMES.iter().map(|(name, _)| *name);
            ("theme", [AUTO].into_iter().chain(names).collect(), false)
        }
        _ => return None,
    };
    Some(Argument { name, values, is_free })
}

/// Names of commands from vim and helix.
const ALIASES: &[(&str, &str)] = &[
    ("q", "app.quit"),
    ("q!", "app.quit"),
    ("qa", "app.quit"),
    ("qa!", "app.quit"),
    ("wq", "app.quit"),
    ("x", "app.quit"),
    ("quit", "app.quit"),
    ("exit", "app.quit"),
    ("w", "export.file"),
    ("write", "export.file"),
    ("e", "go.editor"),
    ("edit", "go.editor"),
    ("h", "app.keys"),
    ("help", "app.keys"),
    ("messages", "app.messages"),
    ("u", "feedback.undo"),
    ("undo", "feedback.undo"),
    ("redo", "feedback.redo"),
    ("colorscheme", "app.theme"),
    ("reload", "app.reload"),
    ("r", "pack.refresh"),
];

/// Returns the command that has this name in vim or helix.
pub fn alias(name: &str) -> Option<Command> {
    let (_, own) = ALIASES.iter().find(|(alias, _)| *alias == name)?;
    commands().find(|spec| spec.name == *own).map(|spec| spec.command)
}

/// Parses a number of tokens: `8000`, `8_000`, `8,000` or `8k`.
pub fn parse_tokens(text: &str) -> Option<usize> {
    let digits = text.trim().to_lowercase().replace(['_', ','], "");
    match digits.strip_suffix('k') {
        Some(thousands) => thousands.parse::<usize>().ok()?.checked_mul(1_000),
        None => digits.parse().ok(),
    }
}

/// Parses a token budget.
///
/// # Errors
/// When it is not a number, or one of [`BUDGETS`].
pub fn parse_budget(text: &str) -> Result<usize, BudgetError> {
    parse_tokens(text).filter(|tokens| BUDGETS.contains(tokens)).ok_or(BudgetError)
}

/// Splits a line after the name of a command. The rest is `None` where no blank follows the name.
///
/// # Errors
/// When there is no such command.
pub fn split(line: &str) -> Result<(&'static CommandSpec, Option<&str>), CommandError> {
    let cut = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    let rest = |end: usize| line[end..].strip_prefix(char::is_whitespace);
    let named = |name: &str| commands().find(|spec| spec.name == name);
    let first = cut(line);
    if let Some(second) = rest(first) {
        let end = line.len() - second.len() + cut(second);
        if let Some(spec) = named(&line[..end].replacen(char::is_whitespace, ".", 1)) {
            return Ok((spec, rest(end)));
        }
    }
    let name = &line[..first];
    let short = || {
        let mut ending = commands().filter(|spec| spec.name.split_once('.').is_some_and(|(_, end)| end == name));
        // `:set` is of vim's options, which the explorer has not.
        ending.next().filter(|_| ending.next().is_none() && name != "set")
    };
    let spec = alias(name).map(Command::spec).or_else(|| named(name)).or_else(short);
    Ok((spec.ok_or_else(|| CommandError::Unknown(name.to_owned()))?, rest(first)))
}

/// Parses a line such as `budget.set 8000` or `mouse off` into a command and its argument, which may be empty.
///
/// The first part of a name may be omitted where the rest is unique, and a blank may stand for the dot (`budget set 8000`);
/// names of vim and helix such as `q` and `w FILE` work too.
///
/// # Errors
/// When there is no such command, or it takes no argument.
pub fn parse(line: &str) -> Result<(Command, &str), CommandError> {
    let (spec, rest) = split(line.trim())?;
    let given = rest.map_or("", str::trim);
    match argument(spec.command) {
        None if !given.is_empty() => Err(CommandError::NoArgument(spec.name)),
        _ => Ok((spec.command, given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_separators_and_thousands() {
        let numbers = ["8000", "8_000", " 8,000", "8k", "8K", "x", "", "99999999999999999999k"].map(parse_tokens);
        assert_eq!(numbers, [Some(8_000), Some(8_000), Some(8_000), Some(8_000), Some(8_000), None, None, None]);
    }

    #[test]
    fn commands_are_found_by_name_and_by_last_part() {
        assert_eq!(parse("budget.set  8000 "), Ok((Command::BudgetSet, "8000")));
        assert_eq!(parse("mouse off"), Ok((Command::Mouse, "off")));
        assert_eq!(parse("trail save before the fix"), Ok((Command::TrailSave, "before the fix")));
        assert_eq!(parse("session clear"), Ok((Command::SessionClear, "")));
        assert_eq!(split("trail save ").map(|(spec, rest)| (spec.name, rest)), Ok(("trail.save", Some(""))));
        assert_eq!(split("trail save").map(|(spec, rest)| (spec.name, rest)), Ok(("trail.save", None)));
        assert_eq!(parse("app.quit"), Ok((Command::Quit, "")));
        assert_eq!(parse("app.quit now"), Err(CommandError::NoArgument("app.quit")));
        assert!(parse("set number").is_err() && parse("explain").is_err() && parse("less").is_err());
        assert!(parse("zoom").is_ok(), "one command ends with this");
        assert_eq!(parse("down"), Err(CommandError::Unknown("down".into())), "several commands end with this");
        assert_eq!(parse("q"), Ok((Command::Quit, "")));
        assert_eq!(parse("w out.md"), Ok((Command::ExportFile, "out.md")));
        assert_eq!(parse("help").map(|(command, _)| command), Ok(Command::Help));
        assert_eq!(parse("e").map(|(command, _)| command.spec().name), Ok("go.editor"));
        assert_eq!(parse(""), Err(CommandError::Unknown(String::new())));
    }
}
