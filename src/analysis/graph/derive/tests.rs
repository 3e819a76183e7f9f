//! Derived edges of small graphs.

use super::*;
use crate::facts::{Container, Definition, Outline};
use crate::graph::view::{FileNode, NONE, Node, NodeFacts};
use crate::model::SymbolKind::{self, Function, Interface, Method, Type};
use crate::model::{DefId, FileIndex};

/// Names of nodes that have no definitions.
#[derive(Default)]
struct Names(Vec<&'static str>);

impl NodeFacts for Names {
    fn name(&self, position: NodeId) -> &str {
        self.0[position.index()]
    }

    fn defined(&self, _position: NodeId) -> Option<(&Outline, &Definition)> {
        None
    }
}

/// A file and its definitions.
struct OneFile<'a>(&'a str, &'a Outline);

impl NodeFacts for OneFile<'_> {
    fn name(&self, position: NodeId) -> &str {
        self.defined(position).map_or(self.0, |(outline, definition)| outline.names.get(definition.name))
    }

    fn defined(&self, position: NodeId) -> Option<(&Outline, &Definition)> {
        Some((self.1, self.1.definitions.get(position.index().checked_sub(1)?)?))
    }
}

/// A graph under construction.
#[derive(Default)]
struct TestGraph {
    nodes: Vec<Node>,
    names: Names,
    files: Vec<FileNode<'static>>,
    edges: Vec<Edge>,
}

impl TestGraph {
    fn file(&mut self, path: &'static str, language: &'static str) {
        let node = NodeId::from_index(self.nodes.len());
        self.files.push(FileNode { path, language, node });
        self.add(path, SymbolKind::File, None);
    }

    fn add(&mut self, name: &'static str, kind: SymbolKind, container: Option<NodeId>) -> NodeId {
        let file = FileIndex::from_index(self.files.len() - 1);
        let is_test = name.starts_with("test") || self.files[file.index()].path.contains("test");
        self.names.0.push(name);
        self.nodes.push(Node { kind, file, container, parent: None, is_test, is_abstract: false, shape: 0 });
        NodeId::from_index(self.nodes.len() - 1)
    }

    fn link(&mut self, source: NodeId, edge_type: EdgeType, target: NodeId) {
        let provenance = Provenance::AstResolved;
        self.edges.push(Edge { source, target, edge_type, provenance, confidence: provenance.confidence() });
    }

    fn derived(&mut self, edge_type: EdgeType) -> Vec<String> {
        self.edges.sort_by_key(|edge| (edge.source, edge.target, edge.edge_type));
        let view = GraphView { nodes: &self.nodes, facts: &self.names, files: &self.files, edges: &self.edges };
        let full = |position: NodeId| match view.node(position).container {
            Some(container) => format!("{}.{}", view.name(container), view.name(position)),
            None => view.name(position).to_owned(),
        };
        let edges = derive(&view);
        assert!(edges.is_sorted_by_key(|edge| (edge.source, edge.target, edge.edge_type)));
        let wanted = edges.iter().filter(|edge| edge.edge_type == edge_type);
        wanted.map(|edge| format!("{} {}", full(edge.source), full(edge.target))).collect()
    }
}

#[test]
fn every_symbol_has_an_owner() {
    let mut graph = TestGraph::default();
    graph.file("a.py", "python");
    let class = graph.add("A", Type, None);
    graph.add("m", Method, Some(class));
    let outer = graph.add("outer", Function, None);
    graph.add("inner", Function, None);
    graph.nodes[4].parent = Some(outer);
    assert_eq!(graph.derived(EdgeType::Contains), ["a.py A", "a.py outer", "A A.m", "outer inner"]);
    assert_eq!(graph.derived(EdgeType::MemberOf), ["A a.py", "A.m A", "outer a.py", "inner outer"]);
}

