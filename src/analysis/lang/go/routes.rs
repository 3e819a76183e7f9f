//! Prefixes of the groups in which routers register routes: `admin := router.Group("/admin")`,
//! `router.Route("/admin", func(r chi.Router) { … })`.

use std::collections::HashMap;

use tree_sitter::Node;

use super::hooks::State;
use super::signals::short_literal;
use crate::facts::{Atom, ScopeId};
use crate::lang::common::walker::Walker;

/// Maximum number of calls and scopes around a route that are looked at, and length of a prefix in bytes.
const MAX_STEPS: usize = 64;
const MAX_PREFIX: usize = 200;

/// Methods that make a group of the path that is their first argument, or of the routes of a function.
const GROUPS: &[&str] = &["Group", "Party", "PathPrefix", "Route"];
/// Methods that return a router with the same prefix.
const SAME: &[&str] = &["Subrouter", "Use", "With"];

/// The prefixes of names that are groups, by the scope in which they have them.
#[derive(Default)]
pub struct Groups {
    variables: HashMap<(ScopeId, Atom), String>,
    /// The parameters of the functions of groups that are being visited.
    parameters: Vec<(ScopeId, Atom, String)>,
}

/// Returns a path in a group.
pub fn join(prefix: &str, path: &str) -> String {
    match (prefix.trim_end_matches('/'), path.trim_start_matches('/')) {
        (prefix, "") if !prefix.is_empty() => prefix.to_owned(),
        (prefix, path) => format!("{prefix}/{path}"),
    }
}

/// Returns the prefix of a router; empty if it has none, or it is not known.
pub fn prefix<'a>(walker: &mut Walker<'a>, router: Node<'a>) -> String {
    prefix_in(walker, router, MAX_STEPS).unwrap_or_default()
}

/// Notes the prefix of a variable that is declared with a group.
pub fn declare<'a>(walker: &mut Walker<'a>, name: Atom, value: Node<'a>) {
    if group_call(walker, value).is_some() {
        let prefix = prefix(walker, value);
        let scope = walker.context.scope;
        walker.state::<State>().groups.variables.insert((scope, name), prefix);
    }
}

/// Visits a call. The router that the call of a group passes to a function has the prefix of the group there.
pub fn in_group<'a, T>(walker: &mut Walker<'a>, call: Node<'a>, visit: impl FnOnce(&mut Walker<'a>) -> T) -> T {
    let Some(name) = parameter(walker, call) else { return visit(walker) };
    let prefix = prefix(walker, call);
    let scope = walker.context.scope;
    walker.state::<State>().groups.parameters.push((scope, name, prefix));
    let visited = visit(walker);
    walker.state::<State>().groups.parameters.pop();
    visited
}

/// Returns the first parameter of the function that registers the routes of a group.
fn parameter<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Option<Atom> {
    group_call(walker, call)?;
    let arguments = walker.field(call, "arguments")?;
    let function = walker.children(arguments).into_iter().find(|argument| argument.kind() == "func_literal")?;
    let parameters = walker.field(function, "parameters")?;
    let first = walker.children(parameters).first().copied()?;
    walker.field(first, "name").map(|name| walker.atom_of(name))
}

/// Returns the router and the method of a call that returns a group or a router.
fn group_call<'a>(walker: &Walker<'a>, call: Node<'a>) -> Option<(Node<'a>, &'a str)> {
    let function = walker.field(call, "function").filter(|function| function.kind() == "selector_expression")?;
    let method = walker.text_of(walker.field(function, "field")?);
    let router = walker.field(function, "operand")?;
    (GROUPS.contains(&method) || SAME.contains(&method)).then_some((router, method))
}

fn prefix_in<'a>(walker: &mut Walker<'a>, router: Node<'a>, steps: usize) -> Option<String> {
    let steps = steps.checked_sub(1)?;
    if router.kind() == "identifier" {
        return prefix_of_name(walker, router);
    }
    let (outer, method) = group_call(walker, router)?;
    let outer = prefix_in(walker, outer, steps).unwrap_or_default();
    let arguments = walker.field(router, "arguments").filter(|_| GROUPS.contains(&method));
    let first = arguments.and_then(|arguments| walker.children(arguments).first().copied());
    let path = first.and_then(|first| short_literal(walker, first));
    let prefix = path.map_or(outer.clone(), |path| join(&outer, path));
    (prefix.len() <= MAX_PREFIX).then_some(prefix)
}

/// Returns the prefix of the innermost group of a name.
fn prefix_of_name<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<String> {
    let name = walker.atom_of(node);
    let mut scope = Some(walker.context.scope);
    for _ in 0..MAX_STEPS {
        let at = scope?;
        let groups = &walker.state::<State>().groups;
        let parameter = groups.parameters.iter().rev().find(|(scope, known, _)| *scope == at && *known == name);
        if let Some(prefix) = parameter.map(|(.., prefix)| prefix).or(groups.variables.get(&(at, name))) {
            return Some(prefix.clone());
        }
        scope = walker.facts.get_scope(at).parent;
    }
    None
}
