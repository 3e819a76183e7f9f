//! Reads what a SCIP document states about a file, if the file's text is the one that was compiled.

use scip::symbol::is_local_symbol;
use scip::types::occurrence::Typed_range;
use scip::types::{Document, Occurrence, PositionEncoding};

use super::definitions::{Definitions, is_definition, plain};
use super::symbol::descriptors;
use crate::model::FileIndex;
use crate::resolve::scip::{ScipFile, ScipOccurrence, ScipTarget};

/// Maximum number of characters between a name and its argument list.
const MAX_GAP: usize = 1_000;

/// Returns the statements about a file; `None` if a name is not at the place that the document has for it.
pub(super) fn statements(
    document: &Document,
    text: &str,
    file: FileIndex,
    definitions: &Definitions<'_>,
) -> Option<ScipFile> {
    let lines = Lines::new(text, document.position_encoding.enum_value().unwrap_or_default());
    let mut statements = ScipFile::default();
    for occurrence in &document.occurrences {
        let Some((start, end)) = range(occurrence) else { continue };
        let (start, end) = (lines.byte(start)?, lines.byte(end)?);
        // Indexers put the symbol of a whole file at its start.
        if start == end {
            continue;
        }
        let name = text.get(start..end)?;
        if !is_whole_token(text, start, end) || !is_plausible(name, occurrence) {
            return None;
        }
        let target = definitions.target(&occurrence.symbol, name);
        if let Some(target) = target.filter(|_| !is_definition(occurrence.symbol_roles)) {
            let is_call = text[end..].chars().take(MAX_GAP).find(|c| !c.is_whitespace()) == Some('(');
            let position = u32::try_from(start).ok()?;
            let known = statements.occurrences.entry(position).or_insert(ScipOccurrence { target, is_call });
            // A name can mean a type and a value, or an alias and its target: one of the repository is worth more.
            if known.target == ScipTarget::External {
                known.target = target;
            }
        }
    }
    add_relationships(document, file, definitions, &mut statements);
    Some(statements)
}

fn add_relationships(document: &Document, file: FileIndex, definitions: &Definitions<'_>, statements: &mut ScipFile) {
    for symbol in &document.symbols {
        let Some(own) = definitions.get(&symbol.symbol).filter(|own| own.file == file) else { continue };
        for relationship in &symbol.relationships {
            let Some(other) = definitions.get(&relationship.symbol) else { continue };
            if relationship.is_implementation {
                statements.implementations.push((own.definition, other));
            }
            if relationship.is_type_definition {
                statements.types.push((own.definition, other));
            }
        }
    }
}

/// Line and column, from 0.
type Position = (usize, usize);

fn range(occurrence: &Occurrence) -> Option<(Position, Position)> {
    let number = |value: i32| usize::try_from(value).ok();
    let (line, column, end_line, end_column) = match (&occurrence.typed_range, occurrence.range.as_slice()) {
        (Some(Typed_range::SingleLineRange(range)), _) => {
            (range.line, range.start_character, range.line, range.end_character)
        }
        (Some(Typed_range::MultiLineRange(range)), _) => {
            (range.start_line, range.start_character, range.end_line, range.end_character)
        }
        (_, &[line, column, end]) => (line, column, line, end),
        (_, &[line, column, end_line, end]) => (line, column, end_line, end),
        _ => return None,
    };
    Some(((number(line)?, number(column)?), (number(end_line)?, number(end_column)?)))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns whether no name continues across the ends of a range.
fn is_whole_token(text: &str, start: usize, end: usize) -> bool {
    let crosses = |at: usize| text[..at].ends_with(is_word) && text[at..].starts_with(is_word);
    !crosses(start) && !crosses(end)
}

/// Returns whether a symbol can be defined under this name. References may use an alias.
fn is_plausible(name: &str, occurrence: &Occurrence) -> bool {
    if !is_definition(occurrence.symbol_roles) || is_local_symbol(&occurrence.symbol) || !name.chars().all(is_word) {
        return !name.starts_with(char::is_whitespace);
    }
    let Some(symbol) = descriptors(&occurrence.symbol) else { return true };
    let Some(last) = symbol.last() else { return true };
    let is_generated = !plain(&last.name).chars().all(is_word) || last.name.ends_with(|c: char| c.is_ascii_digit());
    is_generated || plain(&last.name) == name
}

/// The bytes of a text by line and column.
struct Lines {
    /// The byte of each column, line by line; `None` within a character. Each line has one more, for its end.
    bytes: Vec<Option<u32>>,
    /// The first column of each line in `bytes`, and of the one that would follow.
    starts: Vec<usize>,
}

impl Lines {
    /// Columns without an encoding are in UTF-16, since the indexers that state none are written in JavaScript.
    fn new(text: &str, encoding: PositionEncoding) -> Lines {
        let width = |c: char| match encoding {
            PositionEncoding::UTF8CodeUnitOffsetFromLineStart => c.len_utf8(),
            PositionEncoding::UTF32CodeUnitOffsetFromLineStart => 1,
            _ => c.len_utf16(),
        };
        let (mut bytes, mut starts, mut at) = (Vec::with_capacity(text.len()), vec![0], 0_u32);
        for c in text.chars() {
            bytes.push(Some(at));
            bytes.extend(std::iter::repeat_n(None, width(c) - 1));
            at += c.len_utf8() as u32;
            if c == '\n' {
                bytes.push(Some(at));
                starts.push(bytes.len());
            }
        }
        bytes.push(Some(at));
        starts.push(bytes.len());
        Lines { bytes, starts }
    }

    /// Returns the byte at a position.
    fn byte(&self, (line, column): Position) -> Option<usize> {
        let columns = &self.bytes[*self.starts.get(line)?..*self.starts.get(line + 1)?];
        columns.get(column).copied().flatten().map(|byte| byte as usize)
    }
}
