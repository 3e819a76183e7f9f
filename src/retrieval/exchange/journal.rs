//! The journal of agents' requests: JSON lines in numbered files, of which the newest few are kept.
//!
//! The texts of tasks are stored in it, readable by the current user only. [`is_journal_enabled`] says how it is
//! switched off.
//!
//! [`is_journal_enabled`]: super::is_journal_enabled

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::files::open;
use super::record::RequestRecord;
use super::{Exchange, ExchangeError};

/// Size at which a new file is begun.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 20;
/// Number of files that are kept.
pub(super) const MAX_FILES: u64 = 4;
/// Largest number of a file; a larger one is not the journal's.
const MAX_NUMBER: u64 = 999_999_999;
/// Limit of a line that is read.
pub(super) const MAX_LINE_BYTES: usize = 256 << 10;

const PREFIX: &str = "requests-";
const SUFFIX: &str = ".jsonl";

/// The journal of one repository.
#[derive(Debug, Clone)]
pub struct RequestJournal {
    exchange: Exchange,
}

impl RequestJournal {
    /// Returns the journal of an exchange. Nothing is read or written.
    pub fn new(exchange: Exchange) -> RequestJournal {
        RequestJournal { exchange }
    }

    /// Appends a record, by one write.
    ///
    /// # Errors
    /// When there is no index, or the journal can't be written.
    pub fn append(&self, record: RequestRecord) -> Result<(), ExchangeError> {
        self.exchange.prepare()?;
        let record = record.bounded();
        let mut line = serde_json::to_vec(&record).expect("strings, numbers and lists of them have a form in JSON");
        line.push(b'\n');
        let _lock = self.exchange.lock()?;
        let numbers = numbers(&self.exchange)?;
        let last = numbers.last().copied().unwrap_or(1);
        let mut file = self.open(last)?;
        let mut path = path(&self.exchange, last);
        if self.len(&file, &path)? >= MAX_FILE_BYTES {
            let next = last + 1;
            file = self.open(next)?;
            path = self::path(&self.exchange, next);
            for old in numbers.iter().filter(|number| **number + MAX_FILES <= next) {
                let old = self::path(&self.exchange, *old);
                fs::remove_file(&old).map_err(|error| ExchangeError::io("remove", &old, error))?;
            }
        }
        let failed = |error| ExchangeError::io("write", &path, error);
        // The last line of a process that was killed may have no end.
        if !is_terminated(&mut file).map_err(failed)? {
            line.insert(0, b'\n');
        }
        file.write_all(&line).map_err(failed)
    }

    /// Returns the newest records, oldest first, and the number of lines that could not be read.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn latest(&self, limit: usize) -> Result<(Vec<RequestRecord>, usize), ExchangeError> {
        let mut follower = super::RequestFollower::from_start(self.exchange.clone());
        let mut records = Vec::new();
        loop {
            let more = follower.poll()?;
            if more.is_empty() {
                break;
            }
            records.extend(more);
        }
        records.drain(..records.len().saturating_sub(limit));
        Ok((records, follower.skipped()))
    }

    fn open(&self, number: u64) -> Result<File, ExchangeError> {
        open(&path(&self.exchange, number), OpenOptions::new().create(true).append(true).read(true))
    }

    fn len(&self, file: &File, path: &std::path::Path) -> Result<u64, ExchangeError> {
        Ok(file.metadata().map_err(|error| ExchangeError::io("read", path, error))?.len())
    }
}

