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

/// A file with two functions, `other` and `pick`, of which `pick` is the last, and the frame of `pick` in a trace of
/// another version, whose line is in `other`.
const TRACES: [(&str, &str, &str); 12] = [
    (
        "src/main/java/org/shop/Cart.java",
        "package org.shop;\nclass Cart {\n  void other() {\n    stop();\n  }\n  void pick() {\n    stop();\n  }\n}\n",
        "java.lang.IllegalStateException: stopped\n\tat java.base/java.util.Objects.check(Objects.java:3)\n\tat org.shop.Cart.pick(Cart.java:4)",
    ),
    (
        "app/Basket.kt",
        "package org.shop\nclass Basket {\n  fun other() {\n    stop()\n  }\n  fun pick() {\n    stop()\n  }\n}\n",
        "Exception in thread \"main\" kotlin.KotlinNullPointerException\n\tat org.shop.Basket$pick$1.invokeSuspend(Basket.kt:4)",
    ),
    (
        "src/Shop/Till.cs",
        "namespace Shop {\n  class Till {\n    void Other() {\n      Stop();\n    }\n    void Pick(int number) {\n      Stop();\n    }\n  }\n}\n",
        "System.NullReferenceException: stopped\n   at Shop.Till.Pick(Int32 number) in C:\\work\\src\\Shop\\Till.cs:line 4",
    ),
    (
        "lib/shop/bag.rb",
        "class Bag\n  def other\n    stop\n  end\n\n  def pick\n    stop\n  end\nend\n",
        "/usr/local/bundle/gems/shop-1.2.0/lib/shop/bag.rb:3:in 'Bag#pick': stopped (RuntimeError)",
    ),
    (
        "src/Crate.php",
        "<?php\nclass Crate {\n  function other() {\n    stop();\n  }\n  function pick() {\n    stop();\n  }\n}\n",
        "PHP Fatal error:  Uncaught Exception: stopped\nStack trace:\n#0 /app/src/Crate.php(4): stop()\n#1 /app/public/start.php(9): Crate->pick()\n#2 {main}",
    ),
    (
        "Sources/Shop/Trolley.swift",
        "class Trolley {\n  func other() {\n    stop()\n  }\n  func pick() {\n    stop()\n  }\n}\n",
        "Thread 0 crashed:\n0 0x0001 stop() + 12 in libshop.so\n1 [ra] 0x0002 Trolley.pick() + 40 in shop at /app/Sources/Shop/Trolley.swift:3:5",
    ),
    (
        "src/box.c",
        "void other(void)\n{\n  stop();\n}\n\nvoid pick_box(void)\n{\n  stop();\n}\n",
        "#0  raise () from /lib/libc.so.6\n#1  0x0000555 in pick_box () at /build/shop/src/box.c:3",
    ),
    (
        "pack/sack.lua",
        "local function other()\n  stop()\nend\n\nlocal function pick()\n  stop()\nend\n",
        "lua: stopped\nstack traceback:\n\t[C]: in function 'error'\n\tpack/sack.lua:2: in upvalue 'pick'",
    ),
    (
        "src/shop/hamper.py",
        "def other():\n    stop()\n\n\ndef pick():\n    stop()\n",
        "Traceback (most recent call last):\n  File \"/usr/local/lib/python3.11/site-packages/shop/hamper.py\", line 2, in pick\n    stop()\nRuntimeError: stopped",
    ),
    (
        "web/cart/parcel.ts",
        "export class Parcel {\n  other() {\n    stop();\n  }\n  pick() {\n    stop();\n  }\n}\n",
        "TypeError: stopped\n    at Parcel.pick (/app/node_modules/shop/web/cart/parcel.js:3:7)",
    ),
    (
        "tote/tote.go",
        "package tote\n\nfunc Other() {\n\tstop()\n}\n\nfunc Pick() {\n\tstop()\n}\n",
        "panic: stopped\n\ngoroutine 1 [running]:\nexample.org/shop/tote.Pick(...)\n\t/home/dev/go/pkg/mod/example.org/shop@v1.2.0/tote/tote.go:4",
    ),
    (
        "crates/shop-core/src/pouch.rs",
        "pub fn other() {\n    stop();\n}\n\npub fn pick() {\n    stop();\n}\n",
        "thread 'main' panicked\nstack backtrace:\n   1: shop_core::pouch::pick\n             at /home/dev/.cargo/registry/src/mirror.example-6f17d22bba15001f/shop-core-1.2.0/src/pouch.rs:2:5",
    ),
];

