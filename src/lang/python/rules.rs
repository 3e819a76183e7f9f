//! How names resolve across Python files.

use super::modules;
use super::standard;
use super::standard_calls;
use crate::facts::Import;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::Modules;
use crate::resolve::rules::{ExternalCallee, Rules, UseSite};
use crate::resolve::value::Value;

/// Python's rules.
pub struct PythonRules;

impl Rules for PythonRules {
    fn modules(&self, files: &[(u32, FileInput<'_>)], _manifests: &[Manifest], modules: &mut Modules) {
        modules::add_all(files, modules);
    }

    fn import(&self, eval: &mut Evaluator<'_>, place: UseSite, import: &Import) -> (Value, usize) {
        modules::import(eval, place, import)
    }

    /// The only fixed names that extraction writes are those of pytest fixtures.
    fn root(&self, eval: &mut Evaluator<'_>, place: UseSite, name: &str) -> Value {
        modules::fixture(eval, place.file, name)
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        standard::is_builtin(name).then(|| Value::external(name))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        standard::apply(name, args)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Named(name, known) => standard_calls::call(eval, name, known, args),
            ExternalCallee::Method(receiver, name) => standard_calls::call_method(eval, receiver, name, args),
        }
    }

    fn external_lambda(
        &self,
        eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        args: &[Value],
        argument: u16,
        _parameter: u16,
    ) -> Value {
        match callee {
            // `sorted(items, key=…)` gives the function one item; `map(…, items)` too.
            ExternalCallee::Named(..) => {
                let other = if argument == 0 { args.get(1) } else { args.first() };
                other.map_or(Value::Unknown, |items| self.element(eval, items))
            }
            ExternalCallee::Method(receiver, _) => self.element(eval, receiver),
        }
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        standard::element(eval, value)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        standard::index(eval, value)
    }

    fn unwrap(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        standard::unwrap(eval, value)
    }

    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        match &result {
            // An `async` function that yields is a generator, not something to await.
            Value::ExternalInstance { name, .. }
                if matches!(&**name, "ContextManager" | "Generator") || name.starts_with("Async") =>
            {
                result
            }
            _ => Value::external_instance("Awaitable", vec![result]),
        }
    }

    fn call_method(&self) -> Option<&'static str> {
        Some("__call__")
    }

    fn attribute(&self, eval: &mut Evaluator<'_>, value: Value) -> Value {
        standard::attribute(eval, value)
    }

    fn later_definitions_replace(&self) -> bool {
        true
    }

    fn assignments_keep_declarations(&self) -> bool {
        true
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        standard::is_ubiquitous(name)
    }
}
