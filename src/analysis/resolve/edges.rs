//! Resolves one file's imports, bases and references to edges.

use std::collections::BTreeMap;

use super::eval::{AS_TYPE, Evaluator, plain_name};
use super::input::FileIndex;
use super::meant::Meant;
use super::output::{EdgeEndpoint, FileResolution, ResolvedEdge, Unresolved, UnresolvedReference};
use super::roles::{edge_type, external_edge_type};
use super::rules::UseSite;
use super::scip::ScipOutcome;
use super::value::{SymbolRef, Value};
use super::world::World;
use super::{guess, procedures};
use crate::facts::{
    Atom, BaseRelation, BindingKind, Container, DefId, Expr, ExprId, ImportName, Reference, Role, ScopeId, ScopeKind,
    name_key,
};
use crate::model::{EdgeType, Provenance, SymbolKind};

/// The outcome of resolving a reference.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Symbols(Vec<SymbolRef>),
    /// One of these, and nothing tells which.
    OneOf(Vec<SymbolRef>),
    File(FileIndex),
    External(String),
    /// No edge and no failure: a local variable, a built-in type.
    Nothing,
    Unresolved(Unresolved),
}

/// Accumulates the edges of one file.
pub(super) struct FileEdges<'w> {
    pub(super) file: FileIndex,
    pub(super) eval: Evaluator<'w>,
    pub(super) edges: BTreeMap<(EdgeEndpoint, EdgeEndpoint, EdgeType), (Provenance, f32)>,
    unresolved: BTreeMap<Unresolved, u32>,
    unresolved_references: Vec<UnresolvedReference>,
    pub(super) scip_outcomes: BTreeMap<ScipOutcome, u32>,
    pub(super) found: procedures::Found,
    /// The types of the receivers of calls, by source and method; `None` for an unknown one.
    pub(super) receivers: BTreeMap<(EdgeEndpoint, SymbolRef), Vec<Option<SymbolRef>>>,
    /// The reference that is being resolved.
    reference: Option<u32>,
    /// The meanings of the references.
    meant: Vec<Meant>,
}

/// Resolves all references of a file.
pub fn resolve_file(world: &World<'_>, file: FileIndex) -> FileResolution {
    let mut edges = FileEdges {
        file,
        eval: Evaluator::new(world, file),
        edges: BTreeMap::new(),
        unresolved: BTreeMap::from_iter(
            Some(world.outline(file).unparsed_count())
                .filter(|lines| *lines > 0)
                .map(|lines| (Unresolved::UnparsedLine, lines)),
        ),
        unresolved_references: Vec::new(),
        scip_outcomes: BTreeMap::new(),
        found: procedures::Found::default(),
        receivers: BTreeMap::new(),
        reference: None,
        meant: Vec::new(),
    };
    edges.add_imports();
    edges.add_bases();
    edges.add_references();
    edges.add_receivers();
    edges.add_procedures();
    edges.add_signals();
    edges.add_scip();
    edges.add_documents();
    edges.add_declarations();
    let looked_up = edges.eval.unmentioned_lookups();
    let meant = std::mem::take(&mut edges.meant);
    let untold = edges.untold(meant);
    let list = edges.edges.into_iter().map(|((source, target, edge_type), (provenance, confidence))| ResolvedEdge {
        source,
        target,
        edge_type,
        provenance,
        confidence,
    });
    let (unresolved, steps) = (edges.unresolved.into_iter().collect(), edges.eval.steps());
    let scip = edges.scip_outcomes.into_iter().collect();
    let mut unresolved_references = edges.unresolved_references;
    unresolved_references.sort_unstable();
    let unparsed_names = world.outline(file).unparsed_names.clone();
    let edges = list.collect();
    FileResolution { edges, looked_up, unresolved, unresolved_references, untold, unparsed_names, steps, scip }
}

impl<'w> FileEdges<'w> {
    pub(super) fn world(&self) -> &'w World<'w> {
        self.eval.world
    }

    pub(super) fn source(&self, definition: Option<DefId>) -> EdgeEndpoint {
        definition
            .map_or(EdgeEndpoint::File(self.file), |id| EdgeEndpoint::Definition { file: self.file, definition: id })
    }

    pub(super) fn add(
        &mut self,
        source: EdgeEndpoint,
        target: EdgeEndpoint,
        edge_type: EdgeType,
        provenance: Provenance,
        confidence: f32,
    ) {
        self.meant.extend(self.reference.map(|reference| (reference, target.clone())));
        if source == target && edge_type != EdgeType::Calls {
            return;
        }
        let by_name = self.eval.rules(self.file).traits().resolves_by_name;
        // What runs or is set is named by a text, and means one thing.
        let is_named = matches!(edge_type, EdgeType::ExecutesProcess | EdgeType::ReadsEnv | EdgeType::SetsEnv);
        let is_guess = provenance == Provenance::AstResolved
            && edge_type != EdgeType::Declares
            && (by_name && !is_named || self.has_duplicate(&target));
        let provenance = if is_guess { Provenance::AstInferred } else { provenance };
        let confidence = if is_guess { provenance.confidence() } else { confidence };
        // Of several ways to the same edge, the highest confidence counts.
        let entry = self.edges.entry((source, target, edge_type)).or_insert((provenance, confidence));
        if confidence > entry.1 {
            *entry = (provenance, confidence);
        }
    }

