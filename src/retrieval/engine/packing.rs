//! The pack of a ranking, or of the rankings of several repositories: candidates, and what the format adds to them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::also::also;
use super::bodies::Bodies;
use super::digest::digest;
use super::documents::documents;
use super::pipeline::Ranking;
use super::questions::{choices, relations};
use super::ranker::packed;
use super::reason::FirstRanks;
use super::{EngineError, Ranker};
use crate::model::{
    Also, Answer, Component, ContextPack, MissingSource, NodeId, PackEdge, PackedSymbol, Question, Repositories,
    Request, Symbol, SymbolId, Task, UnmatchedWord,
};
use crate::rank::pack::{Candidate, PackInput, TokenMeasure, by_score, pack};
use crate::rank::tuning;
use crate::render::question::{command, heading, mentions, unresolved_users, use_line};
use crate::render::{Renderer, TokenCounter};

/// Limits of what likely changes with the first symbols of a pack: symbols and tokens.
const MAX_ALSO: usize = 8;
const MAX_ALSO_TOKENS: usize = 400;

/// The ranking of one repository in a pack of several.
pub struct PackPart<'a> {
    pub ranker: &'a Ranker,
    pub ranking: &'a Ranking,
    /// A component that is added to the score of each of its symbols.
    pub component: Option<Component>,
}

/// An edge between symbols of two repositories.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeAcross {
    pub source: SymbolId,
    pub target: SymbolId,
    /// Everything but the endpoints, which are not set.
    pub edge: PackEdge,
}

impl Ranker {
    /// Packs a ranking of [`Ranker::rank`].
    ///
    /// # Errors
    /// When the store can't be read, or the budget can't hold even an empty pack.
    pub fn pack_ranked(
        &self,
        task: &Task,
        ranking: &Ranking,
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Result<ContextPack, EngineError> {
        let part = PackPart { ranker: self, ranking, component: None };
        pack_together(task, &[part], &Repositories::default(), &[], renderer, bodies)
    }

    /// Adds the candidates of a ranking, with their edges, to the input of packing.
    fn add_candidates(
        &self,
        input: &mut PackInput,
        task: &Task,
        part: &PackPart<'_>,
        bodies: Option<&mut Bodies<'_>>,
    ) -> Result<(), EngineError> {
        let mut bodies = bodies;
        let mut body = |symbol: &_| bodies.as_mut().map_or(Ok(None), |bodies| bodies.body(symbol));
        let mut indexes = HashMap::new();
        // What was kept for a task is not part of the answer to a question.
        let pinned = match part.ranking.answer.is_some() {
            true => BTreeSet::new(),
            false => self.nodes_of(&task.options.pinned)?,
        };
        let (first, symbols) = (input.candidates.len(), &part.ranking.symbols);
        let (best, others) = symbols.split_at(symbols.len().min(tuning::PACK_CANDIDATES));
        for ranked in best.iter().chain(others.iter().filter(|ranked| pinned.contains(&ranked.node))) {
            let Some(symbol) = self.reader.symbol(ranked.node)? else { continue };
            let body = body(&symbol)?;
            let components = ranked.components.iter().chain(&part.component).cloned().collect();
            let score = ranked.score + part.component.as_ref().map_or(0.0, |added| added.contribution);
            let symbol = packed(symbol, score, components, ranked.distance, ranked.provenance);
            indexes.insert(ranked.node, input.candidates.len());
            input.candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: ranked.walk });
        }
        for node in pinned.into_iter().filter(|node| !indexes.contains_key(node)).collect::<Vec<NodeId>>() {
            let Some(symbol) = self.reader.symbol(node)? else { continue };
            let body = body(&symbol)?;
            let symbol = packed(symbol, 0.0, Vec::new(), tuning::WALK.max_hops + 1, "pinned");
            indexes.insert(node, input.candidates.len());
            input.candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: 0.0 });
        }
        for source in first..input.candidates.len() {
            for neighbor in self.graph.outgoing(input.candidates[source].symbol.symbol.node) {
                if let Some(&target) = indexes.get(&neighbor.node) {
                    let (edge_type, provenance) = (neighbor.edge_type, neighbor.provenance);
                    let confidence = neighbor.confidence();
                    input.edges.push(PackEdge { source, target, edge_type, provenance, confidence });
                }
            }
        }
        Ok(())
    }
}

