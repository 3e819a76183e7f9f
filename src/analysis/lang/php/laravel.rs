//! Methods that Laravel calls by another name: jobs and events that are dispatched, and scopes of models.

use crate::facts::name_key;
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{SymbolRef, Value};

/// Methods of a job's class that run its `handle`, at once or later.
const DISPATCH: &[&str] =
    &["dispatch", "dispatchAfterResponse", "dispatchIf", "dispatchNow", "dispatchSync", "dispatchUnless"];

/// The name by which extraction asks for what runs when a value is dispatched.
pub const DISPATCHED: &str = "$dispatched";

/// The name by which extraction asks for the policy of a model.
pub const POLICY: &str = "$policy";

/// Returns the method that a call of a name on a class or a value runs.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let (own, symbol) = match receiver {
        Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_type() => {
            (eval.own_instance(*symbol), *symbol)
        }
        Value::Instance { symbol, .. } => (receiver.clone(), *symbol),
        _ => return None,
    };
    let is_class = matches!(receiver, Value::Symbol { .. });
    if name == POLICY {
        return policy(eval, symbol);
    }
    if name == DISPATCHED || (is_class && DISPATCH.contains(&name)) {
        return method(eval, &own, "handle").or_else(|| listeners(eval, symbol));
    }
    // `Song::popular()` runs `scopePopular`.
    let mut letters = name.chars();
    let first = letters.next()?;
    if !first.is_ascii_lowercase() {
        return None;
    }
    method(eval, &own, &format!("scope{}{}", first.to_ascii_uppercase(), letters.as_str()))
}

/// Returns a value of the policy of a model, by the name that Laravel gives it, if one class has that.
fn policy(eval: &mut Evaluator<'_>, model: SymbolRef) -> Option<Value> {
    let world = eval.world;
    let key = name_key(&format!("{}Policy", world.name(model)));
    eval.record_lookup(key);
    let language = world.files[model.file.index()].language;
    let mut named = world.named(language, key).iter().filter(|symbol| world.definition(**symbol).kind.is_type());
    let only = named.next().filter(|_| named.next().is_none())?;
    Some(eval.own_instance(*only))
}

/// Returns the methods of listeners that handle an event, which the type of their parameter tells.
fn listeners(eval: &mut Evaluator<'_>, event: SymbolRef) -> Option<Value> {
    let world = eval.world;
    let language = world.files[event.file.index()].language;
    let key = name_key("handle");
    eval.record_lookup(key);
    let handlers = eval.memoized(name_key("laravel listeners"), |eval| {
        let mut handlers = Vec::new();
        for handler in
            world.named(language, key).iter().filter(|one| world.files[one.file.index()].path.contains("Listener"))
        {
            let definition = world.definition(*handler);
            let Some(known) = definition.parameters.first().and_then(|first| first.value_type) else { continue };
            let site = UseSite { file: handler.file, scope: definition.scope };
            if let Value::Instance { symbol, .. } = eval.type_of(site, known) {
                handlers.push((symbol, *handler));
            }
        }
        handlers
    });
    let meant: Vec<Value> =
        handlers.iter().filter(|(known, _)| *known == event).map(|(_, handler)| Value::symbol(*handler)).collect();
    for (_, handler) in handlers.iter().filter(|(known, _)| *known == event) {
        eval.consult(*handler);
    }
    (!meant.is_empty()).then(|| Value::union(meant))
}

fn method(eval: &mut Evaluator<'_>, own: &Value, name: &str) -> Option<Value> {
    eval.members(own, &format!("{name}()")).into_iter().next().map(|member| Value::symbol(member.symbol))
}

#[cfg(test)]
mod tests {
    use crate::resolve::tests::calls_from;

    #[test]
    fn jobs_are_dispatched_and_scopes_are_called_by_their_names() {
        let text = "<?php
namespace App;
use Illuminate\\Foundation\\Bus\\Dispatchable;
class Clean { use Dispatchable; public function handle() {} }
class Song extends Model { public function scopePopular($query) {} }
function go() { Clean::dispatch(1); Song::popular(); }";
        assert_eq!(calls_from(&[("a.php", text)], "go"), ["Clean.handle", "Song.scopePopular"]);
    }
}
