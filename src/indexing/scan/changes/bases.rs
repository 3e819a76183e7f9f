//! Revisions that the working tree can be compared with.

use std::path::Path;

use super::{ChangesError, open};
use crate::scan::git::subject;

/// A revision that the working tree can be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub name: String,
    /// The subject of its commit.
    pub subject: String,
}

/// Number of the commits before `HEAD` among the bases.
const RECENT_COMMITS: usize = 20;

/// Returns the possible bases of a comparison: `HEAD`, then local and remote branches, latest commit first, then the
/// commits before `HEAD`.
///
/// # Errors
/// When there is no git repository, or git's files cannot be read.
pub fn bases(root: &Path) -> Result<Vec<Base>, ChangesError> {
    let git = open(root)?;
    let find = |id| git.repository.find_commit(id).ok();
    let mut branches = Vec::new();
    for (name, id) in git.branches()? {
        if let Some((commit, time)) = find(id).and_then(|commit| commit.time().ok().map(|time| (commit, time.seconds)))
        {
            branches.push((std::cmp::Reverse(time), name, subject(&commit)));
        }
    }
    branches.sort();
    let mut bases = vec![Base { name: "HEAD".to_owned(), subject: String::new() }];
    let named = branches.into_iter().filter(|(_, name, _)| !name.ends_with("/HEAD"));
    bases.extend(named.map(|(_, name, subject)| Base { name, subject }));
    let mut commit = git.head()?.and_then(find);
    if let (Some(head), Some(base)) = (&commit, bases.first_mut()) {
        base.subject = subject(head);
    }
    for number in 1..=RECENT_COMMITS {
        let parent = commit.as_ref().and_then(|commit| commit.parent_ids().next()).map(|id| id.detach());
        let Some(parent) = parent.and_then(find) else { break };
        bases.push(Base { name: format!("HEAD~{number}"), subject: subject(&parent) });
        commit = Some(parent);
    }
    Ok(bases)
}
