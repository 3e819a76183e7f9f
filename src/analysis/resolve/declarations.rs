//! Resolves declarations without bodies to `declares` edges.

use std::collections::HashMap;

use super::edges::{FileEdges, definition_endpoint};
use super::value::SymbolRef;
use crate::facts::Container;
use crate::model::{DefId, EdgeType};

impl FileEdges<'_> {
    /// Adds an edge from each declaration of the file to its definition elsewhere, if the repository has it.
    pub(super) fn add_declarations(&mut self) {
        let (world, file) = (self.world(), self.file);
        if !world.rules(file).traits().defines_apart {
            return;
        }
        let mut overloads: HashMap<_, Vec<SymbolRef>> = HashMap::new();
        for (definition, declared) in DefId::sequence().zip(&world.outline(file).definitions) {
            if declared.flags.is_abstract {
                let owner = match declared.container {
                    Container::Definition(owner) => Some(owner),
                    _ => None,
                };
                let key = (owner, &declared.scope_names, declared.name);
                overloads.entry(key).or_default().push(SymbolRef { file, definition });
            }
        }
        for overloads in overloads.into_values() {
            for &declaration in &overloads {
                if let Some(found) = self.eval.definition_of(declaration, &overloads) {
                    let (source, target) = (definition_endpoint(declaration), definition_endpoint(found));
                    self.add_resolved(source, target, EdgeType::Declares);
                }
            }
        }
    }
}
