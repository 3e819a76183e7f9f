//! Writing an index: one transaction that readers see all of, or nothing.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Params, TransactionState};

use super::error::{SqlContext, StoreError};
use super::lock::{WriterLock, beside};
use super::read::Reader;
use super::rows::{FileRow, NodeRow, SearchRow, SkipRow, SnapshotRow};
use super::{migrate, open, salvage};

/// A new database of at most so many bytes is written again with small pages: each of three dozen tables and indexes
/// begins a page and ends one half full, which together is a fifth of a small database.
const SMALL_BYTES: u64 = 8 << 20;
const SMALL_PAGE: i64 = 1_024;

/// Replaces rows of an index. Dropped without [`Writer::commit`], it leaves the last complete index in place.
#[derive(Debug)]
pub struct Writer {
    reader: Reader,
    /// Where the database is, or will be.
    path: PathBuf,
    /// The file that is being written when it is not the database itself yet.
    building: Option<Unfinished>,
    /// Where the file that is replaced is kept, when something in it would be lost.
    kept: Option<PathBuf>,
    /// The index was cleared, and its search index is set up for loading in bulk.
    is_bulk: bool,
    /// Files of which a symbol or its search text was written; 0 for symbols without a file.
    touched: BTreeSet<u32>,
    notes: Vec<String>,
    _lock: WriterLock,
}

impl Writer {
    /// Opens the store at `path`, or begins a new one where there is none.
    ///
    /// # Errors
    /// When another indexer is at work, or the file is foreign, damaged or newer.
    pub fn open(path: &Path) -> Result<Writer, StoreError> {
        let lock = WriterLock::take(path)?;
        if !path.exists() {
            return Writer::fresh(path, lock);
        }
        let connection = open::read_write(path)?;
        Ok(Writer {
            reader: Reader::over(connection, path)?,
            path: path.to_owned(),
            building: None,
            kept: None,
            is_bulk: false,
            touched: BTreeSet::new(),
            notes: Vec::new(),
            _lock: lock,
        })
    }

    /// Opens the store at `path` to be filled from nothing. Where the file can't be used, a new one takes its place;
    /// what the user taught is kept as far as it can be read, and [`Writer::notes`] says what was not.
    ///
    /// # Errors
    /// When another indexer is at work or the place can't be written.
    pub fn rebuild(path: &Path) -> Result<Writer, StoreError> {
        match Writer::open(path).and_then(Writer::checked) {
            Err(error) if error.rebuild_helps() => Writer::replace(path, &error),
            other => other,
        }
    }

    /// Emptying tables does not mend pages that are damaged.
    fn checked(self) -> Result<Writer, StoreError> {
        let lines = self.reader.rows(sql!("check_integrity"), [], |row| row.get::<_, String>(0))?;
        match lines.into_iter().find(|line| line != "ok") {
            Some(problem) => Err(StoreError::Damaged { path: self.path, detail: problem.replace('\n', " ") }),
            None => Ok(self),
        }
    }

    /// Begins a new store to take the place of the one at `path`, of which `problem` says why it can't be used.
    ///
    /// # Errors
    /// When another indexer is at work or the place can't be written.
    pub fn replace(path: &Path, problem: &StoreError) -> Result<Writer, StoreError> {
        let mut writer = Writer::fresh(path, WriterLock::take(path)?)?;
        writer.notes.push(problem.to_string());
        let is_foreign = matches!(problem, StoreError::Foreign { .. });
        let lost = if is_foreign { Vec::new() } else { salvage::copy_user_tables(path, &writer.reader) };
        if is_foreign || !lost.is_empty() {
            let kept = free_name(path);
            writer.notes.extend(lost);
            writer.notes.push(format!("the file that was there is kept as {}", kept.display()));
            writer.kept = Some(kept);
        }
        Ok(writer)
    }

    fn fresh(path: &Path, lock: WriterLock) -> Result<Writer, StoreError> {
        let building = beside(path, "new");
        for leftover in [building.clone(), beside(&building, "journal")] {
            remove_if_there(&leftover)?;
        }
        let unfinished = Unfinished(building.clone());
        let reader = Reader::over(open::fresh(&building)?, &building)?;
        Ok(Writer {
            reader,
            path: path.to_owned(),
            building: Some(unfinished),
            kept: None,
            is_bulk: false,
            touched: BTreeSet::new(),
            notes: Vec::new(),
            _lock: lock,
        })
    }

