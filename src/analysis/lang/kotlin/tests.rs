//! Tests of Kotlin's extraction, and of its calls over the border to Java.

use crate::lang::testing::outline;
use crate::resolve::tests::{calls_from, edges_from};

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
