//! The threads behind the screen: one ranks and answers questions, one indexes, one watches files, one writes what the
//! user teaches, one reads source.
//!
//! A request is only ever answered if no newer one has come: queues are drained to their last entry, and a running
//! rank asks between its steps whether its generation still is the newest.

mod indexing;
mod preview;
mod ranking;
mod watch;
mod writer;

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crossbeam_channel::{Sender, bounded, unbounded};

use super::action::Report;
use super::effect::{PreviewRequest, Question, Record, SearchRequest};
use super::workspace::{Answer, Workspace};

/// The sending ends of the workers. They end when this is dropped.
pub struct Workers {
    searches: Sender<SearchRequest>,
    questions: Sender<Question>,
    previews: Sender<PreviewRequest>,
    records: Sender<Record>,
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
        let (questions, asked) = unbounded();
        let (previews, preview_requests) = unbounded();
        let (records, told) = unbounded();
        let (indexing, index_requests) = bounded(1);
        let (space, send, latest) = (workspace.clone(), report.clone(), newest.clone());
        spawn("rank", move || ranking::run(&*space, &search_requests, &asked, &latest, &send))?;
        let (space, send) = (workspace.clone(), report.clone());
        let (refresh, refreshed) = unbounded();
        spawn("index", move || indexing::run(&*space, &index_requests, &refresh, &send))?;
        let (space, send) = (workspace.clone(), report.clone());
        spawn("watch", move || watch::run(&*space, &refreshed, &send))?;
        let (space, send) = (workspace.clone(), report.clone());
        spawn("write", move || writer::run(&*space, &told, &send))?;
        spawn("preview", move || preview::run(&*workspace, &preview_requests, &report))?;
        let workers = Workers { searches, questions, previews, records, indexing, newest };
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

    /// Answers this, unless a newer question on the same topic comes before its turn.
    pub fn ask(&self, question: Question) {
        send(&self.questions, question);
    }

    /// Shows this and forgets whatever was asked before.
    pub fn preview(&self, request: PreviewRequest) {
        send(&self.previews, request);
    }

    /// Writes this down.
    pub fn record(&self, record: Record) {
        send(&self.records, record);
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

/// Turns a panic of a worker into an error in words: the explorer goes on.
pub(super) fn guarded<T>(what: &str, work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(format!("{what} broke: {}", words_of(&*panic))))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".into())
}
