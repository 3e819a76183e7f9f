//! The result of a walk, for later runs. While the folders, rules and settings that it looked at are as they were, another walk
//! would find the same, at most with other sizes and times of files, and is not needed.
//!
//! The time of a folder changes when an entry is created, deleted or renamed. What a walk depends on besides, such as settings,
//! is hashed by [`surroundings`](super::surroundings). Git keeps its
//! [untracked cache](https://git-scm.com/docs/git-update-index#_untracked_cache) by the same property of file systems. A few network
//! file systems lack it: there an entry that another machine makes can be seen late.

#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

use rayon::prelude::*;
#[cfg(unix)]
use rustix::fs::{AtFlags, Mode, OFlags};
use serde::{Deserialize, Serialize};

use super::discover::{DiscoveredDocument, DiscoveredFile, DiscoveredManifest, Discovery, RACY_NS, max_bytes};
use super::settings::Settings;
use super::skip::{Omission, Skip, SkipReason};
use super::stamps::Stamp;
#[cfg(unix)]
use super::stamps::time_ns;
use super::tracked;
use crate::lang::known::ExtensionCounts;
use crate::lang::language_named;
use crate::text::{file_name, parent_dir};

/// A walk as it is stored: without the settings, which are read again.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownWalk {
    file_paths: FrontCoded,
    files: Vec<KnownFile>,
    /// The names of the files' languages.
    languages: Vec<String>,
    document_paths: FrontCoded,
    documents: Vec<Stamp>,
    manifests: Vec<String>,
    skips: Vec<Skip>,
    omissions: Vec<Omission>,
    without_grammar: ExtensionCounts,
    /// The key of the settings by which the files were chosen.
    settings: String,
    looked_at_paths: FrontCoded,
    looked_at: Vec<Option<Stamp>>,
    git_index: Option<Option<Stamp>>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KnownFile {
    stamp: Stamp,
    /// Index of its language.
    language: u32,
    is_included: bool,
}

/// Paths, sorted.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FrontCoded {
    /// For each path the number of bytes that it shares with the one before, and that of the rest.
    lengths: Vec<(u32, u32)>,
    /// The rests, side by side.
    rests: String,
}

impl FrontCoded {
    fn new<'a>(paths: impl Iterator<Item = &'a str>) -> FrontCoded {
        let mut coded = FrontCoded { lengths: Vec::new(), rests: String::new() };
        let mut before = "";
        for path in paths {
            let mut shared = path.bytes().zip(before.bytes()).take_while(|(one, two)| one == two).count();
            while !path.is_char_boundary(shared) {
                shared -= 1;
            }
            coded.lengths.push((shared as u32, (path.len() - shared) as u32));
            coded.rests.push_str(&path[shared..]);
            before = path;
        }
        coded
    }

    /// Returns the paths; `None` if they were not made by [`FrontCoded::new`] of so many.
    fn paths(&self, count: usize) -> Option<Vec<String>> {
        let mut paths: Vec<String> = Vec::with_capacity(self.lengths.len());
        let mut rests = self.rests.as_str();
        for (shared, length) in &self.lengths {
            let before = paths.last().map_or("", String::as_str).get(..*shared as usize)?;
            let (rest, others) = rests.split_at_checked(*length as usize)?;
            rests = others;
            paths.push([before, rest].concat());
        }
        (paths.len() == count).then_some(paths)
    }
}

/// The result of a walk that was not repeated.
pub struct WalkedAgain {
    pub discovery: Discovery,
    /// Whether it is what the walk before found.
    pub is_same: bool,
}

