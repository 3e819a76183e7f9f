//! One server for several projects: a workspace, a project by name or path, and worktrees.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::client::{Client, LEGACY, STATELESS};
use crate::cli::{Shop, program};

const CONTEXT: &str = "knowing_context";
const SYMBOL: &str = "knowing_symbol";
const TASK: &str = "sessions expire too early";

/// Writes a repository with one file into a folder.
fn project(root: &Path, name: &str, source: &str) -> std::path::PathBuf {
    let folder = root.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("main.py"), source).unwrap();
    git(&folder, &["init", "-q", "-b", "main"]);
    folder
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"];
    let status = Command::new("git").args(identity).args(arguments).current_dir(folder).output().unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
}

fn several(shop: &Shop, folders: &[&Path]) -> Client {
    let mut arguments = vec!["mcp"];
    for folder in folders {
        arguments.extend(["--repo", folder.to_str().unwrap()]);
    }
    Client::spawn(program(&shop.root(), &arguments), STATELESS)
}

#[test]
fn one_server_answers_about_several_projects() {
    let (shop, root) = (Shop::new(), tempfile::tempdir().unwrap());
    let mail = project(root.path(), "mail", "def deliver_mail(letter):\n    return letter\n");
    let web = project(root.path(), "web", "def render_page(page):\n    return page\n\n\ndef close(page):\n    pass\n");
    let mut client = several(&shop, &[&mail, &web]);
    let both = client.text(CONTEXT, json!({ "task": "deliver mail for a rendered page" }));
    assert!(both.contains("mail/main.py:1-2 function deliver_mail"), "{both}");
    assert!(both.contains("web/main.py:1-2 function render_page"), "{both}");
    let one = client.text(CONTEXT, json!({ "task": "deliver mail for a rendered page", "project": "web" }));
    assert!(one.contains("\nmain.py:1-2 function render_page") && !one.contains("deliver_mail"), "{one}");
    assert!(one.contains(&format!("project {}", web.canonicalize().unwrap().display())), "{one}");
    assert!(client.text(SYMBOL, json!({ "symbol": "close" })).contains("web/main.py:5-6"));
    let by_path = client.text(SYMBOL, json!({ "symbol": format!("{}:1", mail.join("main.py").display()) }));
    assert!(by_path.contains("def deliver_mail"), "{by_path}");
    let callers = client.text(SYMBOL, json!({ "symbol": "deliver_mail, render_page", "question": "callers" }));
    assert!(callers.contains("callers of deliver_mail") && callers.contains("callers of render_page"), "{callers}");
    let unknown = client.error(CONTEXT, json!({ "task": "x", "project": "desktop" }));
    assert!(unknown.contains("no project is called `desktop`") && unknown.contains("mail"), "{unknown}");
    let url = format!("file://{}", web.canonicalize().unwrap().display());
    for project in [url.as_str(), "../web", "./../web/"] {
        let page = client.text(SYMBOL, json!({ "symbol": "render_page", "project": project }));
        assert!(page.contains("def render_page"), "{project}: {page}");
    }
    assert!(client.text(SYMBOL, json!({ "symbol": "deliver_mail", "project": "." })).contains("def deliver_mail"));
    let refused = client.error(CONTEXT, json!({ "task": "x", "project": "/etc" }));
    assert!(refused.contains("is a system folder") && refused.contains("`project`"), "{refused}");
    let unknown = client.error(CONTEXT, json!({ "task": "x", "project": "desktop" }));
    assert!(!unknown.contains("/etc"), "{unknown}");
    let missing = root.path().join("none/a.py");
    for arguments in [
        json!({ "symbol": format!("{}:1", missing.display()) }),
        json!({ "symbol": "deliver_mail", "project": missing.to_str().unwrap() }),
        json!({ "symbol": "deliver_mail", "project": mail.join("none").to_str().unwrap() }),
    ] {
        let error = client.error(SYMBOL, arguments);
        assert!(
            error.contains("none") && (error.contains("does not exist") || error.contains("there is no file")),
            "{error}"
        );
    }
    let added = mail.join("later.py");
    fs::write(&added, "def deliver_later(letter):\n    return letter\n").unwrap();
    assert!(client.text(SYMBOL, json!({ "symbol": "deliver_later" })).contains("mail/later.py:1-2"));
}

#[test]
fn worktrees_of_one_repository_are_told_apart() {
    let (shop, root) = (Shop::new(), tempfile::tempdir().unwrap());
    let first = project(root.path(), "app", "def old_name():\n    return 1\n");
    git(&first, &["add", "."]);
    git(&first, &["commit", "-q", "-m", "begin"]);
    let second = root.path().join("feature");
    git(&first, &["worktree", "add", "-q", "-b", "feature", second.to_str().unwrap()]);
    fs::write(second.join("main.py"), "def new_name():\n    return 2\n").unwrap();
    let mut client = several(&shop, &[&first]);
    assert!(client.text(SYMBOL, json!({ "symbol": "old_name" })).contains("return 1"));
    let other = client.text(SYMBOL, json!({ "symbol": "new_name", "project": second.to_str().unwrap() }));
    assert!(other.contains("return 2") && other.contains("feature"), "{other}");
    assert!(client.error(SYMBOL, json!({ "symbol": "new_name" })).contains("no symbol is called"));
    let located = client.text(SYMBOL, json!({ "symbol": format!("{}:1", second.join("main.py").display()) }));
    assert!(located.contains("new_name"), "{located}");
    let files = client.text(CONTEXT, json!({ "files": [second.join("main.py").to_str().unwrap()] }));
    assert!(files.contains("new_name") && files.contains("(feature)"), "{files}");
}

#[test]
fn a_path_within_the_only_project_is_of_that_project() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    let file = shop.root().join("shop/cart.py");
    let source = fs::read_to_string(&file).unwrap();
    let line = source.lines().position(|line| line.contains("def checkout")).unwrap() + 1;
    let found = client.text(SYMBOL, json!({ "symbol": format!("{}:{line}", file.display()) }));
    assert!(found.contains("def checkout") && !found.contains("project /"), "{found}");
    let whole = client.text(CONTEXT, json!({ "task": TASK, "project": shop.root().to_str().unwrap() }));
    assert!(whole.contains("Session.is_expired") && !whole.contains("project /"), "{whole}");
}
