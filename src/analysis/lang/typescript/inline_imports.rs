//! Imports inside expressions and types (`require`, `import()`), and exports by assignment (CommonJS).

use tree_sitter::Node;

use super::builtins::{DEFAULT_EXPORT, EXPORT_ASSIGNMENT, OWN_EXPORTS};
use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{BindingKind, Expr, ExprId, ImportName, Role, ScopeId};
use crate::lang::common::walker::Expected;

impl<'a> Ts<'_, 'a> {
    /// Returns the specifier in `require('…')` or `import('…')`.
    fn required_specifier(&mut self, call: Node<'a>) -> Option<&'a str> {
        if call.kind() != "call_expression" {
            return None;
        }
        let callee = self.field(call, "function")?;
        let is_import = callee.kind() == "import";
        let is_require = callee.kind() == "identifier" && self.text_of(callee) == "require";
        if !is_import && !is_require {
            return None;
        }
        let arguments = self.field(call, "arguments")?;
        let first = self.children(arguments).first().copied().filter(|first| first.kind() == "string")?;
        self.string_value(first)
    }

    /// Adds the imports of `const a = require('…')` or `const { a, b: c } = require('…')`. Returns false for any other
    /// declarator.
    pub fn required_module(&mut self, name: Node<'a>, value: Node<'a>) -> bool {
        let value = match value.kind() {
            "await_expression" => self.children(value).first().copied().unwrap_or(value),
            _ => value,
        };
        let Some(path) = self.required_specifier(value) else { return false };
        match name.kind() {
            "identifier" => self.bind_import(path, ImportName::Module, name, name),
            "object_pattern" => {
                for child in self.children(name) {
                    match child.kind() {
                        "shorthand_property_identifier_pattern" => {
                            let imported = self.exported_name(child);
                            self.bind_import(path, imported, child, child);
                        }
                        "pair_pattern" => {
                            let key = self.field(child, "key");
                            let local = self.field(child, "value");
                            if let (Some(key), Some(local)) = (key, local.filter(|local| local.kind() == "identifier"))
                            {
                                let imported = self.exported_name(key);
                                self.bind_import(path, imported, key, local);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// Returns the module of `require('…')` or `import('…')` inside an expression. It is bound under a name of its own.
    pub fn inline_module(&mut self, call: Node<'a>, callee: Node<'a>) -> Option<ExprId> {
        if !matches!(callee.kind(), "import" | "identifier") {
            return None;
        }
        let path = self.required_specifier(call)?;
        let module = self.bind_inline_module(path, call.start_byte());
        if callee.kind() == "import" {
            return Some(self.facts.builtin("Promise", vec![module]));
        }
        Some(module)
    }

    fn bind_inline_module(&mut self, path: &str, position: usize) -> ExprId {
        let atom = self.facts.atom(&format!("import('{path}')"));
        if self.state().inline_modules.insert(atom) {
            let import = self.add_import(path, ImportName::Module, position, ScopeId(0), false);
            self.facts.bind(ScopeId(0), atom, position as u32, BindingKind::Import(import));
        }
        self.name(atom)
    }

    /// Refers to the default export of a module that a function returns, which is what its caller takes of the module:
    /// `lazy(() => import('./page'))`, `component: () => import('./page')`. Refers to the module if it has none.
    pub fn refer_to_default(&mut self, returned: ExprId, node: Node<'a>) {
        let promise = match *self.facts.get(returned) {
            Expr::Unwrap(promise) => promise,
            _ => returned,
        };
        let Expr::Builtin { args, .. } = self.facts.get(promise) else { return };
        let &[module] = args.as_slice() else { return };
        let Expr::Name(name) = *self.facts.get(module) else { return };
        if self.state().inline_modules.contains(&name) {
            let name = self.facts.atom(DEFAULT_EXPORT);
            let default = self.member(module, name);
            let meant = self.facts.expr(Expr::FirstOf(vec![default, module]));
            self.refer(meant, node, Role::Read);
        }
    }

    /// Returns the module of `import('…')` in a type.
    pub fn inline_import_type(&mut self, node: Node<'a>) -> ExprId {
        match self.required_specifier(node) {
            Some(path) => self.bind_inline_module(path, node.start_byte()),
            None => self.unknown,
        }
    }

    /// Binds the export of `module.exports = …` or `exports.name = …`.
    pub fn assigned_export(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        if left.kind() != "member_expression" || self.context.scope != ScopeId(0) {
            return None;
        }
        let position = node.start_byte();
        if self.text_of(left) == OWN_EXPORTS {
            let value = self.exported_value(right, None);
            // Of `const api = module.exports = {}` the variable is exported.
            let exported = self.state().exported_variable.unwrap_or(value);
            self.bind_export(EXPORT_ASSIGNMENT, position, BindingKind::Alias(exported));
            self.bind_export(DEFAULT_EXPORT, position, BindingKind::Alias(exported));
            self.export_members(value, position);
            return Some(value);
        }
        let object = self.field(left, "object")?;
        let property = self.field(left, "property")?;
        if !self.is_exports(object) {
            return None;
        }
        let value = self.exported_value(right, Some((node, property)));
        // Compilers write `exports.name = void 0` before the line that exports the value.
        if value != self.unknown {
            self.bind_export(self.text_of(property), position, BindingKind::Alias(value));
        }
        Some(value)
    }

    /// Returns whether a node is the object of the file's exports.
    pub fn is_exports(&mut self, node: Node<'a>) -> bool {
        match node.kind() {
            "identifier" => {
                let atom = self.atom_of(node);
                self.text_of(node) == "exports" || self.state().export_names.contains(&atom)
            }
            _ => self.text_of(node) == OWN_EXPORTS,
        }
    }

    /// Returns the exports of the file that a node names, `exports` or `module.exports`. They are referenced only where they
    /// are called: a file does not use itself.
    pub fn own_exports(&mut self, node: Node<'a>, role: Role) -> Option<ExprId> {
        let root = match self.text_of(node) {
            OWN_EXPORTS => "module",
            "exports" => "exports",
            _ => return None,
        };
        let root = self.facts.atom(root);
        if self.binding_scope(root).is_some() {
            return None;
        }
        let exports = self.facts.name(OWN_EXPORTS);
        if role == Role::Call {
            self.refer(exports, node, role);
        }
        Some(exports)
    }

    /// Records that a variable is another name of the exports: `const api = exports`. Returns false for any other one.
    pub fn names_exports(&mut self, name: Node<'a>, value: Node<'a>) -> bool {
        let is_name = name.kind() == "identifier" && self.context.scope == ScopeId(0) && self.is_exports(value);
        if is_name {
            let atom = self.atom_of(name);
            self.state().export_names.insert(atom);
            let exports = self.facts.name(OWN_EXPORTS);
            self.bind_here(atom, name.end_byte() as u32, BindingKind::Alias(exports));
        }
        is_name
    }

    /// Exports the members of a value, or all names of a module that is required.
    pub fn export_all(&mut self, value: ExprId, node: Node<'a>) {
        let position = node.start_byte();
        match self.required_specifier(node) {
            Some(path) => {
                let scope = self.exports();
                self.add_import(path, ImportName::All, position, scope, true);
            }
            None => self.export_members(value, position),
        }
    }

    fn exported_value(&mut self, right: Node<'a>, named: Option<(Node<'a>, Node<'a>)>) -> ExprId {
        let literal = self.unwrapped(right);
        match named {
            Some((outer, property)) if self.is_function(literal) => {
                let name = self.atom_of(property);
                let header = FunctionHeader::new(name, property, outer, outer);
                let id = self.function(literal, header);
                self.facts.expr(Expr::Definition(id))
            }
            // `this` in its methods is the object, which has no name in the source.
            None if literal.kind() == "object" => {
                let holder = self.facts.name(OWN_EXPORTS);
                self.object_literal(literal, Expected::None, Some(holder))
            }
            _ => self.value(right, Expected::None),
        }
    }

    /// Binds `a` and `b` as exports of `module.exports = { a, b }`.
    fn export_members(&mut self, value: ExprId, position: usize) {
        let Expr::Object(members) = self.facts.get(value).clone() else { return };
        for (name, value) in members {
            let text = self.facts.text(name).to_owned();
            self.bind_export(&text, position, BindingKind::Alias(value));
        }
    }
}
