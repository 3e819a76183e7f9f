//! Commands written as words: a name and, for some, an argument.

use super::{COMMANDS, Command};
use crate::tui::theme::BUILT_IN_THEMES;

/// What a command wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name in the palette, such as `tokens`.
    pub name: &'static str,
    /// What it may be, where that is a list.
    pub values: Vec<&'static str>,
    /// True when it may be something else than those.
    pub is_free: bool,
}

/// The argument of a command; none for most.
pub fn argument(command: Command) -> Option<Argument> {
    let (name, values, is_free): (&str, Vec<&str>, bool) = match command {
        Command::BudgetSet => ("tokens", vec!["1000", "4000", "8000", "16000", "32000", "50000", "100000"], true),
        Command::ExportFile => {
            ("file", vec!["knowing-pack.gcf", "knowing-pack.json", "knowing-pack.md", "knowing-pack.xml"], true)
        }
        Command::Mouse => ("on|off", vec!["on", "off"], false),
        Command::SetGlyphs => ("set", vec!["unicode", "ascii"], false),
        Command::SetTheme => ("theme", BUILT_IN_THEMES.iter().map(|(name, _)| *name).collect(), false),
        _ => return None,
    };
    Some(Argument { name, values, is_free })
}

/// The command of a line such as `budget.set 8000` or `mouse off`, and its argument, which may be empty.
///
/// The first part of a name may be left out where that is clear.
pub fn parse(line: &str) -> Result<(Command, &str), String> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let exact = COMMANDS.iter().find(|entry| entry.name == name);
    let short = || {
        let mut ending = COMMANDS.iter().filter(|entry| entry.name.split_once('.').is_some_and(|(_, end)| end == name));
        ending.next().filter(|_| ending.next().is_none())
    };
    let entry = exact.or_else(short).ok_or_else(|| format!("there is no command `{name}`"))?;
    let given = rest.trim();
    match argument(entry.command) {
        None if !given.is_empty() => Err(format!("`{}` takes no argument", entry.name)),
        _ => Ok((entry.command, given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_by_name_and_by_their_last_part() {
        assert_eq!(parse("budget.set  8000 "), Ok((Command::BudgetSet, "8000")));
        assert_eq!(parse("mouse off"), Ok((Command::Mouse, "off")));
        assert_eq!(parse("app.quit"), Ok((Command::Quit, "")));
        assert!(parse("app.quit now").unwrap_err().contains("takes no argument"));
        assert!(parse("edit").is_ok(), "only one command ends so");
        assert!(parse("down").unwrap_err().contains("no command `down`"), "three commands end so");
        assert!(parse("").unwrap_err().contains("no command"));
    }
}
