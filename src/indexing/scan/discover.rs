//! Walks a checkout for source files and manifests.
//!
//! A walk runs before every query, so no file is opened except those with ignore rules, the settings, executable files
//! without an extension, and git's index if one of the rules matches something to index; its cost is about that of
//! listing the folders. Exclusion by content is left to [`exclude::by_content`].

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::exclude;
use super::ignored::{IGNORE_FILES, IgnoreRules, Ignored};
use super::read::MAX_FILE_BYTES;
use super::repository::{Copies, git_folder};
use super::settings::{Settings, Verdict};
use super::skip::{Omission, Rule, Skip, SkipReason};
use super::stamps::{Stamp, is_executable};
use super::tracked::TrackedFiles;
use crate::documents::is_document;
use crate::documents::notebook::is_notebook;
use crate::lang::installed::is_vendored;
use crate::lang::known::{ExtensionCounts, extension_without_grammar};
use crate::lang::{self, Language};
use crate::text::file_name;

/// Maximum depth of folders. Real repositories stay below 30; the limit also bounds paths.
pub const MAX_FOLDER_DEPTH: usize = 100;
/// Maximum number of indexed files. The largest open-source repositories have about half as many.
pub const MAX_FILES: usize = 500_000;
/// The factor by which notebooks may be larger than other files.
const RESULTS_OF_NOTEBOOKS: u64 = 16;
/// Maximum number of documents that are read.
const MAX_DOCUMENTS: usize = 50_000;

/// A source file found by the walk.
#[derive(Clone)]
pub struct DiscoveredFile {
    /// Path relative to the root, with forward slashes.
    pub path: String,
    pub language: &'static Language,
    pub size: u64,
    /// Time of the last change, see [`Stamp::time_ns`]. A file is not read again if its size and this time are those of the last
    /// run, unless that run began within [`RACY_NS`] after this time.
    pub mtime_ns: i64,
    /// Whether the settings include it, so that its content does not exclude it.
    pub is_included: bool,
}

/// A document found by the walk, as a source file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveredDocument {
    pub path: String,
    pub size: u64,
    pub mtime_ns: i64,
}

impl DiscoveredFile {
    /// Returns its size and time.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp { size: self.size, time_ns: self.mtime_ns }
    }
}

impl DiscoveredDocument {
    /// Returns its size and time.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp { size: self.size, time_ns: self.mtime_ns }
    }
}

/// Resolution of file system clocks: a file can change twice in this time with the same time stamp.
pub const RACY_NS: i64 = 20_000_000;

/// A manifest found by the walk; [`super::manifest`] reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiscoveredManifest {
    pub path: String,
}

/// The result of a walk. Every list is sorted by path.
#[derive(Clone, Default)]
pub struct Discovery {
    pub files: Vec<DiscoveredFile>,
    pub documents: Vec<DiscoveredDocument>,
    pub manifests: Vec<DiscoveredManifest>,
    pub skips: Vec<Skip>,
    /// Folders and source files that ignore rules and settings leave out. Those in a folder of the list are not listed.
    pub omissions: Vec<Omission>,
    /// Source files of languages that are not supported.
    pub without_grammar: ExtensionCounts,
    /// Paths of the other files, if they are asked for.
    pub others: Vec<String>,
    /// The settings that applied.
    pub settings: Settings,
    /// The folders and files on which the result depends, besides the files and documents of the lists; in no order. The
    /// paths of folders end with a slash, but for the root's, which is empty.
    pub looked_at: Vec<(String, Option<Stamp>)>,
    /// The stamp of git's index: `None` if the walk did not read it, `Some(None)` if there was no index.
    pub git_index: Option<Option<Stamp>>,
    /// Whether a folder is, or may become, a worktree of a repository whose state is elsewhere.
    pub has_worktrees: bool,
}

impl Discovery {
    /// Returns the versions of the languages of the user's settings that files have; empty without any.
    pub fn own_languages(&self) -> String {
        lang::own::versions(self.files.iter().map(|file| file.language))
    }
}

