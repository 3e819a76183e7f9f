//! The state of the graph pane: the neighborhood of a root as a tree that can be unfolded, folded and re-rooted.

use std::collections::{BTreeMap, HashSet};

use super::picture::MAX_NODES;
use crate::engine::Neighborhood;
use crate::model::{Symbol, SymbolId};
use crate::tui::effect::{NeighborhoodRequest, Node};

/// The maximum of hops beyond the first.
pub const MAX_DEEPER: u32 = 3;
/// Neighbors of the root at least.
const MIN_NEIGHBORS: usize = 8;
/// Children that each unfolding of a node adds.
pub const CHILDREN_STEP: usize = 12;
/// Roots that can be gone back to.
const MAX_ROOTS: usize = 100;

/// The state of the pane.
#[derive(Debug, Clone, Default)]
pub struct GraphTree {
    /// The symbol that the user chose as root; `None` while the root is the visited symbol.
    pub chosen: Option<Symbol>,
    /// The root of the tree while the user visits one of its nodes in another pane, and that node. Visiting another
    /// symbol releases it.
    retained_root: Option<(Symbol, SymbolId)>,
    /// The neighborhood shown; its first node is the root.
    pub shown: Neighborhood,
    /// Number of the last question; answers to older ones are dropped.
    pub question: u64,
    /// Ranking, index version, root and rows of that question.
    pub asked_about: Option<((u64, u64), SymbolId, usize)>,
    /// Whether the numbers of the walk are shown.
    pub has_numbers: bool,
    /// Hops beyond the first.
    pub deeper: u32,
    pub canvas: bool,
    /// Row of the tree, or index of the canvas's node.
    pub selected: usize,
    pub offset: usize,
    /// Why there is no neighborhood.
    pub error: Option<String>,
    previous_roots: Vec<Symbol>,
    next_roots: Vec<Symbol>,
    folded: HashSet<SymbolId>,
    /// Nodes with more children than the default: identity and number of children.
    unfolded: BTreeMap<SymbolId, (Node, usize)>,
    /// The symbol to select when the next neighborhood is received.
    select_next: Option<SymbolId>,
}

/// One row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// Index among the shown nodes.
    pub node: usize,
    /// For each level above, whether its line continues below this row.
    pub guides: Vec<bool>,
    /// Whether the children are folded.
    pub folded: bool,
    /// The number of neighbors that are not shown, in the row below the shown ones.
    pub more: Option<usize>,
}

impl GraphTree {
    /// Returns the root to show, given the visited symbol.
    pub fn root<'view>(&'view self, selection: Option<&'view Symbol>) -> Option<&'view Symbol> {
        let retained =
            self.retained_root.as_ref().filter(|(_, node)| selection.is_some_and(|symbol| symbol.id == *node));
        self.chosen.as_ref().or(retained.map(|(root, _)| root)).or(selection)
    }

    /// Keeps the tree around `root` while the user visits one of its nodes in another pane.
    pub fn set_retained_root(&mut self, root: Symbol, node: SymbolId) {
        self.retained_root = Some((root, node));
    }

    /// Forgets the root that [`GraphTree::set_retained_root`] kept once another symbol is visited.
    pub fn clear_retained_root(&mut self, selection: Option<SymbolId>) {
        self.retained_root.take_if(|(_, node)| Some(*node) != selection);
    }

    /// Returns the request for the neighborhood of `root`, which has as many neighbors as `rows` show.
    pub fn request(&self, root: &Symbol, rows: usize) -> NeighborhoodRequest {
        let mut wider: Vec<(Node, usize)> = self.unfolded.values().copied().collect();
        if !self.unfolded.contains_key(&root.id) {
            // The root itself and the number of the others have rows, too.
            wider.push((Node::from(root), rows.saturating_sub(2).max(MIN_NEIGHBORS)));
        }
        NeighborhoodRequest { root: Node::from(root), hops: 1 + self.deeper, wider }
    }

    /// Shows a neighborhood. The selection stays on its symbol.
    pub fn show(&mut self, shown: Neighborhood) {
        let root = |shown: &Neighborhood| shown.nodes.first().map(|node| node.symbol.id);
        // The cursor is on a new root, also where the former cursor's symbol is in the new neighborhood.
        let has_root = root(&self.shown) == root(&shown);
        let known = self.selected_symbol().filter(|_| has_root).map(|symbol| symbol.id);
        let known = self.select_next.take().or(known);
        self.shown = shown;
        self.error = None;
        let index = known.and_then(|id| self.shown.nodes.iter().position(|node| node.symbol.id == id));
        self.select_node(index.unwrap_or(0));
    }

