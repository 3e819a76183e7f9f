//! Fingerprints of everything in a file that the resolution of other files can read. If none differs, no other file is
//! affected by an edit.
//!
//! # Why
//!
//! An index that is updated incrementally must equal one built from scratch. A definition's fingerprint covers its
//! name, kind, signature, scope, flags and all expressions reachable from it, with the local bindings of their names; it
//! does not cover spans, docs and bodies. It is conservative: local names are bound in the whole file, whatever their scope.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::Xxh3;

use super::definition::only_methods;
use super::reach::{Graph, reachable_hashes};
use super::uses::Uses;
use super::{
    Atom, Binding, BindingKind, Code, Container, DefId, Definition, Expr, ExprId, Extension, ImportName, NameKey,
    Outline, ScopeId, ScopeKind, TypeParameter,
};

/// The part of a file that other files can depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interface {
    /// Fingerprint of each definition, in order.
    pub definitions: Vec<u64>,
    /// Name and hash of each module-level binding, sorted. Glob imports have the empty name.
    pub bindings: Vec<(NameKey, u64)>,
    /// Hash of the headers of the file's extension blocks, and of what else affects all files of its language.
    pub headers: u64,
}

impl Interface {
    /// Computes the interface of a file.
    pub fn from_facts(outline: &Outline, code: &Code) -> Interface {
        let hasher = FileHasher::new(outline, code);
        let definitions = DefId::sequence().take(outline.definitions.len()).map(|id| hasher.definition(id)).collect();
        // The order of several bindings of a name is significant, so each is hashed with its rank.
        let mut ranks: HashMap<NameKey, u32> = HashMap::new();
        let mut ranked = |name: NameKey, hash: u64| {
            let rank = ranks.entry(name).or_default();
            *rank += 1;
            (name, xxhash_rust::xxh3::xxh3_64_with_seed(&hash.to_le_bytes(), u64::from(*rank)))
        };
        let named = outline.bindings.iter();
        let mut bindings: Vec<(NameKey, u64)> =
            named.map(|binding| ranked(outline.names.key(binding.name), hasher.binding(binding))).collect();
        for import in outline.imports.iter().filter(|import| import.name == ImportName::All) {
            let mut hash = Xxh3::new();
            hasher.hash_scope(import.scope, &mut hash);
            hasher.import(import, &mut hash);
            bindings.push(ranked(super::name_key(""), hash.digest()));
        }
        // An import that binds no name brings what it imports (`pub use Trait as _`).
        let binding = outline.bindings.iter().chain(&code.bindings).filter_map(|binding| match binding.kind {
            BindingKind::Import(import) => Some(import.0),
            _ => None,
        });
        let binding: HashSet<u32> = binding.collect();
        for (number, import) in (0_u32..).zip(&outline.imports) {
            if let ImportName::Named(name) = import.name
                && !binding.contains(&number)
            {
                let mut hash = Xxh3::new();
                hasher.hash_scope(import.scope, &mut hash);
                hasher.import(import, &mut hash);
                bindings.push(ranked(outline.names.key(name), hash.digest()));
            }
        }
        bindings.sort_unstable();
        let mut headers = Xxh3::new();
        hasher.text(outline.package, &mut headers);
        headers.update(&[u8::from(outline.is_build_excluded)]);
        for extension in &outline.extensions {
            headers.update(&hasher.extension(extension).to_le_bytes());
        }
        // Glob imports can add any name to any file.
        for (_, hash) in bindings.iter().filter(|(name, _)| *name == super::name_key("")) {
            headers.update(&hash.to_le_bytes());
        }
        Interface { definitions, bindings, headers: headers.digest() }
    }
}

struct FileHasher<'a> {
    outline: &'a Outline,
    code: &'a Code,
    /// Structural hash of every expression.
    expressions: Vec<u64>,
    /// Hash of everything reachable from each expression: its subexpressions, and the file's bindings of their names.
    reached: Vec<u64>,
    uses: Uses<'a>,
    /// Number of definitions with the same qualified name before each definition.
    ranks: Vec<u32>,
    only_methods: HashMap<DefId, Option<Atom>>,
    objects: HashMap<DefId, bool>,
}

