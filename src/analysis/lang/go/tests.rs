//! Facts extracted from Go snippets.

use crate::facts::{BindingKind, Expr, ExprId, FileFacts, Role, SignalKind};
use crate::lang::go::LANGUAGE;

fn facts_of(path: &str, source: &str) -> FileFacts {
    crate::lang::parser::parse(&LANGUAGE, path, source.as_bytes()).expect("parses")
}

fn facts(source: &str) -> FileFacts {
    facts_of("pkg/a.go", &format!("package a\n{source}"))
}

/// Returns an expression as text: `Instance(T)`, `a.b`, `f(x)`.
fn expr_text(facts: &FileFacts, id: ExprId) -> String {
    let name = |atom| facts.outline.names.get(atom).to_owned();
    let show = |id: &ExprId| expr_text(facts, *id);
    let all = |ids: &[ExprId]| ids.iter().map(show).collect::<Vec<_>>().join(", ");
    match &facts.code.expressions[id.0 as usize] {
        Expr::Unknown => "?".to_owned(),
        Expr::Name(atom) => name(*atom),
        Expr::Member { base, name: atom } => format!("{}.{}", show(base), name(*atom)),
        Expr::Call { callee, args } => format!("{}({})", show(callee), all(args)),
        Expr::Instance(inner) => format!("Instance({})", show(inner)),
        Expr::Apply { base, args } => format!("{}[{}]", show(base), all(args)),
        Expr::Index(inner) => format!("Index({})", show(inner)),
        Expr::Element(inner) => format!("Element({})", show(inner)),
        Expr::Item(inner, index) => format!("Item({}, {index})", show(inner)),
        Expr::Receiver => "Receiver".to_owned(),
        Expr::Union(parts) => format!("Union({})", all(parts)),
        Expr::Tuple(parts) => format!("({})", all(parts)),
        Expr::Function { params, result } => {
            format!("func({}) {}", all(params), result.as_ref().map(show).unwrap_or_default()).trim().to_owned()
        }
        Expr::Builtin { name: atom, args } if args.is_empty() => name(*atom),
        Expr::Builtin { name: atom, args } => format!("{}<{}>", name(*atom), all(args)),
        Expr::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{}: {}", name(*key), show(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => format!("{other:?}"),
    }
}

/// Returns one line for each definition.
fn outline(facts: &FileFacts) -> Vec<String> {
    let name = |atom| facts.outline.names.get(atom);
    let mut lines = Vec::new();
    for definition in &facts.outline.definitions {
        let mut path: Vec<&str> = definition.scope_names.iter().map(|atom| name(*atom)).collect();
        path.push(name(definition.name));
        let mut line = format!("{} {} {}", definition.span.name_line, definition.kind.name(), path.join("."));
        line.push_str(&format!(" `{}`", definition.signature));
        if !definition.doc.is_empty() {
            line.push_str(&format!(" # {}", definition.doc.replace('\n', " / ")));
        }
        for base in &definition.bases {
            line.push_str(&format!(" <{}", expr_text(facts, base.expr)));
        }
        lines.push(line);
    }
    lines
}

/// Returns one line for each local binding, sorted, and for each reference with its role.
fn code(facts: &FileFacts) -> Vec<String> {
    let name = |atom| facts.outline.names.get(atom);
    let optional = |id: Option<ExprId>| id.map(|id| expr_text(facts, id)).unwrap_or_default();
    let mut lines = Vec::new();
    for binding in &facts.code.bindings {
        match binding.kind {
            BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => {
                lines.push(format!("{}: {} = {}", name(binding.name), optional(value_type), optional(value)));
            }
            _ => lines.push(format!("{}: {:?}", name(binding.name), binding.kind)),
        }
    }
    lines.sort();
    for reference in &facts.code.references {
        let source = reference.source.map_or("-", |id| name(facts.outline.definitions[id.index()].name));
        lines.push(format!("{:?} {} from {source}", reference.role, expr_text(facts, reference.expr)));
    }
    lines
}

fn check_outline(source: &str, expected: &[&str]) {
    assert_eq!(outline(&facts(source)), expected, "{source}");
}

fn check_code(source: &str, expected: &[&str]) {
    assert_eq!(code(&facts(source)), expected, "{source}");
}

#[test]
fn functions_and_methods_are_extracted() {
    check_outline(
        "// Run runs.\n//go:noinline\nfunc Run[T any](\n\ta int, // first\n\tb ...T,\n) (int, error) { return 0, nil }\nfunc (s *Store[T]) Get(k string) T { }\nfunc init() {}\nfunc init() {}\n",
        &[
            "4 function Run `func Run[T any](a int, b ...T) (int, error)` # Run runs.",
            "8 method Store.Get `func (s *Store[T]) Get(k string) T`",
            "9 function init `func init()`",
            "10 function init `func init()`",
        ],
    );
}

