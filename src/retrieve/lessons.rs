//! What was taught, for one task and this state of the index.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::learn::{Cluster, Moment, Standing, Subject, Taught};
use crate::model::SymbolId;
use crate::retrieve::graph::Graph;
use crate::retrieve::ranking::Channel;
use crate::retrieve::tuning;
use crate::store::{Reader, StoreError};

pub use crate::learn::taught::Lesson;

/// Everything that was taught, and when and in which session it is asked for.
#[derive(Debug, Clone, Default)]
pub struct Teaching {
    pub standing: Arc<Standing>,
    pub moment: Moment,
}

/// What was taught that speaks of one task, by node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lessons {
    pub of: HashMap<u32, Lesson>,
    /// What would speak of the task, if packages were what they were.
    pub expired: usize,
}

impl Lessons {
    /// What `teaching` says of a task of this cluster. Linear in what was taught; where it says anything, one look at every
    /// symbol finds those that it is about.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn find(reader: &Reader, graph: &Graph, teaching: &Teaching, cluster: &Cluster) -> Result<Lessons, StoreError> {
        let mut roots: HashMap<String, Option<[u8; 32]>> = HashMap::new();
        let mut is_current = |subject: &Subject| -> Result<bool, StoreError> {
            if !subject.is_of(reader.repository()) {
                return Ok(false);
            }
            if !roots.contains_key(&subject.package) {
                roots.insert(subject.package.clone(), reader.package_hash(&subject.package)?);
            }
            Ok(roots.get(&subject.package).copied().flatten() == Some(subject.package_root))
        };
        let taught = Taught::of(&teaching.standing, cluster, &teaching.moment, &mut is_current)?;
        let mut lessons = Lessons { of: HashMap::new(), expired: taught.expired };
        if taught.lessons.is_empty() {
            return Ok(lessons);
        }
        let ties: HashSet<u64> = taught.lessons.keys().map(SymbolId::tie).collect();
        for node in graph.bearing(&ties) {
            let identity = reader.symbol_id(node)?;
            if let Some(lesson) = identity.and_then(|identity| taught.lessons.get(&identity)) {
                lessons.of.insert(node, lesson.clone());
            }
        }
        Ok(lessons)
    }

    /// What learned words lead to, best first (layer 6 of SPEC §7): soft, by way of the fusion.
    pub fn channel(&self, graph: &Graph) -> Option<Channel> {
        let learned = self.of.iter().filter(|(_, lesson)| lesson.learned > 0.0);
        let mut found: Vec<(u32, f64)> = learned.map(|(node, lesson)| (*node, lesson.learned)).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(graph.tie(a.0).cmp(&graph.tie(b.0))));
        found.truncate(tuning::LEARNED_CHANNEL);
        let (_, best) = *found.first()?;
        Some(Channel { name: "learned", weight: tuning::LEARNED_WEIGHT * best, found })
    }

    /// The symbols that are candidates because they were taught. What a session used last only comes first among others.
    pub fn found(&self) -> impl Iterator<Item = u32> {
        self.of.keys().copied().filter(|node| self.finds(*node))
    }

    /// True for a symbol that is a candidate because it was taught.
    pub fn finds(&self, node: u32) -> bool {
        self.of.get(&node).is_some_and(|lesson| lesson.feedback > 0.0 || lesson.learned > 0.0)
    }

    /// What is said of a symbol, by one of the three ways to learn.
    pub fn value(&self, node: u32, of: impl Fn(&Lesson) -> f64) -> f64 {
        self.of.get(&node).map_or(0.0, of)
    }
}
