//! Calls that operators and statements imply.

use super::edges::{FileEdges, Target};
use super::eval::MAX_EQUAL;
use super::rules::UseSite;
use super::value::{SymbolRef, Value};
use crate::facts::{Expr, ExprId, Role};

impl FileEdges<'_> {
    /// Returns what an implied call runs: the value of an expression, or the first of several methods that is known.
    pub(super) fn implied(&mut self, site: UseSite, expr: ExprId, at: u32) -> Target {
        let world = self.world();
        let expressions = &world.code(site.file).expressions;
        let Expr::FirstOf(calls) = &expressions[expr.0 as usize] else {
            return match self.eval.value_at(site, expr, at) {
                Value::Symbol { symbol, .. } => Target::Symbols(vec![symbol]),
                _ => Target::Nothing,
            };
        };
        let is_callable = |symbol: &SymbolRef| world.definition(*symbol).kind.is_callable();
        for call in calls {
            let Expr::Call { callee, args } = &expressions[call.0 as usize] else { continue };
            let found = match &expressions[callee.0 as usize] {
                // Most files have operators, and few repositories have types with some.
                Expr::Member { name, .. } if !self.eval.has_member(site.file, *name) => continue,
                Expr::Member { base, .. } if !self.has_operators(site, *base, at) => continue,
                Expr::Name(name) => self.eval.operator_function(site, *name, args, at).into_iter().collect(),
                _ => match &self.eval.equal_overloads(site, *callee, args, at)[..] {
                    // Of implementations of a trait for several operands, which one runs is not known.
                    equal @ [_, _, ..] if self.eval.implements_often(site.file) => {
                        let equal = equal.iter().map(|member| member.symbol).filter(is_callable);
                        return Target::OneOf(equal.take(MAX_EQUAL).collect());
                    }
                    [chosen, ..] => vec![chosen.symbol],
                    [] => match self.target(site, *callee, at, Role::Call) {
                        Target::Symbols(symbols) => symbols,
                        _ => continue,
                    },
                },
            };
            let found: Vec<SymbolRef> = found.into_iter().filter(is_callable).collect();
            if !found.is_empty() {
                return Target::Symbols(found);
            }
        }
        Target::Nothing
    }

    /// Returns whether operators on a value call those of its type. In C++ they do not if it is a pointer, raw or smart.
    fn has_operators(&mut self, site: UseSite, base: ExprId, at: u32) -> bool {
        if !self.eval.rules(site.file).traits().has_pointers {
            return true;
        }
        let is_pointer = match self.eval.denote(site, base, at) {
            Value::Symbol { symbol, .. } => self.world().definition(symbol).signature.contains(['*', '[']),
            _ => false,
        };
        !is_pointer && matches!(self.eval.value_at(site, base, at), Value::Instance { .. })
    }
}
