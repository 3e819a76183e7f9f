//! Builds the facts of a file in the order in which a language walks its syntax tree.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::documented;
use super::names::NamesBuilder;
use super::*;
use crate::model::SymbolKind;
use crate::text::prefix;

/// Maximum size of a signature in bytes. Longer ones have parameters or base types that are generated.
const MAX_SIGNATURE_BYTES: usize = 500;

/// Accumulates one file's facts. Scope 0, the module level, exists from the start.
#[derive(Debug)]
pub struct FactsBuilder {
    names: NamesBuilder,
    outline: Outline,
    code: Code,
    bodies: Vec<String>,
    bindings: Vec<Binding>,
}

impl Default for FactsBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl FactsBuilder {
    /// Returns a builder with the module scope.
    pub fn new() -> FactsBuilder {
        let mut builder = FactsBuilder {
            names: NamesBuilder::default(),
            outline: Outline::default(),
            code: Code::default(),
            bodies: Vec::new(),
            bindings: Vec::new(),
        };
        builder.scope(Scope {
            parent: None,
            kind: ScopeKind::Module,
            definition: None,
            extension: None,
            module_name: None,
            extends: None,
        });
        builder
    }

    /// Interns a name.
    pub fn atom(&mut self, name: &str) -> Atom {
        self.names.intern(name)
    }

    /// Returns the text of an atom.
    pub fn text(&self, atom: Atom) -> &str {
        self.names.get(atom)
    }

