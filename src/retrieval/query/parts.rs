//! The parts of a task. People paste issue reports, logs and traces, whose lines differ in what they say about the code.
//!
//! Each line is in one part by its form alone: Markdown, frames of traces, errors, log lines. A plain task of one line
//! is a subject; the body of a commit message is prose.

use serde::Serialize;

use super::frames::frame;
use super::locations::{attached, is_exception};
use crate::text::prefix;

/// A part of a task, the one of the greatest worth first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The first line that is not code, trace or heading of a form.
    Subject,
    /// Messages of errors and of compilers.
    Error,
    Prose,
    /// Hosts of URLs outside the subject.
    Url,
    /// Fenced or indented code.
    Code,
    /// Frames of stack traces, and the source lines between them.
    Trace,
    /// Lines with a tag, a level or a date, and commands.
    Log,
    Heading,
    /// Check boxes of a form.
    Checklist,
}

/// The parts that are sentences about the task.
pub const SENTENCES: [Part; 3] = [Part::Subject, Part::Error, Part::Prose];

impl Part {
    /// Returns the weight of the words of this part, from 0 to 1. Their order matters more than the
    /// numbers.
    pub fn worth(self) -> f64 {
        match self {
            Part::Subject => 1.0,
            Part::Error => 0.8,
            Part::Prose => 0.7,
            Part::Url => 0.5,
            Part::Code => 0.45,
            Part::Trace => 0.35,
            Part::Log => 0.25,
            Part::Heading => 0.2,
            Part::Checklist => 0.15,
        }
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Part::Subject => "subject",
            Part::Error => "error",
            Part::Prose => "prose",
            Part::Url => "url",
            Part::Code => "code",
            Part::Trace => "trace",
            Part::Log => "log",
            Part::Heading => "heading",
            Part::Checklist => "checklist",
        }
    }

    /// Returns whether the part is code or the output of a program, where quotes are not emphasis.
    pub fn is_code(self) -> bool {
        matches!(self, Part::Code | Part::Trace | Part::Log)
    }

    /// Returns whether only reports of problems have such a part.
    pub fn is_of_report(self) -> bool {
        matches!(self, Part::Error | Part::Trace | Part::Log | Part::Heading | Part::Checklist)
    }
}

/// Lines of one part: a single line, or the lines of one paragraph of prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    pub part: Part,
    /// Number of the first line, from 1.
    pub line: usize,
    pub text: &'a str,
}

/// Splits a task into blocks. Empty lines, fences, comments and empty answers of forms are in none. Linear.
pub fn blocks(task: &str) -> Vec<Block<'_>> {
    let mut scanner = Scanner::default();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut start, mut block_start, mut continues) = (0, 0, false);
    for (index, whole) in task.split_inclusive('\n').enumerate() {
        let text = whole.trim_end();
        let part = scanner.part(text);
        let end = start + text.len();
        match (blocks.last_mut(), part) {
            (Some(last), Some(Part::Prose)) if continues && !is_item(text) => last.text = &task[block_start..end],
            (_, Some(part)) => {
                blocks.push(Block { part, line: index + 1, text });
                block_start = start;
            }
            (_, None) => {}
        }
        continues = part == Some(Part::Prose);
        scanner.previous = text;
        start += whole.len();
    }
    blocks
}

/// Returns the line that a task of several is recognized by: its subject; of a trace alone what was raised, else its first
/// line. Reads no more than the beginning and the end.
pub fn title(task: &str) -> &str {
    let (task, start) = (task.trim(), prefix(task.trim(), MAX_TITLE_SCAN));
    let first = blocks(start);
    let text = match first.first() {
        Some(Block { part: Part::Trace, text, .. }) => {
            let end = (task.len().saturating_sub(MAX_TITLE_SCAN)..).find(|at| task.is_char_boundary(*at));
            // Behind frames that are read from their middle on.
            let end = blocks(&task[end.unwrap_or_default()..]);
            let raised = |block: &&Block<'_>| block.part == Part::Error || is_raised(block.text.trim());
            end.iter().rfind(raised).map_or(*text, |block| block.text)
        }
        _ => first.iter().find(|block| block.part == Part::Subject).or(first.first()).map_or(task, |block| block.text),
    };
    text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
}

