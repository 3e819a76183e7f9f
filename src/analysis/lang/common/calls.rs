//! Calls, arguments and instantiations.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::{Call, Expected, Walker};
use crate::facts::{Atom, Expr, ExprId, Role};

/// The callee of a call: its value, and the nodes of its name and of its receiver.
type Callee<'a> = (ExprId, Option<Node<'a>>, Option<Node<'a>>);

impl<'a> Walker<'a> {
    /// Visits a call. Returns its result.
    pub fn call(&mut self, node: Node<'a>, pattern: &'static Pattern) -> ExprId {
        let called = self.callee(node, pattern);
        self.call_of(node, pattern, called)
    }

    /// Visits a call whose callee has been visited: its value, and the nodes of its name and of its receiver.
    pub fn call_of(&mut self, node: Node<'a>, pattern: &'static Pattern, (callee, name, object): Callee<'a>) -> ExprId {
        let nodes = self.argument_nodes(node, pattern);
        let mut values = self.arguments(callee, &nodes);
        if let Some(on_call) = self.dialect.on_call {
            let call = Call { node, callee, name, object, arguments: nodes, values };
            on_call(self, &call);
            values = call.values;
        }
        for (value, label) in values.iter_mut().zip(self.argument_labels(node, pattern)) {
            if let Some(label) = label {
                *value = self.facts.expr(Expr::Labeled { label, value: *value });
            }
        }
        let call = self.facts.expr(Expr::Call { callee, args: values });
        if let Some(name) = name {
            // The arguments are part of the reference where they choose among overloads.
            let expr = if self.dialect.traits.chooses_overloads { call } else { callee };
            self.refer(expr, name, Role::Call);
        } else if self.is_entry(callee) {
            self.refer(callee, node, Role::Call);
        } else if matches!(self.facts.get(callee), Expr::Call { .. } | Expr::Instance(_)) {
            // What a call returns is called.
            let returned = self.facts.expr(Expr::Union(vec![callee]));
            self.refer(returned, node, Role::Call);
        }
        call
    }

    /// Adds a call that an operator, a statement or a function of the language implies: of the first of these methods that
    /// the value's type has. Nothing is called if it has none. Returns the result of the first one.
    pub fn implied_call(&mut self, value: ExprId, methods: &[&str], args: &[ExprId], node: Node<'_>) -> ExprId {
        let (methods, is_own) = match self.facts.get(value) {
            Expr::Unknown => return self.unknown,
            // Types of the language itself run none of the repository, unless that extends them.
            Expr::Builtin { .. } if !self.dialect.traits.names_fit => (&methods[..1], false),
            _ => (methods, true),
        };
        let mut calls = Vec::with_capacity(methods.len());
        for method in methods {
            let name = self.callee_atom(method);
            let callee = self.facts.expr(Expr::Member { base: value, name });
            calls.push(self.facts.expr(Expr::Call { callee, args: args.to_vec() }));
        }
        let first = calls[0];
        if is_own {
            self.refer_to_implied(calls, node);
        }
        first
    }

    /// Adds a reference to the first of these calls whose callee is in the repository.
    pub fn refer_to_implied(&mut self, calls: Vec<ExprId>, node: Node<'_>) {
        let first = self.facts.expr(Expr::FirstOf(calls));
        let implied = self.facts.expr(Expr::Union(vec![first]));
        self.refer(implied, node, Role::Call);
    }

    /// Returns whether a callee is an entry of a table: `TABLE[key]`, or `TABLE.get(key)`.
    pub fn is_entry(&self, callee: ExprId) -> bool {
        match self.facts.get(callee) {
            Expr::Index(_) => true,
            Expr::Call { callee, .. } => match self.facts.get(*callee) {
                Expr::Member { name, .. } => self.facts.text(*name).trim_end_matches("()") == "get",
                _ => false,
            },
            _ => false,
        }
    }

