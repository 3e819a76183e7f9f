//! Reads one file of a checkout.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path};

use super::decode::decode;
use super::skip::SkipReason;

/// Maximum size of an indexed file, unless the settings have another one.
pub const DEFAULT_MAX_FILE_BYTES: u64 = 1 << 20;
/// Maximum size of an indexed file that can be set, and of every file that is read as text.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The content of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub text: String,
    /// BLAKE3 of the bytes on disk.
    pub hash: [u8; 32],
}

impl Content {
    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// When they are not text.
    pub fn new(bytes: Vec<u8>) -> Result<Content, SkipReason> {
        let hash = *blake3::hash(&bytes).as_bytes();
        decode(bytes).map(|text| Content { text, hash })
    }
}

/// Reads the file at `path`, relative to `root` with forward slashes. Nothing outside `root` is ever opened, whatever
/// `path` is and wherever links point.
///
/// # Errors
/// The reason to skip the file.
pub fn read(root: &Path, path: &str) -> Result<Content, SkipReason> {
    Content::new(read_inside(root, path, MAX_FILE_BYTES)?)
}

/// Reads a file below `root` without following links.
///
/// # Errors
/// The reason why it was not read.
pub fn read_inside(root: &Path, path: &str, max_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    let relative = Path::new(path);
    let mut folder = root.to_path_buf();
    let mut parts = relative.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Err(SkipReason::Unreadable) };
        folder.push(name);
        if parts.peek().is_some() && fs::symlink_metadata(&folder).map_err(|error| reason(&error))?.is_symlink() {
            return Err(SkipReason::Symlink);
        }
    }
    read_small(&folder, max_bytes)
}

/// Reads a regular file of at most `max_bytes`. Links, pipes and devices are refused before they are opened.
///
/// # Errors
/// The reason why it was not read.
pub fn read_small(path: &Path, max_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    let metadata = fs::symlink_metadata(path).map_err(|error| reason(&error))?;
    if metadata.is_symlink() {
        return Err(SkipReason::Symlink);
    }
    if !metadata.is_file() {
        return Err(SkipReason::Special);
    }
    if metadata.len() > max_bytes {
        return Err(SkipReason::TooLarge);
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let file = File::open(path).map_err(|error| reason(&error))?;
    // The limit also applies to a file that grows while it is read.
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > max_bytes {
        return Err(SkipReason::TooLarge);
    }
    Ok(bytes)
}

/// Size in bytes, and time of the last modification in nanoseconds since 1970.
pub type FileStamp = (u64, u128);

/// Returns the stamp of a regular file, without opening it; `None` if there is none.
pub fn stamp(path: &Path) -> Option<FileStamp> {
    let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let time = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((metadata.len(), time.as_nanos()))
}

fn reason(error: &std::io::Error) -> SkipReason {
    match error.kind() {
        ErrorKind::IsADirectory => SkipReason::Special,
        _ => SkipReason::Unreadable,
    }
}
