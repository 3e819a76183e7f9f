//! Follows the exchange with coding agents: its files are read when one changes, and at no other time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use crate::engine::{FileWatcher, WatchEvent, WatchTargets};
use crate::exchange::{Exchange, ExchangeError, RequestFollower, now_ms};
use crate::tui::action::Report;
use crate::tui::backend::AgentNews;

/// A watcher of the exchange's folder.
pub struct AgentWatcher {
    watcher: FileWatcher,
    followed: Vec<Followed>,
}

/// The exchange that is followed, and what was reported of it.
struct Followed {
    exchange: Exchange,
    requests: RequestFollower,
    damaged_lines: usize,
    is_pack_waiting: bool,
    error: Option<String>,
}

impl AgentWatcher {
    /// Creates a watcher of nothing, whose events go to `forward`.
    ///
    /// # Errors
    /// When the system can't watch files.
    pub fn new(forward: impl Fn(WatchEvent) + Send + 'static) -> notify::Result<AgentWatcher> {
        Ok(AgentWatcher { watcher: FileWatcher::new(forward)?, followed: Vec::new() })
    }

    /// Follows these exchanges from their oldest requests on, unless they are followed already.
    pub fn follow(&mut self, exchanges: Vec<Exchange>, report: &dyn Fn(Report)) {
        if !self.followed.iter().map(|followed| &followed.exchange).eq(&exchanges) {
            self.followed = exchanges.into_iter().map(Followed::new).collect();
        }
        self.read(report);
    }

    /// Reads what changed, once no further event follows.
    pub async fn changed(
        &mut self,
        event: WatchEvent,
        events: &mut UnboundedReceiver<WatchEvent>,
        report: &dyn Fn(Report),
    ) {
        // Also without a change of a file: the folder itself may have been created or removed.
        let _change = self.watcher.coalesce(event, events).await;
        self.read(report);
    }

    fn read(&mut self, report: &dyn Fn(Report)) {
        // The folders are watched before they are read, so that nothing is missed in between.
        if !self.followed.is_empty()
            && let Some(error) = self.watcher.watch(targets(self.followed.iter().map(|followed| &followed.exchange)))
        {
            report(Report::Unwatched(error));
        }
        let news: Vec<AgentNews> = self.followed.iter_mut().filter_map(Followed::news).collect();
        let is_pack_waiting = self.followed.iter().any(|followed| followed.is_pack_waiting);
        if !news.is_empty() {
            report(Report::Agents(joined(news, is_pack_waiting)));
        }
    }
}

/// Returns the folders to watch: that of each exchange, or the one in which it will be created. Before the first index
/// neither exists; the exchanges are followed again after it.
fn targets<'a>(exchanges: impl Iterator<Item = &'a Exchange>) -> WatchTargets {
    let is_folder = |path: &&Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let root = |exchange: &Exchange| -> Option<PathBuf> {
        let folder = exchange.folder();
        Some(folder).filter(is_folder).or_else(|| folder.parent().filter(is_folder)).map(Path::to_owned)
    };
    let roots: Vec<PathBuf> = exchanges.filter_map(root).collect();
    WatchTargets { folders: roots.clone(), roots, database: PathBuf::new() }
}

/// Joins the news of several exchanges.
fn joined(news: Vec<AgentNews>, is_pack_waiting: bool) -> AgentNews {
    let mut joined = AgentNews { is_pack_waiting, ..AgentNews::default() };
    for own in news {
        joined.requests.extend(own.requests);
        joined.damaged_lines += own.damaged_lines;
        joined.error = joined.error.or(own.error);
    }
    joined.requests.sort_by_key(|(record, _)| record.at_ms);
    joined
}

impl Followed {
    fn new(exchange: Exchange) -> Followed {
        let requests = RequestFollower::from_start(exchange.clone());
        Followed { exchange, requests, damaged_lines: 0, is_pack_waiting: false, error: None }
    }

    /// Returns what is new since the last call; `None` if nothing is.
    fn news(&mut self) -> Option<AgentNews> {
        let mut errors: Vec<ExchangeError> = Vec::new();
        let records = self.requests.poll().map_err(|error| errors.push(error)).unwrap_or_default();
        let sent = self.exchange.sent().map_err(|error| errors.push(error)).unwrap_or_default();
        let now = now_ms();
        let age = |at_ms: u64| Duration::from_millis(now.saturating_sub(at_ms));
        let error = errors.first().map(ToString::to_string);
        let is_known_error = error == self.error;
        self.error.clone_from(&error);
        let news = AgentNews {
            requests: records.into_iter().map(|record| (record.clone(), age(record.at_ms))).collect(),
            damaged_lines: self.requests.skipped() - self.damaged_lines,
            is_pack_waiting: sent.is_some(),
            error: error.filter(|_| !is_known_error),
        };
        self.damaged_lines = self.requests.skipped();
        let is_other_pack = std::mem::replace(&mut self.is_pack_waiting, news.is_pack_waiting) != news.is_pack_waiting;
        let is_new = is_other_pack || !news.requests.is_empty() || news.damaged_lines > 0 || news.error.is_some();
        is_new.then_some(news)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fs::OpenOptions;
    use std::io::Write;

    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::exchange::{Client, RequestJournal, RequestRecord, RequestSource, RequestSubject, SentPack};

    fn record(task: &str) -> RequestRecord {
        let subject = RequestSubject::Task(task.to_owned());
        RequestRecord::begin(RequestSource::Mcp, Client::default(), "knowing_context", subject)
    }

    #[test]
    fn requests_are_followed_from_before_the_folder_exists() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().canonicalize().unwrap().join("graph.db"));
        let (sender, mut events) = unbounded_channel();
        let mut watcher = AgentWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        let reports = RefCell::new(Vec::new());
        let report = |report| match report {
            Report::Agents(news) => reports.borrow_mut().push(news),
            other => panic!("{other:?}"),
        };
        watcher.follow(vec![exchange.clone()], &report);
        assert!(reports.borrow().is_empty() && events.try_recv().is_err(), "nothing is new");

        let journal = RequestJournal::new(exchange.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        for task in ["first", "second"] {
            journal.append(record(task)).unwrap();
            while reports.borrow().is_empty() {
                let event = events.blocking_recv().unwrap();
                runtime.block_on(watcher.changed(event, &mut events, &report));
            }
            let news = reports.borrow_mut().pop().unwrap();
            assert_eq!(news.requests.len(), 1);
            assert_eq!(news.requests[0].0.subject, RequestSubject::Task(task.to_owned()));
        }
    }

    #[test]
    fn a_damaged_line_is_reported_once() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        RequestJournal::new(exchange.clone()).append(record("a")).unwrap();
        let journal = exchange.folder().join("requests-000001.jsonl");
        OpenOptions::new().append(true).open(journal).unwrap().write_all(b"{\"id\":\n").unwrap();
        let mut followed = Followed::new(exchange.clone());
        let news = followed.news().unwrap();
        assert_eq!((news.requests.len(), news.damaged_lines), (1, 1));
        assert_eq!(followed.news(), None);

        exchange.send(SentPack::new("a", "", Vec::new())).unwrap();
        assert!(followed.news().unwrap().is_pack_waiting);
        assert_eq!(followed.news(), None);
        exchange.take_sent().unwrap();
        assert_eq!(followed.news(), Some(AgentNews::default()));
    }
}
