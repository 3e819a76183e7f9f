//! The names of commits.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::GitError;
use crate::scan::read::read_small;

/// The references of a repository, by the place where it has them.
pub(super) enum References {
    /// In `refs/` and `packed-refs`, which the library reads.
    Files,
    /// In tables, which have been read.
    Tables(BTreeMap<String, Target>),
}

/// The target of a reference in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Object(ObjectId),
    Name(String),
}

/// Maximum size of the file of a reference.
const MAX_REFERENCE_BYTES: u64 = 4_096;
/// Maximum number of references that lead to each other.
const MAX_LINKS: usize = 5;
/// The folders in which git looks for a short name, the first first.
const PREFIXES: [&str; 5] = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

impl References {
    /// Returns the object that is checked out; `None` before the first commit.
    pub fn head(&self, repository: &gix::Repository) -> Result<Option<ObjectId>, GitError> {
        match self {
            References::Files => {
                let head = || Ok(repository.head()?.try_peel_to_id()?.map(|id| id.detach()));
                head().map_err(|error: GitError| damaged(repository).unwrap_or(error))
            }
            References::Tables(tables) => Ok(follow(tables, "HEAD")),
        }
    }

    /// Returns the object that a revision names, such as `main` or `v2~3`.
    pub fn resolve(&self, repository: &gix::Repository, revision: &str) -> Option<ObjectId> {
        let tables = match self {
            References::Files => return Some(repository.rev_parse_single(revision).ok()?.detach()),
            References::Tables(tables) => tables,
        };
        let end = revision.find(['~', '^', ':']).or(revision.find("@{")).unwrap_or(revision.len());
        let (name, steps) = revision.split_at(end);
        let name = if name == "@" { "HEAD" } else { name };
        let named = PREFIXES.iter().find_map(|prefix| follow(tables, &format!("{prefix}{name}")));
        let found = named.or_else(|| follow(tables, &format!("refs/remotes/{name}/HEAD")));
        // The library knows the steps, and the abbreviated hash of a commit.
        let start = found.map_or_else(|| name.to_owned(), |id| id.to_string());
        Some(repository.rev_parse_single(format!("{start}{steps}").as_str()).ok()?.detach())
    }

    /// Returns the local and remote branches with the commits that can be read, by name.
    pub fn branches(&self, repository: &gix::Repository) -> Result<Vec<(String, ObjectId)>, GitError> {
        let mut branches = Vec::new();
        match self {
            References::Files => {
                let references = repository.references()?;
                for reference in references.local_branches()?.chain(references.remote_branches()?) {
                    // Those with an unreadable name or commit are left out.
                    let Ok(mut reference) = reference else { continue };
                    let Ok(name) = reference.name().shorten().to_str().map(str::to_owned) else { continue };
                    branches.extend(reference.peel_to_id().ok().map(|id| (name, id.detach())));
                }
            }
            References::Tables(tables) => {
                let named = |name: &str| {
                    let short = name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/remotes/"))?;
                    Some((short.to_owned(), follow(tables, name)?))
                };
                branches.extend(tables.keys().filter_map(|name| named(name)));
            }
        }
        Ok(branches)
    }

    /// Returns what a file `HEAD` would say if references were not in tables.
    pub fn checked_out(&self) -> Option<String> {
        match self {
            References::Tables(tables) => tables.get("HEAD").map(|target| match target {
                Target::Name(name) => format!("ref: {name}"),
                Target::Object(id) => id.to_string(),
            }),
            References::Files => None,
        }
    }
}

/// Returns an error about the file of the branch that is checked out, if that is what can't be read: the library's error does not
/// name it.
fn damaged(repository: &gix::Repository) -> Option<GitError> {
    let head = String::from_utf8(read_small(&repository.git_dir().join("HEAD"), MAX_REFERENCE_BYTES).ok()?).ok()?;
    let path = repository.common_dir().join(head.strip_prefix("ref: ")?.trim());
    let text = read_small(&path, MAX_REFERENCE_BYTES).ok()?;
    let is_whole = ObjectId::from_hex(text.trim_ascii()).is_ok() || text.starts_with(b"ref: ");
    (!is_whole).then(|| GitError::Reference { path: path.display().to_string() })
}

fn follow(tables: &BTreeMap<String, Target>, name: &str) -> Option<ObjectId> {
    let mut name = name;
    for _link in 0..MAX_LINKS {
        match tables.get(name)? {
            Target::Object(id) => return Some(*id),
            Target::Name(next) => name = next,
        }
    }
    None
}
