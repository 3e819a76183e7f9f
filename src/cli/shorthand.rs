//! `knowing "TASK"`: a task in the place of a command opens the explorer with it; `knowing --fresh`: so does an option
//! of the explorer.
//!
//! Only a text of several words is a task, or a word that no command looks like: a name or a place in code, or one with a
//! letter that is not ASCII, as in languages that are written without spaces. A misspelled command remains an error with
//! suggestions.

use std::ffi::OsString;
use std::path::Path;

use super::arguments::grammar;

/// Options before a command whose value is the next word.
const OPTIONS_WITH_VALUE: [&str; 4] = ["--db", "--repo", "--workspace", "--color"];

/// Replaces a task in the place of the command by `tui --task TASK`, and puts `tui` before an option of the explorer
/// there; a task behind it needs no `--task` either.
pub fn expand(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_explorer = |index: &usize| words[*index] == "tui";
    let explorer = command_index(&words).filter(is_explorer);
    let option = if explorer.is_none() { explorer_option_index(&words) } else { None };
    if let Some(index) = option {
        words.insert(index, OsString::from("tui"));
    }
    if let Some(index) = explorer.or(option) {
        let is_value = |at: usize| {
            let option = words[at - 1].to_string_lossy();
            matches!(&*option, "--task" | "--theme") || OPTIONS_WITH_VALUE.contains(&&*option)
        };
        let is_positional = |at: &usize| is_task(&words[*at]) && !is_value(*at) && !Path::new(&words[*at]).is_dir();
        if let Some(at) = (index + 1..words.len()).find(is_positional) {
            words.insert(at, OsString::from("--task"));
        }
    } else if let Some(index) = command_index(&words).filter(|index| is_task(&words[*index]) || is_code(&words[*index]))
    {
        words.splice(index..index, ["tui", "--task"].map(OsString::from));
    }
    words
}

/// Returns the index of the first option that only the explorer has, if no command is before it.
fn explorer_option_index(words: &[OsString]) -> Option<usize> {
    let grammar = grammar();
    let options: Vec<&str> =
        grammar.find_subcommand("tui")?.get_arguments().filter_map(|argument| argument.get_long()).collect();
    let mut index = 1;
    while let Some(word) = words.get(index) {
        let text = word.to_string_lossy();
        let option = text.strip_prefix("--").filter(|_| !is_task(word))?;
        if options.contains(&option.split('=').next().unwrap_or_default()) {
            return Some(index);
        }
        index += if OPTIONS_WITH_VALUE.contains(&&*text) { 2 } else { 1 };
    }
    None
}

/// Returns what else a command line can mean that has an unknown command.
pub fn tip(words: &[OsString]) -> Option<String> {
    let index = command_index(words)?;
    let words: Vec<_> = words[index..].iter().map(|word| word.to_string_lossy()).collect();
    let first = &*words[0];
    let named = grammar().find_subcommand(first).is_some();
    match words.as_slice() {
        // A subcommand of it is unknown.
        _ if named => None,
        _ if Path::new(first).is_dir() => Some(format!("for this folder: knowing --repo {first}")),
        _ if Path::new(first).is_file() => Some(format!("for what is in this file: knowing context --files {first}")),
        [one] => Some(format!("for a task of one word: knowing tui --task {one}")),
        words if words.iter().any(|word| word.starts_with('-')) => None,
        words => Some(format!("a task is quoted: knowing \"{}\"", words.join(" "))),
    }
}

fn command_index(words: &[OsString]) -> Option<usize> {
    let mut index = 1;
    while let Some(word) = words.get(index) {
        let text = word.to_string_lossy();
        match () {
            () if OPTIONS_WITH_VALUE.contains(&&*text) => index += 2,
            () if text.starts_with('-') && !is_task(word) => index += 1,
            () => return Some(index),
        }
    }
    None
}

/// Returns whether a word is text of several words, or has a letter that is not ASCII and names no file. An option with a
/// value, such as `--repo=a b`, is not.
fn is_task(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    let is_one_word = || !text.starts_with('-') && has_other_letter(&text) && !Path::new(word).exists();
    (text.trim().contains(char::is_whitespace) || is_one_word()) && !(first.starts_with('-') && first.contains('='))
}

/// Returns whether a word is a name or a place in code, such as `load_dotenv`, `Store.save` or `a.py:1`, and names no file.
fn is_code(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    let is_part = |letter: char| letter.is_alphanumeric() || "_.:/$".contains(letter);
    let is_word =
        text.starts_with(|first: char| first.is_alphabetic() || "_$".contains(first)) && text.chars().all(is_part);
    let has_sign = text.contains(['_', '.', ':', '$']) || text.contains(char::is_uppercase);
    is_word && has_sign && !Path::new(word).exists() && grammar().find_subcommand(text.to_lowercase()).is_none()
}

fn has_other_letter(text: &str) -> bool {
    text.chars().any(|letter| !letter.is_ascii() && letter.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(words: &[&str]) -> Vec<String> {
        let words = words.iter().map(OsString::from).collect();
        expand(words).into_iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn task_in_place_of_the_command_opens_the_explorer() {
        assert_eq!(expanded(&["knowing", "fix it", "--plain"]), ["knowing", "tui", "--task", "fix it", "--plain"]);
        let with_option = expanded(&["knowing", "--db", "a b", "--max-count stops"]);
        assert_eq!(with_option, ["knowing", "--db", "a b", "tui", "--task", "--max-count stops"]);
        assert_eq!(expanded(&["knowing", "获取用户信息"]), ["knowing", "tui", "--task", "获取用户信息"]);
        assert_eq!(expanded(&["knowing", "登录", "--plain"]), ["knowing", "tui", "--task", "登录", "--plain"]);
        for name in ["load_dotenv", "Store.save", "src/a.py:1", "getRawMany", "Flask", "app::run", "$el"] {
            assert_eq!(expanded(&["knowing", name]), ["knowing", "tui", "--task", name]);
        }
    }

    #[test]
    fn options_of_the_explorer_need_no_command() {
        assert_eq!(expanded(&["knowing", "--fresh"]), ["knowing", "tui", "--fresh"]);
        assert_eq!(expanded(&["knowing", "--task", "fix it"]), ["knowing", "tui", "--task", "fix it"]);
        let with_option = expanded(&["knowing", "--db", "--plain", "--task=fix it", "--plain"]);
        assert_eq!(with_option, ["knowing", "--db", "--plain", "tui", "--task=fix it", "--plain"]);
        assert_eq!(expanded(&["knowing", "--fresh", "fix it"]), ["knowing", "tui", "--fresh", "--task", "fix it"]);
        assert_eq!(expanded(&["knowing", "tui", "fix it"]), ["knowing", "tui", "--task", "fix it"]);
        let with_folder = ["knowing", "tui", "a", "--repo", "b c", "fix"];
        assert_eq!(expanded(&with_folder), with_folder);
    }

    #[test]
    fn other_command_lines_are_kept() {
        for words in [
            &["knowing"][..],
            &["knowing", "fix"],
            &["knowing", "queries"],
            &["knowing", "Status"],
            &["knowing", "src/a"],
            &["knowing", "Cargo.toml"],
            &["knowing", "query", "a b"],
            &["knowing", "--repo=a b", "status"],
            &["knowing", "--color", "a b"],
            &["knowing", " status "],
            &["knowing", "--help"],
            &["knowing", "context", "--task", "a b"],
            &["knowing", "query", "登录"],
            &["knowing", "--repo=登录"],
        ] {
            assert_eq!(expanded(words), words);
        }
    }
}
