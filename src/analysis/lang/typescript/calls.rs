//! Calls, `new` expressions and JSX elements, with contextual types for their arguments.

use tree_sitter::Node;

use super::state::Ts;
use crate::facts::{Expr, ExprId, Role, ScopeId};
use crate::lang::common::walker::Expected;

/// Maximum number of arguments that a call expression keeps.
const MAX_ARGUMENTS: usize = 64;

/// Functions that add the members of their other arguments to the first one.
const MIXERS: &[&str] = &["assign", "extend", "merge", "mergeDescriptors", "mixin", "setPrototypeOf"];

/// Maximum number of arguments whose members are added.
const MAX_MIXED: usize = 5;

impl<'a> Ts<'_, 'a> {
    /// Visits `callee(args)`.
    pub fn call(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let Some(callee_node) = self.field(node, "function") else { return self.unknown };
        if let Some(module) = self.inline_module(node, callee_node) {
            return module;
        }
        // The grammar parses `await f<T>(x)` as a call of `await f`.
        let type_arguments = self.field(node, "type_arguments");
        if callee_node.kind() == "await_expression"
            && type_arguments.is_some()
            && let Some(&inner) = self.children(callee_node).first()
        {
            let call = self.call_with_callee(node, inner, Expected::None);
            return if call == self.unknown { call } else { self.facts.expr(Expr::Unwrap(call)) };
        }
        self.call_with_callee(node, callee_node, contextual)
    }

    fn call_with_callee(&mut self, node: Node<'a>, callee_node: Node<'a>, contextual: Expected) -> ExprId {
        // What a function that is called at once returns is what its call is expected to be.
        let literal = self.unwrapped(callee_node);
        let result = if self.is_function(literal) { self.expected(contextual) } else { None };
        let function =
            result.map(|result| self.facts.expr(Expr::Function { params: Vec::new(), result: Some(result) }));
        let callee = self.value_as(callee_node, Role::Call, function.map_or(Expected::None, Expected::Value));
        let callee = self.with_type_arguments(node, callee);
        // `super(…)` is a call of the constructor of the base.
        if self.is_entry(callee) || matches!(self.facts.get(callee), Expr::Parent) {
            self.refer(callee, callee_node, Role::Call);
        }
        let Some(arguments) = self.field(node, "arguments") else { return self.unknown };
        if let Some(created) = self.created_object(callee_node, arguments) {
            return created;
        }
        if self.assigned_object(callee_node, arguments) || self.defined_export(callee_node, arguments) {
            return self.unknown;
        }
        if arguments.kind() == "template_string" {
            self.value(arguments, Expected::None);
            return self.facts.expr(Expr::Call { callee, args: Vec::new() });
        }
        self.call_signals(node, callee_node, arguments);
        let call = self.forwarded(callee_node, callee, arguments).unwrap_or_else(|| self.arguments(arguments, callee));
        self.mix_in(callee_node, arguments, call);
        call
    }

    /// Binds a local name again after `mixin(name, others)`, since it has the members of the others from there on.
    fn mix_in(&mut self, callee_node: Node<'a>, arguments: Node<'a>, call: ExprId) {
        let name = self.field(callee_node, "property").unwrap_or(callee_node);
        if !MIXERS.contains(&self.text_of(name)) || self.context.scope == ScopeId(0) {
            return;
        }
        let target = self.children(arguments).first().copied().filter(|first| first.kind() == "identifier");
        let (Some(target), Expr::Call { args, .. }) = (target, self.facts.get(call).clone()) else { return };
        let known = args.into_iter().take(MAX_MIXED).collect();
        let value = self.union(known);
        let atom = self.atom_of(target);
        self.bind_local(atom, arguments, None, Some(value));
    }

    fn with_type_arguments(&mut self, node: Node<'a>, callee: ExprId) -> ExprId {
        let Some(arguments) = self.field(node, "type_arguments") else { return callee };
        let args = self.type_arguments(arguments);
        self.facts.expr(Expr::Apply { base: callee, args })
    }

    /// Visits `f.call(this, a)` or `f.apply(this, list)` as a call of `f`, and `f.bind(this)` as `f`.
    fn forwarded(&mut self, callee_node: Node<'a>, callee: ExprId, arguments: Node<'a>) -> Option<ExprId> {
        let property = self.field(callee_node, "property").filter(|_| callee_node.kind() == "member_expression")?;
        let Expr::Member { base, .. } = *self.facts.get(callee) else { return None };
        match self.text_of(property) {
            "bind" => {
                self.arguments(arguments, callee);
                Some(base)
            }
            "call" | "apply" if !matches!(self.facts.get(base), Expr::Parent) => {
                self.arguments(arguments, callee);
                Some(self.facts.expr(Expr::Call { callee: base, args: Vec::new() }))
            }
            _ => None,
        }
    }

    /// Visits `new callee(args)` as a call, whose result is an instance of the class.
    pub fn new_expression(&mut self, node: Node<'a>) -> ExprId {
        let Some(callee_node) = self.field(node, "constructor") else { return self.unknown };
        let callee = self.value_as(callee_node, Role::Call, Expected::None);
        let callee = self.with_type_arguments(node, callee);
        match self.field(node, "arguments") {
            Some(arguments) => self.arguments(arguments, callee),
            None => self.facts.expr(Expr::Call { callee, args: Vec::new() }),
        }
    }

    /// Visits the arguments and returns the call. Context-sensitive arguments are visited last: their contextual type
    /// is the one that the call has for them, given the other arguments.
    pub fn arguments(&mut self, node: Node<'a>, callee: ExprId) -> ExprId {
        let before = std::mem::replace(&mut self.state().is_handed_over, true);
        let call = self.arguments_of_call(node, callee);
        self.state().is_handed_over = before;
        call
    }

    fn arguments_of_call(&mut self, node: Node<'a>, callee: ExprId) -> ExprId {
        let nodes = self.children(node);
        let mut args = vec![self.unknown; nodes.len().min(MAX_ARGUMENTS)];
        let mut context_sensitive = Vec::new();
        for (index, node) in nodes.into_iter().enumerate() {
            let inner = self.unwrapped(node);
            if self.is_context_sensitive(inner) && index < args.len() {
                context_sensitive.push((index, node));
                continue;
            }
            let value = self.value(node, Expected::None);
            if node.kind() != "spread_element"
                && let Some(slot) = args.get_mut(index)
            {
                *slot = value;
            }
        }
        for (index, node) in context_sensitive {
            let call = self.facts.expr(Expr::Call { callee, args: args.clone() });
            args[index] = self.value(node, Expected::Argument(call, index as u16));
        }
        self.facts.expr(Expr::Call { callee, args })
    }

    /// Visits `<Component property={…}>…</Component>`, which references the component.
    pub fn jsx(&mut self, node: Node<'a>) -> ExprId {
        let mut opening = node;
        let children = self.children(node);
        if node.kind() == "jsx_element" {
            for child in children {
                match child.kind() {
                    "jsx_opening_element" => opening = child,
                    "jsx_text" => self.add_words_of(child),
                    "jsx_element" | "jsx_self_closing_element" | "jsx_expression" => {
                        self.value(child, Expected::None);
                    }
                    _ => {}
                }
            }
        }
        if opening != node || node.kind() == "jsx_self_closing_element" {
            self.jsx_opening(opening);
        }
        self.facts.builtin("JSX.Element", Vec::new())
    }

    fn jsx_opening(&mut self, node: Node<'a>) {
        let name = self.field(node, "name");
        let mut properties = None;
        if let Some(name) = name {
            let is_component = name.kind() == "member_expression"
                || self.text_of(name).starts_with(|first: char| first.is_uppercase() || first == '_' || first == '$');
            if is_component {
                // The component is passed to React as a value, not called here.
                let component = self.value(name, Expected::None);
                properties = Some(self.facts.expr(Expr::ParameterOf { function: component, parameter: 0 }));
            }
        }
        for child in self.children(node) {
            match child.kind() {
                "jsx_attribute" => self.jsx_attribute(child, properties),
                "jsx_expression" => {
                    self.value(child, Expected::None);
                }
                "type_arguments" => {
                    self.type_arguments(child);
                }
                _ => {}
            }
        }
    }

    fn jsx_attribute(&mut self, node: Node<'a>, properties: Option<ExprId>) {
        let children = self.children(node);
        let Some(&name) = children.first() else { return };
        self.add_word_of(name);
        for &value in children.iter().skip(1) {
            let inner = match value.kind() {
                "jsx_expression" => self.children(value).first().copied(),
                _ => Some(value),
            };
            let Some(inner) = inner else { continue };
            let contextual = match properties {
                Some(properties) if self.is_context_sensitive(inner) => {
                    let name = self.atom_of(name);
                    Expected::Value(self.member(properties, name))
                }
                _ => Expected::None,
            };
            self.value(inner, contextual);
        }
    }
}
