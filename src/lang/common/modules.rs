//! Modules from the packages that files declare.

use crate::resolve::input::{FileIndex, FileInput};
use crate::resolve::modules::Modules;

/// Adds a module for each package: the files that declare it. Files without a package share one without a name.
pub fn add_packages(language: &'static str, files: &[(FileIndex, FileInput<'_>)], modules: &mut Modules) {
    for (number, file) in files {
        let package = file.outline.package.map_or("", |package| file.outline.names.get(package));
        let module = modules.add(language, package, None);
        modules.add_file(module, *number);
    }
}
