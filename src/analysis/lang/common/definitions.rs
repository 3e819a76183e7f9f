//! Definitions: types, functions, properties, variables, namespaces, and their parameters.

use thin_vec::ThinVec;
use tree_sitter::Node;

use super::docs;
use super::flow::Locals;
use super::patterns::{Action, Part, Pattern};
use super::walker::{Context, Walker, span};
use crate::facts::{Base, BaseRelation, Container, DefId, Definition, Expr, ExprId, Flags, Role, ScopeId, ScopeKind};
use crate::model::{Span, SymbolKind};

/// State that is restored at the end of a definition.
pub struct Saved {
    context: Context,
    scope_names: usize,
    /// Values of local names, where these are not visible in definitions inside.
    locals: Option<Locals>,
}

impl<'a> Walker<'a> {
    /// Visits a definition.
    pub(super) fn definition(&mut self, node: Node<'a>, pattern: &Pattern) {
        match pattern.action {
            Action::Type => self.type_definition(node, pattern, SymbolKind::Type),
            Action::Interface => self.type_definition(node, pattern, SymbolKind::Interface),
            Action::Function => self.function(node, pattern, Flags::default()),
            Action::Property => self.function(node, pattern, Flags { is_property: true, ..Flags::default() }),
            Action::Namespace => self.namespace(node, pattern),
            Action::Alias => self.alias(node, pattern),
            Action::Variant => self.variant(node, pattern),
            _ => self.variables(node, pattern),
        }
    }

    /// Returns a definition here, without the parts that its kind determines.
    pub fn new_definition(&mut self, name: &str, kind: SymbolKind, outer: Node<'a>, name_node: Node<'_>) -> Definition {
        Definition {
            signature: docs::single_line(self.text_of(outer), &self.dialect.lexicon),
            doc: docs::comment_above(self.text, outer.start_byte(), &self.dialect.lexicon),
            ..self.bare_definition(name, kind, outer, name_node)
        }
    }

    /// Returns a definition here without signature and doc.
    pub fn bare_definition(
        &mut self,
        name: &str,
        kind: SymbolKind,
        outer: Node<'a>,
        name_node: Node<'_>,
    ) -> Definition {
        let name = self.facts.atom(name);
        let inherited = self.context.inherited;
        let is_test = self.is_test || inherited.is_test;
        let flags = Flags { is_test, is_local: self.context.is_local, ..inherited };
        Definition {
            name,
            kind,
            scope_names: self.scope_names.as_slice().into(),
            container: self.context.container,
            parent: self.context.parent,
            span: span(outer, name_node),
            signature: String::new(),
            doc: String::new(),
            flags,
            scope: self.context.scope,
            type_parameters: ThinVec::new(),
            parameters: ThinVec::new(),
            result: None,
            returns: ThinVec::new(),
            value_type: None,
            value: None,
            value_scope: None,
            bases: ThinVec::new(),
        }
    }

