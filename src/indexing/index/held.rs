//! Facts of files that later steps need again: plain while they are few, packed beyond.
//!
//! # Why
//!
//! The facts of each file are needed several times, by resolution, derivation and the writer, a long time after the file was
//! parsed or loaded. In memory they take five to ten times as much as packed. Small repositories need no packing.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::FileId;
use crate::store::{Blob, StoreError, encode};

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
    }
}