/// Bytes at the beginning and at the end of a task among which its title is.
const MAX_TITLE_SCAN: usize = 4_000;

/// The state between two lines.
#[derive(Default)]
struct Scanner<'a> {
    /// The mark of the open fence.
    fence: Option<&'static str>,
    is_in_trace: bool,
    is_in_comment: bool,
    has_subject: bool,
    previous: &'a str,
}

impl<'a> Scanner<'a> {
    /// Returns the part of the next line; `None` for a line without content.
    fn part(&mut self, line: &'a str) -> Option<Part> {
        let text = line.trim();
        // A line such as "```a```" is inline code.
        let is_fence = |mark: &&str| text.starts_with(*mark) && !text.trim_start_matches('`').contains('`');
        if let Some(mark) = ["```", "~~~"].into_iter().find(is_fence) {
            self.is_in_trace = false;
            match self.fence {
                None => self.fence = Some(mark),
                Some(open) if open == mark => self.fence = None,
                Some(_) => {}
            }
            return None;
        }
        if text.is_empty() {
            return None;
        }
        if self.fence.is_none() {
            if self.is_in_comment || text.starts_with("<!--") {
                let after = text.rsplit_once("-->").map(|(_, after)| after.trim());
                self.is_in_comment = after.is_none();
                if after.is_none_or(str::is_empty) {
                    return None;
                }
            }
            if is_check_box(text) {
                return Some(Part::Checklist);
            }
            if text == "_No response_" {
                return None;
            }
        }
        self.trace_part(line, text).or_else(|| Some(self.other_part(line, text)))
    }

    /// Returns the part of a line of a stack trace.
    fn trace_part(&mut self, line: &str, text: &str) -> Option<Part> {
        if begins_trace(text) || frame(self.previous, line, "").is_some() {
            self.is_in_trace = true;
            return Some(Part::Trace);
        }
        if !self.is_in_trace {
            return None;
        }
        if is_raised(text) || is_error(text) {
            self.is_in_trace = false;
            return Some(Part::Error);
        }
        let is_source = line.starts_with([' ', '\t', '-', '>']);
        self.is_in_trace = is_source || self.fence.is_some() || is_call(text);
        self.is_in_trace.then_some(Part::Trace)
    }

    fn other_part(&mut self, line: &str, text: &str) -> Part {
        let is_fenced = self.fence.is_some();
        let is_subject = !self.has_subject && !is_fenced && !text.starts_with("##");
        self.has_subject |= is_subject;
        match text {
            _ if is_subject => Part::Subject,
            _ if !is_fenced && is_heading(text) => Part::Heading,
            _ if is_error(text) => Part::Error,
            _ if is_log(text) => Part::Log,
            _ if is_fenced || line.starts_with("    ") || line.starts_with('\t') => Part::Code,
            _ => Part::Prose,
        }
    }
}

fn is_check_box(text: &str) -> bool {
    let item = text.strip_prefix(['-', '*', '+']).map(str::trim_start);
    item.is_some_and(|item| ["[ ]", "[x]", "[X]"].iter().any(|mark| item.starts_with(mark)))
}

/// Returns whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let text = line.trim_start();
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark))
        || digits.len() < text.len() && (digits.starts_with(". ") || digits.starts_with(") "))
}

fn is_heading(text: &str) -> bool {
    let level = text.len() - text.trim_start_matches('#').len();
    let bold = text.trim_end_matches(':').strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    (1..=6).contains(&level) && text[level..].starts_with(' ') || bold.is_some_and(|bold| !bold.contains('*'))
}

/// Returns whether a line announces the frames of a stack trace.
fn begins_trace(text: &str) -> bool {
    let is_goroutine = text.starts_with("goroutine ") && text.ends_with("]:");
    text.contains("Traceback (most recent call last)") || text.starts_with("stack backtrace:") || is_goroutine
}

/// Returns whether a line is a call such as `main.pick(...)`, as Go writes the function of the next frame.
fn is_call(text: &str) -> bool {
    let call = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let name = call.map_or("", |(name, _)| name);
    name.contains('.') && !name.contains(char::is_whitespace) || text.starts_with("created by ")
}

