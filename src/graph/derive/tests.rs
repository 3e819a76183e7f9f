//! Small graphs written by hand, and what follows from them.

use super::*;
use crate::graph::view::{FileNode, NONE, Node};
use crate::model::SymbolKind::{self, Function, Interface, Method, Type};

/// A graph under construction; names are unique enough to talk about nodes.
#[derive(Default)]
struct PartialIndex {
    nodes: Vec<Node<'static>>,
    files: Vec<FileNode<'static>>,
    edges: Vec<Edge>,
}

impl PartialIndex {
    fn file(&mut self, path: &'static str, language: &'static str) {
        let node = self.nodes.len() as u32;
        self.files.push(FileNode { path, language, node });
        self.add(path, SymbolKind::File, None);
    }

    fn add(&mut self, name: &'static str, kind: SymbolKind, container: Option<u32>) -> u32 {
        let file = self.files.len() as u32 - 1;
        let is_test = name.starts_with("test") || self.files[file as usize].path.contains("test");
        self.nodes.push(Node { name, kind, file, container, parent: None, is_test, is_abstract: false, shape: 0 });
        self.nodes.len() as u32 - 1
    }

    fn link(&mut self, source: u32, edge_type: EdgeType, target: u32) {
        let provenance = Provenance::AstResolved;
        self.edges.push(Edge { source, target, edge_type, provenance, confidence: provenance.confidence() });
    }

    fn derived(&mut self, edge_type: EdgeType) -> Vec<String> {
        self.edges.sort_by_key(|edge| (edge.source, edge.target, edge.edge_type));
        let view = GraphView { nodes: &self.nodes, files: &self.files, edges: &self.edges };
        let full = |position: u32| match view.node(position).container {
            Some(container) => format!("{}.{}", view.node(container).name, view.node(position).name),
            None => view.node(position).name.to_owned(),
        };
        let edges = derive(&view);
        assert!(edges.is_sorted_by_key(|edge| (edge.source, edge.target, edge.edge_type)));
        let wanted = edges.iter().filter(|edge| edge.edge_type == edge_type);
        wanted.map(|edge| format!("{} {}", full(edge.source), full(edge.target))).collect()
    }
}

#[test]
fn everything_belongs_to_something() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.py", "python");
    let class = sketch.add("A", Type, None);
    sketch.add("m", Method, Some(class));
    let outer = sketch.add("outer", Function, None);
    sketch.add("inner", Function, None);
    sketch.nodes[4].parent = Some(outer);
    assert_eq!(sketch.derived(EdgeType::Contains), ["a.py A", "a.py outer", "A A.m", "outer inner"]);
    assert_eq!(sketch.derived(EdgeType::MemberOf), ["A a.py", "A.m A", "outer a.py", "inner outer"]);
}

#[test]
fn methods_are_inherited_and_overridden_along_extends() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.py", "python");
    let base = sketch.add("Base", Type, None);
    for name in ["one", "two"] {
        sketch.add(name, Method, Some(base));
    }
    let middle = sketch.add("Middle", Type, None);
    sketch.add("two", Method, Some(middle));
    let leaf = sketch.add("Leaf", Type, None);
    sketch.add("two", Method, Some(leaf));
    sketch.link(middle, EdgeType::Extends, base);
    sketch.link(leaf, EdgeType::Extends, middle);
    sketch.link(base, EdgeType::Extends, leaf);
    assert_eq!(sketch.derived(EdgeType::Inherits), ["Middle Base.one", "Leaf Base.one"]);
    let overrides = sketch.derived(EdgeType::Overrides);
    assert!(
        overrides.contains(&"Leaf.two Middle.two".to_owned()) && !overrides.contains(&"Leaf.two Base.two".to_owned())
    );
}

#[test]
fn go_types_satisfy_interfaces_by_their_method_sets() {
    let mut sketch = PartialIndex::default();
    sketch.file("s/store.go", "go");
    let reader = sketch.add("Reader", Interface, None);
    sketch.add("Read", Method, Some(reader));
    let store = sketch.add("Store", Interface, None);
    sketch.add("Write", Method, Some(store));
    sketch.add("Any", Interface, None);
    let base = sketch.add("base", Type, None);
    sketch.add("Read", Method, Some(base));
    let memory = sketch.add("Memory", Type, None);
    sketch.add("Write", Method, Some(memory));
    let poor = sketch.add("Poor", Type, None);
    sketch.add("Write", Method, Some(poor));
    sketch.link(store, EdgeType::Extends, reader);
    sketch.link(memory, EdgeType::Extends, base);
    assert_eq!(sketch.derived(EdgeType::Implements), ["base Reader", "Memory Reader", "Memory Store"]);
    // A parameter of another type makes it another method.
    sketch.nodes[base as usize + 1].shape = 1;
    sketch.nodes[reader as usize + 1].shape = 2;
    assert_eq!(sketch.derived(EdgeType::Implements), Vec::<String>::new());
}

#[test]
fn interfaces_that_embed_foreign_ones_need_their_methods_too() {
    let mut sketch = PartialIndex::default();
    sketch.file("s/store.go", "go");
    let closing = sketch.add("ReadCloser", Interface, None);
    sketch.add("Close", Method, Some(closing));
    let unknown = sketch.add("Unknown", Interface, None);
    sketch.add("Close", Method, Some(unknown));
    let file = sketch.add("File", Type, None);
    sketch.add("Close", Method, Some(file));
    sketch.add("Read", Method, Some(file));
    let door = sketch.add("Door", Type, None);
    sketch.add("Close", Method, Some(door));
    for (interface, name) in [(closing, "io.Reader"), (unknown, "example.org/other.Thing")] {
        let external = sketch.add(name, SymbolKind::External, None);
        sketch.nodes[external as usize].file = NONE;
        sketch.link(interface, EdgeType::Extends, external);
    }
    assert_eq!(sketch.derived(EdgeType::Implements), ["File ReadCloser"]);
}

