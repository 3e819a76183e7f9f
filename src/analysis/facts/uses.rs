//! Hashes of the bindings that an expression's names can mean.
//!
//! [`super::fingerprint`] hashes the bindings of a name in the whole file. Which of them is meant depends on the scope
//! of the expression and on the bindings before it, so that moving a statement can change a meaning.

use std::collections::HashSet;

use xxhash_rust::xxh3::Xxh3;

use super::fingerprint::binding_expressions;
use super::{Atom, Binding, BindingKind, Code, Expr, ExprId, Outline, ScopeId, ScopeKind};

/// The names and scopes of a file.
pub(super) struct Uses<'a> {
    outline: &'a Outline,
    code: &'a Code,
    /// Whether the file binds each name.
    is_bound: Vec<bool>,
}

impl<'a> Uses<'a> {
    /// Creates the names and scopes of a file.
    pub fn new(outline: &'a Outline, code: &'a Code) -> Uses<'a> {
        let mut is_bound = vec![false; outline.names.len()];
        for binding in outline.bindings.iter().chain(&code.bindings) {
            is_bound.get_mut(binding.name.0 as usize).into_iter().for_each(|slot| *slot = true);
        }
        Uses { outline, code, is_bound }
    }

    /// Hashes the bindings that are visible to the names of an expression in a scope, and whether they are before byte
    /// `at`. `expressions` are the structural hashes of all expressions.
    pub fn hash(&self, expr: ExprId, scope: ScopeId, at: u32, expressions: &[u64], hash: &mut Xxh3) {
        for name in self.bound_names(expr) {
            hash.update(&self.outline.names.key(name).0.to_le_bytes());
            let mut next = Some(scope);
            while let Some((id, data)) = next.and_then(|id| Some((id, self.code.scopes.get(id.0 as usize)?))) {
                for binding in self.bindings(id, data.kind, name) {
                    hash.update(&[data.kind as u8, kind_tag(binding.kind), u8::from(binding.position < at)]);
                    for expr in binding_expressions(binding) {
                        hash.update(&expressions.get(expr.0 as usize).copied().unwrap_or(0).to_le_bytes());
                    }
                }
                next = data.parent.filter(|parent| *parent < id);
            }
        }
    }

    fn bindings(&self, scope: ScopeId, kind: ScopeKind, name: Atom) -> &'a [Binding] {
        let is_module_level = matches!(kind, ScopeKind::Module | ScopeKind::Exports);
        let table = if is_module_level { &self.outline.bindings } else { &self.code.bindings };
        let start = table.partition_point(|binding| (binding.scope, binding.name) < (scope, name));
        let length = table[start..].partition_point(|binding| (binding.scope, binding.name) == (scope, name));
        &table[start..start + length]
    }

    /// Returns the names in an expression that the file binds, in order of first use.
    fn bound_names(&self, expr: ExprId) -> Vec<Atom> {
        let (mut open, mut seen) = (vec![expr], HashSet::from([expr]));
        let (mut names, mut known) = (Vec::new(), HashSet::new());
        while let Some(id) = open.pop() {
            let Some(expr) = self.code.expressions.get(id.0 as usize) else { continue };
            if let Expr::Name(name) = expr
                && self.is_bound.get(name.0 as usize) == Some(&true)
                && known.insert(*name)
            {
                names.push(*name);
            }
            expr.for_each_child(&mut |child| {
                if seen.insert(child) {
                    open.push(child);
                }
            });
        }
        names
    }
}

fn kind_tag(kind: BindingKind) -> u8 {
    match kind {
        BindingKind::Definition(_) => 1,
        BindingKind::Import(_) => 2,
        BindingKind::Local { .. } => 3,
        BindingKind::Parameter { .. } => 4,
        BindingKind::Alias(_) => 5,
        BindingKind::TypeParameter(..) => 6,
        BindingKind::ExtensionParameter(..) => 7,
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::{Definition, Interface};
    use crate::model::SymbolKind;

    /// Returns the fingerprint of the first definition with this name and kind.
    fn fingerprint(text: &str, name: &str, kind: SymbolKind) -> u64 {
        let language = crate::lang::language_named("python").expect("a language");
        let facts = crate::lang::parser::parse(language, "m.py", text.as_bytes()).expect("parses");
        let interface = Interface::from_facts(&facts.outline, &facts.code);
        let outline = &facts.outline;
        let is_meant = |definition: &Definition| outline.names.get(definition.name) == name && definition.kind == kind;
        let index = outline.definitions.iter().position(is_meant);
        interface.definitions[index.expect("a definition")]
    }

    #[test]
    fn moved_statements_change_the_fingerprint() {
        let methods = |one: &str, other: &str| {
            format!("class C:\n    def a(self, v: A):\n        {one}\n    def b(self, v: B):\n        {other}\n")
        };
        let (here, there) = (methods("self.x = v", "pass"), methods("pass", "self.x = v"));
        assert_ne!(fingerprint(&here, "x", SymbolKind::Field), fingerprint(&there, "x", SymbolKind::Field));
        let attribute =
            |before: &str, inside: &str| format!("class C:\n    {before}\n    def a(self):\n        {inside}\n");
        let (here, there) = (attribute("x = A()", "pass"), attribute("pass", "self.x = A()"));
        assert_ne!(fingerprint(&here, "x", SymbolKind::Field), fingerprint(&there, "x", SymbolKind::Field));
    }

    #[test]
    fn order_of_equal_names_changes_the_fingerprint() {
        let (class, method) = ("    class x: pass\n", "    def x(self): pass\n");
        let (one, other) = (format!("class C:\n{class}{method}"), format!("class C:\n{method}{class}"));
        let of_method = |text: &str| fingerprint(text, "x", SymbolKind::Method);
        assert_ne!(of_method(&one), of_method(&other));
        assert_eq!(of_method(&one), of_method(&one.replace("class x", "z = 1\n    class x")));
    }
}
