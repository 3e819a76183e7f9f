//! Packs through the built program.

use std::io::Write;
use std::process::{Output, Stdio};

use knowing::render::gcb;

use crate::cli::{Shop, code, program, stderr, stdout};

const TASK: [&str; 5] = ["context", "--task", "sessions expire too early", "--budget", "4000"];

fn ask(shop: &Shop, more: &[&str]) -> Output {
    let output = shop.run(&[&TASK[..], more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    output
}

/// The pack root in the first line of a GCF answer.
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
fn a_client_is_told_only_what_changed() {
    let shop = Shop::new();
    let first = stdout(&ask(&shop, &[]));
    let again = stdout(&ask(&shop, &["--pack-root", &root(&first)]));
    assert!(again.contains("unchanged=true") && again.lines().count() == 1, "{again}");

    edit(&shop, "def is_expired(self)", "def is_expired(self, grace: float = 0.0)");
    let after = stdout(&ask(&shop, &["--pack-root", &root(&first)]));
    assert!(after.contains("delta=true") && after.contains("grace: float"), "{after}");
    assert!(after.contains(&root(&first)), "the base is named: {after}");
    assert!(!after.contains("remove_expired"), "what stayed is not repeated: {after}");
    assert!(root(&after).starts_with("sha256:"));

    let unknown = format!("sha256:{}", "0".repeat(64));
    let whole = stdout(&ask(&shop, &["--pack-root", &unknown]));
    assert!(!whole.contains("delta=true") && whole.contains("remove_expired"), "{whole}");
}

#[test]
fn without_learning_no_pack_is_remembered() {
    let shop = Shop::new();
    let first = stdout(&ask(&shop, &["--no-learn"]));
    edit(&shop, "def is_expired(self)", "def is_expired(self, grace: float = 0.0)");
    let after = stdout(&ask(&shop, &["--no-learn", "--pack-root", &root(&first)]));
    assert!(!after.contains("delta=true"), "{after}");
    let again = stdout(&ask(&shop, &["--no-learn", "--pack-root", &root(&after)]));
    assert!(again.contains("unchanged=true"), "an equal root needs no memory: {again}");
}

#[test]
fn binary_goes_to_files_and_pipes() {
    let shop = Shop::new();
    let text = stdout(&ask(&shop, &["--format", "gcf"]));
    let piped = ask(&shop, &["--format", "gcb"]).stdout;
    assert_eq!(gcb::decode(&piped).unwrap().text(), text);
    let written = ask(&shop, &["--format", "gcb", "--output", "pack.gcb"]);
    assert_eq!(stdout(&written), "");
    assert_eq!(std::fs::read(shop.root().join("pack.gcb")).unwrap(), piped);

    let refused = shop.run(&[&TASK[..], &["--output", "no/such/folder/pack"]].concat());
    assert_eq!(code(&refused), 3);
    assert!(stderr(&refused).contains("no/such/folder/pack can't be written"), "{}", stderr(&refused));
}

#[test]
fn a_task_may_come_through_a_pipe() {
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
fn a_body_that_is_not_the_indexed_one_is_missed_aloud() {
    let shop = Shop::new();
    ask(&shop, &["--bodies"]);
    edit(&shop, "def is_expired(self)", "def has_expired(self)");
    std::fs::remove_file(shop.root().join("shop/cart.py")).unwrap();
    // While somebody else indexes, what is there still answers.
    let lock = std::fs::File::options().write(true).open(shop.root().join(".knowing/graph.db-lock")).unwrap();
    lock.lock().unwrap();
    let output = shop.run(&["context", "--task", "session cart checkout", "--bodies"]);
    let (text, said) = (stdout(&output), stderr(&output));
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.contains("the index may be out of date"), "{said}");
    assert_eq!(said.matches("shop/session.py has changed since it was indexed").count(), 1, "{said}");
    assert_eq!(said.matches("shop/cart.py was deleted or moved").count(), 1, "{said}");
    assert!(!text.contains("has_expired") && text.contains("# | "), "other bodies are there: {text}");
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_no_binary() {
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
    // A terminal whose other end is closed ends in an error on Linux, after everything was read.
    let _end = reader.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("--output FILE") && !text.contains("GCB\u{1}"), "{text}");
}

#[test]
fn a_task_of_verbs_alone_is_about_them() {
    let shop = Shop::new();
    // Nothing in the shop bears these words but the verb.
    let output = shop.run(&["context", "--task", "add up numbers", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("add_item"), "{}", stdout(&output));
    // A word that begins a name is found.
    edit(&shop, "def remove_expired", "def deduplicate(self) -> None:\n        pass\n\n    def remove_expired");
    let short = shop.run(&["debug", "--task", "add dedup", "--format", "json", "keywords"]);
    assert!(!stdout(&short).contains("\"add\""), "{}", stdout(&short));
    // Where another word is found, the verb says what to do, not where.
    let words = shop.run(&["debug", "--task", "add a receipt", "--format", "json", "keywords"]);
    assert!(stdout(&words).contains("receipt") && !stdout(&words).contains("\"add\""), "{}", stdout(&words));
}
