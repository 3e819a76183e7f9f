//! overrides: from a method to the nearest base method of the same name, or to the interface method that it implements.
//!
//! In languages with overloads, the numbers and the types of the parameters decide as well, by the names of the types: a type
//! parameter of the base stands for any type.

use std::collections::{HashMap, HashSet};

use super::hierarchy::Hierarchy;
use crate::facts::{ArgumentCount, Definition, Outline};
use crate::graph::view::GraphView;
use crate::lang::packages::{overriding, resolves_by_name};
use crate::model::{Edge, EdgeType, NodeId, Provenance, SymbolKind};
use crate::resolve::rules::Overriding;

/// Returns edges from methods to methods of bases and interfaces; `satisfied` are the derived implements edges.
pub fn edges(view: &GraphView<'_>, hierarchy: &Hierarchy, satisfied: &[Edge]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for position in view.positions().filter(|&position| view.node(position).kind.is_type()) {
        let ancestors = if hierarchy.bases(position).is_empty() { Vec::new() } else { hierarchy.ancestors(position) };
        let mut found = Found { view, hierarchy, ty: position, by_method: HashMap::new() };
        found.add_nearest(ancestors.iter().copied());
        let mut pairs = found.pairs();
        let inherited: HashMap<NodeId, usize> =
            found.by_method.iter().map(|(method, best)| (*method, best.0)).collect();
        for (holder, distance) in [(position, 0)].into_iter().chain(ancestors) {
            for &interface in hierarchy.interfaces(holder) {
                let mut found = Found { view, hierarchy, ty: position, by_method: HashMap::new() };
                found.add_nearest([(interface, 0)].into_iter().chain(hierarchy.ancestors(interface)));
                // What a base class has implements the interface for the methods that override it.
                let is_own =
                    |method: &NodeId| distance == 0 || inherited.get(method).is_none_or(|nearest| *nearest > distance);
                pairs.extend(found.pairs().into_iter().filter(|(method, _)| is_own(method)));
            }
        }
        // Where names are all that is known, the base is inferred, and so is what overrides its methods.
        let by_name = resolves_by_name(view.language(position));
        let provenance = if by_name { Provenance::AstInferred } else { Provenance::AstResolved };
        let edge = |(method, base)| Edge { provenance, ..between(method, base, provenance.confidence()) };
        edges.extend(pairs.into_iter().map(edge));
    }
    for edge in satisfied {
        let mut found = Found { view, hierarchy, ty: edge.source, by_method: HashMap::new() };
        found.add_nearest([(edge.target, 0)].into_iter());
        let provenance = edge.provenance;
        let overriding = |(method, wanted)| Edge { provenance, ..between(method, wanted, edge.confidence) };
        edges.extend(found.pairs().into_iter().map(overriding));
    }
    edges
}

/// The methods that those of a type override, with the distance of their types.
struct Found<'v, 'a> {
    view: &'v GraphView<'a>,
    hierarchy: &'v Hierarchy,
    ty: NodeId,
    by_method: HashMap<NodeId, (usize, Vec<NodeId>)>,
}

impl Found<'_, '_> {
    /// Adds for each method the overridden ones in the nearest of these types, which are in order of their distance.
    fn add_nearest(&mut self, supertypes: impl Iterator<Item = (NodeId, usize)> + Clone) {
        let mut taken = HashSet::new();
        for is_sure in [true, false] {
            for (supertype, distance) in supertypes.clone() {
                let mut alike: Vec<(NodeId, NodeId)> = Vec::new();
                self.hierarchy.same_name_methods(self.ty, supertype, |method, base| alike.push((method, base)));
                for group in alike.chunk_by(|one, other| one.0 == other.0) {
                    let method = group[0].0;
                    let is_nearer = self.by_method.get(&method).is_some_and(|(nearest, _)| *nearest < distance);
                    if is_nearer || (!is_sure && self.by_method.contains_key(&method)) {
                        continue;
                    }
                    let bases = group.iter().map(|(_, base)| *base);
                    let best = if is_sure { self.best(method, bases) } else { self.only(method, bases, &taken) };
                    if let Some(base) = best {
                        taken.insert(base);
                        self.by_method.entry(method).or_insert((distance, Vec::new())).1.push(base);
                    }
                }
            }
        }
    }

