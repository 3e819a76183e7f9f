//! Answers for agents: what is in one file is below its path, and a budget limits the text.
//!
//! Rows come first, then what is not known of them, then the lines that may be further users. Room for what is not known is kept, as
//! a list without it looks whole.

use super::question::{
    MAX_LINES, commands, distance_heading, has_distances, heading, line_numbers, meaning_of, mentions, name, push_path,
    relation, use_place,
};
use super::{escape, location};
use crate::model::{Answer, AnswerRow, Meaning, Mention, Question};
use crate::text::count;
use crate::text::display::thousands;
use crate::text::tokens::Counter;

/// Limits of the lines that are not resolved in a text about something else, and of those in comments, texts and files that are not
/// indexed; and the limits of both for the rest of an answer.
pub const MAX_UNRESOLVED: usize = 12;
const MAX_OTHERS: usize = 5;
const MAX_REST: usize = 200;
/// The distance from which on a test says less of a symbol than a line of a test that names it.
const FAR: u32 = 3;
/// Limit of the files of tests whose lines are listed.
const MAX_TEST_FILES: usize = 8;
/// Limit of the rows on one line.
const MAX_ON_LINE: usize = 6;
/// Number of near tests beside which distant ones are only counted.
const ENOUGH_TESTS: usize = 10;
/// Limit of a line of source.
const MAX_SHOWN_CHARS: usize = 110;
/// Tokens of the line that says what was cut, and the shares of the room that what is not known and the lines that may be further
/// users keep: one in so many.
const CUT_TOKENS: usize = 20;
const NOTE_SHARE: usize = 3;
const USER_SHARE: usize = 5;

/// The limits of a text.
pub struct Extent<'a> {
    pub max_tokens: usize,
    /// The way to what does not fit.
    pub way_on: &'a str,
    /// Whether the way leads to more rows than the answer has.
    pub goes_beyond: bool,
    /// Whether distant tests are only counted where there are enough near ones.
    pub is_short: bool,
    /// Number of the rows that were sent before and are not in the answer any more; `None` for a whole answer.
    pub sent_before: Option<usize>,
}

/// The text of an answer, and what it has of it.
#[derive(Default)]
pub struct AnswerText {
    pub text: String,
    /// Number of the rows in it: the first ones.
    pub rows: usize,
    /// The places of the lines in it that name the subject.
    pub lines: Vec<(String, u32)>,
}

/// A line of text, and what of an answer it shows.
struct Line {
    text: String,
    shows: Shows,
}

enum Shows {
    /// The head of the lines below it.
    Head,
    /// So many rows.
    Rows(usize),
    /// Lines of one file that name the subject.
    Lines(Vec<(String, u32)>),
    Other,
}

impl Line {
    fn new(shows: Shows, text: String) -> Line {
        Line { text: text + "\n", shows }
    }

    /// Returns whether it has rows or lines of the answer.
    fn is_listed(&self) -> bool {
        matches!(self.shows, Shows::Rows(_) | Shows::Lines(_))
    }
}

/// Renders an answer as text for agents, as far as it fits; nothing of the heading is left out.
pub fn text(answer: &Answer, extent: &Extent<'_>) -> AnswerText {
    let mut head = heading(answer) + "\n";
    let mut notes = Vec::new();
    let limit = if extent.sent_before.is_some() { MAX_REST } else { MAX_UNRESOLVED };
    let (body, users) = (body(answer, extent.is_short), possible_users(answer, "  ", limit));
    match extent.sent_before {
        Some(sent) if sent >= answer.total && !body.iter().chain(&users).any(Line::is_listed) => {
            return AnswerText { text: head + "all of it was sent before\n", ..AnswerText::default() };
        }
        Some(sent) => head.push_str(&sent_before(sent, answer.known_lines.len())),
        None => {
            head.push_str(&commands(answer, ""));
            notes.extend(answer.notes.iter().map(|note| format!("note: {}\n", escape::one_line(note))));
        }
    }
    notes.extend(mentions(answer).map(|mentions| format!("{mentions}\n")));
    let mut counter = Counter::default();
    let left = extent.max_tokens.saturating_sub(counter.count(&head));
    let for_notes = notes.iter().map(|note| counter.count(note)).sum::<usize>().min(left / NOTE_SHARE);
    let shown = AnswerText { text: head, ..AnswerText::default() };
    let for_users = users.iter().map(|line| counter.count(&line.text)).sum::<usize>().min(left / USER_SHARE);
    let for_more = CUT_TOKENS.min(left - for_notes - for_users);
    let mut room = Room { left: left - for_notes - for_users - for_more, counter, shown };
    let count_of_rows = answer.rows.len();
    room.take(body);
    room.left += for_more;
    let left_out = answer.total.saturating_sub(room.shown.rows + extent.sent_before.unwrap_or_default());
    if left_out > 0 && !matches!(answer.question, Question::Path { .. }) {
        let has_way = room.shown.rows < count_of_rows || extent.goes_beyond;
        let way_on = if has_way { format!(" ({})", extent.way_on) } else { String::new() };
        let more = Line::new(Shows::Other, format!("… {} more, farther or less certain{way_on}", thousands(left_out)));
        room.take(vec![more]);
    }
    room.left += for_notes;
    // A note that is too long hides no other.
    notes.into_iter().for_each(|text| room.take(vec![Line { text, shows: Shows::Other }]));
    room.left += for_users;
    room.take(users);
    room.shown
}

