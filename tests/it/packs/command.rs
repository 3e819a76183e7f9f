//! Tests of packs through the built program.

use std::io::Write;
use std::process::{Output, Stdio};

use knowing_retrieval::render::gcb;

use crate::cli::{Shop, code, program, stderr, stdout};

const TASK: [&str; 5] = ["context", "--task", "sessions expire too early", "--budget", "4000"];

fn ask(shop: &Shop, more: &[&str]) -> Output {
    let output = shop.run(&[&TASK[..], more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    output
}

/// Returns the pack root in the first line of a GCF answer.
fn root(text: &str) -> String {
    let head = text.lines().next().unwrap();
    let word = head.split(' ').find_map(|word| word.strip_prefix("pack_root=").or(word.strip_prefix("new_root=")));
    word.unwrap().to_owned()
}

fn edit(shop: &Shop, from: &str, to: &str) {
    let path = shop.root().join("shop/session.py");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from));
    std::fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn known_pack_root_gives_unchanged_or_a_delta() {
    let shop = Shop::new();
    let first = stdout(&ask(&shop, &[]));
    let again = stdout(&ask(&shop, &["--pack-root", &root(&first)]));
    assert!(again.contains("unchanged=true") && again.lines().count() == 1, "{again}");

    edit(&shop, "def is_expired(self)", "def is_expired(self, grace: float = 0.0)");
    let after = stdout(&ask(&shop, &["--pack-root", &root(&first)]));
    assert!(after.contains("delta=true") && after.contains("grace: float"), "{after}");
    assert!(after.contains(&root(&first)), "the base root is missing: {after}");
    assert!(!after.contains("remove_expired"), "an unchanged symbol is repeated: {after}");
    assert!(root(&after).starts_with("sha256:"));

    let unknown = format!("sha256:{}", "0".repeat(64));
    let whole = stdout(&ask(&shop, &["--pack-root", &unknown]));
    assert!(!whole.contains("delta=true") && whole.contains("remove_expired"), "{whole}");
}

#[test]
fn no_learn_stores_no_pack() {
    let shop = Shop::new();
    let first = stdout(&ask(&shop, &["--no-learn"]));
    edit(&shop, "def is_expired(self)", "def is_expired(self, grace: float = 0.0)");
    let after = stdout(&ask(&shop, &["--no-learn", "--pack-root", &root(&first)]));
    assert!(!after.contains("delta=true"), "{after}");
    let again = stdout(&ask(&shop, &["--no-learn", "--pack-root", &root(&after)]));
    assert!(again.contains("unchanged=true"), "an equal root needs no stored pack: {again}");
}

#[test]
fn binary_is_written_to_files_and_pipes() {
    let shop = Shop::new();
    let text = stdout(&ask(&shop, &["--format", "gcf"]));
    let piped = ask(&shop, &["--format", "gcb"]).stdout;
    assert_eq!(gcb::decode(&piped).unwrap().text(), text);
    let written = ask(&shop, &["--format", "gcb", "--output", "pack.gcb"]);
    assert_eq!(stdout(&written), "");
    assert_eq!(std::fs::read(shop.root().join("pack.gcb")).unwrap(), piped);

    let refused = shop.run(&[&TASK[..], &["--output", "no/such/folder/pack"]].concat());
    assert_eq!(code(&refused), 3);
    assert!(stderr(&refused).contains("can't write no/such/folder/pack"), "{}", stderr(&refused));
}

#[test]
fn task_is_read_from_standard_input() {
    let shop = Shop::new();
    let piped = |text: &[u8]| {
        let mut command = program(&shop.root(), &["context", "--no-learn", "--task", "-", "--budget", "4000"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text).unwrap();
        child.wait_with_output().unwrap()
    };
    assert_eq!(stdout(&piped(b"sessions expire too early\n")), stdout(&ask(&shop, &["--no-learn"])));
    assert_eq!(code(&piped(b"Session\0Store \xff\xfe\n")), 0);
    assert_eq!(code(&piped(b" \n")), 2);
}

#[test]
fn changed_and_deleted_bodies_are_reported() {
    let shop = Shop::new();
    ask(&shop, &["--bodies"]);
    edit(&shop, "def is_expired(self)", "def has_expired(self)");
    std::fs::remove_file(shop.root().join("shop/cart.py")).unwrap();
    // Holds the writer lock, so the index can't be updated.
    let lock = std::fs::File::options()
        .write(true)
        .open(crate::cli::database(&shop.root()).with_file_name("graph.db-lock"))
        .unwrap();
    lock.lock().unwrap();
    let output = shop.run(&["context", "--task", "session cart checkout", "--bodies"]);
    let (text, notes) = (stdout(&output), stderr(&output));
    assert_eq!(code(&output), 0, "{notes}");
    assert!(notes.contains("the index may be out of date"), "{notes}");
    assert_eq!(notes.matches("shop/session.py has changed since it was indexed").count(), 1, "{notes}");
    assert_eq!(notes.matches("shop/cart.py was deleted or moved").count(), 1, "{notes}");
    assert!(!text.contains("has_expired") && text.contains("# | "), "other bodies are missing: {text}");
}

#[cfg(unix)]
#[test]
fn binary_is_refused_on_a_terminal() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    let shop = Shop::new();
    let terminal = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_knowing"));
    command.args(TASK);
    command.args(["--format", "gcb"]);
    command.cwd(shop.root());
    let mut child = terminal.slave.spawn_command(command).unwrap();
    let mut reader = terminal.master.try_clone_reader().unwrap();
    assert_eq!(child.wait().unwrap().exit_code(), 2);
    drop(terminal.slave);
    let mut text = Vec::new();
    // On Linux, reading a terminal whose other end is closed fails after all data was read.
    let _end = reader.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("--output FILE") && !text.contains("GCB\u{1}"), "{text}");
}

