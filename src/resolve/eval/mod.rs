//! Evaluates expressions of one file's facts against the whole [`World`].
//!
//! One evaluator serves the resolution of one file, on one thread. It remembers what it evaluated and which other files
//! it read on the way, so that an incremental update knows what depends on what. Evaluation is bounded in depth, and
//! an expression that depends on itself is unknown; both make it total.

mod calls;
mod expression;
mod imports;
mod members;
mod names;
mod symbols;
mod types;

use std::collections::{BTreeSet, HashMap};

pub use members::{Member, plain_name};
pub use names::{AS_TYPE, AT_END, Found};

use super::modules::ModuleId;
use super::rules::{Place, Rules};
use super::value::{SymbolRef, Value};
use super::world::World;
use crate::facts::{Expr, ExprId, ScopeId};

/// Deepest chain of evaluations. Real chains stay below 20.
const MAX_DEPTH: u32 = 48;

/// Most parts of a value that is remembered; what is larger is unknown.
const MOST_PARTS: usize = 2_000;

/// What has been asked of the evaluator already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    /// An expression as a value.
    Value(u32, ExprId),
    /// An expression as a type.
    Type(u32, ExprId),
    /// What a definition gives when read.
    Read(SymbolRef),
    /// What a definition gives when called, nothing bound.
    Result(SymbolRef),
    /// What an import names.
    Import(u32, u32),
}

/// Evaluates on behalf of one file.
pub struct Evaluator<'w> {
    pub world: &'w World<'w>,
    /// The file whose resolution this is.
    file: u32,
    answers: HashMap<Question, Value>,
    bases: HashMap<SymbolRef, Vec<Value>>,
    modules_on_the_way: Vec<(ModuleId, u64)>,
    depth: u32,
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
            answers: HashMap::new(),
            bases: HashMap::new(),
            modules_on_the_way: Vec::new(),
            depth: 0,
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
        if let Some(known) = self.answers.get(&question) {
            return known.clone();
        }
        if self.depth >= MAX_DEPTH {
            return Value::Unknown;
        }
        self.answers.insert(question, Value::Unknown);
        self.depth += 1;
        let value = compute(self);
        self.depth -= 1;
        let value = if value.has_more_parts_than(MOST_PARTS) { Value::Unknown } else { value };
        self.answers.insert(question, value.clone());
        value
    }
}
