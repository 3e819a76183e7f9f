//! Names of source languages by file extension, so that users read which files were understood and which were not.
//!
//! A language that is registered in [`LANGUAGES`](super::LANGUAGES) is supported; the others of this list have no
//! grammar here. Templates, styles, queries and descriptions of services and infrastructure are source too. Extensions of data,
//! documents and configuration are not source and not listed, nor are those that several languages share and none
//! clearly has.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use super::names::is_registered;
use super::own;
use crate::text::file_name;

/// Names of languages with the extensions of their files, without the dot.
const KNOWN: &[(&str, &[&str])] = &[
    ("ABAP", &["abap"]),
    ("AWK", &["awk"]),
    ("Ada", &["adb", "ads"]),
    ("Agda", &["agda"]),
    ("Apex", &["apex"]),
    ("AppleScript", &["applescript"]),
    ("Arduino", &["ino"]),
    ("Assembly", &["asm", "s", "S"]),
    ("Astro", &["astro"]),
    ("AutoHotkey", &["ahk"]),
    ("Bash", &["bash", "bats", "sh"]),
    ("Batch", &["bat", "cmd"]),
    ("Bicep", &["bicep"]),
    ("C", &["c", "h"]),
    ("C#", &["cs", "csx"]),
    ("C++", &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl"]),
    ("CMake", &["cmake"]),
    ("CSS", &["css"]),
    ("CUDA", &["cu", "cuh"]),
    ("CUE", &["cue"]),
    ("Cairo", &["cairo"]),
    ("Clojure", &["clj", "cljc", "cljs"]),
    ("Cobol", &["cbl", "cob"]),
    ("CoffeeScript", &["coffee"]),
    ("ColdFusion", &["cfm", "cfc"]),
    ("Common Lisp", &["lisp"]),
    ("Crystal", &["cr"]),
    ("Cython", &["pyx", "pxd"]),
    ("Dart", &["dart"]),
    ("Dockerfile", &["Containerfile", "Dockerfile", "containerfile", "dockerfile"]),
    ("EJS", &["ejs"]),
    ("Elixir", &["eex", "ex", "exs", "heex", "leex"]),
    ("Elm", &["elm"]),
    ("Elvish", &["elv"]),
    ("Emacs Lisp", &["el"]),
    ("Embedded Ruby", &["erb"]),
    ("Erlang", &["erl", "hrl"]),
    ("F#", &["fs", "fsi", "fsx"]),
    ("Fennel", &["fnl"]),
    ("Fish", &["fish"]),
    ("Fortran", &["f", "f03", "f08", "f77", "f90", "f95", "for"]),
    ("GDScript", &["gd"]),
    ("GLSL", &["glsl", "vert", "frag"]),
    ("Gherkin", &["feature"]),
    ("Gleam", &["gleam"]),
    ("Go", &["go"]),
    ("GraphQL", &["graphql", "gql"]),
    ("Groovy", &["groovy", "gradle"]),
    ("HCL", &["hcl"]),
    ("HLSL", &["hlsl"]),
    ("HTML", &["htm", "html"]),
    ("Hack", &["hack"]),
    ("Haml", &["haml"]),
    ("Handlebars", &["hbs", "handlebars"]),
    ("Haskell", &["hs", "lhs"]),
    ("Haxe", &["hx"]),
    ("Hy", &["hy"]),
    ("Idris", &["idr"]),
    ("JSP", &["jsp"]),
    ("Janet", &["janet"]),
    ("Java", &["java"]),
    ("JavaScript", &["js", "jsx", "mjs", "cjs"]),
    ("Jinja", &["jinja", "jinja2", "j2"]),
    ("Jsonnet", &["jsonnet", "libsonnet"]),
    ("Julia", &["jl"]),
    ("Jupyter", &["ipynb"]),
    ("Just", &["just"]),
    ("Kotlin", &["kt", "kts"]),
    ("Lean", &["lean"]),
    ("Less", &["less"]),
    ("Liquid", &["liquid"]),
    ("Lua", &["lua"]),
    ("Makefile", &["mk", "mak"]),
    ("Metal", &["metal"]),
    ("Mojo", &["mojo"]),
    ("Mustache", &["mustache"]),
    ("Nim", &["nim"]),
    ("Nix", &["nix"]),
    ("Nunjucks", &["njk"]),
    ("Nushell", &["nu"]),
    ("OCaml", &["ml", "mli"]),
    ("Objective-C", &["m", "mm"]),
    ("Odin", &["odin"]),
    ("PHP", &["php", "phtml"]),
    ("PL/SQL", &["pls", "plb", "pks", "pkb"]),
    ("Pascal", &["pas", "dpr"]),
    ("Perl", &["pl", "pm"]),
    ("PowerShell", &["ps1", "psm1"]),
    ("Prisma", &["prisma"]),
    ("Protocol Buffers", &["proto"]),
    ("Pug", &["pug"]),
    ("PureScript", &["purs"]),
    ("Python", &["py", "pyi", "pyw"]),
    ("QML", &["qml"]),
    ("R", &["r", "R"]),
    ("R Markdown", &["rmd", "Rmd"]),
    ("Racket", &["rkt"]),
    ("Raku", &["raku", "rakumod"]),
    ("Razor", &["cshtml", "razor"]),
    ("ReScript", &["resi"]),
    ("ReasonML", &["re", "rei"]),
    ("Rego", &["rego"]),
    ("Robot Framework", &["robot"]),
    ("Ruby", &["rb", "rake", "ru", "gemspec", "builder", "jbuilder"]),
    ("Rust", &["rs"]),
    ("SAS", &["sas"]),
    ("SCSS", &["scss"]),
    ("SQL", &["sql"]),
    ("Sass", &["sass"]),
    ("Scala", &["scala", "sc"]),
    ("Scheme", &["scm"]),
    ("Slim", &["slim"]),
    ("Solidity", &["sol"]),
    ("Standard ML", &["sml"]),
    ("Starlark", &["bzl", "star"]),
    ("Svelte", &["svelte"]),
    ("Swift", &["swift"]),
    ("Tcl", &["tcl"]),
    ("Terraform", &["tf"]),
    ("Thrift", &["thrift"]),
    ("Twig", &["twig"]),
    ("TypeScript", &["ts", "tsx", "mts", "cts"]),
    ("TypeSpec", &["tsp"]),
    ("VHDL", &["vhd", "vhdl"]),
    ("Vala", &["vala"]),
    ("Verilog", &["sv", "svh"]),
    ("Vim script", &["vim"]),
    ("Visual Basic", &["vb"]),
    ("Vue", &["vue"]),
    ("Vyper", &["vy"]),
    ("WGSL", &["wgsl"]),
    ("WebAssembly", &["wat"]),
    ("Wren", &["wren"]),
    ("Zig", &["zig"]),
    ("Zsh", &["zsh"]),
];

/// Languages whose grammars are in a build with the feature `rare-grammars`.
const OPTIONAL: &[&str] = &[
    "Clojure",
    "Dart",
    "Dockerfile",
    "Elixir",
    "Elm",
    "Erlang",
    "GDScript",
    "GraphQL",
    "Groovy",
    "HCL",
    "Haskell",
    "Just",
    "Kotlin",
    "Makefile",
    "Nix",
    "PowerShell",
    "R",
    "SQL",
    "Scala",
    "Solidity",
    "Swift",
    "Terraform",
    "Zig",
];

/// Numbers of source files by extension.
pub type ExtensionCounts = BTreeMap<String, u64>;

/// Returns the names of the languages that files are indexed of, sorted; those of the settings come last.
pub fn supported() -> Vec<&'static str> {
    let is_supported = |extensions: &[&str]| extensions.iter().any(|extension| is_registered(extension));
    let known = KNOWN.iter().filter(|(_, extensions)| is_supported(extensions)).map(|(name, _)| *name);
    known.chain(own::languages().map(|language| language.name)).collect()
}

