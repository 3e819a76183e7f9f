//! The search for a command by a typed line: names, then titles, then scattered letters.

use super::{CommandSpec, alias, commands};
use crate::tui::fuzzy;

/// Returns the commands that match a line, best first: by their names, then by the words of their titles, then by
/// letters that are scattered over both, if nothing else matches. Among the last, commands that change data are left
/// out: `Enter` after a guess must not vote, undo or quit.
pub fn ranked(line: &str) -> Vec<&'static CommandSpec> {
    let offered: Vec<&'static CommandSpec> = commands().filter(|entry| entry.is_listed()).collect();
    let line = line.trim().to_lowercase();
    if line.is_empty() {
        return offered;
    }
    let labels: Vec<String> = offered.iter().map(|entry| format!("{} {}", entry.name, entry.title)).collect();
    let found = fuzzy::matching(&line, labels.iter().map(String::as_str));
    let mut ranked: Vec<(Closeness, &'static CommandSpec)> =
        found.into_iter().map(|index| (closeness(offered[index], &line), offered[index])).collect();
    let has_closer = ranked.iter().any(|(closeness, _)| *closeness < Closeness::Scattered);
    ranked.retain(|(closeness, entry)| *closeness < Closeness::Scattered || !has_closer && !entry.changes_data);
    if let Some(own) = alias(&line) {
        ranked.retain(|(_, entry)| entry.command != own);
        ranked.push((Closeness::Alias, own.spec()));
    }
    // Stable: within a class the best fuzzy match is first.
    ranked.sort_by_key(|(closeness, entry)| (*closeness, *closeness == Closeness::Title && entry.changes_data));
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
    /// It is in the name, in one piece.
    Inside,
    /// Each of its words starts a part of the name.
    NameWords,
    /// Its letters are in the name, in several pieces.
    Pieces,
    /// Each of its words starts a word of name or title.
    Title,
    /// Its letters are in the name or the title.
    Scattered,
}

/// Returns whether a line, in lower case, names a command: it is its name or alias, or a piece of the name. Whatever
/// else is found for a line is only a guess.
pub fn names(entry: &CommandSpec, line: &str) -> bool {
    closeness(entry, line) <= Closeness::NameWords
}

fn closeness(entry: &CommandSpec, line: &str) -> Closeness {
    let starts = |text: &str, word: &str| text.split(['.', '-', ' ', ',']).any(|part| part.starts_with(word));
    let title = entry.title.to_lowercase();
    if alias(line) == Some(entry.command) {
        Closeness::Alias
    } else if entry.name == line || entry.name.split_once('.').is_some_and(|(_, last)| last == line) {
        Closeness::Name
    } else if entry.name.starts_with(line) || starts(entry.name, line) {
        Closeness::Start
    } else if entry.name.contains(line) {
        Closeness::Inside
    } else if line.split_whitespace().all(|word| starts(entry.name, word)) {
        Closeness::NameWords
    } else if !entry.changes_data && is_in_name(entry, line) {
        Closeness::Pieces
    } else if line.split_whitespace().all(|word| word.len() > 1 && (starts(entry.name, word) || starts(&title, word))) {
        Closeness::Title
    } else {
        Closeness::Scattered
    }
}

fn is_in_name(entry: &CommandSpec, line: &str) -> bool {
    !fuzzy::matching(line, std::iter::once(entry.name)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_letters_change_nothing() {
        let letters = ('a'..='z').map(String::from);
        let pairs = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
        let words = ["hlp", "vte", "stdot", "undi", "tsk", "open", "mute it", "nxt"].map(str::to_owned);
        for line in letters.chain(pairs).chain(words) {
            let Some(first) = ranked(&line).first().copied() else { continue };
            let is_meant = alias(&line) == Some(first.command) || closeness(first, &line) < Closeness::Scattered;
            assert!(is_meant || !first.changes_data, "{line}: {}", first.name);
        }
    }
}
