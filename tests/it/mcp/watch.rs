//! `knowing index watch`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::cli::{Shop, program};

#[test]
fn an_edit_updates_the_index_and_an_interrupt_ends_with_0() {
    let shop = Shop::new();
    let mut child = program(&shop.root(), &["index", "watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("watching "));
    fs::write(shop.root().join("shop/extra.py"), "def extra():\n    return 1\n").unwrap();
    let line = lines.next().unwrap().unwrap();
    assert!(line.contains("1 file (shop/extra.py) in "), "{line}");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
