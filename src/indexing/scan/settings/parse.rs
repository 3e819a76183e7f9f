//! Parses the settings of indexing; every problem has its line.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Layer;
use crate::scan::patterns::Patterns;
use crate::scan::read::MAX_FILE_BYTES;

/// The settings of a repository's file, for the message about an unknown one.
const SETTINGS: [&str; 3] = ["max_file_size", "include", "exclude"];
/// Maximum number of patterns of a list.
const MAX_PATTERNS: usize = 200;
/// Maximum length of a pattern.
const MAX_PATTERN_BYTES: usize = 256;
/// Maximum number of problems that are reported of one file.
const MAX_PROBLEMS: usize = 10;
/// Letters of a file's content that are shown in a message.
const MAX_SHOWN: usize = 40;

/// Units of sizes in lower case.
const UNITS: [(&str, u64); 9] = [
    ("b", 1),
    ("kb", 1_000),
    ("k", 1 << 10),
    ("kib", 1 << 10),
    ("mb", 1_000_000),
    ("m", 1 << 20),
    ("mib", 1 << 20),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
];

/// Parses the text of `file`. Invalid settings are reported and do not apply; other settings are reported if
/// `is_complete`, because then there are none.
pub(super) fn parse(text: &str, file: &'static str, is_complete: bool) -> (Option<Layer>, Vec<String>) {
    let mut parser = Parser::new(text);
    let (table, syntax_errors) = DeTable::parse_recoverable(text);
    for error in syntax_errors {
        parser.problem(error.span().unwrap_or_default().start, error.message());
    }
    let (mut max_file_bytes, mut include, mut exclude) = (None, Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            "max_file_size" => max_file_bytes = parser.size(value),
            "include" => include = parser.patterns("include", value),
            "exclude" => exclude = parser.patterns("exclude", value),
            other if is_complete => {
                let known = SETTINGS.join(", ");
                let text = format!("unknown setting `{}`; there are {known}", start_of(other));
                parser.problem(key.span().start, &text);
            }
            _ => (),
        }
    }
    let lists = (parser.compiled(file, &include), parser.compiled(file, &exclude));
    let layer = match lists {
        (Some(include), Some(exclude)) => Some(Layer { max_file_bytes, include, exclude }),
        _ => None,
    };
    (layer, parser.described(file))
}

/// The problems of a file's text.
pub(super) struct Parser<'text> {
    text: &'text str,
    /// Each with its line.
    pub(super) problems: Vec<(usize, String)>,
}

impl<'text> Parser<'text> {
    pub(super) fn new(text: &'text str) -> Parser<'text> {
        Parser { text, problems: Vec::new() }
    }

    /// Returns the first problems, with the name of the file and their lines.
    pub(super) fn described(mut self, file: &str) -> Vec<String> {
        self.problems.sort_by_key(|(line, _)| *line);
        self.problems.truncate(MAX_PROBLEMS);
        self.problems.into_iter().map(|(line, text)| format!("{file} line {line}: {text}")).collect()
    }

    pub(super) fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    pub(super) fn problem(&mut self, offset: usize, text: &str) {
        self.problems.push((self.line(offset), text.to_owned()));
    }

    fn size(&mut self, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let parsed = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            DeValue::String(text) => size_of(text),
            _ => None,
        };
        let offset = value.span().start;
        match parsed {
            None | Some(0) => {
                self.problem(offset, "max_file_size must be a number of bytes, or a size such as \"2MB\"");
                None
            }
            Some(bytes) if bytes > MAX_FILE_BYTES => {
                self.problem(offset, &format!("max_file_size is at most {}MiB, which applies", MAX_FILE_BYTES >> 20));
                Some(MAX_FILE_BYTES)
            }
            Some(bytes) => Some(bytes),
        }
    }

    /// Returns the patterns of a list, each with its line.
    fn patterns(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<(usize, String)> {
        let Some(list) = value.get_ref().as_array() else {
            let text = format!("{name} must be a list of patterns, such as [\"build/\", \"*.gen.py\"]");
            self.problem(value.span().start, &text);
            return Vec::new();
        };
        let mut patterns = Vec::new();
        for element in list.iter() {
            let offset = element.span().start;
            let text = element.get_ref().as_str().map(str::trim);
            match text.filter(|text| !text.is_empty() && !text.starts_with('#') && text.len() <= MAX_PATTERN_BYTES) {
                _ if patterns.len() >= MAX_PATTERNS => {
                    self.problem(
                        offset,
                        &format!("{name} has more than {MAX_PATTERNS} patterns; the others are unused"),
                    );
                    break;
                }
                Some(text) => patterns.push((self.line(offset), text.to_owned())),
                None => {
                    let text = format!("{name} must have patterns of 1 to {MAX_PATTERN_BYTES} bytes, without comments");
                    self.problem(offset, &text);
                }
            }
        }
        patterns
    }

    fn compiled(&mut self, file: &'static str, patterns: &[(usize, String)]) -> Option<Patterns> {
        let lines = patterns.iter().map(|(line, pattern)| (*line, pattern.as_str()));
        match Patterns::new(Path::new(""), file.to_owned(), lines) {
            Ok((compiled, invalid)) => {
                let invalid = invalid.into_iter();
                let problem = |pattern: &str| format!("`{}` is not a pattern", start_of(pattern));
                self.problems.extend(invalid.map(|rule| (rule.line, problem(&rule.pattern))));
                Some(compiled)
            }
            Err(error) => {
                let line = patterns.first().map_or(1, |(line, _)| *line);
                self.problems.push((line, format!("the patterns can't be used: {error}")));
                None
            }
        }
    }
}

/// Returns the start of a text of the file, as it is shown in a message.
pub(super) fn start_of(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

/// Returns a size such as `2MB`, `1.5 MiB` or `300000` in bytes.
fn size_of(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = (text[..end].parse::<f64>().ok()?, text[end..].trim().to_lowercase());
    let factor = if unit.is_empty() { 1 } else { UNITS.iter().find(|(name, _)| *name == unit)?.1 };
    Some((number * factor as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = [
            ("300000", 300_000),
            ("2MB", 2_000_000),
            ("2 mb", 2_000_000),
            ("1.5 MiB", 1_572_864),
            ("512kB", 512_000),
            ("4k", 4_096),
            ("10B", 10),
        ];
        for (text, bytes) in sizes {
            assert_eq!(size_of(text), Some(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "2 XB", "1.2.3MB", "two"] {
            assert_eq!(size_of(text), None, "{text}");
        }
    }
}
