//! Git repositories as [`gix`] reads them, and the one place where they are opened. Nothing of a repository is executed and
//! nothing is written. Only its own configuration is read, without what it includes: no setting of the user or the machine
//! changes an answer.

mod blocking;
mod references;
mod reftable;

use std::path::Path;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::hash::Prefix;
use gix::objs::Kind;

use super::repository::git_folder;
use crate::model::CommitId;

pub(super) use blocking::{common_folder, configuration};
use references::References;

/// The reason why a git repository can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    #[error("{path} is a pipe, socket or device, which would block")]
    Special { path: String },
    #[error("{path} has more than {} entries, too many to examine", blocking::MAX_EXAMINED)]
    TooMany { path: String },
    #[error("it uses the extension `{name}`, which `knowing` does not read")]
    Extension { name: String },
    #[error("{path} is damaged or too large")]
    Unreadable { path: String },
    #[error("it has no object {id}; {advice}")]
    Missing { id: String, advice: &'static str },
    #[error("{path} can't be read: {reason}")]
    Table { path: String, reason: &'static str },
    #[error("{path} is empty or damaged, as after a crash; `git reflog` has the last commits")]
    Reference { path: String },
    #[error("{0}")]
    Library(String),
}

impl From<gix::Error> for GitError {
    fn from(error: gix::Error) -> GitError {
        let text = error.probable_cause().to_string();
        GitError::Library(text.lines().next().unwrap_or_default().to_owned())
    }
}

/// Bytes of recently read objects that each thread keeps.
const OBJECT_CACHE_BYTES: usize = 16 << 20;
/// Bytes of the bases of deltas that each thread keeps.
const PACK_CACHE_BYTES: usize = 16 << 20;
/// The name of the file with the paths that are tracked.
pub(super) const INDEX: &str = "index";
/// Settings that win over those of the repository. A small packed object can decompress to gigabytes.
const SETTINGS: [&str; 2] = ["gitoxide.objects.allocLimit=64m", "core.useReplaceRefs=false"];
/// Maximum size of an object that is read.
pub(super) const MAX_OBJECT_BYTES: u64 = 16 << 20;

/// A repository.
pub(super) struct Git {
    pub repository: gix::Repository,
    references: References,
    is_partial: bool,
}

/// Opens the repository at `root`; `None` if there is none. Its owner may be another user: what could be executed is not.
pub(super) fn open(root: &Path) -> Result<Option<Git>, GitError> {
    let Some(folder) = git_folder(root) else { return Ok(None) };
    blocking::examine(&folder)?;
    let settings = configuration(&folder)?;
    let (tables, is_partial) = (check_extensions(&settings)?, is_partial_clone(&settings));
    let options =
        gix::open::Options::isolated().with(gix::sec::Trust::Full).open_path_as_is(true).config_overrides(SETTINGS);
    let repository = local(&options.open(&folder)?);
    let references = if tables { reftable::read(&folder)? } else { References::Files };
    Ok(Some(Git { repository, references, is_partial }))
}

/// Reads the index, also of a repository that can't be opened: what is in its way, such as an unknown extension or a pipe
/// among the objects, does not concern the index. `None` if there is none, or it can't be read.
pub(super) fn index(root: &Path) -> Option<gix::index::File> {
    let folder = git_folder(root)?;
    // A split index is completed from a second file.
    let is_of_index = |name: &str| name == INDEX || name.starts_with("sharedindex.");
    let mut entries = std::fs::read_dir(&folder).ok()?.flatten();
    let is_special = entries.any(|entry| {
        entry.file_name().to_str().is_some_and(is_of_index)
            && !std::fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_file())
    });
    if is_special {
        return None;
    }
    // The configuration may be what can't be read. The checksum at the end tells the kinds apart.
    let kinds = [gix::hash::Kind::Sha1, gix::hash::Kind::Sha256];
    kinds.into_iter().find_map(|kind| {
        gix::index::File::at(folder.join(INDEX), kind, false, gix::index::decode::Options::default()).ok()
    })
}

/// Returns a repository for this thread.
pub(super) fn local(shared: &gix::ThreadSafeRepository) -> gix::Repository {
    let mut repository = shared.to_thread_local();
    repository.object_cache_size(OBJECT_CACHE_BYTES);
    let cache = || -> Box<gix::odb::cache::PackCache> {
        Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(PACK_CACHE_BYTES))
    };
    repository.objects.set_pack_cache(cache);
    repository
}

/// Extensions of the format that need nothing of a reader, or that the library reads.
const EXTENSIONS: [&str; 9] = [
    "compatobjectformat",
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "relativeworktrees",
    "submodulepathconfig",
    "worktreeconfig",
];

/// Returns whether the references are in tables (reftable).
fn check_extensions(settings: &gix::config::File) -> Result<bool, GitError> {
    let version = settings.integer("core.repositoryformatversion").ok().flatten();
    let mut tables = false;
    for section in settings.sections_by_name("extensions").into_iter().flatten() {
        for name in section.value_names().map(|name| name.to_ascii_lowercase()) {
            let value = section.value(&name).map(|value| value.to_string());
            match (name.as_str(), value.as_deref()) {
                ("refstorage", Some("reftable")) => tables = true,
                ("refstorage", Some("files")) => {}
                // In the oldest format extensions have no meaning.
                _ if version != Some(1) || EXTENSIONS.contains(&name.as_str()) => {}
                _ => return Err(GitError::Extension { name }),
            }
        }
    }
    Ok(tables && version == Some(1))
}

