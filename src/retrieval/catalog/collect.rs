//! Collects the terms of a repository from its index and README files.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::codec::Terms;
use super::field::{Counts, FIELDS, Field};
use super::{Catalog, Term};
use crate::concepts::{Profile, Vocabulary, is_generic};
use crate::index::profile;
use crate::model::{FileId, NodeId, SymbolKind};
use crate::store::{NodeSummary, Reader, SearchColumn, StoreError};
use crate::text::split_identifier;
use crate::text::terms::terms;

/// Limits of the length of a term, in bytes.
const MIN_TERM_BYTES: usize = 2;
pub(super) const MAX_TERM_BYTES: usize = 64;
/// Limits of the packages of a catalog, and of the length of each in bytes.
pub(super) const MAX_PACKAGES: usize = 500;
pub(super) const MAX_PACKAGE_BYTES: usize = 200;

/// A catalog with every term, and how much each identifies its symbols.
pub(super) struct Collected {
    pub(super) catalog: Catalog,
    /// The sum of the importance of the symbols of that name, by term.
    pub(super) importance: Vec<f64>,
}

/// Collects the terms of the index, of `readmes` and of the embedded concepts.
pub(super) fn collect(reader: &Reader, readmes: &[String]) -> Result<Collected, StoreError> {
    let summaries = reader.node_summaries()?;
    let importance = importance(reader, &summaries)?;
    let mut terms: BTreeMap<Box<str>, (Counts, f64)> =
        of_texts(reader, readmes, &summaries)?.into_iter().map(|(text, counts)| (text, (counts, 0.0))).collect();
    let mut current: (Box<str>, Counts, f64) = Default::default();
    let mut flush = |(text, counts, sum): (Box<str>, Counts, f64)| {
        if counts != Counts::default() && is_term(&text) {
            let known = terms.entry(text).or_default();
            known.0.iter_mut().zip(counts).for_each(|(all, count)| *all = all.saturating_add(count));
            known.1 += sum;
        }
    };
    let in_file = important_in_files(&summaries, &importance);
    let mut in_signature = HashSet::new();
    reader.for_each_node_meta(|row| in_signature.extend(row.is_in_signature.then_some(row.node)))?;
    let mut named = None;
    reader.for_each_occurrence(|term, node, column| {
        let Some(field) = field_of(column) else { return };
        let importance = importance.get(node.index()).copied().flatten();
        // The terms of a path are stored with the file's own symbol.
        let inheriting = in_file.get(&node).filter(|_| field == Field::Path).copied();
        let count = inheriting.unwrap_or(u32::from(importance.is_some()));
        // Those of a name with the symbol, whose signature is stored without them. Columns come in their order.
        let is_counted = field == Field::Signature && named == Some(node) && in_signature.contains(&node);
        if count == 0 || is_counted && *current.0 == *term {
            return;
        }
        if *current.0 != *term {
            flush(std::mem::replace(&mut current, (term.into(), Counts::default(), 0.0)));
            named = None;
        }
        current.1[field as usize] += count;
        if field == Field::Name {
            current.1[Field::Signature as usize] += u32::from(in_signature.contains(&node));
            current.2 += importance.unwrap_or_default();
            named = Some(node);
        }
    })?;
    flush(current);
    into_catalog(reader, terms)
}

/// Returns the number of symbols with an importance in each file, by the file's own symbol.
fn important_in_files(summaries: &[NodeSummary], importance: &[Option<f64>]) -> HashMap<NodeId, u32> {
    let mut counts: HashMap<FileId, u32> = HashMap::new();
    for summary in summaries {
        let is_important = importance.get(summary.node.index()).is_some_and(Option::is_some);
        if let Some(file) = summary.file.filter(|_| is_important) {
            *counts.entry(file).or_default() += 1;
        }
    }
    let files = summaries.iter().filter(|summary| summary.kind == SymbolKind::File);
    files.filter_map(|own| Some((own.node, counts.get(&own.file?).copied().unwrap_or_default()))).collect()
}

