//! A partial index: the files and definitions that the indexer has found so far, searchable before the run completes.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::finder::{best, best_paths, rating};
use crate::concepts::Vocabulary;
use crate::index::{Listener, Progress};
use crate::model::Symbol;
use crate::scan::DiscoveredFile;
use crate::text::terms::terms;

/// Factor for tests in a search by the words of a task.
const TEST_FACTOR: f64 = 0.5;

/// The files and definitions found so far. It has no edges and is not stored.
#[derive(Default)]
pub struct PartialIndex {
    content: RwLock<Content>,
}

#[derive(Default)]
struct Content {
    files: Arc<Vec<String>>,
    /// Definitions of each parsed file. Shared, so that a search does not hold the lock.
    symbols: Vec<Arc<Vec<Symbol>>>,
    /// Index of each file in `symbols`.
    indexes: HashMap<String, usize>,
}

impl PartialIndex {
    /// Returns the symbols that match every word of `needle` fuzzily, best first; words may match the scope or path
    /// instead of the name. Empty before the first file is parsed.
    pub fn symbols(&self, needle: &str, limit: usize) -> Vec<Symbol> {
        let parts: Vec<&str> = needle.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let words = parts.join(" ");
        let files = self.read().symbols.clone();
        let symbols: Vec<&Symbol> = files.iter().flat_map(|file| file.iter()).collect();
        let found = best(&symbols, &words, limit, |symbol, match_of| {
            let around = format!("{} {}", symbol.scope, symbol.file);
            // `Cart.checkout` matches exactly this member.
            let is_exact = match parts[..] {
                [.., scope, name] => symbol.name == name && symbol.scope.rsplit('.').next() == Some(scope),
                _ => false,
            };
            Some((is_exact, rating(&symbol.name, &around, symbol.is_test, match_of)?))
        });
        found.into_iter().map(|symbol| Symbol::clone(symbol)).collect()
    }

    /// Returns the symbols whose names have most words of a task, rare words first, best first. Without edges, texts and
    /// history this is only a first approximation of a ranking.
    pub fn symbols_for_task(&self, vocabulary: &Vocabulary, task: &str, limit: usize) -> Vec<Symbol> {
        let is_content = |word: &&str| !vocabulary.words().stop_words.contains(&word.to_lowercase());
        let content: Vec<&str> =
            task.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(is_content).collect();
        let mut words = terms(&content.join(" "));
        words.sort_unstable();
        words.dedup();
        let files = self.read().symbols.clone();
        let mut frequencies = vec![0_usize; words.len()];
        let mut found: Vec<(Vec<usize>, &Symbol)> = Vec::new();
        for symbol in files.iter().flat_map(|file| file.iter()) {
            let names = terms(&symbol.name);
            let matched: Vec<usize> = (0..words.len()).filter(|index| names.contains(&words[*index])).collect();
            matched.iter().for_each(|index| frequencies[*index] += 1);
            if !matched.is_empty() {
                found.push((matched, symbol));
            }
        }
        let weight = |index: &usize| 1.0 / (frequencies[*index] as f64).sqrt();
        let score = |matched: &[usize], symbol: &Symbol| {
            let sum = matched.iter().map(weight).sum::<f64>() * matched.len() as f64;
            if symbol.is_test { sum * TEST_FACTOR } else { sum }
        };
        let mut scored: Vec<(f64, &Symbol)> =
            found.into_iter().map(|(matched, symbol)| (score(&matched, symbol), symbol)).collect();
        scored.sort_by(|one, two| {
            (two.0.total_cmp(&one.0))
                .then_with(|| one.1.qualified_name.cmp(&two.1.qualified_name))
                .then(one.1.id.cmp(&two.1.id))
        });
        scored.into_iter().take(limit).map(|(_, symbol)| symbol.clone()).collect()
    }

    /// Returns the symbols with this name, plain or qualified, in the order of their files.
    pub fn symbols_named(&self, name: &str) -> Vec<Symbol> {
        let parts: Vec<&str> = name.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let Some((name, scope)) = parts.split_last() else { return Vec::new() };
        let files = self.read().symbols.clone();
        let is_named = |symbol: &&Symbol| {
            symbol.name == **name && scope.last().is_none_or(|scope| symbol.scope.rsplit('.').next() == Some(scope))
        };
        let mut named: Vec<Symbol> = files.iter().flat_map(|file| file.iter().filter(is_named)).cloned().collect();
        named.sort_by(|one, two| (&one.file, one.span.start_byte).cmp(&(&two.file, two.span.start_byte)));
        named
    }

    /// Returns the number of parsed files with definitions.
    pub fn parsed_files(&self) -> usize {
        self.read().symbols.len()
    }

    /// Returns the paths that match every word of `needle` fuzzily, best first. Empty before the files are found.
    pub fn files(&self, needle: &str, limit: usize) -> Vec<String> {
        let files = Arc::clone(&self.read().files);
        best_paths(&files, needle, limit)
    }

    /// Returns the definitions of a file in source order; none before it is parsed.
    pub fn definitions(&self, file: &str) -> Vec<Symbol> {
        let content = self.read();
        let mut definitions = content.indexes.get(file).map_or(Vec::new(), |index| content.symbols[*index].to_vec());
        drop(content);
        definitions.sort_by_key(|symbol| symbol.span.start_byte);
        definitions
    }

    fn read(&self) -> RwLockReadGuard<'_, Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.content.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forwards progress and records files and definitions in a partial index.
pub struct PartialIndexListener<'a> {
    pub index: &'a PartialIndex,
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Listener for PartialIndexListener<'_> {
    fn progress(&self, progress: Progress) {
        (self.progress)(progress);
    }

    fn found(&self, files: &[DiscoveredFile]) {
        let mut paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        paths.sort_unstable();
        self.index.write().files = Arc::new(paths);
    }

    fn parsed(&self, definitions: &dyn Fn() -> Vec<Symbol>) {
        let definitions = definitions();
        let Some(file) = definitions.first().map(|symbol| symbol.file.clone()) else { return };
        let mut content = self.index.write();
        let index = content.symbols.len();
        content.symbols.push(Arc::new(definitions));
        content.indexes.insert(file, index);
    }
}
