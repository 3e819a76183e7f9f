//! Resolves declarations without bodies, and parts of types, to `declares` edges.

use std::collections::HashMap;

use super::edges::{FileEdges, definition_endpoint};
use super::value::SymbolRef;
use crate::facts::Container;
use crate::model::{DefId, EdgeType};

impl FileEdges<'_> {
    /// Adds an edge from each declaration of the file to its definition elsewhere, if the repository has it.
    pub(super) fn add_declarations(&mut self) {
        self.add_parts();
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

    /// Adds an edge from each part of a type in the file to the one elsewhere that represents the type, in languages where both
    /// have the names of their files.
    fn add_parts(&mut self) {
        let (world, file) = (self.world(), self.file);
        let traits = world.rules(file).traits();
        if !traits.types_are_open || !traits.separates_types {
            return;
        }
        for (definition, _) in DefId::sequence().zip(&world.outline(file).definitions) {
            let part = SymbolRef { file, definition };
            let whole = world.open_types.representative(part);
            if whole.file != file {
                self.eval.consult(whole);
                self.add_resolved(definition_endpoint(part), definition_endpoint(whole), EdgeType::Declares);
            }
        }
    }
}
