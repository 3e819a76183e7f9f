//! Features of the overlap between the query and a symbol's name and scope.

use std::collections::HashMap;

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;
use crate::text::{split_identifier, stem};

/// Words of a name at which the `name_length` feature is 1.
const LONG_NAME: f64 = 6.0;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 4] = ["named", "name_overlap", "scope_overlap", "name_length"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let stems = context.keywords.stems();
    let name = |node: NodeId| context.names.get(&node).map_or("", |name| name.name.as_str());
    let scope = |node: NodeId| context.names.get(&node).map_or("", |name| name.scope.as_str());
    vec![
        feature("named", candidates, |node| context.named.get(&node).copied().unwrap_or(0.0)),
        feature("name_overlap", candidates, |node| overlap(name(node), &stems)),
        feature("scope_overlap", candidates, |node| overlap(scope(node), &stems)),
        feature("name_length", candidates, |node| split_identifier(name(node)).len() as f64 / LONG_NAME),
    ]
}

/// Returns the share of an identifier's words whose stems are in `stems`, each times its worth, from 0 to 1.
fn overlap(identifier: &str, stems: &HashMap<String, f64>) -> f64 {
    let words = split_identifier(identifier);
    if words.is_empty() {
        return 0.0;
    }
    let shared = words.iter().filter_map(|word| stems.get(stem(word).as_ref())).sum::<f64>();
    shared / words.len() as f64
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn words_are_compared_by_their_stems() {
        let stems = [("valid".to_owned(), 1.0), ("email".to_owned(), 1.0), ("now".to_owned(), 0.5)].into();
        assert_eq!(overlap("EmailValidator", &stems), 1.0);
        assert_eq!(overlap("validate_email_later", &stems), 2.0 / 3.0);
        assert_eq!(overlap("validate_now", &stems), 0.75);
        assert_eq!(overlap("", &stems), 0.0);
    }
}
