//! Evaluates expressions of one file's facts against the whole [`World`].
//!
//! One evaluator resolves one file, on one thread. It memoizes results, and records the names that it looks up in other
//! files as the file's dependencies for incremental updates. Evaluation always ends: its depth is bounded, and an
//! expression that depends on itself is `Unknown`.

mod memo;
mod bases;
mod calls;
mod declarations;
mod expression;
mod fits;
mod imports;
mod invoked;
mod linked;
mod members;
mod names;
mod overloads;
mod symbols;
mod types;
mod visible;

use std::any::Any;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use memo::Memo;
use overloads::OverloadMemo;
use visible::{Steps, Tail};

pub use members::{Member, plain_name};
pub use names::{AS_TYPE, AT_END, ResolvedBinding};
pub use overloads::MAX_EQUAL;

use super::input::FileIndex;
use super::modules::ModuleId;
use super::rules::{Rules, UseSite};
use super::value::{SymbolRef, Value};
use super::world::World;
use crate::facts::{Atom, Expr, ExprId, NameKey, ScopeId, member_key, name_key};

/// Maximum depth of nested evaluations. Real code stays below 20.
const MAX_DEPTH: u32 = 48;

/// Maximum number of links followed for one query. Real chains have two or three.
const MAX_LINKS: u32 = 64;

/// Maximum number of parts of a memoized value; larger ones become `Unknown`.
const MAX_PARTS: usize = 2_000;

/// A memoized query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Query {
    /// The value of an expression.
    Value(FileIndex, ExprId),
    /// The type of an expression, and whether `Self` stays open in it.
    Type(FileIndex, ExprId, bool),
    /// The value of a definition that is read.
    Read(SymbolRef),
    /// The result of calling a definition, without substitution.
    Result(SymbolRef),
    /// The target of an import.
    Import(FileIndex, u32),
    /// The bases of a type, as a tuple.
    Bases(SymbolRef),
    /// A type without arguments and all its supertypes, as a tuple.
    Ancestors(SymbolRef),
}

impl Query {
    /// Returns the file whose text asks.
    fn file(self) -> FileIndex {
        match self {
            Query::Value(file, _) | Query::Type(file, ..) | Query::Import(file, _) => file,
            Query::Read(symbol) | Query::Result(symbol) | Query::Bases(symbol) | Query::Ancestors(symbol) => {
                symbol.file
            }
        }
    }
}

/// Evaluates expressions for the resolution of one file.
pub struct Evaluator<'w> {
    pub world: &'w World<'w>,
    /// The file that is resolved.
    file: FileIndex,
    /// The file whose text is evaluated.
    origin: FileIndex,
    /// The place whose code names the member that is looked up.
    use_site: UseSite,
    memo: Memo,
    /// Memoized lookups of [`Evaluator::module_binding`].
    module_names: FxHashMap<(ModuleId, NameKey), Option<ResolvedBinding>>,
    /// Definitions that a module's name means in a file where files are linked, by the key of the name and what is around it.
    linked: FxHashMap<(FileIndex, ModuleId, NameKey), Option<ResolvedBinding>>,
    /// Names that the current search has not found yet.
    provisional_misses: Vec<(ModuleId, NameKey)>,
    /// Tails of long runs of bindings, by file, table (module level or not), scope and name.
    tails: FxHashMap<(FileIndex, bool, ScopeId, Atom), Tail>,
    /// Companions of names that many definitions share, by their first binding.
    companions: FxHashMap<(FileIndex, ScopeId, Atom, bool), Option<SymbolRef>>,
    /// Members picked among many of one name.
    picked: FxHashMap<(SymbolRef, bool, Option<bool>), Option<SymbolRef>>,
    overloads: OverloadMemo,
    /// Results of the rules of the language, by name.
    of_rules: FxHashMap<NameKey, Arc<dyn Any + Send + Sync>>,
    /// Number of steps, for tests of how work grows with the repository.
    steps: Steps,
    search_depth: usize,
    depth: u32,
    /// Number of links followed for the current query, and how many of them are active.
    links: (u32, u32),
    use_extensions: bool,
    /// Whether `Self` stays a type parameter, to be substituted by the receiver; set while a declared result is
    /// evaluated.
    self_type_open: bool,
    /// Names that were looked up in other files.
    looked_up: FxHashSet<NameKey>,
    /// Files of the modules that the resolved file imports, once they are needed.
    imported_files: Option<Arc<[FileIndex]>>,
}