/// Returns whether a line ends a trace with the name of what was raised, with or without a message.
fn is_raised(text: &str) -> bool {
    let name = text.split([':', ' ']).next().unwrap_or_default();
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_raised = ["Error", "Exception", "Warning", "Exit", "Interrupt"].iter().any(|end| last.ends_with(end));
    is_name && is_raised && last.starts_with(char::is_uppercase)
}

/// Returns whether a line is the message of an error or of a compiler: `KeyError: …`, `panic: …`, `error[E0308]: …`,
/// `src/app.ts(10,5): error TS2304: …`, `./prog.go:7:2: …`.
fn is_error(text: &str) -> bool {
    // pytest marks the lines of the exception.
    let text = text.strip_prefix("E  ").map_or(text, str::trim_start);
    let text = ["Uncaught ", "Caused by: "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    if text.starts_with("thread '") && text.contains("panicked at") {
        return true;
    }
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let name = word.split('[').next().unwrap_or(word).trim_end_matches(':');
    let is_message = word.ends_with(':') || rest.starts_with('[') && rest.contains("]: ");
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_named = ["error", "fatal", "panic"].iter().any(|level| last.eq_ignore_ascii_case(level));
    if is_message && (is_named || is_exception(name)) {
        return true;
    }
    let next = rest.split([' ', ':']).next().unwrap_or_default();
    attached(word).is_some_and(|(_, after)| {
        after.ends_with(':') && (next == "error" || is_exception(next) || after == ":" && has_column(word))
    })
}

/// Returns whether a location has a column: `./prog.go:7:2:`.
fn has_column(word: &str) -> bool {
    let numbers = word.trim_end_matches(':').rsplit(':').take(2);
    numbers.filter(|number| !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())).count() == 2
}

/// Returns whether a line is output of a program, or a command: `[tag] …`, `DEBUG …`, `2026-11-23 …`, `$ …`, `>>> …`.
fn is_log(text: &str) -> bool {
    const LEVELS: [&str; 6] = ["DEBUG", "INFO", "WARN", "WARNING", "ERROR", "TRACE"];
    let tag = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    // A link has its address after the bracket.
    let is_tag = tag.is_some_and(|(tag, rest)| {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.' | ' ' | '-');
        tag.starts_with(char::is_alphanumeric) && tag.chars().all(is_part) && !rest.starts_with(['(', '['])
    });
    let word = text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    is_tag || LEVELS.contains(&word) || is_date(text) || text.starts_with("$ ") || text.starts_with(">>> ")
}

