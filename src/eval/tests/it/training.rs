//! Tests of `knowing-eval features` and `knowing-eval fit`: from tasks to a model file.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use knowing_eval::cross::subject::copy_folder;
use knowing_eval::training::{DataSet, FeatureFile};
use knowing_retrieval::model::Intent;
use knowing_retrieval::rank::additive::RankingModel;
use serde_json::json;

use super::command::Corpus;
use super::{code, stderr};

const FEATURES: &str = "features shop.yaml shop.jsonl.gz --corpus corpus --databases db -o shop.features";

/// Returns a corpus with the tasks of `shop.yaml`, two commits and an issue of another release.
fn corpus() -> Corpus {
    let corpus = Corpus::new();
    let gold = |file: &str, symbol: &str| json!({"file": file, "symbol": symbol});
    let commits = [
        json!({"id": "c1", "date": "2025-01-01", "task": "refuse negative amounts of charges",
               "ground_truth": [gold("shop/payment.py", "charge"), gold("shop/absent.py", "charge")]}),
        json!({"id": "c2", "task": "total of a cart", "ground_truth": [gold("shop/cart.py", "Cart.total")]}),
    ];
    let lines = commits.map(|commit| commit.to_string()).join("\n");
    let mut packed = GzEncoder::new(File::create(corpus.path("shop.jsonl.gz")).unwrap(), Compression::fast());
    packed.write_all(lines.as_bytes()).unwrap();
    packed.finish().unwrap();
    let issue = json!({"id": "i1", "repo": "till", "release": "1.0", "task": "the cart can't be charged",
                       "ground_truth": [gold("shop/cart.py", "Cart.__init__")]});
    corpus.write("issues.jsonl", &issue.to_string());
    copy_folder(&corpus.path("corpus/shop"), &corpus.path("corpus/till-1.0")).unwrap();
    corpus
}

fn read(corpus: &Corpus, name: &str) -> FeatureFile {
    FeatureFile::read(File::open(corpus.path(name)).unwrap()).unwrap()
}

#[test]
fn features_have_values_and_labels() {
    let corpus = corpus();
    let output = corpus.eval(FEATURES);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("7 tasks, "), "{}", stderr(&output));
    let FeatureFile { features, samples } = read(&corpus, "shop.features");
    assert!(["lexical", "body", "test"].iter().all(|name| features.contains(&(*name).to_owned())), "{features:?}");
    assert!(["feedback", "location"].iter().all(|name| !features.contains(&(*name).to_owned())), "{features:?}");
    // Without feedback and locations nothing is fixed; the base is that of the model which is replaced.
    assert!(samples.iter().flat_map(|sample| &sample.fixed).all(|fixed| *fixed == 0.0));

    let commit = samples.iter().find(|sample| sample.id == "c1").unwrap();
    assert_eq!((commit.set, commit.intent, commit.gold), (DataSet::Commits, Intent::Locate, 2));
    assert_eq!(commit.language.as_deref(), Some("python"));
    let &[(charge, 0)] = &commit.strict[..] else { panic!("{:?}", commit.strict) };
    let better = commit.scores.iter().filter(|score| **score > commit.scores[charge]).count();
    assert!(better < 5 && commit.candidates > 20, "rank {better} of {}", commit.candidates);
    let lexical = features.iter().position(|name| name == "lexical").unwrap();
    assert!(commit.column(lexical)[charge] > 0.5);

    let explore = samples.iter().find(|sample| sample.id == "shop-2").unwrap();
    assert_eq!((explore.set, explore.intent, explore.gold), (DataSet::Development, Intent::Explore, 3));
    assert!(explore.dotted.len() > explore.strict.len(), "a class matches its members");

    let issues = corpus.eval("features issues.jsonl --corpus corpus --databases db -o issues.features");
    assert_eq!(code(&issues), 0, "{}", stderr(&issues));
    let issue = &read(&corpus, "issues.features").samples[0];
    assert_eq!((issue.repository.as_str(), issue.project.as_str()), ("till-1.0", "till"));
    assert!(issue.strict.len() == 2 && issue.gold_files[0].is_some(), "class and constructor: {:?}", issue.strict);
    let functions: Vec<_> = issue.strict.iter().map(|(candidate, _)| issue.functions[*candidate]).collect();
    assert!(functions[0].is_some() && functions[0] == functions[1]);
}

