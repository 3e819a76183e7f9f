//! What is known of Go's own names and of the standard library: little, for only generic code carries types of the
//! repository through it.

use std::sync::Arc;

use crate::resolve::eval::Evaluator;
use crate::resolve::rules::ExternalCallee;
use crate::resolve::value::Value;

/// Name of a value that comes from outside the repository and is of none of its types.
const OPAQUE: &str = "?";

/// Most results of a foreign function that are told apart.
const MOST_RESULTS: usize = 4;

/// A value from outside the repository. Its members lead nowhere, and guessing at them would be wrong.
pub(super) fn opaque() -> Value {
    Value::external_instance(OPAQUE, Vec::new())
}

/// A member of an opaque value: a field or a method, whose results are as foreign.
pub(super) fn opaque_member() -> Value {
    Value::Function { params: Arc::new([]), result: opaque_results().into() }
}

/// True for [`opaque`] values and their members.
pub(super) fn is_opaque(value: &Value) -> bool {
    match value {
        Value::ExternalInstance { name, .. } => &**name == OPAQUE,
        Value::Function { params, result } => params.is_empty() && is_opaque(result),
        _ => false,
    }
}

/// What a call out of the repository may give: any number of foreign values.
fn opaque_results() -> Value {
    Value::external_instance(OPAQUE, vec![opaque(); MOST_RESULTS])
}

/// What a call of a foreign function or method gives.
pub(super) fn call(eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
    let first = || args.first().cloned().unwrap_or(Value::Unknown);
    let slice = |element: Value| Value::external_instance("[]", vec![element]);
    match callee {
        ExternalCallee::Named(name, _) => match name {
            "slices.Clone" | "slices.Compact" | "slices.CompactFunc" | "slices.Delete" | "slices.DeleteFunc"
            | "slices.Insert" | "slices.Grow" | "slices.Clip" | "slices.Concat" | "slices.Replace" | "maps.Clone" => {
                first()
            }
            "slices.Max" | "slices.Min" | "slices.MaxFunc" | "slices.MinFunc" => index(eval, &first()),
            "slices.Collect" | "slices.Sorted" | "slices.SortedFunc" => slice(element(eval, &first())),
            "slices.Values" | "maps.Values" => Value::external_instance("iter.Seq", vec![index(eval, &first())]),
            "maps.Keys" => Value::external_instance("iter.Seq", vec![element(eval, &first())]),
            "slices.All" | "maps.All" => {
                let (key, value) = (element(eval, &first()), index(eval, &first()));
                Value::external_instance("iter.Seq2", vec![key, value])
            }
            "sync.OnceValue" => first(),
            _ => opaque_results(),
        },
        ExternalCallee::Method(receiver, method) => match (receiver, method) {
            (Value::ExternalInstance { name, args }, "Load" | "Swap" | "Value")
                if !args.is_empty() && &**name != OPAQUE =>
            {
                args[0].clone()
            }
            _ => opaque_results(),
        },
    }
}

fn index(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    let rules = eval.own_rules();
    rules.index(eval, value)
}

fn element(eval: &mut Evaluator<'_>, value: &Value) -> Value {
    let rules = eval.own_rules();
    rules.element(eval, value)
}

/// Functions, types and constants that every Go file sees.
pub(super) fn is_universal(name: &str) -> bool {
    super::types::is_predeclared(name)
        || matches!(
            name,
            "append"
                | "cap"
                | "clear"
                | "close"
                | "complex"
                | "copy"
                | "delete"
                | "imag"
                | "len"
                | "make"
                | "max"
                | "min"
                | "new"
                | "panic"
                | "print"
                | "println"
                | "real"
                | "recover"
        )
}

/// Method names that the standard library gives so many types that a single definition in a repository proves nothing.
const UBIQUITOUS: &str = "\
    Add Addr Append Bytes Cancel Cap Clone Close Compare Context Copy Data Decode Del Delete Do Done Elem Encode \
    Equal Err Error Errorf Exec Execute Exists Fatal Fatalf Field Find Flush Format Get Handle Has Header ID Index \
    Info Init Insert Int Is Key Kind Len Less Load Lock Log Logf Lookup Marshal MarshalJSON Match Method Name New \
    Next Open Parse Path Pop Print Printf Println Push Put Query Range Read ReadAll ReadFrom Release Remove \
    Replace Reset Run Scan Seek Send Set Size Sort Start Stat Stop Store String Sub Sum Swap Sync Text Time Type \
    Unlock Unmarshal UnmarshalJSON Unwrap Update Value Values Wait Write WriteString WriteTo";

/// True for the names in [`UBIQUITOUS`].
pub(super) fn is_ubiquitous(name: &str) -> bool {
    UBIQUITOUS.split(' ').any(|known| known == name)
}
