//! The section *documents*: the sections of documents that answer a task, beside the ranked code.
//!
//! Sections have an index of their own (BM25 of FTS5 by the terms of the task), so they change nothing about the ranking of
//! code. A section is listed if it has most of what the task says, each term weighted by its rarity in the documents: a
//! section that has one common word of it answers nothing.

use std::collections::{BTreeMap, HashMap};

use super::packing::PackPart;
use super::{EngineError, Ranker};
use crate::candidates::{Term, is_definition};
use crate::documents::Section;
use crate::model::{Also, Intent, NodeId, Span, Symbol, SymbolId, SymbolKind, SymbolName};
use crate::rank::tuning;
use crate::store::{ScopedName, SectionId};

/// Limits of the listed sections: for a question, for any other task, and where documents are asked for.
const FEW: usize = 3;
const FEWEST: usize = 2;
const MANY: usize = 20;
/// Limit of the sections of one document.
const SAME_DOCUMENT: usize = 2;
/// Terms that are looked up, and the share of the weight of all terms that a section has at least: as a rule, and where
/// documents are asked for.
const TERMS: usize = 24;
const COVERED: f64 = 0.6;
const COVERED_IF_ASKED: f64 = 0.25;
/// Weight of a term that no section has, as a share of the mean of the others. Such a term is the rarest of all, and yet
/// often says nothing, as *project* in *how do I deploy this project?* A section still needs the greater part of the terms.
const UNKNOWN: f64 = 0.5;
/// Definitions of a cited name beyond which it says little, and the number of cited symbols that are named.
const SAME_NAME: usize = 3;
const CITED: usize = 3;

