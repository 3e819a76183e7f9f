//! Language facts that other modules need: the units of packages, and implicit interfaces.

use super::go;
use crate::model::{SymbolKind, SymbolName};
use crate::text::parent_dir;

/// Returns the unit of a file's definitions: the folder in languages whose packages are folders, otherwise the file.
pub fn definition_unit<'a>(language: &str, path: &'a str) -> &'a str {
    if language == go::LANGUAGE.name { parent_dir(path) } else { path }
}

/// Returns the name of a stored symbol; `file` is the language and path of its file, if it has one.
///
/// The unit of a file or package is its own path. The unit of a route is always its file.
pub fn symbol_name<'a>(
    kind: SymbolKind,
    file: Option<(&str, &'a str)>,
    scope: &'a str,
    name: &'a str,
) -> SymbolName<'a> {
    match (kind, file) {
        (SymbolKind::File, Some((_, path))) => SymbolName { unit: path, scope: "", name: "" },
        (SymbolKind::Package, None) => SymbolName { unit: scope, scope: "", name: "" },
        (SymbolKind::RouteHandler, Some((_, path))) => SymbolName { unit: path, scope, name },
        (_, Some((language, path))) => SymbolName { unit: definition_unit(language, path), scope, name },
        (_, None) => SymbolName { unit: "", scope, name },
    }
}

/// Returns whether types satisfy interfaces without declaring it.
pub fn has_implicit_interfaces(language: &str) -> bool {
    language == go::LANGUAGE.name
}
