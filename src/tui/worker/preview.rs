//! The thread that reads and highlights source. If highlighting takes long, the plain text is shown first.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;

use super::catch_panic;
use crate::engine::SourceFile;
use crate::model::{Symbol, SymbolKind};
use crate::text::display::safe;
use crate::tui::action::Report;
use crate::tui::effect::PreviewRequest;
use crate::tui::highlight::{Highlighter, plain};
use crate::tui::panes::source::{LoadedSource, SourceLine};
use crate::tui::workspace::{Answer, Workspace};

/// Highlighted files in the cache.
const MAX_CACHED_FILES: usize = 16;
/// Larger files are not shown.
const MAX_FILE_BYTES: usize = 8 << 20;
/// Longer files are highlighted only around the definition.
const MAX_HIGHLIGHTED_LINES: usize = 6_000;
/// Lines highlighted from a definition on before the rest of its file.
const DEFINITION_LINES: usize = 120;
/// Plain text is shown when highlighting takes longer.
const PLAIN_TEXT_DELAY: Duration = Duration::from_millis(20);
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
pub fn run(workspace: &dyn Workspace, mut requests: UnboundedReceiver<PreviewRequest>, report: &dyn Fn(Report)) {
    let highlighter = Highlighter::new();
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
        let text = match catch_panic("reading source", || read(workspace, &request.location.file)) {
            Ok(text) => text,
            Err(error) => {
                answer(Err(error));
                continue;
            }
        };
        let mut fallback =
            PlainTextFallback { deadline: Some(Instant::now() + PLAIN_TEXT_DELAY), text: &text, answer: &answer };
        let superseded = || !requests.is_empty();
        if let Some(shown) = highlight(&highlighter, &request, &text, &superseded, &mut fallback) {
            cache.push_back(CachedFile {
                file: request.location.file.clone(),
                index_version: request.index_version,
                shown,
            });
            cache.drain(..cache.len().saturating_sub(MAX_CACHED_FILES));
        }
    }
}

fn read(workspace: &dyn Workspace, file: &str) -> Answer<FileText> {
    let SourceFile { bytes, mut definitions, changed } = workspace.source(file)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!("this file is too large to show ({} MB)", bytes.len() >> 20));
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(|line| safe(&line.replace('\t', TAB)).into_owned()).collect();
    // Stepping to the next definition skips fields and the file itself.
    definitions.retain(|symbol| !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package | SymbolKind::Field));
    Ok(FileText { lines, definitions: Arc::new(definitions), changed })
}

/// Shows the plain text if highlighting takes long. After a short time the second frame would only flicker.
struct PlainTextFallback<'request> {
    deadline: Option<Instant>,
    text: &'request FileText,
    answer: &'request dyn Fn(Answer<LoadedSource>),
}

impl PlainTextFallback<'_> {
    fn check(&mut self) {
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            self.show(self.text.lines.iter().map(|line| plain(line)).collect());
        }
    }

    /// Shows lines and disables the fallback.
    fn show(&mut self, lines: Vec<SourceLine>) -> LoadedSource {
        self.deadline = None;
        let (definitions, changed) = (self.text.definitions.clone(), self.text.changed);
        let shown = LoadedSource { lines: Arc::new(lines), definitions, changed };
        (self.answer)(Ok(shown.clone()));
        shown
    }
}

/// Highlights the definition first and then, if the file is not too long, the whole file. Returns a result for the
/// cache, or `None` if it was canceled or only a part was highlighted.
fn highlight(
    highlighter: &Highlighter,
    request: &PreviewRequest,
    text: &FileText,
    superseded: &dyn Fn() -> bool,
    fallback: &mut PlainTextFallback<'_>,
) -> Option<LoadedSource> {
    let text = &text.lines;
    let first = request.location.start_line.saturating_sub(1).min(text.len());
    let is_short = text.len() <= MAX_HIGHLIGHTED_LINES;
    let Some(mut run) = highlighter.start(&request.location.file) else {
        return Some(fallback.show(text.iter().map(|line| plain(line)).collect()));
    };
    if first > DEFINITION_LINES || !is_short {
        let last = (first + if is_short { DEFINITION_LINES } else { MAX_HIGHLIGHTED_LINES }).min(text.len());
        let mut lines: Vec<SourceLine> = text.iter().map(|line| plain(line)).collect();
        for number in first..last {
            if superseded() {
                return None;
            }
            fallback.check();
            lines[number] = run.line(&text[number]);
        }
        fallback.show(lines);
    }
    if !is_short {
        return None;
    }
    let mut run = highlighter.start(&request.location.file)?;
    let mut lines = Vec::with_capacity(text.len());
    for line in text {
        if superseded() {
            return None;
        }
        fallback.check();
        lines.push(run.line(line));
    }
    Some(fallback.show(lines))
}
