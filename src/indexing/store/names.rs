//! Names of symbols: the nodes of each name, in the order of the names without case.
//!
//! # Format
//!
//! A row has the names from its first one to that of the next row: those two, then a compressed part with the names,
//! and the node ids. A name is stored by the number of bytes that it shares with the one before; node ids of a name by their
//! differences. One of [`SPACING`] names, chosen by its hash, begins a row: so the rows depend on nothing but the names, and
//! a new name changes one or two of them. The first row begins with the empty name and always exists. Each row names the next
//! one, so a lost row is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::blob;
use super::checksum::{seal, unsealed};
use super::error::{DecodeError, SqlContext, StoreError};
use super::read::Reader;
use super::symbols::MAX_NODES;
use super::varint::{VarintReader, write_varint};
use super::write::Writer;
use crate::model::NodeId;

/// Name of the table.
const NAMES: &str = "symbol_names";
/// Average number of names in a row.
const SPACING: u64 = 128;
/// Limit of the names that are sorted at once, of about 50 bytes each.
const MAX_NAMES_AT_ONCE: usize = 1 << 20;

/// Returns a name without case, as SQLite compares names: letters beyond ASCII keep theirs.
pub(super) fn folded(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Returns the bytes of [`folded`].
fn without_case(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().map(|byte| byte.to_ascii_lowercase())
}

/// Returns whether a row begins with a name.
fn begins_row(folded: &str) -> bool {
    xxh3_64(folded.as_bytes()).is_multiple_of(SPACING)
}

/// A name with its nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    folded: String,
    name: String,
    nodes: Vec<NodeId>,
}

/// A decoded row of the table, without its names.
#[derive(Debug)]
struct NameRow {
    id: i64,
    /// Its first name without case.
    first: String,
    /// That of the next row; `None` for the last one.
    next: Option<String>,
    /// Names and node ids.
    data: Vec<u8>,
}

impl NameRow {
    fn decode(id: i64, first: &str, sealed: &[u8]) -> Result<NameRow, DecodeError> {
        let bytes = unsealed(NAMES, id, sealed).ok_or(DecodeError::Checksum)?;
        let mut reader = VarintReader::new(bytes);
        let mut text = || -> Result<Option<&str>, DecodeError> {
            let Some(length) = reader.varint()?.checked_sub(1) else { return Ok(None) };
            std::str::from_utf8(reader.take(length as usize)?).map(Some).map_err(|_| DecodeError::Text)
        };
        let (stored_first, next) = (text()?.unwrap_or_default(), text()?);
        if stored_first != first || next.is_some_and(|next| next <= first) {
            return Err(DecodeError::NameOrder);
        }
        let next = next.map(str::to_owned);
        Ok(NameRow { id, first: first.to_owned(), next, data: reader.rest().to_vec() })
    }

    fn encode(id: i64, first: &str, next: Option<&str>, entries: &[Entry]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in [Some(first), next] {
            write_varint(&mut bytes, text.map_or(0, |text| text.len() as u32 + 1));
            bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        }
        let mut columns = [const { Vec::new() }; 4];
        let mut ids = Vec::new();
        write_varint(&mut columns[0], entries.len() as u32);
        let mut last: &[u8] = &[];
        for entry in entries {
            let name = entry.name.as_bytes();
            let shared = last.iter().zip(name).take_while(|(one, two)| one == two).count();
            write_varint(&mut columns[0], shared as u32);
            write_varint(&mut columns[1], (name.len() - shared) as u32);
            write_varint(&mut columns[2], entry.nodes.len() as u32);
            columns[3].extend_from_slice(&name[shared..]);
            last = name;
            let mut before = 0;
            for node in &entry.nodes {
                write_varint(&mut ids, node.get() - before);
                before = node.get();
            }
        }
        let names = blob::pack(&columns.concat());
        write_varint(&mut bytes, names.len() as u32);
        bytes.extend(names);
        bytes.extend(ids);
        seal(NAMES, id, &bytes)
    }

    /// Returns whether a name belongs to this row.
    fn includes(&self, folded: &str) -> bool {
        folded >= self.first.as_str() && self.next.as_deref().is_none_or(|next| folded < next)
    }

