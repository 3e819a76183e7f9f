//! Entry point of extraction, statements and variable declarations.

use tree_sitter::Node;

use super::docs;
use super::grammar::{Kind, grammar};
use super::grammar_workarounds::reparse;
use super::scripts;
use super::walker::{ContextualType, Walker, variable_kind};
use crate::facts::{Atom, BindingKind, Definition, ExprId, FileFacts, Role, ScopeKind};
use crate::lang::SourceFile;
use crate::model::SymbolKind;
use crate::text::file_name;

/// Maximum length in bytes of a variable's value that is part of the signature.
const MAX_SIGNATURE_VALUE: usize = 60;

/// Returns the facts of one TypeScript or JavaScript file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let extension = file_name(file.path).rsplit_once('.').map_or("", |(_, extension)| extension);
    let scripts = scripts::masked(file.path, file.text);
    let text = scripts.as_deref().unwrap_or(file.text);
    let is_plain = matches!(extension, "ts" | "mts" | "cts");
    let is_script = matches!(extension, "js" | "jsx" | "mjs" | "cjs" | "htm" | "html" | "");
    let language = (super::LANGUAGE.grammar)(extension);
    let reparsed = reparse(&language, text, file.tree);
    let root = reparsed.as_ref().unwrap_or(file.tree).root_node();
    let mut walker = Walker::new(text, root, grammar(is_plain), is_test_path(file.path), is_script);
    if walker.is_test {
        walker.facts.mark_test_file();
    }
    walker.facts.set_file_doc(docs::file_doc(text));
    walker.statements(root);
    walker.bind_export_list();
    walker.facts.finish()
}

/// Returns whether a path is a test file, by its suffix or one of its folders.
fn is_test_path(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or("");
    let in_folder = parts.iter().any(|part| {
        matches!(*part, "__tests__" | "test" | "tests" | "__mocks__" | "__fixtures__" | "spec" | "specs" | "e2e")
    });
    let marks = [".test.", ".spec.", ".test-d.", ".spec-d.", ".e2e."];
    in_folder || marks.iter().any(|mark| name.contains(mark)) || name.contains("-test.") || name.contains("_test.")
}

impl<'a> Walker<'a> {
    /// Visits the statements below `node`. Their name overrides end with the block.
    pub fn statements(&mut self, node: Node<'a>) {
        let mark = self.name_overrides.len();
        for child in self.children(node) {
            self.statement(child);
        }
        self.name_overrides.truncate(mark);
    }

    /// Visits one statement or declaration.
    pub fn statement(&mut self, node: Node<'a>) {
        self.descend((), |walker| walker.statement_at(node, node));
    }