impl<'w> Evaluator<'w> {
    /// Returns an evaluator for the resolution of `file`.
    pub fn new(world: &'w World<'w>, file: FileIndex) -> Evaluator<'w> {
        Evaluator {
            world,
            file,
            origin: file,
            use_site: UseSite { file, scope: ScopeId(0) },
            memo: Memo::new(),
            module_names: FxHashMap::default(),
            linked: FxHashMap::default(),
            provisional_misses: Vec::new(),
            tails: FxHashMap::default(),
            companions: FxHashMap::default(),
            picked: FxHashMap::default(),
            overloads: OverloadMemo::default(),
            of_rules: FxHashMap::default(),
            steps: Steps::default(),
            search_depth: 0,
            depth: 0,
            links: (0, 0),
            use_extensions: true,
            self_type_open: false,
            looked_up: FxHashSet::default(),
            imported_files: None,
        }
    }

    /// Returns an evaluator that ignores extension blocks; it evaluates their own headers.
    pub fn without_extensions(world: &'w World<'w>, file: FileIndex) -> Evaluator<'w> {
        Evaluator { use_extensions: false, ..Evaluator::new(world, file) }
    }

    /// Returns the names that were looked up and that the file does not mention, sorted.
    pub fn unmentioned_lookups(&self) -> Vec<NameKey> {
        let mut mentioned: Vec<NameKey> = self.world.outline(self.file).names.iter().map(name_key).collect();
        mentioned.sort_unstable();
        let mut beyond: Vec<NameKey> =
            self.looked_up.iter().copied().filter(|name| mentioned.binary_search(name).is_err()).collect();
        beyond.sort_unstable();
        beyond
    }

    /// Returns the number of steps so far: queries computed; bindings, members, modules and glob imports looked at.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Adds to the number of steps.
    pub fn count(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// Returns what the rules of the language compute for a name, once unless it depends on an active query.
    pub fn memoized<T: Any + Send + Sync>(&mut self, name: NameKey, compute: impl FnOnce(&mut Self) -> T) -> Arc<T> {
        if let Some(known) = self.of_rules.get(&name).and_then(|known| Arc::clone(known).downcast().ok()) {
            return known;
        }
        let (computed, is_kept) = self.keepable(|evaluator| Arc::new(compute(evaluator)));
        if is_kept {
            self.of_rules.insert(name, Arc::clone(&computed) as Arc<dyn Any + Send + Sync>);
        }
        computed
    }

    /// Returns what `compute` returns, and whether it may be kept: what depends on an active query may not.
    fn keepable<T>(&mut self, compute: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let was_cycle_free = self.memo.is_cycle_free();
        let computed = compute(self);
        (computed, was_cycle_free && self.memo.is_cycle_free())
    }

    /// Returns the rules of a file's language.
    pub fn rules(&self, file: FileIndex) -> &'w dyn Rules {
        self.world.rules(file)
    }

    /// Returns the rules of the language that is being resolved.
    pub fn own_rules(&self) -> &'w dyn Rules {
        self.world.rules(self.file)
    }

    /// Returns the module that a site belongs to.
    pub fn module_at(&self, site: UseSite) -> Option<ModuleId> {
        let mut at = Some(site.scope);
        while let Some(scope) = at {
            if let Some(module) = self.world.modules.for_scope(site.file, scope) {
                return Some(module);
            }
            at = self.world.code(site.file).scopes.get(scope.0 as usize)?.parent;
        }
        self.world.modules.for_scope(site.file, ScopeId(0))
    }

    fn expr(&self, file: FileIndex, id: ExprId) -> &'w Expr {
        &self.world.code(file).expressions[id.0 as usize]
    }

    /// Records that a definition is read. Its name counts as looked up, because others of the name can take precedence.
    pub fn consult(&mut self, symbol: SymbolRef) {
        if symbol.file != self.file {
            let outline = self.world.outline(symbol.file);
            self.record_lookup(outline.names.key(self.world.definition(symbol).name));
        }
    }

    /// Records that a name is looked up in other files, found or not. Every lookup by name must be recorded.
    pub fn record_lookup(&mut self, name: NameKey) {
        self.looked_up.insert(name);
    }

    /// Records that a member of any type is looked up by its name alone.
    pub fn record_member_lookup(&mut self, name: NameKey) {
        self.record_lookup(name);
        if self.own_rules().traits().includes_texts {
            self.record_lookup(member_key(name));
        }
    }

    /// Returns whether any type has a member of this name.
    pub fn any_has_member(&mut self, name: NameKey) -> bool {
        self.record_member_lookup(name);
        self.world.has_member(name)
    }

    /// Computes a query once. It is `Unknown` while it is active, and beyond the depth limit.
    fn query(&mut self, query: Query, compute: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(known) = self.memo.get(query) {
            return known;
        }
        if self.depth >= MAX_DEPTH {
            self.memo.mark_truncated();
            return Value::Unknown;
        }
        self.count(1);
        let active = self.memo.push(query);
        let self_type_open = matches!(query, Query::Type(_, _, true));
        let before = (std::mem::replace(&mut self.self_type_open, self_type_open), std::mem::take(&mut self.links));
        let origin = std::mem::replace(&mut self.origin, query.file());
        self.depth += 1;
        let value = compute(self);
        self.depth -= 1;
        (self.self_type_open, self.links, self.origin) = (before.0, before.1, origin);
        let value = if value.exceeds_parts(MAX_PARTS) { Value::Unknown } else { value };
        self.memo.pop(query, active, value.clone());
        value
    }

    /// Follows a link that can form cycles or multiply at each step, such as an element type or a deref target. Returns
    /// the default beyond the limits.
    pub fn follow<T: Default>(&mut self, link: impl FnOnce(&mut Self) -> T) -> T {
        let (followed, under_way) = self.links;
        if followed >= MAX_LINKS || self.depth >= MAX_DEPTH {
            self.memo.mark_truncated();
            return T::default();
        }
        self.links = (followed + 1, under_way + 1);
        self.depth += 1;
        let found = link(self);
        self.depth -= 1;
        self.links = (if under_way == 0 { 0 } else { self.links.0 }, under_way);
        found
    }
}
