//! Expressions: names, members, calls, lambdas.

use tree_sitter::Node;

use super::docs;
use super::patterns::{Action, Part, Pattern};
use super::walker::{Expected, Walker};
use crate::facts::{Container, Expr, ExprId, Role, ScopeKind};

/// Maximum number of alternatives in a union, and of returned values of a function.
pub(super) const MAX_ALTERNATIVES: usize = 16;

/// The name of the function from the types of operands to that of their result, which the rules of a language apply.
pub const ARITHMETIC: &str = "arithmetic";

/// Maximum number of elements of a literal that determine its element type.
const MAX_LITERAL_ELEMENTS: usize = 4;

impl<'a> Walker<'a> {
    /// Visits a node in a position of values, statements or definitions. Returns its value; `role` is the role in which
    /// its surroundings use it.
    pub fn visit(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let unknown = self.unknown;
        let pattern = self.pattern(node);
        // An action passes on what is expected of its own node, or nothing.
        if !pattern.is_some_and(|pattern| pattern.action == Action::Hook || is_told(pattern)) {
            self.expected = Expected::None;
        }
        let Some(pattern) = pattern else {
            self.visit_children(node);
            return unknown;
        };
        // A hook runs without the frame of all actions, so that deep trees need less stack.
        match pattern.hook {
            Some(hook) => self.descend(unknown, |walker| hook(walker, node, role)),
            None => self.descend(unknown, |walker| walker.visit_by_pattern(node, pattern, role)),
        }
    }

    fn visit_by_pattern(&mut self, node: Node<'a>, pattern: &'static Pattern, role: Role) -> ExprId {
        match pattern.action {
            Action::Name if pattern.setting("receiver") == Some(self.text_of(node)) => self.facts.expr(Expr::Receiver),
            Action::Name if pattern.setting("receiver_type") == Some(self.text_of(node)) => {
                self.facts.expr(Expr::ReceiverType)
            }
            Action::Name => {
                let name = self.part(node, pattern, Part::Name).unwrap_or(node);
                self.name(name, role)
            }
            Action::Member => self.member(node, pattern, role),
            Action::Call => self.call(node, pattern),
            Action::New => self.instantiation(node, pattern, role),
            Action::Index => self.index(node, pattern),
            Action::Cast => self.cast(node, pattern),
            Action::Logic => self.logic(node, pattern),
            Action::Literal | Action::Not => {
                self.visit_children(node);
                let name = pattern.type_of_literal(self.text_of(node)).unwrap_or("?");
                self.facts.builtin(name, Vec::new())
            }
            Action::Receiver => self.context.block_receiver.unwrap_or_else(|| self.facts.expr(Expr::Receiver)),
            Action::Parent => self.facts.expr(Expr::Parent),
            Action::Either => self.either(node, pattern),
            Action::Collection => self.collection(node, pattern),
            Action::Tuple => {
                let parts = self.children(node).into_iter().map(|part| self.visit(part, Role::Read)).collect();
                self.facts.expr(Expr::Tuple(parts))
            }
            Action::Spread => {
                let value = self.sequence(node);
                self.facts.expr(Expr::Element(value))
            }
            Action::Unwrap => self.unwrapped(node, pattern),
            Action::Before => {
                if role == Role::Decorator {
                    self.visit_children(node);
                }
                self.unknown
            }
            Action::Pair => match (self.part(node, pattern, Part::Left), self.part(node, pattern, Part::Right)) {
                (Some(key), Some(value)) => {
                    let pair = vec![self.visit(key, Role::Read), self.visit(value, Role::Read)];
                    self.facts.expr(Expr::Tuple(pair))
                }
                _ => self.sequence(node),
            },
            Action::Sequence => self.sequence(node),
            Action::Group => match self.children(node).as_slice() {
                &[only] => self.visit(only, role),
                _ => {
                    self.visit_children(node);
                    self.unknown
                }
            },
            Action::Argument => match self.parts(node, pattern, Part::Value).last() {
                Some(&value) => self.visit(value, role),
                None => self.unknown,
            },
            Action::Lambda => self.lambda(node, pattern, None),
            Action::Assign => self.assignment(node, pattern),
            Action::Block => self.block(node),
            Action::Decorator => self.decorator(node, pattern),
            _ => {
                self.statement(node, pattern);
                self.unknown
            }
        }
    }