    fn pairs(&self) -> Vec<(NodeId, NodeId)> {
        let of = |(method, (_, bases)): (&NodeId, &(usize, Vec<NodeId>))| {
            let method = *method;
            bases.iter().map(move |base| (method, *base)).collect::<Vec<_>>()
        };
        self.by_method.iter().flat_map(of).collect()
    }

    /// Returns the method of one type that a method overrides: the first of those whose parameters fit best.
    fn best(&self, method: NodeId, bases: impl Iterator<Item = NodeId>) -> Option<NodeId> {
        let mut best = None;
        for base in bases {
            if let Fit::Types(fit) = fit(self.view, self.hierarchy, method, base)
                && best.is_none_or(|(known, _)| fit > known)
            {
                best = Some((fit, base));
            }
        }
        best.map(|(_, base)| base)
    }

    /// Returns the only method of one type that a method can override by the number of its parameters, where it says that
    /// it overrides one. The names of the types differ: one of them can be an alias.
    fn only(&self, method: NodeId, bases: impl Iterator<Item = NodeId>, taken: &HashSet<NodeId>) -> Option<NodeId> {
        let fits = |base: &NodeId| fit(self.view, self.hierarchy, method, *base) == Fit::Number;
        let mut fitting = bases.filter(|base| !taken.contains(base) && fits(base));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

/// The way in which the parameters of a method fit those of one that it may override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    None,
    /// Their number, and the method says that it overrides one.
    Number,
    /// Their number and their types, of which so many are equal.
    Types(u32),
}

/// A method with its definition.
#[derive(Clone, Copy)]
struct Method<'a> {
    node: NodeId,
    outline: &'a Outline,
    definition: &'a Definition,
}

impl<'a> Method<'a> {
    fn of(view: &GraphView<'a>, node: NodeId) -> Option<Method<'a>> {
        view.defined(node).map(|(outline, definition)| Method { node, outline, definition })
    }

    /// Returns the names of the types of the parameters.
    fn types(self) -> impl Iterator<Item = Option<&'a str>> {
        self.definition
            .parameters
            .iter()
            .map(move |parameter| parameter.type_name.map(|name| self.outline.names.get(name)))
    }
}

fn fit(view: &GraphView<'_>, hierarchy: &Hierarchy, method: NodeId, base: NodeId) -> Fit {
    let rule = overriding(view.language(method));
    let (Some(one), Some(other)) = (Method::of(view, method), Method::of(view, base)) else { return Fit::Types(0) };
    let (own, overridden) = (one.definition, other.definition);
    let is_interface =
        view.node(base).container.is_some_and(|container| view.node(container).kind == SymbolKind::Interface);
    let is_hidden = head_words(outline_name(other.outline, overridden), overridden).any(|word| word == "private");
    if own.flags.is_static != overridden.flags.is_static || (is_hidden && !matches!(rule, Overriding::Virtual(_))) {
        return Fit::None;
    }
    let equal = equal_types(view, one, other);
    if rule == Overriding::ByName {
        let is_alike = own.parameters.len() == overridden.parameters.len();
        return Fit::Types(2 * equal.unwrap_or(0) + u32::from(is_alike));
    }
    if own.flags.is_static && !(overridden.flags.is_abstract && is_interface) {
        return Fit::None;
    }
    let has = |definition: &Definition, word: &str| words(&definition.signature).any(|known| known == word);
    let is_stated = match rule {
        Overriding::Marked { word, in_interfaces } => has(own, word) || (is_interface && !in_interfaces),
        Overriding::Virtual(marks) => [method, base].iter().any(|one| is_virtual(view, hierarchy, *one, marks)),
        Overriding::ByName | Overriding::BySignature => true,
    };
    if !is_stated || !are_alike(one, other) {
        return Fit::None;
    }
    let is_labeled = own.parameters.iter().any(|parameter| parameter.label.is_some());
    let is_marked = match rule {
        Overriding::Marked { word, .. } => has(own, word) || is_labeled,
        Overriding::BySignature | Overriding::Virtual(_) => has(own, "override"),
        Overriding::ByName => false,
    };
    match equal {
        Some(equal) => Fit::Types(equal),
        None if is_marked => Fit::Number,
        None => Fit::None,
    }
}

