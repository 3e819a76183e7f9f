//! Workspaces: merged packs, edges across repositories, questions about several, changes of members.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::{code, run_in, stderr, stdout};
use knowing_analysis::model::{Answer, Question, Request, Subject, Task};
use knowing_analysis::text::tokens;
use knowing_retrieval::engine::IndexOptions;
use knowing_retrieval::render::{RENDERERS, renderer_named};
use knowing_retrieval::workspace::{MemberSource, Workspace};

/// A library and a program that uses it, in each language: name, files of the library, files of the program, the used
/// definition with its file, and the using one.
type Pair =
    (&'static str, &'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)], [&'static str; 3]);

const PAIRS: &[Pair] = &[
    (
        "go",
        &[
            ("go.mod", "module example.com/store\n"),
            ("disk/disk.go", "package disk\n\n// Open opens a disk.\nfunc Open(path string) int { return 1 }\n"),
        ],
        &[
            ("go.mod", "module example.com/app\n\nrequire example.com/store v1.0.0\n"),
            ("main.go", "package main\n\nimport \"example.com/store/disk\"\n\nfunc start() { disk.Open(\"a\") }\n"),
        ],
        ["Open", "library/disk/disk.go", "start"],
    ),
    (
        "npm",
        &[
            ("package.json", "{\"name\": \"@shop/store\", \"main\": \"dist/index.js\"}"),
            ("src/index.ts", "export { open } from './disk';\n"),
            ("src/disk.ts", "export function open(path: string): number { return 1; }\n"),
        ],
        &[
            ("package.json", "{\"name\": \"app\", \"dependencies\": {\"@shop/store\": \"1\"}}"),
            ("main.ts", "import { open } from '@shop/store';\nexport function start() { open('a'); }\n"),
        ],
        ["open", "library/src/disk.ts", "start"],
    ),
    (
        "rust",
        &[
            ("Cargo.toml", "[package]\nname = \"shop-store\"\nversion = \"1.0.0\"\n"),
            ("src/lib.rs", "mod disk;\npub use disk::open;\n"),
            ("src/disk.rs", "pub fn open(path: &str) -> u32 { 1 }\n"),
        ],
        &[
            ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"1.0.0\"\n[dependencies]\nshop-store = \"1\"\n"),
            ("src/main.rs", "use shop_store::open;\nfn start() { open(\"a\"); }\nfn main() { start() }\n"),
        ],
        ["open", "library/src/disk.rs", "start"],
    ),
    (
        "python",
        &[
            ("pyproject.toml", "[project]\nname = \"Shop_Store\"\n"),
            ("src/store/__init__.py", "from .disk import open_disk\n"),
            ("src/store/disk.py", "def open_disk(path):\n    return 1\n"),
        ],
        &[
            ("pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"shop-store>=1\"]\n"),
            ("main.py", "from store import open_disk\n\n\ndef start():\n    return open_disk('a')\n"),
        ],
        ["open_disk", "library/src/store/disk.py", "start"],
    ),
    (
        "java",
        &[
            ("pom.xml", "<project><groupId>com.shop</groupId><artifactId>store</artifactId></project>"),
            (
                "src/main/java/com/shop/store/Disk.java",
                "package com.shop.store;\npublic class Disk {\n  public static int open(String path) { return 1; }\n}\n",
            ),
        ],
        &[
            (
                "pom.xml",
                "<project><groupId>com.shop</groupId><artifactId>app</artifactId><dependencies><dependency>\
                 <groupId>com.shop</groupId><artifactId>store</artifactId></dependency></dependencies></project>",
            ),
            (
                "src/main/java/com/shop/app/Main.java",
                "package com.shop.app;\nimport com.shop.store.Disk;\nclass Main {\n  void start() { Disk.open(\"a\"); }\n}\n",
            ),
        ],
        ["Disk.open", "library/src/main/java/com/shop/store/Disk.java", "start"],
    ),
];

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn open(folders: &[PathBuf]) -> Workspace {
    let source = |folder: &PathBuf| MemberSource {
        database: Some(crate::cli::database(folder)),
        folder: folder.clone(),
        ..MemberSource::default()
    };
    let sources: Vec<MemberSource> = folders.iter().map(source).collect();
    let mut workspace = Workspace::open(&sources, &|engine| engine).unwrap();
    refresh(&mut workspace);
    workspace
}