    /// Visits a declaration. Its span is the one of `outer`, which includes `export` and `declare`.
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
            Kind::EnumDeclaration => self.enum_declaration(node, outer),
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
            Kind::Other => self.visit_children(node),
            _ => {
                self.value(node, ContextualType::None);
            }
        }
    }

    /// Visits the children of a node without a case of its own.
    fn visit_children(&mut self, node: Node<'a>) {
        if node.is_named() {
            for child in self.children(node) {
                self.statement(child);
                let is_assertion = self.kind(child) == Kind::Call && self.text_of(child).starts_with("assert");
                if is_assertion && node.kind() == "expression_statement" {
                    let narrowed = self.narrowings(child, true);
                    self.name_overrides.extend(narrowed);
                }
            }
        }
    }

    /// Visits a block. At module level it opens a scope, so that its variables are not taken for definitions of the
    /// module.
    fn block(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        self.statements(node);
        self.context = saved;
    }

    fn if_statement(&mut self, node: Node<'a>) {
        let Some(condition) = self.field(node, self.fields.condition) else { return self.visit_children(node) };
        self.value(condition, ContextualType::None);
        let holds = self.narrowings(condition, true);
        let fails = self.narrowings(condition, false);
        let mark = self.name_overrides.len();
        let consequence = self.field(node, self.fields.consequence);
        if let Some(consequence) = consequence {
            self.name_overrides.extend(holds);
            self.statement(consequence);
            self.name_overrides.truncate(mark);
        }
        if let Some(alternative) = self.field(node, self.fields.alternative) {
            self.name_overrides.extend(fails);
            self.visit_children(alternative);
            self.name_overrides.truncate(mark);
        } else if consequence.is_some_and(|consequence| self.always_exits(consequence)) {
            self.name_overrides.extend(fails);
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

    fn for_in(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        let iterated = self.field(node, self.fields.right).map(|right| self.value(right, ContextualType::None));
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
        self.context = saved;
    }

    fn catch(&mut self, node: Node<'a>) {
        let saved = self.context;
        if self.at_module_level() {
            self.context.scope = self.open_scope(ScopeKind::Block, None);
        }
        if let Some(parameter) = self.field(node, self.fields.parameter) {
            let annotation = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
            self.bind_pattern(parameter, None, annotation);
        }
        if let Some(body) = self.field(node, self.fields.body) {
            self.statements(body);
        }
        self.context = saved;
    }

    fn return_statement(&mut self, node: Node<'a>) {
        let contextual = self.expected_returns.last().copied().unwrap_or_default();
        for child in self.children(node) {
            let value = self.value(child, contextual);
            if let Some(returns) = self.returns.last_mut() {
                returns.push(value);
            }
        }
    }

    fn throw(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            self.value(child, ContextualType::None);
            let thrown = self.field(child, self.fields.constructor);
            if let Some(thrown) = thrown.filter(|_| self.kind(child) == Kind::New) {
                let expr = self.path(thrown);
                self.add_reference(expr, thrown, Role::Raise);
            }
        }
    }

    /// Visits `const a = …, b = …`. At module level the names become definitions, elsewhere local bindings.
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
            if let Some(function) = self.function_literal(value) {
                return self.function_variable(node, name, outer, (statement, function));
            }
            let literal = self.unwrapped(value);
            if self.kind(literal) == Kind::Class {
                self.class(literal, outer, Some(name));
                return;
            }
        }
        let atom = self.facts.atom(self.text_of(name));
        if self.at_module_level() {
            self.module_variable(atom, node, name, outer, kind);
        } else {
            self.local_variable(atom, node, name);
        }
    }

    fn module_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let mut definition = self.new_definition(atom, kind, outer, name);
        definition.signature = self.variable_signature(node, outer, kind);
        let id = self.facts.define(definition, String::new());
        self.facts.bind(self.context.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        let saved = self.context;
        self.context.owner = Some(id);
        let (value_type, value) = self.initializer(atom, node);
        self.context = saved;
        let definition = self.facts.definition_mut(id);
        definition.value_type = value_type;
        definition.value = value;
    }

    fn local_variable(&mut self, atom: Atom, node: Node<'a>, name: Node<'a>) {
        self.add_body_word(self.text_of(name));
        let (value_type, value) = self.initializer(atom, node);
        self.bind_local(atom, name, value_type, value);
        if value_type.is_none() && value.is_none() {
            self.untyped_variables.insert((self.context.scope, atom));
        }
    }

    /// Returns the annotation and the value of a declarator.
    fn initializer(&mut self, atom: Atom, node: Node<'a>) -> (Option<ExprId>, Option<ExprId>) {
        let value_type = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
        let contextual = match value_type {
            Some(value_type) => ContextualType::Value(self.instance(value_type)),
            None => ContextualType::None,
        };
        let holder = self.name(atom);
        self.scope_names.push(atom);
        let value = self.field(node, self.fields.value).map(|value| self.initializer_value(value, contextual, holder));
        self.scope_names.pop();
        (value_type, value)
    }

    /// Visits `const { a, b } = value`.
    fn destructured(&mut self, pattern: Node<'a>, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) {
        let value_type = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
        let value = self.field(node, self.fields.value).map(|value| self.value(value, ContextualType::None));
        if !self.at_module_level() {
            return self.bind_pattern(pattern, value, value_type);
        }
        let base = match (value_type, value) {
            (Some(value_type), _) => Some(self.instance(value_type)),
            (None, value) => value,
        };
        self.environment_pattern_signals(pattern, node);
        let unknown = self.common.unknown;
        for (name, value) in self.pattern_names(pattern, base.unwrap_or(unknown)) {
            let atom = self.facts.atom(self.text_of(name));
            let mut definition = self.new_definition(atom, kind, outer, name);
            definition.signature = docs::signature(self.text, node.start_byte(), node.end_byte());
            definition.value = Some(value);
            let id = self.facts.define(definition, String::new());
            self.facts.bind(self.context.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
    }

    fn variable_signature(&self, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) -> String {
        let keyword = if kind == SymbolKind::Const { "const" } else { "let" };
        let prefix = if outer == node { format!("{keyword} ") } else { String::new() };
        let start = if prefix.is_empty() { self.declaration_start(outer) } else { node.start_byte() };
        let value = node.child_by_field_id(self.fields.value);
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

    /// Creates a definition with the parts that do not depend on its kind.
    pub fn new_definition(&mut self, name: Atom, kind: SymbolKind, outer: Node<'a>, name_node: Node<'a>) -> Definition {
        let mut flags = crate::facts::Flags { is_test: self.is_test, ..Default::default() };
        flags.is_local = self.context.is_local;
        Definition {
            name,
            kind,
            scope_names: self.scope_names.clone(),
            container: crate::facts::Container::Module,
            parent: self.context.owner,
            span: super::walker::span(outer, name_node),
            signature: String::new(),
            doc: docs::doc_before(self.text, outer.start_byte()),
            flags,
            scope: self.context.scope,
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
