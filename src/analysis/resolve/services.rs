//! Remote procedures: from code that calls the client of a service to the procedure in the service's definition.
//!
//! The definition of a service (`service Greeter` in Protocol Buffers) has no code. Generators make types of it, whose
//! names follow from its own: `GreeterClient`, `GreeterStub`, `GreeterServicer`. Repositories often lack the generated
//! files, so these names are the relation. Implementations need the bases of all types and are found in
//! `graph::derive::rpc`.

use std::collections::BTreeSet;

use super::edges::{FileEdges, Target, definition_endpoint};
use super::eval::plain_name;
use super::input::FileIndex;
use super::output::{EdgeEndpoint, Unresolved};
use super::rules::UseSite;
use super::value::SymbolRef;
use crate::facts::{BindingKind, Container, DefId, ExprId, NameKey, Role, name_key};
use crate::model::{EdgeType, Provenance, SymbolKind};

/// The side of a service that a generated type is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The type calls the service.
    Client,
    /// The type is a base of the service's implementations.
    Server,
}

/// Endings of the names of generated types, after the service's name.
///
/// From the documentation of gRPC's generators (Go, Python, Java, Kotlin, C#, C++, Ruby, Node.js, Web, PHP, Swift), tonic,
/// Connect, Twirp and ts-proto.
const ENDINGS: &[(&str, Side)] = &[
    ("BlockingStub", Side::Client),
    ("BlockingV2Stub", Side::Client),
    ("FutureStub", Side::Client),
    ("CoroutineStub", Side::Client),
    ("AsyncStub", Side::Client),
    ("Stub", Side::Client),
    ("PromiseClient", Side::Client),
    ("AsyncClient", Side::Client),
    ("NIOClient", Side::Client),
    ("Client", Side::Client),
    ("ImplBase", Side::Server),
    ("CoroutineImplBase", Side::Server),
    ("Servicer", Side::Server),
    ("Provider", Side::Server),
    ("AsyncProvider", Side::Server),
    ("Controller", Side::Server),
    ("Handler", Side::Server),
    ("Server", Side::Server),
    ("Base", Side::Server),
];

/// Names of generated types inside a type or module of the service's name.
const INNER: &[(&str, Side)] = &[
    ("Stub", Side::Client),
    ("StubInterface", Side::Client),
    ("Client", Side::Client),
    ("Service", Side::Server),
    ("AsyncService", Side::Server),
    ("CallbackService", Side::Server),
];

/// Beginnings of the names of generated types, before the service's name.
const BEGINNINGS: &[&str] = &["Unimplemented", "Unsafe", "I"];

/// Returns the services of which generators would make a type of this dotted name, with the type's side. Few of the
/// results are services.
pub fn generated_from(path: &str) -> Vec<(Side, &str)> {
    let (outer, last) = path.rsplit_once('.').unwrap_or(("", path));
    let outer = outer.rsplit(['.', '/']).next().unwrap_or(outer);
    let mut found = Vec::new();
    let inner = INNER.iter().filter(|(name, _)| *name == last && !outer.is_empty());
    found.extend(inner.map(|(_, side)| (*side, outer)));
    for (ending, side) in ENDINGS {
        let Some(service) = last.strip_suffix(ending) else { continue };
        let begun = BEGINNINGS.iter().filter_map(|beginning| service.strip_prefix(beginning));
        let services = begun.chain([service]).filter(|service| !service.is_empty());
        found.extend(services.map(|service| (*side, service)));
    }
    found
}

/// Returns a name in the form that is the same for every language's custom: `SayHello`, `say_hello` and `sayHello`.
pub fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// Returns the names of the procedure that a method can stand for: C# adds `Async` to those of its clients.
pub fn procedures(method: &str) -> impl Iterator<Item = String> {
    let synchronous = method.strip_suffix("Async").filter(|name| !name.is_empty());
    std::iter::once(method).chain(synchronous).map(plain)
}

/// Returns the name that the definition of a service binds, for code of every language.
pub fn service_binding(service: &str) -> String {
    format!("service {}", plain(service))
}

/// Returns the name that the definition of a procedure binds, for code of every language; `procedure` is [`plain`].
pub fn procedure_binding(service: &str, procedure: &str) -> String {
    format!("rpc {}.{procedure}", plain(service))
}

/// Returns the name that the definition of a procedure binds besides, for methods that have its very name.
pub fn method_binding(procedure: &str) -> String {
    format!("rpc {procedure}")
}

