//! The thread that reads and highlights source.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;

use super::catch_panic;
use crate::engine::SourceFile;
use crate::model::{Symbol, SymbolKind};
use crate::text::display::safe;
use crate::tui::action::Report;
use crate::tui::backend::{Answer, Backend};
use crate::tui::effect::PreviewRequest;
use crate::tui::highlight::{highlighted, plain};
use crate::tui::panes::source::{LoadedSource, SourceLine};

/// Highlighted files in the cache.
const MAX_CACHED_FILES: usize = 16;
/// Larger files are not shown.
const MAX_FILE_BYTES: usize = 8 << 20;
/// Of files with more lines or bytes only a part from the definition on is highlighted, after the plain text was shown.
const MAX_HIGHLIGHTED_LINES: usize = 6_000;
const MAX_HIGHLIGHTED_BYTES: usize = 400_000;
/// The expansion of a tab.
const TAB: &str = "    ";

/// A highlighted file, as of one version of the index.
struct CachedFile {
    file: String,
    index_version: u64,
    shown: LoadedSource,
}

/// The lines of a file without control characters, and its definitions.
struct FileText {
    lines: Vec<String>,
    definitions: Arc<Vec<Symbol>>,
    changed: bool,
}

/// Serves requests until the queue is disconnected; a newer request cancels a running one.
pub fn run(backend: &dyn Backend, mut requests: UnboundedReceiver<PreviewRequest>, report: &dyn Fn(Report)) {
    let mut cache: VecDeque<CachedFile> = VecDeque::new();
    while let Some(mut request) = requests.blocking_recv() {
        while let Ok(newer) = requests.try_recv() {
            request = newer;
        }
        let answer = |shown: Answer<LoadedSource>| {
            report(Report::Source { generation: request.generation, file: request.location.file.clone(), shown });
        };
        let is_same = |cached: &&CachedFile| {
            cached.file == request.location.file && cached.index_version == request.index_version
        };
        if let Some(cached) = cache.iter().find(is_same) {
            answer(Ok(cached.shown.clone()));
            continue;
        }
        let text = match catch_panic("reading source", || read(backend, &request.location.file)) {
            Ok(text) => text,
            Err(error) => {
                answer(Err(error));
                continue;
            }
        };
        let lines = text.lines.as_slice();
        let range = highlighted_range(lines, request.location.start_line);
        let is_whole = range.len() == lines.len();
        let shown = |lines: Vec<SourceLine>| LoadedSource {
            lines: Arc::new(lines),
            definitions: text.definitions.clone(),
            changed: text.changed,
        };
        let mut colored: Vec<SourceLine> = Vec::new();
        if !is_whole {
            colored = lines.iter().map(|line| plain(line)).collect();
            answer(Ok(shown(colored.clone())));
        }
        let part = catch_panic("highlighting", || Ok(highlighted(&request.location.file, &lines[range.clone()])));
        let loaded = match part {
            Ok(part) if is_whole => shown(part),
            Ok(part) => {
                colored.splice(range, part);
                shown(colored)
            }
            Err(error) => {
                answer(Err(error));
                continue;
            }
        };
        answer(Ok(loaded.clone()));
        if is_whole {
            cache.push_back(CachedFile {
                file: request.location.file.clone(),
                index_version: request.index_version,
                shown: loaded,
            });
            cache.drain(..cache.len().saturating_sub(MAX_CACHED_FILES));
        }
    }
}

/// Returns a line as it is shown: tabs expanded, free of control characters.
pub fn shown_text(line: &str) -> String {
    safe(&line.replace('\t', TAB)).into_owned()
}

/// Returns the lines to highlight: all, or those from the definition on that are within the limits.
fn highlighted_range(lines: &[String], start_line: usize) -> Range<usize> {
    let bytes: usize = lines.iter().map(String::len).sum();
    if lines.len() <= MAX_HIGHLIGHTED_LINES && bytes <= MAX_HIGHLIGHTED_BYTES {
        return 0..lines.len();
    }
    let first = start_line.saturating_sub(1).min(lines.len());
    let mut room = MAX_HIGHLIGHTED_BYTES;
    let fits = |line: &&String| match room.checked_sub(line.len() + 1) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    let count = lines[first..].iter().take(MAX_HIGHLIGHTED_LINES).take_while(fits).count();
    first..first + count
}

fn read(backend: &dyn Backend, file: &str) -> Answer<FileText> {
    let SourceFile { text, mut definitions, changed } = backend.source(file)?;
    if text.len() > MAX_FILE_BYTES {
        return Err(format!("this file is too large to show ({} MB)", text.len() >> 20));
    }
    let lines = text.lines().map(shown_text).collect();
    // Stepping to the next definition skips fields and the file itself.
    definitions.retain(|symbol| !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package | SymbolKind::Field));
    Ok(FileText { lines, definitions: Arc::new(definitions), changed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_highlighted_from_the_definition_on() {
        let lines = |count: usize, bytes: usize| vec!["x".repeat(bytes); count];
        assert_eq!(highlighted_range(&lines(50, 9), 40), 0..50);
        assert_eq!(highlighted_range(&lines(20_000, 9), 40), 39..39 + MAX_HIGHLIGHTED_LINES);
        assert_eq!(highlighted_range(&lines(500, 9_999), 21), 20..60);
        assert_eq!(highlighted_range(&lines(500, 9_999), 900), 500..500);
        assert_eq!(highlighted_range(&lines(1, MAX_HIGHLIGHTED_BYTES), 1), 0..1);
        assert_eq!(highlighted_range(&lines(1, MAX_HIGHLIGHTED_BYTES + 1), 1), 0..0);
    }
}