/// The tokens that are left, and what has been written.
struct Room {
    left: usize,
    counter: Counter,
    shown: AnswerText,
}

impl Room {
    /// Writes the first lines that fit.
    fn take(&mut self, lines: Vec<Line>) {
        let mut left = self.left;
        let fits = |line: &&Line| left.checked_sub(self.counter.count(&line.text)).map(|rest| left = rest).is_some();
        let fitting = lines.iter().take_while(fits).count();
        let mut lines: Vec<Line> = lines.into_iter().take(fitting).collect();
        // A head without its first line says nothing.
        while lines.last().is_some_and(|line| matches!(line.shows, Shows::Head)) {
            lines.pop();
        }
        for Line { text, shows } in lines {
            self.left = self.left.saturating_sub(self.counter.count(&text));
            self.shown.text.push_str(&text);
            match shows {
                Shows::Rows(count) => self.shown.rows += count,
                Shows::Lines(lines) => self.shown.lines.extend(lines),
                Shows::Head | Shows::Other => {}
            }
        }
    }
}

/// Returns the rows by distance and file; of a question about tests the lines of tests that name the subject come before those that
/// are farther. Where there are enough near tests, a short text ends with these.
fn body(answer: &Answer, is_short: bool) -> Vec<Line> {
    if let Question::Path { .. } = answer.question {
        let mut path = String::new();
        push_path(&mut path, answer);
        let lines = path.lines().map(|line| Line::new(Shows::Other, line.to_owned()));
        return lines.collect();
    }
    let mut lines = Vec::new();
    let mut of_tests = Some(lines_of_tests(answer));
    let mut last = None;
    let near = answer.rows.iter().take_while(|row| row.distance <= FAR).count();
    let is_enough = near >= ENOUGH_TESTS && is_short && matches!(answer.question, Question::Tests { .. });
    let shown = if is_enough { &answer.rows[..near] } else { &answer.rows[..] };
    for rows in shown.chunk_by(|one, other| is_together(answer, one, other)) {
        let distance = rows[0].distance;
        if distance >= FAR {
            lines.extend(of_tests.take().into_iter().flatten());
        }
        if last.replace(distance) != Some(distance) && has_distances(answer) {
            lines.push(Line::new(Shows::Head, distance_heading(answer, distance)));
        }
        lines.extend(rows_of_file(answer, rows, "  "));
    }
    lines.extend(of_tests.into_iter().flatten());
    lines
}

/// Returns whether two rows are below one path.
fn is_together(answer: &Answer, one: &AnswerRow, other: &AnswerRow) -> bool {
    let file = |row: &AnswerRow| answer.repositories.shown(&row.symbol).into_owned();
    one.distance == other.distance && !one.symbol.file.is_empty() && file(one) == file(other)
}

