//! Walks a TypeScript syntax tree and writes down its facts: statements and what they declare.

use tree_sitter::Node;

use super::docs;
use super::grammar::{Kind, grammar};
use super::repair;
use super::test_code::is_test_path;
use super::walker::{Context, Walker, variable_kind};
use crate::facts::{Atom, BindingKind, Definition, ExprId, FileFacts, Role, ScopeKind};
use crate::lang::SourceFile;
use crate::model::SymbolKind;

/// Facts of one TypeScript or JavaScript file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let extension = file.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_plain = matches!(extension, "ts" | "mts" | "cts");
    let is_script = matches!(extension, "js" | "jsx" | "mjs" | "cjs");
    let language = (super::LANGUAGE.grammar)(extension);
    let repaired = repair::repaired(&language, file.text, file.tree);
    let root = repaired.as_ref().unwrap_or(file.tree).root_node();
    let mut walker = Walker::new(file.text, root, grammar(is_plain), is_test_path(file.path), is_script);
    if walker.is_test {
        walker.facts.mark_test_file();
    }
    walker.facts.set_file_doc(docs::file_doc(file.text));
    walker.statements(root);
    walker.bind_shown();
    walker.facts.finish()
}

impl<'a> Walker<'a> {
    /// Every statement below `node`. What they narrow or rename holds to the end of the block.
    pub fn statements(&mut self, node: Node<'a>) {
        let mark = self.known.len();
        for child in self.children(node) {
            self.statement(child);
        }
        self.known.truncate(mark);
    }

    /// One statement or declaration.
    pub fn statement(&mut self, node: Node<'a>) {
        self.deeper((), |walker| walker.statement_at(node, node));
    }

    /// A declaration whose text begins at `outer` (an `export` or `declare` around it).
    pub fn statement_at(&mut self, node: Node<'a>, outer: Node<'a>) {
        match self.kind(node) {
            Kind::FunctionDeclaration | Kind::GeneratorDeclaration | Kind::FunctionSignature => {
                self.function_declaration(node, outer);
            }
            Kind::ClassDeclaration | Kind::AbstractClass => {
                self.class(node, outer, None);
            }
            Kind::InterfaceDeclaration => self.interface(node, outer),
            Kind::TypeAlias => self.type_alias(node, outer),
            Kind::EnumDeclaration => self.enumeration(node, outer),
            Kind::Module | Kind::InternalModule => self.namespace(node, outer),
            Kind::LexicalDeclaration | Kind::VariableDeclaration => self.variables(node, outer),
            Kind::Import => self.import(node),
            Kind::ImportAlias => self.import_alias(node),
            Kind::Export => self.export(node),
            Kind::Ambient => {
                for child in self.children(node) {
                    match self.kind(child) {
                        Kind::StatementBlock => self.statements(child),
                        _ => self.statement_at(child, outer),
                    }
                }
            }
            Kind::StatementBlock => self.block(node),
            Kind::If => self.if_statement(node),
            Kind::ForIn => self.for_in(node),
            Kind::Catch => self.catch(node),
            Kind::Return => self.return_statement(node),
            Kind::Throw => self.throw(node),
            Kind::Decorator => self.decorator(node),
            Kind::Other => self.other(node),
            _ => {
                self.value(node, Context::None);
            }
        }
    }

    /// A node that needs no treatment of its own: its parts are walked.
    fn other(&mut self, node: Node<'a>) {
        if node.is_named() {
            for child in self.children(node) {
                self.statement(child);
                let is_assertion = self.kind(child) == Kind::Call && self.source(child).starts_with("assert");
                if is_assertion && node.kind() == "expression_statement" {
                    let told = self.narrowings(child, true);
                    self.known.extend(told);
                }
            }
        }
    }

    /// A block. At module level it is a scope, so that its variables do not look like the module's.
    fn block(&mut self, node: Node<'a>) {
        let before = self.place;
        if self.at_module_level() {
            self.place.scope = self.open(ScopeKind::Block, None);
        }
        self.statements(node);
        self.place = before;
    }

