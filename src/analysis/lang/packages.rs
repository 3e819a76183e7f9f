//! Language facts that other modules need: the units of packages, and implicit interfaces.

use super::{ImplicitInterfaces, language_named};
use crate::model::{SymbolKind, SymbolName};
use crate::resolve::rules::Overriding;
use crate::text::parent_dir;

/// Returns the unit of a file's definitions: the folder in languages whose packages are folders, otherwise the file.
pub fn definition_unit<'a>(language: &str, path: &'a str) -> &'a str {
    if language_named(language).is_some_and(|language| language.traits().packages_are_folders) {
        parent_dir(path)
    } else {
        path
    }
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
    symbol_name_in(kind, file.map(|(language, path)| (definition_unit(language, path), path)), scope, name)
}

/// Returns the name of a stored symbol; `file` is the unit and path of its file, if it has one. See [`symbol_name`].
pub fn symbol_name_in<'a>(
    kind: SymbolKind,
    file: Option<(&'a str, &'a str)>,
    scope: &'a str,
    name: &'a str,
) -> SymbolName<'a> {
    match (kind, file) {
        (SymbolKind::File, Some((_, path))) => SymbolName { unit: path, scope: "", name: "" },
        (SymbolKind::Package, None) => SymbolName { unit: scope, scope: "", name: "" },
        (SymbolKind::RouteHandler, Some((_, path))) => SymbolName { unit: path, scope, name },
        (_, Some((unit, _))) => SymbolName { unit, scope, name },
        (_, None) => SymbolName { unit: "", scope, name },
    }
}

/// Returns whether a file of this name, which is without its extension, stands for its folder: in the languages that have such
/// names they are not names of modules.
pub fn stands_for_folder(stem: &str) -> bool {
    matches!(stem, "__init__" | "index" | "lib" | "main" | "mod")
}

/// Returns whether interfaces are services, whose procedures code of other languages implements and calls.
pub fn has_services(language: &str) -> bool {
    language_named(language).is_some_and(|language| language.rules.traits().has_services)
}

/// Returns how a method of a language states that it overrides one of a base.
pub fn overriding(language: &str) -> Overriding {
    language_named(language).map_or(Overriding::ByName, |language| language.rules.traits().overriding)
}

/// Returns whether names are all that resolution knows of a language.
pub fn resolves_by_name(language: &str) -> bool {
    language_named(language).is_some_and(|language| language.rules.traits().resolves_by_name)
}

/// Returns whether types satisfy interfaces without declaring it.
pub fn has_implicit_interfaces(language: &str) -> bool {
    implicit_interfaces(language).is_some()
}

/// Returns whether the methods of a type tell for certain that it satisfies an interface.
pub fn satisfies_for_certain(language: &str) -> bool {
    implicit_interfaces(language).is_some_and(|interfaces| interfaces.is_certain)
}

/// Returns the shape of a method's signature; 0 if it is unknown, or if the language has no implicit interfaces.
pub fn method_shape(language: &str, signature: &str) -> u64 {
    let shape = implicit_interfaces(language).and_then(|interfaces| (interfaces.method_shape)(signature));
    shape.map_or(0, |text| xxhash_rust::xxh3::xxh3_64(text.as_bytes()).max(1))
}

/// Returns the method names of an interface of the standard library, by its dotted name.
pub fn standard_interface(language: &str, name: &str) -> Option<Vec<&'static str>> {
    (implicit_interfaces(language)?.standard)(name)
}

/// Returns whether only types of an interface's own package can have its method of this name.
pub fn is_private_method(language: &str, method: &str) -> bool {
    implicit_interfaces(language).is_some_and(|interfaces| (interfaces.is_private)(method))
}

fn implicit_interfaces(language: &str) -> Option<&'static ImplicitInterfaces> {
    language_named(language)?.implicit_interfaces
}
