//! Interned names of a file.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::text::composed;

/// Number of a name within its file's [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Atom(pub u32);

/// The 64-bit hash of a name, the same in every file. Two names of one repository collide with a probability below
/// 10^-9, which would cost one wrong edge. Tables keyed by it need no interner that all threads lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameKey(pub u64);

/// Returns the key of `name`.
pub fn name_key(name: &str) -> NameKey {
    NameKey(xxhash_rust::xxh3::xxh3_64(name.as_bytes()))
}

/// Returns the key of the members of this name of any type, on which what a call by name alone means depends.
pub fn member_key(name: NameKey) -> NameKey {
    NameKey(xxhash_rust::xxh3::xxh3_64_with_seed(&name.0.to_le_bytes(), 1))
}

/// The distinct names of a file in order of first use, in one buffer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    pub(super) text: String,
    pub(super) ends: Vec<u32>,
}

impl Names {
    /// Returns the name of an atom.
    pub fn get(&self, atom: Atom) -> &str {
        let index = atom.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// Returns the repository-wide key of an atom.
    pub fn key(&self, atom: Atom) -> NameKey {
        name_key(self.get(atom))
    }

    /// Returns the number of distinct names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns all names in the order of their atoms.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.get(Atom(index as u32)))
    }
}

/// Builds [`Names`]; equal names have equal atoms.
#[derive(Debug, Default)]
pub struct NamesBuilder {
    names: Names,
    atoms: HashMap<String, Atom>,
}

impl From<Names> for NamesBuilder {
    fn from(names: Names) -> NamesBuilder {
        let atoms = (0..).map(Atom).zip(names.iter()).map(|(atom, name)| (name.to_owned(), atom)).collect();
        NamesBuilder { names, atoms }
    }
}

impl NamesBuilder {
    /// Returns the atom of `name`, adding it if it is new. Compilers read the two forms of a letter with an accent as one
    /// name; a path is left as it is on the disk.
    pub fn intern(&mut self, name: &str) -> Atom {
        let composed = if name.contains('/') { Cow::Borrowed(name) } else { composed(name) };
        let name = &*composed;
        if let Some(&atom) = self.atoms.get(name) {
            return atom;
        }
        let atom = Atom(self.names.ends.len() as u32);
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        self.atoms.insert(name.to_owned(), atom);
        atom
    }

    /// Returns the name of an atom.
    pub fn get(&self, atom: Atom) -> &str {
        self.names.get(atom)
    }

    /// Returns the finished table.
    pub fn finish(self) -> Names {
        self.names
    }
}
