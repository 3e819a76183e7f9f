//! Files of the base that the working tree no longer has.

use std::fs;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::entry::Flags;

use super::{ChangesError, MAX_REMOVED_BYTES, is_binary, text_of, with_line_feeds};
use crate::lang;
use crate::scan::git::{Git, GitError, MAX_OBJECT_BYTES};

/// Limit of the entries of trees that are read: a few tree objects can contain each other many times.
const MAX_ENTRIES: usize = 200_000;

/// A file of the base that the working tree does not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletedFile {
    pub path: String,
    /// Its text in the base; empty if it was no code, or the limit of the texts is reached.
    pub text: String,
}

/// A deleted file and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeletedBlob {
    pub path: String,
    pub blob: ObjectId,
}

/// Returns the files of a tree that the working tree does not have, sorted by path, and whether the tree has so many entries
/// that the others were not read.
pub(super) fn deleted_blobs(git: &Git, root: &Path, tree: ObjectId) -> Result<(Vec<DeletedBlob>, bool), ChangesError> {
    let outside = OutsideSparse::of(git);
    let (mut deleted, mut left, mut is_cut) = (Vec::new(), MAX_ENTRIES, false);
    let mut folders = vec![(String::new(), PathBuf::new(), tree)];
    'folders: while let Some((folder, on_disk, tree)) = folders.pop() {
        // A tree that is too large to be read is not one of a real repository.
        let Some(tree) = git.tree(tree)? else { continue };
        for entry in tree.iter() {
            let entry = entry.map_err(GitError::from)?;
            let Some(rest) = left.checked_sub(1) else {
                is_cut = true;
                break 'folders;
            };
            left = rest;
            let path = format!("{folder}{}", String::from_utf8_lossy(entry.filename()));
            let on_disk = on_disk.join(entry.filename().to_path_lossy());
            match entry.mode() {
                mode if mode.is_tree() => folders.push((format!("{path}/"), on_disk, entry.object_id())),
                mode if mode.is_commit() => {}
                _ if fs::symlink_metadata(root.join(&on_disk)).is_err() && !outside.has(&path) => {
                    deleted.push(DeletedBlob { path, blob: entry.object_id() });
                }
                _ => {}
            }
        }
    }
    deleted.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((deleted, is_cut))
}

/// The tracked files that a sparse checkout leaves out: they are absent, and not deleted.
pub(super) struct OutsideSparse {
    index: Option<gix::index::File>,
    /// Folders of which the index has only the tree, each with a slash at its end.
    folders: Vec<String>,
}

impl OutsideSparse {
    pub(super) fn of(git: &Git) -> OutsideSparse {
        let index = git.repository.open_index().ok();
        let mut folders = Vec::new();
        if let Some(index) = &index {
            let sparse = index.entries().iter().filter(|entry| entry.mode.is_sparse());
            folders.extend(sparse.map(|entry| entry.path(index).to_str_lossy().into_owned()));
        }
        OutsideSparse { index, folders }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        let entry = self.index.as_ref().and_then(|index| index.entry_by_path(path.as_bytes().as_bstr()));
        entry.is_some_and(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))
            || self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// Returns deleted files with their texts, as far as the limit of the texts allows. A partial clone may lack some.
pub(super) fn texts(git: &Git, deleted: Vec<DeletedBlob>) -> Result<Vec<DeletedFile>, GitError> {
    let mut left = MAX_REMOVED_BYTES;
    let mut files = Vec::with_capacity(deleted.len());
    for DeletedBlob { path, blob } in deleted {
        let is_read = lang::language_of(&path).is_some() && left > 0;
        let bytes = if is_read { git.present_blob(blob, MAX_OBJECT_BYTES.min(left as u64))? } else { None };
        let bytes = bytes.filter(|bytes| !is_binary(bytes)).map(|bytes| with_line_feeds(text_of(bytes)));
        let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
        left = left.saturating_sub(text.len());
        files.push(DeletedFile { path, text });
    }
    Ok(files)
}