    /// The state being written, as this writer sees it.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// What the user should be told about what happened to an unusable file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Begins the transaction. Call it late: other writers (votes) wait until the end.
    ///
    /// # Errors
    /// When another process is writing.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        if self.reader.connection.transaction_state(None::<&str>).at(&self.path)? == TransactionState::Write {
            return Ok(());
        }
        self.batch(sql!("begin"))
    }

    /// Removes the whole index, but nothing that the user taught, and prepares for loading rows in bulk.
    ///
    /// # Errors
    /// When the database can't be written; likewise for every function below.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        // Foreign keys are deferred, so the order of the tables does not matter.
        migrate::drop_indexes(&self.reader.connection).at(&self.path)?;
        self.is_bulk = true;
        self.batch(sql!("clear"))
    }

    /// Names the repository.
    pub fn set_repository(&mut self, repository: &str) -> Result<(), StoreError> {
        self.reader.set_repository(repository);
        self.set_meta("repository", repository)
    }

    /// Records a single fact about the index.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.run(sql!("set_meta"), (key, value))
    }

    /// Says that rankings may differ from now on; see [`Reader::state`].
    pub fn renew_state(&mut self) -> Result<(), StoreError> {
        self.run(sql!("renew_state"), [])
    }

    /// Adds or replaces a file.
    pub fn put_file(&mut self, file: &FileRow) -> Result<(), StoreError> {
        let size = file.size as i64;
        let hash = &file.content_hash[..];
        self.run(sql!("put_file"), (file.id, &file.path, &file.language, size, file.mtime_ns, hash))
    }

    /// Removes a file with its facts and edges; its nodes must have been deleted before.
    pub fn delete_file(&mut self, file: u32) -> Result<(), StoreError> {
        self.touched.insert(file);
        self.delete_edges_of(file)?;
        self.run(sql!("delete_file"), [file])
    }

    /// Replaces the packed facts of a file: outline, code and texts.
    pub fn put_facts(&mut self, file: u32, outline: &[u8], code: &[u8], texts: &[u8]) -> Result<(), StoreError> {
        self.run(sql!("put_outline"), (file, outline))?;
        self.run(sql!("put_code"), (file, code))?;
        self.run(sql!("put_texts"), (file, texts))
    }

    /// Replaces the node numbers of a file's definitions, packed.
    pub fn put_placement(&mut self, file: u32, data: &[u8]) -> Result<(), StoreError> {
        self.run(sql!("put_placement"), (file, data))
    }

    /// Replaces what a file's resolution depended on, packed.
    pub fn put_resolution(&mut self, file: u32, data: &[u8]) -> Result<(), StoreError> {
        self.run(sql!("put_resolution"), (file, data))
    }

    /// Replaces the list of files that were left out.
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

    /// Adds or replaces a symbol.
    pub fn put_node(&mut self, node: &NodeRow) -> Result<(), StoreError> {
        self.touched.insert(node.file.unwrap_or(0));
        let mut statement = self.reader.connection.prepare_cached(sql!("put_node")).at(&self.path)?;
        let span = node.span;
        let params = rusqlite::params![
            node.id,
            &node.identity.0[..],
            node.file,
            node.kind as u8,
            node.name,
            node.scope,
            node.signature,
            node.doc,
            span.start_byte,
            span.end_byte.saturating_sub(span.start_byte),
            span.start_line,
            span.end_line.saturating_sub(span.start_line),
            span.name_line,
            node.is_test,
            node.ordinal,
        ];
        statement.execute(params).at(&self.path)?;
        Ok(())
    }

    /// Removes a symbol and its search text. Its edges are the caller's to remove.
    pub fn delete_node(&mut self, node: u32) -> Result<(), StoreError> {
        self.touch(node)?;
        self.run(sql!("delete_search"), [node])?;
        self.run(sql!("delete_node"), [node])
    }

    /// Adds the search text of a symbol that has none.
    pub fn put_search(&mut self, row: &SearchRow) -> Result<(), StoreError> {
        self.touch(row.node)?;
        let [name, concepts, qualified_name, signature, path, doc, body, history] = &row.columns;
        self.run(sql!("put_search"), (row.node, name, concepts, qualified_name, signature, path, doc, body, history))
    }

    /// Removes the search text of a symbol.
    pub fn delete_search(&mut self, node: u32) -> Result<(), StoreError> {
        self.touch(node)?;
        self.run(sql!("delete_search"), [node])
    }

    /// Replaces the Merkle root of a package.
    pub fn put_package(&mut self, name: &str, root: &[u8; 32]) -> Result<(), StoreError> {
        self.run(sql!("put_package"), (name, &root[..]))
    }

    /// Removes a package's Merkle root.
    pub fn delete_package(&mut self, name: &str) -> Result<(), StoreError> {
        self.run(sql!("delete_package"), [name])
    }

    /// Appends a state of the graph.
    pub fn put_snapshot(&mut self, snapshot: &SnapshotRow) -> Result<(), StoreError> {
        let parent = snapshot.parent.as_ref().map(|parent| &parent[..]);
        self.run(sql!("put_snapshot"), (&snapshot.root[..], &snapshot.commit, parent, snapshot.created_at))
    }

    /// Makes everything written since [`Writer::begin`] visible to readers.
    pub fn commit(mut self) -> Result<(), StoreError> {
        migrate::create_indexes(&self.reader.connection).at(&self.path)?;
        let touched: Vec<u32> = std::mem::take(&mut self.touched).into_iter().collect();
        self.pack_heads((!self.is_bulk).then_some(&touched))?;
        self.set_meta("complete", "yes")?;
        if self.is_bulk {
            self.batch(sql!("end_bulk"))?;
        }
        self.batch(sql!("commit"))?;
        let Some(unfinished) = self.building.take() else { return Ok(()) };
        let building = &unfinished.0;
        let Writer { reader, path, kept, _lock: lock, .. } = self;
        let bytes = reader.bytes()?;
        if bytes <= SMALL_BYTES {
            reader.connection.pragma_update(None, "page_size", SMALL_PAGE).at(building)?;
            reader.connection.execute_batch(sql!("vacuum")).at(building)?;
        }
        reader.connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).at(building)?;
        reader.connection.close().map_err(|(_, error)| StoreError::from_sql(building, error))?;
        if let Some(kept) = kept {
            keep(&path, &kept)?;
        }
        put_in_place(building, &path)?;
        drop(unfinished);
        drop(lock);
        Ok(())
    }

    /// Notes that the head of a symbol may change.
    fn touch(&mut self, node: u32) -> Result<(), StoreError> {
        if !self.is_bulk {
            self.touched.extend(self.reader.maybe(sql!("file_of_node"), [node], |row| row.get::<_, u32>(0))?);
        }
        Ok(())
    }

    pub(super) fn run(&self, sql: &'static str, params: impl Params) -> Result<(), StoreError> {
        let mut statement = self.reader.connection.prepare_cached(sql).at(&self.path)?;
        statement.execute(params).at(&self.path)?;
        Ok(())
    }

    fn batch(&self, sql: &'static str) -> Result<(), StoreError> {
        self.reader.connection.execute_batch(sql).at(&self.path)
    }
}

