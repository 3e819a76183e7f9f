//! The `tiered` channel: symbols by exact name, then by prefix, by substring and by path segment.

use std::collections::{HashMap, HashSet};

use super::Graph;
use super::select::is_candidate;
use crate::model::NodeId;
use crate::query::{Form, Keywords, Part};
use crate::rank::tuning;
use crate::store::{Reader, StoreError};

/// Results of the tiers.
#[derive(Debug, Default)]
pub struct Tiered {
    /// Symbols, best tier first.
    pub nodes: Vec<NodeId>,
    /// Symbols whose name the query contains, with a value from 0 to 1 that decreases with the number of symbols of
    /// that name.
    pub named: HashMap<NodeId, f64>,
    /// Definitions whose exact name the subject has as code, and that no other definition has.
    pub exact: HashSet<NodeId>,
}

/// Runs the tiers until enough symbols are found.
///
/// # Errors
/// When the store can't be read.
pub fn tiered(reader: &Reader, graph: &Graph, keywords: &Keywords) -> Result<Tiered, StoreError> {
    let mut tiers = Tiers { reader, graph, seen: HashSet::new(), named: HashMap::new(), found: Tiered::default() };
    for keyword in &keywords.keywords {
        if let Some(value) = keyword.named() {
            tiers.exact(&keyword.text, Some(value))?;
        }
        if keyword.part == Part::Subject && matches!(keyword.form, Form::Quoted | Form::Identifier) {
            tiers.only(&keyword.text)?;
        }
    }
    let of = |form| keywords.with_form(form).map(|keyword| &keyword.text);
    let primary: Vec<&String> = of(Form::Quoted).chain(of(Form::Identifier)).chain(of(Form::Joined)).collect();
    tiers.prefix(&primary)?;
    let words: Vec<&String> = keywords.words().map(|keyword| &keyword.text).collect();
    if tiers.found.nodes.len() < tuning::COMPONENTS_WHILE {
        for word in &words {
            tiers.exact(word, None)?;
        }
        tiers.prefix(&words)?;
    }
    let all: Vec<&String> = primary.into_iter().chain(words).collect();
    tiers.substring(&all)?;
    tiers.segment(&all);
    Ok(tiers.found)
}

struct Tiers<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    seen: HashSet<NodeId>,
    /// The best value of each name that was looked up, in lower case.
    named: HashMap<String, f64>,
    found: Tiered,
}

impl Tiers<'_> {
    fn extend(&mut self, nodes: impl IntoIterator<Item = NodeId>, cap: usize) {
        for node in nodes {
            if self.found.nodes.len() >= cap {
                return;
            }
            if self.seen.insert(node) {
                self.found.nodes.push(node);
            }
        }
    }

    /// Adds the symbols of exactly this name, and with `value` those of the name with a leading underscore, which marks
    /// private ones.
    fn exact(&mut self, word: &str, value: Option<f64>) -> Result<(), StoreError> {
        let name = word.rsplit('.').next().unwrap_or(word);
        if let Some(value) = value {
            // Names are looked up without regard to case.
            let known = self.named.entry(name.to_lowercase()).or_default();
            if *known >= value {
                return Ok(());
            }
            *known = value;
        }
        let mut nodes = self.reader.nodes_named(name, tuning::EXACT_CAP)?;
        if let Some(value) = value {
            nodes.extend(self.reader.nodes_named(&format!("_{name}"), tuning::EXACT_CAP)?);
            let share = value / (nodes.len() as f64).sqrt();
            for node in &nodes {
                let named = self.found.named.entry(*node).or_default();
                *named = named.max(share);
            }
        }
        self.extend(nodes, tuning::EXACT_CAP);
        Ok(())
    }

    /// Adds the only definition of a name as it is written, tests left out if there are others. Overloads are one.
    fn only(&mut self, name: &str) -> Result<(), StoreError> {
        let mut segments = name.rsplit('.').map(|segment| segment.trim_end_matches("()"));
        let (Some(last), container) = (segments.next(), segments.next()) else { return Ok(()) };
        let mut nodes = match container {
            Some(container) => self.reader.members_named(container, last, tuning::EXACT_CAP)?,
            None => Vec::new(),
        };
        if nodes.is_empty() {
            nodes = self.reader.nodes_named_exactly(last, tuning::EXACT_CAP)?;
        }
        nodes.retain(|node| is_candidate(self.graph, *node));
        let is_test = |node: &NodeId| self.graph.meta(*node).is_some_and(|meta| meta.is_test);
        if !nodes.iter().all(is_test) {
            nodes.retain(|node| !is_test(node));
        }
        let mut names = HashSet::new();
        for node in &nodes {
            let scope = self.reader.scoped_name(*node)?.map(|name| name.scope);
            names.insert((self.graph.path(*node), scope));
        }
        if names.len() == 1 {
            self.found.exact.extend(nodes);
        }
        Ok(())
    }

    fn prefix(&mut self, words: &[&String]) -> Result<(), StoreError> {
        for word in words.iter().filter(|word| !word.contains('.')) {
            if self.found.nodes.len() >= tuning::PREFIX_WHILE {
                break;
            }
            self.extend(self.reader.nodes_with_prefix(word, tuning::PREFIX_CAP)?, tuning::PREFIX_CAP);
        }
        Ok(())
    }

    fn substring(&mut self, words: &[&String]) -> Result<(), StoreError> {
        let long = words.iter().filter(|word| word.chars().count() >= tuning::SUBSTRING_MIN_LEN);
        for word in long.take(tuning::SUBSTRING_WORDS) {
            if self.found.nodes.len() >= tuning::SUBSTRING_WHILE {
                break;
            }
            self.extend(self.reader.nodes_containing(word, tuning::SUBSTRING_CAP)?, tuning::SUBSTRING_CAP);
        }
        Ok(())
    }

    fn segment(&mut self, words: &[&String]) {
        for word in words.iter().filter(|word| word.chars().count() >= tuning::SEGMENT_MIN_LEN) {
            if self.found.nodes.len() >= tuning::SEGMENT_WHILE {
                break;
            }
            self.extend(self.graph.in_path(word), tuning::SEGMENT_CAP);
        }
    }
}
