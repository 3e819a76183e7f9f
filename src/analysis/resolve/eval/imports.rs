//! Resolution of imports.

use std::sync::Arc;

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
            let outline = eval.world.outline(file);
            let import = &outline.imports[number as usize];
            let site = UseSite { file, scope: import.scope };
            let (mut value, used) = eval.rules(file).import(eval, site, import);
            for segment in import.path.iter().skip(used) {
                eval.record_lookup(outline.names.key(*segment));
                // In a path, a module takes precedence over a function of the same name.
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
                ImportName::Named(name) => match eval.member_denoted(&value, outline.names.get(name)) {
                    Value::Unknown if eval.rules(file).marks_callees() => {
                        eval.member_denoted(&value, &format!("{}()", outline.names.get(name)))
                    }
                    found => found,
                },
                ImportName::Default => eval.member_denoted(&value, "default"),
            }
        })
    }
}
