//! Nodes of C++ besides those of C: members, definitions outside of their class, namespaces, qualified names, tests.
//!
//! Namespaces are parts of names, and no scopes: all files of a project share one module, in which the name of a
//! namespace denotes that module. So `a::f` is found wherever it is declared. Of several definitions of one name, that in
//! the nearest namespace is meant; where a name is qualified, that in a namespace with this path.

use tree_sitter::Node;

use super::declarations::{self, Declared, declared, plain_name};
use super::hooks::{self, parts};
use super::macros::{TEST_MACROS, is_name_of_macro};
use super::{made, operators, primitives, scopes};
use crate::facts::{
    Atom, BindingKind, Container, DefId, Expr, ExprId, ImportName, Role, ScopeId, ScopeKind, TypeParameter,
};
use crate::lang::common::Hook;
use crate::lang::common::docs;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker};
use crate::model::SymbolKind;

/// The hooks by their names in `c.scm` and `cpp.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("alias", alias),
    ("assignment", operators::assignment),
    ("binary", operators::binary),
    ("call", call),
    ("compound_literal", compound_literal),
    ("conditional", conditional),
    ("declaration", declarations::declaration),
    ("declaration_or_member", declaration),
    ("descriptor", primitives::descriptor),
    ("enum", declarations::enumeration),
    ("field", declarations::field),
    ("field_or_method", field),
    ("field_initializer", field_initializer),
    ("for_range", for_range),
    ("friend", friend),
    ("function", declarations::function),
    ("function_or_method", function),
    ("include", hooks::include),
    ("macro", hooks::macro_definition),
    ("namespace", namespace),
    ("namespace_alias", namespace_alias),
    ("new", new),
    ("number", primitives::number),
    ("pair", hooks::pair),
    ("primitive", primitives::primitive),
    ("qualified", qualified),
    ("record", declarations::record),
    ("subscript", operators::subscript),
    ("tag", hooks::tag),
    ("template", template),
    ("type", hooks::type_descriptor),
    ("typedef", declarations::type_definition),
    ("unary", operators::unary),
];

/// The first segment of an import that denotes the module of all files.
pub const WHOLE: &str = "::";

/// Adds a function, a method, a method's definition outside of its class, or a test.
fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if made::function(walker, node) {
        return walker.unknown;
    }
    let found = walker.field(node, "declarator").and_then(|declarator| declared(walker, declarator));
    let Some(found) = found.filter(|found| found.is_function) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    if let Some((suite, name)) = test_names(walker, &found) {
        let atom = walker.atom_of(suite);
        let fixture = walker.facts.expr(Expr::Name(atom));
        walker.in_extension(node, (fixture, &[atom]), None, |walker| method(walker, node, &found, name, true));
    } else if found.name.kind() == "qualified_identifier" {
        outside(walker, node, &found);
    } else if walker.context.container != Container::Module {
        method(walker, node, &found, found.name, false);
    } else {
        return declarations::function(walker, node, role);
    }
    walker.unknown
}

/// Adds the function that a class defines as its friend: one of the names around the class.
fn friend<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let defined = walker.children(node).into_iter().find(|child| child.kind() == "function_definition");
    let Some(defined) = defined.filter(|defined| defined.child_by_field_name("body").is_some()) else {
        return walker.unknown;
    };
    let saved = (walker.context, walker.scope_names.clone());
    let (mut scope, mut parent) = (walker.context.scope, walker.context.parent);
    while let Some(outer) = walker.facts.get_scope(scope).parent {
        if !matches!(walker.facts.get_scope(scope).kind, ScopeKind::Type | ScopeKind::Extension) {
            break;
        }
        scope = outer;
    }
    while let Some(class) = parent.filter(|id| walker.facts.definition(*id).kind.is_type()) {
        parent = walker.facts.definition(class).parent;
        walker.scope_names.pop();
    }
    let (source, container) = (parent, Container::Module);
    walker.context = Context { scope, source, parent, container, ..walker.context };
    declarations::function(walker, defined, role);
    (walker.context, walker.scope_names) = saved;
    walker.unknown
}

