//! Uses of a symbol without a line that names it: by the language, a framework, code outside.

use super::Questions;
use crate::engine::source;
use crate::graph::adjacency::Neighborhoods;
use crate::lang::{language_of, places, visibility};
use crate::model::{EdgeType, NodeId, Symbol, SymbolKind};

impl Questions<'_> {
    /// Returns whether nothing uses any member of the type that a method is in, while the type itself is used.
    fn is_of_opaque_type(&self, node: NodeId) -> bool {
        let Some(owner) = self.owner(node).filter(|owner| self.is_used(*owner)) else { return false };
        let members = self.joined.outgoing(owner).iter().filter(|edge| edge.edge_type == EdgeType::Contains);
        !members.into_iter().any(|member| self.is_used(member.node))
    }

    /// Returns whether a symbol has a decorator, an attribute or a modifier by which something finds it.
    fn is_marked(&self, node: NodeId, symbol: &Symbol) -> bool {
        let has_mark = symbol.signature.contains('@') || MARKS.iter().any(|mark| symbol.signature.contains(mark));
        has_mark || self.joined.outgoing(node).iter().any(|edge| edge.edge_type == EdgeType::Decorates)
    }

    fn has_entry_point(&self, node: NodeId) -> bool {
        let members = self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::Contains);
        let is_entry = |symbol: Symbol| symbol.kind.is_callable() && ENTRY_POINTS.contains(&symbol.name.as_str());
        members.into_iter().any(|member| self.symbol(member.node).ok().flatten().is_some_and(is_entry))
    }

    /// Returns whether code of other files can name a symbol at the top of a file, by its signature or the word before it.
    fn is_exported(&self, symbol: &Symbol) -> bool {
        let start = symbol.span.start_byte as usize;
        let has_word = |text: &str| text.get(start..).is_some_and(|text| text.starts_with("export "));
        let read = || self.member_of(symbol).and_then(|(_, member)| source::read(member.root, &symbol.file).ok());
        is_visible(symbol, None) || read().is_some_and(|file| has_word(&file.text))
    }

    /// Returns what may use a symbol without naming it, as a clause; `None` if nothing is known that would.
    pub(super) fn implicit_user(&self, node: NodeId, symbol: &Symbol, owner: Option<&Symbol>) -> Option<&'static str> {
        let has = |node: NodeId, wanted: fn(EdgeType) -> bool| {
            self.joined.outgoing(node).iter().any(|edge| {
                wanted(edge.edge_type) && self.meta(edge.node).is_none_or(|meta| meta.kind == SymbolKind::External)
            })
        };
        let name = symbol.name.as_str();
        if language_of(&symbol.file).is_some_and(|language| !language.is_program) {
            return Some("builds, services, schemas and pages are used from outside");
        }
        if ENTRY_POINTS.contains(&name) && symbol.kind.is_callable() {
            return Some("an entry point, which the runtime calls");
        }
        if self.joined.incoming(node).iter().any(|edge| edge.edge_type == EdgeType::HandlesRoute) {
            return Some("it handles a route, which clients call");
        }
        let hook = places::user_of_hook(name).filter(|_| symbol.kind.is_callable());
        if let Some(user) = hook {
            return Some(user);
        }
        if owner.is_none()
            && let Some(user) = places::user_of_export(&symbol.file)
            && self.is_exported(symbol)
        {
            return Some(user);
        }
        let is_special = (name.starts_with("__")
            && (name.ends_with("__") || symbol.file.ends_with(".php") || symbol.file.ends_with(".lua")))
            || SPECIAL.contains(&name)
            || symbol.signature.split_whitespace().any(|word| word == "operator");
        let is_sign = symbol.kind.is_callable() && (name.starts_with("operator") || !is_word(name));
        if is_special || is_sign {
            return Some("a special name, which the language uses");
        }
        let mut head = symbol.signature.split('(').next().unwrap_or_default().split_whitespace();
        if head.any(|word| matches!(word, "implicit" | "given")) {
            return Some("implicit, so that the compiler may choose it");
        }
        if self.is_marked(node, symbol) {
            return Some("decorated, so that a framework may call it");
        }
        let outer = owner.map(|_| self.owner(node)).unwrap_or_default();
        let is_of_marked = || outer.zip(owner).is_some_and(|(outer, owner)| self.is_marked(outer, owner));
        if symbol.kind == SymbolKind::Method && is_of_marked() {
            return Some("its type is decorated, so that a framework may call it");
        }
        let is_base = |edge_type| matches!(edge_type, EdgeType::Extends | EdgeType::Implements);
        let is_override = symbol.signature.contains("override ") || symbol.signature.contains("@Override");
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
        if symbol.kind.is_type() && self.has_entry_point(node) {
            return Some("has an entry point, which the runtime calls");
        }
        None
    }
}

/// Names of functions that runtimes call.
const ENTRY_POINTS: [&str; 5] = ["main", "Main", "init", "setup", "teardown"];

/// Names of methods that languages and their libraries call.
const SPECIAL: &[&str] = &[
    "Add",
    "Deconstruct",
    "Dispose",
    "Equals",
    "GetAwaiter",
    "GetEnumerator",
    "GetHashCode",
    "IsExternalInit",
    "MoveNext",
    "ToString",
    "apply",
    "applyDynamic",
    "begin",
    "callAsFunction",
    "coerce",
    "const_missing",
    "deinit",
    "drop",
    "each",
    "end",
    "equals",
    "extended",
    "finalize",
    "hashCode",
    "included",
    "inherited",
    "initialize",
    "initialize_copy",
    "inspect",
    "iterator",
    "makeIterator",
    "marshal_dump",
    "marshal_load",
    "method_added",
    "method_missing",
    "prepended",
    "readObject",
    "readObjectNoData",
    "readResolve",
    "selectDynamic",
    "subscript",
    "then",
    "toJSON",
    "toString",
    "to_ary",
    "to_proc",
    "to_s",
    "to_str",
    "unapply",
    "updateDynamic",
    "valueOf",
    "writeObject",
    "writeReplace",
];

/// Texts in a signature by which a compiler or a framework finds what it declares.
const MARKS: &[&str] = &["#[", "[[", "__attribute__", "__declspec", "extern \"C\"", "native "];

fn is_word(name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '?' | '!');
    name.split('-').all(|part| !part.is_empty() && part.chars().all(is_part))
}

/// Returns whether code of other projects can name a symbol. The members of an interface are as visible as it is.
pub(super) fn is_visible(symbol: &Symbol, owner: Option<&Symbol>) -> bool {
    let outer = owner.filter(|owner| owner.kind.is_type()).map(|owner| (owner.kind, is_visible(owner, None)));
    match outer {
        Some((_, false)) => false,
        Some((SymbolKind::Interface, true)) => true,
        _ => visibility::is_visible(&symbol.file, &symbol.name, &symbol.signature, owner.is_some()),
    }
}