    /// Calls `visit` with each name and its nodes, sorted.
    fn for_each(&self, mut visit: impl FnMut(&str, &[NodeId])) -> Result<(), DecodeError> {
        let mut reader = VarintReader::new(&self.data);
        let length = reader.varint()? as usize;
        let part = blob::unpack(reader.take(length)?).map_err(|_| DecodeError::Compression)?;
        let (mut names, mut ids) = (VarintReader::new(&part), VarintReader::new(reader.rest()));
        let count = names.varint()? as usize;
        if count > part.len() {
            return Err(DecodeError::Truncated);
        }
        let mut columns = [const { Vec::new() }; 3];
        for column in &mut columns {
            column.reserve(count);
            for _ in 0..count {
                column.push(names.varint()?);
            }
        }
        let [shared, added, counts] = columns;
        let (mut name, mut nodes): (Vec<u8>, Vec<NodeId>) = (Vec::new(), Vec::new());
        for index in 0..count {
            if shared[index] as usize > name.len() {
                return Err(DecodeError::Truncated);
            }
            name.truncate(shared[index] as usize);
            name.extend_from_slice(names.take(added[index] as usize)?);
            nodes.clear();
            let mut node = 0_u32;
            for _ in 0..counts[index] {
                node = node.checked_add(ids.varint()?).filter(|node| *node < MAX_NODES).ok_or(DecodeError::NodeId)?;
                nodes.push(NodeId::new(node));
            }
            visit(std::str::from_utf8(&name).map_err(|_| DecodeError::Text)?, &nodes);
        }
        Ok(())
    }

    /// Decodes the names.
    fn entries(&self) -> Result<Vec<Entry>, DecodeError> {
        let mut entries = Vec::new();
        self.for_each(|name, nodes| {
            entries.push(Entry { folded: folded(name), name: name.to_owned(), nodes: nodes.to_vec() });
        })?;
        Ok(entries)
    }
}

impl Reader {
    /// Returns the row that has a name, if any has it.
    fn name_row(&self, folded: &str) -> Result<NameRow, StoreError> {
        let lost = || self.damaged(format!("a row of table {NAMES} is missing"));
        let row = self.query_optional(sql!("name_row"), [folded], read_row)?.ok_or_else(lost)?;
        let row = self.decoded_name_row(row)?;
        if row.includes(folded) { Ok(row) } else { Err(lost()) }
    }

    fn decoded_name_row(&self, (id, first, sealed): (i64, String, Vec<u8>)) -> Result<NameRow, StoreError> {
        NameRow::decode(id, &first, &sealed).map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Returns the names that equal this one but for their case, each with its nodes.
    pub(super) fn names_equal(&self, name: &str) -> Result<Vec<(String, Vec<NodeId>)>, StoreError> {
        self.names_from(&folded(name), |found, wanted| found == wanted)
    }

    /// Returns the names that begin with this text but for their case, each with its nodes.
    pub(super) fn names_beginning(&self, prefix: &str) -> Result<Vec<(String, Vec<NodeId>)>, StoreError> {
        self.names_from(&folded(prefix), |found, wanted| found.starts_with(wanted))
    }

    /// Returns the nodes of a name.
    pub(super) fn nodes_of_name(&self, name: &str) -> Result<Vec<NodeId>, StoreError> {
        let found = self.names_equal(name)?.into_iter().find(|(found, _)| found == name);
        Ok(found.map_or_else(Vec::new, |(_, nodes)| nodes))
    }

    /// Returns the names from `start` without case that match it; they follow one another.
    fn names_from(
        &self,
        start: &str,
        matches: impl Fn(&str, &str) -> bool,
    ) -> Result<Vec<(String, Vec<NodeId>)>, StoreError> {
        let mut found = Vec::new();
        let mut row = self.name_row(start)?;
        let mut fold = String::new();
        loop {
            let visited = row.for_each(|name, nodes| {
                fold.clear();
                fold.push_str(name);
                fold.make_ascii_lowercase();
                if matches(&fold, start) {
                    found.push((name.to_owned(), nodes.to_vec()));
                }
            });
            visited.map_err(|error| StoreError::from_decode(self.path(), error))?;
            match row.next.filter(|next| matches(next, start)) {
                Some(next) => row = self.name_row_at(&next)?,
                None => return Ok(found),
            }
        }
    }

    /// Returns the row that begins with a name.
    fn name_row_at(&self, first: &str) -> Result<NameRow, StoreError> {
        let row = self.name_row(first)?;
        match row.first == first {
            true => Ok(row),
            false => Err(self.damaged(format!("a row of table {NAMES} is missing"))),
        }
    }

    /// Calls `visit` with every name and its nodes, in the order of the names without case.
    pub(super) fn for_each_named(&self, mut visit: impl FnMut(&str, &[NodeId])) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("name_rows")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let mut next = Some(String::new());
        while let Some(row) = rows.next().at(&self.path)? {
            let row = self.decoded_name_row(read_row(row).at(&self.path)?)?;
            if next.as_ref() != Some(&row.first) {
                next = Some(String::new());
                break;
            }
            row.for_each(&mut visit).map_err(|error| StoreError::from_decode(self.path(), error))?;
            next = row.next;
        }
        match next {
            None => Ok(()),
            Some(_) => Err(self.damaged(format!("a row of table {NAMES} is missing"))),
        }
    }

