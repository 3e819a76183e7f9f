//! Object literals, and assignments that build objects piece by piece.

use tree_sitter::Node;

use super::docs;
use super::functions::Shape;
use super::grammar::Kind;
use super::walker::{Context, Walker};
use crate::facts::{Atom, BindingKind, Container, DefId, Expr, ExprId, Extension, Flags, Role, Scope, ScopeKind};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// `{ … }` as a value. Functions in it are methods, named after where the object is.
    pub fn object_literal(&mut self, node: Node<'a>, context: Context, holder: Option<ExprId>) -> ExprId {
        let expected = self.expected(context);
        let before = self.place;
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
                    let name = self.facts.atom(self.source(child));
                    // A function of this file that is put into an object under its own name is on show, not in use.
                    let role = if self.imported.contains_key(&name) { Role::Read } else { Role::Destructure };
                    members.push((name, self.identifier(child, role)));
                }
                Kind::Spread => {
                    for spread in self.children(child) {
                        spreads.push(self.value(spread, Context::None));
                    }
                }
                _ => {}
            }
        }
        self.place = before;
        let object = self.object(members);
        if spreads.is_empty() {
            return object;
        }
        spreads.insert(0, object);
        self.union(spreads)
    }

    /// `Expr::Object`.
    pub fn object(&mut self, members: Vec<(Atom, ExprId)>) -> ExprId {
        self.facts.expr(Expr::Object(members))
    }

    fn pair(&mut self, node: Node<'a>, expected: Option<ExprId>, this: ExprId) -> Option<(Atom, ExprId)> {
        let key_node = self.field(node, self.fields.key)?;
        let value = self.field(node, self.fields.value)?;
        let key = self.property_key(key_node);
        let literal = self.unwrapped(value);
        let Some((name, _)) = key else {
            self.value(value, Context::None);
            return None;
        };
        if let Some((function, cast)) = self.held_function(value) {
            if let Some(cast) = cast {
                self.annotation(cast);
            }
            let id = self.object_method(function, node, (name, key_node), Flags::default(), expected, this);
            return Some((name, self.facts.expr(Expr::Definition(id))));
        }
        self.word(self.source(key_node));
        let context = match expected {
            Some(expected) if self.wants_context(literal) => Context::Value(self.member(expected, name)),
            _ => Context::None,
        };
        self.names.push(name);
        let value = self.value(value, context);
        self.names.pop();
        Some((name, value))
    }

    /// True for expressions that their context can tell something.
    pub fn wants_context(&self, node: Node<'a>) -> bool {
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
        let context = match expected {
            Some(expected) => Context::Value(self.member(expected, name)),
            None => Context::None,
        };
        let shape = Shape {
            name,
            name_node,
            outer,
            header: outer,
            kind: SymbolKind::Method,
            container: Container::Module,
            flags,
            context,
            annotation: None,
            is_inner: false,
        };
        let before = self.place;
        // Arrow functions keep the `this` of the place where the object stands.
        if self.kind(node) != Kind::Arrow {
            self.place.this = this;
        }
        let id = self.function(node, shape);
        self.place = before;
        id
    }

    /// The name that a property key gives, where that is fixed.
    pub fn property_key(&mut self, key: Node<'a>) -> Option<(Atom, Node<'a>)> {
        let text = match self.kind(key) {
            Kind::PropertyIdentifier | Kind::Number | Kind::PrivateProperty => self.source(key),
            Kind::String => self.string_value(key)?,
            Kind::ComputedName => {
                for child in self.children(key) {
                    self.value(child, Context::None);
                }
                return None;
            }
            _ => return None,
        };
        Some((self.facts.atom(text), key))
    }

    /// `left = right`.
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
                let value = self.value(right, Context::None);
                for (name, value) in self.pattern_names(left, value) {
                    let atom = self.atom_at(name);
                    self.assigned(atom, name, value);
                }
                value
            }
            Kind::Identifier => {
                let atom = self.facts.atom(self.source(left));
                let target = self.value_as(left, Role::Write, Context::None);
                let value = self.value(right, Context::Value(target));
                self.assigned(atom, left, value);
                value
            }
            _ => {
                let target = self.value_as(left, Role::Write, Context::None);
                let value = self.value(right, Context::Value(target));
                self.assigned_field(left, value);
                value
            }
        }
    }

    /// A variable declared without type and value takes on what it is assigned.
    fn assigned(&mut self, atom: Atom, node: Node<'a>, value: ExprId) {
        if value == self.common.unknown {
            return;
        }
        let mut scope = Some(self.place.scope);
        while let Some(id) = scope {
            if self.undecided.contains(&(id, atom)) {
                let kind = BindingKind::Local { value_type: None, value: Some(value) };
                return self.facts.bind(id, atom, node.end_byte() as u32, kind);
            }
            scope = self.facts.get_scope(id).parent;
        }
    }

    /// In JavaScript `this.name = value` in a constructor declares a field.
    fn assigned_field(&mut self, left: Node<'a>, value: ExprId) {
        if !self.is_script || self.kind(left) != Kind::Member {
            return;
        }
        let (Some(object), Some(property)) =
            (self.field(left, self.fields.object), self.field(left, self.fields.property))
        else {
            return;
        };
        let Some(method) = self.place.source.filter(|_| self.kind(object) == Kind::This) else { return };
        let Container::Definition(class) = self.facts.definition(method).container else { return };
        let name = self.facts.atom(self.source(property));
        let (members, seen) = &mut self.members;
        for definition in &self.facts.definitions()[*seen..] {
            if let Container::Definition(owner) = definition.container {
                members.insert((owner, definition.name));
            }
        }
        *seen = self.facts.definitions().len();
        if members.contains(&(class, name)) {
            return;
        }
        let mut definition = self.blank(name, SymbolKind::Field, left, property);
        definition.scope_names = self.facts.definition(method).scope_names.clone();
        definition.container = Container::Definition(class);
        definition.parent = Some(class);
        definition.signature = docs::signature(self.text, left.start_byte(), left.end_byte());
        definition.value = Some(value);
        definition.value_scope = Some(self.place.scope);
        self.facts.define(definition, String::new());
    }

    /// `Name.prototype.method = function () {}` and `Name.method = function () {}` add methods.
    fn assigned_method(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        let literal = self.unwrapped(right);
        if !self.is_function(literal) || self.kind(left) != Kind::Member {
            return None;
        }
        let object = self.field(left, self.fields.object)?;
        let property = self.field(left, self.fields.property)?;
        let (owner, is_static) = match self.source(object).strip_suffix(".prototype") {
            Some(owner) => (owner, false),
            None => (self.source(object), true),
        };
        let is_name = |text: &str| text.starts_with(|first: char| first.is_uppercase());
        if !owner.chars().all(|letter| letter.is_alphanumeric() || letter == '_') || !is_name(owner) {
            return None;
        }
        let target_name = self.facts.atom(owner);
        let target = self.name(target_name);
        let scope = self.facts.scope(Scope {
            parent: Some(self.place.scope),
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
        let name = self.facts.atom(self.source(property));
        let before = self.place;
        self.place.scope = scope;
        self.place.this = self.common.receiver;
        self.names.push(target_name);
        let shape = Shape {
            name,
            name_node: property,
            outer: node,
            header: node,
            kind: SymbolKind::Method,
            container: Container::Extension(extension),
            flags: Flags { is_static, ..Flags::default() },
            context: Context::None,
            annotation: None,
            is_inner: false,
        };
        let id = self.function(literal, shape);
        self.names.pop();
        self.place = before;
        Some(self.facts.expr(Expr::Definition(id)))
    }
}
