//! Rows of an answer, from the nodes that a search reached.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::Questions;
use crate::engine::EngineError;
use crate::engine::uses::{Use, accesses_of_fields, lines_of_uses};
use crate::features::shape::is_example;
use crate::graph::reach::{Reached, trace};
use crate::model::{
    Answer, AnswerRow, AnswerStep, EdgeType, NodeId, Question, Repositories, StepEnd, Symbol, SymbolKind,
};
use crate::render::scoped_name;
use crate::store::Reader;

/// The direction in which the paths of an answer are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// From the row's symbol to the subject: the row uses the subject.
    ToSubject,
    /// From the subject to the row's symbol.
    FromSubject,
}

/// The order of results before that of their places: nearest, certain, inside the repository, what uses the subject by itself, code
/// and source come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Closeness {
    distance: u32,
    is_uncertain: bool,
    is_external: bool,
    /// Whether it only inherits what changes.
    is_heir: bool,
    is_test: bool,
    is_beside: bool,
}

impl Closeness {
    /// Returns that of a symbol in a file, which an edge of this type leads to; one without a file is external.
    fn new(
        (distance, is_uncertain): (u32, bool),
        by: Option<EdgeType>,
        is_test: bool,
        file: Option<&str>,
    ) -> Closeness {
        let is_beside = file.is_some_and(is_beside_source);
        let is_heir = by == Some(EdgeType::Inherits);
        Closeness { distance, is_uncertain, is_external: file.is_none(), is_heir, is_test, is_beside }
    }
}

/// A finished search and the question it answers.
pub(super) struct Search<'a> {
    pub question: &'a Question,
    pub subjects: Vec<Symbol>,
    pub reached: Vec<Reached>,
    pub reading: Reading,
    pub notes: Vec<String>,
}

/// Symbols that are read once.
struct Symbols<'a> {
    questions: &'a Questions<'a>,
    known: HashMap<NodeId, Symbol>,
}

impl Symbols<'_> {
    fn read(&mut self, node: NodeId) -> Result<Option<&Symbol>, EngineError> {
        if !self.known.contains_key(&node)
            && let Some(symbol) = self.questions.symbol(node)?
        {
            self.known.insert(node, symbol);
        }
        Ok(self.known.get(&node))
    }
}

