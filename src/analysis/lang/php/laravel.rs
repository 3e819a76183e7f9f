//! Methods that Laravel calls by another name: jobs and events that are dispatched, and scopes of models.

use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Methods of a job's class that run its `handle`, at once or later.
const DISPATCH: &[&str] =
    &["dispatch", "dispatchAfterResponse", "dispatchIf", "dispatchNow", "dispatchSync", "dispatchUnless"];

/// Returns the method that a call of a name on a class or a value runs.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let own = match receiver {
        Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_type() => eval.own_instance(*symbol),
        Value::Instance { .. } => receiver.clone(),
        _ => return None,
    };
    let is_class = matches!(receiver, Value::Symbol { .. });
    if is_class && DISPATCH.contains(&name) {
        return method(eval, &own, "handle");
    }
    // `Song::popular()` runs `scopePopular`.
    let mut letters = name.chars();
    let first = letters.next()?;
    if !first.is_ascii_lowercase() {
        return None;
    }
    method(eval, &own, &format!("scope{}{}", first.to_ascii_uppercase(), letters.as_str()))
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
