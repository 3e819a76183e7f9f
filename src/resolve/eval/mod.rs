//! Evaluates expressions of one file's facts against the whole [`World`].
//!
//! One evaluator serves the resolution of one file, on one thread. It remembers what it evaluated and which other files
//! it read on the way, so that an incremental update knows what depends on what. Evaluation is bounded in depth, and
//! an expression that depends on itself is unknown; both make it total.

mod answers;
mod bases;
mod calls;
mod expression;
mod imports;
mod members;
mod names;
mod symbols;
mod types;

use std::collections::{BTreeSet, HashMap};

use answers::Answers;

pub use members::{Member, plain_name};
pub use names::{AS_TYPE, AT_END, Found};

use super::modules::ModuleId;
use super::rules::{Place, Rules};
use super::value::{SymbolRef, Value};
use super::world::World;
use crate::facts::{Expr, ExprId, NameKey, ScopeId};

/// Deepest chain of evaluations. Real chains stay below 20.
const MAX_DEPTH: u32 = 48;

/// Most links that are followed on the way to one answer. Real chains have two or three.
const MOST_LINKS: u32 = 64;

/// Most parts of a value that is remembered; what is larger is unknown.
const MOST_PARTS: usize = 2_000;

/// What has been asked of the evaluator already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    /// An expression as a value.
    Value(u32, ExprId),
    /// An expression as a type; whether `Self` is left open in it.
    Type(u32, ExprId, bool),
    /// What a definition gives when read.
    Read(SymbolRef),
    /// What a definition gives when called, nothing bound.
    Result(SymbolRef),
    /// What an import names.
    Import(u32, u32),
    /// The bases of a type, as a tuple.
    Bases(SymbolRef),
}

/// Evaluates on behalf of one file.
pub struct Evaluator<'w> {
    pub world: &'w World<'w>,
    /// The file whose resolution this is.
    file: u32,
    answers: Answers,
    /// Names looked for in modules; see [`Evaluator::module_binding`].
    searched: HashMap<(ModuleId, NameKey), Option<Found>>,
    /// Names not found so far in the search that is under way.
    missed: Vec<(ModuleId, NameKey)>,
    searches: usize,
    depth: u32,
    /// Links followed for the question that is being answered, and how many of them are under way.
    links: (u32, u32),
    use_extensions: bool,
    /// While a declared result is evaluated: `Self` is left open, for the receiver to fill.
    receiver_stands_open: bool,
    consulted: BTreeSet<(u32, u32)>,
    visited: BTreeSet<u32>,
}

impl<'w> Evaluator<'w> {
    /// An evaluator for resolving `file`.
    pub fn new(world: &'w World<'w>, file: u32) -> Evaluator<'w> {
        Evaluator {
            world,
            file,
            answers: Answers::new(),
            searched: HashMap::new(),
            missed: Vec::new(),
            searches: 0,
            depth: 0,
            links: (0, 0),
            use_extensions: true,
            receiver_stands_open: false,
            consulted: BTreeSet::new(),
            visited: BTreeSet::new(),
        }
    }

    /// An evaluator that does not look at extension blocks, for evaluating their own headers.
    pub fn without_extensions(world: &'w World<'w>, file: u32) -> Evaluator<'w> {
        Evaluator { use_extensions: false, ..Evaluator::new(world, file) }
    }

    /// Definitions of other files that were read, and other files in which something was evaluated.
    pub fn dependencies(&self) -> (Vec<(u32, u32)>, Vec<u32>) {
        (self.consulted.iter().copied().collect(), self.visited.iter().copied().collect())
    }

    /// The rules of a file's language.
    pub fn rules(&self, file: u32) -> &'w dyn Rules {
        self.world.rules(file)
    }

    /// The rules of the language that is being resolved.
    pub fn own_rules(&self) -> &'w dyn Rules {
        self.world.rules(self.file)
    }

    /// The module that a place belongs to.
    pub fn module_at(&self, place: Place) -> Option<ModuleId> {
        let mut at = Some(place.scope);
        while let Some(scope) = at {
            if let Some(module) = self.world.modules.of_scope(place.file, scope) {
                return Some(module);
            }
            at = self.world.code(place.file).scopes.get(scope.0 as usize)?.parent;
        }
        self.world.modules.of_scope(place.file, ScopeId(0))
    }

    fn expr(&self, file: u32, id: ExprId) -> &'w Expr {
        &self.world.code(file).expressions[id.0 as usize]
    }

    fn consult(&mut self, symbol: SymbolRef) {
        if symbol.file != self.file {
            self.consulted.insert((symbol.file, symbol.definition));
        }
    }

    fn visit(&mut self, file: u32) {
        if file != self.file {
            self.visited.insert(file);
        }
    }

    /// Answers a question once. While it is being answered, and beyond the depth limit, it is unknown.
    fn answer(&mut self, question: Question, compute: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(known) = self.answers.known(question) {
            return known;
        }
        if self.depth >= MAX_DEPTH {
            self.answers.cut_short();
            return Value::Unknown;
        }
        let opened = self.answers.open(question);
        let stands_open = matches!(question, Question::Type(_, _, true));
        let before = (std::mem::replace(&mut self.receiver_stands_open, stands_open), std::mem::take(&mut self.links));
        self.depth += 1;
        let value = compute(self);
        self.depth -= 1;
        (self.receiver_stands_open, self.links) = before;
        let value = if value.has_more_parts_than(MOST_PARTS) { Value::Unknown } else { value };
        self.answers.close(question, opened, value.clone());
        value
    }

    /// Follows a link that code can close to a circle, or multiply at each step (what iterating over a type gives, what
    /// it dereferences to); nothing beyond the limits.
    pub fn follow<T: Default>(&mut self, link: impl FnOnce(&mut Self) -> T) -> T {
        let (followed, under_way) = self.links;
        if followed >= MOST_LINKS || self.depth >= MAX_DEPTH {
            self.answers.cut_short();
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
