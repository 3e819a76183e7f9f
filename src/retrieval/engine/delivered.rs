//! A pack that was delivered to an agent, and which of its symbols were edited since: a weak sign that they mattered.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::bodies::Bodies;
use super::{Engine, EngineError, Ranker, Reader, source};
use crate::model::{ContextPack, Symbol, SymbolKind};

/// Number of symbols above which a change is not a task's edit but a formatter, a merge or a search and replace.
const MAX_EDITED: usize = 20;

/// The source of a pack's symbols when it was delivered.
#[derive(Debug, Clone)]
pub struct DeliveredPack {
    task: String,
    branch: Option<String>,
    symbols: Vec<DeliveredSymbol>,
    /// The content hashes of the symbols' files when they were last compared, so that files that did not change are not
    /// read again. `None` for a file that was not indexed.
    hashes: BTreeMap<String, Option<[u8; 32]>>,
}

#[derive(Debug, Clone)]
struct DeliveredSymbol {
    symbol: Symbol,
    source: String,
}

impl Ranker {
    /// Returns a pack for a task as it is delivered now: the symbols whose source can be read.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn delivered(
        &self,
        task: &str,
        branch: Option<String>,
        pack: &ContextPack,
    ) -> Result<DeliveredPack, EngineError> {
        let mut bodies = Bodies::new(&self.reader, &self.root);
        let mut symbols = Vec::new();
        for packed in &pack.symbols {
            let symbol = &packed.symbol;
            if !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package)
                && let Some(source) = bodies.body(symbol)?.filter(|source| !source.is_empty())
            {
                symbols.push(DeliveredSymbol { symbol: symbol.clone(), source });
            }
        }
        let mut hashes = BTreeMap::new();
        for DeliveredSymbol { symbol, .. } in &symbols {
            if !hashes.contains_key(&symbol.file) {
                hashes.insert(symbol.file.clone(), self.reader.content_hash(&symbol.file)?);
            }
        }
        Ok(DeliveredPack { task: task.to_owned(), branch, symbols, hashes })
    }
}

impl DeliveredPack {
    /// Returns the task of the pack.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// Returns the symbols that were edited since the delivery, or since the last call, in rank order: those whose file
    /// exists and no longer has their source. Of a method and its type only the method counts. None are returned after
    /// a switch of the branch, or when so many changed that no task was edited. `reader` reads the index, which tells
    /// the files that changed.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn take_edited(&mut self, engine: &Engine, reader: &Reader) -> Result<Vec<Symbol>, EngineError> {
        if engine.branch() != self.branch {
            self.symbols.clear();
            return Ok(Vec::new());
        }
        let text = |file: String| source::read(engine.root(), &file).ok().map(|content| (file, content.text));
        let texts: HashMap<String, String> = self.take_changed_files(reader)?.into_iter().filter_map(text).collect();
        let mut edited = Vec::new();
        self.symbols.retain(|delivered| {
            let text = texts.get(&delivered.symbol.file);
            let is_same = text.is_none_or(|text| text.contains(&delivered.source));
            if !is_same {
                edited.push(delivered.symbol.clone());
            }
            is_same
        });
        let encloses = |outer: &Symbol, inner: &Symbol| {
            outer.id != inner.id
                && outer.file == inner.file
                && outer.span.start_byte <= inner.span.start_byte
                && inner.span.end_byte <= outer.span.end_byte
        };
        let inner = edited.iter().filter(|outer| !edited.iter().any(|inner| encloses(outer, inner)));
        let inner: Vec<Symbol> = inner.cloned().collect();
        Ok(if inner.len() > MAX_EDITED { Vec::new() } else { inner })
    }

    /// Returns the files of the remaining symbols whose indexed content changed since the last call.
    fn take_changed_files(&mut self, reader: &Reader) -> Result<Vec<String>, EngineError> {
        let watched: HashSet<&str> = self.symbols.iter().map(|delivered| delivered.symbol.file.as_str()).collect();
        self.hashes.retain(|file, _| watched.contains(file.as_str()));
        let mut changed = Vec::new();
        for (file, hash) in &mut self.hashes {
            let now = reader.content_hash(file)?;
            if std::mem::replace(hash, now) != now {
                changed.push(file.clone());
            }
        }
        Ok(changed)
    }
}
