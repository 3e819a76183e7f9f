//! Parts of lines that are marked: matches of the search, and words of the task.

use std::collections::HashSet;
use std::ops::Range;

use super::cursor::identifiers;
use super::state::SourceView;
use super::{ID, page_rows};
use crate::text::{identifier_parts, is_cjk, stem};
use crate::tui::model::Model;

/// The search in a file. In another file it waits: nothing is marked until the user goes to the next match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    pub needle: String,
    /// The file in which it was started.
    file: String,
    /// Line, from 1, and byte range of each match.
    matches: Vec<(usize, Range<usize>)>,
    /// The line of the cursor when the search began.
    origin: usize,
}

/// Limit of the matches that are counted.
const MAX_MATCHES: usize = 100_000;
/// Limit of the letters of a task whose words are marked.
const MAX_TASK_LETTERS: usize = 2_000;
/// Words of tasks that are in every file.
const STOP_WORDS: &[&str] = &[
    "about", "add", "after", "all", "also", "and", "any", "are", "before", "but", "can", "does", "doesn", "don",
    "each", "fix", "for", "from", "get", "has", "have", "how", "into", "isn", "its", "make", "new", "not", "only",
    "out", "set", "should", "that", "the", "them", "then", "there", "they", "this", "use", "used", "uses", "was",
    "were", "what", "when", "where", "which", "why", "will", "with",
];

impl SourceView {
    /// Searches the file and goes to the first match from the line on at which the search began.
    pub fn set_search(&mut self, needle: String, height: usize) {
        if self.needle().is_empty() {
            self.search.origin = self.cursor;
        }
        self.search.needle = needle;
        self.start_search_here();
        let origin = self.search.origin;
        let next = self.search.matches.iter().position(|(line, _)| *line >= origin);
        match next.or((!self.search.matches.is_empty()).then_some(0)) {
            Some(index) => self.go_to_match(index, height),
            None => self.move_to(origin, height),
        }
    }

    /// Returns the text that is searched for in the shown file; empty if there is none, or if it was searched for in
    /// another file.
    pub fn needle(&self) -> &str {
        let is_here = self.shown.as_ref().is_some_and(|shown| shown.file == self.search.file);
        if is_here { &self.search.needle } else { "" }
    }

    fn start_search_here(&mut self) {
        self.search.file = self.shown.as_ref().map_or_else(String::new, |shown| shown.file.clone());
        self.renew_search();
    }

    /// Searches again after the file has changed.
    pub fn renew_search(&mut self) {
        if self.needle().is_empty() {
            self.search.matches.clear();
            return;
        }
        let needle = std::mem::take(&mut self.search.needle);
        let lines = (1..=self.lines.len()).flat_map(|line| {
            found_in(&self.line_text(line), &needle).into_iter().map(move |range| (line, range)).collect::<Vec<_>>()
        });
        let matches = lines.take(MAX_MATCHES).collect();
        (self.search.needle, self.search.matches) = (needle, matches);
    }

    /// Goes to the next or the previous match; a search of another file starts here. Returns whether that began again
    /// at the other end of the file; `None` without a match.
    fn next_match(&mut self, forward: bool, height: usize) -> Option<bool> {
        if self.needle().is_empty() {
            self.start_search_here();
        }
        let at = (self.cursor, self.word.as_ref().map_or(0, |word| word.start));
        let position = |(line, range): &(usize, Range<usize>)| (*line, range.start);
        let matches = &self.search.matches;
        let last = matches.len().checked_sub(1)?;
        let found = match forward {
            true => matches.iter().position(|other| position(other) > at),
            false => matches.iter().rposition(|other| position(other) < at),
        };
        self.go_to_match(found.unwrap_or(if forward { 0 } else { last }), height);
        Some(found.is_none())
    }

    fn go_to_match(&mut self, index: usize, height: usize) {
        if let Some((line, range)) = self.search.matches.get(index).cloned() {
            self.move_to(line, height);
            self.word = Some(range);
        }
    }

