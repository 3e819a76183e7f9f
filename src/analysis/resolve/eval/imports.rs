//! Resolution of imports.

use std::sync::Arc;

use super::members::plain_name;
use super::{Evaluator, Query};
use crate::facts::ImportName;
use crate::resolve::input::FileIndex;
use crate::resolve::rules::UseSite;
use crate::resolve::value::Value;

impl Evaluator<'_> {
    /// Returns the file that is resolved.
    pub fn resolved_file(&self) -> FileIndex {
        self.file
    }

    /// Returns the files of the modules that the resolved file imports as a whole.
    pub fn imported_files(&mut self) -> Arc<[FileIndex]> {
        if let Some(known) = &self.imported_files {
            return Arc::clone(known);
        }
        let file = self.file;
        let mut files = Vec::new();
        for (number, import) in (0u32..).zip(&self.world.outline(file).imports) {
            if import.name == ImportName::Module
                && let Value::Module(module) = self.import_target(file, number)
            {
                files.extend(self.world.modules.get(module).file);
            }
        }
        let files: Arc<[FileIndex]> = files.into();
        self.imported_files = Some(Arc::clone(&files));
        files
    }

    /// Resolves the `number`-th import of a file to a module, a definition or an external name. A glob import resolves
    /// to the module that is imported from.
    pub fn import_target(&mut self, file: FileIndex, number: u32) -> Value {
        self.query(Query::Import(file, number), |eval| {
            let value = eval.import_owner(file, number);
            let outline = eval.world.outline(file);
            let (name, is_marked) = match outline.imports[number as usize].name {
                ImportName::Module | ImportName::All => return value,
                ImportName::Named(name) => (outline.names.get(name), eval.rules(file).traits().marks_callees),
                ImportName::Default => ("default", false),
            };
            match eval.member_denoted(&value, name) {
                Value::Unknown if is_marked => eval.member_denoted(&value, &format!("{name}()")),
                found => found,
            }
        })
    }

    /// Returns the method that an import of a static member means where it is called, if it names one.
    pub(super) fn imported_method(&mut self, file: FileIndex, number: u32, called: &str) -> Option<Value> {
        if plain_name(called) == called {
            return None;
        }
        let owner = self.import_owner(file, number);
        let is_type = matches!(&owner, Value::Symbol { symbol, .. } if self.world.definition(*symbol).kind.is_type());
        let ImportName::Named(name) = self.world.outline(file).imports[number as usize].name else { return None };
        let name = self.world.outline(file).names.get(name);
        is_type.then(|| self.member_denoted(&owner, &format!("{name}()"))).filter(|found| !found.is_unknown())
    }

    /// Returns what an import names a member of, or imports as a whole.
    pub fn import_owner(&mut self, file: FileIndex, number: u32) -> Value {
        let outline = self.world.outline(file);
        let import = &outline.imports[number as usize];
        let site = UseSite { file, scope: import.scope };
        let (mut value, used) = self.rules(file).import(self, site, import);
        for segment in import.path.iter().skip(used) {
            self.record_lookup(outline.names.key(*segment));
            // In a path, a module takes precedence over a function of the same name.
            let child = match &value {
                Value::Module(module) => {
                    let children = &self.world.modules.get(*module).children;
                    children.get(&outline.names.key(*segment)).copied()
                }
                _ => None,
            };
            value = match child {
                Some(child) => Value::Module(child),
                None => self.member_denoted(&value, outline.names.get(*segment)),
            };
        }
        value
    }
}
