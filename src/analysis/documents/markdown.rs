//! Markdown: headings of both forms, and the title of front matter.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Section;
use super::builder::Builder;

/// The kind of text that the parser is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Prose,
    Heading,
    Code,
    FrontMatter,
}

pub(super) fn sections(file_name: &str, text: &str) -> Vec<Section> {
    let mut builder = Builder::new(file_name);
    let mut within = Within::Prose;
    let (mut heading, mut spans) = (String::new(), Vec::new());
    let mut lines = Lines { text, at: 0, line: 1 };
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                (within, heading, spans) = (Within::Heading, String::new(), Vec::new());
            }
            Event::End(TagEnd::Heading(level)) => {
                builder.heading(level as u32, &heading, lines.of(range.start));
                spans.iter().for_each(|span: &String| builder.cite(span));
                within = Within::Prose;
            }
            Event::Start(Tag::CodeBlock(_)) => within = Within::Code,
            Event::Start(Tag::MetadataBlock(_)) => within = Within::FrontMatter,
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => within = Within::Prose,
            Event::End(TagEnd::Paragraph | TagEnd::TableRow | TagEnd::TableHead) => builder.prose("\n\n"),
            Event::End(TagEnd::Item) => builder.prose("\n"),
            Event::End(TagEnd::TableCell) => builder.prose(" "),
            Event::Text(part) => match within {
                Within::Heading => heading.push_str(&part),
                Within::Prose => builder.prose(&part),
                Within::Code => builder.code(&part),
                Within::FrontMatter => {
                    if let Some(title) = part.lines().find_map(|line| line.strip_prefix("title:")) {
                        builder.heading(1, title.trim().trim_matches(['"', '\'']), 1);
                    }
                }
            },
            Event::Code(span) if within == Within::Heading => {
                heading.push_str(&span);
                // The section begins with the end of its heading.
                spans.push(span.to_string());
            }
            Event::Code(span) => builder.code_span(&span),
            Event::SoftBreak | Event::HardBreak if within == Within::Heading => heading.push(' '),
            Event::SoftBreak | Event::HardBreak => builder.prose("\n"),
            _ => (),
        }
    }
    builder.finish(u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1))
}

/// Finds the lines of places that come in order.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, byte: usize) -> u32 {
        let passed = self.text.as_bytes().get(self.at..byte).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.at = self.at.max(byte);
        self.line
    }
}