    fn callee(&mut self, node: Node<'a>, pattern: &Pattern) -> Callee<'a> {
        let (callee, name, object) = self.called(node, pattern);
        if !pattern.has(Part::Function) {
            return (callee, name, object);
        }
        let args = self.type_arguments(node, pattern);
        let callee = if args.is_empty() { callee } else { self.facts.expr(Expr::Apply { base: callee, args }) };
        (callee, name, object)
    }

    /// Returns the callee without the type arguments between it and the arguments.
    fn called(&mut self, node: Node<'a>, pattern: &Pattern) -> Callee<'a> {
        let function = self.part(node, pattern, Part::Function).map(self.dialect.options.callee);
        let inner = function.and_then(|function| self.pattern(function));
        // The name and the receiver are parts of the call, or of the function that it calls.
        let (outer, pattern) = match (function, inner) {
            (Some(function), Some(inner)) if inner.action == Action::Member => (function, inner),
            (Some(function), Some(inner)) if inner.action == Action::Name && inner.has(Part::Name) => (function, inner),
            (Some(function), Some(inner)) if inner.action == Action::Name && inner.setting("callee").is_none() => {
                return (self.called_name(function), Some(function), None);
            }
            (Some(function), _) => return (self.visit(function, Role::Call), None, None),
            (None, _) => (node, pattern),
        };
        let type_arguments = self.type_arguments(outer, pattern);
        let Some(name) = self.part(outer, pattern, Part::Name) else { return (self.unknown, None, None) };
        let object = self.part(outer, pattern, Part::Object);
        let mut callee = match object {
            None => self.called_name(name),
            Some(object) => {
                let base = self.visit(object, Role::Read);
                let atom = self.callee_atom(self.name_text(name));
                self.facts.expr(Expr::Member { base, name: atom })
            }
        };
        if !type_arguments.is_empty() {
            callee = self.facts.expr(Expr::Apply { base: callee, args: type_arguments });
        }
        (callee, Some(name), object)
    }

    fn called_name(&mut self, node: Node<'a>) -> ExprId {
        let atom = self.callee_atom(self.name_text(node));
        let own = self.facts.expr(Expr::Name(atom));
        let mut meant = Vec::new();
        for base in self.block_receivers() {
            meant.push(self.facts.expr(Expr::Member { base, name: atom }));
        }
        meant.push(own);
        if let Some(is_value) = self.dialect.options.calls_values {
            let (name, text) = (self.atom_of(node), self.text_of(node));
            if self.is_local(name) || is_value(self, text) {
                meant.push(self.facts.expr(Expr::Name(name)));
            }
        }
        if meant.len() == 1 { own } else { self.facts.expr(Expr::FirstOf(meant)) }
    }

    /// Returns the receivers of the lambdas around, the innermost first, without that of the method around them.
    fn block_receivers(&self) -> Vec<ExprId> {
        let Some(receiver) = self.context.block_receiver else { return Vec::new() };
        match self.facts.get(receiver) {
            Expr::FirstOf(parts) => {
                let is_own = |part: &&ExprId| !matches!(self.facts.get(**part), Expr::Receiver);
                parts.iter().filter(is_own).copied().collect()
            }
            _ => vec![receiver],
        }
    }

    /// Returns the values in the lists of arguments of a call.
    pub fn argument_nodes(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<Node<'a>> {
        // An argument without a list, or none.
        let mut nodes = self.parts(node, pattern, Part::Value);
        for argument in self.listed_arguments(node, pattern) {
            match self.pattern(argument) {
                Some(pattern) if pattern.action == Action::Argument => {
                    nodes.extend(self.parts(argument, pattern, Part::Value).pop());
                }
                _ => nodes.push(argument),
            }
        }
        nodes
    }

    /// Returns the nodes in the lists of arguments of a call, and in lists among these.
    fn listed_arguments(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<Node<'a>> {
        let mut listed = Vec::new();
        for list in self.parts(node, pattern, Part::Arguments) {
            for argument in self.children(list) {
                match self.pattern(argument) {
                    Some(pattern) if pattern.setting("list").is_some() => listed.extend(self.children(argument)),
                    Some(pattern) if pattern.action == Action::Before => {}
                    _ => listed.push(argument),
                }
            }
        }
        listed
    }

    /// Returns the names of the parameters that the arguments of a call are given to, in the order of
    /// [`Walker::argument_nodes`].
    fn argument_labels(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<Option<Atom>> {
        let mut labels = vec![None; self.parts(node, pattern, Part::Value).len()];
        for argument in self.listed_arguments(node, pattern) {
            match self.pattern(argument) {
                Some(pattern) if pattern.action == Action::Argument => {
                    let Some(value) = self.parts(argument, pattern, Part::Value).pop() else { continue };
                    let name = self.part(argument, pattern, Part::Name).filter(|name| *name != value);
                    labels.push(name.map(|name| self.atom_of(name)));
                }
                _ => labels.push(None),
            }
        }
        labels
    }

    /// Visits the arguments of a call. The callee determines the types of the parameters of lambdas.
    pub fn arguments(&mut self, callee: ExprId, nodes: &[Node<'a>]) -> Vec<ExprId> {
        let is_lambda = |walker: &Self, node: Node<'a>| walker.is(node, Action::Lambda);
        let mut values = vec![self.unknown; nodes.len()];
        let before = self.context.argument;
        self.expected = Expected::None;
        for (number, node) in (0_u16..).zip(nodes) {
            if !is_lambda(self, *node) {
                if (self.dialect.options.depends_on_call)(*node, self.text_of(*node)) {
                    let call = self.facts.expr(Expr::Call { callee, args: values.clone() });
                    self.context.argument = Some((call, number));
                }
                let visited = self.visit(*node, Role::Read);
                self.context.argument = before;
                let value = &mut values[usize::from(number)];
                // Of several values in one place, none is the argument of one parameter.
                *value = if self.is(*node, Action::Spread) { self.unknown } else { visited };
            }
        }
        if nodes.iter().any(|node| is_lambda(self, *node)) {
            let call = self.facts.expr(Expr::Call { callee, args: values.clone() });
            let (context, locals) = (self.context, self.flow.locals.len());
            if let Some(enter) = self.dialect.options.enter_lambda {
                enter(self, callee, &values);
            }
            for (argument, node) in (0_u16..).zip(nodes) {
                if let Some(pattern) = self.pattern(*node).filter(|pattern| pattern.action == Action::Lambda) {
                    values[usize::from(argument)] = self.lambda(*node, pattern, Some((call, argument)));
                }
            }
            self.context = context;
            self.flow.locals.truncate(locals);
        }
        values
    }

    /// Visits `new T(…)`. Returns a value of the type.
    pub fn instantiation(&mut self, node: Node<'a>, pattern: &Pattern, role: Role) -> ExprId {
        let mut known = self.unknown;
        if let Some(part) = self.part(node, pattern, Part::Type) {
            known = self.type_expr(part, Some(Role::Call));
            if role == Role::Raise {
                let name = self.outermost(known);
                self.refer_to_type(name, part, Role::Raise);
            }
        }
        let nodes = self.argument_nodes(node, pattern);
        self.arguments(known, &nodes);
        if let Some(body) = self.part(node, pattern, Part::Body) {
            let base = self.instance(known);
            self.anonymous_body(body, base);
        }
        self.instance(known)
    }
}
