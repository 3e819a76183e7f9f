//! What a run of the indexer has met before its index is complete: names, for whoever does not want to wait.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::finder::{best, best_paths, rating};
use crate::index::{Listener, Progress};
use crate::model::Symbol;
use crate::scan::DiscoveredFile;

/// The files and definitions that a run has met so far. It has no edges, and nothing of it is in a store yet.
#[derive(Default)]
pub struct Sketch {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    files: Arc<Vec<String>>,
    /// The definitions of each file that is parsed. A search takes its share of them and then holds up no parser.
    symbols: Vec<Arc<Vec<Symbol>>>,
    /// Where in `symbols` each file stands.
    places: HashMap<String, usize>,
}

impl Sketch {
    /// Symbols that have the letters of every word of `needle` in their order, best first; words that a name lacks may
    /// stand in its scope or path. None before the first file is parsed.
    pub fn symbols(&self, needle: &str, limit: usize) -> Vec<Symbol> {
        let parts: Vec<&str> = needle.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let words = parts.join(" ");
        let files = self.read().symbols.clone();
        let symbols: Vec<&Symbol> = files.iter().flat_map(|file| file.iter()).collect();
        let found = best(&symbols, &words, limit, |symbol, match_of| {
            let around = format!("{} {}", symbol.scope, symbol.file);
            // Who writes `Cart.checkout` means that very member.
            let is_meant = match parts[..] {
                [.., scope, name] => symbol.name == name && symbol.scope.rsplit('.').next() == Some(scope),
                _ => false,
            };
            Some((is_meant, rating(&symbol.name, &around, symbol.is_test, match_of)?))
        });
        found.into_iter().map(|symbol| Symbol::clone(symbol)).collect()
    }

    /// Paths that have the letters of every word of `needle` in their order, best first. None before the files are found.
    pub fn files(&self, needle: &str, limit: usize) -> Vec<String> {
        let files = Arc::clone(&self.read().files);
        best_paths(&files, needle, limit)
    }

    /// The definitions of a file, in the order of the source; none before it is parsed.
    pub fn definitions(&self, file: &str) -> Vec<Symbol> {
        let known = self.read();
        let mut definitions = known.places.get(file).map_or(Vec::new(), |place| known.symbols[*place].to_vec());
        drop(known);
        definitions.sort_by_key(|symbol| symbol.span.start_byte);
        definitions
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has a sketch drawn while somebody else hears how far a run is.
pub struct Sketching<'a> {
    pub sketch: &'a Sketch,
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Listener for Sketching<'_> {
    fn progress(&self, progress: Progress) {
        (self.progress)(progress);
    }

    fn found(&self, files: &[DiscoveredFile]) {
        let mut paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        paths.sort_unstable();
        self.sketch.write().files = Arc::new(paths);
    }

    fn parsed(&self, definitions: &dyn Fn() -> Vec<Symbol>) {
        let definitions = definitions();
        let Some(file) = definitions.first().map(|symbol| symbol.file.clone()) else { return };
        let mut known = self.sketch.write();
        let place = known.symbols.len();
        known.symbols.push(Arc::new(definitions));
        known.places.insert(file, place);
    }
}