/// Returns the names of the suite and of the test that a macro of a test framework defines.
fn test_names<'a>(walker: &mut Walker<'a>, found: &Declared<'a>) -> Option<(Node<'a>, Node<'a>)> {
    if !TEST_MACROS.contains(&walker.text_of(found.name)) {
        return None;
    }
    let list = found.parameters?;
    let names: Vec<Node<'a>> =
        walker.children(list).into_iter().filter_map(|parameter| walker.field(parameter, "type")).collect();
    match names[..] {
        [suite, name] => Some((suite, name)),
        _ => None,
    }
}

/// Adds a method with its body, in the type or extension around it.
fn method<'a>(walker: &mut Walker<'a>, node: Node<'a>, found: &Declared<'a>, name: Node<'a>, is_test: bool) {
    let Some(pattern) = walker.pattern(node) else { return };
    let (mut definition, _) = walker.header(node, pattern, name, SymbolKind::Method);
    definition.flags.is_test |= is_test;
    if name.kind() == "operator_cast" {
        definition.name = walker.facts.atom(&declarations::name_of(walker, name));
    }
    declarations::open_function(walker, node, definition, found.parameters.filter(|_| !is_test));
}

/// Adds the definition of a member outside of its type: `void A::f() {}`.
fn outside<'a>(walker: &mut Walker<'a>, node: Node<'a>, found: &Declared<'a>) {
    let mut names: Vec<Atom> = Vec::new();
    let mut owner = None;
    let mut at = found.name;
    while at.kind() == "qualified_identifier" {
        if let Some(scope) = walker.field(at, "scope") {
            let name = plain_name(scope);
            let atom = walker.atom_of(name);
            names.push(atom);
            owner = Some(walker.facts.expr(match owner {
                None => Expr::Name(atom),
                Some(base) => Expr::Member { base, name: atom },
            }));
        }
        let Some(inner) = walker.field(at, "name") else { return };
        at = plain_name(inner);
    }
    match owner {
        Some(owner) => {
            walker.in_extension(node, (owner, &names), None, |walker| {
                parameters_of_owner(walker, node, found.name);
                method(walker, node, found, at, false);
            });
        }
        None => method(walker, node, found, at, false),
    }
}

/// Adds the parameters of the template whose member is defined outside of it: `template <class T> T *A<T>::get() { … }`.
fn parameters_of_owner<'a>(walker: &mut Walker<'a>, node: Node<'a>, path: Node<'a>) {
    let (mut at, mut owner, mut outermost) = (path, None, node);
    while at.kind() == "qualified_identifier" {
        owner = walker.field(at, "scope").filter(|scope| scope.kind() == "template_type").or(owner);
        let Some(inner) = walker.field(at, "name") else { return };
        at = inner;
    }
    while let Some(outer) = outermost.parent().filter(|outer| outer.kind() == "template_declaration") {
        outermost = outer;
    }
    let arguments = owner.and_then(|owner| walker.field(owner, "arguments"));
    let list = walker.field(outermost, "parameters").filter(|_| outermost != node);
    let (Container::Extension(id), Some(arguments), Some(list)) = (walker.context.container, arguments, list) else {
        return;
    };
    let parameters = template_parameters(walker, list, |index| BindingKind::ExtensionParameter(id, index));
    let arguments = walker.children(arguments);
    let args = arguments.into_iter().map(|argument| walker.type_expr(argument, None)).collect();
    let base = walker.facts.get_extension(id).target;
    let target = walker.facts.expr(Expr::Apply { base, args });
    let extension = walker.facts.extension_mut(id);
    (extension.target, extension.type_parameters) = (target, parameters);
}

/// Binds the types among the parameters of a template in the current scope. Returns all, as the arguments have their order.
fn template_parameters<'a>(
    walker: &mut Walker<'a>,
    list: Node<'a>,
    kind: impl Fn(u16) -> BindingKind,
) -> Vec<TypeParameter> {
    let mut parameters = Vec::new();
    for parameter in walker.children(list) {
        let name = match parameter.kind() {
            "type_parameter_declaration" | "variadic_type_parameter_declaration" => {
                walker.children(parameter).first().copied()
            }
            "optional_type_parameter_declaration" => walker.field(parameter, "name"),
            _ => None,
        };
        let text = name.map_or("", |name| walker.text_of(name));
        let atom = walker.facts.atom(text);
        if name.is_some() {
            let position = parameter.start_byte() as u32;
            walker.facts.bind(walker.context.scope, atom, position, kind(parameters.len() as u16));
        }
        parameters.push(TypeParameter { name: atom, bounds: Vec::new() });
    }
    parameters
}