    /// Returns the definition of `node` with its docs, signature and flags, and the nodes of its decorators.
    pub fn header(
        &mut self,
        node: Node<'a>,
        pattern: &Pattern,
        name_node: Node<'a>,
        kind: SymbolKind,
    ) -> (Definition, Vec<Node<'a>>) {
        let own = self.parts(node, pattern, Part::Decorator);
        let body = self.part(node, pattern, Part::Body);
        let before = std::mem::take(&mut self.before);
        let mut definition = self.bare_definition(self.name_text(name_node), kind, node, name_node);
        definition.doc = match self.dialect.options.doc {
            Some(doc) => doc(self, &before),
            None => docs::comment_above(self.text, node.start_byte(), &self.dialect.lexicon),
        };
        if definition.doc.is_empty() && pattern.setting("doc") == Some("behind") {
            definition.doc = docs::trailing_comment(self.text, node.end_byte(), &self.dialect.lexicon);
        }
        definition.signature = self.signature(node, body, &own);
        let mut decorators: Vec<Node<'a>> = before.into_iter().filter(|node| !node.is_extra()).collect();
        extend_span(&mut definition.span, &decorators);
        decorators.extend(own);
        for modifier in self.parts(node, pattern, Part::Modifiers) {
            self.modifiers(modifier, &mut definition.flags);
        }
        if let Some(words) = pattern.setting("modifiers") {
            words.split(' ').for_each(|word| (self.dialect.modifier)(word, &mut definition.flags));
        }
        let is_test = |decorator: &Node<'a>| {
            let text = self.text_of(*decorator);
            let name =
                text.trim_start_matches(['@', '[', '#', '<']).split(['(', ']', ',', ' ']).next().unwrap_or_default();
            let last = name.rsplit(['.', '\\', ':']).next().unwrap_or_default();
            self.dialect.test_decorators.contains(&last)
        };
        definition.flags.is_test |= decorators.iter().any(is_test);
        (definition, decorators)
    }

    /// Returns the text up to the body on one line, without decorators.
    fn signature(&self, node: Node<'a>, body: Option<Node<'a>>, decorators: &[Node<'a>]) -> String {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let mut text = String::new();
        let mut at = node.start_byte();
        for decorator in decorators.iter().filter(|decorator| decorator.end_byte() <= end) {
            text.push_str(self.text.get(at..decorator.start_byte()).unwrap_or_default());
            at = decorator.end_byte();
        }
        text.push_str(self.text.get(at..end).unwrap_or_default());
        let mut signature = (self.dialect.options.signature)(text.trim_start(), &self.dialect.lexicon);
        // The body is an expression after the sign.
        let is_followed = signature.ends_with(" =");
        signature.truncate(signature.len() - if is_followed { " =".len() } else { 0 });
        signature
    }

    fn modifiers(&mut self, node: Node<'a>, flags: &mut Flags) {
        if node.child_count() == 0 {
            (self.dialect.modifier)(self.text_of(node), flags);
        }
        for child in self.all_children(node) {
            if child.child_count() == 0 {
                (self.dialect.modifier)(self.text_of(child), flags);
            }
        }
    }

    /// Adds references to decorators. They belong to the decorated definition.
    pub fn decorators(&mut self, decorators: &[Node<'a>], id: DefId) {
        let source = self.context.source.replace(id);
        for decorator in decorators {
            self.visit(*decorator, Role::Decorator);
        }
        self.context.source = source;
    }

    /// Enters the definition: its scope, its name and its place as the source of references.
    pub fn enter(&mut self, id: DefId, scope: ScopeId, container: Container) -> Saved {
        let locals = if self.inlines_locals() { Some(std::mem::take(&mut self.flow.locals)) } else { None };
        let saved = Saved { context: self.context, scope_names: self.scope_names.len(), locals };
        let definition = self.facts.definition(id);
        self.scope_names.push(definition.name);
        let is_local = definition.kind.is_callable() || self.context.is_local;
        self.context = Context { scope, source: Some(id), parent: Some(id), container, is_local, ..self.context };
        saved
    }

    /// Leaves a definition.
    pub fn leave(&mut self, saved: Saved) {
        self.context = saved.context;
        self.scope_names.truncate(saved.scope_names);
        if let Some(locals) = saved.locals {
            self.flow.locals = locals;
        }
    }

    fn type_definition(&mut self, node: Node<'a>, pattern: &Pattern, kind: SymbolKind) {
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return self.visit_children(node) };
        let (definition, decorators) = self.header(node, pattern, name_node, kind);
        self.open_type(node, pattern, definition, &decorators);
    }

    /// Adds a type with its type parameters, bases, components and body. Returns it.
    pub fn open_type(
        &mut self,
        node: Node<'a>,
        pattern: &Pattern,
        mut definition: Definition,
        decorators: &[Node<'a>],
    ) -> DefId {
        let body = self.part(node, pattern, Part::Body);
        // Bases are looked up outside the body, whose names include those of the bases.
        let header = self.open_scope(ScopeKind::Block, None);
        definition.scope = header;
        let id = self.define(definition, body.map(|body| body.start_byte()));
        self.decorators(decorators, id);
        let saved = self.enter(id, header, Container::Definition(id));
        self.context.is_local = false;
        let type_parameters = self.type_parameters(node, pattern, id);
        let mut bases = Vec::new();
        for (part, relation) in [(Part::Extends, BaseRelation::Extends), (Part::Implements, BaseRelation::Implements)] {
            for base in self.parts(node, pattern, part) {
                let expr = self.type_expr(base, None);
                bases.push(Base { expr, relation });
            }
        }
        let inner = self.open_scope(ScopeKind::Type, Some(id));
        self.context.scope = inner;
        let components = self.parts(node, pattern, Part::Parameters);
        for list in &components {
            if self.is(*list, Action::Hook) {
                self.visit(*list, Role::Read);
            }
        }
        let parameters = self.components(&components);
        // The arguments of the base's constructor can use the parameters.
        let arguments = self.argument_nodes(node, pattern);
        arguments.into_iter().for_each(|argument| _ = self.visit(argument, Role::Read));
        if let Some(body) = body {
            self.statements(body);
        }
        self.leave(saved);
        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters.into();
        definition.bases.extend(bases);
        definition.parameters = parameters.into();
        id
    }

    fn function(&mut self, node: Node<'a>, pattern: &Pattern, flags: Flags) {
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return self.visit_children(node) };
        let kind = if self.context.container == Container::Module { SymbolKind::Function } else { SymbolKind::Method };
        let (mut definition, decorators) = self.header(node, pattern, name_node, kind);
        definition.flags.is_property |= flags.is_property;
        self.open_function(node, pattern, definition, &decorators);
    }

    /// Adds a function with its parameters, result and body. Returns it.
    pub fn open_function(
        &mut self,
        node: Node<'a>,
        pattern: &Pattern,
        mut definition: Definition,
        decorators: &[Node<'a>],
    ) -> DefId {
        let bodies = self.parts(node, pattern, Part::Body);
        let is_property = definition.flags.is_property;
        definition.flags.is_abstract |= bodies.is_empty() && !is_property;
        let scope = self.open_scope(ScopeKind::Function, None);
        definition.scope = scope;
        let id = self.define(definition, bodies.first().map(|body| body.start_byte()));
        self.facts.scope_mut(scope).definition = Some(id);
        self.decorators(decorators, id);
        let saved = self.enter(id, scope, Container::Module);
        let type_parameters = self.type_parameters(node, pattern, id);
        let lists = self.parts(node, pattern, Part::Parameters);
        let parameters = self.parameters(&lists);
        let result = self.part(node, pattern, Part::Result).map(|part| self.type_expr(part, Some(Role::Type)));
        for also in self.parts(node, pattern, Part::Type) {
            self.type_expr(also, Some(Role::Type));
        }
        self.facts.definition_mut(id).result = result;
        self.context.returned = result.unwrap_or(self.unknown);
        let returns = self.collect_returns(|walker| {
            for body in bodies {
                let value = walker.visit_as(body, result);
                let is_expression = !walker.is(body, Action::Block);
                if is_expression || walker.dialect.traits.returns_last_value {
                    walker.add_return(value);
                }
            }
        });
        self.leave(saved);
        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters.into();
        definition.parameters = parameters.into();
        definition.returns = if result.is_some() { ThinVec::new() } else { returns.into() };
        id
    }

    /// Adds an inline module.
    pub fn namespace(&mut self, node: Node<'a>, pattern: &Pattern) {
        let body = self.part(node, pattern, Part::Body);
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return self.visit_children(node) };
        let (mut definition, decorators) = self.header(node, pattern, name_node, SymbolKind::Package);
        definition.container = Container::Module;
        let scope = self.open_scope(ScopeKind::Module, None);
        definition.scope = scope;
        let id = self.define(definition, None);
        let scope_mut = self.facts.scope_mut(scope);
        scope_mut.definition = Some(id);
        self.decorators(&decorators, id);
        let name = self.facts.definition(id).name;
        self.facts.scope_mut(scope).module_name = Some(name);
        let saved = self.enter(id, scope, Container::Module);
        self.context.source = saved.context.source;
        if let Some(body) = body {
            self.statements(body);
        }
        self.leave(saved);
    }

    fn alias(&mut self, node: Node<'a>, pattern: &Pattern) {
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return };
        let (mut definition, decorators) = self.header(node, pattern, name_node, SymbolKind::Type);
        definition.flags.is_alias = true;
        let scope = self.open_scope(ScopeKind::Block, None);
        definition.scope = scope;
        let id = self.define(definition, None);
        self.decorators(&decorators, id);
        let saved = self.enter(id, scope, Container::Module);
        let type_parameters = self.type_parameters(node, pattern, id);
        let value_type = self.part(node, pattern, Part::Type).map(|part| self.type_expr(part, Some(Role::Type)));
        self.leave(saved);
        let definition = self.facts.definition_mut(id);
        (definition.type_parameters, definition.value_type) = (type_parameters.into(), value_type);
    }

    fn variant(&mut self, node: Node<'a>, pattern: &Pattern) {
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return };
        let (mut definition, decorators) = self.header(node, pattern, name_node, SymbolKind::Field);
        definition.flags.is_variant = true;
        let body = self.part(node, pattern, Part::Body);
        let id = self.define(definition, body.map(|body| body.start_byte()));
        self.decorators(&decorators, id);
        for arguments in self.parts(node, pattern, Part::Arguments) {
            self.visit_children(arguments);
        }
        if let Some(value) = self.part(node, pattern, Part::Value) {
            self.visit(value, Role::Read);
        }
        if let Some(body) = body {
            let base = self.facts.expr(Expr::Receiver);
            self.anonymous_body(body, base);
        }
    }

    /// Visits the body of a type without a name. Its methods are local functions, which override those of `base`.
    pub(super) fn anonymous_body(&mut self, body: Node<'a>, base: ExprId) {
        let first = self.facts.definitions().len();
        let before = self.context;
        self.context.scope = self.open_scope(ScopeKind::Block, None);
        self.context.container = Container::Module;
        self.context.is_local = true;
        let has_base = *self.facts.get(base) != Expr::Unknown;
        self.facts.scope_mut(self.context.scope).extends = Some(base).filter(|_| has_base);
        self.statements(body);
        self.context = before;
        if !has_base {
            return;
        }
        // Where the methods are, what the body extends is the receiver.
        let base = self.facts.expr(Expr::Receiver);
        for id in (first..self.facts.definitions().len()).map(DefId::from_index) {
            let method = self.facts.definition(id);
            let is_own = method.parent == before.parent && method.scope_names == self.scope_names;
            if is_own && method.kind.is_callable() && !method.flags.is_static {
                let name = self.facts.text(method.name).to_owned();
                let name = self.callee_atom(&name);
                let expr = self.facts.expr(Expr::Member { base, name });
                let overridden = Base { expr, relation: BaseRelation::Overridden };
                self.facts.definition_mut(id).bases.push(overridden);
            }
        }
    }

    /// Adds the variables or fields that a declaration names.
    pub fn variables(&mut self, node: Node<'a>, pattern: &Pattern) {
        let value_type = self.declared_type(node, pattern);
        let mut declarators = self.parts(node, pattern, Part::Declarator);
        if declarators.is_empty() {
            declarators.push(node);
        }
        // The declaration is read once for all its names, of which generated code has thousands.
        let mut shared = None;
        for declarator in declarators {
            let Some(own) = self.pattern(declarator) else { continue };
            let Some(name_node) = self.part(declarator, own, Part::Name) else {
                self.visit_children(declarator);
                continue;
            };
            let value_node = self.part(declarator, own, Part::Value);
            if self.context.is_local && self.context.container == Container::Module {
                let value = value_node.map(|value| self.visit_as(value, value_type));
                self.bind_part(name_node, declarator, value_type, value);
                continue;
            }
            let kind = self.variable_kind(pattern);
            let (definition, decorators) =
                shared.get_or_insert_with(|| self.header(node, pattern, name_node, kind)).clone();
            let mut span = span(node, name_node);
            (span.start_byte, span.start_line) = (definition.span.start_byte, definition.span.start_line);
            let named = Definition { name: self.atom_of(name_node), span, ..definition };
            let id = self.define(Definition { value_type, ..named }, value_node.map(|value| value.start_byte()));
            self.decorators(&decorators, id);
            let value = value_node.map(|value| self.visit_as(value, value_type));
            self.facts.definition_mut(id).value = value;
        }
        if shared.is_none() {
            for decorator in self.parts(node, pattern, Part::Decorator) {
                self.visit(decorator, Role::Decorator);
            }
        }
    }

    /// Returns the kind of the variables that a declaration outside of functions adds.
    fn variable_kind(&self, pattern: &Pattern) -> SymbolKind {
        match self.context.container {
            Container::Module if pattern.action == Action::Constant => SymbolKind::Const,
            Container::Module => SymbolKind::Var,
            _ => SymbolKind::Field,
        }
    }
}

/// Extends the span of a definition to the decorators before it.
pub fn extend_span(span: &mut Span, decorators: &[Node<'_>]) {
    if let Some(first) = decorators.iter().find(|node| !node.is_extra()) {
        span.start_byte = first.start_byte() as u32;
        span.start_line = first.start_position().row as u32 + 1;
    }
}
