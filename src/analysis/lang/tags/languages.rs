//! The tagged languages.

use std::sync::LazyLock;

use super::{Capture, Style, Tags, extraction, just};
use crate::lang::Language;
use crate::lang::common::embedded;
use crate::lang::common::lexicon::{DocStyle, Lexicon};
use crate::lang::common::light::rules::{Layout, LightRules};
use crate::lang::queries;
use crate::resolve::rules::{LibraryReceivers, Traits};

/// Returns the traits of a tagged language.
const fn traits(style: Style) -> Traits {
    Traits {
        resolves_by_name: true,
        library_receivers: style.library_receivers,
        files_are_types: style.files_are_types,
        ubiquitous: style.ubiquitous,
        members_are_in_scope: true,
        capitals_are_types: false,
        ..Traits::COMMON
    }
}

/// Returns the rules of a tagged language.
const fn rules(name: &'static str, style: Style) -> LightRules {
    LightRules::new(name, Layout::Files { endings: &[], separator: '/' }, traits(style))
}

/// Returns the rules of a language of the user's settings.
pub fn own_rules(name: &'static str) -> &'static LightRules {
    Box::leak(Box::new(rules(name, Style::PLAIN)))
}

/// Returns the comments and quotes of a language of the user's settings: `//`, or `/* */`.
pub(super) fn own_lexicon(comments: &[String]) -> Lexicon {
    let (mut lines, mut blocks) = (Vec::new(), Vec::new());
    for comment in comments {
        let comment: &'static str = comment.clone().leak();
        match comment.split_once(' ') {
            Some((open, close)) => blocks.push((open, close)),
            None => lines.push(comment),
        }
    }
    // The beginning `///` comes before `//`.
    lines.sort_unstable_by_key(|line| std::cmp::Reverse(line.len()));
    Lexicon { line_comments: lines.leak(), block_comments: blocks.leak(), quotes: &["\""], ..LIKE_C }
}

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

/// Comments and quotes of files with commands of a shell, and their words.
const COMMANDS: Lexicon = Lexicon { keywords: crate::lang::bash::KEYWORDS, ..LIKE_SHELL };

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
                        // A test reads all queries of the program.
                        Tags::read(&$grammar.into(), include_str!(concat!($name, ".scm")), $lexicon, $style, Capture::named)
                            .unwrap_or_else(|problem| panic!("{}: {problem}", $name))
                    });
                    extraction::extract(file, &TAGS)
                },
                {
                    static RULES: LightRules = rules($name, $style);
                    &RULES
                },
            )
        };
    };
}

/// Methods of the types of Godot.
const GODOT: &[&str] = &[
    "add_item",
    "add_node",
    "add_theme_color_override",
    "connect",
    "disconnect",
    "duplicate",
    "emit",
    "free",
    "get_child",
    "get_item",
    "get_node",
    "get_parent",
    "get_path",
    "get_root",
    "get_setting",
    "get_size",
    "get_text",
    "get_tree",
    "get_value",
    "grab_focus",
    "is_playing",
    "popup",
    "queue_free",
    "select",
    "set_item",
    "set_setting",
    "set_text",
    "set_value",
    "stop",
];

/// Names that have dots.
const DOTTED: Style = Style { has_dots_in_names: true, ..Style::PLAIN };
/// Functions that are written as several clauses, or after their signatures.
const CLAUSES: Style = Style { joins_clauses: true, ..Style::PLAIN };

tagged!(
    CLOJURE,
    "clojure",
    ["clj", "cljc", "cljs"],
    tree_sitter_clojure_orchard::LANGUAGE,
    Lexicon { line_comments: &[";;;", ";;", ";"], quotes: &[], long_quotes: &["\""], ..LIKE_SHELL },
    Style { library_receivers: LibraryReceivers::None, ..DOTTED }
);
tagged!(DART, "dart", ["dart"], tree_sitter_dart::LANGUAGE, LIKE_C, Style::PLAIN);
tagged!(
    DOCKERFILE,
    "dockerfile",
    ["Containerfile", "Dockerfile", "containerfile", "dockerfile"],
    tree_sitter_containerfile::LANGUAGE,
    COMMANDS,
    Style::PLAIN,
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
    Style { library_receivers: LibraryReceivers::Names, ..CLAUSES }
);
tagged!(
    GDSCRIPT,
    "gdscript",
    ["gd"],
    tree_sitter_gdscript::LANGUAGE,
    LIKE_SHELL,
    Style { files_are_types: true, ubiquitous: GODOT, ..Style::PLAIN }
);
tagged!(
    GRAPHQL,
    "graphql",
    ["gql", "graphql"],
    tree_sitter_graphql::LANGUAGE,
    Lexicon { line_comments: &["#"], long_quotes: &["\"\"\""], quotes: &["\""], ..LIKE_SHELL },
    Style::PLAIN,
    is_program: false
);
tagged!(
    GROOVY,
    "groovy",
    ["gradle", "groovy"],
    dekobon_tree_sitter_groovy::LANGUAGE,
    Lexicon { long_quotes: &["\"\"\"", "'''", "\""], quotes: &["'"], ..LIKE_C },
    Style::PLAIN,
    file_names: &["Jenkinsfile"]
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
    COMMANDS,
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
    COMMANDS,
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
    Style::PLAIN
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
    Style::PLAIN
);
tagged!(
    R,
    "r",
    ["R", "r"],
    tree_sitter_r::LANGUAGE,
    Lexicon { long_quotes: &["\"", "'"], quotes: &[], ..LIKE_SHELL },
    DOTTED
);
tagged!(SOLIDITY, "solidity", ["sol"], tree_sitter_solidity::LANGUAGE, LIKE_C, Style::PLAIN);
tagged!(
    SQL,
    "sql",
    ["sql"],
    tree_sitter_sequel::LANGUAGE,
    Lexicon { line_comments: &["--"], long_quotes: &["'", "\""], quotes: &[], ..LIKE_C },
    Style { runners: &[("", queries::TABLE)], ..Style::PLAIN },
    is_program: false
);
tagged!(
    TERRAFORM,
    "terraform",
    ["hcl", "tf"],
    tree_sitter_hcl::LANGUAGE,
    Lexicon { line_comments: &["#", "//"], block_comments: &[("/*", "*/")], ..LIKE_C },
    Style::PLAIN,
    is_program: false
);
tagged!(
    YAML,
    "yaml",
    [],
    tree_sitter_yaml::LANGUAGE,
    Lexicon { long_quotes: &["\"", "'"], quotes: &[], ..COMMANDS },
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
    Style::PLAIN
);