fn is_terminated(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns the path of the journal's file with this number.
pub(super) fn path(exchange: &Exchange, number: u64) -> PathBuf {
    exchange.file(&format!("{PREFIX}{number:06}{SUFFIX}"))
}

/// Returns the numbers of the journal's files, oldest first.
pub(super) fn numbers(exchange: &Exchange) -> Result<Vec<u64>, ExchangeError> {
    let folder = exchange.folder();
    if exchange.is_missing(folder)? {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(|error| ExchangeError::io("read", folder, error))?;
    let number = |name: String| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse::<u64>().ok();
    let mut numbers: Vec<u64> =
        entries.filter_map(|entry| number(entry.ok()?.file_name().into_string().ok()?)).collect();
    // Another spelling of a number would be another file.
    numbers.retain(|number| *number > 0 && *number <= MAX_NUMBER && path(exchange, *number).exists());
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{Client, Outcome, RequestFollower, RequestSource, RequestSubject};

    fn exchange() -> (tempfile::TempDir, Exchange) {
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        (folder, exchange)
    }

    fn record(task: &str) -> RequestRecord {
        let client = Client { name: "test".into(), version: "1".into() };
        RequestRecord::begin(RequestSource::Mcp, client, "knowing_context", RequestSubject::Task(task.into()))
    }

    fn tasks(records: &[RequestRecord]) -> Vec<String> {
        let task = |record: &RequestRecord| match &record.subject {
            RequestSubject::Task(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        records.iter().map(task).collect()
    }

    #[test]
    fn records_are_read_as_they_were_appended() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        let first = RequestRecord { outcome: Outcome::Delta, ..record("a\nb \u{1b}[31m") };
        journal.append(first.clone()).unwrap();
        let mut follower = RequestFollower::from_start(exchange);
        assert_eq!(follower.poll().unwrap().len(), 1);
        assert!(follower.poll().unwrap().is_empty());
        journal.append(record("second")).unwrap();
        assert_eq!(tasks(&follower.poll().unwrap()), ["second"]);
        assert!(follower.poll().unwrap().is_empty());
        let (records, skipped) = journal.latest(10).unwrap();
        assert_eq!((records[0].clone(), records.len(), skipped), (first, 2, 0));
        assert_eq!(tasks(&journal.latest(1).unwrap().0), ["second"]);
    }

    #[test]
    fn foreign_and_truncated_lines_are_skipped_and_counted() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        journal.append(record("one")).unwrap();
        let file = path(&exchange, 1);
        let mut bytes = fs::read(&file).unwrap();
        let half = bytes[..40].to_vec();
        bytes.extend(b"not json\n\xff\xfe\n{}\n\n[1]\n");
        bytes.extend(vec![b'x'; MAX_LINE_BYTES + 10]);
        bytes.push(b'\n');
        // A process was killed in the middle of a line.
        bytes.extend(half);
        fs::write(&file, bytes).unwrap();
        journal.append(record("two")).unwrap();
        let (records, skipped) = journal.latest(10).unwrap();
        assert_eq!((tasks(&records), skipped), (vec!["one".to_owned(), "two".to_owned()], 6));
    }

    #[test]
    fn rotation_bounds_the_journal_and_loses_nothing_for_a_follower() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        let mut follower = RequestFollower::from_start(exchange.clone());
        let text = "x".repeat(10_000);
        let mut seen = 0;
        for number in 0..2_000 {
            journal.append(record(&text)).unwrap();
            if number % 150 == 149 {
                seen += follower.poll().unwrap().len();
            }
        }
        seen += follower.poll().unwrap().len();
        assert_eq!((seen, follower.skipped()), (2_000, 0));
        let numbers = numbers(&exchange).unwrap();
        assert!(numbers.len() <= MAX_FILES as usize && numbers[0] > 1, "{numbers:?}");
    }

    #[test]
    fn a_follower_sees_a_journal_that_begins_again() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        journal.append(record("one")).unwrap();
        fs::rename(path(&exchange, 1), path(&exchange, 7)).unwrap();
        let mut follower = RequestFollower::from_start(exchange.clone());
        assert_eq!(tasks(&follower.poll().unwrap()), ["one"]);
        fs::remove_dir_all(exchange.folder()).unwrap();
        journal.append(record("two")).unwrap();
        assert_eq!(tasks(&follower.poll().unwrap()), ["two"]);
    }

    #[test]
    fn records_before_an_unreadable_file_are_returned() {
        let (_folder, exchange) = exchange();
        RequestJournal::new(exchange.clone()).append(record("one")).unwrap();
        fs::create_dir(path(&exchange, 2)).unwrap();
        let mut follower = RequestFollower::from_start(exchange.clone());
        assert_eq!(tasks(&follower.poll().unwrap()), ["one"]);
        assert!(follower.poll().is_err());
        fs::remove_dir(path(&exchange, 2)).unwrap();
        assert!(follower.poll().unwrap().is_empty());
    }

    #[test]
    fn more_than_the_journal_keeps_is_not_read() {
        let (_folder, exchange) = exchange();
        RequestJournal::new(exchange.clone()).append(record("one")).unwrap();
        let line = fs::read(path(&exchange, 1)).unwrap();
        (2..=50).for_each(|number| fs::write(path(&exchange, number), &line).unwrap());
        let mut long = line.clone();
        long.extend(vec![b'\n'; 4 * MAX_FILE_BYTES as usize]);
        long.extend(line);
        fs::write(path(&exchange, 50), long).unwrap();
        let mut follower = RequestFollower::from_start(exchange);
        assert_eq!(follower.poll().unwrap().len(), MAX_FILES as usize + 1);
        assert_eq!(follower.skipped(), 1);
        assert!(follower.poll().unwrap().is_empty());
    }

    #[test]
    fn several_writers_at_once_lose_no_line() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let journal = &journal;
                scope.spawn(move || {
                    (0..50).for_each(|number| journal.append(record(&format!("{writer} {number}"))).unwrap());
                });
            }
        });
        let (records, skipped) = journal.latest(1_000).unwrap();
        let ids: std::collections::BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
        assert_eq!((records.len(), ids.len(), skipped), (400, 400, 0));
    }

    #[test]
    fn long_texts_are_truncated_and_foreign_paths_left_out() {
        let (_folder, exchange) = exchange();
        let journal = RequestJournal::new(exchange.clone());
        journal.append(record(&"é".repeat(1 << 20))).unwrap();
        let line = fs::read_to_string(path(&exchange, 1)).unwrap();
        assert!(line.len() < 10_000);
        let symbol = |file: &str| format!(r#"{{"id":"{}","name":"f","file":"{file}","line":1}}"#, "07".repeat(16));
        let symbols = [symbol("a.py"), symbol("../../etc/passwd")].join(",");
        let line = line.trim_end().trim_end_matches('}');
        let line = format!("{line},\"pack\":{{\"symbols\":[{symbols}]}}}}\n");
        fs::write(path(&exchange, 1), line).unwrap();
        let (records, skipped) = journal.latest(1).unwrap();
        assert_eq!(skipped, 0);
        assert_eq!(records[0].pack.as_ref().unwrap().symbols.len(), 1);
    }
}
