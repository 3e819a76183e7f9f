//! Functions that are assigned, and members of a type or a table that are defined outside of its body.

use tree_sitter::Node;

use super::docs;
use super::walker::{Walker, span};
use crate::facts::{Atom, BindingKind, Container, DefId, ExprId, Extension, ScopeId, ScopeKind};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// Adds the function value at `node`, which the statement `whole` assigns to `name`. Returns it.
    pub fn assigned_function(&mut self, whole: Node<'a>, node: Node<'a>, name: Node<'a>) -> Option<DefId> {
        let pattern = self.pattern(node)?;
        let is_member = self.context.container != Container::Module;
        let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
        let (mut definition, _) = self.header(node, pattern, name, kind);
        if whole != node {
            let before = self.text.get(whole.start_byte()..node.start_byte()).unwrap_or_default();
            let before = docs::single_line(before, &self.dialect.lexicon);
            definition.signature = format!("{before} {}", definition.signature);
        }
        definition.doc = docs::comment_above(self.text, whole.start_byte(), &self.dialect.lexicon);
        definition.span = span(whole, name);
        let id = self.open_function(node, pattern, definition, &[]);
        self.facts.definition_mut(id).flags.is_abstract = false;
        Some(id)
    }

    /// Binds a definition of the file's own scope at the top level, for other files.
    pub fn publish(&mut self, id: DefId) {
        let definition = self.facts.definition(id);
        let (name, position) = (definition.name, definition.span.start_byte);
        if definition.container == Container::Module && !definition.flags.is_local {
            self.facts.bind(ScopeId(0), name, position, BindingKind::Definition(id));
        }
    }

    /// Binds a type by the name that a call of it has, in languages whose types are called without a word before.
    pub fn bind_as_callee(&mut self, id: DefId) {
        let definition = self.facts.definition(id);
        let (name, position, container) = (definition.name, definition.span.start_byte, definition.container);
        if container == Container::Module {
            let text = self.facts.text(name).to_owned();
            let marked = self.callee_atom(&text);
            self.facts.bind(self.context.scope, marked, position, BindingKind::Definition(id));
        }
    }

    /// Runs `walk` as in the body of the definition `owner` of this file.
    pub fn in_members_of(&mut self, owner: DefId, walk: impl FnOnce(&mut Self)) {
        let (before, mut names) = (self.context, self.facts.definition(owner).scope_names.to_vec());
        names.push(self.facts.definition(owner).name);
        let outer_names = std::mem::replace(&mut self.scope_names, names);
        self.context.scope = self.open_scope(ScopeKind::Type, Some(owner));
        (self.context.container, self.context.parent) = (Container::Definition(owner), Some(owner));
        walk(self);
        (self.context, self.scope_names) = (before, outer_names);
    }

    /// Runs `walk` as in the body of the type `target`, which is extended at `node`. `names` are the names of the type,
    /// outermost first; `implements` is an interface that the extension adds.
    pub fn in_extension(
        &mut self,
        node: Node<'a>,
        (target, names): (ExprId, &[Atom]),
        implements: Option<ExprId>,
        walk: impl FnOnce(&mut Self),
    ) {
        let Some(&target_name) = names.last() else { return };
        let (before, outer_names) = (self.context, self.scope_names.len());
        let scope = self.open_scope(ScopeKind::Extension, None);
        let line = node.start_position().row as u32 + 1;
        let type_parameters = Vec::new();
        let extension = Extension { target, target_name, implements, scope, type_parameters, line };
        let id = self.facts.extend(extension);
        self.facts.scope_mut(scope).extension = Some(id);
        (self.context.scope, self.context.container) = (scope, Container::Extension(id));
        self.scope_names.extend_from_slice(names);
        walk(self);
        self.context = before;
        self.scope_names.truncate(outer_names);
    }
}
