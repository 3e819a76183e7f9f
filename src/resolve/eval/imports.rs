//! What an import names.

use super::{Evaluator, Question};
use crate::facts::ImportName;
use crate::resolve::rules::Place;
use crate::resolve::value::Value;

impl Evaluator<'_> {
    /// What the `number`-th import of a file denotes: a module, a definition, or something foreign. For an import of all
    /// names, the module they come from.
    pub fn import_target(&mut self, file: u32, number: u32) -> Value {
        self.answer(Question::Import(file, number), |eval| {
            eval.visit(file);
            let outline = eval.world.outline(file);
            let import = &outline.imports[number as usize];
            let place = Place { file, scope: import.scope };
            let (mut value, used) = eval.rules(file).import(eval, place, import);
            for segment in import.path.iter().skip(used) {
                // A path leads through modules, even where one shares its name with a function.
                let child = match &value {
                    Value::Module(module) => {
                        let children = &eval.world.modules.get(*module).children;
                        children.get(&outline.names.key(*segment)).copied()
                    }
                    _ => None,
                };
                value = match child {
                    Some(child) => Value::Module(child),
                    None => eval.member_denoted(&value, outline.names.get(*segment)),
                };
            }
            match import.name {
                ImportName::Module | ImportName::All => value,
                ImportName::Named(name) => eval.member_denoted(&value, outline.names.get(name)),
                ImportName::Default => eval.member_denoted(&value, "default"),
            }
        })
    }
}
