//! Rules by which names resolve across Python files: imports, fixtures, attributes, builtin types.

use std::sync::Arc;

use super::{TRAITS, modules, stdlib, values};
use crate::facts::Import;
use crate::lang::common::modules::globs;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::Value;

/// Python's resolution rules.
pub struct PythonRules;

impl Rules for PythonRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn is_public(&self, _modifiers: &[&str], _names: &[&str], _is_member: bool) -> Option<bool> {
        Some(true)
    }

    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        modules::add_modules(files, modules);
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        modules::exported(modules, name)
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        modules::resolve_import(eval, site, import)
    }

    /// Extraction uses roots only for pytest fixtures.
    fn root(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Value {
        modules::resolve_fixture(eval, site.file, name)
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        stdlib::is_builtin(name).then(|| Value::external(name))
    }

    /// A type of the library, by `from typing import *`.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let mut modules = globs(eval.world.outline(site.file));
        let module = modules.find(|module| stdlib::has_type(module, name))?;
        Some(Value::external(&format!("{module}.{name}")))
    }

    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        stdlib::apply(name, args)
    }

    fn external_call(&self, eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Named(name, type_args) => stdlib::call_result(eval, name, type_args, args),
            ExternalCallee::Method(receiver, name) => stdlib::method_result(eval, receiver, name, args),
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
            // `sorted(items, key=…)` and `map(…, items)` pass one item to the function.
            ExternalCallee::Named(..) => {
                let other = if argument == 0 { args.get(1) } else { args.first() };
                other.map_or(Value::Unknown, |items| self.element(eval, items))
            }
            ExternalCallee::Method(receiver, _) => self.element(eval, receiver),
        }
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        stdlib::element(eval, value)
    }

    /// Returns a part of an unpacked value: a field of a named tuple, or an element.
    fn item(&self, eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        match eval.underlying(value) {
            Some(Value::Tuple(fields)) => fields.get(index).cloned().unwrap_or_default(),
            _ => stdlib::element(eval, value),
        }
    }

    /// A container has no other members than its own: where code uses one, what is known of the value is wrong.
    fn external_member(&self, _eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        (!stdlib::may_have_member(receiver, name)).then_some(Value::Unknown)
    }

    /// Classes have an operator of their own: `A | B` is a type.
    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        let is_union = name == stdlib::UNION_OPERATOR && stdlib::is_type(eval, receiver);
        is_union.then(|| Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
    }

    fn makes_value(&self, method: &str) -> bool {
        values::is_operator(method)
    }

    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        stdlib::index(eval, value)
    }

    fn unwrap(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        stdlib::unwrap(eval, value)
    }

    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        match &result {
            // An `async` function that yields returns an asynchronous generator, which is not awaited.
            Value::ExternalInstance { name, .. }
                if matches!(&**name, "ContextManager" | "Generator") || name.starts_with("Async") =>
            {
                result
            }
            _ => Value::external_instance("Awaitable", vec![result]),
        }
    }

    fn attribute(&self, eval: &mut Evaluator<'_>, value: Value) -> Value {
        stdlib::attribute(eval, value)
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        stdlib::is_ubiquitous(name)
    }
}
