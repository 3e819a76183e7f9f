//! Extraction of snippets, compared with a readable outline.

use crate::facts::{Container, Expr, ExprId, FileFacts, Role};
use crate::lang::language_of;
use crate::lang::parser::parse;

fn facts(path: &str, source: &str) -> FileFacts {
    parse(language_of(path).expect("a language"), path, source.as_bytes()).expect("facts")
}

/// Returns one line for each definition: kind, qualified name, flags, signature.
fn outline(path: &str, source: &str) -> String {
    let facts = facts(path, source);
    let names = &facts.outline.names;
    let mut lines = Vec::new();
    for definition in &facts.outline.definitions {
        let mut parts: Vec<&str> = definition.scope_names.iter().map(|name| names.get(*name)).collect();
        parts.push(names.get(definition.name));
        let mut marks = String::new();
        let flags = definition.flags;
        for (is_set, mark) in [
            (flags.is_static, " static"),
            (flags.is_property, " property"),
            (flags.is_abstract, " abstract"),
            (flags.is_async, " async"),
            (flags.is_local, " local"),
            (flags.is_alias, " alias"),
            (flags.is_variant, " variant"),
            (flags.is_test, " test"),
            (matches!(definition.container, Container::Definition(_)), " member"),
        ] {
            if is_set {
                marks.push_str(mark);
            }
        }
        lines.push(format!("{} {}{marks} | {}", definition.kind.name(), parts.join("."), definition.signature));
    }
    lines.join("\n")
}

fn check(source: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(outline("src/a.tsx", source), expected.join("\n"));
}

fn show(facts: &FileFacts, id: ExprId) -> String {
    let names = &facts.outline.names;
    let all = |ids: &[ExprId]| ids.iter().map(|id| show(facts, *id)).collect::<Vec<_>>().join(", ");
    match &facts.code.expressions[id.0 as usize] {
        Expr::Unknown => "?".to_owned(),
        Expr::Name(name) => names.get(*name).to_owned(),
        Expr::Member { base, name } => format!("{}.{}", show(facts, *base), names.get(*name)),
        Expr::Call { callee, args } => format!("{}({})", show(facts, *callee), all(args)),
        Expr::Instance(inner) => format!("a {}", show(facts, *inner)),
        Expr::Apply { base, args } => format!("{}<{}>", show(facts, *base), all(args)),
        Expr::Builtin { name, args } if args.is_empty() => names.get(*name).to_owned(),
        Expr::Builtin { name, args } => format!("{}<{}>", names.get(*name), all(args)),
        Expr::Receiver => "this".to_owned(),
        Expr::Unwrap(inner) => format!("await {}", show(facts, *inner)),
        Expr::Element(inner) => format!("each {}", show(facts, *inner)),
        Expr::Item(inner, index) => format!("{}[{index}]", show(facts, *inner)),
        Expr::Union(parts) => format!("({})", parts.iter().map(|id| show(facts, *id)).collect::<Vec<_>>().join(" | ")),
        Expr::LambdaParameter { call, argument, parameter } => {
            format!("param {parameter} of arg {argument} of {}", show(facts, *call))
        }
        Expr::ParameterOf { function, parameter } => format!("param {parameter} of [{}]", show(facts, *function)),
        Expr::ArgumentOf { call, argument } => format!("arg {argument} of {}", show(facts, *call)),
        Expr::Definition(id) => format!("#{}", names.get(facts.outline.definitions[id.index()].name)),
        other => format!("{other:?}"),
    }
}

/// Returns one line for each reference: source, role, expression.
fn references(source: &str) -> String {
    let facts = facts("src/a.ts", source);
    let mut lines = Vec::new();
    for reference in &facts.code.references {
        let from = reference.source.map_or("-", |id| {
            let definition = &facts.outline.definitions[id.index()];
            facts.outline.names.get(definition.name)
        });
        let role = match reference.role {
            Role::Call => "call",
            Role::Type => "type",
            Role::Read => "read",
            Role::Write => "write",
            Role::Decorator => "decorator",
            Role::Raise => "raise",
            Role::Implement => "implement",
            Role::Document => "document",
            Role::Fixture => "fixture",
        };
        lines.push(format!("{from} {role} {}", show(&facts, reference.expr)));
    }
    lines.join("\n")
}

