//! Items that no pattern can describe: functions, constants, modules, variants, traits, `impl` blocks, macro definitions.

use tree_sitter::Node;

use super::builtins::PATH_ATTRIBUTE_PREFIX;
use super::{attributes, macro_paths, module_lists, paths};
use crate::facts::{Base, BaseRelation, BindingKind, Container, Definition, ExprId, Import, ImportName, Role, ScopeId};
use crate::lang::common::definitions::extend_span;
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// Maximum length in bytes of a constant's value that is part of the signature.
const MAX_SIGNATURE_VALUE: usize = 60;

/// Adds a function or method. One without `self` is static.
pub fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let is_method = walker.context.container != Container::Module;
    let kind = if is_method { SymbolKind::Method } else { SymbolKind::Function };
    let (mut definition, decorators) = walker.header(node, pattern, name, kind);
    if is_method {
        let list = walker.part(node, pattern, Part::Parameters);
        let first =
            list.and_then(|list| walker.children(list).into_iter().find(|first| !walker.is(*first, Action::Before)));
        definition.flags.is_static = !first.is_some_and(|first| {
            let name = walker.part_of(first, Part::Name);
            first.kind() == "self_parameter" || name.is_some_and(|name| walker.is(name, Action::Receiver))
        });
    }
    walker.open_function(node, pattern, definition, &decorators);
    walker.unknown
}

/// Adds a constant or a static variable. The signature leaves out a long value.
pub fn constant<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let kind = if node.kind() == "const_item" { SymbolKind::Const } else { SymbolKind::Var };
    let (mut definition, decorators) = walker.header(node, pattern, name, kind);
    let value = walker.part(node, pattern, Part::Value);
    let is_long =
        |value: &Node<'a>| value.byte_range().len() > MAX_SIGNATURE_VALUE || walker.text_of(*value).contains('\n');
    if let Some(value) = value.filter(is_long) {
        let text = walker.text.get(node.start_byte()..value.start_byte()).unwrap_or_default();
        definition.signature = attributes::signature(text, &walker.dialect.lexicon);
    }
    // `const _` has no name.
    let id = match walker.text_of(name) {
        "_" => walker.facts.define(definition, String::new()),
        _ => walker.define(definition, value.map(|value| value.start_byte())),
    };
    walker.decorators(&decorators, id);
    let value_type = walker.part(node, pattern, Part::Type).map(|part| walker.type_expr(part, Some(Role::Type)));
    let parent = walker.context.parent.replace(id);
    let value = value.map(|value| walker.visit(value, Role::Read));
    walker.context.parent = parent;
    let definition = walker.facts.definition_mut(id);
    (definition.value_type, definition.value) = (value_type, value);
    walker.unknown
}

/// Adds an inline module, or the import of the file that `mod x;` declares.
pub fn module<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    if walker.part(node, pattern, Part::Body).is_some() {
        let is_local = std::mem::take(&mut walker.context.is_local);
        walker.namespace(node, pattern);
        walker.context.is_local = is_local;
        return walker.unknown;
    }
    let Some(name_node) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let path = walker.before.iter().find_map(|attribute| attributes::path_attribute(walker.text_of(*attribute)));
    let (definition, decorators) = walker.header(node, pattern, name_node, SymbolKind::Package);
    let (name, scope) = (definition.name, walker.context.scope);
    let id = walker.facts.define(Definition { scope: ScopeId(0), ..definition }, String::new());
    walker.decorators(&decorators, id);
    let own = walker.facts.atom("self");
    let target = path.map_or(name, |path| walker.facts.atom(&format!("{PATH_ATTRIBUTE_PREFIX}{path}")));
    let (path, position) = (vec![own, target], name_node.start_byte() as u32);
    let import = Import { scope, path, level: 0, name: ImportName::Module, position, reexport: true };
    let import = walker.facts.import(import);
    walker.bind(name, position, BindingKind::Import(import));
    walker.unknown
}

