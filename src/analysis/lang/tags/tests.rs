//! Tests of the tagged languages: what each query file finds in its sample, and what names mean.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::facts::FileFacts;
use crate::lang::language_of;
use crate::lang::testing::{outline, parse};
use crate::model::Provenance;
use crate::resolve::tests::{calls_from, edges};

/// The extensions of the samples, which the fuzz tests have, too.
const SAMPLES: &[&str] = &[
    "R",
    "clj",
    "dart",
    "dockerfile",
    "erl",
    "elm",
    "ex",
    "gd",
    "graphql",
    "groovy",
    "hs",
    "mk",
    "nix",
    "ps1",
    "sol",
    "sql",
    "tf",
    "zig",
];

/// The samples of languages that are known by the names of their files.
const NAMED: &[&str] = &["compose.yml", "justfile", "openapi.json", "openapi.yaml", "package.json"];

/// Returns the definitions of a file with their docs, and the edges within it.
fn described(path: &str, text: &str) -> String {
    let facts: FileFacts = parse(path, text);
    let mut out = String::new();
    for (line, definition) in outline(path, text).iter().zip(&facts.outline.definitions) {
        let doc = if definition.doc.is_empty() {
            String::new()
        } else {
            format!(" — {}", definition.doc.replace('\n', " "))
        };
        let span = definition.span;
        writeln!(out, "{}-{} {line}{doc}", span.start_line, span.end_line).expect("a string can be written");
    }
    out
}

#[test]
fn samples_have_these_definitions_and_edges() {
    let mut out = String::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/fuzz");
    let samples = SAMPLES.iter().map(|extension| format!("sample.{extension}"));
    for path in samples.chain(NAMED.iter().map(|name| (*name).to_owned())) {
        let text = fs::read_to_string(folder.join(&path)).expect("a sample of each language");
        let path = path.as_str();
        write!(out, "== {path}\n{}", described(path, &text)).expect("a string can be written");
        for edge in
            edges(&[(path, text.as_str())]).iter().filter(|edge| edge.edge_type != "declares" && edge.target != path)
        {
            writeln!(out, "   {} {} {}", edge.source, edge.edge_type, edge.target).expect("a string can be written");
        }
    }
    insta::assert_snapshot!(out);
}

/// A name of another file means its only definition, or the nearest; a receiver's name can be that of a module.
#[test]
fn names_of_other_files_are_inferred() {
    let sources: &[(&str, &str)] = &[
        (
            "lib/shop/cart.ex",
            "defmodule Shop.Cart do\n  def total(c), do: Item.weigh(c) + rounded(c)\n  import Shop.Math\nend\n",
        ),
        ("lib/shop/item.ex", "defmodule Shop.Item do\n  def weigh(i), do: i\nend\n"),
        ("lib/shop/math.ex", "defmodule Shop.Math do\n  def rounded(i), do: i\nend\n"),
        ("lib/other/item.ex", "defmodule Other.Weight do\n  def weigh(i), do: i\nend\n"),
    ];
    assert_eq!(calls_from(sources, "Shop.Cart.total"), ["Shop.Item.weigh", "Shop.Math.rounded"]);
    let all = edges(sources);
    let uses = all.iter().filter(|edge| edge.edge_type != "declares");
    assert!(uses.clone().count() >= 2);
    assert!(uses.clone().all(|edge| edge.provenance == Provenance::AstInferred), "no edge by name alone is certain");
}

/// Of two definitions that are equally near, neither is meant.
#[test]
fn an_ambiguous_name_has_no_edge() {
    let sources: &[(&str, &str)] = &[
        ("a/one.gd", "func weigh():\n\tpass\n"),
        ("a/two.gd", "func weigh():\n\tpass\n"),
        ("a/cart.gd", "func total():\n\tweigh()\n"),
    ];
    assert!(calls_from(sources, "total").is_empty());
}

