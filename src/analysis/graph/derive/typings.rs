//! declares: from the types in declaration files of TypeScript (`index.d.ts`), and from their members, to the JavaScript
//! definitions of the same names. Both are written by hand, and nothing else connects them.

use std::collections::HashMap;

use super::structural;
use crate::graph::view::GraphView;
use crate::model::{Edge, EdgeType, NodeId};

const SOURCES: [&str; 4] = [".js", ".mjs", ".cjs", ".jsx"];

/// Returns edges from each declared class and member to the only one of the same names that is defined in JavaScript. Functions
/// outside of classes are left out: other files often have one of the same name.
pub fn edges(view: &GraphView<'_>) -> Vec<Edge> {
    let path = |position: NodeId| view.files.get(view.node(position).file.index()).map_or("", |file| file.path);
    let declared: Vec<NodeId> = view.positions().filter(|position| is_declaration_file(path(*position))).collect();
    if declared.is_empty() {
        return Vec::new();
    }
    // The only definition of a name, or nothing.
    let mut defined: HashMap<Vec<&str>, Option<NodeId>> = HashMap::new();
    let is_source = |position: &NodeId| SOURCES.iter().any(|ending| path(*position).ends_with(ending));
    for position in view.positions().filter(is_source) {
        if let Some(names) = names(view, position) {
            defined.entry(names).and_modify(|only| *only = None).or_insert(Some(position));
        }
    }
    let target = |position: NodeId| names(view, position).and_then(|names| defined.get(&names).copied().flatten());
    let edge = |source: NodeId| Some(structural(source, target(source)?, EdgeType::Declares));
    declared.into_iter().filter_map(edge).collect()
}

/// Returns whether a file only declares what is defined elsewhere, for the compiler of TypeScript.
pub fn is_declaration_file(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Returns the name of a type, or those of a member and its types, outermost first; `None` for other symbols.
fn names<'a>(view: &GraphView<'a>, position: NodeId) -> Option<Vec<&'a str>> {
    let node = view.node(position);
    if !node.kind.is_type() && node.container.is_none() || view.defined(position).is_none() {
        return None;
    }
    let mut names = vec![view.name(position)];
    let mut at = node.container;
    while let Some(container) = at {
        names.push(view.name(container));
        at = view.node(container).container;
    }
    names.reverse();
    Some(names)
}