fn refresh(workspace: &mut Workspace) {
    for report in workspace.index(&IndexOptions { jobs: Some(1), ..IndexOptions::default() }, &|_, _| ()) {
        report.report.unwrap();
    }
    workspace.load();
    assert_eq!(workspace.notes(), Vec::<String>::new());
}

fn pair(root: &Path, library: &[(&str, &str)], program: &[(&str, &str)]) -> [PathBuf; 2] {
    let folders = [root.join("library"), root.join("program")];
    write(&folders[0], library);
    write(&folders[1], program);
    folders
}

fn callers(workspace: &mut Workspace, name: &str) -> Answer {
    workspace.questions().unwrap().ask(&Question::Callers { of: name.to_owned(), depth: 1 }, 100).unwrap()
}

fn names(answer: &Answer) -> Vec<String> {
    answer.rows.iter().map(|row| answer.repositories.file(&row.symbol).into_owned() + " " + &row.symbol.name).collect()
}

#[test]
fn callers_are_found_in_other_repositories_in_every_language() {
    for (language, library, program, [used, file, user]) in PAIRS {
        let root = tempfile::tempdir().unwrap();
        let mut workspace = open(&pair(root.path(), library, program));
        let answer = callers(&mut workspace, used);
        assert_eq!(answer.repositories.file(&answer.subjects[0]), *file, "{language}");
        let [row] = answer.rows.as_slice() else { panic!("{language}: {:?}", names(&answer)) };
        assert_eq!(row.symbol.name, *user, "{language}");
        assert!(!row.lines.is_empty() && row.is_certain, "{language}");
        let impact = Question::Impact { of: Subject::Symbol((*used).to_owned()), depth: 9 };
        assert!(workspace.questions().unwrap().ask(&impact, 100).unwrap().total >= 1, "{language}");
        let callees = Question::Callees { of: (*user).to_owned(), depth: 1 };
        let callees = workspace.questions().unwrap().ask(&callees, 100).unwrap();
        assert_eq!(callees.rows.len(), 1, "{language}: the definition replaces the external symbol");
        assert_eq!(callees.repositories.file(&callees.rows[0].symbol), *file, "{language}");
    }
}

#[test]
fn a_package_that_no_manifest_requires_has_no_edges() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let manifest = ("pyproject.toml", "[project]\nname = \"app\"\ndependencies = [\"other\"]\n");
    let mut workspace = open(&pair(root.path(), library, &[manifest, program[1]]));
    assert_eq!(workspace.cross_edges().unwrap(), []);
}

#[test]
fn an_update_of_one_member_changes_the_edges() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let folders = pair(root.path(), library, program);
    let mut workspace = open(&folders);
    assert_eq!(names(&callers(&mut workspace, "open_disk")), ["program/main.py start"]);
    fs::write(folders[1].join("more.py"), "import store\n\n\ndef more():\n    store.open_disk('b')\n").unwrap();
    refresh(&mut workspace);
    let found = ["program/main.py start", "program/more.py more"];
    assert_eq!(names(&callers(&mut workspace, "open_disk")), found);
    fs::write(folders[0].join("src/store/__init__.py"), "").unwrap();
    refresh(&mut workspace);
    assert_eq!(names(&callers(&mut workspace, "open_disk")), Vec::<String>::new());
}