/// Terraform looks a variable up in the folder of the file.
#[test]
fn terraform_names_are_those_of_the_folder() {
    let sources: &[(&str, &str)] = &[
        ("net/main.tf", "resource \"aws_vpc\" \"main\" {\n  cidr = var.cidr\n}\n"),
        ("net/variables.tf", "variable \"cidr\" {}\n"),
        ("app/variables.tf", "variable \"cidr\" {}\n"),
        ("net/inner/variables.tf", "variable \"cidr\" {}\n"),
    ];
    let found = edges(sources);
    let uses: Vec<(&str, &str)> = found
        .iter()
        .filter(|edge| edge.edge_type != "declares")
        .map(|edge| (edge.source.as_str(), edge.target_file.as_str()))
        .collect();
    assert_eq!(uses, [("aws_vpc.main", "net/variables.tf")]);
}

/// Every operand of an operation is a use.
#[test]
fn terraform_operations_name_all_operands() {
    let variables: String = ('a'..='h').map(|name| format!("variable \"{name}\" {{}}\n")).collect();
    let text = "resource \"x\" \"y\" {\n  count = var.a && !var.b && (var.c || var.d) ? var.e + var.f : -var.g\n\
                d = data.q.w.id == var.h\n}\ndata \"q\" \"w\" {}\n";
    let found = edges(&[("main.tf", text), ("variables.tf", &variables)]);
    let mut uses: Vec<&str> =
        found.iter().filter(|edge| edge.source == "x.y").map(|edge| edge.target.as_str()).collect();
    uses.sort_unstable();
    assert_eq!(uses, ["data.q.w", "var.a", "var.b", "var.c", "var.d", "var.e", "var.f", "var.g", "var.h"]);
}

/// An image can have a file for each of its purposes.
#[test]
fn dockerfiles_have_purposes() {
    for path in ["Dockerfile", "a/Dockerfile.dev", "Dockerfile-workers", "web.Dockerfile", "x.dockerfile"] {
        assert_eq!(language_of(path).map(|language| language.name), Some("dockerfile"), "{path}");
    }
    for path in ["Dockerfile.md", "Dockerfile.dockerignore", "Dockerfiles", "Gemfile.lock"] {
        assert!(language_of(path).is_none(), "{path}");
    }
}

/// Pages of Phoenix are code of Elixir between tags.
#[test]
fn pages_call_functions_of_elixir() {
    let page = "<p><%= if @a do %>\n<%= Shop.Page.title(@a) %><% else %><%= rounded(1) %><% end %></p>";
    let sources = [
        ("lib/page.ex", "defmodule Shop.Page do\n  def title(a), do: a\n  def rounded(a), do: a\nend\n"),
        ("lib/templates/show.html.heex", page),
    ];
    assert_eq!(calls_from(&sources, "lib/templates/show.html.heex"), ["Shop.Page.rounded", "Shop.Page.title"]);
}

/// Fields, parameters and variables have the members of their written types; what a local name hides is not called.
#[test]
fn written_types_are_those_of_receivers() {
    let token =
        "contract Token {\n function mint(uint n) public {} }\ncontract Other {\n function mint(uint n) public {} }\n";
    let shop = "contract Shop {\n Token token;\n function a() public { token.mint(1); }\n
 function b(Other o) public { o.mint(1); } }\n";
    let sources = [("token.sol", token), ("shop.sol", shop)];
    assert_eq!(calls_from(&sources, "Shop.a"), ["Token.mint"]);
    assert_eq!(calls_from(&sources, "Shop.b"), ["Other.mint"]);
    let page = "class Page {\n Logic get logic => find();\n void show(Cart cart) { logic.load();
 cart.load(); Cart.of(1); } }\n";
    let logic =
        "class Logic { void load() {} }\nclass Cart { void load() {} }\nclass Box { static Box of(int n) => Box(); }\n";
    assert_eq!(calls_from(&[("page.dart", page), ("logic.dart", logic)], "Page.show"), ["Cart.load", "Logic.load"]);
    let sources = [
        ("a.clj", "(ns a)\n(defn handler [x] x)\n"),
        ("b.clj", "(ns b)\n(defn run [handler]\n  (handler 1))\n(defn go [x] (handler x))\n"),
    ];
    assert_eq!(calls_from(&sources, "b.run"), [""; 0]);
    assert_eq!(calls_from(&sources, "b.go"), ["a.handler"]);
}

