//! Rules by which names of light languages resolve across files.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::suggested;
use crate::facts::{BindingKind, Definition, Import, name_key};
use crate::lang::common::library::Library;
use crate::lang::common::modules::add_packages;
use crate::lang::common::word_list::word_list;
use crate::resolve::eval::{Evaluator, plain_name};
use crate::resolve::input::{FileIndex, LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UnknownCall, UseSite};
use crate::resolve::value::{SymbolRef, Value};
use crate::resolve::world::ExtensionRef;
use crate::text::parent_dir;

/// The modules of a light language, and what its imports name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each file is a module, and an import names it by the end of its path. A name that nothing else binds is that of
    /// the nearest file.
    Files {
        /// Endings of paths that imports leave out: `.lua`, `/init.lua`.
        endings: &'static [&'static str],
        /// The character that imports have instead of a slash.
        separator: char,
    },
    /// Each package is a module, in the namespace of this name, which languages can share.
    Packages(&'static str),
}

/// The rules of a light language.
pub struct LightRules {
    /// The language's name in the registry and in the module table.
    pub language: &'static str,
    pub layout: Layout,
    /// The traits; `ubiquitous` has the names besides those of most languages.
    pub traits: Traits,
    /// The beginning of the names of the standard library's types, and those that need no import.
    pub library: (&'static str, &'static [&'static str]),
    /// The results of the library's methods, if the language has a table of them.
    pub table: Option<&'static LazyLock<Library>>,
    /// Types of libraries with the type that each extends.
    pub supertypes: &'static [(&'static str, &'static str)],
    /// The names by which other languages call the value of an object, or of a type's companion.
    pub objects: &'static [&'static str],
}

impl LightRules {
    /// Returns the rules of a language with these traits.
    pub const fn new(language: &'static str, layout: Layout, traits: Traits) -> LightRules {
        let shared_modules = match layout {
            Layout::Packages(namespace) => namespace,
            Layout::Files { .. } => "",
        };
        let traits = Traits { shared_modules, names_fit: true, ..traits };
        LightRules { language, layout, traits, library: ("", &[]), table: None, supertypes: &[], objects: &[] }
    }

    pub(super) fn layout_is_packages(&self) -> bool {
        matches!(self.layout, Layout::Packages(_))
    }

    fn is_of_library(&self, name: &str) -> bool {
        self.library.1.binary_search(&name).is_ok()
            || self.supertypes.iter().any(|(below, above)| [*below, *above].contains(&name))
    }

    /// Returns the name of a type, or of a function, that the table of the library has.
    fn in_table(&self, name: &str) -> Option<Value> {
        let table = self.table?;
        let plain = plain_name(name);
        if plain == name && table.has_type(name) {
            return Some(Value::external_instance(&format!("{}{name}", self.library.0), Vec::new()));
        }
        (plain != name && table.has_function(plain)).then(|| Value::external(plain))
    }

    /// Returns a receiver as the table has it: a value of the repository has the methods that every value has.
    fn as_in_table(&self, receiver: &Value) -> Value {
        match receiver {
            Value::Instance { .. } | Value::Parameter(_) | Value::Function { .. } => {
                Value::external_instance(ANY, vec![receiver.clone()])
            }
            other => other.clone(),
        }
    }

    /// Returns a member of a package's object (Scala's `package object p`), whose members are those of the package.
    fn member_of_package(&self, eval: &mut Evaluator<'_>, module: ModuleId, name: &str) -> Option<Value> {
        let Layout::Packages(namespace) = self.layout else { return None };
        let world = eval.world;
        let (outer, own) = world.modules.get(module).path.rsplit_once('.')?;
        let outer = world.modules.find(namespace, outer)?;
        let Value::Symbol { symbol, .. } = eval.module_member(outer, own) else { return None };
        if !world.definition(symbol).kind.is_type() {
            return None;
        }
        let own = eval.own_instance(symbol);
        eval.members(&own, name).into_iter().next().map(|member| Value::symbol(member.symbol))
    }

