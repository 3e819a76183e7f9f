//! Names that are local to a function: parameters and variables, which are no symbols.

use std::collections::BTreeSet;

use super::uses::{IndexedFile, has_word, indexed_file};
use super::{EngineError, Ranker};
use crate::facts::{Binding, BindingKind, DefId, Reference, Role};
use crate::model::{Symbol, SymbolKind};

/// A local name in a line of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalName {
    /// The definition that it is local to.
    pub within: Symbol,
    /// The nearest line before that binds it; the line itself if there is none.
    pub line: u32,
}

impl Ranker {
    /// Returns what a name in a line of a file is local to; `None` for a name of something else, and where that is not known.
    /// The name must be code, and no member of a value.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn local_name(&self, name: &str, file: &str, line: u32) -> Result<Option<LocalName>, EngineError> {
        let Some((text, facts, _)) = indexed_file(&self.reader, &self.root, file)? else { return Ok(None) };
        let of_file = self.reader.symbols_of_file(file)?;
        let is_around = |symbol: &&Symbol| {
            symbol.kind != SymbolKind::File && (symbol.span.start_line..=symbol.span.end_line).contains(&line)
        };
        let mut around: Vec<&Symbol> = of_file.iter().filter(is_around).collect();
        if around.iter().any(|symbol| symbol.name == name && symbol.span.name_line == line) {
            return Ok(None);
        }
        around.sort_by_key(|symbol| symbol.span.end_line - symbol.span.start_line);
        let file = FileLines::new(&text, &facts);
        let bound = around.iter().find_map(|symbol| Some((*symbol, file.bound_in(symbol, name, line)?)));
        // Where local names are told while a file is read, no binding of them is kept, and no reference.
        let found = bound.or_else(|| around.first().and_then(|one| Some((*one, file.written_in(one, name, line)?))));
        Ok(found.map(|(within, line)| LocalName { within: within.clone(), line }))
    }
}

/// The facts of a file and its lines.
struct FileLines<'f> {
    facts: &'f IndexedFile,
    text: &'f str,
    /// The bytes of the line breaks.
    breaks: Vec<u32>,
}

impl<'f> FileLines<'f> {
    fn new(text: &'f str, facts: &'f IndexedFile) -> FileLines<'f> {
        let breaks = text.match_indices('\n').map(|(at, _)| at as u32).collect();
        FileLines { facts, text, breaks }
    }

    fn line_of(&self, position: u32) -> u32 {
        1 + self.breaks.partition_point(|at| *at < position) as u32
    }

    /// Returns the line that binds a name in a definition: the nearest before a line, else that line, else the first one.
    fn bound_in(&self, within: &Symbol, name: &str, line: u32) -> Option<u32> {
        let (outline, code) = (&self.facts.outline, &self.facts.code);
        // An enclosing scope comes first.
        let mut owners: Vec<Option<DefId>> = Vec::with_capacity(code.scopes.len());
        for scope in &code.scopes {
            let outer = scope.parent.and_then(|parent| owners.get(parent.0 as usize).copied().flatten());
            owners.push(scope.definition.or(outer));
        }
        let is_within = |binding: &&Binding| {
            let owner = match binding.kind {
                BindingKind::Local { .. } | BindingKind::Parameter { .. } => {
                    owners.get(binding.scope.0 as usize).copied().flatten()
                }
                BindingKind::TypeParameter(owner, _) => Some(owner),
                _ => None,
            };
            let definition = owner.and_then(|owner| outline.definitions.get(owner.index()));
            outline.names.get(binding.name) == name
                && definition.is_some_and(|definition| self.facts.is_definition(definition, within))
        };
        let mut lines: Vec<u32> =
            code.bindings.iter().filter(is_within).map(|binding| self.line_of(binding.position)).collect();
        lines.sort_unstable();
        let before = lines.partition_point(|bound| *bound < line);
        before.checked_sub(1).map(|last| lines[last]).or(lines.first().copied())
    }

    /// Returns the first line of a function that has a name, which no reference has there; `None` if one has it in `line`, if
    /// that line was not read, and where the facts have the bindings of local names.
    fn written_in(&self, within: &Symbol, name: &str, line: u32) -> Option<u32> {
        let (outline, code) = (&self.facts.outline, &self.facts.code);
        let is_function = matches!(within.kind, SymbolKind::Function | SymbolKind::Method);
        let is_local =
            |binding: &Binding| matches!(binding.kind, BindingKind::Local { .. } | BindingKind::Parameter { .. });
        let is_unread = outline.unparsed_lines(self.text).any(|unread| unread == line)
            || outline.imports.iter().any(|import| self.line_of(import.position) == line);
        if !is_function || is_unread || code.bindings.iter().any(is_local) {
            return None;
        }
        let with_name = code.with_name(|atom| {
            let own = outline.names.get(atom);
            own.strip_suffix("()").unwrap_or(own) == name
        });
        let has_name = |reference: &&Reference| {
            reference.role != Role::Document && with_name.get(reference.expr.0 as usize).copied().unwrap_or(false)
        };
        let lines = within.span.name_line..=within.span.end_line;
        let in_function = code.references.iter().filter(|one| lines.contains(&self.line_of(one.position)));
        let known: BTreeSet<u32> = in_function.filter(has_name).map(|one| self.line_of(one.position)).collect();
        if known.contains(&line) {
            return None;
        }
        let numbered = (1..).zip(self.text.lines()).skip(*lines.start() as usize - 1).take(lines.count());
        let mut written = numbered.filter(|(_, text)| has_word(text, name)).map(|(number, _)| number);
        written.find(|number| !known.contains(number))
    }
}