#[test]
fn methods_are_inherited_and_overridden_along_extends() {
    let mut graph = TestGraph::default();
    graph.file("a.py", "python");
    let base = graph.add("Base", Type, None);
    for name in ["one", "two"] {
        graph.add(name, Method, Some(base));
    }
    let middle = graph.add("Middle", Type, None);
    graph.add("two", Method, Some(middle));
    let leaf = graph.add("Leaf", Type, None);
    graph.add("two", Method, Some(leaf));
    graph.link(middle, EdgeType::Extends, base);
    graph.link(leaf, EdgeType::Extends, middle);
    graph.link(base, EdgeType::Extends, leaf);
    assert_eq!(graph.derived(EdgeType::Inherits), ["Middle Base.one", "Leaf Base.one"]);
    let overrides = graph.derived(EdgeType::Overrides);
    assert!(
        overrides.contains(&"Leaf.two Middle.two".to_owned()) && !overrides.contains(&"Leaf.two Base.two".to_owned())
    );
}

#[test]
fn go_method_sets_satisfy_interfaces() {
    let mut graph = TestGraph::default();
    graph.file("s/store.go", "go");
    let reader = graph.add("Reader", Interface, None);
    graph.add("Read", Method, Some(reader));
    let store = graph.add("Store", Interface, None);
    graph.add("Write", Method, Some(store));
    graph.add("Any", Interface, None);
    let base = graph.add("base", Type, None);
    graph.add("Read", Method, Some(base));
    let memory = graph.add("Memory", Type, None);
    graph.add("Write", Method, Some(memory));
    let poor = graph.add("Poor", Type, None);
    graph.add("Write", Method, Some(poor));
    graph.link(store, EdgeType::Extends, reader);
    graph.link(memory, EdgeType::Extends, base);
    assert_eq!(graph.derived(EdgeType::Implements), ["base Reader", "Memory Reader", "Memory Store"]);
    // A method with other parameter types does not implement the interface's.
    graph.nodes[base.index() + 1].shape = 1;
    graph.nodes[reader.index() + 1].shape = 2;
    assert_eq!(graph.derived(EdgeType::Implements), Vec::<String>::new());
}

#[test]
fn embedded_external_interfaces_require_methods() {
    let mut graph = TestGraph::default();
    graph.file("s/store.go", "go");
    let closing = graph.add("ReadCloser", Interface, None);
    graph.add("Close", Method, Some(closing));
    let unknown = graph.add("Unknown", Interface, None);
    graph.add("Close", Method, Some(unknown));
    let file = graph.add("File", Type, None);
    graph.add("Close", Method, Some(file));
    graph.add("Read", Method, Some(file));
    let door = graph.add("Door", Type, None);
    graph.add("Close", Method, Some(door));
    for (interface, name) in [(closing, "io.Reader"), (unknown, "example.org/other.Thing")] {
        let external = graph.add(name, SymbolKind::External, None);
        graph.nodes[external.index()].file = NONE;
        graph.link(interface, EdgeType::Extends, external);
    }
    assert_eq!(graph.derived(EdgeType::Implements), ["File ReadCloser"]);
}

#[test]
fn too_common_interface_has_no_implementors() {
    let mut graph = TestGraph::default();
    graph.file("s/store.go", "go");
    let interface = graph.add("Namer", Interface, None);
    graph.add("Name", Method, Some(interface));
    for _ in 0..201 {
        let named = graph.add("T", Type, None);
        graph.add("Name", Method, Some(named));
    }
    assert!(graph.derived(EdgeType::Implements).is_empty());
}

#[test]
fn module_level_calls_of_test_files_are_tests() {
    let mut graph = TestGraph::default();
    graph.file("cart.ts", "typescript");
    let (add, total) = (graph.add("add", Function, None), graph.add("total", Function, None));
    graph.file("cart.test.ts", "typescript");
    graph.nodes[3].is_test = true;
    graph.link(NodeId::new(3), EdgeType::Calls, add);
    graph.link(NodeId::new(3), EdgeType::Calls, total);
    assert_eq!(graph.derived(EdgeType::Tests), ["cart.test.ts add", "cart.test.ts total"]);
    assert_eq!(graph.derived(EdgeType::CoTestedWith), ["add total"]);
}