#[test]
fn types_with_fields_and_methods_are_extracted() {
    check_outline(
        "// Store keeps.\ntype Store struct {\n\tBase\n\t*pkg.Other\n\tList[int]\n\t// A doc.\n\ta, b int `json:\"a\"` // behind\n\tin struct { deep string }\n}\ntype (\n\t// Doer does.\n\tDoer interface { Close\n\t\tDo(x int) error // does\n\t}\n\tID = string\n\tNumber interface { ~int | ~string }\n)\n",
        &[
            "3 type Store `type Store struct` # Store keeps. <Base <pkg.Other <List[int]",
            "4 field Store.Base `Base`",
            "5 field Store.Other `*pkg.Other`",
            "6 field Store.List `List[int]`",
            "8 field Store.a `a int` # A doc.",
            "8 field Store.b `b int` # A doc.",
            "9 field Store.in `in struct { deep string }`",
            "9 field Store.in.deep `deep string`",
            "13 interface Doer `type Doer interface` # Doer does. <Close",
            "14 method Doer.Do `Do(x int) error` # does",
            "16 type ID `type ID = string`",
            "17 interface Number `type Number interface`",
        ],
    );
}

#[test]
fn package_variables_and_constants_are_extracted() {
    check_outline(
        "// Kinds.\nconst (\n\tA Kind = iota // first\n\tB\n)\nvar _ Doer = (*Store)(nil)\nvar x, y = f()\nvar run = func(a int) error { return g(a) }\nvar m = map[string]int{\n\t\"a\": 1,\n}\n",
        &[
            "4 const A `const A Kind = iota` # Kinds.",
            "5 const B `const B`",
            "8 var x `var x = f()`",
            "8 var y `var y = f()`",
            "9 function run `var run = func(a int) error`",
            "10 var m `var m = map[string]int{ …`",
        ],
    );
    let facts = facts("const (\n\tA Kind = iota\n\tB\n)\nvar x, y = f()\n");
    let value_type = |index: usize| facts.outline.definitions[index].value_type.map(|id| expr_text(&facts, id));
    let value = |index: usize| facts.outline.definitions[index].value.map(|id| expr_text(&facts, id));
    assert_eq!(value_type(1).as_deref(), Some("Kind"));
    assert_eq!(value(3).as_deref(), Some("Item(f(), 1)"));
}

#[test]
fn local_bindings_have_types_or_values() {
    check_code(
        "func f(in []Item, c chan Msg) (err error) {\n\ta, b := g()\n\tv, ok := c2[a]\n\tt := b.(*T)\n\tfor k, e := range in {\n\t\tuse(k, e)\n\t}\n\tn := new(Node)\n\tm := <-c\n\tl := append(in, v)\n\tfn := func(x X) (Y, error) { return x }\n}\n",
        &[
            "a:  = Item(g(), 0)",
            "b:  = Item(g(), 1)",
            "c: chan<Msg> = ",
            "e:  = Index(in)",
            "err: error = ",
            "fn:  = func(X) Instance((Y, error))",
            "in: []<Item> = ",
            "k:  = Element(in)",
            "l:  = in",
            "m:  = Element(c)",
            "n:  = Instance(Node)",
            "ok:  = bool",
            "t:  = Instance(T)",
            "v:  = Index(c2)",
            "x: X = ",
            "Type Item from f",
            "Type Msg from f",
            "Call g from f",
            "Read c2 from f",
            "Type T from f",
            "Call use from f",
            "Type Node from f",
            "Type X from f",
            "Type Y from f",
        ],
    );
}

#[test]
fn type_switch_binds_its_name_in_each_case() {
    check_code(
        "func f(x any) {\n\tswitch v := x.(type) {\n\tcase *A:\n\t\tv.One()\n\tcase B, C:\n\t\tv.Two()\n\tcase nil:\n\t}\n}\n",
        &[
            "v:  = x",
            "v: ? = ",
            "v: A = ",
            "x: any = ",
            "Type A from f",
            "Call v.One from f",
            "Type B from f",
            "Type C from f",
            "Call v.Two from f",
        ],
    );
}