    /// Reports differences between the table and the names of the symbols.
    pub(super) fn check_names(&self) -> Result<Vec<String>, StoreError> {
        let (mut listed, mut found) = ((0_u64, 0_u64), (0_u64, 0_u64));
        let add = |sum: &mut (u64, u64), name: &str, node: NodeId| {
            let mut hasher = Xxh3::new();
            hasher.update(&node.get().to_le_bytes());
            hasher.update(name.as_bytes());
            *sum = (sum.0 + 1, sum.1.wrapping_add(hasher.digest()));
        };
        let (mut last, mut is_sorted): (Option<(String, String)>, bool) = (None, true);
        self.for_each_named(|name, nodes| {
            nodes.iter().for_each(|node| add(&mut listed, name, *node));
            let key = (folded(name), name.to_owned());
            is_sorted &= last.as_ref().is_none_or(|last| *last < key) && nodes.is_sorted_by(|one, two| one < two);
            last = Some(key);
        })?;
        self.for_each_symbol_block(|block| {
            block.rows().for_each(|row| add(&mut found, row.name, row.head.node));
            Ok(())
        })?;
        Ok([
            (!is_sorted).then(|| "names of symbols are in disorder".to_owned()),
            (listed.0 != found.0).then(|| format!("{} symbols are listed by name, there are {}", listed.0, found.0)),
            (listed.0 == found.0 && listed != found).then(|| "symbols are listed by other names".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect())
    }
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, String, Vec<u8>)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

/// Changes of names by a run.
#[derive(Debug, Default)]
pub(super) struct ChangedSymbolNames {
    /// By name without case and name, the nodes that have or had it: whether they have it now.
    changes: BTreeMap<(String, String), BTreeMap<NodeId, bool>>,
    /// Numbers of names by [`start_of`], when all names are written again.
    counts: Vec<usize>,
}

/// Returns the first two bytes of a name without case.
fn start_of(name: &str) -> usize {
    let byte = |index: usize| usize::from(name.as_bytes().get(index).copied().unwrap_or_default().to_ascii_lowercase());
    byte(0) << 8 | byte(1)
}

/// Number of values of [`start_of`].
const STARTS: usize = 1 << 16;

impl ChangedSymbolNames {
    /// Counts a name that is written by [`Writer::pack_all_names`].
    pub(super) fn count(&mut self, name: &str) {
        if self.counts.is_empty() {
            self.counts = vec![0; STARTS];
        }
        self.counts[start_of(name)] += 1;
    }

    /// Notes the change of a node's name.
    pub(super) fn change(&mut self, node: NodeId, old: Option<&str>, new: Option<&str>) {
        if old != new {
            for (name, has_it) in old.map(|name| (name, false)).into_iter().chain(new.map(|name| (name, true))) {
                self.changes.entry((folded(name), name.to_owned())).or_default().insert(node, has_it);
            }
        }
    }
}

/// Divides the starts of names into ranges with at most [`MAX_NAMES_AT_ONCE`] names each, or one start.
fn passes(counts: &[usize]) -> Vec<Range<usize>> {
    let (mut passes, mut start, mut names) = (Vec::new(), 0, 0);
    for (number, count) in counts.iter().enumerate() {
        if names + count > MAX_NAMES_AT_ONCE && names > 0 {
            passes.push(start..number);
            (start, names) = (number, 0);
        }
        names += count;
    }
    passes.push(start..counts.len());
    passes
}

/// Names of one pass, side by side.
#[derive(Default)]
struct Unsorted {
    text: String,
    /// First bytes without case, bounds in the text, and node.
    names: Vec<(u64, Range<u32>, NodeId)>,
}

impl Unsorted {
    fn push(&mut self, name: &str, node: NodeId) {
        let start = self.text.len() as u32;
        self.text.push_str(name);
        let mut first = [0; 8];
        first.iter_mut().zip(without_case(name)).for_each(|(to, byte)| *to = byte);
        self.names.push((u64::from_be_bytes(first), start..self.text.len() as u32, node));
    }

    fn name(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    /// Sorts by name without case, name and node.
    fn sort(&mut self) {
        let mut names = std::mem::take(&mut self.names);
        names.sort_unstable_by(|(first, one, node), (second, two, other)| {
            let (one, two) = (self.name(one), self.name(two));
            let names = || without_case(one).cmp(without_case(two)).then_with(|| one.cmp(two));
            first.cmp(second).then_with(names).then_with(|| node.cmp(other))
        });
        self.names = names;
    }
}

/// Collects names into rows, in their order.
struct NameRows<'a> {
    writer: &'a Writer,
    id: i64,
    first: String,
    entries: Vec<Entry>,
}

impl NameRows<'_> {
    fn push(&mut self, name: &str, node: NodeId) -> Result<(), StoreError> {
        if let Some(last) = self.entries.last_mut().filter(|last| last.name == name) {
            last.nodes.push(node);
            return Ok(());
        }
        let folded = folded(name);
        let is_other = self.entries.last().map_or(self.first.as_str(), |last| &last.folded) != folded;
        if is_other && begins_row(&folded) {
            self.write(Some(&folded))?;
            (self.id, self.first) = (self.id + 1, folded.clone());
        }
        self.entries.push(Entry { folded, name: name.to_owned(), nodes: vec![node] });
        Ok(())
    }

    fn write(&mut self, next: Option<&str>) -> Result<(), StoreError> {
        let entries = std::mem::take(&mut self.entries);
        self.writer.put_name_row(self.id, &self.first, next, &entries)
    }
}

impl Writer {
    fn put_name_row(&self, id: i64, first: &str, next: Option<&str>, entries: &[Entry]) -> Result<(), StoreError> {
        self.run(sql!("put_name_row"), (id, first, NameRow::encode(id, first, next, entries)))
    }

