//! Extraction of snippets, compared with a readable outline.

use crate::facts::{Expr, ExprId, FileFacts, ImportName};

fn facts(source: &str) -> FileFacts {
    crate::lang::parser::parse(&super::LANGUAGE, "src/lib.rs", source.as_bytes()).unwrap()
}

/// Returns one line for each definition.
fn outline(source: &str) -> String {
    let facts = facts(source);
    let names = &facts.outline.names;
    let mut lines = Vec::new();
    for definition in &facts.outline.definitions {
        let scope: String = definition.scope_names.iter().map(|name| format!("{}.", names.get(*name))).collect();
        let test = if definition.flags.is_test { " (test)" } else { "" };
        lines.push(format!(
            "{} {scope}{}{test} @{}: {}",
            definition.kind.name(),
            names.get(definition.name),
            definition.span.name_line,
            definition.signature
        ));
    }
    lines.join("\n")
}

fn check(source: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(outline(source), expected.join("\n"));
}

/// Formats an expression in Rust-like syntax.
fn show(facts: &FileFacts, id: ExprId) -> String {
    let name = |atom| facts.outline.names.get(atom);
    let all = |ids: &[ExprId]| ids.iter().map(|id| show(facts, *id)).collect::<Vec<_>>().join(", ");
    match &facts.code.expressions[id.0 as usize] {
        Expr::Unknown => "?".into(),
        Expr::Name(atom) => name(*atom).into(),
        Expr::Member { base, name: member } => format!("{}.{}", show(facts, *base), name(*member)),
        Expr::Call { callee, args } => format!("{}({})", show(facts, *callee), all(args)),
        Expr::Instance(inner) => format!("a {}", show(facts, *inner)),
        Expr::Apply { base, args } => format!("{}<{}>", show(facts, *base), all(args)),
        Expr::Index(inner) => format!("{}[]", show(facts, *inner)),
        Expr::Element(inner) => format!("each({})", show(facts, *inner)),
        Expr::Item(inner, index) => format!("{}#{index}", show(facts, *inner)),
        Expr::Unwrap(inner) => format!("{}?", show(facts, *inner)),
        Expr::Receiver => "self".into(),
        Expr::ReceiverType => "Self".into(),
        Expr::Parent => "super".into(),
        Expr::Union(parts) => format!("({})", parts.iter().map(|p| show(facts, *p)).collect::<Vec<_>>().join(" | ")),
        Expr::Tuple(parts) => format!("({})", all(parts)),
        Expr::Function { params, result } => {
            format!("|{}| {}", all(params), result.map_or("()".into(), |result| show(facts, result)))
        }
        Expr::LambdaParameter { call, argument, parameter } => {
            format!("param {argument}.{parameter} of {}", show(facts, *call))
        }
        Expr::Builtin { name: builtin, args } if args.is_empty() => format!("`{}`", name(*builtin)),
        Expr::Builtin { name: builtin, args } => format!("`{}`[{}]", name(*builtin), all(args)),
        Expr::Root(root) => format!("<{}>", name(*root)),
        other => format!("{other:?}"),
    }
}

/// Returns `role expression` for each reference that contains one of the words.
fn references(source: &str, words: &[&str]) -> Vec<String> {
    let facts = facts(source);
    let lines = facts
        .code
        .references
        .iter()
        .map(|reference| format!("{:?} {}", reference.role, show(&facts, reference.expr)).to_lowercase());
    lines.filter(|line| words.iter().any(|word| line.contains(word))).collect()
}

