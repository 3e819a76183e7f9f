//! The names of one file, each stored once.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// Number of a name within its file's [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Atom(pub u32);

/// A name as every file writes it: its 64-bit hash. Two different names of one repository share a key with a
/// probability below 10^-9, and then only an edge would be wrong, so tables need no interner that all threads lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameKey(pub u64);

/// The key of `name`.
pub fn name_key(name: &str) -> NameKey {
    NameKey(xxhash_rust::xxh3::xxh3_64(name.as_bytes()))
}

/// The distinct names of a file in order of first use: one buffer, cheap to store and to load.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// The name behind `atom`.
    pub fn get(&self, atom: Atom) -> &str {
        let index = atom.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// The repository-wide key of `atom`.
    pub fn key(&self, atom: Atom) -> NameKey {
        name_key(self.get(atom))
    }

    /// How many distinct names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when the file mentions no name at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Every name, in order of its atom.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.get(Atom(index as u32)))
    }
}

/// Builds [`Names`], giving equal names equal atoms.
#[derive(Debug, Default)]
pub struct NamesBuilder {
    names: Names,
    seen: HashMap<String, Atom>,
}

impl NamesBuilder {
    /// The atom of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> Atom {
        if let Some(&atom) = self.seen.get(name) {
            return atom;
        }
        let atom = Atom(self.names.ends.len() as u32);
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        self.seen.insert(name.to_owned(), atom);
        atom
    }

    /// The name behind `atom`.
    pub fn get(&self, atom: Atom) -> &str {
        self.names.get(atom)
    }

    /// The finished table.
    pub fn finish(self) -> Names {
        self.names
    }
}
