//! The lines that two versions of a text do not have in common.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// A changed range: the lines of both versions, from 0. One of the ranges can be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub before: Range<usize>,
    pub after: Range<usize>,
}

/// Returns the changed ranges of two texts, from first to last, as git shows them.
pub fn changes(before: &[u8], after: &[u8]) -> Vec<Change> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let range = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    diff.hunks().map(|hunk| Change { before: range(hunk.before), after: range(hunk.after) }).collect()
}

/// Returns the lines of a text, each with its end.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_those_of_git() {
        let check = |before: &str, after: &str, expected: &[(Range<usize>, Range<usize>)]| {
            let changes = changes(before.as_bytes(), after.as_bytes());
            let found: Vec<_> = changes.into_iter().map(|change| (change.before, change.after)).collect();
            assert_eq!(found, expected, "{before:?} {after:?}");
        };
        check("", "", &[]);
        check("a\n", "a\n", &[]);
        check("", "a\nb", &[(0..0, 0..2)]);
        check("a\nb\n", "", &[(0..2, 0..0)]);
        check("a\nb\nc\n", "a\nx\nc\n", &[(1..2, 1..2)]);
        check("a\nb", "a\nb\n", &[(1..2, 1..2)]);
        // A repeated block is new after the one that was there.
        check("a {\n}\n", "a {\n}\nb {\n}\n", &[(2..2, 2..4)]);
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(lines(b"a\nb").collect::<Vec<_>>(), [&b"a\n"[..], b"b"]);
    }
}
