//! A location in a task leads to its definition, whatever else the task contains.

use std::path::Path;

use serde_json::Value;

use crate::cli::{Shop, code, run_in, stderr};

/// Returns the names of the first symbols of the pack for a task.
fn first(root: &Path, task: &str, count: usize) -> Vec<String> {
    let output = run_in(root, &["context", "--no-learn", "--format", "json", "--task", task]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pack: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = pack["symbols"].as_array().unwrap().iter().take(count);
    names.map(|symbol| symbol["qualified_name"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn innermost_definition_of_a_location_is_first() {
    let shop = Shop::new();
    for (task, expected) in [
        ("shop/session.py:41", "session.py.SessionStore.remove_expired"),
        ("session.py:13:9 pays twice with the cart", "session.py.Session.__init__"),
        ("why does checkout look at line 8 of session.py", "session.py.Session"),
        ("the receipt of the payment: session.py, line 33", "session.py.SessionStore.find_session"),
        ("tests/test_cart.py:5 fails in checkout", "test_cart.py"),
    ] {
        let names = first(&shop.root(), task, 1);
        assert!(names[0].starts_with(expected), "{task}: {names:?}");
    }
}

#[test]
fn last_own_frame_of_a_traceback_is_first() {
    let shop = Shop::new();
    let trace = "The cart's checkout fails:\nTraceback (most recent call last):\n  \
        File \"/srv/www/shop/cart.py\", line 12, in checkout\n    find_session(token)\n  \
        File \"/srv/www/shop/session.py\", line 33, in find_session\n    session.is_expired()\n  \
        File \"/usr/lib/python3.12/shop/cart.py\", line 20, in inner\n    raise TypeError(x)\nTypeError: bad cart";
    assert_eq!(first(&shop.root(), trace, 1), ["session.py.SessionStore.find_session"]);
}

#[test]
fn traces_and_compiler_errors_of_other_languages() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let write = |path: &str, text: &str| {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    };
    write("go.mod", "module example.org/shop\n");
    write(
        "cart/cart.go",
        "package cart\n\nfunc Total(prices []int) int {\n\treturn first(prices)\n}\n\nfunc first(prices []int) int {\n\treturn prices[0]\n}\n",
    );
    write(
        "src/cart.rs",
        "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self) -> u32 {\n        panic!()\n    }\n}\n\nfn run() {\n    Cart.total();\n}\n",
    );
    write(
        "web/cart.ts",
        "export class Cart {\n  prices: number[] = [];\n\n  total() {\n    return this.prices[0].toFixed();\n  }\n}\n\nexport function run() {\n  new Cart().total();\n}\n",
    );
    let panic = "panic: runtime error: index out of range [0] with length 0\n\ngoroutine 1 [running]:\n\
        example.org/shop/cart.first(...)\n\t/home/me/shop/cart/cart.go:8\nexample.org/shop/cart.Total(...)\n\t\
        /home/me/shop/cart/cart.go:4 +0x12\nmain.main()\n\t/usr/local/go/src/runtime/proc.go:250 +0x1d";
    let backtrace = "thread 'main' panicked at /rustc/abc/library/core/src/option.rs:9:5:\nstack backtrace:\n   \
        0: rust_begin_unwind\n   1: shop::cart::Cart::total\n             at ./src/cart.rs:5:9\n   2: shop::cart::run\n             \
        at ./src/cart.rs:10:5";
    let stack = "TypeError: Cannot read properties of undefined (reading 'toFixed')\n    \
        at Cart.total (/app/web/cart.ts:5:27)\n    at run (/app/web/cart.ts:10:14)\n    at node:internal/main:1:2";
    for (task, expected) in [
        (panic, "cart.first"),
        (backtrace, "cart.rs.Cart.total"),
        (stack, "cart.ts.Cart.total"),
        ("./cart/cart.go:8:9: invalid operation: cannot index prices", "cart.first"),
        ("error[E0277]: Cart total\n  --> src/cart.rs:10:5\n   |", "cart.rs.run"),
        ("web/cart.ts(10,3): error TS2554: Expected 1 arguments, Cart.total", "cart.ts.run"),
    ] {
        let names = first(root, task, 1);
        assert!(names[0].ends_with(expected), "{task}: {names:?}");
    }
}

#[test]
fn location_is_explained() {
    let shop = Shop::new();
    let task = ["--task", "shop/session.py:41 and session.py:33", "--symbol", "remove_expired", "--format", "json"];
    let why = shop.json(&[&["why"][..], &task].concat());
    assert_eq!((&why["rank"]["rank"], &why["rank"]["provenance"]), (&1.into(), &"location".into()));
    let components = why["rank"]["components"].as_array().unwrap();
    let location = components.iter().find(|component| component["name"] == "location").unwrap();
    assert_eq!(location["value"], 1.0);
    let channel = &why["channels"][0];
    assert_eq!((&channel["channel"], &channel["found"]["rank"]), (&"location".into(), &1.into()));
}
