//! Functions and classes.

use tree_sitter::Node;

use super::extract::{Place, Walker};
use super::flow::Frame;
use super::syntax::{FIELDS, Kind, children, field, fields, first_child, kind};
use super::{docs, test_code};
use crate::facts::{Atom, Base, BaseRelation, BindingKind, DefId, Expr, ExprId, Role, Scope, ScopeId, ScopeKind};
use crate::model::SymbolKind;

/// What decorators say about a function.
#[derive(Debug, Default)]
struct Marks {
    is_property: bool,
    is_static: bool,
    is_class_method: bool,
    is_abstract: bool,
    /// The function's generator makes a context manager.
    makes_context: bool,
    is_fixture: bool,
}

impl Marks {
    fn read(walker: &Walker<'_>, decorators: &[Node<'_>]) -> Marks {
        let mut marks = Marks::default();
        for decorator in decorators {
            let name = first_child(*decorator).map_or("", |node| walker.last_name(node));
            match name {
                "staticmethod" => marks.is_static = true,
                "classmethod" => marks.is_class_method = true,
                "overload" | "abstractmethod" | "abstractclassmethod" | "abstractstaticmethod" => {
                    marks.is_abstract = true
                }
                "contextmanager" | "asynccontextmanager" => marks.makes_context = true,
                "fixture" => marks.is_fixture = true,
                "setter" | "deleter" => marks.is_property = true,
                "abstractproperty" => (marks.is_property, marks.is_abstract) = (true, true),
                name if name.ends_with("property") => marks.is_property = true,
                _ => {}
            }
        }
        marks
    }
}

