//! What the vocabulary says of a task: the classes that it fires in this repository, and the symbols they lead to.

use std::collections::{HashMap, HashSet};

use crate::model::Options;
use crate::rank::bm25f::Scores;
use crate::rank::keywords::Keywords;
use crate::retrieve::graph::Graph;
use crate::retrieve::ranking::Channel;
use crate::retrieve::targets::definitions;
use crate::retrieve::tuning;
use crate::store::{Reader, StoreError};
use crate::vocab::{Fired, Gate, Layer, Profile, Standing, Vocabulary};

/// One symbol that a class led to: a line of the trace.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassHit {
    pub node: u32,
    pub concept: String,
    pub layer: Layer,
    /// The phrase of the task, as the class has it; the longest when there are several.
    pub phrase: String,
    pub target: String,
    /// How much it says, from 0 to 1: the value of the `class` component, where a symbol's best hit counts.
    pub value: f64,
    /// The class is strong and this repository's own framework's.
    pub leads: bool,
    /// Counts for nothing: the task's options say so.
    pub muted: bool,
}

/// A task, for the classes that it fires.
pub struct Asked<'a> {
    pub task: &'a str,
    pub keywords: &'a Keywords,
    pub lexical: &'a Scores,
    pub options: &'a Options,
}

/// The hits of a task's classes, muted ones among them.
///
/// # Why
///
/// A phrase of a class that is not about this very repository may mean something else here. What such a class leads to
/// counts as far as the task's words speak for it too: in proportion to the share of them that a symbol has, and not at all
/// below [`tuning::CLASS_SUPPORT`].
///
/// # Errors
/// When the store can't be read.
pub fn class_hits(
    reader: &Reader,
    graph: &Graph,
    vocabulary: &Vocabulary,
    profile: &Profile,
    asked: &Asked<'_>,
) -> Result<Vec<ClassHit>, StoreError> {
    let mut hits: Vec<ClassHit> = Vec::new();
    for (fired, standing) in vocabulary.fired(asked.task, profile) {
        let longest = fired.phrases.iter().max_by_key(|said| said.words).map_or("", |said| said.phrase);
        let leads = fired.gate == Gate::Strong && standing == Standing::Own;
        let stands_alone = leads || fired.class.layer == Layer::Repository || says_it_all(&fired, asked.keywords);
        let support = |node: u32| match asked.lexical.get(node).coverage {
            _ if stands_alone => 1.0,
            coverage if coverage < tuning::CLASS_SUPPORT => 0.0,
            coverage => coverage,
        };
        for target in &fired.class.entry.targets {
            let nodes = definitions(reader, graph, fired.class, target)?;
            let value = strength(&fired) / (nodes.len() as f64).sqrt();
            let supported = nodes.into_iter().map(|node| (node, support(node))).filter(|(_, support)| *support > 0.0);
            for (node, support) in supported.take(tuning::CLASS_DEFINITIONS) {
                hits.push(ClassHit {
                    node,
                    concept: fired.class.entry.concept.clone(),
                    layer: fired.class.layer,
                    phrase: longest.to_owned(),
                    target: target.clone(),
                    value: value * support,
                    leads,
                    muted: asked.options.mutes(&fired.class.names()),
                });
            }
        }
    }
    Ok(hits)
}

/// True when the task has no word beside the class's phrase: no other could speak for or against it.
fn says_it_all(fired: &Fired<'_>, keywords: &Keywords) -> bool {
    fired.words() >= keywords.components.len()
}

/// Puts hits in order, best first.
pub fn sort(hits: &mut [ClassHit], graph: &Graph) {
    hits.sort_by(|a, b| {
        let ties = || (graph.tie(a.node), &a.concept).cmp(&(graph.tie(b.node), &b.concept));
        b.value.total_cmp(&a.value).then_with(ties)
    });
}

/// How much a class's firing says, from 0 to 1: one plain word may mean something else here.
fn strength(fired: &Fired<'_>) -> f64 {
    fired.class.layer.weight() * if fired.gate == Gate::Word { tuning::CLASS_PLAIN_WORD } else { 1.0 }
}

/// A channel for each layer, best first, each symbol once; at most `most` symbols altogether. In the fusion each has
/// `weight`, scaled by the weight of its layer.
pub fn channels(hits: &[ClassHit], weight: f64, most: usize) -> Vec<Channel> {
    let mut channels: Vec<Channel> = Vec::new();
    let mut taken = HashSet::new();
    for hit in hits {
        if hit.muted || (taken.len() >= most && !taken.contains(&hit.node)) {
            continue;
        }
        taken.insert(hit.node);
        let (name, weight) = (channel_name(hit.layer), weight * hit.layer.weight());
        let place = channels.iter().position(|channel| channel.name == name).unwrap_or_else(|| {
            channels.push(Channel { name, weight, found: Vec::new() });
            channels.len() - 1
        });
        let found = &mut channels[place].found;
        if found.iter().all(|(node, _)| *node != hit.node) {
            found.push((hit.node, hit.value));
        }
    }
    channels
}

/// The equivalence channel of a layer, as traces name it.
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

/// Symbols of this repository's own framework's strong classes, with values that keep their order.
pub fn leads(hits: &[ClassHit]) -> HashMap<u32, f64> {
    let mut leads = HashMap::new();
    for hit in hits.iter().filter(|hit| hit.leads && !hit.muted) {
        let place = leads.len() as f64;
        leads.entry(hit.node).or_insert(1.0 / (1.0 + tuning::LEAD_SLOPE * place));
    }
    leads
}

/// Each symbol's best hit.
pub fn values(hits: &[ClassHit]) -> HashMap<u32, f64> {
    let mut values = HashMap::new();
    for hit in hits.iter().filter(|hit| !hit.muted) {
        let best: &mut f64 = values.entry(hit.node).or_default();
        *best = best.max(hit.value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(node: u32, layer: Layer, value: f64) -> ClassHit {
        let (concept, phrase, target) = ("C".to_owned(), "p".to_owned(), "T".to_owned());
        ClassHit { node, concept, layer, phrase, target, value, leads: false, muted: false }
    }

    #[test]
    fn layers_are_lists_of_their_own_under_one_cap() {
        let hits = [
            hit(1, Layer::Framework, 0.9),
            hit(2, Layer::Universal, 0.8),
            hit(1, Layer::Universal, 0.7),
            hit(1, Layer::Framework, 0.6),
            hit(3, Layer::Universal, 0.5),
        ];
        let shown: Vec<(&str, Vec<u32>)> = (channels(&hits, 2.0, 2).iter())
            .map(|channel| (channel.name, channel.found.iter().map(|(node, _)| *node).collect()))
            .collect();
        let expected = [("equivalence framework", vec![1]), ("equivalence universal", vec![2, 1])];
        assert_eq!(shown, expected);
        assert_eq!(values(&hits)[&1], 0.9);
    }
}
