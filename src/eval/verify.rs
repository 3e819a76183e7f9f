//! Ground truth that no symbol of an index bears: a task that names it can't be answered, whatever the ranking.

use std::collections::HashMap;

use super::matcher::{Matcher, Name};
use super::task_file::EvalTask;
use crate::engine::{Reader, StoreError};
use crate::model::SymbolKind;

/// The ids of tasks with the entries of their ground truth that no symbol inside the repository is, strictly. Linear in
/// symbols.
///
/// # Errors
/// When the store can't be read.
pub fn missing<'a>(reader: &Reader, tasks: &'a [EvalTask]) -> Result<Vec<(&'a str, &'a str)>, StoreError> {
    // Two names that are strictly one end with the same word.
    let mut by_last: HashMap<String, Vec<Name>> = HashMap::new();
    for symbol in reader.all_symbols()? {
        if symbol.kind != SymbolKind::External {
            let name = Name::new(symbol.short_name());
            by_last.entry(name.last().to_owned()).or_default().push(name);
        }
    }
    let is_there = |truth: &Name| {
        let alike = by_last.get(truth.last()).into_iter().flatten();
        alike.into_iter().any(|name| Matcher::Strict.matches(name, truth))
    };
    let pairs = tasks.iter().flat_map(|task| task.ground_truth.iter().map(|truth| (task.id.as_str(), truth.as_str())));
    Ok(pairs.filter(|(_, truth)| !is_there(&Name::new(truth))).collect())
}
