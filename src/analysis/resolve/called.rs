//! Targets of calls whose arguments choose among methods, or make a value of a type.

use super::edges::{FileEdges, Target};
use super::eval::MAX_EQUAL;
use super::rules::UseSite;
use super::value::{SymbolRef, Value};
use crate::facts::{Expr, ExprId, Role};

impl FileEdges<'_> {
    /// Returns the overload that a call chooses, or where a type is called also its constructor.
    pub(super) fn call_target(
        &mut self,
        site: UseSite,
        (callee, args): (ExprId, &[ExprId]),
        at: u32,
        role: Role,
    ) -> Target {
        let constructs = self.eval.rules(site.file).traits().constructors_convert;
        if constructs && self.is_construction(callee) {
            return self.construction(site, (callee, args), at);
        }
        let mut chosen: Vec<SymbolRef> =
            self.eval.equal_overloads(site, callee, args, at).into_iter().map(|member| member.symbol).collect();
        match chosen.len() {
            0 => {}
            1 => return Target::Symbols(chosen),
            number => {
                // Whatever is known of the arguments, it tells nothing about so many.
                chosen.truncate(if number > MAX_EQUAL { 1 } else { number });
                return Target::OneOf(chosen);
            }
        }
        let mut possible = self.eval.possible_overloads(site, callee, args, at);
        match self.target(site, callee, at, role) {
            Target::Symbols(symbols) if !possible.is_empty() => {
                let outside = self.inherited(&symbols, site, (callee, args), at);
                if !outside.is_unknown() {
                    return self.target_of_value(&outside);
                }
                possible.truncate(MAX_EQUAL);
                if possible.len() > 1 { Target::OneOf(possible) } else { Target::Symbols(possible) }
            }
            Target::Symbols(symbols) if constructs => {
                let made = symbols.first().and_then(|made| self.eval.constructor_for(*made, site, args, at));
                Target::Symbols(symbols.into_iter().chain(made).collect())
            }
            Target::Symbols(symbols) if !symbols.iter().all(|one| self.eval.labels_fit(*one, site, args, at)) => {
                Target::OneOf(symbols)
            }
            Target::Symbols(symbols) => {
                let outside = self.inherited(&symbols, site, (callee, args), at);
                if outside.is_unknown() { Target::Symbols(symbols) } else { self.target_of_value(&outside) }
            }
            target => target,
        }
    }

    /// Returns the method of other code that a call means if its arguments can't be passed to any method that is found here.
    fn inherited(&mut self, found: &[SymbolRef], site: UseSite, (callee, args): (ExprId, &[ExprId]), at: u32) -> Value {
        match *found {
            [only] => self.eval.inherited(only, site, callee, args, at),
            _ => Value::Unknown,
        }
    }

    /// Returns whether a callee is a type of which a call makes a value.
    pub(super) fn is_construction(&self, callee: ExprId) -> bool {
        matches!(self.world().code(self.file).expressions[callee.0 as usize], Expr::Instance(_))
    }

    /// Returns a type and its constructor for these arguments; nothing if the type declares none.
    fn construction(&mut self, site: UseSite, (callee, args): (ExprId, &[ExprId]), at: u32) -> Target {
        let made = match self.eval.constructed(site, callee, at) {
            Some(made) => self.eval.constructor_for(made, site, args, at).map(|constructor| vec![made, constructor]),
            None => None,
        };
        made.map_or(Target::Nothing, Target::Symbols)
    }
}
