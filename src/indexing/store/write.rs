//! Writes an index in one transaction: readers see all of it or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::{Params, TransactionState};

use super::backup::{UnfinishedFile, back_up, remove_leftovers, rename_into_place, unused_backup_path};
use super::checksum::seal;
use super::digest::Tracker;
use super::error::{SqlContext, StoreError};
use super::file_names::NameLists;
use super::lock::{sibling_path, writer_lock};
use super::names::ChangedSymbolNames;
use super::node_blocks::ChangedBlocks;
use super::node_meta::WrittenLengths;
use super::node_sums::ChangedSums;
use super::read::Reader;
use super::rows::{FileRow, SearchRow, SkipRow, SnapshotRow};
use super::search_text::{self, ColumnLengths};
use super::symbol_blocks::PendingSymbols;
use super::{digest, journal, migrate, open, salvage};
use crate::file_lock::FileLock;
use crate::model::{FileId, NodeId};

/// A new database of at most this size is vacuumed with small pages. Each of three dozen tables and indexes starts on a
/// page of its own and leaves its last page half empty, a fifth of a small database in total.
const MAX_SMALL_BYTES: u64 = 8 << 20;
const SMALL_PAGE_BYTES: i64 = 1_024;

/// Replaces rows of an index. Dropping it without [`Writer::commit`] keeps the last complete index.
#[derive(Debug)]
pub struct Writer {
    reader: Reader,
    /// The database, or where it will be.
    path: PathBuf,
    /// The file being written, unless that is the database itself.
    temporary: Option<UnfinishedFile>,
    /// The path at which the replaced file is kept, when some of its content could not be copied.
    backup: Option<PathBuf>,
    /// Whether the index was cleared, and the search index is configured for bulk loading.
    pub(super) is_bulk: bool,
    /// Files with a changed symbol or search text; 0 for symbols without a file.
    pub(super) touched: BTreeSet<FileId>,
    /// Changes of nodes and edges, unless all are written again.
    pub(super) changed_blocks: ChangedBlocks,
    pub(super) changed_sums: ChangedSums,
    /// Changes of names that resolution does not know.
    pub(super) changed_unresolved: NameLists,
    /// Changes of what files have to do with names.
    pub(super) changed_names: NameLists,
    pub(super) changed_symbol_names: ChangedSymbolNames,
    pub(super) pending: PendingSymbols,
    pub(super) lengths: WrittenLengths,
    notes: Vec<String>,
    /// Records the changes of tables, unless all are written again.
    tracker: Option<Tracker>,
    _lock: FileLock,
}

impl Writer {
    /// Opens the store at `path`, or begins a new one when it does not exist.
    ///
    /// # Errors
    /// When another process is indexing, or the file is foreign, damaged or newer.
    pub fn open(path: &Path) -> Result<Writer, StoreError> {
        let is_new_lock = !sibling_path(path, "lock").exists();
        let lock = writer_lock(path)?;
        let is_empty = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
        if is_empty || !path.exists() {
            // An empty file stays until the index is complete, so that a run after one that failed tells it again.
            let mut writer = Writer::fresh(path, lock)?;
            writer.notes.extend(is_empty.then(|| format!("{} was empty", path.display())));
            return Ok(writer);
        }
        let mut connection = match open::read_write(path) {
            Ok(connection) => connection,
            Err(error) => {
                if is_new_lock && matches!(error, StoreError::Foreign { .. }) {
                    // Beside a file of another program nothing is left; one that stays does no harm.
                    std::fs::remove_file(sibling_path(path, "lock")).unwrap_or_default();
                }
                return Err(error);
            }
        };
        let tracker = Tracker::start(&mut connection, digest::INDEX).at(path)?;
        let reader = Reader::from_connection(connection, path)?;
        if reader.meta("complete")?.is_some() {
            reader.check_tables(&["meta", "files"])?;
        }
        Ok(Writer { tracker: Some(tracker), ..Writer::new(path, lock, reader) })
    }

    /// Opens the store at `path` to be filled from nothing. A file that can't be used is replaced; its feedback is
    /// copied as far as it can be read, and [`Writer::notes`] lists the rest.
    ///
    /// # Errors
    /// When another process is indexing, or the folder can't be written.
    pub fn rebuild(path: &Path) -> Result<Writer, StoreError> {
        match Writer::open(path).and_then(Writer::check_integrity) {
            Err(error) if error.rebuild_helps() => Writer::replace(path, &error),
            other => other,
        }
    }

