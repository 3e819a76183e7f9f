//! The tagged languages.

use std::sync::LazyLock;

use super::{Style, Tags, extraction, just};
use crate::lang::Language;
use crate::lang::common::embedded;
use crate::lang::common::lexicon::{DocStyle, Lexicon};
use crate::lang::common::light::rules::{Layout, LightRules};
use crate::resolve::rules::Traits;

/// The traits of tagged languages.
const TRAITS: Traits =
    Traits { resolves_by_name: true, members_are_in_scope: true, capitals_are_types: false, ..Traits::COMMON };

/// Comments and quotes of languages like C.
const LIKE_C: Lexicon = Lexicon {
    line_comments: &["///", "//"],
    block_comments: &[("/*", "*/")],
    quotes: &["\"", "'"],
    long_quotes: &[],
    raw_quotes: &[],
    keywords: &[],
    docs: DocStyle::TAGS,
};

/// Comments and quotes of languages whose comments begin with `#`.
const LIKE_SHELL: Lexicon =
    Lexicon { line_comments: &["##", "#'", "#"], block_comments: &[], quotes: &["\"", "'"], ..LIKE_C };

/// Comments and quotes of languages whose comments begin with `--`.
const LIKE_HASKELL: Lexicon = Lexicon {
    line_comments: &["-- |", "-- ^", "--"],
    block_comments: &[("{-|", "-}"), ("{-", "-}")],
    quotes: &["\""],
    ..LIKE_C
};

/// Defines the entry of a tagged language: name, extensions, grammar, query file, lexicon, style, and by what else its files
/// are known.
macro_rules! tagged {
    ($language:ident, $name:literal, $extensions:expr, $grammar:expr, $lexicon:expr, $style:expr $(, $field:ident: $value:expr)*) => {
        #[doc = concat!("The entry of ", $name, " in the registry.")]
        pub const $language: Language = Language {
            extensions: &$extensions,
            $($field: $value,)*
            ..Language::new(
                $name,
                |_| $grammar.into(),
                |file| {
                    static TAGS: LazyLock<Tags> = LazyLock::new(|| {
                        Tags::read(&$grammar.into(), include_str!(concat!($name, ".scm")), $lexicon, $style)
                    });
                    extraction::extract(file, &TAGS)
                },
                {
                    static RULES: LightRules =
                        LightRules::new($name, Layout::Files { endings: &[], separator: '/' }, TRAITS);
                    &RULES
                },
            )
        };
    };
}

/// Names that have dots.
const DOTTED: Style = Style { has_dots_in_names: true, joins_clauses: false, runners: &[] };
/// Functions that are written as several clauses, or after their signatures.
const CLAUSES: Style = Style { joins_clauses: true, has_dots_in_names: false, runners: &[] };

