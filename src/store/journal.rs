//! The journal of what users taught: tables beside the index that no index run touches.
//!
//! A [`Journal`] has a connection of its own, so that it shows at once what another process has written, and writing
//! takes neither the indexer's lock nor, but for a moment, its turn.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, TransactionBehavior};

use super::error::{SqlContext, StoreError};
use super::open;
use super::read::{Reader, maybe, rows};
use crate::feedback::{Cluster, EventKind, FeedbackEvent, Subject, SymbolVote, TermObservation, Vote};
use crate::model::identity::definition_place;
use crate::model::{Symbol, SymbolId};

/// What users taught in one database.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    path: PathBuf,
}

/// A session that still goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSession {
    pub id: String,
    /// What it was last answered, as it was noted.
    pub shown: String,
}

impl Journal {
    /// Opens the journal in the store at `path` for reading.
    ///
    /// # Errors
    /// When there is no store of this program's version.
    pub fn open(path: &Path) -> Result<Journal, StoreError> {
        Ok(Journal { connection: open::read_only(path)?, path: path.to_owned() })
    }

    /// Opens the journal in the store at `path` for reading and writing. Never makes a store.
    ///
    /// # Errors
    /// When there is no store of this program's version, or it can't be written.
    pub fn open_to_write(path: &Path) -> Result<Journal, StoreError> {
        let connection = open::aside(path)?;
        connection.busy_timeout(open::BUSY_TIMEOUT).at(path)?;
        Ok(Journal { connection, path: path.to_owned() })
    }

    /// A number that grows with every change of the journal: the learning epoch.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here that reads.
    pub fn epoch(&self) -> Result<i64, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("learning_revision")).at(&self.path)?;
        statement.query_row([], |row| row.get(0)).at(&self.path)
    }

    /// Every entry, oldest first.
    pub fn acts(&self) -> Result<Vec<FeedbackEvent>, StoreError> {
        let mut places = HashMap::new();
        let mut acts: Vec<FeedbackEvent> = Vec::new();
        for act in rows(&self.connection, &self.path, sql!("acts"), [], read_act)?.into_iter().flatten() {
            places.insert(act.id, acts.len());
            acts.push(act);
        }
        for (act, judgement) in
            rows(&self.connection, &self.path, sql!("judgements"), [], read_judgement)?.into_iter().flatten()
        {
            if let Some(&place) = places.get(&act) {
                acts[place].votes.push(judgement);
            }
        }
        for (act, word) in
            rows(&self.connection, &self.path, sql!("taught_words"), [], read_word)?.into_iter().flatten()
        {
            if let Some(&place) = places.get(&act) {
                acts[place].terms.push(word);
            }
        }
        Ok(acts)
    }

    /// Adds entries as one batch, all or none, and gives them back with their numbers.
    ///
    /// # Errors
    /// When the database can't be written; likewise for every function here that writes.
    pub fn append(&mut self, acts: Vec<FeedbackEvent>) -> Result<Vec<FeedbackEvent>, StoreError> {
        let path = self.path.clone();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).at(&path)?;
        let mut added: Vec<FeedbackEvent> = Vec::with_capacity(acts.len());
        for act in acts {
            let batch = added.first().map_or(0, |first| first.id);
            let (cluster, keywords) = (act.cluster.hash(), act.cluster.words().join(" "));
            let params = (batch, act.at, &act.session, act.kind.name(), &act.task, cluster, keywords);
            let id: i64 = transaction.query_row(sql!("put_act"), params, |row| row.get(0)).at(&path)?;
            if batch == 0 {
                transaction.execute(sql!("set_batch"), [id]).at(&path)?;
            }
            let mut statement = transaction.prepare_cached(sql!("put_judgement")).at(&path)?;
            for SymbolVote { subject, vote } in &act.votes {
                let Subject { id: symbol, qualified_name, package, package_root } = subject;
                let params = (id, &symbol.0[..], qualified_name, vote_number(*vote), package, &package_root[..]);
                statement.execute(params).at(&path)?;
            }
            let mut statement = transaction.prepare_cached(sql!("put_taught_word")).at(&path)?;
            for TermObservation { keyword, subject, observations } in &act.terms {
                let Subject { id: symbol, qualified_name, package, package_root } = subject;
                let root = &package_root[..];
                statement
                    .execute((id, keyword, &symbol.0[..], qualified_name, observations, package, root))
                    .at(&path)?;
            }
            let batch = if batch == 0 { id } else { batch };
            added.push(FeedbackEvent { id, batch, undone: false, ..act });
        }
        transaction.commit().at(&path)?;
        Ok(added)
    }

    /// Undoes the entries of a batch, or does them again.
    pub fn set_undone(&mut self, batch: i64, undone: bool) -> Result<(), StoreError> {
        self.connection.execute(sql!("set_undone"), (batch, undone)).at(&self.path)?;
        Ok(())
    }

    /// The session that was active last, if it was at `since` or later.
    pub fn last_session(&self, since: i64) -> Result<Option<LastSession>, StoreError> {
        maybe(&self.connection, &self.path, sql!("last_session"), [since], |row| {
            Ok(LastSession { id: row.get(0)?, shown: row.get(1)? })
        })
    }

    /// What a session was last answered; empty for one that is not known.
    pub fn shown(&self, session: &str) -> Result<String, StoreError> {
        Ok(maybe(&self.connection, &self.path, sql!("session_shown"), [session], |row| row.get(0))?.unwrap_or_default())
    }

    /// Notes that a session is active, and what it was answered.
    pub fn put_session(&mut self, session: &str, at: i64, shown: Option<&str>) -> Result<(), StoreError> {
        let path = self.path.clone();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).at(&path)?;
        transaction.execute(sql!("put_session"), (session, at)).at(&path)?;
        if let Some(shown) = shown {
            transaction.execute(sql!("put_session_shown"), (session, shown)).at(&path)?;
        }
        transaction.commit().at(&path)
    }
}

