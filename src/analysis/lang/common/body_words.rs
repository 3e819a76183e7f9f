//! Words in the bodies of definitions: read from the text in one pass without the tree, or added as the walk visits them.

use super::Words;
use super::walker::Walker;
use crate::facts::{DefId, FactsBuilder};
use crate::model::SymbolKind;

/// Maximum size of a word that the walk adds to a body.
const MAX_WORD_BYTES: usize = 64;

/// Maximum size of the words that the walk adds to a body.
const MAX_BODY_BYTES: usize = 16_384;

impl Walker<'_> {
    /// Adds the words of a visited text to those of the enclosing definition, unless they are read from the file.
    pub fn add_words(&mut self, text: &str) {
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            self.push_word(word, 2);
        }
    }

    /// Adds a visited name to the words of the enclosing definition, unless they are read from the file.
    pub fn add_word(&mut self, name: &str) {
        if let Words::Visited { shortest_name } = self.dialect.words {
            self.push_word(name, shortest_name);
        }
    }

    fn push_word(&mut self, word: &str, shortest: usize) {
        if self.dialect.words == Words::Written || self.is_replay || word.len() < shortest {
            return;
        }
        let Some(id) = self.context.parent else { return };
        let body = self.facts.body_mut(id);
        if word.len() <= MAX_WORD_BYTES && body.len() < MAX_BODY_BYTES {
            if !body.is_empty() {
                body.push(' ');
            }
            body.push_str(word);
        }
    }
}

/// Adds the words of each definition's body. `starts` has the first byte of each body by definition; a definition
/// without a body belongs to the one around it. `scan` calls its argument with the start and the text of each word.
pub fn add_body_words(
    builder: &mut FactsBuilder,
    starts: &[Option<u32>],
    scan: impl FnOnce(&mut dyn FnMut(usize, &str)),
) {
    let mut bodies: Vec<(usize, usize, usize)> = starts
        .iter()
        .enumerate()
        .filter_map(|(index, start)| {
            let span = builder.definition(DefId::from_index(index)).span;
            start.map(|_| (span.start_byte as usize, span.end_byte as usize, index))
        })
        .collect();
    bodies.sort_by_key(|(start, end, index)| (*start, std::cmp::Reverse(*end), *index));
    let mut body_words = BodyWords { builder, starts, open: Vec::new(), pending: bodies, next: 0 };
    scan(&mut |start, word| body_words.push(start, word));
}

impl Walker<'_> {
    /// Makes the words of a definition without a body part of no other body.
    pub fn exclude_headers(&mut self) {
        self.body_starts.resize(self.facts.definitions().len(), None);
        for (start, definition) in self.body_starts.iter_mut().zip(self.facts.definitions()) {
            if !matches!(definition.kind, SymbolKind::Field | SymbolKind::Package) {
                start.get_or_insert(definition.span.end_byte);
            }
        }
    }
}

struct BodyWords<'a> {
    builder: &'a mut FactsBuilder,
    starts: &'a [Option<u32>],
    /// End and definition of the bodies that contain the current byte, innermost last.
    open: Vec<(usize, usize)>,
    pending: Vec<(usize, usize, usize)>,
    next: usize,
}

impl BodyWords<'_> {
    fn push(&mut self, start: usize, word: &str) {
        while let Some((begin, end, index)) = self.pending.get(self.next).copied().filter(|body| body.0 <= start) {
            self.open.retain(|(open_end, _)| *open_end > begin);
            self.open.push((end, index));
            self.next += 1;
        }
        while self.open.last().is_some_and(|(end, _)| *end <= start) {
            self.open.pop();
        }
        let Some((_, index)) = self.open.last().copied() else { return };
        let id = DefId::from_index(index);
        // Words of the header are part of the signature.
        let is_header = self.starts[index].is_none_or(|body| start < body as usize);
        if is_header || word.len() < 2 || self.builder.definition(id).kind == SymbolKind::Package {
            return;
        }
        let body = self.builder.body_mut(id);
        if !body.is_empty() {
            body.push(' ');
        }
        body.push_str(word);
    }
}
