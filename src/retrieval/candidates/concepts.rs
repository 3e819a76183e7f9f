//! The concept channels, one per layer: symbols that the targets of the task's concepts name. The channels are called
//! `equivalence`, after the equivalence classes of the literature.

use std::collections::{HashMap, HashSet};

use super::graph_aliases::graph_aliases;
use super::targets::definitions;
use super::{Channel, Graph};
use crate::concepts::{ConceptMatch, FrameworkUse, Layer, MatchStrength, Profile, Vocabulary};
use crate::model::{NodeId, Options};
use crate::query::Keywords;
use crate::rank::bm25f::Scores;
use crate::rank::tuning;
use crate::store::{Reader, StoreError};

/// A symbol that a concept of the task leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptHit {
    pub node: NodeId,
    pub concept: String,
    pub layer: Layer,
    /// The longest phrase of the concept in the task, as the concept has it.
    pub phrase: String,
    pub target: String,
    /// From 0 to 1. The `concept` feature of a symbol is the value of its best hit.
    pub value: f64,
    /// Whether the match is strong and the repository is the concept's framework; then the hit counts in the
    /// `framework` feature, too.
    pub leads: bool,
    /// Whether the task's options mute the concept.
    pub muted: bool,
}

/// A task with the results of earlier stages that the concept channels use.
pub struct ConceptQuery<'a> {
    pub task: &'a str,
    pub keywords: &'a Keywords,
    pub lexical: &'a Scores,
    /// Symbols that the name tiers found, best first.
    pub tiered: &'a [NodeId],
    pub options: &'a Options,
}

/// Returns the hits of the task's concepts, those of muted ones included, best first.
///
/// # Why
///
/// A phrase of a concept that is not specific to this repository may have another meaning in it. A hit of such a
/// concept counts in proportion to the share of the query's terms in the symbol, and not at all below
/// [`tuning::CONCEPT_SUPPORT`].
///
/// # Errors
/// When the store can't be read.
pub fn concept_hits(
    reader: &Reader,
    graph: &Graph,
    vocabulary: &Vocabulary,
    profile: &Profile,
    query: &ConceptQuery<'_>,
) -> Result<Vec<ConceptHit>, StoreError> {
    let mut hits: Vec<ConceptHit> = Vec::new();
    for (matched, framework_use) in vocabulary.matches(query.task, profile) {
        let longest = matched.phrases.iter().max_by_key(|phrase| phrase.words).map_or("", |phrase| phrase.phrase);
        let leads = matched.strength == MatchStrength::Strong && framework_use == FrameworkUse::Itself;
        let needs_no_support =
            leads || matched.concept.layer == Layer::Repository || covers_query(&matched, query.keywords);
        let support = |node: NodeId| match query.lexical.get(node).coverage {
            _ if needs_no_support => 1.0,
            coverage if coverage < tuning::CONCEPT_SUPPORT => 0.0,
            coverage => coverage,
        };
        for target in &matched.concept.entry.targets {
            let nodes = definitions(reader, graph, matched.concept, target)?;
            let value = weight(&matched) / (nodes.len() as f64).sqrt();
            let supported = nodes.into_iter().map(|node| (node, support(node))).filter(|(_, support)| *support > 0.0);
            for (node, support) in supported.take(tuning::CONCEPT_DEFINITIONS) {
                hits.push(ConceptHit {
                    node,
                    concept: matched.concept.entry.concept.clone(),
                    layer: matched.concept.layer,
                    phrase: longest.to_owned(),
                    target: target.clone(),
                    value: value * support,
                    leads,
                    muted: query.options.mutes(&matched.concept.names()),
                });
            }
        }
    }
    let aliases = graph_aliases(reader, graph, query.tiered, &query.keywords.phrases)?.into_iter();
    let is_muted = |hit: &ConceptHit| query.options.mutes(&[&hit.concept, hit.layer.name()]);
    hits.extend(aliases.map(|hit| ConceptHit { muted: is_muted(&hit), ..hit }));
    sort(&mut hits, graph);
    Ok(hits)
}

/// Returns whether the query has no word outside the concept's phrase that could support or contradict it.
fn covers_query(matched: &ConceptMatch<'_>, keywords: &Keywords) -> bool {
    matched.words() >= keywords.words().count()
}

