//! Rules by which names resolve across Java files: packages, imports, `java.lang`.

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::{NAME, TRAITS, conversions, generated};
use crate::facts::Import;
use crate::lang::common::library::Library;
use crate::lang::common::modules::add_packages;
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::Value;

/// Java's resolution rules.
pub struct JavaRules;

impl Rules for JavaRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn modules(&self, files: &[(FileIndex, FileInput<'_>)], _manifests: &[Manifest], modules: &mut Modules) {
        add_packages(NAME, files, modules);
    }

    fn exported_module(&self, modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
        let ends = name.match_indices('.').map(|(dot, _)| dot);
        ends.filter_map(|end| Some((modules.find(NAME, &name[..end])?, end))).last()
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let Some(&package) = import.path.first() else { return (Value::Unknown, 0) };
        let package = outline.names.get(package);
        match eval.world.modules.find(NAME, package) {
            Some(module) => (Value::Module(module), 1),
            None => (Value::external(package), 1),
        }
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        LANG.binary_search(&name).ok().map(|_| Value::external(&format!("java.lang.{name}")))
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Method(receiver, name) => LIBRARY.result(receiver, name, args),
            // A static method, by its dotted name.
            ExternalCallee::Named(name, _) => match name.rsplit_once('.') {
                Some((class, method)) => {
                    let arguments = args.iter().take(1).cloned().collect();
                    LIBRARY.result(&Value::external_instance(class, arguments), method, args)
                }
                None => Value::Unknown,
            },
        }
    }

    fn external_lambda(
        &self,
        _eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        _args: &[Value],
        _argument: u16,
        parameter: u16,
    ) -> Value {
        match callee {
            ExternalCallee::Method(receiver, name) => LIBRARY.lambda_parameter(receiver, name, parameter),
            ExternalCallee::Named(..) => Value::Unknown,
        }
    }

    fn element(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { name, .. } if &**name == "[]" => value.argument(0),
            Value::ExternalInstance { .. } => LIBRARY.result(&LIBRARY.result(value, "iterator", &[]), "next", &[]),
            Value::Instance { .. } => {
                let ancestors = eval.ancestors(value);
                let external = ancestors.iter().filter(|base| matches!(base, Value::ExternalInstance { .. }));
                external.map(|base| base.argument(0)).find(|element| !element.is_unknown()).unwrap_or_default()
            }
            _ => Value::Unknown,
        }
    }

    /// A method that a generator adds to a type around the site.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let method = name.strip_suffix("()")?;
        let receiver = eval.receiver(site);
        generated::method(eval, &receiver, method)
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        generated::method(eval, receiver, name)
    }

    /// An interface with one abstract method is called through it (Java Language Specification, 9.8).
    fn callable(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        eval.only_method(value)
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        conversions::fit(actual, expected)
    }
}

/// Results of the standard library's methods.
static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::read(include_str!("library.txt")));

/// Types of `java.lang`, which need no import.
const LANG: &[&str] = word_list!("java_lang.txt");
