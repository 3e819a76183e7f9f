//! One line of every kind of trace.

use super::*;

/// Returns path, line and function of the frame of a line.
fn read(previous: &str, line: &str) -> Option<(String, u32, String)> {
    frame(previous, line, "").map(|frame| (frame.path, frame.line.unwrap_or(0), frame.function))
}

fn check(lines: &[(&str, &str, u32, &str)]) {
    for (line, path, number, function) in lines {
        assert_eq!(read("", line), Some(((*path).into(), *number, (*function).into())), "{line}");
    }
}

#[test]
fn frames_of_python_and_notebooks() {
    check(&[
        ("  File \"/srv/app/lib/run.py\", line 20, in run", "/srv/app/lib/run.py", 20, "run"),
        ("  File \"a.py\", line 3, in <module>", "a.py", 3, ""),
        ("File ~/lib/plot.py:841, in Plot._plot(self, pyplot)", "~/lib/plot.py", 841, "_plot"),
        ("~/lib/plot.py in draw(self)", "~/lib/plot.py", 0, "draw"),
        ("[plot.py](file:///home/me/plot.py) in draw(self)", "plot.py", 0, "draw"),
        ("src/a.py:30: in go", "src/a.py", 30, "go"),
    ]);
}

#[test]
fn frames_of_javascript() {
    check(&[
        ("    at pick (/home/me/shop/cart.js:12:7)", "/home/me/shop/cart.js", 12, "pick"),
        ("    at async Cart.pick [as take] (cart.js:12:7)", "cart.js", 12, "pick"),
        ("    at new Cart (cart.js:12:7)", "cart.js", 12, "Cart"),
        ("    at file:///home/me/shop/main.mjs:3:1", "/home/me/shop/main.mjs", 3, ""),
        ("pick@http://localhost:3000/src/cart.js:12:7", "localhost:3000/src/cart.js", 12, "pick"),
        ("@/srv/shop/cart.js:12:7", "/srv/shop/cart.js", 12, ""),
    ]);
}

#[test]
fn frames_of_go_and_rust_have_their_function_in_the_line_before() {
    for (previous, line, path, number, function) in [
        ("main.pick(...)", "\t/home/me/shop/cart.go:12 +0x1d", "/home/me/shop/cart.go", 12, "pick"),
        ("shop/cart.(*Cart).Add(0x1, 0x2)", "\t/shop/cart.go:9", "/shop/cart.go", 9, "Add"),
        ("main.pick.func1()", "\tcart.go:12 +0x1d", "cart.go", 12, "pick"),
        ("   1: shop::cart::pick", "             at ./src/cart.rs:9:13", "./src/cart.rs", 9, "pick"),
        ("   1: 0x55 - shop::pick::{{closure}}", "   at src/cart.rs:9:13", "src/cart.rs", 9, "pick"),
    ] {
        assert_eq!(read(previous, line), Some((path.into(), number, function.into())), "{line}");
    }
}

#[test]
fn frames_of_the_jvm_have_the_folders_of_their_package() {
    check(&[
        ("\tat org.shop.cart.Cart.pick(Cart.java:12)", "org/shop/cart/Cart.java", 12, "pick"),
        ("    at app//org.shop.Cart.pick(Cart.java:12) ~[shop.jar:1.0]", "org/shop/Cart.java", 12, "pick"),
        ("at java.base/org.shop.Cart$Line.lambda$sum$0(Cart.java:7)", "org/shop/Cart.java", 7, "sum"),
        ("at org.shop.Cart.<init>(Cart.java:3)", "org/shop/Cart.java", 3, "Cart"),
        ("at org.shop.Cart.access$100(Cart.java:3)", "org/shop/Cart.java", 3, "access"),
        ("at org.shop.MainKt.main(Main.kt:5)", "org/shop/Main.kt", 5, "main"),
        ("at org.shop.MainKt$load$2.invokeSuspend(Main.kt:9)", "org/shop/Main.kt", 9, "load"),
        ("at org.shop.Cart$.$anonfun$sum$1(Cart.scala:9)", "org/shop/Cart.scala", 9, "sum"),
        ("at Cart.pick(Cart.java)", "Cart.java", 0, "pick"),
        ("at org.shop.Cart.pick(Unknown Source)", "", 0, "pick"),
    ]);
    let frame = frame("", "at org.shop.Cart$Line$1.sum(Cart.java:7)", "").unwrap();
    assert_eq!((frame.function.as_str(), frame.container.as_str()), ("sum", "Line"));
}

