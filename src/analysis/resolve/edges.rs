//! Resolves one file's imports, bases and references to edges.

use std::collections::BTreeMap;

use super::eval::{AS_TYPE, Evaluator, plain_name};
use super::input::FileIndex;
use super::output::{EdgeEndpoint, FileResolution, ResolvedEdge, Unresolved, UnresolvedReference};
use super::roles::{edge_type, external_edge_type};
use super::rules::UseSite;
use super::scip::ScipOutcome;
use super::value::{SymbolRef, Value};
use super::world::World;
use super::{guess, procedures};
use crate::facts::{
    Atom, BaseRelation, BindingKind, Container, DefId, Expr, ExprId, ImportName, Reference, Role, ScopeId, ScopeKind,
};
use crate::model::{EdgeType, Provenance};

/// The outcome of resolving a reference.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Symbols(Vec<SymbolRef>),
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
}

/// Resolves all references of a file.
pub fn resolve_file(world: &World<'_>, file: FileIndex) -> FileResolution {
    let mut edges = FileEdges {
        file,
        eval: Evaluator::new(world, file),
        edges: BTreeMap::new(),
        unresolved: BTreeMap::from_iter(world.outline(file).is_mostly_errors.then_some((Unresolved::MostlyErrors, 1))),
        unresolved_references: Vec::new(),
        scip_outcomes: BTreeMap::new(),
        found: procedures::Found::default(),
    };
    edges.add_imports();
    edges.add_bases();
    edges.add_references();
    edges.add_procedures();
    edges.add_signals();
    edges.add_scip();
    edges.add_documents();
    edges.add_declarations();
    let looked_up = edges.eval.unmentioned_lookups();
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
    FileResolution { edges: list.collect(), looked_up, unresolved, unresolved_references, steps, scip }
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
        if source == target && edge_type != EdgeType::Calls {
            return;
        }
        let is_guess =
            provenance == Provenance::AstResolved && edge_type != EdgeType::Declares && self.has_twin(&target);
        let provenance = if is_guess { Provenance::AstInferred } else { provenance };
        let confidence = if is_guess { provenance.confidence() } else { confidence };
        // Of several ways to the same edge, the highest confidence counts.
        let entry = self.edges.entry((source, target, edge_type)).or_insert((provenance, confidence));
        if confidence > entry.1 {
            *entry = (provenance, confidence);
        }
    }

    /// Returns whether another definition of the same full name is as near as the target of an edge, or as its type.
    fn has_twin(&mut self, target: &EdgeEndpoint) -> bool {
        let world = self.world();
        let EdgeEndpoint::Definition { file, definition } = *target else { return false };
        if world.twins.is_empty() || file == self.file {
            return false;
        }
        let mut at = SymbolRef { file, definition };
        while let Container::Definition(owner) = world.definition(at).container {
            at.definition = owner;
        }
        self.eval.consult(at);
        world.twins.is_ambiguous(world.files, self.file, at)
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
                Target::Symbols(symbols) => symbols.first().map(|symbol| definition_endpoint(*symbol)),
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
            let site = UseSite { file: self.file, scope: definition.scope };
            for base in &definition.bases {
                let edge_type = match base.relation {
                    BaseRelation::Extends => EdgeType::Extends,
                    BaseRelation::Implements | BaseRelation::OfType => EdgeType::Implements,
                    BaseRelation::Overridden => {
                        let method = SymbolRef { file: self.file, definition: number };
                        if let Some(found) = self.eval.overridden(method, base.expr) {
                            self.add_resolved(source.clone(), definition_endpoint(found), EdgeType::Overrides);
                        }
                        continue;
                    }
                };
                self.add_base(source.clone(), site, base.expr, edge_type);
            }
            self.add_implemented(SymbolRef { file: self.file, definition: number });
        }
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
            Target::Symbols(symbols) => {
                for symbol in symbols {
                    let symbol = self.eval.companion(symbol, true);
                    if self.world().definition(symbol).kind.is_type() {
                        self.add_resolved(source.clone(), definition_endpoint(symbol), edge_type);
                    }
                }
            }
            Target::External(name) => self.add_resolved(source, EdgeEndpoint::External(name), edge_type),
            Target::File(_) => {}
            Target::Nothing => self.add_unknown_base(&source, site.file, expr),
            Target::Unresolved(reason) => {
                self.add_unknown_base(&source, site.file, expr);
                *self.unresolved.entry(reason).or_default() += 1;
            }
        }
    }

    fn add_references(&mut self) {
        let code = self.world().code(self.file);
        let references = (0_u32..).zip(&code.references);
        for (index, reference) in references.filter(|(_, reference)| reference.role != Role::Document) {
            let site = UseSite { file: self.file, scope: reference.scope };
            let at = if reference.role == Role::Type { AS_TYPE } else { reference.position };
            let target = self.target(site, reference.expr, at, reference.role);
            let (target, is_confirmed) = self.apply_scip(reference, target);
            let provenance = if is_confirmed { Provenance::Scip } else { Provenance::AstResolved };
            let source = self.source(reference.source);
            match target {
                Target::Symbols(symbols) => {
                    for symbol in symbols {
                        let symbol = self.for_role(symbol, reference.role);
                        let is_callable = self.world().definition(symbol).kind.is_callable();
                        if reference.role == Role::Destructure && is_callable {
                            continue;
                        }
                        let edge_type = self.edge_type(reference.role, symbol);
                        let target = definition_endpoint(symbol);
                        self.add(source.clone(), target, edge_type, provenance, provenance.confidence());
                    }
                }
                Target::File(file) => self.add_resolved(source, EdgeEndpoint::File(file), EdgeType::References),
                Target::External(name) if self.foreign_extension(site, reference, at).is_none() => {
                    self.add_resolved(source, EdgeEndpoint::External(name), external_edge_type(reference.role));
                }
                Target::External(_) | Target::Nothing => {
                    if let Some(symbol) = self.foreign_extension(site, reference, at) {
                        let (edge_type, provenance) = (self.edge_type(reference.role, symbol), Provenance::AstInferred);
                        self.add(source, definition_endpoint(symbol), edge_type, provenance, provenance.confidence());
                    }
                }
                // A plugin of the test runner has it, or it is a parameter of the test alone.
                Target::Unresolved(_) if reference.role == Role::Fixture => {}
                Target::Unresolved(reason) => self.guess(index, reference, source, reason),
            }
        }
    }

    /// Returns the extension method that a call on a member of an external value suggests, whose type is unknown.
    fn foreign_extension(&mut self, site: UseSite, reference: &Reference, at: u32) -> Option<SymbolRef> {
        if reference.role != Role::Call {
            return None;
        }
        let name = plain_name(self.world().outline(self.file).names.get(self.member_name(reference.expr)?));
        let symbol = self.eval.rules(self.file).only_extension(&mut self.eval, name)?;
        let base = self.member_object(reference.expr)?;
        let is_foreign = matches!(self.eval.member_base(site, base, at), Value::ExternalMethod { .. });
        is_foreign.then_some(symbol)
    }

    /// Returns the value whose member an expression names.
    fn member_object(&self, expr: ExprId) -> Option<ExprId> {
        match &self.world().code(self.file).expressions[expr.0 as usize] {
            Expr::Member { base, .. } => Some(*base),
            Expr::Apply { base, .. } | Expr::Call { callee: base, .. } => self.member_object(*base),
            _ => None,
        }
    }

    fn edge_type(&self, role: Role, symbol: SymbolRef) -> EdgeType {
        let target = self.world().definition(symbol);
        match role {
            Role::Call if target.kind.is_type() && self.eval.rules(self.file).calls_of_types_convert() => {
                EdgeType::TypeHintOf
            }
            _ => edge_type(role, target),
        }
    }

    /// Picks the type or the value of a shared name according to the reference's role.
    fn for_role(&mut self, symbol: SymbolRef, role: Role) -> SymbolRef {
        let other = self.eval.companion(symbol, role == Role::Type);
        let is_function = role == Role::Call && self.world().definition(other).kind.is_callable();
        if is_function || role == Role::Type { other } else { symbol }
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
                    let name = self.world().outline(self.file).names.key(name);
                    self.unresolved_references.push(UnresolvedReference { name, reference: index });
                }
            }
        }
    }

    /// Returns the symbol that the name of an unresolved member suggests, or the reason why there is none.
    pub(super) fn guessed(&mut self, reference: &Reference, reason: Unresolved) -> Result<SymbolRef, Unresolved> {
        match (self.member_name(reference.expr), reason) {
            (Some(name), Unresolved::UnknownReceiver) => {
                guess::by_name(&mut self.eval, self.file, reference.source, name, reference.role)
            }
            _ => Err(reason),
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
            Expr::Name(name) => self.name_target(site, *name, at),
            Expr::Member { base, name } => {
                let base = self.eval.member_base(site, *base, at);
                let name = outline.names.get(*name);
                self.member_target(&base, name)
            }
            Expr::Apply { base, .. } => self.target(site, *base, at, role),
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
            Expr::Call { callee, args } if self.eval.rules(site.file).chooses_overloads() => {
                if self.eval.rules(site.file).links_files() && self.is_construction(*callee) {
                    return self.construction(site, (*callee, args), at);
                }
                match self.eval.overload(site, *callee, args, at) {
                    Some(chosen) => Target::Symbols(vec![chosen.symbol]),
                    None => match self.target(site, *callee, at, role) {
                        Target::Symbols(symbols) if self.eval.rules(site.file).links_files() => {
                            let made =
                                symbols.first().and_then(|made| self.eval.constructor_for(*made, site, args, at));
                            Target::Symbols(symbols.into_iter().chain(made).collect())
                        }
                        target => target,
                    },
                }
            }
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

    fn is_construction(&self, callee: ExprId) -> bool {
        matches!(self.world().code(self.file).expressions[callee.0 as usize], Expr::Instance(_))
    }

    /// Returns a type and its constructor for these arguments; nothing if the type declares none.
    fn construction(&mut self, site: UseSite, (callee, args): (ExprId, &[ExprId]), at: u32) -> Target {
        let made = match self.eval.constructed(site, callee, at) {
            Some(made) => self.eval.constructor_for(made, site, args, at).map(|constructor| vec![made, constructor]),
            None => None,
        };
        made.map_or(Target::Nothing, Target::Symbols)
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
        let is_empty = found.is_empty();
        let mut module = None;
        for found in found {
            match found.binding.kind {
                BindingKind::Local { .. } | BindingKind::Parameter { .. } => return Target::Nothing,
                BindingKind::TypeParameter(..) | BindingKind::ExtensionParameter(..) => return Target::Nothing,
                _ => {
                    let value = self.eval.denoted(found);
                    match value {
                        Value::Unknown => {}
                        Value::Module(_) => module = module.or(Some(value)),
                        _ => return self.target_of_value(&value),
                    }
                }
            }
        }
        match module.or_else(|| self.eval.resolve_unbound(site, name)) {
            Some(value) => self.target_of_value(&value),
            None if is_empty => Target::Unresolved(Unresolved::UnknownName),
            None => Target::Nothing,
        }
    }

    fn member_target(&mut self, base: &Value, name: &str) -> Target {
        let members = self.eval.members(base, name);
        if !members.is_empty() {
            return Target::Symbols(members.into_iter().map(|member| member.symbol).collect());
        }
        match self.eval.member_denoted(base, name) {
            Value::Unknown => match base {
                Value::Unknown => Target::Unresolved(Unresolved::UnknownReceiver),
                Value::Parameter(_) => Target::Unresolved(Unresolved::UnknownReceiver),
                _ => Target::Unresolved(Unresolved::UnknownMember),
            },
            value => self.target_of_value(&value),
        }
    }

    fn target_of_value(&mut self, value: &Value) -> Target {
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
                let symbols: Vec<SymbolRef> = parts
                    .iter()
                    .filter_map(|part| match part {
                        Value::Symbol { symbol, .. } => Some(*symbol),
                        _ => None,
                    })
                    .collect();
                if symbols.is_empty() { Target::Nothing } else { Target::Symbols(symbols) }
            }
            _ => Target::Nothing,
        }
    }
}

pub(super) fn definition_endpoint(symbol: SymbolRef) -> EdgeEndpoint {
    EdgeEndpoint::Definition { file: symbol.file, definition: symbol.definition }
}