/// Adds variables and prototypes, and in a type its constructors and destructor.
fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if walker.field(node, "type").is_some() && walker.context.container == Container::Module {
        return declarations::declaration(walker, node, role);
    }
    members(walker, node)
}

/// Adds the fields and the declared methods of a type.
fn field<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let declarators = parts(walker, node, Part::Declarator);
    let is_method = declarators.first().and_then(|first| declared(walker, *first)).is_some_and(|one| one.is_function);
    if is_method { members(walker, node) } else { declarations::field(walker, node, role) }
}

fn members<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    for declarator in parts(walker, node, Part::Declarator) {
        let found = declared(walker, declarator).filter(|found| found.is_function);
        match found.filter(|_| walker.context.container != Container::Module) {
            Some(found) if is_use_of_macro(walker, node, &found) => {}
            Some(found) => declared_method(walker, node, &found),
            None => _ = walker.visit(declarator, Role::Read),
        }
    }
    walker.unknown
}

/// Returns whether what looks like a member is the use of a macro: `CPPUNIT_TEST(adds);`, or `Q_OBJECT` before
/// `Q_DISABLE_COPY(Cart)`. Constructors have the name of their type.
fn is_use_of_macro<'a>(walker: &mut Walker<'a>, node: Node<'a>, found: &Declared<'a>) -> bool {
    let name = walker.text_of(found.name);
    let is_macro = match walker.field(node, "type") {
        None => is_name_of_macro(name),
        Some(before) => [walker.text_of(before), name].iter().all(|word| is_name_of_macro(word) && word.contains('_')),
    };
    let owner = node.parent().and_then(|body| body.parent()).and_then(|owner| walker.field(owner, "name"));
    is_macro && owner.is_none_or(|owner| walker.text_of(plain_name(owner)) != name)
}

/// Adds a method without a body. Its definition may be outside of the type.
fn declared_method<'a>(walker: &mut Walker<'a>, node: Node<'a>, found: &Declared<'a>) {
    let name = declarations::name_of(walker, found.name);
    let mut definition = walker.new_definition(&name, SymbolKind::Method, node, found.name);
    definition.flags.is_abstract = true;
    let scope = walker.open_scope(ScopeKind::Function, None);
    definition.scope = scope;
    let id = walker.define(definition, None);
    walker.facts.scope_mut(scope).definition = Some(id);
    let saved = walker.enter(id, scope, Container::Module);
    declarations::signature(walker, id, node, found.parameters);
    walker.leave(saved);
}

/// Visits a namespace, whose name is a part of the names in it and denotes the module of all files.
fn namespace<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(body) = walker.field(node, "body") else { return walker.unknown };
    let before = walker.scope_names.len();
    if let Some(name) = walker.field(node, "name") {
        for segment in walker.text_of(name).split("::").map(str::trim).filter(|segment| !segment.is_empty()) {
            let atom = bind_namespace(walker, name, segment);
            walker.scope_names.push(atom);
        }
    }
    walker.visit_children(body);
    walker.scope_names.truncate(before);
    walker.unknown
}

/// Binds the name of a namespace, which denotes the module of all files. Returns it.
fn bind_namespace<'a>(walker: &mut Walker<'a>, node: Node<'a>, name: &str) -> Atom {
    let atom = walker.facts.atom(name);
    let id = walker.import(node, &[WHOLE, name], ImportName::Module, &[atom]);
    if walker.context.scope != ScopeId(0) {
        walker.facts.bind(ScopeId(0), atom, node.start_byte() as u32, BindingKind::Import(id));
    }
    atom
}

/// Binds the names of the namespaces that the text of a macro opens: `#define BEGIN namespace a { namespace b {`.
pub fn namespaces_in_text<'a>(walker: &mut Walker<'a>, value: Node<'a>) {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut after_keyword = false;
    for word in walker.text_of(value).split(|letter: char| !is_part(letter)).filter(|word| !word.is_empty()) {
        if after_keyword && word != "namespace" {
            bind_namespace(walker, value, word);
        }
        after_keyword = word == "namespace";
    }
}

/// Adds `namespace a = b::c;`, another name of a namespace, which denotes the module of all files.
fn namespace_alias<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let names = walker.children(node);
    if let (Some(name), Some(meant)) = (walker.field(node, "name"), names.last()) {
        let last = walker.text_of(*meant).rsplit("::").next().unwrap_or_default().trim();
        let bound = walker.atom_of(name);
        walker.import(name, &[WHOLE, last], ImportName::Module, &[bound]);
    }
    walker.unknown
}