    /// Returns the member of a package object whose package is that of a site, or is imported as a whole there.
    fn member_of_package_objects(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        if !eval.any_has_member(name_key(name)) {
            return None;
        }
        let world = eval.world;
        let scopes = &world.code(site.file).scopes;
        let mut at = Some(site.scope);
        while let Some(scope) = at {
            for &number in world.globs.of_scope(site.file, scope, false).all() {
                if let Value::Module(module) = eval.import_target(site.file, number)
                    && let Some(member) = self.member_of_package(eval, module, name)
                {
                    return Some(member);
                }
            }
            at = scopes.get(scope.0 as usize)?.parent;
        }
        let module = eval.module_at(site)?;
        self.member_of_package(eval, module, name)
    }

    /// Returns the member that a block adds to an external type which that around a site is, or extends.
    fn added_to_receiver(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        if !self.traits.members_are_in_scope || !eval.any_has_member(name_key(name)) {
            return None;
        }
        let receiver = eval.receiver(site);
        let ancestors = match &receiver {
            Value::Instance { .. } => eval.ancestors(&receiver),
            Value::ExternalInstance { .. } => vec![receiver].into(),
            Value::Unknown => {
                let extended = extended_name(eval, site)?;
                return self.added_member(eval, Some(extended), &[], name);
            }
            _ => return None,
        };
        ancestors.iter().find_map(|ancestor| match ancestor {
            Value::ExternalInstance { name: owner, args } => self.added_member(eval, Some(owner), args, name),
            _ => None,
        })
    }

    /// Returns the members of a name that blocks add to types of libraries or to every type, with their blocks.
    pub(super) fn added(&self, eval: &mut Evaluator<'_>, name: &str) -> Arc<Vec<(ExtensionRef, SymbolRef)>> {
        let (world, key, language) = (eval.world, name_key(name), self.language);
        eval.memoized(name_key(&format!("added {language} {name}")), |_| {
            let blocks = world.extensions().others.iter();
            let own = blocks.filter(|block| world.files[block.0.index()].language == language);
            own.flat_map(|block| world.extension_members(*block, key).iter().map(|member| (*block, *member))).collect()
        })
    }

    /// Returns the member that a block adds to an external type or to every type. `receiver` is the name of the type.
    fn added_member(
        &self,
        eval: &mut Evaluator<'_>,
        receiver: Option<&str>,
        args: &[Value],
        name: &str,
    ) -> Option<Value> {
        let world = eval.world;
        if !eval.any_has_member(name_key(name)) {
            return None;
        }
        let added = self.added(eval, name);
        let mut wanted = receiver.map(|name| name.rsplit('.').next().unwrap_or(name));
        // A type of a library has few supertypes.
        for _ in 0..=self.supertypes.len() {
            for (block, member) in added.iter() {
                let extension = world.extension(*block);
                let target = world.outline(block.0).names.get(extension.target_name);
                let definition = world.definition(*member);
                let is_any = definition.type_parameters.iter().any(|parameter| parameter.name == extension.target_name);
                if (is_any || wanted == Some(target)) && self.takes(eval, *block, args) {
                    eval.consult(*member);
                    return Some(Value::symbol(*member));
                }
            }
            let above = self.supertypes.iter().find(|(below, _)| wanted == Some(*below));
            wanted = Some(above?.1);
        }
        None
    }

    /// Returns whether a block extends types with these generic arguments: not, if one of them is another type.
    fn takes(&self, eval: &mut Evaluator<'_>, block: ExtensionRef, args: &[Value]) -> bool {
        if args.iter().all(Value::is_unknown) {
            return true;
        }
        let extension = eval.world.extension(block);
        let site = UseSite { file: block.0, scope: extension.scope };
        let Value::ExternalInstance { args: wanted, .. } = eval.type_of(site, extension.target) else { return true };
        let is_any = |value: &Value| matches!(value, Value::ExternalInstance { name, .. } if name.ends_with(ANY));
        args.iter().zip(wanted.iter()).all(|(one, other)| is_any(other) || eval.fit(one, other).is_some())
    }

    /// Returns whether the supertypes of an external type are known: those of the library, and what its methods return.
    pub(super) fn is_known_type(&self, value: &Value) -> bool {
        let Value::ExternalInstance { name, .. } = value else { return false };
        &**name == UNKNOWN_TYPE
            || self.table.is_some_and(|table| table.type_of(value).is_some())
            || name.strip_prefix(self.library.0).is_some_and(|name| self.is_of_library(name))
    }

