//! LEB128 varints: seven bits a byte, least significant first, the high bit set on all but the last byte.

use super::error::DecodeError;

/// Appends `value`.
pub(super) fn write_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends the difference of `value` and `before`, zigzag-encoded so that small differences of either sign are short.
pub(super) fn write_delta(bytes: &mut Vec<u8>, before: u32, value: u32) {
    let step = value.wrapping_sub(before) as i32;
    write_varint(bytes, ((step << 1) ^ (step >> 31)) as u32);
}

/// Decodes varints from front to back.
pub(super) struct VarintReader<'a> {
    rest: &'a [u8],
}

impl<'a> VarintReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> VarintReader<'a> {
        VarintReader { rest: bytes }
    }

    /// Returns whether all bytes were read.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns what was not read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads this many raw bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a raw byte.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        let (&first, rest) = self.rest.split_first().ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(first)
    }

    /// Reads `N` raw bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (&first, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(first)
    }

    /// Reads a value written by [`write_varint`].
    #[inline]
    pub(super) fn varint(&mut self) -> Result<u32, DecodeError> {
        // Fast paths: most varints take one or two bytes, and a million of them are read before a task is answered.
        match *self.rest {
            [first, ref rest @ ..] if first < 0x80 => {
                self.rest = rest;
                Ok(u32::from(first))
            }
            [first, second, ref rest @ ..] if second < 0x80 => {
                self.rest = rest;
                Ok(u32::from(first & 0x7f) | u32::from(second) << 7)
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u32, DecodeError> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DecodeError::LongVarint)
    }

    /// Reads a value written by [`write_delta`].
    #[inline]
    pub(super) fn delta(&mut self, before: u32) -> Result<u32, DecodeError> {
        let folded = self.varint()?;
        Ok(before.wrapping_add((folded >> 1) ^ (folded & 1).wrapping_neg()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_and_deltas_round_trip() {
        let values = [0, 1, 127, 128, 300, 65_535, 1 << 28, u32::MAX];
        let mut bytes = Vec::new();
        let mut before = 7;
        for value in values {
            write_varint(&mut bytes, value);
            write_delta(&mut bytes, before, value);
            before = value;
        }
        let mut reader = VarintReader::new(&bytes);
        let mut before = 7;
        for value in values {
            assert_eq!((reader.varint(), reader.delta(before)), (Ok(value), Ok(value)));
            before = value;
        }
        assert!(reader.is_empty() && reader.varint().is_err());
        assert!(VarintReader::new(&[0xff; 9]).varint().is_err());
    }
}
