//! Documents: files of prose (Markdown, reStructuredText, AsciiDoc, notebooks of Jupyter), divided into the sections below their headings.
//!
//! A section has the text up to the next heading, and the names of code that it cites: in code spans, in directives, and
//! words that are written like no word of prose. Which symbols these names mean is looked up when a section is shown, so
//! that a section depends on the text of its file alone.

mod asciidoc;
mod builder;
mod citations;
mod markdown;
pub mod notebook;
mod restructured;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::text::{file_name, parent_dir};

/// The text of a document below one heading.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Section {
    /// The name of the file for the text before the first heading.
    pub heading: String,
    /// The headings around it, the outermost first.
    pub ancestors: Vec<String>,
    pub start_line: u32,
    /// The last line before the next heading, or of the sections in it if it has no text of its own.
    pub end_line: u32,
    /// The first sentence of its text, shortened.
    pub summary: String,
    /// The names of code that it cites, without duplicates: `run`, or `App.run`.
    pub cites: Vec<String>,
    /// Its prose, with what is in code spans.
    #[serde(skip)]
    pub prose: String,
    /// Its blocks of code.
    #[serde(skip)]
    pub code: String,
}

/// The notation of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Markdown,
    Restructured,
    AsciiDoc,
    Notebook,
}

/// Extensions of documents.
const EXTENSIONS: &[(&str, Notation)] = &[
    ("adoc", Notation::AsciiDoc),
    ("asciidoc", Notation::AsciiDoc),
    ("ipynb", Notation::Notebook),
    ("markdown", Notation::Markdown),
    ("md", Notation::Markdown),
    ("mdx", Notation::Markdown),
    ("rst", Notation::Restructured),
];
/// Folders in which plain text files are documents, if they have headings.
const FOLDERS: [&str; 3] = ["doc", "docs", "documentation"];
/// Words in the names of files and folders that tell what changed, who wrote it and under what terms: they have the words of
/// every question, and answer none.
const RECORDS: [&str; 11] = [
    "authors",
    "changelog",
    "changes",
    "conduct",
    "contributors",
    "copying",
    "history",
    "license",
    "news",
    "newsfragments",
    "releases",
];

/// Returns whether a file is a document, by its folder and its name.
pub fn is_document(folder: &str, name: &str) -> bool {
    notation(folder, name).is_some()
}

/// Returns whether files of this extension are read as documents.
pub fn has_documents(extension: &str) -> bool {
    EXTENSIONS.iter().any(|(known, _)| *known == extension)
}

/// Returns the sections of the document at `path`, in the order of its text.
pub fn sections(path: &str, text: &str) -> Vec<Section> {
    let sections = match notation(parent_dir(path), file_name(path)) {
        Some(Notation::Markdown) => markdown::sections(file_name(path), text),
        Some(Notation::Restructured) => restructured::sections(file_name(path), text),
        Some(Notation::Notebook) => notebook::sections(file_name(path), text),
        Some(Notation::AsciiDoc) => asciidoc::sections(file_name(path), text),
        None => Vec::new(),
    };
    let has_headings = || sections.iter().any(|section| section.heading != file_name(path));
    if path.ends_with(".txt") && !has_headings() { Vec::new() } else { sections }
}

fn notation(folder: &str, name: &str) -> Option<Notation> {
    let (stem, extension) = name.rsplit_once('.')?;
    let known = EXTENSIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
    let is_in_folder = || folder.split('/').any(|part| FOLDERS.iter().any(|known| known.eq_ignore_ascii_case(part)));
    let notation = match known {
        Some((_, notation)) => *notation,
        None if extension == "txt" && is_in_folder() => Notation::Restructured,
        None => return None,
    };
    let mut words = folder.split('/').chain(stem.split(|letter: char| !letter.is_alphabetic()));
    let is_record = words.any(|word| RECORDS.iter().any(|record| record.eq_ignore_ascii_case(word)));
    (!is_record).then_some(notation)
}
