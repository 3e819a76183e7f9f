//! Work grows linearly with a repository, in every shape: eight times the size takes at most ten times the steps.
//!
//! Steps are counted, not timed: queries, bindings, members, modules, globs and blocks that resolution looks at.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use knowing_analysis::model::{EdgeType, Question};
use knowing_indexing::index::{IndexOptions, index};
use knowing_indexing::store::Reader;
use knowing_retrieval::engine::Engine;

use super::incremental::write;

/// A repository of `n` times the same thing: path and text of each file.
type Shape = fn(usize) -> Vec<(String, String)>;

/// Shapes with the number of edges that are expected of size `n`, so that a limit on edges does not pass the test.
const SHAPES: &[(&str, Shape, EdgeType, Expected)] = &[
    (
        "python: definitions of one name",
        |n| one("a.py", n, |_| "def run():\n    run()\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "go: definitions of one name",
        |n| one("a.go", n, |_| "func run() { run() }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "rust: definitions of one name",
        |n| one("a.rs", n, |_| "fn run() { run() }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "typescript: definitions of one name",
        |n| one("a.ts", n, |_| "export function run() { run(); }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "typescript: uses of an interface declared often",
        |n| one("a.ts", n, |i| format!("interface Box {{ m{i}: number }}\nexport function f{i}(b: Box) {{}}\n")),
        EdgeType::TypeHintOf,
        |n| n as u64,
    ),
    (
        "python: methods of one name",
        |n| format_one("a.py", "class A:\n", n, |_| "    def run(self):\n        self.run()\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: assignments to one variable",
        |n| format_one("a.py", "def use(x): pass\ndef run():\n", n, |i| format!("    x = {i}\n    use(x)\n")),
        EdgeType::Calls,
        |_| 1,
    ),
    (
        "rust: blocks of one type",
        |n| {
            let block = |i| format!("impl A {{ fn f{i}(&self) {{ self.f{}(); }} }}\n", (i + 1) % n);
            format_one("a.rs", "struct A;\n", n, block)
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "rust: traits of one type",
        |n| {
            let block = |i| format!("trait T{i} {{}}\nimpl T{i} for A {{}}\nfn f{i}(a: A) {{ a.run(); }}\n");
            format_one("a.rs", "struct A;\nimpl A { fn run(&self) {} }\n", n, block)
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: calls of a method on unknown receivers",
        |n| {
            format_one("a.py", "class A:\n    def only_here(self): pass\n", n, |i| {
                format!("class B{i}:\n    def common(self): pass\ndef f{i}(x):\n    x.common()\n    x.only_here()\n")
            })
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: chain of wildcard imports",
        |n| {
            let next = |i| if i + 1 < n { format!("from m{} import *\n", i + 1) } else { String::new() };
            files(n, |i| (format!("m{i}.py"), format!("{}def f{i}(): f{}()\n", next(i), (i + 1).min(n - 1))))
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "typescript: names through an index",
        |n| {
            let exports: String = (0..n).map(|i| format!("export * from './m{i}';\n")).collect();
            let text = |i| {
                let other = i * 7 % n;
                format!("import {{ f{other} }} from './index';\nexport function g{i}() {{ f{other}(); }}\n")
                    + &format!("export function f{i}() {{}}\n")
            };
            let mut all = files(n, |i| (format!("m{i}.ts"), text(i)));
            all.push(("index.ts".to_owned(), exports));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "rust: names through the crate root",
        |n| {
            let root: String = (0..n).map(|i| format!("pub mod m{i};\npub use m{i}::*;\n")).collect();
            let text = |i| format!("use crate::*;\npub fn f{i}() {{ f{}(); }}\n", i * 7 % n);
            let mut all = files(n, |i| (format!("src/m{i}.rs"), text(i)));
            all.push(("src/lib.rs".to_owned(), root));
            all.push(("Cargo.toml".to_owned(), "[package]\nname = \"m\"\n".to_owned()));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: names through a package",
        |n| {
            let root: String = (0..n).map(|i| format!("from .m{i} import *\n")).collect();
            let mut all = files(n, |i| (format!("p/m{i}.py"), format!("def f{i}(): pass\n")));
            all.extend(files(n, |i| (format!("use{i}.py"), format!("from p import f{i}\ndef g{i}(): f{i}()\n"))));
            all.push(("p/__init__.py".to_owned(), root));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: a package and its modules import everything",
        |n| {
            let root: String = (0..n).map(|i| format!("from .m{i} import *\n")).collect();
            let text = |i| format!("from . import *\ndef f{i}(): f{}()\n", (i + 1) % n);
            let mut all = files(n, |i| (format!("p/m{i}.py"), text(i)));
            all.push(("p/__init__.py".to_owned(), root));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "typescript: an index and its modules export everything",
        |n| {
            let root: String = (0..n).map(|i| format!("export * from './m{i}';\n")).collect();
            let text = |i| {
                let next = (i + 1) % n;
                format!("import {{ f{next} }} from './index';\nexport * from './index';\n")
                    + &format!("export function f{i}() {{ f{next}(); }}\n")
            };
            let mut all = files(n, |i| (format!("m{i}.ts"), text(i)));
            all.push(("index.ts".to_owned(), root));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "python: routes",
        |n| {
            let head = "from flask import Flask\napp = Flask(__name__)\n";
            format_one("a.py", head, n, |i| format!("@app.route('/r{i}')\ndef h{i}(): return {i}\n"))
        },
        EdgeType::HandlesRoute,
        |n| n as u64,
    ),
    (
        "python: small files",
        |n| files(n, |i| (format!("m{i}.py"), "def f(): f()\n".into())),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "java: overloads that take the same",
        |n| class("A.java", n, |_| "  void run(int a) { run(1); }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "java: overloads that take different types",
        |n| {
            let text = |i| format!("class T{i} {{}}\nclass U{i} {{ void go(A a, T{i} t) {{ a.run(t); }} }}\n");
            let overloads: String = (0..n).map(|i| format!("  void run(T{i} t) {{}}\n")).collect();
            format_one("A.java", &format!("class A {{\n{overloads}}}\n"), n, text)
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: overloads that take the same",
        |n| class("A.cs", n, |_| "  void Run(int a) { Run(1); }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: parts of a class",
        |n| {
            files(n, |i| (format!("A{i}.cs"), format!("partial class A {{ void M{i}() {{ M{}(); }} }}\n", (i + 1) % n)))
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "ruby: a class opened again",
        |n| one("a.rb", n, |i| format!("class A\n  def m{i}\n    m{}\n  end\nend\n", (i + 1) % n)),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "php: traits of one class",
        |n| {
            let uses: String = (0..n).map(|i| format!("  use T{i};\n")).collect();
            format_one("a.php", &format!("<?php\nclass A {{\n{uses}}}\n"), n, |i| {
                format!("trait T{i} {{ public function m{i}() {{ $this->m{}(); }} }}\n", (i + 1) % n)
            })
        },
        EdgeType::Contains,
        |n| n as u64,
    ),
    (
        "c: chain of includes",
        |n| {
            let include = |i: usize| if i > 0 { format!("#include \"h{}.h\"\n", i - 1) } else { String::new() };
            let mut all = files(n, |i| (format!("h{i}.h"), format!("{}int f{i}(int);\n", include(i))));
            all.extend(files(n, |i| {
                let called = i.saturating_sub(1);
                (format!("c{i}.c"), format!("#include \"h{i}.h\"\nint f{i}(int a) {{ return f{called}(a); }}\n"))
            }));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "c: definitions of one name",
        |n| one("a.c", n, |_| "static int run(int a) { return run(a); }\n".into()),
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "swift: extensions of one type",
        |n| {
            format_one("a.swift", "class A {}\n", n, |i| {
                format!("extension A {{ func m{i}() {{ m{}() }} }}\n", (i + 1) % n)
            })
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: extension methods of one type",
        |n| {
            let methods: String =
                (0..n).map(|i| format!("  public static int Go(this A a, int x{i}) => {i};\n")).collect();
            let head = format!("class A {{}}\nstatic class E {{\n{methods}}}\n");
            format_one("A.cs", &head, n, |i| format!("class U{i} {{ void F(A a) {{ a.Go(1); }} }}\n"))
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: extension methods of different types",
        |n| {
            one("A.cs", n, |i| {
                format!("class T{i} {{}}\nstatic class E{i} {{ public static int Go(this T{i} t) => 1; }}\n")
                    + &format!("class U{i} {{ void F(T{i} t) {{ t.Go(); }} }}\n")
            })
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: extension methods of a bounded type parameter",
        |n| {
            one("A.cs", n, |i| {
                format!("class T{i} {{}}\nstatic class E{i} {{ public static int Go(this T{i} t) => 1; }}\n")
                    + &format!("class U{i} {{ void F<T>(T t) where T : T{i} {{ t.Go(); }} }}\n")
            })
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: namespaces with directives of their own",
        |n| {
            one("A.cs", n, |i| {
                let next = (i + 1) % n;
                format!(
                    "namespace N{i} {{ using N{next}; class C{i} {{ public static void M() {{ C{next}.M(); }} }} }}\n"
                )
            })
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "csharp: names through global directives",
        |n| {
            let mut all =
                one("A.cs", n, |i| format!("namespace N{i} {{ class C{i} {{ public static void M() {{}} }} }}\n"));
            all.extend(one("Usings.cs", n, |i| format!("global using N{i};\n")));
            all.extend(one("Use.cs", n, |i| format!("class U{i} {{ void F() {{ C{i}.M(); }} }}\n")));
            all
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "java: lambdas for interfaces of one file",
        |n| {
            let text = |i| {
                format!("interface F{i} {{ void run(T{i} t); }}\nclass T{i} {{ void stop() {{}} }}\n")
                    + &format!("class U{i} {{ void on(F{i} f) {{}} void go() {{ on(t -> t.stop()); }} }}\n")
            };
            one("A.java", n, text)
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "kotlin: types on lines of their own",
        |n| {
            let text = |i| format!("  class K{i} : S() {{ fun go() {{ K{}().go() }} }}\n", (i + 1) % n);
            vec![("A.kt".to_owned(), format!("sealed class S {{\n{}}}\n", (0..n).map(text).collect::<String>()))]
        },
        EdgeType::Calls,
        |n| n as u64,
    ),
    (
        "proto: calls of one name through stubs that are not imported",
        |n| {
            let mut all = one("a.proto", n, |i| format!("service S{i} {{ rpc Do (R) returns (R); }}\n"));
            all.extend(one("a.py", n, |i| format!("def f{i}(ch):\n    S{i}Stub(ch).Do(1)\n")));
            all
        },
        EdgeType::ConsumesRpc,
        |n| n as u64,
    ),
    (
        "proto: calls of different names through stubs that are not imported",
        |n| {
            let mut all = one("a.proto", n, |i| format!("service S{i} {{ rpc Do{i} (R) returns (R); }}\n"));
            all.extend(one("a.py", n, |i| format!("def f{i}(ch):\n    stub = S{i}Stub(ch)\n    stub.Do{i}(1)\n")));
            all
        },
        EdgeType::ConsumesRpc,
        |n| n as u64,
    ),
    (
        "proto: implementations of one name",
        |n| {
            let mut all = one("a.proto", n, |i| format!("service S{i} {{ rpc Do (R{i}) returns (R{i}); }}\n"));
            let text = |i| format!("type T{i} struct {{}}\nfunc (t T{i}) Do(r *R{i}) *R{i} {{ return r }}\n");
            all.extend(one("a.go", n, text));
            all
        },
        EdgeType::ImplementsRpc,
        |n| n as u64,
    ),
];

type Expected = fn(usize) -> u64;

fn one(path: &str, n: usize, text: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let head = if path.ends_with(".go") { "package m\n" } else { "" };
    format_one(path, head, n, text)
}

fn format_one(path: &str, head: &str, n: usize, text: impl Fn(usize) -> String) -> Vec<(String, String)> {
    vec![(path.to_owned(), head.to_owned() + &(0..n).map(text).collect::<String>())]
}

/// A class `A` with `n` members.
fn class(path: &str, n: usize, text: impl Fn(usize) -> String) -> Vec<(String, String)> {
    vec![(path.to_owned(), format!("class A {{\n{}}}\n", (0..n).map(text).collect::<String>()))]
}

fn files(n: usize, file: impl Fn(usize) -> (String, String)) -> Vec<(String, String)> {
    (0..n).map(file).collect()
}

/// Returns the number of steps of indexing a shape, and the number of edges of a type.
fn measure(root: &Path, shape: Shape, n: usize, edge_type: EdgeType) -> (u64, u64) {
    for (path, text) in shape(n) {
        write(&root.join(path), &text);
    }
    let database = root.with_extension("db");
    let options = IndexOptions { database: Some(database.clone()), ..IndexOptions::default() };
    let report = index(root, &options, &|_| {}).unwrap();
    let edges = Reader::open(&database).unwrap().all_edges().unwrap();
    (report.resolution_steps, edges.iter().filter(|edge| edge.edge_type == edge_type).count() as u64)
}

#[test]
fn files_of_several_batches_use_each_other() {
    const FILES: usize = 1_100;
    let folder = tempfile::tempdir().unwrap();
    let shape: Shape = |n| {
        let file = |i: usize| {
            let used = (i * 7 + n / 2) % n;
            (format!("m{i}.py"), format!("from m{used} import f{used}\n\ndef f{i}():\n    f{used}()\n"))
        };
        (0..n).map(file).collect()
    };
    let (_, calls) = measure(&folder.path().join("batches"), shape, FILES, EdgeType::Calls);
    assert_eq!(calls, FILES as u64);
}

#[test]
fn steps_grow_linearly_in_every_shape() {
    const SMALL: usize = 50;
    let mut table = String::new();
    let mut failed = Vec::new();
    for &(name, shape, edge_type, expected) in SHAPES {
        let folder = tempfile::tempdir().unwrap();
        let [small, large] =
            [SMALL, SMALL * 8].map(|n| (n, measure(&folder.path().join(n.to_string()), shape, n, edge_type)));
        for (n, (_, edges)) in [small, large] {
            assert!(edges >= expected(n), "{name}: {edges} edges of {n}");
        }
        let ((_, (before, _)), (_, (after, _))) = (small, large);
        writeln!(table, "{name:50} {before:8} {after:8} {:6.1}", after as f64 / before as f64).unwrap();
        if after > before * 10 {
            failed.push(name);
        }
    }
    println!("{table}");
    assert!(failed.is_empty(), "more than linear: {failed:?}\n{table}");
}

/// Returns the least time that a question about a name takes of three, in a repository of two files, and the number of the lines that
/// have the name.
fn time_of_lines(root: &Path, n: usize) -> (Duration, usize) {
    let functions: String =
        (0..n).map(|i| format!("def f{i}():\n    value = {i}  # value\n    return value\n")).collect();
    write(&root.join("a.py"), "def value():\n    return 1\n");
    write(&root.join("b.py"), &functions);
    let mut engine = Engine::open(root, Some(&root.with_extension("db"))).unwrap();
    engine.index(false, Some(1), &|_| {}).unwrap();
    let ranker = engine.ranker().unwrap();
    let question = Question::Callers { of: "a.py:1".to_owned(), depth: 1 };
    let ask = |_| {
        let begin = Instant::now();
        let answer = ranker.questions().unwrap().ask(&question, 100).unwrap();
        (begin.elapsed(), answer.mentions.len())
    };
    (0..3).map(ask).min().unwrap()
}

#[test]
fn lines_with_a_name_take_linear_time() {
    let folder = tempfile::tempdir().unwrap();
    let [(before, few), (after, many)] = [500, 4_000].map(|n| time_of_lines(&folder.path().join(n.to_string()), n));
    assert_eq!((few, many), (1_000, 8_000));
    // Times vary, so the limit is between eight and its square.
    assert!(after < before * 24, "{before:?} for 500, {after:?} for 4,000");
}
