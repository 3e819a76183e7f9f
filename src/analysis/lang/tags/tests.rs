//! Tests of the tagged languages: what each query file finds in its sample, and what names mean.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::facts::FileFacts;
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
    ];
    let found = edges(sources);
    let uses: Vec<(&str, &str)> = found
        .iter()
        .filter(|edge| edge.edge_type != "declares")
        .map(|edge| (edge.source.as_str(), edge.target_file.as_str()))
        .collect();
    assert_eq!(uses, [("aws_vpc.main", "net/variables.tf")]);
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
