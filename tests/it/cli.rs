//! Tests of the built program: exit codes, streams, messages.

pub mod answers;
mod consent;
mod output;
mod own_languages;
mod questions;
mod reading;
mod review;
mod tasks;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use knowing_retrieval::engine::{DataFolder, Engine};
use knowing_retrieval::workspace::{MemberSource, Workspace};
use serde_json::Value;
use tempfile::TempDir;

/// A copy of the fixture repository in a temporary folder.
pub struct Shop {
    folder: TempDir,
}

impl Shop {
    /// Copies the fixture.
    pub fn new() -> Shop {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop");
        copy(&source, &folder.path().join("shop"));
        Shop { folder }
    }

    /// Returns the repository's root.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    /// Runs the program in the repository.
    pub fn run(&self, arguments: &[&str]) -> Output {
        run_in(&self.root(), arguments)
    }

    /// Runs the program and parses its output. Panics unless it exits with 0.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// Copies a folder with its contents.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Returns the command of the program, isolated from the user's configuration and data.
pub fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knowing"));
    command.current_dir(folder).args(arguments).env_remove("NO_COLOR");
    command.env_remove("KNOWING_HOME").env("XDG_DATA_HOME", data_home(folder));
    command.env("XDG_CONFIG_HOME", folder.join("config")).env("KNOWING_CACHE", "off");
    command.stdin(Stdio::null());
    command
}

/// Returns the folder of data for a test in `folder`: in the temporary folder of the test, so that nothing is shared.
pub fn data_home(folder: &Path) -> PathBuf {
    let temporary = std::env::temp_dir().canonicalize().unwrap();
    let folder = folder.canonicalize().unwrap();
    let own = folder.strip_prefix(&temporary).ok().and_then(|inside| inside.components().next());
    own.map_or_else(|| env!("CARGO_TARGET_TMPDIR").into(), |own| temporary.join(own)).join(".data")
}

/// Opens the engine of a repository with the data folder of [`program`].
pub fn open(root: &Path) -> Engine {
    Engine::open_in(root, DataFolder::new(data_home(root).join("knowing"))).unwrap()
}

/// Opens a workspace of one repository.
pub fn single(engine: Engine) -> Workspace {
    let (folder, database) = (engine.root().to_owned(), Some(engine.database().to_owned()));
    Workspace::open(&[MemberSource { folder, database, ..MemberSource::default() }], &|_| engine.clone()).unwrap()
}

/// Returns the database of a repository in the data folder of [`program`].
pub fn database(root: &Path) -> PathBuf {
    open(root).database().to_owned()
}

/// Removes the index of a repository, its votes and its records of agents, if there are any.
pub fn remove_state(root: &Path) {
    std::fs::remove_dir_all(database(root).parent().unwrap()).unwrap_or_default();
}

/// Runs the program in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    program(folder, arguments).output().unwrap()
}

/// Returns the exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Returns standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn usage_errors_exit_with_2() {
    let shop = Shop::new();
    for arguments in [
        &["frobnicate"][..],
        &["context"],
        &["context", "--task", "a", "--files", "b"],
        &["context", "--task", "a", "--budget", "0"],
        &["why", "--task", "a", "--symbol", "b", "--budget", "abc"],
        &["context", "--task", "a", "--format", "gobbledygook"],
        &["context", "--task", "a", "--pack-root", "sha256:12"],
        &["query"],
        &["query"],
        &["man", "nothing"],
        &["index", "--jobs", "none"],
        &["--color", "sometimes", "status"],
        &["tui"],
        &[],
    ] {
        let output = shop.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
    assert!(!shop.root().join(".knowing").exists(), "usage errors create no index");
}

