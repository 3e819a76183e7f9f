//! Renamed files: new ones that are like one that is gone.

use std::collections::HashMap;
use std::path::Path;

use gix::ObjectId;

use super::deleted::DeletedBlob;
use super::{is_binary, text_of, with_line_feeds};
use crate::scan::diff;
use crate::scan::git::{self, Git, GitError};
use crate::scan::read::read_inside;
use crate::text::file_name;

/// Limit of the new and of the deleted files that are compared with each other. Those with the same content have none.
const MAX_COMPARED: usize = 100;
/// Limit of a file that is compared with others, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Share of the larger of two files that both have at least, as for git.
const MIN_SIMILARITY: f64 = 0.5;

/// Returns which of the new files of the working tree were renamed: the index of each among the new ones, with the deleted file
/// that it was, which is no longer among the deleted ones.
pub(super) fn renames(
    git: &Git,
    root: &Path,
    new: &[&str],
    deleted: &mut Vec<DeletedBlob>,
) -> Result<Vec<(usize, DeletedBlob)>, GitError> {
    let content =
        |index: usize| -> Result<Option<Vec<u8>>, GitError> { Ok(read_inside(root, new[index], MAX_BYTES).ok()) };
    let id = |index: usize| -> Result<Option<ObjectId>, GitError> {
        content(index)?.map(|content| git::hash(&git.repository, &content)).transpose()
    };
    matched(git, new, &id, &content, deleted)
}

/// Returns which new files were renamed, as [`renames`] does, with the content of the new ones from `content`.
pub(super) fn matched(
    git: &Git,
    new: &[&str],
    id: &dyn Fn(usize) -> Result<Option<ObjectId>, GitError>,
    content: &dyn Fn(usize) -> Result<Option<Vec<u8>>, GitError>,
    deleted: &mut Vec<DeletedBlob>,
) -> Result<Vec<(usize, DeletedBlob)>, GitError> {
    if new.is_empty() || deleted.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut by_blob: HashMap<ObjectId, Vec<usize>> = HashMap::new();
    // An empty file is like every other empty one.
    let empty = ObjectId::empty_blob(git.repository.object_hash());
    for (index, DeletedBlob { blob, .. }) in deleted.iter().enumerate().filter(|(_, one)| one.blob != empty) {
        by_blob.entry(*blob).or_default().push(index);
    }
    let mut others = Vec::new();
    for (index, path) in new.iter().enumerate() {
        let same = id(index)?.and_then(|id| by_blob.get_mut(&id)).filter(|same| !same.is_empty());
        match same {
            Some(same) => {
                let is_namesake = |old: &usize| file_name(&deleted[*old].path) == file_name(path);
                let at = same.iter().position(is_namesake).unwrap_or_default();
                found.push((index, same.remove(at)));
            }
            None => others.push(index),
        }
    }
    let is_taken: Vec<bool> = {
        let mut taken = vec![false; deleted.len()];
        found.iter().for_each(|(_, old)| taken[*old] = true);
        taken
    };
    let old: Vec<usize> = (0..deleted.len()).filter(|index| !is_taken[*index]).collect();
    found.extend(similar(git, new, &others, content, deleted, &old)?);
    let mut by_old: HashMap<usize, usize> = found.into_iter().map(|(new, old)| (old, new)).collect();
    let (mut renamed, mut left) = (Vec::new(), Vec::new());
    for (index, one) in std::mem::take(deleted).into_iter().enumerate() {
        match by_old.remove(&index) {
            Some(new) => renamed.push((new, one)),
            None => left.push(one),
        }
    }
    *deleted = left;
    renamed.sort_by_key(|(new, _)| *new);
    Ok(renamed)
}

/// Returns the pairs of new and deleted files of one kind that have most of their lines in common, each file once.
fn similar(
    git: &Git,
    new: &[&str],
    others: &[usize],
    content: &dyn Fn(usize) -> Result<Option<Vec<u8>>, GitError>,
    deleted: &[DeletedBlob],
    old: &[usize],
) -> Result<Vec<(usize, usize)>, GitError> {
    if others.len() > MAX_COMPARED || old.len() > MAX_COMPARED {
        return Ok(Vec::new());
    }
    let mut before = Vec::new();
    for index in old {
        before.extend(
            git.present_blob(deleted[*index].blob, MAX_BYTES)?.and_then(Lines::of).map(|lines| (*index, lines)),
        );
    }
    let mut pairs: Vec<(f64, bool, usize, usize)> = Vec::new();
    for index in others {
        let Some(after) = content(*index)?.and_then(Lines::of) else { continue };
        let name = file_name(new[*index]);
        for (old, lines) in &before {
            let old_name = file_name(&deleted[*old].path);
            let similarity = if extension(name) == extension(old_name) { after.similarity(lines) } else { 0.0 };
            if similarity >= MIN_SIMILARITY {
                pairs.push((similarity, name == old_name, *index, *old));
            }
        }
    }
    pairs.sort_by(|one, other| {
        other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)).then((one.2, one.3).cmp(&(other.2, other.3)))
    });
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (.., new, old) in pairs {
        if found.iter().all(|(known, other)| *known != new && *other != old) {
            found.push((new, old));
        }
    }
    Ok(found)
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The lines of a text by their hash, sorted, and its size.
struct Lines {
    lines: Vec<(blake3::Hash, usize)>,
    bytes: usize,
}

impl Lines {
    /// Returns the lines of a text; `None` for a binary or empty one.
    fn of(content: Vec<u8>) -> Option<Lines> {
        let text = with_line_feeds(text_of(content));
        if is_binary(&text) || text.is_empty() {
            return None;
        }
        let mut lines: Vec<_> = diff::lines(&text).map(|line| (blake3::hash(line), line.len())).collect();
        lines.sort_by_key(|(hash, _)| *hash.as_bytes());
        Some(Lines { lines, bytes: text.len() })
    }

    /// Returns the share of the larger text that both have.
    fn similarity(&self, other: &Lines) -> f64 {
        let (mut one, mut two, mut common) = (self.lines.iter().peekable(), other.lines.iter().peekable(), 0);
        while let (Some((first, bytes)), Some((second, _))) = (one.peek(), two.peek()) {
            match first.as_bytes().cmp(second.as_bytes()) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(two.next()),
                std::cmp::Ordering::Equal => {
                    common += bytes;
                    one.next();
                    two.next();
                }
            }
        }
        common as f64 / self.bytes.max(other.bytes) as f64
    }
}
