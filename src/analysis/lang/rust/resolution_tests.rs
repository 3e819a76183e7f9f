//! Call edges of small Rust repositories.

use crate::resolve::tests::{calls_from, check_calls};

/// Checks the call edges of `f` in a repository of one file.
#[track_caller]
fn check(source: &str, expected: &[&str]) {
    check_calls(&[("src/lib.rs", source)], expected);
}

#[test]
fn distinguishes_method_and_field_of_one_name() {
    check(
        "struct A { size: B } struct B; impl A { fn size(&self) -> C { C } } struct C; impl B { fn b(&self) {} }
         impl C { fn c(&self) {} } fn f(a: &A) { a.size().c(); a.size.b(); }",
        &["A.size", "B.b", "C.c"],
    );
}

#[test]
fn resolves_contents_of_options_results_and_iterators() {
    check(
        "struct A; impl A { fn go(&self) -> Result<A, E> { todo!() } } struct E; impl E { fn why(&self) {} }
         fn all() -> Vec<Option<A>> { vec![] }
         fn f() -> Result<(), E> {
             for (n, a) in all().into_iter().flatten().enumerate() { a.go()?.go().map_err(|e| e.why()); }
             if let Err(e) = all()[0].as_ref().unwrap().go() { e.why(); }
             Ok(())
         }",
        &["A.go", "E.why", "all"],
    );
}

#[test]
fn resolves_methods_of_bounds_and_trait_objects() {
    check(
        "trait Run { type Out: Show; fn run(&self) -> Self::Out; } trait Show { fn show(&self) { } }
         fn f<R>(r: R, d: &dyn Show, i: impl Show) where R: Run { r.run().show(); d.show(); i.show(); }",
        &["Run.run", "Show.show"],
    );
}

#[test]
fn prefers_the_implementation_of_a_known_type() {
    check(
        "trait Run { fn run(&self); fn twice(&self) { } } struct A; impl Run for A { fn run(&self) {} }
         fn f(a: Box<A>) { a.run(); a.twice(); }",
        &["A.run", "Run.twice"],
    );
}

#[test]
fn resolves_fields_of_enum_variants() {
    check(
        "enum E { One(A), Two { b: B } } impl E { fn e(&self) {} } struct A; struct B; impl A { fn a(&self) {} }
         impl B { fn b(&self) {} }
         fn f(e: E) { match &e { E::One(x) => x.a(), E::Two { b } => b.b() } E::One(A).e(); }",
        &["A.a", "B.b", "E.e"],
    );
}

#[test]
fn infers_elements_of_initially_empty_collections() {
    check(
        "struct A; impl A { fn a(&self) {} }
         fn f() { let mut list = Vec::new(); list.push(A); for x in &list { x.a(); } }",
        &["A.a"],
    );
}

#[test]
fn module_and_function_may_share_a_name() {
    let sources = [
        ("Cargo.toml", "[package]\nname = \"my-crate\""),
        ("src/lib.rs", "pub mod parse; pub use parse::parse;"),
        ("src/parse.rs", "pub fn parse() {} pub fn other() {}"),
        ("src/main.rs", "use my_crate::parse::other; fn f() { other(); my_crate::parse(); my_crate::parse::other(); }"),
    ];
    check_calls(&sources, &["other", "parse"]);
}

#[test]
fn prefers_definitions_with_active_cfg() {
    let source =
        "#[cfg(windows)] fn g() { b(); } #[cfg(not(windows))] fn g() { a(); } fn a() {} fn b() {} fn f() { g(); }";
    check(source, &["g"]);
    assert_eq!(calls_from(&[("src/lib.rs", source)], "g"), ["a", "b"]);
}

#[test]
fn resolves_macros_in_their_own_scopes() {
    check(
        "macro_rules! make { () => {} } fn make() {} mod inner { macro_rules! vec { () => {} } }
         fn f() { make!(); let _ = vec![1]; }",
        &["make"],
    );
}

#[test]
fn blanket_impls_apply_where_their_bounds_hold() {
    let library = "trait Ext { fn sized(&self) {} fn must(&self); } impl<I: Iterator> Ext for I { fn must(&self) {} }
        trait Other { fn sized(&self) {} fn must(&self); } struct A; impl Other for A { fn must(&self) {} } ";
    check(&format!("{library} fn f(v: Vec<u8>) {{ v.iter().sized(); }}"), &["Ext.sized"]);
    check(&format!("{library} fn f(v: Option<u8>) {{ v.sized(); v.must(); }}"), &[]);
    check(&format!("{library} struct B; fn f(b: B) {{ b.must(); }}"), &[]);
    let forwarding = "trait Sink { fn context(&self) {} } impl<S: Sink> Sink for &mut S {}";
    check(&format!("{forwarding} fn f(r: Result<u8, u8>) {{ r.context(); }}"), &[]);
    check(
        &format!(
            "{library} struct B; impl Iterator for B {{ fn next(&mut self) -> Option<u8> {{ None }} }} fn f(b: B) {{ b.must(); }}"
        ),
        &["I.must"],
    );
}

#[test]
fn infers_a_result_from_a_function_argument() {
    check(
        "struct A; impl A { fn go(&self) {} } struct B; impl B { fn go(&self) {} } fn make(x: u8) -> A { A }
         fn apply<R, F: Fn(u8) -> R>(f: F) -> R { f(1) } fn f() { apply(make).go(); }",
        &["A.go", "apply"],
    );
}

#[test]
fn resolves_renamed_dependencies() {
    let sources = [
        ("a/Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nfoo = { path = \"../bar\", package = \"my-bar\" }"),
        ("a/src/lib.rs", "use foo::go; fn f() { go(); foo::stop(); foo::made!(); }"),
        ("bar/Cargo.toml", "[package]\nname = \"my-bar\"\n[lib]\nname = \"real_bar\""),
        ("bar/src/lib.rs", "pub fn go() {} pub fn stop() {} #[macro_export] macro_rules! made { () => {} }"),
    ];
    check_calls(&sources, &["go", "made", "stop"]);
}

#[test]
fn files_that_an_inline_module_declares_are_in_it() {
    let sources = [
        ("Cargo.toml", "[package]\nname = \"q\"\n"),
        ("src/lib.rs", "pub fn a() {}\n"),
        ("tests/all.rs", "mod part {\n    mod tools;\n    mod write;\n    use self::tools::*;\n}\n"),
        ("tests/part/tools.rs", "pub fn check() {}\n"),
        ("tests/part/write.rs", "use super::*;\nfn by_path() { tools::check(); }\nfn bare() { check(); }\n"),
    ];
    assert_eq!(calls_from(&sources, "by_path"), ["check"]);
    assert_eq!(calls_from(&sources, "bare"), ["check"]);
}
