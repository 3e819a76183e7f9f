//! Functions and classes.

use tree_sitter::Node;

use super::docs;
use super::extract::{Context, Walker, is_test_function};
use super::flow::Frame;
use super::grammar::{FIELDS, Kind, children, children_by_field, field, first_child, kind};
use crate::facts::{Atom, Base, BaseRelation, BindingKind, DefId, Expr, ExprId, Role, Scope, ScopeId, ScopeKind};
use crate::model::SymbolKind;

/// Properties of a function that decorators determine.
#[derive(Debug, Default)]
struct DecoratorFlags {
    is_property: bool,
    is_static: bool,
    is_class_method: bool,
    is_abstract: bool,
    /// Whether the generator function is a context manager.
    is_context_manager: bool,
    is_fixture: bool,
}

impl DecoratorFlags {
    /// Recognizes decorators by their last name.
    fn from_decorators(walker: &Walker<'_>, decorators: &[Node<'_>]) -> DecoratorFlags {
        let mut flags = DecoratorFlags::default();
        for decorator in decorators {
            let name = first_child(*decorator).map_or("", |node| walker.last_name(node));
            match name {
                "staticmethod" => flags.is_static = true,
                "classmethod" => flags.is_class_method = true,
                "overload" | "abstractmethod" | "abstractclassmethod" | "abstractstaticmethod" => {
                    flags.is_abstract = true
                }
                "contextmanager" | "asynccontextmanager" => flags.is_context_manager = true,
                "fixture" => flags.is_fixture = true,
                "setter" | "deleter" => flags.is_property = true,
                "abstractproperty" => (flags.is_property, flags.is_abstract) = (true, true),
                name if name.ends_with("property") => flags.is_property = true,
                _ => {}
            }
        }
        flags
    }
}

