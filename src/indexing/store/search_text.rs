//! The text of a symbol as the search index has it: each term of a column once, with the column and its frequency there.
//!
//! # Why
//!
//! FTS5 stores a byte or two for each occurrence, two for each other column than the first and one for their length. A ranking
//! needs the frequencies alone. As parts of the terms they leave a byte and a half for each symbol with a term: a third of the
//! search index of Kafka, two fifths of that of a part of Linux.

use super::rows::{SEARCH_COLUMNS, SearchColumn};

/// Ends a term. The tokenizer takes it for a letter; the terms themselves do not have it.
pub(super) const END: char = ':';

/// The number of terms in each column.
pub(super) type ColumnLengths = [u32; SEARCH_COLUMNS];

/// Returns the text that the search index is given for the columns of a symbol, and the number of terms in each.
pub(super) fn encode(columns: &[String; SEARCH_COLUMNS]) -> (String, ColumnLengths) {
    let (mut text, mut lengths) = (String::new(), ColumnLengths::default());
    let mut terms: Vec<&str> = Vec::new();
    for (column, letter) in SearchColumn::ALL.into_iter().zip('a'..) {
        let words = columns[column as usize].split(|c: char| !(c.is_alphanumeric() || c == '_'));
        terms.clear();
        terms.extend(words.filter(|word| !word.is_empty()));
        lengths[column as usize] = terms.len() as u32;
        terms.sort_unstable();
        for same in terms.chunk_by(|one, two| one == two) {
            text.push_str(same[0]);
            text.extend([END, letter]);
            if same.len() > 1 {
                text.push_str(&same.len().min(usize::from(u16::MAX)).to_string());
            }
            text.push(' ');
        }
    }
    (text, lengths)
}

/// Returns the column and the frequency that follow the end of a term; `None` if none do.
pub(super) fn decode(rest: &[u8]) -> Option<(SearchColumn, u16)> {
    let (letter, frequency) = rest.split_first()?;
    let column = *SearchColumn::ALL.get(usize::from(letter.checked_sub(b'a')?))?;
    match frequency {
        [] => Some((column, 1)),
        digits => Some((column, std::str::from_utf8(digits).ok()?.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_have_their_column_and_frequency() {
        let mut columns: [String; SEARCH_COLUMNS] = Default::default();
        columns[SearchColumn::SymbolName as usize] = "load".to_owned();
        columns[SearchColumn::FilePath as usize] = "src/größe.py".to_owned();
        columns[SearchColumn::Body as usize] = "b a_b b".to_owned();
        let (text, lengths) = encode(&columns);
        assert_eq!(text, "load:a größe:e py:e src:e a_b:g b:g2 ");
        assert_eq!(lengths, [1, 0, 0, 0, 3, 0, 3, 0]);
        assert_eq!(decode(b"a"), Some((SearchColumn::SymbolName, 1)));
        assert_eq!(decode(b"g65535"), Some((SearchColumn::Body, u16::MAX)));
        for rest in [&b""[..], b"i", b"A", b"gx", b"g65536"] {
            assert_eq!(decode(rest), None, "{rest:?}");
        }
    }
}
