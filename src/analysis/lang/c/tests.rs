//! Facts and edges of C snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges, edges_from};

const CART: &str = r#"
#define LIMIT 9
#define GUARD
#define TWICE(n) add(n, n)
enum state { OPEN, CLOSED = 2 };
typedef struct { int x, y; } point;
/** An item of a cart. */
struct item {
    const char *name, **tags;
    struct { int left; } at;
    int (*price)(struct item *);
};
typedef struct item item_t, *item_ptr;
static int check(int);
extern int elsewhere;
int total = 3, spare[4] = { 1 };
/* Adds
 * an item. */
static struct item *add(struct item *item, int count)
{
    int local = 0;
    return item;
}
"#;

#[test]
fn definitions() {
    let expected = [
        "macro LIMIT: #define LIMIT 9",
        "macro TWICE: #define TWICE(n) add(n, n)",
        "type state: enum state",
        "field state.OPEN: OPEN",
        "field state.CLOSED: CLOSED = 2",
        "type point: typedef struct point",
        "field point.x: int x, y",
        "field point.y: int x, y",
        "type item: struct item",
        "field item.name: const char *name, **tags",
        "field item.tags: const char *name, **tags",
        "field item.left: int left",
        "field item.at: at",
        "field item.price: int (*price)(struct item *)",
        "type item_t: typedef struct item item_t, *item_ptr",
        "type item_ptr: typedef struct item item_t, *item_ptr",
        "var total: int total",
        "var spare: int total",
        "function add: static struct item *add(struct item *item, int count)",
    ];
    assert_eq!(outline("cart.c", CART), expected);
    let facts = parse("cart.c", CART);
    let docs: Vec<&str> =
        facts.outline.definitions.iter().map(|one| one.doc.as_str()).filter(|doc| !doc.is_empty()).collect();
    assert_eq!(docs, ["An item of a cart.", "Adds\nan item."]);
}

#[test]
fn headers_declare_what_other_files_define() {
    let header = "/* Adds. */\nint add(int n);\nint absent(int n);\nextern int total;\n";
    assert_eq!(
        outline("cart.h", header),
        ["function add: int add(int n)", "function absent: int absent(int n)", "var total: extern int total"]
    );
    let files = [
        ("cart.h", header),
        ("cart.c", "#include \"cart.h\"\nint total;\nint add(int n) { return n; }\n"),
        ("main.c", "#include \"cart.h\"\nint main(void) { add(total); absent(1); return 0; }\n"),
    ];
    assert_eq!(calls_from(&files, "main"), ["absent", "add"]);
    assert_eq!(edges_from(&files, "main"), ["calls absent", "calls add", "references total"]);
}

#[test]
fn static_functions_belong_to_their_file() {
    let files = [
        ("a.c", "static int check(int n) { return n; }\nint first(void) { return check(1); }\n"),
        ("b.c", "int second(void) { return check(2); }\n"),
        (
            "c.c",
            "static int check(int);\nint third(void) { return check(3); }\nstatic int check(int n) { return n; }\n",
        ),
    ];
    assert_eq!(calls_from(&files, "first"), ["check"]);
    assert!(calls_from(&files, "second").is_empty());
    assert_eq!(calls_from(&files, "third"), ["check"]);
}

#[test]
fn fields_belong_to_the_type_of_a_value() {
    let text = r#"
struct ops { int (*read)(int); };
struct file { struct ops *ops; struct file *next; struct { int line; } at; };
struct other { int next; };
typedef struct file *file_ptr;
static int my_read(int n) { return n; }
static struct ops table[] = { { .read = my_read }, [1] = { .read = my_read } };
static struct file *find(void) { return 0; }
static int run(file_ptr all, void *data)
{
    all[0].next->ops->read(1);
    find()->at.line = 3;
    ((struct file *)data)->next = 0;
    return sizeof(struct other);
}
"#;
    let files = [("file.c", text)];
    assert_eq!(
        edges_from(&files, "run"),
        [
            "accesses_field file.at",
            "accesses_field file.line",
            "accesses_field file.next",
            "accesses_field file.ops",
            "accesses_field ops.read",
            "calls find",
            "type_hint_of file",
            "type_hint_of file_ptr",
            "type_hint_of other",
        ]
    );
}

