//! Finds the definitions that external names of other repositories denote in this one.
//!
//! A name is resolved as an import of it would be: from the module of a package, through re-exports, base classes and
//! extension blocks.

use super::eval::Evaluator;
use super::input::FileIndex;
use super::value::{SymbolRef, Value};
use super::world::World;
use crate::facts::name_key;
use crate::model::SymbolKind;

/// The target of an external name of another repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportTarget {
    Symbol(SymbolRef),
    /// A module, by its file.
    File(FileIndex),
    /// A name that is external to this repository, too: it is re-exported.
    External(String),
}

/// Returns the targets of external names in a language, `None` for what is not defined here.
pub fn export_targets(world: &World<'_>, language: &str, names: &[&str]) -> Vec<Option<ExportTarget>> {
    let file = FileIndex::sequence().zip(world.files).find(|(_, file)| file.language == language);
    let Some((file, _)) = file else { return vec![None; names.len()] };
    let mut eval = Evaluator::new(world, file);
    names.iter().map(|name| export_target(&mut eval, name)).collect()
}

fn export_target(eval: &mut Evaluator<'_>, name: &str) -> Option<ExportTarget> {
    let (module, used) = eval.own_rules().exported_module(&eval.world.modules, name)?;
    let mut value = Value::Module(module);
    let mut segments = name[used..].split('.').filter(|segment| !segment.is_empty()).peekable();
    while let Some(segment) = segments.next() {
        // In a path, a module takes precedence over a function of the same name; at its end the function does.
        let child = match &value {
            Value::Module(module) if segments.peek().is_some() => {
                eval.world.modules.get(*module).children.get(&name_key(segment)).copied()
            }
            _ => None,
        };
        value = child.map_or_else(|| member(eval, &value, segment), Value::Module);
    }
    match value {
        Value::Symbol { symbol, .. } => Some(ExportTarget::Symbol(symbol)),
        Value::Module(module) => eval.world.modules.get(module).file.map(ExportTarget::File),
        Value::External { name: other, .. } if *other != *name => Some(ExportTarget::External(other.to_string())),
        _ => None,
    }
}

/// Returns the member of a value as other repositories see it; of a type also a member of its values.
fn member(eval: &mut Evaluator<'_>, value: &Value, name: &str) -> Value {
    let direct = eval.member_denoted(value, name);
    if matches!(direct, Value::Symbol { .. } | Value::Module(_)) {
        return direct;
    }
    // Java and C# mark the names of callees.
    let called = if eval.own_rules().traits().marks_callees { format!("{name}()") } else { name.to_owned() };
    let by_call = eval.member_denoted(value, &called);
    if matches!(by_call, Value::Symbol { .. }) {
        return by_call;
    }
    match value {
        Value::Symbol { symbol, .. } if is_type(eval, *symbol) => {
            let instance = eval.own_instance(*symbol);
            match eval.member_denoted(&instance, &called) {
                Value::Symbol { symbol, bound } => Value::Symbol { symbol, bound },
                _ => direct,
            }
        }
        _ => direct,
    }
}

fn is_type(eval: &Evaluator<'_>, symbol: SymbolRef) -> bool {
    matches!(eval.world.definition(symbol).kind, SymbolKind::Type | SymbolKind::Interface)
}