#[test]
fn requests_link_to_matching_routes() {
    let mut graph = TestGraph::default();
    graph.file("client.ts", "typescript");
    let load = graph.add("load", Function, None);
    graph.file("server.py", "python");
    for name in ["GET /users/", "POST /users", "/users", "GET /other"] {
        graph.add(name, SymbolKind::RouteHandler, None);
    }
    let address = graph.add("GET /users", SymbolKind::External, None);
    graph.nodes[address.index()].file = NONE;
    graph.link(load, EdgeType::ConsumesEndpoint, address);
    assert_eq!(graph.derived(EdgeType::ConsumesEndpoint), ["load GET /users/", "load /users"]);
}

#[test]
fn operations_link_to_their_routes_or_functions() {
    let mut graph = TestGraph::default();
    graph.file("openapi.yaml", "yaml");
    let operations = ["listUsers", "getUser", "dropUser", "PUT /gone"].map(|name| graph.add(name, Function, None));
    graph.file("server.py", "python");
    for name in ["GET /users/", "GET /api/users/<int:id>"] {
        graph.add(name, SymbolKind::RouteHandler, None);
    }
    for name in ["drop_user", "list_users"] {
        graph.add(name, Function, None);
    }
    graph.file("client.ts", "typescript");
    let remove = graph.add("remove", Function, None);
    let addresses = ["GET /users", "GET /users/{id}", "DELETE /users/{id}", "PUT /gone", "DELETE /users/:who"];
    let sources = operations.into_iter().chain([remove]);
    for (source, address) in sources.zip(addresses) {
        let address = graph.add(address, SymbolKind::External, None);
        graph.nodes[address.index()].file = NONE;
        graph.link(source, EdgeType::ConsumesEndpoint, address);
    }
    let expected =
        ["dropUser drop_user", "getUser GET /api/users/<int:id>", "listUsers GET /users/", "remove dropUser"];
    let mut found = graph.derived(EdgeType::ConsumesEndpoint);
    found.sort();
    assert_eq!(found, expected);
}

/// An operation is served by the function of its name where that is the custom of its file, by the nearest of its module.
#[test]
fn operations_are_served_by_name_where_most_are() {
    let mut graph = TestGraph::default();
    let mut operations = Vec::new();
    for (file, names) in [
        ("one/openapi.yaml", vec!["app.show", "app.echo"]),
        ("two/openapi.yaml", vec!["app.show"]),
        ("three/openapi.yaml", vec!["getState", "getLog", "setMode"]),
    ] {
        graph.file(file, "yaml");
        operations.extend(names.into_iter().map(|name| graph.add(name, Function, None)));
    }
    for (file, names) in
        [("one/app.py", vec!["show", "echo"]), ("two/app.py", vec!["show"]), ("c.py", vec!["get_state"])]
    {
        graph.file(file, "python");
        for name in names {
            graph.add(name, Function, None);
        }
    }
    for (number, source) in operations.into_iter().enumerate() {
        let address =
            graph.add(["GET /a", "GET /b", "GET /c", "GET /d", "GET /e", "GET /f"][number], SymbolKind::External, None);
        graph.nodes[address.index()].file = NONE;
        graph.link(source, EdgeType::ConsumesEndpoint, address);
    }
    let mut found = graph.derived(EdgeType::ConsumesEndpoint);
    found.sort();
    assert_eq!(found, ["app.echo echo", "app.show show", "app.show show"]);
}

#[test]
fn unexported_methods_require_same_package() {
    let mut graph = TestGraph::default();
    graph.file("a/a.go", "go");
    let interface = graph.add("Sealed", Interface, None);
    graph.add("seal", Method, Some(interface));
    let inside = graph.add("Inside", Type, None);
    graph.add("seal", Method, Some(inside));
    graph.file("b/b.go", "go");
    let outside = graph.add("Outside", Type, None);
    graph.add("seal", Method, Some(outside));
    assert_eq!(graph.derived(EdgeType::Implements), ["Inside Sealed"]);
}

