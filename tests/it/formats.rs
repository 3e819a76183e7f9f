//! Git repositories in every format, and in every state that has files: what is tracked is indexed, and a comparison with
//! a base answers or says in one sentence why it can't. They are made by git 2.45 or later.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn git(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(root).args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"]);
    command.args(["-c", "protocol.file.allow=always"]).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn run(root: &Path, home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knowing"));
    command.current_dir(root).args(arguments).env("KNOWING_CACHE", "off").env("XDG_DATA_HOME", home.join("data"));
    command.env("HOME", home).env("XDG_CONFIG_HOME", home.join("config")).env_remove("GIT_CONFIG_GLOBAL");
    command.output().unwrap()
}

/// A repository and the home folder of its user.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// Makes a repository of two commits with an edit, in which a rule ignores every file that git tracks.
    fn new(options: &[&str]) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.root()).unwrap();
        fs::create_dir_all(place.home()).unwrap();
        place.git(&[&["init", "-q", "-b", "main"], options].concat());
        place.write("in/a.py", "def bake():\n    return 1\n");
        place.write("out/b.py", "def sell():\n    return 1\n");
        place.commit("First loaf");
        place.write("in/c.py", "def slice():\n    return bake()\n");
        place.commit("Second loaf");
        place.write("in/a.py", "def bake():\n    return 2\n");
        place.write(".gitignore", "*.py\n");
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("root")
    }

    fn home(&self) -> std::path::PathBuf {
        self.folder.path().join("home")
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.root(), path, text);
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "-f", "."]);
        self.git(&["commit", "-q", "-m", subject]);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(&self.root(), &self.home(), arguments)
    }

    /// Indexes, and returns the indexed files that have a symbol each.
    fn files(&self) -> Vec<String> {
        files(&self.root(), &self.home())
    }

    /// Compares with a base that can't be compared with: returns the sentence.
    fn refusal(&self, base: &str) -> String {
        let output = self.run(&["context", "--pr", base, "--format", "lines"]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

fn files(root: &Path, home: &Path) -> Vec<String> {
    let output = run(root, home, &["index"]);
    assert!(output.status.success(), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!errors.contains("git history"), "{errors}");
    let exported = run(root, home, &["query", "--nodes"]);
    assert!(exported.status.success(), "{exported:?}");
    let exported = String::from_utf8(exported.stdout).unwrap();
    let all = ["in/a.py", "in/c.py", "out/b.py", "local.py", "wt/in/a.py"];
    all.iter().filter(|path| exported.contains(&format!("\"{path}\""))).map(|path| (*path).to_owned()).collect()
}

/// Checks that a place answers with the edited function, and has the history of the other.
fn answers(root: &Path, home: &Path) {
    for base in ["HEAD", "main", "HEAD~1", "@", "main^"] {
        let output = run(root, home, &["context", "--pr", base, "--format", "lines"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{base}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("bake"), "{base}: {text}");
        assert!(!base.ends_with(['1', '^']) || text.contains("slice"), "{base}: {text}");
    }
    let output = run(root, home, &["context", "--pr", "nowhere"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn every_format_is_read() {
    let formats: [&[&str]; 4] = [
        &[],
        &["--object-format=sha256"],
        &["--ref-format=reftable"],
        &["--object-format=sha256", "--ref-format=reftable"],
    ];
    for format in formats {
        let place = Place::new(format);
        assert_eq!(place.files(), ["in/a.py", "in/c.py", "out/b.py"], "{format:?}");
        answers(&place.root(), &place.home());
        place.git(&["gc", "-q"]);
        assert_eq!(place.files(), ["in/a.py", "in/c.py", "out/b.py"], "{format:?}, packed");
        answers(&place.root(), &place.home());
    }
}

#[test]
fn sparse_and_split_indexes_are_read() {
    let place = Place::new(&[]);
    place.git(&["update-index", "--split-index"]);
    place.write("in/d.py", "def late():\n    return 1\n");
    place.git(&["add", "-f", "in/d.py"]);
    assert!(
        fs::read_dir(place.root().join(".git"))
            .unwrap()
            .flatten()
            .any(|entry| { entry.file_name().to_string_lossy().starts_with("sharedindex.") })
    );
    assert_eq!(place.files(), ["in/a.py", "in/c.py", "out/b.py"], "split");
    answers(&place.root(), &place.home());

    let place = Place::new(&[]);
    place.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    assert!(place.git(&["ls-files", "--sparse"]).contains("out/\n") || !place.root().join("out").exists());
    assert_eq!(place.files(), ["in/a.py", "in/c.py"], "sparse");
    answers(&place.root(), &place.home());
    // A file of a folder that the index has only as a whole.
    place.write("out/b.py", "def sell():\n    return 3\n");
    assert_eq!(place.files(), ["in/a.py", "in/c.py", "out/b.py"], "sparse, with a file outside");
}

#[test]
fn linked_worktrees_are_read_apart_and_not_twice() {
    for format in ["files", "reftable"] {
        let place = Place::new(&[&format!("--ref-format={format}")]);
        place.git(&["worktree", "add", "-q", "-b", "inner", "wt"]);
        assert_eq!(place.files(), ["in/a.py", "in/c.py", "out/b.py"], "{format}");
        let skips = String::from_utf8(place.run(&["status", "--skips"]).stdout).unwrap();
        assert!(skips.lines().any(|line| line.contains("worktree") && line.contains("wt/")), "{skips}");
        answers(&place.root(), &place.home());
        let inner = place.root().join("wt");
        write(&inner, "in/a.py", "def bake():\n    return 3\n");
        assert_eq!(files(&inner, &place.home()), ["in/a.py", "in/c.py", "out/b.py"], "{format}");
        answers(&inner, &place.home());
    }
    // The worktrees of a bare repository are all there is.
    let place = Place::new(&[]);
    let folder = place.folder.path().join("several");
    fs::create_dir_all(&folder).unwrap();
    git(&folder, &["clone", "-q", "--bare", place.root().to_str().unwrap(), ".bare"]);
    fs::write(folder.join(".git"), "gitdir: ./.bare\n").unwrap();
    git(&folder, &["worktree", "add", "-q", "wt", "main"]);
    assert_eq!(files(&folder, &place.home()), ["wt/in/a.py"]);
}

#[test]
fn every_state_of_a_repository_is_answered() {
    let place = Place::new(&[]);
    place.git(&["checkout", "-q", "--detach"]);
    place.files();
    answers(&place.root(), &place.home());

    let url = format!("file://{}", place.root().display());
    let shallow = place.folder.path().join("shallow");
    git(place.folder.path(), &["clone", "-q", "--depth", "1", "-b", "main", &url, "shallow"]);
    write(&shallow, "in/a.py", "def bake():\n    return 4\n");
    assert_eq!(files(&shallow, &place.home()), ["in/a.py", "in/c.py", "out/b.py"]);
    let output = run(&shallow, &place.home(), &["context", "--pr", "main", "--format", "lines"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("bake"));

    let empty = Place { folder: tempfile::tempdir().unwrap() };
    fs::create_dir_all(empty.root()).unwrap();
    empty.git(&["init", "-q", "-b", "main"]);
    empty.write("in/a.py", "def bake():\n    return 1\n");
    assert_eq!(empty.files(), ["in/a.py"]);
    assert!(empty.refusal("HEAD").contains("no commit yet"), "{}", empty.refusal("HEAD"));

    let bare = place.folder.path().join("bare");
    git(place.folder.path(), &["clone", "-q", "--bare", &url, "bare"]);
    let output = run(&bare, &place.home(), &["tests", "--diff", "main"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("is a bare repository"), "{output:?}");
}

#[test]
fn what_a_partial_clone_lacks_is_named() {
    let place = Place::new(&[]);
    place.commit("Third loaf");
    place.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", place.root().display());
    git(place.folder.path(), &["clone", "-q", "--filter=blob:none", &url, "partial"]);
    let partial = place.folder.path().join("partial");
    assert_eq!(files(&partial, &place.home()), ["in/a.py", "in/c.py", "out/b.py"]);
    let compare = |base: &str| run(&partial, &place.home(), &["context", "--pr", base, "--format", "lines"]);
    write(&partial, "in/c.py", "def slice():\n    return 3\n");
    let output = compare("HEAD");
    assert!(String::from_utf8_lossy(&output.stdout).contains("slice"), "{output:?}");
    // The clone has the file of today only.
    let output = compare("HEAD~1");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("the clone is partial") && message.contains("`git diff"), "{message}");
    git(&partial, &["diff", "HEAD~1"]);
    assert_eq!(compare("HEAD~1").status.code(), Some(0));
}

#[test]
fn an_unknown_extension_is_named() {
    let place = Place::new(&[]);
    place.git(&["config", "core.repositoryFormatVersion", "1"]);
    place.git(&["config", "extensions.tomorrow", "true"]);
    // The index may have another format, so that the rules alone decide.
    fs::remove_file(place.root().join(".gitignore")).unwrap();
    let output = place.run(&["index"]);
    assert!(output.status.success(), "{output:?}");
    assert!(place.refusal("HEAD").contains("the extension `tomorrow`"), "{}", place.refusal("HEAD"));
}

#[test]
fn all_ignore_files_are_read() {
    let place = Place::new(&[]);
    fs::remove_file(place.root().join(".gitignore")).unwrap();
    place.git(&["worktree", "add", "-q", "-b", "outer", "../outer"]);
    let outer = place.folder.path().join("outer");
    for root in [&place.root(), &outer] {
        write(root, "local.py", "def private():\n    return 1\n");
        assert!(files(root, &place.home()).contains(&"local.py".to_owned()));
    }
    let is_left_out = || {
        for root in [&place.root(), &outer] {
            assert_eq!(files(root, &place.home()), ["in/a.py", "in/c.py", "out/b.py"]);
        }
    };
    place.write(".git/info/exclude", "local.py\n");
    is_left_out();
    place.write(".git/info/exclude", "");
    write(&place.home(), "config/git/ignore", "local.py\n");
    is_left_out();
    fs::remove_file(place.home().join("config/git/ignore")).unwrap();
    write(&place.home(), "rules", "local.py\n");
    write(&place.home(), ".gitconfig", "[core]\nexcludesFile = ~/rules\n");
    is_left_out();
    fs::remove_file(place.home().join(".gitconfig")).unwrap();
    place.git(&["config", "core.excludesFile", "~/rules"]);
    is_left_out();
    // The repository's rules win over them.
    place.write(".gitignore", "!local.py\n");
    assert!(place.files().contains(&"local.py".to_owned()));
    // Those of searching tools are for tracked files, too.
    place.write(".ignore", "/out/\nlocal.py\n");
    assert_eq!(place.files(), ["in/a.py", "in/c.py"]);
}
