//! The writer of feedback, and of what agents get: each symbol's into the journal of its repository.

use std::collections::BTreeSet;

use super::{NOT_AVAILABLE, agents, engine_result};
use crate::engine::{Engine, EngineError, FeedbackRecorder, LearnedTerm, StoreError, Vote};
use crate::model::Symbol;
use crate::text::{identifier_parts, stem};
use crate::tui::backend::{AgentAnswer, Answer, FeedbackWriter, Journal, Recorded};
use crate::tui::effect::{AgentJob, Record};
use crate::workspace::Workspace;

/// Writes each record into the journals of the repositories that it is about.
pub(super) struct EngineFeedbackWriter {
    members: Vec<MemberWriter>,
    /// The number of repositories, whether or not they can be written. Event `n` of the repository at a position is
    /// `n * count + position` in the explorer.
    count: i64,
}

/// The writer of one repository.
struct MemberWriter {
    position: usize,
    /// The first folder of its paths; empty for a single repository.
    folder: String,
    engine: Engine,
    recorder: FeedbackRecorder,
}

impl MemberWriter {
    /// Converts a symbol of the explorer to one of the repository, if it is of this one.
    fn own(&self, symbol: &Symbol) -> Option<Symbol> {
        if self.folder.is_empty() {
            return Some(symbol.clone());
        }
        let is_own = symbol.repository() == self.engine.repository();
        let file = symbol.file.strip_prefix(&self.folder).unwrap_or(&symbol.file).to_owned();
        is_own.then(|| Symbol { file, ..symbol.clone() })
    }
}

impl MemberWriter {
    /// Returns the words of a task that have come to mean a symbol, by this and earlier votes.
    fn learned(&self, task: &str, symbol: &Symbol) -> Answer<Vec<String>> {
        let terms = engine_result(self.recorder.terms())?;
        let is_own = |term: &&LearnedTerm| term.weight > 0.0 && symbol.qualified_name.ends_with(&term.symbol);
        let keywords: BTreeSet<&str> = terms.iter().filter(is_own).map(|term| term.keyword.as_str()).collect();
        let mut known = BTreeSet::new();
        let words = identifier_parts(task).map(str::to_lowercase);
        let is_learned = |word: &String| keywords.contains(word.as_str()) || keywords.contains(&*stem(word));
        Ok(words.filter(|word| is_learned(word) && known.insert(word.clone())).collect())
    }
}

impl EngineFeedbackWriter {
    /// Opens the journals of a workspace. Fails if none can be opened.
    pub(super) fn open(workspace: &Workspace) -> Answer<EngineFeedbackWriter> {
        let (mut members, mut errors) = (Vec::new(), Vec::new());
        let is_single = workspace.is_single();
        for member in workspace.members() {
            let (position, engine) = (member.position(), member.engine().clone());
            match engine.feedback_recorder(None) {
                Ok(recorder) => {
                    let folder = if is_single { String::new() } else { format!("{}/", member.label()) };
                    members.push(MemberWriter { position, folder, engine, recorder });
                }
                Err(error) => {
                    let is_missing = matches!(engine.reader(), Err(EngineError::Store(StoreError::Missing { .. })));
                    let error = if is_missing { NOT_AVAILABLE.to_owned() } else { error.to_string() };
                    errors.push(if is_single { error } else { format!("{}: {error}", member.label()) });
                }
            }
        }
        if members.is_empty() {
            return Err(errors.join("; "));
        }
        Ok(EngineFeedbackWriter { members, count: workspace.members().len() as i64 })
    }

    /// Returns the writer of a symbol's repository, and the symbol there.
    fn writer(&mut self, symbol: &Symbol) -> Answer<(&mut MemberWriter, Symbol)> {
        let found = self.members.iter_mut().find_map(|member| member.own(symbol).map(|own| (member, own)));
        found.ok_or_else(|| "the repository of this symbol has no index, so nothing was recorded".to_owned())
    }

    /// Calls a function for each repository that has some of the symbols, or if there are none for a single one.
    fn each_with<T>(
        &mut self,
        symbols: &[Symbol],
        mut call: impl FnMut(&mut MemberWriter, Vec<Symbol>) -> Answer<T>,
    ) -> Answer<Vec<T>> {
        let is_single = self.count == 1;
        let mut answers = Vec::new();
        for member in &mut self.members {
            let own: Vec<Symbol> = symbols.iter().filter_map(|symbol| member.own(symbol)).collect();
            if is_single || !own.is_empty() {
                answers.push(call(member, own)?);
            }
        }
        Ok(answers)
    }

