//! Hashes of the types that extension blocks extend, and of the modules that the globs of scopes with many lead to. By
//! them a later run detects that a block extends another type, or that a glob leads elsewhere, although its own file is
//! unchanged: a name in it has another meaning.

use xxhash_rust::xxh3::Xxh3;

use super::file_set::FileSet;
use super::lazy_facts::LazyFacts;
use crate::model::FileIndex;
use crate::resolve::value::{ParameterRef, SymbolRef, Value};
use crate::resolve::world::World;

/// Returns the hash of the targets of each file's blocks and globs, by the index in the set; 0 for files without one.
pub(super) fn hashes(world: &World<'_>, (file_set, facts): (&FileSet, &LazyFacts<'_>)) -> Vec<u64> {
    let targets = Targets { world, file_set, facts };
    let globs = world.globs.target_hashes(world);
    let hash_of = |file: FileIndex| {
        let blocks = if world.extension_count(file) == 0 { 0 } else { targets.hash_of(file) };
        blocks.wrapping_add(globs.get(&file).copied().unwrap_or(0))
    };
    FileIndex::sequence().take(file_set.entries.len()).map(hash_of).collect()
}

struct Targets<'a> {
    world: &'a World<'a>,
    file_set: &'a FileSet,
    facts: &'a LazyFacts<'a>,
}

impl Targets<'_> {
    fn hash_of(&self, file: FileIndex) -> u64 {
        let mut hash = Xxh3::new();
        for block in 0..self.world.extension_count(file) {
            let target = self.world.extensions().targets.get(&(file, block));
            self.value(target.unwrap_or(&Value::Unknown), &mut hash);
        }
        hash.digest()
    }

    fn value(&self, value: &Value, hash: &mut Xxh3) {
        let tag: u8 = match value {
            Value::Unknown => 0,
            Value::Module(module) => {
                hash.update(self.world.modules.get(*module).path.as_bytes());
                1
            }
            Value::Symbol { symbol, bound } => {
                self.symbol(*symbol, hash);
                for (parameter, value) in bound.iter() {
                    self.parameter(*parameter, hash);
                    self.value(value, hash);
                }
                2
            }
            Value::Instance { symbol, args } => {
                self.symbol(*symbol, hash);
                self.values(args, hash);
                3
            }
            Value::External { name, args } | Value::ExternalInstance { name, args } => {
                hash.update(name.as_bytes());
                self.values(args, hash);
                4 + u8::from(matches!(value, Value::External { .. }))
            }
            Value::ExternalMethod { receiver, name } => {
                self.value(receiver, hash);
                hash.update(name.as_bytes());
                6
            }
            Value::Function { params, result } => {
                self.values(params, hash);
                self.value(result, hash);
                7
            }
            Value::Tuple(parts) | Value::Union(parts) => {
                self.values(parts, hash);
                8 + u8::from(matches!(value, Value::Union(_)))
            }
            Value::Parameter(parameter) => {
                self.parameter(*parameter, hash);
                10
            }
            Value::Parent { symbol } => {
                self.symbol(*symbol, hash);
                11
            }
            Value::Object(members) => {
                for (name, value) in members.iter() {
                    hash.update(&name.0.to_le_bytes());
                    self.value(value, hash);
                }
                12
            }
        };
        hash.update(&[tag]);
    }

    fn values(&self, values: &[Value], hash: &mut Xxh3) {
        values.iter().for_each(|value| self.value(value, hash));
        hash.update(&(values.len() as u32).to_le_bytes());
    }

    /// Hashes a definition by its node, which is the same in later runs.
    fn symbol(&self, symbol: SymbolRef, hash: &mut Xxh3) {
        let node = self.facts.node(symbol.file, symbol.definition.index() + 1);
        hash.update(&node.get().to_le_bytes());
    }

    fn parameter(&self, parameter: ParameterRef, hash: &mut Xxh3) {
        let path = self.file_set.entries.get(parameter.file.index()).map_or("", |entry| &entry.row.path);
        hash.update(path.as_bytes());
        hash.update(&[u8::from(parameter.extension)]);
        hash.update(&parameter.owner.to_le_bytes());
        hash.update(&parameter.index.to_le_bytes());
    }
}
