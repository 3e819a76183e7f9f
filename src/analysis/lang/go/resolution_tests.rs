//! Edges that small Go repositories resolve to.

use crate::resolve::tests::edges_from;

/// Checks the edges from `f` in a repository of one file.
fn check(source: &str, expected: &[&str]) {
    assert_eq!(edges_from(&[("a.go", &format!("package a\n{source}"))], "f"), expected, "{source}");
}

const TYPES: &str = "
type Base struct { next *Base }
func (b *Base) Close() error { return nil }
type Store struct { *Base; items []Item; by map[string]*Item; hook func() *Item }
func (s *Store) Get(k string) (*Item, error) { return nil, nil }
func Open() (*Store, error) { return nil, nil }
type Item struct { Name string }
func (i Item) Run() {}
type Runner interface { Run() }
";

fn check_with_types(source: &str, expected: &[&str]) {
    check(&format!("{TYPES}{source}"), expected);
}

#[test]
fn results_fields_and_embedded_types_resolve() {
    check_with_types(
        "func f() { s, err := Open(); i, _ := s.Get(\"\"); i.Run(); s.Close(); _ = err.Error() }",
        &["calls Base.Close", "calls Item.Run", "calls Open", "calls Store.Get"],
    );
    check_with_types(
        "func f(s Store) { s.hook().Run(); s.next.next.Close() }",
        &[
            "accesses_field Base.next",
            "accesses_field Store.hook",
            "calls Base.Close",
            "calls Item.Run",
            "type_hint_of Store",
        ],
    );
}

#[test]
fn elements_of_containers_resolve() {
    check_with_types(
        "func f(s Store) { for _, i := range s.items { i.Run() } }",
        &["accesses_field Store.items", "calls Item.Run", "type_hint_of Store"],
    );
    check_with_types(
        "func f(s Store) { for _, i := range s.by { i.Run() }; if i, ok := s.by[\"\"]; ok { i.Run() } }",
        &["accesses_field Store.by", "calls Item.Run", "type_hint_of Store"],
    );
    check_with_types(
        "func f(c chan Item) { for i := range c { i.Run() }; (<-c).Run() }",
        &["calls Item.Run", "type_hint_of Item"],
    );
    check_with_types("type List []Item\nfunc f(l List) { l[0].Run() }", &["calls Item.Run", "type_hint_of List"]);
}

#[test]
fn interface_values_call_interface_methods() {
    check_with_types("func f(r Runner) { r.Run() }", &["calls Runner.Run", "type_hint_of Runner"]);
    check_with_types("func f(r interface{ Runner }) { r.Run() }", &["calls Runner.Run", "type_hint_of Runner"]);
    check_with_types(
        "func f(x any) { switch v := x.(type) { case *Item: v.Run(); case Runner: v.Run() } }",
        &["calls Item.Run", "calls Runner.Run", "type_hint_of Item", "type_hint_of Runner"],
    );
}

#[test]
fn type_arguments_are_inferred_and_substituted() {
    let library = "
func Map[T, U any](in []T, by func(T) U) []U { return nil }
func First[S ~[]E, E any](s S) E { return s[0] }
type Box[T any] struct { value T }
func NewBox[T any](value T) *Box[T] { return nil }
func (b *Box[V]) Get() V { return b.value }
";
    let check = |source: &str, expected: &[&str]| check_with_types(&format!("{library}{source}"), expected);
    check(
        "func f(s []Store) { Map(s, func(s Store) Item { return Item{} })[0].Run() }",
        &["calls Item.Run", "calls Map", "type_hint_of Item", "type_hint_of Store"],
    );
    check("func f(s []Item) { First(s).Run() }", &["calls First", "calls Item.Run", "type_hint_of Item"]);
    check(
        "func f(i Item) { NewBox(i).Get().Run() }",
        &["calls Box.Get", "calls Item.Run", "calls NewBox", "type_hint_of Item"],
    );
    check(
        "func f() { NewBox[*Item](nil).Get().Run() }",
        &["calls Box.Get", "calls Item.Run", "calls NewBox", "type_hint_of Item"],
    );
    check("func f[R Runner](r R) { r.Run() }", &["calls Runner.Run", "type_hint_of Runner"]);
}

#[test]
fn variables_shadow_types() {
    check_with_types(
        "type item struct{}\nfunc (item) Go() {}\nfunc f(item item) { item.Go(); x := item; { x := x; x.Go() } }",
        &["calls item.Go", "type_hint_of item"],
    );
}