/// Returns the names of `auto& [a, b]` in a declarator.
pub fn structured<'a>(walker: &mut Walker<'a>, declarator: Node<'a>) -> Option<Node<'a>> {
    let mut at = declarator;
    loop {
        match at.kind() {
            "structured_binding_declarator" => return Some(at),
            "init_declarator" => at = walker.field(at, "declarator")?,
            "reference_declarator" => at = walker.children(at).pop()?,
            _ => return None,
        }
    }
}

/// Visits `for (auto a : values)` and `for (auto& [a, b] : values)`.
fn for_range<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let declarator = walker.field(node, "declarator");
    let Some(names) = declarator.and_then(|declarator| structured(walker, declarator)) else {
        walker.element_loop(node, pattern);
        return walker.unknown;
    };
    let values = walker.field(node, "right").map_or(walker.unknown, |values| walker.visit(values, Role::Read));
    walker.in_scope(ScopeKind::Block, |walker| {
        let element = walker.facts.expr(Expr::Element(values));
        walker.bind_parts(names, element);
        if let Some(body) = walker.field(node, "body") {
            walker.visit(body, Role::Read);
        }
    });
    walker.unknown
}

/// Visits a statement with a condition, whose names end with it: `if (T* t = find())`.
fn conditional<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let part = |name| walker.field(node, "condition").and_then(|condition| walker.field(condition, name));
    if part("initializer").is_some() || part("value").is_some_and(|value| value.kind() == "declaration") {
        walker.in_scope(ScopeKind::Block, |walker| walker.visit_children(node));
    } else {
        walker.visit_children(node);
    }
    walker.unknown
}

/// Visits what a template declares. Docs and lines of the definition begin with the template.
fn template<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let first = walker.facts.definitions().len();
    let inner = walker.children(node);
    for child in inner.iter().filter(|child| child.kind() != "template_parameter_list") {
        walker.visit(*child, Role::Read);
    }
    let starts = inner.last().map(|inner| inner.start_byte() as u32);
    let known = walker.facts.definitions().get(first).map(|definition| definition.span.start_byte);
    if known.is_some() && known == starts {
        let doc = docs::comment_above(walker.text, node.start_byte(), &walker.dialect.lexicon);
        let definition = walker.facts.definition_mut(DefId::from_index(first));
        definition.span.start_byte = node.start_byte() as u32;
        definition.span.start_line = node.start_position().row as u32 + 1;
        if definition.doc.is_empty() {
            definition.doc = doc;
        }
        made::parameters(walker, node.byte_range(), DefId::from_index(first));
        type_parameters(walker, node, DefId::from_index(first));
    }
    walker.unknown
}

/// Adds the parameters of a template to the type or function that it declares.
fn type_parameters<'a>(walker: &mut Walker<'a>, node: Node<'a>, owner: DefId) {
    let definition = walker.facts.definition(owner);
    let (kind, scope, container) = (definition.kind, definition.scope, definition.container);
    // An alias has its own parameters.
    let is_generic = !definition.flags.is_alias && (kind.is_type() || kind.is_callable());
    // A method that is defined outside its class has the type parameters of the class.
    let is_of_owner = matches!(container, Container::Extension(id)
        if !walker.facts.get_extension(id).type_parameters.is_empty())
        && node.parent().is_none_or(|outer| outer.kind() != "template_declaration");
    let Some(list) = walker.field(node, "parameters").filter(|_| is_generic && !is_of_owner) else { return };
    let outer = std::mem::replace(&mut walker.context.scope, scope);
    let parameters = template_parameters(walker, list, |index| BindingKind::TypeParameter(owner, index));
    walker.context.scope = outer;
    walker.facts.definition_mut(owner).type_parameters = parameters.into();
}