    /// Packs the names that changed since the transaction began; all when the index was cleared.
    pub(super) fn pack_symbol_names(&mut self) -> Result<(), StoreError> {
        let ChangedSymbolNames { changes, counts } = std::mem::take(&mut self.changed_symbol_names);
        if self.is_bulk { self.pack_all_names(&counts) } else { self.pack_some_names(changes) }
    }

    fn pack_all_names(&self, counts: &[usize]) -> Result<(), StoreError> {
        let mut rows = NameRows { writer: self, id: 1, first: String::new(), entries: Vec::new() };
        for starts in passes(counts) {
            let mut unsorted = Unsorted::default();
            self.reader().for_each_symbol_block(|block| {
                let named = block.rows().filter(|row| starts.contains(&start_of(row.name)));
                named.for_each(|row| unsorted.push(row.name, row.head.node));
                Ok(())
            })?;
            unsorted.sort();
            for (_, range, node) in &unsorted.names {
                rows.push(unsorted.name(range), *node)?;
            }
        }
        rows.write(None)
    }

    fn pack_some_names(
        &self,
        mut changes: BTreeMap<(String, String), BTreeMap<NodeId, bool>>,
    ) -> Result<(), StoreError> {
        while let Some(((folded, _), _)) = changes.first_key_value() {
            let row = self.reader().name_row(folded)?;
            let rest = match &row.next {
                Some(next) => changes.split_off(&(next.clone(), String::new())),
                None => BTreeMap::new(),
            };
            self.change_name_row(row, std::mem::replace(&mut changes, rest))?;
        }
        Ok(())
    }

