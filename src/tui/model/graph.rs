//! The neighborhood pane: a tree around a root that can be opened, folded, re-rooted and walked back.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use crate::engine::{EgoRequest, Neighborhood};
use crate::model::{Symbol, SymbolId};

/// Hops shown at first, and the bounds that keys move them in.
const HOPS: u32 = 1;
const MOST_HOPS: u32 = 4;
/// Children shown of a node once it is opened, and how many more each time.
const OPENED: usize = 12;
/// Roots that can be walked back to.
const KEPT_ROOTS: usize = 100;

/// The state of the pane.
#[derive(Debug, Clone)]
pub struct GraphView {
    /// The symbol that the user chose as root; without one the root is the list's selection.
    pub chosen: Option<Symbol>,
    /// The root of the tree that the user left at this node: it stays as long as that is what everything is about.
    left: Option<(Symbol, SymbolId)>,
    /// What is shown belongs to this root.
    pub shown: Neighborhood,
    /// Number of the last question; answers to older ones are dropped.
    pub asked: u64,
    /// What that question was about: the ranking and the index of its time, and the root.
    pub awaited_root: Option<((u64, u64), SymbolId)>,
    pub hops: u32,
    pub canvas: bool,
    /// Row of the tree, or place among the canvas's nodes.
    pub selected: usize,
    pub offset: usize,
    /// Why there is nothing to see.
    pub trouble: Option<String>,
    before: Vec<Symbol>,
    after: Vec<Symbol>,
    folded: HashSet<SymbolId>,
    /// Nodes whose children are shown beyond what the hops say: number, identity, how many.
    opened: BTreeMap<u32, (SymbolId, usize)>,
    /// The symbol to select once it is there.
    awaited: Option<SymbolId>,
}

impl Default for GraphView {
    fn default() -> Self {
        GraphView {
            chosen: None,
            left: None,
            shown: Neighborhood::default(),
            asked: 0,
            awaited_root: None,
            hops: HOPS,
            canvas: false,
            selected: 0,
            offset: 0,
            trouble: None,
            before: Vec::new(),
            after: Vec::new(),
            folded: HashSet::new(),
            opened: BTreeMap::new(),
            awaited: None,
        }
    }
}

/// One row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// Place among the shown nodes.
    pub node: usize,
    /// For each level above: does its line go on below this row?
    pub guides: Vec<bool>,
    /// True for a node whose children are folded away.
    pub folded: bool,
    /// True for the row that stands for neighbors which are not shown, so many of them.
    pub more: Option<usize>,
}

impl GraphView {
    /// The root that should be shown, given the list's selection.
    pub fn root<'view>(&'view self, selection: Option<&'view Symbol>) -> Option<&'view Symbol> {
        let left = self.left.as_ref().filter(|(_, node)| selection.is_some_and(|symbol| symbol.id == *node));
        self.chosen.as_ref().or(left.map(|(root, _)| root)).or(selection)
    }

    /// The user goes from the tree around `root` to the pane of another part, to look at one of its nodes.
    pub fn leave_at(&mut self, root: Symbol, node: SymbolId) {
        self.left = Some((root, node));
    }

    /// Forgets the tree that was left when everything is about another symbol by now.
    pub fn forget_left(&mut self, selection: Option<SymbolId>) {
        self.left.take_if(|(_, node)| Some(*node) != selection);
    }

    /// What to ask for around `root`.
    pub fn request(&self, root: &Symbol) -> EgoRequest {
        let wider = self.opened.iter().map(|(node, (_, width))| (*node, *width)).collect();
        EgoRequest { root: root.node, hops: self.hops, wider }
    }

    /// Takes in an answer. The selection stays on its symbol.
    pub fn show(&mut self, shown: Neighborhood) {
        let known = self.awaited.take().or_else(|| self.selected_symbol().map(|symbol| symbol.id));
        self.shown = shown;
        self.trouble = None;
        let place = known.and_then(|id| self.shown.nodes.iter().position(|node| node.symbol.id == id));
        self.select_node(place.unwrap_or(0));
    }

    /// Nothing can be shown, for this reason.
    pub fn fail(&mut self, reason: String) {
        self.shown = Neighborhood::default();
        self.trouble = Some(reason);
        self.selected = 0;
    }

    /// The list's selection is another one: a tree that follows it forgets what was opened in the old one.
    pub fn selection_changed(&mut self) {
        if self.chosen.is_none() {
            self.forget_shape();
        }
    }

    /// Puts `symbol` in the middle; the old root can be walked back to.
    pub fn root_at(&mut self, symbol: Symbol, selection: Option<&Symbol>) {
        let old = self.root(selection).cloned();
        if old.as_ref().is_some_and(|old| old.id == symbol.id) {
            return;
        }
        self.before.extend(old);
        self.before.drain(..self.before.len().saturating_sub(KEPT_ROOTS));
        self.after.clear();
        self.turn(symbol);
    }

    /// Back to the root before; false when there is none.
    pub fn back(&mut self, selection: Option<&Symbol>) -> bool {
        let Some(root) = self.before.pop() else { return false };
        let left = self.root(selection).cloned();
        self.awaited = left.as_ref().map(|left| left.id);
        self.after.extend(left);
        let awaited = self.awaited;
        self.turn(root);
        self.awaited = awaited;
        true
    }

