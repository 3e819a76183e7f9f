//! Edges of small TypeScript repositories.

use super::{check_calls, edges_from};

/// Asserts the callees of `f` in a single file.
#[track_caller]
fn check(source: &str, expected: &[&str]) {
    check_calls(&[("a.ts", source)], expected);
}

#[test]
fn members_are_typed_and_inherited() {
    let types = "class Base { ping() { return this } } class Part { use() {} }
        class Thing extends Base { part = new Part(); get first(): Part { return this.part } all: Part[] = [] }
        class Other { use() {} ping() {} } ";
    check(&format!("{types} function f(t: Thing) {{ t.part.use(); t.ping() }}"), &["Base.ping", "Part.use"]);
    check(&format!("{types} function f(t: Thing) {{ t.first.use() }}"), &["Part.use"]);
    check(&format!("{types} function f() {{ new Thing().all.map(p => p.use()) }}"), &["Part.use", "Thing"]);
    check(&format!("{types} function f(t: Thing) {{ for (const p of t.all) p.use() }}"), &["Part.use"]);
}

#[test]
fn this_is_the_type_around_it() {
    let source = "class First { f() { this.own() } own() {} }
        class Second { f() { this.own() } own() {} g() { const later = () => this.only(); later() } only() {} }
        Third.prototype.h = function () { this.own() }
        class Third { own() {} }";
    assert_eq!(edges_from(&[("a.ts", source)], "First.f"), ["calls First.own"]);
    assert_eq!(edges_from(&[("a.ts", source)], "Second.f"), ["calls Second.own"]);
    assert_eq!(edges_from(&[("a.ts", source)], "Second.g.later"), ["calls Second.only"]);
    assert_eq!(edges_from(&[("a.ts", source)], "Third.h"), ["calls Third.own"]);
}

#[test]
fn generic_results_are_inferred_from_arguments() {
    let library = "class Part { use() {} } class Other { use() {} }
        function same<T>(value: T): T { return value }
        function run<T>(make: () => T): T { return make() }
        class Box<T> { constructor(public value: T) {} get(): T { return this.value } }
        async function later(): Promise<Part> { return new Part() } ";
    check(&format!("{library} function f(p: Part) {{ same(p).use() }}"), &["Part.use", "same"]);
    check(&format!("{library} function f() {{ run(() => new Part()).use() }}"), &["Part", "Part.use", "run"]);
    check(&format!("{library} function f(p: Part) {{ new Box(p).get().use() }}"), &["Box", "Box.get", "Part.use"]);
    check(&format!("{library} async function f() {{ (await later()).use() }}"), &["Part.use", "later"]);
}

#[test]
fn types_and_values_can_share_a_name() {
    let source = "interface Shape { draw(): void } const Shape = { of(): Shape { return null! } }
        function f(s: Shape) { s.draw(); Shape.of().draw() }";
    check(source, &["Shape.draw", "Shape.of"]);
    assert_eq!(edges_from(&[("a.ts", source)], "f")[2..], ["references Shape", "type_hint_of Shape"]);
}

#[test]
fn modules_reexport_names() {
    let sources = [
        ("package.json", "{\"name\": \"shop\", \"main\": \"src/index.ts\"}"),
        (
            "src/index.ts",
            "export * from './core'\nexport { run as start } from './core'\nexport { default as Main } from './main'\n",
        ),
        ("src/core.ts", "export function run() {}\nexport const stop = () => {}\n"),
        ("src/main.ts", "export default class Main { go() {} }\n"),
        (
            "test/a.ts",
            "import * as shop from 'shop'\nimport { start, Main } from '../src'\nfunction f() { start(); shop.stop(); new Main().go() }\n",
        ),
    ];
    check_calls(&sources, &["Main", "Main.go", "run", "stop"]);
}

#[test]
fn overloads_are_one_guess_candidate() {
    let source = "class A { settle(x: string): void; settle(x: number): void; settle(x: any) {} }
        function f(x) { x.settle(1) }";
    check(source, &["A.settle"]);
    check(&format!("{source} class B {{ settle() {{}} }}"), &[]);
}