impl<'a> Walker<'a> {
    /// Returns the last name of a dotted expression, of its call, or of its generic application.
    pub(super) fn last_name(&self, node: Node<'_>) -> &'a str {
        match kind(node) {
            Kind::Identifier => self.text_of(node),
            Kind::Attribute => field(node, FIELDS.attribute).map_or("", |name| self.text_of(name)),
            Kind::Call => field(node, FIELDS.function).map_or("", |callee| self.last_name(callee)),
            Kind::Subscript => field(node, FIELDS.value).map_or("", |base| self.last_name(base)),
            Kind::GenericType | Kind::Type => first_child(node).map_or("", |base| self.last_name(base)),
            _ => "",
        }
    }

    /// Defines a function; `outer` is the node that includes its decorators.
    pub(super) fn function(&mut self, node: Node<'_>, outer: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = field(node, FIELDS.name) else { return };
        let name = self.atom(name_node);
        let flags = DecoratorFlags::from_decorators(self, decorators);
        let body = field(node, FIELDS.body);
        let class = self.context.class;
        let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
        let mut definition = self.new_definition(name, kind, outer, name_node);
        definition.signature = self.header(node, body);
        definition.doc = body.and_then(|body| docs::docstring(body, self.text)).unwrap_or_default();
        definition.flags.is_property = flags.is_property;
        definition.flags.is_static = flags.is_static || flags.is_class_method;
        definition.flags.is_abstract = flags.is_abstract;
        definition.flags.is_async = node.child(0).is_some_and(|child| child.kind() == "async");
        definition.flags.is_test |= class.is_none() && is_test_function(self.text_of(name_node));
        let id = self.facts.define(definition, String::new());
        self.bind(self.context.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        self.decorators(id, decorators);

        let scope = self.open_scope(ScopeKind::Function, id);
        self.facts.definition_mut(id).scope = scope;
        let outer_context = self.context;
        let outer_frame = std::mem::take(&mut self.frame);
        let outer_variables = std::mem::take(&mut self.used_type_variables);
        let bound_before = self.bound_type_variables.len();
        self.frame.receiver = outer_frame.receiver;
        self.frame.class = outer_frame.class;
        self.frame.has_fixture_parameters =
            self.in_test && (flags.is_fixture || is_test_function(self.text_of(name_node)));
        self.context = Context { source: Some(id), body: Some(id), class: None, ..outer_context };
        self.bind_type_parameters(node, id, scope);
        if let Some(parameters) = field(node, FIELDS.parameters) {
            let receiver_class = class.filter(|_| !flags.is_static);
            let is_class_method = flags.is_class_method
                || matches!(self.text_of(name_node), "__new__" | "__init_subclass__" | "__class_getitem__");
            self.parameters(parameters, id, scope, receiver_class, is_class_method);
        }
        let result = field(node, FIELDS.return_type).map(|result| self.annotation(result));
        self.facts.definition_mut(id).result = result;
        self.bind_type_variables(id, scope);
        self.context = Context { scope, source: Some(id), body: Some(id), class: None, is_local: true };
        self.names.push(name);
        if let Some(body) = body {
            self.block(body);
        }
        self.names.pop();
        self.bound_type_variables.truncate(bound_before);
        self.used_type_variables = outer_variables;
        self.context = outer_context;
        let frame = std::mem::replace(&mut self.frame, outer_frame);
        self.record_result(id, frame, &flags);
    }

    /// Sets a function's result from its annotation or from returned and yielded values.
    fn record_result(&mut self, id: DefId, frame: Frame, flags: &DecoratorFlags) {
        let declared = self.facts.definition(id).result;
        if flags.is_context_manager || (flags.is_fixture && frame.is_generator) {
            let yielded = match declared.map(|result| self.facts.get(result)) {
                Some(Expr::Apply { args, .. } | Expr::Builtin { args, .. }) => args.first().copied(),
                Some(_) => None,
                None => Some(self.union(frame.yields)),
            };
            // A fixture's value is what it yields.
            let result = match yielded.filter(|_| flags.is_fixture) {
                Some(yielded) => yielded,
                None => self.facts.builtin("ContextManager", yielded.into_iter().collect()),
            };
            let definition = self.facts.definition_mut(id);
            match declared {
                Some(_) => definition.result = Some(result),
                None => definition.returns = vec![result],
            }
        } else if declared.is_none() {
            let returns = if frame.is_generator {
                let yielded = self.union(frame.yields);
                vec![self.facts.builtin("Generator", vec![yielded])]
            } else {
                frame.returns
            };
            self.facts.definition_mut(id).returns = returns;
        }
    }

    /// Returns the source of a function or class up to its body, on one line.
    pub(super) fn header(&self, node: Node<'_>, body: Option<Node<'_>>) -> String {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = self.text.get(node.start_byte()..end).unwrap_or("");
        // Comments between the colon and the body are dropped.
        let mut header = docs::single_line(text.lines().map(|line| line.split(" #").next().unwrap_or("")));
        while header.ends_with([':', ' ']) {
            header.pop();
        }
        header
    }

    /// Opens the scope of a definition.
    pub(super) fn open_scope(&mut self, kind: ScopeKind, id: DefId) -> ScopeId {
        let parent = Some(self.context.scope);
        self.facts.scope(Scope { parent, kind, definition: Some(id), extension: None, module_name: None })
    }

    /// Walks decorators as references of the decorated definition.
    fn decorators(&mut self, id: DefId, decorators: &[Node<'_>]) {
        let outer = self.context;
        self.context.source = Some(id);
        self.context.body = Some(id);
        for decorator in decorators {
            if let Some(expression) = first_child(*decorator) {
                self.decorator(expression);
            }
        }
        self.context = outer;
    }

    /// Returns whether an expression is the literal `None`.
    pub(super) fn is_none(&self, expr: ExprId) -> bool {
        matches!(self.facts.get(expr), Expr::Builtin { name, .. } if self.facts.text(*name) == "None")
    }

    /// Defines a class; `outer` is the node that includes its decorators.
    pub(super) fn class(&mut self, node: Node<'_>, outer: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = field(node, FIELDS.name) else { return };
        let name = self.atom(name_node);
        let body = field(node, FIELDS.body);
        let bases: Vec<Node<'_>> = field(node, FIELDS.superclasses).map(children).unwrap_or_default();
        let is_protocol = bases.iter().any(|base| self.last_name(*base) == "Protocol");
        let kind = if is_protocol { SymbolKind::Interface } else { SymbolKind::Type };
        let mut definition = self.new_definition(name, kind, outer, name_node);
        definition.signature = self.header(node, body);
        definition.doc = body.and_then(|body| docs::docstring(body, self.text)).unwrap_or_default();
        let functions = body.map(|body| self.function_names(body)).unwrap_or_default();
        let is_test = self.in_test || self.is_test_class(self.text_of(name_node), &bases, &functions);
        definition.flags.is_test = is_test;
        let id = self.facts.define(definition, String::new());
        self.methods.extend(functions.into_iter().map(|function| (id, function)));
        self.bind(self.context.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        self.decorators(id, decorators);

        let scope = self.open_scope(ScopeKind::Type, id);
        let outer_context = self.context;
        let outer_test = std::mem::replace(&mut self.in_test, is_test);
        let outer_frame = std::mem::take(&mut self.frame);
        let outer_variables = std::mem::take(&mut self.used_type_variables);
        let bound_before = self.bound_type_variables.len();
        self.context = Context { source: Some(id), body: Some(id), class: None, ..outer_context };
        self.bind_type_parameters(node, id, scope);
        let is_enum = self.bases(&bases, id);
        self.facts.definition_mut(id).scope = scope;
        self.bind_type_variables(id, scope);
        self.context = Context { scope, class: Some(id), ..self.context };
        self.names.push(name);
        if let Some(body) = body {
            self.block(body);
        }
        self.names.pop();
        self.bound_type_variables.truncate(bound_before);
        self.used_type_variables = outer_variables;
        self.frame = outer_frame;
        self.in_test = outer_test;
        self.context = outer_context;
        if is_enum {
            self.mark_variants(id);
        }
    }

    /// Adds the bases of a class. Returns whether it is an enumeration.
    fn bases(&mut self, nodes: &[Node<'_>], id: DefId) -> bool {
        let mut is_enum = false;
        for node in nodes {
            match kind(*node) {
                Kind::KeywordArgument => {
                    if let Some(value) = field(*node, FIELDS.value) {
                        self.value_as(value, Role::Type);
                    }
                }
                Kind::ListSplat | Kind::DictionarySplat => {
                    self.value(*node);
                }
                _ => {
                    let last = self.last_name(*node);
                    is_enum |= matches!(last, "Enum" | "Flag" | "Choices") || {
                        let stem = last.strip_suffix("Enum").or(last.strip_suffix("Flag"));
                        stem.or(last.strip_suffix("Choices")).is_some_and(|stem| !stem.is_empty())
                    };
                    let expr = self.base_class(*node);
                    let base = Base { expr, relation: BaseRelation::Extends };
                    self.facts.definition_mut(id).bases.push(base);
                }
            }
        }
        is_enum
    }

    /// Marks the plain assignments in an enumeration's body as variants.
    fn mark_variants(&mut self, id: DefId) {
        let mut members: Vec<DefId> =
            self.members.iter().filter(|((class, _), _)| *class == id).map(|(_, member)| *member).collect();
        members.sort();
        for member in members {
            let name = self.facts.definition(member).name;
            let is_private = self.facts.text(name).starts_with('_');
            let definition = self.facts.definition_mut(member);
            if definition.value_type.is_none() && definition.value_scope.is_none() && !is_private {
                definition.flags.is_variant = true;
            }
        }
    }

    /// Returns the names of the functions directly in a class body.
    fn function_names(&mut self, body: Node<'_>) -> Vec<Atom> {
        let mut names = Vec::new();
        for child in children(body) {
            let function = match kind(child) {
                Kind::FunctionDefinition => Some(child),
                Kind::DecoratedDefinition => {
                    field(child, FIELDS.definition).filter(|inner| kind(*inner) == Kind::FunctionDefinition)
                }
                _ => None,
            };
            if let Some(name) = function.and_then(|function| field(function, FIELDS.name)) {
                names.push(self.atom(name));
            }
        }
        names
    }

    /// Returns whether a class has tests and the name or base of a test class.
    fn is_test_class(&self, name: &str, bases: &[Node<'_>], functions: &[Atom]) -> bool {
        let by_name = name.starts_with("Test") || bases.iter().any(|base| self.last_name(*base).ends_with("TestCase"));
        by_name && functions.iter().any(|function| is_test_function(self.facts.text(*function)))
    }

    /// Defines a function for `name = lambda …`.
    pub(super) fn lambda_definition(&mut self, name_node: Node<'_>, lambda: Node<'_>, statement: Node<'_>) {
        let name = self.atom(name_node);
        let class = self.context.class;
        let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
        let mut definition = self.new_definition(name, kind, statement, name_node);
        definition.signature = self.header(statement, field(lambda, FIELDS.body));
        let id = self.facts.define(definition, String::new());
        self.bind(self.context.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        let scope = self.open_scope(ScopeKind::Function, id);
        self.facts.definition_mut(id).scope = scope;
        let outer_context = self.context;
        let outer_frame = std::mem::take(&mut self.frame);
        self.frame.receiver = outer_frame.receiver;
        self.frame.class = outer_frame.class;
        self.context = Context { source: Some(id), body: Some(id), class: None, ..outer_context };
        if let Some(parameters) = field(lambda, FIELDS.parameters) {
            self.parameters(parameters, id, scope, class, false);
        }
        self.context = Context { scope, is_local: true, ..self.context };
        let result = children_by_field(lambda, FIELDS.body).first().map(|body| self.value(*body));
        self.facts.definition_mut(id).returns = result.into_iter().collect();
        self.frame = outer_frame;
        self.context = outer_context;
    }
}
