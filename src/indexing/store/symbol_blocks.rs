//! Symbols, packed by blocks of node ids.
//!
//! # Why
//!
//! As rows of a table, with indexes by name and file, symbols took a third of the database. Side by side they are a quarter of
//! that (of Django): neighbors share names, scopes and keywords. Whatever reads one symbol decodes the few kilobytes of its
//! block, however large its file is.
//!
//! # Format
//!
//! The [`node_runs`], a byte for each symbol with its kind and whether it is a test, and two compressed parts: numbers, names
//! and scopes; signatures and documentation. Each is stored column by column, a text followed by a byte that UTF-8 does not
//! have. A symbol's identity is computed from these and its file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::BufRead;
use std::sync::{Arc, OnceLock};

use super::blob;
use super::checksum::{RowHasher, hash_sealed, seal, unsealed};
use super::digest::Tally;
use super::error::{DecodeError, SqlContext, StoreError};
use super::names::ChangedSymbolNames;
use super::node_runs;
use super::read::Reader;
use super::rows::{NodeRow, short_signature};
use super::symbols::MAX_NODES;
use super::varint::{VarintReader, write_delta, write_varint};
use super::write::Writer;
use crate::model::{FileId, NodeId, Span, SymbolKind};

/// Name of the table.
const SYMBOLS: &str = "symbols";
/// Number of node ids in a block.
pub(super) const BLOCK: u32 = 128;

const IS_TEST: u8 = 0x80;
/// Follows each text.
const END: u8 = 0xff;
/// Stands for the scope of the symbol before.
const SAME: u8 = 0xfe;

/// Returns the number of the block of a node.
pub(super) fn block_of(node: NodeId) -> u32 {
    node.get() / BLOCK
}

/// Returns whether a symbol has no definition; see [`FilelessNodeRow`](super::rows::FilelessNodeRow).
fn has_no_definition(file: FileId, kind: SymbolKind) -> bool {
    file == FileId::NONE || kind == SymbolKind::RouteHandler
}

/// The part of a symbol that is read without unpacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) node: NodeId,
    /// 0 for symbols without a file.
    pub(super) file: FileId,
    pub(super) kind: SymbolKind,
    pub(super) is_test: bool,
}

impl Head {
    pub(super) fn file(&self) -> Option<FileId> {
        (self.file != FileId::NONE).then_some(self.file)
    }

    /// Returns whether the symbol is one of [`FilelessNodeRow`](super::rows::FilelessNodeRow).
    pub(super) fn has_no_definition(&self) -> bool {
        has_no_definition(self.file, self.kind)
    }
}

/// A symbol of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SymbolRow<'a> {
    pub(super) head: Head,
    pub(super) name: &'a str,
    pub(super) scope: &'a str,
    pub(super) span: Span,
    pub(super) ordinal: u32,
}

/// A symbol of a block with its signature, in which its name is left out, and its documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FullRow<'a> {
    row: SymbolRow<'a>,
    signature: &'a str,
    doc: &'a str,
}

/// Texts side by side.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    bounds: Vec<(u32, u32)>,
}

