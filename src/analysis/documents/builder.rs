//! Builds the sections of a document from its headings and texts in order.

use super::Section;
use super::citations;
use crate::text::prefix;

/// Limits of a document: sections, bytes of the text of one, names that one cites, and bytes of a heading.
const MAX_SECTIONS: usize = 5_000;
const MAX_TEXT: usize = 64 << 10;
const MAX_CITES: usize = 64;
const MAX_HEADING: usize = 160;
/// Characters of a summary.
const MAX_SUMMARY: usize = 140;

/// The sections so far.
pub(super) struct Builder {
    sections: Vec<Section>,
    /// Level of each section.
    levels: Vec<u32>,
    /// Indexes of the sections around the next text, the outermost first.
    open: Vec<usize>,
}

impl Builder {
    /// Begins a document; the text before the first heading is a section with the name of the file.
    pub(super) fn new(file_name: &str) -> Builder {
        let first = Section { heading: file_name.to_owned(), start_line: 1, end_line: 1, ..Section::default() };
        Builder { sections: vec![first], levels: vec![0], open: Vec::new() }
    }

    /// Begins the section below a heading; `line` counts from 1.
    pub(super) fn heading(&mut self, level: u32, heading: &str, line: u32) {
        let heading = shortened(&heading.split_whitespace().collect::<Vec<_>>().join(" "), MAX_HEADING);
        if heading.is_empty() || self.sections.len() >= MAX_SECTIONS {
            return;
        }
        self.end(line.saturating_sub(1));
        while self.open.last().is_some_and(|last| self.levels[*last] >= level) {
            self.open.pop();
        }
        let ancestors = self.open.iter().map(|index| self.sections[*index].heading.clone()).collect();
        self.open.push(self.sections.len());
        self.levels.push(level);
        let section = Section { heading, ancestors, start_line: line, end_line: line, ..Section::default() };
        self.sections.push(section);
    }

    fn end(&mut self, line: u32) {
        if let Some(last) = self.sections.last_mut() {
            last.end_line = line.max(last.start_line);
        }
    }

    fn last(&mut self) -> &mut Section {
        // The first section is never removed before the end.
        self.sections.last_mut().expect("a document has a section")
    }

    /// Adds prose.
    pub(super) fn prose(&mut self, text: &str) {
        push(&mut self.last().prose, text);
    }

    /// Adds a span of code within prose.
    pub(super) fn code_span(&mut self, text: &str) {
        self.prose(text);
        self.cite(text);
    }

    /// Adds a name of code that the text cites, if it is one.
    pub(super) fn cite(&mut self, text: &str) {
        let cites = &mut self.last().cites;
        if let Some(name) = citations::name(text).filter(|name| cites.len() < MAX_CITES && !cites.contains(name)) {
            cites.push(name);
        }
    }

    /// Adds text of a block of code.
    pub(super) fn code(&mut self, text: &str) {
        push(&mut self.last().code, text);
    }

    /// Returns the sections that have a text or a heading. `last_line` is the number of lines.
    pub(super) fn finish(mut self, last_line: u32) -> Vec<Section> {
        self.end(last_line);
        let ends: Vec<u32> = self.sections.iter().map(|section| section.end_line).collect();
        for index in 0..self.sections.len() {
            let has_text =
                !self.sections[index].prose.trim().is_empty() || !self.sections[index].code.trim().is_empty();
            let inner = (index + 1..self.sections.len()).take_while(|inner| self.levels[*inner] > self.levels[index]);
            let last = inner.last().filter(|_| !has_text && index > 0);
            let section = &mut self.sections[index];
            section.end_line = last.map_or(section.end_line, |last| ends[last]);
            for word in citations::in_prose(&section.prose) {
                if section.cites.len() < MAX_CITES && !section.cites.contains(&word) {
                    section.cites.push(word);
                }
            }
            section.summary = summary(&section.prose);
        }
        let first = &self.sections[0];
        if first.prose.trim().is_empty() && first.code.trim().is_empty() {
            self.sections.remove(0);
        }
        self.sections
    }
}

fn push(text: &mut String, more: &str) {
    text.push_str(prefix(more, MAX_TEXT.saturating_sub(text.len())));
}

/// Returns the first sentence of a text, or its first words.
fn summary(prose: &str) -> String {
    let paragraphs = prose.split("\n\n").map(str::trim);
    let first = paragraphs.into_iter().find(|paragraph| paragraph.contains(' ')).unwrap_or_default();
    let joined = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = joined.match_indices(['.', '?', '!']).map(|(at, mark)| at + mark.len());
    let end = end.into_iter().find(|end| *end >= 20 && joined[*end..].starts_with(' '));
    shortened(end.map_or(joined.as_str(), |end| &joined[..end]), MAX_SUMMARY)
}

/// Returns at most `limit` bytes of a text, ended by `…` if it is cut.
fn shortened(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let cut = prefix(text, limit);
    let cut = cut.rfind(' ').filter(|at| *at > limit / 2).map_or(cut, |at| &cut[..at]);
    format!("{cut}…")
}
