//! Reads references in the format reftable (`Documentation/technical/reftable` of git): tables of sorted records, of which
//! the later ones win. Every reference is read, in blocks from first to last; indexes and logs are left out.

use std::collections::BTreeMap;
use std::path::Path;

use gix::ObjectId;

use super::references::{References, Target};
use super::{GitError, common_folder};
use crate::scan::read::read_small;

/// Maximum size of the list of tables.
const MAX_LIST_BYTES: u64 = 1 << 20;
/// Maximum size of a table. One with a million references has about 60 MB.
const MAX_TABLE_BYTES: u64 = 128 << 20;
/// Bytes before the records of a block: its kind and its length.
const BLOCK_HEADER: usize = 4;

/// Reads the references that worktrees share, then those of the worktree itself.
pub(super) fn read(git_folder: &Path) -> Result<References, GitError> {
    let common = common_folder(git_folder);
    let mut all = BTreeMap::new();
    read_stack(&common.join("reftable"), &mut all)?;
    if common != git_folder {
        // `HEAD` and what bisecting needs.
        all.retain(|name, _| name.starts_with("refs/"));
        read_stack(&git_folder.join("reftable"), &mut all)?;
    }
    Ok(References::Tables(all))
}

/// Adds the references of the tables in a folder, the oldest first.
fn read_stack(folder: &Path, all: &mut BTreeMap<String, Target>) -> Result<(), GitError> {
    let failed = |name: &str, reason: &'static str| {
        Err(GitError::Table { path: folder.join(name).display().to_string(), reason })
    };
    let list = match read_small(&folder.join("tables.list"), MAX_LIST_BYTES) {
        Ok(list) => list,
        Err(reason) => return failed("tables.list", reason.name()),
    };
    let list = String::from_utf8_lossy(&list);
    for name in list.lines().filter(|name| !name.is_empty()) {
        if name.contains(['/', '\\']) {
            return failed("tables.list", "a table is in another folder");
        }
        match read_small(&folder.join(name), MAX_TABLE_BYTES) {
            Ok(table) if read_table(&table, all).is_some() => {}
            Ok(_) => return failed(name, "it is damaged"),
            Err(reason) => return failed(name, reason.name()),
        }
    }
    Ok(())
}

/// Adds the references of one table; `None` if it is damaged.
pub(super) fn read_table(table: &[u8], all: &mut BTreeMap<String, Target>) -> Option<()> {
    if table.get(..4)? != b"REFT" {
        return None;
    }
    let (header, footer, hash_bytes) = match (table.get(4)?, table.get(24..28)) {
        (1, _) => (24, 68, 20),
        (2, Some(b"sha1")) => (28, 72, 20),
        (2, Some(b"s256")) => (28, 72, 32),
        _ => return None,
    };
    let block_size = number(table, 5, 3)?;
    let blocks = table.get(..table.len().checked_sub(footer)?)?;
    let mut start = 0;
    loop {
        // The first block begins with the header of the table.
        let records = if start == 0 { header } else { start };
        if blocks.get(records) != Some(&b'r') {
            return Some(());
        }
        let end = start + number(blocks, records + 1, 3)?;
        let restarts = number(blocks, end.checked_sub(2)?, 2)?;
        let last = end.checked_sub(2 + 3 * restarts)?;
        read_block(blocks.get(records + BLOCK_HEADER..last)?, hash_bytes, all)?;
        let next = start + block_size;
        // The last block can be shorter than the others.
        let is_padded = block_size > 0 && blocks.get(end).is_none_or(|byte| *byte == 0);
        start = if is_padded && next > start { next.max(end) } else { end };
    }
}

/// Adds the references of one block.
fn read_block(mut rest: &[u8], hash_bytes: usize, all: &mut BTreeMap<String, Target>) -> Option<()> {
    let mut name: Vec<u8> = Vec::new();
    while !rest.is_empty() {
        let kept = varint(&mut rest)?;
        let length = varint(&mut rest)?;
        name.truncate(usize::try_from(kept).ok().filter(|kept| *kept <= name.len())?);
        name.extend_from_slice(take(&mut rest, length >> 3)?);
        let _update = varint(&mut rest)?;
        let target = match length & 7 {
            0 => None,
            kind @ (1 | 2) => {
                let id = ObjectId::try_from(take(&mut rest, hash_bytes as u64)?).ok()?;
                if kind == 2 {
                    // The commit of an annotated tag.
                    take(&mut rest, hash_bytes as u64)?;
                }
                Some(Target::Object(id))
            }
            3 => {
                let length = varint(&mut rest)?;
                Some(Target::Name(String::from_utf8_lossy(take(&mut rest, length)?).into_owned()))
            }
            _ => return None,
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        match target {
            Some(target) => all.insert(name, target),
            None => all.remove(&name),
        };
    }
    Some(())
}

fn take<'a>(rest: &mut &'a [u8], length: u64) -> Option<&'a [u8]> {
    let (taken, others) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = others;
    Some(taken)
}

/// Reads a number in the variable length that packs use for the distance to a base.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    loop {
        let byte = take(rest, 1)?[0];
        value = value.checked_mul(128)?.checked_add(u64::from(byte & 127))?;
        if byte < 128 {
            return Some(value);
        }
        value = value.checked_add(1)?;
    }
}

/// Reads a number of `length` bytes, the highest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().fold(0, |value, byte| value << 8 | usize::from(*byte)))
}
