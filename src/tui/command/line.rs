//! Parses commands written as text: a name and, for some, an argument.

use thiserror::Error;

use super::{Command, commands};
use crate::tui::theme::BUILT_IN_THEMES;

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("unknown command `{0}`")]
    Unknown(String),
    #[error("`{0}` takes no argument")]
    NoArgument(&'static str),
}

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
        Command::PackSave | Command::PackDelete => ("name", Vec::new(), true),
        Command::Mouse => ("on|off", vec!["on", "off"], false),
        Command::SetGlyphs => ("set", vec!["unicode", "ascii"], false),
        Command::SetTheme => ("theme", BUILT_IN_THEMES.iter().map(|(name, _)| *name).collect(), false),
        _ => return None,
    };
    Some(Argument { name, values, is_free })
}

/// Parses a line such as `budget.set 8000` or `mouse off` into a command and its argument, which may be empty.
///
/// The first part of a name may be omitted where the rest is unique.
///
/// # Errors
/// When there is no such command, or it takes no argument.
pub fn parse(line: &str) -> Result<(Command, &str), CommandError> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let exact = commands().find(|spec| spec.name == name);
    let short = || {
        let mut ending = commands().filter(|spec| spec.name.split_once('.').is_some_and(|(_, end)| end == name));
        ending.next().filter(|_| ending.next().is_none())
    };
    let spec = exact.or_else(short).ok_or_else(|| CommandError::Unknown(name.to_owned()))?;
    let given = rest.trim();
    match argument(spec.command) {
        None if !given.is_empty() => Err(CommandError::NoArgument(spec.name)),
        _ => Ok((spec.command, given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_by_name_and_by_last_part() {
        assert_eq!(parse("budget.set  8000 "), Ok((Command::BudgetSet, "8000")));
        assert_eq!(parse("mouse off"), Ok((Command::Mouse, "off")));
        assert_eq!(parse("app.quit"), Ok((Command::Quit, "")));
        assert_eq!(parse("app.quit now"), Err(CommandError::NoArgument("app.quit")));
        assert!(parse("edit").is_ok(), "one command ends with this");
        assert_eq!(parse("down"), Err(CommandError::Unknown("down".into())), "several commands end with this");
        assert_eq!(parse(""), Err(CommandError::Unknown(String::new())));
    }
}
