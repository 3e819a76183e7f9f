//! Functions: declarations, methods, function literals assigned to variables, lambdas.

use tree_sitter::Node;

use super::docs;
use super::state::Ts;
use crate::facts::{Atom, BindingKind, Container, DefId, Expr, ExprId, Flags, Role, ScopeKind};
use crate::lang::common::walker::Context;
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

/// The parts of a function's definition that its surroundings determine.
#[derive(Debug, Clone, Copy)]
pub struct FunctionHeader<'a> {
    pub name: Atom,
    pub name_node: Node<'a>,
    /// The node that is the definition's span.
    pub outer: Node<'a>,
    /// The node where the signature starts.
    pub declaration: Node<'a>,
    pub kind: SymbolKind,
    pub container: Container,
    pub flags: Flags,
    /// The type expected by the context.
    pub contextual: Expected,
    /// The annotation of the variable or field that the function is assigned to. References in it belong to the
    /// function.
    pub annotation: Option<Node<'a>>,
}

impl<'a> FunctionHeader<'a> {
    /// Creates the header of a function that is neither a member nor context-sensitive.
    pub fn new(name: Atom, name_node: Node<'a>, outer: Node<'a>, declaration: Node<'a>) -> FunctionHeader<'a> {
        FunctionHeader {
            name,
            name_node,
            outer,
            declaration,
            kind: SymbolKind::Function,
            container: Container::Module,
            flags: Flags::default(),
            contextual: Expected::None,
            annotation: None,
        }
    }
}

/// State that is restored at the end of a function.
struct SavedContext {
    context: Context,
    name_overrides: usize,
    hidden_types: usize,
    scope_names: usize,
    is_handed_over: bool,
}

impl<'a> Ts<'_, 'a> {
    /// Adds `function name() {}`, or an overload without a body.
    pub fn function_declaration(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(name_node) = self.field(node, "name") else { return };
        let name = self.atom_of(name_node);
        let flags = Flags { is_abstract: node.kind() == "function_signature", ..Flags::default() };
        let header = FunctionHeader { flags, ..FunctionHeader::new(name, name_node, outer, node) };
        let id = self.function_without_this(node, header);
        self.shadow(name);
        self.bind_here(name, name_node.start_byte() as u32, BindingKind::Definition(id));
    }

