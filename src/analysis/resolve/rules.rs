//! Language-specific rules of name resolution.
//!
//! The resolver itself ([`super::eval`]) handles scopes, bindings, members, bases, generics, calls and values. A
//! language implements [`Rules`] for its module layout, its imports, and its built-in and standard types. External
//! symbols are [`Value::External`] (the symbol itself) and [`Value::ExternalInstance`] (a value of that type). A
//! language chooses their names freely, as long as its methods agree on them.

use std::sync::Arc;

use super::eval::Evaluator;
use super::input::{FileIndex, LanguageFiles, Manifest};
use super::modules::{ModuleId, Modules};
use super::value::{SymbolRef, Value};
use crate::facts::{Atom, DefId, Definition, ExprId, Import, Outline, ScopeId};

/// The file and scope in which an expression is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct UseSite {
    pub file: FileIndex,
    pub scope: ScopeId,
}

/// The callee of a call of an external function.
#[derive(Debug, Clone, Copy)]
pub enum ExternalCallee<'a> {
    /// A function or class, by its dotted name.
    Named(&'a str, &'a [Value]),
    /// A method of a value.
    Method(&'a Value, &'a str),
}

/// A call of which nothing in the repository is known to be the target.
#[derive(Debug)]
pub struct UnknownCall<'a> {
    pub site: UseSite,
    pub name: Atom,
    pub args: &'a [ExprId],
    pub at: u32,
    /// The receiver; `None` if the call has none.
    pub receiver: Option<Value>,
    /// The definition whose code calls.
    pub source: Option<DefId>,
}

/// The way in which a method states that it overrides one of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overriding {
    /// By its name.
    ByName,
    /// By its name and the types of its parameters.
    BySignature,
    /// Besides by this word, which methods that implement those of an interface need only if `in_interfaces`.
    Marked { word: &'static str, in_interfaces: bool },
    /// Besides by a word of it, or of the method that it overrides.
    Virtual(&'static [&'static str]),
}

/// The receivers of which an unknown one is of a library, so that it has members only of the type of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryReceivers {
    None,
    /// Those with a capital first letter.
    Capitals,
    /// All that are names.
    Names,
}

impl LibraryReceivers {
    /// Returns whether an unknown receiver of this name is of a library.
    pub fn has(self, name: &str) -> bool {
        match self {
            LibraryReceivers::None => false,
            LibraryReceivers::Capitals => name.starts_with(char::is_uppercase),
            LibraryReceivers::Names => true,
        }
    }
}

