//! Whole numbers in few bytes: seven bits a byte, least significant first, the high bit set where more follow.

/// Why bytes can't be read.
pub(super) const CUT_SHORT: &str = "packed rows that end in the middle of one";

/// Appends `value`.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends the way from `before` to `value`: small numbers for near ones on either side.
pub(super) fn put_step(bytes: &mut Vec<u8>, before: u32, value: u32) {
    let step = value.wrapping_sub(before) as i32;
    put(bytes, ((step << 1) ^ (step >> 31)) as u32);
}

/// Reads packed numbers from front to back.
pub(super) struct Numbers<'a> {
    rest: &'a [u8],
}

impl<'a> Numbers<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Numbers<'a> {
        Numbers { rest: bytes }
    }

    /// True when nothing is left.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte as it is.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, &'static str> {
        let (&first, rest) = self.rest.split_first().ok_or(CUT_SHORT)?;
        self.rest = rest;
        Ok(first)
    }

    /// The next `N` bytes as they are.
    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let (&first, rest) = self.rest.split_first_chunk().ok_or(CUT_SHORT)?;
        self.rest = rest;
        Ok(first)
    }

    /// What [`put`] wrote.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u32, &'static str> {
        // Most numbers are short, and a million of them are read before a task is answered.
        match *self.rest {
            [first, ref rest @ ..] if first < 0x80 => {
                self.rest = rest;
                Ok(u32::from(first))
            }
            [first, second, ref rest @ ..] if second < 0x80 => {
                self.rest = rest;
                Ok(u32::from(first & 0x7f) | u32::from(second) << 7)
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u32, &'static str> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a packed number without end")
    }

    /// What [`put_step`] wrote.
    #[inline]
    pub(super) fn step(&mut self, before: u32) -> Result<u32, &'static str> {
        let folded = self.number()?;
        Ok(before.wrapping_add((folded >> 1) ^ (folded & 1).wrapping_neg()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values = [0, 1, 127, 128, 300, 65_535, 1 << 28, u32::MAX];
        let mut bytes = Vec::new();
        let mut before = 7;
        for value in values {
            put(&mut bytes, value);
            put_step(&mut bytes, before, value);
            before = value;
        }
        let mut numbers = Numbers::new(&bytes);
        let mut before = 7;
        for value in values {
            assert_eq!((numbers.number(), numbers.step(before)), (Ok(value), Ok(value)));
            before = value;
        }
        assert!(numbers.is_empty() && numbers.number().is_err());
        assert!(Numbers::new(&[0xff; 9]).number().is_err());
    }
}
