//! A pack that was delivered to an agent, and which of its symbols were edited since: a weak sign that they mattered.

use std::collections::HashMap;

use super::bodies::Bodies;
use super::{Engine, EngineError, Ranker, source};
use crate::model::{ContextPack, Symbol, SymbolKind};

/// Number of symbols above which a change is not a task's edit but a formatter, a merge or a search and replace.
const MAX_EDITED: usize = 20;

/// The source of a pack's symbols when it was delivered.
#[derive(Debug, Clone)]
pub struct DeliveredPack {
    task: String,
    branch: Option<String>,
    symbols: Vec<DeliveredSymbol>,
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
        Ok(DeliveredPack { task: task.to_owned(), branch, symbols })
    }
}

impl DeliveredPack {
    /// Returns the task of the pack.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// Returns the symbols that were edited since the delivery, or since the last call, in rank order: those whose file
    /// exists and no longer has their source. Of a method and its type only the method counts. None are returned after
    /// a switch of the branch, or when so many changed that no task was edited.
    pub fn take_edited(&mut self, engine: &Engine) -> Vec<Symbol> {
        if engine.branch() != self.branch {
            self.symbols.clear();
            return Vec::new();
        }
        let mut texts: HashMap<String, Option<String>> = HashMap::new();
        let mut edited = Vec::new();
        self.symbols.retain(|delivered| {
            let file = &delivered.symbol.file;
            let text = texts.entry(file.clone()).or_insert_with(|| {
                let bytes = source::read(engine.root(), file).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            });
            let is_same = text.as_ref().is_none_or(|text| text.contains(&delivered.source));
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
        if inner.len() > MAX_EDITED { Vec::new() } else { inner }
    }
}