#[test]
fn macros_are_called_and_call() {
    let files = [
        ("a.h", "#define TWICE(n) add((n), (n))\n"),
        ("a.c", "int add(int a, int b) { return a + b; }\nint run(void) { return TWICE(2); }\n"),
    ];
    assert_eq!(calls_from(&files, "run"), ["TWICE"]);
    assert_eq!(calls_from(&files, "TWICE"), ["add"]);
}

#[test]
fn includes_are_found_beside_the_file_and_by_the_end_of_their_path() {
    let files = [
        ("src/a.c", "#include \"a.h\"\n#include <shop/b.h>\n#include \"../lib/c.h\"\n#include <stdio.h>\n"),
        ("src/a.h", ""),
        ("other/a.h", ""),
        ("include/shop/b.h", ""),
        ("lib/c.h", ""),
    ];
    let targets: Vec<String> = edges(&files).into_iter().map(|edge| edge.target).collect();
    assert_eq!(targets, ["src/a.h", "include/shop/b.h", "lib/c.h"]);
}

const SHOP_H: &str = r#"
#pragma once
namespace shop {
// A cart.
class SHOP_EXPORT Cart : public Base {
 public:
  explicit Cart(int size) : size_(size) { Grow(); }
  ~Cart();
  // Adds an item.
  virtual bool Add(const Item& item, int count = 1) const = 0;
  int size() const { return size_; }
  static Cart* Open(const std::string& name);
 private:
  void Grow();
  std::unique_ptr<Item> first_;
  std::vector<Item*> items_;
  int size_;
};
template <typename T>
struct Box { T value; void Put(T one); };
enum class Color { kRed };
using Carts = std::vector<Cart*>;
}  // namespace shop
"#;

const SHOP_CC: &str = r#"
#include "shop.h"
namespace shop {
namespace { int Count(Item* item) { return item->Weigh(); } }
void Cart::Grow() { size_ = Count(first_.get()); first_->Weigh(); Add(*items_[0]); }
Cart* Cart::Open(const std::string& name) { return new Cart(1); }
template <class T> void Box<T>::Put(T one) {}
}
int main() {
  auto cart = shop::Cart::Open("a");
  cart->Grow();
  for (auto* item : cart->items_) { item->Weigh(); }
  shop::Item local;
  [&](const shop::Item& one) { one.Weigh(); }(local);
}
"#;

const ITEM_HPP: &str = "namespace shop { struct Item { int Weigh() const; }; struct Base { virtual void Stop() {} }; }";

#[test]
fn definitions_of_cpp() {
    let expected = [
        "type shop.Cart: class SHOP_EXPORT Cart : public Base",
        "method shop.Cart.Cart: explicit Cart(int size) : size_(size)",
        "method shop.Cart.~Cart: ~Cart()",
        "method shop.Cart.Add: virtual bool Add(const Item& item, int count = 1) const = 0",
        "method shop.Cart.size: int size() const",
        "method shop.Cart.Open: static Cart* Open(const std::string& name)",
        "method shop.Cart.Grow: void Grow()",
        "field shop.Cart.first_: std::unique_ptr<Item> first_",
        "field shop.Cart.items_: std::vector<Item*> items_",
        "field shop.Cart.size_: int size_",
        "type shop.Box: struct Box",
        "field shop.Box.value: T value",
        "method shop.Box.Put: void Put(T one)",
        "type shop.Color: enum class Color",
        "field shop.Color.kRed: kRed",
        "type shop.Carts: using Carts = std::vector<Cart*>",
    ];
    assert_eq!(outline("src/shop.h", SHOP_H), expected);
    let facts = parse("src/shop.h", SHOP_H);
    assert_eq!(facts.outline.definitions[0].doc, "A cart.");
    assert_eq!(facts.outline.definitions[10].span.start_line, 19);
}

#[test]
fn calls_of_cpp_reach_definitions_outside_of_classes() {
    let sources = [("src/shop.h", SHOP_H), ("src/shop.cc", SHOP_CC), ("src/item.hpp", ITEM_HPP)];
    let mut calls: Vec<String> = edges(&sources)
        .into_iter()
        .filter(|edge| edge.edge_type == "calls")
        .map(|edge| format!("{} -> {}: {}", edge.source, edge.target, edge.target_signature))
        .collect();
    let expected = [
        "shop.Cart.Cart -> shop.Cart.Grow: void Cart::Grow()",
        "shop.Count -> shop.Item.Weigh: int Weigh() const",
        "shop.Cart.Grow -> shop.Count: int Count(Item* item)",
        "shop.Cart.Grow -> shop.Item.Weigh: int Weigh() const",
        "shop.Cart.Grow -> shop.Cart.Add: virtual bool Add(const Item& item, int count = 1) const = 0",
        "shop.Cart.Open -> shop.Cart: class SHOP_EXPORT Cart : public Base",
        "main -> shop.Cart.Open: Cart* Cart::Open(const std::string& name)",
        "main -> shop.Cart.Grow: void Cart::Grow()",
        "main -> shop.Item.Weigh: int Weigh() const",
    ];
    calls.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(calls, expected);
}