#[test]
fn extracts_every_kind_of_definition() {
    check(
        r#"
        /// A thing.
        #[derive(Debug)]
        pub struct Thing<T: Clone> { pub name: String, inner: T }
        struct Pair(u8, pub String);
        enum Choice { None, One(u8), Two { left: u8 } }
        pub trait Run: Send { type Item; const N: usize = 3; fn run(&self) -> u8 { 1 } fn stop(); }
        impl<T: Clone> Thing<T> { pub fn new() -> Self { loop {} } }
        impl<T> Run for Thing<T> { type Item = u8; fn stop() {} }
        type Alias = Vec<u8>;
        pub const LIMIT: usize = 10;
        static mut STATE: u8 = 0;
        macro_rules! twice { ($e:expr) => { $e } }
        mod other;
        #[cfg(test)]
        mod tests { use super::*; #[test] fn works() {} fn helper() { fn local() {} } }
        extern "C" { fn puts(text: *const u8) -> i32; }
        "#,
        r#"
        type Thing @4: pub struct Thing<T: Clone>
        field Thing.name @4: pub name: String
        field Thing.inner @4: inner: T
        type Pair @5: struct Pair(u8, pub String)
        field Pair.0 @5: u8
        field Pair.1 @5: String
        type Choice @6: enum Choice
        field Choice.None @6: None
        field Choice.One @6: One(u8)
        field Choice.One.0 @6: u8
        field Choice.Two @6: Two { left: u8 }
        field Choice.Two.left @6: left: u8
        interface Run @7: pub trait Run: Send
        type Run.Item @7: type Item
        const Run.N @7: const N: usize = 3
        method Run.run @7: fn run(&self) -> u8
        method Run.stop @7: fn stop()
        method Thing.new @8: pub fn new() -> Self
        type Thing.Item @9: type Item = u8
        method Thing.stop @9: fn stop()
        type Alias @10: type Alias = Vec<u8>
        const LIMIT @11: pub const LIMIT: usize = 10
        var STATE @12: static mut STATE: u8 = 0
        macro twice @13: macro_rules! twice
        package other @14: mod other
        package tests (test) @16: mod tests
        function tests.works (test) @16: fn works()
        function tests.helper (test) @16: fn helper()
        function tests.helper.local (test) @16: fn local()
        function puts @17: fn puts(text: *const u8) -> i32
        "#,
    );
}

#[test]
fn strips_doc_comment_markers() {
    let facts = facts(
        "//! The file.\n\n/// First.\n///\n/// Second.\n#[inline]\nfn f() {}\n\n//// rule\n/** Block. */\nfn g() {}\n",
    );
    assert_eq!(facts.outline.doc, "The file.");
    let docs: Vec<&str> = facts.outline.definitions.iter().map(|definition| definition.doc.as_str()).collect();
    assert_eq!(docs, ["First.\n\nSecond.", "Block."]);
    assert_eq!(facts.outline.definitions[0].span.start_line, 6);
}

#[test]
fn replaces_locals_by_their_values() {
    let source =
        "fn f(a: &Foo) { let b = a.make()?; if let Some((c, _)) = b.pair() { c.go(); } for d in b.list { d.go(); } }";
    assert_eq!(
        references(source, &["go", "pair", "make", "list"]),
        [
            "call a foo.make()",
            "call a foo.make()()?.pair()",
            "call a foo.make()()?.pair()()?#0.go()",
            "read a foo.make()()?.list",
            "call each(a foo.make()()?.list).go()"
        ]
    );
}

#[test]
fn closure_parameters_come_from_the_callee() {
    let source = "fn f(a: Foo) { a.each(1, |x, y: Bar| { x.go(); y.go() }); let g = |z| z.go(); }";
    assert_eq!(
        references(source, &["go"]),
        ["call param 1.0 of a foo.each()(`i32`).go()", "call a bar.go()", "call ?.go()"]
    );
}

#[test]
fn variant_patterns_bind_fields() {
    let source =
        "fn f(a: Foo) { match a { Foo::One(x) => x.go(), Foo::Two { y, .. } => y.go(), Err(z) => z.go(), _ => {} } }";
    assert_eq!(
        references(source, &["go"]),
        [
            "call (a a foo.one.0 | a foo.one.0).go()",
            "call (a a foo.two.y | a foo.two.y).go()",
            "call (a a foo.err.0 | a err.0).go()"
        ]
    );
}

#[test]
fn parses_macro_arguments_as_expressions() {
    let source = "fn f(a: Foo) { println!(\"{} {b}\", a.go(), b = a.went()); assert!(matches!(a.kind(), Kind::X(_) if a.gone())); }";
    assert_eq!(
        references(source, &["go", "went", "kind"]),
        ["call a foo.go()", "call a foo.went()", "call a foo.kind()", "read kind", "read kind.x", "call a foo.gone()"]
    );
    let facts = facts(source);
    for reference in &facts.code.references {
        if let Expr::Member { name, .. } = &facts.code.expressions[reference.expr.0 as usize] {
            let name = facts.outline.names.get(*name).trim_end_matches("()");
            assert!(source[reference.position as usize..].starts_with(name), "{name}");
        }
    }
}

#[test]
fn expands_use_trees() {
    let facts = facts("pub use a::{self, b as c, d::{e, f::*}}; use std::io; mod x; extern crate y as z; use q as _;");
    let names = &facts.outline.names;
    let mut lines = Vec::new();
    for import in &facts.outline.imports {
        let path: Vec<&str> = import.path.iter().map(|atom| names.get(*atom)).collect();
        let name = match import.name {
            ImportName::Module => "(module)".to_owned(),
            ImportName::Named(name) => names.get(name).to_owned(),
            ImportName::All => "*".to_owned(),
            ImportName::Default => "default".to_owned(),
        };
        lines.push(format!("{} {name}", path.join("::")));
    }
    assert_eq!(
        lines,
        ["a (module)", "a b", "a::d e", "a::d::f *", "std io", "self::x (module)", "y (module)", "q (module)"]
    );
    let bound: Vec<&str> = facts.outline.bindings.iter().map(|binding| names.get(binding.name)).collect();
    assert_eq!(bound, ["a", "c", "e", "io", "x", "z"]);
}

#[test]
fn bodies_exclude_words_of_nested_items() {
    let facts = facts(
        "fn outer() { let alpha = \"two words\"; // no\n fn inner() { beta(); } gamma!('x', r#\"raw \"one\"\"#); }",
    );
    assert_eq!(facts.texts.bodies, ["alpha two words gamma raw one", "beta"]);
}

#[test]
fn hostile_input_does_not_panic() {
    for source in [
        "fn f( { } } ] impl for struct ; enum { A( } use a::{{{;",
        "\"\\",
        "r#####\"",
        "fn f() { a!(xé }",
        "fn é() { '\\é' ; \"\\é\u{1F600}\" ; é.é(é!(é)) }",
        &"a!(".repeat(2_000),
        &format!("fn f() {{ {}1{} }}", "(".repeat(400), ")".repeat(400)),
        &format!("fn f() {{ x{} }}", ".a()".repeat(300)),
    ] {
        let _ = crate::lang::parser::parse(&super::LANGUAGE, "a.rs", source.as_bytes());
    }
}
