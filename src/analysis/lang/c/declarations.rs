//! Declarations: functions, variables, fields and types, whose names are nested in declarators.

use tree_sitter::Node;

use super::hooks::{initializer, parts};
use super::{cpp, made, operators, primitives, scopes};
use crate::facts::{
    ArgumentCount, BindingKind, Container, DefId, Definition, Expr, ExprId, Parameter, Role, ScopeKind,
};
use crate::lang::common::docs;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker, span};
use crate::model::SymbolKind;

/// The name that a declarator declares.
pub struct Declared<'a> {
    pub name: Node<'a>,
    /// The parameters nearest to the name.
    pub parameters: Option<Node<'a>>,
    /// Whether it is a function, and not a pointer to one.
    pub is_function: bool,
}

/// Returns the name inside pointers, arrays, parentheses and parameter lists.
pub fn declared<'a>(walker: &mut Walker<'a>, declarator: Node<'a>) -> Option<Declared<'a>> {
    let (mut at, mut parameters, mut is_function) = (declarator, None, false);
    loop {
        match at.kind() {
            "qualified_identifier" if let Some(name) = after_macro(at) => {
                at = name;
                continue;
            }
            "qualified_identifier" if let Some(cast) = cast(at) => {
                return Some(Declared { name: at, parameters: cast_parameters(cast), is_function: true });
            }
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "qualified_identifier"
            | "destructor_name"
            | "operator_name" => {
                return Some(Declared { name: at, parameters, is_function });
            }
            "operator_cast" => return Some(Declared { name: at, parameters: cast_parameters(at), is_function: true }),
            // An explicit specialization of a template.
            "template_function" => return Some(Declared { name: plain_name(at), parameters, is_function }),
            "function_declarator" => {
                parameters = walker.field(at, "parameters");
                is_function = true;
            }
            "parenthesized_declarator" | "attributed_declarator" | "init_declarator" => {}
            _ => is_function = false,
        }
        let inner = walker.field(at, "declarator");
        let is_declarator = |node: &Node<'a>| {
            let kind = node.kind();
            kind.ends_with("declarator") || kind.ends_with("identifier") || kind.ends_with("_name")
        };
        at = inner.or_else(|| walker.children(at).into_iter().find(is_declarator))?;
    }
}

/// Returns the name after a macro that stands between it and its type, `bool __must_check is_ok(int)`: the grammar of C++ takes
/// both for a qualified name whose `::` is missing.
fn after_macro(node: Node<'_>) -> Option<Node<'_>> {
    let mut children = (0..node.child_count()).filter_map(|index| node.child(index));
    let is_parted = children.any(|child| child.kind() == "::" && child.is_missing());
    node.child_by_field_name("name").filter(|_| is_parted)
}

/// Visits the sizes of arrays in a declarator: `char name[MAX_NAME]`.
fn sizes<'a>(walker: &mut Walker<'a>, declarator: Node<'a>) {
    let mut at = Some(declarator);
    while let Some(node) = at {
        if let Some(size) = walker.field(node, "size").filter(|_| node.kind() == "array_declarator") {
            walker.visit(size, Role::Read);
        }
        at = walker.field(node, "declarator");
    }
}

/// Returns the conversion operator at the end of a qualified name: `Flag::operator bool() const`.
fn cast(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    while at.kind() == "qualified_identifier" {
        at = at.child_by_field_name("name")?;
    }
    (at.kind() == "operator_cast").then_some(at)
}

/// Returns the parameters of a conversion operator, a list without any.
fn cast_parameters(cast: Node<'_>) -> Option<Node<'_>> {
    let mut at = cast.child_by_field_name("declarator")?;
    loop {
        match at.child_by_field_name("parameters") {
            Some(parameters) => return Some(parameters),
            None => at = at.child_by_field_name("declarator")?,
        }
    }
}

/// Returns the name of a function or method. That of a conversion is `operator` and its type: `operator bool`.
pub fn name_of(walker: &Walker<'_>, node: Node<'_>) -> String {
    let end = if node.kind() == "operator_cast" { cast_parameters(node) } else { None };
    let end = end.map_or(node.end_byte(), |parameters| parameters.start_byte());
    let text = walker.text.get(node.start_byte()..end).unwrap_or_default();
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Returns the name of a template without its arguments; other nodes are names themselves.
pub fn plain_name(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "template_type" | "template_function" | "template_method" => node.child_by_field_name("name").unwrap_or(node),
        _ => node,
    }
}

/// Returns whether a declaration has a storage class.
fn has_storage(walker: &mut Walker<'_>, node: Node<'_>, class: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == "storage_class_specifier" && walker.text_of(child) == class)
}