    /// Visits a value of a type, if that is known. It tells the types of the parameters of a lambda.
    pub(super) fn visit_as(&mut self, node: Node<'a>, known: Option<ExprId>) -> ExprId {
        let known = known.filter(|known| *known != self.unknown && self.is_contextual(node));
        self.expected = known.map_or(Expected::None, |known| Expected::Value(self.instance(known)));
        let value = self.visit(node, Role::Read);
        self.expected = Expected::None;
        value
    }

    /// Returns whether the type that is expected of a value can tell more about it.
    pub(super) fn is_contextual(&self, node: Node<'a>) -> bool {
        self.pattern(node).is_some_and(is_told)
    }

    /// Returns whether a node can be visited twice: nothing in it is, in turn.
    pub(super) fn is_plain(&self, node: Node<'_>) -> bool {
        !self.text_of(node).contains(['(', '[', '{'])
    }

    /// Returns a parameter of the function that is expected: by a call that it is an argument of, or by what is around it.
    pub(super) fn expected_parameter(&mut self, expected: Expected, parameter: u16) -> Option<ExprId> {
        let parameter = match expected {
            Expected::None => return None,
            Expected::Value(function) => Expr::ParameterOf { function, parameter },
            Expected::Argument(call, argument) => Expr::LambdaParameter { call, argument, parameter },
        };
        Some(self.facts.expr(parameter))
    }

    /// Returns the content of a value, which can also be assigned.
    fn unwrapped(&mut self, node: Node<'a>, pattern: &'static Pattern) -> ExprId {
        let value = self.part(node, pattern, Part::Value);
        let value = value.map_or(self.unknown, |value| self.visit(value, Role::Read));
        let content = if value == self.unknown { value } else { self.facts.expr(Expr::Unwrap(value)) };
        if let Some(target) = self.part(node, pattern, Part::Left) {
            self.assign(target, content);
        }
        content
    }

    fn statement(&mut self, node: Node<'a>, pattern: &'static Pattern) {
        match pattern.action {
            Action::If => self.if_statement(node, pattern),
            Action::While => self.while_loop(node, pattern),
            Action::Jump => self.jump(),
            Action::Try => self.try_statement(node, pattern),
            Action::Assert => self.assertion(node, pattern),
            Action::Loop if pattern.has(Part::Left) => self.value_loop(node, pattern),
            Action::Loop => self.element_loop(node, pattern),
            Action::Return => self.return_statement(node, pattern),
            Action::Raise => self.raise(node, pattern),
            Action::Package => {
                let name = self.part(node, pattern, Part::Name).unwrap_or(node);
                let name = self.text_of(name);
                self.facts.package(name);
                if pattern.setting("doc").is_some() {
                    self.facts.set_file_doc(docs::comment_above(self.text, node.start_byte(), &self.dialect.lexicon));
                }
            }
            Action::Skip => {}
            Action::Parameter | Action::RestParameter | Action::TypeParameter => self.visit_children(node),
            _ => self.definition(node, pattern),
        }
    }

    /// Returns an expression without a representation if there is none, otherwise the union of the known parts.
    pub fn union(&mut self, parts: Vec<ExprId>) -> ExprId {
        let mut flat: Vec<ExprId> = Vec::with_capacity(parts.len());
        for part in &parts {
            let inner = match self.facts.get(*part) {
                Expr::Unknown => &[],
                Expr::Union(inner) => inner.as_slice(),
                _ => std::slice::from_ref(part),
            };
            for part in inner {
                if !flat.contains(part) {
                    flat.push(*part);
                }
            }
        }
        flat.truncate(MAX_ALTERNATIVES);
        match flat.as_slice() {
            [] => self.unknown,
            &[only] => only,
            _ => self.facts.expr(Expr::Union(flat)),
        }
    }

