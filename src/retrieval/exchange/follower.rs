//! A reader that follows the journal of requests, across processes and rotations.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use super::files::open;
use super::journal::{MAX_FILE_BYTES, MAX_FILES, MAX_LINE_BYTES, numbers, path};
use super::record::RequestRecord;
use super::{Exchange, ExchangeError};

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Bytes of a file that are read; the journal begins a new one before.
const MAX_READ_BYTES: u64 = MAX_FILE_BYTES + 2 * MAX_LINE_BYTES as u64;

/// Follows the journal: each call returns the records since the previous one.
#[derive(Debug)]
pub struct RequestFollower {
    exchange: Exchange,
    /// Number of the file that is read, and the bytes of it that were.
    file: u64,
    offset: u64,
    /// The start of a line whose end was not written yet; empty while a long line is skipped.
    line: Vec<u8>,
    is_too_long: bool,
    skipped: usize,
    /// Records that were read and not returned yet.
    ready: Vec<RequestRecord>,
}

impl RequestFollower {
    /// Follows from the oldest record on.
    pub fn from_start(exchange: Exchange) -> RequestFollower {
        RequestFollower {
            exchange,
            file: 0,
            offset: 0,
            line: Vec::new(),
            is_too_long: false,
            skipped: 0,
            ready: Vec::new(),
        }
    }

    /// Returns the number of lines that could not be read.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Returns the records since the previous call, oldest first. If nothing was appended, it takes the listing of a
    /// small folder and the length of one file.
    ///
    /// # Errors
    /// When a file can't be read. Records that were read before it are returned first; the next call has the error.
    pub fn poll(&mut self) -> Result<Vec<RequestRecord>, ExchangeError> {
        match self.read_new() {
            Err(error) if self.ready.is_empty() => Err(error),
            Ok(()) | Err(_) => Ok(std::mem::take(&mut self.ready)),
        }
    }

    fn read_new(&mut self) -> Result<(), ExchangeError> {
        let mut numbers = numbers(&self.exchange)?;
        // Older ones are not the journal's, which keeps fewer.
        numbers.drain(..numbers.len().saturating_sub(MAX_FILES as usize + 1));
        if numbers.last().is_none_or(|newest| *newest < self.file) {
            // The journal was removed; its numbers begin again.
            self.end_file();
            (self.file, self.offset) = (0, 0);
        }
        let first = self.file;
        for number in numbers.into_iter().filter(|number| *number >= first) {
            self.read_file(number)?;
        }
        Ok(())
    }

    fn read_file(&mut self, number: u64) -> Result<(), ExchangeError> {
        let path = path(&self.exchange, number);
        let failed = |error| ExchangeError::io("read", &path, error);
        let mut file: File = match open(&path, OpenOptions::new().read(true)) {
            // Another process has removed it since.
            Err(ExchangeError::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        if number > self.file {
            self.end_file();
            (self.file, self.offset) = (number, 0);
        }
        let whole = file.metadata().map_err(failed)?.len();
        let length = whole.min(MAX_READ_BYTES);
        if length < self.offset {
            // The file was emptied by someone.
            self.end_file();
            self.offset = 0;
        }
        if length == self.offset {
            return Ok(());
        }
        if whole > length {
            // The rest is not the journal's.
            self.skipped += 1;
        }
        file.seek(SeekFrom::Start(self.offset)).map_err(failed)?;
        let mut file = file.take(length - self.offset);
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = file.read(&mut chunk).map_err(failed)?;
            if count == 0 {
                return Ok(());
            }
            self.offset += count as u64;
            self.push(&chunk[..count]);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, is_end) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            if self.line.len() + text.len() > MAX_LINE_BYTES {
                self.is_too_long = true;
                self.line.clear();
            }
            if !self.is_too_long {
                self.line.extend_from_slice(text);
            }
            if is_end {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        match RequestRecord::parse(&self.line) {
            Some(record) if !self.is_too_long => self.ready.push(record),
            _ if self.line.is_empty() && !self.is_too_long => {}
            _ => self.skipped += 1,
        }
        self.line.clear();
        self.is_too_long = false;
    }

    /// Counts an unfinished line, as nothing is appended to a file that is not the newest.
    fn end_file(&mut self) {
        if !self.line.is_empty() || self.is_too_long {
            self.skipped += 1;
        }
        self.line.clear();
        self.is_too_long = false;
    }
}
