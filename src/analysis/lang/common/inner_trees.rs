//! Trees of code inside strings.

use std::cell::OnceCell;

use tree_sitter::{Node, Tree};

use super::walker::Walker;

/// Trees that live as long as the walk: a list, because each is lent out when it is added.
#[derive(Default)]
pub struct InnerTrees {
    next: OnceCell<Box<(Tree, InnerTrees)>>,
}

impl Drop for InnerTrees {
    /// Drops the list without recursion.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut inner) = next {
            next = inner.1.next.take();
        }
    }
}

impl<'a> Walker<'a> {
    /// Returns the root of a tree of code inside a string, so that it can be visited.
    pub fn inner_root(&mut self, tree: Tree) -> Node<'a> {
        let (tree, rest) = &**self.inner_trees.next.get_or_init(|| Box::new((tree, InnerTrees::default())));
        self.inner_trees = rest;
        tree.root_node()
    }
}