impl Questions<'_> {
    /// Returns the answer with the results of a search that `keep` accepts, nearest first, at most `limit` of them. Roots
    /// are results only if they are in `of_roots`.
    pub(super) fn answer(
        &self,
        search: Search<'_>,
        limit: usize,
        of_roots: HashSet<NodeId>,
        keep: impl Fn(&Reached) -> bool,
    ) -> Result<Answer, EngineError> {
        let Search { question, subjects, reached, reading, notes } = search;
        let roots = reached.iter().filter(|reached| reached.parent.is_none()).map(|root| root.node);
        let mut known: HashSet<NodeId> = roots.filter(|root| !of_roots.contains(root)).collect();
        let is_result = |index: &usize| {
            let result = &reached[*index];
            !result.is_transit && keep(result) && known.insert(result.node)
        };
        let mut results: Vec<usize> = (0..reached.len()).filter(is_result).collect();
        results.sort_by_cached_key(|index| self.order(&reached[*index]));
        let mut answer = Answer {
            total: results.len(),
            tests: results.iter().filter(|index| self.is_test(reached[**index].node)).count(),
            uncertain: results.iter().filter(|index| reached[**index].is_uncertain).count(),
            notes,
            ..Answer::new(question.clone(), self.repositories.clone(), subjects)
        };
        for index in &results {
            let distance = reached[*index].distance as usize;
            answer.by_distance.resize(answer.by_distance.len().max(distance + 1), 0);
            answer.by_distance[distance] += 1;
        }
        results.truncate(limit);
        let mut symbols = Symbols { questions: self, known: HashMap::new() };
        for index in results {
            answer.rows.extend(self.row(&reached, index, reading, &mut symbols)?);
        }
        // The order of the nodes of a file was by identity.
        answer.rows.sort_by(|one, other| {
            let closeness = |row: &AnswerRow| {
                let file = Some(row.symbol.file.as_str()).filter(|file| !file.is_empty());
                let step = match reading {
                    Reading::ToSubject => row.path.first(),
                    Reading::FromSubject => row.path.last(),
                };
                let by = step.map(|step| step.edge_type);
                Closeness::new((row.distance, !row.is_certain), by, row.symbol.is_test, file)
            };
            closeness(one).cmp(&closeness(other)).then_with(|| {
                let symbols = [&one.symbol, &other.symbol];
                let [one, other] =
                    symbols.map(|symbol| (&symbol.file, symbol.span.start_byte, &symbol.name, symbol.id));
                one.cmp(&other)
            })
        });
        self.find_lines(&mut answer.rows, reading, &symbols)?;
        Ok(answer)
    }

    /// Returns the key that orders results: the closest first, then by file.
    fn order(&self, result: &Reached) -> (Closeness, String, u64) {
        let file = self.local(result.node).and_then(|(member, node)| Some((member, member.graph.path(node)?)));
        let path = file.map(|(_, path)| path);
        let by = result.parent.map(|(_, edge)| edge.edge_type);
        let closeness = Closeness::new((result.distance, result.is_uncertain), by, self.is_test(result.node), path);
        let path = file.map_or_else(String::new, |(member, path)| match self.repositories.is_empty() {
            true => path.to_owned(),
            false => format!("{}/{path}", member.reader.repository()),
        });
        (closeness, path, self.id_prefix(result.node))
    }

    fn row(
        &self,
        reached: &[Reached],
        index: usize,
        reading: Reading,
        symbols: &mut Symbols<'_>,
    ) -> Result<Option<AnswerRow>, EngineError> {
        let result = &reached[index];
        let mut path = Vec::new();
        for at in trace(reached, index) {
            let Some((before, edge)) = reached[at].parent else { continue };
            let step_end = |symbol: &Symbol| step_end(symbol, &self.repositories);
            let (Some(near), Some(far)) =
                (symbols.read(reached[before].node)?.map(step_end), symbols.read(reached[at].node)?.map(step_end))
            else {
                continue;
            };
            let (from, to, forward) = match reading {
                Reading::ToSubject => (far, near, !edge.is_outgoing()),
                Reading::FromSubject => (near, far, edge.is_outgoing()),
            };
            let (edge_type, provenance, confidence) = (edge.edge_type, edge.provenance, edge.confidence());
            path.push(AnswerStep { from, edge_type, forward, to, provenance, confidence });
        }
        if reading == Reading::ToSubject {
            path.reverse();
        }
        Ok(symbols.read(result.node)?.map(|symbol| AnswerRow {
            symbol: symbol.clone(),
            distance: result.distance,
            path,
            confidence: result.confidence,
            is_certain: !result.is_uncertain,
            lines: Vec::new(),
            text: None,
            accesses: Vec::new(),
        }))
    }

    /// Sets the lines of the uses at distance 1.
    fn find_lines(&self, rows: &mut [AnswerRow], reading: Reading, symbols: &Symbols<'_>) -> Result<(), EngineError> {
        let by_id: HashMap<_, &Symbol> = symbols.known.values().map(|symbol| (symbol.id, symbol)).collect();
        let mut uses = Vec::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.distance == 1) {
            let step = match reading {
                Reading::ToSubject => row.path.first(),
                Reading::FromSubject => row.path.last(),
            };
            let has_lines = |step: &&AnswerStep| step.edge_type.is_use() || step.edge_type == EdgeType::Imports;
            let Some(step) = step.filter(|step| step.forward && has_lines(step)) else { continue };
            if let (Some(&user), Some(&used)) = (by_id.get(&step.from.id), by_id.get(&step.to.id)) {
                uses.push((index, Use { user, edge_type: step.edge_type, used }));
            }
        }
        let wanted: Vec<Use<'_>> = uses.iter().map(|(_, use_)| *use_).collect();
        let lines = self.of_members(&wanted, lines_of_uses)?;
        for ((index, _), lines) in uses.iter().zip(lines) {
            rows[*index].lines = lines;
        }
        let is_of_field = |(_, use_): &(usize, Use<'_>)| use_.used.kind == SymbolKind::Field;
        uses.retain(|one| reading == Reading::ToSubject && is_of_field(one));
        let wanted: Vec<Use<'_>> = uses.iter().map(|(_, use_)| *use_).collect();
        for ((index, _), accesses) in uses.iter().zip(self.of_members(&wanted, accesses_of_fields)?) {
            rows[*index].accesses = accesses;
        }
        Ok(())
    }

    /// Returns what `find` finds for each use in the repository of its user.
    #[expect(clippy::type_complexity, reason = "the function is a parameter, and nothing else has its type")]
    pub(super) fn of_members<T: Default + Clone>(
        &self,
        uses: &[Use<'_>],
        find: fn(&Reader, &Path, &[Use<'_>]) -> Result<Vec<T>, EngineError>,
    ) -> Result<Vec<T>, EngineError> {
        let mut all = vec![T::default(); uses.len()];
        let mut by_member: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, use_) in uses.iter().enumerate() {
            by_member.entry(self.member_of(use_.user).map_or(0, |(position, _)| position)).or_default().push(index);
        }
        for (position, indexes) in by_member {
            let Some(Some(member)) = self.members.get(position) else { continue };
            let of_member: Vec<Use<'_>> = indexes.iter().map(|index| uses[*index]).collect();
            for (index, found) in indexes.into_iter().zip(find(member.reader, member.root, &of_member)?) {
                all[index] = found;
            }
        }
        Ok(all)
    }
}

/// Returns whether a file is no source of the product: an example, documentation, or in a hidden folder, as those of CI are.
fn is_beside_source(path: &str) -> bool {
    is_example(path) || path.split('/').rev().skip(1).any(|folder| folder.starts_with('.'))
}

fn step_end(symbol: &Symbol, repositories: &Repositories) -> StepEnd {
    let (file, line) = (repositories.file(symbol).into_owned(), symbol.span.name_line);
    StepEnd { id: symbol.id, name: scoped_name(symbol), file, line }
}