    fn journal(&self) -> Answer<Recorded> {
        let mut all = Journal::default();
        for member in &self.members {
            let shown = |event: i64| event * self.count + member.position as i64;
            all.events.extend(engine_result(member.recorder.events())?.into_iter().map(|mut event| {
                (event.id, event.batch) = (shown(event.id), shown(event.batch));
                event
            }));
            all.learned_terms.extend(engine_result(member.recorder.terms())?);
        }
        if self.members.len() > 1 {
            all.events.sort_by_key(|event| (event.at, event.id));
        }
        Ok(Recorded::Journal(all))
    }

    fn agent(&mut self, job: &AgentJob) -> Answer<AgentAnswer> {
        match job {
            AgentJob::Steer { task, symbol, state } => {
                let (member, own) = self.writer(symbol)?;
                let job = AgentJob::Steer { task: task.clone(), symbol: Box::new(own), state: *state };
                agents::carry_out(&member.engine, &member.recorder, &job)
            }
            AgentJob::Steering { .. } => {
                let (mut pinned, mut dropped) = (BTreeSet::new(), BTreeSet::new());
                for member in &self.members {
                    let answer = agents::carry_out(&member.engine, &member.recorder, job)?;
                    if let AgentAnswer::Steering { pinned: own, dropped: others } = answer {
                        pinned.extend(own);
                        dropped.extend(others);
                    }
                }
                Ok(AgentAnswer::Steering { pinned, dropped })
            }
            AgentJob::SteerBranch { task, pinned, dropped } => {
                let all: Vec<Symbol> = pinned.iter().chain(dropped).cloned().collect();
                let is_pinned = |symbol: &Symbol| pinned.iter().any(|pinned| pinned.id == symbol.id);
                let answers = self.each_with(&all, |member, own| {
                    let (pinned, dropped) = own.into_iter().partition(is_pinned);
                    let job = AgentJob::SteerBranch { task: task.clone(), pinned, dropped };
                    agents::carry_out(&member.engine, &member.recorder, &job)
                })?;
                let branch = |answer| match answer {
                    AgentAnswer::OnBranch(branch) => Some(branch),
                    _ => None,
                };
                // Each repository has branches of its own.
                let branches: BTreeSet<String> = answers.into_iter().filter_map(branch).collect();
                let names: Vec<String> = branches.into_iter().collect();
                Ok(if names.is_empty() { AgentAnswer::OnTask } else { AgentAnswer::OnBranch(names.join(", ")) })
            }
            AgentJob::Send { task, symbols } => {
                self.each_with(symbols, |member, symbols| {
                    let job = AgentJob::Send { task: task.clone(), symbols };
                    agents::carry_out(&member.engine, &member.recorder, &job)
                })?;
                Ok(AgentAnswer::Sent)
            }
            AgentJob::TakeBack { symbols } => {
                let answers = self.each_with(symbols, |member, symbols| {
                    agents::carry_out(&member.engine, &member.recorder, &AgentJob::TakeBack { symbols })
                })?;
                Ok(AgentAnswer::TakenBack(answers.contains(&AgentAnswer::TakenBack(true))))
            }
        }
    }
}

impl FeedbackWriter for EngineFeedbackWriter {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        let count = self.count;
        match record {
            Record::Vote { task, symbol, after, .. } => {
                let (member, own) = self.writer(symbol)?;
                engine_result(member.recorder.vote(task, &own, *after))?;
                let learned = if *after == Vote::Useful { member.learned(task, &own)? } else { Vec::new() };
                Ok(Recorded::Voted { learned })
            }
            Record::Used { task, symbol, how } => {
                let (member, own) = self.writer(symbol)?;
                let event = engine_result(member.recorder.record_use(task, &own, *how))?;
                Ok(Recorded::Used { event: event.id * count + member.position as i64 })
            }
            Record::Votes { task } => {
                let mut all = Vec::new();
                for member in &self.members {
                    let votes = engine_result(member.recorder.votes_for(task))?;
                    all.extend(votes.into_iter().map(|voted| (voted.symbol, voted.vote)));
                }
                Ok(Recorded::Votes(all))
            }
            Record::Journal => self.journal(),
            Record::SetUndone { entry, undone } => {
                let position = entry.rem_euclid(count) as usize;
                let member = self.members.iter_mut().find(|member| member.position == position);
                let member = member.ok_or("the repository of this entry has no index, so nothing was recorded")?;
                engine_result(member.recorder.set_undone(entry.div_euclid(count), *undone))?;
                self.journal()
            }
            Record::Forget { keyword, symbol } => {
                for member in &mut self.members {
                    engine_result(member.recorder.forget_term(keyword, Some(symbol)))?;
                }
                self.journal()
            }
            Record::Agent(job) => self.agent(job).map(Recorded::Agent),
        }
    }
}
