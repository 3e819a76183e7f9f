//! Tests of Kotlin's extraction, and of its calls over the border to Java.

use crate::lang::testing::outline;
use crate::resolve::tests::{calls_from, edges_from, signatures_called};

const CART: &str = "package shop\nimport shop.item.Item\nimport shop.util.*\n
/** Holds items. */
abstract class Cart<T : Item>(val owner: String, n: Int = 0) : Basket(owner), Priced {
    private val items: MutableList<Item> = mutableListOf()
    val size: Int get() = items.size
    init { register(this) }
    override fun total(x: Int = 0): Double {
        for (item in items) { item.weigh() }
        return super.total(x)
    }
    companion object {
        fun open(): Cart<Item> = Impl()
    }
}
fun Item.describe(a: Int): String = helper()
interface Priced {\n    fun pay()\n}
object Registry {\n    fun find(name: String): Item? = null\n}
enum class Kind {\n    A, B;\n    fun g() {}\n}
val Item.short: String get() = name
typealias Items = List<Item>
const val TOP = 1
fun main() {
    val found = Registry.find(\"a\")
    found?.describe(1)
    Cart.open().total()
    val item = Item(1)
    item.weigh()
    try { f() } catch (e: Item) { e.weigh() }
}
";
const ITEM: &str =
    "package shop.item; import shop.Line; public class Item { public int weigh() { return new Line(1).g(); } }";

#[test]
fn definitions_have_their_containers_and_signatures() {
    let expected = [
        "type Cart: abstract class Cart<T : Item>(val owner: String, n: Int = 0) : Basket(owner), Priced",
        "field Cart.owner: val owner: String",
        "field Cart.n: n: Int = 0",
        "field Cart.items: private val items: MutableList<Item> = mutableListOf()",
        "field Cart.size: val size: Int",
        "method Cart.total: override fun total(x: Int = 0): Double",
        "method Cart.open: fun open(): Cart<Item>",
        "method Item.describe: fun Item.describe(a: Int): String",
        "interface Priced: interface Priced",
        "method Priced.pay: fun pay()",
        "type Registry: object Registry",
        "method Registry.find: fun find(name: String): Item?",
        "type Kind: enum class Kind",
        "field Kind.A: A",
        "field Kind.B: B",
        "method Kind.g: fun g()",
        "field Item.short: val Item.short: String",
        "type Items: typealias Items = List<Item>",
        "const TOP: const val TOP = 1",
        "function main: fun main()",
    ];
    assert_eq!(outline("Cart.kt", CART), expected);
}

#[test]
fn calls_cross_the_border_to_java() {
    let util = "package shop.util\nfun helper() {}\n";
    let line = "package shop\nclass Line(val n: Int) {\n    fun g(): Int = n\n}\n";
    let java = "package shop; import shop.item.Item; class Use { void go(Cart cart) { cart.total(1); Registry r = null; r.find(\"x\"); } }";
    let sources = [
        ("shop/Cart.kt", CART),
        ("shop/item/Item.java", ITEM),
        ("shop/Line.kt", line),
        ("shop/Use.java", java),
        ("shop/Util.kt", util),
    ];
    assert_eq!(
        calls_from(&sources, "main"),
        ["Cart.open", "Cart.total", "Item", "Item.describe", "Item.weigh", "Registry.find"]
    );
    assert_eq!(calls_from(&sources, "Item.describe"), ["helper"]);
    assert_eq!(calls_from(&sources, "Item.weigh"), ["Line", "Line.g"]);
    assert_eq!(calls_from(&sources, "Use.go"), ["Cart.total", "Registry.find"]);
    assert!(edges_from(&sources, "Cart").contains(&"extends Priced".to_owned()));
}

#[test]
fn annotations_are_types() {
    let text = "package p\n@Target(AnnotationTarget.CLASS)\nannotation class Required\n\nannotation class Plain\n\nval a = b to c\n";
    let expected =
        ["type Required: annotation class Required", "type Plain: annotation class Plain", "var a: val a = b to c"];
    assert_eq!(outline("a.kt", text), expected);
}

/// Returns the definitions of a file without their signatures.
fn names(text: &str) -> Vec<String> {
    let lines = outline("a.kt", text);
    lines.into_iter().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn types_on_one_line_are_read() {
    let text = "class A { fun a() {} }\nclass B { companion object { fun b() {} } }\nclass C { fun c() {}}\n\
        class D { fun d() { x() } fun e() {} }\nenum class E { F { override fun f() = 1 }, G; fun g() {} }\n\
        sealed class S { class T : S()\n object U : S() }\ninterface V { val w: Int; fun y() }\nfun z() {}\n";
    let expected = [
        "type A",
        "method A.a",
        "type B",
        "method B.b",
        "type C",
        "method C.c",
        "type D",
        "method D.d",
        "method D.e",
        "type E",
        "field E.F",
        "function E.f",
        "field E.G",
        "method E.g",
        "type S",
        "type S.T",
        "type S.U",
        "interface V",
        "field V.w",
        "method V.y",
        "function z",
    ];
    assert_eq!(names(text), expected);
}

#[test]
fn soft_keywords_are_names() {
    let text = "class A {\n private var set = 0\n private var final = false\n fun value(id: Int) { set = set or id\n final = true\n open() }\n \
        fun open() { data.inner(expect) }\n}\n";
    assert_eq!(names(text), ["type A", "field A.set", "field A.final", "method A.value", "method A.open"]);
    assert_eq!(calls_from(&[("a.kt", text)], "A.value"), ["A.open"]);
}

#[test]
fn headers_of_types_have_modifiers_delegates_and_contexts() {
    let text = "actual open class A\n/** doc */\ninternal actual constructor(\n val data: Int,\n) : B<A> {\n fun a() = c()\n private fun c() {}\n}\n\
        class D(private val e: E) : E by e {\n fun f() {}\n}\nclass G\n@Inject\ninternal constructor(h: Int) { fun i() {} }\n\
        context(scope: J, k: L)\nprivate fun m(n: context(J) () -> Unit, o: @P (Int) -> Unit) {}\n";
    let expected = [
        "type A",
        "field A.data",
        "method A.a",
        "method A.c",
        "type D",
        "field D.e",
        "method D.f",
        "type G",
        "field G.h",
        "method G.i",
        "function m",
    ];
    assert_eq!(names(text), expected);
    assert_eq!(calls_from(&[("a.kt", text)], "A.a"), ["A.c"]);
}

#[test]
fn lines_that_begin_with_a_parenthesis_are_statements() {
    let text = "fun a() {\n val b = c { it }\n (b as D).e()\n b!!.f(1)\n\n // comment\n (b ?: d).g()\n h.let { (it).i() }\n}\nfun j() {}\n";
    assert_eq!(names(text), ["function a", "function j"]);
}

#[test]
fn strings_have_any_prefix_and_depth() {
    let deep = format!("fun a() = {}1{}\nfun b() {{}}\n", "\"${".repeat(3_000), "}\"".repeat(3_000));
    assert_eq!(names(&deep), ["function a", "function b"]);
    let unclosed = format!("fun a() {{}}\nval c = {}", "\"${".repeat(3_000));
    assert_eq!(names(&unclosed)[0], "function a");
    let text = "const val A = $$\"$ref ${x} $$y\"\nval b = \"\"\"a \" ${c { \"}\" }}\"\"\"\nval d = '\"'\nfun e() {}\n";
    assert_eq!(names(text), ["const A", "var b", "var d", "function e"]);
}

#[test]
fn infix_calls_are_calls() {
    let text = "class A {\n infix fun plus2(b: A): A = b\n fun end() {}\n}\nfun c(a: A) { (a plus2 a).end() }\n";
    assert_eq!(calls_from(&[("a.kt", text)], "c"), ["A.end", "A.plus2"]);
}

#[test]
fn accessors_belong_to_their_property() {
    let text = "class A {\n val b: Int\n  get() = c()\n var d = 1\n  private set\n fun c() = 1\n}\n";
    assert_eq!(names(text), ["type A", "field A.b", "field A.d", "method A.c"]);
    assert_eq!(calls_from(&[("a.kt", text)], "A.b"), ["A.c"]);
}

#[test]
fn modifiers_are_part_of_the_signature() {
    let text = "class A {\n @Inject lateinit var b: B\n override\n suspend fun c() {}\n actual companion object {\n  fun d() {}\n }\n}\n\
        public expect abstract class E\n@F(1)\n@G\nclass H\n\n@F(2)\n@G\nclass I\n";
    let expected = [
        "type A: class A",
        "field A.b: lateinit var b: B",
        "method A.c: override suspend fun c()",
        "method A.d: fun d()",
        "type E: public expect abstract class E",
        "type H: class H",
        "type I: class I",
    ];
    assert_eq!(outline("a.kt", text), expected);
}

#[test]
fn a_call_means_the_overload_that_takes_its_arguments() {
    let text = "package p
class Box {
    fun put(a: Int) { put(a, 1) }
    fun put(a: Int, b: Int) {}
    fun put(s: String) {}
    fun all(vararg xs: Int) {}
    fun all(a: Int, f: () -> Unit) {}
}
fun send(x: Int, y: Int = 0) {}
fun send(x: String, y: Int, z: Int) {}
class Use {
    fun two(b: Box) { b.put(1, 2) }
    fun text(b: Box) { b.put(\"a\") }
    fun named(b: Box) { b.put(b = 1, a = 2) }
    fun trailing(b: Box) { b.all(1) { } }
    fun any(b: Box) { b.all(1, 2, 3) }
    fun top() { send(\"a\", 1, 2) }
    fun default() { send(1) }
}
";
    let called = |from: &str| signatures_called(&[("a.kt", text)], from);
    assert_eq!(called("Use.two"), ["fun put(a: Int, b: Int)"]);
    assert_eq!(called("Use.text"), ["fun put(s: String)"]);
    assert_eq!(called("Use.named"), ["fun put(a: Int, b: Int)"]);
    assert_eq!(called("Use.trailing"), ["fun all(a: Int, f: () -> Unit)"]);
    assert_eq!(called("Use.any"), ["fun all(vararg xs: Int)"]);
    assert_eq!(called("Use.top"), ["fun send(x: String, y: Int, z: Int)"]);
    assert_eq!(called("Use.default"), ["fun send(x: Int, y: Int = 0)"]);
    // No function calls itself here.
    assert_eq!(called("Box.put"), ["fun put(a: Int, b: Int)"]);
}

#[test]
fn members_of_objects_and_companions_are_imported() {
    let util = "package t\nobject Tool {\n    fun seed(n: Int) = n\n    fun check() {\n    }\n}\n\
                class Conf {\n    companion object {\n        fun load() = 1\n        fun String.toConf() = 2\n    }\n}\n";
    let text = "package q\nimport t.Tool.check\nimport t.Tool.seed as start\nimport t.Conf.Companion.load\n\
                import t.Conf.Companion.toConf\n\
                fun f() {\n    check()\n    start(3)\n    load()\n    \"a\".toConf()\n}\n";
    let sources = [("t.kt", util), ("a.kt", text)];
    assert_eq!(calls_from(&sources, "f"), ["Conf.String.toConf", "Conf.load", "Tool.check", "Tool.seed"]);
}

#[test]
fn extensions_are_members_of_types_of_the_library_and_of_every_type() {
    let text = "package u
internal infix fun Int.turn(n: Int): Int = this
fun String.clip(): Int = 1
fun Iterable<Int>.total(): Int = 0
fun <T> T.tap(): T = this
val CharSequence.half: Int get() = 1
open class Base
fun f(x: Int, s: String?, all: List<Int>) {
    x turn 3
    \"a\".clip()
    s?.clip()
    all.total()
    Base().tap()
    \"a\".half
    s.length
    all.clip()
}
";
    let edges = edges_from(&[("a.kt", text)], "f");
    let expected = [
        "calls Base",
        "calls CharSequence.half",
        "calls Int.turn",
        "calls Iterable.total",
        "calls String.clip",
        "calls T.tap",
    ];
    assert_eq!(edges, expected);
}

#[test]
fn blocks_of_scope_functions_have_a_receiver() {
    let text = "package d
class Till {
    fun ring(x: Int) {}
    fun open(): Till = this
}
fun shut() {}
class Desk {
    fun own() {}
    fun applied(f: Till) {
        f.apply { ring(4); own(); shut() }
    }
    fun withed(f: Till) {
        with(f) { this.open() }
    }
    fun let(f: Till?) {
        f?.let { it.ring(5) }
    }
    fun after(f: Till) {
        f.run { ring(1) }
        own()
    }
}
";
    let called = |from: &str| calls_from(&[("a.kt", text)], from);
    assert_eq!(called("Desk.applied"), ["Desk.own", "Till.ring", "shut"]);
    assert_eq!(called("Desk.withed"), ["Till.open"]);
    assert_eq!(called("Desk.let"), ["Till.ring"]);
    assert_eq!(called("Desk.after"), ["Desk.own", "Till.ring"]);
}

#[test]
fn java_calls_an_object_by_its_instance() {
    let kotlin = "package d\nobject Locks {\n    fun shut(id: String) = 1\n}\n";
    let java = "package d; class J { void j() { Locks.INSTANCE.shut(\"x\"); } }";
    assert_eq!(calls_from(&[("Locks.kt", kotlin), ("J.java", java)], "J.j"), ["Locks.shut"]);
}
