//! Names: exact, then by prefix, then by substring, then by path segment (SPEC §6.2).

use std::collections::{HashMap, HashSet};

use crate::rank::keywords::Keywords;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;
use crate::store::{Reader, StoreError};

/// What the tiers found.
#[derive(Debug, Default)]
pub struct Tiered {
    /// Best tier first.
    pub nodes: Vec<u32>,
    /// Those that bear a name that the task writes or spells out, and how much that says, from 0 to 1: a name that many
    /// share says less.
    pub named: HashMap<u32, f64>,
}

/// Runs the tiers until there is enough.
///
/// # Errors
/// When the store can't be read.
pub fn tiered(reader: &Reader, graph: &Graph, keywords: &Keywords) -> Result<Tiered, StoreError> {
    let mut tiers = Tiers { reader, graph, seen: HashSet::new(), found: Tiered::default() };
    let joined = keywords.joined();
    for name in &keywords.exact {
        tiers.exact(name, Some(tuning::NAMED_QUOTED))?;
    }
    for name in &keywords.compounds {
        let written = if joined.contains(name) { tuning::NAMED_JOINED } else { tuning::NAMED_WRITTEN };
        tiers.exact(name, Some(written))?;
    }
    for name in &keywords.called {
        tiers.exact(name, Some(tuning::NAMED_CALLED))?;
    }
    let primary: Vec<&String> = keywords.exact.iter().chain(&keywords.compounds).collect();
    tiers.prefix(&primary)?;
    let components: Vec<&String> = keywords.components.iter().collect();
    if tiers.found.nodes.len() < tuning::COMPONENTS_WHILE {
        for word in &components {
            tiers.exact(word, None)?;
        }
        tiers.prefix(&components)?;
    }
    let all: Vec<&String> = primary.into_iter().chain(components).collect();
    tiers.substring(&all)?;
    tiers.segment(&all);
    Ok(tiers.found)
}

struct Tiers<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    seen: HashSet<u32>,
    found: Tiered,
}

impl Tiers<'_> {
    fn take(&mut self, nodes: Vec<u32>, cap: usize) {
        for node in nodes {
            if self.found.nodes.len() >= cap {
                return;
            }
            if self.seen.insert(node) {
                self.found.nodes.push(node);
            }
        }
    }

    /// Symbols of exactly this name, and of the same with the underscore that marks a private one.
    fn exact(&mut self, word: &str, says: Option<f64>) -> Result<(), StoreError> {
        let name = word.rsplit('.').next().unwrap_or(word);
        let mut nodes = self.reader.nodes_named(name, tuning::EXACT_CAP)?;
        if let Some(says) = says {
            nodes.extend(self.reader.nodes_named(&format!("_{name}"), tuning::EXACT_CAP)?);
            let share = says / (nodes.len() as f64).sqrt();
            for node in &nodes {
                let named = self.found.named.entry(*node).or_default();
                *named = named.max(share);
            }
        }
        self.take(nodes, tuning::EXACT_CAP);
        Ok(())
    }

    fn prefix(&mut self, words: &[&String]) -> Result<(), StoreError> {
        for word in words.iter().filter(|word| !word.contains('.')) {
            if self.found.nodes.len() >= tuning::PREFIX_WHILE {
                break;
            }
            self.take(self.reader.nodes_with_prefix(word, tuning::PREFIX_CAP)?, tuning::PREFIX_CAP);
        }
        Ok(())
    }

    fn substring(&mut self, words: &[&String]) -> Result<(), StoreError> {
        let long = words.iter().filter(|word| word.chars().count() >= tuning::SUBSTRING_SHORTEST);
        for word in long.take(tuning::SUBSTRING_WORDS) {
            if self.found.nodes.len() >= tuning::SUBSTRING_WHILE {
                break;
            }
            self.take(self.reader.nodes_containing(word, tuning::SUBSTRING_CAP)?, tuning::SUBSTRING_CAP);
        }
        Ok(())
    }

    fn segment(&mut self, words: &[&String]) {
        for word in words.iter().filter(|word| word.chars().count() >= tuning::SEGMENT_SHORTEST) {
            if self.found.nodes.len() >= tuning::SEGMENT_WHILE {
                break;
            }
            self.take(self.graph.in_path(word), tuning::SEGMENT_CAP);
        }
    }
}
