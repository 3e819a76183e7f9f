//! Documents, their sections, and the search for these. They are not symbols of the graph: nothing that ranks code reads them.

use super::blob::{decode, encode};
use super::checksum::{seal, unseal};
use super::error::StoreError;
use super::read::Reader;
use super::write::Writer;
use crate::documents::Section;
use crate::text::terms::term_text;

/// Rows of the search table for each document, more than a document has sections.
const ROWS: i64 = 8_192;
const TABLE: &str = "documents";

/// A document without its sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// 0 for a new one.
    pub id: i64,
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    pub size: u64,
    pub mtime_ns: i64,
    /// BLAKE3 of the content.
    pub content_hash: [u8; 32],
}

/// A section by its document's id and its number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SectionId {
    pub document: i64,
    pub number: usize,
}

impl Reader {
    /// Returns every document, sorted by path.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn documents(&self) -> Result<Vec<DocumentRow>, StoreError> {
        self.query_all(sql!("documents"), [], |row| {
            Ok(DocumentRow {
                id: row.get(0)?,
                path: row.get(1)?,
                size: row.get::<_, i64>(2)? as u64,
                mtime_ns: row.get(3)?,
                content_hash: row.get(4)?,
            })
        })
    }

    /// Returns the path and the sections of a document.
    pub fn sections(&self, document: i64) -> Result<Option<(String, Vec<Section>)>, StoreError> {
        let row =
            self.query_optional(sql!("document"), [document], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?)))?;
        let Some((path, sealed)): Option<(String, Vec<u8>)> = row else { return Ok(None) };
        let invalid = |detail: String| StoreError::Facts { path: self.path().to_owned(), detail };
        let bytes = unseal(TABLE, document, sealed)
            .ok_or_else(|| invalid(format!("a checksum in table {TABLE} does not match")))?;
        let sections = decode(&bytes).map_err(|error| invalid(error.to_string()))?;
        Ok(Some((path, sections)))
    }

    /// Returns the path of a document; empty if there is none.
    pub fn document_path(&self, document: i64) -> Result<String, StoreError> {
        Ok(self.query_optional(sql!("document_path"), [document], |row| row.get(0))?.unwrap_or_default())
    }

    /// Returns the number of sections of all documents.
    pub fn section_count(&self) -> Result<u64, StoreError> {
        self.query_one(sql!("section_count"), [], |row| row.get::<_, i64>(0)).map(|count| count.max(0) as u64)
    }

    /// Returns the sections that have a term, with how well they match it, from 0; one of the terms of
    /// [`term_text`].
    pub fn sections_with(&self, term: &str) -> Result<Vec<(SectionId, f64)>, StoreError> {
        let quoted = format!("\"{}\"", term.replace('"', ""));
        self.query_all(sql!("sections_with"), [quoted], |row| {
            let number: i64 = row.get(0)?;
            let id = SectionId { document: number / ROWS, number: (number % ROWS) as usize };
            Ok((id, -row.get::<_, f64>(1)?))
        })
    }
}

impl Writer {
    /// Replaces a document, or inserts it if its id is 0.
    pub fn put_document(&mut self, row: &DocumentRow, sections: &[Section]) -> Result<(), StoreError> {
        let id = match row.id {
            0 => self.reader().query_one(sql!("next_document"), [], |row| row.get(0))?,
            id => {
                self.delete_document(id)?;
                id
            }
        };
        let (size, hash) = (row.size as i64, &row.content_hash[..]);
        let data = seal(TABLE, id, &encode(&sections));
        let count = sections.len() as i64;
        self.run(sql!("put_document"), (id, &row.path, size, row.mtime_ns, hash, count, data))?;
        for (number, section) in (0..ROWS).zip(sections) {
            let columns = [
                term_text(&section.heading),
                term_text(&section.ancestors.join(" ")),
                term_text(&section.prose),
                term_text(&section.code),
                term_text(&section.cites.join(" ")),
            ];
            let [heading, ancestors, prose, code, cites] = &columns;
            self.run(sql!("put_section"), (id * ROWS + number, heading, ancestors, prose, code, cites))?;
        }
        Ok(())
    }

    /// Sets the size and the time of a document whose content is as it was.
    pub fn touch_document(&mut self, row: &DocumentRow) -> Result<(), StoreError> {
        self.run(sql!("touch_document"), (row.id, row.size as i64, row.mtime_ns))
    }

    /// Removes a document.
    pub fn delete_document(&mut self, id: i64) -> Result<(), StoreError> {
        let sections = self.reader().query_optional(sql!("sections_of_document"), [id], |row| row.get::<_, i64>(0))?;
        // A row that does not exist must not be deleted: the search table would not notice.
        let rows = (0..sections.unwrap_or(0).clamp(0, ROWS)).map(|number| id * ROWS + number);
        rows.into_iter().try_for_each(|row| self.run(sql!("delete_section"), [row]))?;
        self.run(sql!("delete_document"), [id])
    }
}
