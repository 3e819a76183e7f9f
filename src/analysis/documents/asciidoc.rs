//! AsciiDoc: headings of `=`, blocks of code between lines of `-` or `.`.

use super::Section;
use super::builder::Builder;

pub(super) fn sections(file_name: &str, text: &str) -> Vec<Section> {
    let mut builder = Builder::new(file_name);
    let mut fence: Option<&str> = None;
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let trimmed = line.trim_end();
        if let Some(open) = fence {
            match trimmed == open {
                true => fence = None,
                false => {
                    builder.code(line);
                    builder.code("\n");
                }
            }
        } else if is_fence(trimmed) {
            fence = Some(trimmed);
        } else if let Some((level, heading)) = heading(trimmed) {
            builder.heading(level, heading, number);
        } else if trimmed.is_empty() {
            builder.prose("\n\n");
        } else if !is_markup(trimmed) {
            for (index, part) in trimmed.split('`').enumerate() {
                if index % 2 == 1 { builder.code_span(part) } else { builder.prose(part) }
            }
            builder.prose("\n");
        }
    }
    builder.finish(last)
}

fn is_fence(line: &str) -> bool {
    let repeats = |mark: char| line.len() >= 4 && line.chars().all(|letter| letter == mark);
    repeats('-') || repeats('.') || line == "```"
}

/// Returns the level and the text of a heading.
fn heading(line: &str) -> Option<(u32, &str)> {
    let text = line.trim_start_matches('=');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then_some(text)?.strip_prefix(' ').map(|text| (level as u32, text))
}

/// Returns whether a line is an attribute, a comment or a macro.
fn is_markup(line: &str) -> bool {
    let is_attribute = line.starts_with(':') && line[1..].contains(':') || line.starts_with('[') && line.ends_with(']');
    is_attribute || line.starts_with("//") || line.starts_with("include::") || line.starts_with("image::")
}
