//! The thread that reads the index: it ranks tasks, and answers questions between rankings.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedReceiver;

use super::catch_panic;
use crate::model::{ContextPack, PackedSymbol, Request};
use crate::tui::action::Report;
use crate::tui::backend::{Answer, Backend, Reader};
use crate::tui::effect::{Depth, Question, SearchRequest};

/// Rows of a lexical search.
const MAX_LEXICAL_ROWS: usize = 100;

/// A request of the read thread.
#[derive(Debug, Clone)]
pub enum ReadRequest {
    Search(SearchRequest),
    Ask(Question),
}

/// Serves requests until the queue is disconnected.
pub fn run(
    backend: &dyn Backend,
    mut requests: UnboundedReceiver<ReadRequest>,
    newest_generation: &AtomicU64,
    report: &dyn Fn(Report),
) {
    let mut worker = ReadWorker { backend, open: None, newest_generation, report };
    let mut pending_searches = Vec::new();
    let mut pending_questions = Vec::new();
    loop {
        let mut next = if pending_questions.is_empty() { requests.blocking_recv() } else { requests.try_recv().ok() };
        while let Some(request) = next {
            match request {
                ReadRequest::Search(request) => pending_searches.push(request),
                ReadRequest::Ask(question) => pending_questions.push(question),
            }
            next = requests.try_recv().ok();
        }
        if !pending_searches.is_empty() {
            for request in newest_generation_of(std::mem::take(&mut pending_searches)) {
                worker.search(request);
            }
        } else if pending_questions.is_empty() {
            return;
        } else {
            let question: Question = pending_questions.remove(0);
            if !pending_questions.iter().any(|later| later.supersedes(&question)) {
                worker.answer(question);
            }
        }
    }
}

/// Keeps the requests of the newest generation: its lexical search and its full ranking.
fn newest_generation_of(mut searches: Vec<SearchRequest>) -> Vec<SearchRequest> {
    let newest = searches.last().map(|request| request.generation);
    searches.retain(|request| Some(request.generation) == newest);
    searches.dedup_by_key(|request| request.depth);
    searches
}

struct ReadWorker<'run> {
    backend: &'run dyn Backend,
    /// The open reader and the version of the index it reads.
    open: Option<(u64, Box<dyn Reader>)>,
    newest_generation: &'run AtomicU64,
    report: &'run dyn Fn(Report),
}

impl ReadWorker<'_> {
    fn search(&mut self, request: SearchRequest) {
        let generation = request.generation;
        let newest = self.newest_generation;
        let cancelled = || newest.load(Ordering::Relaxed) != generation;
        if cancelled() {
            return;
        }
        let started = Instant::now();
        let result = self.with_reader(request.index_version, "ranking", |reader| search(reader, &request, &cancelled));
        if result.is_err() {
            self.open = None;
        }
        let took = started.elapsed();
        (self.report)(match (result, request.depth) {
            (Ok(SearchResult::Lexical(rows)), _) => Report::Lexical { generation, rows: Ok(rows), took },
            (Ok(SearchResult::Full(pack)), _) => Report::Ranked { generation, pack: Ok(pack.map(|pack| *pack)), took },
            (Err(error), Depth::Lexical) => Report::Lexical { generation, rows: Err(error), took },
            (Err(error), Depth::Full) => Report::Ranked { generation, pack: Err(error), took },
        });
    }

    fn answer(&mut self, question: Question) {
        let topic = question.topic;
        let finding = self.with_reader(question.index_version, "reading the index", |reader| reader.ask(&topic));
        (self.report)(Report::Answered { number: question.number, response: finding });
    }

    /// Calls `work` with the reader of this version of the index, which is reopened after a panic. Not after an error: a
    /// question that fails, such as one about git where there is none, leaves the ranking that others are about.
    fn with_reader<T>(
        &mut self,
        version: u64,
        task: &str,
        work: impl FnOnce(&mut dyn Reader) -> Answer<T>,
    ) -> Answer<T> {
        if self.open.as_ref().is_some_and(|(open, _)| *open != version) {
            self.open = None;
        }
        let (open, backend) = (&mut self.open, self.backend);
        let answer = catch_panic(task, || {
            let reader = match open {
                Some((_, reader)) => reader,
                empty => &mut empty.insert((version, backend.reader()?)).1,
            };
            Ok(work(&mut **reader))
        });
        answer.unwrap_or_else(|panic| {
            self.open = None;
            Err(panic)
        })
    }
}

enum SearchResult {
    Lexical(Vec<PackedSymbol>),
    Full(Option<Box<ContextPack>>),
}