    /// Shows an error.
    pub fn fail(&mut self, error: String) {
        self.shown = Neighborhood::default();
        self.error = Some(error);
        self.selected = 0;
    }

    /// Resets folding and selection of a tree that follows the visited symbol, when another symbol is visited.
    pub fn visited_symbol_changed(&mut self) {
        if self.chosen.is_none() {
            self.reset();
        }
    }

    /// Sets the root; [`GraphTree::back`] returns to the old one.
    pub fn root_at(&mut self, symbol: Symbol, selection: Option<&Symbol>) {
        let old = self.root(selection).cloned();
        if old.as_ref().is_some_and(|old| old.id == symbol.id) {
            return;
        }
        self.previous_roots.extend(old);
        self.previous_roots.drain(..self.previous_roots.len().saturating_sub(MAX_ROOTS));
        self.next_roots.clear();
        self.set_root(symbol);
    }

    /// Goes back to the previous root. Returns whether there is one.
    pub fn back(&mut self, selection: Option<&Symbol>) -> bool {
        let Some(root) = self.previous_roots.pop() else { return false };
        let old_root = self.root(selection).cloned();
        let old_root_id = old_root.as_ref().map(|root| root.id);
        self.next_roots.extend(old_root);
        self.set_root(root);
        self.select_next = old_root_id;
        true
    }

    /// Goes forward to the root that [`GraphTree::back`] left. Returns whether there is one.
    pub fn forward(&mut self, selection: Option<&Symbol>) -> bool {
        let Some(root) = self.next_roots.pop() else { return false };
        self.previous_roots.extend(self.root(selection).cloned());
        self.set_root(root);
        true
    }

    /// Follows the visited symbol again. Returns false if it already does.
    pub fn follow(&mut self) -> bool {
        let was = self.chosen.take().is_some() | self.retained_root.take().is_some();
        if was {
            self.previous_roots.clear();
            self.next_roots.clear();
            self.reset();
        }
        was
    }

    /// Forgets the kept, previous and next roots for which `keep`, which may change them, returns false.
    pub fn retain_roots(&mut self, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        self.retained_root.take_if(|(root, _)| !keep(root));
        self.previous_roots.retain_mut(&mut *keep);
        self.next_roots.retain_mut(keep);
    }

    fn set_root(&mut self, root: Symbol) {
        self.chosen = Some(root);
        self.reset();
    }

    /// Forgets folding, selection and scroll position.
    fn reset(&mut self) {
        self.folded.clear();
        self.unfolded.clear();
        self.select_next = None;
        self.selected = 0;
        self.offset = 0;
    }

    /// Increases or decreases the depth by a hop. Returns false at the bounds.
    pub fn change_hops(&mut self, more: bool) -> bool {
        let deeper = if more { self.deeper.checked_add(1) } else { self.deeper.checked_sub(1) };
        let inside = deeper.filter(|deeper| *deeper <= MAX_DEEPER);
        if let Some(deeper) = inside {
            self.deeper = deeper;
            self.folded.clear();
        }
        inside.is_some()
    }

    /// Unfolds the selected node. Returns whether more of the graph must be requested.
    pub fn unfold(&mut self) -> bool {
        let Some(row) = self.selected_row() else { return false };
        let Some(node) = self.shown.nodes.get(row.node) else { return false };
        if row.more.is_none() && self.folded.remove(&node.symbol.id) {
            return false;
        }
        let children = self.shown.nodes.iter().filter(|child| child.parent.is_some_and(|to| to.index == row.node));
        let shown = children.count();
        if row.more.is_none() && shown > 0 {
            // It is unfolded: select its first child.
            self.select_row(self.selected + 1);
            return false;
        }
        if node.hidden == 0 {
            return false;
        }
        let width = shown + CHILDREN_STEP;
        self.unfolded.insert(node.symbol.id, (Node::from(&node.symbol), width));
        true
    }

    /// Folds the selected node, or unfolds it. Returns whether more of the graph must be requested.
    pub fn toggle(&mut self) -> bool {
        let Some(row) = self.selected_row() else { return false };
        if row.folded || row.more.is_some() || !self.has_children(row.node) {
            return self.unfold();
        }
        self.fold();
        false
    }

    /// Folds the selected node, or selects its parent if there is nothing to fold.
    pub fn fold(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let Some(node) = self.shown.nodes.get(row.node) else { return };
        let id = node.symbol.id;
        if row.more.is_some() || (self.has_children(row.node) && !row.folded && row.node != 0) {
            self.folded.insert(id);
            self.select_node(row.node);
        } else if let Some(branch) = node.parent {
            self.select_node(branch.index);
        }
    }

