//! Calls: callees, arguments, closures among them, and what is learnt of a collection when something is put into it.

use tree_sitter::Node;

use super::blocks::has_placeholder;
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Expr, ExprId, Role};

/// Marks a built-in name as "the type of this name, as far as its arguments can be inferred from a value".
pub const INFERRED: &str = "infer ";

impl Walker {
    /// `callee(args)` and `receiver.method(args)`.
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
        self.call_signals(function, callee, &arguments, &args);
        self.learn_elements(function, &args);
        if callee == self.unknown {
            return callee;
        }
        if kind(function) == Kind::GenericFunction
            && let Some(known) = self.turbofish_result(function, callee, &args)
        {
            return known;
        }
        self.builder.expr(Expr::Call { callee, args })
    }

    /// The closure that an argument is, perhaps borrowed or boxed.
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

    /// A closure's parameters come from the callee, given the arguments before it.
    fn closure_argument(&mut self, node: Node<'_>, callee: ExprId, before: &[ExprId], argument: u16) -> ExprId {
        if callee == self.unknown {
            return self.closure(node, &mut |_, _| None);
        }
        let mut probe = None;
        self.closure(node, &mut |walker, parameter| {
            let call = *probe.get_or_insert_with(|| walker.builder.expr(Expr::Call { callee, args: before.to_vec() }));
            Some(walker.builder.expr(Expr::LambdaParameter { call, argument, parameter }))
        })
    }

    /// Methods whose explicit type argument says what they give: `collect::<Vec<_>>()`, `parse::<T>()`.
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

    /// A value whose declared type leaves parts to inference: the type's name, filled in from the value.
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
            // `Result<Vec<_>, _>`: what is inside is inferred in turn, from what the value holds.
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

    /// `list.push(x)` says what a list that began empty holds.
    fn learn_elements(&mut self, function: Node<'_>, args: &[ExprId]) {
        if kind(function) != Kind::Field || args.is_empty() || args.contains(&self.unknown) {
            return;
        }
        let (Some(base), Some(method)) =
            (self.child(function, self.fields.value), self.child(function, self.fields.field))
        else {
            return;
        };
        let method = self.text_of(method);
        if kind(base) != Kind::Identifier
            || !matches!(method, "push" | "push_back" | "push_front" | "insert" | "extend" | "entry")
        {
            return;
        }
        let is_extend = method == "extend";
        let name = self.atom(base);
        let Some(local) = self.local_mut(name).filter(|local| local.is_open) else { return };
        local.is_open = false;
        let before = local.value;
        let args = match is_extend {
            true => vec![self.builder.expr(Expr::Element(args[0]))],
            false => args.to_vec(),
        };
        let mut parts = vec![before];
        parts.extend(args);
        let filled = self.builder.builtin("filled", parts);
        if let Some(local) = self.local_mut(name) {
            local.value = filled;
        }
    }
}
