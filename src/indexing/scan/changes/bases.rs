//! Revisions that the working tree can be compared with.

use std::path::Path;

use super::{ChangesError, open};

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
    let repository = open(root)?;
    let mut branches = Vec::new();
    for branch in repository.branches(None)? {
        let (branch, _) = branch?;
        // Branches with an unreadable name or commit are skipped.
        if let (Ok(Some(name)), Ok(commit)) = (branch.name(), branch.get().peel_to_commit()) {
            branches.push((std::cmp::Reverse(commit.time().seconds()), name.to_owned(), subject(&commit)));
        }
    }
    branches.sort();
    let mut bases = vec![Base { name: "HEAD".to_owned(), subject: String::new() }];
    let named = branches.into_iter().filter(|(_, name, _)| !name.ends_with("/HEAD"));
    bases.extend(named.map(|(_, name, subject)| Base { name, subject }));
    let mut commit = repository.head().and_then(|head| head.peel_to_commit()).ok();
    if let (Some(head), Some(base)) = (&commit, bases.first_mut()) {
        base.subject = subject(head);
    }
    for number in 1..=RECENT_COMMITS {
        let Some(parent) = commit.and_then(|commit| commit.parent(0).ok()) else { break };
        bases.push(Base { name: format!("HEAD~{number}"), subject: subject(&parent) });
        commit = Some(parent);
    }
    Ok(bases)
}

fn subject(commit: &git2::Commit<'_>) -> String {
    let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
    message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}
