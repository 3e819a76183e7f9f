//! Remote procedures: from code that calls the client of a service to the procedure in the service's definition.
//!
//! The definition of a service (`service Greeter` in Protocol Buffers) has no code. Generators make types of it, whose
//! names follow from its own: `GreeterClient`, `GreeterStub`, `GreeterServicer`. Repositories often lack the generated
//! files, so these names are the relation. Implementations need the bases of all types and are found in
//! `graph::derive::rpc`.

use std::collections::BTreeSet;

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

/// Returns the services that a name can be a client of: `GreeterClient`, `NewGreeterClient`.
pub fn clients(name: &str) -> impl Iterator<Item = &str> {
    let generated = generated_from(name.strip_prefix("New").unwrap_or(name));
    generated.into_iter().filter(|(side, _)| *side == Side::Client).map(|(_, service)| service)
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

/// Returns the name that the definition of a procedure binds besides, for methods of its name whose service is unknown;
/// `procedure` is [`plain`].
pub fn method_binding(procedure: &str) -> String {
    format!("rpc {procedure}")
}

/// A definition of a service, or of a part of it.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a, T> {
    pub definition: T,
    /// Its file.
    pub file: &'a str,
    /// The package that the file declares.
    pub package: &'a str,
}

/// Returns the definitions of several with one name that a type belongs to: the one whose file has the most folders and
/// words in common with the type's path, and its copies in other files, which declare the same package. None if two that
/// are no copies have as many.
pub fn nearest<T: Copy>(candidates: &[Candidate<'_, T>], path: &str) -> Vec<T> {
    let words = |path| BTreeSet::from_iter(str::split(path, ['/', '.', ':']).filter(|word| !word.is_empty()));
    let own = words(path);
    let in_common = |file| words(file).intersection(&own).count();
    let best = candidates.iter().map(|candidate| in_common(candidate.file)).max();
    let mut nearest = candidates.iter().filter(|candidate| Some(in_common(candidate.file)) == best);
    let Some(first) = nearest.next() else { return Vec::new() };
    let is_copy = |other: &&Candidate<'_, T>| !first.package.is_empty() && other.package == first.package;
    match nearest.all(|other| is_copy(&other)) {
        true if first.package.is_empty() => vec![first.definition],
        true => candidates.iter().filter(is_copy).map(|copy| copy.definition).collect(),
        false => Vec::new(),
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
        let candidate = |definition, file, package| Candidate { definition, file, package };
        let candidates = [
            candidate(1, "api/runtime/v1/api.proto", "runtime.v1"),
            candidate(2, "api/runtime/v1beta/api.proto", "runtime.v1beta"),
        ];
        assert_eq!(nearest(&candidates, "k8s.io/api/runtime/v1.RuntimeClient"), [1]);
        assert!(nearest(&candidates, "app/main.go").is_empty());
        assert_eq!(nearest(&candidates[..1], "app/main.go"), [1]);
    }

    #[test]
    fn copies_of_a_file_are_one_service() {
        let candidate = |definition, file, package| Candidate { definition, file, package };
        let copies = [candidate(1, "a/shop.proto", "shop"), candidate(2, "b/shop.proto", "shop")];
        assert_eq!(nearest(&copies, "b/main.go"), [1, 2]);
        assert_eq!(nearest(&copies, "c/main.go"), [1, 2]);
        let unnamed = [candidate(1, "a/shop.proto", ""), candidate(2, "b/shop.proto", "")];
        assert_eq!(nearest(&unnamed, "b/main.go"), [2]);
        assert!(nearest(&unnamed, "c/main.go").is_empty());
    }
}
