//! Votes of several people, exchanged through a share.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::Team;
use crate::cli::{code, program, stderr, stdout};

const TASK: &str = "invoice totals are rounded twice";

/// Clones the repository for a person, who has an own home folder.
fn person(team: &Team, name: &str) -> PathBuf {
    let root = team.clone_at(name, team.head());
    run(&root, &["index"]);
    root
}

/// Returns the command of the program as of the person whose clone this is.
fn as_person(root: &Path, arguments: &[&str]) -> Command {
    let mut command = program(root, arguments);
    command.env("XDG_DATA_HOME", root.join(".home"));
    command
}

/// Runs the program as the person whose clone this is.
fn run_in(root: &Path, arguments: &[&str]) -> Output {
    as_person(root, arguments).output().unwrap()
}

/// Runs a command that succeeds, and returns its output and messages.
fn run(root: &Path, arguments: &[&str]) -> String {
    let output = run_in(root, arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    stdout(&output) + &stderr(&output)
}

fn sync(root: &Path, team: &Team, name: &str) -> String {
    run(root, &["feedback", "sync", &team.url(), "--name", name])
}

fn explained(root: &Path) -> String {
    stdout(&run_in(root, &["why", "--task", TASK, "--symbol", "second"]))
}

#[test]
fn votes_are_exchanged_weighed_and_withdrawn() {
    let team = Team::new();
    let [ada, bob] = ["ada", "bob"].map(|name| person(&team, name));
    run(&ada, &["feedback", "--task", TASK, "--useful", "second"]);
    assert!(sync(&ada, &team, "Ada").contains("sent 1 batches of votes, received 0"));
    assert!(sync(&ada, &team, "Ada").contains("sent 0 batches"));
    let without = explained(&bob);
    assert!(!without.contains("vote of Ada"), "{without}");
    assert!(sync(&bob, &team, "Bob").contains("sent 0 batches of votes, received 1"));
    let with = explained(&bob);
    assert!(with.contains("vote of Ada: useful for a similar task"), "{with}");

    run(&bob, &["feedback", "weigh", "Ada", "0"]);
    assert!(!explained(&bob).contains("vote of Ada"));
    run(&bob, &["feedback", "weigh", "Ada", "0.5"]);
    let sources: Value =
        serde_json::from_str(&stdout(&run_in(&bob, &["feedback", "sources", "--format", "json"]))).unwrap();
    assert_eq!((&sources[0]["name"], &sources[0]["events"]), (&Value::from("Ada"), &Value::from(1)));
    assert_eq!(code(&run_in(&bob, &["feedback", "weigh", "Eve", "0"])), 2);
    assert_eq!(code(&run_in(&bob, &["feedback", "weigh", "Ada", "2"])), 2);

    run(&ada, &["feedback", "undo"]);
    sync(&ada, &team, "Ada");
    sync(&bob, &team, "Bob");
    assert!(!explained(&bob).contains("vote of Ada"), "a withdrawn vote does not count");
}

#[test]
fn weights_that_two_processes_set_at_once_are_both_kept() {
    let team = Team::new();
    let [ada, eve, bob] = ["ada", "eve", "bob"].map(|name| person(&team, name));
    for (root, name) in [(&ada, "Ada"), (&eve, "Eve")] {
        run(root, &["feedback", "--task", TASK, "--useful", "second"]);
        sync(root, &team, name);
    }
    sync(&bob, &team, "Bob");
    for round in ["0.1", "0.2", "0.3", "0.4"] {
        let weigh = |name: &str| as_person(&bob, &["feedback", "weigh", name, round]).stderr(Stdio::null()).spawn();
        let both = ["Ada", "Eve"].map(|name| weigh(name).unwrap());
        both.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
        let sources: Value =
            serde_json::from_str(&stdout(&run_in(&bob, &["feedback", "sources", "--format", "json"]))).unwrap();
        let weights: Vec<String> =
            sources.as_array().unwrap().iter().map(|source| source["weight"].to_string()).collect();
        assert_eq!(weights, [round, round]);
    }
}

#[test]
fn damaged_weights_are_an_error_that_names_the_file() {
    let team = Team::new();
    let [ada, bob] = ["ada", "bob"].map(|name| person(&team, name));
    run(&ada, &["feedback", "--task", TASK, "--useful", "second"]);
    sync(&ada, &team, "Ada");
    sync(&bob, &team, "Bob");
    run(&bob, &["feedback", "weigh", "Ada", "0"]);
    let weights = walk(&bob.join(".home")).into_iter().find(|path| path.ends_with("weights.json")).unwrap();
    std::fs::write(&weights, "{\"broken").unwrap();
    for arguments in [&["context", TASK][..], &["feedback", "sources"], &["feedback", "weigh", "Ada", "0.2"]] {
        let output = run_in(&bob, arguments);
        assert_eq!(code(&output), 3, "{arguments:?}");
        let message = stderr(&output);
        assert!(message.contains("weights.json is damaged") && message.contains("remove it"), "{message}");
    }
    assert_eq!(std::fs::read_to_string(&weights).unwrap(), "{\"broken");
    std::fs::remove_file(&weights).unwrap();
    run(&bob, &["feedback", "weigh", "Ada", "0.2"]);
}

#[test]
fn nothing_of_a_task_leaves_the_machine_unless_allowed() {
    let team = Team::new();
    let ada = person(&team, "ada");
    run(&ada, &["feedback", "--task", TASK, "--useful", "second"]);
    sync(&ada, &team, "");
    let read =
        || walk(&team.path("share")).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect::<String>();
    let text = read();
    for word in ["invoice", "total", "round", "twice", team.path("ada").to_str().unwrap()] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    run(&ada, &["feedback", "--task", "another errand", "--useful", "first"]);
    run(&ada, &["feedback", "sync", &team.url(), "--texts"]);
    assert!(read().contains("another errand") && !read().contains("invoice"));
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() { files.extend(walk(&entry)) } else { files.push(entry) }
    }
    files
}

