//! State is the user's: nothing that comes with a repository is used as state, nothing is written into it, and votes stay
//! with a checkout that is moved, renamed or published.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::cli::{Shop, code, copy, data_home, database, program, run_in, stderr, stdout};
use crate::mcp::client::{Client, LEGACY};

const TASK: &str = "sessions expire too early for signed in visitors";
const VOTE: [&str; 5] = ["feedback", "--task", TASK, "--useful", "Cart.total"];

pub fn git(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(root).args(["-c", "user.email=a@example.org", "-c", "user.name=A"]).args(arguments);
    for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Commits everything in a folder, which becomes a repository if it is none.
fn commit(root: &Path) {
    if !root.join(".git").exists() {
        git(root, &["init", "-q", "-b", "main"]);
    }
    git(root, &["add", "-A", "-f"]);
    git(root, &["commit", "-qm", "x"]);
}

fn passes(root: &Path, arguments: &[&str]) -> Output {
    let output = run_in(root, arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    output
}

/// Returns the state of each entry of the journal.
fn states(root: &Path) -> Vec<String> {
    let list: Value = serde_json::from_slice(&run_in(root, &["feedback", "list", "--format", "json"]).stdout).unwrap();
    list.as_array().unwrap().iter().map(|entry| entry["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn git_status_is_clean_after_every_command() {
    let shop = Shop::new();
    let root = shop.root();
    commit(&root);
    let status = || git(&root, &["status", "--short", "--untracked-files=all", "--ignored"]);
    for arguments in
        [&["index"][..], &VOTE, &["context", TASK], &["tui", "--plain"], &["index", "--force"], &["status", "--verify"]]
    {
        // The explorer needs a terminal; what it writes before it says so counts too.
        let _any = run_in(&root, arguments);
        assert_eq!(status(), "", "{arguments:?}");
    }
    let mut client = Client::start(&root, LEGACY);
    assert!(client.text("knowing_context", json!({ "task": TASK })).contains("Session"));
    assert_eq!(status(), "");
    drop(client);
    fs::create_dir_all(root.join(".knowing/seeds")).unwrap();
    fs::write(root.join(".knowing/seeds/ours.toml"), "").unwrap();
    assert_eq!(status(), "?? .knowing/seeds/ours.toml\n", "what a team commits is listed");
}

#[test]
fn planted_state_speaks_for_nobody() {
    let attacker = Shop::new();
    passes(&attacker.root(), &VOTE);
    passes(&attacker.root(), &["index"]);
    let nodes = stdout(&passes(&attacker.root(), &["query", "--nodes"]));
    let total = nodes.lines().find(|line| line.contains("\"name\":\"total\"") || line.contains("Cart.total")).unwrap();
    let id = serde_json::from_str::<Value>(total).unwrap()["id"].as_str().unwrap().to_owned();

    let victim = Shop::new();
    let planted = victim.root().join(".knowing");
    fs::create_dir_all(planted.join("agents")).unwrap();
    fs::copy(database(&attacker.root()), planted.join("graph.db")).unwrap();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let symbol = json!({ "id": id, "name": "PLANTED", "file": "shop/cart.py", "line": 1 });
    let scope = json!({ "branch": { "name": "main" } });
    for (name, record) in [
        ("sent.json", json!({ "at_ms": since as u64, "task": "x", "note": "PLANTED", "symbols": [symbol] })),
        ("steering.json", json!({ "entries": [{ "scope": scope, "pinned": [symbol] }] })),
    ] {
        let path = planted.join("agents").join(name);
        fs::write(&path, record.to_string()).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }
    commit(&victim.root());

    passes(&victim.root(), &["index"]);
    assert_eq!(states(&victim.root()), [""; 0]);
    let mut client = Client::start(&victim.root(), LEGACY);
    let text = client.text("knowing_context", json!({ "task": TASK }));
    assert!(!text.contains("PLANTED") && !text.contains("by the user"), "{text}");
    drop(client);
    assert_eq!(git(&victim.root(), &["status", "--short"]), "", "nothing planted was changed");
}

#[test]
fn votes_stay_with_a_checkout_that_is_moved_or_published() {
    let folder = tempfile::tempdir().unwrap();
    let mut root = folder.path().join("a");
    copy(Path::new("tests/fixtures/shop"), &root);
    commit(&root);
    passes(&root, &VOTE);
    let move_to = |from: &PathBuf, to: &str| {
        let to = folder.path().join(to);
        fs::rename(from, &to).unwrap();
        to
    };
    root = move_to(&root, "b");
    assert_eq!(states(&root), ["active"], "renamed");
    git(&root, &["remote", "add", "origin", "https://example.org/us/x.git"]);
    assert_eq!(states(&root), ["active"], "with a remote");
    git(&root, &["remote", "set-url", "origin", "https://example.net/them/y.git"]);
    assert_eq!(states(&root), ["active"], "with another remote");
    fs::create_dir(folder.path().join("deep")).unwrap();
    root = move_to(&root, "deep/c");
    assert_eq!(states(&root), ["active"], "moved");
    let why = stdout(&passes(&root, &["why", "--task", TASK, "--symbol", "Cart.total"]));
    assert!(why.contains("useful for") && !why.contains("expired"), "{why}");
    let list: Value =
        serde_json::from_slice(&passes(&root, &["index", "cache", "list", "--format", "json"]).stdout).unwrap();
    let checkouts: Vec<&str> = list.as_array().unwrap().iter().filter_map(|index| index["checkout"].as_str()).collect();
    assert_eq!(checkouts, [root.canonicalize().unwrap().to_str().unwrap()]);

    // A further checkout has its own votes, wherever it is.
    let other = folder.path().join("b");
    copy(&root, &other);
    assert_eq!(states(&other), [""; 0]);
    assert_eq!(states(&root), ["active"]);
}

#[test]
fn learned_terms_apply_under_another_name_of_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("a");
    copy(Path::new("tests/fixtures/shop"), &root);
    for task in ["the till shows a wrong sum", "print the till roll"] {
        passes(&root, &["feedback", "--task", task, "--useful", "Cart.total"]);
    }
    let terms = |root: &Path| stdout(&passes(root, &["feedback", "terms", "list"]));
    let before = terms(&root);
    assert!(before.contains("till"), "{before}");
    let renamed = folder.path().join("b");
    fs::rename(&root, &renamed).unwrap();
    assert_eq!(terms(&renamed), before);
    // The forgotten term is the one that was learned under the other name.
    passes(&renamed, &["feedback", "terms", "forget", "till"]);
    let output = run_in(&renamed, &["feedback", "terms", "list"]);
    assert!(code(&output) == 1 && !stdout(&output).contains("till"), "no other was learned");
}

#[test]
fn exports_fit_a_clone_of_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    for root in [&one, &other] {
        copy(Path::new("tests/fixtures/shop"), root);
    }
    for task in [TASK, "print the till roll", "the till shows a wrong sum"] {
        passes(&one, &["feedback", "--task", task, "--useful", "Cart.total"]);
    }
    for (command, file) in [(&["feedback"][..], "votes.jsonl"), (&["feedback", "terms"], "terms.jsonl")] {
        let lines = stdout(&passes(&one, &[command, &["export"]].concat()));
        assert!(!lines.contains("://") && lines.contains("\"symbol\":\"shop/cart.py.Cart.total\""), "{lines}");
        fs::write(folder.path().join(file), lines).unwrap();
    }
    let import = |command: &[&str], file: &str| run_in(&other, &[command, &["import", &format!("../{file}")]].concat());
    assert_eq!(code(&import(&["feedback"], "votes.jsonl")), 0);
    assert_eq!(states(&other), ["active"; 3]);
    assert_eq!(code(&import(&["feedback"], "votes.jsonl")), 1, "everything is known");
    assert_eq!(code(&import(&["feedback", "terms"], "terms.jsonl")), 1, "the votes have taught them");
    let exported = |root: &Path| stdout(&passes(root, &["feedback", "terms", "list"]));
    assert_eq!(exported(&one), exported(&other));
}

#[test]
fn votes_of_an_earlier_database_are_imported_when_the_user_agrees() {
    let earlier = Shop::new();
    passes(&earlier.root(), &VOTE);
    let shop = Shop::new();
    let former = shop.root().join(".knowing/graph.db");
    fs::create_dir(shop.root().join(".knowing")).unwrap();
    for end in ["", "-wal"] {
        let file = |database: &Path| PathBuf::from(format!("{}{end}", database.display()));
        fs::copy(file(&database(&earlier.root())), file(&former)).unwrap();
    }
    let import = ["feedback", "import", ".knowing/graph.db"];
    let asked = run_in(&shop.root(), &import);
    assert_eq!(code(&asked), 2, "{}", stderr(&asked));
    let shown = stderr(&asked);
    assert!(shown.contains("vote +shop/cart.py.Cart.total") && shown.contains("add --yes"), "{shown}");
    assert_eq!(states(&shop.root()), [""; 0]);
    passes(&shop.root(), &[&["--yes"], &import[..]].concat());
    assert_eq!(states(&shop.root()), ["active"]);
    assert_eq!(code(&run_in(&shop.root(), &import)), 1, "everything is known");
    let left: Vec<_> = fs::read_dir(former.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing is written beside it and its log");
}

#[test]
fn a_database_with_a_trigger_or_of_another_program_is_not_imported() {
    let earlier = Shop::new();
    passes(&earlier.root(), &VOTE);
    let shop = Shop::new();
    passes(&shop.root(), &["index"]);
    let path = shop.root().join("other.db");
    fs::copy(database(&earlier.root()), &path).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("create trigger t after insert on feedback begin delete from feedback; end").unwrap();
    drop(connection);
    let refused = |name: &str| {
        let output = run_in(&shop.root(), &["--yes", "feedback", "import", name]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains("not an intact database"), "{}", stderr(&output));
    };
    refused("other.db");
    let foreign = rusqlite::Connection::open(shop.root().join("foreign.db")).unwrap();
    foreign.execute_batch("create table t (x); insert into t values (1)").unwrap();
    drop(foreign);
    refused("foreign.db");
    assert_eq!(states(&shop.root()), [""; 0]);
}

#[test]
fn clearing_removes_what_is_gone_and_keeps_its_votes() {
    let folder = tempfile::tempdir().unwrap();
    let [gone, stays] = ["gone", "stays"].map(|name| folder.path().join(name));
    for root in [&gone, &stays] {
        copy(Path::new("tests/fixtures/shop"), root);
        passes(root, &VOTE);
    }
    fs::remove_dir_all(&gone).unwrap();
    let list = stdout(&passes(&stays, &["index", "cache", "list"]));
    assert!(list.lines().any(|line| line.contains("/gone ") && line.ends_with("gone")), "{list}");
    let size = stdout(&passes(&stays, &["index", "cache", "size"]));
    assert!(size.contains(" in 2 checkouts in ") && size.contains(" of 1 that are gone"), "{size}");
    let notes = stderr(&passes(&stays, &["index", "cache", "clear"]));
    let kept = notes.split("knowing feedback import ").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(stdout(&passes(&stays, &["index", "cache", "list"])).lines().count(), 2, "a heading and one index");
    assert_eq!(code(&run_in(&stays, &["index", "cache", "clear"])), 1, "nothing is left to clear");
    passes(&stays, &["feedback", "undo"]);
    passes(&stays, &["feedback", "import", kept]);
    assert_eq!(states(&stays), ["undone", "active"]);
}

#[test]
fn a_data_folder_that_can_not_be_used_is_an_error_that_names_the_variable() {
    let shop = Shop::new();
    let run = |home: Option<&str>, own: Option<&str>| {
        let mut command = program(&shop.root(), &["index"]);
        command.env_remove("XDG_DATA_HOME").env_remove("HOME");
        command.envs(home.map(|home| ("HOME", home))).envs(own.map(|own| ("KNOWING_HOME", own)));
        command.output().unwrap()
    };
    fs::write(shop.root().join("../file"), "").unwrap();
    let below_file = shop.root().join("../file/knowing");
    for (home, own) in [(Some("rel"), None), (None, Some("rel")), (None, below_file.to_str())] {
        let output = run(home, own);
        assert_eq!(code(&output), 3, "{home:?} {own:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("KNOWING_HOME"), "{}", stderr(&output));
    }
    let cache = program(&shop.root(), &["index"]).env("KNOWING_CACHE", "rel").output().unwrap();
    assert_eq!(code(&cache), 3);
    assert!(stderr(&cache).contains("KNOWING_CACHE is rel, a relative path"), "{}", stderr(&cache));
    assert!(!shop.root().join("rel").exists());
    let own = shop.root().join("../own");
    assert_eq!(code(&run(Some("rel"), own.to_str())), 0);
    assert!(own.join("checkouts").is_dir() && !shop.root().join(".knowing").exists());
}

#[test]
fn a_deleted_repository_is_not_made_again_by_the_server() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    assert!(client.text("knowing_context", json!({ "task": TASK })).contains("Session"));
    fs::remove_dir_all(shop.root()).unwrap();
    let answer = client.call("knowing_context", json!({ "task": TASK }));
    assert!(!shop.root().exists(), "{answer}");
    assert!(data_home(shop.root().parent().unwrap()).exists());
}
