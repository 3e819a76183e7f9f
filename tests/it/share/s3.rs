//! Shares in an object store: the same behavior as in a folder, and messages that name the way out.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::catalogs::FOLDER;
use super::server::{KEY, SECRET, Server};
use super::{Team, assert_as_rebuilt};
use crate::cli::{code, program, stderr, stdout};

const URL: &str = "s3://indexes/team one";

/// Runs the program with the credentials of the server.
fn run(server: &Server, root: &Path, arguments: &[&str]) -> Output {
    run_with(server, root, arguments, (KEY, SECRET))
}

fn run_with(server: &Server, root: &Path, arguments: &[&str], credentials: (&str, &str)) -> Output {
    command(server, root, arguments, credentials).output().unwrap()
}

fn command(server: &Server, root: &Path, arguments: &[&str], (key, secret): (&str, &str)) -> Command {
    let mut command = program(root, arguments);
    command.env("AWS_ENDPOINT_URL", server.endpoint()).env("AWS_ALLOW_HTTP", "true");
    command.env("AWS_ACCESS_KEY_ID", key).env("AWS_SECRET_ACCESS_KEY", secret).env("AWS_REGION", "us-east-1");
    command.env("AWS_SKIP_SIGNATURE", server.is_public.to_string());
    command.env_remove("HTTP_PROXY").env_remove("http_proxy").env_remove("ALL_PROXY");
    command
}

