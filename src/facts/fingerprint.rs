//! What other files' resolution could read from a file, as hashes: when none differs, no other file is affected.
//!
//! # Why
//!
//! An index is updated edit by edit and must equal one built from nothing. A definition's fingerprint covers its name,
//! kind, place, flags and every expression that can be reached from it, with the local bindings those use; not spans,
//! docs or bodies. It errs on the side of "changed": local names are taken from the whole file, whatever their scope.

use std::collections::{BTreeSet, HashMap};

use xxhash_rust::xxh3::Xxh3;

use super::{
    Atom, Binding, BindingKind, Code, Container, Definition, Expr, ExprId, Extension, ImportName, NameKey, Outline,
    TypeParameter,
};

/// Everything of a file that others can depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interface {
    /// One for each definition, in order.
    pub definitions: Vec<u64>,
    /// Each module-level binding's name and hash, sorted. An import without a name stands under the empty name.
    pub bindings: Vec<(NameKey, u64)>,
    /// The heads of the file's extension blocks, and what else concerns every file of its language.
    pub headers: u64,
}

impl Interface {
    /// The interface of a file.
    pub fn of(outline: &Outline, code: &Code) -> Interface {
        let hasher = FileHasher::new(outline, code);
        let definitions = outline.definitions.iter().map(|definition| hasher.definition(definition)).collect();
        let mut bindings: Vec<(NameKey, u64)> =
            outline.bindings.iter().map(|binding| (outline.names.key(binding.name), hasher.binding(binding))).collect();
        for import in outline.imports.iter().filter(|import| import.name == ImportName::All) {
            let mut hash = Xxh3::new();
            hasher.import(import, &mut hash);
            bindings.push((super::name_key(""), hash.digest()));
        }
        bindings.sort_unstable();
        let mut headers = Xxh3::new();
        hasher.text(outline.package, &mut headers);
        headers.update(&[u8::from(outline.is_left_out)]);
        for extension in &outline.extensions {
            headers.update(&hasher.extension(extension).to_le_bytes());
        }
        // Import-all statements can hand any name on to any file.
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
    /// Bindings of each name, in any scope of the file.
    bound: HashMap<Atom, Vec<&'a Binding>>,
}

impl<'a> FileHasher<'a> {
    fn new(outline: &'a Outline, code: &'a Code) -> FileHasher<'a> {
        let mut bound: HashMap<Atom, Vec<&Binding>> = HashMap::new();
        for binding in outline.bindings.iter().chain(&code.bindings) {
            bound.entry(binding.name).or_default().push(binding);
        }
        // Children come before their parents, except that a lambda's parameter names the call around it: the second
        // round sees what the first one made of that.
        let mut expressions = vec![0; code.expressions.len()];
        for _round in 0..2 {
            for index in 0..code.expressions.len() {
                expressions[index] = expression_hash(&code.expressions[index], outline, &expressions);
            }
        }
        FileHasher { outline, code, expressions, bound }
    }

    fn text(&self, atom: Option<Atom>, hash: &mut Xxh3) {
        let key = atom.map_or(0, |atom| self.outline.names.key(atom).0);
        hash.update(&key.to_le_bytes());
    }

    fn definition(&self, definition: &Definition) -> u64 {
        let mut hash = Xxh3::new();
        let mut roots = Roots::default();
        self.text(Some(definition.name), &mut hash);
        hash.update(&[definition.kind as u8]);
        hash.update(&postcard::to_allocvec(&definition.flags).unwrap_or_default());
        definition.scope_names.iter().for_each(|&name| self.text(Some(name), &mut hash));
        self.container(definition, &mut hash);
        self.type_parameters(&definition.type_parameters, &mut hash, &mut roots);
        for parameter in &definition.parameters {
            self.text(Some(parameter.name), &mut hash);
            roots.add(parameter.value_type, 1, &mut hash);
        }
        roots.add(definition.result, 2, &mut hash);
        definition.returns.iter().for_each(|&value| roots.add(Some(value), 3, &mut hash));
        roots.add(definition.value_type, 4, &mut hash);
        roots.add(definition.value, 5, &mut hash);
        for base in &definition.bases {
            roots.add(Some(base.expr), 6 + base.relation as u8, &mut hash);
        }
        self.reachable(roots, &mut hash);
        hash.digest()
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
        let mut roots = Roots::default();
        roots.add(Some(extension.target), 1, &mut hash);
        self.text(Some(extension.target_name), &mut hash);
        roots.add(extension.implements, 2, &mut hash);
        self.type_parameters(&extension.type_parameters, &mut hash, &mut roots);
        self.reachable(roots, &mut hash);
        hash.digest()
    }

    fn type_parameters(&self, parameters: &[TypeParameter], hash: &mut Xxh3, roots: &mut Roots) {
        for parameter in parameters {
            self.text(Some(parameter.name), hash);
            parameter.bounds.iter().for_each(|&bound| roots.add(Some(bound), 9, hash));
        }
    }