/// Returns whether objects can be absent because a remote repository has promised them.
fn is_partial_clone(settings: &gix::config::File) -> bool {
    let mut remotes = settings.sections_by_name("remote").into_iter().flatten();
    settings.string("extensions.partialclone").is_some()
        || remotes.any(|remote| remote.value("promisor").is_some_and(|value| value == "true"))
}

impl Git {
    /// Returns the checked-out commit; `None` before the first.
    pub fn head(&self) -> Result<Option<ObjectId>, GitError> {
        let id = self.references.head(&self.repository)?;
        // A branch whose commit is missing is damage, not an empty history.
        id.map(|id| self.commit(id).map(|commit| commit.id)).transpose()
    }

    /// Returns whether the clone has only the latest commits.
    pub fn is_shallow(&self) -> bool {
        let boundary = std::fs::metadata(self.repository.common_dir().join("shallow"));
        boundary.is_ok_and(|metadata| metadata.len() > 0)
    }

    /// Returns what a file `HEAD` would say.
    pub fn checked_out(&self) -> Option<String> {
        self.references.checked_out()
    }

    /// Returns the commit that a revision names; `None` if there is none.
    pub fn resolve(&self, revision: &str) -> Option<ObjectId> {
        let object = self.references.resolve(&self.repository, revision)?;
        Some(self.repository.find_object(object).ok()?.peel_to_commit().ok()?.id)
    }

    /// Returns the local and remote branches with their commits.
    pub fn branches(&self) -> Result<Vec<(String, ObjectId)>, GitError> {
        self.references.branches(&self.repository)
    }

    /// Returns the repository for other threads.
    pub fn shared(&self) -> gix::ThreadSafeRepository {
        self.repository.clone().into_sync()
    }

    /// Returns the commits from `head` into its history, the latest first.
    pub fn walk(&self, head: ObjectId) -> Result<impl Iterator<Item = Result<ObjectId, GitError>> + '_, GitError> {
        let newest = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
        let sorting = gix::revision::walk::Sorting::ByCommitTime(newest);
        // The answer must not depend on a file that caches times.
        let walk = self.repository.rev_walk([head]).sorting(sorting).use_commit_graph(false).all()?;
        Ok(walk.map(|step| Ok(step?.id)))
    }

    /// Reads a commit.
    pub fn commit(&self, id: ObjectId) -> Result<gix::Commit<'_>, GitError> {
        self.check_present(id)?;
        Ok(self.repository.find_commit(id)?)
    }

    /// Reads a tree; `None` if it is too large.
    pub fn tree(&self, id: ObjectId) -> Result<Option<gix::Tree<'_>>, GitError> {
        Ok(if self.size(id)? <= MAX_OBJECT_BYTES { Some(self.repository.find_tree(id)?) } else { None })
    }

    /// Reads a blob; `None` if it is larger than `limit`.
    pub fn blob(&self, id: ObjectId, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        Ok(if self.size(id)? <= limit { Some(self.repository.find_blob(id)?.take_data()) } else { None })
    }

    /// Reads a blob; `None` also if a partial clone lacks it.
    pub fn present_blob(&self, id: ObjectId, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        match self.blob(id, limit) {
            Err(GitError::Missing { .. }) if self.is_partial => Ok(None),
            read => read,
        }
    }

    /// Returns the size of an object. A header has it, so that nothing is unpacked.
    fn size(&self, id: ObjectId) -> Result<u64, GitError> {
        self.check_present(id)?;
        Ok(self.repository.find_header(id)?.size())
    }

    fn check_present(&self, id: ObjectId) -> Result<(), GitError> {
        if self.repository.has_object(id) {
            return Ok(());
        }
        let advice = if self.is_partial {
            "the clone is partial, and `git diff` with the same commit fetches what is missing"
        } else {
            "`git fsck` names what is damaged"
        };
        Err(GitError::Missing { id: id.to_string(), advice })
    }
}

/// Returns the identity of an object: its hash, or the first 20 bytes of a longer one (SHA-256).
pub(super) fn short(id: &gix::oid) -> CommitId {
    let mut short = [0; 20];
    short.copy_from_slice(&id.as_bytes()[..20]);
    short
}

/// Returns the object with an identity; `None` if the repository has none, which is found out for SHA-256 only.
pub(super) fn full(repository: &gix::Repository, id: &CommitId) -> Option<ObjectId> {
    let mut bytes = repository.object_hash().null().as_bytes().to_vec();
    bytes[..id.len()].copy_from_slice(id);
    let padded = ObjectId::try_from(bytes.as_slice()).ok()?;
    if bytes.len() == id.len() {
        return Some(padded);
    }
    let prefix = Prefix::new(&padded, 2 * id.len()).ok()?;
    repository.objects.lookup_prefix(prefix, None).ok()??.ok()
}

/// Returns the hash that a file with this content would have.
pub(super) fn hash(repository: &gix::Repository, content: &[u8]) -> Result<ObjectId, GitError> {
    Ok(gix::objs::compute_hash(repository.object_hash(), Kind::Blob, content)?)
}

/// Returns the first line of a commit's message that is not empty.
pub(super) fn subject(commit: &gix::Commit<'_>) -> String {
    let message = commit.message_raw_sloppy();
    let line = message.lines().map(|line| line.trim_ascii()).find(|line| !line.is_empty());
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests;
