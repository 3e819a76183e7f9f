//! Type declarations with their fields and methods, and anonymous types.

use tree_sitter::Node;

use crate::facts::{Base, BaseRelation, Container, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::docs;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::model::{DefId, SymbolKind};

/// Adds the types of a `type` declaration, at package level or inside a function.
pub fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let specs = walker.children(node);
    let mut group_doc = docs::comment_above(walker.text, node.start_byte(), &walker.dialect.lexicon);
    let is_single = specs.len() == 1 && !walker.text_of(node).trim_end().ends_with(')');
    for spec in specs {
        let doc = spec_doc(walker, spec, &mut group_doc);
        type_spec(walker, spec, if is_single { node } else { spec }, doc);
    }
    walker.unknown
}

/// Adds the type of one spec; `whole` is the node of its span.
fn type_spec<'a>(walker: &mut Walker<'a>, spec: Node<'a>, whole: Node<'a>, doc: String) {
    let Some(pattern) = walker.pattern(spec) else { return };
    let Some((name, type_node)) = walker.part_of(spec, Part::Name).zip(walker.part_of(spec, Part::Type)) else {
        return;
    };
    let keyword = match type_node.kind() {
        "struct_type" => "struct",
        "interface_type" => "interface",
        _ => "",
    };
    let kind = if keyword == "interface" { SymbolKind::Interface } else { SymbolKind::Type };
    let mut definition = walker.bare_definition(walker.text_of(name), kind, whole, name);
    let end = if keyword.is_empty() { spec.end_byte() } else { type_node.start_byte() + keyword.len() };
    let text = walker.text.get(spec.start_byte()..end).unwrap_or_default();
    definition.signature = format!("type {}", docs::single_line(text, &walker.dialect.lexicon));
    definition.doc = doc;
    definition.flags.is_alias = spec.kind() == "type_alias" && keyword.is_empty();
    let scope = walker.open_scope(ScopeKind::Type, None);
    definition.scope = scope;
    let id = walker.define(definition, Some(type_node.start_byte()));
    walker.facts.scope_mut(scope).definition = Some(id);
    let source = walker.context.source;
    let saved = walker.enter(id, scope, Container::Definition(id));
    // References in a local type belong to the function.
    walker.context.source = source.or(Some(id));
    let type_parameters = walker.type_parameters(spec, pattern, id);
    walker.facts.definition_mut(id).type_parameters = type_parameters.into();
    if keyword.is_empty() {
        let value_type = walker.type_expr(type_node, Some(Role::Type));
        walker.facts.definition_mut(id).value_type = Some(value_type);
    } else {
        walker.visit_children(type_node);
    }
    walker.leave(saved);
}

/// Returns the comment above a spec, else that of its group (for the first spec only), else the trailing one.
pub fn spec_doc<'a>(walker: &Walker<'a>, spec: Node<'a>, group_doc: &mut String) -> String {
    let lexicon = &walker.dialect.lexicon;
    let own = docs::comment_above(walker.text, spec.start_byte(), lexicon);
    let group = std::mem::take(group_doc);
    match (own.is_empty(), group.is_empty()) {
        (false, _) => own,
        (true, false) => group,
        (true, true) => docs::trailing_comment(walker.text, spec.end_byte(), lexicon),
    }
}

/// Adds the fields of one declaration in a struct. An embedded type is a field, and a base of the struct.
pub fn field<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Container::Definition(owner), Some(pattern)) = (walker.context.container, walker.pattern(node)) else {
        return walker.unknown;
    };
    let Some(type_node) = walker.part(node, pattern, Part::Type) else { return walker.unknown };
    let value_type = walker.type_expr(type_node, Some(Role::Type));
    let names = walker.parts(node, pattern, Part::Name);
    if names.is_empty() {
        add_field(walker, node, type_node, type_node, value_type);
        if walker.facts.definition(owner).kind == SymbolKind::Type {
            walker.facts.definition_mut(owner).bases.push(Base { expr: value_type, relation: BaseRelation::Extends });
        }
        return walker.unknown;
    }
    // Several names of one anonymous struct would repeat its fields exponentially with the depth.
    let inner = if names.len() == 1 { inner_struct(type_node) } else { None };
    for name in names {
        let id = add_field(walker, node, name, type_node, value_type);
        if let Some(inner) = inner {
            let (source, scope) = (walker.context.source, walker.context.scope);
            let saved = walker.enter(id, scope, Container::Definition(id));
            walker.context.source = source;
            walker.visit_children(inner);
            walker.leave(saved);
        }
    }
    walker.unknown
}

