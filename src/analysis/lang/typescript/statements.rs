//! Statements and variable declarations.

use tree_sitter::Node;

use super::docs;
use super::state::{Ts, variable_kind};
use crate::facts::{Atom, BindingKind, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

/// Maximum length in bytes of a variable's value that is part of the signature.
const MAX_SIGNATURE_VALUE: usize = 60;

impl<'a> Ts<'_, 'a> {
    /// Visits the statements below `node`. Their name overrides end with the block.
    pub fn statements(&mut self, node: Node<'a>) {
        let mark = self.state().name_overrides.len();
        for child in self.children(node) {
            self.statement(child);
        }
        self.state().name_overrides.truncate(mark);
    }

    /// Visits one statement or declaration.
    pub fn statement(&mut self, node: Node<'a>) {
        self.visit(node, Role::Read);
    }

    /// Visits a declaration. Its span is the one of `outer`, which includes `export` and `declare`.
    pub fn declaration(&mut self, node: Node<'a>, outer: Node<'a>) {
        match node.kind() {
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                self.function_declaration(node, outer);
            }
            "class_declaration" | "abstract_class_declaration" => _ = self.class(node, outer, None),
            "interface_declaration" => self.interface(node, outer),
            "type_alias_declaration" => self.type_alias(node, outer),
            "enum_declaration" => self.enum_declaration(node, outer),
            "module" | "internal_module" => self.namespace(node, outer),
            "lexical_declaration" | "variable_declaration" => self.variables(node, outer),
            "ambient_declaration" => self.ambient_in(node, outer),
            _ => self.statement(node),
        }
    }

    /// Visits `declare …`.
    pub fn ambient(&mut self, node: Node<'a>) {
        self.ambient_in(node, node);
    }

    fn ambient_in(&mut self, node: Node<'a>, outer: Node<'a>) {
        for child in self.children(node) {
            match child.kind() {
                "statement_block" => self.globals(child, outer),
                _ => self.descend((), |walker| walker.declaration(child, outer)),
            }
        }
    }

    /// Visits an expression as a statement. A call of an assertion narrows the names in it for the rest of the block.
    pub fn expression_statement(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            self.statement(child);
            if child.kind() == "call_expression" && self.text_of(child).starts_with("assert") {
                let narrowed = self.narrowings(child, true);
                self.state().name_overrides.extend(narrowed);
            }
        }
    }

    /// Visits a block. At module level it opens a scope, so that its variables are not taken for definitions of the
    /// module.
    pub fn block(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        self.statements(node);
        self.context = saved;
    }

    /// Visits `if`, whose branches and whose rest of the block have what the condition implies.
    pub fn if_statement(&mut self, node: Node<'a>) {
        let Some(condition) = self.field(node, "condition") else { return self.visit_children(node) };
        self.value(condition, Expected::None);
        let holds = self.narrowings(condition, true);
        let fails = self.narrowings(condition, false);
        let mark = self.state().name_overrides.len();
        let consequence = self.field(node, "consequence");
        if let Some(consequence) = consequence {
            self.state().name_overrides.extend(holds);
            self.statement(consequence);
            self.state().name_overrides.truncate(mark);
        }
        if let Some(alternative) = self.field(node, "alternative") {
            self.state().name_overrides.extend(fails);
            self.visit_children(alternative);
            self.state().name_overrides.truncate(mark);
        } else if consequence.is_some_and(|consequence| self.always_exits(consequence)) {
            self.state().name_overrides.extend(fails);
        }
    }

    /// Returns whether a statement always returns, throws, continues or breaks.
    fn always_exits(&mut self, node: Node<'a>) -> bool {
        match node.kind() {
            "return_statement" | "throw_statement" | "continue_statement" | "break_statement" => true,
            "statement_block" => {
                let children = self.children(node);
                children.last().is_some_and(|&last| last.kind() != "statement_block" && self.always_exits(last))
            }
            _ => false,
        }
    }

    /// Visits `for (… of …)` and `for (… in …)`.
    pub fn for_in(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        let iterated = self.field(node, "right").map(|right| self.value(right, Expected::None));
        let is_of = self.field(node, "operator").is_some_and(|operator| operator.kind() == "of");
        let item = match iterated {
            Some(iterated) if is_of => {
                let item = self.facts.expr(crate::facts::Expr::Element(iterated));
                if self.has_token(node, "await") { self.facts.expr(crate::facts::Expr::Unwrap(item)) } else { item }
            }
            _ => self.string(),
        };
        if let Some(left) = self.field(node, "left") {
            self.bind_pattern(left, Some(item), None);
        }
        if let Some(body) = self.field(node, "body") {
            self.statement(body);
        }
        self.context = saved;
    }

    /// Visits `catch`.
    pub fn catch(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        if let Some(parameter) = self.field(node, "parameter") {
            let annotation = self.field(node, "type").map(|annotation| self.annotation(annotation));
            self.bind_pattern(parameter, None, annotation);
        }
        if let Some(body) = self.field(node, "body") {
            self.statements(body);
        }
        self.context = saved;
    }

    /// Visits `return`.
    pub fn return_statement(&mut self, node: Node<'a>) {
        let contextual = self.state().expected_returns.last().copied().unwrap_or_default();
        for child in self.children(node) {
            let value = self.returned_value(child, contextual);
            self.add_return(value);
        }
    }

    /// Visits a returned value. `this` in the methods of an object literal is what the function returns.
    pub fn returned_value(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let literal = self.unwrapped(node);
        let scope = self.facts.get_scope(self.context.scope);
        match (literal.kind(), contextual, scope.definition) {
            ("object", Expected::None, Some(id)) if scope.kind == ScopeKind::Function => {
                let callee = self.facts.expr(Expr::Definition(id));
                let holder = self.facts.expr(Expr::Call { callee, args: Vec::new() });
                self.object_literal(literal, contextual, Some(holder))
            }
            _ => {
                let value = self.value(node, contextual);
                self.refer_to_default(value, node);
                value
            }
        }
    }

    /// Visits `throw`.
    pub fn throw(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            self.value(child, Expected::None);
            let thrown = self.field(child, "constructor");
            if let Some(thrown) = thrown.filter(|_| child.kind() == "new_expression") {
                let expr = self.path(thrown);
                self.refer(expr, thrown, Role::Raise);
            }
        }
    }

    /// Visits `const a = …, b = …`. At module level the names become definitions, elsewhere local bindings.
    fn variables(&mut self, node: Node<'a>, outer: Node<'a>) {
        let keyword = self.all_children(node).first().map_or("var", |first| first.kind());
        let declarators: Vec<Node<'a>> =
            self.children(node).into_iter().filter(|child| child.kind() == "variable_declarator").collect();
        for declarator in &declarators {
            let outer = if declarators.len() == 1 { outer } else { *declarator };
            self.declarator(*declarator, node, outer, variable_kind(keyword));
        }
    }

    fn declarator(&mut self, node: Node<'a>, statement: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let Some(name) = self.field(node, "name") else { return };
        let value = self.field(node, "value");
        if let Some(value) = value
            && (self.required_module(name, value) || self.names_exports(name, value))
        {
            return;
        }
        if name.kind() != "identifier" {
            return self.destructured(name, node, outer, kind);
        }
        if let Some(value) = value {
            if let Some(function) = self.function_literal(value) {
                return self.function_variable(node, name, outer, (statement, function));
            }
            let literal = self.unwrapped(value);
            if literal.kind() == "class" {
                self.class(literal, outer, Some(name));
                return;
            }
        }
        let atom = self.atom_of(name);
        if self.at_module_level() || self.gets_members(node, name) {
            self.module_variable(atom, node, name, outer, kind);
        } else {
            self.local_variable(atom, node, name);
        }
    }

    fn module_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let mut definition = self.new_definition(atom, kind, outer, name);
        definition.signature = self.variable_signature(node, outer, kind);
        let id = self.facts.define(definition, String::new());
        self.bind_here(atom, name.start_byte() as u32, BindingKind::Definition(id));
        let saved = self.context;
        self.context.parent = Some(id);
        let (value_type, value) = self.initializer(atom, node);
        self.context = saved;
        let definition = self.facts.definition_mut(id);
        definition.value_type = value_type;
        definition.value = value;
    }

    fn local_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>) {
        self.add_word_of(name);
        let (value_type, value) = self.initializer(atom, node);
        self.bind_local(atom, name, value_type, value);
        if value_type.is_none() && value.is_none() {
            let scope = self.context.scope;
            self.state().untyped_variables.insert((scope, atom));
        }
    }

    /// Returns the annotation and the value of a declarator.
    fn initializer(&mut self, atom: Atom, node: Node<'a>) -> (Option<ExprId>, Option<ExprId>) {
        let value_type = self.field(node, "type").map(|annotation| self.annotation(annotation));
        let contextual = match value_type {
            Some(value_type) => Expected::Value(self.instance(value_type)),
            None => Expected::None,
        };
        let holder = self.name(atom);
        self.scope_names.push(atom);
        let is_assignment = |value: Node<'a>| value.kind() == "assignment_expression";
        self.state().exported_variable =
            self.field(node, "value").filter(|value| is_assignment(*value)).map(|_| holder);
        let value = self.field(node, "value").map(|value| self.initializer_value(value, contextual, holder));
        self.state().exported_variable = None;
        self.scope_names.pop();
        (value_type, value)
    }

    /// Visits `const { a, b } = value`.
    fn destructured(&mut self, pattern: Node<'a>, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let value_type = self.field(node, "type").map(|annotation| self.annotation(annotation));
        let value = self.field(node, "value").map(|value| self.value(value, Expected::None));
        if !self.at_module_level() {
            return self.bind_pattern(pattern, value, value_type);
        }
        let base = match (value_type, value) {
            (Some(value_type), _) => Some(self.instance(value_type)),
            (None, value) => value,
        };
        self.environment_pattern_signals(pattern, node);
        let unknown = self.unknown;
        for (name, value) in self.pattern_names(pattern, base.unwrap_or(unknown)) {
            let atom = self.atom_of(name);
            let mut definition = self.new_definition(atom, kind, outer, name);
            definition.signature = docs::signature(self.text, node.start_byte(), node.end_byte());
            definition.value = Some(value);
            let id = self.facts.define(definition, String::new());
            self.bind_here(atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
    }

    fn variable_signature(&self, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) -> String {
        let keyword = if kind == SymbolKind::Const { "const" } else { "let" };
        let prefix = if outer == node { format!("{keyword} ") } else { String::new() };
        let start = if prefix.is_empty() { self.declaration_start(outer) } else { node.start_byte() };
        let value = node.child_by_field_name("value");
        let is_short = |value: &Node<'_>| {
            value.end_byte() - value.start_byte() <= MAX_SIGNATURE_VALUE
                && value.start_position().row == value.end_position().row
        };
        let end = match value {
            Some(value) if !is_short(&value) => value.start_byte(),
            _ => node.end_byte(),
        };
        format!("{prefix}{}", docs::signature(self.text, start, end))
    }

    /// Returns the start of a declaration without `export`, `default` and decorators.
    pub fn declaration_start(&self, outer: Node<'a>) -> usize {
        match outer.kind() {
            "export_statement" => outer
                .child_by_field_name("declaration")
                .or_else(|| outer.child_by_field_name("value"))
                .map_or(outer.start_byte(), |inner| self.after_decorators(inner)),
            _ => self.after_decorators(outer),
        }
    }

    fn after_decorators(&self, node: Node<'a>) -> usize {
        let mut at = 0;
        while let Some(child) = node.child(at).filter(|child| child.kind() == "decorator") {
            at += 1;
            debug_assert!(child.end_byte() <= node.end_byte());
        }
        node.child(at).map_or(node.start_byte(), |child| child.start_byte())
    }
}