#[test]
fn composite_literal_keys_are_field_writes() {
    check_code(
        "import \"x/p\"\nvar v = &p.T{A: one, B: []U{{C: 1}}}\nfunc f() { m := map[K]V{key: {D: two}}; m[three].D = 4; go m.run() }\n",
        &[
            "m:  = Instance(map<K, V>)",
            "Type p.T from v",
            "Write Instance(p.T).A from v",
            "Read one from v",
            "Write Instance(p.T).B from v",
            "Type U from v",
            "Write Index(Instance([]<U>)).C from v",
            "Type K from f",
            "Type V from f",
            "Read key from f",
            "Write Index(Instance(map<K, V>)).D from f",
            "Read two from f",
            "Read three from f",
            "Write Index(m).D from f",
            "Call m.run from f",
        ],
    );
}

#[test]
fn methods_with_equal_receivers_share_an_extension() {
    let facts = facts("func (s *S) A() {}\nfunc (S) B() {}\nfunc (l List[T]) C() T {}\nfunc (l List[U]) D() {}\n");
    let names: Vec<String> =
        facts.outline.extensions.iter().map(|extension| expr_text(&facts, extension.target)).collect();
    assert_eq!(names, ["S", "List[T]", "List[U]"]);
}

#[test]
fn generic_functions_are_call_references() {
    let facts = facts("func f() { g[int](1); h[p.T](x); fns[i](y) }\n");
    let calls: Vec<String> = facts
        .code
        .references
        .iter()
        .filter(|reference| reference.role == Role::Call)
        .map(|reference| expr_text(&facts, reference.expr))
        .collect();
    assert!(calls.contains(&"g".to_owned()) && calls.contains(&"h".to_owned()), "{calls:?}");
}

#[test]
fn imports_bind_explicit_or_default_names() {
    let facts =
        facts("import (\n\t\"a/b\"\n\tc \"d/e\"\n\t. \"f\"\n\t_ \"g\"\n\t\"h/v2\"\n\t\"gopkg.in/yaml.v3\"\n)\n");
    let names = |atom| facts.outline.names.get(atom);
    let bound: Vec<&str> = facts.outline.bindings.iter().map(|binding| names(binding.name)).collect();
    assert_eq!(bound, ["b", "c", "h", "yaml"]);
    assert_eq!(facts.outline.imports.len(), 6);
}

#[test]
fn calls_yield_env_process_and_http_signals() {
    let facts = facts(
        "import (\"os\"; \"os/exec\"; \"net/http\")\nfunc f(r Router) {\n\tos.Getenv(\"HOME\")\n\texec.Command(\"git\", \"log\")\n\tr.HandleFunc(\"/x\", serve)\n\tr.Get(\"/y\", func() {})\n\thttp.Get(\"https://h.org/z\")\n\tr.Get(\"key\")\n}\n",
    );
    let signals: Vec<String> = facts
        .code
        .signals
        .iter()
        .map(|signal| match &signal.kind {
            SignalKind::ReadsEnv(name) => format!("env {}", facts.outline.names.get(*name)),
            SignalKind::Executes(name) => format!("run {}", facts.outline.names.get(*name)),
            SignalKind::SetsEnv(name) | SignalKind::Names { name, .. } => facts.outline.names.get(*name).to_owned(),
            SignalKind::GatedBy { flag, .. } => format!("flag {}", facts.outline.names.get(*flag)),
            SignalKind::Endpoint(path) => format!("request {}", facts.outline.names.get(*path)),
            SignalKind::Route { route, handler } => {
                format!("route {} {}", facts.outline.names.get(*route), handler.is_some())
            }
        })
        .collect();
    assert_eq!(signals, ["env HOME", "run git", "route /x true", "route GET /y false", "request GET /z"]);
}

#[test]
fn definitions_in_test_files_are_tests() {
    let facts = facts_of("pkg/a_test.go", "package a_test\nfunc TestA(t *testing.T) {}\nfunc helper() {}\n");
    assert!(facts.outline.is_test && facts.outline.definitions.iter().all(|definition| definition.flags.is_test));
    assert_eq!(facts.outline.package.map(|name| facts.outline.names.get(name)), Some("a_test"));
}

#[test]
fn broken_source_keeps_other_definitions() {
    for source in ["", "func", "func (", "type X struct {", "package a\nfunc f() { x := ; y.( }", "a b c { } \u{0}"] {
        facts_of("a.go", source);
    }
    let facts = facts("func f() { a.b( }\nfunc g() {}\n");
    assert!(outline(&facts).iter().any(|line| line.contains(" g ")));
}

#[test]
fn body_words_are_identifiers_and_string_words() {
    let facts = facts("func f() { s := \"hello // world\" // no\n\treturn fooBar(s, `raw\n text`) }\n");
    assert_eq!(facts.texts.bodies[0], "hello world fooBar raw text");
}