    /// Clearing tables does not repair damaged pages.
    fn check_integrity(self) -> Result<Writer, StoreError> {
        let lines = self.reader.query_all(sql!("check_integrity"), [], |row| row.get::<_, String>(0))?;
        match lines.into_iter().find(|line| line != "ok") {
            Some(problem) => Err(StoreError::Damaged { path: self.path, detail: problem.replace('\n', " ") }),
            None => journal::check(&self.reader.connection, &self.path).map(|()| self),
        }
    }

    /// Begins a new store that replaces the one at `path`. `problem` is why that one can't be used.
    ///
    /// # Errors
    /// When another process is indexing, or the folder can't be written.
    pub fn replace(path: &Path, problem: &StoreError) -> Result<Writer, StoreError> {
        let mut writer = Writer::fresh(path, writer_lock(path)?)?;
        writer.notes.push(problem.to_string());
        let is_foreign = matches!(problem, StoreError::Foreign { .. }) && !salvage::is_ours(path);
        let lost = match is_foreign {
            true => vec!["no feedback could be read from it".to_owned()],
            false => salvage::copy_user_tables(path, &writer.reader),
        };
        writer.keep_feedback(lost)?;
        Ok(writer)
    }

    /// Begins a new store at `path` that starts as the checked `copy` of another machine's index, which is moved. The
    /// feedback of the store that it replaces is kept; times of files in the copy are not trusted.
    ///
    /// # Errors
    /// When another process is indexing, or the copy can't be moved or opened.
    pub fn adopt(path: &Path, copy: &Path) -> Result<Writer, StoreError> {
        let lock = writer_lock(path)?;
        let temporary = sibling_path(path, "new");
        remove_leftovers(&temporary)?;
        std::fs::rename(copy, &temporary).map_err(|error| StoreError::from_io("rename", copy, error))?;
        let unfinished = UnfinishedFile(temporary.clone());
        let connection = open::read_write(&temporary)?;
        let reader = Reader::from_connection(connection, &temporary)?;
        let mut writer = Writer::unfinished(path, lock, reader, unfinished);
        writer.tracker = Some(Tracker::start(&mut writer.reader.connection, digest::INDEX).at(&temporary)?);
        writer.begin()?;
        writer.batch(sql!("distrust_copy"))?;
        let lost = if path.exists() { salvage::copy_user_tables(path, &writer.reader) } else { Vec::new() };
        writer.keep_feedback(lost)?;
        Ok(writer)
    }

    /// Seals the copied feedback. What was `lost` is noted, and the file that has it will be kept.
    fn keep_feedback(&mut self, lost: Vec<String>) -> Result<(), StoreError> {
        digest::write(&self.reader.connection, &self.path, digest::JOURNAL)?;
        if !lost.is_empty() {
            let backup = unused_backup_path(&self.path);
            self.notes.extend(lost);
            self.notes.push(format!("the previous file was kept as {}", backup.display()));
            self.backup = Some(backup);
        }
        Ok(())
    }

    fn fresh(path: &Path, lock: FileLock) -> Result<Writer, StoreError> {
        let temporary = sibling_path(path, "new");
        remove_leftovers(&temporary)?;
        let unfinished = UnfinishedFile(temporary.clone());
        let reader = Reader::from_connection(open::fresh(&temporary)?, &temporary)?;
        Ok(Writer::unfinished(path, lock, reader, unfinished))
    }

    /// Wraps a temporary file that is renamed to `path` when it is complete.
    fn unfinished(path: &Path, lock: FileLock, reader: Reader, file: UnfinishedFile) -> Writer {
        Writer { temporary: Some(file), ..Writer::new(path, lock, reader) }
    }

    /// Returns a writer of what `reader` reads, which has changed nothing.
    fn new(path: &Path, lock: FileLock, reader: Reader) -> Writer {
        Writer {
            reader,
            path: path.to_owned(),
            temporary: None,
            backup: None,
            is_bulk: false,
            touched: BTreeSet::new(),
            changed_blocks: ChangedBlocks::default(),
            changed_sums: ChangedSums::default(),
            changed_unresolved: NameLists::default(),
            changed_names: NameLists::default(),
            changed_symbol_names: ChangedSymbolNames::default(),
            pending: PendingSymbols::default(),
            lengths: WrittenLengths::default(),
            notes: Vec::new(),
            tracker: None,
            _lock: lock,
        }
    }