    /// Returns the result of arithmetic, a call of [`ARITHMETIC`]: the rules of the language promote the types of its operands.
    pub fn arithmetic(&mut self, operands: &[ExprId]) -> ExprId {
        let mut all: Vec<ExprId> = Vec::new();
        for operand in operands {
            // The operands of a long sum are in one list, so that no expression is deep.
            let inner = match self.facts.get(*operand) {
                Expr::Builtin { name, args } if self.facts.text(*name) == ARITHMETIC => args.as_slice(),
                _ => std::slice::from_ref(operand),
            };
            inner.iter().for_each(|one| {
                if !all.contains(one) {
                    all.push(*one)
                }
            });
        }
        let is_known = !all.contains(&self.unknown) && all.len() <= MAX_ALTERNATIVES;
        if is_known { self.facts.builtin(ARITHMETIC, all) } else { self.unknown }
    }

    /// Returns a value of a type.
    pub fn instance(&mut self, type_expr: ExprId) -> ExprId {
        match self.facts.get(type_expr) {
            Expr::Unknown => type_expr,
            _ => self.facts.expr(Expr::Instance(type_expr)),
        }
    }

    /// Returns a name, and adds a reference to it unless the flow of control determines its value.
    pub fn name(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let text = self.name_text(node);
        self.add_word(text);
        let atom = self.facts.atom(text);
        if let Some(value) = self.flow.locals.get(atom) {
            return value;
        }
        let expr = self.facts.expr(Expr::Name(atom));
        self.refer(expr, node, role);
        expr
    }

    /// Returns a member of a value, and adds a reference to it.
    pub fn member(&mut self, node: Node<'a>, pattern: &Pattern, role: Role) -> ExprId {
        let object = self.part(node, pattern, Part::Object);
        let base = match object {
            Some(object) => self.visit(object, Role::Read),
            None => self.unknown,
        };
        let Some(name_node) = self.part(node, pattern, Part::Name) else { return self.unknown };
        let text = self.name_text(name_node);
        self.add_word(text);
        let before = name_node.prev_sibling().map(|before| before.kind());
        if pattern.setting("reference").is_some_and(|token| before == Some(token)) {
            return self.reference_to(Some(base), name_node);
        }
        let name = self.member_atom(name_node, role);
        let expr = self.facts.expr(Expr::Member { base, name });
        self.refer(expr, name_node, role);
        if base == self.unknown && self.inlines_locals() { base } else { expr }
    }

    /// Returns the function or else the property that a name means which is not called, of a value or in scope, and adds a
    /// reference to it.
    pub fn reference_to(&mut self, base: Option<ExprId>, name: Node<'a>) -> ExprId {
        let text = self.name_text(name);
        let meant = [self.callee_atom(text), self.atom_of(name)].map(|name| match base {
            Some(base) => self.facts.expr(Expr::Member { base, name }),
            None => self.facts.expr(Expr::Name(name)),
        });
        let either = self.facts.expr(Expr::FirstOf(meant.into()));
        self.refer(either, name, Role::Read);
        either
    }

    fn collection(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let mut values: Vec<ExprId> = Vec::new();
        let mut has_keys = false;
        for child in self.children(node) {
            has_keys |= self.is(child, Action::Pair);
            values.push(self.visit(child, Role::Read));
        }
        if pattern.setting("elements") == Some("alike") {
            values.retain(|value| *value != self.unknown);
            values.truncate(1);
        }
        values.truncate(MAX_LITERAL_ELEMENTS);
        let mut args = vec![Vec::new(); if has_keys { 2 } else { 1 }];
        for value in values {
            match self.facts.get(value) {
                Expr::Tuple(pair) if has_keys => args.iter_mut().zip(pair).for_each(|(arg, part)| arg.push(*part)),
                _ if has_keys => {}
                _ => args[0].push(value),
            }
        }
        let args = args.into_iter().map(|values| self.union(values)).collect();
        self.facts.builtin(pattern.setting("type").unwrap_or("[]"), args)
    }

    fn index(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let object = self.part(node, pattern, Part::Object);
        let mut base = self.unknown;
        for child in self.children(node) {
            let value = self.visit(child, Role::Read);
            if Some(child) == object {
                base = value;
            }
        }
        self.facts.expr(Expr::Index(base))
    }

    fn cast(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let part = self.part(node, pattern, Part::Type);
        for value in self.parts(node, pattern, Part::Value) {
            let part = part.filter(|part| self.is_contextual(value) && self.is_plain(*part));
            let known = part.map(|part| self.replay(|walker| walker.type_expr(part, None)));
            self.visit_as(value, known);
        }
        let Some(part) = part else { return self.unknown };
        let known = self.type_expr(part, Some(Role::Type));
        self.instance(known)
    }