/// Facts about a language that need no code.
#[derive(Debug, Clone, Copy)]
pub struct Traits {
    /// Whether the definitions of all files of a folder share one namespace.
    pub packages_are_folders: bool,
    /// Whether a capital first letter is the custom for types; otherwise any exported name may have one.
    pub capitals_are_types: bool,
    /// Whether definitions of one name in one scope are one thing: overloads, getter and setter, a conditional definition.
    pub has_overloads: bool,
    /// Words in the place of a type that leave it to the value: `var`, `auto`.
    pub inferred_types: &'static [&'static str],
    /// Names that bind nothing: `_`.
    pub unbound_names: &'static [&'static str],
    /// Whether the first assignment of a name declares it as a local variable.
    pub assignments_declare: bool,
    /// Whether the value of a function's last expression is its result.
    pub returns_last_value: bool,
    /// Names of members that are so common in the standard library that being unique in the repository is not decisive,
    /// sorted.
    pub ubiquitous: &'static [&'static str],
    /// Whether interfaces are services, whose procedures code of other languages implements and calls.
    pub has_services: bool,
    /// Whether a method without parameters is called where its name is read (Scala).
    pub reads_call: bool,
    /// Whether an object is a type of its own, whose call runs one of its methods (Scala).
    pub objects_are_types: bool,
    /// The modifiers of a declaration whose definition each platform has elsewhere, and of that definition (Kotlin's `expect`
    /// and `actual`).
    pub expectation: Option<(&'static str, &'static str)>,
    /// Whether an attribute that a method assigns is the one that a base declares, if there is one (Python).
    pub assignments_keep_declarations: bool,
    /// Whether a later definition of a name replaces an earlier one, but where a condition chooses between them (Python).
    pub later_definitions_replace: bool,
    /// Whether the body of a type runs when it is defined, and not when a value of it is made (Python).
    pub bodies_run_once: bool,
    /// Whether names of an enclosing module are invisible in the modules nested in it (Rust).
    pub modules_hide_outer_names: bool,
    /// Whether the names of the modules around a module are visible in it, whichever files declare them (C#).
    pub outer_modules_are_in_scope: bool,
    /// Whether a type can only be extended in the module that defines it (Go).
    pub extends_own_module_only: bool,
    /// Whether generic arguments and an index have the same syntax, so that applying arguments to a value
    /// indexes it (Go).
    pub arguments_may_index: bool,
    /// Whether calling a type converts a value to it, which is a use of the type and not a call (Go).
    pub calls_of_types_convert: bool,
    /// Whether types and values have separate namespaces (TypeScript).
    pub separates_types: bool,
    /// Whether a module's imports are invisible to its importers unless they are reexported.
    pub imports_are_private: bool,
    /// Whether fields and variables often contain functions: a field makes a method of the same name ambiguous, and a
    /// call of a variable that is a member of a value runs that member.
    pub fields_may_be_functions: bool,
    /// Whether the members of a type, inherited ones included, are in scope in its body (Java, C#, C++).
    pub members_are_in_scope: bool,
    /// Whether a base of a type is a field of it: a method of an embedded interface runs on what the field has (Go).
    pub bases_are_fields: bool,
    /// Whether what is declared without a body is defined elsewhere, in a file that is linked with this one; the body of a
    /// method can be outside of its type (C++).
    pub defines_apart: bool,
    /// Whether namespaces are parts of the names of functions, which have overloads there (C++).
    pub overloads_in_namespaces: bool,
    /// Whether a value can be made by a type's constructor without its name: from arguments, or from another value (C++).
    pub constructors_convert: bool,
    /// Whether a value can be a pointer, on which the operators of the type that it points to do not work (C++).
    pub has_pointers: bool,
    /// Whether fields and methods can share a name, so that `()` after a name marks a callee (Java, C#).
    pub marks_callees: bool,
    /// Whether a method is also meant by its name alone, without a call (C#).
    pub has_method_groups: bool,
    /// Whether a field can be called by the name of a method that a generator makes for it (Java).
    pub generates_methods: bool,
    /// Whether a call chooses among the methods of a name by its arguments (Java, C#, C++).
    pub chooses_overloads: bool,
    /// Whether overloads declare one function, which has a body once.
    pub overloads_are_one: bool,
    /// The names of methods of which a type can have several, where others are one of their name (Rust).
    pub overloaded_methods: &'static [&'static str],
    /// Members of functions that call them later or elsewhere: `send.delay(1)` of a task queue (Python).
    pub deferring_members: &'static [&'static str],
    /// Whether names are all that resolution knows, so that every edge is inferred.
    pub resolves_by_name: bool,
    pub library_receivers: LibraryReceivers,
    /// Whether a file is a type, whose members are the functions at its top (GDScript).
    pub files_are_types: bool,
    /// Whether a type that no file defines fits by its name: the language has no table of its standard library.
    pub names_fit: bool,
    /// Whether types of one name can differ by the number of their type parameters.
    pub types_differ_by_arity: bool,
    /// Whether definitions of one qualified name declare one type together (Ruby's reopened classes, C#'s partial
    /// classes, TypeScript's interfaces).
    pub types_are_open: bool,
    /// Whether members that are called on a type and those that are called on its values are different ones, also
    /// if they have one name (Ruby).
    pub separates_static_members: bool,
    /// The way in which a method states that it overrides one of a base.
    pub overriding: Overriding,
    /// The name of the type that all types extend, if there is one.
    pub root_type: &'static str,
    /// The name of the member that calling a type runs (Python, TypeScript).
    pub constructor: Option<&'static str>,
    /// The name of the method that calling an instance runs (`__call__`).
    pub call_method: Option<&'static str>,
    /// Whether a call of a type runs that method of the type itself where no constructor takes the arguments (Kotlin's companions).
    pub types_are_called: bool,
    /// Whether files include the texts of others, so that what a name means in a file depends on the files that it reaches
    /// (C).
    pub includes_texts: bool,
    /// The name of the modules that several languages share, so that a change of one affects all of them; empty if
    /// the language has its own.
    pub shared_modules: &'static str,
}

impl Traits {
    /// The traits of most languages; a language replaces what differs.
    pub const COMMON: Traits = Traits {
        packages_are_folders: false,
        capitals_are_types: true,
        has_overloads: false,
        inferred_types: &[],
        unbound_names: &[],
        assignments_declare: false,
        returns_last_value: false,
        ubiquitous: &[],
        has_services: false,
        reads_call: false,
        objects_are_types: false,
        expectation: None,
        assignments_keep_declarations: false,
        later_definitions_replace: false,
        bodies_run_once: false,
        modules_hide_outer_names: false,
        outer_modules_are_in_scope: false,
        extends_own_module_only: false,
        arguments_may_index: false,
        calls_of_types_convert: false,
        separates_types: false,
        imports_are_private: false,
        fields_may_be_functions: false,
        members_are_in_scope: false,
        bases_are_fields: false,
        defines_apart: false,
        overloads_in_namespaces: false,
        constructors_convert: false,
        has_pointers: false,
        marks_callees: false,
        has_method_groups: false,
        generates_methods: false,
        chooses_overloads: false,
        overloads_are_one: false,
        overloaded_methods: &[],
        deferring_members: &[],
        resolves_by_name: false,
        library_receivers: LibraryReceivers::None,
        files_are_types: false,
        names_fit: false,
        types_differ_by_arity: false,
        types_are_open: false,
        separates_static_members: false,
        overriding: Overriding::ByName,
        root_type: "",
        constructor: None,
        call_method: None,
        types_are_called: false,
        includes_texts: false,
        shared_modules: "",
    };
}