    /// Returns the number of the match under the cursor, from 1 and 0 if there is none, and of all matches.
    pub fn match_counts(&self) -> (usize, usize) {
        let start = self.word.as_ref().map_or(0, |word| word.start);
        let at = self.search.matches.iter().position(|(line, range)| (*line, range.start) == (self.cursor, start));
        (at.map_or(0, |index| index + 1), self.search.matches.len())
    }
}

/// Goes to the next or the previous match of the search.
pub fn go_to_match(model: &mut Model, forward: bool) {
    let height = page_rows(model, ID);
    match model.panes.source.next_match(forward, height) {
        None => model.show_message("no match in this file"),
        Some(true) => {
            model.show_message(if forward { "wrapped to the first match" } else { "wrapped to the last match" })
        }
        Some(false) => {}
    }
}

/// Returns the byte ranges of `needle` in a text; a needle without capital letters matches both cases.
pub fn found_in(text: &str, needle: &str) -> Vec<Range<usize>> {
    if needle.is_empty() {
        return Vec::new();
    }
    let ranges = |text: &str, needle: &str| -> Vec<Range<usize>> {
        text.match_indices(needle).map(|(at, found)| at..at + found.len()).collect()
    };
    match needle.chars().any(char::is_uppercase) {
        true => ranges(text, needle),
        // Offsets in ASCII lower case are those of the text.
        false => ranges(&text.to_ascii_lowercase(), &needle.to_ascii_lowercase()),
    }
}

/// Returns the stems of a task's words.
pub fn task_stems(task: &str) -> HashSet<String> {
    let task: String = task.chars().take(MAX_TASK_LETTERS).collect();
    let words = identifier_parts(&task).map(str::to_lowercase);
    // Two characters are a word in Chinese, Japanese and Korean.
    let is_word = |word: &String| word.chars().count() > 2 || word.chars().all(is_cjk);
    let words = words.filter(|word| is_word(word) && !STOP_WORDS.contains(&word.as_str()));
    words.map(|word| stem(&word).into_owned()).collect()
}

/// Returns the byte ranges of a text's words whose stems are among `stems`.
pub fn words_of_task(text: &str, stems: &HashSet<String>) -> Vec<Range<usize>> {
    if stems.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for identifier in identifiers(text) {
        let mut from = identifier.start;
        for part in identifier_parts(&text[identifier.clone()]) {
            let Some(offset) = text[from..identifier.end].find(part) else { break };
            let range = from + offset..from + offset + part.len();
            // The next pair of characters begins within this one.
            let overlap = part.chars().next_back().filter(|last| is_cjk(*last) && part.len() > last.len_utf8());
            from = range.end - overlap.map_or(0, char::len_utf8);
            if !stems.contains(&*stem(&part.to_lowercase())) {
                continue;
            }
            match found.last_mut() {
                Some(last) if last.end > range.start => last.end = range.end,
                _ => found.push(range),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_needle_without_capitals_matches_both_cases() {
        assert_eq!(found_in("Session session é SESSION", "session"), [0..7, 8..15, 19..26]);
        assert_eq!(found_in("Session session", "Session"), vec![std::ops::Range { start: 0, end: 7 }]);
        assert!(found_in("Session", "").is_empty());
    }

    #[test]
    fn words_of_the_task_are_found_in_identifiers_by_their_stems() {
        let stems = task_stems("where are sessions transformed, and the cookie?");
        let text = "def transform_session(SessionCookie): # the obsession";
        let found: Vec<&str> = words_of_task(text, &stems).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["transform", "session", "Session", "Cookie"]);
        let text = "// 检查用户密码 2";
        let found: Vec<&str> =
            words_of_task(text, &task_stems("用户密码")).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["用户密码"]);
        assert!(words_of_task(text, &task_stems("how does this work with that")).is_empty());
    }
}
