//! The commit that last changed the lines of a symbol. It is looked up when it is shown, never for a ranking.

use serde::Serialize;

use super::{EngineError, Ranker, source};
use crate::model::{CommitId, Request, Symbol, Task};
use crate::scan::changes::{ChangesError, changes_of_commit, is_uncommitted};
use crate::scan::history::{MAX_FILE_SUBJECTS, TracedFile, day, last_commit};
use crate::store::CommitRow;

/// Limit of the commits of a file that are followed for one symbol.
const MAX_FOLLOWED: usize = MAX_FILE_SUBJECTS;
/// Number of hexadecimal digits of a shown commit.
const SHOWN_DIGITS: usize = 10;

/// The subject of the commit that is to come.
const UNCOMMITTED: &str = "not committed yet";

/// The commit that last changed the lines of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastCommit {
    /// Its hash, in hexadecimal digits.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    pub author: String,
    /// Seconds since 1970 in UTC, by the committer's clock.
    pub time: i64,
    /// The number of its pull or merge request, if the subject has it.
    pub pull_request: Option<u32>,
}

impl LastCommit {
    fn new(row: CommitRow) -> LastCommit {
        let CommitRow { hash, time, author, subject, .. } = row;
        LastCommit { id: hex::encode(hash), author, time, pull_request: pull_request(&subject), subject }
    }

    /// Returns what stands for the commit of lines that no commit has yet.
    fn to_come() -> LastCommit {
        let (subject, time, pull_request) = (UNCOMMITTED.to_owned(), 0, None);
        LastCommit { id: String::new(), subject, author: String::new(), time, pull_request }
    }

    /// Returns whether there is a commit: the lines may all be new. Then the subject says so.
    pub fn is_committed(&self) -> bool {
        !self.id.is_empty()
    }

    /// Returns the beginning of the hash that people read.
    pub fn short_id(&self) -> &str {
        self.id.get(..SHOWN_DIGITS).unwrap_or(&self.id)
    }

    /// Returns its day in UTC, such as `2026-11-25`.
    pub fn day(&self) -> String {
        day(self.time)
    }

    /// Returns the request that ranks what the commit changed, and what is around it.
    pub fn task(&self) -> Task {
        Task { request: Request::PullRequest(changes_of_commit(&self.id)), ..Task::from_text("") }
    }
}

impl Ranker {
    /// Returns the commit that last changed the lines of a symbol, or what stands for it where all of them are new; `None` without
    /// git, and for lines that the last 200 commits of their file did not change. Reads git's objects where the index does not know it.
    ///
    /// # Errors
    /// When the store or the history can't be read.
    pub fn last_commit(&self, symbol: &Symbol) -> Result<Option<LastCommit>, EngineError> {
        if symbol.file.is_empty() {
            return Ok(None);
        }
        let lines = (symbol.span.start_line, symbol.span.end_line);
        // Lines around them that were rewritten lead to commits which they are not of.
        if is_uncommitted(&self.root, &symbol.file, lines).is_ok_and(|is_uncommitted| is_uncommitted) {
            return Ok(Some(LastCommit::to_come()));
        }
        if let Some(row) = self.reader.last_commit(symbol.node, &symbol.file)? {
            return Ok(Some(LastCommit::new(row)));
        }
        let rows = self.reader.file_history(&symbol.file, MAX_FOLLOWED)?;
        if rows.is_empty() {
            return Ok(None);
        }
        let Ok(content) = source::read(&self.root, &symbol.file) else { return Ok(None) };
        // The lines of a symbol are those of the indexed text.
        if self.reader.content_hash(&symbol.file)? != Some(content.hash) {
            return Ok(None);
        }
        let commits: Vec<CommitId> = rows.iter().map(|row| row.hash).collect();
        let file = TracedFile { path: &symbol.file, text: &content.text, lines: vec![lines], commits };
        let found = last_commit(&self.root, &file, MAX_FOLLOWED).map_err(ChangesError::from)?;
        Ok(found.and_then(|id| rows.into_iter().find(|row| row.hash == id)).map(LastCommit::new))
    }
}

/// Returns the number of the pull or merge request in a commit's subject: `fix cookies (#12)`, `Merge pull request #12
/// from …`, `Merge branch 'cookies' (!12)`. The number of a ticket, as in `Fixed #12`, is none.
fn pull_request(subject: &str) -> Option<u32> {
    let number = |rest: &str| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    const MERGES: [&str; 4] = ["Merge pull request #", "Merge PR #", "Auto merge of #", "Merged PR "];
    if let Some(found) = MERGES.iter().find_map(|start| number(subject.strip_prefix(start)?)) {
        return Some(found);
    }
    let closed = ["(#", "(!"].into_iter().filter_map(|mark| subject.rfind(mark)).max()?;
    let (digits, rest) = subject[closed + 2..].split_once(')')?;
    number(digits).filter(|_| digits.chars().all(|digit| digit.is_ascii_digit()) && rest.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_is_told_from_a_ticket() {
        for (subject, expected) in [
            ("fix cookie expiry (#5621)", Some(5621)),
            ("Revert \"fix (#12)\" (#13)", Some(13)),
            ("Merge pull request #7 from ada/cookies", Some(7)),
            ("Auto merge of #41 - ada:cookies, r=bob", Some(41)),
            ("Merge branch 'cookies' into 'main' (!9)", Some(9)),
            ("Fixed #12 -- cookies", None),
            ("cookies (#12) and more", None),
            ("(#)", None),
        ] {
            assert_eq!(pull_request(subject), expected, "{subject}");
        }
    }
}