    /// Changes names of a row. It is joined with the row before if its first name is gone, and divided at new names that
    /// begin a row.
    fn change_name_row(
        &self,
        row: NameRow,
        changes: BTreeMap<(String, String), BTreeMap<NodeId, bool>>,
    ) -> Result<(), StoreError> {
        let reader = self.reader();
        let entries_of = |row: &NameRow| row.entries().map_err(|error| StoreError::from_decode(reader.path(), error));
        let entries = entries_of(&row)?.into_iter().map(|entry| ((entry.folded, entry.name), entry.nodes));
        let mut nodes_by_name: BTreeMap<(String, String), BTreeSet<NodeId>> =
            entries.map(|(key, nodes)| (key, nodes.into_iter().collect())).collect();
        for (key, changes) in changes {
            let nodes = nodes_by_name.entry(key).or_default();
            for (node, has_it) in changes {
                if has_it {
                    nodes.insert(node)
                } else {
                    nodes.remove(&node)
                };
            }
        }
        nodes_by_name.retain(|_, nodes| !nodes.is_empty());
        let entries = nodes_by_name.into_iter().map(|((folded, name), nodes)| Entry {
            folded,
            name,
            nodes: nodes.into_iter().collect(),
        });
        let mut entries: Vec<Entry> = entries.collect();
        let NameRow { mut id, mut first, next, .. } = row;
        if !first.is_empty() && entries.first().is_none_or(|entry| entry.folded != first) {
            self.run(sql!("delete_name_row"), [id])?;
            let lost = || reader.damaged(format!("a row of table {NAMES} is missing"));
            let before = reader.query_optional(sql!("name_row"), [&first], read_row)?.ok_or_else(lost)?;
            let before = reader.decoded_name_row(before)?;
            let mut joined = entries_of(&before)?;
            joined.append(&mut entries);
            (id, first, entries) = (before.id, before.first, joined);
        }
        self.divide_name_row((id, first), next, entries)
    }

    fn divide_name_row(
        &self,
        (mut id, mut first): (i64, String),
        next: Option<String>,
        entries: Vec<Entry>,
    ) -> Result<(), StoreError> {
        let mut part: Vec<Entry> = Vec::new();
        let mut new_id: i64 = self.reader().query_one(sql!("next_name_row"), [], |row| row.get(0))?;
        for entry in entries {
            let last = part.last().map_or(first.as_str(), |last| &last.folded);
            if entry.folded != last && begins_row(&entry.folded) {
                self.put_name_row(id, &first, Some(&entry.folded), &part)?;
                part.clear();
                (id, first) = (new_id, entry.folded.clone());
                new_id += 1;
            }
            part.push(entry);
        }
        self.put_name_row(id, &first, next.as_deref(), &part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, nodes: &[u32]) -> Entry {
        let nodes = nodes.iter().map(|node| NodeId::new(*node)).collect();
        Entry { folded: folded(name), name: name.to_owned(), nodes }
    }

    #[test]
    fn names_of_a_row_round_trip() {
        let entries = [entry("Load", &[7]), entry("load", &[1, 2, 900]), entry("loadAll", &[0]), entry("größe", &[3])];
        let sealed = NameRow::encode(5, "load", Some("m"), &entries);
        let row = NameRow::decode(5, "load", &sealed).unwrap();
        assert_eq!(row.entries().unwrap(), entries);
        assert!(row.includes("load") && row.includes("lz") && !row.includes("m") && !row.includes("k"));
        assert_eq!(NameRow::decode(6, "load", &sealed).unwrap_err(), DecodeError::Checksum);
        assert_eq!(NameRow::decode(5, "loa", &sealed).unwrap_err(), DecodeError::NameOrder);
        let backwards = NameRow::encode(5, "load", Some("k"), &[]);
        assert_eq!(NameRow::decode(5, "load", &backwards).unwrap_err(), DecodeError::NameOrder);
        for end in 0..row.data.len() {
            let cut = NameRow { id: 5, first: String::new(), next: None, data: row.data[..end].to_vec() };
            assert!(cut.entries().is_err(), "{end}");
        }
    }

    #[test]
    fn names_are_sorted_without_case() {
        let mut unsorted = Unsorted::default();
        for (name, node) in
            [("b", 1), ("Configuration", 2), ("configurations", 3), ("configuration", 4), ("_", 5), ("B", 6)]
        {
            unsorted.push(name, NodeId::new(node));
        }
        unsorted.push("b", NodeId::new(0));
        unsorted.sort();
        let sorted: Vec<(&str, u32)> =
            unsorted.names.iter().map(|(_, range, node)| (unsorted.name(range), node.get())).collect();
        let expected =
            [("_", 5), ("B", 6), ("b", 0), ("b", 1), ("Configuration", 2), ("configuration", 4), ("configurations", 3)];
        assert_eq!(sorted, expected);
    }

    #[test]
    fn passes_cover_every_start_once() {
        let half = MAX_NAMES_AT_ONCE / 2;
        assert_eq!(passes(&[half, half, 1, 3 * half, half]), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(passes(&[]).first(), Some(&(0..0)));
    }
}
