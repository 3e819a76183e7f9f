//! Long files of one kind of line, which once took quadratic time or memory.

use super::case::{File, assert_robust};

fn check(name: &str, source: String) {
    assert_robust("sizes", vec![File { path: format!("shop/{name}"), bytes: source.into_bytes() }]);
}

/// Repeats `line` with each number below `count` instead of `#`.
fn lines(count: usize, line: &str, between: &str) -> String {
    (0..count).map(|number| line.replace('#', &number.to_string())).collect::<Vec<_>>().join(between)
}

#[test]
fn closures_among_the_arguments_of_one_call() {
    check("sample.rs", format!("fn f() {{ g({}) }}", lines(40_000, "|x| x.go()", ", ")));
}

#[test]
fn names_of_one_statement() {
    let names = lines(5_000, "name#", ", ");
    check("sample.go", format!("package p\n// Doc.\nvar {names} = {names}\n"));
    check("sample.py", format!("{names} = {names}\n"));
    check("sample.ts", format!("const [{names}] = [{names}];"));
}

#[test]
fn fields_that_a_constructor_assigns() {
    check("sample.js", format!("class A {{ constructor() {{ {} }} }}", lines(10_000, "this.x# = f(#);", "\n")));
    check(
        "sample.py",
        format!("class A:\n    def __init__(self):\n{}\n", lines(10_000, "        self.x# = f(#)", "\n")),
    );
}

#[test]
fn locals_and_macros_of_one_function() {
    check("sample.rs", format!("fn f() {{ let first = 1; {} }}", lines(10_000, "let x# = first; y.go(first);", "\n")));
    let imports = lines(4_000, "use other::m#;", "\n");
    check("sample.rs", format!("{imports} fn f() {{ {} }}", lines(4_000, "m#!(x);", "\n")));
}

#[test]
fn locals_of_many_branches() {
    check("sample.py", format!("def f():\n{}\n", lines(5_000, "    a# = b\n    if c: d# = e", "\n")));
}

#[test]
fn methods_of_many_traits() {
    let traits = lines(1_500, "trait T# { fn go#(&self) {} } impl T# for u8 {}", "\n");
    check("sample.rs", format!("{traits} fn f(x: u8) {{ {} }}", lines(1_500, "x.go#();", "\n")));
}

#[test]
fn quotes_in_a_raw_string() {
    let hashes = "#".repeat(10_000);
    check("sample.rs", format!("fn f() {{ g(r{hashes}\"{}\"{hashes}) }}", "\"# ".repeat(20_000)));
}

#[test]
fn references_in_a_file_of_glob_imports() {
    let imports = lines(2_000, "from .other# import *", "\n");
    check("sample.py", format!("{imports}\n{}", lines(2_000, "use#()", "\n")));
}

#[test]
fn marks_without_code() {
    for (extension, marks) in [
        ("ps1", "\"${"),
        ("nix", "\"${"),
        ("groovy", "\"${"),
        ("erl", "{- "),
        ("ex", "{- "),
        ("gd", "{- "),
        ("zig", "(* "),
    ] {
        let lines = format!("{}\n", marks.repeat(20)).repeat(15_000);
        check(&format!("sample.{extension}"), lines);
    }
}

#[test]
fn parameters_of_one_function() {
    let parameters = lines(30_000, "p#: int", ",\n");
    check("sample.py", format!("def f({parameters}): return p1\nclass A({}): pass\n", lines(20_000, "B#", ",\n")));
}