/// The context of a walk: files and settings that decide about entries, besides ignore files.
struct Walk<'a> {
    tracked: TrackedFiles<'a>,
    copies: Copies<'a>,
    settings: Settings,
    lists_others: bool,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Path) -> Walk<'a> {
        let (tracked, copies) = (TrackedFiles::new(root), Copies::new(root));
        Walk { tracked, copies, settings: Settings::load(root), lists_others: false }
    }
}

/// Walks the checkout at `root`. Hidden files are excluded, and ignored ones that git does not track, unless the
/// settings include them; links are not followed.
///
/// Never fails: a folder that cannot be listed is a skip.
pub fn discover(root: &Path) -> Discovery {
    walked(root, Walk::new(root))
}

/// Returns the files of the checkout that a walk passes over because they are not source of a known language: texts, data,
/// templates, build files. Files that ignore rules leave out can be among them.
pub fn other_files(root: &Path) -> Vec<String> {
    walked(root, Walk { lists_others: true, ..Walk::new(root) }).others
}

fn walked(root: &Path, walk: Walk<'_>) -> Discovery {
    let mut result = Discovery::default();
    let mut level = vec![Folder::root(root)];
    for _depth in 0..MAX_FOLDER_DEPTH {
        let listings: Vec<Listing> = level.par_iter().map(|folder| list_folder(folder, &walk)).collect();
        level = Vec::new();
        for listing in listings {
            result.files.extend(listing.discovery.files);
            result.documents.extend(listing.discovery.documents);
            result.manifests.extend(listing.discovery.manifests);
            result.skips.extend(listing.discovery.skips);
            result.omissions.extend(listing.discovery.omissions);
            result.others.extend(listing.discovery.others);
            result.looked_at.extend(listing.discovery.looked_at);
            result.has_worktrees |= listing.discovery.has_worktrees;
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
    result.documents.sort_unstable_by(|one, two| one.path.cmp(&two.path));
    result.documents.truncate(MAX_DOCUMENTS);
    result.manifests.sort_unstable();
    result.skips.sort_unstable();
    result.omissions.sort_unstable();
    result.others.sort_unstable();
    result.git_index = walk.tracked.stamp();
    result.settings = walk.settings;
    result
}

/// Returns whether the folder `root` has more than `limit` entries that a walk would consider: not hidden, not ignored,
/// not vendored. Stops at the limit.
pub fn has_more_entries(root: &Path, limit: usize) -> bool {
    let walk = Walk::new(root);
    let mut level = vec![Folder::root(root)];
    let mut entries = 0;
    for _depth in 0..MAX_FOLDER_DEPTH {
        for folder in std::mem::take(&mut level) {
            let listing = list_folder(&folder, &walk);
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
    /// The rule that ignores it or a folder around it, so that only tracked and included files in it count.
    ignored_by: Option<Arc<Rule>>,
    /// Whether it would be left out if the settings did not include something in it.
    is_only_for_included: bool,
}

impl Folder {
    fn root(root: &Path) -> Folder {
        let (absolute, rules) = (root.to_path_buf(), IgnoreRules::of_checkout(root));
        Folder { absolute, relative: String::new(), rules, ignored_by: None, is_only_for_included: false }
    }
}

#[derive(Default)]
struct Listing {
    /// Number of entries that are not hidden.
    entries: usize,
    discovery: Discovery,
    folders: Vec<Folder>,
}

impl Listing {
    /// Records that the result depends on a file or folder.
    fn look_at(&mut self, path: String, absolute: &Path) {
        self.discovery.looked_at.push((path, Stamp::of(absolute)));
    }
}

fn skip(path: String, reason: SkipReason) -> Skip {
    Skip { path, reason }
}

/// Lists the entries of one folder.
fn list_folder(folder: &Folder, walk: &Walk<'_>) -> Listing {
    let mut listing = Listing::default();
    // What comes after its stamp is seen by the next walk.
    listing.look_at(folder.relative.clone(), &folder.absolute);
    let entries = match std::fs::read_dir(&folder.absolute) {
        Ok(entries) => entries,
        Err(_) => {
            listing.discovery.skips.push(skip(folder.relative.clone(), SkipReason::Unreadable));
            return listing;
        }
    };
    let mut considered = Vec::new();
    let mut rule_files = [false; IGNORE_FILES.len()];
    let has_includes = walk.settings.has_includes();
    for entry in entries {
        let Ok(entry) = entry else {
            listing.discovery.skips.push(skip(folder.relative.clone(), SkipReason::Unreadable));
            break;
        };
        let name = entry.file_name();
        if let Some(number) = IGNORE_FILES.iter().position(|file| name == *file) {
            rule_files[number] = entry.file_type().is_ok_and(|kind| kind.is_file());
        } else if name == ".git" && !folder.relative.is_empty() {
            listing.look_at(format!("{}.git", folder.relative), &entry.path());
            // A submodule's is complete.
            let is_complete = |git: PathBuf| !git.join("commondir").exists();
            listing.discovery.has_worktrees = !git_folder(&folder.absolute).is_some_and(is_complete);
            if walk.copies.contain(&folder.absolute) {
                listing.discovery.skips.push(skip(folder.relative.clone(), SkipReason::Worktree));
                return listing;
            }
        } else if !is_hidden(&name) {
            listing.entries += 1;
            considered.push((name, entry));
        } else if has_includes && name != ".git" && name != ".knowing" {
            considered.push((name, entry));
        }
    }
    let mut rules = folder.rules.clone();
    for (name, _) in IGNORE_FILES.iter().zip(rule_files).filter(|(_, is_there)| *is_there) {
        listing.look_at(format!("{}{name}", folder.relative), &folder.absolute.join(name));
        match rules.within(&folder.absolute, &folder.relative, name) {
            Ok(more) => rules = more,
            Err(reason) => listing.discovery.skips.push(skip(format!("{}{name}", folder.relative), reason)),
        }
    }
    for (name, entry) in considered {
        classify_entry(folder, &rules, walk, (&name, &entry), &mut listing);
    }
    listing
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") && name.to_str().is_none_or(lang::is_hidden)
}

/// Adds one entry to the listing.
fn classify_entry(
    folder: &Folder,
    rules: &IgnoreRules,
    walk: &Walk<'_>,
    (name, entry): (&OsStr, &DirEntry),
    listing: &mut Listing,
) {
    let Ok(kind) = entry.file_type() else {
        listing
            .discovery
            .skips
            .push(skip(format!("{}{}", folder.relative, name.to_string_lossy()), SkipReason::Unreadable));
        return;
    };
    let Some(text) = name.to_str() else {
        let path = format!("{}{}", folder.relative, name.to_string_lossy());
        if kind.is_dir() || lang::language_of(&path).is_some() {
            listing.discovery.skips.push(skip(path, SkipReason::PathNotUtf8));
        }
        return;
    };
    if kind.is_dir() {
        return classify_folder(folder, rules, walk, text, listing);
    }
    // Most files are not source; they are skipped before anything else is done.
    let mut language = lang::language_of(text).or_else(|| language_in_folder(folder, text));
    let is_manifest = lang::manifest::is_manifest(text);
    let without_grammar = extension_without_grammar(text).filter(|_| kind.is_file());
    let is_shared = lang::has_shared_extension(text);
    if kind.is_file() && language.is_none() && !is_manifest && (is_shared || !text.contains('.')) {
        listing.look_at(format!("{}{text}", folder.relative), &entry.path());
        language = language_of_text((text, entry), !is_shared);
    }
    if walk.lists_others && language.is_none() && kind.is_file() {
        listing.discovery.others.push(format!("{}{text}", folder.relative));
    }
    let is_document = kind.is_file() && is_document(&folder.relative, text);
    if !(language.is_some() || is_manifest || kind.is_symlink() || without_grammar.is_some() || is_document) {
        return;
    }
    let path = format!("{}{text}", folder.relative);
    let is_included = match choose(folder, rules, walk, (text, &path)) {
        Choice::Read { is_included } => is_included,
        Choice::LeftOut(Some((reason, rule))) if language.is_some() && !kind.is_symlink() => {
            return listing.discovery.omissions.push(Omission { path, reason, rule });
        }
        Choice::LeftOut(_) => return,
    };
    if kind.is_symlink() {
        listing.discovery.skips.push(skip(path, SkipReason::Symlink));
    } else if !kind.is_file() {
        listing.discovery.skips.push(skip(path, SkipReason::Special));
    } else {
        if let Some(extension) = without_grammar {
            *listing.discovery.without_grammar.entry(extension.to_owned()).or_insert(0) += 1;
        }
        if is_document {
            add_document(path.clone(), max_bytes(text, &walk.settings), entry, &mut listing.discovery);
        }
        if is_manifest || language.is_some() {
            let file =
                Candidate { path, language, is_manifest, is_included, max_bytes: max_bytes(text, &walk.settings) };
            classify_file(file, entry, &mut listing.discovery);
        }
    }
}

/// Returns the maximum size of a file. Most of a notebook is pictures and other results, which are not read.
pub(super) fn max_bytes(name: &str, settings: &Settings) -> u64 {
    let limit = settings.max_file_bytes();
    if is_notebook(name) { limit.saturating_mul(RESULTS_OF_NOTEBOOKS).min(MAX_FILE_BYTES) } else { limit }
}

/// Returns the language of a file whose folder tells it.
fn language_in_folder(folder: &Folder, name: &str) -> Option<&'static Language> {
    // Few folders do, so that paths are made for few files.
    let is_told = lang::LANGUAGES
        .iter()
        .any(|language| language.folders.iter().any(|(told, _)| folder.relative.trim_end_matches('/').ends_with(told)));
    if is_told { lang::language_of(&format!("{}{name}", folder.relative)) } else { None }
}

/// Adds a document, unless it can't be read or is too large.
fn add_document(path: String, max_bytes: u64, entry: &DirEntry, discovery: &mut Discovery) {
    match entry.metadata().map(|metadata| Stamp::new(&metadata)) {
        Ok(Stamp { size, time_ns: mtime_ns }) if size <= max_bytes => {
            discovery.documents.push(DiscoveredDocument { path, size, mtime_ns });
        }
        stamp => discovery.looked_at.push((path, stamp.ok())),
    }
}

/// Adds a folder to the folders to list, or to what is left out.
fn classify_folder(folder: &Folder, rules: &IgnoreRules, walk: &Walk<'_>, name: &str, listing: &mut Listing) {
    let absolute = folder.absolute.join(name);
    let path = format!("{}{name}", folder.relative);
    let relative = format!("{path}/");
    let Walk { tracked, settings, .. } = walk;
    let mut add = |ignored_by, is_only_for_included| {
        let rules = rules.clone();
        listing.folders.push(Folder {
            absolute: absolute.clone(),
            relative: relative.clone(),
            rules,
            ignored_by,
            is_only_for_included,
        });
    };
    let verdict = settings.verdict(&path, true);
    let own = rules.ignored_by(&absolute, true);
    let is_for_tracked = own.as_ref().is_some_and(|ignored| ignored.is_for_tracked);
    let own = own.map(|ignored| Arc::new(ignored.rule));
    let ignored_by = if is_for_tracked { own } else { folder.ignored_by.clone().or(own) };
    let is_excluded = matches!(verdict, Verdict::Excluded(_));
    let is_vendored = is_vendored(name) || is_environment(&absolute, name, &relative, &mut listing.discovery);
    let is_omitted = folder.is_only_for_included || is_hidden(OsStr::new(name)) || is_excluded || is_vendored;
    if !is_omitted && (ignored_by.is_none() || !is_for_tracked && tracked.has_folder(&relative)) {
        return add(ignored_by, false);
    }
    if settings.may_include_within(&path) {
        return add(ignored_by, true);
    }
    let discovery = &mut listing.discovery;
    match (verdict, ignored_by) {
        _ if folder.is_only_for_included || is_hidden(OsStr::new(name)) => (),
        (Verdict::Excluded(rule), _) => {
            discovery.omissions.push(Omission { path: relative, reason: SkipReason::Excluded, rule });
        }
        (_, Some(rule)) => {
            let rule = Rule::clone(&rule);
            discovery.omissions.push(Omission { path: relative, reason: SkipReason::Ignored, rule });
        }
        (_, None) => discovery.skips.push(skip(relative, SkipReason::Vendored)),
    }
}

/// Whether a file is read.
enum Choice {
    Read {
        is_included: bool,
    },
    /// With the rule that leaves it out, unless that is because it is hidden or not among the included files.
    LeftOut(Option<(SkipReason, Rule)>),
}

/// Decides about a file by settings, ignore rules and git's index.
fn choose(folder: &Folder, rules: &IgnoreRules, walk: &Walk<'_>, (name, path): (&str, &str)) -> Choice {
    match walk.settings.verdict(path, false) {
        Verdict::Included => return Choice::Read { is_included: true },
        _ if folder.is_only_for_included || is_hidden(OsStr::new(name)) => return Choice::LeftOut(None),
        Verdict::Excluded(rule) => return Choice::LeftOut(Some((SkipReason::Excluded, rule))),
        Verdict::Unset => (),
    }
    let own = rules.ignored_by(&folder.absolute.join(name), false);
    let around = || folder.ignored_by.as_deref().map(|rule| Ignored { rule: rule.clone(), is_for_tracked: false });
    match own.or_else(around) {
        Some(Ignored { rule, is_for_tracked }) if is_for_tracked || !walk.tracked.has_file(path) => {
            Choice::LeftOut(Some((SkipReason::Ignored, rule)))
        }
        _ => Choice::Read { is_included: false },
    }
}

/// A file that settings and rules let through.
struct Candidate {
    path: String,
    language: Option<&'static Language>,
    is_manifest: bool,
    /// Whether the settings name it.
    is_included: bool,
    max_bytes: u64,
}

fn classify_file(file: Candidate, entry: &DirEntry, discovery: &mut Discovery) {
    let Candidate { path, language, is_manifest, is_included, max_bytes } = file;
    let excluding = language.filter(|_| !is_included);
    if let Some(Err(reason)) = excluding.map(|language| exclude::by_name(file_name(&path), language)) {
        discovery.skips.push(skip(path, reason));
        return;
    }
    let Ok(metadata) = entry.metadata() else {
        discovery.skips.push(skip(path, SkipReason::Unreadable));
        return;
    };
    let stamp = Stamp::new(&metadata);
    let Stamp { size, time_ns: mtime_ns } = stamp;
    if is_manifest {
        discovery.manifests.push(DiscoveredManifest { path: path.clone() });
    }
    if language.is_none() || size > max_bytes {
        discovery.looked_at.push((path.clone(), Some(stamp)));
    }
    let Some(language) = language else { return };
    if size > max_bytes {
        discovery.skips.push(skip(path, SkipReason::TooLarge));
    } else {
        discovery.files.push(DiscoveredFile { path, language, size, mtime_ns, is_included });
    }
}

/// Maximum number of bytes that are read of a script's first line.
const MAX_HEAD_BYTES: u64 = 4096;

/// Returns the language of a file by the beginning of its text; with `is_run` only if it is executable.
fn language_of_text((name, entry): (&str, &DirEntry), is_run: bool) -> Option<&'static Language> {
    entry.metadata().ok().filter(|metadata| !is_run || is_executable(metadata))?;
    let mut head = Vec::new();
    std::fs::File::open(entry.path()).ok()?.take(MAX_HEAD_BYTES).read_to_end(&mut head).ok()?;
    lang::language_of_text(name, &String::from_utf8_lossy(&head))
}

/// Returns whether a folder is an environment or a build folder of a language, by its name and marker file.
fn is_environment(folder: &Path, name: &str, relative: &str, discovery: &mut Discovery) -> bool {
    let marked = lang::LANGUAGES.iter().flat_map(|language| language.exclusions.marked_folders);
    let mut markers = marked.filter(|(names, _)| names.contains(&name)).map(|(_, marker)| marker).peekable();
    if markers.peek().is_some() {
        discovery.looked_at.push((relative.to_owned(), Stamp::of(folder)));
    }
    markers.any(|marker| folder.join(marker).is_file())
}

#[cfg(test)]
mod tests;
