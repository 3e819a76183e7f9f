//! Walks a checkout for source files and manifests.
//!
//! A walk runs before every query, so no file is opened except `.gitignore`s, executable files without an extension, and
//! git's index if one of the rules matches something to index; its cost is about that of listing the folders. Exclusion by content is left to
//! [`mod@super::read`].

use std::ffi::OsStr;
use std::fs::{DirEntry, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::exclude;
use super::ignored::IgnoreRules;
use super::read::MAX_FILE_BYTES;
use super::skip::{Skip, SkipReason};
use super::tracked::TrackedFiles;
use crate::lang::known::{ExtensionCounts, extension_without_grammar};
use crate::lang::{self, Language};

/// Maximum depth of folders. Real repositories stay below 30; the limit also bounds paths.
pub const MAX_FOLDER_DEPTH: usize = 100;
/// Maximum number of indexed files. The largest open-source repositories have about half as many.
pub const MAX_FILES: usize = 500_000;

/// A source file found by the walk.
#[derive(Clone)]
pub struct DiscoveredFile {
    /// Path relative to the root, with forward slashes.
    pub path: String,
    pub language: &'static Language,
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970: the later of modification and, on Unix, status change, so
    /// that a file replaced under an old date counts as changed. A file whose size and time are those of the last run
    /// need not be read, unless that run began within [`RACY_NS`] after this time.
    pub mtime_ns: i64,
}

/// Resolution of file system clocks: a file can change twice in this time with the same time stamp.
pub const RACY_NS: i64 = 20_000_000;

/// A manifest found by the walk; [`super::manifest`] reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiscoveredManifest {
    pub path: String,
}

/// The result of a walk. Every list is sorted by path.
#[derive(Default)]
pub struct Discovery {
    pub files: Vec<DiscoveredFile>,
    pub manifests: Vec<DiscoveredManifest>,
    pub skips: Vec<Skip>,
    /// Source files of languages that are not supported.
    pub without_grammar: ExtensionCounts,
}

/// Walks the checkout at `root`. Hidden files are excluded, and ignored ones that git does not track; links are not
/// followed.
///
/// Never fails: a folder that cannot be listed is a skip.
pub fn discover(root: &Path) -> Discovery {
    let mut result = Discovery::default();
    let tracked = TrackedFiles::new(root);
    let mut level = vec![Folder::root(root)];
    for _depth in 0..MAX_FOLDER_DEPTH {
        let listings: Vec<Listing> = level.par_iter().map(|folder| list_folder(folder, &tracked)).collect();
        level = Vec::new();
        for listing in listings {
            result.files.extend(listing.discovery.files);
            result.manifests.extend(listing.discovery.manifests);
            result.skips.extend(listing.discovery.skips);
            for (extension, count) in listing.discovery.without_grammar {
                *result.without_grammar.entry(extension).or_insert(0) += count;
            }
            level.extend(listing.folders);
        }
        if level.is_empty() {
            break;
        }
    }
    result.skips.extend(level.into_iter().map(|folder| skip(folder.relative, SkipReason::TooDeep)));
    result.files.sort_unstable_by(|one, two| one.path.cmp(&two.path));
    let surplus = result.files.split_off(result.files.len().min(MAX_FILES));
    result.skips.extend(surplus.into_iter().map(|file| skip(file.path, SkipReason::TooMany)));
    result.manifests.sort_unstable();
    result.skips.sort_unstable();
    result
}

/// Returns whether the folder `root` has more than `limit` entries that a walk would consider: not hidden, not ignored,
/// not vendored. Stops at the limit.
pub fn has_more_entries(root: &Path, limit: usize) -> bool {
    let tracked = TrackedFiles::new(root);
    let mut level = vec![Folder::root(root)];
    let mut entries = 0;
    for _depth in 0..MAX_FOLDER_DEPTH {
        for folder in std::mem::take(&mut level) {
            let listing = list_folder(&folder, &tracked);
            entries += listing.entries;
            if entries > limit {
                return true;
            }
            level.extend(listing.folders);
        }
    }
    false
}

/// Checks that the root can be listed. A walk of an unreadable root would look like an empty checkout.
///
/// # Errors
/// When it cannot be listed.
pub fn check_root(root: &Path) -> std::io::Result<()> {
    std::fs::read_dir(root)?.try_for_each(|entry| entry.map(drop))
}

struct Folder {
    absolute: PathBuf,
    /// Ends with a slash, except for the root, which is empty.
    relative: String,
    rules: IgnoreRules,
    /// Whether it or a folder around it is ignored, so that only tracked files in it count.
    is_ignored: bool,
}

impl Folder {
    fn root(root: &Path) -> Folder {
        let (absolute, rules) = (root.to_path_buf(), IgnoreRules::default());
        Folder { absolute, relative: String::new(), rules, is_ignored: false }
    }
}

#[derive(Default)]
struct Listing {
    /// Number of entries that are not hidden.
    entries: usize,
    discovery: Discovery,
    folders: Vec<Folder>,
}

fn skip(path: String, reason: SkipReason) -> Skip {
    Skip { path, reason }
}