#[test]
fn interface_hints_imply_few_implementors() {
    let mut graph = TestGraph::default();
    graph.file("a.ts", "typescript");
    let user = graph.add("use", Function, None);
    let interface = graph.add("I", Interface, None);
    let one = graph.add("One", Type, None);
    let fake = graph.add("testFake", Type, None);
    graph.link(user, EdgeType::TypeHintOf, interface);
    graph.link(one, EdgeType::Implements, interface);
    graph.link(fake, EdgeType::Implements, interface);
    assert_eq!(graph.derived(EdgeType::ImpliedHint), ["use One"]);
    for _ in 0..6 {
        let another = graph.add("More", Type, None);
        graph.link(another, EdgeType::Implements, interface);
    }
    assert_eq!(graph.derived(EdgeType::ImpliedHint), Vec::<String>::new());
}

#[test]
fn tests_link_to_called_symbols() {
    let mut graph = TestGraph::default();
    graph.file("a.py", "python");
    let (one, two) = (graph.add("one", Function, None), graph.add("two", Function, None));
    graph.file("test_a.py", "python");
    let helper = graph.add("test_helper", Function, None);
    let test = graph.add("test_one", Function, None);
    let external = graph.add("os.path", SymbolKind::External, None);
    graph.nodes[external.index()].file = NONE;
    for target in [one, two, helper, external] {
        graph.link(test, EdgeType::Calls, target);
    }
    assert_eq!(graph.derived(EdgeType::Tests), ["test_one one", "test_one two"]);
    assert_eq!(graph.derived(EdgeType::TestedBy), ["one test_one", "two test_one"]);
    assert_eq!(graph.derived(EdgeType::CoTestedWith), ["one two"]);
}

#[test]
fn co_tested_pairs_are_limited() {
    let mut graph = TestGraph::default();
    graph.file("a.py", "python");
    let targets: Vec<NodeId> = (0..40).map(|_| graph.add("f", Function, None)).collect();
    graph.file("test_a.py", "python");
    let test = graph.add("test_all", Function, None);
    for target in targets {
        graph.link(test, EdgeType::Calls, target);
    }
    assert_eq!(graph.derived(EdgeType::CoTestedWith).len(), 20);
}

/// A field of a schema is resolved by the function of its type and name that is in an object, and not in a type.
#[test]
fn resolvers_implement_fields() {
    let mut graph = TestGraph::default();
    graph.file("schema.graphql", "graphql");
    let query = graph.add("Query", Type, None);
    graph.add("user", SymbolKind::Field, Some(query));
    graph.add("loan", SymbolKind::Field, Some(query));
    graph.file("resolvers.js", "typescript");
    let object = graph.add("Query", SymbolKind::Var, None);
    graph.add("user", Method, Some(object));
    graph.add("user", Function, None);
    graph.file("model.js", "typescript");
    let class = graph.add("Query", Type, None);
    graph.add("loan", Method, Some(class));
    assert_eq!(graph.derived(EdgeType::ImplementsRpc), ["Query.user Query.user"]);
}

#[test]
fn resolved_edges_are_not_derived_again() {
    let mut graph = TestGraph::default();
    graph.file("a.py", "python");
    let class = graph.add("A", Type, None);
    graph.link(NodeId::new(0), EdgeType::Contains, class);
    assert_eq!(graph.derived(EdgeType::Contains), Vec::<String>::new());
}

