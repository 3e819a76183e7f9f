//! reStructuredText: titles with a line of marks below, or above and below; the first mark of a document is the outermost.

use super::Section;
use super::builder::Builder;

/// Directives whose argument is a name of code.
const NAMING: [&str; 9] =
    ["class", "data", "exception", "attribute", "function", "method", "module", "currentmodule", "property"];

pub(super) fn sections(file_name: &str, text: &str) -> Vec<Section> {
    let lines: Vec<&str> = text.lines().collect();
    let mut builder = Builder::new(file_name);
    // The styles of titles in the order of their first use.
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut is_code = false;
    let mut opens_code = false;
    let mut number = 0;
    while number < lines.len() {
        let line = lines[number];
        if let Some((title, style, length)) = title(&lines[number..]) {
            let known = styles.iter().position(|known| *known == style);
            let level = known.unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            // A title is on the first or the second of its lines.
            builder.heading(level as u32 + 1, &without_marks(title), number as u32 + 1);
            (is_code, opens_code) = (false, false);
            number += length;
            continue;
        }
        number += 1;
        let is_indented = line.starts_with([' ', '\t']);
        if line.trim().is_empty() {
            builder.prose("\n\n");
            continue;
        }
        if !is_indented {
            is_code = false;
        }
        if is_code || opens_code && is_indented {
            is_code = true;
            builder.code(line);
            builder.code("\n");
            continue;
        }
        opens_code = line.trim_end().ends_with("::");
        if let Some(directive) = line.trim_start().strip_prefix(".. ") {
            opens_code |= read_directive(&mut builder, directive);
            continue;
        }
        if !is_option(line) {
            prose(&mut builder, line);
        }
    }
    builder.finish(u32::try_from(lines.len()).unwrap_or(u32::MAX).max(1))
}

/// Returns the title that begins with the first line, with its style and the number of its lines.
fn title<'t>(lines: &[&'t str]) -> Option<(&'t str, (char, bool), usize)> {
    let first = lines.first()?.trim_end();
    if let (Some(mark), Some(title), Some(below)) = (marks(first), lines.get(1), lines.get(2)) {
        let is_title = !title.trim().is_empty() && marks(title.trim_end()).is_none();
        let is_pair = marks(below.trim_end()) == Some(mark) && first.len() >= title.trim().chars().count();
        return (is_title && is_pair).then(|| (title.trim(), (mark, true), 3));
    }
    let below = lines.get(1)?.trim_end();
    let mark = marks(below)?;
    let is_title = !first.is_empty() && !first.starts_with([' ', '\t', '.', '|', '+']);
    (is_title && below.chars().count() >= first.chars().count()).then_some((first, (mark, false), 2))
}

/// Returns the mark that a line repeats, if it is the line of a title.
fn marks(line: &str) -> Option<char> {
    let first = line.chars().next().filter(|first| first.is_ascii_punctuation())?;
    (line.len() >= 3 && line.chars().all(|letter| letter == first)).then_some(first)
}

fn is_option(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix(':') else { return false };
    // A role is followed by its text at once, an option by a space.
    rest.split_once(':').is_some_and(|(name, rest)| !name.contains('`') && !rest.starts_with('`'))
}

/// Reads a directive; returns whether its content is code.
fn read_directive(builder: &mut Builder, directive: &str) -> bool {
    let Some((name, argument)) = directive.split_once("::") else { return false };
    let (name, argument) = (name.trim(), argument.trim());
    // Domains and generators: `py:function`, `autofunction`.
    let kind = name.rsplit(':').next().unwrap_or(name);
    if NAMING.contains(&kind.strip_prefix("auto").unwrap_or(kind)) {
        builder.code_span(argument.trim_start_matches("async "));
        builder.prose("\n");
    } else if !argument.is_empty() && !name.contains("code") && !argument.contains('/') {
        prose(builder, argument);
    }
    name.contains("code") || name == "sourcecode" || name == "prompt"
}

/// Adds a line of prose with its roles and code spans.
fn prose(builder: &mut Builder, line: &str) {
    let line = line.trim().trim_end_matches("::");
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, opened) = rest.split_at(start);
        let before = before.strip_suffix(':').and_then(|role| role.rsplit_once(':')).map_or(before, |(text, _)| text);
        builder.prose(before);
        let ticks = opened.len() - opened.trim_start_matches('`').len();
        let content = &opened[ticks..];
        let Some((inner, after)) = content.split_once(&opened[..ticks]) else {
            rest = content;
            continue;
        };
        // `text <target>`: the target is the name.
        match inner.split_once('<') {
            Some((text, target)) => {
                builder.prose(text);
                builder.cite(target.trim_end_matches('>'));
            }
            None => builder.code_span(inner.trim_start_matches('~')),
        }
        rest = after;
    }
    builder.prose(rest);
    builder.prose("\n");
}

/// Returns a title without the marks of code and roles.
fn without_marks(title: &str) -> String {
    let words = title.split('`').map(|part| part.rsplit_once(" :").map_or(part, |(text, _)| text));
    words.collect::<Vec<&str>>().join("").trim_start_matches(':').to_owned()
}
