//! Edges from code to remote procedures: by calls of clients, and by implementations. [`super::services`] has the names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::edges::{FileEdges, Target, definition_endpoint};
use super::eval::plain_name;
use super::input::FileIndex;
use super::output::{EdgeEndpoint, Unresolved};
use super::rules::UseSite;
use super::services::{
    Candidate, Side, clients, generated_from, method_binding, nearest, plain, procedure_binding, procedures,
    service_binding,
};
use super::value::SymbolRef;
use crate::facts::{BindingKind, Container, DefId, Definition, Expr, ExprId, NameKey, Reference, Role, name_key};
use crate::model::{EdgeType, Provenance, SymbolKind};

/// Maximum number of services that a call of an unknown client can mean by the name of a procedure alone.
const MAX_MEANT: usize = 4;

/// Maximum number of steps from a receiver to the client that its expression names.
const MAX_RECEIVER_STEPS: u32 = 12;

/// The services whose clients a file mentions, by their [`plain`] names.
#[derive(Default)]
struct MentionedServices {
    services: BTreeSet<String>,
    /// The services that have a procedure of a [`plain`] name.
    by_procedure: HashMap<String, Vec<String>>,
}

/// Results that are found once for a file.
#[derive(Default)]
pub(super) struct Found {
    /// The definitions with a binding that are nearest to a path, by the keys of both.
    nearest: HashMap<(NameKey, NameKey), Vec<SymbolRef>>,
    /// The procedures of a name by their first message.
    by_message: HashMap<NameKey, HashMap<NameKey, Vec<SymbolRef>>>,
    /// The procedures of a name that fit a signature: one, and its copies.
    fitting: HashMap<(NameKey, NameKey), Vec<SymbolRef>>,
}

/// Returns the names of the request and the response in a procedure's signature, without their packages. Methods have
/// other types for streams.
fn messages(signature: &str) -> impl Iterator<Item = &str> {
    let in_parentheses = signature.split('(').skip(1).filter_map(|part| part.split(')').next());
    in_parentheses
        .filter(|part| !part.trim_start().starts_with("stream "))
        .filter_map(|part| part.rsplit(['.', ' ']).find(|word| !word.is_empty()))
}

