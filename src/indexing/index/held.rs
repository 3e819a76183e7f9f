//! Facts of the files parsed in this run that later steps need again: plain while they are few, packed beyond.
//!
//! # Why
//!
//! Each file's code and texts are needed twice, by resolution and by the writer, a long time after the file was parsed. In
//! memory they take ten times as much as packed. Small repositories need no packing.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::FileId;
use crate::store::{Blob, StoreError, encode};

/// The bytes of source whose facts are kept plain. The facts take about ten times as much.
const MAX_PLAIN_BYTES: u64 = 32 << 20;

/// Decides which files' facts are kept plain: the first ones that were parsed.
#[derive(Default)]
pub(super) struct PlainBudget(AtomicU64);

impl PlainBudget {
    /// Returns whether the facts of a source of this size are kept plain.
    pub(super) fn admits(&self, bytes: u64) -> bool {
        self.0.fetch_add(bytes, Ordering::Relaxed) + bytes <= MAX_PLAIN_BYTES
    }
}

/// A value, plain or packed.
pub(super) enum Held<T> {
    Plain(T),
    Packed(Blob),
}

impl<T: Clone + Serialize + DeserializeOwned> Held<T> {
    /// Holds a value of the file at `path`.
    pub(super) fn new(value: T, path: &str, is_plain: bool) -> Held<T> {
        if is_plain {
            return Held::Plain(value);
        }
        Held::Packed(Blob::new(FileId::NONE, encode(&value), Path::new(path)))
    }

    /// Returns the value as it is stored.
    pub(super) fn encoded(&self) -> Cow<'_, [u8]> {
        match self {
            Held::Plain(value) => Cow::Owned(encode(value)),
            Held::Packed(blob) => Cow::Borrowed(blob.bytes()),
        }
    }

    /// Returns the value.
    ///
    /// # Errors
    /// When what was packed can't be unpacked.
    pub(super) fn get(&self) -> Result<Cow<'_, T>, StoreError> {
        match self {
            Held::Plain(value) => Ok(Cow::Borrowed(value)),
            Held::Packed(blob) => blob.unpack().map(Cow::Owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_values_are_the_same_plain_and_packed() {
        let words: Vec<String> = (0..500).map(|number| format!("word {number}")).collect();
        for is_plain in [true, false] {
            let held = Held::new(words.clone(), "a.py", is_plain);
            assert_eq!(matches!(held, Held::Plain(_)), is_plain);
            assert_eq!(*held.get().unwrap(), words);
        }
        let budget = PlainBudget::default();
        assert!(budget.admits(MAX_PLAIN_BYTES) && !budget.admits(1));
    }
}
