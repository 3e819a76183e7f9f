//! The background threads: one ranks and answers requests, one indexes, one watches files and the requests of coding
//! agents, one writes feedback, one reads and highlights source; [`output`] writes to clipboards and files.
//!
//! Only the newest request of a kind is answered: queues are drained to their last entry, and a running ranking stops
//! when its generation is no longer the newest.

mod agents;
pub mod output;
mod preview;
mod ranking;
mod server;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

use parking_lot::Mutex;
use tokio::runtime::{Builder, Runtime};
use tokio::select;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::time::sleep;

use super::action::Report;
use super::backend::{Answer, Backend, FeedbackWriter, Progress};
use super::effect::{PreviewRequest, Question, Record, SearchRequest};
use crate::engine::{FileChanges, FileWatcher};
use agents::AgentWatcher;
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
        spawn("index", move || update_index(&*space, index_requests, &indexed, &send))?;
        let (space, send) = (backend.clone(), report.clone());
        let runtime = timer_runtime()?;
        spawn("watch", move || runtime.block_on(watch(&*space, index_events, &send)))?;
        let (space, send) = (backend.clone(), report.clone());
        let records = Server::start("feedback", move |requests| record_feedback(&*space, requests, &send))?;
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

/// The shortest interval between two reports of progress in one phase.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(40);

/// Serves requests until the queue is disconnected. Sends to `indexed` after each, as the folders to watch may differ, what it
/// has reported as gone.
fn update_index(
    backend: &dyn Backend,
    mut requests: Receiver<()>,
    indexed: &UnboundedSender<Option<String>>,
    report: &(dyn Fn(Report) + Sync),
) {
    while requests.blocking_recv().is_some() {
        let status = catch_panic("opening the index", || backend.status());
        let mut gone = status.as_ref().map_or(None, |status| status.gone.clone());
        let failed = status.is_err();
        report(Report::Status(status));
        if failed {
            continue;
        }
        let last: Mutex<Option<(&'static str, Instant)>> = Mutex::new(None);
        let progress = |step: Progress| {
            let mut last = last.lock();
            let same_phase = last.filter(|(phase, _)| *phase == step.phase);
            let is_complete = step.total > 0 && step.done >= step.total;
            if is_complete || same_phase.is_none_or(|(_, at)| at.elapsed() >= PROGRESS_INTERVAL) {
                *last = Some((step.phase, Instant::now()));
                report(Report::Progress(step));
            }
        };
        let result = catch_panic("indexing", || backend.index(&progress));
        if let Ok(indexed) = &result {
            gone.clone_from(&indexed.status.gone);
        }
        report(Report::Indexed(result));
        // The watcher has ended if files cannot be watched.
        let _unwatched = indexed.send(gone);
    }
}

/// Serves records until the queue is disconnected.
fn record_feedback(backend: &dyn Backend, mut records: UnboundedReceiver<Record>, report: &dyn Fn(Report)) {
    let mut open: Option<Box<dyn FeedbackWriter>> = None;
    while let Some(record) = records.blocking_recv() {
        let writer = &mut open;
        let answer = catch_panic("recording feedback", || {
            let writer = match writer {
                Some(writer) => writer,
                empty => empty.insert(backend.feedback_writer()?),
            };
            writer.record(&record)
        });
        if answer.is_err() {
            // The database may have been replaced; the next record opens a new connection.
            open = None;
        }
        report(Report::Recorded { record, answer });
    }
}

/// The pause before another look for a folder that is gone, of which no event tells that it is back.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Watches until `indexed` is disconnected. Each of its messages means that the folders with indexed files may differ, and says
/// what is reported as gone.
async fn watch(backend: &dyn Backend, mut indexed: UnboundedReceiver<Option<String>>, report: &dyn Fn(Report)) {
    let (sender, mut events) = unbounded_channel();
    // The receiver is gone once the explorer ends.
    let forward = move |event| sender.send(event).unwrap_or(());
    let (agent_sender, mut agent_events) = unbounded_channel();
    let forward_agents = move |event| agent_sender.send(event).unwrap_or(());
    let watchers = FileWatcher::new(forward).and_then(|files| Ok((files, AgentWatcher::new(forward_agents)?)));
    let (mut watcher, mut agents) = match watchers {
        Ok(watchers) => watchers,
        Err(error) => return report(Report::Unwatched(error.to_string())),
    };
    agents.follow(backend.exchanges(), report);
    let mut gone: Option<String> = None;
    // Reports that something has gone or come back: a folder can go before it is watched, and be back before the next look.
    let look = |gone: &mut Option<String>| {
        let now = backend.status().ok().and_then(|status| status.gone);
        if now != *gone {
            report(Report::Changed(FileChanges::default()));
        }
        *gone = now;
    };
    loop {
        select! {
            biased;
            message = indexed.recv() => match message {
                // Without an index there is nothing to watch.
                Some(reported) => {
                    if let Ok(targets) = backend.watch_targets() && let Some(error) = watcher.watch(targets) {
                        report(Report::Unwatched(error));
                    }
                    agents.follow(backend.exchanges(), report);
                    gone = reported;
                    look(&mut gone);
                }
                None => return,
            },
            event = agent_events.recv() => match event {
                Some(event) => agents.changed(event, &mut agent_events, report).await,
                None => return,
            },
            event = events.recv() => match event {
                Some(event) => if let Some(change) = watcher.coalesce(event, &mut events).await {
                    report(Report::Changed(change));
                },
                None => return,
            },
            () = sleep(POLL_INTERVAL), if gone.is_some() => look(&mut gone),
        }
    }
}