/// Adds a function. In C, one in the first column is in no other function, whatever the grammar makes of what is before;
/// others in a function are the block of a macro.
pub fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if made::function(walker, node) {
        return walker.unknown;
    }
    let is_nested = walker.context.is_local && !super::is_cpp(walker) && node.start_position().column == 0;
    let Some(outer) = walker.context.parent.filter(|_| is_nested) else {
        return if is_in_code(node) { block_of_macro(walker, node) } else { function_here(walker, node, role) };
    };
    let end = node.start_byte();
    let before = walker.text.get(..end).unwrap_or_default().trim_end().len();
    let lines = walker.text.get(before..end).unwrap_or_default().matches('\n').count();
    let mut ended = Some(outer);
    while let Some(id) = ended {
        let definition = walker.facts.definition_mut(id);
        let last = node.start_position().row as u32 + 1 - lines as u32;
        (definition.span.end_byte, definition.span.end_line) = (before as u32, last);
        ended = definition.parent;
    }
    let saved = (walker.context, std::mem::take(&mut walker.scope_names));
    let scope = scopes::file_scope(walker);
    let (source, parent, container, is_local) = (None, None, Container::Module, false);
    walker.context = Context { scope, source, parent, container, is_local, ..walker.context };
    function_here(walker, node, role);
    (walker.context, walker.scope_names) = saved;
    walker.unknown
}

/// Returns whether a node is among statements, where only GNU C has functions, and begins with a name that can be a macro's.
fn is_in_code(node: Node<'_>) -> bool {
    if node.child_by_field_name("type").is_some_and(|known| known.kind() != "type_identifier") {
        return false;
    }
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "ERROR" | "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" | "labeled_statement" => {
                at = parent
            }
            kind => return matches!(kind, "compound_statement" | "case_statement"),
        }
    }
    false
}

/// Visits a block behind the use of a macro, which the grammar takes for a function: `repeat (count(list)) { … }`.
fn block_of_macro<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    let declared = walker.field(node, "declarator").and_then(|declarator| declared(walker, declarator));
    let names = [walker.field(node, "type"), declared.filter(|declared| declared.is_function).map(|one| one.name)];
    for name in names.into_iter().flatten().filter(|name| name.kind().ends_with("identifier")) {
        let expr = walker.facts.name(walker.text_of(name));
        walker.refer(expr, name, Role::Call);
    }
    if let Some(body) = walker.field(node, "body") {
        walker.visit(body, Role::Read);
    }
    walker.unknown
}

fn function_here<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let declarator = walker.field(node, "declarator");
    let found = declarator.and_then(|declarator| declared(walker, declarator)).filter(|found| found.is_function);
    let (Some(pattern), Some(found)) = (walker.pattern(node), found) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let (definition, _) = walker.header(node, pattern, found.name, SymbolKind::Function);
    let id = open_function(walker, node, definition, found.parameters);
    if !(walker.context.is_local || scopes::is_private(walker) && has_storage(walker, node, "static")) {
        scopes::publish(walker, id);
    }
    walker.unknown
}

