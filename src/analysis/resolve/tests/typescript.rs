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
    check(&format!("{types} function f(t: Thing) {{ t.first.use() }}"), &["Part.use", "Thing.first"]);
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

/// Asserts the callees of a definition of a repository.
#[track_caller]
fn check_from(sources: &[(&str, &str)], from: &str, expected: &[&str]) {
    assert_eq!(super::calls_from(sources, from), expected, "{sources:#?}");
}

#[test]
fn functions_that_are_assigned_to_an_object_are_its_methods() {
    let reply = "var util = require('util');
        var reply = Object.create(util.Base.prototype);
        module.exports = reply;
        reply.code = function code(n) { return this };
        reply.type = reply.kind = function type(t) { return this.code(1).write(t) };
        reply.text = function text(body) { this.kind('t'); return code() };
        function code() {}
        reply.end = code;";
    let user = "var reply = require('./reply'); function f() { reply.text('a'); reply.end() }";
    let sources = [("lib/reply.js", reply), ("lib/user.js", user)];
    check_from(&sources, "reply.kind", &["reply.code"]);
    check_from(&sources, "reply.text", &["code", "reply.kind"]);
    check_from(&sources, "f", &["code", "reply.end", "reply.text"]);
}

#[test]
fn functions_with_prototypes_are_classes() {
    let shapes = "function Shape(name) { this.name = name; this.init(); this.late = function () { this.area() } }
        Shape.prototype.init = function () { this.late() };
        Shape.prototype.area = function () {};
        Shape.of = function (name) { return new Shape(name) };
        function Square() { Shape.call(this) }
        Square.prototype = Object.create(Shape.prototype);
        Square.prototype.side = function () { this.area() };
        function Round() {}
        Round.prototype = { turn: function () { this.twice() }, twice() { this.turn() } };
        Object.assign(Round.prototype, { roll() { this.twice() } });
        module.exports = { Shape, Square, Round };";
    let user = "const { Square, Round, Shape } = require('./shapes');
        function f() { new Square().init(); const round = new Round(); round.roll(); Shape.of('a').area() }";
    let sources = [("shapes.js", shapes), ("user.js", user)];
    check_from(&sources, "Shape", &["Shape.init"]);
    check_from(&sources, "Shape.init", &["Shape.late"]);
    check_from(&sources, "Shape.late", &["Shape.area"]);
    check_from(&sources, "Square.side", &["Shape.area"]);
    check_from(&sources, "Round.turn", &["Round.twice"]);
    check_from(&sources, "f", &["Round", "Round.roll", "Shape.area", "Shape.init", "Shape.of", "Square"]);
}

#[test]
fn a_local_variable_is_not_the_object_of_its_name() {
    let source = "var app = {}; app.run = function () {};
        function f() { var app = make(); app.run = function () {}; app.run() }";
    check_from(&[("a.js", source)], "f", &["f.app.run"]);
}

#[test]
fn this_is_the_object_around_a_method() {
    let source = "module.exports = { open() { this.close() }, close() {} };
        function make() { return { start() { this.stop() }, stop() {} } }
        function f() { make().start() }";
    check_from(&[("a.js", source)], "open", &["close"]);
    check_from(&[("a.js", source)], "make.start", &["make.stop"]);
    check_from(&[("a.js", source)], "f", &["make", "make.start"]);
    let component = "export default { load() { this.show() }, show: function () {} }";
    check_from(&[("b.js", component)], "default.load", &["default.show"]);
}

#[test]
fn methods_of_a_mapped_type_have_the_this_that_it_names() {
    let source = "type Lazy<T> = Partial<{ [K in keyof T]: T[K] extends (...a: infer A) => infer R ? (this: T, ...a: A) => R : never }>
        interface Schema { check(): this }
        function methods(): Lazy<Schema> { return { min(n) { return this.check() } } }";
    check_from(&[("a.ts", source)], "methods.min", &["Schema.check"]);
}

#[test]
fn second_names_of_the_exports_of_a_module_are_exports() {
    let user = "const kit = require('./kit'); const { two } = require('./kit'); function f() { kit.one(); two() }";
    for kit in [
        "exports = module.exports = make; function make() {} exports.one = function () {}; exports.two = () => {};",
        "const self = module.exports = {}; self.one = function () {}; self.two = function () {};",
        "const api = exports; api.one = function () {}; api.two = function () {};",
        "function one() {} Object.assign(module.exports, { one, two() {} });",
        "class Kit {} module.exports = Kit; module.exports.one = function () {}; module.exports.two = function () {};",
    ] {
        let called = super::calls_from(&[("kit.js", kit), ("user.js", user)], "f");
        let last = |name: &String| name.rsplit('.').next().unwrap_or_default().to_owned();
        assert_eq!(called.iter().map(last).collect::<Vec<_>>(), ["one", "two"], "{kit}");
    }
}

#[test]
fn a_call_of_a_property_or_constant_is_a_call() {
    let source = "interface Options { onDone: (n: number) => void; size: number }
        const later = make();
        function f(o: Options) { o.onDone(o.size); later() }";
    check(source, &["Options.onDone", "later"]);
}

/// Asserts the targets of the edges of a file to definitions and other files, as `type target`.
#[track_caller]
fn check_file(sources: &[(&str, &str)], file: &str, expected: &[&str]) {
    let own = super::edges(sources).into_iter().filter(|edge| edge.source == file);
    let mut lines: Vec<String> = own.map(|edge| format!("{} {}", edge.edge_type, edge.target)).collect();
    lines.sort();
    assert_eq!(lines, expected, "{sources:#?}");
}