#[test]
fn changed_and_forged_batches_are_left_out() {
    let team = Team::new();
    let [ada, eve, bob] = ["ada", "eve", "bob"].map(|name| person(&team, name));
    run(&ada, &["feedback", "--task", TASK, "--useful", "second"]);
    sync(&ada, &team, "Ada");
    let [of_ada] = &walk(&team.path("share"))[..] else { panic!("one batch") };
    let text = std::fs::read_to_string(of_ada).unwrap();
    // Eve changes a vote of Ada, and publishes a batch of her own under Ada's key.
    let writer = of_ada.file_name().unwrap().to_str().unwrap()[..64].to_owned();
    let changed = of_ada.with_file_name(format!("{writer}-{}.jsonl", "0".repeat(32)));
    std::fs::write(&changed, text.replace("\"vote\":1", "\"vote\":-1")).unwrap();
    run(&eve, &["feedback", "--task", TASK, "--not-useful", "second"]);
    sync(&eve, &team, "Ada");
    assert!(sync(&bob, &team, "Bob").contains("1 objects are not batches of votes signed by their writer"));
    let explained = explained(&bob);
    assert!(explained.contains("vote of Ada: useful") && explained.contains("vote of Ada: not useful"), "{explained}");
    // The two are told apart by their keys.
    let message = run_in(&bob, &["feedback", "weigh", "Ada", "0"]);
    assert!(stderr(&message).contains("give the beginning of a key"), "{}", stderr(&message));
}

#[test]
fn votes_are_exchanged_by_themselves_when_configured() {
    let team = Team::new();
    let [ada, bob] = ["ada", "bob"].map(|name| person(&team, name));
    for (root, name) in [(&ada, "Ada"), (&bob, "Bob")] {
        std::fs::create_dir_all(root.join("config/knowing")).unwrap();
        let settings = format!("[share]\nurl = '{}'\n[feedback]\nsync = true\nname = '{name}'\n", team.url());
        std::fs::write(root.join("config/knowing/config.toml"), settings).unwrap();
    }
    run(&ada, &["feedback", "--task", TASK, "--useful", "second"]);
    run(&bob, &["index"]);
    assert!(explained(&bob).contains("vote of Ada"));
}