    /// Returns whether another definition of the same full name is as near as the target of an edge, or as its type.
    fn has_duplicate(&mut self, target: &EdgeEndpoint) -> bool {
        let world = self.world();
        let EdgeEndpoint::Definition { file, definition } = *target else { return false };
        if file == self.file {
            return false;
        }
        let mut at = SymbolRef { file, definition };
        while let Container::Definition(owner) = world.definition(at).container {
            at.definition = owner;
        }
        self.eval.consult(at);
        world.duplicates.is_ambiguous(world.files, world.user(self.file), at)
            && !self.eval.rules(self.file).reaches(&mut self.eval, self.file, file)
    }

    pub(super) fn add_resolved(&mut self, source: EdgeEndpoint, target: EdgeEndpoint, edge_type: EdgeType) {
        self.add(source, target, edge_type, Provenance::AstResolved, Provenance::AstResolved.confidence());
    }

    fn add_imports(&mut self) {
        let outline = self.world().outline(self.file);
        for (number, import) in (0u32..).zip(&outline.imports) {
            let target = self.eval.import_target(self.file, number);
            if import.name == ImportName::All
                && !matches!(target, Value::Module(_) | Value::External { .. } | Value::Symbol { .. })
            {
                continue;
            }
            let endpoint = match self.target_of_value(&target) {
                Target::Symbols(symbols) | Target::OneOf(symbols) => {
                    symbols.first().map(|symbol| definition_endpoint(*symbol))
                }
                Target::File(file) => Some(EdgeEndpoint::File(file)),
                Target::External(name) => Some(EdgeEndpoint::External(name)),
                Target::Nothing => None,
                Target::Unresolved(reason) => {
                    *self.unresolved.entry(reason).or_default() += 1;
                    None
                }
            };
            if let Some(endpoint) = endpoint {
                let source = self.source(self.definition_around(import.scope));
                self.add_resolved(source, endpoint, EdgeType::Imports);
            }
        }
    }

