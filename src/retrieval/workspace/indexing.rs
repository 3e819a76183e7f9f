//! Builds or updates the indexes of all members.

use std::num::NonZero;
use std::thread::{self, available_parallelism};

use parking_lot::Mutex;

use super::{Member, Workspace};
use crate::engine::{EngineError, IndexOptions, IndexReport, Prefetch, Prefetched, Progress};
use crate::model::Task;

/// Limit of the members that are indexed or loaded at the same time. Each has threads of its own.
const MAX_AT_ONCE: usize = 4;

/// The result of indexing one member.
pub struct MemberReport {
    pub label: String,
    pub report: Result<IndexReport, EngineError>,
}

impl Workspace {
    /// Builds or updates the index of each member, several at a time. `listener` receives the label of a member and its
    /// progress. A member that fails keeps its last complete index.
    pub fn index(&mut self, options: &IndexOptions, listener: &(dyn Fn(&str, Progress) + Sync)) -> Vec<MemberReport> {
        self.at_once(|member| {
            let label = member.label.clone();
            let report = member.engine.index_with(options.clone(), &|step: Progress| listener(&label, step));
            member.problem = report.as_ref().err().map(ToString::to_string);
            MemberReport { label, report }
        })
    }

    /// Updates the index of each member and loads it, several at a time; ranks `task` with the present index meanwhile.
    /// A member that fails keeps its last complete index, if it has one.
    pub fn refresh(
        &mut self,
        options: &IndexOptions,
        task: Option<&Task>,
        listener: &(dyn Fn(&str, Progress) + Sync),
    ) -> Vec<MemberReport> {
        let requests = self.requests(task);
        self.at_once(|member| {
            let label = member.label.clone();
            let prefetch = Prefetch::start(&member.engine, requests[member.position].as_ref());
            let mut report = member.engine.index_with(options.clone(), &|step: Progress| listener(&label, step));
            match prefetch.finish(&member.engine) {
                Ok(Prefetched { ranker, ranking }) => {
                    member.ranker = Some(ranker);
                    member.prefetched = ranking.zip(requests[member.position].clone());
                }
                Err(error) => report = report.and(Err(error)),
            }
            member.problem = report.as_ref().err().map(ToString::to_string);
            MemberReport { label, report }
        })
    }

    /// Calls a function for each member, for several at the same time. Returns the results in the members' order.
    pub(super) fn at_once<T: Send>(&mut self, call: impl Fn(&mut Member) -> T + Sync) -> Vec<T> {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let threads = self.members.len().min(cores.min(MAX_AT_ONCE));
        let count = self.members.len();
        let open = Mutex::new(self.members.iter_mut().enumerate());
        let results = Mutex::new(Vec::with_capacity(count));
        let work = || {
            loop {
                let next = open.lock().next();
                let Some((position, member)) = next else { return };
                let result = call(member);
                results.lock().push((position, result));
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner();
        results.sort_by_key(|(position, _)| *position);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