impl FileEdges<'_> {
    /// Adds an edge from each caller of a client's method to the procedure. Of a receiver whose type is unknown, the
    /// method must have the name of a procedure of a service whose client the file mentions.
    ///
    /// Without a file of services no lookup is recorded: one that comes affects all files.
    pub(super) fn add_procedures(&mut self) {
        if !self.world().has_services {
            return;
        }
        let calls = self.edges.keys().filter(|(_, _, edge_type)| *edge_type == EdgeType::Calls);
        let calls: Vec<(EdgeEndpoint, EdgeEndpoint)> = calls.map(|(from, to, _)| (from.clone(), to.clone())).collect();
        for (caller, callee) in calls {
            let Some((owner, method)) = self.called_member(&callee) else { continue };
            let clients = generated_from(&owner).into_iter().filter(|(side, _)| *side == Side::Client);
            for (_, service) in clients {
                if self.has_service(service) {
                    self.add_procedure(&caller, service, &method, &owner);
                }
            }
        }
        let mentioned = self.mentioned_services();
        if !mentioned.services.is_empty() {
            self.add_calls_of_unknown_clients(&mentioned);
        }
        self.add_implementations();
    }

    /// Adds the calls whose receiver has an unknown type, and whose name is that of a procedure of these services.
    fn add_calls_of_unknown_clients(&mut self, mentioned: &MentionedServices) {
        let world = self.world();
        let path = self.path_with_imports();
        for reference in world.code(self.file).references.iter().filter(|one| one.role == Role::Call) {
            let Some(name) = self.member_name(reference.expr) else { continue };
            let site = UseSite { file: self.file, scope: reference.scope };
            let target = self.target(site, reference.expr, reference.position, reference.role);
            if matches!(target, Target::Nothing | Target::Unresolved(Unresolved::UnknownReceiver)) {
                let caller = self.source(reference.source);
                let method = plain_name(world.outline(self.file).names.get(name));
                for service in self.meant_services(mentioned, reference, method) {
                    self.add_procedure(&caller, &service, method, &path);
                }
            }
        }
    }

    /// Returns the services that the call of a method can mean: that of the client which the receiver's expression names,
    /// or those with such a procedure, unless they are too many.
    fn meant_services(&mut self, mentioned: &MentionedServices, call: &Reference, method: &str) -> Vec<String> {
        let mut meant: Vec<String> = Vec::new();
        for procedure in procedures(method) {
            // A procedure that one of the services gets or loses.
            self.eval.record_lookup(name_key(&method_binding(&procedure)));
            let named = mentioned.by_procedure.get(&procedure).into_iter().flatten();
            meant.extend(named.take(MAX_MEANT + 1).cloned());
        }
        if meant.len() > 1
            && let Some(named) = self.named_client(mentioned, call, call.expr, 0)
        {
            return vec![named];
        }
        if meant.len() > MAX_MEANT { Vec::new() } else { meant }
    }

    /// Returns the service of whose client an expression has the name, or whose client is the value of a local variable
    /// in it: `GreeterStub(channel).SayHello`.
    fn named_client(
        &mut self,
        mentioned: &MentionedServices,
        call: &Reference,
        expr: ExprId,
        steps: u32,
    ) -> Option<String> {
        if steps > MAX_RECEIVER_STEPS {
            return None;
        }
        let world = self.world();
        match &world.code(self.file).expressions[expr.0 as usize] {
            Expr::Name(name) => {
                let text = plain_name(world.outline(self.file).names.get(*name));
                if let Some(service) = clients(text).map(plain).find(|service| mentioned.services.contains(service)) {
                    return Some(service);
                }
                let site = UseSite { file: self.file, scope: call.scope };
                let found = self.eval.lookup(site, *name, call.position).next()?;
                match found.binding.kind {
                    BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => {
                        let value = value_type.or(value).filter(|_| found.file == self.file)?;
                        self.named_client(mentioned, call, value, steps + 1)
                    }
                    _ => None,
                }
            }
            Expr::Member { base, name } => {
                let text = plain_name(world.outline(self.file).names.get(*name));
                let named = clients(text).map(plain).find(|service| mentioned.services.contains(service));
                named.or_else(|| self.named_client(mentioned, call, *base, steps + 1))
            }
            Expr::Call { callee: inner, .. }
            | Expr::Apply { base: inner, .. }
            | Expr::Instance(inner)
            | Expr::Unwrap(inner) => self.named_client(mentioned, call, *inner, steps + 1),
            _ => None,
        }
    }

    /// Adds an edge from each method to the procedure of its very name whose messages its signature has, unless it calls
    /// the procedure. This is all that shows an implementation where interfaces are implicit.
    ///
    /// No lookup is recorded: a procedure that changes affects all files with its name.
    fn add_implementations(&mut self) {
        let world = self.world();
        let outline = world.outline(self.file);
        let mut found = std::mem::take(&mut self.found);
        let members = DefId::sequence().zip(&outline.definitions);
        for (id, method) in members.filter(|(_, one)| one.kind == SymbolKind::Method && !one.flags.is_abstract) {
            let (name, signature) = (outline.names.key(method.name), name_key(&method.signature));
            let by_message = found.by_message.entry(name).or_insert_with(|| self.procedures_by_message(name, method));
            if by_message.is_empty() {
                continue;
            }
            let fitting = found.fitting.entry((name, signature));
            let fitting = fitting.or_insert_with(|| self.implemented(by_message, &method.signature));
            for procedure in fitting.clone() {
                let (source, target) = (self.source(Some(id)), definition_endpoint(procedure));
                if !self.edges.contains_key(&(source.clone(), target.clone(), EdgeType::ConsumesRpc)) {
                    let provenance = Provenance::AstInferred;
                    self.add(source, target, EdgeType::ImplementsRpc, provenance, provenance.confidence());
                }
            }
        }
        self.found = found;
    }

    /// Returns the procedures of a method's very name by their first message.
    fn procedures_by_message(&mut self, name: NameKey, method: &Definition) -> HashMap<NameKey, Vec<SymbolRef>> {
        let world = self.world();
        let text = world.outline(self.file).names.get(method.name);
        let mut by_message: HashMap<NameKey, Vec<SymbolRef>> = HashMap::new();
        for procedure in self.bound_to(name_key(&method_binding(&plain(text)))) {
            if name_key(world.name(procedure)) == name
                && let Some(first) = messages(&world.definition(procedure).signature).next()
            {
                by_message.entry(name_key(first)).or_default().push(procedure);
            }
        }
        by_message
    }

    /// Returns the nearest of the procedures, and its copies, all of whose messages a signature has.
    fn implemented(&mut self, by_message: &HashMap<NameKey, Vec<SymbolRef>>, signature: &str) -> Vec<SymbolRef> {
        let world = self.world();
        let words: BTreeSet<&str> = signature.split(|letter: char| !letter.is_alphanumeric()).collect();
        let candidates = words.iter().filter_map(|word| by_message.get(&name_key(word))).flatten().copied();
        let has_all = |procedure: &SymbolRef| {
            messages(&world.definition(*procedure).signature).all(|message| words.contains(message))
        };
        let mut fitting: Vec<SymbolRef> = candidates.filter(has_all).collect();
        fitting.sort_unstable();
        self.nearest_of(fitting, &self.path_with_imports())
    }

    /// Returns the words of the file's path and of its imports.
    fn path_with_imports(&self) -> String {
        let outline = self.world().outline(self.file);
        let imports = outline.imports.iter().flat_map(|import| &import.path).map(|name| outline.names.get(*name));
        std::iter::once(self.world().files[self.file.index()].path).chain(imports).collect::<Vec<_>>().join("/")
    }

    /// Adds an edge from a type to the service of the same name as a base in generated code that the repository lacks.
    pub(super) fn add_unknown_base(&mut self, ty: &EdgeEndpoint, file: FileIndex, base: ExprId) {
        let world = self.world();
        let Some(name) = world.last_name(file, base).filter(|_| world.has_services) else { return };
        let (name, path) = (world.outline(file).names.get(name), world.files[file.index()].path);
        let generated = generated_from(name).into_iter().filter(|(side, _)| *side == Side::Server);
        for service in std::iter::once(name).chain(generated.map(|(_, service)| service)) {
            self.add_to_nearest(ty, &service_binding(service), path, EdgeType::ImplementsRpc);
        }
    }

    /// Returns the path of the type that has a called method, and the method's name.
    fn called_member(&self, callee: &EdgeEndpoint) -> Option<(String, String)> {
        match callee {
            EdgeEndpoint::External(name) => {
                let (owner, method) = name.rsplit_once('.')?;
                Some((owner.to_owned(), method.to_owned()))
            }
            EdgeEndpoint::Definition { file, definition } => {
                let symbol = SymbolRef { file: *file, definition: *definition };
                let Container::Definition(owner) = self.world().definition(symbol).container else { return None };
                let owner = self.world().name(SymbolRef { file: *file, definition: owner });
                let path = self.world().files[file.index()].path;
                Some((format!("{path}.{owner}"), self.world().name(symbol).to_owned()))
            }
            _ => None,
        }
    }

    /// Returns the services whose clients the file mentions: `GreeterClient`, `NewGreeterClient`.
    fn mentioned_services(&mut self) -> MentionedServices {
        let world = self.world();
        let named: BTreeSet<&str> = world.outline(self.file).names.iter().flat_map(clients).collect();
        let mut mentioned = MentionedServices::default();
        let mut definitions: BTreeMap<SymbolRef, String> = BTreeMap::new();
        for service in named {
            let bound = self.bound(&service_binding(service));
            if !bound.is_empty() {
                mentioned.services.insert(plain(service));
                definitions.extend(bound.into_iter().map(|definition| (definition, plain(service))));
            }
        }
        let files: BTreeSet<FileIndex> = definitions.keys().map(|definition| definition.file).collect();
        for file in files {
            let outline = world.outline(file);
            for procedure in outline.definitions.iter().filter(|one| one.kind == SymbolKind::Method) {
                let Container::Definition(definition) = procedure.container else { continue };
                let Some(service) = definitions.get(&SymbolRef { file, definition }) else { continue };
                let services = mentioned.by_procedure.entry(plain(outline.names.get(procedure.name))).or_default();
                if services.last() != Some(service) {
                    services.push(service.clone());
                }
            }
        }
        for services in mentioned.by_procedure.values_mut() {
            services.sort_unstable();
            services.dedup();
        }
        mentioned
    }

    fn has_service(&mut self, service: &str) -> bool {
        !self.bound(&service_binding(service)).is_empty()
    }

    fn add_procedure(&mut self, caller: &EdgeEndpoint, service: &str, method: &str, owner: &str) {
        for procedure in procedures(method) {
            let binding = procedure_binding(service, &procedure);
            self.add_to_nearest(caller, &binding, owner, EdgeType::ConsumesRpc);
        }
    }

    /// Returns the definitions whose files are [`nearest`] to a path.
    fn nearest_of(&self, symbols: Vec<SymbolRef>, path: &str) -> Vec<SymbolRef> {
        let world = self.world();
        let candidate = |symbol: SymbolRef| {
            let outline = world.outline(symbol.file);
            let package = outline.package.map_or("", |package| outline.names.get(package));
            Candidate { definition: symbol, file: world.files[symbol.file.index()].path, package }
        };
        nearest(&symbols.into_iter().map(candidate).collect::<Vec<_>>(), path)
    }

    /// Adds an edge to each of the definitions with a binding that are nearest to a path.
    fn add_to_nearest(&mut self, source: &EdgeEndpoint, binding: &str, path: &str, edge_type: EdgeType) {
        let key = (name_key(binding), name_key(path));
        let nearest = match self.found.nearest.get(&key) {
            Some(known) => known.clone(),
            None => {
                let bound = self.bound(binding);
                let nearest = self.nearest_of(bound, path);
                self.found.nearest.insert(key, nearest.clone());
                nearest
            }
        };
        for symbol in nearest {
            let provenance = Provenance::AstInferred;
            self.add(source.clone(), definition_endpoint(symbol), edge_type, provenance, provenance.confidence());
        }
    }

    /// Returns the definitions to which modules of any language bind a name.
    fn bound(&mut self, name: &str) -> Vec<SymbolRef> {
        let key = name_key(name);
        self.eval.record_lookup(key);
        self.bound_to(key)
    }

    fn bound_to(&self, key: NameKey) -> Vec<SymbolRef> {
        let world = self.world();
        let mut found = Vec::new();
        for module in world.modules.binding_modules(key) {
            let bindings = world.modules.bindings(*module, key);
            self.eval.count(bindings.len());
            for (file, index) in bindings {
                if let BindingKind::Definition(definition) = world.outline(*file).bindings[*index as usize].kind {
                    found.push(SymbolRef { file: *file, definition });
                }
            }
        }
        found.sort_unstable();
        found
    }
}