#[test]
fn variables_shadow_packages() {
    let sources = [
        ("go.mod", "module m\n"),
        ("item/item.go", "package item\ntype Item struct{}\nfunc (Item) Run() {}\nfunc New() Item { return Item{} }\n"),
        (
            "a.go",
            "package a\nimport \"m/item\"\nfunc f(item item.Item) { item.Run() }\nfunc g() { item := item.New(); item.Run() }\n",
        ),
        ("dot.go", "package a\nimport . \"m/item\"\nfunc h() { New().Run() }\n"),
    ];
    assert_eq!(edges_from(&sources, "f"), ["calls Item.Run", "type_hint_of Item"]);
    assert_eq!(edges_from(&sources, "g"), ["calls Item.Run", "calls New"]);
    assert_eq!(edges_from(&sources, "h"), ["calls Item.Run", "calls New"]);
}

#[test]
fn elided_literals_in_named_maps_write_fields() {
    check_with_types(
        "type table map[string]Item\nconst key = \"\"\nfunc f() { _ = table{key: {Name: \"\"}} }",
        &["accesses_field Item.Name", "type_hint_of table"],
    );
}

#[test]
fn range_over_functions_yields_parameters() {
    check_with_types(
        "import \"iter\"\nfunc (s *Store) All() iter.Seq2[string, *Item] { return nil }\nfunc f(s Store) { for _, i := range s.All() { i.Run() } }\n",
        &["calls Item.Run", "calls Store.All", "type_hint_of Store"],
    );
    check_with_types(
        "func (s *Store) Each(yield func(Item) bool) {}\nfunc f(s Store) { for i := range s.Each { i.Run() } }\n",
        &["calls Item.Run", "references Store.Each", "type_hint_of Store"],
    );
}

#[test]
fn conversions_and_indexed_calls_resolve() {
    check_with_types(
        "type ID string\nfunc (ID) Go() {}\nvar hooks []func(int) Item\nfunc f(i int) { ID(\"\").Go(); hooks[i](i).Run() }",
        &["calls ID.Go", "calls Item.Run", "calls hooks", "type_hint_of ID"],
    );
}

#[test]
fn functions_as_arguments_are_references() {
    check_with_types(
        "func g() {}\nfunc f(i Item, use func(...any)) { use(g, i.Run) }",
        &["references Item.Run", "references g", "type_hint_of Item"],
    );
}

#[test]
fn members_of_external_values_do_not_resolve() {
    check_with_types("func f() { reflect.ValueOf(1).Type().Run(); for _, x := range os.Args() { x.Get() } }", &[]);
}

#[test]
fn packages_resolve_by_go_mod_and_clause() {
    let sources = [
        ("go.mod", "module example.com/mod/v2\nreplace example.com/old => ./sub\n"),
        ("sub/go.mod", "module example.com/sub\n"),
        (
            "main.go",
            "package main\nimport (\n\"example.com/mod/v2/cmd\"\n\"example.com/sub/in\"\nold \"example.com/old/in\"\n)\nfunc f() { named.Do(); in.In(); old.Old(); side() }\n",
        ),
        ("side.go", "package main\nfunc side() {}\n"),
        ("cmd/cmd.go", "package named\nfunc Do() {}\n"),
        ("cmd/cmd_test.go", "package named_test\nfunc Do() {}\n"),
        ("sub/in/in.go", "package in\nfunc In() {}\nfunc Old() {}\n"),
    ];
    assert_eq!(edges_from(&sources, "f"), ["calls Do", "calls In", "calls Old", "calls side"]);
}

#[test]
fn default_build_is_preferred_and_others_are_possible() {
    let sources = [
        ("a.go", "package a\nfunc f() { g() }\n"),
        ("g_darwin.go", "package a\nfunc g() { darwin() }\nfunc darwin() {}\n"),
        ("g_linux.go", "package a\nfunc g() { linux() }\nfunc linux() {}\n"),
    ];
    assert_eq!(edges_from(&sources, "f"), ["calls g", "calls g"]);
}

#[test]
fn recursive_types_terminate() {
    let sources = [("a.go", "package a\ntype A B\ntype B A\ntype C []C\nfunc f(a A, c C) { a[0].x(); c[0][0].y() }\n")];
    assert_eq!(edges_from(&sources, "f"), ["type_hint_of A", "type_hint_of C"]);
}