    /// Returns a reader of the uncommitted state.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns messages for the user about a replaced file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Begins the transaction. Call it late, since other writers (votes) wait until it ends.
    ///
    /// # Errors
    /// When another process is writing.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        if self.reader.connection.transaction_state(None::<&str>).at(&self.path)? == TransactionState::Write {
            return Ok(());
        }
        self.batch(sql!("begin"))
    }

    /// Removes the whole index but not the feedback, and prepares for bulk loading.
    ///
    /// # Errors
    /// When the database can't be written, as for every function below.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        // Foreign keys are deferred, so tables can be cleared in any order.
        if let Some(tracker) = self.tracker.take() {
            tracker.stop(&mut self.reader.connection).at(&self.path)?;
        }
        migrate::drop_indexes(&self.reader.connection).at(&self.path)?;
        self.is_bulk = true;
        self.changed_unresolved.clear();
        self.changed_names.clear();
        self.changed_symbol_names = ChangedSymbolNames::default();
        self.pending.clear();
        self.lengths.clear();
        self.reader.forget();
        self.batch(sql!("clear"))
    }

    /// Creates the indexes that [`Writer::clear`] dropped. Called before reads that need them.
    pub fn create_indexes(&mut self) -> Result<(), StoreError> {
        migrate::create_indexes(&self.reader.connection).at(&self.path)
    }

    /// Sets the repository's id.
    pub fn set_repository(&mut self, repository: &str) -> Result<(), StoreError> {
        self.reader.set_repository(repository);
        self.set_meta("repository", repository)
    }

    /// Sets a value of the index's metadata.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.run(sql!("set_meta"), (key, value))
    }

    /// Renames the state: rankings may differ from now on. See [`Reader::state`].
    pub fn renew_state(&mut self) -> Result<(), StoreError> {
        self.run(sql!("renew_state"), [])
    }

    /// Inserts or replaces a file.
    pub fn put_file(&mut self, file: &FileRow) -> Result<(), StoreError> {
        self.reader.kept_files.borrow_mut().remove(&file.id);
        let size = file.size as i64;
        let hash = &file.content_hash[..];
        self.run(sql!("put_file"), (file.id, &file.path, &file.language, size, file.mtime_ns, hash))
    }

    /// Removes a file with its facts and edges. Its nodes must be deleted before.
    pub fn delete_file(&mut self, file: FileId) -> Result<(), StoreError> {
        self.touched.insert(file);
        self.reader.kept_files.borrow_mut().remove(&file);
        self.delete_edges_of(file)?;
        self.run(sql!("delete_file"), [file])
    }

    /// Replaces the encoded facts of a file: outline, code and texts.
    pub fn put_facts(&mut self, file: FileId, outline: &[u8], code: &[u8], texts: &[u8]) -> Result<(), StoreError> {
        self.put_sealed("outlines", sql!("put_outline"), file, outline)?;
        self.put_sealed("codes", sql!("put_code"), file, code)?;
        self.put_sealed("texts", sql!("put_texts"), file, texts)
    }

    /// Replaces the encoded node ids of a file's definitions.
    pub fn put_file_nodes(&mut self, file: FileId, data: &[u8]) -> Result<(), StoreError> {
        self.put_sealed("file_nodes", sql!("put_file_nodes"), file, data)
    }

    /// Replaces the encoded resolution dependencies of a file.
    pub fn put_resolution(&mut self, file: FileId, data: &[u8]) -> Result<(), StoreError> {
        self.put_sealed("resolutions", sql!("put_resolution"), file, data)
    }

    /// Replaces the hash of what the extension blocks and globs of a file lead to; 0 if it has none.
    pub fn put_targets(&mut self, file: FileId, hash: u64) -> Result<(), StoreError> {
        match hash {
            0 => self.run(sql!("delete_targets"), [file]),
            _ => self.run(sql!("put_targets"), (file, hash as i64)),
        }
    }

    fn put_sealed(&self, table: &str, sql: &'static str, file: FileId, data: &[u8]) -> Result<(), StoreError> {
        self.run(sql, (file, seal(table, file.get().into(), data)))
    }

    /// Replaces the list of skipped files.
    pub fn put_skips(&mut self, skips: &[SkipRow]) -> Result<(), StoreError> {
        self.run(sql!("clear_skips"), [])?;
        skips.iter().try_for_each(|skip| {
            self.run(sql!("put_skip"), (&skip.path, &skip.reason, skip.size as i64, skip.mtime_ns))
        })
    }

    /// Replaces the hashes of the manifests.
    pub fn put_manifests(&mut self, manifests: &[(String, [u8; 32])]) -> Result<(), StoreError> {
        self.run(sql!("clear_manifests"), [])?;
        manifests.iter().try_for_each(|(path, hash)| self.run(sql!("put_manifest"), (path, &hash[..])))
    }

    /// Inserts the search text of a symbol that has none.
    pub fn put_search(&mut self, row: &SearchRow) -> Result<(), StoreError> {
        self.touch(row.node)?;
        let (text, lengths) = search_text::encode(&row.columns);
        self.lengths.set(row.node, lengths);
        self.run(sql!("put_search"), (row.node, text))
    }

    /// Removes the search text of a symbol.
    pub fn delete_search(&mut self, node: NodeId) -> Result<(), StoreError> {
        self.touch(node)?;
        // A contentless FTS5 table does not check that a deleted rowid exists, and would corrupt its counts. A
        // condition in the statement itself would make SQLite flush the search index, at the cost of all its terms.
        let is_present = self.reader.query_optional(sql!("has_search"), [node], |_| Ok(()))?.is_some();
        self.lengths.set(node, ColumnLengths::default());
        if is_present { self.run(sql!("delete_search"), [node]) } else { Ok(()) }
    }

    /// Adds or replaces the Merkle roots of packages, in the order of their rows.
    pub fn put_packages(&mut self, roots: &BTreeMap<String, [u8; 32]>) -> Result<(), StoreError> {
        let mut rows: Vec<(i64, &str, &[u8; 32])> =
            roots.iter().map(|(name, root)| (package_number(name), name.as_str(), root)).collect();
        rows.sort_unstable();
        rows.into_iter().try_for_each(|(number, name, root)| self.run(sql!("put_package"), (number, name, &root[..])))
    }

    /// Removes the Merkle root of a package.
    pub fn delete_package(&mut self, name: &str) -> Result<(), StoreError> {
        self.run(sql!("delete_package"), [package_number(name)])
    }

    /// Appends a snapshot.
    pub fn put_snapshot(&mut self, snapshot: &SnapshotRow) -> Result<(), StoreError> {
        let parent = snapshot.parent.as_ref().map(|parent| &parent[..]);
        self.run(sql!("put_snapshot"), (&snapshot.root[..], &snapshot.commit, parent, snapshot.created_at))
    }

    /// Commits everything written since [`Writer::begin`], which makes it visible to readers.
    pub fn commit(mut self) -> Result<(), StoreError> {
        self.create_indexes()?;
        self.write_symbols()?;
        let touched = std::mem::take(&mut self.touched);
        if self.is_bulk {
            self.batch(sql!("end_bulk"))?;
        }
        // The search index would otherwise write its rows while the transaction is committed. The tables below fill some of the
        // pages that it frees when it merges segments.
        self.batch(sql!("flush_search"))?;
        if self.is_bulk {
            self.batch(sql!("merge_search"))?;
            self.pack_all_node_meta()?;
            self.pack_all_blocks()?;
            self.pack_all_sums()?;
        } else {
            self.pack_node_meta_of(&touched)?;
            self.pack_changed_blocks()?;
            self.pack_changed_sums()?;
        }
        self.pack_symbol_names()?;
        self.pack_changed_names()?;
        self.set_meta("complete", "yes")?;
        match &self.tracker {
            Some(tracker) => tracker.write(&self.reader.connection, self.reader.path())?,
            None => digest::write(&self.reader.connection, &self.path, digest::INDEX)?,
        }
        if self.is_bulk {
            // A row for each page.
            self.reader.query_all(sql!("release_pages"), [], |_| Ok(()))?;
        }
        self.batch(sql!("commit"))?;
        let Some(unfinished) = self.temporary.take() else { return Ok(()) };
        let temporary = &unfinished.0;
        let Writer { reader, path, backup, _lock: lock, .. } = self;
        let bytes = reader.bytes()?;
        if bytes <= MAX_SMALL_BYTES {
            reader.connection.pragma_update(None, "page_size", SMALL_PAGE_BYTES).at(temporary)?;
            reader.connection.execute_batch(sql!("vacuum")).at(temporary)?;
        }
        reader.connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).at(temporary)?;
        reader.connection.close().map_err(|(_, error)| StoreError::from_sql(temporary, error))?;
        if let Some(backup) = backup {
            back_up(&path, &backup)?;
        }
        rename_into_place(temporary, &path)?;
        drop(unfinished);
        drop(lock);
        Ok(())
    }

    /// Marks the file of a symbol for repacking its metadata.
    fn touch(&mut self, node: NodeId) -> Result<(), StoreError> {
        if !self.is_bulk {
            let file = match self.pending.file_of(node) {
                Some(file) => Some(file),
                None => self.reader.head(node)?.map(|head| head.file),
            };
            self.touched.extend(file);
        }
        Ok(())
    }

    pub(super) fn run(&self, sql: &'static str, params: impl Params) -> Result<(), StoreError> {
        let mut statement = self.reader.connection.prepare_cached(sql).at(&self.path)?;
        statement.execute(params).at(&self.path)?;
        Ok(())
    }

    pub(super) fn batch(&self, sql: &'static str) -> Result<(), StoreError> {
        self.reader.connection.execute_batch(sql).at(&self.path)
    }
}

/// Returns the number of a package's row.
fn package_number(name: &str) -> i64 {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes()) as i64
}