impl Reader {
    /// A hash over the source of a package, which is a file, or the Go files of a folder; `None` when there are none.
    ///
    /// # Why
    ///
    /// The package's Merkle root covers its edges too. They change when a test that calls it is added elsewhere, or when a
    /// new version of the program resolves more; what was said of its source stands all the same.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn source_root(&self, package: &str) -> Result<Option<[u8; 32]>, StoreError> {
        // What is below a folder lies between `folder/` and `folder0`, for `0` follows `/`.
        let (first, end) = match package {
            "" => (String::new(), char::MAX.to_string()),
            _ => (format!("{package}/"), format!("{package}0")),
        };
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, [u8; 32]>(2)?));
        let mut files = self.rows(sql!("source_files"), [package, &first, &end], read)?;
        files.retain(|(path, language, _)| definition_place(language, path) == package);
        let mut hasher = blake3::Hasher::new();
        for (path, _, content) in &files {
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path.as_bytes());
            hasher.update(content);
        }
        Ok((!files.is_empty()).then(|| *hasher.finalize().as_bytes()))
    }

    /// The package of a symbol, and the hash over its source; of what stands in no file all zeros, as no package has.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn package_of(&self, symbol: &Symbol) -> Result<(String, [u8; 32]), StoreError> {
        if symbol.file.is_empty() {
            return Ok((String::new(), [0; 32]));
        }
        let language: Option<String> = self.maybe(sql!("language_of_file"), [&symbol.file], |row| row.get(0))?;
        let package = definition_place(language.as_deref().unwrap_or_default(), &symbol.file).to_owned();
        let root = self.source_root(&package)?.unwrap_or_default();
        Ok((package, root))
    }
}

/// An entry without its judgements and words; nothing for a kind that this version does not know.
fn read_act(row: &Row<'_>) -> rusqlite::Result<Option<FeedbackEvent>> {
    let Some(kind) = EventKind::named(row.get_ref(4)?.as_str()?) else { return Ok(None) };
    Ok(Some(FeedbackEvent {
        id: row.get(0)?,
        batch: row.get(1)?,
        at: row.get(2)?,
        session: row.get(3)?,
        kind,
        task: row.get(5)?,
        cluster: Cluster::new(row.get_ref(6)?.as_str()?.split(' ').filter(|word| !word.is_empty()).map(str::to_owned)),
        undone: row.get(7)?,
        votes: Vec::new(),
        terms: Vec::new(),
    }))
}

fn read_judgement(row: &Row<'_>) -> rusqlite::Result<Option<(i64, SymbolVote)>> {
    let Some(subject) = read_subject(row)? else { return Ok(None) };
    let vote = match row.get(3)? {
        1 => Vote::Useful,
        -1 => Vote::NotUseful,
        _ => Vote::Clear,
    };
    Ok(Some((row.get(0)?, SymbolVote { subject, vote })))
}

fn read_word(row: &Row<'_>) -> rusqlite::Result<Option<(i64, TermObservation)>> {
    let Some(subject) = read_subject(row)? else { return Ok(None) };
    Ok(Some((row.get(0)?, TermObservation { keyword: row.get(3)?, subject, observations: row.get(6)? })))
}

/// The subject of a row; nothing for an identity of another form, which no symbol has.
fn read_subject(row: &Row<'_>) -> rusqlite::Result<Option<Subject>> {
    let Ok(id) = <[u8; 16]>::try_from(row.get_ref(1)?.as_blob()?) else { return Ok(None) };
    // A root of another form is one that no package has.
    let package_root = <[u8; 32]>::try_from(row.get_ref(5)?.as_blob()?).unwrap_or_default();
    Ok(Some(Subject { id: SymbolId(id), qualified_name: row.get(2)?, package: row.get(4)?, package_root }))
}

fn vote_number(vote: Vote) -> i8 {
    match vote {
        Vote::Useful => 1,
        Vote::NotUseful => -1,
        Vote::Clear => 0,
    }
}