/// Packs the rankings of several repositories in one list and one budget.
///
/// # Errors
/// When a store can't be read, or the budget can't hold even an empty pack.
pub fn pack_together(
    task: &Task,
    parts: &[PackPart<'_>],
    repositories: &Repositories,
    edges: &[EdgeAcross],
    renderer: &dyn Renderer,
    bodies: bool,
) -> Result<ContextPack, EngineError> {
    let mut sources =
        Bodies::across(parts.iter().map(|PackPart { ranker, .. }| (&ranker.reader, ranker.root.as_path())).collect());
    let mut input = input(task, parts, repositories, edges, bodies.then_some(&mut sources))?;
    if renderer.has_reasons() {
        add_reasons(&mut input, task, parts)?;
    }
    let Some(first) = parts.first() else { return Ok(ContextPack::default()) };
    let measure = TokenCounter::new(renderer, &first.ranker.cache.counts);
    let has_digest = renderer.has_digest() && !bodies;
    let input = PackInput { budget_tokens: task.budget_tokens, ..input };
    let mut pack = match has_digest {
        true => digest(input, task, parts, &mut sources, &measure)?,
        false => listed(input, task, parts, renderer.has_also(), &measure)?,
    };
    if renderer.has_columns() {
        for PackedSymbol { symbol, .. } in &pack.symbols {
            pack.columns.extend(sources.column(symbol)?.map(|column| (symbol.id, column)));
        }
    }
    let mut missing_sources = if has_digest || bodies { sources.missing() } else { Vec::new() };
    missing_sources.retain(|MissingSource { file, .. }| pack.symbols.iter().any(|packed| packed.symbol.file == *file));
    let answers = || parts.iter().filter_map(|part| part.ranking.answer.as_deref());
    let (relations, choices) = (answers().flat_map(relations).collect(), answers().flat_map(choices).collect());
    let rows = answers().flat_map(|answer| &answer.rows);
    let use_lines = rows.filter_map(|row| Some((row.symbol.id, use_line(row)?))).collect();
    parts.iter().try_for_each(|part| part.ranker.graph.check())?;
    Ok(ContextPack { missing_sources, relations, use_lines, choices, ..pack })
}

/// Packs candidates, with what likely changes with the first of them if the format has it.
fn listed(
    input: PackInput,
    task: &Task,
    parts: &[PackPart<'_>],
    has_also: bool,
    measure: &dyn TokenMeasure,
) -> Result<ContextPack, EngineError> {
    let (whole, repositories) = (input.budget_tokens, input.repositories.clone());
    let answer = answer(parts, &repositories);
    let has_also = has_also && !input.packs_negative && answer.is_none();
    let asked = task.options.documents;
    let documents = if has_also { documents(parts, asked)? } else { Vec::new() };
    let beside = ContextPack { documents, asks_for_documents: asked, ..ContextPack::default() };
    let tokens = measure.whole(&beside).saturating_sub(measure.whole(&ContextPack::default()));
    let for_documents = tokens.min(whole / if asked { 2 } else { 10 });
    let reserve = for_documents + if has_also { MAX_ALSO_TOKENS.min(whole / 10) } else { 0 };
    // A budget that only just holds an empty pack has no room for a reserve.
    let mut pack = match pack(PackInput { budget_tokens: whole - reserve, ..input.clone() }, measure) {
        Ok(pack) => ContextPack { budget_tokens: whole, ..pack },
        Err(_) => pack(input, measure)?,
    };
    if has_also {
        pack.also = also_of_pack(task, parts, &pack)?;
        (pack.documents, pack.asks_for_documents) = (beside.documents, asked);
        pack.tokens_used = measure.whole(&pack);
        while pack.tokens_used > whole && (pack.documents.pop().is_some() || pack.also.pop().is_some()) {
            pack.tokens_used = measure.whole(&pack);
        }
    }
    Ok(ContextPack {
        unmatched_words: unmatched_words(task, parts)?,
        unknown_name: unknown_name(parts),
        answer,
        ..pack
    })
}

/// Returns why a question is ranked by its words: no repository has the name that it asks about.
pub(super) fn unknown_name(parts: &[PackPart<'_>]) -> Option<String> {
    let is_unknown = parts.iter().all(|part| part.ranking.unknown_name.is_some());
    parts.first().filter(|_| is_unknown).and_then(|part| part.ranking.unknown_name.clone())
}

/// The lists beside the symbols of a pack: symbols that likely change with its first ones and are not in it, and sections of
/// documents that answer the task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beside {
    pub also: Vec<Also>,
    pub documents: Vec<Also>,
}

/// Returns what stands beside a pack.
///
/// # Errors
/// When a store can't be read.
pub fn beside(task: &Task, parts: &[PackPart<'_>], pack: &ContextPack) -> Result<Beside, EngineError> {
    let also = also_of_pack(task, parts, pack)?;
    parts.iter().try_for_each(|part| part.ranker.graph.check())?;
    Ok(Beside { also, documents: documents(parts, task.options.documents)? })
}

fn also_of_pack(task: &Task, parts: &[PackPart<'_>], pack: &ContextPack) -> Result<Vec<Also>, EngineError> {
    let first: Vec<(usize, &Symbol)> = (1..).zip(pack.symbols.iter().map(|packed| &packed.symbol)).collect();
    let known = pack.symbols.iter().map(|packed| packed.symbol.id);
    let known: HashSet<SymbolId> = known.chain(task.options.dropped.iter().copied()).collect();
    also(task, parts, &first, &known, MAX_ALSO)
}

/// Returns the question and the counts of its answer, for a task that the graph answers, with the lines that may be further
/// users; of one about tests with what runs them.
pub(super) fn answer(parts: &[PackPart<'_>], repositories: &Repositories) -> Option<String> {
    let headings: Vec<String> = (parts.iter())
        .filter_map(|part| {
            let answer = part.ranking.answer.as_deref()?;
            let run = command(answer).map_or(String::new(), |command| format!("; run: {command}"));
            let unresolved = unresolved_users(answer).map_or(String::new(), |lines| format!("; {lines}"));
            let heading = format!("{}{unresolved}{run}", heading(answer));
            // A repository answers from its own graph.
            let label = repositories.label_of(part.ranker.reader.repository());
            Some(label.map_or_else(|| heading.clone(), |label| format!("within {label}: {heading}")))
        })
        .collect();
    (!headings.is_empty()).then(|| headings.join("; "))
}

/// Returns what is not known of the answer to a question, each with the label of its repository if there are several.
pub(super) fn notes_of_answer(parts: &[PackPart<'_>], repositories: &Repositories) -> Vec<String> {
    let of_part = |part: &PackPart<'_>| {
        let label = repositories.label_of(part.ranker.reader.repository());
        // The heading has the lines that are not resolved.
        let lines = |answer: &Answer| mentions(answer).filter(|_| unresolved_users(answer).is_none());
        let notes = part.ranking.answer.iter().flat_map(|answer| answer.notes.iter().cloned().chain(lines(answer)));
        let labeled = |note: String| label.map_or_else(|| note.clone(), |label| format!("{label}: {note}"));
        notes.map(labeled).collect::<Vec<String>>()
    };
    parts.iter().flat_map(of_part).collect()
}

/// Returns the input of packing, without its budget.
fn input(
    task: &Task,
    parts: &[PackPart<'_>],
    repositories: &Repositories,
    edges: &[EdgeAcross],
    mut bodies: Option<&mut Bodies<'_>>,
) -> Result<PackInput, EngineError> {
    let repository = match parts {
        [part] if repositories.is_empty() => part.ranker.reader.repository().to_owned(),
        _ => String::new(),
    };
    let ratios: Vec<f64> = parts.iter().map(|part| part.ranker.graph.external_ratio()).collect();
    let mut input = PackInput {
        task: describe(&task.request),
        repository,
        repositories: repositories.clone(),
        pinned: task.options.pinned.clone(),
        dropped: task.options.dropped.clone(),
        packs_negative: !matches!(task.request, Request::Task(_)),
        external_ratio: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        ..PackInput::default()
    };
    for part in parts {
        part.ranker.add_candidates(&mut input, task, part, bodies.as_deref_mut())?;
    }
    keep_best(&mut input);
    let indexes: HashMap<SymbolId, usize> =
        input.candidates.iter().enumerate().map(|(index, candidate)| (candidate.symbol.symbol.id, index)).collect();
    for EdgeAcross { source, target, edge } in edges {
        if let (Some(&source), Some(&target)) = (indexes.get(source), indexes.get(target)) {
            input.edges.push(PackEdge { source, target, ..*edge });
        }
    }
    Ok(input)
}

/// Adds why each candidate is ranked.
fn add_reasons(input: &mut PackInput, task: &Task, parts: &[PackPart<'_>]) -> Result<(), EngineError> {
    let text = if let Request::Task(text) = &task.request { text.as_str() } else { "" };
    let mut order: Vec<usize> = (0..input.candidates.len()).collect();
    order.sort_by(|one, other| by_score(&input.candidates[*one].symbol, &input.candidates[*other].symbol));
    for part in parts {
        let repository = part.ranker.reader.repository();
        let is_own = |symbol: &PackedSymbol| parts.len() == 1 || symbol.symbol.repository() == repository;
        let ranks = order.iter().enumerate().map(|(rank, index)| (&input.candidates[*index].symbol, rank + 1));
        let own = ranks.filter(|(symbol, _)| is_own(symbol)).map(|(symbol, rank)| (symbol.symbol.node, rank));
        let reasons = part.ranker.reasons(part.ranking, text, FirstRanks::new(own));
        for candidate in input.candidates.iter_mut().filter(|candidate| is_own(&candidate.symbol)) {
            candidate.symbol.reason = Some(reasons.reason(&candidate.symbol.symbol)?);
        }
    }
    Ok(())
}

/// Removes all but the best candidates and the pinned ones.
fn keep_best(input: &mut PackInput) {
    if input.candidates.len() <= tuning::PACK_CANDIDATES {
        return;
    }
    let is_pinned = |candidate: &Candidate| input.pinned.contains(&candidate.symbol.symbol.id);
    let mut order: Vec<usize> = (0..input.candidates.len()).collect();
    order.sort_by(|one, other| by_score(&input.candidates[*one].symbol, &input.candidates[*other].symbol));
    let mut is_kept = vec![false; input.candidates.len()];
    for (rank, index) in order.into_iter().enumerate() {
        is_kept[index] = rank < tuning::PACK_CANDIDATES || is_pinned(&input.candidates[index]);
    }
    let mut next = 0..;
    let indexes: Vec<Option<usize>> = is_kept.iter().map(|kept| if *kept { next.next() } else { None }).collect();
    let mut position = 0;
    input.candidates.retain(|_| {
        position += 1;
        is_kept[position - 1]
    });
    let edges = std::mem::take(&mut input.edges).into_iter();
    let renumbered = edges
        .filter_map(|edge| Some(PackEdge { source: indexes[edge.source]?, target: indexes[edge.target]?, ..edge }));
    input.edges = renumbered.collect();
}

/// Returns the words of the task that no repository has. Those of a task that the graph answers are not looked up.
pub(super) fn unmatched_words(task: &Task, parts: &[PackPart<'_>]) -> Result<Vec<UnmatchedWord>, EngineError> {
    let Request::Task(text) = &task.request else { return Ok(Vec::new()) };
    // Lines with words of the task do not have the others.
    let is_whole = |answer: &Answer| !matches!(answer.question, Question::Lines { .. });
    if parts.iter().any(|part| part.ranking.answer.as_deref().is_some_and(is_whole)) {
        return Ok(Vec::new());
    }
    let mut common: Option<Vec<UnmatchedWord>> = None;
    for part in parts {
        let mut found = part.ranker.unmatched_words(text, part.ranking)?;
        if let Some(before) = common {
            found.retain(|unmatched| before.iter().any(|other| other.word == unmatched.word));
        }
        common = Some(found);
    }
    Ok(common.unwrap_or_default())
}

/// Returns the title of a request's pack.
pub(super) fn describe(request: &Request) -> String {
    match request {
        Request::Task(text) => text.clone(),
        Request::Files(files) => format!("files: {}", files.join(", ")),
        Request::PullRequest(base) if base.contains("..") || base.ends_with("^!") => format!("changes of {base}"),
        Request::PullRequest(base) => format!("changes since {base}"),
    }
}