    /// Adds an expression.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.code.expressions.push(expr);
        ExprId(self.code.expressions.len() as u32 - 1)
    }

    /// Adds an [`Expr::Name`].
    pub fn name(&mut self, name: &str) -> ExprId {
        let atom = self.atom(name);
        self.expr(Expr::Name(atom))
    }

    /// Adds an [`Expr::Member`].
    pub fn member(&mut self, base: ExprId, name: &str) -> ExprId {
        let name = self.atom(name);
        self.expr(Expr::Member { base, name })
    }

    /// Adds an [`Expr::Builtin`].
    pub fn builtin(&mut self, name: &str, args: Vec<ExprId>) -> ExprId {
        let name = self.atom(name);
        self.expr(Expr::Builtin { name, args })
    }

    /// Returns an expression.
    pub fn get(&self, expr: ExprId) -> &Expr {
        &self.code.expressions[expr.0 as usize]
    }

    /// Adds a scope.
    pub fn scope(&mut self, scope: Scope) -> ScopeId {
        self.code.scopes.push(scope);
        ScopeId(self.code.scopes.len() as u32 - 1)
    }

    /// Returns a scope.
    pub fn get_scope(&self, scope: ScopeId) -> Scope {
        self.code.scopes[scope.0 as usize]
    }

    /// Returns all scopes so far.
    pub fn scopes(&self) -> &[Scope] {
        &self.code.scopes
    }

    /// Returns a scope for changes, such as setting its definition later.
    pub fn scope_mut(&mut self, scope: ScopeId) -> &mut Scope {
        &mut self.code.scopes[scope.0 as usize]
    }

    /// Adds a binding.
    pub fn bind(&mut self, scope: ScopeId, name: Atom, position: u32, kind: BindingKind) {
        self.bindings.push(Binding { scope, name, position, kind });
    }

    /// Returns all bindings so far, in the order in which they were added.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Adds the bindings of names that have no other binding in their scope.
    pub fn bind_weakly(&mut self, bindings: Vec<Binding>) {
        if bindings.is_empty() {
            return;
        }
        let bound: HashSet<(ScopeId, Atom)> = self.bindings.iter().map(|known| (known.scope, known.name)).collect();
        self.bindings.extend(bindings.into_iter().filter(|binding| !bound.contains(&(binding.scope, binding.name))));
    }

    /// Adds a definition and the words of its own body, but no binding: call [`FactsBuilder::bind`] for the scope in
    /// which the name is visible. Parents must be added before their children.
    pub fn define(&mut self, definition: Definition, body: String) -> DefId {
        self.outline.definitions.push(definition);
        self.bodies.push(body);
        DefId::from_index(self.outline.definitions.len() - 1)
    }

    /// Returns a definition.
    pub fn definition(&self, id: DefId) -> &Definition {
        &self.outline.definitions[id.index()]
    }

    /// Returns a definition for changes, such as results and fields that are found later.
    pub fn definition_mut(&mut self, id: DefId) -> &mut Definition {
        &mut self.outline.definitions[id.index()]
    }

    /// Returns all definitions so far.
    pub fn definitions(&self) -> &[Definition] {
        &self.outline.definitions
    }

    /// Returns the words of a definition's own body for appending.
    pub fn body_mut(&mut self, id: DefId) -> &mut String {
        &mut self.bodies[id.index()]
    }

    /// Adds an extension.
    pub fn extend(&mut self, extension: Extension) -> ExtensionId {
        self.outline.extensions.push(extension);
        ExtensionId(self.outline.extensions.len() as u32 - 1)
    }

    /// Returns an extension for changes, such as a target that is found in its scope.
    pub fn extension_mut(&mut self, id: ExtensionId) -> &mut Extension {
        &mut self.outline.extensions[id.0 as usize]
    }

    /// Returns an extension.
    pub fn get_extension(&self, extension: ExtensionId) -> &Extension {
        &self.outline.extensions[extension.0 as usize]
    }

    /// Adds an import. Its local names are bound with [`BindingKind::Import`].
    pub fn import(&mut self, import: Import) -> ImportId {
        self.outline.imports.push(import);
        ImportId(self.outline.imports.len() as u32 - 1)
    }

    /// Returns the imports so far.
    pub fn imports(&self) -> &[Import] {
        &self.outline.imports
    }

    /// Returns an import.
    pub fn get_import(&self, import: ImportId) -> &Import {
        &self.outline.imports[import.0 as usize]
    }

    /// Adds a reference.
    pub fn refer(&mut self, reference: Reference) {
        self.code.references.push(reference);
    }

    /// Makes the last reference to one expression, which is a call, one to another.
    pub fn refer_instead(&mut self, expr: ExprId, other: ExprId) {
        let is_meant = |reference: &&mut Reference| reference.expr == expr && reference.role == Role::Call;
        if let Some(reference) = self.code.references.iter_mut().rev().find(is_meant) {
            reference.expr = other;
        }
    }

    /// Adds a signal.
    pub fn signal(&mut self, signal: Signal) {
        self.code.signals.push(signal);
    }

    /// Sets the name of the file's package.
    pub fn package(&mut self, name: &str) {
        self.outline.package = Some(self.names.intern(name));
    }

    /// Sets the doc comment of the file.
    pub fn set_file_doc(&mut self, doc: String) {
        self.outline.doc = doc;
    }

    /// Marks the whole file as test code.
    pub fn mark_test_file(&mut self) {
        self.outline.is_test = true;
    }

    /// Marks the file as excluded from the usual build.
    pub fn mark_build_excluded(&mut self) {
        self.outline.is_build_excluded = true;
    }

    /// Returns the sorted facts. Reads and writes of local values are dropped, because they never make an edge.
    pub fn finish(mut self) -> FileFacts {
        self.own_initializers();
        self.refer_to_documented();
        self.name_types();
        let kinds: HashMap<(ScopeId, Atom), BindingKind> =
            self.bindings.iter().map(|binding| ((binding.scope, binding.name), binding.kind)).collect();
        let (scopes, expressions) = (&self.code.scopes, &self.code.expressions);
        self.code.references.retain(|reference| match (reference.role, &expressions[reference.expr.0 as usize]) {
            (Role::Read | Role::Write, Expr::Name(name)) => !is_local(scopes, &kinds, reference.scope, *name),
            (Role::Implement, Expr::Tuple(parts)) => match parts.first().map(|part| &expressions[part.0 as usize]) {
                Some(Expr::Name(name)) => !is_local(scopes, &kinds, reference.scope, *name),
                _ => true,
            },
            _ => true,
        });
        self.bindings.sort_by_key(|binding| (binding.scope, binding.name, binding.position));
        let scopes = &self.code.scopes;
        let is_module =
            |binding: &Binding| matches!(scopes[binding.scope.0 as usize].kind, ScopeKind::Module | ScopeKind::Exports);
        let (outer, inner) = self.bindings.iter().partition(|binding| is_module(binding));
        self.outline.bindings = outer;
        self.code.bindings = inner;
        self.outline.names = self.names.finish();
        self.outline.definitions.iter_mut().for_each(|definition| shorten(&mut definition.signature));
        self.outline.shrink();
        FileFacts { outline: self.outline, code: self.code, texts: Texts { bodies: self.bodies } }
    }
}

impl FactsBuilder {
    /// Gives the references in the declarations of variables that no function is around to these variables, and those in the
    /// static fields of a type to the fields. Test files run the code of their top level themselves.
    fn own_initializers(&mut self) {
        if self.outline.is_test {
            return;
        }
        let mut declared: HashMap<Option<DefId>, Vec<(u32, u32, DefId)>> = HashMap::new();
        for (id, definition) in DefId::sequence().zip(&self.outline.definitions) {
            let owner = match definition.kind {
                SymbolKind::Var | SymbolKind::Const if !definition.flags.is_local => None,
                SymbolKind::Field if definition.flags.is_static && !definition.flags.is_variant => definition.parent,
                _ => continue,
            };
            let span = definition.span;
            declared.entry(owner).or_default().push((span.start_byte, span.end_byte, id));
        }
        declared.values_mut().for_each(|spans| spans.sort_unstable());
        let mut values: HashMap<DefId, HashMap<ExprId, DefId>> = HashMap::new();
        for number in 0..self.code.references.len() {
            let reference = &self.code.references[number];
            let Some(spans) = declared.get(&reference.source) else { continue };
            let before = spans.partition_point(|(start, ..)| *start <= reference.position);
            if let Some((start, end, id)) = before.checked_sub(1).map(|last| spans[last])
                && reference.position < end
                && reference.role != Role::Decorator
            {
                let is_alone = before < 2 || (spans[before - 2].0, spans[before - 2].1) != (start, end);
                let source = if is_alone {
                    id
                } else {
                    // `a, b = f(), g()`: each has its own value. Of a value that several have, the first one is the user.
                    let beside = &spans[spans.partition_point(|one| (one.0, one.1) < (start, end))..before];
                    let values =
                        values.entry(id).or_insert_with(|| self.values_by_part(beside.iter().map(|(.., id)| *id)));
                    values.get(&reference.expr).copied().unwrap_or(beside[0].2)
                };
                self.code.references[number].source = Some(source);
            }
        }
    }