/// Adds a function with its signature and body. Returns it.
pub fn open_function<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    mut definition: Definition,
    parameters: Option<Node<'a>>,
) -> DefId {
    let scope = walker.open_scope(ScopeKind::Function, None);
    definition.scope = scope;
    let body = walker.field(node, "body");
    let id = walker.define(definition, body.map(|body| body.start_byte()));
    walker.facts.scope_mut(scope).definition = Some(id);
    let saved = walker.enter(id, scope, Container::Module);
    signature(walker, id, node, parameters);
    let initializers = walker.children(node).into_iter().filter(|child| child.kind() == "field_initializer_list");
    let returns = walker.collect_returns(|walker| {
        initializers.chain(body).for_each(|part| _ = walker.visit(part, Role::Read));
    });
    walker.leave(saved);
    let is_inferred = walker.field(node, "type").is_some_and(|known| known.kind() == "placeholder_type_specifier");
    let definition = walker.facts.definition_mut(id);
    if is_inferred && definition.result.is_none() {
        definition.returns = returns.into();
    }
    id
}

/// Sets the parameters and the result of a function, in whose scope the walk is.
pub fn signature<'a>(walker: &mut Walker<'a>, id: DefId, node: Node<'a>, list: Option<Node<'a>>) {
    let result = result(walker, node);
    let mut parameters = Vec::new();
    for parameter in list.map(|list| walker.all_children(list)).unwrap_or_default() {
        let arguments = match parameter.kind() {
            "optional_parameter_declaration" => ArgumentCount::Optional,
            "variadic_parameter" | "variadic_parameter_declaration" | "..." => ArgumentCount::Any,
            _ => ArgumentCount::One,
        };
        let Some(known) = walker.field(parameter, "type") else {
            if arguments == ArgumentCount::Any {
                parameters.push(Parameter::new(walker.facts.atom(""), None, arguments));
            }
            continue;
        };
        let mut value_type = walker.type_expr(known, Some(Role::Type));
        let declarator = walker.field(parameter, "declarator");
        if declarator.is_none() && walker.text_of(parameter) == "void" {
            continue;
        }
        if let Some(declarator) = declarator {
            value_type = primitives::with_pointers(walker, value_type, parameter, declarator);
        }
        let mut name = walker.facts.atom("");
        if let Some(found) = declarator.and_then(|declarator| declared(walker, declarator)) {
            name = walker.atom_of(found.name);
            value_type = pointed(walker, value_type, &found);
            operators::note_declarator(walker, found.name, known, declarator.unwrap_or(found.name));
            let kind = BindingKind::Parameter { value_type: Some(value_type), value: None };
            walker.facts.bind(walker.context.scope, name, found.name.start_byte() as u32, kind);
        }
        if let Some(value) = walker.field(parameter, "default_value") {
            walker.visit(value, Role::Read);
        }
        parameters.push(Parameter::new(name, Some(value_type), arguments));
    }
    let definition = walker.facts.definition_mut(id);
    (definition.parameters, definition.result) = (parameters.into(), result);
}

/// Returns the declared result of a function; `None` if it has none, or what the body returns determines it.
fn result<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<ExprId> {
    let part = walker.field(node, "type")?;
    let declarator = walker.field(node, "declarator");
    if part.kind() == "placeholder_type_specifier" {
        // `auto make() -> T`
        let mut at = declarator?;
        while at.kind() != "function_declarator" {
            at = walker.field(at, "declarator").or_else(|| walker.children(at).pop())?;
        }
        let behind = walker.children(at).into_iter().find(|child| child.kind() == "trailing_return_type")?;
        let known = walker.children(behind).pop()?;
        return Some(walker.type_expr(known, Some(Role::Type)));
    }
    let known = walker.type_expr(part, Some(Role::Type));
    Some(declarator.map_or(known, |declarator| primitives::with_pointers(walker, known, node, declarator)))
}

/// Returns the type of a declared value: a pointer to a function is called for its result.
fn pointed(walker: &mut Walker<'_>, known: ExprId, found: &Declared<'_>) -> ExprId {
    match found.parameters {
        Some(_) if !found.is_function => walker.facts.expr(Expr::Function { params: Vec::new(), result: Some(known) }),
        _ => known,
    }
}