/// Orders hits, best first.
fn sort(hits: &mut [ConceptHit], graph: &Graph) {
    hits.sort_by(|a, b| {
        let ties = || (graph.id_prefix(a.node), &a.concept).cmp(&(graph.id_prefix(b.node), &b.concept));
        b.value.total_cmp(&a.value).then_with(ties)
    });
}

/// Returns the weight of a match, from 0 to 1. A single plain word has less weight, because it is ambiguous.
fn weight(matched: &ConceptMatch<'_>) -> f64 {
    let is_word = matched.strength == MatchStrength::Word;
    matched.concept.layer.weight() * if is_word { tuning::CONCEPT_PLAIN_WORD } else { 1.0 }
}

/// Returns one channel per layer, each symbol once per channel, with at most `max_symbols` symbols altogether. The
/// weight of a channel in the fusion is `weight` times that of its layer.
pub fn channels(hits: &[ConceptHit], weight: f64, max_symbols: usize) -> Vec<Channel> {
    let mut channels: Vec<Channel> = Vec::new();
    let mut symbols = HashSet::new();
    for hit in hits {
        if hit.muted || (symbols.len() >= max_symbols && !symbols.contains(&hit.node)) {
            continue;
        }
        symbols.insert(hit.node);
        let (name, weight) = (channel_name(hit.layer), weight * hit.layer.weight());
        let index = channels.iter().position(|channel| channel.name == name).unwrap_or_else(|| {
            channels.push(Channel { name, weight, found: Vec::new() });
            channels.len() - 1
        });
        let found = &mut channels[index].found;
        if found.iter().all(|(node, _)| *node != hit.node) {
            found.push((hit.node, hit.value));
        }
    }
    channels
}

/// Returns the name of a layer's channel.
fn channel_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Repository => "equivalence repository",
        Layer::Framework => "equivalence framework",
        Layer::Universal => "equivalence universal",
        Layer::Domain => "equivalence domain",
        Layer::Language => "equivalence language",
        Layer::Graph => "equivalence graph",
    }
}

/// Returns the symbols with [`ConceptHit::leads`], with values that decrease with their rank among these.
pub fn leads(hits: &[ConceptHit]) -> HashMap<NodeId, f64> {
    let mut leads = HashMap::new();
    for hit in hits.iter().filter(|hit| hit.leads && !hit.muted) {
        let rank = leads.len() as f64;
        leads.entry(hit.node).or_insert(1.0 / (1.0 + tuning::LEAD_SLOPE * rank));
    }
    leads
}

/// Returns the value of each symbol's best hit of a built-in concept.
pub fn values(hits: &[ConceptHit]) -> HashMap<NodeId, f64> {
    best_values(hits.iter().filter(|hit| hit.layer != Layer::Repository))
}

/// Returns the value of each symbol's best hit of a concept of its repository.
pub fn own_values(hits: &[ConceptHit]) -> HashMap<NodeId, f64> {
    best_values(hits.iter().filter(|hit| hit.layer == Layer::Repository))
}

fn best_values<'a>(hits: impl Iterator<Item = &'a ConceptHit>) -> HashMap<NodeId, f64> {
    let mut values = HashMap::new();
    for hit in hits.filter(|hit| !hit.muted) {
        let best: &mut f64 = values.entry(hit.node).or_default();
        *best = best.max(hit.value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(node: u32, layer: Layer, value: f64) -> ConceptHit {
        let (concept, phrase, target) = ("C".to_owned(), "p".to_owned(), "T".to_owned());
        ConceptHit { node: NodeId::new(node), concept, layer, phrase, target, value, leads: false, muted: false }
    }

    #[test]
    fn each_layer_is_a_channel_under_one_cap() {
        let hits = [
            hit(1, Layer::Framework, 0.9),
            hit(2, Layer::Universal, 0.8),
            hit(1, Layer::Universal, 0.7),
            hit(1, Layer::Framework, 0.6),
            hit(3, Layer::Universal, 0.5),
        ];
        let shown: Vec<(&str, Vec<u32>)> = (channels(&hits, 2.0, 2).iter())
            .map(|channel| (channel.name, channel.found.iter().map(|(node, _)| node.get()).collect()))
            .collect();
        let expected = [("equivalence framework", vec![1]), ("equivalence universal", vec![2, 1])];
        assert_eq!(shown, expected);
        assert_eq!(values(&hits)[&NodeId::new(1)], 0.9);
    }
}
