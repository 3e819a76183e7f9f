//! Golden tests of the adapters: recorded output of each system on `tests/fixtures/shop`, for the task "Add a discount
//! code that lowers what the cart costs".

use super::*;
use crate::cross::definitions::{Definition, Definitions};
use crate::cross::system::systems;

/// Returns the definitions of the fixture that the recorded outputs mention.
fn definitions() -> Definitions {
    let definition = |(file, scoped, first, last): (&str, &str, u32, u32)| Definition {
        name: format!("{file}.{scoped}"),
        plain_name: scoped.rsplit('.').next().unwrap().to_owned(),
        file: file.to_owned(),
        start_line: first,
        end_line: last,
        name_line: first,
        is_test: file.starts_with("tests/"),
        is_callable: scoped.starts_with(char::is_lowercase) || scoped.contains('.'),
        is_type: scoped.starts_with(char::is_uppercase) && !scoped.contains('.'),
    };
    let all = [
        ("shop/cart.py", "Cart", 7, 24),
        ("shop/cart.py", "Cart.__init__", 10, 12),
        ("shop/cart.py", "Cart.add_item", 14, 15),
        ("shop/cart.py", "Cart.total", 17, 18),
        ("shop/cart.py", "Cart.checkout", 20, 24),
        ("shop/payment.py", "PaymentError", 4, 5),
        ("shop/payment.py", "charge", 8, 12),
        ("shop/session.py", "Session", 8, 17),
        ("shop/session.py", "Session.is_expired", 15, 17),
        ("tests/test_cart.py", "test_checkout_charges_the_total", 5, 8),
    ];
    Definitions::new(all.map(definition).into_iter().collect())
}

/// Returns the last parts of the first distinct names that a system's recorded output has.
fn recorded(name: &str, output: &str, count: usize) -> Vec<String> {
    let systems = systems().unwrap();
    let system = systems.iter().find(|system| system.name == name).unwrap();
    let adapter = Adapter::new(&system.query).unwrap();
    let definitions = definitions();
    let results = adapter.results(output);
    let names = results.iter().flat_map(|found| definitions.normalized(found));
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        let short = name.split_once(".py.").map_or(name.as_str(), |(_, rest)| rest).to_owned();
        if !distinct.contains(&short) {
            distinct.push(short);
        }
    }
    distinct.truncate(count);
    distinct
}

macro_rules! golden {
    ($test:ident, $system:literal, $expected:expr) => {
        #[test]
        fn $test() {
            let output = include_str!(concat!("../../../../tests/eval/systems/recorded/", $system, ".txt"));
            let expected: &[&str] = &$expected;
            assert_eq!(recorded($system, output, expected.len()), expected);
        }
    };
}

golden!(knowing, "knowing", ["Cart.checkout", "Cart.total", "Cart.__init__", "Cart.add_item", "Cart"]);
golden!(reference, "reference", ["Cart", "Cart.items", "Cart.checkout"]);
golden!(codegraph_context, "codegraph-context", ["Cart", "Cart.add_item", "Cart.total", "Cart.__init__"]);
golden!(codegraph_query, "codegraph-query", ["Cart", "Cart.add_item", "Cart.checkout", "Cart.total"]);
golden!(ck, "ck", ["Cart", "Cart.__init__", "Cart.add_item", "Cart.total", "Cart.checkout"]);
golden!(probe, "probe", ["Cart", "Cart.__init__", "Cart.add_item", "Cart.total", "Cart.checkout"]);
golden!(ripgrep, "ripgrep", ["Cart", "Cart.checkout"]);
golden!(bm25f, "bm25f", ["charge", "Cart.add_item"]);
golden!(codegraphcontext, "codegraphcontext", ["Cart"]);
golden!(scip, "scip", ["Cart"]);

#[test]
fn ranking_of_aider_is_read_and_only_its_map_costs_tokens() {
    let output = include_str!("../../../../tests/eval/systems/recorded/aider.txt");
    assert_eq!(recorded("aider", output, 2), ["Session.is_expired", "Session"]);
    let systems = systems().unwrap();
    let system = systems.iter().find(|system| system.name == "aider").unwrap();
    let adapter = Adapter::new(&system.query).unwrap();
    assert!(!adapter.visible(output).contains("shop/session.py:20:SessionStore"));
}

#[test]
fn cut_output_has_whole_lines_within_the_budget() {
    let text = "one two\nthree\nfour five six\n";
    let (within, tokens) = cut(text, 6);
    assert_eq!(within, "one two\nthree\n");
    assert!(tokens <= 6 && cut(text, 100).0 == text && cut(text, 0) == ("", 0));
}
