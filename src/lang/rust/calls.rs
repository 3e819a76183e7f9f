//! Calls: callees, arguments, closure parameters, and element types inferred from insertions into collections.

use tree_sitter::Node;

use super::blocks::has_placeholder;
use super::builtins::{INFERRED, WITH_ELEMENTS};
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Atom, Expr, ExprId, Role};

/// Arguments before a closure that are kept to infer the types of its parameters.
const MAX_ARGUMENTS_BEFORE_CLOSURE: usize = 64;

impl Walker {
    /// Visits `callee(args)` or `receiver.method(args)`.
    pub fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = self.child(node, self.fields.function) else { return self.unknown };
        let callee = self.callee(function, Role::Call);
        let arguments = self.child(node, self.fields.arguments).map(children).unwrap_or_default();
        let arguments: Vec<Node<'_>> =
            arguments.into_iter().filter(|child| kind(*child) != Kind::AttributeItem).collect();
        let mut args = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let value = match self.closure_in(*argument) {
                Some(closure) => self.closure_argument(closure, callee, &args, index as u16),
                None => self.value(*argument),
            };
            args.push(value);
        }
        self.call_signals(function, &arguments, &args);
        self.infer_inserted_elements(function, &args);
        if callee == self.unknown {
            return callee;
        }
        if kind(function) == Kind::GenericFunction
            && let Some(result) = self.turbofish_result(function, callee, &args)
        {
            return result;
        }
        self.builder.expr(Expr::Call { callee, args })
    }

    /// Returns the closure in an argument, looking through references, parentheses and `Box::new`.
    fn closure_in<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut node = node;
        for _ in 0..4 {
            node = match kind(node) {
                Kind::Closure => return Some(node),
                Kind::Reference => self.child(node, self.fields.value)?,
                Kind::Parenthesized => children(node).first().copied()?,
                Kind::Call => {
                    let function = self.child(node, self.fields.function)?;
                    if !matches!(self.text_of(function), "Box::new" | "Rc::new" | "Arc::new" | "Box::pin") {
                        return None;
                    }
                    children(self.child(node, self.fields.arguments)?).first().copied()?
                }
                _ => return None,
            };
        }
        None
    }

    /// Visits a closure argument. Its parameter types come from the callee, applied to the arguments before the
    /// closure.
    fn closure_argument(&mut self, node: Node<'_>, callee: ExprId, preceding: &[ExprId], argument: u16) -> ExprId {
        if callee == self.unknown {
            return self.closure(node, &mut |_, _| None);
        }
        let preceding = &preceding[..preceding.len().min(MAX_ARGUMENTS_BEFORE_CLOSURE)];
        let mut probe = None;
        self.closure(node, &mut |walker, parameter| {
            let call =
                *probe.get_or_insert_with(|| walker.builder.expr(Expr::Call { callee, args: preceding.to_vec() }));
            Some(walker.builder.expr(Expr::LambdaParameter { call, argument, parameter }))
        })
    }

    /// Returns the result of a method whose turbofish determines it: `collect::<Vec<_>>()`, `parse::<T>()`.
    fn turbofish_result(&mut self, function: Node<'_>, callee: ExprId, args: &[ExprId]) -> Option<ExprId> {
        let method = self.child(function, self.fields.function).filter(|inner| kind(*inner) == Kind::Field)?;
        let name = self.child(method, self.fields.field).map(|name| self.text_of(name).to_owned())?;
        let Expr::Apply { base, args: types } = self.builder.get(callee) else { return None };
        let (base, &target) = (*base, types.first()?);
        let text = self.child(function, self.fields.type_arguments).map(|list| self.text_of(list).to_owned())?;
        match name.as_str() {
            "collect" | "sum" | "product" | "into" if !has_placeholder(&text) => {
                Some(self.wrap(target, Expr::Instance))
            }
            "collect" => {
                let value = self.builder.expr(Expr::Call { callee: base, args: args.to_vec() });
                Some(self.expect(target, value))
            }
            "parse" | "downcast_ref" | "downcast_mut" | "downcast" => {
                let target = self.wrap(target, Expr::Instance);
                Some(self.builder.builtin("Result", vec![target]))
            }
            _ => None,
        }
    }

    /// Returns a value of a declared type with placeholders, whose missing arguments are inferred from `value`.
    pub fn expect(&mut self, declared: ExprId, value: ExprId) -> ExprId {
        let Expr::Apply { base, args } = self.builder.get(declared) else { return value };
        let (base, args) = (*base, args.clone());
        let name = match self.builder.get(base) {
            Expr::Name(name) | Expr::Member { name, .. } => self.builder.text(*name).to_owned(),
            _ => return value,
        };
        if value == self.unknown {
            return self.wrap(declared, Expr::Instance);
        }
        let mut parts = vec![value];
        for arg in args {
            // In `Result<Vec<_>, _>` the inner type is inferred from the unwrapped value.
            let inner = match self.builder.get(arg) {
                Expr::Apply { .. } => {
                    let unwrapped = self.builder.expr(Expr::Unwrap(value));
                    self.expect(arg, unwrapped)
                }
                _ => self.wrap(arg, Expr::Instance),
            };
            parts.push(inner);
        }
        self.builder.builtin(&format!("{INFERRED}{name}"), parts)
    }

    /// Infers the element type of an empty collection from `list.push(x)`, `map.insert(k, v)` or
    /// `map.entry(k).or_default().push(x)`.
    fn infer_inserted_elements(&mut self, function: Node<'_>, args: &[ExprId]) {
        if kind(function) != Kind::Field || args.first().is_none_or(|first| *first == self.unknown) {
            return;
        }
        let Some((base, method)) = self.method_of(function) else { return };
        let (is_entry, is_insertion, is_extension) = (method == "entry", method == "or_insert", method == "extend");
        if !matches!(method, "push" | "push_back" | "push_front" | "insert" | "extend" | "entry" | "or_insert") {
            return;
        }
        let value = if is_extension { vec![self.builder.expr(Expr::Element(args[0]))] } else { args.to_vec() };
        if kind(base) != Kind::Identifier {
            self.infer_map_entry(base, is_insertion, value);
            return;
        }
        let name = self.atom(base);
        let Some(local) = self.local_mut(name).filter(|local| local.has_unknown_elements) else { return };
        let initializer = local.value;
        local.has_unknown_elements = false;
        local.pending_entry = is_entry.then_some((initializer, args[0]));
        self.set_elements(name, initializer, value);
    }

    /// Infers a map's value type from an insertion into an entry (`is_entry`), or into the collection that the entry
    /// contains.
    fn infer_map_entry(&mut self, node: Node<'_>, is_entry: bool, parts: Vec<ExprId>) {
        let mut node = node;
        if !is_entry {
            let Some((base, "or_default" | "or_insert_with" | "or_insert")) = self.called_method(node) else { return };
            node = base;
        }
        let Some((base, "entry")) = self.called_method(node) else { return };
        if kind(base) != Kind::Identifier {
            return;
        }
        let name = self.atom(base);
        let Some((initializer, key)) = self.local_mut(name).and_then(|local| local.pending_entry.take()) else {
            return;
        };
        let value_type = match (is_entry, parts.as_slice()) {
            (true, [value]) => *value,
            (false, [_, _]) => self.builder.builtin("HashMap", parts),
            _ => self.builder.builtin("Vec", parts),
        };
        self.set_elements(name, initializer, vec![key, value_type]);
    }

    fn set_elements(&mut self, name: Atom, initializer: ExprId, types: Vec<ExprId>) {
        let mut parts = vec![initializer];
        parts.extend(types);
        let collection = self.builder.builtin(WITH_ELEMENTS, parts);
        if let Some(local) = self.local_mut(name) {
            local.value = collection;
        }
    }

    /// Returns receiver and method name of `receiver.method`.
    fn method_of<'t>(&self, field: Node<'t>) -> Option<(Node<'t>, &str)> {
        let base = self.child(field, self.fields.value)?;
        let method = self.child(field, self.fields.field)?;
        Some((base, self.text_of(method)))
    }

    /// Returns receiver and method name of `receiver.method(…)`.
    fn called_method<'t>(&self, call: Node<'t>) -> Option<(Node<'t>, &str)> {
        let function = self.child(call, self.fields.function)?;
        if kind(function) == Kind::Field { self.method_of(function) } else { None }
    }
}
