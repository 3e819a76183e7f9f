//! A partial index: the files and definitions that the indexer has found so far, searchable before the run completes.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::finder::{best, best_paths, rating};
use crate::index::{Listener, Progress};
use crate::model::Symbol;
use crate::scan::DiscoveredFile;

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
        self.content.read()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.content.write()
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
