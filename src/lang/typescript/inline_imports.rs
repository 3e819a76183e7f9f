//! Imports inside expressions and types (`require`, `import()`), and exports by assignment (CommonJS).

use tree_sitter::Node;

use super::builtins::{DEFAULT_EXPORT, EXPORT_ASSIGNMENT};
use super::functions::FunctionHeader;
use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{BindingKind, Expr, ExprId, ImportName, ScopeId};

impl<'a> Walker<'a> {
    /// Returns the specifier in `require('…')` or `import('…')`.
    fn required_specifier(&mut self, call: Node<'a>) -> Option<&'a str> {
        if self.kind(call) != Kind::Call {
            return None;
        }
        let callee = self.field(call, self.fields.function)?;
        let is_import = self.kind(callee) == Kind::ImportKeyword;
        let is_require = self.kind(callee) == Kind::Identifier && self.text_of(callee) == "require";
        if !is_import && !is_require {
            return None;
        }
        let arguments = self.field(call, self.fields.arguments)?;
        let first = self.children(arguments).first().copied().filter(|first| self.kind(*first) == Kind::String)?;
        self.string_value(first)
    }

    /// Adds the imports of `const a = require('…')` or `const { a, b: c } = require('…')`. Returns false for any other
    /// declarator.
    pub fn required_module(&mut self, name: Node<'a>, value: Node<'a>) -> bool {
        let value = match self.kind(value) {
            Kind::Await => self.children(value).first().copied().unwrap_or(value),
            _ => value,
        };
        let Some(path) = self.required_specifier(value) else { return false };
        match self.kind(name) {
            Kind::Identifier => self.bind_import(path, ImportName::Module, name, name),
            Kind::ObjectPattern => {
                for child in self.children(name) {
                    match self.kind(child) {
                        Kind::ShorthandPattern => {
                            let imported = self.exported_name(child);
                            self.bind_import(path, imported, child, child);
                        }
                        Kind::PairPattern => {
                            let key = self.field(child, self.fields.key);
                            let local = self.field(child, self.fields.value);
                            if let (Some(key), Some(local)) =
                                (key, local.filter(|local| self.kind(*local) == Kind::Identifier))
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
        if !matches!(self.kind(callee), Kind::ImportKeyword | Kind::Identifier) {
            return None;
        }
        let path = self.required_specifier(call)?;
        let module = self.bind_inline_module(path, call.start_byte());
        if self.kind(callee) == Kind::ImportKeyword {
            return Some(self.facts.builtin("Promise", vec![module]));
        }
        Some(module)
    }

    fn bind_inline_module(&mut self, path: &str, position: usize) -> ExprId {
        let atom = self.facts.atom(&format!("import('{path}')"));
        if self.inline_modules.insert(atom) {
            let import = self.add_import(path, ImportName::Module, position, ScopeId(0), false);
            self.facts.bind(ScopeId(0), atom, position as u32, BindingKind::Import(import));
        }
        self.name(atom)
    }

    /// Returns the module of `import('…')` in a type.
    pub fn inline_import_type(&mut self, node: Node<'a>) -> ExprId {
        match self.required_specifier(node) {
            Some(path) => self.bind_inline_module(path, node.start_byte()),
            None => self.common.unknown,
        }
    }

    /// Binds the export of `module.exports = …` or `exports.name = …`.
    pub fn assigned_export(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        if self.kind(left) != Kind::Member || self.context.scope != ScopeId(0) {
            return None;
        }
        let position = node.start_byte();
        if self.text_of(left) == "module.exports" {
            let value = self.exported_value(right, None);
            self.bind_export(EXPORT_ASSIGNMENT, position, BindingKind::Alias(value));
            self.bind_export(DEFAULT_EXPORT, position, BindingKind::Alias(value));
            self.export_members(value, position);
            return Some(value);
        }
        let object = self.field(left, self.fields.object)?;
        let property = self.field(left, self.fields.property)?;
        if !matches!(self.text_of(object), "exports" | "module.exports") {
            return None;
        }
        let value = self.exported_value(right, Some((node, property)));
        self.bind_export(self.text_of(property), position, BindingKind::Alias(value));
        Some(value)
    }

    fn exported_value(&mut self, right: Node<'a>, named: Option<(Node<'a>, Node<'a>)>) -> ExprId {
        let literal = self.unwrapped(right);
        match named {
            Some((outer, property)) if self.is_function(literal) => {
                let name = self.facts.atom(self.text_of(property));
                let header = FunctionHeader::new(name, property, outer, outer);
                let id = self.function(literal, header);
                self.facts.expr(Expr::Definition(id))
            }
            _ => self.value(right, ContextualType::None),
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