#[test]
fn templates_of_vue_use_what_their_scripts_define_and_import() {
    let page = "<template>\n<form @submit.prevent=\"save\"><input @input=\"touch($event); touch(1)\" v-model=\"text\">\n\
        <CardBox v-for=\"(item, i) in items\" :key=\"item.id\" :class=\"{ on: visible(item) }\" />\n\
        <card-list v-slot=\"{ row }\"><b>{{ label(row.name) }}</b></card-list></form>\n</template>\n\
        <script setup lang=\"ts\">\nimport { label } from './fmt'\nimport CardBox from './CardBox.vue'\n\
        import CardList from './CardList.vue'\nconst text = ref('')\nconst items: Item[] = []\nfunction item() {}\n\
        function save() {}\nfunction touch(n) {}\nfunction visible(x) { return true }\n</script>\n\
        <i18n>{ \"a\": \"{{ item() }}\" }</i18n>";
    let sources = [
        ("Page.vue", page),
        ("CardBox.vue", "<script setup></script><template><p/></template>"),
        ("CardList.vue", "<template><slot/></template>"),
        ("fmt.ts", "export function label(s: string) { return s }"),
    ];
    let expected = [
        "calls label",
        "calls touch",
        "calls visible",
        "imports CardBox.vue",
        "imports CardList.vue",
        "imports label",
        "references CardBox.vue",
        "references CardList.vue",
        "references items",
        "references save",
        "references text",
    ];
    check_file(&sources, "Page.vue", &expected);
}

#[test]
fn options_of_a_component_of_vue_are_members_of_this_and_names_of_the_template() {
    let page = "<template><b @click=\"load\">{{ title }}</b></template>\n<script>\nimport Row from './Row.vue'\n\
        export default { components: { Row }, computed: { title() { return this.name() } },\n\
        methods: { load() { this.show(); }, show: function () {}, name() {} }, mounted() { this.load() } }\n</script>";
    let sources = [("Page.vue", page), ("Row.vue", "<template><i/></template>")];
    check_from(&sources, "default.methods.load", &["default.methods.show"]);
    check_from(&sources, "default.computed.title", &["default.methods.name"]);
    check_from(&sources, "default.mounted", &["default.methods.load"]);
    let expected = [
        "imports Row.vue",
        "references Row.vue",
        "references default.computed.title",
        "references default.methods.load",
    ];
    check_file(&sources, "Page.vue", &expected);
}

#[test]
fn markup_of_svelte_uses_what_its_script_defines_and_imports() {
    let page = "<script>\nimport Row from './Row.svelte';\nimport { cart } from '$lib/cart';\n\
        let items = [];\nfunction add(x) {}\nfunction tip(node) {}\nfunction total() {}\nfunction name() {}\n\
        function late() {}\n</script>\n<p use:tip class=\"a {total()}\">it's {$cart}</p>\n\
        {#if total() > 1}<Row on:click={() => add('}')} {...items} />{:else if late()}{/if}\n\
        {#each items as { name, id }, i (id)}{name}{@html name}{/each}{#await add(1) then name}{name}{/await}";
    let sources = [
        ("src/Page.svelte", page),
        ("src/Row.svelte", "<p>row</p>"),
        ("src/lib/cart.ts", "export const cart = { all: 1 }"),
        ("package.json", "{\"devDependencies\": {\"svelte\": \"5\"}}"),
    ];
    let expected = [
        "calls add",
        "calls late",
        "calls total",
        "imports cart",
        "imports src/Row.svelte",
        "references cart",
        "references items",
        "references src/Row.svelte",
        "references tip",
    ];
    check_file(&sources, "src/Page.svelte", &expected);
}

#[test]
fn handlers_of_a_page_use_the_functions_of_its_scripts() {
    let page = "<html><body onload='start()'><a onclick=\"go(1); return false\" title=\"go()\">x</a>\n\
        <script>function start() {}</script><script src=\"js/app.js?v=1\"></script></body></html>";
    let sources = [("web/a.html", page), ("web/js/app.js", "function go(n) {}\nfunction never() {}")];
    check_file(&sources, "web/a.html", &["calls go", "calls start", "imports web/js/app.js"]);
    let without_script =
        [("a.htm", "<p onclick=\"go()\"></p><script src=\"a.js\"></script>"), ("a.js", "function go() {}")];
    check_file(&without_script, "a.htm", &["calls go", "imports a.js"]);
}

#[test]
fn objects_and_functions_inside_of_functions_have_members() {
    let source = "(function (root) {
            function Shape() { this.init() }
            Shape.prototype.init = function () { this.area() };
            Shape.prototype.area = function () {};
            root.Shape = Shape;
        })(this);
        function makeQueue() {
            const queue = { all: [] };
            queue.push = function (x) { queue.wake() };
            queue.wake = function () {};
            return queue;
        }
        function f() { makeQueue().push(1) }
        function g(queue) { queue.push = function () {}; queue.push() }";
    check_from(&[("a.js", source)], "Shape.init", &["Shape.area"]);
    check_from(&[("a.js", source)], "makeQueue.queue.push", &["makeQueue.queue.wake"]);
    check_from(&[("a.js", source)], "f", &["makeQueue", "makeQueue.queue.push"]);
    check_from(&[("a.js", source)], "g", &[]);
}