impl Texts {
    fn get(&self, index: usize) -> &str {
        let bytes = self.bounds.get(index).and_then(|&(start, end)| self.bytes.get(start as usize..end as usize));
        // Each was checked when it was decoded.
        bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Decodes this number of texts from an offset, which must be all that is left.
    fn decode(bytes: Vec<u8>, start: usize, count: usize) -> Result<Texts, DecodeError> {
        let mut bounds: Vec<(u32, u32)> = Vec::with_capacity(count);
        let mut rest = bytes.get(start..).ok_or(DecodeError::Truncated)?;
        for _ in 0..count {
            let start = bytes.len() - rest.len();
            let length = rest.skip_until(END).map_err(|_| DecodeError::Text)?;
            match &bytes[start..start + length] {
                [SAME, END] => bounds.push(bounds.last().copied().ok_or(DecodeError::Text)?),
                [text @ .., END] if std::str::from_utf8(text).is_ok() => {
                    bounds.push((start as u32, (start + length - 1) as u32));
                }
                _ => return Err(DecodeError::Text),
            }
        }
        if rest.is_empty() { Ok(Texts { bytes, bounds }) } else { Err(DecodeError::Text) }
    }
}

/// A decoded row of the table.
#[derive(Debug)]
pub(super) struct SymbolBlock {
    heads: Vec<Head>,
    spans: Vec<(Span, u32)>,
    /// The names, then the scopes.
    names: Texts,
    /// Signatures and documentation, packed.
    details: Vec<u8>,
    /// The signatures, then the documentation, when they were asked for.
    unpacked: OnceLock<Texts>,
}

/// Decodes the first part of a block; returns the rest.
fn decode_heads(number: u32, bytes: &[u8]) -> Result<(Vec<Head>, &[u8]), DecodeError> {
    let mut reader = VarintReader::new(bytes);
    let mut heads = Vec::with_capacity(BLOCK as usize);
    for (nodes, file) in node_runs::decode(number, &mut reader)? {
        if nodes.end > MAX_NODES {
            return Err(DecodeError::NodeId);
        }
        let head = |node| Head { node: NodeId::new(node), file, kind: SymbolKind::File, is_test: false };
        heads.extend(nodes.map(head));
    }
    if heads.is_empty() {
        return Err(DecodeError::NodeId);
    }
    for head in &mut heads {
        let byte = reader.byte()?;
        head.is_test = byte & IS_TEST != 0;
        head.kind = SymbolKind::from_number(byte & !IS_TEST).ok_or(DecodeError::SymbolKind)?;
    }
    Ok((heads, reader.rest()))
}

/// The start of the next symbol is stored as the difference from here: the end of the symbol before in the same file.
#[derive(Default)]
struct Place {
    file: FileId,
    byte: u32,
    line: u32,
}

impl Place {
    /// Moves to the file of a symbol.
    fn enter(&mut self, head: &Head) {
        if head.file != self.file {
            *self = Place { file: head.file, byte: 0, line: 0 };
        }
    }

    /// Moves behind a symbol. That of a file includes all others.
    fn pass(&mut self, head: &Head, span: &Span) {
        if head.kind != SymbolKind::File {
            (self.byte, self.line) = (span.end_byte, span.end_line);
        }
    }
}

/// Decodes spans and ordinals.
fn decode_spans(heads: &[Head], reader: &mut VarintReader<'_>) -> Result<Vec<(Span, u32)>, DecodeError> {
    let mut spans = vec![(Span::default(), 0); heads.len()];
    // As they are stored.
    for (span, _) in &mut spans {
        span.start_byte = reader.varint()?;
    }
    for (span, _) in &mut spans {
        span.end_byte = reader.varint()?;
    }
    for (span, _) in &mut spans {
        span.start_line = reader.varint()?;
    }
    for (span, _) in &mut spans {
        span.end_line = reader.varint()?;
    }
    for (span, _) in &mut spans {
        span.name_line = reader.varint()?;
    }
    for (_, ordinal) in &mut spans {
        *ordinal = reader.varint()?;
    }
    let undo = |before: u32, folded: u32| before.wrapping_add((folded >> 1) ^ (folded & 1).wrapping_neg());
    let mut place = Place::default();
    for ((span, _), head) in spans.iter_mut().zip(heads) {
        place.enter(head);
        span.start_byte = undo(place.byte, span.start_byte);
        span.end_byte = span.start_byte.saturating_add(span.end_byte);
        span.start_line = undo(place.line, span.start_line);
        span.end_line = span.start_line.saturating_add(span.end_line);
        span.name_line = undo(span.start_line, span.name_line);
        place.pass(head, span);
    }
    Ok(spans)
}

impl SymbolBlock {
    fn decode(number: u32, bytes: &[u8]) -> Result<SymbolBlock, DecodeError> {
        let (heads, rest) = decode_heads(number, bytes)?;
        let mut reader = VarintReader::new(rest);
        let length = reader.varint()? as usize;
        let part = blob::unpack(reader.take(length)?).map_err(|_| DecodeError::Compression)?;
        let details = reader.rest().to_vec();
        let mut reader = VarintReader::new(&part);
        let spans = decode_spans(&heads, &mut reader)?;
        let start = part.len() - reader.rest().len();
        let names = Texts::decode(part.into_owned(), start, 2 * heads.len())?;
        Ok(SymbolBlock { heads, spans, names, details, unpacked: OnceLock::new() })
    }

