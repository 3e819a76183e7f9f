//! The feedback journal: tables that no index run changes.
//!
//! A [`Journal`] has its own connection, so it reads what other processes have written since, and writing to it needs
//! no indexer lock.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, Transaction, TransactionBehavior};

use super::digest::{self, Tracker};
use super::error::{SqlContext, StoreError};
use super::read::{query_all, query_optional};
use super::{checksum, open};
use crate::feedback::{Cluster, EventKind, FeedbackEvent, Subject, SymbolVote, TermObservation, Vote};
use crate::model::SymbolId;

/// The feedback journal of a database.
#[derive(Debug)]
pub struct Journal {
    pub(super) connection: Connection,
    path: PathBuf,
    /// Records the changes of its tables; `None` in a journal that is only read.
    tracker: Option<Tracker>,
}

impl Journal {
    /// Opens the journal of the store at `path` for reading.
    ///
    /// # Errors
    /// When there is no store of the current schema version.
    pub fn open(path: &Path) -> Result<Journal, StoreError> {
        let connection = open::read_only(path)?;
        checksum::register(&connection).at(path)?;
        Ok(Journal { connection, path: path.to_owned(), tracker: None })
    }

    /// Opens the journal of the store at `path` for reading and writing. Never creates a store.
    ///
    /// # Errors
    /// When there is no store of the current schema version, or it can't be written.
    pub fn open_to_write(path: &Path) -> Result<Journal, StoreError> {
        let mut connection = open::open_nowait(path)?;
        connection.busy_timeout(open::BUSY_TIMEOUT).at(path)?;
        checksum::register(&connection).at(path)?;
        let tracker = Some(Tracker::start(&mut connection, digest::JOURNAL).at(path)?);
        Ok(Journal { connection, path: path.to_owned(), tracker })
    }

    /// Returns the journal's revision, which increases with every change.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file that reads.
    pub fn revision(&self) -> Result<i64, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("journal_revision")).at(&self.path)?;
        statement.query_row([], |row| row.get(0)).at(&self.path)
    }

    /// Returns every event, oldest first.
    ///
    /// # Errors
    /// When a row was lost or changed: without it, votes would count that were undone, or the other way round.
    pub fn events(&self) -> Result<Vec<FeedbackEvent>, StoreError> {
        check(&self.connection, &self.path)?;
        let mut indexes = HashMap::new();
        let mut events: Vec<FeedbackEvent> = Vec::new();
        for event in query_all(&self.connection, &self.path, sql!("events"), [], read_event)?.into_iter().flatten() {
            indexes.insert(event.id, events.len());
            events.push(event);
        }
        for (event, vote) in
            query_all(&self.connection, &self.path, sql!("event_votes"), [], read_vote)?.into_iter().flatten()
        {
            if let Some(&index) = indexes.get(&event) {
                events[index].votes.push(vote);
            }
        }
        for (event, term) in
            query_all(&self.connection, &self.path, sql!("event_terms"), [], read_term)?.into_iter().flatten()
        {
            if let Some(&index) = indexes.get(&event) {
                events[index].terms.push(term);
            }
        }
        Ok(events)
    }

    /// Appends events as one batch, atomically, and returns them with their ids.
    ///
    /// # Errors
    /// When the database can't be written, or its journal is damaged, as for every function of this file that writes
    /// events. Nothing is changed then.
    pub fn append(&mut self, events: Vec<FeedbackEvent>) -> Result<Vec<FeedbackEvent>, StoreError> {
        let (path, tracker) = (self.path.clone(), self.tracker.as_ref());
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).at(&path)?;
        tracker.inspect(|tracker| tracker.reset());
        let mut added: Vec<FeedbackEvent> = Vec::with_capacity(events.len());
        let mut revision: i64 = transaction.query_row(sql!("journal_revision"), [], |row| row.get(0)).at(&path)?;
        for event in events {
            let batch = added.first().map_or(0, |first| first.id);
            let (cluster, keywords) = (event.cluster.hash(), event.cluster.words().join(" "));
            revision += 1;
            let params = (batch, event.at, &event.session, event.kind.name(), &event.task, cluster, keywords, revision);
            let mut statement = transaction.prepare_cached(sql!("put_event")).at(&path)?;
            let id: i64 = statement.query_row(params, |row| row.get(0)).at(&path)?;
            if batch == 0 {
                transaction.execute(sql!("set_batch"), [id]).at(&path)?;
            }
            let mut statement = transaction.prepare_cached(sql!("put_event_vote")).at(&path)?;
            for SymbolVote { subject, vote } in &event.votes {
                let Subject { id: symbol, qualified_name, package, package_root } = subject;
                let params = (id, &symbol.0[..], qualified_name, vote_number(*vote), package, &package_root[..]);
                statement.execute(params).at(&path)?;
            }
            let mut statement = transaction.prepare_cached(sql!("put_event_term")).at(&path)?;
            for TermObservation { keyword, subject, observations } in &event.terms {
                let Subject { id: symbol, qualified_name, package, package_root } = subject;
                let root = &package_root[..];
                statement
                    .execute((id, keyword, &symbol.0[..], qualified_name, observations, package, root))
                    .at(&path)?;
            }
            let batch = if batch == 0 { id } else { batch };
            added.push(FeedbackEvent { id, batch, undone: false, ..event });
        }
        if let Some(first) = added.first() {
            transaction.execute(sql!("seal_batch"), [first.batch]).at(&path)?;
        }
        commit(transaction, tracker, &path)?;
        Ok(added)
    }

    /// Marks the events of a batch as undone or redone.
    pub fn set_undone(&mut self, batch: i64, undone: bool) -> Result<(), StoreError> {
        let (path, tracker) = (self.path.clone(), self.tracker.as_ref());
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).at(&path)?;
        tracker.inspect(|tracker| tracker.reset());
        // A damaged event is not sealed again.
        check(&transaction, &path)?;
        transaction.execute(sql!("set_undone"), (batch, undone)).at(&path)?;
        transaction.execute(sql!("seal_batch"), [batch]).at(&path)?;
        commit(transaction, tracker, &path)
    }

    /// Returns the id of the session that was active last, if it was active at or after `since`.
    pub fn last_session(&self, since: i64) -> Result<Option<String>, StoreError> {
        query_optional(&self.connection, &self.path, sql!("last_session"), [since], |row| row.get(0))
    }

    /// Records that a session is active.
    pub fn put_session(&mut self, session: &str, at: i64) -> Result<(), StoreError> {
        self.connection.execute(sql!("put_session"), (session, at)).at(&self.path)?;
        Ok(())
    }
}

