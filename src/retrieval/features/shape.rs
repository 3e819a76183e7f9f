//! Features of a symbol's kind, size and folder, which are independent of the query.

use super::neighbors::uses;
use super::{Feature, FeatureContext, feature};
use crate::model::{NodeId, SymbolKind};
use crate::text::{file_name, parent_dir};

/// Folders of documentation, scripts and test data, in lower case.
const EXAMPLES: [&str; 6] = ["doc", "docs", "docs_src", "scripts", "fixtures", "testdata"];
/// Last words of the names of folders with examples or benchmarks, in lower case: `jmh-benchmarks`, `client_examples`.
const EXAMPLE_WORDS: [&str; 13] = [
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "demo",
    "demos",
    "example",
    "examples",
    "microbench",
    "sample",
    "samples",
    "tutorial",
    "tutorials",
];

/// Folders of database migrations, whose files have numbers or dates: each is written once for a release, and never again.
const MIGRATIONS: [&str; 2] = ["migrate", "migrations"];
/// Digits at the start of a migration's file name: `0001_initial.py`, `20100129193402_change_users.rb`.
const MIGRATION_DIGITS: usize = 3;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 10] =
    ["type", "method", "field", "const", "callable", "special", "lines", "uses", "example", "test"];
/// Logarithm of the lines at which the `lines` feature is 1, about 400.
const MANY_LINES: f64 = 6.0;
/// Logarithm of the used symbols at which the `uses` feature is 1, about 55.
const MANY_USES: f64 = 4.0;
/// Names that every type may have: they say little about what the symbol is for.
const SPECIAL: [&str; 6] = ["constructor", "new", "init", "default", "fmt", "main"];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let kind_is = |node: NodeId, kinds: &[SymbolKind]| {
        f64::from(u8::from(context.graph.meta(node).is_some_and(|meta| kinds.contains(&meta.kind))))
    };
    let name = |node: NodeId| context.names.get(&node);
    let truth = |holds: bool| f64::from(u8::from(holds));
    vec![
        feature("type", candidates, |node| kind_is(node, &[SymbolKind::Type, SymbolKind::Interface])),
        feature("method", candidates, |node| kind_is(node, &[SymbolKind::Method])),
        feature("field", candidates, |node| kind_is(node, &[SymbolKind::Field, SymbolKind::Var])),
        feature("const", candidates, |node| kind_is(node, &[SymbolKind::Const])),
        feature("callable", candidates, |node| {
            kind_is(node, &[SymbolKind::Function, SymbolKind::Method, SymbolKind::Macro])
        }),
        feature("special", candidates, |node| truth(name(node).is_some_and(|name| is_special(&name.name)))),
        feature("lines", candidates, |node| {
            (f64::from(name(node).map_or(0, |name| name.lines)).ln_1p() / MANY_LINES).min(1.0)
        }),
        feature("uses", candidates, |node| {
            let mut used: Vec<NodeId> = uses(context.graph, node).collect();
            used.sort_unstable();
            used.dedup();
            ((used.len() as f64).ln_1p() / MANY_USES).min(1.0)
        }),
        feature("example", candidates, |node| truth(context.graph.path(node).is_some_and(is_example))),
        feature("test", candidates, |node| truth(context.factor(node) < 1.0)),
    ]
}

fn is_special(name: &str) -> bool {
    name.starts_with("__") || SPECIAL.contains(&name)
}

/// Returns whether a file is an example, documentation, a benchmark or a migration, by the folders that it is in.
pub fn is_example(path: &str) -> bool {
    let folders = parent_dir(path);
    is_migration(folders, file_name(path))
        || folders.split('/').any(|folder| {
            let is = |name: &str, known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
            let last = folder.rsplit(['-', '_', '.']).next().unwrap_or(folder);
            is(folder, &EXAMPLES) || is(last, &EXAMPLE_WORDS)
        })
}

fn is_migration(folders: &str, file: &str) -> bool {
    let number = file.strip_prefix("Version").unwrap_or(file);
    MIGRATIONS.contains(&file_name(folders))
        && number.bytes().take_while(u8::is_ascii_digit).count() >= MIGRATION_DIGITS
}

#[cfg(test)]
mod tests {
    use super::is_example;

    #[test]
    fn only_whole_folders_match() {
        assert!(is_example("docs/a.py") && is_example("crates/x/examples/a.rs"));
        assert!(!is_example("src/docs.py") && !is_example("documents/a.py") && !is_example("src/example.py"));
    }

    #[test]
    fn the_last_word_of_a_folder_tells_examples_and_benchmarks() {
        for path in ["jmh-benchmarks/src/A.java", "lib/client_examples/a.c", "src/Shop.Samples/A.cs", "Demos/a.c"] {
            assert!(is_example(path), "{path}");
        }
        for path in ["demo-server/a.c", "sampler/a.c", "benchmarking/a.go", "upsample/a.c"] {
            assert!(!is_example(path), "{path}");
        }
    }

    #[test]
    fn numbered_files_of_migrations_are_not_answers() {
        for path in ["db/migrate/075_add.rb", "shop/migrations/0001_initial.py", "src/migrations/Version20240101.php"] {
            assert!(is_example(path), "{path}");
        }
        for path in ["django/db/migrations/writer.py", "lib/075_add.rb", "db/migrate/v2/add.rb"] {
            assert!(!is_example(path), "{path}");
        }
    }
}