    /// Returns the symbols, by node.
    pub(super) fn rows(&self) -> impl Iterator<Item = SymbolRow<'_>> {
        (0..self.heads.len()).map(|index| self.row_at(index))
    }

    /// Returns the symbol of a node.
    pub(super) fn row(&self, node: NodeId) -> Option<SymbolRow<'_>> {
        self.index_of(node).map(|index| self.row_at(index))
    }

    fn index_of(&self, node: NodeId) -> Option<usize> {
        self.heads.binary_search_by_key(&node, |head| head.node).ok()
    }

    fn row_at(&self, index: usize) -> SymbolRow<'_> {
        let (span, ordinal) = self.spans[index];
        let (name, scope) = (self.names.get(index), self.names.get(self.heads.len() + index));
        SymbolRow { head: self.heads[index], name, scope, span, ordinal }
    }

    /// Returns the stored signature and the documentation of a node; empty if it is not in the block.
    fn details(&self, node: NodeId) -> Result<(&str, &str), DecodeError> {
        let count = self.heads.len();
        if self.unpacked.get().is_none() {
            let part = blob::unpack(&self.details).map_err(|_| DecodeError::Compression)?;
            // Another thread has set the same.
            let _same = self.unpacked.set(Texts::decode(part.into_owned(), 0, 2 * count)?);
        }
        let of_index = |texts, index| (Texts::get(texts, index), Texts::get(texts, count + index));
        let found = self.unpacked.get().zip(self.index_of(node));
        Ok(found.map_or(("", ""), |(texts, index)| of_index(texts, index)))
    }

    /// Encodes symbols, which are sorted by node.
    fn encode(number: u32, rows: &[FullRow<'_>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        node_runs::encode(number, rows.iter().map(|full| (full.row.head.node, full.row.head.file)), &mut bytes);
        let kind = |head: &Head| head.kind as u8 | if head.is_test { IS_TEST } else { 0 };
        bytes.extend(rows.iter().map(|full| kind(&full.row.head)));
        let (names, details) = encode_parts(rows);
        write_varint(&mut bytes, names.len() as u32);
        bytes.extend(names);
        bytes.extend(details);
        bytes
    }
}

/// Encodes and packs the columns of a block.
fn encode_parts(rows: &[FullRow<'_>]) -> (Vec<u8>, Vec<u8>) {
    let mut columns = [const { Vec::new() }; 6];
    let mut place = Place::default();
    for FullRow { row: SymbolRow { head, span, ordinal, .. }, .. } in rows {
        place.enter(head);
        write_delta(&mut columns[0], place.byte, span.start_byte);
        write_varint(&mut columns[1], span.end_byte.saturating_sub(span.start_byte));
        write_delta(&mut columns[2], place.line, span.start_line);
        write_varint(&mut columns[3], span.end_line.saturating_sub(span.start_line));
        write_delta(&mut columns[4], span.start_line, span.name_line);
        write_varint(&mut columns[5], *ordinal);
        // As it will be decoded.
        let (end_byte, end_line) = (span.end_byte.max(span.start_byte), span.end_line.max(span.start_line));
        place.pass(head, &Span { end_byte, end_line, ..*span });
    }
    let mut names = columns.concat();
    let add = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(END);
    };
    rows.iter().for_each(|full| add(&mut names, full.row.name));
    let mut last = None;
    for full in rows {
        match last.replace(full.row.scope) == Some(full.row.scope) {
            true => names.extend([SAME, END]),
            false => add(&mut names, full.row.scope),
        }
    }
    let mut details = Vec::new();
    rows.iter().for_each(|full| add(&mut details, full.signature));
    rows.iter().for_each(|full| add(&mut details, full.doc));
    (blob::pack(&names), blob::pack(&details))
}

