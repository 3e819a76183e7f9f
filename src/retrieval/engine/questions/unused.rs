//! Definitions without a use, by how sure it is that nothing uses them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;

use super::{EngineError, Member, Questions, is_use};
use crate::engine::source;
use crate::facts::name_key;
use crate::graph::adjacency::Neighbor;
use crate::index;
use crate::lang::visibility;
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
    /// and what is in a function or belongs to the language's own protocol of a used type, are left out.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn unused(&self) -> Result<Vec<Unused>, EngineError> {
        let mut all = Vec::new();
        for (position, member) in self.loaded() {
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
        let nodes = NodeId::sequence().take(member.graph.adjacency.nodes());
        let candidates: Vec<NodeId> = nodes.filter(|node| self.is_candidate(member, *node)).collect();
        let (mut used, mut unused) = (HashSet::new(), Vec::new());
        for symbol in member.reader.symbols(&candidates)? {
            // A type can have parts in several files, functions of one name are in one.
            let file = if symbol.kind.is_type() { String::new() } else { symbol.file.clone() };
            let key = (symbol.scope.clone(), symbol.name.clone(), file);
            if self.is_used(self.number(position, symbol.node)) {
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
        let nodes = NodeId::sequence().take(member.graph.adjacency.nodes());
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
    fn is_used(&self, node: NodeId) -> bool {
        let is_own = |user: NodeId| user == node || self.owner(user) == Some(node);
        self.joined.incoming(node).iter().any(|edge| match edge.edge_type {
            EdgeType::Declares => self.is_used_once(edge.node),
            EdgeType::Imports => self.meta(edge.node).is_some_and(|meta| meta.kind != SymbolKind::File),
            edge_type => is_use(edge_type) && !is_own(edge.node),
        })
    }

    /// Returns whether anything uses a declaration.
    fn is_used_once(&self, node: NodeId) -> bool {
        self.joined.incoming(node).iter().any(|edge| is_use(edge.edge_type) && edge.node != node)
    }

    /// Returns the definition that a definition is a member of.
    fn owner(&self, node: NodeId) -> Option<NodeId> {
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
        if known.texts.quoted.contains(bare(&symbol.name)) {
            return (Sureness::Unknown, "a text is its name".to_owned());
        }
        if known.texts.are_composed(&symbol.name) {
            return (Sureness::Unknown, "code puts together names of this form".to_owned());
        }
        match self.other_user(node, symbol, owner) {
            Some(reason) => (Sureness::Likely, reason.to_owned()),
            None if known.texts.mentioned.contains(bare(&symbol.name)) => {
                (Sureness::Likely, "its name is written elsewhere, too".to_owned())
            }
            None => (Sureness::Sure, String::new()),
        }
    }

    /// Returns whether nothing uses any member of the type that a method is in, while the type itself is used.
    fn is_of_opaque_type(&self, node: NodeId) -> bool {
        let Some(owner) = self.owner(node).filter(|owner| self.is_used(*owner)) else { return false };
        let members = self.joined.outgoing(owner).iter().filter(|edge| edge.edge_type == EdgeType::Contains);
        !members.into_iter().any(|member| self.is_used(member.node))
    }

    /// Returns what may use a symbol that no code of the repository uses.
    fn other_user(&self, node: NodeId, symbol: &Symbol, owner: Option<&Symbol>) -> Option<&'static str> {
        let has = |node: NodeId, wanted: fn(EdgeType) -> bool| {
            self.joined.outgoing(node).iter().any(|edge| {
                wanted(edge.edge_type) && self.meta(edge.node).is_none_or(|meta| meta.kind == SymbolKind::External)
            })
        };
        let name = symbol.name.as_str();
        if matches!(name, "main" | "Main" | "init" | "setup" | "teardown") && symbol.kind.is_callable() {
            return Some("an entry point, which the runtime calls");
        }
        let is_special = (name.starts_with("__") && (name.ends_with("__") || symbol.file.ends_with(".php")))
            || SPECIAL.contains(&name)
            || symbol.signature.split_whitespace().any(|word| word == "operator");
        if is_special || name.starts_with("operator") || !is_word(name) {
            return Some("a special method, which the language calls");
        }
        let is_marked = symbol.signature.contains('@') || MARKS.iter().any(|mark| symbol.signature.contains(mark));
        if is_marked || self.joined.outgoing(node).iter().any(|edge| edge.edge_type == EdgeType::Decorates) {
            return Some("decorated, so that a framework may call it");
        }
        let is_base = |edge_type| matches!(edge_type, EdgeType::Extends | EdgeType::Implements);
        let is_override = symbol.signature.contains("override ") || symbol.signature.contains("@Override");
        let outer = owner.map(|_| self.owner(node)).unwrap_or_default();
        if symbol.kind == SymbolKind::Method && (is_override || outer.is_some_and(|outer| has(outer, is_base))) {
            return Some("its type extends code outside, which may call it");
        }
        if symbol.kind == SymbolKind::Method && self.is_of_opaque_type(node) {
            return Some("its type is used as a whole, which may find it");
        }
        if symbol.kind == SymbolKind::Method && owner.is_none() {
            return Some("a member of an object, which may be passed on");
        }
        if symbol.kind.is_type() && has(node, is_base) {
            return Some("extends code outside, which may find it");
        }
        is_visible(symbol, owner).then_some("visible outside, so that other code may use it")
    }
}

/// Names of methods that languages and their libraries call.
const SPECIAL: &[&str] = &[
    "Add",
    "Deconstruct",
    "Dispose",
    "Equals",
    "GetAwaiter",
    "GetEnumerator",
    "GetHashCode",
    "ToString",
    "coerce",
    "const_missing",
    "deinit",
    "drop",
    "each",
    "equals",
    "extended",
    "finalize",
    "hashCode",
    "included",
    "inherited",
    "initialize",
    "initialize_copy",
    "inspect",
    "marshal_dump",
    "marshal_load",
    "method_added",
    "method_missing",
    "prepended",
    "readObject",
    "readObjectNoData",
    "readResolve",
    "toJSON",
    "toString",
    "to_ary",
    "to_proc",
    "to_s",
    "to_str",
    "unapply",
    "valueOf",
    "writeObject",
    "writeReplace",
];

/// Texts in a signature by which a compiler or a framework finds what it declares.
const MARKS: &[&str] = &["#[", "[[", "__attribute__", "__declspec", "extern \"C\"", "native "];

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

/// Names in the texts of a repository, whatever the graph has.
#[derive(Default)]
struct Texts {
    /// The names that a text is, or a symbol of Ruby: `"run"`, `:run`.
    quoted: HashSet<String>,
    /// The names that are written outside of their definitions.
    mentioned: HashSet<String>,
    /// Beginnings and ends of names that code puts together: `"visit_" + name`, `on_##event`.
    pieces: HashSet<String>,
}

impl Texts {
    /// Reads the sources of a repository, for the names of some of its symbols.
    fn read(member: &Member<'_>, symbols: &[Symbol]) -> Result<Texts, EngineError> {
        let mut own: HashMap<&str, Vec<(&str, Range<usize>)>> = HashMap::new();
        for symbol in symbols {
            let span = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
            own.entry(bare(&symbol.name)).or_default().push((&symbol.file, span));
        }
        let mut texts = Texts::default();
        for (_, path) in member.reader.file_paths()? {
            // A file that has gone since is one of the next update.
            let Ok(content) = source::read(member.root, &path) else { continue };
            let has_symbols = path.ends_with("rb") || path.ends_with("rake");
            for (at, word) in words(&content.text) {
                let before = content.text[..at].chars().next_back().unwrap_or(' ');
                let rest = &content.text[at + word.len()..];
                let next = rest.chars().next().unwrap_or(' ');
                if is_piece(word, before, next) {
                    texts.pieces.insert(word.to_owned());
                }
                // `"%s_handler"`
                texts.pieces.extend(
                    word.strip_prefix('s').filter(|end| before == '%' && end.starts_with('_')).map(str::to_owned),
                );
                let Some(spans) = own.get(word) else { continue };
                let is_text = matches!(before, '"' | '\'' | '`') && next == before;
                if is_text || (before == ':' && has_symbols) {
                    texts.quoted.insert(word.to_owned());
                }
                if !spans.iter().any(|(file, span)| *file == path && span.contains(&at)) {
                    texts.mentioned.insert(word.to_owned());
                }
            }
        }
        Ok(texts)
    }

    /// Returns whether code puts together names of this form.
    fn are_composed(&self, name: &str) -> bool {
        let ends = name.match_indices('_').map(|(at, _)| at);
        ends.into_iter().any(|at| {
            let (first, last) = (&name[..=at], &name[at..]);
            (first.len() > 2 && self.pieces.contains(first)) || (last.len() > 2 && self.pieces.contains(last))
        })
    }
}

/// Returns a name without the signs around its word: `valid?`, `save!`, `$total`.
fn bare(name: &str) -> &str {
    name.trim_start_matches('$').trim_end_matches(['?', '!'])
}

/// Returns the words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(is_part)?;
        let length = text[at..].find(|letter| !is_part(letter)).unwrap_or(text.len() - at);
        let word = (at, &text[at..at + length]);
        at += length;
        Some(word)
    })
}

/// Returns whether a word is a part of names that code puts together, by what is before and after it.
fn is_piece(word: &str, before: char, next: char) -> bool {
    let begins = word.ends_with('_') && matches!(next, '"' | '\'' | '`' | '{' | '$' | '#' | '%' | '\\');
    let ends = word.starts_with('_') && matches!(before, '"' | '\'' | '`' | '}' | '#' | '%');
    begins || ends
}

fn is_word(name: &str) -> bool {
    name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '?' | '!'))
}

/// Returns whether code of other projects can name a symbol.
fn is_visible(symbol: &Symbol, owner: Option<&Symbol>) -> bool {
    let is_outer_hidden = owner.is_some_and(|owner| owner.kind.is_type() && !is_visible(owner, None));
    !is_outer_hidden && visibility::is_visible(&symbol.file, &symbol.name, &symbol.signature, owner.is_some())
}

/// Returns the number of symbols of each sureness.
pub fn unused_counts(unused: &[Unused]) -> BTreeMap<&'static str, usize> {
    let mut counts: BTreeMap<&'static str, usize> = Sureness::ALL.map(|sureness| (sureness.name(), 0)).into();
    for one in unused {
        *counts.entry(one.sureness.name()).or_default() += 1;
    }
    counts
}