tagged!(
    CLOJURE,
    "clojure",
    ["clj", "cljc", "cljs"],
    tree_sitter_clojure_orchard::LANGUAGE,
    Lexicon { line_comments: &[";;;", ";;", ";"], quotes: &[], long_quotes: &["\""], ..LIKE_SHELL },
    DOTTED
);
tagged!(DART, "dart", ["dart"], tree_sitter_dart::LANGUAGE, LIKE_C, Style::default());
tagged!(
    DOCKERFILE,
    "dockerfile",
    ["containerfile", "dockerfile"],
    tree_sitter_containerfile::LANGUAGE,
    LIKE_SHELL,
    Style::default(),
    file_names: &["Containerfile", "Dockerfile"],
    is_program: false
);
tagged!(
    ELIXIR,
    "elixir",
    ["eex", "ex", "exs", "heex", "leex"],
    tree_sitter_elixir::LANGUAGE,
    Lexicon { long_quotes: &["\"\"\"", "'''", "\""], quotes: &["'"], ..LIKE_SHELL },
    CLAUSES,
    masked: |path, text| if path.ends_with("eex") { embedded::code(text) } else { None }
);
tagged!(ELM, "elm", ["elm"], tree_sitter_elm::LANGUAGE, LIKE_HASKELL, CLAUSES);
tagged!(
    ERLANG,
    "erlang",
    ["erl", "hrl"],
    tree_sitter_erlang::LANGUAGE,
    Lexicon { line_comments: &["%%%", "%%", "%"], ..LIKE_SHELL },
    CLAUSES
);
tagged!(GDSCRIPT, "gdscript", ["gd"], tree_sitter_gdscript::LANGUAGE, LIKE_SHELL, Style::default());
tagged!(
    GRAPHQL,
    "graphql",
    ["gql", "graphql"],
    tree_sitter_graphql::LANGUAGE,
    Lexicon { line_comments: &["#"], long_quotes: &["\"\"\""], quotes: &["\""], ..LIKE_SHELL },
    Style::default(),
    is_program: false
);
tagged!(HASKELL, "haskell", ["hs"], tree_sitter_haskell::LANGUAGE, LIKE_HASKELL, CLAUSES);
tagged!(
    JSON,
    "json",
    [],
    tree_sitter_json::LANGUAGE,
    LIKE_C,
    Style { runners: &[("package.json", "npm"), ("composer.json", "composer")], ..DOTTED },
    file_names: &["composer.json", "openapi.json", "package.json", "swagger.json"],
    is_program: false
);
tagged!(
    JUST,
    "just",
    ["just"],
    tree_sitter_make::LANGUAGE,
    LIKE_SHELL,
    Style { runners: &[("", "just")], ..DOTTED },
    file_names: &["Justfile", "justfile", ".justfile"],
    masked: just::masked,
    is_program: false
);
tagged!(
    MAKEFILE,
    "makefile",
    ["mak", "mk"],
    tree_sitter_make::LANGUAGE,
    LIKE_SHELL,
    Style { runners: &[("", "make")], ..DOTTED },
    file_names: &["GNUmakefile", "Makefile", "makefile"],
    is_program: false
);
tagged!(
    NIX,
    "nix",
    ["nix"],
    tree_sitter_nix::LANGUAGE,
    Lexicon { block_comments: &[("/*", "*/")], long_quotes: &["''", "\""], quotes: &[], ..LIKE_SHELL },
    Style::default()
);
tagged!(
    POWERSHELL,
    "powershell",
    ["ps1", "psm1"],
    tree_sitter_powershell::LANGUAGE,
    Lexicon {
        line_comments: &["# ", "##"],
        block_comments: &[("<#", "#>")],
        long_quotes: &["\"", "'"],
        quotes: &[],
        ..LIKE_SHELL
    },
    Style::default()
);
tagged!(
    R,
    "r",
    ["R", "r"],
    tree_sitter_r::LANGUAGE,
    Lexicon { long_quotes: &["\"", "'"], quotes: &[], ..LIKE_SHELL },
    DOTTED
);
tagged!(SOLIDITY, "solidity", ["sol"], tree_sitter_solidity::LANGUAGE, LIKE_C, Style::default());
tagged!(
    SQL,
    "sql",
    ["sql"],
    tree_sitter_sequel::LANGUAGE,
    Lexicon { line_comments: &["--"], long_quotes: &["'", "\""], quotes: &[], ..LIKE_C },
    Style::default(),
    is_program: false
);
tagged!(
    TERRAFORM,
    "terraform",
    ["hcl", "tf"],
    tree_sitter_hcl::LANGUAGE,
    Lexicon { line_comments: &["#", "//"], block_comments: &[("/*", "*/")], ..LIKE_C },
    Style::default(),
    is_program: false
);
tagged!(
    YAML,
    "yaml",
    [],
    tree_sitter_yaml::LANGUAGE,
    Lexicon { long_quotes: &["\"", "'"], quotes: &[], ..LIKE_SHELL },
    DOTTED,
    file_names: &[
        ".gitlab-ci.yml",
        "action.yaml",
        "action.yml",
        "compose.yaml",
        "compose.yml",
        "docker-compose.yaml",
        "docker-compose.yml",
        "openapi.yaml",
        "openapi.yml",
        "swagger.yaml",
        "swagger.yml",
    ],
    folders: &[(".github/workflows", "yaml"), (".github/workflows", "yml")],
    is_program: false
);
tagged!(
    ZIG,
    "zig",
    ["zig"],
    tree_sitter_zig::LANGUAGE,
    Lexicon { line_comments: &["///", "//!", "//"], ..LIKE_C },
    Style::default()
);
