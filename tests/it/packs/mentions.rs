//! Mentions of code in traces, files, tags and commands, as features of the symbols.

use std::path::Path;

use knowing_analysis::model::{Intent, Options, Task};
use knowing_retrieval::engine::Ranker;

/// Writes a repository with packages that share names of files and functions.
fn write(root: &Path) {
    for (path, text) in [
        ("shop/__init__.py", ""),
        (
            "shop/cart.py",
            "class Cart:\n    def pick(self):\n        return find(1)\n\n\ndef find(key):\n    return key\n",
        ),
        (
            "shop/ledger.py",
            "def find(key):\n    return book(key)\n\n\ndef book(key):\n    raise KeyError(key)\n\n\ndef lend(key):\n    return find(key)\n",
        ),
        ("shop/cli/routes.py", "def routes_command():\n    return 1\n\n\ndef helper():\n    return 2\n"),
        (
            "bank/till.py",
            "def open_till(number):\n    raise OSError(\"cannot unlock drawer %s of this register while no clerk is near\" % number)\n\n\ndef help():\n    return \"drawers are what you unlock if a register asks for it\"\n",
        ),
        ("bank/cart.py", "def close():\n    return 3\n"),
    ] {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    }
}

/// Returns the value of a feature of the symbol with this end of its qualified name; `None` if it is not a candidate.
fn value(ranker: &Ranker, task: &str, symbol: &str, feature: &str) -> Option<f64> {
    let options = Options { every_feature: true, ..Options::default() };
    let ranking = ranker.rank(&Task { options, ..Task::from_text(task) }, &|| false).unwrap().unwrap();
    let found = ranking.symbols.iter().find(|ranked| {
        let known = ranker.reader().symbol(ranked.node).unwrap().unwrap();
        known.qualified_name.ends_with(symbol)
    })?;
    Some(found.components.iter().find(|component| component.name == feature).map_or(0.0, |component| component.value))
}

#[test]
fn candidates_of_one_task_are_those_of_its_options() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let mut engine = crate::cli::open(folder.path());
    engine.index(false, None, &|_| {}).unwrap();
    let kept = engine.ranker().unwrap();
    let task = "cannot unlock drawer 7 of this register while no clerk is near";
    for (intent, every_feature) in [
        (Intent::Locate, false),
        (Intent::Explore, false),
        (Intent::Explore, true),
        (Intent::Locate, true),
        (Intent::Locate, false),
    ] {
        let options = Options { intent: Some(intent), every_feature, ..Options::default() };
        let task = Task { options, ..Task::from_text(task) };
        let symbols = |ranker: &Ranker| {
            let ranking = ranker.rank(&task, &|| false).unwrap().unwrap();
            ranking.symbols.iter().map(|ranked| (ranked.node, ranked.components.clone())).collect::<Vec<_>>()
        };
        assert_eq!(symbols(&kept), symbols(&engine.ranker().unwrap()), "{intent:?} {every_feature}");
    }
}

#[test]
fn what_prints_a_message_of_the_task_is_known() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let mut engine = crate::cli::open(folder.path());
    engine.index(false, None, &|_| {}).unwrap();
    let ranker = engine.ranker().unwrap();
    let of = |task: &str, symbol: &str| value(&ranker, task, symbol, "printed").unwrap_or_default();
    for task in [
        "Carts fail\n```\nOSError: cannot unlock drawer 7 of this register while no clerk is near\n```",
        "Carts fail\n```\n2026-11-23 ERROR cannot unlock drawer 7 of this register while no clerk is near\n```",
        "The shop says \"cannot unlock drawer 7 of this register while no clerk is near\" for all carts",
        "fix: cannot unlock drawer 7 of this register while no clerk is near",
    ] {
        assert!(of(task, "open_till") > 0.2 && of(task, "till.py.help") == 0.0, "{task}");
    }
    for task in ["Why do I unlock a drawer of this register?", "unlock the drawer of a register", "OSError: drawer 7"] {
        assert_eq!(of(task, "open_till"), 0.0, "{task}");
    }
    std::fs::write(folder.path().join("bank/till.py"), "pass\n").unwrap();
    let task = "OSError: cannot unlock drawer 7 of this register while no clerk is near";
    assert_eq!(of(task, "open_till"), 0.0, "the source is another one than the indexed");
}

#[test]
fn mentions_are_features_of_symbols() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let mut engine = crate::cli::open(folder.path());
    engine.index(false, None, &|_| {}).unwrap();
    let ranker = engine.ranker().unwrap();
    // The lines are those of another version.
    let trace = "It fails\nTraceback (most recent call last):\n  File \"/x/site-packages/shop/cart.py\", line 30, in pick\n    \
                 find(1)\n  File \"/x/site-packages/shop/ledger.py\", line 90, in find\n    book(key)\n  \
                 File \"/usr/lib/python3.12/json/decoder.py\", line 3, in decode\nKeyError: 1";
    for (task, symbol, feature, expected) in [
        (trace, "shop/ledger.py.find", "frame", 1.0),
        (trace, "shop/cart.py.Cart.pick", "frame", 0.5),
        (trace, "shop/cart.py.find", "frame", 0.0),
        ("something in shop/cart.py is wrong", "shop/cart.py.find", "path_mention", 1.0),
        ("something in cart.py is wrong", "bank/cart.py.close", "path_mention", 0.5),
        ("[Ledger] something is wrong", "shop/ledger.py.book", "tag", 1.0),
        ("`shop routes --all` is wrong", "routes_command", "command", 1.0),
        ("Cart.pick is wrong", "shop/cart.py.Cart.pick", "dotted", 1.0),
        ("ledger.find is wrong", "shop/ledger.py.find", "dotted", 0.7),
        ("fix(ledger): refuse wrong keys", "shop/ledger.py.book", "area", 1.0),
        ("cli: refuse wrong keys", "shop/cli/routes.py.helper", "area", 0.9),
        ("`Cart` is wrong", "shop/cart.py.Cart.pick", "container_named", 1.0),
    ] {
        let found = value(&ranker, task, symbol, feature);
        assert_eq!(found, Some(expected), "{feature} of {symbol} for {task}");
    }
    let all = |feature| value(&ranker, trace, "shop/ledger.py.find", feature).unwrap();
    assert!(all("frame_rare") > 0.0 && all("frame_rare") < all("frame"));
}