    fn binding(&self, binding: &Binding) -> u64 {
        let mut hash = Xxh3::new();
        let mut roots = Roots::default();
        self.shallow_binding(binding, &mut hash, &mut roots);
        self.reachable(roots, &mut hash);
        hash.digest()
    }

    /// A binding's own kind, its expressions left to `roots`.
    fn shallow_binding(&self, binding: &Binding, hash: &mut Xxh3, roots: &mut Roots) {
        let scope = self.code.scopes.get(binding.scope.0 as usize);
        hash.update(&[scope.map_or(0, |scope| scope.kind as u8)]);
        self.text(scope.and_then(|scope| scope.module_name), hash);
        match binding.kind {
            BindingKind::Definition(definition) => {
                hash.update(&[1]);
                if let Some(definition) = self.outline.definitions.get(definition.0 as usize) {
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
                roots.add(value_type, 3, hash);
                roots.add(value, 4, hash);
            }
            BindingKind::Parameter { value_type, value } => {
                roots.add(value_type, 5, hash);
                roots.add(value, 6, hash);
            }
            BindingKind::Alias(expr) => roots.add(Some(expr), 7, hash),
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

    /// Adds the expressions under `roots`, and whatever the file binds to the names in them.
    fn reachable(&self, mut roots: Roots, hash: &mut Xxh3) {
        let mut seen: BTreeSet<Atom> = BTreeSet::new();
        let mut visited: BTreeSet<ExprId> = BTreeSet::new();
        let mut parts: Vec<u64> = Vec::new();
        while let Some((expr, is_root)) = roots.stack.pop() {
            if is_root {
                parts.push(self.expressions.get(expr.0 as usize).copied().unwrap_or(0));
            }
            if !visited.insert(expr) {
                continue;
            }
            let Some(node) = self.code.expressions.get(expr.0 as usize) else { continue };
            if let Expr::Name(name) = node
                && seen.insert(*name)
            {
                for binding in self.bound.get(name).into_iter().flatten() {
                    let mut own = Xxh3::new();
                    self.shallow_binding(binding, &mut own, &mut roots);
                    parts.push(own.digest());
                }
            }
            children(node, &mut |child| roots.stack.push((child, false)));
        }
        for part in parts {
            hash.update(&part.to_le_bytes());
        }
    }
}

/// Expressions still to be looked at; those that begin a chain are hashed, others lie inside one that was.
#[derive(Default)]
struct Roots {
    stack: Vec<(ExprId, bool)>,
}

impl Roots {
    fn add(&mut self, expr: Option<ExprId>, tag: u8, hash: &mut Xxh3) {
        hash.update(&[tag, u8::from(expr.is_some())]);
        self.stack.extend(expr.map(|expr| (expr, true)));
    }
}

fn expression_hash(expr: &Expr, outline: &Outline, known: &[u64]) -> u64 {
    let mut hash = Xxh3::new();
    let names = &outline.names;
    let of = |id: &ExprId| known.get(id.0 as usize).copied().unwrap_or(0).to_le_bytes();
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
        Expr::Definition(id) => match outline.definitions.get(id.0 as usize) {
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
    };
    hash.update(&[tag]);
    hash.update(&name.map_or(0, |name| names.key(name).0).to_le_bytes());
    hash.update(&number.to_le_bytes());
    if let Expr::Object(members) = expr {
        members.iter().for_each(|(name, _)| hash.update(&names.key(*name).0.to_le_bytes()));
    }
    children(expr, &mut |child| hash.update(&of(&child)));
    hash.digest()
}

/// Calls `visit` with every expression directly inside `expr`.
fn children(expr: &Expr, visit: &mut dyn FnMut(ExprId)) {
    match expr {
        Expr::Unknown | Expr::Name(_) | Expr::Receiver | Expr::ReceiverType | Expr::Parent => {}
        Expr::Root(_) | Expr::Definition(_) => {}
        Expr::Member { base, .. } => visit(*base),
        Expr::Call { callee, args } => {
            visit(*callee);
            args.iter().for_each(|&arg| visit(arg));
        }
        Expr::Apply { base, args } => {
            visit(*base);
            args.iter().for_each(|&arg| visit(arg));
        }
        Expr::ParentOf(inner)
        | Expr::Instance(inner)
        | Expr::Index(inner)
        | Expr::Element(inner)
        | Expr::Item(inner, _) => visit(*inner),
        Expr::Unwrap(inner) | Expr::TypeOf(inner) => visit(*inner),
        Expr::Union(parts) | Expr::Tuple(parts) => parts.iter().for_each(|&part| visit(part)),
        Expr::Function { params, result } => {
            params.iter().for_each(|&param| visit(param));
            result.iter().for_each(|&result| visit(result));
        }
        Expr::LambdaParameter { call, .. } | Expr::ArgumentOf { call, .. } => visit(*call),
        Expr::ParameterOf { function, .. } => visit(*function),
        Expr::Builtin { args, .. } => args.iter().for_each(|&arg| visit(arg)),
        Expr::Object(members) => members.iter().for_each(|(_, value)| visit(*value)),
    }
}
