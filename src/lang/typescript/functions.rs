//! Functions of every form: declarations, methods, variables that hold one, lambdas.

use tree_sitter::Node;

use super::docs;
use super::grammar::Kind;
use super::walker::{Context, Place, Walker};
use crate::facts::{Atom, BindingKind, Container, DefId, Expr, ExprId, Flags, ScopeKind};
use crate::model::SymbolKind;

/// What a function is to be called, and of what it is a part.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    pub name: Atom,
    pub name_node: Node<'a>,
    /// The text of the whole definition.
    pub outer: Node<'a>,
    /// Where its signature begins.
    pub header: Node<'a>,
    pub kind: SymbolKind,
    pub container: Container,
    pub flags: Flags,
    /// What the surroundings say of its type.
    pub context: Context,
    /// The annotation of the variable or field that holds it: a use of the function's own.
    pub annotation: Option<Node<'a>>,
    /// A function expression whose name only it sees.
    pub is_inner: bool,
}

/// What is put back when a function's end is reached.
struct Outside {
    place: Place,
    known: usize,
    type_names: usize,
    names: usize,
}

impl<'a> Walker<'a> {
    /// `function name() {}`, also without a body.
    pub fn function_declaration(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(name_node) = self.field(node, self.fields.name) else { return };
        let name = self.facts.atom(self.source(name_node));
        let flags = Flags { is_abstract: self.kind(node) == Kind::FunctionSignature, ..Flags::default() };
        let shape = Shape {
            name,
            name_node,
            outer,
            header: node,
            kind: SymbolKind::Function,
            container: Container::Module,
            flags,
            context: Context::None,
            annotation: None,
            is_inner: false,
        };
        let scope = self.place.scope;
        let id = self.function_without_this(node, shape);
        self.hide(name);
        self.facts.bind(scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
    }

    /// `const name = () => …`.
    pub fn function_variable(
        &mut self,
        node: Node<'a>,
        name_node: Node<'a>,
        outer: Node<'a>,
        (statement, (function, cast)): (Node<'a>, (Node<'a>, Option<Node<'a>>)),
    ) {
        let name = self.facts.atom(self.source(name_node));
        let header = if outer == node { node } else { statement };
        let shape = Shape {
            name,
            name_node,
            outer,
            header,
            kind: SymbolKind::Function,
            container: Container::Module,
            flags: Flags::default(),
            context: Context::None,
            annotation: self.field(node, self.fields.annotation).or(cast),
            is_inner: false,
        };
        let scope = self.place.scope;
        let id = match self.kind(function) {
            Kind::Arrow => self.function(function, shape),
            _ => self.function_without_this(function, shape),
        };
        self.hide(name);
        self.facts.bind(scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
    }

    /// Adds the definition of a function and walks it. It is bound nowhere yet.
    pub fn function(&mut self, node: Node<'a>, shape: Shape<'a>) -> DefId {
        let scope = self.open(ScopeKind::Function, None);
        let body = self.field(node, self.fields.body);
        let mut definition = self.blank(shape.name, shape.kind, shape.outer, shape.name_node);
        definition.container = shape.container;
        definition.scope = scope;
        definition.flags = Flags {
            is_test: definition.flags.is_test,
            is_local: definition.flags.is_local,
            is_async: self.has_token(node, "async"),
            ..shape.flags
        };
        let end = body.map_or(shape.outer.end_byte(), |body| body.start_byte());
        definition.signature = docs::signature(self.text, self.declaration_start(shape.header), end);
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(scope).definition = Some(id);

        let outside = self.enter(id, scope, shape.name);
        // A named function in the middle of an expression only works for what is around it.
        if shape.is_inner {
            self.place.source = outside.place.source.or(Some(id));
        }
        if shape.flags.is_abstract {
            self.place.defines_members = outside.place.defines_members;
        }
        let type_parameters = self.type_parameters(node, Some(id));
        let declared = shape.annotation.map(|annotation| {
            let value_type = self.annotation(annotation);
            self.instance(value_type)
        });
        let context = match declared {
            Some(declared) => self.expected(Context::Value(declared)),
            None => self.expected(shape.context),
        };
        let parameters = self.parameters(node, context.map(|function| (function, Context::Value(function))));
        let result = self.result_type(node);
        let mut returns = self.body(node, body, result, context);
        if let (None, Some(_), Some(context)) = (result, declared, context) {
            returns.insert(0, self.facts.expr(Expr::Call { callee: context, args: Vec::new() }));
        }
        self.leave(outside);

        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters;
        definition.parameters = parameters;
        definition.result = result;
        definition.returns = returns;
        id
    }

    /// The same for one whose callers decide what `this` is.
    fn function_without_this(&mut self, node: Node<'a>, shape: Shape<'a>) -> DefId {
        let this = std::mem::replace(&mut self.place.this, self.common.unknown);
        let id = self.function(node, shape);
        self.place.this = this;
        id
    }

    fn enter(&mut self, id: DefId, scope: crate::facts::ScopeId, name: Atom) -> Outside {
        let outside = Outside {
            place: self.place,
            known: self.known.len(),
            type_names: self.type_names.len(),
            names: self.names.len(),
        };
        self.names.push(name);
        let this = self.place.this;
        self.place = Place { scope, source: Some(id), owner: Some(id), this, is_local: true, defines_members: false };
        outside
    }

    fn leave(&mut self, outside: Outside) {
        self.place = outside.place;
        self.known.truncate(outside.known);
        self.type_names.truncate(outside.type_names);
        self.names.truncate(outside.names);
    }

    /// Walks a function's body and gives what it returns, where no result is declared.
    fn body(
        &mut self,
        node: Node<'a>,
        body: Option<Node<'a>>,
        result: Option<ExprId>,
        context: Option<ExprId>,
    ) -> Vec<ExprId> {
        let expected = match (result, context) {
            (Some(result), _) => {
                let value = self.instance(result);
                // The result of an async function is declared with its promise around it.
                let is_async = self.has_token(node, "async");
                Context::Value(if is_async { self.facts.expr(Expr::Unwrap(value)) } else { value })
            }
            (None, Some(function)) => {
                Context::Value(self.facts.expr(Expr::Call { callee: function, args: Vec::new() }))
            }
            (None, None) => Context::None,
        };
        self.returns.push(Vec::new());
        self.expected_returns.push(expected);
        if let Some(body) = body {
            if self.kind(body) == Kind::StatementBlock {
                self.statements(body);
            } else {
                let value = self.value(body, expected);
                if let Some(returns) = self.returns.last_mut() {
                    returns.push(value);
                }
            }
        }
        self.expected_returns.pop();
        let mut returns = self.returns.pop().unwrap_or_default();
        if result.is_some() {
            return Vec::new();
        }
        let unknown = self.common.unknown;
        returns.retain(|value| *value != unknown);
        returns.truncate(16);
        returns
    }

    /// The declared result, read as a type.
    fn result_type(&mut self, node: Node<'a>) -> Option<ExprId> {
        let annotation =
            self.field(node, self.fields.return_type).or_else(|| self.field(node, self.fields.annotation))?;
        Some(self.annotation(annotation))
    }

    /// A function literal that no name leads to.
    pub fn lambda(&mut self, node: Node<'a>, context: Context) -> ExprId {
        if let Some(name_node) = self.field(node, self.fields.name) {
            return self.named_literal(node, name_node, context);
        }
        let outside = Outside {
            place: self.place,
            known: self.known.len(),
            type_names: self.type_names.len(),
            names: self.names.len(),
        };
        let scope = self.open(ScopeKind::Function, None);
        self.place.scope = scope;
        self.place.is_local = true;
        self.place.defines_members = false;
        if self.kind(node) != Kind::Arrow {
            self.place.this = self.common.unknown;
        }
        self.type_parameters(node, None);
        let expected = match context {
            Context::Argument(..) => Some((self.common.unknown, context)),
            _ => self.expected(context).map(|function| (function, context)),
        };
        let parameters = self.parameters(node, expected);
        let result = self.result_type(node);
        let is_async = self.has_token(node, "async");
        let body = self.field(node, self.fields.body);
        let context = self.expected(context);
        let returned = self.lambda_result(node, body, result, context);
        self.leave(outside);
        let unknown = self.common.unknown;
        let params = parameters.iter().map(|parameter| parameter.value_type.unwrap_or(unknown)).collect();
        let result = match returned {
            Some(result) if is_async => Some(self.facts.builtin("Promise", vec![result])),
            other => other,
        };
        self.facts.expr(Expr::Function { params, result })
    }

    /// What calling a lambda gives, as a value: the returned values, not what its context expects of them.
    fn lambda_result(
        &mut self,
        node: Node<'a>,
        body: Option<Node<'a>>,
        result: Option<ExprId>,
        context: Option<ExprId>,
    ) -> Option<ExprId> {
        let returns = self.body(node, body, result, context);
        match result {
            Some(result) => {
                let value = self.instance(result);
                let is_async = self.has_token(node, "async");
                Some(if is_async { self.facts.expr(Expr::Unwrap(value)) } else { value })
            }
            None if returns.is_empty() => None,
            None => Some(self.union(returns)),
        }
    }

    /// `function name() {}` in the middle of an expression: the name is only seen from inside.
    fn named_literal(&mut self, node: Node<'a>, name_node: Node<'a>, context: Context) -> ExprId {
        let name = self.facts.atom(self.source(name_node));
        let shape = Shape {
            name,
            name_node,
            outer: node,
            header: node,
            kind: SymbolKind::Function,
            container: Container::Module,
            flags: Flags::default(),
            context,
            annotation: None,
            is_inner: true,
        };
        let id = self.function_without_this(node, shape);
        let scope = self.facts.definition(id).scope;
        self.facts.bind(scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        self.facts.expr(Expr::Definition(id))
    }
}
