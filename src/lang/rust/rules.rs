//! How names resolve across Rust files.

use crate::facts::Import;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::Modules;
use crate::resolve::rules::{Place, Rules};
use crate::resolve::value::Value;

/// Rust's rules.
pub struct RustRules;

impl Rules for RustRules {
    fn modules(&self, files: &[(u32, FileInput<'_>)], _manifests: &[Manifest], modules: &mut Modules) {
        for (number, file) in files {
            let module = modules.add("rust", file.path, None);
            modules.add_file(module, *number);
        }
    }

    fn import(&self, _eval: &mut Evaluator<'_>, _place: Place, import: &Import) -> (Value, usize) {
        (Value::Unknown, import.path.len())
    }

    fn is_ubiquitous(&self, _name: &str) -> bool {
        false
    }
}
