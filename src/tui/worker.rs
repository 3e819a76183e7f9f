//! The threads behind the screen: one ranks, one indexes, one reads source.
//!
//! A request is only ever answered if no newer one has come: queues are drained to their last entry, and a running
//! rank asks between its steps whether its generation still is the newest.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::action::Report;
use super::effect::{Depth, PreviewRequest, SearchRequest};
use super::preview;
use super::workspace::{Answer, Progress, Reader, Workspace};
use crate::model::{ContextPack, PackedSymbol};

/// Rows asked of a search by words.
const LEXICAL_ROWS: usize = 100;
/// The shortest time between two reports of progress within a phase.
const PROGRESS_EVERY: Duration = Duration::from_millis(40);

/// The sending ends of the workers. They end when this is dropped.
pub struct Workers {
    searches: Sender<SearchRequest>,
    previews: Sender<PreviewRequest>,
    indexing: Sender<()>,
    newest: Arc<AtomicU64>,
}

impl Workers {
    /// Starts the threads; the index is brought up to date at once.
    pub fn start(
        workspace: Arc<dyn Workspace>,
        report: impl Fn(Report) + Clone + Send + Sync + 'static,
    ) -> io::Result<Workers> {
        let newest = Arc::new(AtomicU64::new(0));
        let (searches, search_requests) = unbounded();
        let (previews, preview_requests) = unbounded();
        let (indexing, index_requests) = bounded(1);
        let (space, send, latest) = (workspace.clone(), report.clone(), newest.clone());
        spawn("rank", move || search(&*space, &search_requests, &latest, &send))?;
        let (space, send) = (workspace.clone(), report.clone());
        spawn("index", move || index(&*space, &index_requests, &send))?;
        spawn("preview", move || preview::run(&*workspace, &preview_requests, &report))?;
        let workers = Workers { searches, previews, indexing, newest };
        workers.index();
        Ok(workers)
    }

    /// Ranks this and forgets whatever was asked before.
    pub fn search(&self, request: SearchRequest) {
        self.stop(request.generation);
        send(&self.searches, request);
    }

    /// Gives up searches older than this generation.
    pub fn stop(&self, generation: u64) {
        self.newest.store(generation, Ordering::Relaxed);
    }

    /// Shows this and forgets whatever was asked before.
    pub fn preview(&self, request: PreviewRequest) {
        send(&self.previews, request);
    }

    /// Brings the index up to date; one waiting request is enough.
    pub fn index(&self) {
        // A full queue already holds the same request.
        let _already_asked = self.indexing.try_send(());
    }
}

/// A worker that has ended reported why; there is nobody left to ask.
fn send<T>(queue: &Sender<T>, request: T) {
    let _nobody_left = queue.send(request);
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(format!("knowing-{name}")).spawn(work).map(|_| ())
}

fn search(workspace: &dyn Workspace, requests: &Receiver<SearchRequest>, newest: &AtomicU64, report: &dyn Fn(Report)) {
    let mut open = None;
    while let Ok(first) = requests.recv() {
        let mut wanted = vec![first];
        wanted.extend(requests.try_iter());
        // Words and the whole rank of one task both count; nothing of an older task does.
        let newest_wanted = wanted.last().map(|request| request.generation);
        wanted.retain(|request| Some(request.generation) == newest_wanted);
        wanted.dedup_by_key(|request| request.depth);
        for request in wanted {
            serve(workspace, &mut open, request, newest, report);
        }
    }
}

/// A reader and the version of the index it reads.
type Open = Option<(u64, Box<dyn Reader>)>;

fn serve(
    workspace: &dyn Workspace,
    open: &mut Open,
    request: SearchRequest,
    newest: &AtomicU64,
    report: &dyn Fn(Report),
) {
    let generation = request.generation;
    let cancelled = || newest.load(Ordering::Relaxed) != generation;
    if cancelled() {
        return;
    }
    let started = Instant::now();
    if open.as_ref().is_some_and(|(version, _)| *version != request.index_version) {
        *open = None;
    }
    let answer = guarded("ranking", || {
        let reader = match &mut *open {
            Some((_, reader)) => reader,
            empty => &mut empty.insert((request.index_version, workspace.reader()?)).1,
        };
        answer(&mut **reader, &request, &cancelled)
    });
    let took = started.elapsed();
    if answer.is_err() {
        // Whatever state it was in, a fresh reader is the safer one.
        *open = None;
    }
    report(match (answer, request.depth) {
        (Ok(Found::Words(rows)), _) => Report::Lexical { generation, task: request.task, rows: Ok(rows), took },
        (Ok(Found::Pack(pack)), _) => Report::Ranked { generation, pack: Ok(pack), took },
        (Err(error), Depth::Lexical) => Report::Lexical { generation, task: request.task, rows: Err(error), took },
        (Err(error), Depth::Full) => Report::Ranked { generation, pack: Err(error), took },
    });
}

