//! Scopes of names: what other files see, and the separate names of tags and prototypes.
//!
//! All files share one module, as a linker sees them. In a source file a second scope below module level has all its
//! names, so that its own definitions come first and `static` ones stay its own. A header has only the module's scope.

use crate::facts::{BindingKind, DefId, ScopeId, ScopeKind};
use crate::lang::common::walker::Walker;

/// Returns the name that a tag is bound by: `struct x` and a function `x` are different things.
pub fn tag(name: &str) -> String {
    format!("struct {name}")
}

/// Returns the name that a prototype is bound by: a definition of the name precedes it.
pub fn prototype(name: &str) -> String {
    format!("{name};")
}

/// Returns the innermost scope at module level.
fn module_scope(walker: &Walker<'_>) -> ScopeId {
    let mut at = walker.context.scope;
    loop {
        let scope = walker.facts.get_scope(at);
        match scope.parent {
            Some(parent) if scope.kind != ScopeKind::Module => at = parent,
            _ => return at,
        }
    }
}

/// Opens the scope of a source file's own names.
pub fn open_private(walker: &mut Walker<'_>) {
    let scope = walker.open_scope(ScopeKind::Block, None);
    walker.facts.scope_mut(scope).module_name = Some(walker.facts.atom("static"));
    walker.context.scope = scope;
}

/// Returns the name that the tag of a type in another one is bound by, if its body is outside of that.
pub fn nested_tag(outer: &str, name: &str) -> String {
    tag(&format!("{outer}::{name}"))
}

/// Returns the outermost scope of the file's names: that of a source file's own ones, if it has it.
pub fn file_scope(walker: &Walker<'_>) -> ScopeId {
    let mut at = walker.context.scope;
    loop {
        let scope = walker.facts.get_scope(at);
        let is_own = scope.kind == ScopeKind::Module || (scope.kind == ScopeKind::Block && scope.module_name.is_some());
        match scope.parent {
            Some(parent) if !is_own => at = parent,
            _ => return at,
        }
    }
}

/// Returns whether the current scope is that of a source file's own names, or in it.
pub fn is_private(walker: &Walker<'_>) -> bool {
    let mut at = Some(walker.context.scope);
    while let Some(scope) = at.map(|at| walker.facts.get_scope(at)) {
        if scope.kind == ScopeKind::Block && scope.module_name.is_some() {
            return true;
        }
        at = scope.parent;
    }
    false
}

/// Binds a definition at module level, for other files.
pub fn publish(walker: &mut Walker<'_>, id: DefId) {
    let name = walker.facts.definition(id).name;
    let text = walker.facts.text(name).to_owned();
    publish_as(walker, id, &text);
}

/// Binds a definition at module level by another name.
pub fn publish_as(walker: &mut Walker<'_>, id: DefId, name: &str) {
    let scope = module_scope(walker);
    let position = walker.facts.definition(id).span.start_byte;
    let own = walker.facts.definition(id).name;
    if scope != walker.context.scope || walker.facts.text(own) != name {
        let atom = walker.facts.atom(name);
        walker.facts.bind(scope, atom, position, BindingKind::Definition(id));
    }
}

/// Binds a definition in the current scope by another name.
pub fn bind_as(walker: &mut Walker<'_>, id: DefId, name: &str) {
    let atom = walker.facts.atom(name);
    let position = walker.facts.definition(id).span.start_byte;
    walker.facts.bind(walker.context.scope, atom, position, BindingKind::Definition(id));
}
