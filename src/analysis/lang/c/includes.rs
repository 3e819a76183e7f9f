//! Which files have the texts of which others, through includes.

use std::sync::OnceLock;

use crate::model::FileIndex;

/// Limit of the bytes of kept sets. Of Linux, these are the sets of 4,500 headers.
const MAX_KEPT_BYTES: usize = 32 << 20;

/// A set of files: a bit for each. A file can have the text of thousands of others, and each file of a project has such a set.
#[derive(Debug, Default)]
pub(super) struct FileBits(Vec<u64>);

impl FileBits {
    /// Adds a file; returns whether it is new.
    fn insert(&mut self, file: FileIndex) -> bool {
        let (word, bit) = FileBits::place(file);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    fn insert_all(&mut self, other: &FileBits) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Returns whether a file is in the set.
    pub(super) fn contains(&self, file: FileIndex) -> bool {
        let (word, bit) = FileBits::place(file);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Returns the word of a file, and its bit in it.
    fn place(file: FileIndex) -> (usize, u64) {
        const BITS: usize = u64::BITS as usize;
        (file.index() / BITS, 1 << (file.index() % BITS))
    }
}

/// The includes of all files.
///
/// # Why
///
/// Thousands of files include the same headers, and each of these headers hundreds of others. What the most common ones reach
/// is found once.
#[derive(Debug, Default)]
pub(super) struct Includes {
    /// The files that each file includes, by its index; empty for files of other languages.
    of_file: Vec<Vec<FileIndex>>,
    /// Sets of what the files reach that many others include, by index; each is made when it is first needed.
    kept: Vec<Option<OnceLock<FileBits>>>,
}

impl Includes {
    /// Wraps the files that each file includes, by its index.
    pub(super) fn new(of_file: Vec<Vec<FileIndex>>) -> Includes {
        let mut times = vec![0_u32; of_file.len()];
        for file in of_file.iter().flatten() {
            if let Some(times) = times.get_mut(file.index()) {
                *times += 1;
            }
        }
        let mut common: Vec<usize> = (0..of_file.len()).filter(|file| times[*file] > 1).collect();
        common.sort_by_key(|file| std::cmp::Reverse(times[*file]));
        common.truncate(MAX_KEPT_BYTES / of_file.len().div_ceil(8).max(1));
        let mut kept: Vec<Option<OnceLock<FileBits>>> = (0..of_file.len()).map(|_| None).collect();
        common.into_iter().for_each(|file| kept[file] = Some(OnceLock::new()));
        Includes { of_file, kept }
    }

    /// Returns the files that each file includes, by its index.
    pub(super) fn of_files(&self) -> &[Vec<FileIndex>] {
        &self.of_file
    }

    /// Returns the files whose text a file has, itself included.
    pub(super) fn reached(&self, from: FileIndex) -> FileBits {
        self.search(from, |file, kept| kept.get_or_init(|| self.search(file, |_, kept| kept.get())).into())
    }

    /// Returns the files that includes lead to from a file. Where `set_of` has a file's set, that is added instead of following
    /// its includes.
    fn search<'a>(
        &'a self,
        from: FileIndex,
        set_of: impl Fn(FileIndex, &'a OnceLock<FileBits>) -> Option<&'a FileBits>,
    ) -> FileBits {
        let mut reached = FileBits::default();
        reached.insert(from);
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for &included in self.of_file.get(file.index()).into_iter().flatten() {
                if !reached.insert(included) {
                    continue;
                }
                let kept = self.kept.get(included.index()).and_then(Option::as_ref);
                match kept.and_then(|kept| set_of(included, kept)) {
                    Some(set) => reached.insert_all(set),
                    None => open.push(included),
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const FILES: u32 = 150;

    fn reached_plainly(of_file: &[Vec<FileIndex>], from: FileIndex) -> Vec<FileIndex> {
        let mut reached = vec![from];
        let mut at = 0;
        while let Some(file) = reached.get(at) {
            let new: Vec<FileIndex> =
                of_file[file.index()].iter().filter(|file| !reached.contains(file)).copied().collect();
            reached.extend(new);
            at += 1;
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    proptest! {
        #[test]
        fn kept_sets_change_nothing(of_file in vec(vec((0..FILES).prop_map(FileIndex::new), 0..4), FILES as usize)) {
            let includes = Includes::new(of_file.clone());
            for file in (0..FILES).map(FileIndex::new) {
                let reached = includes.reached(file);
                let found: Vec<FileIndex> = (0..FILES).map(FileIndex::new).filter(|file| reached.contains(*file)).collect();
                prop_assert_eq!(found, reached_plainly(&of_file, file));
            }
        }
    }
}