/// Publishes the checked-out commit, and returns the messages.
fn publish(server: &Server, team: &Team) -> String {
    let output = run(server, &team.root(), &["index", "--publish", URL]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stderr(&output)
}

/// Indexes a new clone from the share, and returns the messages.
fn fetch(server: &Server, team: &Team, name: &str) -> String {
    let root = team.clone_at(name, team.head());
    let output = run(server, &root, &["index", "--from", URL]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_as_rebuilt(&root);
    stderr(&output)
}

#[test]
fn an_object_store_serves_the_nearest_index() {
    let (server, mut team) = (Server::start(false), Team::new());
    assert!(fetch(&server, &team, "before").contains("has no index of example.org/us/x"));
    assert!(publish(&server, &team).contains("published the index of"));
    assert!(publish(&server, &team).contains("already published"));
    assert!(fetch(&server, &team, "same").contains("which has the same files"));
    team.commit(&[("b.py", "def second():\n    return 3\n")]);
    publish(&server, &team);
    team.commit(&[("b.py", "def second():\n    return 4\n")]);
    assert!(fetch(&server, &team, "later").contains("1 commit behind"));

    let listed = stdout(&run(&server, &team.root(), &["index", "share", "list", URL]));
    assert_eq!(listed.matches("example.org/us/x").count(), 2, "{listed}");
    let collected = stderr(&run(&server, &team.root(), &["index", "share", "gc", URL, "--keep", "1"]));
    assert!(collected.contains("deleted 1 published indexes"), "{collected}");
    assert_eq!((server.files("commits").len(), server.files("objects").len()), (1, 1));
    assert!(fetch(&server, &team, "after").contains("1 commit behind"));
}

#[test]
fn the_configured_share_serves_every_command() {
    let (server, team) = (Server::start(false), Team::new());
    publish(&server, &team);
    let root = team.clone_at("configured", team.head());
    std::fs::create_dir_all(root.join("config/knowing")).unwrap();
    std::fs::write(root.join("config/knowing/config.toml"), format!("[share]\nurl = \"{URL}\"\n")).unwrap();
    let output = run(&server, &root, &["context", "--task", "what does second return"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("fetched the index of"), "{}", stderr(&output));
    assert_eq!(code(&run(&server, &root, &["index", "share", "list"])), 0);
}

#[test]
fn two_publishers_of_one_commit_agree() {
    let (server, team) = (Server::start(false), Team::new());
    let roots = [0, 1].map(|number| team.clone_at(&format!("clone{number}"), team.head()));
    std::thread::scope(|scope| {
        for root in &roots {
            let server = &server;
            scope.spawn(move || {
                let output = run(server, root, &["index", "--publish", URL]);
                assert_eq!(code(&output), 0, "{}", stderr(&output));
            });
        }
    });
    assert_eq!(server.files("commits").len(), 1);
    assert!(fetch(&server, &team, "reader").contains("which has the same files"));
}

#[test]
fn killed_processes_leave_a_usable_store_and_index() {
    let (server, mut team) = (Server::start(false), Team::new());
    let fetcher = team.clone_at("fetcher", team.head());
    let kill = |root: &Path, arguments: &[&str], milliseconds: u64| {
        let mut command = command(&server, root, arguments, (KEY, SECRET));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    };
    for number in 0..15 {
        team.commit(&[("b.py", &format!("def second():\n    return {number}\n"))]);
        kill(&team.root(), &["index", "--publish", URL], 6 * number);
        std::fs::remove_file(crate::cli::database(&fetcher)).unwrap_or_default();
        kill(&fetcher, &["index", "--from", URL], 6 * number);
    }
    publish(&server, &team);
    crate::cli::remove_state(&fetcher);
    let output = run(&server, &fetcher, &["index", "--from", URL]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_as_rebuilt(&fetcher);
    let current = team.clone_at("current", team.head());
    assert!(!current.join(".knowing").exists(), "no commit contains a database");
    let output = run(&server, &current, &["index", "--from", URL]);
    assert!(stderr(&output).contains("which has the same files"), "{}", stderr(&output));
    assert_as_rebuilt(&current);
    assert_eq!(code(&run(&server, &current, &["index", "share", "gc", URL, "--keep", "1"])), 0);
    let message = fetch(&server, &team, "after");
    assert!(message.contains("which has the same files"), "{message}");
}

#[test]
fn two_publishers_of_different_commits_leave_one_whole_catalog() {
    let (server, mut team) = (Server::start(false), Team::new());
    let earlier = team.clone_at("earlier", team.head());
    team.commit(&[("b.py", "def overdraw():\n    return 3\n")]);
    let roots = [earlier, team.clone_at("later", team.head())];
    for _ in 0..3 {
        std::thread::scope(|scope| {
            for root in &roots {
                let server = &server;
                scope.spawn(move || {
                    let output = run(server, root, &["index", "--publish", URL]);
                    assert_eq!(code(&output), 0, "{}", stderr(&output));
                });
            }
        });
        assert_eq!(server.files(FOLDER).len(), 1);
        let arguments = ["index", "share", "route", "--from", URL, "--task", "what does second return"];
        let routed = run(&server, &team.root(), &arguments);
        assert_eq!((code(&routed), stderr(&routed).as_str()), (0, ""));
        assert!(stdout(&routed).contains("example.org/us/x"), "{}", stdout(&routed));
    }
    // In any order: the later publisher has the last word, now or when it publishes again.
    run(&server, &roots[1], &["index", "--publish", URL]);
    run(&server, &roots[0], &["index", "--publish", URL]);
    let routed = run(&server, &team.root(), &["index", "share", "route", "--from", URL, "--task", "overdraw"]);
    assert_eq!(code(&routed), 0, "{}", stderr(&routed));
}

#[test]
fn a_corrupted_catalog_is_skipped() {
    let (server, team) = (Server::start(false), Team::new());
    publish(&server, &team);
    let route =
        || run(&server, &team.root(), &["index", "share", "route", "--from", URL, "--task", "what does second return"]);
    let file = &server.files(FOLDER)[0];
    for bytes in [vec![0; 200_001], b"kcatlog".to_vec()] {
        std::fs::write(file, bytes).unwrap();
        assert!(code(&route()) == 1 && stderr(&route()).contains("skipped the catalog x-"), "{}", stderr(&route()));
    }
    assert!(publish(&server, &team).contains("already published"));
    assert_eq!(code(&route()), 0, "publishing again replaces it");
}

#[test]
fn a_torn_upload_leaves_nothing_that_is_used() {
    let (server, team) = (Server::start(false), Team::new());
    server.faults.tears_uploads.store(true, Ordering::Relaxed);
    let output = run(&server, &team.root(), &["index", "--publish", URL]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("can't write the share {URL}")), "{}", stderr(&output));
    server.faults.tears_uploads.store(false, Ordering::Relaxed);
    assert!(fetch(&server, &team, "reader").contains("has no index"));
    publish(&server, &team);
    assert!(fetch(&server, &team, "again").contains("which has the same files"));
}

#[test]
fn a_corrupted_object_is_not_used() {
    let (server, team) = (Server::start(false), Team::new());
    publish(&server, &team);
    let object = &server.files("objects")[0];
    let mut bytes = std::fs::read(object).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(object, bytes).unwrap();
    let message = fetch(&server, &team, "reader");
    assert!(message.contains("damaged") && message.contains("built the index from the files"), "{message}");
}

#[test]
fn failures_name_the_way_out() {
    let (server, team) = (Server::start(false), Team::new());
    let publish = |keys: (&str, &str)| {
        let output = run_with(&server, &team.root(), &["index", "--publish", URL], keys);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let message = stderr(&output);
        assert!(message.contains("can't") && !message.contains('<') && !message.contains(SECRET), "{message}");
        message
    };
    assert!(publish(("AKIAOTHER", SECRET)).contains("AWS_ACCESS_KEY_ID"));
    assert!(publish((KEY, "wrong")).contains("check AWS_SECRET_ACCESS_KEY"));
    // An hour of the same day: a signature of another day fails by its date.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let hour = if now % 86_400 < 43_200 { 3_600 } else { -3_600 };
    server.faults.clock.store(hour, Ordering::Relaxed);
    let skewed = publish((KEY, SECRET));
    assert!(skewed.contains("set this machine's clock"), "{skewed}");
    server.faults.clock.store(0, Ordering::Relaxed);
    server.faults.is_full.store(true, Ordering::Relaxed);
    assert!(publish((KEY, SECRET)).contains("the share is full; free space with `knowing index share gc"));
    server.faults.is_full.store(false, Ordering::Relaxed);
    server.faults.revoke();
    assert!(publish((KEY, SECRET)).contains("unknown or revoked"));
    assert!(server.files("commits").is_empty());
}

#[test]
fn an_unreachable_store_is_a_note() {
    let (server, team) = (Server::start(false), Team::new());
    let root = team.clone_at("clone", team.head());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = program(&root, &["index", "--from", URL]);
    command.env("AWS_ENDPOINT_URL", format!("http://{closed}")).env("AWS_ALLOW_HTTP", "true");
    let output = command.env("AWS_ACCESS_KEY_ID", KEY).env("AWS_SECRET_ACCESS_KEY", SECRET).output().unwrap();
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("it can't be reached"), "{}", stderr(&output));
    assert_as_rebuilt(&root);
    drop(server);
}

#[test]
fn a_web_server_is_fetched_from_and_not_published_to() {
    let (server, mut team) = (Server::start(true), Team::new());
    publish(&server, &team);
    for number in 3..6 {
        team.commit(&[("b.py", &format!("def second():\n    return {number}\n"))]);
    }
    let url = format!("{}/indexes/team%20one", server.endpoint());
    let root = team.clone_at("clone", team.head());
    let output = run(&server, &root, &["index", "--from", &url]);
    assert!(stderr(&output).contains("3 commits behind"), "{}", stderr(&output));
    assert_as_rebuilt(&root);
    for arguments in [
        &["index", "--publish", &url][..],
        &["index", "share", "list", &url],
        &["index", "share", "gc", &url, "--keep", "1"],
    ] {
        let output = run(&server, &team.root(), arguments);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains("which can only be fetched from"), "{}", stderr(&output));
    }
}

#[test]
fn a_database_deleted_before_the_manifest_is_written_again() {
    let (server, team) = (Server::start(false), Team::new());
    publish(&server, &team);
    let object = server.files("objects")[0].clone();
    std::fs::remove_file(&server.files("commits")[0]).unwrap();
    let victim = object.clone();
    server.faults.before(move |method, path| {
        if method == "PUT" && path.contains("/commits/") {
            std::fs::remove_file(&victim).unwrap_or_default();
        }
    });
    publish(&server, &team);
    assert!(object.exists());
    assert!(fetch(&server, &team, "reader").contains("which has the same files"));
}

#[test]
fn a_manifest_that_comes_while_its_database_is_deleted_does_not_stay() {
    let (server, mut team) = (Server::start(false), Team::new());
    publish(&server, &team);
    let (object, manifest) = (server.files("objects")[0].clone(), server.files("commits")[0].clone());
    let text = std::fs::read(&manifest).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    team.commit(&[("b.py", "def second():\n    return 9\n")]);
    publish(&server, &team);
    // Another commit of the same files, whose publisher is late.
    let late = manifest.with_file_name(format!("{}-{}.json", "a".repeat(40), "b".repeat(40)));
    let planted = late.clone();
    server.faults.before(move |method, path| {
        if method == "DELETE" && path.contains("/objects/") {
            std::fs::write(&planted, &text).unwrap();
        }
    });
    let output = run(&server, &team.root(), &["index", "share", "gc", URL, "--keep", "1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!object.exists() && !late.exists() && !manifest.exists());
    assert_eq!((server.files("commits").len(), server.files("objects").len()), (1, 1));
}