#[test]
fn a_task_is_a_question_if_the_names_in_it_are_known() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let mut workspace = open(&pair(root.path(), library, program));
    assert_eq!(workspace.questions_of("start the program", 3).unwrap(), []);
    assert_eq!(workspace.questions_of("what calls close_disk?", 3).unwrap(), []);
    let asked = workspace.questions_of("what calls open_disk?", 3).unwrap().pop();
    assert_eq!(asked, Some(Question::Callers { of: "open_disk".to_owned(), depth: 1 }));
    fs::write(root.path().join("program/twin.py"), "def open_disk():\n    pass\n").unwrap();
    refresh(&mut workspace);
    let error = workspace.questions_of("what calls open_disk?", 1).unwrap_err().to_string();
    assert!(error.contains("program://twin.py.open_disk"), "{error}");
}

#[test]
fn a_deleted_member_is_a_note_and_the_others_answer() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let folders = pair(root.path(), library, program);
    let mut workspace = open(&folders);
    drop(workspace);
    let source = |folder: &PathBuf| MemberSource {
        database: Some(crate::cli::database(folder)),
        folder: folder.clone(),
        ..MemberSource::default()
    };
    workspace = Workspace::open(&folders.each_ref().map(source), &|engine| engine).unwrap();
    crate::cli::remove_state(&folders[0]);
    workspace.load();
    assert_eq!(workspace.notes().len(), 1);
    let task = Task::from_text("start the program");
    let ranking = workspace.rank(&task, &|| false).unwrap().unwrap();
    let pack = workspace.pack(&task, &ranking, renderer_named("json").unwrap(), false).unwrap();
    assert!(pack.symbols.iter().any(|packed| packed.symbol.name == "start"));
    assert_eq!(ranking.probabilities(), [0.0, 1.0]);
}

#[test]
fn packs_name_the_repository_in_every_format_and_keep_the_budget() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let mut workspace = open(&pair(root.path(), library, program));
    workspace.cross_edges().unwrap();
    for budget_tokens in [300, 600, 4_000] {
        let task = Task { budget_tokens, ..Task::from_text("start the program that opens a disk with open_disk") };
        let ranking = workspace.rank(&task, &|| false).unwrap().unwrap();
        for renderer in RENDERERS {
            let pack = workspace.pack(&task, &ranking, *renderer, false).unwrap();
            let text = renderer.render(&pack);
            assert!(tokens::count(&text) <= budget_tokens, "{}", renderer.name());
            for packed in &pack.symbols {
                let sum: f64 = packed.components.iter().map(|component| component.contribution).sum();
                assert!((sum - packed.score).abs() < 1e-9);
            }
            let shares = workspace.shares(&ranking, &pack);
            assert_eq!(shares.iter().map(|share| share.symbols).sum::<usize>(), pack.symbols.len());
            if budget_tokens == 4_000 {
                let is_edge = |edge: &knowing_analysis::model::PackEdge| {
                    edge.provenance == knowing_analysis::model::Provenance::Package
                };
                assert!(renderer.name() == "lines" || pack.edges.iter().any(is_edge), "{}", renderer.name());
                let file =
                    if renderer.name() == "lines" { "/library/src/store/disk.py" } else { "library/src/store/disk.py" };
                assert!(text.contains(file) && text.contains("program/main.py"), "{}\n{text}", renderer.name());
            }
        }
    }
}

#[test]
fn files_of_a_request_begin_with_a_label_or_are_of_each_repository_that_has_them() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let mut workspace = open(&pair(root.path(), library, program));
    for path in ["program/main.py", "main.py", "./main.py"] {
        let task = Task { request: Request::Files(vec![path.to_owned()]), ..Task::from_text("") };
        let ranking = workspace.rank(&task, &|| false).unwrap().unwrap();
        assert!(ranking.part(0).is_none() && ranking.part(1).is_some(), "{path}");
    }
}

