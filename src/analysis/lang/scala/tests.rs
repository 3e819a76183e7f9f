//! Tests of Scala's extraction and resolution.

use crate::lang::testing::outline;
use crate::resolve::tests::{calls_from, edges_from, signatures_called};

const CART: &str = "package shop
package cart
import shop.item.{Item, Price => P}
import shop.util._
/** Holds items. */
abstract class Cart[T](val owner: String, n: Int = 0) extends Basket[T](owner) with Priced {
  private val items: List[Item] = Nil
  def first: Item = items.head
  def total(x: Int): Double = {
    for (item <- items) helper(item)
    first.weigh()
    this append new Item(1)
  }
  def append(item: Item): Unit
}
object Cart { def apply(o: String): Cart = new Cart(o); val Max = 3 }
trait Priced { def pay(): Unit = { go(1) } }
enum Color { case Red, Green }
object Main {
  def main(): Unit = {
    val c = Cart.apply(\"x\")
    c.total(1)
    c match { case x: Item => x.weigh(); case Line(a, b) => a.go() }
  }
}
";

#[test]
fn definitions_have_their_containers_and_signatures() {
    let lines = outline("Cart.scala", CART);
    let names: Vec<&str> = lines.iter().map(|line| line.split(':').next().unwrap_or_default()).collect();
    let expected = [
        "type Cart",
        "field Cart.owner",
        "field Cart.n",
        "field Cart.items",
        "method Cart.first",
        "method Cart.total",
        "method Cart.append",
        "type Cart",
        "method Cart.apply",
        "field Cart.Max",
        "interface Priced",
        "method Priced.pay",
        "type Color",
        "field Color.Red",
        "field Color.Green",
        "type Main",
        "method Main.main",
    ];
    assert_eq!(names, expected);
    assert_eq!(lines[5], "method Cart.total: def total(x: Int): Double");
}

#[test]
fn calls_resolve_through_packages_and_companions() {
    let item = "package shop.item\nclass Item(n: Int) {\n  def weigh(): Int = 1\n}\n";
    let util = "package shop.util\nobject Other\nclass Helper\n";
    let sources = [("Cart.scala", CART), ("Item.scala", item), ("Util.scala", util)];
    assert_eq!(calls_from(&sources, "Cart.total"), ["Cart.append", "Cart.first", "Item", "Item.weigh"]);
    assert_eq!(calls_from(&sources, "Main.main"), ["Cart.apply", "Cart.total", "Item.weigh"]);
    assert!(edges_from(&sources, "Cart").contains(&"extends Priced".to_owned()));
}

#[test]
fn a_call_means_the_overload_that_takes_its_arguments() {
    let text = "package p
class Client {
  def post(u: String): Int = post(u, 1)
  def post(u: String, n: Int): Int = n
  def post(u: String, all: Int*)(implicit c: Context): Int = 0
}
object Use {
  def two(c: Client) = c.post(\"a\", 2)
  def three(c: Client) = c.post(\"a\", 2, 3)
}
";
    let called = |from: &str| signatures_called(&[("a.scala", text)], from);
    assert_eq!(called("Client.post"), ["def post(u: String, n: Int): Int"]);
    assert_eq!(called("Use.two"), ["def post(u: String, n: Int): Int"]);
    assert_eq!(called("Use.three"), ["def post(u: String, all: Int*)(implicit c: Context): Int"]);
}

#[test]
fn a_called_object_runs_its_method_apply_and_a_method_without_parameters_runs_by_its_name() {
    let text = "package p
object run {
  def apply(x: Int): Unit = ()
  object twice { def apply(x: Int): Unit = run(x) }
}
class Box(v: Int) { def value = v; def double = value * 2 }
case class Point(x: Int)
object Use {
  def one() = run(1)
  def two() = run.twice(2)
  def three(b: Box) = b.double
  def four() = Point(3)
}
";
    let called = |from: &str| calls_from(&[("a.scala", text)], from);
    assert_eq!(called("Use.one"), ["run.apply"]);
    assert_eq!(called("Use.two"), ["run.twice.apply"]);
    assert_eq!(called("run.twice.apply"), ["run.apply"]);
    assert_eq!(called("Use.three"), ["Box.double"]);
    assert_eq!(called("Box.double"), ["Box.value"]);
    assert_eq!(called("Use.four"), ["Point"]);
}