/// Adds a variant, whose fields are its members.
pub fn variant<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (mut definition, decorators) = walker.header(node, pattern, name, SymbolKind::Field);
    definition.flags.is_variant = true;
    let id = walker.define(definition, None);
    walker.decorators(&decorators, id);
    if let Some(value) = walker.part(node, pattern, Part::Value) {
        walker.visit(value, Role::Read);
    }
    if let Some(fields) = walker.part(node, pattern, Part::Parameters) {
        let source = walker.context.source;
        let saved = walker.enter(id, walker.context.scope, Container::Definition(id));
        walker.context.source = source;
        walker.visit(fields, Role::Read);
        walker.leave(saved);
    }
    walker.unknown
}

/// Adds the fields of a tuple struct, whose names are their indexes.
pub fn tuple_fields<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut index = 0;
    for child in walker.all_children(node).into_iter().filter(Node::is_named) {
        if walker.is(child, Action::Before) {
            walker.before.push(child);
        } else if !walker.is(child, Action::Skip) && !child.is_extra() {
            let decorators = std::mem::take(&mut walker.before);
            let mut definition = walker.bare_definition(&index.to_string(), SymbolKind::Field, child, child);
            definition.doc = attributes::doc(walker, &decorators);
            definition.signature = attributes::signature(walker.text_of(child), &walker.dialect.lexicon);
            extend_span(&mut definition.span, &decorators);
            definition.value_type = Some(walker.type_expr(child, Some(Role::Type)));
            walker.define(definition, None);
            index += 1;
        }
    }
    walker.unknown
}

/// Adds a trait, whose supertraits are its bases.
pub fn trait_item<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (definition, decorators) = walker.header(node, pattern, name, SymbolKind::Interface);
    let id = walker.open_type(node, pattern, definition, &decorators);
    let saved = walker.enter(id, walker.facts.definition(id).scope, Container::Definition(id));
    for bound in walker.parts(node, pattern, Part::Declarator) {
        let expr = paths::header_type(walker, bound);
        if expr != walker.unknown {
            walker.facts.definition_mut(id).bases.push(Base { expr, relation: BaseRelation::Extends });
        }
    }
    walker.leave(saved);
    walker.unknown
}

/// Adds `impl T` or `impl Trait for T`.
pub fn implementation<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(target_node) = walker.part(node, pattern, Part::Type) else { return walker.unknown };
    let target_name = paths::target_name(walker, target_node);
    let unknown = walker.unknown;
    walker.in_extension(node, (unknown, &[target_name]), None, |walker| {
        let Container::Extension(id) = walker.context.container else { return };
        let type_parameters =
            walker.type_parameters_of(node, pattern, |index| BindingKind::ExtensionParameter(id, index));
        let target = paths::header_type(walker, target_node);
        let implemented = walker.part(node, pattern, Part::Implements);
        let implements = implemented.map(|implemented| paths::header_type(walker, implemented));
        let extension = walker.facts.extension_mut(id);
        (extension.target, extension.implements) = (target, implements);
        extension.type_parameters = type_parameters;
        if let Some(body) = walker.part(node, pattern, Part::Body) {
            walker.statements(body);
        }
    });
    walker.unknown
}

/// Adds `macro_rules! name`, which uses what the transcribers of its rules name.
pub fn macro_definition<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (mut definition, decorators) = walker.header(node, pattern, name, SymbolKind::Macro);
    definition.signature = format!("macro_rules! {}", walker.text_of(name));
    let body = walker.children(node).into_iter().find(|child| child.kind() == "macro_rule");
    let id = walker.define(definition, body.map(|body| body.start_byte()));
    walker.decorators(&decorators, id);
    let source = walker.context.source.replace(id);
    for rule in walker.children(node).into_iter().filter(|child| child.kind() == "macro_rule") {
        if let Some(tokens) = walker.field(rule, "right") {
            macro_paths::visit(walker, tokens);
            let (declares, reexports) = module_lists::declared(walker, tokens);
            let flags = &mut walker.facts.definition_mut(id).flags;
            flags.declares_modules |= declares;
            flags.has_generated_members |= declares && reexports;
        }
    }
    walker.context.source = source;
    walker.unknown
}
