//! The guides in `assets/guide`, which are part of the program: their topics, and their text for a terminal and for the
//! manual.
//!
//! A guide is written in a small part of Markdown: headings, paragraphs, lists, tables and code between fences, in lines
//! that a terminal shows whole, so that it is readable as it is.

use clap_mangen::roff::{Roff, bold, roman};
use unicode_width::UnicodeWidthStr;

use super::output::{BOLD, folded, styled};

/// A guide.
#[derive(Debug, Clone, Copy)]
pub struct Guide {
    /// The word after `knowing help`.
    pub topic: &'static str,
    /// The Markdown text.
    pub text: &'static str,
}

/// Names the files of guides.
macro_rules! guides {
    ($($topic:literal),* $(,)?) => {
        [$(Guide { topic: $topic, text: include_str!(concat!("../../assets/guide/", $topic, ".md")) }),*]
    };
}

/// The guides, in the order in which they are listed.
pub const GUIDES: [Guide; 14] = guides![
    "explorer",
    "keys",
    "commands",
    "review",
    "agents",
    "editors",
    "concepts",
    "feedback",
    "sharing",
    "workspaces",
    "formats",
    "languages",
    "benchmarks",
    "security",
];

impl Guide {
    /// Returns the guide about a topic.
    pub fn named(topic: &str) -> Option<Guide> {
        GUIDES.into_iter().find(|guide| guide.topic == topic)
    }

    /// Returns the first heading.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }

    /// Returns the text for a terminal with so many columns, if it is one: headings without their marks, code without its
    /// fences, and paragraphs broken anew where a line would be too long.
    pub fn shown(&self, colored: bool, columns: Option<usize>) -> String {
        let mut shown = String::with_capacity(self.text.len());
        let mut paragraph: Vec<&str> = Vec::new();
        for line in lines(self.text) {
            if let Line::Text(text) = line
                && !text.is_empty()
                && !text.starts_with('|')
            {
                if is_item(text) {
                    end_paragraph(&mut paragraph, columns, &mut shown);
                }
                paragraph.push(text);
                continue;
            }
            end_paragraph(&mut paragraph, columns, &mut shown);
            match line {
                Line::Heading(_, text) => shown.push_str(&styled(colored, BOLD, text)),
                Line::Code(text) => shown.extend(["    ", text].into_iter().filter(|_| !text.is_empty())),
                Line::Fence => continue,
                Line::Text(text) => shown.push_str(text),
            }
            shown.push('\n');
        }
        end_paragraph(&mut paragraph, columns, &mut shown);
        shown
    }

    /// Returns the text as sections of a manual page.
    pub fn sections(&self) -> Roff {
        let mut page = Roff::new();
        let mut is_code = false;
        for line in lines(self.text) {
            match line {
                Line::Heading(level, text) => {
                    page.control(if level < 3 { "SH" } else { "SS" }, [text]);
                }
                Line::Fence => {
                    is_code = !is_code;
                    page.control(if is_code { "EX" } else { "EE" }, []);
                }
                Line::Code(text) => {
                    page.text([roman(text)]);
                }
                Line::Text("") => {
                    page.control("PP", []);
                }
                Line::Text(text) => {
                    if text.starts_with("- ") || text.starts_with("| ") {
                        page.control("br", []);
                    }
                    page.text(spans(text));
                }
            }
        }
        page
    }
}

/// Returns whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(". ")
}

/// Adds a paragraph or an item of a list as it is written, or broken anew if a line of it is too long.
fn end_paragraph(paragraph: &mut Vec<&str>, columns: Option<usize>, shown: &mut String) {
    let lines = std::mem::take(paragraph);
    let Some(first) = lines.first() else { return };
    let is_whole = |columns: usize| lines.iter().all(|line| line.width() <= columns);
    if columns.is_none_or(is_whole) {
        lines.iter().for_each(|line| shown.extend([line, "\n"]));
        return;
    }
    let start = first.len() - first.trim_start().len();
    let marker = if is_item(first) { first[start..].find(' ').map_or(0, |space| space + 1) } else { 0 };
    let words: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let text = words.join(" ");
    shown.push_str(&folded(&text, columns, &" ".repeat(start), &" ".repeat(start + marker)));
    shown.push('\n');
}

/// A line of a guide.
enum Line<'a> {
    Heading(usize, &'a str),
    /// The beginning or the end of code.
    Fence,
    Code(&'a str),
    Text(&'a str),
}

/// Splits a guide into its lines.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut is_code = false;
    text.lines().map(move |line| {
        let level = line.chars().take_while(|letter| *letter == '#').count();
        if line.starts_with("```") {
            is_code = !is_code;
            return Line::Fence;
        }
        match () {
            () if is_code => Line::Code(line),
            () if level > 0 => Line::Heading(level, line[level..].trim()),
            () => Line::Text(line),
        }
    })
}

/// Returns a line with its code in bold, as manual pages print literal text.
fn spans(text: &str) -> Vec<clap_mangen::roff::Inline> {
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { bold(part) } else { roman(part) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: Guide =
        Guide { topic: "sample", text: "# Sample\n\nRun `x y`:\n\n```sh\n# not a heading\nx y\n```\n" };

    #[test]
    fn a_guide_is_shown_without_marks() {
        assert_eq!(SAMPLE.title(), "Sample");
        assert_eq!(SAMPLE.shown(false, None), "Sample\n\nRun `x y`:\n\n    # not a heading\n    x y\n");
        assert!(SAMPLE.shown(true, None).starts_with("\u{1b}[1mSample\u{1b}[0m\n"));
    }

    #[test]
    fn long_paragraphs_and_items_are_broken_between_words() {
        let text =
            "# A\n\nshort\nlines\n\none two three\nfour\n\n- five six seven\n  eight\n- nine\n\n| a | long table |\n";
        let guide = Guide { topic: "sample", text };
        let broken =
            "A\n\nshort\nlines\n\none two\nthree four\n\n- five six\n  seven\n  eight\n- nine\n\n| a | long table |\n";
        assert_eq!(guide.shown(false, Some(10)), broken);
    }

    #[test]
    fn a_guide_is_a_manual_page() {
        let page = SAMPLE.sections().to_roff();
        assert!(page.contains(".SH Sample\n") && page.contains("Run \\fBx y\\fR:"), "{page}");
        assert!(page.contains(".EX\n") && page.contains("# not a heading\nx y\n.EE"), "{page}");
    }

    #[test]
    fn every_guide_fits_a_terminal() {
        for guide in GUIDES {
            assert!(!guide.title().is_empty() && guide.text.starts_with("# "), "{} has no title", guide.topic);
            for line in guide.text.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", guide.topic);
            }
            assert_eq!(guide.text.matches("```").count() % 2, 0, "{}: a fence is open", guide.topic);
        }
    }
}