#[test]
fn unknown_arguments_exit_with_2() {
    let shop = Shop::new();
    let repository = git2::Repository::init(shop.root()).unwrap();
    crate::index::history::commit(&repository, "first", 1_700_000_000);
    for arguments in [
        &["context", "--pr", "nowhere"][..],
        &["context", "--files", "nowhere.py"],
        &["query", "charge", "--limit", "0"],
    ] {
        let output = shop.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_output_exits_with_3() {
    let shop = Shop::new();
    for arguments in [&["completions", "bash"][..], &["man"], &["status", "--help"], &["query", "charge"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program(&shop.root(), arguments).stdout(full).output().unwrap();
        assert_eq!(code(&output), 3, "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn empty_task_is_explained() {
    let shop = Shop::new();
    for task in ["", "  \t "] {
        let output = shop.run(&["context", "--task", task]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("the task is empty; describe in a few words"), "{}", stderr(&output));
    }
}

#[test]
fn missing_folder_is_named() {
    let shop = Shop::new();
    for arguments in [&["index", "no/such/folder"][..], &["--repo", "no/such/folder", "context", "--task", "a"]] {
        let output = shop.run(arguments);
        assert_eq!(code(&output), 3);
        assert!(stderr(&output).contains("no/such/folder does not exist"), "{}", stderr(&output));
    }
}

#[test]
fn foreign_database_is_rejected_unchanged() {
    let shop = Shop::new();
    let text = "this is not a database, but it is long enough to look like one";
    std::fs::write(shop.root().join("other.db"), text).unwrap();
    let output = shop.run(&["--db", "other.db", "status"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("other.db"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(shop.root().join("other.db")).unwrap(), text);
}

#[test]
fn stats_without_index_names_the_index_command() {
    let output = Shop::new().run(&["status"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("knowing index"), "{}", stderr(&output));
}

#[test]
fn help_lists_every_command() {
    let output = run_in(Path::new("."), &["--help"]);
    assert_eq!(code(&output), 0);
    let help = stdout(&output);
    for command in
        ["tui", "help", "context", "why", "query", "impact", "feedback", "concepts", "index", "status", "mcp"]
    {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command} is missing:\n{help}");
        assert_eq!(code(&run_in(Path::new("."), &[command, "--help"])), 0);
    }
    assert!(help.contains("Exit codes"));
    for hidden in ["export", "stats", "hook"] {
        assert!(!help.lines().any(|line| line.trim_start().starts_with(hidden)), "{hidden} is listed:\n{help}");
    }
}

#[test]
fn spellings_of_benchmark_scripts_run_and_no_other_former_one() {
    let shop = Shop::new();
    assert_eq!(code(&shop.run(&["index"])), 0);
    for (former, current) in [
        (&["stats", "--skips", "--format", "json"][..], &["status", "--skips", "--format", "json"][..]),
        (&["export", "--edges"], &["query", "--edges"]),
    ] {
        let (former, current) = (shop.run(former), shop.run(current));
        assert_eq!((code(&former), stdout(&former)), (0, stdout(&current)), "{}", stderr(&former));
    }
    for former in ["cache", "debug", "fsck", "seeds", "share", "stale", "vocab", "watch"] {
        let output = shop.run(&[former, "list"]);
        assert_eq!(code(&output), 2, "{former}");
        assert!(stderr(&output).contains("unrecognized subcommand"), "{}", stderr(&output));
    }
}

#[test]
fn hidden_commands_are_not_suggested() {
    let output = run_in(Path::new("."), &["foo"]);
    assert_eq!(code(&output), 2);
    assert!(!stderr(&output).contains("hook"), "{}", stderr(&output));
}

#[test]
fn why_needs_a_symbol_and_a_task() {
    let shop = Shop::new();
    for arguments in
        [&["why"][..], &["why", "charge"], &["why", "--stage", "walk"], &["why", "charge", "pay", "--task", "pay"]]
    {
        let output = shop.run(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains("name a symbol and a task, for example: knowing why"), "{}", stderr(&output));
    }
}

#[test]
fn version_has_database_and_protocol() {
    let short = stdout(&run_in(Path::new("."), &["-V"]));
    assert_eq!(short.lines().count(), 1, "{short}");
    let long = stdout(&run_in(Path::new("."), &["--version"]));
    assert!(long.starts_with(short.trim_end()) && long.contains("\ndatabase "), "{long}");
    assert!(long.contains("Model Context Protocol 2024-11-05 to "), "{long}");
}

#[test]
fn completions_and_manual_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run_in(Path::new("."), &["completions", shell]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("knowing"), "{shell}");
    }
    let manual = stdout(&run_in(Path::new("."), &["man"]));
    assert!(manual.contains(".TH knowing") && manual.contains("context"), "{manual}");
    assert!(stdout(&run_in(Path::new("."), &["man", "context"])).contains("budget"));
}

#[test]
fn first_query_builds_the_index() {
    let shop = Shop::new();
    let output = shop.run(&["query", "SessionStore.remove_expired"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("SessionStore.remove_expired") && text.contains("shop/session.py:37"), "{text}");
    assert!(!text.contains('\u{1b}'), "no color when piped");
    assert!(database(&shop.root()).exists());

    std::fs::write(shop.root().join("shop/extra.py"), "def brand_new_function():\n    return 1\n").unwrap();
    let output = shop.run(&["query", "brand_new_function"]);
    assert_eq!(code(&output), 0, "a later query updates it: {}", stderr(&output));
}

#[test]
fn color_option_is_respected() {
    let shop = Shop::new();
    assert!(stdout(&shop.run(&["--color", "always", "query", "charge"])).contains('\u{1b}'));
    assert!(!stdout(&shop.run(&["--color", "never", "query", "charge"])).contains('\u{1b}'));
    assert!(stdout(&shop.run(&["--color", "always", "--help"])).contains('\u{1b}'));
    assert!(!stdout(&shop.run(&["--help"])).contains('\u{1b}'));
}

#[test]
fn unknown_names_get_suggestions() {
    let shop = Shop::new();
    let output = shop.run(&["query", "chekcout"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("did you mean checkout"), "{}", stderr(&output));

    let output = shop.run(&["query", "rmvexpired"]);
    assert_eq!(code(&output), 0, "similar names are results");
    assert!(stdout(&output).contains("remove_expired") && stderr(&output).contains("no symbol is called"));

    let output = shop.run(&["query", "zzzzqqqq"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (1, ""));
    assert_eq!(shop.json(&["query", "charge", "--format", "json"])[0]["file"], "shop/payment.py");
}

#[test]
fn every_table_is_also_json() {
    let shop = Shop::new();
    let summary = shop.json(&["index", "--format", "json"]);
    assert_eq!(summary["files"], 5);
    let stats = shop.json(&["status", "--format", "json"]);
    assert_eq!(stats["symbols"], summary["symbols"]);
    assert!(stats["edges"]["calls"].as_u64().unwrap() >= 5, "{stats}");
    assert!(shop.json(&["status", "--skips", "--format", "json"]).is_array());
    let checks = shop.json(&["status", "--verify", "--format", "json"]);
    assert!(checks.as_array().unwrap().iter().all(|check| check["problems"].as_array().unwrap().is_empty()));
    for arguments in [&["status"][..], &["index"], &["status", "--verify"], &["status", "--skips"]] {
        assert_eq!(code(&shop.run(arguments)), 0, "{arguments:?}");
    }
}

#[test]
fn exported_edges_have_their_endpoints() {
    let shop = Shop::new();
    let lines = stdout(&shop.run(&["query", "--edges"]));
    let edges: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let calls = |source: &str, target: &str| {
        edges
            .iter()
            .any(|edge| edge["type"] == "calls" && edge["source"]["name"] == source && edge["target"]["name"] == target)
    };
    assert!(calls("Cart.checkout", "charge"), "{lines}");
    assert!(calls("charge", "format_receipt"));
    assert!(calls("Cart.checkout", "Session.is_expired"));
    let charge = edges.iter().find(|edge| edge["target"]["name"] == "charge").unwrap();
    assert_eq!((&charge["target"]["file"], &charge["target"]["line"]), (&"shop/payment.py".into(), &8.into()));

    let nodes = stdout(&shop.run(&["query", "--nodes"]));
    assert!(nodes.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["id"].is_string()));
}

#[test]
fn context_prints_a_pack() {
    let shop = Shop::new();
    let task = ["context", "--no-learn", "--task", "sessions expire too early", "--budget", "2000"];
    let pack = shop.json(&[&task[..], &["--format", "json"]].concat());
    let names: Vec<&str> =
        pack["symbols"].as_array().unwrap().iter().map(|symbol| symbol["qualified_name"].as_str().unwrap()).collect();
    assert!(names.iter().take(5).any(|name| name.ends_with("Session.is_expired")), "{names:?}");
    assert!(names.iter().all(|name| !name.contains("://")));
    assert_eq!(pack["token_budget"], 2000);
    assert!(pack["tokens_used"].as_u64().unwrap() <= 2000);

    let gcf = stdout(&shop.run(&task));
    let decoded = gcf::decode(&gcf).unwrap();
    assert!(decoded.symbols.iter().any(|symbol| symbol.qualified_name.ends_with("Session.is_expired")));
    assert_eq!(gcf, stdout(&shop.run(&task)), "the answer is deterministic");
    assert!(stdout(&shop.run(&[&task[..], &["--format", "markdown"]].concat())).contains("Session.is_expired"));
    let bodies = stdout(&shop.run(&[&task[..], &["--bodies"]].concat()));
    assert!(bodies.contains("return time.time() >= self.expires_at"), "{bodies}");
}

#[test]
fn status_says_that_the_first_index_is_being_built() {
    let shop = Shop::new();
    let error = stderr(&shop.run(&["status"]));
    assert!(error.contains("make one with `knowing index`"), "{error}");
    let lock = knowing_indexing::store::sibling_path(&database(&shop.root()), "lock");
    std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let lock = std::fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    for arguments in [&["status"][..], &["status", "--skips"], &["status", "--verify"]] {
        let output = shop.run(arguments);
        let error = stderr(&output);
        assert!(error.contains("there is no index yet; another process is building it"), "{arguments:?}: {error}");
        assert_eq!(code(&output), 3);
    }
    let check = shop.run(&["status", "--check"]);
    assert_eq!((stdout(&check).trim(), code(&check)), ("there is no index yet; another process is building it", 1));
}

#[test]
fn too_small_budget_names_the_smallest() {
    let shop = Shop::new();
    let output = shop.run(&["context", "--task", "sessions", "--budget", "3"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("the smallest is"), "{}", stderr(&output));
}

#[test]
fn task_without_matches_exits_with_1() {
    let shop = Shop::new();
    let output = shop.run(&["context", "--task", "qqqq zzzz xxxx", "--format", "json"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let pack: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(pack["symbols"].as_array().unwrap().len(), 0);
    assert!(stderr(&output).contains("nothing matches the task"), "{}", stderr(&output));
}

#[test]
fn closed_pipe_is_not_an_error() {
    let shop = Shop::new();
    let mut child =
        program(&shop.root(), &["query", "--edges"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output).lines().filter(|line| line.contains("error")).count(), 0, "{}", stderr(&output));
    assert_eq!(code(&output), 0);
}