#[test]
fn the_function_of_a_frame_beats_its_line_and_installed_copies_are_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    let write = |path: &str, text: &str| {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    };
    write("go.mod", "module example.org/shop\n");
    write("package.json", "{\"name\": \"shop\"}\n");
    write("crates/shop-core/Cargo.toml", "[package]\nname = \"shop-core\"\nversion = \"1.2.0\"\n");
    TRACES.iter().for_each(|(path, text, _)| write(path, text));
    for (path, _, trace) in TRACES {
        let names = first(&root, trace, 1);
        let file = path.rsplit('/').next().unwrap().split('.').next().unwrap().to_lowercase();
        let name = names[0].to_lowercase();
        assert!(name.contains(&file) && name.contains("pick"), "{trace}: {names:?}");
    }
}

#[test]
fn frames_of_other_packages_are_not_the_repository() {
    let shop = Shop::new();
    let trace = "Traceback (most recent call last):\n  File \"/srv/www/shop/session.py\", line 33, in find_session\n    x\n  \
        File \"/usr/lib/python3.12/site-packages/other/shop/cart.py\", line 20, in checkout\n    x\n  \
        File \"/usr/lib/python3.12/shop/cart.py\", line 20, in checkout\n    x\nTypeError: x";
    assert_eq!(first(&shop.root(), trace, 1), ["session.py.SessionStore.find_session"]);
    let why = shop.json(&["why", "find_session", trace, "--format", "json"]);
    assert_eq!(why["reason"]["sentence"], "frame 3 of your trace, innermost in this repository");
}

#[test]
fn the_only_definition_of_a_name_in_the_first_line_is_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("class Query:\n    def getRawMany(self):\n        return 1\n\n\n");
    for number in 0..12 {
        text += &format!(
            "def wrong_alias_returns_{number}(alias):\n    \"\"\"Returns the wrong alias.\"\"\"\n    return alias\n\n\n"
        );
    }
    std::fs::write(folder.path().join("query.py"), text).unwrap();
    for task in
        ["getRawMany returns wrong alias", "wrong alias: `getRawMany()` returns it", "Query.getRawMany alias wrong"]
    {
        assert_eq!(first(folder.path(), task, 1), ["query.py.Query.getRawMany"], "{task}");
    }
}

#[test]
fn a_name_alone_leads_to_what_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.py", "def load(path):\n    return path\n\nclass Store:\n    def save(self, data):\n        load('x')\n");
    write("b.py", "from a import load\n\nclass Options:\n    load = 1\n\ndef main():\n    print(load('y'))\n");
    write("pagination.py", "def pagination(paginator):\n    return paginator.page(paginator)\n");
    write("paging.py", "class Paginator:\n    def page(self, number):\n        return number\n");
    write("g.py", "g = 1\n");
    assert_eq!(first(folder.path(), "load", 2), ["a.py.load", "b.py.Options.load"], "a function before a field");
    assert_eq!(first(folder.path(), "Paginator", 1), ["paging.py.Paginator"]);
    assert_eq!(first(folder.path(), "g", 1), ["g.py.g"], "however short it is");
    let why = run_in(folder.path(), &["why", "Paginator", "Paginator"]);
    assert!(crate::cli::stdout(&why).contains("\nyou named it\n"), "{}", crate::cli::stdout(&why));
}