enum Found {
    Words(Vec<PackedSymbol>),
    Pack(Option<ContextPack>),
}

fn answer(reader: &mut dyn Reader, request: &SearchRequest, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Found> {
    match request.depth {
        Depth::Lexical => reader.lexical(&request.task, LEXICAL_ROWS).map(Found::Words),
        Depth::Full => reader.rank(&request.task, request.budget_tokens, cancelled).map(Found::Pack),
    }
}

fn index(workspace: &dyn Workspace, requests: &Receiver<()>, report: &(dyn Fn(Report) + Sync)) {
    while requests.recv().is_ok() {
        let status = guarded("opening the index", || workspace.status());
        let failed = status.is_err();
        report(Report::Status(status));
        if failed {
            continue;
        }
        let last: Mutex<Option<(&'static str, Instant)>> = Mutex::new(None);
        let progress = |step: Progress| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let same = last.filter(|(phase, _)| *phase == step.phase);
            let complete = step.total > 0 && step.done >= step.total;
            if complete || same.is_none_or(|(_, at)| at.elapsed() >= PROGRESS_EVERY) {
                *last = Some((step.phase, Instant::now()));
                report(Report::Progress(step));
            }
        };
        let indexed = guarded("indexing", || workspace.index(&progress));
        report(Report::Indexed(indexed));
    }
}

/// Turns a panic of a worker into an error in words: the explorer goes on.
pub(super) fn guarded<T>(what: &str, work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(format!("{what} broke: {}", words_of(&*panic))))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Workspace for Nothing {
        fn status(&self) -> Answer<super::super::workspace::Status> {
            Err("there is nothing".into())
        }

        fn index(&self, _progress: &(dyn Fn(Progress) + Sync)) -> Answer<super::super::workspace::Indexed> {
            Err("there is nothing".into())
        }

        fn reader(&self) -> Answer<Box<dyn Reader>> {
            Ok(Box::new(Nothing))
        }

        fn source(&self, _file: &str) -> Answer<Vec<u8>> {
            Ok(Vec::new())
        }
    }

    impl Reader for Nothing {
        fn lexical(&mut self, _task: &str, _limit: usize) -> Answer<Vec<PackedSymbol>> {
            Ok(Vec::new())
        }

        fn rank(
            &mut self,
            task: &str,
            _budget_tokens: usize,
            _cancelled: &(dyn Fn() -> bool + Sync),
        ) -> Answer<Option<ContextPack>> {
            assert_ne!(task, "panic");
            Ok(None)
        }
    }

    /// Generations and depths of what is answered when these requests wait in the queue.
    fn answered(requests: &[(u64, Depth, &str)]) -> Vec<(u64, Depth, bool)> {
        let (sender, queue) = unbounded();
        for (generation, depth, task) in requests {
            let task = task.to_string();
            send(
                &sender,
                SearchRequest { generation: *generation, index_version: 0, task, budget_tokens: 1, depth: *depth },
            );
        }
        drop(sender);
        let newest = AtomicU64::new(requests.last().map_or(0, |(generation, ..)| *generation));
        let seen = std::sync::Mutex::new(Vec::new());
        search(&Nothing, &queue, &newest, &|report| {
            seen.lock().unwrap().push(match report {
                Report::Lexical { generation, rows, .. } => (generation, Depth::Lexical, rows.is_ok()),
                Report::Ranked { generation, pack, .. } => (generation, Depth::Full, pack.is_ok()),
                other => panic!("{other:?}"),
            });
        });
        seen.into_inner().unwrap()
    }

    #[test]
    fn only_the_newest_task_is_answered_but_words_and_rank_both() {
        let requests = [
            (1, Depth::Lexical, "a"),
            (1, Depth::Full, "a"),
            (2, Depth::Lexical, "ab"),
            (3, Depth::Lexical, "abc"),
            (3, Depth::Full, "abc"),
            (3, Depth::Full, "abc"),
        ];
        assert_eq!(answered(&requests), [(3, Depth::Lexical, true), (3, Depth::Full, true)]);
    }

    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(answered(&[(1, Depth::Full, "panic")]), [(1, Depth::Full, false)]);
    }
}
