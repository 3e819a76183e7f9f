//! Names in documentation.

use super::edges;

/// Returns the `documents` edges as `source -> target`.
#[track_caller]
fn check(sources: &[(&str, &str)], expected: &[&str]) {
    let documents = edges(sources).into_iter().filter(|edge| edge.edge_type == "documents");
    let found: Vec<String> = documents.map(|edge| format!("{} -> {}", edge.source, edge.target)).collect();
    assert_eq!(found, expected);
}

#[test]
fn names_resolve_in_the_scope_of_the_definition() {
    let store =
        "class Store:\n    \"\"\"Filled by `open_store`, emptied by `clear`.\"\"\"\n    def clear(self): pass\n";
    let user = "from store import Store\n\ndef open_store(path):\n    '''A `Store` at `path`; see :meth:`Store.clear`, \
                `nothing`.'''\n";
    let expected = ["Store -> Store.clear", "open_store -> Store", "open_store -> Store.clear"];
    check(&[("store.py", store), ("user.py", user)], &expected);
}

#[test]
fn a_used_symbol_is_not_also_documented() {
    check(&[("a.py", "def one(): pass\n\ndef two():\n    '''Calls `one`.'''\n    one()\n")], &[]);
}

#[test]
fn paths_and_links_of_other_languages() {
    let rust = "pub struct Reader;\nimpl Reader {\n    /// Like [`Self::close`] and [`crate::open`].\n    pub fn read(&self) \
                {}\n    pub fn close(&self) {}\n}\n/// See [Reader::read].\npub fn open() {}\n";
    let cargo = ("Cargo.toml", "[package]\nname = \"shop\"\n");
    let expected = ["Reader.read -> Reader.close", "Reader.read -> open", "open -> Reader.read"];
    check(&[cargo, ("src/lib.rs", rust)], &expected);
    let script =
        "/** Like {@link Cache#get the getter}. */\nexport function load() {}\nexport class Cache { get() {} }\n";
    check(&[("a.ts", script)], &["load -> Cache.get"]);
    let go = "package shop\n\n// Open returns a [Store.Get] store.\nfunc Open() {}\n\ntype Store struct{}\n\nfunc (s *Store) \
              Get() {}\n";
    check(&[("go.mod", "module shop\n"), ("a.go", go)], &["Open -> Store.Get"]);
}
