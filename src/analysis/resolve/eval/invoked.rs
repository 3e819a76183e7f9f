//! Methods that a call of a value or of a type runs without their names (`__call__`, `invoke`).

use super::Evaluator;
use super::members::plain_name;
use crate::facts::{ExprId, name_key};
use crate::resolve::rules::UseSite;
use crate::resolve::value::{SymbolRef, Value};

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
}
