//! BM25F over the definitions of a repository, and nothing else: no concepts, no graph, no history, no fitted weights.
//!
//! The weights are round numbers in the order of what a field says about a definition; they are not fitted.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::BaselineError;
use super::words::task_words;
use crate::engine::Engine;
use crate::model::{NodeId, Posting, Symbol, SymbolKind};
use crate::rank::bm25f::{Bm25fConfig, FIELDS as FIELD_COUNT, FieldConfig, QueryTerm, best, score};
use crate::text::terms::terms;

/// Number of definitions that are printed.
const PRINTED: usize = 200;
/// Factor of the score of a test.
const TEST_FACTOR: f64 = 0.3;
/// The file of the index.
const INDEX: &str = "bm25f.bin";

/// Name, scope, path, documentation, signature, body; two fields are not used.
const CONFIG: Bm25fConfig = {
    const fn field(weight: f64, b: f64, avg_len: f64) -> FieldConfig {
        FieldConfig { weight, b, avg_len }
    }
    let unused = field(0.0, 0.0, 1.0);
    Bm25fConfig {
        fields: [
            field(5.0, 0.3, 3.0),
            field(2.0, 0.3, 3.0),
            field(1.5, 0.3, 6.0),
            field(2.0, 0.7, 20.0),
            field(1.0, 0.7, 12.0),
            field(0.5, 0.7, 80.0),
            unused,
            unused,
        ],
        k1: 1.2,
    }
};

/// A definition of the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Document {
    name: String,
    kind: String,
    file: String,
    line: u32,
    is_test: bool,
    lengths: [u32; FIELD_COUNT],
}

/// The index: definitions, and for each term the documents with the frequencies in their fields.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    documents: Vec<Document>,
    postings: HashMap<String, Vec<(u32, [u16; FIELD_COUNT])>>,
}

/// Builds the index in a folder.
///
/// # Errors
/// When the repository can't be read or the folder can't be written.
pub fn build(root: &Path, state: &Path) -> Result<(), BaselineError> {
    let database = state.join("definitions.db");
    let mut engine = Engine::open(root, Some(&database))?;
    engine.index(false, None, &|_| {})?;
    let mut index = Index::default();
    let mut texts: HashMap<String, String> = HashMap::new();
    for symbol in engine.reader()?.all_symbols()? {
        let is_definition = !matches!(symbol.kind, SymbolKind::External | SymbolKind::File | SymbolKind::Package);
        if !is_definition || symbol.file.is_empty() {
            continue;
        }
        if !texts.contains_key(&symbol.file) {
            let bytes = fs::read(engine.root().join(&symbol.file))?;
            texts.insert(symbol.file.clone(), String::from_utf8_lossy(&bytes).into_owned());
        }
        index.add(&symbol, &texts[&symbol.file]);
    }
    fs::write(state.join(INDEX), postcard::to_stdvec(&index)?)?;
    Ok(())
}

impl Index {
    fn add(&mut self, symbol: &Symbol, source: &str) {
        let (start, end) = (symbol.span.start_byte as usize, symbol.span.end_byte as usize);
        // A type's members are documents of their own.
        let body = if symbol.kind.is_callable() { source.get(start..end).unwrap_or_default() } else { "" };
        let fields = [&symbol.name, &symbol.scope, &symbol.file, &symbol.doc, &symbol.signature, body];
        let mut frequencies: HashMap<String, [u16; FIELD_COUNT]> = HashMap::new();
        let mut lengths = [0; FIELD_COUNT];
        for (field, text) in fields.iter().enumerate() {
            for term in terms(text) {
                lengths[field] += 1;
                let counts = frequencies.entry(term).or_default();
                counts[field] = counts[field].saturating_add(1);
            }
        }
        let document = self.documents.len() as u32;
        for (term, counts) in frequencies {
            self.postings.entry(term).or_default().push((document, counts));
        }
        self.documents.push(Document {
            name: symbol.short_name().to_owned(),
            kind: symbol.kind.name().to_owned(),
            file: symbol.file.clone(),
            line: symbol.span.name_line,
            is_test: symbol.is_test,
            lengths,
        });
    }

    /// Returns the best documents for a task, best first, with their scores.
    fn ranked(&self, task: &str) -> Vec<(&Document, f64)> {
        let mut weights: HashMap<String, f64> = HashMap::new();
        terms(&task_words(task).join(" ")).into_iter().for_each(|term| *weights.entry(term).or_default() += 1.0);
        let mut weights: Vec<(String, f64)> = weights.into_iter().collect();
        weights.sort_by(|one, two| one.0.cmp(&two.0));
        let query = |(term, weight): (String, f64)| {
            let posting = |(document, frequencies): &(u32, [u16; FIELD_COUNT])| Posting {
                document: NodeId::new(*document),
                frequencies: *frequencies,
            };
            let postings: Arc<[Posting]> = self.postings.get(&term)?.iter().map(posting).collect();
            Some(QueryTerm { weight, postings })
        };
        let query: Vec<QueryTerm> = weights.into_iter().filter_map(query).collect();
        let document = |node: NodeId| &self.documents[node.index()];
        let scores = score(&query, self.documents.len(), &CONFIG, |node| document(node).lengths);
        let scored = scores.found().iter().map(|node| {
            let factor = if document(*node).is_test { TEST_FACTOR } else { 1.0 };
            (scores.get(*node).score * factor, node.index() as u64, *node)
        });
        let scored: Vec<(f64, u64, NodeId)> = scored.collect();
        let by_node: HashMap<NodeId, f64> = scored.iter().map(|(score, _, node)| (*node, *score)).collect();
        best(scored, PRINTED).into_iter().map(|node| (document(node), by_node[&node])).collect()
    }
}

/// Returns the best definitions for a task, a line each: `path:line: kind name score`.
///
/// # Errors
/// When there is no index.
pub fn answer(state: &Path, task: &str) -> Result<String, BaselineError> {
    let index: Index = postcard::from_bytes(&fs::read(state.join(INDEX))?)?;
    let mut text = String::new();
    for (document, score) in index.ranked(task) {
        let Document { name, kind, file, line, .. } = document;
        let name = name.strip_prefix(file.as_str()).map_or(name.as_str(), |rest| rest.trim_start_matches('.'));
        // Writing to a string succeeds.
        let _ = writeln!(text, "{file}:{line}: {kind} {name} {score:.2}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::subject::copy_folder;

    #[test]
    fn names_count_more_than_bodies_and_tests_less() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join("repo");
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/shop");
        copy_folder(&fixture, &root).unwrap();
        build(&root, temporary.path()).unwrap();
        let text = answer(temporary.path(), "total of the cart").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("shop/cart.py:17: method Cart.total "), "{text}");
        let test = lines.iter().position(|line| line.contains("test_checkout_charges_the_total")).unwrap();
        assert!(test > 1, "{text}");
        assert_eq!(answer(temporary.path(), "zebra").unwrap(), "");
    }
}
