//! The lines of a text by byte.

/// The bytes at which the lines of a text begin, so that looking up many bytes reads the text once.
#[derive(Debug)]
pub struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Reads a text.
    pub fn new(text: &str) -> LineStarts {
        LineStarts(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// Returns the line of a byte, from 1; the last line for a byte behind the text.
    pub fn line(&self, byte: usize) -> u32 {
        self.0.partition_point(|start| *start <= byte) as u32
    }

    /// Returns the number of bytes between the beginning of its line and a byte.
    pub fn column(&self, byte: usize) -> usize {
        byte - self.0[self.line(byte) as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_on_the_line_that_begins_before_it() {
        let starts = LineStarts::new("ab\n\nc\n");
        let places: Vec<(u32, usize)> = (0..7).map(|byte| (starts.line(byte), starts.column(byte))).collect();
        assert_eq!(places, [(1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (3, 1), (4, 0)]);
        assert_eq!((LineStarts::new("").line(0), starts.line(99)), (1, 4));
    }
}
