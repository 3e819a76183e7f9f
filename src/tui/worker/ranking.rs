//! The thread that reads the index: it ranks, and between rankings it answers questions.

use std::mem::discriminant;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, select};

use super::guarded;
use crate::model::{ContextPack, PackedSymbol, Request};
use crate::tui::action::Report;
use crate::tui::effect::{Depth, Question, SearchRequest};
use crate::tui::workspace::{Answer, Reader, Workspace};

/// Rows asked of a search by words.
const LEXICAL_ROWS: usize = 100;

/// Answers until nobody can ask any more.
pub fn run(
    workspace: &dyn Workspace,
    searches: &Receiver<SearchRequest>,
    questions: &Receiver<Question>,
    newest: &AtomicU64,
    report: &dyn Fn(Report),
) {
    let mut desk = Desk { workspace, open: None, newest, report };
    let mut wanted = Vec::new();
    let mut waiting = Vec::new();
    loop {
        if waiting.is_empty() {
            select! {
                recv(searches) -> request => wanted.extend(request),
                recv(questions) -> question => waiting.extend(question),
            }
        }
        wanted.extend(searches.try_iter());
        waiting.extend(questions.try_iter());
        if !wanted.is_empty() {
            for request in newest_of(std::mem::take(&mut wanted)) {
                desk.search(request);
            }
        } else if waiting.is_empty() {
            return;
        } else {
            let question: Question = waiting.remove(0);
            let newer = |other: &Question| discriminant(&other.topic) == discriminant(&question.topic);
            if !waiting.iter().any(newer) {
                desk.answer(question);
            }
        }
    }
}

/// Words and the whole rank of one task both count; nothing of an older task does.
fn newest_of(mut wanted: Vec<SearchRequest>) -> Vec<SearchRequest> {
    let newest = wanted.last().map(|request| request.generation);
    wanted.retain(|request| Some(request.generation) == newest);
    wanted.dedup_by_key(|request| request.depth);
    wanted
}

struct Desk<'run> {
    workspace: &'run dyn Workspace,
    /// A reader and the version of the index it reads.
    open: Option<(u64, Box<dyn Reader>)>,
    newest: &'run AtomicU64,
    report: &'run dyn Fn(Report),
}

impl Desk<'_> {
    fn search(&mut self, request: SearchRequest) {
        let generation = request.generation;
        let newest = self.newest;
        let cancelled = || newest.load(Ordering::Relaxed) != generation;
        if cancelled() {
            return;
        }
        let started = Instant::now();
        let answer = self.with_reader(request.index_version, "ranking", |reader| answer(reader, &request, &cancelled));
        let took = started.elapsed();
        (self.report)(match (answer, request.depth) {
            (Ok(Found::Words(rows)), _) => Report::Lexical { generation, rows: Ok(rows), took },
            (Ok(Found::Pack(pack)), _) => Report::Ranked { generation, pack: Ok(pack), took },
            (Err(error), Depth::Lexical) => Report::Lexical { generation, rows: Err(error), took },
            (Err(error), Depth::Full) => Report::Ranked { generation, pack: Err(error), took },
        });
    }

    fn answer(&mut self, question: Question) {
        let topic = question.topic;
        let finding = self.with_reader(question.index_version, "looking it up", |reader| reader.ask(&topic));
        (self.report)(Report::Answered { number: question.number, response: finding });
    }

    /// Gives the reader of this version of the index to `work`. After an error a fresh one is the safer one.
    fn with_reader<T>(
        &mut self,
        version: u64,
        what: &str,
        work: impl FnOnce(&mut dyn Reader) -> Answer<T>,
    ) -> Answer<T> {
        if self.open.as_ref().is_some_and(|(open, _)| *open != version) {
            self.open = None;
        }
        let (open, workspace) = (&mut self.open, self.workspace);
        let answer = guarded(what, || {
            let reader = match open {
                Some((_, reader)) => reader,
                empty => &mut empty.insert((version, workspace.reader()?)).1,
            };
            work(&mut **reader)
        });
        if answer.is_err() {
            self.open = None;
        }
        answer
    }
}

enum Found {
    Words(Vec<PackedSymbol>),
    Pack(Option<ContextPack>),
}

fn answer(reader: &mut dyn Reader, request: &SearchRequest, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Found> {
    match (request.depth, &request.task.request) {
        (Depth::Lexical, Request::Task(words)) => reader.lexical(words, LEXICAL_ROWS).map(Found::Words),
        // Changed files have no words.
        (Depth::Lexical, _) => Ok(Found::Words(Vec::new())),
        (Depth::Full, _) => reader.rank(&request.task, cancelled).map(Found::Pack),
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;
    use crate::engine::SourceFile;
    use crate::model::Task;
    use crate::tui::effect::Topic;
    use crate::tui::worker::send;
    use crate::tui::workspace::{Finding, Indexed, Progress, Scribe, Status, Watched};

    struct Nothing;

    impl Workspace for Nothing {
        fn status(&self) -> Answer<Status> {
            Err("there is nothing".into())
        }

        fn index(&self, _progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
            Err("there is nothing".into())
        }

        fn reader(&self) -> Answer<Box<dyn Reader>> {
            Ok(Box::new(Nothing))
        }

        fn scribe(&self) -> Answer<Box<dyn Scribe>> {
            Err("there is nothing".into())
        }

        fn watched(&self) -> Answer<Watched> {
            Err("there is nothing".into())
        }

        fn source(&self, _file: &str) -> Answer<SourceFile> {
            Ok(SourceFile::default())
        }
    }

    impl Reader for Nothing {
        fn lexical(&mut self, _task: &str, _limit: usize) -> Answer<Vec<PackedSymbol>> {
            Ok(Vec::new())
        }

        fn rank(&mut self, task: &Task, _cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
            assert_ne!(task.request, Request::Task("panic".into()));
            Ok(None)
        }

        fn ask(&mut self, _topic: &Topic) -> Answer<Finding> {
            Ok(Finding::Classes(Vec::new()))
        }
    }

    /// Generations and depths of what is answered when these requests wait in the queue.
    fn answered(requests: &[(u64, Depth, &str)]) -> Vec<(u64, Depth, bool)> {
        let (sender, queue) = unbounded();
        for (generation, depth, task) in requests {
            let task = Task::words(*task);
            send(&sender, SearchRequest { generation: *generation, index_version: 0, task, depth: *depth });
        }
        drop(sender);
        let (asking, questions) = unbounded();
        for number in 1..=3 {
            send(&asking, Question { number, index_version: 0, topic: Topic::Concepts { task: Task::words("") } });
        }
        drop(asking);
        let newest = AtomicU64::new(requests.last().map_or(0, |(generation, ..)| *generation));
        let seen = std::sync::Mutex::new(Vec::new());
        run(&Nothing, &queue, &questions, &newest, &|report| {
            seen.lock().unwrap().push(match report {
                // Of three questions on one topic only the last is answered, and after the rankings.
                Report::Answered { number: 3, .. } => return,
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