#[test]
fn verbs_are_terms_only_without_other_terms() {
    let shop = Shop::new();
    // Only the verb matches a symbol.
    let output = shop.run(&["context", "--task", "add it all up", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("add_item"), "{}", stdout(&output));
    // A prefix of a name matches.
    edit(&shop, "def remove_expired", "def deduplicate(self) -> None:\n        pass\n\n    def remove_expired");
    let short = shop.run(&["why", "--stage", "keywords", "--task", "add dedup", "--format", "json"]);
    assert!(!stdout(&short).contains("\"add\""), "{}", stdout(&short));
    // With another matching term the verb is ignored.
    let words = shop.run(&["why", "--stage", "keywords", "--task", "add a receipt", "--format", "json"]);
    assert!(stdout(&words).contains("receipt") && !stdout(&words).contains("\"add\""), "{}", stdout(&words));
}

/// Makes a repository with a caller that has no word of `reject a negative price`.
fn market(folder: &std::path::Path) {
    let rules: String =
        (0..40).map(|number| format!("def price_rule_{number}(item):\n    return item\n\n\n")).collect();
    std::fs::write(folder.join("rules.py"), rules).unwrap();
    let price =
        "def reject_item(item):\n    \"\"\"Reject an item whose price is negative.\"\"\"\n    return int(item) < 0\n";
    std::fs::write(folder.join("price.py"), price).unwrap();
    let caller =
        "from price import reject_item as check\n\n\nclass Basket:\n    def refill(self):\n        return check('1')\n";
    std::fs::write(folder.join("basket.py"), caller).unwrap();
    for number in 0..20 {
        let other = format!("def draw_{number}(canvas):\n    return canvas.line({number})\n");
        std::fs::write(folder.join(format!("other{number}.py")), other).unwrap();
    }
}

#[test]
fn what_changes_with_the_first_places_is_listed_apart_with_the_edge() {
    let folder = tempfile::tempdir().unwrap();
    market(folder.path());
    let ask = |format: &str, budget: &str| {
        let task = ["context", "reject a negative price", "--format", format, "--budget", budget];
        let output = crate::cli::run_in(folder.path(), &task);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let text = ask("text", "8000");
    let (_, after) = text.split_once("also to change:\n").unwrap_or_else(|| panic!("{text}"));
    let line = after.lines().find(|line| line.contains("Basket.refill")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(line, "basket.py:5-6 method Basket.refill — caller of #1");
    assert!(after.find("refill") < after.find("return int(item) < 0"), "before the sources: {text}");
    let json: serde_json::Value = serde_json::from_str(&ask("json", "1500")).unwrap();
    let also = json["also"].as_array().unwrap();
    assert!(also.iter().any(|one| one["line"] == 5 && one["why"] == "caller of #1"), "{json}");
    assert!(json["tokens_used"].as_u64().unwrap() <= 1_500, "{json}");
    assert!(ask("markdown", "1500").contains("## Also to change\n"));
}

#[test]
fn a_task_that_adds_something_lists_where_its_siblings_are_registered() {
    let folder = tempfile::tempdir().unwrap();
    let shells = ["bash", "zsh", "fish", "elvish"];
    for shell in shells {
        let name = format!("{}{}", shell[..1].to_uppercase(), &shell[1..]);
        let text = format!("class {name}Completion:\n    def script(self):\n        return '{shell}'\n");
        std::fs::write(folder.path().join(format!("{shell}.py")), text).unwrap();
    }
    let table = "from bash import BashCompletion\nfrom fish import FishCompletion\nfrom zsh import ZshCompletion\n\n\
                 REGISTRY = {'bash': BashCompletion, 'fish': FishCompletion, 'zsh': ZshCompletion}\n";
    std::fs::write(folder.path().join("table.py"), table).unwrap();
    let ask = |task: &str| stdout(&crate::cli::run_in(folder.path(), &["context", task, "--format", "text"]));
    let text = ask("Add completion for nushell");
    assert!(text.contains("table.py:5 "), "{text}");
    assert!(text.contains("REGISTRY — names 3 of 4 siblings: "), "{text}");
    let text = ask("Fix the completion of zsh");
    assert!(!text.contains("siblings"), "nothing is added: {text}");
}