#[test]
fn an_interface_that_everything_satisfies_gets_no_implementors() {
    let mut sketch = PartialIndex::default();
    sketch.file("s/store.go", "go");
    let interface = sketch.add("Namer", Interface, None);
    sketch.add("Name", Method, Some(interface));
    for _ in 0..201 {
        let named = sketch.add("T", Type, None);
        sketch.add("Name", Method, Some(named));
    }
    assert!(sketch.derived(EdgeType::Implements).is_empty());
}

#[test]
fn what_a_test_file_calls_outside_functions_is_tested() {
    let mut sketch = PartialIndex::default();
    sketch.file("cart.ts", "typescript");
    let (add, total) = (sketch.add("add", Function, None), sketch.add("total", Function, None));
    sketch.file("cart.test.ts", "typescript");
    sketch.nodes[3].is_test = true;
    sketch.link(3, EdgeType::Calls, add);
    sketch.link(3, EdgeType::Calls, total);
    assert_eq!(sketch.derived(EdgeType::Tests), ["cart.test.ts add", "cart.test.ts total"]);
    assert_eq!(sketch.derived(EdgeType::CoTestedWith), ["add total"]);
}

#[test]
fn requests_meet_the_routes_that_serve_them() {
    let mut sketch = PartialIndex::default();
    sketch.file("client.ts", "typescript");
    let load = sketch.add("load", Function, None);
    sketch.file("server.py", "python");
    for name in ["GET /users/", "POST /users", "/users", "GET /other"] {
        sketch.add(name, SymbolKind::RouteHandler, None);
    }
    let address = sketch.add("GET /users", SymbolKind::External, None);
    sketch.nodes[address as usize].file = NONE;
    sketch.link(load, EdgeType::ConsumesEndpoint, address);
    assert_eq!(sketch.derived(EdgeType::ConsumesEndpoint), ["load GET /users/", "load /users"]);
}

#[test]
fn private_methods_bind_an_interface_to_its_package() {
    let mut sketch = PartialIndex::default();
    sketch.file("a/a.go", "go");
    let interface = sketch.add("Sealed", Interface, None);
    sketch.add("seal", Method, Some(interface));
    let inside = sketch.add("Inside", Type, None);
    sketch.add("seal", Method, Some(inside));
    sketch.file("b/b.go", "go");
    let outside = sketch.add("Outside", Type, None);
    sketch.add("seal", Method, Some(outside));
    assert_eq!(sketch.derived(EdgeType::Implements), ["Inside Sealed"]);
}

#[test]
fn hints_of_an_interface_lead_to_its_implementors() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.ts", "typescript");
    let user = sketch.add("use", Function, None);
    let interface = sketch.add("I", Interface, None);
    let one = sketch.add("One", Type, None);
    let fake = sketch.add("testFake", Type, None);
    sketch.link(user, EdgeType::TypeHintOf, interface);
    sketch.link(one, EdgeType::Implements, interface);
    sketch.link(fake, EdgeType::Implements, interface);
    assert_eq!(sketch.derived(EdgeType::ImpliedHint), ["use One"]);
    for _ in 0..6 {
        let another = sketch.add("More", Type, None);
        sketch.link(another, EdgeType::Implements, interface);
    }
    assert_eq!(sketch.derived(EdgeType::ImpliedHint), Vec::<String>::new());
}

#[test]
fn tests_lead_to_what_they_call() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.py", "python");
    let (one, two) = (sketch.add("one", Function, None), sketch.add("two", Function, None));
    sketch.file("test_a.py", "python");
    let helper = sketch.add("test_helper", Function, None);
    let test = sketch.add("test_one", Function, None);
    sketch.nodes.push(Node { name: "os.path", kind: SymbolKind::External, file: NONE, ..sketch.nodes[0] });
    for target in [one, two, helper, sketch.nodes.len() as u32 - 1] {
        sketch.link(test, EdgeType::Calls, target);
    }
    assert_eq!(sketch.derived(EdgeType::Tests), ["test_one one", "test_one two"]);
    assert_eq!(sketch.derived(EdgeType::TestedBy), ["one test_one", "two test_one"]);
    assert_eq!(sketch.derived(EdgeType::CoTestedWith), ["one two"]);
}

#[test]
fn a_test_of_everything_gives_twenty_pairs() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.py", "python");
    let targets: Vec<u32> = (0..40).map(|_| sketch.add("f", Function, None)).collect();
    sketch.file("test_a.py", "python");
    let test = sketch.add("test_all", Function, None);
    for target in targets {
        sketch.link(test, EdgeType::Calls, target);
    }
    assert_eq!(sketch.derived(EdgeType::CoTestedWith).len(), 20);
}

#[test]
fn what_is_resolved_already_is_not_derived_again() {
    let mut sketch = PartialIndex::default();
    sketch.file("a.py", "python");
    let class = sketch.add("A", Type, None);
    sketch.link(0, EdgeType::Contains, class);
    assert_eq!(sketch.derived(EdgeType::Contains), Vec::<String>::new());
}
