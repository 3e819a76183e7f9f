//! The standard library, as far as types of the repository pass through it: results of external calls.

use std::sync::{Arc, LazyLock};

use crate::lang::common::library::Library;
use crate::resolve::eval::Evaluator;
use crate::resolve::rules::ExternalCallee;
use crate::resolve::value::Value;

/// Name of a value that comes from outside the repository and has none of its types.
const OPAQUE: &str = "?";

/// Maximum number of results of an external function.
const MAX_RESULTS: usize = 4;

/// Returns a value from outside the repository. Its members are never guessed from the repository's names.
pub fn opaque() -> Value {
    Value::external_instance(OPAQUE, Vec::new())
}

/// Returns a member of an opaque value: a field, or a method whose results are opaque too.
pub fn opaque_member() -> Value {
    Value::Function { params: Arc::new([]), result: opaque_results().into() }
}

/// Returns whether a value is [`opaque`] or a member of an opaque value.
pub fn is_opaque(value: &Value) -> bool {
    match value {
        Value::ExternalInstance { name, .. } => &**name == OPAQUE,
        Value::Function { params, result } => params.is_empty() && is_opaque(result),
        _ => false,
    }
}

/// Returns the result of an unknown external function, which can be unpacked into several opaque values.
fn opaque_results() -> Value {
    Value::external_instance(OPAQUE, vec![opaque(); MAX_RESULTS])
}

/// Functions, methods and interfaces of the standard library.
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

/// Returns the result of calling an external function or method.
pub fn call_result(eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
    let no_element = &mut |_: &Value| Value::Unknown;
    match callee {
        ExternalCallee::Named(name, _) if LIBRARY.function(name, &[], no_element).is_some() => {
            let first = args.first().cloned().unwrap_or(Value::Unknown);
            let rules = eval.own_rules();
            let (key, value) = (rules.element(eval, &first), rules.index(eval, &first));
            LIBRARY.function(name, &[first, key, value], no_element).unwrap_or(Value::Unknown)
        }
        ExternalCallee::Named(..) => opaque_results(),
        ExternalCallee::Method(receiver, method) => match LIBRARY.result(receiver, method, args) {
            Value::Unknown => opaque_results(),
            result => result,
        },
    }
}