/// Number of decoded blocks that a reader keeps, of about 16 kB each: what a ranking reads is scattered, but often near to what
/// it has read.
const KEPT: usize = 512;

/// Decoded blocks that were read last, by number.
pub(super) type KeptBlocks = HashMap<u32, Arc<SymbolBlock>>;

impl Reader {
    /// Returns a block of symbols; `None` if there is none.
    ///
    /// # Errors
    /// When it is damaged, or lost, or the database can't be read, as for every function of this file.
    pub(super) fn symbol_block(&self, number: u32) -> Result<Option<Arc<SymbolBlock>>, StoreError> {
        if let Some(block) = self.kept_blocks.borrow().get(&number) {
            return Ok(Some(block.clone()));
        }
        let block = self.packed_symbols(number, |bytes| SymbolBlock::decode(number, bytes).map(Arc::new))?;
        if let Some(block) = &block {
            let mut kept = self.kept_blocks.borrow_mut();
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(number, block.clone());
        }
        Ok(block)
    }

    /// Returns the first parts of a block's symbols, by node; empty if there is no such block.
    pub(super) fn heads_of_block(&self, number: u32) -> Result<Vec<Head>, StoreError> {
        if let Some(block) = self.kept_blocks.borrow().get(&number) {
            return Ok(block.heads.clone());
        }
        let heads = self.packed_symbols(number, |bytes| decode_heads(number, bytes).map(|(heads, _)| heads))?;
        Ok(heads.unwrap_or_default())
    }

    /// Returns the first part of a symbol.
    pub(super) fn head(&self, node: NodeId) -> Result<Option<Head>, StoreError> {
        Ok(self.heads_of_block(block_of(node))?.into_iter().find(|head| head.node == node))
    }

    /// Returns the first parts of the symbols of these nodes, sorted by node.
    pub(super) fn heads_of(&self, nodes: &[NodeId]) -> Result<Vec<Head>, StoreError> {
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut found = Vec::with_capacity(sorted.len());
        for of_block in sorted.chunk_by(|one, two| block_of(*one) == block_of(*two)) {
            let heads = self.heads_of_block(block_of(of_block[0]))?;
            found.extend(heads.into_iter().filter(|head| of_block.binary_search(&head.node).is_ok()));
        }
        Ok(found)
    }