impl<'a> FileHasher<'a> {
    fn new(outline: &'a Outline, code: &'a Code) -> FileHasher<'a> {
        // Children come before their parents, except that a lambda's parameter refers to the call around it. A second
        // round covers those.
        let mut expressions = vec![0; code.expressions.len()];
        for _round in 0..2 {
            for index in 0..code.expressions.len() {
                expressions[index] = expression_hash(&code.expressions[index], outline, &expressions);
            }
        }
        let mut counts: HashMap<(&[Atom], Atom), u32> = HashMap::new();
        let ranks = outline.definitions.iter().map(|definition| {
            let count = counts.entry((&definition.scope_names, definition.name)).or_default();
            *count += 1;
            *count - 1
        });
        let (ranks, uses) = (ranks.collect(), Uses::new(outline, code));
        let (only_methods, reached) = (only_methods(&outline.definitions), Vec::new());
        let objects = super::objects(&outline.definitions);
        let mut hasher = FileHasher { outline, code, expressions, reached, uses, ranks, only_methods, objects };
        hasher.reached = reachable_hashes(&hasher.graph());
        hasher
    }

    /// Returns the graph of expressions and names. An expression leads to its subexpressions and its name; a name leads
    /// to the expressions of its bindings in any scope.
    fn graph(&self) -> Graph {
        let mut bound: Vec<Vec<&Binding>> = vec![Vec::new(); self.outline.names.len()];
        for binding in self.outline.bindings.iter().chain(&self.code.bindings) {
            bound[binding.name.0 as usize].push(binding);
        }
        let count = self.code.expressions.len() as u32;
        let mut graph = Graph::default();
        for (expr, own) in self.code.expressions.iter().zip(&self.expressions) {
            let mut inside = Vec::new();
            if let Expr::Name(name) = expr {
                inside.push(count + name.0);
            }
            expr.for_each_child(&mut |child| inside.push(child.0));
            graph.node(*own, inside.into_iter());
        }
        for bindings in bound {
            let mut own = Xxh3::new();
            bindings.iter().for_each(|binding| self.shallow_binding(binding, &mut own));
            graph.node(
                own.digest(),
                bindings.iter().flat_map(|binding| binding_expressions(binding)).map(|expr| expr.0),
            );
        }
        graph
    }

    fn text(&self, atom: Option<Atom>, hash: &mut Xxh3) {
        let key = atom.map_or(0, |atom| self.outline.names.key(atom).0);
        hash.update(&key.to_le_bytes());
    }

    fn definition(&self, id: DefId) -> u64 {
        let definition = &self.outline.definitions[id.index()];
        let mut hash = Xxh3::new();
        self.hash_ordinals(id, &mut hash);
        self.text(Some(definition.name), &mut hash);
        hash.update(&[definition.kind as u8]);
        // By it a pointer is told from a value, and a function of another platform from a different one.
        hash.update(&xxhash_rust::xxh3::xxh3_64(definition.signature.as_bytes()).to_le_bytes());
        hash.update(&definition.flags.bits().to_le_bytes());
        definition.scope_names.iter().for_each(|&name| self.text(Some(name), &mut hash));
        self.container(definition, &mut hash);
        hash.update(&[u8::from(definition.value_scope.is_some())]);
        self.uses(definition, &mut hash);
        self.type_parameters(&definition.type_parameters, &mut hash);
        for parameter in &definition.parameters {
            self.text(Some(parameter.name), &mut hash);
            self.expr(parameter.value_type, 1, &mut hash);
            self.text(parameter.label, &mut hash);
            hash.update(&[parameter.arguments as u8]);
        }
        self.expr(definition.result, 2, &mut hash);
        definition.returns.iter().for_each(|&value| self.expr(Some(value), 3, &mut hash));
        self.expr(definition.value_type, 4, &mut hash);
        self.expr(definition.value, 5, &mut hash);
        for base in &definition.bases {
            self.expr(Some(base.expr), 6 + base.relation as u8, &mut hash);
        }
        // An interface with one method is a function type in some languages, whatever the method is called.
        if let Some(only) = self.only_methods.get(&id) {
            self.text(*only, &mut hash);
        }
        // A variable or function with members has a type of its own.
        if let Some(has_instances) = self.objects.get(&id) {
            hash.update(&[20 + u8::from(*has_instances)]);
        }
        hash.digest()
    }

    /// Hashes the ordinals of a definition and of those around it among the definitions of the same name, and the
    /// number of overload signatures directly before it.
    fn hash_ordinals(&self, id: DefId, hash: &mut Xxh3) {
        let own = &self.outline.definitions[id.index()];
        let mut around = Some(id);
        while let Some(definition) = around.and_then(|id| self.outline.definitions.get(id.index())) {
            let rank = around.and_then(|id| self.ranks.get(id.index())).copied().unwrap_or(0);
            hash.update(&rank.to_le_bytes());
            around = definition.parent.filter(|parent| Some(*parent) < around);
        }
        let before = self.outline.definitions[..id.index()].iter().rev();
        let is_overload =
            |other: &&Definition| other.flags.is_abstract && other.name == own.name && other.container == own.container;
        let overloads = before.take_while(is_overload).count() as u32;
        hash.update(&overloads.to_le_bytes());
    }

    /// Hashes what the names in a definition's expressions can mean.
    fn uses(&self, definition: &Definition, hash: &mut Xxh3) {
        let (scope, at) = (definition.scope, definition.span.end_byte);
        let types = definition.parameters.iter().map(|parameter| parameter.value_type);
        let types = types.chain([definition.result, definition.value_type]).flatten();
        let bounds = definition.type_parameters.iter().flat_map(|parameter| parameter.bounds.iter().copied());
        let bases = definition.bases.iter().map(|base| base.expr);
        let own = types.chain(definition.returns.iter().copied()).chain(bases).chain(bounds);
        let value = definition.value.map(|value| (value, definition.value_scope.unwrap_or(scope)));
        for (expr, scope) in own.map(|expr| (expr, scope)).chain(value) {
            self.uses.hash(expr, scope, at, &self.expressions, hash);
        }
    }

    fn container(&self, definition: &Definition, hash: &mut Xxh3) {
        match definition.container {
            Container::Module => hash.update(&[0]),
            Container::Definition(_) => hash.update(&[1]),
            Container::Extension(extension) => {
                hash.update(&[2]);
                if let Some(extension) = self.outline.extensions.get(extension.0 as usize) {
                    hash.update(&self.extension(extension).to_le_bytes());
                }
            }
        }
        hash.update(&[u8::from(definition.parent.is_some())]);
    }

    fn extension(&self, extension: &Extension) -> u64 {
        let mut hash = Xxh3::new();
        self.expr(Some(extension.target), 1, &mut hash);
        self.text(Some(extension.target_name), &mut hash);
        self.expr(extension.implements, 2, &mut hash);
        self.type_parameters(&extension.type_parameters, &mut hash);
        self.hash_scope(extension.scope, &mut hash);
        let bounds = extension.type_parameters.iter().flat_map(|parameter| parameter.bounds.iter().copied());
        for expr in bounds.chain([extension.target]).chain(extension.implements) {
            self.uses.hash(expr, extension.scope, u32::MAX, &self.expressions, &mut hash);
        }
        hash.digest()
    }

    fn type_parameters(&self, parameters: &[TypeParameter], hash: &mut Xxh3) {
        for parameter in parameters {
            self.text(Some(parameter.name), hash);
            parameter.bounds.iter().for_each(|&bound| self.expr(Some(bound), 9, hash));
        }
    }

    fn binding(&self, binding: &Binding) -> u64 {
        let mut hash = Xxh3::new();
        self.shallow_binding(binding, &mut hash);
        hash.digest()
    }

    /// Hashes a binding's scope, kind and expressions.
    fn shallow_binding(&self, binding: &Binding, hash: &mut Xxh3) {
        self.hash_scope(binding.scope, hash);
        for expr in binding_expressions(binding) {
            self.uses.hash(expr, binding.scope, binding.position, &self.expressions, hash);
        }
        match binding.kind {
            BindingKind::Definition(definition) => {
                hash.update(&[1]);
                if let Some(definition) = self.outline.definitions.get(definition.index()) {
                    hash.update(&[definition.kind as u8]);
                    definition.scope_names.iter().for_each(|&name| self.text(Some(name), hash));
                    self.text(Some(definition.name), hash);
                }
            }
            BindingKind::Import(import) => {
                hash.update(&[2]);
                if let Some(import) = self.outline.imports.get(import.0 as usize) {
                    self.import(import, hash);
                }
            }
            BindingKind::Local { value_type, value } => {
                self.expr(value_type, 3, hash);
                self.expr(value, 4, hash);
            }
            BindingKind::Parameter { value_type, value } => {
                self.expr(value_type, 5, hash);
                self.expr(value, 6, hash);
            }
            BindingKind::Alias(expr) => self.expr(Some(expr), 7, hash),
            BindingKind::TypeParameter(_, index) => hash.update(&[8, index as u8]),
            BindingKind::ExtensionParameter(_, index) => hash.update(&[9, index as u8]),
        }
    }

    fn import(&self, import: &super::Import, hash: &mut Xxh3) {
        hash.update(&[import.level, u8::from(import.reexport)]);
        import.path.iter().for_each(|&part| self.text(Some(part), hash));
        match import.name {
            ImportName::Module => hash.update(&[0]),
            ImportName::Named(name) => self.text(Some(name), hash),
            ImportName::All => hash.update(&[1]),
            ImportName::Default => hash.update(&[2]),
        }
    }

    /// Hashes the kinds of a scope and of the modules around it.
    fn hash_scope(&self, scope: ScopeId, hash: &mut Xxh3) {
        let mut next = Some(scope);
        while let Some(scope) = next.and_then(|scope| self.code.scopes.get(scope.0 as usize)) {
            if next == Some(ScopeId(0)) || scope.module_name.is_some() || matches!(scope.kind, ScopeKind::Exports) {
                hash.update(&[scope.kind as u8]);
                self.text(scope.module_name, hash);
            }
            next = scope.parent;
        }
    }

    /// Hashes an expression and everything reachable from it.
    fn expr(&self, expr: Option<ExprId>, tag: u8, hash: &mut Xxh3) {
        hash.update(&[tag, u8::from(expr.is_some())]);
        for hashes in [&self.expressions, &self.reached] {
            let value = expr.and_then(|expr| hashes.get(expr.0 as usize)).copied();
            hash.update(&value.unwrap_or(0).to_le_bytes());
        }
    }
}