/// Returns the extension of a source file that no registered language reads; `None` for every other file.
pub fn extension_without_grammar(path: &str) -> Option<&'static str> {
    static EXTENSIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let known = KNOWN.iter().flat_map(|(_, extensions)| extensions.iter().copied());
        known.filter(|extension| !is_registered(extension)).collect()
    });
    let (_, extension) = file_name(path).rsplit_once('.')?;
    EXTENSIONS.get(extension).or_else(|| EXTENSIONS.get(extension.to_ascii_lowercase().as_str())).copied()
}

/// Returns the name of the language without a grammar whose files have this extension.
pub fn language_without_grammar(extension: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(_, extensions)| extensions.contains(&extension));
    known.filter(|_| !is_registered(extension)).map(|(name, _)| *name)
}

/// Returns how to get a program that reads these languages; `None` if no build of it does.
pub fn other_build<'a>(without_grammar: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let languages: BTreeSet<&str> = without_grammar.into_iter().filter(|name| OPTIONAL.contains(name)).collect();
    let names = languages.into_iter().collect::<Vec<&str>>().join(", ");
    (!names.is_empty()).then(|| {
        format!(
            "this program was built without {names}: rebuild it with --features rare-grammars, or install a release"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::LANGUAGES;

    #[test]
    fn languages_of_another_build_are_named_with_its_feature() {
        let two = other_build(["Swift", "Nim", "Kotlin", "Swift"]).unwrap();
        assert!(
            two.starts_with("this program was built without Kotlin, Swift: rebuild it with --features rare-grammars")
        );
        assert_eq!(other_build(["Nim"]), None);
        for optional in OPTIONAL {
            assert!(supported().contains(optional), "tests run with every grammar");
        }
    }

    #[test]
    fn every_registered_extension_has_a_name() {
        let known: Vec<&str> = KNOWN.iter().flat_map(|(_, extensions)| extensions.iter().copied()).collect();
        for language in LANGUAGES {
            for extension in language.extensions {
                assert!(known.contains(extension), "{}: add .{extension} to `KNOWN`", language.name);
            }
        }
    }

    #[test]
    fn names_are_sorted_and_extensions_have_one_language() {
        assert!(KNOWN.is_sorted_by(|one, two| one.0 < two.0));
        let mut extensions: Vec<&str> = KNOWN.iter().flat_map(|(_, extensions)| extensions.iter().copied()).collect();
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count);
    }

    #[test]
    fn registered_languages_are_supported_and_not_without_grammar() {
        let supported = supported();
        for language in ["Go", "JavaScript", "Python", "Rust", "TypeScript"] {
            assert!(supported.contains(&language), "{language}");
        }
        assert_eq!(extension_without_grammar("lib/main.nim"), Some("nim"));
        assert_eq!(language_without_grammar("nim"), Some("Nim"));
        for path in ["src/main.rs", "README.md", "data.json", "nim", "Makefile"] {
            assert_eq!(extension_without_grammar(path), None, "{path}");
        }
        assert_eq!((language_without_grammar("rs"), language_without_grammar("json")), (None, None));
    }
}