    fn either(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let meant = self.parts(node, pattern, Part::Value);
        let (mut values, locals) = (Vec::new(), self.flow.locals.len());
        let expected = std::mem::take(&mut self.expected);
        for child in self.children(node) {
            let is_meant = meant.contains(&child);
            self.expected = if is_meant { expected } else { Expected::None };
            let value = self.visit(child, Role::Read);
            if is_meant {
                values.push(value);
                // What the condition binds.
                self.end_locals(locals);
            }
        }
        self.union(values)
    }

    fn decorator(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        if let Some(name) = self.part(node, pattern, Part::Name) {
            self.type_expr(name, Some(Role::Decorator));
        }
        for value in self.parts(node, pattern, Part::Value) {
            self.visit(value, Role::Read);
        }
        for arguments in self.parts(node, pattern, Part::Arguments) {
            self.visit_children(arguments);
        }
        self.unknown
    }

    /// Returns a type without its generic arguments.
    pub(super) fn outermost(&self, known: ExprId) -> ExprId {
        match self.facts.get(known) {
            Expr::Apply { base, .. } => *base,
            _ => known,
        }
    }

    /// Visits a lambda. `expected` is the call that it is an argument of, and its number there.
    pub fn lambda(&mut self, node: Node<'a>, pattern: &Pattern, expected: Option<(ExprId, u16)>) -> ExprId {
        let around = std::mem::take(&mut self.expected);
        let expected = expected.map_or(around, |(call, argument)| Expected::Argument(call, argument));
        if self.inlines_locals() {
            return self.lambda_of_patterns(node, pattern, expected);
        }
        let before = self.context;
        self.context.scope = self.open_scope(ScopeKind::Function, None);
        self.context.container = Container::Module;
        self.context.is_local = true;
        self.context.returned = self.unknown;
        let lists = self.parts(node, pattern, Part::Parameters);
        let outer_locals = self.flow.locals.len();
        let (mut params, mut bound) = (Vec::new(), Vec::new());
        for (number, node) in (0_u16..).zip(self.parameter_nodes(&lists)) {
            let Some(pattern) = self.pattern(node) else { continue };
            let declared = self.declared_type(node, pattern);
            let is_pattern = pattern.setting("parameter") == Some("parts");
            let name_node = self.part(node, pattern, Part::Name).unwrap_or(node);
            let name = self.atom_of(name_node);
            let is_told = declared.is_none() && self.part(node, pattern, Part::Value).is_none();
            match self.expected_parameter(expected, number).filter(|_| is_told) {
                Some(value) => {
                    params.push(self.unknown);
                    if is_pattern {
                        self.bind_parts(node, value);
                    } else {
                        self.bind_local(name, name_node, None, Some(value));
                    }
                }
                None => {
                    self.parameter(node, pattern, declared, &mut bound);
                    params.extend(bound.drain(..).map(|one| one.value_type.unwrap_or(self.unknown)));
                }
            }
            if self.dialect.flow.is_some() {
                let own_name = self.facts.expr(Expr::Name(name));
                self.flow.locals.push(name, own_name);
            }
        }
        let declared = self.part(node, pattern, Part::Result).map(|part| self.type_expr(part, Some(Role::Type)));
        let bodies = self.parts(node, pattern, Part::Body);
        let returns = self.collect_returns(|walker| {
            for body in bodies {
                let value = walker.visit(body, Role::Read);
                if !walker.is(body, Action::Block) || walker.dialect.traits.returns_last_value {
                    walker.add_return(value);
                }
            }
        });
        self.context = before;
        self.flow.locals.truncate(outer_locals);
        let result = match declared {
            // The lambda is read as a value, and so is its result.
            Some(declared) => Some(self.instance(declared)),
            None if returns.is_empty() => None,
            None => Some(self.union(returns)),
        };
        self.facts.expr(Expr::Function { params, result })
    }
}

/// Returns whether a pattern is about values of which the type can be told by what is around them: functions, and what has one
/// in it.
fn is_told(pattern: &Pattern) -> bool {
    matches!(pattern.action, Action::Either | Action::Group | Action::Lambda)
}