    /// Forward to the root that [`GraphView::back`] left; false when there is none.
    pub fn forward(&mut self, selection: Option<&Symbol>) -> bool {
        let Some(root) = self.after.pop() else { return false };
        self.before.extend(self.root(selection).cloned());
        self.turn(root);
        true
    }

    /// Follows the list's selection again; false when it already does.
    pub fn follow(&mut self) -> bool {
        let was = self.chosen.take().is_some() | self.left.take().is_some();
        if was {
            self.before.clear();
            self.after.clear();
            self.forget_shape();
        }
        was
    }

    /// Forgets the roots to walk to for which `keep`, which may change them, is false.
    pub fn retain_roots(&mut self, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        self.left.take_if(|(root, _)| !keep(root));
        self.before.retain_mut(&mut *keep);
        self.after.retain_mut(keep);
    }

    fn turn(&mut self, root: Symbol) {
        self.chosen = Some(root);
        self.forget_shape();
    }

    fn forget_shape(&mut self) {
        self.folded.clear();
        self.opened.clear();
        self.awaited = None;
        self.selected = 0;
        self.offset = 0;
    }

    /// One hop more or less; false at the bounds.
    pub fn change_hops(&mut self, more: bool) -> bool {
        let hops = if more { self.hops + 1 } else { self.hops - 1 };
        let inside = (1..=MOST_HOPS).contains(&hops);
        if inside {
            self.hops = hops;
            self.folded.clear();
        }
        inside
    }

    /// Opens the selected node; true when more of the graph must be asked for.
    pub fn open(&mut self) -> bool {
        let Some(row) = self.selected_row() else { return false };
        let Some(node) = self.shown.nodes.get(row.node) else { return false };
        if row.more.is_none() && self.folded.remove(&node.symbol.id) {
            return false;
        }
        let children = self.shown.nodes.iter().filter(|child| child.parent.is_some_and(|to| to.index == row.node));
        let shown = children.count();
        if row.more.is_none() && shown > 0 {
            // It is open: go in.
            self.select_row(self.selected + 1);
            return false;
        }
        if node.hidden == 0 {
            return false;
        }
        let width = shown + OPENED;
        self.opened.insert(node.symbol.node, (node.symbol.id, width));
        true
    }

    /// Folds the selected node, or opens it; true when more of the graph must be asked for.
    pub fn toggle(&mut self) -> bool {
        let Some(row) = self.selected_row() else { return false };
        if row.folded || row.more.is_some() || !self.has_children(row.node) {
            return self.open();
        }
        self.fold();
        false
    }

    /// Folds the selected node, or goes to its parent when there is nothing to fold.
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

    /// The rows of the tree, from the top.
    pub fn rows(&self) -> Vec<TreeRow> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.shown.nodes.len()];
        for (place, node) in self.shown.nodes.iter().enumerate() {
            if let Some(branch) = node.parent {
                children[branch.index].push(place);
            }
        }
        let mut rows = Vec::new();
        if !self.shown.nodes.is_empty() {
            self.grow(0, &[], &children, &mut rows);
        }
        rows
    }

    fn grow(&self, place: usize, guides: &[bool], children: &[Vec<usize>], rows: &mut Vec<TreeRow>) {
        let node = &self.shown.nodes[place];
        let below = &children[place];
        let folded = self.folded.contains(&node.symbol.id) && !below.is_empty();
        rows.push(TreeRow { node: place, guides: guides.to_vec(), folded, more: None });
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
            rows.push(TreeRow { node: place, guides, folded: false, more: Some(node.hidden) });
        }
    }

    /// True when a node stands below this one.
    pub fn has_children(&self, node: usize) -> bool {
        self.shown.nodes.iter().any(|child| child.parent.is_some_and(|to| to.index == node))
    }

    /// The row under the selection; on the canvas, that of its node.
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

    /// The symbol under the selection.
    pub fn selected_symbol(&self) -> Option<&Symbol> {
        let row = self.selected_row()?;
        self.shown.nodes.get(row.node).map(|node| &node.symbol)
    }

    /// Changes between tree and canvas; the selection stays on its symbol.
    pub fn toggle_canvas(&mut self) {
        let node = self.selected_row().map_or(0, |row| row.node);
        self.canvas = !self.canvas;
        self.select_node(node);
    }

    fn select_node(&mut self, node: usize) {
        if self.canvas {
            self.selected = node.min(self.places().saturating_sub(1));
        } else {
            let rows = self.rows();
            self.selected = rows.iter().position(|row| row.node == node && row.more.is_none()).unwrap_or(0);
        }
    }

    /// How many places the selection can have.
    pub fn places(&self) -> usize {
        if self.canvas { self.shown.nodes.len().min(super::rings::MOST_NODES) } else { self.rows().len() }
    }

    /// Selects a place, or the last one.
    pub fn select_row(&mut self, row: usize) {
        self.selected = row.min(self.places().saturating_sub(1));
    }

    /// Moves the selection and scrolls as little as shows it in `height` lines.
    pub fn step(&mut self, by: isize, height: usize) {
        self.select_row(self.selected.saturating_add_signed(by));
        self.settle(height);
    }

    /// Scrolls as little as shows the selection in `height` lines.
    pub fn settle(&mut self, height: usize) {
        let lowest = self.places().saturating_sub(height);
        let offset = self.offset.max((self.selected + 1).saturating_sub(height));
        self.offset = offset.min(self.selected).min(lowest);
    }
}