/// Returns rows of one file: one with its place, several below the path.
fn rows_of_file(answer: &Answer, rows: &[AnswerRow], indent: &str) -> Vec<Line> {
    let relation = |row: &AnswerRow| {
        let text = row.text.as_ref().map_or_else(String::new, |text| format!(": {}", shortened(text)));
        format!("{}{text}", relation(answer, row))
    };
    let mut lines = Vec::new();
    if let [row] = rows {
        let text = format!("{indent}{}  {}  {}", name(&row.symbol), use_place(answer, row).1, relation(row));
        lines.push(Line::new(Shows::Rows(1), text));
    } else if let Some(first) = rows.first() {
        let file = escape::one_line(&answer.repositories.shown(&first.symbol));
        lines.push(Line::new(Shows::Head, format!("{indent}{file}")));
        // Rows with the same relation are on one line.
        let is_same = |one: &AnswerRow, other: &AnswerRow| one.text.is_none() && relation(one) == relation(other);
        for rows in rows.chunk_by(is_same).flat_map(|rows| rows.chunks(MAX_ON_LINE)) {
            let places = rows.iter().map(|row| format!("{}:{}", name(&row.symbol), use_place(answer, row).0));
            let text = format!("{indent}  {}  {}", places.collect::<Vec<_>>().join(", "), relation(&rows[0]));
            lines.push(Line::new(Shows::Rows(rows.len()), text));
        }
    }
    lines
}

/// Renders the first rows of a list, by file.
pub fn rows(answer: &Answer, rows: &[&AnswerRow], indent: &str) -> String {
    let rows: Vec<AnswerRow> = rows.iter().map(|row| (*row).clone()).collect();
    let groups = rows.chunk_by(|one, other| is_together(answer, one, other));
    groups.flat_map(|rows| rows_of_file(answer, rows, indent)).map(|line| line.text).collect()
}

/// Returns the unresolved lines of tests that name the subject of a question about tests, by file.
fn lines_of_tests(answer: &Answer) -> Vec<Line> {
    let mentions: Vec<&Mention> = answer.listed_mentions().filter(|mention| is_of_test(answer, mention)).collect();
    let files: Vec<&[&Mention]> = mentions.chunk_by(|one, other| one.file == other.file).collect();
    let mut lines = Vec::new();
    if files.is_empty() {
        return lines;
    }
    lines.push(Line::new(Shows::Head, "tests that name it, not resolved".to_owned()));
    for mentions in files.iter().take(MAX_TEST_FILES) {
        let file = escape::one_line(&answer.repositories.shown_file(&mentions[0].file));
        let numbers: Vec<u32> = mentions.iter().map(|mention| mention.line).collect();
        let places = mentions.iter().take(MAX_LINES).map(|mention| mention.place()).collect();
        lines.push(Line::new(Shows::Lines(places), format!("  {file}  {}", line_numbers(&numbers))));
    }
    if let more @ 1.. = files.len().saturating_sub(MAX_TEST_FILES) {
        lines.push(Line::new(Shows::Other, format!("  … {} more", count(more, "file"))));
    }
    lines
}

/// Renders the unresolved lines of tests, by file; nothing for a question that is not about tests.
pub fn tests_that_name(answer: &Answer) -> String {
    lines_of_tests(answer).into_iter().map(|line| line.text).collect()
}

/// Returns whether rows of this distance come after the lines of tests.
pub fn is_far(distance: u32) -> bool {
    distance >= FAR
}

/// Returns whether a line is listed with the tests.
fn is_of_test(answer: &Answer, mention: &Mention) -> bool {
    matches!(answer.question, Question::Tests { .. }) && mention.is_test && mention.meaning == Meaning::Unresolved
}

/// Renders the first lines that name the subject and may use it: those that were not resolved, then those that are no reference.
pub fn possible_uses(answer: &Answer, indent: &str, limit: usize) -> String {
    possible_users(answer, indent, limit).into_iter().map(|line| line.text).collect()
}

fn possible_users(answer: &Answer, indent: &str, limit: usize) -> Vec<Line> {
    // Where users are known, lines of other languages are only counted.
    let is_counted = |mention: &Mention| mention.is_foreign && answer.total > answer.uncertain;
    let is_unresolved = |mention: &&Mention| {
        mention.meaning == Meaning::Unresolved && !is_of_test(answer, mention) && !is_counted(mention)
    };
    let is_foreign = |mention: &&Mention| mention.meaning == Meaning::Unresolved && is_counted(mention);
    let foreign = answer.mentions.iter().filter(is_foreign).count();
    let is_other = |mention: &&Mention| matches!(mention.meaning, Meaning::Code | Meaning::Text | Meaning::LeftOut);
    let unresolved: Vec<&Mention> = answer.listed_mentions().filter(is_unresolved).collect();
    let others: Vec<&Mention> = answer.listed_mentions().filter(is_other).collect();
    let max_others = if limit > MAX_UNRESOLVED { limit } else { MAX_OTHERS };
    // Only code that is a test can be one.
    let max_others = if matches!(answer.question, Question::Tests { .. }) { 0 } else { max_others };
    let limits = [limit, limit.saturating_sub(unresolved.len()).min(max_others)];
    let mut lines = Vec::new();
    for (mentions, limit) in [unresolved, others].into_iter().zip(limits) {
        let (shown, more) = mentions.split_at(mentions.len().min(limit));
        for mentions in shown.chunk_by(|one, other| one.file == other.file) {
            lines.extend(lines_of_file(answer, mentions, indent));
        }
        if !more.is_empty() && limit > 0 {
            lines.push(Line::new(Shows::Other, format!("{indent}… {} more: {}", thousands(more.len()), kinds(more))));
        }
    }
    if foreign > 0 {
        lines.push(Line::new(Shows::Other, format!("{indent}… {} more in other languages", thousands(foreign))));
    }
    lines
}

