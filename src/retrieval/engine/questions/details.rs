//! The facts about one symbol, and tasks that are structural questions: the answer replaces the ranking.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::mentions::Extent;
use super::rows::{Reading, Search};
use super::{IMPLEMENTED, Member, Questions};
use crate::engine::bodies::Bodies;
use crate::engine::inspect::NameError;
use crate::engine::pipeline::Ranked;
use crate::engine::unread::skipped_with;
use crate::engine::{EngineError, Ranker, Ranking, Why, headline, matches};
use crate::graph::adjacency::Neighbor;
use crate::graph::reach::Follow;
use crate::model::{
    Answer, AnswerRow, Component, EdgeType, NodeId, Question, Repositories, Subject, Symbol, SymbolDetails, SymbolId,
    SymbolKind,
};
use crate::query::readings;
use crate::rank::tuning;
use crate::render::question::relation;

/// Separator of the parts of a line.
const SEPARATOR: &str = " · ";

/// Returns why a symbol ranks, one sentence a line.
pub fn why_lines(why: &Why) -> Vec<String> {
    let mut lines = vec![why.reason.sentence.clone(), headline(why, SEPARATOR), matches(&why.words, SEPARATOR)];
    lines.extend(why.missing.iter().map(ToString::to_string));
    lines.retain(|line| !line.is_empty());
    lines
}

impl Questions<'_> {
    /// Returns whether the names in a question are known; changes that can't be known have an answer, too. It is not answered.
    ///
    /// # Errors
    /// When a name in it is ambiguous, or a store can't be read.
    fn knows(&self, question: &Question) -> Result<bool, EngineError> {
        let named = match question {
            Question::Callers { of, .. } | Question::Callees { of, .. } => self.asked(of).map(drop),
            Question::Implementations { of } => self.asked_as(of, &IMPLEMENTED).map(drop),
            Question::Choices { name } => self.asked(name).map(drop),
            Question::Impact { of, .. } | Question::Tests { of } => self.roots(of).map(drop),
            Question::Path { from, to } => self.any_of(from).and_then(|_| self.one_of_few(to)).map(drop),
            Question::Lines { .. } => Ok(()),
        };
        match named {
            Err(EngineError::Name(error)) if error.choices.is_empty() => Ok(false),
            // The answer is the reason why the changes are unknown.
            Err(EngineError::Changes(_)) => Ok(true),
            named => named.map(|()| true),
        }
    }

    /// Returns a question for each symbol of a name in it that at most `limit` symbols have; none if a name is unknown.
    ///
    /// # Errors
    /// When more symbols have a name in it, or a store can't be read.
    pub fn meant(&self, question: &Question, limit: usize) -> Result<Vec<Question>, EngineError> {
        match self.knows(question) {
            Err(EngineError::Name(error)) if error.choices.len() <= limit => {
                let asks_about = |unique: &str| {
                    let is_it = |name: &str| name.trim() == error.name;
                    question.with_names(&|name| if is_it(name) { unique } else { name }.to_owned())
                };
                Ok(error.choices.iter().map(|(unique, _)| asks_about(unique)).collect())
            }
            known => Ok(Vec::from_iter(known?.then(|| question.clone()))),
        }
    }

    /// Returns the facts about a symbol, with at most `limit` rows in each list.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn details(&self, symbol: &Symbol, limit: usize) -> Result<SymbolDetails, EngineError> {
        let Some((_, member)) = self.member_of(symbol) else {
            return Err(NameError { name: symbol.short_name().to_owned(), ..NameError::default() }.into());
        };
        let mut sources = Bodies::new(member.reader, member.root);
        let source = match symbol.kind {
            SymbolKind::File | SymbolKind::Package => None,
            _ => sources.indented_body(symbol)?,
        };
        let name = symbol.short_name().to_owned();
        let mut users = self.neighbors(symbol, Reading::ToSubject, limit)?;
        self.add_mentions(&mut users, Extent::Needed)?;
        self.add_texts(&mut users);
        let tests = self.tests_near(&Question::Tests { of: Subject::Symbol(name) }, symbol, limit)?;
        let mut uses = self.neighbors(symbol, Reading::FromSubject, limit)?;
        self.add_unparsed(&mut uses)?;
        let details = SymbolDetails {
            symbol: symbol.clone(),
            source,
            missing_source: sources.missing().pop().map(|missing| missing.reason),
            members: members(member, symbol)?,
            uses,
            users,
            tests,
            owners: self.owners(symbol)?,
            why: Vec::new(),
        };
        self.check()?;
        Ok(details)
    }

    /// Returns what a symbol uses, or what uses it, by one edge.
    fn neighbors(&self, symbol: &Symbol, reading: Reading, limit: usize) -> Result<Answer, EngineError> {
        let of = symbol.short_name().to_owned();
        let is_outgoing = reading == Reading::FromSubject;
        let question = match reading {
            Reading::FromSubject => Question::Callees { of, depth: 1 },
            Reading::ToSubject => Question::Impact { of: Subject::Symbol(of), depth: 1 },
        };
        let rule = |_: &_, edge: &Neighbor| {
            let is_followed = edge.is_outgoing() == is_outgoing && edge.edge_type.is_use();
            if is_followed { Follow::Step } else { Follow::No }
        };
        let reached = self.search(&self.overloads(symbol)?, 1, rule);
        let (subjects, notes) = (vec![symbol.clone()], Vec::new());
        self.answer(Search { question: &question, subjects, reached, reading, notes }, limit, HashSet::new(), |_| true)
    }

    /// Returns the owners of a symbol's file.
    pub(in crate::engine) fn owners(&self, symbol: &Symbol) -> Result<Vec<String>, EngineError> {
        let Some((_, Member { reader, graph, .. })) = self.member_of(symbol) else { return Ok(Vec::new()) };
        let file = graph.meta(symbol.node).and_then(|meta| meta.file);
        let nodes = file.map_or(&[][..], |file| graph.nodes_in_file(file));
        let edges = nodes.iter().flat_map(|node| graph.outgoing(*node));
        let owners: Vec<NodeId> =
            edges.filter(|edge| edge.edge_type == EdgeType::OwnedBy).map(|edge| edge.node).collect();
        let mut owners: Vec<String> = reader.symbols(&owners)?.into_iter().map(|owner| owner.name).collect();
        owners.sort();
        self.check()?;
        Ok(owners)
    }
}