/// Returns the overrides in a file as pairs of lines, given the bases of its types.
fn overrides_in(path: &'static str, text: &str, bases: &[(&str, EdgeType, &str)]) -> Vec<(u32, u32)> {
    let facts = crate::lang::testing::parse(path, text);
    let outline = &facts.outline;
    let language = crate::lang::language_of(path).map_or("", |language| language.name);
    let place = |id: DefId| NodeId::from_index(id.index() + 1);
    let mut nodes = vec![bare(SymbolKind::File)];
    for definition in &outline.definitions {
        let container = match definition.container {
            Container::Definition(owner) => Some(place(owner)),
            _ => None,
        };
        nodes.push(Node { container, ..bare(definition.kind) });
    }
    let facts = OneFile(path, outline);
    let named = |name: &str| NodeId::sequence().take(nodes.len()).find(|node| facts.name(*node) == name).unwrap();
    let mut edges: Vec<Edge> =
        bases.iter().map(|(source, edge_type, target)| structural(named(source), named(target), *edge_type)).collect();
    edges.sort_by_key(|edge| (edge.source, edge.target, edge.edge_type));
    let files = [FileNode { path, language, node: NodeId::default() }];
    let derived = derive(&GraphView { nodes: &nodes, facts: &facts, files: &files, edges: &edges });
    let line = |node: NodeId| outline.definitions[node.index() - 1].span.name_line;
    let overrides = derived.iter().filter(|edge| edge.edge_type == EdgeType::Overrides);
    overrides.map(|edge| (line(edge.source), line(edge.target))).collect()
}

fn bare(kind: SymbolKind) -> Node {
    Node {
        kind,
        file: FileIndex::default(),
        container: None,
        parent: None,
        is_test: false,
        is_abstract: false,
        shape: 0,
    }
}

#[test]
fn an_overload_overrides_the_one_with_its_parameters() {
    let text = "interface Sink<T> {
  void put(T one);
  void put(T one, int count);
  void put(String[] all);
}
abstract class Base implements Sink<Word> {
  public void put(Word one) {}
  static void open() {}
  private void close() {}
}
class Leaf extends Base {
  public void put(Word one, int count) {}
  public void put(String[] all) {}
  public void put(Word other) {}
  void put(long number) {}
  static void open() {}
  void close() {}
}
";
    let bases = [("Base", EdgeType::Implements, "Sink"), ("Leaf", EdgeType::Extends, "Base")];
    assert_eq!(overrides_in("a.java", text, &bases), [(7, 2), (12, 3), (13, 4), (14, 7)]);
}

#[test]
fn a_method_overrides_only_if_it_has_the_word_that_its_language_requires() {
    let kotlin = "open class Base {
  open fun one(a: Int) {}
  open fun one(a: Int, b: Alias) {}
}
class Leaf : Base() {
  fun one(a: Int) {}
  override fun one(a: Int, b: Text) {}
}
";
    assert_eq!(overrides_in("a.kt", kotlin, &[("Leaf", EdgeType::Extends, "Base")]), [(7, 3)]);
    let csharp = "interface IBase { void Run(string a); void Run(int a); }
class Base { public virtual void Go() {} }
class Leaf : Base {
  public new void Go() {}
  public void Run(int a) {}
}
";
    let bases = [("Leaf", EdgeType::Extends, "Base"), ("Leaf", EdgeType::Implements, "IBase")];
    assert_eq!(overrides_in("a.cs", csharp, &bases), [(5, 1)]);
    let cpp = "struct Base {
  virtual void one(int a);
  void two();
};
struct Leaf : Base {
  void one(int a);
  void two();
};
";
    assert_eq!(overrides_in("a.cpp", cpp, &[("Leaf", EdgeType::Extends, "Base")]), [(6, 2)]);
}

#[test]
fn labels_tell_methods_apart_that_override() {
    let swift = "protocol Watcher {
  func request(_ r: Request, didCreate task: Task)
  func request(_ r: Request, didFail error: Failure)
}
class Log: Watcher {
  func request(_ r: Request, didFail error: Failure) {}
  func request(_ r: Request, didEnd error: Failure) {}
}
";
    assert_eq!(overrides_in("a.swift", swift, &[("Log", EdgeType::Extends, "Watcher")]), [(6, 3)]);
}

#[test]
fn each_signature_of_a_function_with_several_overrides_one() {
    let text = "interface Base { get(a: string): string; get(a: number): number }
class Leaf implements Base {
  get(a: string): string
  get(a: number): number
  get(a: any): any { return a }
}
";
    assert_eq!(overrides_in("a.ts", text, &[("Leaf", EdgeType::Implements, "Base")]).len(), 3);
}