/// A name that a file gives to a module or to another file means that one.
#[test]
fn aliases_mean_their_modules() {
    let sources = [
        ("a.ex", "defmodule Web.Item do\n  def weigh(i), do: i\nend\n"),
        ("b.ex", "defmodule Api.Item do\n  def weigh(i), do: i\nend\n"),
        ("c.ex", "defmodule Cart do\n  alias Api.Item, as: Thing\n  def sum(c), do: Thing.weigh(c)\nend\n"),
        ("d.ex", "defmodule Page do\n  alias Web.{Item, User}\n  def sum(c), do: Item.weigh(c)\nend\n"),
    ];
    assert_eq!(calls_from(&sources, "Cart.sum"), ["Api.Item.weigh"]);
    assert_eq!(calls_from(&sources, "Page.sum"), ["Web.Item.weigh"]);
    let sources = [
        ("src/net.zig", "pub fn read(n: u8) u8 { return n; }\n"),
        ("src/disk.zig", "pub fn read(n: u8) u8 { return n; }\n"),
        ("src/main.zig", "const disk = @import(\"disk.zig\");\nfn main() void { disk.read(1); }\n"),
    ];
    let found = edges(&sources);
    let calls: Vec<&str> =
        found.iter().filter(|edge| edge.edge_type == "calls").map(|edge| edge.target_file.as_str()).collect();
    assert_eq!(calls, ["src/disk.zig"]);
    let sources = [
        ("a.erl", "-module(a).\ngo() -> b:send(1), gen_tcp:send(2), gen_tcp:close(3).\n"),
        ("b.erl", "-module(b).\nsend(X) -> X.\n-spec close(size()) -> size().\nclose(X) -> X.\nsize() -> 1.\n"),
        ("c.erl", "-module(c).\nsend(X) -> X.\n"),
    ];
    assert_eq!(calls_from(&sources, "a.go"), ["b.send"]);
    assert_eq!(calls_from(&sources, "b.close"), [""; 0]);
}

/// A variant of a type can have the name of a module, and a function of a file is a member of it.
#[test]
fn calls_mean_variants_and_functions_of_files() {
    let sources = [
        ("Page/Home.elm", "module Page.Home exposing (..)\nview x = x\n"),
        ("Route.elm", "module Route exposing (..)\ntype Route = Home | Login\nfirst x = Home\n"),
    ];
    let found = edges(&sources);
    let uses: Vec<(&str, &str)> = found
        .iter()
        .filter(|edge| edge.source == "Route.first")
        .map(|edge| (edge.edge_type, edge.target.as_str()))
        .collect();
    assert_eq!(uses, [("accesses_field", "Route.Route.Home")]);
    let sources = [
        ("text.gd", "func hide_marks():\n\tpass\nfunc select(x):\n\tpass\nfunc load(x):\n\tpass\n"),
        ("input.gd", "func go(game):\n\tgame.text.hide_marks()\n\tgame.list.select(1)\n\tload(2)\n"),
    ];
    assert_eq!(calls_from(&sources, "go"), ["hide_marks"]);
}

/// A function that begins at the margin is not one of a function before it, whose end was not found.
#[test]
fn functions_at_the_margin_are_not_nested() {
    let text = "function A {\n    param ($x = {)\n    B\n\nfunction B {\n    1\n}\n";
    assert!(outline("a.ps1", text).iter().any(|line| line.contains(" B")), "{:?}", outline("a.ps1", text));
    assert_eq!(calls_from(&[("a.ps1", text)], "A"), ["B"]);
}