/// Returns the beginning of a line of source.
fn shortened(text: &str) -> String {
    let text = escape::one_line(text);
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns lines of one file: one with its place, several below the path.
fn lines_of_file(answer: &Answer, mentions: &[&Mention], indent: &str) -> Vec<Line> {
    let shows = |mention: &Mention| Shows::Lines(vec![mention.place()]);
    let file = |mention: &Mention| escape::one_line(&answer.repositories.shown_file(&mention.file));
    let text = |mention: &Mention| format!("{}{}", shortened(&mention.text), meaning_of(mention));
    match mentions {
        [] => Vec::new(),
        [only] => {
            let place = location(&file(only), only.line);
            vec![Line::new(shows(only), format!("{indent}{place}: {}", text(only)))]
        }
        [first, ..] => {
            let head = Line::new(Shows::Head, format!("{indent}{}", file(first)));
            let lines = mentions
                .iter()
                .map(|mention| Line::new(shows(mention), format!("{indent}  {}: {}", mention.line, text(mention))));
            std::iter::once(head).chain(lines).collect()
        }
    }
}

/// Returns the numbers of lines by what the name means in them.
fn kinds(mentions: &[&Mention]) -> String {
    let number = |meaning: Meaning| mentions.iter().filter(|mention| mention.meaning == meaning).count();
    let kinds: Vec<(Meaning, usize)> =
        Meaning::ALL.into_iter().map(|meaning| (meaning, number(meaning))).filter(|(_, number)| *number > 0).collect();
    match kinds.as_slice() {
        [(meaning, _)] => meaning.phrase().to_owned(),
        _ => {
            let parts: Vec<String> =
                kinds.iter().map(|(meaning, number)| format!("{} {}", thousands(*number), meaning.phrase())).collect();
            parts.join(", ")
        }
    }
}

/// Returns the line that says how much of an answer was sent before; nothing if none of it was.
fn sent_before(rows: usize, lines: usize) -> String {
    let parts = [(rows, "row"), (lines, "line")].into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, noun)| count(number, noun)).collect();
    match rows + lines {
        0 => String::new(),
        number => format!("{} {} sent before\n", parts.join(" and "), if number == 1 { "was" } else { "were" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Repositories;

    fn answer(total: usize) -> Answer {
        let question = Question::Callers { of: "load".to_owned(), depth: 1 };
        Answer { total, ..Answer::new(question, Repositories::default(), Vec::new()) }
    }

    fn extent(max_tokens: usize, sent_before: Option<usize>) -> Extent<'static> {
        Extent { max_tokens, way_on: "more", goes_beyond: false, is_short: false, sent_before }
    }

    #[test]
    fn all_was_sent_only_where_nothing_is_left() {
        let rest = |total| text(&answer(total), &extent(500, Some(1_000))).text;
        assert!(rest(1_000).ends_with("\nall of it was sent before\n"));
        let more = rest(3_000);
        assert!(more.contains("\n1,000 rows were sent before\n… 2,000 more, farther or less certain\n"), "{more}");
        assert!(!more.contains("all of it"), "{more}");
    }

    #[test]
    fn a_long_note_hides_no_other() {
        let notes = vec!["word ".repeat(200), "2 symbols use it without a call".to_owned()];
        let shown = text(&Answer { notes, ..answer(0) }, &extent(120, None)).text;
        assert!(shown.ends_with("\nnote: 2 symbols use it without a call\n") && !shown.contains("word"), "{shown}");
    }
}