    /// Returns the innermost function, method or type whose body contains the scope.
    fn definition_around(&self, scope: ScopeId) -> Option<DefId> {
        let code = self.world().code(self.file);
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|scope| code.scopes.get(scope.0 as usize)) {
            if !matches!(scope.kind, ScopeKind::Module | ScopeKind::Exports) && scope.definition.is_some() {
                return scope.definition;
            }
            at = scope.parent;
        }
        None
    }

    fn add_bases(&mut self) {
        let outline = self.world().outline(self.file);
        for (number, definition) in DefId::sequence().zip(&outline.definitions) {
            let source = EdgeEndpoint::Definition { file: self.file, definition: number };
            for base in &definition.bases {
                let site = self.eval.base_site(SymbolRef { file: self.file, definition: number }, base.relation);
                let edge_type = match base.relation {
                    BaseRelation::Extends => EdgeType::Extends,
                    BaseRelation::Implements | BaseRelation::OfType | BaseRelation::Prepended => EdgeType::Implements,
                    BaseRelation::SelfType => continue,
                    BaseRelation::Overridden => {
                        let method = SymbolRef { file: self.file, definition: number };
                        if let Some(found) = self.eval.overridden(method, site, base.expr) {
                            self.add_resolved(source.clone(), definition_endpoint(found), EdgeType::Overrides);
                        }
                        continue;
                    }
                };
                self.add_base(source.clone(), site, base.expr, edge_type);
            }
            let symbol = SymbolRef { file: self.file, definition: number };
            self.add_implemented(symbol);
            let expected = self.eval.expected_by(symbol);
            for wanted in expected.into_iter().chain(self.implemented_elsewhere(symbol)) {
                self.add_resolved(source.clone(), definition_endpoint(wanted), EdgeType::Overrides);
            }
        }
    }

    /// Returns the methods of traits that a method implements in a block for a type of other code, or for any type: `impl T for
    /// str`. Those of the repository's types are compared when edges are derived.
    fn implemented_elsewhere(&mut self, symbol: SymbolRef) -> Vec<SymbolRef> {
        let world = self.world();
        let definition = world.definition(symbol);
        let Container::Extension(block) = definition.container else { return Vec::new() };
        let block = (symbol.file, block.0);
        let extension = world.extension(block);
        let is_of_repository = matches!(world.extensions().targets.get(&block), Some(Value::Instance { .. }));
        let Some(implements) = extension.implements.filter(|_| !is_of_repository) else { return Vec::new() };
        let site = UseSite { file: symbol.file, scope: extension.scope };
        let Target::Symbols(traits) = self.target(site, implements, AS_TYPE, Role::Type) else { return Vec::new() };
        let name = world.outline(symbol.file).names.key(definition.name);
        self.eval.record_lookup(name);
        traits.into_iter().flat_map(|one| world.own_members(one, name)).copied().collect()
    }

    /// Adds the traits that blocks of any file implement for a type. The edges belong to the type's file.
    fn add_implemented(&mut self, symbol: SymbolRef) {
        let world = self.world();
        for block in world.extensions().of_type.get(&symbol).map_or(&[][..], Vec::as_slice) {
            let extension = world.extension(*block);
            let Some(implements) = extension.implements else { continue };
            let site = UseSite { file: block.0, scope: extension.scope };
            self.add_base(definition_endpoint(symbol), site, implements, EdgeType::Implements);
        }
    }

    fn add_base(&mut self, source: EdgeEndpoint, site: UseSite, expr: ExprId, edge_type: EdgeType) {
        match self.target(site, expr, AS_TYPE, Role::Type) {
            Target::Symbols(symbols) => self.add_types(&source, symbols, edge_type, Provenance::AstResolved),
            Target::OneOf(symbols) => self.add_types(&source, symbols, edge_type, Provenance::AstInferred),
            Target::External(name) => self.add_resolved(source, EdgeEndpoint::External(name), edge_type),
            Target::File(_) => {}
            Target::Nothing => self.add_unknown_base(&source, site.file, expr),
            Target::Unresolved(reason) => {
                self.add_unknown_base(&source, site.file, expr);
                *self.unresolved.entry(reason).or_default() += 1;
            }
        }
    }

    fn add_types(&mut self, source: &EdgeEndpoint, symbols: Vec<SymbolRef>, edge_type: EdgeType, how: Provenance) {
        for symbol in symbols {
            let symbol = self.eval.companion(symbol, true);
            if self.world().definition(symbol).kind.is_type() {
                self.add(source.clone(), definition_endpoint(symbol), edge_type, how, how.confidence());
            }
        }
    }

    fn add_references(&mut self) {
        let code = self.world().code(self.file);
        let references = (0_u32..).zip(&code.references);
        for (index, reference) in references.filter(|(_, reference)| reference.role != Role::Document) {
            self.reference = Some(index);
            if self.add_expansion(reference) {
                continue;
            }
            let site = UseSite { file: self.file, scope: reference.scope };
            if reference.role == Role::Implement {
                self.add_implementation(site, reference);
                continue;
            }
            let at = if reference.role == Role::Type { AS_TYPE } else { reference.position };
            let target = self.target(site, reference.expr, at, reference.role);
            let target = if self.is_call_of_module(reference.role, &target) {
                Target::Unresolved(Unresolved::UnknownName)
            } else {
                target
            };
            let (target, is_confirmed) = self.apply_scip(reference, target);
            let provenance = if is_confirmed { Provenance::Scip } else { Provenance::AstResolved };
            let source = self.source(reference.source);
            if reference.role == Role::Call {
                self.add_call_of_entry(site, reference, &target);
                self.add_deferred_call(site, reference);
            }
            match target {
                Target::Symbols(symbols) => self.add_symbols(site, reference, at, symbols, provenance),
                Target::OneOf(symbols) => self.add_symbols(site, reference, at, symbols, Provenance::AstInferred),
                Target::File(file) => self.add_resolved(source, EdgeEndpoint::File(file), EdgeType::References),
                Target::External(_) | Target::Nothing | Target::Unresolved(_)
                    if self.add_suggested_methods(site, reference, at) => {}
                Target::External(name) => {
                    self.add_resolved(source, EdgeEndpoint::External(name), external_edge_type(reference.role));
                }
                Target::Nothing => self.add_symbols(site, reference, at, Vec::new(), provenance),
                // A plugin of the test runner has it, or it is a parameter of the test alone.
                Target::Unresolved(_) if reference.role == Role::Fixture => {}
                Target::Unresolved(reason) => {
                    self.add_decorating_object(site, reference, at);
                    self.guess(index, reference, source, reason);
                }
            }
        }
        self.reference = None;
    }

    /// Adds the edge of a function of the file to the member of a type in whose place an object has it.
    fn add_implementation(&mut self, site: UseSite, reference: &Reference) {
        self.reference = None;
        let Expr::Tuple(parts) = &self.world().code(site.file).expressions[reference.expr.0 as usize] else { return };
        let &[function, member] = &parts[..] else { return };
        let Target::Symbols(symbols) = self.target(site, function, reference.position, Role::Read) else { return };
        for symbol in symbols {
            if symbol.file == self.file
                && self.world().definition(symbol).kind.is_callable()
                && let Some(wanted) = self.eval.overridden(symbol, site, member)
            {
                self.add_resolved(definition_endpoint(symbol), definition_endpoint(wanted), EdgeType::Overrides);
            }
        }
    }

    /// Adds the edge of a decorator to the object of an unknown member: in `@group.command()` something marks the definition, and
    /// the group has it.
    fn add_decorating_object(&mut self, site: UseSite, reference: &Reference, at: u32) {
        let object = self.member_object(reference.expr).filter(|_| reference.role == Role::Decorator);
        let Some(object) = object else { return };
        if let Target::Symbols(symbols) = self.target(site, object, at, Role::Decorator) {
            self.add_symbols(site, reference, at, symbols, Provenance::AstInferred);
        }
    }

    /// Adds the edges of a reference to the symbols that it means, to those of which they are other names, and to the
    /// methods that a call of their values runs.
    fn add_symbols(
        &mut self,
        site: UseSite,
        reference: &Reference,
        at: u32,
        symbols: Vec<SymbolRef>,
        provenance: Provenance,
    ) {
        let mut targets = Vec::new();
        for symbol in symbols {
            let symbol = self.for_role(symbol, reference.role);
            let named = self.named_by(symbol, reference.role);
            let edge_type = match reference.role {
                Role::Call if named.is_some() => EdgeType::Calls,
                role => self.edge_type(role, symbol),
            };
            targets.push((symbol, edge_type, provenance));
            targets.extend(named.map(|(named, is_certain)| {
                let provenance = if is_certain { provenance } else { Provenance::AstInferred };
                (named, self.edge_type(reference.role, named), provenance)
            }));
        }
        let called = self.called_instances(site, reference, at);
        if !called.is_empty() {
            let (world, rules) = (self.world(), self.eval.rules(self.file));
            let is_static = called.iter().any(|method| world.definition(*method).flags.is_static);
            targets.retain(|(symbol, ..)| {
                let definition = world.definition(*symbol);
                !definition.kind.is_type() || !(is_static || rules.is_object(definition))
            });
        }
        targets.extend(called.into_iter().map(|method| (method, EdgeType::Calls, provenance)));
        for (symbol, edge_type, mut provenance) in targets {
            let is_callable = self.world().definition(symbol).kind.is_callable();
            let source = self.source(reference.source);
            if edge_type == EdgeType::Calls && is_callable {
                self.note_receiver(site, reference, &source, symbol);
            }
            for other in self.eval.alternatives(site, symbol) {
                // Which of the files is built is not known.
                if other.file != symbol.file {
                    provenance = Provenance::AstInferred;
                }
                let (edge_type, guess) = (self.edge_type(reference.role, other), Provenance::AstInferred);
                self.add(source.clone(), definition_endpoint(other), edge_type, guess, guess.confidence());
            }
            self.add(source, definition_endpoint(symbol), edge_type, provenance, provenance.confidence());
        }
    }

    /// Returns the methods that a call of values of the repository's types runs (`__call__`, `__invoke`).
    fn called_instances(&mut self, site: UseSite, reference: &Reference, at: u32) -> Vec<SymbolRef> {
        if reference.role != Role::Call {
            return Vec::new();
        }
        let expressions = &self.world().code(site.file).expressions;
        let (callee, args) = match &expressions[reference.expr.0 as usize] {
            // Where arguments choose among overloads, they are part of the reference.
            Expr::Call { callee, args } => (*callee, Some(&args[..])),
            Expr::Union(parts) => match parts[..] {
                // An implied call is one of a method.
                [only] if matches!(expressions[only.0 as usize], Expr::FirstOf(_)) => return Vec::new(),
                _ => (reference.expr, None),
            },
            Expr::FirstOf(_) => return Vec::new(),
            _ => (reference.expr, None),
        };
        if self.is_construction(callee) { Vec::new() } else { self.eval.called_on_value(site, callee, args, at) }
    }

    /// Returns the function of which a definition is another name: Ruby's `alias`, PHP's `use T { m as n; }`, and a called
    /// field, local variable or constant to which a function is assigned; and whether nothing else can be assigned to it.
    fn named_by(&mut self, symbol: SymbolRef, role: Role) -> Option<(SymbolRef, bool)> {
        let definition = self.world().definition(symbol);
        let is_alias = definition.flags.is_alias && definition.kind.is_callable();
        // Other files can't set a local variable, but its own can.
        let is_field = definition.kind == SymbolKind::Field;
        let is_own = is_field || definition.signature.starts_with("local ");
        let is_taken = definition.kind == SymbolKind::Const
            && definition.value.is_some_and(|value| self.is_taken_member(symbol.file, value));
        let is_called = (is_own || is_taken) && role == Role::Call && definition.value_type.is_none();
        let expr = definition.value.filter(|_| is_alias || is_called)?;
        let scope = definition.value_scope.unwrap_or(definition.scope);
        let is_function = |eval: &Evaluator<'_>, symbol| eval.world.definition(symbol).kind.is_callable();
        let site = UseSite { file: symbol.file, scope };
        match self.eval.value_at(site, expr, definition.span.end_byte) {
            Value::Symbol { symbol: named, .. } if named != symbol && is_function(&self.eval, named) => {
                Some((named, is_alias || is_field || is_taken))
            }
            _ => None,
        }
    }

    /// Returns the receiver of an expression, if it is a name.
    fn receiver_name(&self, expr: ExprId) -> Option<&'w str> {
        let world = self.world();
        match &world.code(self.file).expressions[self.member_object(expr)?.0 as usize] {
            Expr::Name(name) => Some(world.outline(self.file).names.get(*name)),
            _ => None,
        }
    }

    /// Returns the value whose member an expression names.
    pub(super) fn member_object(&self, expr: ExprId) -> Option<ExprId> {
        match &self.world().code(self.file).expressions[expr.0 as usize] {
            Expr::Member { base, .. } => Some(*base),
            Expr::Apply { base, .. } | Expr::Call { callee: base, .. } => self.member_object(*base),
            _ => None,
        }
    }

    /// Adds a call of the variable whose entry a call runs: `TABLE[key]()`, `operations.open()`.
    fn add_call_of_entry(&mut self, site: UseSite, reference: &Reference, target: &Target) {
        let world = self.world();
        let is_entry = match target {
            // A field that is another name of a function runs that.
            Target::Symbols(symbols) => symbols.iter().all(|symbol| {
                world.definition(*symbol).kind == SymbolKind::Field && self.named_by(*symbol, Role::Call).is_none()
            }),
            Target::Nothing => true,
            _ => false,
        };
        let Some((table, name)) = self.table_of_call(reference.expr).filter(|_| is_entry) else { return };
        let value = self.eval.denote(site, table, reference.position);
        let Value::Symbol { symbol, .. } = value else { return };
        let definition = world.definition(symbol);
        let is_table = match definition.kind {
            SymbolKind::Const | SymbolKind::Var => true,
            kind => kind == SymbolKind::Field && definition.flags.is_static,
        };
        if is_table
            && world.outline(symbol.file).names.get(world.definition(symbol).name)
                == world.outline(site.file).names.get(name)
        {
            self.add_resolved(self.source(reference.source), definition_endpoint(symbol), EdgeType::Calls);
        }
    }

    /// Adds the call of a function that a member of it defers: `send.delay(1)` of a task queue.
    fn add_deferred_call(&mut self, site: UseSite, reference: &Reference) {
        let members = self.eval.rules(self.file).traits().deferring_members;
        let world = self.world();
        let Expr::Member { base, name } = world.code(self.file).expressions[reference.expr.0 as usize] else { return };
        if members.is_empty() || !members.contains(&world.outline(self.file).names.get(name)) {
            return;
        }
        let Value::Symbol { symbol, .. } = self.eval.denote(site, base, reference.position) else { return };
        if world.definition(symbol).kind.is_callable() {
            let provenance = Provenance::AstInferred;
            let source = self.source(reference.source);
            self.add(source, definition_endpoint(symbol), EdgeType::Calls, provenance, provenance.confidence());
        }
    }

    /// Returns the expression of the value whose entry or field a call runs, and its last name.
    fn table_of_call(&self, expr: ExprId) -> Option<(ExprId, Atom)> {
        let expressions = &self.world().code(self.file).expressions;
        let get = |expr: ExprId| &expressions[expr.0 as usize];
        let mut at = expr;
        let mut is_entry = false;
        // Chains are short.
        for _ in 0..8 {
            match get(at) {
                Expr::Call { callee, .. } if !is_entry => at = *callee,
                Expr::Apply { base, .. } => at = *base,
                Expr::Index(base) => (at, is_entry) = (*base, true),
                Expr::Member { base, .. } if !is_entry => (at, is_entry) = (*base, true),
                Expr::Name(name) | Expr::Member { name, .. } if is_entry => return Some((at, *name)),
                _ => return None,
            }
        }
        None
    }

    pub(super) fn edge_type(&self, role: Role, symbol: SymbolRef) -> EdgeType {
        let (target, traits) = (self.world().definition(symbol), self.eval.rules(self.file).traits());
        // In C a cast to another name of a type looks like a call: `(length)(a + b)`.
        let converts = traits.calls_of_types_convert || traits.constructors_convert && target.flags.is_alias;
        match role {
            Role::Read if target.kind.is_callable() && target.parameters.is_empty() && traits.reads_call => {
                EdgeType::Calls
            }
            Role::Call if target.kind.is_type() && converts => EdgeType::TypeHintOf,
            Role::Call if is_variable(target.kind) && traits.fields_may_be_functions => EdgeType::Calls,
            _ => edge_type(role, target),
        }
    }

    /// Picks the type or the value of a shared name according to the reference's role, or of the accessors of a property
    /// the one that runs: that which takes a value where it is written.
    fn for_role(&mut self, symbol: SymbolRef, role: Role) -> SymbolRef {
        let world = self.world();
        let definition = world.definition(symbol);
        if definition.flags.is_property && matches!(role, Role::Read | Role::Write) {
            let Container::Definition(owner) = definition.container else { return symbol };
            let key = world.outline(symbol.file).names.key(definition.name);
            let accessors = world.own_members(SymbolRef { definition: owner, ..symbol }, key);
            let is_meant = |accessor: &&SymbolRef| {
                let accessor = world.definition(**accessor);
                accessor.flags.is_property && accessor.parameters.is_empty() == (role == Role::Read)
            };
            return if is_meant(&&symbol) {
                symbol
            } else {
                accessors.iter().find(is_meant).copied().unwrap_or(symbol)
            };
        }
        // What documentation names is not known to be either.
        if role == Role::Document { symbol } else { self.eval.companion(symbol, role == Role::Type) }
    }

    fn guess(&mut self, index: u32, reference: &Reference, source: EdgeEndpoint, reason: Unresolved) {
        match self.guessed(reference, reason) {
            Ok(symbol) => {
                let edge_type = self.edge_type(reference.role, symbol);
                let provenance = Provenance::AstInferred;
                self.add(source, definition_endpoint(symbol), edge_type, provenance, provenance.confidence());
            }
            Err(reason) => {
                *self.unresolved.entry(reason).or_default() += 1;
                if let Some(name) = self.world().code(self.file).last_name(reference.expr) {
                    // A question has the name without the mark of a callee.
                    let name = name_key(plain_name(self.world().outline(self.file).names.get(name)));
                    self.unresolved_references.push(UnresolvedReference { name, reference: index });
                }
            }
        }
    }

    /// Returns the symbol that the name of an unresolved member suggests, or the reason why there is none.
    pub(super) fn guessed(&mut self, reference: &Reference, reason: Unresolved) -> Result<SymbolRef, Unresolved> {
        let traits = self.eval.rules(self.file).traits();
        let by_name = traits.resolves_by_name;
        let name = match reason {
            Unresolved::UnknownReceiver => self.member_name(reference.expr),
            // An import can bring members into scope.
            Unresolved::UnknownName if by_name => self.world().code(self.file).last_name(reference.expr),
            _ => None,
        };
        let Some(name) = name else { return Err(reason) };
        let member = guess::by_name(&mut self.eval, self.file, reference.source, name, reference.role)?;
        if guess::is_private_elsewhere(self.eval.world, self.file, member) {
            return Err(reason);
        }
        let is_other =
            |name: &str| traits.library_receivers.has(name) && !guess::is_owner(self.eval.world, name, member);
        if self.receiver_name(reference.expr).is_some_and(is_other) {
            return Err(reason);
        }
        let site = UseSite { file: self.file, scope: reference.scope };
        let object = self.member_object(reference.expr);
        match object.is_some_and(|object| guess::is_made_outside(&mut self.eval, site, object, reference.position)) {
            true => Err(reason),
            false => Ok(member),
        }
    }

    pub(super) fn member_name(&self, expr: ExprId) -> Option<Atom> {
        match &self.world().code(self.file).expressions[expr.0 as usize] {
            Expr::Member { name, .. } => Some(*name),
            Expr::Apply { base, .. } | Expr::Call { callee: base, .. } => self.member_name(*base),
            _ => None,
        }
    }

    /// Resolves an expression that is used in a role.
    pub(super) fn target(&mut self, site: UseSite, expr: ExprId, at: u32, role: Role) -> Target {
        let outline = self.world().outline(site.file);
        match &self.world().code(site.file).expressions[expr.0 as usize] {
            Expr::Name(name) => match self.name_target(site, *name, at) {
                Target::Nothing if role == Role::Call => self.taken_member(site, *name, at),
                Target::File(file) if role == Role::Call => {
                    let function = self.eval.function_beside_module(site, *name);
                    function.map_or(Target::File(file), |function| Target::Symbols(vec![function]))
                }
                target if at == AS_TYPE => self.of_arity(target, 0),
                target => target,
            },
            Expr::Member { base, name } => self.path_target(site, expr, (*base, outline.names.get(*name)), at),
            Expr::Apply { base, args } => {
                let target = self.target(site, *base, at, role);
                self.of_arity(target, args.len())
            }
            Expr::FirstOf(parts) => self.first_target(site, parts, at, role),
            // `new T()`: a member of the name of the type is not meant.
            Expr::Instance(inner) => self.target(site, *inner, AS_TYPE, role),
            Expr::Root(_) => {
                let value = self.eval.denote(site, expr, at);
                self.target_of_value(&value)
            }
            Expr::ReceiverType if role == Role::Call => match self.eval.receiver(site) {
                Value::Instance { symbol, .. } => Target::Symbols(vec![symbol]),
                _ => Target::Nothing,
            },
            Expr::Parent if role == Role::Call => match self.eval.value_at(site, expr, at) {
                Value::Parent { symbol } => self.parent_constructor(symbol),
                _ => Target::Nothing,
            },
            // Arguments choose among overloads.
            Expr::Call { callee, args } if self.eval.has_overloads(site.file, *callee) => {
                self.call_target(site, (*callee, args), at, role)
            }
            // A call that an operator or statement implies, if the method is in the repository.
            Expr::Union(parts) if role == Role::Call && parts.len() == 1 => self.implied(site, parts[0], at),
            Expr::Definition(id) => Target::Symbols(vec![SymbolRef { file: site.file, definition: *id }]),
            // The callee is not a path, so only its value identifies the target.
            Expr::Index(_) | Expr::Call { .. } | Expr::Union(_) if role == Role::Call => {
                match self.eval.value_at(site, expr, at) {
                    Value::Symbol { symbol, .. } if self.world().definition(symbol).kind.is_type() => {
                        Target::Symbols(vec![symbol])
                    }
                    _ => Target::Nothing,
                }
            }
            Expr::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    if let Target::Symbols(symbols) = self.target(site, *part, at, role) {
                        all.extend(symbols);
                    }
                }
                if all.is_empty() { Target::Nothing } else { Target::Symbols(all) }
            }
            _ => Target::Nothing,
        }
    }

    /// Returns the first target that is known; a method that the file does not see is meant only if nothing else is.
    fn first_target(&mut self, site: UseSite, parts: &[ExprId], at: u32, role: Role) -> Target {
        let targets: Vec<Target> = parts.iter().map(|part| self.target(site, *part, at, role)).collect();
        let is_local = targets.contains(&Target::Nothing);
        let mut hidden = None;
        for target in targets {
            match &target {
                Target::Unresolved(_) | Target::Nothing => {}
                Target::Symbols(symbols) if symbols.first().is_some_and(|first| self.eval.is_hidden(site, *first)) => {
                    hidden = hidden.or(Some(target));
                }
                _ => return target,
            }
        }
        let unknown = if is_local { Target::Nothing } else { Target::Unresolved(Unresolved::UnknownName) };
        hidden.unwrap_or(unknown)
    }

    /// Returns a target whose types have a number of type parameters, where types of one name differ by it.
    fn of_arity(&mut self, target: Target, count: usize) -> Target {
        match target {
            Target::Symbols(symbols) => {
                Target::Symbols(symbols.into_iter().map(|symbol| self.eval.of_arity(symbol, count)).collect())
            }
            other => other,
        }
    }

    fn parent_constructor(&mut self, symbol: SymbolRef) -> Target {
        let base = self.eval.bases(symbol).iter().find_map(|base| match base {
            Value::Instance { symbol, .. } => Some(*symbol),
            _ => None,
        });
        base.map_or(Target::Nothing, |symbol| Target::Symbols(vec![symbol]))
    }

    pub(super) fn name_target(&mut self, site: UseSite, name: Atom, at: u32) -> Target {
        let found = self.eval.lookup(site, name, at);
        let mut is_unknown = found.is_empty();
        let mut module = None;
        for found in found {
            match found.binding.kind {
                BindingKind::Local { .. } | BindingKind::Parameter { .. } => return Target::Nothing,
                BindingKind::TypeParameter(..) | BindingKind::ExtensionParameter(..) => return Target::Nothing,
                _ => {
                    let value = self.eval.denoted(found);
                    match value {
                        // The import of something that is not found.
                        Value::Unknown => is_unknown |= matches!(found.binding.kind, BindingKind::Import(_)),
                        Value::Module(_) => module = module.or(Some(value)),
                        _ => return self.target_of_value(&value),
                    }
                }
            }
        }
        match module.or_else(|| self.eval.resolve_unbound(site, name)) {
            Some(value) => self.target_of_value(&value),
            None if is_unknown => Target::Unresolved(Unresolved::UnknownName),
            None => Target::Nothing,
        }
    }

    /// Returns the functions that a call of a local variable runs which is a member of a value:
    /// `const { close } = dialog()`.
    fn taken_member(&mut self, site: UseSite, name: Atom, at: u32) -> Target {
        let found = self.eval.lookup(site, name, at).next();
        let Some(BindingKind::Local { value: Some(value), .. }) = found.map(|found| found.binding.kind) else {
            return Target::Nothing;
        };
        if !self.is_taken_member(site.file, value) {
            return Target::Nothing;
        }
        let value = found.map_or(Value::Unknown, |found| self.eval.denoted(found));
        let called = value.alternatives().iter().filter_map(|part| match part {
            Value::Symbol { symbol, .. } if self.world().definition(*symbol).kind.is_callable() => Some(*symbol),
            _ => None,
        });
        let called: Vec<SymbolRef> = called.collect();
        if called.is_empty() { Target::Nothing } else { Target::Symbols(called) }
    }

    /// Returns whether the value of a variable is a member of another value, in a language where that can be a function.
    fn is_taken_member(&self, file: FileIndex, value: ExprId) -> bool {
        let world = self.world();
        let is_member = matches!(world.code(file).expressions[value.0 as usize], Expr::Member { .. });
        is_member && world.rules(file).traits().fields_may_be_functions
    }

    /// Returns what a name behind a dot or in a path means.
    fn path_target(&mut self, site: UseSite, expr: ExprId, (base, name): (ExprId, &str), at: u32) -> Target {
        let base = self.eval.member_base(site, base, at);
        // Of a path of namespaces in C++ more matters than its last name.
        if matches!(base, Value::Module(_)) && self.eval.rules(site.file).traits().overloads_in_namespaces {
            match self.eval.denote(site, expr, at) {
                Value::Unknown => {}
                value => return self.target_of_value(&value),
            }
        }
        self.member_target(site, &base, name)
    }

    fn member_target(&mut self, site: UseSite, base: &Value, name: &str) -> Target {
        let members = self.eval.members(base, name);
        if !members.is_empty() {
            return Target::Symbols(members.into_iter().map(|member| member.symbol).collect());
        }
        match self.eval.member_denoted_at(site, base, name) {
            Value::Unknown => match base {
                Value::Unknown => Target::Unresolved(Unresolved::UnknownReceiver),
                Value::Parameter(_) => Target::Unresolved(Unresolved::UnknownReceiver),
                // What a function or variable without a type has is not known.
                Value::Symbol { symbol, .. } if self.is_untyped(*symbol) => {
                    Target::Unresolved(Unresolved::UnknownReceiver)
                }
                _ => Target::Unresolved(Unresolved::UnknownMember),
            },
            value => self.target_of_value(&value),
        }
    }

    /// Returns whether a call names a module: what it calls has the same name.
    fn is_call_of_module(&self, role: Role, target: &Target) -> bool {
        let is_module = |symbol: &SymbolRef| self.world().definition(*symbol).flags.is_module;
        role == Role::Call && matches!(target, Target::Symbols(symbols) if symbols.first().is_some_and(is_module))
    }

    /// Returns whether a symbol is a value of a language that is read by names alone.
    fn is_untyped(&self, symbol: SymbolRef) -> bool {
        self.world().rules(symbol.file).traits().resolves_by_name && !self.world().definition(symbol).kind.is_type()
    }

    pub(super) fn target_of_value(&mut self, value: &Value) -> Target {
        match value {
            Value::Symbol { symbol, .. } => Target::Symbols(vec![*symbol]),
            Value::Module(module) => self.world().modules.get(*module).file.map_or(Target::Nothing, Target::File),
            Value::External { name, .. } => Target::External(name.to_string()),
            Value::ExternalMethod { receiver, name } => match &**receiver {
                Value::ExternalInstance { name: owner, .. } | Value::External { name: owner, .. } => {
                    Target::External(format!("{owner}.{name}"))
                }
                _ => Target::Nothing,
            },
            Value::Unknown => Target::Unresolved(Unresolved::UnknownName),
            Value::Union(parts) => {
                let symbols = parts.iter().filter_map(|part| match part {
                    Value::Symbol { symbol, .. } => Some(*symbol),
                    _ => None,
                });
                let symbols: Vec<SymbolRef> = symbols.collect();
                let module = parts.iter().find(|part| matches!(part, Value::Module(_)));
                match (symbols.len(), module) {
                    (0, Some(module)) => self.target_of_value(module),
                    (0, None) => Target::Nothing,
                    (1, _) => Target::Symbols(symbols),
                    _ => Target::OneOf(symbols),
                }
            }
            _ => Target::Nothing,
        }
    }
}

fn is_variable(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Field | SymbolKind::Const | SymbolKind::Var)
}

pub(super) fn definition_endpoint(symbol: SymbolRef) -> EdgeEndpoint {
    EdgeEndpoint::Definition { file: symbol.file, definition: symbol.definition }
}