fn into_catalog(reader: &Reader, terms: BTreeMap<Box<str>, (Counts, f64)>) -> Result<Collected, StoreError> {
    let mut packages: Vec<String> = profile(reader)?.own.into_iter().collect();
    packages.retain(|package| package.len() <= MAX_PACKAGE_BYTES);
    packages.truncate(MAX_PACKAGES);
    let mut lengths = Counts::default();
    for (counts, _) in terms.values() {
        lengths.iter_mut().zip(counts).for_each(|(length, count)| *length = length.saturating_add(*count));
    }
    let importance = terms.values().map(|(_, importance)| *importance).collect();
    let terms: Vec<Term> = terms.into_iter().map(|(text, (counts, _))| Term { text, counts }).collect();
    let (repository, as_of) = (reader.repository().to_owned(), reader.newest_commit()?.unwrap_or_default());
    Ok(Collected { catalog: Catalog { repository, as_of, packages, lengths, terms: Terms::pack(&terms) }, importance })
}

/// Returns the field of a column of the search index. Qualified names repeat other names, and commits are of another time.
fn field_of(column: SearchColumn) -> Option<Field> {
    match column {
        SearchColumn::SymbolName => Some(Field::Name),
        SearchColumn::Concepts => Some(Field::Path),
        SearchColumn::Signature => Some(Field::Signature),
        SearchColumn::Doc => Some(Field::Doc),
        SearchColumn::Body => Some(Field::Body),
        SearchColumn::QualifiedName | SearchColumn::FilePath | SearchColumn::History => None,
    }
}

/// Returns how much the name of each symbol says about the repository, by node; `None` for tests and externals. Types and
/// what is much used count most.
fn importance(reader: &Reader, summaries: &[NodeSummary]) -> Result<Vec<Option<f64>>, StoreError> {
    let degrees = reader.degrees()?;
    let mut importance = vec![None; degrees.len()];
    for summary in summaries.iter().filter(|summary| !summary.is_test && summary.kind != SymbolKind::External) {
        let index = summary.node.index();
        let kind = match summary.kind {
            kind if kind.is_type() => 3.0,
            kind if kind.is_callable() => 2.0,
            _ => 1.0,
        };
        let is_private = summary.name.starts_with('_');
        let incoming = degrees.get(index).map_or(0, |degree| degree.incoming);
        let value = kind * (1.0 + f64::from(incoming).ln_1p()) * if is_private { 0.5 } else { 1.0 };
        if let Some(slot) = importance.get_mut(index) {
            *slot = Some(value);
        }
    }
    Ok(importance)
}

/// Counts the terms of packages, README files and concepts.
fn of_texts(
    reader: &Reader,
    readmes: &[String],
    summaries: &[NodeSummary],
) -> Result<BTreeMap<Box<str>, Counts>, StoreError> {
    let profile = profile(reader)?;
    let mut found: BTreeMap<Box<str>, Counts> = BTreeMap::new();
    let mut add = |field: Field, text: &str| {
        for term in terms(text).into_iter().filter(|term| is_term(term)) {
            found.entry(term.into()).or_insert([0; FIELDS])[field as usize] += 1;
        }
    };
    // The host and the owner of a remote are those of many repositories.
    let name = reader.repository().rsplit('/').next().unwrap_or_default();
    add(Field::Package, name);
    profile.own.iter().for_each(|package| add(Field::Package, package));
    profile.used.iter().for_each(|package| add(Field::Requirement, package));
    readmes.iter().for_each(|text| add(Field::Readme, text));
    for phrases in concepts_of(&profile, summaries) {
        phrases.iter().for_each(|stem| add(Field::Concept, stem));
    }
    Ok(found)
}

/// Returns the stems of the phrases of each embedded concept whose symbols the repository has. Those of the user are private.
fn concepts_of(profile: &Profile, summaries: &[NodeSummary]) -> Vec<HashSet<String>> {
    let vocabulary = Vocabulary::embedded();
    let own = summaries.iter().filter(|summary| !summary.is_test && summary.kind != SymbolKind::External);
    let names: HashSet<String> = own.map(|summary| split_identifier(&summary.name).concat()).collect();
    let is_known = |target: &String| {
        !is_generic(target) && target.split('.').all(|part| names.contains(&split_identifier(part).concat()))
    };
    let known = vocabulary.concepts().iter().filter(|concept| {
        profile.framework_use(vocabulary.scope(concept)).is_some() && concept.entry.targets.iter().any(is_known)
    });
    let stems = |phrases: &[crate::concepts::seed_file::Phrase]| {
        phrases.iter().flat_map(|phrase| phrase.stems.split_whitespace()).map(str::to_owned).collect()
    };
    known.map(|concept| stems(&concept.entry.phrases)).collect()
}

/// Returns whether a term can be of a task: no number, hash or literal.
pub(super) fn is_term(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (MIN_TERM_BYTES..=MAX_TERM_BYTES).contains(&text.len()) && 2 * digits < text.len()
}