/// A new file until it is renamed to its place: one that never comes to that would only take up room.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // The next run tries again, and says so if it can't.
        remove_if_there(&self.0).unwrap_or_default();
    }
}

/// Renames a finished database to its place. Leftovers of an earlier file there would be taken for its own.
fn put_in_place(building: &Path, path: &Path) -> Result<(), StoreError> {
    let sync = |file: &Path| File::open(file).and_then(|open| open.sync_all());
    sync(building).map_err(|error| StoreError::from_io("sync", building, error))?;
    for suffix in ["wal", "shm", "journal"] {
        remove_if_there(&beside(path, suffix))?;
    }
    std::fs::rename(building, path).map_err(|error| StoreError::from_io("rename", building, error))?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        sync(folder).map_err(|error| StoreError::from_io("sync", folder, error))?;
    }
    Ok(())
}

/// A name beside the database that no file has.
fn free_name(path: &Path) -> PathBuf {
    let names = (2..).map(|number| beside(path, &format!("replaced-{number}")));
    let mut names = std::iter::once(beside(path, "replaced")).chain(names);
    names.find(|name| name.symlink_metadata().is_err()).unwrap_or_else(|| beside(path, "replaced"))
}

/// Keeps the file at `path` under another name, with what SQLite keeps beside it. Between this and the renaming of the
/// new file there is a moment without any; whoever is stopped in it finds both files and runs again.
fn keep(path: &Path, kept: &Path) -> Result<(), StoreError> {
    for suffix in ["wal", "journal"] {
        rename_if_there(&beside(path, suffix), &beside(kept, suffix))?;
    }
    rename_if_there(path, kept)
}

fn rename_if_there(from: &Path, to: &Path) -> Result<(), StoreError> {
    match std::fs::rename(from, to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::from_io("rename", from, error)),
        _ => Ok(()),
    }
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::from_io("remove", path, error)),
        _ => Ok(()),
    }
}