/// Adds variables and prototypes.
pub fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(type_node) = walker.field(node, "type") else { return walker.unknown };
    let known = walker.type_expr(type_node, Some(Role::Type));
    let is_inferred = walker.dialect.traits.inferred_types.contains(&walker.text_of(type_node));
    let is_extern = has_storage(walker, node, "extern");
    let is_static = has_storage(walker, node, "static");
    // That of a condition: `if (T* t = find())`.
    let own_value = walker.field(node, "value");
    let mut shared = None;
    for declarator in parts(walker, node, Part::Declarator) {
        if let Some(names) = cpp::structured(walker, declarator) {
            let value = walker.field(declarator, "value").or(own_value);
            let value = value.map_or(walker.unknown, |value| walker.visit(value, Role::Read));
            walker.bind_parts(names, value);
            continue;
        }
        let Some(found) = declared(walker, declarator) else {
            walker.visit(declarator, Role::Read);
            continue;
        };
        sizes(walker, declarator);
        let value_type = primitives::with_pointers(walker, known, node, declarator);
        let value_type = pointed(walker, value_type, &found);
        let values = if is_extern { None } else { cpp::values_of_variable(walker, declarator) };
        let is_function = found.is_function && values.is_none();
        let declared_as = if values.is_some() { found.name } else { declarator };
        operators::note_declarator(walker, found.name, type_node, declared_as);
        let mut value_node = walker.field(declarator, "value").or(own_value);
        let is_class = matches!(type_node.kind(), "type_identifier" | "qualified_identifier" | "template_type");
        if is_class && super::is_cpp(walker) && !is_inferred && !is_extern && !is_function && own_value.is_none() {
            let is_visited = match values {
                Some(values) => {
                    cpp::construct(walker, value_type, values, declarator);
                    true
                }
                None => cpp::construct_variable(walker, value_type, declarator),
            };
            value_node = value_node.filter(|_| !is_visited);
        }
        if walker.context.is_local {
            let value = value_node.map(|value| initializer(walker, value, Some(value_type)));
            let name = walker.atom_of(found.name);
            if !is_extern && !is_function {
                let end = if own_value.is_some() { node } else { declarator };
                walker.bind_local(name, end, Some(value_type).filter(|_| !is_inferred), value);
            }
        } else if found.is_function {
            // A source file declares what other files define, or what it defines itself.
            if !scopes::is_private(walker) && !is_static {
                prototype(walker, node, &found);
            }
        } else if !(is_extern && scopes::is_private(walker)) {
            let base = shared.get_or_insert_with(|| variable(walker, node, found.name, value_node)).clone();
            let name = walker.atom_of(found.name);
            let named = Definition { name, span: span(node, found.name), value_type: Some(value_type), ..base };
            match is_extern {
                true => declare_variable(walker, named),
                false => define_variable(walker, named, value_node, is_static),
            }
        } else if let Some(value) = value_node {
            walker.visit(value, Role::Read);
        }
    }
    walker.unknown
}

/// Returns the definition of a declaration's variables, whose signature ends before the first value.
fn variable<'a>(walker: &mut Walker<'a>, node: Node<'a>, name: Node<'a>, value: Option<Node<'a>>) -> Definition {
    let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Var, node, name);
    let end = value.map_or(node.end_byte(), |value| value.start_byte());
    let text = walker.text.get(node.start_byte()..end).unwrap_or_default();
    let line = docs::single_line(text, &walker.dialect.lexicon);
    definition.signature = line.trim_end_matches(['=', ' ']).to_owned();
    definition
}

/// Adds a variable that is defined elsewhere.
fn declare_variable(walker: &mut Walker<'_>, mut definition: Definition) {
    definition.flags.is_abstract = true;
    let name = walker.facts.text(definition.name).to_owned();
    let id = walker.facts.define(definition, String::new());
    scopes::bind_as(walker, id, &scopes::prototype(&name));
}

fn define_variable<'a>(walker: &mut Walker<'a>, definition: Definition, value: Option<Node<'a>>, is_static: bool) {
    let known = definition.value_type;
    let id = walker.define(definition, value.map(|value| value.start_byte()));
    if !(is_static && scopes::is_private(walker)) {
        scopes::publish(walker, id);
    }
    if let Some(value) = value {
        let value = initializer(walker, value, known);
        walker.facts.definition_mut(id).value = Some(value);
    }
}