/// Returns the members of a type, or the definitions of a file, in source order.
fn members(member: Member<'_>, symbol: &Symbol) -> Result<Vec<Symbol>, EngineError> {
    if !symbol.kind.is_type() && symbol.kind != SymbolKind::File {
        return Ok(Vec::new());
    }
    let nodes: Vec<NodeId> = member.graph.members(symbol.node).collect();
    let mut members = member.reader.symbols(&nodes)?;
    members.retain(|member| member.kind != SymbolKind::RouteHandler);
    members.sort_by(|one, other| {
        let position = |member: &Symbol| (member.span.start_byte, member.ordinal);
        one.file.cmp(&other.file).then_with(|| position(one).cmp(&position(other)))
    });
    Ok(members)
}

/// Limit of the symbols of an answer that take part in a ranking; more than a pack has candidates.
const MAX_RANKED: usize = 1_000;

/// The component of a symbol's score that is its rank in the answer.
const COMPONENT: &str = "answer";

impl Ranker {
    /// Replaces the symbols of a ranking by the answer, if the task is a question about symbols of this index. A question
    /// with a name that is unknown is ranked like any other task, and says so; one with a name that is ambiguous lists the choices:
    /// a ranking would look like an answer.
    pub(in crate::engine) fn answer_task(&self, task: &str, ranking: &mut Ranking) -> Result<(), EngineError> {
        let mut unknown: Option<NameError> = None;
        for question in readings(task) {
            match self.questions()?.ask(&question, MAX_RANKED) {
                Err(EngineError::Name(error)) if error.choices.is_empty() => {
                    // Of two readings the one without a mark at the end of the name is told.
                    let is_longer = unknown.as_ref().is_some_and(|known| known.name.len() < error.name.len());
                    unknown = if is_longer { unknown } else { Some(*error) };
                }
                Err(EngineError::Name(error)) => {
                    replace(ranking, choose(task, *error, &self.questions()?.repositories));
                    return Ok(());
                }
                Err(EngineError::Changes(error)) => {
                    ranking.unknown_name = Some(error.to_string());
                    return Ok(());
                }
                answer => {
                    replace(ranking, answer?);
                    return Ok(());
                }
            }
        }
        if let Some(error) = unknown {
            // What no grammar reads is a note of its own.
            let unread = skipped_with(self.reader(), self.root(), &error.name)?;
            ranking.unknown_name = Some(NameError { unread, ..error }.to_string());
        }
        Ok(())
    }

