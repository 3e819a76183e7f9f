//! Kinds of damage to a database file.

use std::path::Path;

use rusqlite::Connection;

use crate::index::source::Dice;

/// A kind of damage.
#[derive(Debug, Clone, Copy)]
pub enum Harm {
    Bytes,
    ZeroedPage,
    RandomPage,
    SwappedPages,
    Truncated,
    ChangedBlob,
    SwappedRows,
    DeletedRow,
    ChangedText,
    ChangedNumber,
    ForeignLog,
}

/// Blobs by table, with the table's key.
const BLOBS: &[(&str, &str, &str)] = &[
    ("outlines", "file", "data"),
    ("codes", "file", "data"),
    ("texts", "file", "data"),
    ("file_nodes", "file", "data"),
    ("resolutions", "file", "data"),
    ("edges", "slot", "data"),
    ("node_meta", "file", "data"),
    ("node_blocks", "block", "data"),
    ("node_sums", "block", "data"),
    ("symbols", "block", "data"),
    ("symbol_names", "id", "data"),
    ("unresolved_names", "number", "data"),
    ("file_names", "number", "data"),
    ("search_data", "id", "block"),
    ("search_docsize", "id", "sz"),
    ("feedback", "id", "symbol"),
];

const TEXTS: &[(&str, &str)] = &[
    ("symbol_names", "first"),
    ("files", "path"),
    ("meta", "value"),
    ("events", "keywords"),
    ("feedback", "qualified_name"),
    ("packages", "name"),
];

const NUMBERS: &[(&str, &str)] = &[
    ("fileless", "file"),
    ("symbols", "block"),
    ("files", "size"),
    ("events", "undone"),
    ("events", "batch"),
    ("feedback", "event"),
    ("digests", "sum"),
];

impl Harm {
    pub const ALL: [Harm; 11] = [
        Harm::Bytes,
        Harm::ZeroedPage,
        Harm::RandomPage,
        Harm::SwappedPages,
        Harm::Truncated,
        Harm::ChangedBlob,
        Harm::SwappedRows,
        Harm::DeletedRow,
        Harm::ChangedText,
        Harm::ChangedNumber,
        Harm::ForeignLog,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Harm::Bytes => "1 to 8 changed bytes",
            Harm::ZeroedPage => "a page of zeros",
            Harm::RandomPage => "a page of random bytes",
            Harm::SwappedPages => "two pages swapped",
            Harm::Truncated => "truncated",
            Harm::ChangedBlob => "a changed blob",
            Harm::SwappedRows => "blobs of two rows swapped",
            Harm::DeletedRow => "a deleted row",
            Harm::ChangedText => "a changed text",
            Harm::ChangedNumber => "a changed number",
            Harm::ForeignLog => "random write-ahead log",
        }
    }

    /// Damages the database, and returns a description.
    pub fn apply(self, database: &Path, page_bytes: usize, dice: &mut Dice) -> String {
        match self {
            Harm::ChangedBlob | Harm::SwappedRows | Harm::DeletedRow | Harm::ChangedText | Harm::ChangedNumber => {
                self.change_row(database, dice)
            }
            Harm::ForeignLog => {
                let bytes: Vec<u8> = (0..dice.roll(20_000)).map(|_| dice.roll(256) as u8).collect();
                std::fs::write(format!("{}-wal", database.display()), &bytes).unwrap();
                format!("{} random bytes as log", bytes.len())
            }
            _ => {
                let mut bytes = std::fs::read(database).unwrap();
                let description = self.change_bytes(&mut bytes, page_bytes, dice);
                std::fs::write(database, bytes).unwrap();
                description
            }
        }
    }

    fn change_bytes(self, bytes: &mut Vec<u8>, page_bytes: usize, dice: &mut Dice) -> String {
        let length = bytes.len() as u64;
        let pages = length / page_bytes as u64;
        let page = |number: u64| number as usize * page_bytes..(number as usize + 1) * page_bytes;
        let (first, second) = (dice.roll(pages), dice.roll(pages));
        match self {
            Harm::Bytes => {
                let count = 1 + dice.roll(8);
                let offsets: Vec<u64> = (0..count).map(|_| dice.roll(length)).collect();
                offsets.iter().for_each(|&offset| bytes[offset as usize] ^= 1 + dice.roll(255) as u8);
                format!("bytes at {offsets:?}")
            }
            Harm::ZeroedPage => {
                bytes[page(first)].fill(0);
                format!("page {} of zeros", first + 1)
            }
            Harm::RandomPage => {
                bytes[page(first)].iter_mut().for_each(|byte| *byte = dice.roll(256) as u8);
                format!("page {} of random bytes", first + 1)
            }
            Harm::SwappedPages => {
                let (one, two) = (bytes[page(first)].to_vec(), bytes[page(second)].to_vec());
                bytes[page(first)].copy_from_slice(&two);
                bytes[page(second)].copy_from_slice(&one);
                format!("pages {} and {} swapped", first + 1, second + 1)
            }
            _ => {
                bytes.truncate(dice.roll(length) as usize);
                format!("truncated to {}", bytes.len())
            }
        }
    }

    fn change_row(self, database: &Path, dice: &mut Dice) -> String {
        let (table, key, blob) = BLOBS[dice.roll(BLOBS.len() as u64) as usize];
        let (text_table, text) = TEXTS[dice.roll(TEXTS.len() as u64) as usize];
        let (number_table, number) = NUMBERS[dice.roll(NUMBERS.len() as u64) as usize];
        let random = |table: &str, key: &str| format!("(SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET ");
        let connection = Connection::open(database).unwrap();
        let mut row = |table: &str, key: &str| {
            let count: i64 =
                connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
            format!("{}{})", random(table, key), dice.roll(count.max(1) as u64))
        };
        let sql = match self {
            Harm::ChangedBlob => {
                let row = row(table, key);
                format!(
                    "UPDATE {table} SET {blob} = CAST(substr({blob}, 1, length({blob}) / 2) || x'5a' || \
                     substr({blob}, length({blob}) / 2 + 2) AS BLOB) WHERE {key} = {row}"
                )
            }
            Harm::SwappedRows => {
                let (one, two) = (row(table, key), row(table, key));
                format!(
                    "CREATE TEMP TABLE one AS SELECT {blob} AS x FROM {table} WHERE {key} = {one}; \
                     UPDATE {table} SET {blob} = (SELECT {blob} FROM {table} WHERE {key} = {two}) WHERE {key} = {one}; \
                     UPDATE {table} SET {blob} = (SELECT x FROM one) WHERE {key} = {two}"
                )
            }
            Harm::DeletedRow => format!("DELETE FROM {table} WHERE {key} = {}", row(table, key)),
            Harm::ChangedText => {
                let row = row(text_table, text);
                format!("UPDATE {text_table} SET {text} = {text} || 'x' WHERE {text} = {row}")
            }
            _ => {
                let row = row(number_table, number);
                format!("UPDATE {number_table} SET {number} = {number} + 1 WHERE {number} = {row}")
            }
        };
        // Some changes violate a constraint, and nothing is changed.
        let result = connection.execute_batch(&sql);
        format!("{sql} ({result:?})")
    }
}