    fn if_statement(&mut self, node: Node<'a>) {
        let Some(condition) = self.field(node, self.fields.condition) else { return self.other(node) };
        self.value(condition, Context::None);
        let holds = self.narrowings(condition, true);
        let fails = self.narrowings(condition, false);
        let mark = self.known.len();
        let consequence = self.field(node, self.fields.consequence);
        if let Some(consequence) = consequence {
            self.known.extend(holds);
            self.statement(consequence);
            self.known.truncate(mark);
        }
        if let Some(alternative) = self.field(node, self.fields.alternative) {
            self.known.extend(fails);
            self.other(alternative);
            self.known.truncate(mark);
        } else if consequence.is_some_and(|consequence| self.always_leaves(consequence)) {
            self.known.extend(fails);
        }
    }

    /// True when control never comes out at the end of a statement.
    fn always_leaves(&mut self, node: Node<'a>) -> bool {
        match node.kind() {
            "return_statement" | "throw_statement" | "continue_statement" | "break_statement" => true,
            "statement_block" => {
                let children = self.children(node);
                children.last().is_some_and(|&last| last.kind() != "statement_block" && self.always_leaves(last))
            }
            _ => false,
        }
    }

    fn for_in(&mut self, node: Node<'a>) {
        let before = self.place;
        if self.at_module_level() {
            self.place.scope = self.open(ScopeKind::Block, None);
        }
        let iterated = self.field(node, self.fields.right).map(|right| self.value(right, Context::None));
        let is_of = self.field(node, self.fields.operator).is_some_and(|operator| operator.kind() == "of");
        let item = match iterated {
            Some(iterated) if is_of => {
                let item = self.facts.expr(crate::facts::Expr::Element(iterated));
                if self.has_token(node, "await") { self.facts.expr(crate::facts::Expr::Unwrap(item)) } else { item }
            }
            _ => self.common.string,
        };
        if let Some(left) = self.field(node, self.fields.left) {
            self.bind_pattern(left, Some(item), None);
        }
        if let Some(body) = self.field(node, self.fields.body) {
            self.statement(body);
        }
        self.place = before;
    }

    fn catch(&mut self, node: Node<'a>) {
        let before = self.place;
        if self.at_module_level() {
            self.place.scope = self.open(ScopeKind::Block, None);
        }
        if let Some(parameter) = self.field(node, self.fields.parameter) {
            let annotation = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
            self.bind_pattern(parameter, None, annotation);
        }
        if let Some(body) = self.field(node, self.fields.body) {
            self.statements(body);
        }
        self.place = before;
    }

    fn return_statement(&mut self, node: Node<'a>) {
        let context = self.expected_returns.last().copied().unwrap_or_default();
        for child in self.children(node) {
            let value = self.value(child, context);
            if let Some(returns) = self.returns.last_mut() {
                returns.push(value);
            }
        }
    }

