//! The exchange between the explorer and coding agents: the journal of agents' requests, a person's steering of their
//! packs, and packs sent to an agent.
//!
//! Everything is in files in one folder beside the database (`agents`), in the user's data folder unless the user chose
//! another database. Only the user can read it; several processes read and write it at once. Links, special files and
//! files that others can read are refused, sizes are bounded, and what is read is validated.
//!
//! - [`RequestJournal`]: one JSON line for each request of an agent, appended by `knowing mcp` and hooks and followed by
//!   the explorer ([`RequestFollower`]).
//! - [`Steering`]: pins and drops for a task or a branch, which apply to agents' packs.
//! - [`SentPack`]: symbols that the next pack of an agent has once.

mod files;
mod follower;
mod journal;
mod record;
mod sent;
mod settings;
mod steering;
mod symbol;

use std::path::{Path, PathBuf};

use crate::engine::Engine;
use crate::text::prefix;

pub use follower::RequestFollower;
pub use journal::RequestJournal;
pub use record::{
    Client, IndexRecord, Outcome, PackRecord, PackedRecord, RequestOptions, RequestRecord, RequestSource,
    RequestSubject,
};
pub use sent::SentPack;
pub use settings::{JOURNAL_VARIABLE, is_journal_enabled};
pub use steering::{Steering, SteeringEffect, SteeringEntry, SteeringScope};
pub use symbol::SteeredSymbol;

/// Name of the database in the data folder; beside another one, the folder has the database's name.
const DATABASE: &str = "graph.db";
/// Name of the folder, or its suffix beside a database of another name.
const FOLDER: &str = "agents";

/// An error of the exchange.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error("the repository has no index yet; `knowing index` builds it")]
    NoIndex,
    #[error("{path} is not a file or folder of the current user alone; remove it")]
    Untrusted { path: PathBuf },
    #[error("can't {action} {path}: {cause}")]
    Io { action: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("{path} can't be read: {reason}; remove it")]
    Malformed { path: PathBuf, reason: String },
    #[error("a task or branch can have at most {limit} pins and as many drops for agents; remove some first")]
    TooMany { limit: usize },
    #[error("{path} is locked by another process")]
    Locked { path: PathBuf },
}

impl ExchangeError {
    fn io(action: &'static str, path: &Path, cause: std::io::Error) -> ExchangeError {
        ExchangeError::Io { action, path: path.to_owned(), cause }
    }
}

/// The exchange of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    folder: PathBuf,
}

impl Exchange {
    /// Returns the exchange of the engine's repository. Nothing is read or written.
    pub fn for_engine(engine: &Engine) -> Exchange {
        Exchange::beside(engine.database())
    }

    /// Returns the exchange beside a database.
    pub fn beside(database: &Path) -> Exchange {
        let name = database.file_name().unwrap_or_default();
        if name == DATABASE {
            return Exchange { folder: database.with_file_name(FOLDER) };
        }
        let mut name = name.to_owned();
        name.push("-");
        name.push(FOLDER);
        Exchange { folder: database.with_file_name(name) }
    }

    /// Returns the folder with the exchange's files. It may not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Returns the milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// Truncates a text to at most `max_bytes`.
fn shorten(text: &mut String, max_bytes: usize) {
    let length = prefix(text, max_bytes).len();
    text.truncate(length);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_beside_the_database() {
        let folder = |database: &str| Exchange::beside(Path::new(database)).folder().to_owned();
        assert_eq!(folder("/d/r/graph.db"), Path::new("/d/r/agents"));
        assert_eq!(folder("/d/other.db"), Path::new("/d/other.db-agents"));
    }
}
