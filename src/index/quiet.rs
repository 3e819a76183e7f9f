//! Edits that mean nothing to resolution: comments, docs, blank lines. Only the files' own rows are written.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::catalog::Catalog;
use super::codes::Codes;
use super::error::IndexError;
use super::extract::Parsed;
use super::numbering::{self, Renumbered};
use super::placement::unpack_placement;
use super::plan::Kept;
use super::report::{Clock, Phase};
use super::slots::{self, Slots};
use super::steady;
use super::update::Update;
use super::write;
use crate::facts::{Code, Outline, equal_except_trivia};
use crate::lang::packages::definition_unit;
use crate::store::{Reader, StoreError, Writer};

/// What came of the attempt.
pub(super) enum Attempt {
    /// Everything is written. The ids of the parsed files.
    Done(HashSet<u32>),
    /// Some edit means something; nothing is written.
    Meaningful(Vec<Parsed>, Vec<Kept>),
}

/// Writes the parsed files if each of them says what the store has of it.
pub(super) fn attempt(
    update: &Update<'_>,
    parsed: Vec<Parsed>,
    kept: Vec<Kept>,
    writer: &mut Writer,
    clock: &mut Clock,
) -> Result<Attempt, IndexError> {
    for one in &parsed {
        if !says_the_same(one, writer.reader())? {
            return Ok(Attempt::Meaningful(parsed, kept));
        }
    }
    let places: BTreeSet<String> =
        parsed.iter().map(|one| definition_unit(&one.row.language, &one.row.path).to_owned()).collect();
    let beside = |kept: &Kept| places.contains(definition_unit(&kept.row.language, &kept.row.path));
    let siblings = kept.into_iter().filter(beside).collect();
    let (mut catalog, given) = Catalog::assemble(parsed, siblings, writer.reader(), update.pool)?;
    let mut renumbered = Renumbered::default();
    for (file, names) in numbering::names(&catalog, update.repository) {
        let entry = &mut catalog.entries[file as usize];
        if entry.is_parsed() {
            let placement = writer.reader().placement_blob(entry.row.id)?;
            entry.nodes = placement.map_or_else(|| Ok(Vec::new()), |blob| unpack_placement(&blob))?;
            renumbered.named.insert(file, names);
        }
    }
    let ids: Vec<u32> = catalog.entries.iter().map(|entry| entry.row.id).collect();
    let codes = Codes::new(given, ids, None);
    clock.end(Phase::Load);
    write::symbols(writer, &catalog, &codes, &renumbered, update.pool)?;
    let (mut slots, mut old) = (Slots::new(), Vec::new());
    let places: BTreeSet<&str> = places.iter().map(String::as_str).collect();
    steady::add_similar(update, &catalog, &places, &mut slots, &mut old, writer.reader())?;
    let difference = slots::replace(writer, &mut slots, &old, update.pool)?;
    steady::finish(&catalog, &places, &difference, &BTreeMap::new(), writer)?;
    let parsed = catalog.entries.iter().filter(|entry| entry.is_parsed());
    Ok(Attempt::Done(parsed.map(|entry| entry.row.id).collect()))
}

fn says_the_same(parsed: &Parsed, reader: &Reader) -> Result<bool, StoreError> {
    let (Some(outline), Some(code)) = (reader.outline_blob(parsed.row.id)?, reader.code_blob(parsed.row.id)?) else {
        return Ok(false);
    };
    let (outline, code): (Outline, Code) = (outline.unpack()?, code.unpack()?);
    Ok(equal_except_trivia((&outline, &code), (&parsed.outline, &parsed.code)))
}
