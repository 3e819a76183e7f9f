//! Object literals, and assignments that add members to objects and classes.

use tree_sitter::Node;

use super::docs;
use super::functions::FunctionHeader;
use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{Atom, BindingKind, Container, DefId, Expr, ExprId, Extension, Flags, Role, Scope, ScopeKind};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// Visits `{ … }`. Functions in it become methods, whose scope names are those of the object.
    pub fn object_literal(&mut self, node: Node<'a>, contextual: ContextualType, holder: Option<ExprId>) -> ExprId {
        let expected = self.expected(contextual);
        let saved = self.context;
        let this = holder.or(expected).unwrap_or(self.common.unknown);
        let mut members = Vec::new();
        let mut spreads = Vec::new();
        for child in self.children(node) {
            match self.kind(child) {
                Kind::Pair => members.extend(self.pair(child, expected, this)),
                Kind::MethodDefinition => {
                    let Some(name_node) = self.field(child, self.fields.name) else { continue };
                    let Some(name) = self.member_name(name_node) else { continue };
                    let is_property = self.has_token(child, "get") || self.has_token(child, "set");
                    let flags = Flags { is_property, ..Flags::default() };
                    let id = self.object_method(child, child, (name, name_node), flags, expected, this);
                    members.push((name, self.facts.expr(Expr::Definition(id))));
                }
                Kind::ShorthandProperty => {
                    let name = self.facts.atom(self.text_of(child));
                    // A function of this file under its own name is exposed by the object, not used by it.
                    let role = if self.imported.contains_key(&name) { Role::Read } else { Role::Destructure };
                    members.push((name, self.identifier(child, role)));
                }
                Kind::Spread => {
                    for spread in self.children(child) {
                        spreads.push(self.value(spread, ContextualType::None));
                    }
                }
                _ => {}
            }
        }
        self.context = saved;
        let object = self.object(members);
        if spreads.is_empty() {
            return object;
        }
        spreads.insert(0, object);
        self.union(spreads)
    }

    /// Returns an object type with these members.
    pub fn object(&mut self, members: Vec<(Atom, ExprId)>) -> ExprId {
        self.facts.expr(Expr::Object(members))
    }

    fn pair(&mut self, node: Node<'a>, expected: Option<ExprId>, this: ExprId) -> Option<(Atom, ExprId)> {
        let key_node = self.field(node, self.fields.key)?;
        let value = self.field(node, self.fields.value)?;
        let key = self.property_key(key_node);
        let literal = self.unwrapped(value);
        let Some((name, _)) = key else {
            self.value(value, ContextualType::None);
            return None;
        };
        if let Some((function, cast)) = self.function_literal(value) {
            if let Some(cast) = cast {
                self.annotation(cast);
            }
            let id = self.object_method(function, node, (name, key_node), Flags::default(), expected, this);
            return Some((name, self.facts.expr(Expr::Definition(id))));
        }
        self.add_body_word(self.text_of(key_node));
        let contextual = match expected {
            Some(expected) if self.is_context_sensitive(literal) => ContextualType::Value(self.member(expected, name)),
            _ => ContextualType::None,
        };
        self.scope_names.push(name);
        let value = self.value(value, contextual);
        self.scope_names.pop();
        Some((name, value))
    }

    /// Returns whether a contextual type can affect an expression.
    pub fn is_context_sensitive(&self, node: Node<'a>) -> bool {
        matches!(
            self.kind(node),
            Kind::Object
                | Kind::Array
                | Kind::Arrow
                | Kind::FunctionExpression
                | Kind::GeneratorFunction
                | Kind::Ternary
                | Kind::Parenthesized
                | Kind::Binary
                | Kind::As
                | Kind::Satisfies
        )
    }

    fn object_method(
        &mut self,
        node: Node<'a>,
        outer: Node<'a>,
        (name, name_node): (Atom, Node<'a>),
        flags: Flags,
        expected: Option<ExprId>,
        this: ExprId,
    ) -> DefId {
        let contextual = match expected {
            Some(expected) => ContextualType::Value(self.member(expected, name)),
            None => ContextualType::None,
        };
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            flags,
            contextual,
            ..FunctionHeader::new(name, name_node, outer, outer)
        };
        let saved = self.context;
        // Arrow functions have the `this` of the object's surroundings.
        if self.kind(node) != Kind::Arrow {
            self.context.this = this;
        }
        let id = self.function(node, header);
        self.context = saved;
        id
    }

    /// Returns the name of a property key, unless it is computed.
    pub fn property_key(&mut self, key: Node<'a>) -> Option<(Atom, Node<'a>)> {
        let text = match self.kind(key) {
            Kind::PropertyIdentifier | Kind::Number | Kind::PrivateProperty => self.text_of(key),
            Kind::String => self.string_value(key)?,
            Kind::ComputedName => {
                for child in self.children(key) {
                    self.value(child, ContextualType::None);
                }
                return None;
            }
            _ => return None,
        };
        Some((self.facts.atom(text), key))
    }

    /// Visits `left = right`.
    pub fn assignment(&mut self, node: Node<'a>) -> ExprId {
        let fields = self.fields;
        let (Some(left), Some(right)) = (self.field(node, fields.left), self.field(node, fields.right)) else {
            return self.common.unknown;
        };
        if let Some(value) = self.assigned_export(node, left, right) {
            return value;
        }
        if let Some(value) = self.assigned_method(node, left, right) {
            return value;
        }
        match self.kind(left) {
            Kind::ObjectPattern | Kind::ArrayPattern => {
                let value = self.value(right, ContextualType::None);
                for (name, value) in self.pattern_names(left, value) {
                    let atom = self.atom_with_word(name);
                    self.assign_untyped(atom, name, value);
                }
                value
            }
            Kind::Identifier => {
                let atom = self.facts.atom(self.text_of(left));
                let target = self.value_as(left, Role::Write, ContextualType::None);
                let value = self.value(right, ContextualType::Value(target));
                self.assign_untyped(atom, left, value);
                value
            }
            _ => {
                let target = self.value_as(left, Role::Write, ContextualType::None);
                let value = self.value(right, ContextualType::Value(target));
                self.declare_assigned_field(left, value);
                value
            }
        }
    }

    /// Binds the assigned value to a variable that was declared without type and value.
    fn assign_untyped(&mut self, atom: Atom, node: Node<'a>, value: ExprId) {
        if value == self.common.unknown {
            return;
        }
        let mut scope = Some(self.context.scope);
        while let Some(id) = scope {
            if self.untyped_variables.contains(&(id, atom)) {
                let kind = BindingKind::Local { value_type: None, value: Some(value) };
                return self.facts.bind(id, atom, node.end_byte() as u32, kind);
            }
            scope = self.facts.get_scope(id).parent;
        }
    }

    /// Adds a field for `this.name = value` in a method of a JavaScript class, unless the class has a member of that
    /// name.
    fn declare_assigned_field(&mut self, left: Node<'a>, value: ExprId) {
        if !self.is_script || self.kind(left) != Kind::Member {
            return;
        }
        let (Some(object), Some(property)) =
            (self.field(left, self.fields.object), self.field(left, self.fields.property))
        else {
            return;
        };
        let Some(method) = self.context.source.filter(|_| self.kind(object) == Kind::This) else { return };
        let Container::Definition(class) = self.facts.definition(method).container else { return };
        let name = self.facts.atom(self.text_of(property));

        for definition in &self.facts.definitions()[self.scanned_definitions..] {
            if let Container::Definition(owner) = definition.container {
                self.member_names.insert((owner, definition.name));
            }
        }
        self.scanned_definitions = self.facts.definitions().len();
        if self.member_names.contains(&(class, name)) {
            return;
        }
        let mut definition = self.new_definition(name, SymbolKind::Field, left, property);
        definition.scope_names = self.facts.definition(method).scope_names.clone();
        definition.container = Container::Definition(class);
        definition.parent = Some(class);
        definition.signature = docs::signature(self.text, left.start_byte(), left.end_byte());
        definition.value = Some(value);
        definition.value_scope = Some(self.context.scope);
        self.facts.define(definition, String::new());
    }

    /// Adds a method for `Name.prototype.method = function () {}` or `Name.method = function () {}`.
    fn assigned_method(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        let literal = self.unwrapped(right);
        if !self.is_function(literal) || self.kind(left) != Kind::Member {
            return None;
        }
        let object = self.field(left, self.fields.object)?;
        let property = self.field(left, self.fields.property)?;
        let (owner, is_static) = match self.text_of(object).strip_suffix(".prototype") {
            Some(owner) => (owner, false),
            None => (self.text_of(object), true),
        };
        let is_name = |text: &str| text.starts_with(|first: char| first.is_uppercase());
        if !owner.chars().all(|letter| letter.is_alphanumeric() || letter == '_') || !is_name(owner) {
            return None;
        }
        let target_name = self.facts.atom(owner);
        let target = self.name(target_name);
        let scope = self.facts.scope(Scope {
            parent: Some(self.context.scope),
            kind: ScopeKind::Extension,
            definition: None,
            extension: None,
            module_name: None,
        });
        let line = node.start_position().row as u32 + 1;
        let extension = self.facts.extend(Extension {
            target,
            target_name,
            implements: None,
            scope,
            type_parameters: Vec::new(),
            line,
        });
        self.facts.scope_mut(scope).extension = Some(extension);
        let name = self.facts.atom(self.text_of(property));
        let saved = self.context;
        self.context.scope = scope;
        self.context.this = self.facts.expr(Expr::Receiver);
        self.scope_names.push(target_name);
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            container: Container::Extension(extension),
            flags: Flags { is_static, ..Flags::default() },
            ..FunctionHeader::new(name, property, node, node)
        };
        let id = self.function(literal, header);
        self.scope_names.pop();
        self.context = saved;
        Some(self.facts.expr(Expr::Definition(id)))
    }
}
