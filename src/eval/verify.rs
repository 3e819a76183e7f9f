//! Finds entries of the ground truth that match no symbol of the index.

use std::collections::HashMap;

use super::matcher::{Matcher, Name};
use super::task_file::EvalTask;
use crate::engine::{Reader, StoreError};
use crate::model::SymbolKind;

/// Returns the entries of the ground truth that strictly match no symbol of the repository, each with its task's id.
/// Linear in symbols.
///
/// # Errors
/// When the store can't be read.
pub fn missing_ground_truth<'a>(reader: &Reader, tasks: &'a [EvalTask]) -> Result<Vec<(&'a str, &'a str)>, StoreError> {
    // Names that match strictly have the same last part.
    let mut by_last: HashMap<String, Vec<Name>> = HashMap::new();
    for symbol in reader.all_symbols()? {
        if symbol.kind != SymbolKind::External {
            let name = Name::new(symbol.short_name());
            by_last.entry(name.last().to_owned()).or_default().push(name);
        }
    }
    let is_found = |truth: &Name| {
        let mut candidates = by_last.get(truth.last()).into_iter().flatten();
        candidates.any(|name| Matcher::Strict.matches(name, truth))
    };
    let pairs = tasks.iter().flat_map(|task| task.ground_truth.iter().map(|truth| (task.id.as_str(), truth.as_str())));
    Ok(pairs.filter(|(_, truth)| !is_found(&Name::new(truth))).collect())
}
