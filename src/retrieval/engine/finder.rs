//! Fuzzy search over the names of all symbols and files of an index, for filtered lists.

use std::cmp::Reverse;
use std::collections::HashMap;

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};
use rayon::prelude::*;

use super::inspect::likeliest_first;
use super::{EngineError, Ranker};
use crate::model::{FileId, NodeId, Symbol, SymbolKind};
use crate::store::{NodeSummary, Reader};
use crate::text::pattern::{bounded_pattern, bounded_text};

/// Bonus of a match by name alone; larger than any score of a match with the path.
const BY_NAME: u32 = 1 << 16;

/// The names of one state of the index, in memory. A search scans all of them.
pub struct Finder {
    symbols: Vec<NodeSummary>,
    files: HashMap<FileId, String>,
}

impl Finder {
    /// Reads every name.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn open(reader: &Reader) -> Result<Finder, EngineError> {
        let files = reader.files()?.into_iter().map(|file| (file.id, file.path)).collect();
        let mut symbols = reader.node_summaries()?;
        symbols.retain(|head| head.file.is_some() && head.kind != SymbolKind::File);
        Ok(Finder { symbols, files })
    }

    /// Returns the symbols that match every word of `needle` fuzzily, best first; words may match the path instead of
    /// the name.
    pub fn symbols(&self, needle: &str, limit: usize) -> Vec<NodeId> {
        let path = |head: &NodeSummary| head.file.and_then(|file| self.files.get(&file)).map_or("", String::as_str);
        let found = best(&self.symbols, needle, limit, |head, match_of| {
            Some((rating(&head.name, path(head), head.is_test, match_of)?, head.kind.is_type()))
        });
        found.into_iter().map(|head| head.node).collect()
    }

    /// Returns the paths that match every word of `needle` fuzzily, best first.
    pub fn files(&self, needle: &str, limit: usize) -> Vec<String> {
        let mut paths: Vec<&String> = self.files.values().collect();
        paths.sort_unstable();
        best_paths(&paths, needle, limit)
    }
}

/// Returns the rating of a symbol by its name, or else by its name and context; `None` if neither matches.
pub(super) fn rating(
    name: &str,
    around: &str,
    is_test: bool,
    match_of: &mut dyn FnMut(&str) -> Option<u32>,
) -> Option<(u32, bool, Reverse<usize>)> {
    let by_name = match_of(name).map(|score| score + BY_NAME);
    let score = by_name.or_else(|| match_of(&format!("{name} {around}")))?;
    // Tests come after other symbols with an equal score.
    Some((score, !is_test, Reverse(name.len())))
}

/// Returns the best matches among sorted paths; without a needle the first ones.
pub(super) fn best_paths<P: AsRef<str> + Sync>(paths: &[P], needle: &str, limit: usize) -> Vec<String> {
    if needle.trim().is_empty() {
        return paths.iter().take(limit).map(|path| path.as_ref().to_owned()).collect();
    }
    let found = best(paths, needle, limit, |path, match_of| {
        let path = path.as_ref();
        Some((match_of(path)?, Reverse(path.len())))
    });
    found.into_iter().map(|path| path.as_ref().to_owned()).collect()
}

/// Returns the best of `items` by the key that `rate` returns; ties keep their order.
pub(super) fn best<'items, T: Sync, Key: Ord + Send>(
    items: &'items [T],
    needle: &str,
    limit: usize,
    rate: impl Fn(&T, &mut dyn FnMut(&str) -> Option<u32>) -> Option<Key> + Sync,
) -> Vec<&'items T> {
    let pattern = Pattern::parse(&bounded_pattern(needle), CaseMatching::Smart, Normalization::Smart);
    let rated = items.par_iter().enumerate().map_init(
        || (Matcher::new(Config::DEFAULT.match_paths()), Vec::new()),
        |(matcher, buffer), (index, item)| {
            let mut match_of = |text: &str| pattern.score(Utf32Str::new(bounded_text(text), buffer), matcher);
            rate(item, &mut match_of).map(|key| (Reverse(key), index))
        },
    );
    let mut rated: Vec<_> = rated.flatten().collect();
    if rated.len() > limit && limit > 0 {
        rated.select_nth_unstable(limit - 1);
    }
    rated.truncate(limit);
    rated.sort_unstable();
    rated.into_iter().map(|(_, index)| &items[index]).collect()
}

impl Ranker {
    /// Loads the names of this state of the index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn finder(&self) -> Result<Finder, EngineError> {
        Finder::open(&self.reader)
    }

    /// Returns the symbols that match every word of `needle`, best first; those of exactly this name likeliest first.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn symbols_like(&self, finder: &Finder, needle: &str, limit: usize) -> Result<Vec<Symbol>, EngineError> {
        let mut symbols = self.symbols(&finder.symbols(needle, limit))?;
        let named = symbols.iter().take_while(|symbol| symbol.name == needle).count();
        likeliest_first(&self.reader, &mut symbols[..named], |symbol| symbol.is_test)?;
        Ok(symbols)
    }

    /// Returns the symbols of these nodes, in their order; unknown nodes are skipped.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn symbols(&self, nodes: &[NodeId]) -> Result<Vec<Symbol>, EngineError> {
        Ok(self.reader.symbols(nodes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn finder(names: &[(&str, &str, bool)]) -> Finder {
        let head = |(index, (name, _, is_test)): (usize, &(&str, &str, bool))| NodeSummary {
            node: NodeId::from_index(index),
            identity: SymbolId([index as u8; 16]),
            kind: SymbolKind::Function,
            file: Some(FileId::from_index(index)),
            is_test: *is_test,
            name: (*name).to_owned(),
        };
        let file =
            |(index, (_, path, _)): (usize, &(&str, &str, bool))| (FileId::from_index(index), (*path).to_owned());
        Finder {
            symbols: names.iter().enumerate().map(head).collect(),
            files: names.iter().enumerate().map(file).collect(),
        }
    }

    #[test]
    fn names_come_before_paths_and_code_before_tests() {
        let names = [
            ("helper", "src/session.py", false),
            ("open_session", "tests/a.py", true),
            ("open_session", "src/b.py", false),
            ("other", "src/c.py", false),
        ];
        let finder = finder(&names);
        let symbols = |needle| finder.symbols(needle, 9).into_iter().map(NodeId::get).collect::<Vec<u32>>();
        assert_eq!(symbols("session"), [2, 1, 0]);
        assert_eq!(finder.symbols("opses", 1), [NodeId::new(2)]);
        assert_eq!(symbols("help session"), [0]);
        assert_eq!(symbols("zzz"), [0_u32; 0]);
        assert_eq!(finder.symbols("", 2).len(), 2);
        assert_eq!(finder.files("src b", 9), ["src/b.py"]);
        assert_eq!(finder.files("", 9).len(), 4);
        assert!(finder.symbols("o", 0).is_empty());
    }
}