fn check_references(source: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(references(source), expected.join("\n"));
}

#[test]
fn extracts_functions_of_every_form() {
    check(
        "export function f(a: number): string;\nexport function f(a: any) { function g() {} return g; }\n\
         export const h = async (x: T): Promise<T> => x;\nlet i = function () {};\nexport default function () {}\n",
        "function f abstract | function f(a: number): string
         function f | function f(a: any)
         function f.g local | function g()
         function h async | const h = async (x: T): Promise<T>
         function i | let i = function ()
         function default | function ()",
    );
}

#[test]
fn extracts_classes_and_members() {
    check(
        "export abstract class A<T> extends B<T> implements I {\n  static count = 0;\n  @Input() name: string;\n\
         \x20 constructor(private readonly store: Store) { super(); }\n  get size(): number { return 1; }\n\
         \x20 abstract run(): void;\n  handler = () => this.run();\n  #secret = 1;\n  [Symbol.iterator]() {}\n}\n",
        "type A | abstract class A<T> extends B<T> implements I
         field A.count static member | static count = 0
         field A.name member | name: string
         method A.constructor member | constructor(private readonly store: Store)
         field A.store member | private readonly store: Store
         method A.size property member | get size(): number
         method A.run abstract member | abstract run(): void
         method A.handler member | handler = ()
         field A.#secret member | #secret = 1
         method A.[Symbol.iterator] member | [Symbol.iterator]()",
    );
}

#[test]
fn extracts_types_of_every_form() {
    check(
        "interface P extends Q { a: string; m(x: number): void; (call: string): P }\ntype O = { x: number; f(): void };\n\
         type U = A | { y: { z: B } };\nexport enum E { One, Two = 2 }\ndeclare module 'm' { export const k: number }\n\
         namespace N.M { export class C {} }\n",
        "interface P | interface P extends Q
         field P.a member | a: string
         method P.m abstract member | m(x: number): void
         type O | type O = { x: number; f(): void }
         field O.x member | x: number
         method O.f abstract member | f(): void
         type U alias | type U = A | { y: { z: B } }
         field U.y | y: { z: B }
         field U.y.z | z: B
         type E | enum E
         field E.One variant member | One
         field E.Two variant member | Two = 2
         package m | declare module 'm'
         const m.k | const k: number
         package N | namespace N.M
         package N.M | namespace N.M
         type N.M.C | class C",
    );
}

#[test]
fn extracts_methods_of_object_literals() {
    check(
        "export const provider: Provider = { now() { return 1; }, inner: { go: () => 2 }, plain: 3 };\n\
         function make() { return { dispatch: (a) => a }; }\n",
        "const provider | const provider: Provider = { now() { return 1; }, inner: { go: () => 2 }, plain: 3 }
         method provider.now | now()
         method provider.inner.go | go: ()
         function make | function make()
         method make.dispatch local | dispatch: (a)",
    );
}

#[test]
fn ignores_variables_in_callbacks() {
    check("describe('x', () => { const a = 1; function helper() {} });", "function helper local | function helper()");
}