#[test]
fn casts_and_makers_of_pointers_have_the_type_that_they_name() {
    let text = "
        struct Other { struct Item { int Weigh(); }; };
        int go(void* any) {
          static_cast<shop::Item*>(any)->Weigh();
          auto made = std::make_unique<shop::Item>(1);
          made->Weigh();
        }";
    let calls: Vec<String> = edges(&[("go.cc", text), ("item.hpp", ITEM_HPP)])
        .into_iter()
        .filter(|edge| edge.edge_type == "calls")
        .map(|edge| format!("{} -> {}", edge.source, edge.target))
        .collect();
    assert_eq!(calls, ["go -> shop.Item.Weigh"]);
}

#[test]
fn tests_of_googletest_are_in_their_suite() {
    let text = "struct CartTest { void Fill(); };\nTEST_F(CartTest, Grows) { Fill(); }\n";
    assert_eq!(outline("cart_test.cc", text)[2], "method CartTest.Grows: TEST_F(CartTest, Grows)");
    assert_eq!(calls_from(&[("cart_test.cc", text)], "CartTest.Grows"), ["CartTest.Fill"]);
}

#[test]
fn macros_used_in_a_class_are_no_methods() {
    let text = "class Cart : public QObject {\n  Q_OBJECT\n  Q_DISABLE_COPY(Cart)\n  CPPUNIT_TEST(adds);\n\
                  void adds();\n};\nclass URL {\n  URL(int port);\n  HRESULT OPEN(int mode);\n};\n";
    let names = outline("cart.h", text);
    let methods: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("method ")).collect();
    assert_eq!(methods, ["Cart.adds: void adds()", "URL.URL: URL(int port)", "URL.OPEN: HRESULT OPEN(int mode)"]);
}

#[test]
fn a_macro_defines_the_function_that_its_argument_names() {
    let text = "int Round(int n) { return n; }\nBOOST_AUTO_TEST_CASE(rounds_up) { Round(1); }\nFATAL(Item item) { Round(2); }\n";
    let names = outline("round_test.cc", text);
    assert!(names.contains(&"function rounds_up: BOOST_AUTO_TEST_CASE(rounds_up)".to_owned()), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("function FATAL")), "{names:?}");
    assert_eq!(calls_from(&[("round_test.cc", text)], "rounds_up"), ["Round"]);
}