/// Returns whether a line begins with a date: `2026-11-23`, `2026/11/23`.
fn is_date(text: &str) -> bool {
    let date = text.as_bytes().get(..10).unwrap_or_default();
    let digits = |range: std::ops::Range<usize>| date[range].iter().all(u8::is_ascii_digit);
    date.len() == 10
        && digits(0..4)
        && digits(5..7)
        && digits(8..10)
        && [4, 7].iter().all(|at| b"-/".contains(&date[*at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(task: &str) -> Vec<(Part, &str)> {
        blocks(task).into_iter().map(|block| (block.part, block.text)).collect()
    }

    #[test]
    fn parts_are_in_the_order_of_their_worth() {
        use Part::{Checklist, Code, Error, Heading, Log, Prose, Subject, Trace, Url};
        let all = [Subject, Error, Prose, Url, Code, Trace, Log, Heading, Checklist];
        assert!(all.windows(2).all(|pair| pair[0] < pair[1] && pair[0].worth() > pair[1].worth()));
    }

    #[test]
    fn plain_tasks_are_a_subject_and_prose() {
        assert_eq!(parts("fix the cart"), [(Part::Subject, "fix the cart")]);
        assert_eq!(parts("  "), []);
        let message = "cart: round sums once\n\nCarts rounded each line,\nand orders the sum.\n- one\n- two\n";
        let expected = [
            (Part::Subject, "cart: round sums once"),
            (Part::Prose, "Carts rounded each line,\nand orders the sum."),
            (Part::Prose, "- one"),
            (Part::Prose, "- two"),
        ];
        assert_eq!(parts(message), expected);
    }

    #[test]
    fn lines_of_a_report_are_in_their_parts() {
        let report = "# Cart loses lines\n<!-- Fill in\nthe form -->\n- [x] I searched\n### Steps\n**Expected**:\n\
                      See [the docs](https://example.org).\n_No response_\n```python\n# a comment\ncart.add(1)\n```\n\
                      [cart] adding 1\n2026-11-23 10:00 DEBUG adding\n$ shop run\n    indented()\n\
                      shop.errors.CartError: no line\n./cart.go:7:2: declared and not used: x\nerror[E0308]: mismatched";
        let found: Vec<Part> = blocks(report).into_iter().map(|block| block.part).collect();
        use Part::{Checklist, Code, Error, Heading, Log, Prose, Subject};
        let expected =
            [Subject, Checklist, Heading, Heading, Prose, Code, Code, Log, Log, Log, Code, Error, Error, Error];
        assert_eq!(found, expected);
    }

    #[test]
    fn text_after_a_comment_or_inline_code_is_kept() {
        let found: Vec<Part> = parts("Cart fails\n<!-- a --> It does\n\n```cart.add()``` too\nalways")
            .into_iter()
            .map(|(part, _)| part)
            .collect();
        assert_eq!(found, [Part::Subject, Part::Prose, Part::Prose]);
    }

    #[test]
    fn the_subject_is_the_first_line_of_text() {
        let found = parts("## Summary\n```\ncart.add(1)\n```\nThe cart loses lines\nToday.");
        let expected = [Part::Heading, Part::Code, Part::Subject, Part::Prose];
        assert_eq!(found.into_iter().map(|(part, _)| part).collect::<Vec<Part>>(), expected);
    }

    #[test]
    fn an_error_ends_a_trace() {
        let trace = "Cart fails\nTraceback (most recent call last):\n  File \"a.py\", line 1, in pick\n    x()\n    ^^^\n\
                     re.error: bad escape\nThat is wrong.";
        let found: Vec<Part> = blocks(trace).into_iter().map(|block| block.part).collect();
        assert_eq!(
            found,
            [Part::Subject, Part::Trace, Part::Trace, Part::Trace, Part::Trace, Part::Error, Part::Prose]
        );
        let panic = "Cart fails\npanic: no line\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/shop/cart.go:12 +0x1d\n\
                     main.main()\n\t/shop/main.go:8 +0x2b\n\nThat is wrong.";
        let found: Vec<Part> = blocks(panic).into_iter().map(|block| block.part).collect();
        use Part::{Error, Prose, Subject, Trace};
        assert_eq!(found, [Subject, Error, Trace, Trace, Trace, Trace, Trace, Prose]);
    }

    #[test]
    fn the_title_is_the_subject_or_what_was_raised() {
        let trace = "Traceback (most recent call last):\n  File \"a.py\", line 1, in pick\n    x()\nKeyError: 'id'\n";
        assert_eq!(title(trace), "KeyError: 'id'");
        let chained = format!("{trace}\nDuring handling of the above exception:\n\n{trace}shop.CartError: none");
        assert_eq!(title(&chained), "shop.CartError: none");
        let frames = "  File \"a.py\", line 1, in pick\n    x()\n".repeat(1_000);
        assert_eq!(title(&format!("Traceback (most recent call last):\n{frames}re.error: bad")), "re.error: bad");
        let panic = "panic: no line\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/shop/cart.go:12 +0x1d\n";
        assert_eq!(title(panic), "panic: no line");
        assert_eq!(title("goroutine 1 [running]:\nmain.pick(...)\n\t/shop/cart.go:12 +0x1d"), "goroutine 1 [running]:");
        assert_eq!(title("# Cart loses lines\n\n## Steps\n1. a"), "Cart loses lines");
        assert_eq!(title("## Summary\n```\ncart.add(1)\n```\nThe cart loses lines\nToday."), "The cart loses lines");
        assert_eq!([title(""), title(" \n"), title("é\nb")], ["", "", "é"]);
    }

    #[test]
    fn a_trace_is_not_a_subject() {
        let found = parts("Traceback (most recent call last):\n  File \"a.py\", line 1, in pick\nKeyError: 1\nWhy?");
        let found: Vec<Part> = found.into_iter().map(|(part, _)| part).collect();
        assert_eq!(found, [Part::Trace, Part::Trace, Part::Error, Part::Subject]);
    }
}
