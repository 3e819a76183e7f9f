//! Glob imports of every scope, and which of them can lead to a name.
//!
//! A module can reexport all names of any number of modules, and each file that looks a name up there would try them
//! one after another. So for a scope with many globs their targets are evaluated once for all files, and a lookup tries
//! only those that lead to a module that binds the name, or to too many modules.
//!
//! A package and its modules often reexport each other. While names of the package are searched it leads nowhere, so
//! such a glob leads only to its own target.

use std::borrow::Cow;
use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::eval::Evaluator;
use super::input::FileIndex;
use super::modules::{ModuleId, Modules};
use super::value::Value;
use super::world::World;
use crate::facts::{ImportName, NameKey, Outline, ScopeId};

/// Maximum number of globs that are tried one after another.
const MAX_FEW: usize = 8;
/// Maximum number of modules that a glob leads to by reexports, in order not to be tried for every name.
const MAX_REACH: usize = 8;

/// File, scope, and whether only reexports are meant.
type ScopeKey = (FileIndex, ScopeId, bool);

/// The glob imports of all files.
#[derive(Default)]
pub struct GlobImports {
    /// Glob imports of each scope, as indices into the outline's imports; and those that reexport, by the module-level
    /// scope that exports their names.
    by_scope: HashMap<ScopeKey, Vec<u32>>,
    /// The parts of each module that reexport globs, in the module's order. A module can have as many parts as there are
    /// files, and most have none.
    reexporting: HashMap<ModuleId, Vec<(FileIndex, ScopeId)>>,
    /// Targets of the globs of scopes with many.
    targets: HashMap<ScopeKey, GlobTargets>,
}

/// The targets of many globs of one scope.
#[derive(Default)]
struct GlobTargets {
    /// The globs that lead to a module.
    by_module: HashMap<ModuleId, Vec<u32>>,
    /// Globs of anything else, which must be tried for every name.
    others: Vec<u32>,
}

/// The glob imports of a scope, in source order.
#[derive(Clone, Copy)]
pub struct Globs<'w> {
    all: &'w [u32],
    targets: Option<&'w GlobTargets>,
}

impl<'w> Globs<'w> {
    /// Returns every glob.
    pub fn all(self) -> &'w [u32] {
        self.all
    }

    /// Returns the globs that can lead to a name, in source order.
    pub fn candidates(self, modules: &Modules, name: NameKey) -> Cow<'w, [u32]> {
        let Some(targets) = self.targets else { return Cow::Borrowed(self.all) };
        let binding = modules.binding_modules(name);
        if binding.len() > self.all.len() {
            return Cow::Borrowed(self.all);
        }
        let mut candidates = targets.others.clone();
        candidates.extend(binding.iter().filter_map(|module| targets.by_module.get(module)).flatten());
        candidates.sort_unstable();
        candidates.dedup();
        Cow::Owned(candidates)
    }
}

impl GlobImports {
    /// Adds the glob imports of a file.
    pub(super) fn add(&mut self, file: FileIndex, outline: &Outline, modules: &Modules) {
        for (number, import) in (0u32..).zip(&outline.imports) {
            if import.name != ImportName::All {
                continue;
            }
            self.by_scope.entry((file, import.scope, false)).or_default().push(number);
            if import.reexport {
                // Names of an exports scope are exported by the file's top-level module.
                let is_module = modules.for_scope(file, import.scope).is_some();
                let scope = if is_module { import.scope } else { ScopeId(0) };
                self.by_scope.entry((file, scope, true)).or_default().push(number);
            }
        }
    }

    /// Finds the modules that reexport, when the imports of all files are added.
    pub(super) fn complete(&mut self, modules: &Modules) {
        if self.by_scope.keys().any(|(.., is_reexport)| *is_reexport) {
            for (module, known) in modules.iter() {
                let reexports = |part: &&(FileIndex, ScopeId)| self.by_scope.contains_key(&(part.0, part.1, true));
                let parts: Vec<(FileIndex, ScopeId)> = known.parts.iter().filter(reexports).copied().collect();
                if !parts.is_empty() {
                    self.reexporting.insert(module, parts);
                }
            }
        }
    }

    /// Returns the parts of a module that reexport globs.
    pub fn reexporting(&self, module: ModuleId) -> &[(FileIndex, ScopeId)] {
        self.reexporting.get(&module).map_or(&[], Vec::as_slice)
    }