    fn module_of_path(&self, eval: &mut Evaluator<'_>, site: UseSite, path: &str, separator: char) -> Value {
        let from = eval.world.files[site.file.index()].path;
        let files = eval.world.modules.state::<Files>(self.language);
        let path = path.replace(separator, "/");
        let Some(module) = files.and_then(|files| files.find(from, &path)) else { return Value::external(&path) };
        // What a file returns is what an import of it denotes.
        match eval.module_member(module, RETURNED) {
            Value::Unknown => Value::Module(module),
            returned => returned,
        }
    }
}

/// Returns the name of the type that the block around a site extends.
fn extended_name<'w>(eval: &Evaluator<'w>, site: UseSite) -> Option<&'w str> {
    let world = eval.world;
    let scopes = &world.code(site.file).scopes;
    let mut around = std::iter::successors(scopes.get(site.scope.0 as usize), |scope| {
        scope.parent.and_then(|parent| scopes.get(parent.0 as usize))
    });
    let block = around.find_map(|scope| scope.extension)?;
    Some(world.outline(site.file).names.get(world.extension((site.file, block.0)).target_name))
}

/// The type in a table whose methods every value has.
const ANY: &str = "Any";

/// The type of what the standard library returns.
const UNKNOWN_TYPE: &str = "?";

/// The name by which importers find what a file returns.
pub const RETURNED: &str = "default";

/// The files of a language by the last segment of the path that imports have.
struct Files(HashMap<String, Vec<(String, ModuleId)>>);

impl Files {
    /// Returns the file whose path ends with `path`, of several the one with most folders in common with `from`.
    fn find(&self, from: &str, path: &str) -> Option<ModuleId> {
        let plain = path.trim_start_matches("../").trim_start_matches("./").trim_start_matches('/');
        let named = self.0.get(plain.rsplit('/').next().unwrap_or(plain))?;
        let ends = |known: &str| known.strip_suffix(plain).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let fitting = named.iter().filter(|(known, _)| ends(known));
        let best = fitting.max_by_key(|(known, _)| (nearness(known, from), std::cmp::Reverse((known.len(), known))));
        best.map(|(_, module)| *module)
    }
}

/// Returns the number of folders that two paths have in common.
fn nearness(one: &str, other: &str) -> usize {
    let folders = |path| parent_dir(path).split('/');
    folders(one).zip(folders(other)).take_while(|(one, other)| one == other).count()
}

