//! Tests of Swift's extraction and resolution.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges_from, signatures_called};

const CART: &str = "import Foundation
/// Holds items.
public class Cart<T>: Basket, Priced {
    private let items: [Item] = []
    static let shared = Cart()
    var total: Double { return items.sum() }
    init(owner: String, n: Int = 0) { super.init(owner: owner) }
    func add(_ item: Item, to cart: Cart?) -> Bool {
        for item in items { item.weigh() }
        if let found = find(\"a\") { found.pay() }
        guard let other = cart else { return false }
        other.more()
        return Cart.shared.add(item, to: self)
    }
    enum Kind { case a, b(Int) }
}
protocol Priced { var price: Double { get }\n func pay() }
func find(_ name: String) -> Priced? { throw Failure.missing }
typealias Items = [Item]
";
const MORE: &str =
    "extension Cart: Codable, Priced {\n    func more() { add(x, to: y) }\n}\nstruct Item { func weigh() {} }\n";

#[test]
fn definitions_have_their_containers_and_signatures() {
    let expected = [
        "type Cart: public class Cart<T>: Basket, Priced",
        "field Cart.items: private let items: [Item] = []",
        "field Cart.shared: static let shared = Cart()",
        "method Cart.total: var total: Double",
        "method Cart.init: init(owner: String, n: Int = 0)",
        "method Cart.add: func add(_ item: Item, to cart: Cart?) -> Bool",
        "type Cart.Kind: enum Kind",
        "field Cart.Kind.a: case a, b(Int)",
        "field Cart.Kind.b: case a, b(Int)",
        "interface Priced: protocol Priced",
        "field Priced.price: var price: Double { get }",
        "method Priced.pay: func pay()",
        "function find: func find(_ name: String) -> Priced?",
        "type Items: typealias Items = [Item]",
    ];
    assert_eq!(outline("Cart.swift", CART), expected);
    assert_eq!(parse("Cart.swift", CART).outline.definitions[0].doc, "Holds items.");
}

#[test]
fn calls_resolve_through_extensions_and_bindings() {
    let sources = [("Sources/Cart.swift", CART), ("Sources/More.swift", MORE)];
    assert_eq!(calls_from(&sources, "Cart.add"), ["Cart.add", "Cart.more", "Item.weigh", "Priced.pay", "find"]);
    assert_eq!(calls_from(&sources, "Cart.more"), ["Cart.add"]);
    let edges = edges_from(&sources, "Cart");
    assert!(edges.contains(&"extends Priced".to_owned()), "{edges:?}");
}

#[test]
fn members_of_extensions_are_called_by_name() {
    let class = "class Cart { func first() { second() } }\nfunc second() {}\n";
    let extensions = "extension Cart { func second() { third() } }\nextension Cart { func third() { first() } }\n";
    let sources = [("Cart.swift", class), ("More.swift", extensions)];
    assert_eq!(calls_from(&sources, "Cart.first"), ["Cart.second"]);
    assert_eq!(calls_from(&sources, "Cart.second"), ["Cart.third"]);
    assert_eq!(calls_from(&sources, "Cart.third"), ["Cart.first"]);
}

#[test]
fn labels_choose_among_the_functions_of_a_name() {
    let text = "class Monitor {
    func request(_ n: Int, didCreate task: Int) {}
    func request(_ n: Int, didFinish metrics: Int) {}
    func request(_ n: Int, retry: Bool = true) {}
}
extension Monitor {
    func request(with url: String) { request(1, didFinish: 2) }
}
func one(m: Monitor?) { m?.request(1, didCreate: 2) }
func two(m: Monitor) { m.request(with: \"a\") }
func three(m: Monitor) { m.request(1) }
";
    let called = |from: &str| signatures_called(&[("a.swift", text)], from);
    assert_eq!(called("Monitor.request"), ["func request(_ n: Int, didFinish metrics: Int)"]);
    assert_eq!(called("one"), ["func request(_ n: Int, didCreate task: Int)"]);
    assert_eq!(called("two"), ["func request(with url: String)"]);
    assert_eq!(called("three"), ["func request(_ n: Int, retry: Bool = true)"]);
}

#[test]
fn extensions_of_library_types_have_members_and_attributes_name_functions() {
    let one = "extension XCTest {\n    func assertSame(_ s: String) {}\n}\n\
               extension Array where Element == Name {\n    var raw: [String] { [] }\n}\n\
               struct Name {}\nfunc shout(_ s: String) -> String { s }\n";
    let two = "final class Case: XCTestCase {\n    func go() { assertSame(\"x\") }\n}\n\
               struct Command {\n    @Option(transform: shout) var name: String\n    var names: [Name]\n    \
               func go() { print(names.raw) }\n}\n";
    let sources = [("One.swift", one), ("Two.swift", two)];
    assert_eq!(calls_from(&sources, "Case.go"), ["XCTest.assertSame"]);
    assert!(edges_from(&sources, "Command.go").contains(&"calls Array.raw".to_owned()));
    let edges = crate::resolve::tests::edges(&sources);
    assert!(edges.iter().any(|edge| edge.target == "shout" && edge.source.starts_with("Command")));
}