    /// Calls `visit` with the symbols of these nodes, sorted by node, and their blocks. Unknown nodes are skipped.
    pub(super) fn for_each_row_of(
        &self,
        nodes: &[NodeId],
        mut visit: impl FnMut(&SymbolBlock, SymbolRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        for of_block in sorted.chunk_by(|one, two| block_of(*one) == block_of(*two)) {
            if let Some(block) = self.symbol_block(block_of(of_block[0]))? {
                of_block.iter().filter_map(|node| block.row(*node)).try_for_each(|row| visit(&block, row))?;
            }
        }
        Ok(())
    }

    /// Decodes the row of a block; `None` if there is none.
    fn packed_symbols<T>(
        &self,
        number: u32,
        decode: impl FnOnce(&[u8]) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("symbol_block")).at(&self.path)?;
        let mut rows = statement.query([number]).at(&self.path)?;
        let Some(row) = rows.next().at(&self.path)? else {
            // Every block of symbols has a row in the other table, too.
            return match self.is_snapshot && self.has_node_block(number)? {
                true => Err(self.damaged(format!("table {SYMBOLS} has no row {number}"))),
                false => Ok(None),
            };
        };
        let sealed = row.get_ref(0).at(&self.path)?.as_bytes().unwrap_or_default();
        let bytes = unsealed(SYMBOLS, number.into(), sealed).ok_or(DecodeError::Checksum);
        bytes.and_then(decode).map(Some).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Calls `visit` with the number and the bytes of every block. After an error, what was visited is not valid.
    fn for_each_packed_block(
        &self,
        mut visit: impl FnMut(u32, &[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(SYMBOLS));
        let mut statement = self.connection.prepare_cached(sql!("symbol_blocks")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let mut next = 0;
        while let Some(row) = rows.next().at(&self.path)? {
            let number: u32 = row.get(0).at(&self.path)?;
            // The last row has the largest ids, by which arrays are sized. A damaged table can be in disorder.
            if number < next {
                return Err(StoreError::from_decode(self.path(), DecodeError::NodeId));
            }
            next = number.saturating_add(1);
            let sealed = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            hash_sealed(&mut hasher, number.into(), sealed);
            tally.add(hasher.finish());
            let bytes = unsealed(SYMBOLS, number.into(), sealed).ok_or(DecodeError::Checksum);
            visit(number, bytes.map_err(|error| StoreError::from_decode(self.path(), error))?)?;
        }
        self.check_loaded(SYMBOLS, tally)
    }

    /// Calls `visit` with the first part of every symbol, by node. After an error, what was visited is not valid.
    pub(super) fn for_each_head(&self, mut visit: impl FnMut(Head)) -> Result<(), StoreError> {
        self.for_each_packed_block(|number, bytes| {
            let (heads, _) =
                decode_heads(number, bytes).map_err(|error| StoreError::from_decode(self.path(), error))?;
            heads.into_iter().for_each(&mut visit);
            Ok(())
        })
    }

    /// Calls `visit` with every block of symbols, by node. After an error, what was visited is not valid.
    pub(super) fn for_each_symbol_block(
        &self,
        mut visit: impl FnMut(&SymbolBlock) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.for_each_packed_block(|number, bytes| {
            let block = SymbolBlock::decode(number, bytes);
            visit(&block.map_err(|error| StoreError::from_decode(self.path(), error))?)
        })
    }

    /// Returns the stored signature and the documentation of a node of a block.
    pub(super) fn details_of<'a>(
        &self,
        block: &'a SymbolBlock,
        node: NodeId,
    ) -> Result<(&'a str, &'a str), StoreError> {
        block.details(node).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Returns the largest node id plus one: the length of an array indexed by node.
    pub fn node_capacity(&self) -> Result<u32, StoreError> {
        let last: Option<u32> = self.query_one(sql!("last_symbol_block"), [], |row| row.get(0))?;
        let heads = last.map_or_else(|| Ok(Vec::new()), |last| self.heads_of_block(last))?;
        Ok(heads.last().map_or(0, |head| head.node.get() + 1))
    }

    /// Returns nodes without a definition, of a file or of all, each with its file.
    pub(super) fn fileless_of(&self, file: FileId) -> Result<Vec<NodeId>, StoreError> {
        self.query_all(sql!("fileless_of_file"), [file], |row| row.get(0))
    }

    /// Returns every node without a definition, and compares them with their digest.
    pub(super) fn all_fileless(&self) -> Result<Vec<NodeId>, StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new("fileless"));
        let nodes = self.query_all(sql!("fileless"), [], |row| {
            [0, 1].into_iter().try_for_each(|column| row.get_ref(column).map(|value| hasher.add(value)))?;
            tally.add(hasher.finish());
            row.get(0)
        })?;
        self.check_loaded("fileless", tally)?;
        Ok(nodes)
    }

    /// Reports differences between the list of nodes without a definition and the symbols.
    pub(super) fn check_fileless(&self) -> Result<Vec<String>, StoreError> {
        let listed: BTreeSet<(NodeId, FileId)> =
            self.query_all(sql!("fileless"), [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect();
        let mut found = BTreeSet::new();
        self.for_each_head(|head| found.extend(head.has_no_definition().then_some((head.node, head.file))))?;
        let differing = listed.symmetric_difference(&found);
        Ok(differing
            .map(|(node, _)| format!("the list of symbols without a definition is wrong about {node}"))
            .collect())
    }

    pub(super) fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.path().to_owned(), detail }
    }
}

/// Symbols of a block that are written later: `None` for those that are deleted.
type ChangedRows = BTreeMap<NodeId, Option<NodeRow>>;

/// Symbols that are written later, by block.
#[derive(Debug, Default)]
pub(super) struct PendingSymbols {
    blocks: BTreeMap<u32, ChangedRows>,
}

impl PendingSymbols {
    /// Returns the file of a symbol that is written later, 0 for none; `None` if it is not one, or is deleted.
    pub(super) fn file_of(&self, node: NodeId) -> Option<FileId> {
        let row = self.blocks.get(&block_of(node))?.get(&node)?.as_ref()?;
        Some(row.file.unwrap_or(FileId::NONE))
    }

    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }
}

