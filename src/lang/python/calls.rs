//! Calls, decorators and lambdas.

use tree_sitter::Node;

use super::extract::Walker;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Expr, ExprId, Role};

impl Walker<'_> {
    /// Adds a call.
    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = field(node, FIELDS.function) else { return self.unknown };
        let arguments = field(node, FIELDS.arguments);
        let argument_nodes = match arguments {
            Some(list) if kind(list) == Kind::GeneratorExpression => vec![list],
            Some(list) => children(list),
            None => Vec::new(),
        };
        if let Some(special) = self.special_form_call(function, &argument_nodes) {
            return special;
        }
        self.record_signals(function, &argument_nodes);
        let callee = self.value_as(function, Role::Call);
        self.call_with_arguments(callee, &argument_nodes)
    }

    /// Adds a call of `callee` and walks its arguments.
    fn call_with_arguments(&mut self, callee: ExprId, argument_nodes: &[Node<'_>]) -> ExprId {
        let mut args = Vec::with_capacity(argument_nodes.len());
        let mut lambdas = Vec::new();
        for argument in argument_nodes {
            let (value, is_splat) = match kind(*argument) {
                Kind::KeywordArgument => (field(*argument, FIELDS.value), false),
                Kind::ListSplat | Kind::DictionarySplat => (first_child(*argument), true),
                _ => (Some(*argument), false),
            };
            let Some(value) = value else { continue };
            if kind(value) == Kind::Lambda {
                lambdas.push((args.len(), value));
                args.push(self.unknown);
                continue;
            }
            let expr = self.value(value);
            args.push(if is_splat { self.unknown } else { expr });
        }
        if lambdas.is_empty() {
            return self.facts.expr(Expr::Call { callee, args });
        }
        // The types of the lambdas' parameters depend on the call without the lambdas.
        let call = self.facts.expr(Expr::Call { callee, args: args.clone() });
        for (index, lambda) in lambdas {
            args[index] = self.lambda(lambda, Some((call, index as u16)));
        }
        self.facts.expr(Expr::Call { callee, args })
    }

    /// Adds a call that Python or its type checkers treat specially: `super`, `isinstance`, `cast`, `type`, `TypeVar`.
    fn special_form_call(&mut self, function: Node<'_>, argument_nodes: &[Node<'_>]) -> Option<ExprId> {
        let name = match kind(function) {
            Kind::Identifier => self.text_of(function),
            Kind::Attribute => {
                let object = field(function, FIELDS.object).map_or("", |object| self.text_of(object));
                let is_typing = matches!(object, "t" | "typing" | "typing_extensions" | "te");
                if is_typing { self.last_name(function) } else { "" }
            }
            _ => return None,
        };
        match (name, argument_nodes) {
            ("super", _) => {
                let named: Vec<ExprId> = argument_nodes.iter().map(|argument| self.value(*argument)).collect();
                // `super(C, self)` starts after `C`, which is usually the enclosing class.
                let class = named.first().copied().filter(|class| matches!(self.facts.get(*class), Expr::Name(_)));
                Some(self.facts.expr(class.map_or(Expr::Parent, Expr::ParentOf)))
            }
            ("isinstance" | "issubclass", [value, classes]) => {
                self.words(name);
                self.value(*value);
                self.class_instances(*classes);
                Some(self.builtin("bool"))
            }
            ("cast", [target, value]) => {
                self.value_as(function, Role::Call);
                let target = self.annotation(*target);
                self.value(*value);
                Some(self.facts.expr(Expr::Instance(target)))
            }
            ("type", [value]) => {
                let value = self.value(*value);
                match self.facts.get(value) {
                    Expr::Receiver => Some(self.facts.expr(Expr::ReceiverType)),
                    _ => {
                        let callee = self.facts.name("type");
                        Some(self.facts.expr(Expr::Call { callee, args: vec![value] }))
                    }
                }
            }
            ("TypeVar" | "ParamSpec", [_, rest @ ..]) => {
                self.value_as(function, Role::Call);
                for argument in rest {
                    match (kind(*argument), field(*argument, FIELDS.value)) {
                        (Kind::KeywordArgument, Some(value)) => self.annotation(value),
                        _ => self.annotation(*argument),
                    };
                }
                Some(self.unknown)
            }
            _ => None,
        }
    }

    /// Adds an instance of the classes of `isinstance` or `except`: of one class, or of any in a tuple or union.
    pub(super) fn class_instances(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Tuple | Kind::ExpressionList => {
                let parts = children(node).into_iter().map(|part| self.class_instances(part)).collect();
                self.union(parts)
            }
            Kind::BinaryOperator => {
                let parts = children(node).into_iter().map(|part| self.class_instances(part)).collect();
                self.union(parts)
            }
            Kind::ParenthesizedExpression => {
                first_child(node).map_or(self.unknown, |inner| self.class_instances(inner))
            }
            _ => {
                let class = self.value(node);
                self.facts.expr(Expr::Instance(class))
            }
        }
    }

    /// Walks a decorator; the current source is the decorated definition.
    pub(super) fn decorator(&mut self, node: Node<'_>) {
        if kind(node) == Kind::Call {
            let Some(function) = field(node, FIELDS.function) else { return };
            let argument_nodes = field(node, FIELDS.arguments).map(children).unwrap_or_default();
            self.route_decorator(function, &argument_nodes);
            self.fixture_decorator(function, &argument_nodes);
            let callee = self.value_as(function, Role::Decorator);
            self.call_with_arguments(callee, &argument_nodes);
        } else {
            let is_accessor = matches!(self.last_name(node), "setter" | "deleter" | "getter");
            if !is_accessor {
                self.value_as(node, Role::Decorator);
            }
        }
    }

    /// Adds the fixtures that `@pytest.mark.usefixtures("name")` names.
    fn fixture_decorator(&mut self, function: Node<'_>, arguments: &[Node<'_>]) {
        if self.in_test && self.last_name(function) == "usefixtures" {
            for argument in arguments {
                let Some(text) = self.string_literal(*argument) else { continue };
                let name = self.facts.atom(text);
                self.fixture(name, argument.start_byte() as u32);
            }
        }
    }

    /// Adds a lambda. `argument` is the call that the lambda is an argument of, and its index there.
    pub(super) fn lambda(&mut self, node: Node<'_>, argument: Option<(ExprId, u16)>) -> ExprId {
        let outer = self.frame.locals.len();
        let mut params = Vec::new();
        let parameters = field(node, FIELDS.parameters).map(children).unwrap_or_default();
        for (index, parameter) in parameters.into_iter().enumerate() {
            let name_node = match kind(parameter) {
                Kind::Identifier => Some(parameter),
                Kind::DefaultParameter => field(parameter, FIELDS.name),
                Kind::ListSplatPattern | Kind::DictionarySplatPattern => first_child(parameter),
                _ => None,
            };
            let default = field(parameter, FIELDS.value).map(|value| self.value(value));
            let Some(name_node) = name_node else { continue };
            let value = match (argument, default) {
                (Some((call, argument)), _) if kind(parameter) == Kind::Identifier => {
                    self.facts.expr(Expr::LambdaParameter { call, argument, parameter: index as u16 })
                }
                (_, Some(default)) => default,
                _ => self.unknown,
            };
            let name = self.atom(name_node);
            self.frame.locals.push(name, value);
            params.push(self.unknown);
        }
        let body = field(node, FIELDS.body).map(|body| self.value(body));
        self.frame.locals.truncate(outer);
        self.facts.expr(Expr::Function { params, result: body })
    }
}