fn add_field<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    name: Node<'a>,
    type_node: Node<'a>,
    value_type: ExprId,
) -> DefId {
    let lexicon = &walker.dialect.lexicon;
    let plain = embedded_name(walker.text_of(name));
    let mut definition = walker.bare_definition(plain, SymbolKind::Field, node, name);
    definition.value_type = Some(value_type);
    definition.doc = spec_doc(walker, node, &mut String::new());
    definition.signature = if name == type_node {
        docs::single_line(walker.text_of(node).split(['`', '"']).next().unwrap_or_default(), lexicon)
    } else {
        format!("{plain} {}", docs::single_line(walker.text_of(type_node), lexicon))
    };
    walker.define(definition, None)
}

/// Returns the anonymous struct in a type: the type itself, or the element of a pointer or container type.
fn inner_struct(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "struct_type" => Some(node),
        "pointer_type" | "parenthesized_type" => inner_struct(node.named_child(0)?),
        "slice_type" | "array_type" => inner_struct(node.child_by_field_name("element")?),
        "map_type" => inner_struct(node.child_by_field_name("value")?),
        _ => None,
    }
}

/// Returns the field name of an embedded type: `Type` for `*pkg.Type[T]`.
fn embedded_name(type_text: &str) -> &str {
    let name = type_text.split('[').next().unwrap_or(type_text).trim().trim_start_matches('*');
    name.rsplit('.').next().unwrap_or(name).trim()
}

/// Adds an embedded interface as a base of the interface. A union of types is none.
pub fn embedded<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let expr = walker.type_expr(node, Some(Role::Type));
    if let Container::Definition(owner) = walker.context.container
        && !walker.text_of(node).contains(['|', '~'])
    {
        walker.facts.definition_mut(owner).bases.push(Base { expr, relation: BaseRelation::Extends });
    }
    walker.unknown
}

/// Returns an anonymous struct or interface: the types of its members. Embedded types are members under their names.
pub fn members<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_interface = node.kind() == "interface_type";
    let mut children = walker.children(node);
    if !is_interface {
        children = children.first().map_or(Vec::new(), |list| walker.children(*list));
    }
    let mut members = Vec::new();
    for child in children {
        let names = walker.pattern(child).map_or(Vec::new(), |pattern| walker.parts(child, pattern, Part::Name));
        let type_node = walker.part_of(child, Part::Type).unwrap_or(child);
        let value_type = walker.type_expr(type_node, Some(Role::Type));
        if names.is_empty() {
            let name = walker.facts.atom(embedded_name(walker.text_of(type_node)));
            members.push((name, value_type));
        }
        for name in names {
            members.push((walker.atom_of(name), value_type));
        }
    }
    if is_interface && members.is_empty() {
        return walker.facts.builtin("any", Vec::new());
    }
    walker.facts.expr(Expr::Object(members))
}

/// Returns several results, or a single one in parentheses. Named results are variables of the function.
pub fn results<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_named = walker.children(node).first().is_some_and(|first| walker.part_of(*first, Part::Name).is_some());
    let is_type = || node.parent().is_some_and(|outer| matches!(outer.kind(), "function_type" | "method_elem"));
    let types = if is_named && !is_type() {
        let unknown = walker.unknown;
        walker.parameters(&[node]).into_iter().map(|one| one.value_type.unwrap_or(unknown)).collect()
    } else {
        walker.parameter_types(&[node])
    };
    match types.as_slice() {
        &[only] => only,
        _ => walker.facts.expr(Expr::Tuple(types)),
    }
}