impl Writer {
    /// Inserts or replaces a symbol. [`Writer::write_symbols`] shows it to the reader.
    ///
    /// # Errors
    /// When the database can't be written, as for every function below.
    pub fn put_node(&mut self, row: NodeRow) -> Result<(), StoreError> {
        self.touched.insert(row.file.unwrap_or(FileId::NONE));
        self.changed_blocks.add_node(row.id);
        if self.is_bulk {
            self.changed_symbol_names.count(&row.name);
        }
        let number = block_of(row.id);
        let block = self.pending.blocks.entry(number).or_default();
        block.insert(row.id, Some(row));
        // A build writes ids in order, or almost: what is complete is not kept.
        if self.is_bulk && block.len() == BLOCK as usize {
            let changes = std::mem::take(block);
            self.pending.blocks.remove(&number);
            self.write_block(number, changes)?;
        }
        Ok(())
    }

    /// Removes a symbol, its search text and its history, but not its edges.
    pub fn delete_node(&mut self, node: NodeId) -> Result<(), StoreError> {
        self.delete_search(node)?;
        self.delete_node_history(node)?;
        self.changed_blocks.add_node(node);
        self.pending.blocks.entry(block_of(node)).or_default().insert(node, None);
        Ok(())
    }

    /// Writes the symbols that were put or deleted. Called before the reader of the uncommitted state is asked for symbols.
    pub fn write_symbols(&mut self) -> Result<(), StoreError> {
        while let Some((number, changes)) = self.pending.blocks.pop_first() {
            self.write_block(number, changes)?;
        }
        Ok(())
    }

    fn write_block(&mut self, number: u32, changes: ChangedRows) -> Result<(), StoreError> {
        let is_whole = self.is_bulk && changes.len() == BLOCK as usize;
        let stored = if is_whole { None } else { self.reader().symbol_block(number)? };
        self.reader().kept_blocks.borrow_mut().remove(&number);
        let signatures: BTreeMap<NodeId, _> =
            changes.values().flatten().map(|row| (row.id, short_signature(&row.signature, &row.name))).collect();
        let mut rows: BTreeMap<NodeId, FullRow<'_>> = BTreeMap::new();
        let mut names = std::mem::take(&mut self.changed_symbol_names);
        if let Some(block) = &stored {
            for row in block.rows() {
                let (signature, doc) = self.reader().details_of(block, row.head.node)?;
                rows.insert(row.head.node, FullRow { row, signature, doc });
            }
        }
        for (node, change) in &changes {
            let signature = signatures.get(node).map_or("", |signature| signature);
            let new = change.as_ref().map(|row| full_row(row, signature));
            let old = match new {
                Some(new) => rows.insert(*node, new),
                None => rows.remove(node),
            };
            self.note_change(*node, old.map(|old| old.row), new.map(|new| new.row), &mut names)?;
        }
        self.changed_symbol_names = names;
        match rows.is_empty() {
            true => self.run(sql!("delete_symbol_block"), [number]),
            false => {
                let rows: Vec<FullRow<'_>> = rows.into_values().collect();
                let sealed = seal(SYMBOLS, number.into(), &SymbolBlock::encode(number, &rows));
                self.run(sql!("put_symbol_block"), (number, sealed))
            }
        }
    }

    /// Changes what else depends on a symbol: the list of those without a definition, and the table of names.
    fn note_change(
        &self,
        node: NodeId,
        old: Option<SymbolRow<'_>>,
        new: Option<SymbolRow<'_>>,
        names: &mut ChangedSymbolNames,
    ) -> Result<(), StoreError> {
        let fileless = |row: Option<SymbolRow<'_>>| row.map(|row| row.head).filter(Head::has_no_definition);
        match (fileless(old), fileless(new)) {
            (_, Some(new)) => self.run(sql!("put_fileless"), (node, new.file))?,
            (Some(_), None) => self.run(sql!("delete_fileless"), [node])?,
            (None, None) => {}
        }
        if !self.is_bulk {
            names.change(node, old.map(|old| old.name), new.map(|new| new.name));
        }
        Ok(())
    }
}

