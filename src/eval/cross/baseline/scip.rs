//! The expert with a compiler's index: looks the identifiers of a task up, exact names first, then names that contain a
//! word of the task.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use protobuf::Message;
use scip::types::{Index, SymbolRole};

use super::BaselineError;
use super::words::task_words;
use crate::text::split_identifier;

/// Number of definitions that are printed.
const PRINTED: usize = 200;

/// A definition in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Definition {
    path: String,
    line: i32,
    /// Type and member, joined by a dot.
    name: String,
    /// Number of uses in the repository.
    uses: usize,
}

/// Returns the definitions that the task's words name, a line each: `path:line: name`.
///
/// # Errors
/// When there is no index or it can't be parsed.
pub fn answer(state: &Path, task: &str) -> Result<String, BaselineError> {
    let index = Index::parse_from_bytes(&fs::read(state.join("index.scip"))?)?;
    let mut text = String::new();
    for definition in named(&definitions(&index), task).into_iter().take(PRINTED) {
        // Writing to a string succeeds.
        let _ = writeln!(text, "{}:{}: {}", definition.path, definition.line + 1, definition.name);
    }
    Ok(text)
}

fn definitions(index: &Index) -> Vec<Definition> {
    let mut uses = std::collections::HashMap::<&str, usize>::new();
    let occurrences = || index.documents.iter().flat_map(|document| &document.occurrences);
    let is_definition = |roles: i32| roles & SymbolRole::Definition as i32 != 0;
    for occurrence in occurrences().filter(|occurrence| !is_definition(occurrence.symbol_roles)) {
        *uses.entry(&occurrence.symbol).or_default() += 1;
    }
    let mut found = Vec::new();
    for document in &index.documents {
        for occurrence in document.occurrences.iter().filter(|occurrence| is_definition(occurrence.symbol_roles)) {
            if let Some(name) = name(&occurrence.symbol) {
                let line = occurrence.range.first().copied().unwrap_or_default();
                let uses = uses.get(occurrence.symbol.as_str()).copied().unwrap_or_default();
                found.push(Definition { path: document.relative_path.clone(), line, name, uses });
            }
        }
    }
    found
}

/// Returns the types and members of a symbol, joined by dots; `None` for modules, parameters and local symbols.
fn name(symbol: &str) -> Option<String> {
    let parsed = scip::symbol::parse_symbol(symbol).ok()?;
    use scip::types::descriptor::Suffix;
    let suffix = parsed.descriptors.last()?.suffix.enum_value().ok()?;
    if matches!(suffix, Suffix::Parameter | Suffix::TypeParameter | Suffix::Local | Suffix::Namespace | Suffix::Meta) {
        return None;
    }
    let is_named = |suffix: Suffix| matches!(suffix, Suffix::Type | Suffix::Term | Suffix::Method | Suffix::Macro);
    let parts = parsed.descriptors.iter().filter(|part| part.suffix.enum_value().is_ok_and(is_named));
    Some(parts.map(|part| part.name.as_str()).collect::<Vec<_>>().join("."))
}

/// Returns the definitions for a task: those with the name of an identifier, in the order of the identifiers, then those
/// with most of its words in their names; the most used first.
fn named<'a>(definitions: &'a [Definition], task: &str) -> Vec<&'a Definition> {
    let words = task_words(task);
    let parts: HashSet<String> = words.iter().flat_map(|word| split_identifier(word)).collect();
    let last = |definition: &Definition| definition.name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let rank = |definition: &Definition| {
        let exact = words.iter().position(|word| word.to_lowercase() == last(definition));
        let own: HashSet<String> = split_identifier(&definition.name).into_iter().collect();
        (exact, own.intersection(&parts).count())
    };
    let mut ranked: Vec<(Option<usize>, usize, &Definition)> = (definitions.iter())
        .map(|definition| (rank(definition), definition))
        .filter(|((exact, shared), _)| exact.is_some() || *shared > 1)
        .map(|((exact, shared), definition)| (exact, shared, definition))
        .collect();
    ranked.sort_by(|(exact_one, shared_one, one), (exact_two, shared_two, two)| {
        let exact = |exact: &Option<usize>| exact.unwrap_or(usize::MAX);
        (exact(exact_one), shared_two, two.uses, &one.path, one.line).cmp(&(
            exact(exact_two),
            shared_one,
            one.uses,
            &two.path,
            two.line,
        ))
    });
    ranked.into_iter().map(|(.., definition)| definition).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(name: &str, uses: usize) -> Definition {
        Definition { path: "a.py".to_owned(), line: 1, name: name.to_owned(), uses }
    }

    #[test]
    fn identifiers_come_first_then_names_with_their_words() {
        let all = ["Cart.total", "charge", "cart_total_price", "Session", "open"].map(|name| definition(name, 1));
        let found = named(&all, "charge the total of a cart price");
        let names: Vec<&str> = found.iter().map(|definition| definition.name.as_str()).collect();
        assert_eq!(names, ["charge", "Cart.total", "cart_total_price"]);
    }

    #[test]
    fn names_are_types_and_members() {
        let text = |symbol: &str| name(symbol);
        let prefix = "scip-python python shop 1 `shop.cart`/";
        assert_eq!(text(&format!("{prefix}Cart#total().")).as_deref(), Some("Cart.total"));
        assert_eq!(text(&format!("{prefix}Cart#")).as_deref(), Some("Cart"));
        assert_eq!(text(&format!("{prefix}Cart#total().(self)")), None);
        assert_eq!(text(&format!("{prefix}__init__:")), None);
        assert_eq!(text("local 3"), None);
    }
}