/// Adds `using name = type;`.
fn alias<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(name), Some(known)) = (walker.field(node, "name"), walker.field(node, "type")) else {
        return walker.unknown;
    };
    let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Type, node, name);
    definition.flags.is_alias = true;
    let is_member = definition.container != Container::Module;
    let id = walker.define(definition, None);
    // The parameters of a template are names in its type.
    let template = node.parent().filter(|outer| outer.kind() == "template_declaration");
    let parameters = template.and_then(|template| walker.field(template, "parameters"));
    let outer = walker.context.scope;
    if let Some(list) = parameters {
        walker.context.scope = walker.open_scope(ScopeKind::Block, None);
        let parameters = template_parameters(walker, list, |index| BindingKind::TypeParameter(id, index));
        let scope = walker.context.scope;
        let definition = walker.facts.definition_mut(id);
        (definition.scope, definition.type_parameters) = (scope, parameters.into());
    }
    let known = walker.type_expr(known, Some(Role::Type));
    walker.context.scope = outer;
    walker.facts.definition_mut(id).value_type = Some(known);
    if !is_member && !walker.context.is_local {
        scopes::publish(walker, id);
    }
    walker.unknown
}

/// Visits a call. Casts and the makers of smart pointers have a value of the type that they name.
fn call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let mut function = walker.field(node, "function");
    while let Some(inner) = function.filter(|at| at.kind() == "qualified_identifier") {
        function = walker.field(inner, "name");
    }
    let Some(function) = function.filter(|at| at.kind() == "template_function") else {
        let call = walker.call(node, pattern);
        // A type behind a path is called without its arguments.
        let is_path = walker.field(node, "function").is_some_and(|at| at.kind() == "qualified_identifier");
        if let (Expr::Call { callee, args }, true) = (walker.facts.get(call).clone(), is_path) {
            // The arguments choose among the functions of this name.
            walker.refer_instead(callee, call);
            construct(walker, callee, args, node);
        }
        return call;
    };
    let name = walker.text_of(plain_name(function));
    if !name.ends_with("_cast") && !matches!(name, "make_unique" | "make_shared") {
        return walker.call(node, pattern);
    }
    let path = walker.field(node, "function").and_then(|path| walker.field(path, "scope"));
    if path.is_some_and(|path| walker.text_of(path) != "std") {
        // One of the project, which makes such a value, too.
        walker.call(node, pattern);
        let first = walker.field(function, "arguments").and_then(|list| walker.children(list).first().copied());
        let known = first.map_or(walker.unknown, |first| walker.type_expr(first, None));
        return walker.instance(known);
    }
    let arguments = walker.field(node, "arguments").map(|list| walker.children(list)).unwrap_or_default();
    let args: Vec<ExprId> = arguments.into_iter().map(|argument| walker.visit(argument, Role::Read)).collect();
    let first = walker.field(function, "arguments").and_then(|list| walker.children(list).first().copied());
    let Some(first) = first else { return walker.unknown };
    let known = walker.type_expr(first, Some(Role::Type));
    if name.starts_with("make_") {
        construct(walker, known, args, node);
    }
    walker.instance(known)
}

/// Visits `new T(…)`.
fn new<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(known), Some(pattern)) = (walker.field(node, "type"), walker.pattern(node)) else {
        return walker.unknown;
    };
    let known = walker.type_expr(known, Some(Role::Call));
    let nodes = walker.argument_nodes(node, pattern);
    let args = walker.arguments(known, &nodes);
    construct(walker, known, args, node);
    walker.instance(known)
}

/// Visits `member(…)` and `Base(…)` before the body of a constructor.
fn field_initializer<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let (Some(&name), Some(&list)) = (children.first(), children.last()) else { return walker.unknown };
    let args = arguments(walker, list);
    if name == list {
        return walker.unknown;
    }
    if name.kind() != "field_identifier" {
        let known = walker.type_expr(name, Some(Role::Type));
        construct(walker, known, args, node);
        return walker.unknown;
    }
    let name = walker.atom_of(name);
    let own = walker.facts.expr(Expr::Name(name));
    let of_member = walker.facts.expr(Expr::TypeOf(own));
    let member = walker.instance(of_member);
    // The name is that of a base if no member has it.
    let base = walker.instance(own);
    let calls = [member, base].map(|callee| walker.facts.expr(Expr::Call { callee, args: args.clone() }));
    let either = walker.facts.expr(Expr::FirstOf(calls.to_vec()));
    walker.refer(either, node, Role::Call);
    walker.unknown
}

