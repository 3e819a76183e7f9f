//! The backend of several repositories: a backend for each, one list, one tree of files with a folder for each.

mod feedback;
mod place;
mod reader;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::{EngineBackend, engine_result};
use crate::engine::{SourceFile, WatchTargets};
use crate::model::Repositories;
use crate::tui::backend::{Answer, Backend, FeedbackWriter, Indexed, Progress, Reader, Status};
use crate::tui::roots::Roots;
use crate::workspace::Workspace;
use feedback::WorkspaceFeedbackWriter;
use place::{MAX_MEMBERS, Place};
use reader::{MemberReader, WorkspaceReader};

/// Several repositories in one explorer.
pub struct WorkspaceBackend {
    members: Vec<Member>,
    repositories: Repositories,
}

struct Member {
    place: Place,
    root: PathBuf,
    backend: EngineBackend,
}

impl WorkspaceBackend {
    /// Wraps the engines of a workspace.
    ///
    /// # Errors
    /// When it has more repositories than the explorer can show.
    pub fn new(workspace: &Workspace) -> Answer<WorkspaceBackend> {
        let members = workspace.members();
        if members.len() > MAX_MEMBERS {
            return Err(format!(
                "the explorer shows at most {MAX_MEMBERS} repositories, and {} are named; `knowing context` takes any number",
                members.len()
            ));
        }
        let member = |(number, member): (usize, &crate::workspace::Member)| Member {
            // A label is one folder on the screen.
            place: Place { number, label: member.label().replace('/', "-") },
            root: member.root().to_owned(),
            backend: EngineBackend::new(member.engine().clone()),
        };
        Ok(WorkspaceBackend {
            members: members.iter().enumerate().map(member).collect(),
            repositories: workspace.repositories(),
        })
    }

    /// Returns the member that a shown path is of, and the path within it.
    fn member_of_file<'a>(&self, file: &'a str) -> Option<(&Member, &'a str)> {
        self.members.iter().find_map(|member| Some((member, member.place.own_file(file)?)))
    }

    /// Calls a function for each member. Fails if it fails for all of them.
    fn each<T>(&self, call: impl Fn(&Member) -> Answer<T>) -> Answer<Vec<(&Member, T)>> {
        let mut done = Vec::new();
        let mut errors = Vec::new();
        for member in &self.members {
            match call(member) {
                Ok(value) => done.push((member, value)),
                Err(error) => errors.push(format!("{}: {error}", member.place.label)),
            }
        }
        if done.is_empty() { Err(errors.join("; ")) } else { Ok(done) }
    }

    /// Returns the status of all members as one.
    fn total(&self, statuses: &[(&Member, Status)]) -> Status {
        let clause = |(member, status): &(&Member, Status)| {
            Some(format!("{}: {}", member.place.label, status.nothing_indexed.as_ref()?))
        };
        let clauses: Vec<String> = statuses.iter().filter_map(clause).collect();
        let labels: Vec<&str> = self.members.iter().map(|member| member.place.label.as_str()).collect();
        Status {
            repository: labels.join(" + "),
            files: statuses.iter().map(|(_, status)| status.files).sum(),
            symbols: statuses.iter().map(|(_, status)| status.symbols).sum(),
            folders: self.members.iter().map(|member| member.root.display().to_string()).collect(),
            nothing_indexed: (!clauses.is_empty()).then(|| clauses.join("; ")),
            usable: statuses.iter().any(|(_, status)| status.usable),
        }
    }
}

impl Backend for WorkspaceBackend {
    fn status(&self) -> Answer<Status> {
        let statuses = self.each(|member| member.backend.status())?;
        // All are indexed before the first ranking, so that the list is of all repositories.
        let is_complete = statuses.len() == self.members.len() && statuses.iter().all(|(_, status)| status.usable);
        Ok(Status { usable: is_complete, ..self.total(&statuses) })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let problems = Mutex::new(Vec::new());
        let indexed = self.each(|member| {
            member.backend.index(progress).inspect_err(|error| {
                let problem = format!("{} is left out: {error}", member.place.label);
                problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
            })
        })?;
        let changed = indexed.iter().any(|(_, indexed)| indexed.changed);
        let statuses: Vec<(&Member, Status)> =
            indexed.into_iter().map(|(member, indexed)| (member, indexed.status)).collect();
        let problems = problems.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Indexed { status: self.total(&statuses), changed, problems })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let readers = self.each(|member| {
            let engine = member.backend.engine().clone();
            let ranker = engine_result(engine.ranker())?;
            Ok(MemberReader::new(member.place.clone(), engine, ranker))
        })?;
        let members = readers.into_iter().map(|(_, reader)| reader).collect();
        Ok(Box::new(WorkspaceReader::new(members, self.repositories.clone())))
    }

    fn watch_targets(&self) -> Answer<WatchTargets> {
        let targets = self.each(|member| member.backend.watch_targets())?;
        let folders: BTreeSet<PathBuf> = targets.into_iter().flat_map(|(_, targets)| targets.folders).collect();
        let roots = self.members.iter().map(|member| member.root.clone()).collect();
        // The databases are in hidden folders, or elsewhere.
        Ok(WatchTargets { roots, folders: folders.into_iter().collect(), database: PathBuf::new() })
    }

    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
        let writers = self.each(|member| {
            let engine = member.backend.engine().clone();
            let recorder = engine_result(engine.feedback_recorder(None))?;
            Ok((member.place.clone(), super::EngineFeedbackWriter { engine, recorder }))
        })?;
        Ok(Box::new(WorkspaceFeedbackWriter::new(writers.into_iter().map(|(_, writer)| writer).collect())))
    }

    fn source(&self, file: &str) -> Answer<SourceFile> {
        let (member, own) = self.member_of_file(file).ok_or_else(|| format!("{file} is in no repository"))?;
        let mut source = member.backend.source(own)?;
        source.definitions.iter_mut().for_each(|symbol| member.place.show(symbol));
        Ok(source)
    }

    fn roots(&self) -> Roots {
        Roots::labeled(self.members.iter().map(|member| (member.place.label.clone(), member.root.clone())))
    }
}