#[test]
fn extracts_functions_inside_casts() {
    check(
        "export const start = ((x) => x.go()) as Start;\nconst o = { run: ((y) => y) as any };\n",
        "function start | const start = ((x)
         const o | const o = { run: ((y) => y) as any }
         method o.run | run: ((y)",
    );
}

#[test]
fn extracts_destructured_exports() {
    check(
        "export const { a, b: { c } } = make();",
        "const a | { a, b: { c } } = make()
         const c | { a, b: { c } } = make()",
    );
}

#[test]
fn records_role_and_source_of_references() {
    check_references(
        "import { A } from './a';\nfunction f(x: A, list: Array<B>) {\n  new A(x.name);\n  throw new Err();\n}\n\
         class C extends A { @dec() m() { this.n(); super.m(); } k: D = g; }\n",
        "f type A
         f type Array
         f type B
         f call A
         f read x.name
         f call Err
         f raise Err
         m call this.n
         m call Parent.m
         m decorator dec
         C type D
         C read g",
    );
}

#[test]
fn callback_parameters_come_from_the_call() {
    check_references(
        "function f(list: X[]) { list.map((x) => x.go()); }",
        "f type X
         f call list.map
         f call param 0 of arg 0 of list.map(?).go",
    );
}

#[test]
fn annotations_type_callback_parameters() {
    check_references(
        "const h: Handler = { onData(d) { d.go(); } };",
        "h type Handler
         onData call d.go",
    );
    let facts = facts("a.ts", "const h: Handler = { onData(d) { d.go(); } };");
    let binding = facts.code.bindings.iter().find(|binding| facts.outline.names.get(binding.name) == "d");
    let Some(crate::facts::BindingKind::Parameter { value: Some(value), .. }) = binding.map(|binding| binding.kind)
    else {
        panic!("d is a parameter")
    };
    assert_eq!(show(&facts, value), "param 0 of [a Handler.onData]");
}

#[test]
fn instanceof_narrows() {
    check_references(
        "function f(x: any) { if (!(x instanceof A)) { return; } x.go(); }",
        "f read A
         f call a A.go",
    );
}

#[test]
fn parses_signatures_without_semicolons() {
    check(
        "interface A {\n  <T>(x: T): B<T>\n  <U>(y: U, z: number): B<U>\n  m(): void\n}\nconst after = 1\n",
        "interface A | interface A
         method A.m abstract member | m(): void
         const after | const after = 1",
    );
}

#[test]
fn parses_using_declarations() {
    check_references(
        "async function f() {\n  await using a = make();\n  a.go();\n  const b = await load<T>(1);\n}\n",
        "f call make
         f call a.go
         f call load
         f type T",
    );
}

#[test]
fn extracts_doc_comments() {
    let facts = facts("a.ts", "/** Says\n * hello. */\nexport function f() {}\n\n// one\n// two\nconst x = 1;\n");
    let docs: Vec<&str> = facts.outline.definitions.iter().map(|definition| definition.doc.as_str()).collect();
    assert_eq!(docs, ["Says\nhello.", "one\ntwo"]);
}

#[test]
fn imports_and_exports_bind_names() {
    let facts = facts(
        "a.js",
        "import d, { a as b } from './m';\nimport * as ns from 'n';\nexport { b as c };\nexport * from './o';\n\
         const { r } = require('./r');\nmodule.exports = { r };\nexports.go = function () {};\n",
    );
    let paths: Vec<&str> = facts.outline.imports.iter().map(|import| facts.outline.names.get(import.path[0])).collect();
    assert_eq!(paths, ["./m", "./m", "n", "./o", "./r"]);
    let mut bound: Vec<&str> =
        facts.outline.bindings.iter().map(|binding| facts.outline.names.get(binding.name)).collect();
    bound.sort_unstable();
    assert_eq!(bound, ["b", "c", "d", "default", "export=", "go", "ns", "r", "r"]);
}

#[test]
fn records_signals() {
    let facts = facts("a.ts", "const k = process.env.KEY; app.get('/users', list); execSync('git status');");
    assert_eq!(facts.code.signals.len(), 3);
}

#[test]
fn deep_nesting_does_not_panic() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{a:", "}"), ("f(()=>", ")"), ("<A>", "</A>")] {
        let source = format!("const x = {}1{};", open.repeat(300), close.repeat(300));
        facts("a.tsx", &source);
    }
    facts("a.ts", &format!("type T = {}A{};", "{a: Array<".repeat(150), ">}".repeat(150)));
    facts("a.ts", &format!("const s = {}'a';", "'a' + ".repeat(900)));
}