#[test]
fn frames_of_dotnet_are_read_with_and_without_a_place() {
    check(&[
        (
            "   at Shop.Carts.Cart.Pick(Int32 number) in /src/src/Carts/Cart.cs:line 12",
            "/src/src/Carts/Cart.cs",
            12,
            "Pick",
        ),
        (
            r"   at Shop.Cart.Pick(String a, Int32 b) in C:\work\Shop\Cart.cs:line 12",
            "C:/work/Shop/Cart.cs",
            12,
            "Pick",
        ),
        ("   at Shop.Cart.<PickAsync>d__3.MoveNext() in /_/Cart.cs:line 12", "/_/Cart.cs", 12, "PickAsync"),
        ("   at Shop.Cart.<>c__DisplayClass0_0.<Pick>b__0(Line line) in Cart.cs:line 7", "Cart.cs", 7, "Pick"),
        ("   at Shop.Cart.<Pick>g__Sum|3_0(Int32 x) in Cart.cs:line 7", "Cart.cs", 7, "Sum"),
        ("   at Shop.Cart..ctor(String name) in Cart.cs:line 7", "Cart.cs", 7, "Cart"),
        ("   at Shop.Cart`1.get_Total() in Cart.cs:line 7", "Cart.cs", 7, "Total"),
        ("   at Shop.Cart.Pick[T](T line)", "", 0, "Pick"),
    ]);
    let frame = frame("", "   at Shop.Outer+Cart`1.Pick(Int32 number)", "").unwrap();
    assert_eq!((frame.function.as_str(), frame.container.as_str()), ("Pick", "Cart"));
}

#[test]
fn frames_of_ruby_have_old_and_new_quotes() {
    check(&[
        ("lib/shop/cart.rb:12:in `pick?'", "lib/shop/cart.rb", 12, "pick?"),
        (
            "\tfrom /gems/shop-1.2.0/lib/shop/cart.rb:12:in 'Shop::Cart#pick?'",
            "/gems/shop-1.2.0/lib/shop/cart.rb",
            12,
            "pick?",
        ),
        ("Error: lib/shop/cart.rb:12:in `pick'", "lib/shop/cart.rb", 12, "pick"),
        ("lib/cart.rb:12:in `block (2 levels) in pick'", "lib/cart.rb", 12, "pick"),
        ("lib/cart.rb:12:in 'Shop::Cart.load'", "lib/cart.rb", 12, "load"),
        ("bin/shop.rb:3:in `<main>'", "bin/shop.rb", 3, ""),
    ]);
    assert!(frame("", "\t1: from cart.rb:1:in `<main>'", "").unwrap().is_outermost_first);
    assert_eq!(frame("", "cart.rb:1:in 'Shop::Cart#pick'", "").unwrap().container, "Cart");
}

#[test]
fn frames_of_php_have_their_function_in_the_line_after() {
    let next = "#1 /app/public/index.php(3): Shop\\Cart->pick(1)";
    let frame = frame("", "#0 /app/src/Cart.php(12): Shop\\Line->sum()", next).unwrap();
    assert_eq!((frame.path.as_str(), frame.line), ("/app/src/Cart.php", Some(12)));
    assert_eq!((frame.function.as_str(), frame.container.as_str()), ("pick", "Cart"));
    let last = super::frame("", next, "#2 {main}").unwrap();
    assert_eq!(last.function, "");
}

#[test]
fn frames_of_debuggers_sanitizers_and_swift() {
    check(&[
        ("#1  0x00005555 in pick (cart=0x0, n=1) at src/cart.c:12", "src/cart.c", 12, "pick"),
        ("#0  pick (cart=0x0) at ../src/cart.c:12", "../src/cart.c", 12, "pick"),
        ("  * frame #0: 0x0001 shop`pick(cart=0x0) at cart.c:12:7", "cart.c", 12, "pick"),
        ("    #0 0x4f1 in shop::Cart::pick(int) /src/shop/cart.cpp:12:7", "/src/shop/cart.cpp", 12, "pick"),
        ("3 [ra] 0x0001 Cart.pick(_:) + 12 in shop at /src/Cart.swift:12:7", "/src/Cart.swift", 12, "pick"),
        ("0 0x0001 closure #1 in Cart.pick(_:) + 12 in shop at /src/Cart.swift:12:7", "/src/Cart.swift", 12, "pick"),
        ("2   Shop    0x000104 Cart.pick() + 40 (Cart.swift:12)", "Cart.swift", 12, "pick"),
        ("#0\t0x000104 in Cart.pick(_:) at /Users/me/Shop/Cart.swift:12", "/Users/me/Shop/Cart.swift", 12, "pick"),
    ]);
}

#[test]
fn frames_of_lua() {
    check(&[
        ("\tcart.lua:12: in function 'Cart.pick'", "cart.lua", 12, "pick"),
        ("\tcart.lua:12: in upvalue 'pick'", "cart.lua", 12, "pick"),
        ("\tcart.lua:12: in function <cart.lua:10>", "cart.lua", 12, ""),
        ("\tcart.lua:30: in main chunk", "cart.lua", 30, ""),
    ]);
}

#[test]
fn prose_and_code_are_not_frames() {
    for line in [
        "defined in cart.py in the shop",
        "    cart.go:12 is wrong",
        "at 12:34:56",
        "x in y(z)",
        "at home",
        "#12 crashes at src/cart.c:12",
        "1. see src/cart.c:12",
        "mail me@example.org: cart.js:3",
        "at the end of cart.pick() it stops",
    ] {
        assert_eq!(read("", line), None, "{line}");
    }
}
