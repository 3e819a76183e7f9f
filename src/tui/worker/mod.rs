//! The background threads: one ranks and answers requests, one indexes, one watches files and the requests of coding
//! agents, one writes feedback, one reads and highlights source; [`output`] writes to clipboards and files.
//!
//! Only the newest request of a kind is answered: queues are drained to their last entry, and a running ranking stops
//! when its generation is no longer the newest.

mod agents;
mod feedback;
mod indexing;
pub mod output;
mod preview;
mod ranking;
mod server;
mod watch;

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Sender, UnboundedSender, channel, unbounded_channel};

use super::action::Report;
use super::backend::{Answer, Backend};
use super::effect::{PreviewRequest, Question, Record, SearchRequest};
pub use preview::shown_text;
use ranking::ReadRequest;
use server::Server;

/// The sending ends of the workers' queues. The threads end when it is dropped, that of the feedback before: a vote
/// just before quitting is written.
pub struct Workers {
    reads: UnboundedSender<ReadRequest>,
    previews: UnboundedSender<PreviewRequest>,
    records: Server<Record>,
    indexing: Sender<()>,
    newest_generation: Arc<AtomicU64>,
}

impl Workers {
    /// Starts the threads and an update of the index.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(
        backend: Arc<dyn Backend>,
        report: impl Fn(Report) + Clone + Send + Sync + 'static,
    ) -> io::Result<Workers> {
        let newest_generation = Arc::new(AtomicU64::new(0));
        let (reads, read_requests) = unbounded_channel();
        let (previews, preview_requests) = unbounded_channel();
        let (indexing, index_requests) = channel(1);
        let (space, send, newest) = (backend.clone(), report.clone(), newest_generation.clone());
        spawn("rank", move || ranking::run(&*space, read_requests, &newest, &send))?;
        let (space, send) = (backend.clone(), report.clone());
        let (indexed, index_events) = unbounded_channel();
        spawn("index", move || indexing::run(&*space, index_requests, &indexed, &send))?;
        let (space, send) = (backend.clone(), report.clone());
        let runtime = timer_runtime()?;
        spawn("watch", move || runtime.block_on(watch::run(&*space, index_events, &send)))?;
        let (space, send) = (backend.clone(), report.clone());
        let records = Server::start("feedback", move |requests| feedback::run(&*space, requests, &send))?;
        spawn("preview", move || preview::run(&*backend, preview_requests, &report))?;
        let workers = Workers { reads, previews, records, indexing, newest_generation };
        workers.index();
        Ok(workers)
    }

    /// Ranks a task and cancels older searches.
    pub fn search(&self, request: SearchRequest) {
        self.stop(request.generation);
        send(&self.reads, ReadRequest::Search(request));
    }

    /// Cancels searches older than this generation.
    pub fn stop(&self, generation: u64) {
        self.newest_generation.store(generation, Ordering::Relaxed);
    }

    /// Queues a question; a later one on the same topic supersedes it.
    pub fn ask(&self, question: Question) {
        send(&self.reads, ReadRequest::Ask(question));
    }

    /// Reads and highlights a file; a later request supersedes it.
    pub fn preview(&self, request: PreviewRequest) {
        send(&self.previews, request);
    }

    /// Writes or reads feedback.
    pub fn record(&self, record: Record) {
        self.records.send(record);
    }

    /// Updates the index.
    pub fn index(&self) {
        // A full queue already holds the same request.
        let _full = self.indexing.try_send(());
    }
}

/// Sends a request; a worker that has ended has already reported why.
fn send<T>(queue: &UnboundedSender<T>, request: T) {
    let _disconnected = queue.send(request);
}

/// Builds the runtime of a thread that waits for several queues or for a deadline. It starts no threads.
///
/// # Errors
/// When the runtime cannot be built.
pub fn timer_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_time().build()
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(format!("knowing-{name}")).spawn(work).map(|_| ())
}

/// Runs `work` and returns a panic as an error, so that the explorer goes on.
fn catch_panic<T>(task: &str, work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    let result = catch_unwind(AssertUnwindSafe(work));
    result.unwrap_or_else(|panic| Err(format!("{task} panicked: {}", panic_message(&*panic))))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