/// Commits a change of events, if the journal is whole with it. SQLite writes into a damaged page without a word: the new
/// row can be out of reach there, or overwrite another.
fn commit(transaction: Transaction<'_>, tracker: Option<&Tracker>, path: &Path) -> Result<(), StoreError> {
    tracker.map_or(Ok(()), |tracker| tracker.write(&transaction, path))?;
    check(&transaction, path)?;
    transaction.commit().at(path)
}

/// Compares every row of the journal with its checksum, and the tables with their digests.
///
/// # Errors
/// When a row was lost or changed.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let changed = damaged_rows(connection, path)?.into_iter().find(|(_, rows)| *rows > 0);
    if let Some((table, rows)) = changed {
        let detail = format!("{rows} rows of table {table} have changed");
        return Err(StoreError::Damaged { path: path.to_owned(), detail });
    }
    digest::JOURNAL.iter().try_for_each(|table| digest::check(connection, path, table))
}

/// Returns the number of rows of each table of the journal that do not match their checksum.
fn damaged_rows(connection: &Connection, path: &Path) -> Result<Vec<(String, i64)>, StoreError> {
    query_all(connection, path, sql!("check_journal"), [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Reads an event without its votes and terms; `None` for a kind that this version does not support.
fn read_event(row: &Row<'_>) -> rusqlite::Result<Option<FeedbackEvent>> {
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

fn read_vote(row: &Row<'_>) -> rusqlite::Result<Option<(i64, SymbolVote)>> {
    let Some(subject) = read_subject(row)? else { return Ok(None) };
    let vote = match row.get(3)? {
        1 => Vote::Useful,
        -1 => Vote::NotUseful,
        _ => Vote::Clear,
    };
    Ok(Some((row.get(0)?, SymbolVote { subject, vote })))
}

fn read_term(row: &Row<'_>) -> rusqlite::Result<Option<(i64, TermObservation)>> {
    let Some(subject) = read_subject(row)? else { return Ok(None) };
    Ok(Some((row.get(0)?, TermObservation { keyword: row.get(3)?, subject, observations: row.get(6)? })))
}

/// Reads the subject of a row; `None` when the identity has an invalid length.
fn read_subject(row: &Row<'_>) -> rusqlite::Result<Option<Subject>> {
    let Ok(id) = <[u8; 16]>::try_from(row.get_ref(1)?.as_blob()?) else { return Ok(None) };
    // An invalid root matches no package.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Writer;

    #[test]
    fn an_event_is_appended_without_reading_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.db");
        let mut writer = Writer::open(&path).unwrap();
        writer.begin().unwrap();
        writer.clear().unwrap();
        writer.set_repository("example.org/team/repo").unwrap();
        writer.commit().unwrap();
        let journal = Journal::open_to_write(&path).unwrap();
        let plan = format!("EXPLAIN QUERY PLAN {}", sql!("put_event"));
        let mut statement = journal.connection.prepare(&plan).unwrap();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get("detail").unwrap();
            assert!(!step.contains("SCAN"), "an import is not linear: {step}");
        }
    }
}