/// Returns the expressions of a binding.
pub(super) fn binding_expressions(binding: &Binding) -> impl Iterator<Item = ExprId> + use<> {
    let [one, other] = match binding.kind {
        BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => [value_type, value],
        BindingKind::Alias(expr) => [Some(expr), None],
        _ => [None, None],
    };
    one.into_iter().chain(other)
}

fn expression_hash(expr: &Expr, outline: &Outline, child_hashes: &[u64]) -> u64 {
    let mut hash = Xxh3::new();
    let names = &outline.names;
    let hash_of = |id: &ExprId| child_hashes.get(id.0 as usize).copied().unwrap_or(0).to_le_bytes();
    let (tag, name, number): (u8, Option<Atom>, u32) = match expr {
        Expr::Unknown => (0, None, 0),
        Expr::Name(name) => (1, Some(*name), 0),
        Expr::Member { name, .. } => (2, Some(*name), 0),
        Expr::Call { args, .. } => (3, None, args.len() as u32),
        Expr::Instance(_) => (4, None, 0),
        Expr::Apply { args, .. } => (5, None, args.len() as u32),
        Expr::Index(_) => (6, None, 0),
        Expr::Element(_) => (7, None, 0),
        Expr::Item(_, item) => (8, None, u32::from(*item)),
        Expr::Unwrap(_) => (9, None, 0),
        Expr::Receiver => (10, None, 0),
        Expr::ReceiverType => (11, None, 0),
        Expr::Parent => (12, None, 0),
        Expr::Union(parts) => (13, None, parts.len() as u32),
        Expr::Tuple(parts) => (14, None, parts.len() as u32),
        Expr::Function { result, .. } => (15, None, u32::from(result.is_some())),
        Expr::LambdaParameter { argument, parameter, .. } => {
            (16, None, u32::from(*argument) << 16 | u32::from(*parameter))
        }
        Expr::Builtin { name, .. } => (17, Some(*name), 0),
        Expr::Object(_) => (18, None, 0),
        Expr::Root(name) => (19, Some(*name), 0),
        Expr::Definition(id) => match outline.definitions.get(id.index()) {
            Some(definition) => {
                definition.scope_names.iter().for_each(|&part| hash.update(&names.key(part).0.to_le_bytes()));
                (20, Some(definition.name), definition.kind as u32)
            }
            None => (20, None, 0),
        },
        Expr::TypeOf(_) => (21, None, 0),
        Expr::ArgumentOf { argument, .. } => (22, None, u32::from(*argument)),
        Expr::ParameterOf { parameter, .. } => (23, None, u32::from(*parameter)),
        Expr::ParentOf(_) => (24, None, 0),
        Expr::FirstOf(parts) => (26, None, parts.len() as u32),
        Expr::Labeled { label, .. } => (25, Some(*label), 0),
    };
    hash.update(&[tag]);
    hash.update(&name.map_or(0, |name| names.key(name).0).to_le_bytes());
    hash.update(&number.to_le_bytes());
    if let Expr::Object(members) = expr {
        members.iter().for_each(|(name, _)| hash.update(&names.key(*name).0.to_le_bytes()));
    }
    expr.for_each_child(&mut |child| hash.update(&hash_of(&child)));
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(path: &str, text: &str) -> Interface {
        let language = crate::lang::language_of(path).expect("a language");
        let facts = crate::lang::parser::parse(language, path, text.as_bytes()).expect("parses");
        Interface::from_facts(&facts.outline, &facts.code)
    }

    #[test]
    fn binding_order_and_import_scope_are_hashed() {
        let (one, other) = ("from a import f\nfrom b import f\n", "from b import f\nfrom a import f\n");
        assert_ne!(interface("m.py", one).bindings, interface("m.py", other).bindings);
        let (one, other) = ("from a import *\nfrom b import *\n", "from b import *\nfrom a import *\n");
        assert_ne!(interface("m.py", one).headers, interface("m.py", other).headers);
        let here = interface("lib.rs", "mod m1 { pub use a::*; } mod m2 { }");
        assert_ne!(here.headers, interface("lib.rs", "mod m1 { } mod m2 { pub use a::*; }").headers);
        let here = interface("lib.rs", "mod a { mod x { use c::f; } } mod b { mod x { } }");
        assert_ne!(here.bindings, interface("lib.rs", "mod a { mod x { } } mod b { mod x { use c::f; } }").bindings);
    }

    #[test]
    fn definition_hash_covers_result_dependencies() {
        let text = "def f():\n    x = g()\n    return x\ndef h():\n    y = 1\n    return y\n";
        let before = interface("m.py", text);
        let same = |text: &str| {
            let now = interface("m.py", text);
            before.definitions.iter().zip(&now.definitions).map(|(one, other)| one == other).collect::<Vec<_>>()
        };
        assert_eq!(same(&text.replace("g()", "k()")), [false, true]);
        assert_eq!(same(&text.replace("y = 1", "z = 2; y = 1")), [true, true]);
    }
}
