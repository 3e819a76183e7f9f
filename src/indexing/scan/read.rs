//! Reads one file of a checkout.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
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

/// Returns the size of a file below `root` in bytes; `None` if there is none.
pub fn file_size(root: &Path, path: &str) -> Option<u64> {
    fs::symlink_metadata(root.join(path)).ok().map(|found| found.len())
}

/// Reads a text below `root` that says how others are read: a manifest, settings, rules. It has no byte order mark, with
/// which editors on Windows begin a file: it is part of no rule and no key.
///
/// # Errors
/// The reason why it was not read.
pub fn read_text_inside(root: &Path, path: &str, max_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    read_inside(root, path, max_bytes).map(without_mark)
}

/// Reads such a text from anywhere; see [`read_text_inside`] and [`read_small`].
///
/// # Errors
/// The reason why it was not read.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    read_small(path, max_bytes).map(without_mark)
}

fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let length = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    bytes.drain(..length);
    bytes
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
    let file = open_unblocked(path, OpenOptions::new().read(true)).map_err(|error| reason(&error))?;
    // The limit also applies to a file that grows while it is read.
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > max_bytes {
        return Err(SkipReason::TooLarge);
    }
    Ok(bytes)
}

/// Opens a regular file in a folder that others can write. Links, pipes, devices and sockets are refused before they are
/// opened; one that takes the file's place in between is neither followed nor waited for.
///
/// # Errors
/// Those of opening; [`ErrorKind::InvalidInput`] if it is not a regular file.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(not_regular()),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        // A missing file may be created.
        _ => open_unblocked(path, options),
    }
}

fn open_unblocked(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")
}

fn reason(error: &std::io::Error) -> SkipReason {
    match error.kind() {
        ErrorKind::IsADirectory | ErrorKind::InvalidInput => SkipReason::Special,
        _ => SkipReason::Unreadable,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_no_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        for (written, expected) in [("\u{feff}build/\n", "build/\n"), ("out/\n", "out/\n"), ("\u{feff}", ""), ("", "")]
        {
            fs::write(folder.path().join("rules"), written).unwrap();
            assert_eq!(read_text(&folder.path().join("rules"), 20).unwrap(), expected.as_bytes());
            assert_eq!(read_text_inside(folder.path(), "rules", 20).unwrap(), expected.as_bytes());
            assert_eq!(read_inside(folder.path(), "rules", 20).unwrap(), written.as_bytes());
        }
    }

    #[test]
    fn special_files_are_neither_opened_nor_waited_for() {
        use rustix::fs::{CWD, Mode, mkfifoat};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        mkfifoat(CWD, path("pipe"), Mode::from_raw_mode(0o600)).unwrap();
        fs::create_dir(path("folder")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("link")).unwrap();
        let kind = |error: io::Error| error.kind();
        for name in ["pipe", "folder", "socket", "link"] {
            for options in [OpenOptions::new().read(true), OpenOptions::new().create(true).write(true)] {
                assert_eq!(open_regular(&path(name), options).map_err(kind).unwrap_err(), ErrorKind::InvalidInput);
            }
        }
        // One that takes the place of a file after the check.
        for name in ["pipe", "folder"] {
            let opened = open_unblocked(&path(name), OpenOptions::new().read(true));
            assert_eq!(opened.map_err(kind).unwrap_err(), ErrorKind::InvalidInput);
        }
        assert!(open_unblocked(&path("link"), OpenOptions::new().read(true)).is_err());
        assert_eq!(read_small(&path("pipe"), 10), Err(SkipReason::Special));
        fs::write(path("file"), "text").unwrap();
        assert_eq!(read_small(&path("file"), 10).unwrap(), b"text");
        assert!(open_regular(&path("new"), OpenOptions::new().create(true).write(true)).is_ok());
    }
}