/// Returns the sections that answer a task, the best first. `asked` is whether documents were asked for.
///
/// # Errors
/// When a store can't be read.
pub(super) fn documents(parts: &[PackPart<'_>], asked: bool) -> Result<Vec<Also>, EngineError> {
    let is_question = parts.iter().any(|part| part.ranking.intent == Some(Intent::Explore));
    let limit = match (asked, is_question) {
        (true, _) => MANY,
        (false, true) => FEW,
        (false, false) => FEWEST,
    };
    let mut found = Vec::new();
    for part in parts {
        // The terms of a repository's ranking are those of the task that it can have.
        for (section, score) in matching(part.ranker, &part.ranking.terms, asked)? {
            found.push((score, section, part));
        }
    }
    found.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    let mut listed = Vec::new();
    let mut of_document: BTreeMap<(usize, i64), usize> = BTreeMap::new();
    for (_, id, part) in found {
        let own = parts.iter().position(|other| std::ptr::eq(other, part)).unwrap_or_default();
        let count = of_document.entry((own, id.document)).or_default();
        if *count >= SAME_DOCUMENT {
            continue;
        }
        if let Some((path, sections)) = part.ranker.reader().sections(id.document)?
            && let Some(section) = sections.get(id.number)
        {
            *count += 1;
            let symbol = symbol(part.ranker.reader().repository(), &path, id, section);
            listed.push(Also { symbol, reason: reason(part, section)? });
        }
        if listed.len() >= limit {
            break;
        }
    }
    Ok(listed)
}

/// Returns the sections that have enough of the terms, with their scores.
fn matching(ranker: &Ranker, terms: &[Term], asked: bool) -> Result<Vec<(SectionId, f64)>, EngineError> {
    let reader = ranker.reader();
    let count = reader.section_count()? as f64;
    if count == 0.0 {
        return Ok(Vec::new());
    }
    // Weight of the terms that some section has with their rarity and without, and of the others.
    let (mut all, mut known, mut unknown) = (0.0, 0.0, 0.0);
    // Score, and weight of the terms that it has.
    let mut sections: HashMap<SectionId, (f64, f64)> = HashMap::new();
    for term in terms.iter().take(TERMS) {
        let with = reader.sections_with(&term.text)?;
        let rarity = ((count + 1.0) / (with.len() as f64 + 0.5)).ln().max(0.0);
        // Neighboring words as one, and other forms of a word, are not in the task: what lacks them lacks nothing.
        let own = if term.weight < tuning::WORD_WEIGHT { 0.0 } else { term.weight };
        if with.is_empty() {
            unknown += own;
            continue;
        }
        let weight = own * rarity;
        known += own;
        all += weight;
        for (section, score) in with {
            let (sum, has) = sections.entry(section).or_default();
            *sum += term.weight * score;
            *has += weight;
        }
    }
    if known > 0.0 {
        all += UNKNOWN * unknown * all / known;
    }
    let least = all * if asked { COVERED_IF_ASKED } else { COVERED };
    let covering = sections.into_iter().filter(|(_, (_, has))| *has > 0.0 && *has >= least);
    let mut tests: HashMap<i64, bool> = HashMap::new();
    let mut scored = Vec::new();
    for (section, (sum, has)) in covering {
        let is_test = match tests.get(&section.document) {
            Some(known) => *known,
            None => {
                let path = reader.document_path(section.document)?;
                *tests.entry(section.document).or_insert(is_of_tests(&path))
            }
        };
        // Data of tests is long prose about anything.
        if asked || !is_test {
            scored.push((section, sum * (has / all.max(f64::MIN_POSITIVE))));
        }
    }
    Ok(scored)
}

/// Returns whether a document is data of tests.
fn is_of_tests(path: &str) -> bool {
    let folders = path.rsplit('/').skip(1).map(str::to_ascii_lowercase);
    folders.into_iter().any(|folder| ["test", "tests", "testdata", "fixtures", "__tests__", "spec"].contains(&&*folder))
}

fn symbol(repository: &str, path: &str, id: SectionId, section: &Section) -> Symbol {
    let scope = section.ancestors.join(" > ");
    let ordinal = u32::try_from(id.number).unwrap_or(u32::MAX);
    let name = SymbolName { unit: path, scope: &scope, name: &section.heading };
    let span = Span {
        start_byte: 0,
        end_byte: 0,
        start_line: section.start_line,
        end_line: section.end_line,
        name_line: section.start_line,
    };
    Symbol {
        id: SymbolId::new(repository, name, SymbolKind::Section, ordinal),
        node: NodeId::MAX,
        kind: SymbolKind::Section,
        name: section.heading.clone(),
        qualified_name: name.qualified(repository),
        scope,
        file: path.to_owned(),
        signature: String::new(),
        doc: section.summary.clone(),
        span,
        is_test: false,
        ordinal,
    }
}

/// Returns what a section says, and the symbols that it cites.
fn reason(part: &PackPart<'_>, section: &Section) -> Result<String, EngineError> {
    let cited = cited(part, section)?;
    let cites = if cited.is_empty() { String::new() } else { format!("cites {}", cited.join(", ")) };
    let parts = [section.summary.as_str(), cites.as_str()].into_iter().filter(|part| !part.is_empty());
    Ok(parts.collect::<Vec<&str>>().join("; "))
}

/// Returns the names of the symbols that a section cites, those of the ranking first.
fn cited(part: &PackPart<'_>, section: &Section) -> Result<Vec<String>, EngineError> {
    let (reader, graph) = (part.ranker.reader(), part.ranker.graph());
    let ranks: HashMap<NodeId, usize> = part.ranking.symbols.iter().map(|one| one.node).zip(0..).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for cited in &section.cites {
        let (container, name) = cited.split_once('.').map_or((None, cited.as_str()), |(one, name)| (Some(one), name));
        let mut nodes = reader.nodes_named_exactly(name, 8 * SAME_NAME)?;
        nodes.retain(|node| graph.meta(*node).is_some_and(|meta| is_definition(meta.kind) && !meta.is_test));
        let mut names = Vec::new();
        for node in nodes {
            let Some(scoped) = reader.scoped_name(node)? else { continue };
            let scope = scoped.scope.rsplit('.').next().unwrap_or_default();
            if container.is_none_or(|container| scope.is_empty() || scope == container) {
                names.push((ranks.get(&node).copied().unwrap_or(usize::MAX), scoped));
            }
        }
        if (1..=SAME_NAME).contains(&names.len()) {
            let best = names.into_iter().min_by_key(|(rank, _)| *rank);
            found.extend(best.map(|(rank, scoped)| (rank, joined(&scoped))));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut names: Vec<String> = found.into_iter().map(|(_, name)| name).collect();
    names.dedup();
    names.truncate(CITED);
    Ok(names)
}

fn joined(ScopedName { scope, name, .. }: &ScopedName) -> String {
    if scope.is_empty() { name.clone() } else { format!("{scope}.{name}") }
}
