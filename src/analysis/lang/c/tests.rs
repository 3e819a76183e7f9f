//! Facts and edges of C snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges, edges_from, signatures_called};

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
        "shop.Cart.Open -> shop.Cart.Cart: explicit Cart(int size) : size_(size)",
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
fn macros_used_in_a_class_are_not_methods() {
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

#[test]
fn macros_make_functions_of_their_arguments() {
    let text = "#define SLOT_FN(name) int name(void)
SLOT_FN(slot_age) { return 1; }
int ask_age(void) { return slot_age(); }
int base_of(void) { return 42; }
#define VERB(n, t) static int n##_verb(t *x)
VERB(list, int) { return base_of(); }
int call_verb(int *p) { return list_verb(p); }
#define DEF(name) void name(void) {}
DEF(foo)
DEF(bar)

void use(void)
{
  foo();
}
TEST_BEGIN(test_use) {
  use();
}
TEST_END

void last(void)
{
  use();
}
";
    for path in ["a.c", "a.cc"] {
        let called = |name: &str| calls_from(&[(path, text)], name);
        assert_eq!(called("ask_age"), ["slot_age"], "{path}");
        assert_eq!(called("list_verb"), ["base_of"], "{path}");
        assert_eq!(called("call_verb"), ["list_verb"], "{path}");
        assert_eq!(called("use"), ["foo"], "{path}");
        assert_eq!(called("test_use"), ["use"], "{path}");
        assert_eq!(called("last"), ["use"], "{path}");
    }
    let facts = parse("a.c", text);
    let is_test = |name: &str| {
        facts.outline.definitions.iter().any(|one| facts.outline.names.get(one.name) == name && one.flags.is_test)
    };
    assert!(is_test("test_use") && !is_test("use"));
}

#[test]
fn a_macro_before_a_name_is_no_class() {
    let text = "static inline bool __must_check is_ok(int n)\n{\n    return n;\n}\n\
        bool __must_check is_done(int n);\n\
        static inline struct item * __must_check get(int n) { return 0; }\n";
    let expected = [
        "function is_ok: static inline bool __must_check is_ok(int n)",
        "function is_done: bool __must_check is_done(int n)",
        "function get: static inline struct item * __must_check get(int n)",
    ];
    assert_eq!(outline("ok.h", text), expected);
    let calls = [("ok.h", text), ("main.c", "#include \"ok.h\"\nint main(void) { return is_ok(1); }\n")];
    assert_eq!(calls_from(&calls, "main"), ["is_ok"]);
}

#[test]
fn a_use_without_a_name_means_nothing() {
    let unnamed = "#define set NULL\n#define handle(x)\n#endif\n\n#ifdef CONFIG_A\n\
        bool is_on(struct item *item);\nvoid on(struct item *item);\nstruct work *make(void);\n#else\n\
        #define is_on(x)\n#define on(x)\n#define make()\n#endif\n";
    assert!(outline("unnamed.h", unnamed).iter().any(|line| line.starts_with("var :")), "an unnamed variable");
    let user = "#define FIELD(a, b) ((a) & b##_MASK)\nint main(void) { return FIELD(1, x); }\n";
    let edges = edges(&[("unnamed.h", unnamed), ("main.c", user)]);
    let unnamed: Vec<&str> =
        edges.iter().filter(|edge| edge.target.is_empty()).map(|edge| edge.source.as_str()).collect();
    assert_eq!(unnamed, [""; 0]);
}

#[test]
fn macros_before_classes_namespaces_and_constructors_do_not_hide_them() {
    let text = "#pragma once
LIB_NS_BEGIN

/// docs
template<typename T, LIB_ENABLE_IF(is_x<T>::value)>
struct serializer
{
    template<typename B>
    static auto from(B && j) -> int { return 1; }
};

LIB_TPL_DECL
class store // NOLINT(x)
    : public base<int>
{
  private:
    template<value_t> friend struct ctor;
  LIB_PRIVATE:
    CXPR store(int n) noexcept : size_(n), cap_(n) { if (n) p = 0; }
  public:
    CXPR int put() CXPR_NOEXCEPT { return count(); }
    LIB_API static const char* name(int n) LIB_PURE(1);
    int count() const { return 1; }
    int size_ LIB_GUARDED(m);
    DWORD cap_;
};

LIB_NS_END
BOOL
other(int n) { return 1; }
";
    let names = outline("a.hpp", text);
    for expected in [
        "type serializer",
        "method serializer.from",
        "type store",
        "method store.store",
        "method store.put",
        "method store.name",
        "method store.count",
        "field store.size_",
        "field store.cap_",
        "function other",
    ] {
        assert!(names.iter().any(|name| name.starts_with(&format!("{expected}: "))), "{expected}: {names:#?}");
    }
    assert_eq!(names.len(), 10, "{names:#?}");
    assert_eq!(calls_from(&[("a.hpp", text)], "store.put"), ["store.count"]);
}

#[test]
fn tests_with_a_text_for_a_name_are_named_by_it() {
    let text = "int add(int a, int b) { return a + b; }
TEST_CASE(\"sums\") { CHECK(add(1, 2) == 3); }
TEST_CASE_TEMPLATE(\"typed\", T, float, double)
{
  CHECK(add(1, 1) == 2);
}
int after() { return add(3, 4); }
";
    for name in ["sums", "typed", "after"] {
        assert_eq!(calls_from(&[("a.cpp", text)], name), ["add"], "{name}");
    }
}

#[test]
fn a_class_in_a_class_can_have_its_body_outside() {
    let files = [
        (
            "o.h",
            "namespace n { class Outer { public: void Run(); static void Help(); private: class Inner; Inner* first_; }; }\n",
        ),
        (
            "o.cc",
            "#include \"o.h\"
namespace n {
class Outer::Inner { public: void push(int n); void go(); int depth_; };
void Outer::Inner::push(int x) { depth_ = x; Help(); }
void Outer::Inner::go() { push(1); }
void Outer::Run() { Inner one; one.go(); first_->push(2); }
}
",
        ),
    ];
    assert_eq!(calls_from(&files, "n.Outer.Inner.go"), ["n.Outer.Inner.push"]);
    assert_eq!(calls_from(&files, "n.Outer.Inner.push"), ["n.Outer.Help"]);
    assert_eq!(calls_from(&files, "n.Outer.Run"), ["n.Outer.Inner.go", "n.Outer.Inner.push"]);
    assert!(outline("o.cc", files[1].1).contains(&"type n.Outer.Inner: class Outer::Inner".to_owned()));
}

#[test]
fn a_function_in_the_first_column_ends_what_is_open() {
    let text = "unsigned long switches(void)\n{\n\tint i;\n\tif (i) {\n\treturn 1;\n}\n\nint next(void)\n{\n\treturn switches();\n}\n";
    assert_eq!(calls_from(&[("core.c", text)], "next"), ["switches"]);
    let facts = parse("core.c", text);
    assert_eq!(facts.outline.definitions[0].span.end_line, 6);
    assert!(facts.outline.definitions.iter().all(|one| one.scope_names.is_empty() && !one.flags.is_local));
}

#[test]
fn values_call_the_constructor_that_they_choose() {
    let files = [
        (
            "a.hpp",
            "namespace n { class Pool { public: Pool(); explicit Pool(int k); int size() const; }; struct Plain { int x; }; }\n",
        ),
        (
            "a.cpp",
            "#include \"a.hpp\"\nnamespace n { Pool::Pool() {} Pool::Pool(int k) {} int Pool::size() const { return 1; } }\n",
        ),
        (
            "u.cpp",
            "#include \"a.hpp\"
int s1() { n::Pool p; return p.size(); }
int s2() { n::Pool p(4); return p.size(); }
int s3() { n::Pool p{5}; return p.size(); }
int s4() { auto p = std::make_unique<n::Pool>(6); return p->size(); }
int s5() { auto p = n::Pool(7); return p.size(); }
int s6() { n::Pool* p = new n::Pool(8); return p->size(); }
struct H { n::Pool m; n::Pool* q; H() : m(9), q(0) {} };
int s7(n::Pool& o) { n::Pool p(o); n::Plain x; n::Pool* q; n::Pool r = o; return 0; }
",
        ),
    ];
    let called = |from: &str| {
        let mut called = signatures_called(&files, from);
        called.retain(|signature| !signature.contains("size"));
        called.sort();
        called
    };
    assert_eq!(called("s1"), ["Pool::Pool()", "class Pool"]);
    for from in ["s2", "s3", "s4", "s5", "s6", "H.H"] {
        assert_eq!(called(from), ["Pool::Pool(int k)", "class Pool"], "{from}");
    }
    assert!(called("s7").is_empty(), "{:?}", called("s7"));
}