    /// Adds `const name = () => …`.
    pub fn function_variable(
        &mut self,
        node: Node<'a>,
        name_node: Node<'a>,
        outer: Node<'a>,
        (statement, (function, cast)): (Node<'a>, (Node<'a>, Option<Node<'a>>)),
    ) {
        let name = self.atom_of(name_node);
        let declaration = if outer == node { node } else { statement };
        let header = FunctionHeader {
            annotation: self.field(node, "type").or(cast),
            ..FunctionHeader::new(name, name_node, outer, declaration)
        };
        let id = match function.kind() {
            "arrow_function" => self.function(function, header),
            _ => self.function_without_this(function, header),
        };
        self.shadow(name);
        self.bind_here(name, name_node.start_byte() as u32, BindingKind::Definition(id));
    }

    /// Adds the definition of a function and visits its body. Does not bind its name.
    pub fn function(&mut self, node: Node<'a>, header: FunctionHeader<'a>) -> DefId {
        let scope = self.open_scope(ScopeKind::Function, None);
        let body = self.field(node, "body");
        let mut definition = self.new_definition(header.name, header.kind, header.outer, header.name_node);
        definition.container = header.container;
        definition.scope = scope;
        definition.flags = Flags {
            is_test: definition.flags.is_test,
            is_local: definition.flags.is_local,
            is_async: self.has_token(node, "async"),
            ..header.flags
        };
        let end = body.map_or(header.outer.end_byte(), |body| body.start_byte());
        definition.signature = docs::signature(self.text, self.declaration_start(header.declaration), end);
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(scope).definition = Some(id);

        let saved = self.enter_function(id, scope, header.name);
        let type_parameters = self.type_parameters(node, Some(id));
        let declared = header.annotation.map(|annotation| {
            let value_type = self.annotation(annotation);
            self.instance(value_type)
        });
        let contextual = match declared {
            Some(declared) => self.expected(Expected::Value(declared)),
            None => self.expected(header.contextual),
        };
        let parameters = self.parameters(node, contextual.map(|function| (function, Expected::Value(function))));
        let result = self.result_type(node);
        let mut returns = self.body(node, body, result, contextual);
        if let (None, Some(_), Some(contextual)) = (result, declared, contextual) {
            returns.insert(0, self.facts.expr(Expr::Call { callee: contextual, args: Vec::new() }));
        }
        self.leave_function(saved);

        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters.into();
        definition.parameters = parameters.into();
        definition.result = result;
        definition.returns = returns.into();
        id
    }

    /// Like [`Ts::function`] for a function whose `this` depends on the caller. In JavaScript a function with a capital
    /// letter makes instances of itself.
    fn function_without_this(&mut self, node: Node<'a>, header: FunctionHeader<'a>) -> DefId {
        let this = self.context.this;
        let is_constructor = self.state().is_script
            && header.container == Container::Module
            && self.facts.text(header.name).starts_with(char::is_uppercase);
        self.context.this = if is_constructor {
            let name = self.name(header.name);
            self.facts.expr(Expr::Instance(name))
        } else {
            self.unknown
        };
        let id = self.function(node, header);
        self.context.this = this;
        id
    }

    /// Returns the state of the surroundings of a function, whose body is not what is handed over.
    fn save(&mut self) -> SavedContext {
        SavedContext {
            context: self.context,
            name_overrides: self.state().name_overrides.len(),
            hidden_types: self.hidden_types.len(),
            scope_names: self.scope_names.len(),
            is_handed_over: std::mem::take(&mut self.state().is_handed_over),
        }
    }

    fn enter_function(&mut self, id: DefId, scope: crate::facts::ScopeId, name: Atom) -> SavedContext {
        let saved = self.save();
        self.scope_names.push(name);
        let this = self.context.this;
        self.context = Context { scope, source: Some(id), parent: Some(id), this, is_local: true, ..self.context };
        saved
    }

    fn leave_function(&mut self, saved: SavedContext) {
        self.context = saved.context;
        self.state().name_overrides.truncate(saved.name_overrides);
        self.hidden_types.truncate(saved.hidden_types);
        self.scope_names.truncate(saved.scope_names);
        self.state().is_handed_over = saved.is_handed_over;
    }

    /// Visits a function's body. Returns the returned values if no result is declared.
    fn body(
        &mut self,
        node: Node<'a>,
        body: Option<Node<'a>>,
        result: Option<ExprId>,
        contextual: Option<ExprId>,
    ) -> Vec<ExprId> {
        let expected = match (result, contextual) {
            (Some(result), _) => {
                let value = self.instance(result);
                // The declared result of an async function includes the promise.
                let is_async = self.has_token(node, "async");
                Expected::Value(if is_async { self.facts.expr(Expr::Unwrap(value)) } else { value })
            }
            (None, Some(function)) => {
                Expected::Value(self.facts.expr(Expr::Call { callee: function, args: Vec::new() }))
            }
            (None, None) => Expected::None,
        };
        let returns = self.collect_returns(|walker| {
            let mut ts = Ts::new(walker);
            ts.state().expected_returns.push(expected);
            match body {
                Some(body) if body.kind() == "statement_block" => ts.statements(body),
                Some(body) => {
                    let value = ts.returned_value(body, expected);
                    ts.add_return(value);
                }
                None => {}
            }
            ts.state().expected_returns.pop();
        });
        if result.is_some() { Vec::new() } else { returns }
    }

    /// Returns the declared result type.
    fn result_type(&mut self, node: Node<'a>) -> Option<ExprId> {
        let annotation = self.field(node, "return_type").or_else(|| self.field(node, "type"))?;
        Some(self.annotation(annotation))
    }

    /// Visits a function literal without a definition of its own, and returns its function type.
    pub fn lambda(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        if let Some(name_node) = self.field(node, "name") {
            return self.named_literal(node, name_node, contextual);
        }
        let saved = self.save();
        let scope = self.open_scope(ScopeKind::Function, None);
        self.context.scope = scope;
        self.context.is_local = true;
        if node.kind() != "arrow_function" {
            self.context.this = self.unknown;
        }
        self.type_parameters(node, None);
        let expected = match contextual {
            Expected::Argument(..) => Some((self.unknown, contextual)),
            _ => self.expected(contextual).map(|function| (function, contextual)),
        };
        let parameters = self.parameters(node, expected);
        let result = self.result_type(node);
        let is_async = self.has_token(node, "async");
        let body = self.field(node, "body");
        let contextual = self.expected(contextual);
        let returned = self.lambda_result(node, body, result, contextual);
        self.leave_function(saved);
        let unknown = self.unknown;
        let params = parameters.iter().map(|parameter| parameter.value_type.unwrap_or(unknown)).collect();
        let result = match returned {
            Some(result) if is_async => Some(self.facts.builtin("Promise", vec![result])),
            other => other,
        };
        self.facts.expr(Expr::Function { params, result })
    }

    /// Returns the result of a lambda: the declared one, or the union of the returned values.
    fn lambda_result(
        &mut self,
        node: Node<'a>,
        body: Option<Node<'a>>,
        result: Option<ExprId>,
        contextual: Option<ExprId>,
    ) -> Option<ExprId> {
        let returns = self.body(node, body, result, contextual);
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

    /// Visits `function name() {}` inside an expression, whose code runs it or hands it over. The name is only bound in its
    /// own scope.
    fn named_literal(&mut self, node: Node<'a>, name_node: Node<'a>, contextual: Expected) -> ExprId {
        let name = self.atom_of(name_node);
        let header = FunctionHeader { contextual, ..FunctionHeader::new(name, name_node, node, node) };
        let id = self.function_without_this(node, header);
        let scope = self.facts.definition(id).scope;
        self.facts.bind(scope, name, name_node.start_byte() as u32, BindingKind::Definition(id));
        let function = self.facts.expr(Expr::Definition(id));
        let mut outer = node;
        while let Some(parent) = outer.parent().filter(|parent| parent.kind() == "parenthesized_expression") {
            outer = parent;
        }
        let is_called = outer.parent().is_some_and(|parent| self.field(parent, "function") == Some(outer));
        self.refer(function, name_node, if is_called { Role::Call } else { Role::Read });
        function
    }
}