/// Returns the service of several with one name that a type belongs to: the one whose file has the most folders and words
/// in common with the type's path. `None` if two have as many.
pub fn nearest<T: Copy>(candidates: &[(T, &str)], path: &str) -> Option<T> {
    let words = |path| BTreeSet::from_iter(str::split(path, ['/', '.', ':']).filter(|word| !word.is_empty()));
    let own = words(path);
    let in_common = |file| words(file).intersection(&own).count();
    let best = candidates.iter().map(|(_, file)| in_common(file)).max()?;
    let mut nearest = candidates.iter().filter(|(_, file)| in_common(file) == best);
    let first = nearest.next()?.0;
    nearest.next().is_none().then_some(first)
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
        let services = self.mentioned_services();
        if !services.is_empty() {
            self.add_calls_of_unknown_clients(&services);
        }
        self.add_implementations();
    }

    /// Adds the calls whose receiver has an unknown type, and whose name is that of a procedure of these services.
    fn add_calls_of_unknown_clients(&mut self, services: &BTreeSet<String>) {
        let world = self.world();
        let path = self.path_with_imports();
        for reference in world.code(self.file).references.iter().filter(|one| one.role == Role::Call) {
            let Some(name) = self.member_name(reference.expr) else { continue };
            let site = UseSite { file: self.file, scope: reference.scope };
            let target = self.target(site, reference.expr, reference.position, reference.role);
            if matches!(target, Target::Nothing | Target::Unresolved(Unresolved::UnknownReceiver)) {
                let caller = self.source(reference.source);
                let method = plain_name(world.outline(self.file).names.get(name));
                for service in services {
                    self.add_procedure(&caller, service, method, &path);
                }
            }
        }
    }

    /// Adds an edge from each method to the procedure of its very name whose messages its signature has, unless it calls
    /// the procedure. This is all that shows an implementation where interfaces are implicit.
    ///
    /// No lookup is recorded: a procedure that changes affects all files with its name.
    fn add_implementations(&mut self) {
        let world = self.world();
        let outline = world.outline(self.file);
        let members = DefId::sequence().zip(&outline.definitions);
        for (id, method) in members.filter(|(_, one)| one.kind == SymbolKind::Method && !one.flags.is_abstract) {
            let named = self.bound_to(name_key(&method_binding(outline.names.get(method.name))));
            if named.is_empty() {
                continue;
            }
            let words: Vec<&str> = method.signature.split(|letter: char| !letter.is_alphanumeric()).collect();
            let fits = |procedure: &SymbolRef| {
                let mut messages = messages(&world.definition(*procedure).signature).peekable();
                messages.peek().is_some() && messages.all(|message| words.contains(&message))
            };
            let fitting = named.into_iter().filter(fits).collect();
            if let Some(procedure) = self.nearest_of(fitting, &self.path_with_imports()) {
                let (source, target) = (self.source(Some(id)), definition_endpoint(procedure));
                if !self.edges.contains_key(&(source.clone(), target.clone(), EdgeType::ConsumesRpc)) {
                    let provenance = Provenance::AstInferred;
                    self.add(source, target, EdgeType::ImplementsRpc, provenance, provenance.confidence());
                }
            }
        }
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
        let binding = service_binding(world.outline(file).names.get(name));
        self.add_to_nearest(ty, &binding, world.files[file.index()].path, EdgeType::ImplementsRpc);
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
    fn mentioned_services(&mut self) -> BTreeSet<String> {
        let names = self.world().outline(self.file).names.iter();
        let mut services = BTreeSet::new();
        for name in names {
            let name = name.strip_prefix("New").unwrap_or(name);
            let clients = generated_from(name).into_iter().filter(|(side, _)| *side == Side::Client);
            services.extend(clients.map(|(_, service)| service.to_owned()));
        }
        services.retain(|service| self.has_service(service));
        services
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

    /// Returns the definition whose file is [`nearest`] to a path.
    fn nearest_of(&self, symbols: Vec<SymbolRef>, path: &str) -> Option<SymbolRef> {
        let files = self.world().files;
        let symbols: Vec<(SymbolRef, &str)> =
            symbols.into_iter().map(|symbol| (symbol, files[symbol.file.index()].path)).collect();
        nearest(&symbols, path)
    }

    /// Adds an edge to the definition with a binding that is nearest to a path.
    fn add_to_nearest(&mut self, source: &EdgeEndpoint, binding: &str, path: &str, edge_type: EdgeType) {
        let bound = self.bound(binding);
        if let Some(symbol) = self.nearest_of(bound, path) {
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
            for (file, index) in world.modules.bindings(*module, key) {
                if let BindingKind::Definition(definition) = world.outline(*file).bindings[*index as usize].kind {
                    found.push(SymbolRef { file: *file, definition });
                }
            }
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, side: Side, service: &str) {
        assert!(generated_from(path).contains(&(side, service)), "{path}: {:?}", generated_from(path));
    }

    #[test]
    fn generated_types_have_the_name_of_their_service() {
        check("helloworld_pb2_grpc.GreeterStub", Side::Client, "Greeter");
        check("helloworld_pb2_grpc.GreeterServicer", Side::Server, "Greeter");
        check("example.com/gen.UnimplementedGreeterServer", Side::Server, "Greeter");
        check("io.grpc.GreeterGrpc.GreeterFutureStub", Side::Client, "Greeter");
        check("hello.greeter_client.GreeterClient", Side::Client, "Greeter");
        check("Helloworld.Greeter.Service", Side::Server, "Greeter");
        check("a/greeter_grpc.pb.go.greeterClient", Side::Client, "greeter");
        assert!(generated_from("net/http.Client").iter().all(|(_, service)| *service == "http"));
        assert!(generated_from("Client").is_empty());
    }

    #[test]
    fn methods_stand_for_procedures_in_every_custom() {
        let names = |method| procedures(method).collect::<Vec<_>>();
        assert_eq!(names("say_hello"), ["sayhello"]);
        assert_eq!(names("SayHelloAsync"), ["sayhelloasync", "sayhello"]);
        assert_eq!(plain("GetCPUInfo"), plain("get_cpu_info"));
    }

    #[test]
    fn the_nearest_of_several_services_has_the_most_words_of_the_path() {
        let candidates = [(1, "api/runtime/v1/api.proto"), (2, "api/runtime/v1beta/api.proto")];
        assert_eq!(nearest(&candidates, "k8s.io/api/runtime/v1.RuntimeClient"), Some(1));
        assert_eq!(nearest(&candidates, "app/main.go"), None);
        assert_eq!(nearest(&candidates[..1], "app/main.go"), Some(1));
    }
}