/// Adds the prototype of a function in a header.
fn prototype<'a>(walker: &mut Walker<'a>, node: Node<'a>, found: &Declared<'a>) {
    let name = walker.text_of(found.name);
    let mut definition = walker.new_definition(name, SymbolKind::Function, node, found.name);
    definition.flags.is_abstract = true;
    let scope = walker.open_scope(ScopeKind::Function, None);
    definition.scope = scope;
    let id = walker.facts.define(definition, String::new());
    walker.facts.scope_mut(scope).definition = Some(id);
    scopes::bind_as(walker, id, &scopes::prototype(name));
    let saved = walker.enter(id, scope, Container::Module);
    signature(walker, id, node, found.parameters);
    walker.leave(saved);
}

/// Adds the fields of a structure. Those of an unnamed inner structure are fields of the outer one.
pub fn field<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(type_node) = walker.field(node, "type") else { return walker.unknown };
    let is_unnamed = walker.field(type_node, "name").is_none() && walker.field(type_node, "body").is_some();
    let mut known = match made::field_type(walker, type_node) {
        true => walker.unknown,
        false => walker.type_expr(type_node, Some(Role::Type)),
    };
    if let (true, Container::Definition(outer)) = (is_unnamed, walker.context.container) {
        known = walker.facts.expr(Expr::Definition(outer));
    }
    let mut shared = None;
    for declarator in parts(walker, node, Part::Declarator) {
        let Some(found) = declared(walker, declarator) else { continue };
        sizes(walker, declarator);
        let value_type = primitives::with_pointers(walker, known, node, declarator);
        let value_type = pointed(walker, value_type, &found);
        operators::note_declarator(walker, found.name, type_node, declarator);
        if walker.context.container == Container::Module {
            continue;
        }
        let base = shared.get_or_insert_with(|| {
            let text = if is_unnamed { declarator } else { node };
            let definition = walker.new_definition("", SymbolKind::Field, node, found.name);
            Definition { signature: docs::single_line(walker.text_of(text), &walker.dialect.lexicon), ..definition }
        });
        let base = base.clone();
        let name = walker.atom_of(found.name);
        let named = Definition { name, span: span(node, found.name), value_type: Some(value_type), ..base };
        walker.define(named, None);
    }
    let mut cursor = node.walk();
    let values: Vec<Node<'a>> = node.children_by_field_name("default_value", &mut cursor).collect();
    values.into_iter().for_each(|value| _ = initializer(walker, value, Some(known)));
    walker.unknown
}

/// Adds `typedef` names. One that names an unnamed type is its name.
pub fn type_definition<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(type_node) = walker.field(node, "type") else { return walker.unknown };
    let mut names = Vec::new();
    for declarator in parts(walker, node, Part::Declarator) {
        names.extend(declared(walker, declarator));
    }
    let has_body = walker.field(type_node, "body").is_some();
    let tag = walker.field(type_node, "name").map(|name| walker.text_of(name));
    let named = names.iter().find(|name| tag.is_none_or(|tag| tag == walker.text_of(name.name))).map(|name| name.name);
    let mut own = None;
    let known = if let (true, Some(name)) = (has_body, named) {
        own = define_type(walker, type_node, node, name);
        let id = own.unwrap_or(DefId::from_index(0));
        walker.facts.expr(Expr::Definition(id))
    } else {
        walker.type_expr(type_node, Some(Role::Type))
    };
    for found in names {
        let text = walker.text_of(found.name);
        if let Some(id) = own
            && Some(found.name) == named
        {
            scopes::bind_as(walker, id, text);
            scopes::publish(walker, id);
            continue;
        }
        let mut definition = walker.new_definition(text, SymbolKind::Type, node, found.name);
        definition.flags.is_alias = true;
        definition.value_type = Some(pointed(walker, known, &found));
        // In C++ a class has its own names.
        let is_member = definition.container != Container::Module && super::is_cpp(walker);
        let id = walker.define(definition, None);
        if !is_member {
            scopes::publish(walker, id);
        }
    }
    walker.unknown
}

/// Adds a structure or union that is declared by itself.
pub fn record<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    record_or_enum(walker, node);
    walker.unknown
}

/// Adds an enumeration that is declared by itself.
pub fn enumeration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    record_or_enum(walker, node);
    walker.unknown
}