impl KnownWalk {
    /// Returns what a walk found that began at `started_ns`. `None` where another walk may find something else though nothing that
    /// it looks at changes: a folder or rule changed within the clock's resolution, something was unreadable, or is the worktree of
    /// another repository.
    pub fn of(discovery: &Discovery, started_ns: i64) -> Option<KnownWalk> {
        if discovery.has_worktrees || discovery.skips.iter().any(|skip| skip.reason == SkipReason::Unreadable) {
            return None;
        }
        let Discovery { files, documents, .. } = discovery;
        let mut looked_at: Vec<&(String, Option<Stamp>)> = discovery.looked_at.iter().collect();
        looked_at.sort_unstable_by_key(|(path, _)| path);
        looked_at.dedup();
        let is_recent = |stamp: &Stamp| stamp.time_ns.saturating_add(resolution_of(stamp.time_ns)) >= started_ns;
        if looked_at.iter().filter_map(|(_, stamp)| stamp.as_ref()).any(is_recent)
            || discovery.git_index.flatten().is_some_and(|stamp| is_recent(&stamp))
        {
            return None;
        }
        // One that may change again at the same time counts as edited.
        let known_stamp = |stamp: Stamp| if is_recent(&stamp) { Stamp { time_ns: 0, ..stamp } } else { stamp };
        let mut languages: Vec<String> = Vec::new();
        let known = |file: &DiscoveredFile| {
            let name = file.language.name;
            let language = languages.iter().position(|language| language == name).unwrap_or_else(|| {
                languages.push(name.to_owned());
                languages.len() - 1
            });
            KnownFile { stamp: known_stamp(file.stamp()), language: language as u32, is_included: file.is_included }
        };
        Some(KnownWalk {
            files: files.iter().map(known).collect(),
            languages,
            file_paths: FrontCoded::new(files.iter().map(|file| file.path.as_str())),
            document_paths: FrontCoded::new(documents.iter().map(|document| document.path.as_str())),
            documents: documents.iter().map(|document| known_stamp(document.stamp())).collect(),
            manifests: discovery.manifests.iter().map(|manifest| manifest.path.clone()).collect(),
            skips: discovery.skips.clone(),
            omissions: discovery.omissions.clone(),
            without_grammar: discovery.without_grammar.clone(),
            settings: discovery.settings.key(),
            looked_at_paths: FrontCoded::new(looked_at.iter().map(|(path, _)| path.as_str())),
            looked_at: looked_at.iter().map(|(_, stamp)| *stamp).collect(),
            git_index: discovery.git_index,
        })
    }

    /// Returns what a walk of the checkout at `root` finds now; `None` if only another walk can tell. The caller has compared the
    /// surroundings of the checkout.
    pub fn again(self, root: &Path) -> Option<WalkedAgain> {
        if self.git_index.is_some_and(|stamp| tracked::index_stamp(root) != stamp) {
            return None;
        }
        let looked_at: Vec<(String, Option<Stamp>)> =
            self.looked_at_paths.paths(self.looked_at.len())?.into_iter().zip(self.looked_at).collect();
        let holds = |(path, stamp): &(String, Option<Stamp>)| {
            // Joining an empty name, as after a slash, would follow a link.
            let path = if path.is_empty() { root.to_owned() } else { root.join(path.trim_end_matches('/')) };
            Stamp::of(&path) == *stamp
        };
        if !looked_at.par_iter().all(holds) {
            return None;
        }
        let languages: Vec<_> = self.languages.iter().map(|name| language_named(name)).collect::<Option<_>>()?;
        let file = |(path, known): (String, KnownFile)| {
            let KnownFile { stamp: Stamp { size, time_ns: mtime_ns }, language, is_included } = known;
            let language = *languages.get(language as usize)?;
            Some(DiscoveredFile { path, language, size, mtime_ns, is_included })
        };
        let document =
            |(path, Stamp { size, time_ns: mtime_ns }): (String, Stamp)| DiscoveredDocument { path, size, mtime_ns };
        let mut files: Vec<DiscoveredFile> =
            self.file_paths.paths(self.files.len())?.into_iter().zip(self.files).map(file).collect::<Option<_>>()?;
        let mut documents: Vec<DiscoveredDocument> =
            self.document_paths.paths(self.documents.len())?.into_iter().zip(self.documents).map(document).collect();
        let settings = Settings::load(root);
        if settings.key() != self.settings {
            return None;
        }
        let stamps: Vec<(&str, Stamp)> = files.iter().map(|file| (file.path.as_str(), file.stamp())).collect();
        let edited_files = edits(root, &settings, &stamps)?;
        let stamps: Vec<(&str, Stamp)> = documents.iter().map(|one| (one.path.as_str(), one.stamp())).collect();
        let edited_documents = edits(root, &settings, &stamps)?;
        let is_same = edited_files.is_empty() && edited_documents.is_empty();
        for (index, Stamp { size, time_ns }) in edited_files {
            (files[index].size, files[index].mtime_ns) = (size, time_ns);
        }
        for (index, Stamp { size, time_ns }) in edited_documents {
            (documents[index].size, documents[index].mtime_ns) = (size, time_ns);
        }
        let discovery = Discovery {
            files,
            documents,
            manifests: self.manifests.into_iter().map(|path| DiscoveredManifest { path }).collect(),
            skips: self.skips,
            omissions: self.omissions,
            without_grammar: self.without_grammar,
            settings,
            looked_at,
            git_index: self.git_index,
            ..Discovery::default()
        };
        Some(WalkedAgain { discovery, is_same })
    }
}