/// Visits `T{…}`, a value of the type.
fn compound_literal<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let (Some(known), Some(list)) = (walker.field(node, "type"), walker.field(node, "value")) else {
        return walker.unknown;
    };
    if list.kind() != "initializer_list" || walker.has_token(node, "(") {
        return hooks::compound_literal(walker, node, role);
    }
    let known = walker.type_expr(known, Some(Role::Type));
    let args = arguments(walker, list);
    construct(walker, known, args, node);
    walker.instance(known)
}

/// Visits the arguments of a constructor, in parentheses or braces.
fn arguments<'a>(walker: &mut Walker<'a>, list: Node<'a>) -> Vec<ExprId> {
    walker.children(list).into_iter().map(|argument| walker.visit(argument, Role::Read)).collect()
}

/// Adds a call of the constructor that a type has for these arguments, if it has one.
pub fn construct<'a>(walker: &mut Walker<'a>, known: ExprId, args: Vec<ExprId>, node: Node<'a>) {
    let callee = walker.instance(known);
    if callee != walker.unknown {
        let expr = walker.facts.expr(Expr::Call { callee, args });
        walker.refer(expr, node, Role::Call);
    }
}

/// Adds a call of the constructor of a variable that is neither a pointer nor a reference. Returns whether it visited the
/// value.
pub fn construct_variable<'a>(walker: &mut Walker<'a>, known: ExprId, declarator: Node<'a>) -> bool {
    let value = walker.field(declarator, "value");
    let name =
        if declarator.kind() == "init_declarator" { walker.field(declarator, "declarator") } else { Some(declarator) };
    let is_list = value.is_none_or(|value| matches!(value.kind(), "argument_list" | "initializer_list"));
    // `T x = {…}` is the same, but can also be the fields of a structure.
    let name = match name.filter(|name| name.kind() == "array_declarator" && value.is_none()) {
        Some(array) => walker.field(array, "declarator"),
        None => name,
    };
    if !is_list || name.is_none_or(|name| name.kind() != "identifier") || walker.has_token(declarator, "=") {
        return false;
    }
    let args = value.map(|value| arguments(walker, value)).unwrap_or_default();
    construct(walker, known, args, declarator);
    value.is_some()
}

/// Returns the values that a variable of a function is made of, where the grammar has a function with nameless parameters:
/// `T x(a, f(b));`. What C++ declares as a function there has none, or types of the language.
pub fn values_of_variable<'a>(walker: &mut Walker<'a>, declarator: Node<'a>) -> Option<Vec<ExprId>> {
    if !walker.context.is_local || !super::is_cpp(walker) || declarator.kind() != "function_declarator" {
        return None;
    }
    let list = walker.field(declarator, "parameters")?;
    let is_variable = walker.field(declarator, "declarator").is_some_and(|name| name.kind() == "identifier")
        && list.named_child_count() > 0
        && are_values(walker, list, MAX_NESTED_CALLS);
    is_variable.then(|| values(walker, list))
}

/// Maximum nesting of calls and entries among the arguments that the grammar takes for parameters.
const MAX_NESTED_CALLS: u32 = 8;

/// Returns whether what the grammar takes for parameters can be names, calls and entries.
fn are_values<'a>(walker: &mut Walker<'a>, list: Node<'a>, depth: u32) -> bool {
    walker.children(list).into_iter().all(|parameter| {
        let is_name = |known: &Node<'a>| matches!(known.kind(), "type_identifier" | "qualified_identifier");
        let is_plain = walker.field(parameter, "type").is_some_and(|known| is_name(&known))
            && parameter.kind() == "parameter_declaration";
        let mut at = walker.field(parameter, "declarator");
        if !is_plain || walker.children(parameter).len() != 1 + usize::from(at.is_some()) {
            return false;
        }
        let mut left = depth;
        while let Some(part) = at {
            let is_value = left > 0
                && match part.kind() {
                    "abstract_function_declarator" => {
                        walker.field(part, "parameters").is_some_and(|list| are_values(walker, list, left - 1))
                    }
                    kind => kind == "abstract_array_declarator" && walker.field(part, "size").is_some(),
                };
            if !is_value {
                return false;
            }
            (at, left) = (walker.field(part, "declarator"), left - 1);
        }
        true
    })
}

/// Visits the values that the grammar takes for parameters.
fn values<'a>(walker: &mut Walker<'a>, list: Node<'a>) -> Vec<ExprId> {
    let parameters = walker.children(list);
    parameters.into_iter().map(|parameter| value(walker, parameter)).collect()
}

