//! Classes and their members.

use tree_sitter::Node;

use super::docs;
use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{Atom, Base, BaseRelation, BindingKind, Container, DefId, Expr, ExprId, Flags, Role, ScopeKind};
use crate::lang::common::walker::Context;
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

/// Maximum length of a computed member name in bytes.
const MAX_COMPUTED_NAME: usize = 80;

impl<'a> Ts<'_, 'a> {
    /// Adds a class. `holder` is the name of the variable that a class expression is assigned to.
    pub fn class(&mut self, node: Node<'a>, outer: Node<'a>, holder: Option<Node<'a>>) -> DefId {
        let own_name = self.field(node, "name");
        let name_node = holder.or(own_name);
        let text = name_node.map_or("class", |name| self.text_of(name));
        let name = self.facts.atom(text);
        let scope = self.open_scope(ScopeKind::Type, None);
        let mut definition = self.new_definition(name, SymbolKind::Type, outer, name_node.unwrap_or(node));
        definition.scope = scope;
        let body = self.field(node, "body");
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        definition.signature = docs::signature(self.text, self.declaration_start(outer), end);
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(scope).definition = Some(id);
        if let Some(name_node) = name_node.filter(|_| holder.is_some() || node.kind() != "class") {
            self.shadow(name);
            self.bind_here(name, name_node.start_byte() as u32, BindingKind::Definition(id));
        }
        if let Some(own) = own_name.filter(|_| node.kind() == "class") {
            let own = self.atom_of(own);
            self.facts.bind(scope, own, node.start_byte() as u32, BindingKind::Definition(id));
        }
        let (saved, names) = (self.context, self.hidden_types.len());
        let prefix = self.controller_prefix(node, outer);
        let prefix = std::mem::replace(&mut self.state().route_prefix, prefix);
        self.enter_type(id, scope, name);
        if let Some(decorated) = (outer != node).then_some(outer) {
            self.visit_decorators(decorated);
        }
        self.visit_decorators(node);
        let type_parameters = self.type_parameters(node, Some(id));
        let bases = self.heritage(node);
        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters.into();
        definition.bases = bases.into();
        if let Some(body) = body {
            self.class_body(body, id);
        }
        self.scope_names.pop();
        self.hidden_types.truncate(names);
        self.context = saved;
        self.state().route_prefix = prefix;
        id
    }

    /// Makes a type the current context and appends its name to the scope names.
    pub fn enter_type(&mut self, id: DefId, scope: crate::facts::ScopeId, name: Atom) {
        self.scope_names.push(name);
        let this = self.facts.expr(Expr::Receiver);
        self.context = Context { scope, source: Some(id), parent: Some(id), this, ..self.context };
    }

    fn visit_decorators(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            if child.kind() == "decorator" {
                self.decorator(child);
            }
        }
    }

    /// Returns the bases of a class: extended ones, then implemented ones.
    fn heritage(&mut self, node: Node<'a>) -> Vec<Base> {
        let mut bases = Vec::new();
        let mut clauses = Vec::new();
        for heritage in self.children(node) {
            if heritage.kind() == "class_heritage" {
                clauses.extend(self.children(heritage));
            }
        }
        for clause in clauses {
            match clause.kind() {
                "extends_clause" => bases.extend(self.extends_clause(clause)),
                "implements_clause" => {
                    for implemented in self.children(clause) {
                        let expr = self.base_type(implemented);
                        bases.push(Base { expr, relation: BaseRelation::Implements });
                    }
                }
                // JavaScript has no `extends_clause` node around the base.
                _ => bases.push(Base { expr: self.base_value(clause), relation: BaseRelation::Extends }),
            }
        }
        bases
    }

    fn extends_clause(&mut self, clause: Node<'a>) -> Option<Base> {
        let value = self.field(clause, "value")?;
        let mut expr = self.base_value(value);
        if let Some(arguments) = self.field(clause, "type_arguments") {
            let args = self.type_arguments(arguments);
            expr = self.facts.expr(Expr::Apply { base: expr, args });
        }
        Some(Base { expr, relation: BaseRelation::Extends })
    }

    /// Returns a base class as a type. A path is not referenced: the base has an edge of its own.
    fn base_value(&mut self, value: Node<'a>) -> ExprId {
        match value.kind() {
            "identifier" | "member_expression" => {
                self.add_word_of(value);
                self.path(value)
            }
            _ => {
                let callee = self.value(value, Expected::None);
                let instance = self.facts.expr(Expr::Call { callee, args: Vec::new() });
                self.facts.expr(Expr::TypeOf(instance))
            }
        }
    }

    fn class_body(&mut self, body: Node<'a>, class: DefId) {
        let mut decorators: Vec<Node<'a>> = Vec::new();
        for child in self.children(body) {
            match child.kind() {
                "decorator" => {
                    decorators.push(child);
                    continue;
                }
                "method_definition" | "method_signature" | "abstract_method_signature" => {
                    self.method(child, &decorators, class);
                }
                "public_field_definition" => self.class_field(child, &decorators, class),
                "class_static_block" => {
                    let saved = self.context;
                    self.context.scope = self.open_scope(ScopeKind::Function, Some(class));
                    self.context.is_local = true;
                    if let Some(block) = self.field(child, "body") {
                        self.statements(block);
                    }
                    self.context = saved;
                }
                "index_signature" => {
                    self.index_signature(child);
                }
                _ => self.statement(child),
            }
            decorators.clear();
        }
    }

    /// Adds a method of a class or interface.
    pub fn method(&mut self, node: Node<'a>, decorators: &[Node<'a>], owner: DefId) {
        let Some(name_node) = self.field(node, "name") else { return };
        let Some(name) = self.member_name(name_node) else { return };
        let mut flags = Flags { is_abstract: node.kind() != "method_definition", ..Flags::default() };
        for token in self.all_children(node) {
            match token.kind() {
                "static" => flags.is_static = true,
                "get" | "set" if !token.is_named() => flags.is_property = true,
                _ => {}
            }
        }
        let saved = self.context;
        if flags.is_static {
            self.context.this = self.facts.expr(Expr::ReceiverType);
        }
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            container: Container::Definition(owner),
            flags,
            ..FunctionHeader::new(name, name_node, node, node)
        };
        let id = self.function(node, header);
        self.context = saved;
        self.set_setter_type(node, id);
        self.decorate(id, decorators);
        if self.text_of(name_node) == "constructor" {
            self.parameter_properties(node, owner);
        }
    }

    /// Sets the type of a setter's property to the type of its parameter.
    fn set_setter_type(&mut self, node: Node<'a>, id: DefId) {
        let definition = self.facts.definition(id);
        if definition.flags.is_property && definition.result.is_none() && definition.parameters.len() == 1 {
            let parameter_type = definition.parameters[0].value_type;
            if self.has_token(node, "set") {
                self.facts.definition_mut(id).result = parameter_type;
            }
        }
    }

    /// Visits the decorators of a member and extends its span to include them.
    fn decorate(&mut self, id: DefId, decorators: &[Node<'a>]) {
        let Some(first) = decorators.first() else { return };
        let doc = docs::doc_before(self.text, first.start_byte());
        let definition = self.facts.definition_mut(id);
        definition.span.start_byte = first.start_byte() as u32;
        definition.span.start_line = first.start_position().row as u32 + 1;
        if definition.doc.is_empty() {
            definition.doc = doc;
        }
        let is_callable = definition.kind.is_callable();
        let saved = self.context;
        self.context.parent = Some(id);
        if is_callable {
            self.context.source = Some(id);
        }
        for decorator in decorators {
            self.decorator(*decorator);
        }
        self.context = saved;
    }

    /// Visits `@name` or `@name(…)`.
    pub fn decorator(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            let callee = match child.kind() {
                "call_expression" => self.field(child, "function").unwrap_or(child),
                _ => child,
            };
            if !matches!(callee.kind(), "identifier" | "member_expression") {
                self.value(child, Expected::None);
                continue;
            }
            let expr = self.value_as(callee, Role::Decorator, Expected::None);
            if callee != child {
                self.decorator_route(callee, child);
                if let Some(arguments) = self.field(child, "arguments") {
                    self.arguments(arguments, expr);
                }
            }
        }
    }

    /// Adds a field for each parameter property: `constructor(private name: Type)`.
    fn parameter_properties(&mut self, node: Node<'a>, class: DefId) {
        let Some(list) = self.field(node, "parameters") else { return };
        for parameter in self.children(list) {
            let declares = self
                .all_children(parameter)
                .iter()
                .any(|child| matches!(child.kind(), "accessibility_modifier" | "readonly" | "override_modifier"));
            let Some(name_node) = self.field(parameter, "pattern").filter(|_| declares) else { continue };
            let name = self.atom_of(name_node);
            let mut definition = self.new_definition(name, SymbolKind::Field, parameter, name_node);
            definition.container = Container::Definition(class);
            definition.signature = docs::signature(self.text, parameter.start_byte(), parameter.end_byte());
            // The annotation was referenced as part of the parameter.
            let annotation = self.field(parameter, "type");
            definition.value_type = annotation.map(|annotation| self.replay(|walker| walker.annotation(annotation)));
            self.facts.define(definition, String::new());
        }
    }

    fn class_field(&mut self, node: Node<'a>, decorators: &[Node<'a>], class: DefId) {
        let Some(name_node) = self.field(node, "name") else { return };
        let Some(name) = self.member_name(name_node) else { return };
        let is_static = self.has_token(node, "static");
        let value = self.field(node, "value");
        let saved = self.context;
        if is_static {
            self.context.this = self.facts.expr(Expr::ReceiverType);
        }
        let literal = value.map(|value| self.unwrapped(value));
        let annotation = self.field(node, "type");
        let id = match literal.filter(|literal| self.is_function(*literal)) {
            Some(literal) => {
                let header = FunctionHeader {
                    kind: SymbolKind::Method,
                    container: Container::Definition(class),
                    flags: Flags { is_static, ..Flags::default() },
                    annotation,
                    ..FunctionHeader::new(name, name_node, node, node)
                };
                self.function(literal, header)
            }
            None => self.plain_field(name, name_node, node, is_static, class),
        };
        self.context = saved;
        self.decorate(id, decorators);
    }

    fn plain_field(&mut self, name: Atom, name_node: Node<'a>, node: Node<'a>, is_static: bool, class: DefId) -> DefId {
        let mut definition = self.new_definition(name, SymbolKind::Field, node, name_node);
        definition.container = Container::Definition(class);
        definition.flags.is_static = is_static;
        definition.signature = docs::signature(self.text, self.declaration_start(node), node.end_byte());
        let id = self.facts.define(definition, String::new());
        self.context.parent = Some(id);
        let value_type = self.field(node, "type").map(|annotation| self.annotation(annotation));
        let contextual = match value_type {
            Some(value_type) => Expected::Value(self.instance(value_type)),
            None => Expected::None,
        };
        self.scope_names.push(name);
        let value = self.field(node, "value").map(|value| self.value(value, contextual));
        self.scope_names.pop();
        let definition = self.facts.definition_mut(id);
        definition.value_type = value_type;
        definition.value = value;
        id
    }

    /// Returns the name of a member. A computed name is its source text.
    pub fn member_name(&mut self, node: Node<'a>) -> Option<Atom> {
        let text = match node.kind() {
            "string" => self.string_value(node)?,
            "computed_property_name" => {
                for child in self.children(node) {
                    self.value(child, Expected::None);
                }
                let text = self.text_of(node);
                if text.len() > MAX_COMPUTED_NAME || text.contains('\n') {
                    return None;
                }
                text
            }
            _ => self.text_of(node),
        };
        if text.is_empty() { None } else { Some(self.facts.atom(text)) }
    }
}