impl<'a> Walker<'a> {
    /// The last name of a dotted expression, a call of one, or a generic application of one.
    pub(super) fn last_name(&self, node: Node<'_>) -> &'a str {
        match kind(node) {
            Kind::Identifier => self.slice(node),
            Kind::Attribute => field(node, FIELDS.attribute).map_or("", |name| self.slice(name)),
            Kind::Call => field(node, FIELDS.function).map_or("", |callee| self.last_name(callee)),
            Kind::Subscript => field(node, FIELDS.value).map_or("", |base| self.last_name(base)),
            Kind::GenericType | Kind::Type => first_child(node).map_or("", |base| self.last_name(base)),
            _ => "",
        }
    }

    /// A function; `outer` is the node with its decorators.
    pub(super) fn function(&mut self, node: Node<'_>, outer: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = field(node, FIELDS.name) else { return };
        let name = self.atom(name_node);
        let marks = Marks::read(self, decorators);
        let body = field(node, FIELDS.body);
        let class = self.at.class;
        let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
        let mut definition = self.blank(name, kind, outer, name_node);
        definition.signature = self.head(node, body);
        definition.doc = body.and_then(|body| docs::docstring(body, self.text)).unwrap_or_default();
        definition.flags.is_property = marks.is_property;
        definition.flags.is_static = marks.is_static || marks.is_class_method;
        definition.flags.is_abstract = marks.is_abstract;
        definition.flags.is_async = node.child(0).is_some_and(|child| child.kind() == "async");
        definition.flags.is_test |= class.is_none() && test_code::is_test_function(self.slice(name_node));
        let id = self.facts.define(definition, String::new());
        self.bind(self.at.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        self.decorator_uses(id, decorators);

        let scope = self.open(ScopeKind::Function, id);
        self.facts.definition_mut(id).scope = scope;
        let outer_at = self.at;
        let outer_frame = std::mem::take(&mut self.frame);
        let outer_variables = std::mem::take(&mut self.used_type_variables);
        let bound_before = self.bound_type_variables.len();
        self.frame.receiver = outer_frame.receiver;
        self.frame.class = outer_frame.class;
        self.frame.takes_fixtures =
            self.in_test && (marks.is_fixture || test_code::is_test_function(self.slice(name_node)));
        self.at = Place { source: Some(id), body: Some(id), class: None, ..outer_at };
        self.declared_type_parameters(node, id, scope);
        if let Some(parameters) = field(node, FIELDS.parameters) {
            let receives = class.filter(|_| !marks.is_static);
            let is_class_method = marks.is_class_method
                || matches!(self.slice(name_node), "__new__" | "__init_subclass__" | "__class_getitem__");
            self.parameters(parameters, id, scope, receives, is_class_method);
        }
        let result = field(node, FIELDS.return_type).map(|result| self.annotation(result));
        self.facts.definition_mut(id).result = result;
        self.bind_type_variables(id, scope);
        self.at = Place { scope, source: Some(id), body: Some(id), class: None, is_local: true };
        self.names.push(name);
        if let Some(body) = body {
            self.block(body);
        }
        self.names.pop();
        self.bound_type_variables.truncate(bound_before);
        self.used_type_variables = outer_variables;
        self.at = outer_at;
        let frame = std::mem::replace(&mut self.frame, outer_frame);
        self.results(id, frame, &marks);
    }

    /// What a function gives back: from its annotation, or from what it returns and yields.
    fn results(&mut self, id: DefId, frame: Frame, marks: &Marks) {
        let declared = self.facts.definition(id).result;
        if marks.makes_context || (marks.is_fixture && frame.is_generator) {
            let yielded = match declared.map(|result| self.facts.get(result)) {
                Some(Expr::Apply { args, .. } | Expr::Builtin { args, .. }) => args.first().copied(),
                Some(_) => None,
                None => Some(self.union(frame.yields)),
            };
            // A test gets what its fixture yields as it is.
            let wrapped = match yielded.filter(|_| marks.is_fixture) {
                Some(yielded) => yielded,
                None => self.facts.builtin("ContextManager", yielded.into_iter().collect()),
            };
            let definition = self.facts.definition_mut(id);
            match declared {
                Some(_) => definition.result = Some(wrapped),
                None => definition.returns = vec![wrapped],
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

    /// The text of a function or class up to its body, on one line.
    pub(super) fn head(&self, node: Node<'_>, body: Option<Node<'_>>) -> String {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = self.text.get(node.start_byte()..end).unwrap_or("");
        // A comment between the colon and the body is no part of the head.
        let mut head = docs::fold(text.lines().map(|line| line.split(" #").next().unwrap_or("")));
        while head.ends_with([':', ' ']) {
            head.pop();
        }
        head
    }

    pub(super) fn open(&mut self, kind: ScopeKind, id: DefId) -> ScopeId {
        let parent = Some(self.at.scope);
        self.facts.scope(Scope { parent, kind, definition: Some(id), extension: None, module_name: None })
    }

    fn decorator_uses(&mut self, id: DefId, decorators: &[Node<'_>]) {
        let outer = self.at;
        self.at.source = Some(id);
        self.at.body = Some(id);
        for decorator in decorators {
            if let Some(expression) = first_child(*decorator) {
                self.decorator(expression);
            }
        }
        self.at = outer;
    }

    /// True for the literal `None`.
    pub(super) fn is_none(&self, expr: ExprId) -> bool {
        matches!(self.facts.get(expr), Expr::Builtin { name, .. } if self.facts.text(*name) == "None")
    }

    /// A class; `outer` is the node with its decorators.
    pub(super) fn class(&mut self, node: Node<'_>, outer: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = field(node, FIELDS.name) else { return };
        let name = self.atom(name_node);
        let body = field(node, FIELDS.body);
        let bases: Vec<Node<'_>> = field(node, FIELDS.superclasses).map(children).unwrap_or_default();
        let is_protocol = bases.iter().any(|base| self.last_name(*base) == "Protocol");
        let kind = if is_protocol { SymbolKind::Interface } else { SymbolKind::Type };
        let mut definition = self.blank(name, kind, outer, name_node);
        definition.signature = self.head(node, body);
        definition.doc = body.and_then(|body| docs::docstring(body, self.text)).unwrap_or_default();
        let functions = body.map(|body| self.function_names(body)).unwrap_or_default();
        let is_test = self.in_test || self.is_test_class(self.slice(name_node), &bases, &functions);
        definition.flags.is_test = is_test;
        let id = self.facts.define(definition, String::new());
        self.methods.extend(functions.into_iter().map(|function| (id, function)));
        self.bind(self.at.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        self.decorator_uses(id, decorators);

        let scope = self.open(ScopeKind::Type, id);
        let outer_at = self.at;
        let outer_test = std::mem::replace(&mut self.in_test, is_test);
        let outer_frame = std::mem::take(&mut self.frame);
        let outer_variables = std::mem::take(&mut self.used_type_variables);
        let bound_before = self.bound_type_variables.len();
        self.at = Place { source: Some(id), body: Some(id), class: None, ..outer_at };
        self.declared_type_parameters(node, id, scope);
        let is_enum = self.bases(&bases, id);
        self.facts.definition_mut(id).scope = scope;
        self.bind_type_variables(id, scope);
        self.at = Place { scope, class: Some(id), ..self.at };
        self.names.push(name);
        if let Some(body) = body {
            self.block(body);
        }
        self.names.pop();
        self.bound_type_variables.truncate(bound_before);
        self.used_type_variables = outer_variables;
        self.frame = outer_frame;
        self.in_test = outer_test;
        self.at = outer_at;
        if is_enum {
            self.mark_variants(id);
        }
    }

    /// Notes the bases of a class; true when it is an enumeration.
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
                    let expr = self.base(*node);
                    let base = Base { expr, relation: BaseRelation::Extends };
                    self.facts.definition_mut(id).bases.push(base);
                }
            }
        }
        is_enum
    }

    /// Plain assignments in an enumeration's body are its members.
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

    fn is_test_class(&self, name: &str, bases: &[Node<'_>], functions: &[Atom]) -> bool {
        let by_name = name.starts_with("Test") || bases.iter().any(|base| self.last_name(*base).ends_with("TestCase"));
        by_name && functions.iter().any(|function| test_code::is_test_function(self.facts.text(*function)))
    }

    /// `name = lambda …` is a function of that name.
    pub(super) fn lambda_definition(&mut self, name_node: Node<'_>, lambda: Node<'_>, statement: Node<'_>) {
        let name = self.atom(name_node);
        let class = self.at.class;
        let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
        let mut definition = self.blank(name, kind, statement, name_node);
        definition.signature = self.head(statement, field(lambda, FIELDS.body));
        let id = self.facts.define(definition, String::new());
        self.bind(self.at.scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        let scope = self.open(ScopeKind::Function, id);
        self.facts.definition_mut(id).scope = scope;
        let outer_at = self.at;
        let outer_frame = std::mem::take(&mut self.frame);
        self.frame.receiver = outer_frame.receiver;
        self.frame.class = outer_frame.class;
        self.at = Place { source: Some(id), body: Some(id), class: None, ..outer_at };
        if let Some(parameters) = field(lambda, FIELDS.parameters) {
            self.parameters(parameters, id, scope, class, false);
        }
        self.at = Place { scope, is_local: true, ..self.at };
        let result = fields(lambda, FIELDS.body).first().map(|body| self.value(*body));
        self.facts.definition_mut(id).returns = result.into_iter().collect();
        self.frame = outer_frame;
        self.at = outer_at;
    }
}