    /// Returns the rows of the tree from the top.
    pub fn rows(&self) -> Vec<TreeRow> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.shown.nodes.len()];
        for (index, node) in self.shown.nodes.iter().enumerate() {
            if let Some(branch) = node.parent {
                children[branch.index].push(index);
            }
        }
        let mut rows = Vec::new();
        if !self.shown.nodes.is_empty() {
            self.grow(0, &[], &children, &mut rows);
        }
        rows
    }

    /// Appends the rows of a node and of what is below it.
    fn grow(&self, index: usize, guides: &[bool], children: &[Vec<usize>], rows: &mut Vec<TreeRow>) {
        let node = &self.shown.nodes[index];
        let below = &children[index];
        let folded = self.folded.contains(&node.symbol.id) && !below.is_empty();
        rows.push(TreeRow { node: index, guides: guides.to_vec(), folded, more: None });
        if folded || below.is_empty() {
            return;
        }
        let more = node.hidden > 0;
        for (number, child) in below.iter().enumerate() {
            let goes_on = more || number + 1 < below.len();
            self.grow(*child, &[guides, &[goes_on]].concat(), children, rows);
        }
        if more {
            let guides = [guides, &[false]].concat();
            rows.push(TreeRow { node: index, guides, folded: false, more: Some(node.hidden) });
        }
    }

    /// Returns whether a shown node has shown children.
    pub fn has_children(&self, node: usize) -> bool {
        self.shown.nodes.iter().any(|child| child.parent.is_some_and(|to| to.index == node))
    }

    /// Returns the selected row; on the canvas, that of the selected node.
    pub fn selected_row(&self) -> Option<TreeRow> {
        if self.canvas {
            let node = self.selected;
            return (node < self.shown.nodes.len()).then(|| TreeRow {
                node,
                guides: vec![],
                folded: false,
                more: None,
            });
        }
        let mut rows = self.rows();
        (self.selected < rows.len()).then(|| rows.swap_remove(self.selected))
    }

    /// Returns whether another shown symbol has the name of this node.
    pub fn has_namesake(&self, node: usize) -> bool {
        let Some(name) = self.shown.nodes.get(node).map(|node| &node.symbol.name) else { return false };
        self.shown.nodes.iter().enumerate().any(|(other, shown)| other != node && shown.symbol.name == *name)
    }

    /// Returns whether another shown symbol has the name and the container of this node, such as an overload.
    pub fn has_twin(&self, node: usize) -> bool {
        let full = |node: usize| self.shown.nodes.get(node).map(|node| (&node.symbol.name, &node.symbol.scope));
        (0..self.shown.nodes.len()).any(|other| other != node && full(other) == full(node))
    }

    /// Returns the selected symbol.
    pub fn selected_symbol(&self) -> Option<&Symbol> {
        let row = self.selected_row()?;
        self.shown.nodes.get(row.node).map(|node| &node.symbol)
    }

    /// Switches between tree and canvas. The selection stays on its symbol.
    pub fn toggle_canvas(&mut self) {
        let node = self.selected_row().map_or(0, |row| row.node);
        self.canvas = !self.canvas;
        self.select_node(node);
    }

    fn select_node(&mut self, node: usize) {
        if self.canvas {
            self.selected = node.min(self.row_count().saturating_sub(1));
        } else {
            let rows = self.rows();
            self.selected = rows.iter().position(|row| row.node == node && row.more.is_none()).unwrap_or(0);
        }
    }

    /// Returns the number of rows, or of the canvas's nodes.
    pub fn row_count(&self) -> usize {
        if self.canvas { self.shown.nodes.len().min(MAX_NODES) } else { self.rows().len() }
    }

    /// Selects a row, or the last one.
    pub fn select_row(&mut self, row: usize) {
        self.selected = row.min(self.row_count().saturating_sub(1));
    }

    /// Moves the selection, and scrolls no further than needed to show it in `height` rows.
    pub fn step(&mut self, by: isize, height: usize) {
        self.select_row(self.selected.saturating_add_signed(by));
        self.settle(height);
    }

    /// Scrolls no further than needed to show the selection in `height` rows.
    pub fn settle(&mut self, height: usize) {
        let lowest = self.row_count().saturating_sub(height);
        let offset = self.offset.max((self.selected + 1).saturating_sub(height));
        self.offset = offset.min(self.selected).min(lowest);
    }
}
