//! Definitions without a use, by how sure it is that nothing uses them.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::implicit::is_visible;
use super::texts::{Texts, bare};
use super::{EngineError, Member, Questions};
use crate::facts::name_key;
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::graph::derive::typings::is_declaration_file;
use crate::index;
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, Symbol, SymbolKind};

/// The sureness that nothing uses a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sureness {
    /// It is not visible outside, every reference by its name is known, and its name is written nowhere else.
    Sure,
    /// Code outside of the repository, a framework or a runtime may use it.
    Likely,
    /// References by its name are not resolved.
    Unknown,
}

impl Sureness {
    /// All of them, the surest first.
    pub const ALL: [Sureness; 3] = [Sureness::Sure, Sureness::Likely, Sureness::Unknown];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Sureness::Sure => "sure",
            Sureness::Likely => "likely",
            Sureness::Unknown => "unknown",
        }
    }
}

/// A symbol without a use.
#[derive(Debug, Clone, PartialEq)]
pub struct Unused {
    pub symbol: Symbol,
    pub sureness: Sureness,
    /// The code that may use it anyway, in words; empty if it is sure.
    pub reason: String,
    /// Number of references by its name that were not resolved.
    pub unresolved: u32,
}

impl Questions<'_> {
    /// Returns the definitions that nothing uses, of one repository or all: the surest first, then by file and line. Tests,
    /// what is in a function or belongs to the language's own protocol of a used type, and definitions of builds, services and
    /// schemas are left out.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn unused(&self) -> Result<Vec<Unused>, EngineError> {
        let mut all = Vec::new();
        for (position, member) in self.loaded() {
            member.graph.load()?;
            let candidates = self.candidates(position, &member)?;
            let known = Known {
                unresolved: index::unresolved_names(member.reader)?,
                outside: self.names_outside(&member)?,
                texts: Texts::read(&member, &candidates)?,
            };
            let mut outer: HashMap<NodeId, Symbol> = HashMap::new();
            for symbol in candidates {
                let node = self.number(position, symbol.node);
                let owner = self.owner(node).and_then(|owner| self.local(owner)).map(|(_, owner)| owner);
                if let Some(owner) = owner.filter(|owner| !outer.contains_key(owner)) {
                    outer.extend(member.reader.symbol(owner)?.map(|symbol| (owner, symbol)));
                }
                let owner = owner.and_then(|owner| outer.get(&owner));
                if self.is_protocol(node, &symbol, owner) {
                    continue;
                }
                let unresolved = known.unresolved_count(&symbol.name);
                let (sureness, reason) = self.sureness(node, &symbol, owner, &known);
                all.push(Unused { symbol, sureness, reason, unresolved });
            }
        }
        all.sort_by(|one, other| {
            let key = |unused: &Unused| (unused.sureness, unused.symbol.repository().to_owned());
            let place = |unused: &Unused| (unused.symbol.file.clone(), unused.symbol.span.start_byte);
            (key(one), place(one)).cmp(&(key(other), place(other)))
        });
        Ok(all)
    }

    /// Returns the definitions of a repository without a use. Of parts and overloads of one full name, one use is enough.
    fn candidates(&self, position: usize, member: &Member<'_>) -> Result<Vec<Symbol>, EngineError> {
        let nodes = NodeId::sequence().take(member.graph.nodes());
        let candidates: Vec<NodeId> = nodes.filter(|node| self.is_candidate(member, *node)).collect();
        let (mut used, mut unused) = (HashSet::new(), Vec::new());
        let is_program = |symbol: &Symbol| language_of(&symbol.file).is_none_or(|language| language.is_program);
        for symbol in member.reader.symbols(&candidates)?.into_iter().filter(is_program) {
            // A type can have parts in several files, functions of one name are in one.
            let file = if symbol.kind.is_type() { String::new() } else { symbol.file.clone() };
            let key = (symbol.scope.clone(), symbol.name.clone(), file);
            let node = self.number(position, symbol.node);
            if self.is_used(node) || symbol.kind.is_type() && self.has_used_member(node) {
                used.insert(key);
            } else {
                unused.push((key, symbol));
            }
        }
        unused.retain(|(key, _)| !used.contains(key));
        Ok(unused.into_iter().map(|(_, symbol)| symbol).collect())
    }

    /// Returns the last names of what is used outside of a repository: one of its own can be meant.
    fn names_outside(&self, member: &Member<'_>) -> Result<HashSet<String>, EngineError> {
        let nodes = NodeId::sequence().take(member.graph.nodes());
        let is_external =
            |node: &NodeId| member.graph.meta(*node).is_some_and(|meta| meta.kind == SymbolKind::External);
        let externals: Vec<NodeId> = nodes.filter(is_external).collect();
        let symbols = member.reader.symbols(&externals)?;
        Ok(symbols.iter().filter_map(|symbol| symbol.name.rsplit(['.', ':']).next().map(str::to_owned)).collect())
    }

    fn is_candidate(&self, member: &Member<'_>, node: NodeId) -> bool {
        use SymbolKind::{Const, Function, Interface, Macro, Method, Type, Var};
        let is_kind = |kind| matches!(kind, Const | Function | Interface | Macro | Method | Type | Var);
        member.graph.meta(node).is_some_and(|meta| is_kind(meta.kind) && meta.file.is_some() && !meta.is_test)
            && member.graph.declared(node).is_none()
    }

    /// Returns whether something but the symbol itself and its own members uses it.
    pub(super) fn is_used(&self, node: NodeId) -> bool {
        let is_own = |user: NodeId| user == node || self.owner(user) == Some(node);
        self.joined.incoming(node).iter().any(|edge| match edge.edge_type {
            EdgeType::Declares => self.is_used_once(edge.node),
            EdgeType::Imports => self.meta(edge.node).is_some_and(|meta| meta.kind != SymbolKind::File),
            edge_type => edge_type.is_use() && !is_own(edge.node),
        })
    }

    /// Returns whether code outside of a type uses a member of it, as it does those of a class of extension methods.
    fn has_used_member(&self, node: NodeId) -> bool {
        let members = self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::Contains);
        members.into_iter().any(|member| {
            let users = self.joined.incoming(member.node).iter().filter(|edge| edge.edge_type.is_use());
            users.into_iter().any(|user| user.node != node && self.owner(user.node) != Some(node))
        })
    }

    /// Returns whether anything uses a declaration.
    fn is_used_once(&self, node: NodeId) -> bool {
        self.joined.incoming(node).iter().any(|edge| edge.edge_type.is_use() && edge.node != node)
    }

    /// Returns the definition that a definition is a member of.
    pub(super) fn owner(&self, node: NodeId) -> Option<NodeId> {
        let is_owner = |edge: &&Neighbor| edge.edge_type == EdgeType::MemberOf;
        let owner = self.joined.outgoing(node).iter().find(is_owner).map(|edge| edge.node)?;
        self.meta(owner).is_some_and(|meta| meta.kind != SymbolKind::File).then_some(owner)
    }

    /// Returns whether a symbol is used by other means than its name: a constructor of a used type, a method that overrides
    /// a used one, or a local function.
    fn is_protocol(&self, node: NodeId, symbol: &Symbol, owner: Option<&Symbol>) -> bool {
        let overrides = self.joined.outgoing(node).iter().any(|edge| edge.edge_type == EdgeType::Overrides);
        let is_constructor = self.constructors.contains(&node)
            || owner.is_some_and(|owner| symbol.kind == SymbolKind::Method && owner.name == symbol.name);
        let is_local = owner.is_some_and(|owner| owner.kind.is_callable());
        overrides || is_constructor || is_local || symbol.name.is_empty()
    }

    /// Returns how sure it is that nothing uses a symbol, and what may use it.
    fn sureness(&self, node: NodeId, symbol: &Symbol, owner: Option<&Symbol>, known: &Known) -> (Sureness, String) {
        match known.unresolved_count(&symbol.name) {
            0 => {}
            1 => return (Sureness::Unknown, "1 reference by its name is not resolved".to_owned()),
            more => return (Sureness::Unknown, format!("{more} references by its name are not resolved")),
        }
        if known.outside.contains(&symbol.name) {
            return (Sureness::Unknown, "code outside of its name is used".to_owned());
        }
        let word = bare(&symbol.name).unwrap_or_default();
        if known.texts.quoted.contains(word) {
            return (Sureness::Unknown, "a text is its name".to_owned());
        }
        if known.texts.are_composed(&symbol.name) {
            return (Sureness::Unknown, "code puts together names of this form".to_owned());
        }
        match self.implicit_user(node, symbol, owner) {
            Some(reason) => (Sureness::Likely, reason.to_owned()),
            None if is_visible(symbol, owner)
                || known.texts.is_exported(symbol)
                || is_declaration_file(&symbol.file) =>
            {
                (Sureness::Likely, "visible outside, so that other code may use it".to_owned())
            }
            None if may_meet_requirement(symbol) => {
                (Sureness::Likely, "it may meet a requirement of a protocol of a library".to_owned())
            }
            None if known.texts.mentioned.contains(word) => {
                (Sureness::Likely, "its name is written elsewhere, too".to_owned())
            }
            None if known.texts.is_partial => {
                (Sureness::Likely, "skipped files are too large to be searched for its name".to_owned())
            }
            None => (Sureness::Sure, String::new()),
        }
    }
}

/// Returns whether a method can be one that a protocol of Swift demands, of which the index has no name if a library has it.
fn may_meet_requirement(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Method && symbol.file.ends_with(".swift") && !symbol.signature.contains("private")
}

/// Names of a repository that can have other uses.
struct Known {
    /// Numbers of references without an edge, by the hash of the name.
    unresolved: HashMap<u32, u32>,
    /// The last names of what is used outside.
    outside: HashSet<String>,
    texts: Texts,
}

impl Known {
    fn unresolved_count(&self, name: &str) -> u32 {
        self.unresolved.get(&index::name_hash(name_key(name))).copied().unwrap_or_default()
    }
}

/// Returns the number of symbols of each sureness.
pub fn unused_counts(unused: &[Unused]) -> BTreeMap<&'static str, usize> {
    let mut counts: BTreeMap<&'static str, usize> = Sureness::ALL.map(|sureness| (sureness.name(), 0)).into();
    for one in unused {
        *counts.entry(one.sureness.name()).or_default() += 1;
    }
    counts
}