fn value<'a>(walker: &mut Walker<'a>, parameter: Node<'a>) -> ExprId {
    let Some(known) = walker.field(parameter, "type") else { return walker.unknown };
    let first = walker.field(parameter, "declarator");
    let mut parts: Vec<Node<'a>> =
        std::iter::successors(first, |part| part.child_by_field_name("declarator")).collect();
    parts.reverse();
    let is_called = parts.first().is_some_and(|part| part.kind() == "abstract_function_declarator");
    let role = if is_called { Role::Call } else { Role::Read };
    let is_path = known.kind() == "qualified_identifier";
    let mut value = if is_path {
        walker.visit(known, role)
    } else if is_called {
        let name = walker.text_of(known);
        walker.add_word(name);
        walker.facts.name(name)
    } else {
        walker.name(known, role)
    };
    for (number, part) in parts.into_iter().enumerate() {
        let Some(list) = walker.field(part, "parameters") else {
            walker.visit_children(part);
            value = walker.facts.expr(Expr::Index(value));
            continue;
        };
        let args = values(walker, list);
        let call = walker.facts.expr(Expr::Call { callee: value, args: args.clone() });
        if number == 0 && is_path {
            walker.refer_instead(value, call);
            construct(walker, value, args, parameter);
        } else if number == 0 {
            walker.refer(call, known, Role::Call);
        }
        value = call;
    }
    value
}

/// Returns the type that a template of the library stands for, which is one of its arguments: `T` in `std::enable_if_t<C, T>` and
/// in `std::remove_const<T>::type`.
fn chosen_type<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<ExprId> {
    let scope = walker.field(node, "scope").filter(|scope| walker.text_of(*scope) == "std")?;
    let rest = walker.field(scope.parent()?, "name")?;
    let (template, suffix) = match rest.kind() {
        "qualified_identifier" => (walker.field(rest, "scope")?, walker.field(rest, "name")?),
        _ => (rest, rest),
    };
    let name = walker.text_of(plain_name(template));
    let name = match template == rest {
        true => name.strip_suffix("_t")?,
        false => Some(name).filter(|_| walker.text_of(suffix) == "type")?,
    };
    let number = match name {
        "enable_if" => 1,
        "add_const" | "decay" | "remove_const" | "remove_cv" | "remove_cvref" | "remove_extent" | "remove_pointer"
        | "remove_reference" | "type_identity" => 0,
        _ => return None,
    };
    let arguments = walker.children(walker.field(template, "arguments")?);
    if arguments.len() <= number {
        return None;
    }
    let mut chosen = None;
    for (index, argument) in arguments.into_iter().enumerate() {
        match index == number {
            true => chosen = Some(walker.type_expr(argument, Some(Role::Type))),
            false => _ = walker.visit(argument, Role::Read),
        }
    }
    chosen
}

/// Visits `a::b::c`, as a value or a type.
fn qualified<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if role == Role::Type
        && let Some(chosen) = chosen_type(walker, node)
    {
        return chosen;
    }
    let mut base = None;
    let mut at = node;
    while at.kind() == "qualified_identifier" {
        if let Some(scope) = walker.field(at, "scope") {
            let plain = plain_name(scope);
            let atom = walker.atom_of(plain);
            base = Some(member(walker, base, atom));
        }
        let Some(inner) = walker.field(at, "name") else { return walker.unknown };
        at = inner;
    }
    let name = plain_name(at);
    let atom = walker.atom_of(name);
    let text = walker.text_of(node);
    let is_standard = text.starts_with("std::");
    let expr = match base.filter(|_| !(is_standard && role == Role::Type)) {
        None if text.starts_with("::") => walker.facts.expr(Expr::Root(atom)),
        base => member(walker, base, atom),
    };
    walker.refer(expr, name, role);
    match walker.field(at, "arguments") {
        Some(list) => {
            let arguments = walker.children(list);
            let args: Vec<ExprId> =
                arguments.into_iter().map(|argument| walker.type_expr(argument, Some(Role::Type))).collect();
            if args.is_empty() { expr } else { walker.facts.expr(Expr::Apply { base: expr, args }) }
        }
        None => expr,
    }
}

fn member(walker: &mut Walker<'_>, base: Option<ExprId>, name: Atom) -> ExprId {
    walker.facts.expr(match base {
        Some(base) => Expr::Member { base, name },
        None => Expr::Name(name),
    })
}