    /// Returns the glob imports of a scope: all, or those whose names the scope exports.
    pub fn of_scope(&self, file: FileIndex, scope: ScopeId, reexports: bool) -> Globs<'_> {
        // Asked for each scope around each name, in languages without globs, too.
        if self.by_scope.is_empty() {
            return Globs { all: &[], targets: None };
        }
        let key = (file, scope, reexports);
        Globs { all: self.by_scope.get(&key).map_or(&[], Vec::as_slice), targets: self.targets.get(&key) }
    }

    /// Evaluates the targets of globs where a scope has many. `world` has these globs without targets.
    pub fn evaluate_targets(world: &World<'_>) -> GlobTargetTable {
        let many = world.globs.by_scope.par_iter().filter(|(_, globs)| globs.len() > MAX_FEW);
        let evaluated = many.map(|(&key, globs)| {
            let (file, scope, is_reexport) = key;
            let mut eval = Evaluator::without_extensions(world, file);
            let mut targets = GlobTargets::default();
            // The names of a reexporting scope are searched only on behalf of its module.
            let searched = if is_reexport { world.modules.for_scope(file, scope) } else { None };
            for &number in globs {
                let reached = match eval.import_target(file, number) {
                    Value::Module(module) => reached_modules(world, module, searched),
                    Value::External { .. } => Some(Vec::new()),
                    // A module of the repository that there is not, such as the names in a macro that declares none.
                    Value::Unknown if world.outline(file).imports[number as usize].level > 0 => Some(Vec::new()),
                    _ => None,
                };
                match reached {
                    Some(modules) => {
                        modules
                            .into_iter()
                            .for_each(|module| targets.by_module.entry(module).or_default().push(number));
                    }
                    None => targets.others.push(number),
                }
            }
            (key, targets)
        });
        GlobTargetTable(evaluated.collect())
    }

    /// Adds the evaluated targets.
    pub fn set_targets(&mut self, table: GlobTargetTable) {
        self.targets = table.0;
    }

    /// Returns a hash for each file with a scope of many globs: of the modules that these lead to, in any order. A
    /// lookup does not ask for the names in the paths of the globs that it does not try. So a later run compares the
    /// hashes.
    pub fn target_hashes(&self, world: &World<'_>) -> HashMap<FileIndex, u64> {
        let mut hashes: HashMap<FileIndex, u64> = HashMap::new();
        for ((file, ..), targets) in &self.targets {
            let outline = world.outline(*file);
            let all = targets.by_module.iter().flat_map(|(module, globs)| globs.iter().map(move |glob| (module, glob)));
            for (module, glob) in all {
                let mut hash = Xxh3::new();
                let path = &outline.imports[*glob as usize].path;
                path.iter().for_each(|segment| hash.update(&outline.names.key(*segment).0.to_le_bytes()));
                hash.update(world.modules.get(*module).path.as_bytes());
                let sum = hashes.entry(*file).or_default();
                *sum = sum.wrapping_add(hash.digest());
            }
        }
        hashes
    }
}

/// Returns the modules whose names a module has, itself and those that it reexports, without the one that is being
/// searched. `None` if they are too many, or a glob does not lead to a module.
fn reached_modules(world: &World<'_>, module: ModuleId, searched: Option<ModuleId>) -> Option<Vec<ModuleId>> {
    let mut reached = vec![module];
    let mut next = 0;
    while let Some(&module) = reached.get(next) {
        next += 1;
        for &(file, scope) in world.globs.reexporting(module) {
            let globs = world.globs.of_scope(file, scope, true).all();
            if globs.len() > MAX_REACH {
                return None;
            }
            let mut eval = Evaluator::without_extensions(world, file);
            for &number in globs {
                match eval.import_target(file, number) {
                    Value::Module(target) if Some(target) == searched || reached.contains(&target) => {}
                    Value::Module(target) if reached.len() < MAX_REACH => reached.push(target),
                    Value::External { .. } => {}
                    _ => return None,
                }
            }
        }
    }
    Some(reached)
}

/// Targets by scope, on their way from [`GlobImports::evaluate_targets`] to [`GlobImports::set_targets`].
pub struct GlobTargetTable(HashMap<ScopeKey, GlobTargets>);