fn search(
    reader: &mut dyn Reader,
    request: &SearchRequest,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Answer<SearchResult> {
    match (request.depth, &request.task.request) {
        (Depth::Lexical, Request::Task(words)) => reader.lexical(words, MAX_LEXICAL_ROWS).map(SearchResult::Lexical),
        // Files and revisions have no words to search for.
        (Depth::Lexical, _) => Ok(SearchResult::Lexical(Vec::new())),
        (Depth::Full, _) => reader.rank(&request.task, cancelled).map(|pack| SearchResult::Full(pack.map(Box::new))),
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::engine::SourceFile;
    use crate::engine::WatchTargets;
    use crate::model::Task;
    use crate::tui::backend::{FeedbackWriter, Indexed, Progress, Response, Status};
    use crate::tui::effect::{TextRequest, Topic};
    use crate::tui::model::export::Form;
    use crate::tui::roots::Roots;
    use crate::tui::worker::send;

    #[derive(Default)]
    struct EmptyBackend {
        /// The number of readers that were opened.
        opened: AtomicU64,
    }

    impl Backend for EmptyBackend {
        fn roots(&self) -> Roots {
            Roots::default()
        }

        fn status(&self) -> Answer<Status> {
            Err("empty backend".into())
        }

        fn index(&self, _progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
            Err("empty backend".into())
        }

        fn reader(&self) -> Answer<Box<dyn Reader>> {
            self.opened.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(EmptyBackend::default()))
        }

        fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
            Err("empty backend".into())
        }

        fn watch_targets(&self) -> Answer<WatchTargets> {
            Err("empty backend".into())
        }

        fn source(&self, _file: &str) -> Answer<SourceFile> {
            Ok(SourceFile::default())
        }
    }

    impl Reader for EmptyBackend {
        fn lexical(&mut self, _task: &str, _limit: usize) -> Answer<Vec<PackedSymbol>> {
            Ok(Vec::new())
        }

        fn rank(&mut self, task: &Task, _cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
            assert_ne!(task.request, Request::Task("panic".into()));
            Ok(None)
        }

        fn ask(&mut self, topic: &Topic) -> Answer<Response> {
            match topic {
                Topic::DirtyFiles => Err("no git".to_owned()),
                _ => Ok(Response::Concepts(Vec::new())),
            }
        }
    }

    /// Returns generation, depth and success of the reports for these queued requests.
    fn reports_for(requests: &[(u64, Depth, &str)]) -> Vec<(u64, Depth, bool)> {
        let (sender, queue) = unbounded_channel();
        for (generation, depth, task) in requests {
            let task = Task::from_text(*task);
            let request = SearchRequest { generation: *generation, index_version: 0, task, depth: *depth };
            send(&sender, ReadRequest::Search(request));
        }
        for number in 1..=3 {
            let topic = Topic::Concepts { task: Task::from_text("") };
            send(&sender, ReadRequest::Ask(Question { number, index_version: 0, topic }));
        }
        drop(sender);
        let newest = AtomicU64::new(requests.last().map_or(0, |(generation, ..)| *generation));
        let reports = parking_lot::Mutex::new(Vec::new());
        run(&EmptyBackend::default(), queue, &newest, &|report| {
            reports.lock().push(match report {
                // Only the last of three questions on one topic is answered, after the rankings.
                Report::Answered { number: 3, .. } => return,
                Report::Lexical { generation, rows, .. } => (generation, Depth::Lexical, rows.is_ok()),
                Report::Ranked { generation, pack, .. } => (generation, Depth::Full, pack.is_ok()),
                other => panic!("{other:?}"),
            });
        });
        reports.into_inner()
    }

    #[test]
    fn only_newest_generation_is_answered_at_both_depths() {
        let requests = [
            (1, Depth::Lexical, "a"),
            (1, Depth::Full, "a"),
            (2, Depth::Lexical, "ab"),
            (3, Depth::Lexical, "abc"),
            (3, Depth::Full, "abc"),
            (3, Depth::Full, "abc"),
        ];
        assert_eq!(reports_for(&requests), [(3, Depth::Lexical, true), (3, Depth::Full, true)]);
    }

    #[test]
    fn panic_is_reported_as_error() {
        assert_eq!(reports_for(&[(1, Depth::Full, "panic")]), [(1, Depth::Full, false)]);
    }

    #[test]
    fn a_question_that_fails_leaves_the_reader_open() {
        let (sender, queue) = unbounded_channel();
        for (number, topic) in [(1, Topic::DirtyFiles), (2, Topic::Bases)] {
            send(&sender, ReadRequest::Ask(Question { number, index_version: 0, topic }));
        }
        drop(sender);
        let backend = EmptyBackend::default();
        run(&backend, queue, &AtomicU64::new(0), &|_| {});
        assert_eq!(backend.opened.into_inner(), 1);
    }

    #[test]
    fn every_text_is_answered_and_of_other_questions_the_last() {
        let (sender, queue) = unbounded_channel();
        let text = || Topic::Text(TextRequest::Pack { task: Task::from_text(""), form: Form::default() });
        for (number, topic) in [(1, text()), (2, Topic::Bases), (3, text()), (4, Topic::Bases), (5, text())] {
            send(&sender, ReadRequest::Ask(Question { number, index_version: 0, topic }));
        }
        drop(sender);
        let answered = parking_lot::Mutex::new(Vec::new());
        run(&EmptyBackend::default(), queue, &AtomicU64::new(0), &|report| {
            let Report::Answered { number, .. } = report else { panic!("{report:?}") };
            answered.lock().push(number);
        });
        assert_eq!(answered.into_inner(), [1, 3, 4, 5]);
    }
}
