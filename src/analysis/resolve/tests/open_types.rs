//! Types that several definitions declare, in Java's notation with rules that open its types.

use super::edges_by;
use crate::facts::Import;
use crate::lang::rules_of;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::Modules;
use crate::resolve::rules::{Rules, Traits, UseSite};
use crate::resolve::value::Value;

/// Java with open types.
struct OpenJava;

impl Rules for OpenJava {
    fn traits(&self) -> &Traits {
        &Traits {
            members_are_in_scope: true,
            marks_callees: true,
            chooses_overloads: true,
            types_are_open: true,
            ..Traits::COMMON
        }
    }

    fn modules(&self, files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
        rules_of("java").modules(files, manifests, modules);
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        rules_of("java").import(eval, site, import)
    }

    fn is_ubiquitous(&self, _name: &str) -> bool {
        true
    }
}

fn check(sources: &[(&str, &str)], from: &str, expected: &[&str]) {
    let edges = edges_by(sources, &|_| &OpenJava);
    let calls = edges.iter().filter(|edge| edge.source == from && edge.edge_type == "calls");
    let mut calls: Vec<String> = calls.map(|edge| format!("{} {}", edge.target, edge.target_signature)).collect();
    calls.sort();
    assert_eq!(calls, expected, "{sources:#?}");
}

#[test]
fn parts_of_a_type_share_members_and_bases() {
    let sources = [
        ("a/CartAdding.java", "package shop; class Cart { void add() { price(); check(); } }"),
        ("b/Cart.java", "package shop; /** The cart. */ class Cart extends Basket { void price() { add(); } }"),
        ("c/Basket.java", "package shop; class Basket { void check() { } }"),
        ("d/Main.java", "package shop; class Main { void run(Cart cart) { cart.add(); cart.check(); new Cart(); } }"),
    ];
    check(&sources, "Cart.add", &["Basket.check void check()", "Cart.price void price()"]);
    check(&sources, "Cart.price", &["Cart.add void add()"]);
    let cart = "Cart class Cart extends Basket";
    check(&sources, "Main.run", &["Basket.check void check()", cart, "Cart.add void add()"]);
}

#[test]
fn types_of_other_packages_and_arities_are_others() {
    let sources = [
        ("a/Cart.java", "package a; class Cart { void run() { price(); } }"),
        ("b/Cart.java", "package b; class Cart { void price() { } }"),
        ("c/Cart.java", "package a; class Cart<T> { void price() { } }"),
    ];
    check(&sources, "Cart.run", &[]);
}

#[test]
fn tests_do_not_share_types() {
    let sources =
        [("test/A.java", "class Fake { void run() { help(); } }"), ("test/B.java", "class Fake { void help() { } }")];
    check(&sources, "Fake.run", &[]);
}

#[test]
fn product_code_is_not_guessed_to_run_what_only_tests_define() {
    let product = "def drive(engine):\n    engine.rumble()\n    engine.sparkle()\n";
    let double = "class FakeEngine:\n    def rumble(self): pass\n    def sparkle(self): pass\n\ndef check(engine):\n    engine.rumble()\n";
    let engine = "class Engine:\n    def sparkle(self): pass\n";
    let sources = [("drive.py", product), ("engine.py", engine), ("tests/test_drive.py", double)];
    assert_eq!(super::calls_from(&sources, "drive"), ["Engine.sparkle"]);
    assert_eq!(super::calls_from(&sources, "check"), ["FakeEngine.rumble"]);
}