/// Lists the entries of one folder.
fn list_folder(folder: &Folder, tracked: &TrackedFiles<'_>) -> Listing {
    let mut listing = Listing::default();
    let entries = match std::fs::read_dir(&folder.absolute) {
        Ok(entries) => entries,
        Err(_) => {
            listing.discovery.skips.push(skip(folder.relative.clone(), SkipReason::Unreadable));
            return listing;
        }
    };
    let mut visible = Vec::new();
    let mut has_rules = false;
    for entry in entries {
        let Ok(entry) = entry else {
            listing.discovery.skips.push(skip(folder.relative.clone(), SkipReason::Unreadable));
            break;
        };
        let name = entry.file_name();
        if name == ".gitignore" {
            has_rules = entry.file_type().is_ok_and(|kind| kind.is_file());
        } else if !name.as_encoded_bytes().starts_with(b".") {
            visible.push((name, entry));
        }
    }
    let rules = match has_rules.then(|| folder.rules.within(&folder.absolute)) {
        Some(Ok(rules)) => rules,
        Some(Err(reason)) => {
            listing.discovery.skips.push(skip(format!("{}.gitignore", folder.relative), reason));
            folder.rules.clone()
        }
        None => folder.rules.clone(),
    };
    listing.entries = visible.len();
    for (name, entry) in visible {
        classify_entry(folder, &rules, tracked, (&name, &entry), &mut listing);
    }
    listing
}

/// Adds one entry to the listing.
fn classify_entry(
    folder: &Folder,
    rules: &IgnoreRules,
    tracked: &TrackedFiles<'_>,
    (name, entry): (&OsStr, &DirEntry),
    listing: &mut Listing,
) {
    let skips = &mut listing.discovery.skips;
    let Ok(kind) = entry.file_type() else {
        skips.push(skip(format!("{}{}", folder.relative, name.to_string_lossy()), SkipReason::Unreadable));
        return;
    };
    let is_folder = kind.is_dir();
    let Some(text) = name.to_str() else {
        let path = format!("{}{}", folder.relative, name.to_string_lossy());
        if is_folder || lang::language_of(&path).is_some() {
            skips.push(skip(path, SkipReason::PathNotUtf8));
        }
        return;
    };
    // Most files are not source; they are skipped before anything else is done.
    let mut language = lang::language_of(text);
    let is_manifest = lang::manifest::is_manifest(text);
    let without_grammar = extension_without_grammar(text).filter(|_| kind.is_file());
    let is_shared = lang::has_shared_extension(text);
    if kind.is_file() && language.is_none() && !is_manifest && (is_shared || !text.contains('.')) {
        language = language_of_script(entry, !is_shared);
    }
    if !(is_folder || language.is_some() || is_manifest || kind.is_symlink() || without_grammar.is_some()) {
        return;
    }
    let absolute = folder.absolute.join(text);
    let is_ignored = folder.is_ignored || rules.ignore(&absolute, is_folder);
    let path = format!("{}{text}", folder.relative);
    if is_folder {
        let relative = path + "/";
        if exclude::is_vendored_folder(text) || is_environment(&absolute, text) {
            if !is_ignored {
                skips.push(skip(relative, SkipReason::Vendored));
            }
        } else if !is_ignored || tracked.has_folder(&relative) {
            listing.folders.push(Folder { absolute, relative, rules: rules.clone(), is_ignored });
        }
    } else if is_ignored && !tracked.has_file(&path) {
        // Neither read nor reported.
    } else if kind.is_symlink() {
        skips.push(skip(path, SkipReason::Symlink));
    } else if !kind.is_file() {
        skips.push(skip(path, SkipReason::Special));
    } else if let Some(extension) = without_grammar.filter(|_| !is_manifest) {
        *listing.discovery.without_grammar.entry(extension.to_owned()).or_insert(0) += 1;
    } else {
        classify_file(path, text, language, is_manifest, entry, &mut listing.discovery);
    }
}

fn classify_file(
    path: String,
    name: &str,
    language: Option<&'static Language>,
    is_manifest: bool,
    entry: &DirEntry,
    discovery: &mut Discovery,
) {
    if let Some(Err(reason)) = language.map(|language| exclude::by_name(name, language)) {
        discovery.skips.push(skip(path, reason));
        return;
    }
    let Ok(metadata) = entry.metadata() else {
        discovery.skips.push(skip(path, SkipReason::Unreadable));
        return;
    };
    let (size, mtime_ns) = (metadata.len(), last_change_ns(&metadata));
    if is_manifest {
        discovery.manifests.push(DiscoveredManifest { path: path.clone() });
    }
    let Some(language) = language else { return };
    if size > MAX_FILE_BYTES {
        discovery.skips.push(skip(path, SkipReason::TooLarge));
    } else {
        discovery.files.push(DiscoveredFile { path, language, size, mtime_ns });
    }
}

/// Maximum number of bytes that are read of a script's first line.
const MAX_HEAD_BYTES: u64 = 128;

/// Returns the language of a file by its first line; with `is_run` only if it is executable.
fn language_of_script(entry: &DirEntry, is_run: bool) -> Option<&'static Language> {
    entry.metadata().ok().filter(|metadata| !is_run || is_executable(metadata))?;
    let mut head = Vec::new();
    std::fs::File::open(entry.path()).ok()?.take(MAX_HEAD_BYTES).read_to_end(&mut head).ok()?;
    lang::language_of_script(&String::from_utf8_lossy(&head))
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata) -> bool {
    true
}

/// Returns whether a folder is an environment or a build folder of a language, by its name and marker file.
fn is_environment(folder: &Path, name: &str) -> bool {
    let mut marked = lang::LANGUAGES.iter().flat_map(|language| language.exclusions.marked_folders);
    marked.any(|(names, marker)| names.contains(&name) && folder.join(marker).is_file())
}

#[cfg(unix)]
fn last_change_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    let modified = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
    let status = metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
    modified.max(status)
}

#[cfg(not(unix))]
fn last_change_ns(metadata: &Metadata) -> i64 {
    let modified = metadata.modified().ok();
    let elapsed = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    elapsed.map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