/// Returns the entries whose stamps differ, by their index, with their present stamps. The entries are sorted by path. `None` if a
/// walk would leave one out now.
fn edits(root: &Path, settings: &Settings, entries: &[(&str, Stamp)]) -> Option<Vec<(usize, Stamp)>> {
    let numbered: Vec<(usize, &(&str, Stamp))> = entries.iter().enumerate().collect();
    let folders: Vec<_> =
        numbered.chunk_by(|(_, (one, _)), (_, (two, _))| parent_dir(one) == parent_dir(two)).collect();
    let of_folder = |entries: &&[(usize, &(&str, Stamp))]| {
        let folder = OpenFolder::new(&root.join(parent_dir(entries[0].1.0)));
        let mut edits = Vec::new();
        for (index, (path, before)) in entries.iter() {
            let name = file_name(path);
            let stamp = folder.stamp(name)?;
            if stamp != *before {
                edits.push((*index, (stamp.size <= max_bytes(name, settings)).then_some(stamp)?));
            }
        }
        Some(edits)
    };
    let edits: Vec<Vec<(usize, Stamp)>> = folders.par_iter().map(of_folder).collect::<Option<_>>()?;
    Some(edits.concat())
}

/// A folder whose entries are looked up by name, which is faster than by the whole path of each.
#[cfg(unix)]
struct OpenFolder(Option<OwnedFd>);

#[cfg(unix)]
impl OpenFolder {
    fn new(path: &Path) -> OpenFolder {
        #[cfg(target_os = "linux")]
        let access = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let access = OFlags::RDONLY;
        OpenFolder(rustix::fs::open(path, access | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok())
    }

    /// Returns the stamp of an entry; `None` if there is none, or it can't be read.
    fn stamp(&self, name: &str) -> Option<Stamp> {
        let stat = rustix::fs::statat(self.0.as_ref()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let modified = time_ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64);
        let status = time_ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64);
        Some(Stamp { size: stat.st_size as u64, time_ns: modified.max(status) })
    }
}

#[cfg(not(unix))]
struct OpenFolder(PathBuf);

#[cfg(not(unix))]
impl OpenFolder {
    fn new(path: &Path) -> OpenFolder {
        OpenFolder(path.to_owned())
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        Stamp::of(&self.0.join(name))
    }
}

/// Returns the resolution of the clock that gave a time, in nanoseconds. Some file systems have seconds, or two.
fn resolution_of(time_ns: i64) -> i64 {
    if time_ns % 1_000_000_000 == 0 { 2_000_000_000 } else { RACY_NS }
}

#[cfg(test)]
mod tests;
