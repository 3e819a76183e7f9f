//! Pipes and bombs in a checkout and in its git repository: commands end, and say why they refuse.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::write;

/// Long enough for a busy machine; only a command that blocks takes so long.
const TIMEOUT: Duration = Duration::from_secs(120);

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(root).args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"]).args(arguments);
    assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success(), "{arguments:?}");
}

/// Makes a pipe.
pub fn pipe(path: &Path) {
    // A socket would not block, so it would prove nothing here.
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program. A command that blocks is ended, and the test fails.
pub fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knowing"));
    command.current_dir(root).args(arguments).env("KNOWING_CACHE", "off").env("XDG_DATA_HOME", root.join("data"));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > TIMEOUT {
            child.kill().unwrap();
            panic!("{arguments:?} blocks");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn repository(root: &Path) {
    git(root, &["init", "-q", "-b", "main"]);
    write(root, "a.py", b"def bake():\n    return 1\n");
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "first"]);
    write(root, "a.py", b"def bake():\n    return 2\n");
}

#[test]
fn pipes_in_a_checkout_do_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    repository(root);
    std::fs::create_dir_all(root.join(".github")).unwrap();
    for path in [
        ".gitignore",
        ".gitattributes",
        ".github/CODEOWNERS",
        "CODEOWNERS",
        "go.mod",
        "Cargo.toml",
        "package.json",
        "tsconfig.json",
        "pyproject.toml",
        "b.py",
        ".knowing.toml",
    ] {
        pipe(&root.join(path));
    }
    std::fs::create_dir_all(root.join("inner")).unwrap();
    pipe(&root.join("inner/.gitignore"));
    for arguments in [
        &["index"][..],
        &["context", "--pr", "main"],
        &["context", "--pr", "HEAD"],
        &["context", "--task", "bake"],
        &["fsck"],
    ] {
        let output = run(root, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let packed = String::from_utf8(run(root, &["context", "--pr", "main"]).stdout).unwrap();
    assert!(packed.contains("bake"), "{packed}");
}

#[test]
fn pipes_in_git_are_refused() {
    for path in ["refs/heads/main", "refs/tags/pipe", "objects/pack/pack-1.pack", "objects/zz", "config", "index"] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        repository(root);
        let path = root.join(".git").join(path);
        // It may not exist.
        let _missing = std::fs::remove_file(&path);
        pipe(&path);
        assert!(matches!(run(root, &["index"]).status.code(), Some(0)), "{}", path.display());
        let output = run(root, &["context", "--pr", "main"]);
        assert_eq!(output.status.code(), Some(3), "{}", path.display());
    }
}

/// Ten levels of ten entries each, all the same tree.
#[test]
fn a_tree_bomb_does_not_hold_up_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    repository(root);
    let output = |arguments: &[&str], input: &str| {
        let mut command = Command::new("git");
        let mut child =
            command.current_dir(root).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
    };
    let blob = output(&["hash-object", "-w", "--stdin"], "def bomb(): pass\n");
    let mut tree = output(&["mktree"], &format!("100644 blob {blob}\ta.py\n"));
    for _ in 0..10 {
        let entries: String = (0..10).map(|name| format!("040000 tree {tree}\td{name}\n")).collect();
        tree = output(&["mktree"], &format!("100644 blob {blob}\ta.py\n{entries}"));
    }
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"];
    let commit = output(&[&who[..], &["commit-tree", "-m", "bomb", &tree]].concat(), "");
    git(root, &["update-ref", "refs/heads/bomb", &commit]);
    let answered = run(root, &["context", "--pr", "bomb"]);
    assert_eq!(answered.status.code(), Some(0), "{}", String::from_utf8_lossy(&answered.stderr));
    assert!(String::from_utf8_lossy(&answered.stdout).contains("bake"));
}