#[test]
fn repositories_that_can_not_be_in_one_workspace_are_errors() {
    let root = tempfile::tempdir().unwrap();
    for folder in ["a/api", "b/api", "a/api/inner"] {
        fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    let error = |folders: &[&str]| {
        let source = |folder: &&str| MemberSource { folder: root.path().join(folder), ..MemberSource::default() };
        let sources: Vec<MemberSource> = folders.iter().map(source).collect();
        let opened = Workspace::open(&sources, &|engine| engine);
        opened.err().map_or_else(String::new, |error| error.to_string())
    };
    assert!(error(&["a/api", "a/api"]).ends_with("is named twice"));
    assert!(error(&["a/api", "b/api"]).contains("have the same id, api"));
    assert!(error(&["a/api", "a/api/inner"]).contains("is inside"));
    assert!(error(&["a/api/inner", "a/api"]).contains("is inside"));
    assert!(error(&["nowhere"]).ends_with("nowhere does not exist"));
    assert!(error(&[]).contains("at least one"));
}

#[test]
fn a_missing_folder_is_a_note_and_the_others_answer() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    pair(root.path(), library, program);
    let text =
        "[[repository]]\npath = \"library\"\n[[repository]]\npath = \"nowhere\"\n[[repository]]\npath = \"program\"\n";
    fs::write(root.path().join("workspace.toml"), text).unwrap();
    let output = run_in(root.path(), &["--workspace", "workspace.toml", "callers", "open_disk"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("nowhere does not exist"), "{}", stderr(&output));
    assert!(stdout(&output).contains("program/main.py"), "{}", stdout(&output));
}

#[test]
fn commands_take_several_repositories_and_a_workspace_file() {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    pair(root.path(), library, program);
    let text = "[[repository]]\npath = \"library\"\nname = \"store\"\n[[repository]]\npath = \"program\"\n";
    fs::write(root.path().join("workspace.toml"), text).unwrap();
    let run = |arguments: &[&str]| run_in(root.path(), arguments);
    let output = run(&["--repo", "library", "--repo", "program", "callers", "open_disk"]);
    assert!(stdout(&output).contains("program/main.py:4  calls, line 5"), "{}{}", stdout(&output), stderr(&output));
    let output = run(&["--workspace", "program", "context", "open_disk", "--format", "json"]);
    assert!(stdout(&output).contains("\"repository\":\"store\""), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("\"provenance\":\"package\""), "{}{}", stdout(&output), stderr(&output));
    let output = run(&["--workspace", ".", "status"]);
    assert!(code(&output) == 0 && stdout(&output).contains("store"), "{}", stdout(&output));
    let output = run(&["--workspace", ".", "query", "start", "--format", "lines"]);
    assert!(stdout(&output).contains("program/main.py:4:5: function start"), "{}", stdout(&output));
    let output = run(&["--workspace", ".", "query", "--edges"]);
    assert!(stdout(&output).contains("\"provenance\":\"package\""), "{}", stdout(&output));
    let vote = ["--workspace", ".", "feedback", "--task", "open the disk", "--useful", "store://open_disk"];
    assert_eq!(code(&run(&vote)), 0, "{}", stderr(&run(&vote)));
    assert!(stdout(&run(&["--repo", "library", "feedback", "list"])).contains("open_disk"));
    assert!(!stdout(&run(&["--repo", "program", "feedback", "list"])).contains("open_disk"));
}

/// Two repositories with a test in each; returns a function that runs a command about both.
fn two() -> (tempfile::TempDir, impl Fn(&[&str]) -> (i32, String, String)) {
    let (_, library, program, _) = PAIRS[3];
    let root = tempfile::tempdir().unwrap();
    let folders = pair(root.path(), library, program);
    let test = ("test_disk.py", "from store import open_disk\n\n\ndef test_open():\n    assert open_disk('a') == 1\n");
    write(&folders[0], &[test]);
    let test = ("test_main.py", "from main import start\n\n\ndef test_start():\n    assert start() == 1\n");
    write(&folders[1], &[test]);
    let folder = root.path().to_owned();
    let run = move |arguments: &[&str]| {
        let output = run_in(&folder, &[&["--repo", "library", "--repo", "program"], arguments].concat());
        (code(&output), stdout(&output), stderr(&output))
    };
    (root, run)
}

#[test]
fn every_question_follows_edges_between_repositories() {
    let (_root, run) = two();
    let (code, text, notes) = run(&["impact", "library://open_disk"]);
    assert!(
        code == 0 && text.contains("program/test_main.py") && text.contains("library/test_disk.py"),
        "{text}{notes}"
    );
    let (_, text, _) = run(&["tests", "open_disk"]);
    assert!(text.contains("2 tests") && text.contains("program/test_main.py:4"), "{text}");
    let (_, text, _) = run(&["tests", "open_disk", "--format", "commands"]);
    let commands: Vec<&str> = text.lines().collect();
    assert!(commands.len() == 2 && commands.iter().all(|command| command.starts_with("(cd ")), "{text}");
    assert!(commands[1].contains("program && ") && commands[1].ends_with("test_start)"), "{text}");
    let (_, text, _) = run(&["path", "start", "open_disk"]);
    assert!(text.contains("1 step") && text.contains("calls open_disk  library/src/store/disk.py:1"), "{text}");
    assert_eq!(run(&["path", "open_disk", "start"]).0, 1);
    let (_, text, _) = run(&["symbol", "open_disk"]);
    assert!(
        text.contains("function library/src/store/disk.py:1-2") && text.contains("start  program/main.py:4"),
        "{text}"
    );
    let (code, _, notes) = run(&["callers", "nowhere"]);
    assert!(code == 1 && notes.contains("no symbol is called `nowhere`"), "{notes}");
}

#[test]
fn explanations_have_the_rank_among_all_repositories() {
    let (_root, run) = two();
    let why = ["why", "--task", "open_disk", "--symbol", "start", "--with-vote", "useful", "--format", "json"];
    let (code, text, notes) = run(&why);
    assert_eq!(code, 0, "{notes}");
    let why: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(why["symbol"], "program://main.py.start");
    assert_eq!(why["file"], "program/main.py");
    let (_, pack, _) = run(&["context", "open_disk", "--format", "json", "--no-learn"]);
    let pack: serde_json::Value = serde_json::from_str(&pack).unwrap();
    let is_start = |symbol: &serde_json::Value| symbol["file"] == "program/main.py" && symbol["line"] == 4;
    let position = pack["symbols"].as_array().unwrap().iter().position(is_start).unwrap();
    assert_eq!(why["rank"]["rank"], position + 1, "{text}");
    assert!(why["rank"]["of"].as_u64().unwrap() >= 4, "both repositories count: {text}");
    let components = why["rank"]["components"].as_array().unwrap();
    assert!(components.iter().any(|component| component["name"] == "repository"), "{text}");
    assert_eq!(why["counterfactuals"].as_array().unwrap().len(), 1);
    let (_, text, _) = run(&["symbol", "open_disk", "--task", "open_disk"]);
    assert!(text.contains("why it ranks"), "{text}");
}

#[test]
fn a_revision_may_be_one_of_some_repositories() {
    let (root, run) = two();
    assert_eq!(run(&["impact", "--diff", "HEAD"]).0, 3, "no repository has a revision");
    let library = root.path().join("library");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let mut command = std::process::Command::new("git");
        assert!(command.current_dir(&library).args(identity).args(arguments).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    fs::write(library.join("src/store/disk.py"), "def open_disk(path):\n    return 2\n").unwrap();
    let (code, text, notes) = run(&["impact", "--diff", "HEAD"]);
    assert!(code == 0 && text.contains("program/main.py"), "{text}{notes}");
    assert!(text.contains("program: ") || notes.contains("program: "), "{text}{notes}");
    let (code, text, notes) = run(&["context", "--pr", "HEAD", "--no-learn"]);
    assert!(code == 0 && text.contains("open_disk") && notes.contains("program: "), "{text}{notes}");
}

#[test]
fn checks_and_lists_name_the_repository() {
    let (root, run) = two();
    assert_eq!(run(&["status", "--check"]).0, 1, "there is no index");
    assert_eq!(run(&["index"]).0, 0);
    assert_eq!(
        run(&["status", "--check"]),
        (0, "library\nthe index is up to date\n\nprogram\nthe index is up to date\n".into(), "".into())
    );
    fs::write(root.path().join("program/more.py"), "x = 1\n").unwrap();
    let (code, text, _) = run(&["status", "--check", "--format", "json"]);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(code, 1);
    assert_eq!((&lines[0]["repository"], &lines[0]["result"]["stale"]), (&"library".into(), &false.into()));
    assert_eq!((&lines[1]["repository"], &lines[1]["result"]["new_files"]), (&"program".into(), &1.into()));
    let (code, text, _) = run(&["status", "--verify"]);
    assert!(code == 0 && text.starts_with("library\ncheck") && text.contains("\n\nprogram\ncheck"), "{text}");
    let vote = ["feedback", "--task", "open the disk", "--useful", "open_disk"];
    assert_eq!(run(&vote).0, 0);
    let (code, text, _) = run(&["feedback", "list"]);
    assert!(code == 0 && text.starts_with("library\nentry") && text.contains("\n\nprogram\n"), "{text}");
    for command in [
        &["concepts", "list"][..],
        &["feedback", "list"],
        &["feedback", "terms", "list"],
        &["status", "--skips"],
        &["status", "--verify"],
    ] {
        let (_, text, notes) = run(&[command, &["--format", "json"]].concat());
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{text}{notes}"))).collect();
        let names: Vec<&str> = lines.iter().map(|line| line["repository"].as_str().unwrap()).collect();
        assert_eq!(names, ["library", "program"], "{command:?}");
    }
    for command in
        [&["concepts", "list"][..], &["why", "--stage", "keywords", "--task", "open_disk"], &["status", "--skips"]]
    {
        let (code, text, notes) = run(command);
        assert!(code == 0 && text.starts_with("library\n") && text.contains("\nprogram\n"), "{text}{notes}");
    }
    let (_, text, _) = run(&["query", "--nodes"]);
    assert!(text.contains("{\"repository\":\"library\"") && text.contains("{\"repository\":\"program\""), "{text}");
}

#[test]
fn a_single_repository_has_no_labels() {
    let (root, _) = two();
    let workspace = "[[repository]]\npath = \"library\"\nname = \"store\"\n";
    fs::write(root.path().join("workspace.toml"), workspace).unwrap();
    for command in [&["symbol", "open_disk"][..], &["callers", "open_disk", "--format", "json"], &["query", "--nodes"]]
    {
        let of_workspace = stdout(&run_in(root.path(), &[&["--workspace", "."], command].concat()));
        let of_repository = stdout(&run_in(root.path(), &[&["--repo", "library"], command].concat()));
        assert!(of_workspace == of_repository && !of_repository.is_empty(), "{of_workspace}{of_repository}");
    }
}

#[test]
fn commands_about_one_repository_refuse_several() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[("a/a.py", ""), ("b/b.py", "")]);
    let run = |arguments: &[&str]| {
        let output = run_in(root.path(), &[&["--repo", "a", "--repo", "b"], arguments].concat());
        (code(&output), stderr(&output))
    };
    for arguments in [&["feedback", "export"][..], &["feedback", "undo"], &["install"]] {
        let (code, message) = run(arguments);
        assert_eq!(code, 2, "{message}");
        assert!(message.contains("this command is about one repository"), "{message}");
    }
    assert!(run(&["--db", "x.db", "status"]).1.contains("--db is one database"));
    assert_eq!(code(&run_in(root.path(), &["--workspace", ".", "status"])), 2, "there is no workspace.toml");
}