#[test]
fn conditions_that_divide_a_block_do_not_hide_what_follows() {
    let text = "#ifdef __cplusplus\nextern \"C\" {\n#endif
static int width(int n)
{
#ifdef HAVE_A
    switch (a(n)) {
#else
    switch (b(n)) {
#endif
    case 1:
        return 1;
    }
    return 0;
}
int open_it(int n) { return width(n); }
#ifdef __cplusplus\n}\n#endif
";
    assert_eq!(calls_from(&[("a.c", text)], "open_it"), ["width"]);
    assert_eq!(outline("a.h", text).len(), 2);
}

fn lines_of(sources: &[(&str, &str)], edge_type: &str) -> Vec<String> {
    let edges = edges(sources).into_iter().filter(|edge| edge.edge_type == edge_type);
    edges.map(|edge| format!("{} -> {}: {}", edge.source, edge.target, edge.target_signature)).collect()
}

#[test]
fn declarations_have_one_definition() {
    let header = "int add(int n);\nint absent(int n);\nextern int total;
class Cart {\n  void Put(int n);\n  void Put(const char* name, bool twice = false);\n  virtual void Stop() = 0;\n};\n";
    let source = "#include \"cart.h\"\nint total;\nint add(int n) { return n; }
void Cart::Put(const char* name, bool twice) {}\nvoid Cart::Put(int n) { Put(\"a\"); Put(1); Stop(); }\n";
    let sources = [("cart.h", header), ("cart.cc", source)];
    let expected = [
        "add -> add: int add(int n)",
        "total -> total: int total",
        "Cart.Put -> Cart.Put: void Cart::Put(int n)",
        "Cart.Put -> Cart.Put: void Cart::Put(const char* name, bool twice)",
    ];
    assert_eq!(lines_of(&sources, "declares"), expected);
    let expected = [
        "Cart.Put -> Cart.Stop: virtual void Stop() = 0",
        "Cart.Put -> Cart.Put: void Cart::Put(const char* name, bool twice)",
        "Cart.Put -> Cart.Put: void Cart::Put(int n)",
    ];
    assert_eq!(lines_of(&sources, "calls"), expected);
}

#[test]
fn functions_of_cpp_have_overloads() {
    let text = "void log(int n) {}\nvoid log(const char* text, int n) {}\nvoid log(Item* item) {}\nstruct Item {};
void run(Item* item) { log(1); log(\"a\", 1); log(item); }\n";
    let expected = [
        "run -> log: void log(int n)",
        "run -> log: void log(const char* text, int n)",
        "run -> log: void log(Item* item)",
    ];
    assert_eq!(lines_of(&[("log.cc", text)], "calls"), expected);
}

#[test]
fn a_name_means_the_definition_in_the_nearest_namespace() {
    let sources = [
        ("a.h", "namespace a { class Iter { void Next() {} }; }"),
        ("b.h", "namespace b { class Iter { void Next() {} }; }"),
        (
            "run.cc",
            "namespace b { void run(Iter* iter) { iter->Next(); } }\nnamespace c { void go(Iter* i) { i->Next(); } }",
        ),
    ];
    assert_eq!(calls_from(&sources, "b.run"), ["b.Iter.Next"]);
    assert_eq!(calls_from(&sources, "c.go"), ["a.Iter.Next"]);
}

#[test]
fn a_macro_that_renames_a_function_counts_where_its_file_is_included() {
    let files = [
        ("deps/rename.h", "#define text_size dep_text_size\nint dep_text_size(const char *s);\n"),
        (
            "deps/dep.c",
            "#include \"rename.h\"\nint dep_text_size(const char *s) { return 1; }\nint inner(void) { return text_size(0); }\n",
        ),
        ("src/text.h", "static inline int text_size(const char *s) { return 2; }\n"),
        ("src/main.c", "#include \"text.h\"\nint total(void) { return text_size(\"a\"); }\n"),
    ];
    assert_eq!(
        lines_of(&files, "calls"),
        [
            "inner -> text_size: #define text_size dep_text_size",
            "total -> text_size: static inline int text_size(const char *s)",
        ]
    );
    assert_eq!(edges_from(&files, "text_size"), ["references dep_text_size"]);
}

#[test]
fn a_macro_that_renames_to_a_name_of_nothing_does_not_hide_a_function() {
    let files = [
        ("conf.h", "#ifdef PREFIX\n#define pack_end x_pack_end\n#endif\n"),
        ("pack.h", "#include \"conf.h\"\nint pack_end(int n);\n"),
        ("pack.c", "#include \"pack.h\"\nint pack_end(int n) { return n; }\n"),
        ("main.c", "#include \"pack.h\"\nint run(void) { return pack_end(1); }\n"),
    ];
    assert_eq!(lines_of(&files, "calls"), ["run -> pack_end: int pack_end(int n)"]);
}

#[test]
fn a_program_calls_the_function_of_its_own_folder() {
    let files = [
        ("one/main.c", "void help(void);\nint first(void) { help(); return 0; }\n"),
        ("one/help.c", "/* one */ void help(void) {}\n"),
        ("two/main.c", "#include \"two.h\"\nint second(void) { help(1); return 0; }\n"),
        ("two/two.h", "void help(int);\n"),
        ("two/help.c", "void help(int n) {}\n"),
        ("tools/x.c", "#include \"../two/two.h\"\nint third(void) { help(1); return 0; }\n"),
    ];
    let called = ["void help(void)", "void help(int n)", "void help(int n)"];
    let calls = lines_of(&files, "calls");
    for (line, called) in calls.iter().zip(called) {
        assert!(line.ends_with(called), "{calls:?}");
    }
    assert_eq!(calls.len(), 3);
    assert_eq!(lines_of(&files, "declares"), ["help -> help: void help(int n)"]);
}