/// Adds the type of a specifier with a body. Members of one without a name belong to what is around it.
pub fn record_or_enum<'a>(walker: &mut Walker<'a>, node: Node<'a>) {
    let Some(body) = walker.field(node, "body") else { return };
    match walker.field(node, "name") {
        Some(name) => {
            define_type(walker, node, node, plain_name(name));
        }
        None if node.kind() == "enum_specifier" => enumerators(walker, body),
        None => walker.visit_children(body),
    }
}

/// Adds a type with its members, in the type that its name says. `outer` is the declaration that it is part of.
fn define_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, outer: Node<'a>, name: Node<'a>) -> Option<DefId> {
    let (mut at, mut names, mut owner) = (name, Vec::new(), None);
    while at.kind() == "qualified_identifier" {
        if let Some(scope) = walker.field(at, "scope") {
            let atom = walker.atom_of(plain_name(scope));
            names.push(atom);
            owner = Some(walker.facts.expr(match owner {
                None => Expr::Name(atom),
                Some(base) => Expr::Member { base, name: atom },
            }));
        }
        at = plain_name(walker.field(at, "name")?);
    }
    let (Some(owner), Some(&last)) = (owner, names.last()) else { return define_type_here(walker, node, outer, at) };
    let mut id = None;
    walker.in_extension(node, (owner, &names), None, |walker| id = define_type_here(walker, node, outer, at));
    // Members that are defined outside of it name it by its path.
    let tag = scopes::nested_tag(walker.facts.text(last), walker.text_of(at));
    scopes::publish_as(walker, id?, &tag);
    id
}

fn define_type_here<'a>(walker: &mut Walker<'a>, node: Node<'a>, outer: Node<'a>, name: Node<'a>) -> Option<DefId> {
    let pattern = walker.pattern(node)?;
    let body = walker.field(node, "body")?;
    let container = walker.context.container;
    let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Type, outer, name);
    let text = walker.text.get(outer.start_byte()..body.start_byte()).unwrap_or_default();
    definition.signature = docs::single_line(text, &walker.dialect.lexicon);
    if outer != node && walker.field(node, "name").is_none() {
        definition.signature = format!("{} {}", definition.signature, walker.text_of(name));
    }
    // A tag is bound by a name of its own.
    definition.container = Container::Definition(DefId::from_index(0));
    let is_enum = node.kind() == "enum_specifier";
    let id = if is_enum {
        let id = walker.define(definition, Some(body.start_byte()));
        let scope = walker.context.scope;
        let saved = walker.enter(id, scope, Container::Definition(id));
        // The names of `enum class` are found only in it.
        let is_scoped = walker.has_token(node, "class") || walker.has_token(node, "struct");
        if is_scoped {
            walker.visit_children(body)
        } else {
            enumerators(walker, body)
        }
        walker.leave(saved);
        id
    } else {
        walker.open_type(node, pattern, definition, &[])
    };
    walker.facts.definition_mut(id).container = container;
    let tag = scopes::tag(walker.text_of(name));
    let scope = walker.context.scope;
    scopes::bind_as(walker, id, &tag);
    // In C a nested tag is one of the file; in C++ it is a member.
    if !walker.context.is_local && (container == Container::Module || !super::is_cpp(walker)) {
        scopes::publish_as(walker, id, &tag);
    }
    walker.context.scope = scope;
    Some(id)
}

/// Adds the names of an enumeration, which are names of the scope around it.
fn enumerators<'a>(walker: &mut Walker<'a>, body: Node<'a>) {
    let first = walker.facts.definitions().len();
    let container = walker.context.container;
    walker.visit_children(body);
    for index in first..walker.facts.definitions().len() {
        let id = DefId::from_index(index);
        if !walker.facts.definition(id).flags.is_variant {
            continue;
        }
        let name = walker.facts.definition(id).name;
        let text = walker.facts.text(name).to_owned();
        if container != Container::Module {
            scopes::bind_as(walker, id, &text);
        }
        if scopes::is_private(walker) && !walker.context.is_local {
            scopes::publish(walker, id);
        }
    }
}