    fn throw(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            self.value(child, Context::None);
            let thrown = self.field(child, self.fields.constructor);
            if let Some(thrown) = thrown.filter(|_| self.kind(child) == Kind::New) {
                let expr = self.path(thrown);
                self.refer(expr, thrown, Role::Raise);
            }
        }
    }

    /// `const a = …, b = …`. At module level the names are definitions, elsewhere only bindings.
    fn variables(&mut self, node: Node<'a>, outer: Node<'a>) {
        let keyword = self.all_children(node).first().map_or("var", |first| first.kind());
        let declarators: Vec<Node<'a>> =
            self.children(node).into_iter().filter(|child| self.kind(*child) == Kind::VariableDeclarator).collect();
        for declarator in &declarators {
            let outer = if declarators.len() == 1 { outer } else { *declarator };
            self.declarator(*declarator, node, outer, variable_kind(keyword));
        }
    }

    fn declarator(&mut self, node: Node<'a>, statement: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let Some(name) = self.field(node, self.fields.name) else { return };
        let value = self.field(node, self.fields.value);
        if let Some(value) = value
            && self.required_module(name, value)
        {
            return;
        }
        if self.kind(name) != Kind::Identifier {
            return self.destructured(name, node, outer, kind);
        }
        if let Some(value) = value {
            if let Some(function) = self.held_function(value) {
                return self.function_variable(node, name, outer, (statement, function));
            }
            let literal = self.unwrapped(value);
            if self.kind(literal) == Kind::Class {
                self.class(literal, outer, Some(name));
                return;
            }
        }
        let atom = self.facts.atom(self.source(name));
        if self.at_module_level() {
            self.module_variable(atom, node, name, outer, kind);
        } else {
            self.local_variable(atom, node, name);
        }
    }

    fn module_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let mut definition = self.blank(atom, kind, outer, name);
        definition.signature = self.variable_signature(node, outer, kind);
        let id = self.facts.define(definition, String::new());
        self.facts.bind(self.place.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        let before = self.place;
        self.place.owner = Some(id);
        let (value_type, value) = self.initializer(atom, node);
        self.place = before;
        let definition = self.facts.definition_mut(id);
        definition.value_type = value_type;
        definition.value = value;
    }

    fn local_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>) {
        self.word(self.source(name));
        let (value_type, value) = self.initializer(atom, node);
        self.bind_local(atom, name, value_type, value);
        if value_type.is_none() && value.is_none() {
            self.undecided.insert((self.place.scope, atom));
        }
    }

    /// The annotation and the value of a declarator.
    fn initializer(&mut self, atom: Atom, node: Node<'a>) -> (Option<ExprId>, Option<ExprId>) {
        let value_type = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
        let context = match value_type {
            Some(value_type) => Context::Value(self.instance(value_type)),
            None => Context::None,
        };
        let holder = self.name(atom);
        self.names.push(atom);
        let value = self.field(node, self.fields.value).map(|value| self.value_held_by(value, context, holder));
        self.names.pop();
        (value_type, value)
    }

    /// `const { a, b } = value`.
    fn destructured(&mut self, pattern: Node<'a>, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let value_type = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
        let value = self.field(node, self.fields.value).map(|value| self.value(value, Context::None));
        if !self.at_module_level() {
            return self.bind_pattern(pattern, value, value_type);
        }
        let base = match (value_type, value) {
            (Some(value_type), _) => Some(self.instance(value_type)),
            (None, value) => value,
        };
        self.environment_pattern(pattern, node);
        let unknown = self.common.unknown;
        for (name, value) in self.pattern_names(pattern, base.unwrap_or(unknown)) {
            let atom = self.facts.atom(self.source(name));
            let mut definition = self.blank(atom, kind, outer, name);
            definition.signature = docs::signature(self.text, node.start_byte(), node.end_byte());
            definition.value = Some(value);
            let id = self.facts.define(definition, String::new());
            self.facts.bind(self.place.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
    }

    fn variable_signature(&self, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) -> String {
        let keyword = if kind == SymbolKind::Const { "const" } else { "let" };
        let prefix = if outer == node { format!("{keyword} ") } else { String::new() };
        let start = if prefix.is_empty() { self.declaration_start(outer) } else { node.start_byte() };
        let value = node.child_by_field_id(self.fields.value);
        let is_short = |value: &Node<'_>| {
            value.end_byte() - value.start_byte() <= 60 && value.start_position().row == value.end_position().row
        };
        let end = match value {
            Some(value) if !is_short(&value) => value.start_byte(),
            _ => node.end_byte(),
        };
        format!("{prefix}{}", docs::signature(self.text, start, end))
    }

    /// Where a declaration begins, without `export` and `default` around it.
    pub fn declaration_start(&self, outer: Node<'a>) -> usize {
        match self.kind(outer) {
            Kind::Export => outer
                .child_by_field_id(self.fields.declaration)
                .or_else(|| outer.child_by_field_id(self.fields.value))
                .map_or(outer.start_byte(), |inner| self.after_decorators(inner)),
            _ => self.after_decorators(outer),
        }
    }

    fn after_decorators(&self, node: Node<'a>) -> usize {
        let mut at = 0;
        while let Some(child) = node.child(at).filter(|child| self.kind(*child) == Kind::Decorator) {
            at += 1;
            debug_assert!(child.end_byte() <= node.end_byte());
        }
        node.child(at).map_or(node.start_byte(), |child| child.start_byte())
    }

    /// A definition with what every definition has; the caller fills in the rest.
    pub fn blank(&mut self, name: Atom, kind: SymbolKind, outer: Node<'a>, name_node: Node<'a>) -> Definition {
        let mut flags = crate::facts::Flags { is_test: self.is_test, ..Default::default() };
        flags.is_local = self.place.is_local;
        Definition {
            name,
            kind,
            scope_names: self.names.clone(),
            container: crate::facts::Container::Module,
            parent: self.place.owner,
            span: super::walker::span(outer, name_node),
            signature: String::new(),
            doc: docs::doc_before(self.text, outer.start_byte()),
            flags,
            scope: self.place.scope,
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            result: None,
            returns: Vec::new(),
            value_type: None,
            value: None,
            value_scope: None,
            bases: Vec::new(),
        }
    }
}