/// The rules of one language.
pub trait Rules: Sync {
    /// Returns the facts that need no code.
    fn traits(&self) -> &Traits;

    /// Adds this language's files (index and input) to modules. Inline modules are added afterwards, from definitions
    /// of kind `package`.
    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules);

    /// Returns a hash of what a file declares about the modules of other files (Rust's `mod x;`).
    fn layout(&self, _outline: &Outline) -> u64 {
        0
    }

    /// Returns the module at the beginning of a name by which other repositories use this one, and the number of bytes of
    /// that beginning. The rest is a dotted path in the module. By default a language has no such names.
    fn exported_module(&self, _modules: &Modules, _name: &str) -> Option<(ModuleId, usize)> {
        None
    }

    /// Resolves the first segments of an import's path. Returns their denotation and how many segments were used (all
    /// of them, if modules are named by one string). The remaining segments are looked up as members.
    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize);

    /// Resolves the root of an absolute path (`crate`, `super`).
    fn root(&self, _eval: &mut Evaluator<'_>, _site: UseSite, _name: &str) -> Value {
        Value::Unknown
    }

    /// Resolves a name that no file defines: built-in functions and types, the prelude.
    fn resolve_builtin(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Resolves a name that no scope binds but the project or the file's imports imply: a Rust crate, or a Go package
    /// whose name differs from its folder's.
    fn resolve_unbound(&self, _eval: &mut Evaluator<'_>, _site: UseSite, _name: &str) -> Option<Value> {
        None
    }

    /// Returns the modules and the types whose names a file has in scope without an import of its own: those that its
    /// project imports for all of its files (C#). By default a project imports none.
    fn project_imports(&self, _eval: &mut Evaluator<'_>, _file: FileIndex) -> Option<Arc<Vec<Value>>> {
        None
    }

    /// Applies an external or built-in type to arguments and returns an instance of the result: `Optional[X]` is `X`.
    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        Value::external_instance(name, args)
    }

    /// [`Rules::apply`] for types that need an evaluator: `ReturnType<typeof f>`.
    fn apply_in(&self, _eval: &mut Evaluator<'_>, name: &str, args: Vec<Value>) -> Value {
        self.apply(name, args)
    }

    /// Returns the function that a method of an external value is with type arguments, if they tell its result.
    fn applied_method(&self, _name: &str, _args: &[Value]) -> Option<Value> {
        None
    }

    /// Returns a member of an external value; `None` if it is an ordinary dotted name.
    fn external_member(&self, _eval: &mut Evaluator<'_>, _receiver: &Value, _name: &str) -> Option<Value> {
        None
    }

    /// Returns whether the type of an external value is known to have a member, of which a type can inherit others without it.
    fn has_external_member(&self, _value: &Value, _name: &str) -> bool {
        false
    }

    /// Returns a member that a type of the repository has without declaring it (derived, or from an external base);
    /// `None` if only its name is known.
    fn undeclared_member(&self, _eval: &mut Evaluator<'_>, _receiver: &Value, _name: &str) -> Option<Value> {
        None
    }

    /// Returns the result of calling an external function or method.
    fn external_call(&self, _eval: &mut Evaluator<'_>, _callee: ExternalCallee<'_>, _args: &[Value]) -> Value {
        Value::Unknown
    }

    /// Returns the type of a lambda's parameter, for a lambda passed to an external callee.
    fn external_lambda(
        &self,
        _eval: &mut Evaluator<'_>,
        _callee: ExternalCallee<'_>,
        _args: &[Value],
        _argument: u16,
        _parameter: u16,
    ) -> Value {
        Value::Unknown
    }

    /// Returns the type of a parameter of the function that a value of an external type is.
    fn external_parameter(&self, _function: &Value, _parameter: u16) -> Value {
        Value::Unknown
    }

    /// Returns the type of a variable that is passed to an external callee, which assigns it (C#'s `out`).
    fn external_argument(&self, _callee: ExternalCallee<'_>, _argument: u16) -> Value {
        Value::Unknown
    }

    /// Returns whether a method of an external value makes another such value, and returns nothing that was put into the
    /// first: an operator. By default none is known to.
    fn makes_value(&self, _method: &str) -> bool {
        false
    }

    /// Returns the element type of an iterable value.
    fn element(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        value.argument(0)
    }

    /// Returns the value of `value[index]`.
    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        self.element(eval, value)
    }

    /// Returns the `index`-th part of a value that is not a tuple. By default a value is its own first part: one result
    /// where the code allows two.
    fn item(&self, _eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        match value {
            Value::ExternalInstance { args, .. } if args.len() > 1 => {
                args.get(index).cloned().unwrap_or(Value::Unknown)
            }
            other if index == 0 => other.clone(),
            _ => Value::Unknown,
        }
    }

    /// Returns the content of a wrapper (`await`, `?`): by default the only argument of an external value, otherwise
    /// the value itself.
    fn unwrap(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { args, .. } if args.len() == 1 => args[0].clone(),
            other => other.clone(),
        }
    }

    /// Returns the result of calling an `async` function, given its declared or inferred result.
    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        Value::external_instance("Awaitable", vec![result])
    }

    /// Returns whether a definition that no modifier makes public or private can be used in other files, from the words
    /// before its name and the names of what it is in, its own last; `None` if the language does not say.
    fn is_public(&self, _modifiers: &[&str], _names: &[&str], _is_member: bool) -> Option<bool> {
        None
    }

    /// Returns the function that calling a value runs, if its type has an unnamed one (a call signature).
    fn callable(&self, _eval: &mut Evaluator<'_>, _value: &Value) -> Value {
        Value::Unknown
    }

    /// Returns the value in which a member is looked up if the value's own type has none of that name (`Deref`).
    fn deref_target(&self, _eval: &mut Evaluator<'_>, _value: &Value) -> Option<Value> {
        None
    }

    /// Returns the value of reading a class attribute that is declared with this value (Python's descriptors).
    fn attribute(&self, _eval: &mut Evaluator<'_>, value: Value) -> Value {
        value
    }

    /// Returns the name by which a declaration of a name without a body is bound, if it differs from that of the definition
    /// (C).
    fn declaration_name(&self, name: &str) -> String {
        name.to_owned()
    }

    /// Returns the names by which types and declarations without a body are bound that code calls by this name, if these differ
    /// from those of definitions (C).
    fn other_names(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns for each file of a language whose files include others a hash of all that it reaches; for other languages
    /// nothing. A file that was resolved with the knowledge of what another one reaches looked up [`text_key`] of its path.
    ///
    /// [`text_key`]: super::named::text_key
    fn reached_texts(&self, _modules: &Modules) -> Vec<(FileIndex, u64)> {
        Vec::new()
    }

    /// Returns the files whose texts files of this language have, and these themselves, whatever is selected.
    fn texts_of(&self, _files: LanguageFiles<'_>, from: &[FileIndex]) -> Vec<FileIndex> {
        from.to_vec()
    }

    /// Returns whether a file has the text of another one, which it includes or which is included there (C). The files
    /// that it includes are part of its [`Rules::layout`].
    fn reaches(&self, _eval: &mut Evaluator<'_>, _from: FileIndex, _file: FileIndex) -> bool {
        false
    }

    /// Returns whether a file is one that others include, so that its definitions are theirs (C++).
    fn is_included(&self, _path: &str) -> bool {
        false
    }

    /// Returns the methods of which a call may run one that means nothing else in the repository: a library tells.
    fn suggested_methods(&self, _eval: &mut Evaluator<'_>, _call: &UnknownCall<'_>) -> Vec<SymbolRef> {
        Vec::new()
    }

    /// Returns whether a file sees a method that code adds to a type. By default it sees all.
    fn sees_extension(&self, _eval: &mut Evaluator<'_>, _file: FileIndex, _method: SymbolRef) -> bool {
        true
    }

    /// Returns whether calling a type runs one of its methods, as it is an object. By default each is where the language has
    /// objects that are types.
    fn is_object(&self, _definition: &Definition) -> bool {
        self.traits().objects_are_types
    }

    /// Returns whether a definition of an open type is a part of it, wherever the others are: C#'s types must say so, and
    /// TypeScript's be global.
    fn is_part(&self, _outline: &Outline, _definition: &Definition) -> bool {
        true
    }

    /// Returns how well an argument of an external type fits a parameter of another one, from 1 to 4; `None` if it can't
    /// be passed.
    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        Some(if actual == expected { 4 } else { 1 })
    }

    /// Returns whether nothing but a value of this external type can be passed as one, so that no unknown value is taken for it.
    fn takes_only_itself(&self, _expected: &str) -> bool {
        false
    }

    /// Returns whether a member name is so common in the standard library that being unique in the repository is not
    /// decisive.
    fn is_ubiquitous(&self, name: &str) -> bool {
        self.traits().ubiquitous.binary_search(&name).is_ok()
    }
}