#[test]
fn unusable_training_tasks_are_refused() {
    let corpus = corpus();
    corpus.write("broken.jsonl", "{}");
    corpus.write("absent.jsonl", &fs::read_to_string(corpus.path("issues.jsonl")).unwrap().replace("1.0", "2.0"));
    for (arguments, status, message) in [
        ("features shop.yaml", 2, "--output"),
        ("features absent.yaml -o x", 2, "can't read absent.yaml"),
        ("features broken.jsonl -o x", 2, "line 1"),
        ("features shop.yaml shop.yaml --corpus corpus -o x", 2, "another file has the task `shop-1` too"),
        ("features absent.jsonl --corpus corpus --databases db -o x", 3, "till-2.0"),
        ("features shop.yaml --corpus corpus --databases db -o absent/x", 3, "can't write absent/x"),
    ] {
        let output = corpus.eval(arguments);
        assert_eq!(code(&output), status, "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments}: {}", stderr(&output));
    }
    assert!(!corpus.path("x").exists());
}

#[test]
fn model_is_fitted_to_features() {
    let corpus = corpus();
    for arguments in [FEATURES, "features issues.jsonl --corpus corpus --databases db -o issues.features"] {
        let output = corpus.eval(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let report = corpus.stdout_of("fit shop.features issues.features -o one.toml --leave-one-out --learning-curve");
    for heading in ["commits", "issues", "locate", "explore", "repositories"] {
        assert!(report.lines().any(|line| line.trim_start().starts_with(heading)), "{heading} is missing:\n{report}");
    }
    let project = report.lines().find(|line| line.starts_with("shop ")).unwrap();
    assert!(project.contains(" -> ") && project.contains('['), "{report}");
    let text = fs::read_to_string(corpus.path("one.toml")).unwrap();
    let model = RankingModel::parse(&text).unwrap();
    assert!(model.locate.features.contains_key("lexical") && text.starts_with("# The ranking model"), "{text}");

    corpus.stdout_of("fit issues.features shop.features -o two.toml");
    assert_eq!(fs::read_to_string(corpus.path("two.toml")).unwrap(), text, "the order of the files does not matter");
    let experiment = "--only-report --folds 2 --prior 1 20 --explore-prior 5 100 --without lexical,body";
    assert!(corpus.stdout_of(&format!("fit shop.features issues.features {experiment}")).contains("2 folds"));
    corpus.stdout_of("fit shop.features issues.features --without lexical,body -o three.toml");
    let without = RankingModel::parse(&fs::read_to_string(corpus.path("three.toml")).unwrap()).unwrap();
    assert!(!without.locate.features.contains_key("lexical") && !without.explore.features.contains_key("body"));
}

#[cfg(unix)]
#[test]
fn devices_are_written_and_not_replaced() {
    let corpus = corpus();
    // A link, so that a failure of this test costs the machine nothing.
    std::os::unix::fs::symlink("/dev/null", corpus.path("null")).unwrap();
    let output = corpus.eval(&FEATURES.replace("shop.features", "null"));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(fs::read_link(corpus.path("null")).unwrap(), Path::new("/dev/null"));
    assert_eq!(code(&corpus.eval(FEATURES)), 0);
    corpus.stdout_of("fit shop.features -o null");
    assert_eq!(fs::read_link(corpus.path("null")).unwrap(), Path::new("/dev/null"));
}

#[test]
fn unusable_features_are_refused() {
    let corpus = corpus();
    assert_eq!(code(&corpus.eval(FEATURES)), 0);
    for (arguments, message) in [
        ("fit shop.features", "--output"),
        ("fit absent -o x", "can't read absent"),
        ("fit shop.yaml -o x", "shop.yaml is not a file of feature values"),
        ("fit shop.features shop.features -o x", "is in the files more than once"),
        ("fit shop.features --without nonsense -o x", "no feature `nonsense`; there are "),
        ("fit shop.features -o x --only-report", "cannot be used with"),
        ("fit shop.features -o x --prior 1 0", "positive number"),
    ] {
        let output = corpus.eval(arguments);
        assert_eq!(code(&output), 2, "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments}: {}", stderr(&output));
    }
    assert!(!corpus.path("x").exists());
}
