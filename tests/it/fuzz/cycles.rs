//! Cyclic code that once made resolution loop or take exponential time.

use std::fmt::Write;

use super::case::{File, assert_robust};

/// Checks one file in the folder that the manifests of every case name.
fn check(name: &str, source: &str) {
    check_files(vec![(name.to_owned(), source.to_owned())]);
}

fn check_files(files: Vec<(String, String)>) {
    let file = |(name, text): (String, String)| File { path: format!("shop/{name}"), bytes: text.into_bytes() };
    assert_robust("cycles", files.into_iter().map(file).collect());
}

#[test]
fn type_parameters_bounded_by_themselves() {
    check("sample.ts", "function f<T extends T>(x: T) { x.go(); for (const y of x) y.go() }");
    check("sample.ts", "function f<T extends U, U extends T | A>(x: T) { x.go() } class A { go() {} }");
    check("sample.rs", "fn f<T: T>(x: T) { x.go(); for y in x { y.go() } }");
    check("sample.py", "def f[T: T](x: T):\n    x.go()\n    x()\n    [y.go() for y in x]\n");
    check("sample.go", "package p\nfunc f[T T](x T) { x.Go(); x() }\n");
}

#[test]
fn types_that_iterate_or_deref_cyclically() {
    let rust = "struct A; struct B; impl A { fn iter(&self) -> B { B } } impl B { fn iter(&self) -> A { A } }
        fn f(a: A) { for x in a { x.go() } }";
    check("sample.rs", rust);
    let twice = "struct A; struct B;
        impl A { fn into_iter(self) -> B { B } fn iter(&self) -> B { B } }
        impl B { fn into_iter(self) -> A { A } fn iter(&self) -> A { A } }
        fn f(a: A) { for x in a { x.go() } a.map(|x| x.go()); }";
    check("sample.rs", twice);
    let pointers = "struct A; struct B; impl Deref for A { type Target = B; } impl Deref for B { type Target = A; }
        fn f(a: A) { a[0].go(); a.go(); }";
    check("sample.rs", pointers);
    let growing =
        "struct A<T>(T); impl<T> Deref for A<T> { type Target = A<(T, T)>; } fn f(a: A<u8>) { a.go(); a[0].go(); }";
    check("sample.rs", growing);
    let python = "class A:\n    def __iter__(self) -> 'B | A | C': pass\nclass B:\n    def __iter__(self) -> 'C | A | B': pass\n\
        class C:\n    def __iter__(self) -> 'A | B': pass\ndef f(a: A):\n    for x in a: x.go()\n    a[0][0].go()\n";
    check("sample.py", python);
    check("sample.ts", "class A extends Promise<A> {} async function f(a: A) { (await a).go(); a.then(x => x.go()) }");
    check(
        "sample.ts",
        "class A extends Array<A> {} function f(a: A) { for (const x of a) x.go(); a.flat().map(x => x.go()) }",
    );
    check(
        "sample.ts",
        "interface A { (): B } interface B { (): A } function f(a: A) { a()()()() } type F = F; let x: F = x(x);",
    );
    let go = "package p\ntype A interface { B | C }\ntype B interface { A | C }\ntype C interface { A | B }\n\
        func f(a A) { a(); a.x(); a[0].x(); for x := range a { x() } }\n";
    check("sample.go", go);
}

#[test]
fn modules_that_reexport_each_other() {
    let layer = |language: &str, layer: usize| match language {
        "py" => format!("from .l{layer}a import *\nfrom .l{layer}b import *\n"),
        _ => format!("export * from './l{layer}a'\nexport * from './l{layer}b'\n"),
    };
    for language in ["py", "ts"] {
        let mut files = vec![(format!("__init__.{language}"), String::new())];
        for number in 0..30 {
            let next = if number < 29 { layer(language, number + 1) } else { String::new() };
            files.push((format!("l{number}a.{language}"), format!("{next}print()\n")));
            files.push((format!("l{number}b.{language}"), next));
        }
        let import = if language == "py" { "from .l0a import gone\n" } else { "import { gone } from './l0a'\n" };
        files.push((format!("sample.{language}"), format!("{import}gone()\n")));
        check_files(files);
    }
}

#[test]
fn exponential_bases_and_values() {
    let layers = (0..40).fold(String::new(), |mut text, number| {
        let next = number + 1;
        let _ = writeln!(text, "interface L{number}<T> extends L{next}<[T, T]>, L{next}<[T, T]> {{}}");
        text
    });
    check("sample.ts", &format!("{layers}interface L40<T> {{ x: T }}\nfunction f(a: L0<string>) {{ a.x.go() }}"));
    let classes = (0..40).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "class L{number}[T](L{}[tuple[T, T]], L{}[tuple[T, T]]): pass", number + 1, number + 1);
        text
    });
    check("sample.py", &format!("{classes}class L40[T]:\n    x: T\ndef f(a: L0[str]): a.x.go()\n"));
}

/// Functions whose results all depend on each other.
#[test]
fn mutually_recursive_results() {
    let calls: Vec<String> = (0..200).map(|number| format!("f{number}()")).collect();
    let all = calls.join(" or ");
    let source = (0..200).fold(String::new(), |text, number| format!("{text}def f{number}(): return {all}\n"));
    check("sample.py", &format!("{source}f0().go()\nf1().go()\n"));
    let chain = (2..400).fold("x0 = f()\nx1 = f()\n".to_owned(), |text, number| {
        format!("{text}x{number} = x{}.a or x{}.b\n", number - 1, number - 2)
    });
    check("sample.py", &format!("{chain}def f(): return x399\n"));
}

/// Expressions that are evaluated twice at each level of nesting.
#[test]
fn nested_isinstance_and_as_view() {
    check("sample.py", &format!("x = {}y{}\n", "isinstance(x, ".repeat(60), " and z)".repeat(60)));
    check("sample.py", &format!("{}v{}\n", "path('', ".repeat(60), ".as_view())".repeat(60)));
}