    /// Returns the parts of the values of definitions, each with the first one of whose value it is a part.
    fn values_by_part(&self, definitions: impl Iterator<Item = DefId>) -> HashMap<ExprId, DefId> {
        let mut values = HashMap::new();
        for id in definitions {
            let mut open: Vec<ExprId> = self.definition(id).value.into_iter().collect();
            while let Some(part) = open.pop() {
                if let Entry::Vacant(entry) = values.entry(part) {
                    entry.insert(id);
                    self.get(part).for_each_child(&mut |inner| open.push(inner));
                }
            }
        }
        values
    }

    /// Adds the names of the types of all parameters of functions.
    fn name_types(&mut self) {
        for id in DefId::sequence().take(self.outline.definitions.len()) {
            if !self.definition(id).kind.is_callable() {
                continue;
            }
            for index in 0..self.definition(id).parameters.len() {
                let value_type = self.definition(id).parameters[index].value_type;
                let name = value_type.and_then(|known| self.type_name(known, 0));
                self.definition_mut(id).parameters[index].type_name = name;
            }
        }
    }

    /// Returns the last name of a type, without generic arguments; `None` if it has none.
    fn type_name(&mut self, expr: ExprId, depth: u32) -> Option<Atom> {
        const MAX_STEPS: u32 = 8;
        if depth > MAX_STEPS {
            return None;
        }
        match self.get(expr) {
            Expr::Name(name) | Expr::Member { name, .. } => Some(*name),
            Expr::Apply { base: inner, .. } | Expr::Instance(inner) => self.type_name(*inner, depth + 1),
            Expr::Function { .. } => Some(self.atom("()")),
            Expr::Builtin { name, args } if self.text(*name) == "[]" => {
                let element = args.first().copied().and_then(|element| self.type_name(element, depth + 1));
                let element = element.map_or("?", |element| self.text(element));
                let text = format!("{element}[]");
                Some(self.atom(&text))
            }
            Expr::Builtin { name, .. } => {
                let last = self.text(*name).rsplit('.').next().unwrap_or_default().to_owned();
                Some(self.atom(&last))
            }
            _ => None,
        }
    }

    /// Adds a reference for each name in the documentation of the file and of its definitions.
    fn refer_to_documented(&mut self) {
        let file_doc = std::mem::take(&mut self.outline.doc);
        self.refer_to_names(&file_doc, None, ScopeId(0), 0);
        self.outline.doc = file_doc;
        for id in DefId::sequence().take(self.outline.definitions.len()) {
            let definition = self.definition_mut(id);
            let (scope, position) = (definition.scope, definition.span.start_byte);
            let doc = std::mem::take(&mut definition.doc);
            self.refer_to_names(&doc, Some(id), scope, position);
            self.definition_mut(id).doc = doc;
        }
    }

    fn refer_to_names(&mut self, doc: &str, source: Option<DefId>, scope: ScopeId, position: u32) {
        for segments in documented::names(doc) {
            let mut segments = segments.into_iter();
            let Some(first) = segments.next() else { continue };
            let mut expr = match first {
                "self" | "this" => self.expr(Expr::Receiver),
                "Self" | "cls" => self.expr(Expr::ReceiverType),
                "crate" | "super" => {
                    let root = self.atom(first);
                    self.expr(Expr::Root(root))
                }
                name => self.name(name),
            };
            for segment in segments {
                expr = self.member(expr, segment);
            }
            self.refer(Reference { expr, scope, position, role: Role::Document, source });
        }
    }
}

/// Cuts a signature that is too long.
fn shorten(signature: &mut String) {
    if signature.len() > MAX_SIGNATURE_BYTES {
        signature.truncate(prefix(signature, MAX_SIGNATURE_BYTES - '…'.len_utf8()).len());
        signature.push('…');
    }
}

/// Returns whether a scope at or above `scope`, below module level, binds `name` to a local value or parameter.
fn is_local(scopes: &[Scope], kinds: &HashMap<(ScopeId, Atom), BindingKind>, scope: ScopeId, name: Atom) -> bool {
    let mut next = Some(scope);
    while let Some(id) = next {
        let scope = scopes[id.0 as usize];
        if matches!(scope.kind, ScopeKind::Module | ScopeKind::Exports) {
            return false;
        }
        if let Some(kind) = kinds.get(&(id, name)) {
            return matches!(kind, BindingKind::Local { .. } | BindingKind::Parameter { .. });
        }
        next = scope.parent;
    }
    false
}
