//! `knowing "TASK"`: a task in the place of a command opens the explorer with it; `knowing --fresh`: so does an option
//! of the explorer. Former spellings of commands are replaced, too.
//!
//! Only a quoted text of several words is a task, so that a misspelled command remains an error with suggestions.

use std::ffi::OsString;

use super::arguments::grammar;

/// Options before a command whose value is the next word.
const OPTIONS_WITH_VALUE: [&str; 4] = ["--db", "--repo", "--workspace", "--color"];

/// Former spellings of commands, and their spellings today. Scripts of the time before still run; neither help nor
/// documents have them.
const FORMER: [(&[&str], &[&str]); 14] = [
    (&["debug", "facts"], &["why", "--facts"]),
    (&["debug", "edge"], &["why", "--edge"]),
    (&["debug"], &["why", "--stage"]),
    (&["vocab", "undo"], &["feedback", "undo"]),
    (&["vocab", "redo"], &["feedback", "redo"]),
    (&["vocab"], &["feedback", "terms"]),
    (&["seeds"], &["concepts"]),
    (&["stale"], &["status", "--check"]),
    (&["fsck"], &["status", "--verify"]),
    (&["stats"], &["status"]),
    (&["export"], &["query"]),
    (&["share"], &["index", "share"]),
    (&["cache"], &["index", "cache"]),
    (&["watch"], &["index", "watch"]),
];

/// Replaces a task in the place of the command by `tui --task TASK`, puts `tui` before an option of the explorer there, and
/// replaces a former spelling of a command.
pub fn expand(mut words: Vec<OsString>) -> Vec<OsString> {
    if let Some(index) = explorer_option_index(&words) {
        words.insert(index, OsString::from("tui"));
    } else if let Some(index) = command_index(&words).filter(|index| is_task(&words[*index])) {
        words.splice(index..index, ["tui", "--task"].map(OsString::from));
    } else if let Some(index) = command_index(&words)
        && let Some((former, current)) = FORMER.iter().find(|(former, _)| starts_with(&words[index..], former))
    {
        words.splice(index..index + former.len(), current.iter().map(OsString::from));
    }
    words
}

fn starts_with(words: &[OsString], first: &[&str]) -> bool {
    words.len() >= first.len() && words.iter().zip(first).all(|(word, first)| word == first)
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

/// Returns the word in the place of the command, if it can't be a task.
pub fn unknown_command(words: &[OsString]) -> Option<String> {
    command_index(words).map(|index| words[index].to_string_lossy().into_owned())
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

/// Returns whether a word is text of several words. An option with a value, such as `--repo=a b`, is not.
fn is_task(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    text.trim().contains(char::is_whitespace) && !(first.starts_with('-') && first.contains('='))
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
    }

    #[test]
    fn options_of_the_explorer_need_no_command() {
        assert_eq!(expanded(&["knowing", "--fresh"]), ["knowing", "tui", "--fresh"]);
        assert_eq!(expanded(&["knowing", "--task", "fix it"]), ["knowing", "tui", "--task", "fix it"]);
        let with_option = expanded(&["knowing", "--db", "--plain", "--task=fix it", "--plain"]);
        assert_eq!(with_option, ["knowing", "--db", "--plain", "tui", "--task=fix it", "--plain"]);
    }

    #[test]
    fn former_spellings_are_replaced() {
        assert_eq!(expanded(&["knowing", "stats", "--skips"]), ["knowing", "status", "--skips"]);
        let edges = expanded(&["knowing", "--repo", "x", "export", "--edges"]);
        assert_eq!(edges, ["knowing", "--repo", "x", "query", "--edges"]);
        assert_eq!(expanded(&["knowing", "debug", "facts", "a.py"]), ["knowing", "why", "--facts", "a.py"]);
        let stage = expanded(&["knowing", "debug", "walk", "--task", "a"]);
        assert_eq!(stage, ["knowing", "why", "--stage", "walk", "--task", "a"]);
        for (former, current) in FORMER {
            let mut command = grammar();
            for name in current.iter().take_while(|name| !name.starts_with('-')) {
                command = command.find_subcommand(name).unwrap().clone();
            }
            assert!(grammar().find_subcommand(former[0]).is_none(), "{former:?} is a command");
            for option in current.iter().filter_map(|name| name.strip_prefix("--")) {
                assert!(command.get_arguments().any(|argument| argument.get_long() == Some(option)), "{current:?}");
            }
        }
    }

    #[test]
    fn other_command_lines_are_kept() {
        for words in [
            &["knowing"][..],
            &["knowing", "fix"],
            &["knowing", "query", "a b"],
            &["knowing", "--repo=a b", "status"],
            &["knowing", "--color", "a b"],
            &["knowing", " status "],
            &["knowing", "--help"],
            &["knowing", "context", "--task", "a b"],
        ] {
            assert_eq!(expanded(words), words);
        }
    }
}
