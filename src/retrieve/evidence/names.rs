//! How much of a symbol's name, and of its scope, the task says.

use std::collections::HashSet;

use super::{Column, Sources, column};
use crate::text::{split_identifier, stem};

/// A symbol's name and the names of the types and functions around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    pub scope: String,
    pub file: String,
}

/// Parts of a name at which its length counts in full.
const LONG_NAME: f64 = 6.0;

pub(super) const NAMES: [&str; 4] = ["named", "name_said", "scope_said", "name_length"];

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let said: HashSet<String> = sources
        .keywords
        .components
        .iter()
        .chain(sources.keywords.exact.iter())
        .flat_map(|word| split_identifier(word))
        .map(|word| stem(&word).into_owned())
        .collect();
    let name = |node: u32| sources.names.get(&node).map_or("", |name| name.name.as_str());
    let scope = |node: u32| sources.names.get(&node).map_or("", |name| name.scope.as_str());
    vec![
        column("named", candidates, |node| sources.named.get(&node).copied().unwrap_or(0.0)),
        column("name_said", candidates, |node| share_said(name(node), &said)),
        column("scope_said", candidates, |node| share_said(scope(node), &said)),
        column("name_length", candidates, |node| split_identifier(name(node)).len() as f64 / LONG_NAME),
    ]
}

/// Share of an identifier's parts that the task says, from 0 to 1.
fn share_said(identifier: &str, said: &HashSet<String>) -> f64 {
    let parts = split_identifier(identifier);
    if parts.is_empty() {
        return 0.0;
    }
    let hits = parts.iter().filter(|part| said.contains(stem(part).as_ref())).count();
    hits as f64 / parts.len() as f64
}

#[cfg(test)]
mod tests {
    use super::share_said;

    #[test]
    fn parts_are_compared_by_their_stems() {
        let said = ["valid", "email"].map(str::to_owned).into();
        assert_eq!(share_said("EmailValidator", &said), 1.0);
        assert_eq!(share_said("validate_email_now", &said), 2.0 / 3.0);
        assert_eq!(share_said("", &said), 0.0);
    }
}
