//! The thread that reads and colors source; plain text comes first when colors take long.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::guarded;
use crate::engine::SourceFile;
use crate::model::{Symbol, SymbolKind};
use crate::text::display::safe;
use crate::tui::action::Report;
use crate::tui::effect::PreviewRequest;
use crate::tui::highlight::{Highlighter, plain};
use crate::tui::panes::source::{LoadedSource, SourceLine};
use crate::tui::workspace::{Answer, Workspace};

/// Files kept with their colors.
const KEPT_FILES: usize = 16;
/// Larger files are not shown at all.
const LARGEST_FILE_BYTES: usize = 8 << 20;
/// Longer files are colored only around the definition.
const LONGEST_COLORED_FILE: usize = 6_000;
/// Lines colored from a definition on, before the rest of its file.
const FIRST_LINES: usize = 120;
/// Plain text is shown when colors take longer than this.
const PLAIN_AFTER: Duration = Duration::from_millis(20);
/// Columns a tab takes.
const TAB: &str = "    ";

/// A file with its colors, as of one state of the index.
struct Kept {
    file: String,
    index_version: u64,
    shown: LoadedSource,
}

/// A file's lines, free of control characters, and its definitions.
struct Text {
    lines: Vec<String>,
    definitions: Arc<Vec<Symbol>>,
    changed: bool,
}

/// Answers requests until nobody can send any; an older request is given up when a newer one waits.
pub fn run(workspace: &dyn Workspace, requests: &Receiver<PreviewRequest>, report: &dyn Fn(Report)) {
    let highlighter = Highlighter::new();
    let mut kept: VecDeque<Kept> = VecDeque::new();
    while let Ok(mut request) = requests.recv() {
        while let Ok(newer) = requests.try_recv() {
            request = newer;
        }
        let answer = |shown: Answer<LoadedSource>| {
            report(Report::Source { generation: request.generation, file: request.location.file.clone(), shown });
        };
        let same = |kept: &&Kept| kept.file == request.location.file && kept.index_version == request.index_version;
        if let Some(found) = kept.iter().find(same) {
            answer(Ok(found.shown.clone()));
            continue;
        }
        let text = match guarded("reading source", || read(workspace, &request.location.file)) {
            Ok(text) => text,
            Err(error) => {
                answer(Err(error));
                continue;
            }
        };
        let mut patience = Patience { until: Some(Instant::now() + PLAIN_AFTER), text: &text, answer: &answer };
        let superseded = || !requests.is_empty();
        if let Some(shown) = color(&highlighter, &request, &text, &superseded, &mut patience) {
            kept.push_back(Kept { file: request.location.file.clone(), index_version: request.index_version, shown });
            kept.drain(..kept.len().saturating_sub(KEPT_FILES));
        }
    }
}

fn read(workspace: &dyn Workspace, file: &str) -> Answer<Text> {
    let SourceFile { bytes, mut definitions, changed } = workspace.source(file)?;
    if bytes.len() > LARGEST_FILE_BYTES {
        return Err(format!("this file is too large to show ({} MB)", bytes.len() >> 20));
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(|line| safe(&line.replace('\t', TAB)).into_owned()).collect();
    // Who steps through a file means what stands out in it.
    definitions.retain(|symbol| !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package | SymbolKind::Field));
    Ok(Text { lines, definitions: Arc::new(definitions), changed })
}

/// Shows the plain text once coloring has taken too long; before that a second frame would only flicker.
struct Patience<'request> {
    until: Option<Instant>,
    text: &'request Text,
    answer: &'request dyn Fn(Answer<LoadedSource>),
}

impl Patience<'_> {
    fn check(&mut self) {
        if self.until.is_some_and(|until| until <= Instant::now()) {
            self.show(self.text.lines.iter().map(|line| plain(line)).collect());
        }
    }

    /// Shows lines, after which nobody waits any more.
    fn show(&mut self, lines: Vec<SourceLine>) -> LoadedSource {
        self.until = None;
        let (definitions, changed) = (self.text.definitions.clone(), self.text.changed);
        let shown = LoadedSource { lines: Arc::new(lines), definitions, changed };
        (self.answer)(Ok(shown.clone()));
        shown
    }
}

/// Colors the definition first and then, if the file is not too long, everything. Gives back what may be kept.
fn color(
    highlighter: &Highlighter,
    request: &PreviewRequest,
    text: &Text,
    superseded: &dyn Fn() -> bool,
    patience: &mut Patience<'_>,
) -> Option<LoadedSource> {
    let text = &text.lines;
    let first = request.location.start_line.saturating_sub(1).min(text.len());
    let whole = text.len() <= LONGEST_COLORED_FILE;
    let Some(mut run) = highlighter.start(&request.location.file) else {
        return Some(patience.show(text.iter().map(|line| plain(line)).collect()));
    };
    if first > FIRST_LINES || !whole {
        let last = (first + if whole { FIRST_LINES } else { LONGEST_COLORED_FILE }).min(text.len());
        let mut lines: Vec<SourceLine> = text.iter().map(|line| plain(line)).collect();
        for number in first..last {
            if superseded() {
                return None;
            }
            patience.check();
            lines[number] = run.line(&text[number]);
        }
        patience.show(lines);
    }
    if !whole {
        return None;
    }
    let mut run = highlighter.start(&request.location.file)?;
    let mut lines = Vec::with_capacity(text.len());
    for line in text {
        if superseded() {
            return None;
        }
        patience.check();
        lines.push(run.line(line));
    }
    Some(patience.show(lines))
}
