//! Arbitrary bytes and mutilated code: extraction and resolution must neither panic nor hang, and say the same twice.
//!
//! A few seconds by default. For longer, set `PROPTEST_CASES`, and `KNOWING_FUZZ_SOURCES` to a folder of real code. The
//! case that is under way lies in `target/tmp/fuzz`, for the event that it takes the whole process down.

mod knots;
mod mutation;
mod sizes;
mod sources;
mod subject;

use knowing::lang::LANGUAGES;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::cases::config;
use mutation::{Mutation, mutations};
use sources::{extensions, seeds};
use subject::{File, survive};

/// For one to three files: which code to begin with, from which to borrow, and what to do to it.
fn mutated() -> impl Strategy<Value = Vec<(Index, Index, Vec<Mutation>)>> {
    prop::collection::vec((any::<Index>(), any::<Index>(), mutations()), 1..=3)
}

/// Some files of one language, each a piece of real code to which things were done.
fn check_mutated(language: usize, files: &[(Index, Index, Vec<Mutation>)]) {
    let seeds = seeds(LANGUAGES[language]);
    let files: Vec<File> = (0..)
        .zip(files)
        .map(|(number, (seed, other, mutations))| {
            let (seed, other) = (seed.get(seeds), other.get(seeds));
            let mut bytes = seed.text.clone().into_bytes();
            mutations.iter().for_each(|mutation| mutation.apply(&mut bytes, other.text.as_bytes()));
            File { path: format!("shop/{}{}", ["sample", "other", "test_more"][number], seed.extension), bytes }
        })
        .collect();
    survive(LANGUAGES[language].name, files);
}

proptest! {
    #![proptest_config(config(48, 400))]

    #[test]
    fn arbitrary_bytes(language in 0..LANGUAGES.len(), which in any::<Index>(), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let extensions = extensions(LANGUAGES[language]);
        survive("bytes", vec![File { path: format!("shop/sample{}", which.get(&extensions)), bytes }]);
    }

    #[test]
    fn mutilated_go(files in mutated()) { check_mutated(0, &files); }

    #[test]
    fn mutilated_python(files in mutated()) { check_mutated(1, &files); }

    #[test]
    fn mutilated_rust(files in mutated()) { check_mutated(2, &files); }

    #[test]
    fn mutilated_typescript(files in mutated()) { check_mutated(3, &files); }
}

/// What is written again and again inside itself, in each language that has it.
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
            survive("nesting", vec![File { path: format!("shop/sample.{extension}"), bytes }]);
        }
    }
}

/// Long chains are deep trees in most grammars.
#[test]
fn chains_of_every_kind() {
    let links =
        [".x", ".x()", "()", "[0]", " + x", "?.x", "::x", " and x", " || x", ", x", "; x", "\nx", " = x", "->x"];
    for language in LANGUAGES {
        for link in links {
            for length in [200, 10_000] {
                let bytes = format!("x{}", link.repeat(length)).into_bytes();
                let path = format!("shop/sample{}", extensions(language)[0]);
                survive("chains", vec![File { path, bytes }]);
            }
        }
    }
}