    /// Replaces the symbols of a ranking by those with the lines that have the words of the task, if there are such lines.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn answer_by_lines(
        &self,
        ranking: &mut Ranking,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), EngineError> {
        let words: BTreeSet<&str> = ranking.keywords.words().map(|keyword| keyword.text.as_str()).collect();
        let with = words.into_iter().collect::<Vec<_>>().join(" ");
        let answer = self.questions()?.lines(&with, MAX_RANKED, cancelled)?;
        if !answer.rows.is_empty() {
            replace(ranking, answer);
        }
        Ok(())
    }
}

/// Replaces the symbols of a ranking by those of an answer.
fn replace(ranking: &mut Ranking, answer: Answer) {
    let mut known = HashSet::new();
    let subjects = answer.subjects.iter().take(1).map(|subject| (subject, 0));
    let rows = answer.rows.iter().map(|row| (&row.symbol, row.distance));
    let inside = subjects.chain(rows).filter(|(symbol, _)| !symbol.file.is_empty());
    let nodes: Vec<(NodeId, u32)> =
        inside.map(|(symbol, distance)| (symbol.node, distance)).filter(|(node, _)| known.insert(*node)).collect();
    ranking.symbols = (nodes.into_iter().enumerate())
        .map(|(rank, (node, distance))| {
            let value = tuning::RECIPROCAL_RANK_K / (tuning::RECIPROCAL_RANK_K + rank as f64);
            Ranked {
                node,
                score: value,
                components: vec![Component { name: COMPONENT, value, contribution: value }],
                distance,
                walk: ranking.walk.score(node),
                provenance: COMPONENT,
            }
        })
        .collect();
    ranking.answer = Some(Arc::new(answer));
}

/// Returns the symbols that have the ambiguous name of a question, each with the task that asks about it.
fn choose(task: &str, error: NameError, repositories: &Repositories) -> Answer {
    let question = Question::Choices { name: error.name.clone() };
    let at = task.rfind(&error.name);
    let row = |(name, symbol): (String, Symbol)| AnswerRow {
        symbol,
        distance: 1,
        path: Vec::new(),
        confidence: 1.0,
        is_certain: true,
        lines: Vec::new(),
        text: at.map(|at| format!("{}{name}{}", &task[..at], &task[at + error.name.len()..])),
        accesses: Vec::new(),
    };
    let rows: Vec<AnswerRow> = error.choices.into_iter().take(MAX_RANKED).map(row).collect();
    Answer { total: rows.len(), rows, ..Answer::new(question, repositories.clone(), Vec::new()) }
}

/// Returns the tasks that ask about one symbol each, of an answer whose symbols are choices.
pub(in crate::engine) fn choices(answer: &Answer) -> Vec<(SymbolId, String)> {
    let rows = answer.rows.iter().filter(|_| matches!(answer.question, Question::Choices { .. }));
    rows.filter_map(|row| Some((row.symbol.id, row.text.clone()?))).collect()
}

/// Returns the relation of each symbol of an answer to its subject, in a few letters: `calls:12`, or the number of steps.
pub(in crate::engine) fn relations(answer: &Answer) -> BTreeMap<SymbolId, String> {
    let rows = answer.rows.iter().map(|row| (row.symbol.id, short_relation(row)));
    let subjects = answer.subjects.iter().map(|subject| (subject.id, "subject".to_owned()));
    subjects.chain(rows).collect()
}

fn short_relation(row: &AnswerRow) -> String {
    let uncertain = if row.is_certain { "" } else { "?" };
    match (row.path.as_slice(), row.lines.as_slice()) {
        ([], []) => row.text.as_ref().map_or_else(|| "changed".to_owned(), |task| format!("ask \"{task}\"")),
        ([], [line]) => format!("line {line}"),
        ([], [line, others @ ..]) => format!("line {line}+{}", others.len()),
        ([step], []) => format!("{}{uncertain}", step.phrase()),
        ([step], [line]) => format!("{}:{line}{uncertain}", step.phrase()),
        ([step], [line, others @ ..]) => format!("{}:{line}+{}{uncertain}", step.phrase(), others.len()),
        _ => match row.distance {
            1 => format!("1 step{uncertain}"),
            distance => format!("{distance} steps{uncertain}"),
        },
    }
}

/// Returns a symbol's part in an answer, such as `callers of App.run: calls, line 12`.
pub(in crate::engine) fn part(answer: &Answer, symbol: &Symbol) -> String {
    let title = answer.question.title();
    let row = answer.rows.iter().find(|row| row.symbol.id == symbol.id);
    match row {
        Some(row) => format!("{title}: {}", relation(answer, row)),
        None if answer.subjects.iter().any(|subject| subject.id == symbol.id) => "the question is about it".to_owned(),
        None => format!("{title}: not among them"),
    }
}
