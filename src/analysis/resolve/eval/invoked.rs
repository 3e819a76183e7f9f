//! Methods that a call of a value or of a type runs without their names (`__call__`, `invoke`).

use super::Evaluator;
use super::members::{Member, plain_name};
use crate::facts::{ExprId, name_key};
use crate::model::SymbolKind;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{Substitution, SymbolRef, Value};

impl Evaluator<'_> {
    /// Returns the methods that a call of a value runs, in languages where they have a name (`__call__`, `apply`): of each
    /// type that the value can have. Arguments choose among several of one type, where they are known.
    pub fn called_on_value(
        &mut self,
        site: UseSite,
        callee: ExprId,
        args: Option<&[ExprId]>,
        at: u32,
    ) -> Vec<SymbolRef> {
        let rules = self.rules(site.file);
        let Some(method) = self.called_member() else { return Vec::new() };
        let value = self.value_at(site, callee, at);
        let mut called = Vec::new();
        for part in value.alternatives() {
            let receiver = match part {
                Value::Instance { .. } => part.clone(),
                Value::Symbol { symbol, .. }
                    if self.world.definition(*symbol).kind.is_type()
                        && rules.is_object(self.world.definition(*symbol)) =>
                {
                    self.own_instance(*symbol)
                }
                Value::Symbol { symbol, .. } if self.world.definition(*symbol).kind.is_type() => {
                    called.extend(args.and_then(|args| self.called_on_type(*symbol, site, args, at)));
                    continue;
                }
                _ => continue,
            };
            match args {
                Some(args) => {
                    let methods = self.methods(&receiver, name_key(plain_name(&method)));
                    let arguments = self.arguments(site, args, at);
                    called.extend(self.best_fit(&methods, &arguments).map(|best| methods[best].symbol));
                }
                None => called.extend(self.members(&receiver, &method).into_iter().map(|member| member.symbol)),
            }
        }
        called
    }

    /// Returns the name under which the method is looked up that a call of a value runs.
    pub fn called_member(&self) -> Option<String> {
        let method = self.own_rules().traits().call_method?;
        Some(if self.own_rules().traits().marks_callees { format!("{method}()") } else { method.to_owned() })
    }

    /// Returns the method that belongs to a type itself and takes the arguments of a call of it, where no constructor does that the
    /// site sees (Kotlin's `operator fun invoke` of a companion).
    fn called_on_type(&mut self, made: SymbolRef, site: UseSite, args: &[ExprId], at: u32) -> Option<SymbolRef> {
        let traits = self.own_rules().traits();
        let key = name_key(traits.call_method.filter(|_| traits.types_are_called)?);
        // The parameters of secondary constructors are not known.
        if self.world.definition(made).flags.has_secondary_constructors || !self.any_has_member(key) {
            return None;
        }
        let world = self.world;
        let own = self.own_instance(made);
        let mut methods = self.methods(&own, key);
        methods.retain(|method| world.definition(method.symbol).flags.is_static);
        if methods.is_empty() {
            return None;
        }
        let arguments = self.arguments(site, args, at);
        let definition = world.definition(made);
        let is_hidden = definition.signature.contains("private constructor") && !self.is_inside(site, made);
        let has_constructor = definition.kind != SymbolKind::Interface && !is_hidden;
        let constructor = Member { symbol: made, bound: Substitution::new() };
        if has_constructor && self.fit_of_arguments(&constructor, &arguments).is_some() {
            return None;
        }
        let best = self.best_fit(&methods, &arguments)?;
        Some(methods[best].symbol)
    }

    /// Returns whether a site is in the body of a type.
    fn is_inside(&self, site: UseSite, symbol: SymbolRef) -> bool {
        let scopes = &self.world.code(site.file).scopes;
        let mut at = scopes.get(site.scope.0 as usize);
        while let Some(scope) = at.filter(|_| site.file == symbol.file) {
            if scope.definition == Some(symbol.definition) {
                return true;
            }
            at = scope.parent.and_then(|parent| scopes.get(parent.0 as usize));
        }
        false
    }
}
