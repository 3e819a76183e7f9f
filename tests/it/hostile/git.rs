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
    command.current_dir(root).args(arguments).env("KNOWING_CACHE", "off");
    command.env_remove("KNOWING_HOME").env("XDG_DATA_HOME", crate::cli::data_home(root));
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
        &["status", "--verify"],
    ] {
        let output = run(root, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let packed = String::from_utf8(run(root, &["context", "--pr", "main"]).stdout).unwrap();
    assert!(packed.contains("bake"), "{packed}");
}

/// Checks that indexing ends without the history, and a comparison with the name of the pipe.
fn is_refused(root: &Path, path: &Path) {
    assert_eq!(run(root, &["index"]).status.code(), Some(0), "{}", path.display());
    let output = run(root, &["context", "--pr", "main"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{}: {message}", path.display());
    let name = path.file_name().unwrap().to_str().unwrap();
    let is_named = message.contains(name) && message.contains("would block");
    assert!(is_named || message.contains("not in a git repository"), "{}: {message}", path.display());
}

#[test]
fn pipes_in_git_are_refused() {
    for path in [
        "HEAD",
        "COMMIT_EDITMSG",
        "commondir",
        "config",
        "config.worktree",
        "index",
        "logs/HEAD",
        "objects/info/alternates",
        "objects/info/commit-graph",
        "objects/info/commit-graphs/commit-graph-chain",
        "objects/pack/multi-pack-index",
        "objects/pack/pack-1.idx",
        "objects/pack/pack-1.pack",
        "objects/zz",
        "packed-refs",
        "refs/heads/main",
        "refs/tags/pipe",
        "reftable/tables.list",
        "shallow",
        "sharedindex.0123",
        "worktrees/inner/index",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        repository(root);
        git(root, &["config", "extensions.worktreeConfig", "true"]);
        let path = root.join(".git").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        // It may not exist.
        let _missing = std::fs::remove_file(&path);
        pipe(&path);
        is_refused(root, &path);
    }
}

#[test]
fn pipes_behind_links_and_in_borrowed_folders_are_refused() {
    let others = tempfile::tempdir().unwrap();
    let (near, far) = (others.path().join("near"), others.path().join("far"));
    for folder in ["near/info", "near/pack", "far/pack", "linked"] {
        std::fs::create_dir_all(others.path().join(folder)).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    repository(root);
    let alternates = root.join(".git/objects/info/alternates");
    std::fs::write(&alternates, format!("# borrowed\n{}\n", near.display())).unwrap();
    std::fs::write(near.join("info/alternates"), format!("\"{}\"\n../near\n", far.display())).unwrap();
    run(root, &["index"]);
    assert_eq!(run(root, &["context", "--pr", "main"]).status.code(), Some(0), "alternates in a circle");
    std::fs::write(near.join("info/alternates"), format!("\"{}\"\n", far.display())).unwrap();
    assert_eq!(run(root, &["context", "--pr", "main"]).status.code(), Some(0));
    for path in ["near/pack/pack-1.idx", "far/pack/pack-1.idx", "near/info/commit-graph"] {
        let path = others.path().join(path);
        pipe(&path);
        is_refused(root, &path);
        std::fs::remove_file(&path).unwrap();
    }
    pipe(&others.path().join("linked/pack-1.idx"));
    std::os::unix::fs::symlink(others.path().join("linked"), root.join(".git/objects/pack/inner")).unwrap();
    is_refused(root, Path::new("pack-1.idx"));
    std::fs::remove_file(root.join(".git/objects/pack/inner")).unwrap();
    std::os::unix::fs::symlink("..", root.join(".git/objects/pack/inner")).unwrap();
    assert_eq!(run(root, &["context", "--pr", "main"]).status.code(), Some(0), "links in a circle");
    let _device = std::fs::remove_file(root.join(".git/packed-refs"));
    std::os::unix::fs::symlink("/dev/zero", root.join(".git/packed-refs")).unwrap();
    is_refused(root, Path::new("packed-refs"));
}

/// The targets of includes are not opened at all, so a pipe is not a reason to do without the repository.
#[test]
fn includes_of_a_configuration_are_not_followed() {
    for section in ["[include]", "[includeIf \"gitdir:**\"]", "[includeIf \"onbranch:main\"]"] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        repository(root);
        let target = folder.path().join("target");
        pipe(&target);
        let config = root.join(".git/config");
        let text = std::fs::read_to_string(&config).unwrap();
        std::fs::write(&config, format!("{text}{section}\npath = {}\n", target.display())).unwrap();
        assert_eq!(run(root, &["index"]).status.code(), Some(0), "{section}");
        let output = run(root, &["context", "--pr", "main"]);
        assert_eq!(output.status.code(), Some(0), "{section}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("bake"));
    }
}

/// A repository names programs: a monitor of the file system, filters, converters of text, hooks.
#[test]
fn nothing_that_a_configuration_names_is_executed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    repository(root);
    let witness = root.join(".git/executed");
    let program = root.join(".git/program");
    std::fs::write(&program, format!("#!/bin/sh\ntouch {}\n", witness.display())).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let text = std::fs::read_to_string(root.join(".git/config")).unwrap();
    let named = format!(
        "[core]\nfsmonitor = {0}\nhooksPath = {1}\nalternateRefsCommand = {0}\n\
         [filter \"x\"]\nclean = {0}\nsmudge = {0}\nprocess = {0}\nrequired = true\n\
         [diff \"x\"]\ntextconv = {0}\ncommand = {0}\n[gpg]\nprogram = {0}\n",
        program.display(),
        root.join(".git").display()
    );
    std::fs::write(root.join(".git/config"), text + &named).unwrap();
    write(root, ".gitattributes", b"* filter=x diff=x merge=x\n");
    for name in ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"] {
        std::fs::copy(&program, root.join(".git").join(name)).unwrap();
    }
    for arguments in
        [&["index"][..], &["context", "--pr", "main"], &["context", "--task", "bake"], &["tests", "--diff", "main"]]
    {
        let output = run(root, arguments);
        assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {output:?}");
    }
    assert!(!witness.exists());
    let mut command = Command::new("git");
    command.current_dir(root).arg("status").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _fails = command.status().unwrap();
    assert!(witness.exists(), "git itself runs the program");
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
