//! Object literals, and assignments to names and fields.

use tree_sitter::Node;

use super::docs;
use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{Atom, Base, BaseRelation, BindingKind, Container, DefId, Definition, Expr, ExprId, Flags, Role};
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

impl<'a> Ts<'_, 'a> {
    /// Visits `{ … }`. Functions in it become methods, whose scope names are those of the object.
    pub fn object_literal(&mut self, node: Node<'a>, contextual: Expected, holder: Option<ExprId>) -> ExprId {
        let expected = self.expected(contextual);
        let saved = self.context;
        let of_store = self.store_this(node);
        let this = of_store.or_else(|| self.component_this()).or(holder).or(expected).unwrap_or(self.unknown);
        let mut members = Vec::new();
        let mut spreads = Vec::new();
        for child in self.children(node) {
            match child.kind() {
                "pair" => members.extend(self.pair(child, expected, this)),
                "method_definition" => {
                    let Some(name_node) = self.field(child, "name") else { continue };
                    let Some(name) = self.member_name(name_node) else { continue };
                    let is_property = self.has_token(child, "get") || self.has_token(child, "set");
                    let flags = Flags { is_property, ..Flags::default() };
                    let id = self.object_method(child, child, (name, name_node), flags, expected, this);
                    members.push((name, self.facts.expr(Expr::Definition(id))));
                }
                "shorthand_property_identifier" => {
                    let name = self.atom_of(child);
                    let value = self.identifier(child, Role::Read);
                    self.implement(expected, (name, child), value);
                    members.push((name, value));
                }
                "spread_element" => {
                    for spread in self.children(child) {
                        spreads.push(self.value(spread, Expected::None));
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

    /// Returns `this` of the actions and getters of a store of Pinia: `const useCart = defineStore('cart', { actions: { … } })`.
    fn store_this(&mut self, node: Node<'a>) -> Option<ExprId> {
        let pair = node.parent().filter(|pair| pair.kind() == "pair")?;
        let key = self.field(pair, "key")?;
        if !matches!(self.text_of(key), "actions" | "getters") {
            return None;
        }
        let call = pair.parent()?.parent()?.parent().filter(|call| call.kind() == "call_expression")?;
        let function = self.field(call, "function").filter(|function| self.text_of(*function) == "defineStore");
        let declarator = function.and(call.parent()).filter(|around| around.kind() == "variable_declarator")?;
        let name = self.field(declarator, "name")?;
        let name = self.atom_of(name);
        let callee = self.name(name);
        Some(self.facts.expr(Expr::Call { callee, args: Vec::new() }))
    }

    /// Returns an object type with these members.
    pub fn object(&mut self, members: Vec<(Atom, ExprId)>) -> ExprId {
        self.facts.expr(Expr::Object(members))
    }

    fn pair(&mut self, node: Node<'a>, expected: Option<ExprId>, this: ExprId) -> Option<(Atom, ExprId)> {
        let key_node = self.field(node, "key")?;
        let value = self.field(node, "value")?;
        let key = self.property_key(key_node);
        let literal = self.unwrapped(value);
        let Some((name, _)) = key else {
            self.value(value, Expected::None);
            return None;
        };
        if let Some((function, cast)) = self.function_literal(value) {
            if let Some(cast) = cast {
                self.annotation(cast);
            }
            let id = self.object_method(function, node, (name, key_node), Flags::default(), expected, this);
            return Some((name, self.facts.expr(Expr::Definition(id))));
        }
        self.add_word_of(key_node);
        let contextual = match expected {
            Some(expected) if self.is_context_sensitive(literal) => Expected::Value(self.member(expected, name)),
            _ => Expected::None,
        };
        self.scope_names.push(name);
        let value = self.value(value, contextual);
        self.scope_names.pop();
        self.implement(expected, (name, key_node), value);
        Some((name, value))
    }

    /// Adds that a function of this name, if it is one, implements a member of the type that is expected of the object.
    fn implement(&mut self, expected: Option<ExprId>, (name, at): (Atom, Node<'a>), value: ExprId) {
        let Some(expected) = expected.filter(|_| matches!(self.facts.get(value), Expr::Name(_))) else { return };
        let member = self.member(expected, name);
        let both = self.facts.expr(Expr::Tuple(vec![value, member]));
        self.refer(both, at, Role::Implement);
    }

    /// Returns whether a contextual type can affect an expression.
    pub fn is_context_sensitive(&self, node: Node<'a>) -> bool {
        matches!(
            node.kind(),
            "object"
                | "array"
                | "arrow_function"
                | "function_expression"
                | "generator_function"
                | "ternary_expression"
                | "parenthesized_expression"
                | "binary_expression"
                | "as_expression"
                | "satisfies_expression"
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
        let implemented = expected.map(|expected| self.member(expected, name));
        let contextual = implemented.map_or(Expected::None, Expected::Value);
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            flags,
            contextual,
            ..FunctionHeader::new(name, name_node, outer, outer)
        };
        let saved = self.context;
        // Arrow functions have the `this` of the object's surroundings.
        if node.kind() != "arrow_function" {
            self.context.this = this;
        }
        let id = self.function(node, header);
        self.context = saved;
        // Who calls the method of the type that the object has runs this.
        let base = implemented.map(|expr| Base { expr, relation: BaseRelation::Overridden });
        self.facts.definition_mut(id).bases.extend(base);
        // No code names a function of an object that is handed over: whoever has the object may run it.
        if self.state().is_handed_over {
            let method = self.facts.expr(Expr::Definition(id));
            self.refer(method, name_node, Role::Read);
        }
        id
    }

    /// Returns the name of a property key, unless it is computed.
    pub fn property_key(&mut self, key: Node<'a>) -> Option<(Atom, Node<'a>)> {
        let text = match key.kind() {
            "property_identifier" | "number" | "private_property_identifier" => self.text_of(key),
            "string" => self.string_value(key)?,
            "computed_property_name" => {
                for child in self.children(key) {
                    self.value(child, Expected::None);
                }
                return None;
            }
            _ => return None,
        };
        Some((self.facts.atom(text), key))
    }

    /// Visits `left = right`.
    pub fn assignment(&mut self, node: Node<'a>) -> ExprId {
        let (Some(left), Some(right)) = (self.field(node, "left"), self.field(node, "right")) else {
            return self.unknown;
        };
        if let Some(value) = self.assigned_export(node, left, right) {
            return value;
        }
        if let Some(value) = self.assigned_member(node, left, right) {
            return value;
        }
        match left.kind() {
            "object_pattern" | "array_pattern" => {
                let value = self.value(right, Expected::None);
                self.widen_paths(left);
                for (name, value) in self.pattern_names(left, value) {
                    let atom = self.atom_with_word(name);
                    self.assign_untyped(atom, name, value);
                }
                value
            }
            "identifier" => {
                let atom = self.atom_of(left);
                let target = self.value_as(left, Role::Write, Expected::None);
                let value = self.value(right, Expected::Value(target));
                self.assign_untyped(atom, left, value);
                self.widen_paths(left);
                value
            }
            _ => {
                let target = self.value_as(left, Role::Write, Expected::None);
                let value = self.value(right, Expected::Value(target));
                self.widen_paths(left);
                self.declare_assigned_field(left, value);
                value
            }
        }
    }

    /// Binds the assigned value to a variable that was declared without type and value.
    fn assign_untyped(&mut self, atom: Atom, node: Node<'a>, value: ExprId) {
        if value == self.unknown {
            return;
        }
        let mut scope = Some(self.context.scope);
        while let Some(id) = scope {
            if self.state().untyped_variables.contains(&(id, atom)) {
                let kind = BindingKind::Local { value_type: None, value: Some(value) };
                return self.facts.bind(id, atom, node.end_byte() as u32, kind);
            }
            scope = self.facts.get_scope(id).parent;
        }
    }

    /// Adds a field for `this.name = value` in a method of a JavaScript class, unless the class has a member of that
    /// name.
    fn declare_assigned_field(&mut self, left: Node<'a>, value: ExprId) {
        if !self.state().is_script || left.kind() != "member_expression" {
            return;
        }
        let (Some(object), Some(property)) = (self.field(left, "object"), self.field(left, "property")) else {
            return;
        };
        let Some(method) = self.context.source.filter(|_| object.kind() == "this") else { return };
        let container = self.facts.definition(method).container;
        let class = match container {
            Container::Definition(class) => class,
            _ if self.is_constructor(method) => method,
            _ => return,
        };
        let name = self.atom_of(property);
        self.declare_field(class, name, (left, property), value);
    }

    /// Adds a field to a class or an object, unless it has a member of that name.
    pub fn declare_field(&mut self, class: DefId, name: Atom, (left, property): (Node<'a>, Node<'a>), value: ExprId) {
        let first = self.state().scanned_definitions;
        let later = self.facts.definitions()[first..].iter();
        let member = |one: &Definition| match one.container {
            Container::Definition(owner) => Some((owner, one.name)),
            _ => None,
        };
        let members: Vec<_> = later.filter_map(member).collect();
        let count = self.facts.definitions().len();
        self.state().member_names.extend(members);
        self.state().scanned_definitions = count;
        if self.state().member_names.contains(&(class, name)) {
            return;
        }
        let mut definition = self.new_definition(name, SymbolKind::Field, left, property);
        definition.scope_names = self.member_scope(class).into();
        definition.flags.is_local = false;
        definition.container = Container::Definition(class);
        definition.parent = Some(class);
        definition.signature = docs::signature(self.text, left.start_byte(), left.end_byte());
        definition.value = Some(value);
        definition.value_scope = Some(self.context.scope);
        self.facts.define(definition, String::new());
    }
}
