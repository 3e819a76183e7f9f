//! Output about a hostile repository contains no terminal control characters.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use knowing_analysis::text::display::is_unsafe;

use super::write;

const ESCAPE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{200f}\u{e0041}";

fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knowing"));
    command
        .current_dir(root)
        .args(arguments)
        .env("KNOWING_CACHE", "off")
        .env("XDG_DATA_HOME", crate::cli::data_home(root))
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[track_caller]
fn assert_harmless(arguments: &[&str], output: &Output) {
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = std::str::from_utf8(bytes).unwrap();
        let unsafe_at = text.char_indices().find(|(_, letter)| is_unsafe(*letter) && *letter != '\n');
        if let Some((offset, letter)) = unsafe_at {
            let line = text[..offset].lines().count();
            panic!(
                "{arguments:?}: {letter:?} on {stream}, line {line}: {:?}",
                text.lines().nth(line.saturating_sub(1))
            );
        }
    }
}

/// Writes a repository with control characters in everything that is shown.
fn hostile(root: &Path) {
    let name = format!("bread {ESCAPE}\n.py");
    let python = format!(
        "\"\"\"Bread {ESCAPE}.\"\"\"\nimport os\ndef bake(x='{ESCAPE}'):\n    \"\"\"Bakes bread {ESCAPE}\"\"\"\n    # {ESCAPE}\n    \
         return os.environ['{ESCAPE}']\n@app.route('/bread/{ESCAPE}')\ndef show(): return bake()\n"
    );
    write(root, &name, python.as_bytes());
    write(
        root,
        &format!("{ESCAPE}/bread.go"),
        format!("package bread\n// Bake {ESCAPE}\nfunc Bake() {{}}\n").as_bytes(),
    );
    write(root, &format!("{ESCAPE}/binary.go"), b"\0");
    write(root, "web/bread.ts", format!("export const bread = `{ESCAPE}`; require('{ESCAPE}').bake();\n").as_bytes());
    write(root, "CODEOWNERS", format!("* @owner{ESCAPE}\n").as_bytes());
    write(root, "go.mod", format!("module a{ESCAPE}\n").as_bytes());
    write(root, "package.json", format!("{{\"name\": \"a{ESCAPE}\"}}").as_bytes());
}

#[test]
fn no_command_prints_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let root = &folder.path().join(format!("shop{ESCAPE}"));
    hostile(root);
    let task = ["--task", "bake bread", "--bodies", "--format"];
    let mut calls: Vec<Vec<&str>> = ["gcf", "json", "markdown", "xml"]
        .iter()
        .map(|format| [&["context"][..], &task[..], &[format]].concat())
        .collect();
    let others: &[&[&str]] = &[
        &["index"],
        &["index", "--force", "--format", "json"],
        &["status"],
        &["status", "--format", "json"],
        &["status", "--skips"],
        &["status", "--skips", "--format", "json"],
        &["query", "bake"],
        &["query", "bake", "--format", "json"],
        &["query", "bread"],
        &["query", "--nodes"],
        &["query", "--edges"],
        &["status", "--verify"],
        &["status", "--verify", "--format", "json"],
    ];
    calls.extend(others.iter().map(|call| call.to_vec()));
    for call in &calls {
        let output = run(root, call);
        assert!(matches!(output.status.code(), Some(0)), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_harmless(call, &output);
    }
}

#[test]
fn arguments_are_printed_without_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    hostile(root);
    let calls: &[&[&str]] = &[
        &["query", ESCAPE],
        &["context", "--task", ESCAPE],
        &["context", "--files", ESCAPE],
        &["context", "--pr", ESCAPE],
        &["--repo", ESCAPE, "status"],
        &["--db", ESCAPE, "status", "--verify"],
        &["index", ESCAPE],
        &["context", "--format", ESCAPE],
        &[ESCAPE],
    ];
    for call in calls {
        let output = run(root, call);
        assert!(matches!(output.status.code(), Some(0..=3)), "{call:?}");
        assert_harmless(call, &output);
    }
}