/// Returns whether a method, or another of its type with its name and number of parameters, has one of these words: those
/// that are defined outside of their class have none.
fn is_virtual(view: &GraphView<'_>, hierarchy: &Hierarchy, method: NodeId, marks: &[&str]) -> bool {
    let (Some(ty), Some((_, own))) = (view.node(method).container, view.defined(method)) else { return false };
    let same = |other: &&NodeId| hierarchy.name(**other) == hierarchy.name(method);
    hierarchy.methods(ty).iter().filter(same).any(|other| {
        let of_number = |known: &&Definition| known.parameters.len() == own.parameters.len();
        let defined = view.defined(*other).map(|(_, known)| known).filter(of_number);
        defined.is_some_and(|known| words(&known.signature).any(|word| marks.contains(&word)))
    })
}

/// Returns whether two methods have equally many parameters, of the same kinds and labels.
fn are_alike(one: Method<'_>, other: Method<'_>) -> bool {
    let (own, base) = (&one.definition.parameters, &other.definition.parameters);
    own.len() == base.len()
        && own.iter().zip(base).all(|(own, base)| {
            let labels = [(one, own), (other, base)]
                .map(|(method, parameter)| parameter.label.map(|label| method.outline.names.get(label)));
            let [is_any, is_base_any] = [own, base].map(|parameter| parameter.arguments == ArgumentCount::Any);
            is_any == is_base_any && labels[0] == labels[1]
        })
}

/// Returns the number of parameters whose types have one name; `None` if those of one differ.
fn equal_types(view: &GraphView<'_>, one: Method<'_>, other: Method<'_>) -> Option<u32> {
    let mut equal = 0;
    for (own, base) in one.types().zip(other.types()) {
        let (Some(own), Some(base)) = (own, base) else { continue };
        let is_parameter = || {
            is_type_parameter(view, one.node, own)
                || is_type_parameter(view, other.node, base) && can_be_argument(view.language(one.node), own)
        };
        if own.eq_ignore_ascii_case(base) {
            equal += 1;
        } else if !is_parameter() {
            return None;
        }
    }
    Some(equal)
}

/// Returns whether a type can stand for a type parameter: Java's primitive types can't.
fn can_be_argument(language: &str, name: &str) -> bool {
    overriding(language) != Overriding::BySignature || !name.starts_with(char::is_lowercase) || name.ends_with(']')
}

/// Returns whether a type's name is that of a type parameter of a method or of a type around it.
fn is_type_parameter(view: &GraphView<'_>, method: NodeId, name: &str) -> bool {
    let name = name.trim_end_matches("[]");
    let is_letter = name.len() <= 2 && name.starts_with(|first: char| first.is_ascii_uppercase());
    let mut around = Some(method);
    // Types are nested a few levels deep.
    for _ in 0..8 {
        let Some(position) = around else { break };
        let node = view.node(position);
        let own = view.defined(position).is_some_and(|(outline, definition)| {
            definition.type_parameters.iter().any(|parameter| outline.names.get(parameter.name) == name)
        });
        if own {
            return true;
        }
        around = node.container.or(node.parent);
    }
    is_letter
}

fn outline_name<'a>(outline: &'a Outline, definition: &Definition) -> &'a str {
    outline.names.get(definition.name)
}

/// Returns the words of a method's signature before its name.
fn head_words<'a>(name: &str, definition: &'a Definition) -> impl Iterator<Item = &'a str> {
    let head = definition.signature.split(['(', '{', ':']).next().unwrap_or_default();
    words(head.strip_suffix(name).unwrap_or(head))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

fn between(source: NodeId, target: NodeId, confidence: f32) -> Edge {
    Edge { source, target, edge_type: EdgeType::Overrides, provenance: Provenance::AstResolved, confidence }
}