fn full_row<'a>(row: &'a NodeRow, signature: &'a str) -> FullRow<'a> {
    let head = Head { node: row.id, file: row.file.unwrap_or(FileId::NONE), kind: row.kind, is_test: row.is_test };
    let row_of = SymbolRow { head, name: &row.name, scope: &row.scope, span: row.span, ordinal: row.ordinal };
    FullRow { row: row_of, signature, doc: &row.doc }
}

const _: () =
    assert!(SymbolKind::ALL.len() <= IS_TEST as usize, "a further kind needs a byte of its own in the format");

#[cfg(test)]
mod tests {
    use super::*;

    fn row(node: u32, file: u32, name: &'static str, scope: &'static str) -> FullRow<'static> {
        let kind = if file == 0 { SymbolKind::External } else { SymbolKind::Method };
        let head = Head { node: NodeId::new(node), file: FileId::new(file), kind, is_test: node.is_multiple_of(2) };
        let span = Span {
            start_byte: node * 7 % 50,
            end_byte: node * 7 % 50 + node,
            start_line: node % 5,
            end_line: node % 5 + 2,
            name_line: node % 5 + 1,
        };
        let row = SymbolRow { head, name, scope, span, ordinal: node % 3 };
        FullRow { row, signature: "def \u{1}()", doc: if node == 257 { "Loads it – all." } else { "" } }
    }

    fn decoded(block: &SymbolBlock) -> Vec<FullRow<'_>> {
        let full = |row: SymbolRow<'_>| block.details(row.head.node).unwrap();
        block
            .rows()
            .map(|row| (row, full(row)))
            .map(|(row, (signature, doc))| FullRow { row, signature, doc })
            .collect()
    }

    #[test]
    fn symbols_of_a_block_round_trip() {
        let rows = [
            row(256, 7, "load", "Store"),
            row(257, 7, "größe", "Store"),
            row(300, 3, "", ""),
            row(301, 0, "a\0b", ""),
            row(383, 9, "last", "A.B"),
        ];
        let bytes = SymbolBlock::encode(2, &rows);
        let block = SymbolBlock::decode(2, &bytes).unwrap();
        assert_eq!(decoded(&block), rows);
        assert_eq!(block.row(NodeId::new(300)), Some(rows[2].row));
        assert_eq!(block.row(NodeId::new(258)), None);
        for number in [1, 3] {
            assert!(decode_heads(number, &bytes).is_ok_and(|(heads, _)| block_of(heads[0].node) == number));
        }
    }

    #[test]
    fn damaged_blocks_are_refused() {
        let bytes = SymbolBlock::encode(2, &[row(256, 7, "load", "Store"), row(383, 9, "last", "A.B")]);
        for end in 0..bytes.len() {
            let cut = SymbolBlock::decode(2, &bytes[..end]).map(|block| block.details(NodeId::new(256)).map(drop));
            assert!(!matches!(cut, Ok(Ok(()))), "{end}");
        }
        assert_eq!(decode_heads(2, &[0]).err(), Some(DecodeError::NodeId), "a block without symbols");
        assert_eq!(decode_heads(2, &[1, 0x80, 1, 1, 2, 0]).err(), Some(DecodeError::NodeId), "an id of another block");
        let beyond = MAX_NODES / BLOCK;
        assert_eq!(decode_heads(beyond, &[1, 0, 1, 0, 0]).err(), Some(DecodeError::NodeId), "an id that is too large");
        assert_eq!(decode_heads(2, &[1, 0, 1, 2, 0x7f]).err(), Some(DecodeError::SymbolKind));
        for texts in [&b"a"[..], b"a\xff", b"a\xffb\xffc", b"\xfe\xffb\xff", b"\xc3\xff\xa4\xff"] {
            assert!(Texts::decode(texts.to_vec(), 0, 2).is_err(), "{texts:?}");
        }
    }
}
