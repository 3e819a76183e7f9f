//! The settings of indexing as rules: patterns that match, sizes in bytes; every problem has its line.

use std::path::Path;

use super::Layer;
use crate::config::{ConfigError, FileRules, Size, sorted, start_of};
use crate::scan::patterns::Patterns;
use crate::scan::read::MAX_FILE_BYTES;

/// Maximum length of a pattern.
const MAX_PATTERN_BYTES: usize = 256;

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

/// Returns the rules of `file`, unless its patterns can't be used, and its problems with those of the rules.
pub(super) fn layer(
    file: &'static str,
    rules: FileRules,
    mut problems: Vec<ConfigError>,
) -> (Option<Layer>, Vec<ConfigError>) {
    let mut problem = |line: usize, text: &str| problems.push(ConfigError::at(file, line, text));
    let max_file_bytes = rules.max_file_size.and_then(|(line, size)| match size_of(&size) {
        None | Some(0) => {
            problem(line, "max_file_size must be a number of bytes, or a size such as \"2MB\"");
            None
        }
        Some(bytes) if bytes > MAX_FILE_BYTES => {
            problem(line, &format!("max_file_size is at most {}MiB, which applies", MAX_FILE_BYTES >> 20));
            Some(MAX_FILE_BYTES)
        }
        bytes => bytes,
    });
    let include = compiled(file, "include", rules.include, &mut problem);
    let exclude = compiled(file, "exclude", rules.exclude, &mut problem);
    let layer = include.zip(exclude).map(|(include, exclude)| Layer { max_file_bytes, include, exclude });
    (layer, sorted(problems))
}

fn compiled(
    file: &'static str,
    name: &str,
    patterns: Vec<(usize, String)>,
    problem: &mut dyn FnMut(usize, &str),
) -> Option<Patterns> {
    let first = patterns.first().map_or(1, |(line, _)| *line);
    let mut valid = Vec::new();
    for (line, pattern) in &patterns {
        match pattern.trim() {
            text if text.is_empty() || text.starts_with('#') || text.len() > MAX_PATTERN_BYTES => {
                problem(
                    *line,
                    &format!("{name} must have patterns of 1 to {MAX_PATTERN_BYTES} bytes, without comments"),
                );
            }
            text => valid.push((*line, text)),
        }
    }
    match Patterns::new(Path::new(""), file.to_owned(), valid.into_iter()) {
        Ok((compiled, invalid)) => {
            for rule in invalid {
                problem(rule.line, &format!("`{}` is not a pattern", start_of(&rule.pattern)));
            }
            Some(compiled)
        }
        Err(error) => {
            problem(first, &format!("the patterns can't be used: {error}"));
            None
        }
    }
}

/// Returns a size such as `2MB`, `1.5 MiB` or `300000` in bytes.
fn size_of(size: &Size) -> Option<u64> {
    let text = match size {
        Size::Bytes(bytes) => return Some(*bytes),
        Size::Text(text) => text.trim(),
    };
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
            assert_eq!(size_of(&Size::Text(text.to_owned())), Some(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "2 XB", "1.2.3MB", "two"] {
            assert_eq!(size_of(&Size::Text(text.to_owned())), None, "{text}");
        }
    }
}
