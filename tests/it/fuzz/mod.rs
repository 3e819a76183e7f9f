//! Random bytes and mutated code: extraction and resolution must not panic or hang, and must be deterministic.
//!
//! Runs a few seconds by default. For a longer run set `PROPTEST_CASES`, and `KNOWING_FUZZ_SOURCES` to a folder of
//! source code. The current case is kept in `target/tmp/fuzz`, in case it aborts the process.

mod cycles;
mod mutation;
mod sizes;
mod seeds;
mod case;

use knowing_analysis::lang::parser::MAX_DEPTH;
use knowing_analysis::lang::{LANGUAGES, Language};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::cases::config;
use case::{File, assert_robust};
use mutation::{Mutation, mutations};
use seeds::{extensions, seeds};

/// For one to three files: the seed, a second seed to copy from, and the mutations.
fn mutated() -> impl Strategy<Value = Vec<(Index, Index, Vec<Mutation>)>> {
    prop::collection::vec((any::<Index>(), any::<Index>(), mutations()), 1..=3)
}

/// Checks mutated seeds of one language.
fn check_mutated(language: &Language, files: &[(Index, Index, Vec<Mutation>)]) {
    let seeds = seeds(language);
    let files: Vec<File> = (0..)
        .zip(files)
        .map(|(number, (seed, other, mutations))| {
            let (seed, other) = (seed.get(seeds), other.get(seeds));
            let mut bytes = seed.text.clone().into_bytes();
            mutations.iter().for_each(|mutation| mutation.apply(&mut bytes, other.text.as_bytes()));
            File { path: format!("shop/{}{}", ["sample", "other", "test_more"][number], seed.extension), bytes }
        })
        .collect();
    assert_robust(language.name, files);
}

proptest! {
    #![proptest_config(config(48, 400))]

    #[test]
    fn random_bytes_do_not_panic(language in 0..LANGUAGES.len(), which in any::<Index>(), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let extensions = extensions(LANGUAGES[language]);
        assert_robust("bytes", vec![File { path: format!("shop/sample{}", which.get(&extensions)), bytes }]);
    }
}

proptest! {
    #![proptest_config(config(192, 4_000))]

    #[test]
    fn mutated_sources_do_not_panic(language in 0..LANGUAGES.len(), files in mutated()) {
        check_mutated(LANGUAGES[language], &files);
    }
}

/// Beyond the limit of a tree's depth ([`MAX_DEPTH`]), and short enough that all languages together take a minute: a
/// grammar's scanner may read to the end of the file at each token.
const LONG: usize = 3 * MAX_DEPTH;

/// Constructs of each language nested in themselves.
#[test]
fn nesting_in_every_shape() {
    let shapes: &[(&str, &str, &str, &str)] = &[
        ("py", "(", "x", ")"),
        ("py", "f(", "x", ")"),
        ("py", "x[", "x", "]"),
        ("py", "not ", "x", ""),
        ("py", "lambda x: ", "x", ""),
        ("py", "x.y(x).", "z", ""),
        ("py", "x if ", "y", " else z"),
        ("py", "f'{", "x", "}'"),
        ("py", "x = ", "1", ""),
        ("go", "(", "x", ")"),
        ("go", "package p; func f() { ", "x()", " }"),
        ("go", "package p\nvar x = ", "[]int{}", ""),
        ("go", "func() { ", "x()", " }()"),
        ("go", "map[int]", "int", ""),
        ("go", "*", "x", ""),
        ("rs", "(", "x", ")"),
        ("rs", "mod a { ", "fn f() {}", " }"),
        ("rs", "fn f() { ", "g()", " }"),
        ("rs", "Vec<", "u8", ">"),
        ("rs", "use a::{", "b", "};"),
        ("rs", "m!{", "x", "}"),
        ("rs", "|x| ", "x", ""),
        ("rs", "&", "x", ""),
        ("rs", "if a {} else ", "{}", ""),
        ("rs", "/*", "x", "*/"),
        ("ts", "(", "x", ")"),
        ("ts", "class A { x = ", "1", " }"),
        ("ts", "() => ", "x", ""),
        ("ts", "namespace a { ", "let x", " }"),
        ("ts", "`${", "x", "}`"),
        ("ts", "type A = B<", "C", ">"),
        ("ts", "{ a: ", "1", " }"),
        ("ts", "x => { ", "x()", " }"),
        ("ts", "if (a) {} else ", "{}", ""),
        ("tsx", "<a>", "x", "</a>"),
        ("tsx", "<a b={", "x", "} />"),
    ];
    for (extension, open, inside, close) in shapes {
        for depth in [150, 10_000] {
            let bytes = [open.repeat(depth), (*inside).to_owned(), close.repeat(depth)].concat().into_bytes();
            assert_robust("nesting", vec![File { path: format!("shop/sample.{extension}"), bytes }]);
        }
    }
}

/// The shapes that most languages share, in each of them.
#[test]
fn nesting_in_every_language() {
    let shapes = [
        ("(", "x", ")"),
        ("[", "x", "]"),
        ("{", "x", "}"),
        ("f(", "x", ")"),
        ("class A { ", "x", " }"),
        ("!", "x", ""),
    ];
    for language in LANGUAGES {
        for (open, inside, close) in shapes {
            for depth in [150, LONG] {
                let bytes = [open.repeat(depth), inside.to_owned(), close.repeat(depth)].concat().into_bytes();
                let path = format!("shop/sample{}", extensions(language)[0]);
                assert_robust("nesting", vec![File { path, bytes }]);
            }
        }
    }
}

/// Most grammars parse long chains into deep trees.
#[test]
fn chains_of_every_kind() {
    let links =
        [".x", ".x()", "()", "[0]", " + x", "?.x", "::x", " and x", " || x", ", x", "; x", "\nx", " = x", "->x"];
    for language in LANGUAGES {
        for link in links {
            for length in [200, LONG] {
                let bytes = format!("x{}", link.repeat(length)).into_bytes();
                let path = format!("shop/sample{}", extensions(language)[0]);
                assert_robust("chains", vec![File { path, bytes }]);
            }
        }
    }
}