impl Rules for LightRules {
    fn traits(&self) -> &Traits {
        &self.traits
    }

    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        let endings = match self.layout {
            Layout::Files { endings, .. } => endings,
            Layout::Packages(namespace) => return add_packages(namespace, files, modules),
        };
        let mut by_name: HashMap<String, Vec<(String, ModuleId)>> = HashMap::new();
        for (number, file) in files.files {
            let module = modules.add(self.language, file.path, None);
            modules.add_file(module, *number);
            for path in std::iter::once(file.path).chain(endings.iter().filter_map(|end| file.path.strip_suffix(end))) {
                let name = path.rsplit('/').next().unwrap_or(path).to_owned();
                by_name.entry(name).or_default().push((path.to_owned(), module));
            }
        }
        modules.set_state(self.language, Files(by_name));
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let path: Vec<&str> = import.path.iter().map(|segment| outline.names.get(*segment)).collect();
        let namespace = match self.layout {
            Layout::Files { separator, .. } => {
                return (self.module_of_path(eval, site, &path.join("/"), separator), path.len());
            }
            Layout::Packages(namespace) => namespace,
        };
        let found = (1..=path.len()).rev().find_map(|length| {
            let module = eval.world.modules.find(namespace, &path[..length].join("."))?;
            Some((Value::Module(module), length))
        });
        found.unwrap_or_else(|| (Value::external(&path.join(".")), path.len()))
    }

    /// Returns the definition of the nearest file that has the name at its top level; none if two are equally near.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        if let Some(added) = self.added_to_receiver(eval, site, plain_name(name)) {
            return Some(added);
        }
        if self.layout_is_packages() {
            if self.traits.objects_are_types
                && let Some(member) = self.member_of_package_objects(eval, site, name)
            {
                return Some(member);
            }
            // A type is called by its name, which languages that need `new` don't mark as that of a callee.
            let module = eval.module_at(site)?;
            return Some(eval.module_member(module, name.strip_suffix("()")?)).filter(|value| !value.is_unknown());
        }
        let key = name_key(name);
        eval.record_lookup(key);
        let world = eval.world;
        let from = world.files[site.file.index()].path;
        let mut best: Option<((usize, bool), ModuleId)> = None;
        let mut is_tied = false;
        for &module in world.modules.binding_modules(key) {
            let Some(&(file, index)) = world.modules.bindings(module, key).first() else { continue };
            let is_definition = matches!(world.outline(file).bindings[index as usize].kind, BindingKind::Definition(_));
            let other = &world.files[file.index()];
            // A function of another file is a member of that file.
            let is_member = |kind| match kind {
                BindingKind::Definition(id) => world.outline(file).definitions[id.index()].kind.is_callable(),
                _ => false,
            };
            let is_hidden = self.traits.files_are_types && is_member(world.outline(file).bindings[index as usize].kind);
            if !is_definition || is_hidden || other.language != self.language {
                continue;
            }
            // The own folder is nearer than those in it.
            let near = (nearness(other.path, from), parent_dir(other.path) == parent_dir(from));
            match best.map_or(Ordering::Greater, |(known, _)| near.cmp(&known)) {
                Ordering::Greater => (best, is_tied) = (Some((near, module)), false),
                Ordering::Equal => is_tied = true,
                Ordering::Less => {}
            }
        }
        let (_, module) = best.filter(|_| !is_tied)?;
        Some(eval.module_member(module, name)).filter(|value| !value.is_unknown())
    }

    /// Returns a value of the type: as a receiver it is one, and a use of it makes no edge.
    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        if self.is_of_library(name) {
            return Some(Value::external_instance(&format!("{}{name}", self.library.0), Vec::new()));
        }
        self.in_table(name)
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        let (owner, args) = match receiver {
            Value::ExternalInstance { name, args } | Value::External { name, args } => (name, args),
            Value::Tuple(parts) => return parts.get(name.parse::<usize>().ok()?).cloned(),
            _ => return None,
        };
        let plain = if &**owner == "[]" { "Array" } else { owner };
        let added = self.added_member(eval, Some(plain), args, name);
        if let (None, Some(table)) = (&added, self.table) {
            let property = table.result(receiver, &format!(".{name}"), &[]);
            if !property.is_unknown() {
                return Some(property);
            }
            // Every type is above it, and has other members.
            if plain == self.traits.root_type && !table.has_method(receiver, name) {
                return Some(Value::Unknown);
            }
            if table.type_of(receiver).is_some() {
                return None;
            }
        }
        let is_library = owner.strip_prefix(self.library.0).is_some_and(|name| self.is_of_library(name));
        // What the standard library returns is not known.
        added.or_else(|| is_library.then(|| Value::external_instance(UNKNOWN_TYPE, Vec::new())))
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, args: &[Value]) -> Value {
        match (self.table, callee) {
            // `List(a, b)` makes a value of the type.
            (Some(table), ExternalCallee::Method(Value::ExternalInstance { name, args: none }, "apply"))
                if none.is_empty() && table.has_function(name) =>
            {
                table.function(name, args, &mut |value| value.argument(0)).unwrap_or_default()
            }
            (Some(table), ExternalCallee::Method(receiver, name)) => {
                table.result(&self.as_in_table(receiver), plain_name(name), args)
            }
            (Some(table), ExternalCallee::Named(name, known)) => {
                // The arguments of a map are pairs, if its types are not written.
                let args: &[Value] = match args {
                    _ if !known.is_empty() => known,
                    [Value::ExternalInstance { name, args: pair }, ..] if name.ends_with("Pair") => pair,
                    _ => args,
                };
                table.function(name, args, &mut |value| value.argument(0)).unwrap_or_default()
            }
            _ => Value::Unknown,
        }
    }

    fn external_lambda(
        &self,
        _eval: &mut Evaluator<'_>,
        callee: ExternalCallee<'_>,
        args: &[Value],
        _argument: u16,
        parameter: u16,
    ) -> Value {
        match (self.table, callee) {
            (Some(table), ExternalCallee::Method(receiver, name)) => {
                table.lambda_parameter_after(&self.as_in_table(receiver), plain_name(name), args, parameter)
            }
            _ => Value::Unknown,
        }
    }

    /// The elements of a map are pairs.
    fn element(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { args, .. } if self.table.is_some() && args.len() == 2 => {
                Value::Tuple(args.clone())
            }
            other => other.argument(0),
        }
    }

    /// The parts of an element with its number.
    fn item(&self, _eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        let kind = self.table.and_then(|table| table.type_of(value));
        match (kind, value) {
            (Some("IndexedValue" | "Enumerated"), other) if index == 1 => other.argument(0),
            (_, Value::ExternalInstance { args, .. }) if args.len() > 1 => args.get(index).cloned().unwrap_or_default(),
            (None, other) if index == 0 => other.clone(),
            _ => Value::Unknown,
        }
    }

    /// Returns the last argument: the value that a map has for a key, or the element of a list.
    fn index(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { args, .. } => args.last().cloned().unwrap_or_default(),
            other => other.argument(0),
        }
    }

    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        match receiver {
            Value::Instance { .. } => self.added_member(eval, None, &[], name).or_else(|| {
                let own = self.as_in_table(receiver);
                let is_known = self.table.is_some_and(|table| table.has_method(&own, plain_name(name)));
                is_known.then(|| Value::ExternalMethod { receiver: Arc::new(receiver.clone()), name: name.into() })
            }),
            Value::Symbol { symbol, .. } if self.objects.contains(&name) => Some(eval.own_instance(*symbol)),
            Value::Module(module) if self.traits.objects_are_types => self.member_of_package(eval, *module, name),
            _ => None,
        }
    }

    /// Resolves the package of the file.
    fn root(&self, eval: &mut Evaluator<'_>, site: UseSite, _name: &str) -> Value {
        eval.module_at(site).map_or(Value::Unknown, Value::Module)
    }

    /// A type whose value other languages call by a name is an object by its first words.
    fn is_object(&self, definition: &Definition) -> bool {
        let mut head = definition.signature.split(['(', '{', ':']).next().unwrap_or_default().split_whitespace();
        self.traits.objects_are_types || (!self.objects.is_empty() && head.any(|word| word == "object"))
    }

    fn sees_extension(&self, eval: &mut Evaluator<'_>, file: FileIndex, method: SymbolRef) -> bool {
        let needs_import = self.layout_is_packages() && self.traits.marks_callees;
        !needs_import || suggested::is_visible(eval, file, method)
    }

    fn suggested_methods(&self, eval: &mut Evaluator<'_>, call: &UnknownCall<'_>) -> Vec<SymbolRef> {
        suggested::extensions(self, eval, call)
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let is_number = |name: &str| NUMBERS.contains(&name);
        let is_plain = |name: &str| is_number(name) || PLAIN.contains(&name);
        let (name, other) = match (actual, expected) {
            (Value::ExternalInstance { name, .. }, Value::ExternalInstance { name: other, .. }) => (name, other),
            (Value::Function { .. }, Value::ExternalInstance { name: other, .. }) if is_plain(&last(other)) => {
                return None;
            }
            _ => return Some(1),
        };
        let (own, wanted) = (last(name), last(other));
        match own == wanted {
            true => Some(4),
            false if is_number(&own) && is_number(&wanted) => Some(2),
            false if is_plain(&own) && is_plain(&wanted) => None,
            false => Some(1),
        }
    }

    fn is_ubiquitous(&self, name: &str) -> bool {
        UBIQUITOUS.binary_search(&name).is_ok() || self.traits.ubiquitous.contains(&name)
    }
}

/// Types of numbers, to which literals of numbers are converted.
const NUMBERS: &[&str] =
    &["Byte", "CGFloat", "Double", "Float", "Int", "Int32", "Int64", "Long", "Short", "UInt", "UInt64", "ULong"];

/// Other types of which no value is one of another.
const PLAIN: &[&str] = &["Bool", "Boolean", "Char", "Character", "String"];

/// Names of methods that the standard libraries of most languages have.
const UBIQUITOUS: &[&str] = word_list!("ubiquitous.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_counts_common_folders() {
        assert_eq!([nearness("a/b/c.x", "a/b/d.x"), nearness("a/c.x", "a/b/d.x"), nearness("c.x", "b/d.x")], [2, 1, 0]);
    }
}
