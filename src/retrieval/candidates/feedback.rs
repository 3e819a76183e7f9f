//! The feedback that applies to one query, by node, and the `learned` channel: symbols that learned terms lead to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Channel, Graph};
use crate::feedback::{Cluster, FeedbackState, Moment, Subject, SymbolFeedback, TaskFeedback};
use crate::model::NodeId;
use crate::rank::tuning;
use crate::store::{Reader, StoreError};

/// The state of all feedback, and the time and session of the request.
#[derive(Debug, Clone, Default)]
pub struct FeedbackContext {
    pub state: Arc<FeedbackState>,
    pub moment: Moment,
}

/// The feedback that applies to one query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackByNode {
    pub nodes: HashMap<NodeId, SymbolFeedback>,
    /// Number of records and terms that do not apply because their packages have changed.
    pub expired: usize,
}

impl FeedbackByNode {
    /// Finds the feedback that applies to a query of this cluster. Linear in the records and, if any applies, in the
    /// symbols of the index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn find(
        reader: &Reader,
        graph: &Graph,
        context: &FeedbackContext,
        cluster: &Cluster,
    ) -> Result<FeedbackByNode, StoreError> {
        let mut roots: HashMap<String, Option<[u8; 32]>> = HashMap::new();
        let mut is_current = |subject: &Subject| -> Result<bool, StoreError> {
            if !subject.is_in(reader.repository()) {
                return Ok(false);
            }
            if !roots.contains_key(&subject.package) {
                roots.insert(subject.package.clone(), reader.package_hash(&subject.package)?);
            }
            Ok(roots.get(&subject.package).copied().flatten() == Some(subject.package_root))
        };
        let feedback = TaskFeedback::for_cluster(&context.state, cluster, &context.moment, &mut is_current)?;
        let mut found = FeedbackByNode { nodes: HashMap::new(), expired: feedback.expired };
        if feedback.symbols.is_empty() {
            return Ok(found);
        }
        let prefixes: HashSet<u64> = feedback.symbols.keys().map(|id| id.id_prefix()).collect();
        for node in graph.nodes_by_id_prefix(&prefixes) {
            let identity = reader.symbol_id(node)?;
            if let Some(symbol) = identity.and_then(|identity| feedback.symbols.get(&identity)) {
                found.nodes.insert(node, symbol.clone());
            }
        }
        Ok(found)
    }

    /// Returns the `learned` channel; `None` when no learned term matches.
    pub fn channel(&self, graph: &Graph) -> Option<Channel> {
        let learned = self.nodes.iter().filter(|(_, symbol)| symbol.learned > 0.0);
        let mut found: Vec<(NodeId, f64)> = learned.map(|(node, symbol)| (*node, symbol.learned)).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(graph.id_prefix(a.0).cmp(&graph.id_prefix(b.0))));
        found.truncate(tuning::LEARNED_CHANNEL);
        let (_, best) = *found.first()?;
        Some(Channel { name: "learned", weight: tuning::LEARNED_WEIGHT * best, found })
    }

    /// Returns the symbols that feedback alone makes candidates.
    pub fn candidates(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.keys().copied().filter(|node| self.is_candidate(*node))
    }

    /// Returns whether feedback alone makes a symbol a candidate. Recent use in the session does not; it only changes
    /// scores.
    pub fn is_candidate(&self, node: NodeId) -> bool {
        self.nodes.get(&node).is_some_and(|symbol| symbol.feedback > 0.0 || symbol.learned > 0.0)
    }

    /// Returns a value of a symbol's feedback; 0 if there is none.
    pub fn value(&self, node: NodeId, value: impl Fn(&SymbolFeedback) -> f64) -> f64 {
        self.nodes.get(&node).map_or(0.0, value)
    }
}
