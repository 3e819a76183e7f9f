//! Killed, failing and concurrent indexers, and damaged databases: the last complete index is kept.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use knowing_indexing::index::{IndexOptions, index};
use knowing_indexing::store::fsck;

use crate::index::dump::dump;
use crate::index::source::{Dice, PATHS, source};

/// A repository with its database.
struct Project {
    _folder: tempfile::TempDir,
    root: PathBuf,
    database: PathBuf,
}

impl Project {
    /// Creates a repository that takes a while to index.
    fn new(copies: u64) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
        let project = Project { _folder: folder, root, database };
        project.fill(copies, 1);
        project
    }

    fn fill(&self, copies: u64, seed: u64) {
        for copy in 0..copies {
            for (path, number) in PATHS.iter().zip(1..) {
                let path = self.root.join(format!("part{copy}")).join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text = source(path.to_str().unwrap(), seed + copy * 100 + number);
                std::fs::write(path, text).unwrap();
            }
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knowing"));
        command.arg("--db").arg(&self.database).arg("--repo").arg(&self.root).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    fn options(&self, force: bool) -> IndexOptions {
        let database = Some(self.database.clone());
        IndexOptions { database, force, jobs: Some(2), ..IndexOptions::default() }
    }

    /// Asserts that fsck finds no problem.
    #[track_caller]
    fn check(&self) {
        for finding in fsck(&self.database).unwrap() {
            assert_eq!(finding.problems, Vec::<String>::new(), "{}", finding.check);
        }
    }

    fn leftover(&self) -> PathBuf {
        self.database.with_file_name("graph.db-new")
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_killed_indexer_leaves_the_old_or_the_new_index() {
    let project = Project::new(8);
    let start = Instant::now();
    assert!(project.run(&["index"]).status.success());
    let duration = start.elapsed();
    let mut states = vec![dump(&project.database)];
    let mut killed = 0;
    for step in 1..=6 {
        project.fill(8, step * 10_000);
        let mut child = project.start(if step % 2 == 0 { &["index", "--force"] } else { &["index"] });
        std::thread::sleep(duration * step as u32 / 7);
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        project.check();
        let left = dump(&project.database);
        let last = states.last().unwrap();
        if left != *last {
            assert!(project.run(&["index"]).status.success());
            assert!(left == dump(&project.database), "neither the old nor the new index remained");
            states.push(left);
        }
    }
    assert!(killed > 0, "every run ended before it was killed");
    assert!(project.run(&["index"]).status.success());
    let updated = dump(&project.database);
    index(&project.root, &project.options(true), &|_| {}).unwrap();
    assert!(updated == dump(&project.database), "an update must equal a rebuild");
}

/// Returns a repository whose first run was killed after it began to write; `None` if the run ended before.
fn killed_while_it_writes(copies: u64) -> Option<Project> {
    let project = Project::new(copies);
    let mut child = project.start(&["index"]);
    let started = Instant::now();
    while !project.leftover().exists() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let is_killed = !child.wait().unwrap().success();
    (is_killed && project.leftover().exists()).then_some(project)
}

#[test]
fn a_killed_first_run_leaves_no_index() {
    let project = [8, 32, 128].into_iter().find_map(killed_while_it_writes).expect("a run is killed before its end");
    let output = project.run(&["status"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("there is no index") && stderr(&output).contains("knowing index"));
    assert!(project.run(&["index"]).status.success());
    assert!(!project.leftover().exists());
    project.check();
}

#[test]
fn concurrent_indexers_and_readers_see_complete_indexes() {
    let project = Project::new(8);
    assert!(project.run(&["index"]).status.success());
    let before = dump(&project.database);
    let lock = std::fs::File::options().write(true).open(format!("{}-lock", project.database.display())).unwrap();
    lock.lock().unwrap();
    // Without something to write no lock is needed.
    let new = project.root.join("new.py");
    std::fs::write(&new, "def new(): pass\n").unwrap();
    let refused = project.run(&["index"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(stderr(&refused).contains("another process is indexing"), "{}", stderr(&refused));
    std::fs::remove_file(new).unwrap();
    drop(lock);
    let mut first = project.start(&["index", "--force"]);
    while first.try_wait().unwrap().is_none() {
        let second = project.run(&["index"]);
        assert!(matches!(second.status.code(), Some(0 | 3)), "{}", stderr(&second));
        // Readers work while an index is written.
        assert_eq!(project.run(&["query", "C1"]).status.code(), Some(0));
        assert!(dump(&project.database) == before, "readers must see the last complete index");
    }
    // The second process may have acquired the lock first.
    assert!(matches!(first.wait().unwrap().code(), Some(0 | 3)));
    project.check();
    assert!(dump(&project.database) == before);
}

/// A file size limit simulates a full disk without root.
#[cfg(unix)]
#[test]
fn a_failed_write_keeps_the_last_index() {
    let project = Project::new(4);
    let limited = |arguments: &[&str]| {
        let inner = project.command(arguments);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\""]).arg(inner.get_program());
        shell.args(inner.get_args()).stdin(Stdio::null()).output().unwrap()
    };
    let output = limited(&["index"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("knowing index"), "{}", stderr(&output));
    assert!(!project.database.exists() && !project.leftover().exists(), "unfinished files must be removed");

    assert!(project.run(&["index"]).status.success());
    let before = dump(&project.database);
    project.fill(4, 5_000);
    for arguments in [&["index"][..], &["index", "--force"]] {
        let output = limited(arguments);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        project.check();
        assert!(dump(&project.database) == before, "the last complete index must be kept");
    }
    assert!(project.run(&["index"]).status.success());
}

#[test]
fn damage_is_refused_or_harmless_and_force_repairs_it() {
    let project = Project::new(1);
    index(&project.root, &project.options(false), &|_| {}).unwrap();
    let (sound, before) = (std::fs::read(&project.database).unwrap(), dump(&project.database));
    let dice = &mut Dice::new(7);
    for round in 0..24 {
        let mut bytes = sound.clone();
        let start = dice.roll(bytes.len() as u64) as usize;
        let end = bytes.len().min(start + [16, 4_096, 65_536][round % 3]);
        match round % 4 {
            0 => bytes.truncate(start),
            1 => bytes[start..end].fill(0),
            2 => bytes[start..end].iter_mut().for_each(|byte| *byte = dice.roll(256) as u8),
            _ => (0..40).for_each(|_| bytes[dice.roll(sound.len() as u64) as usize] ^= 1 << dice.roll(8)),
        }
        remove_all(&project.database);
        std::fs::write(&project.database, &bytes).unwrap();
        for arguments in
            [&["status"][..], &["status", "--verify"], &["query", "C1"], &["context", "--task", "gets a field"]]
        {
            let output = project.run(arguments);
            let text = stderr(&output);
            assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "round {round}, {arguments:?}: {text}");
            assert!(!text.contains("panicked"), "round {round}, {arguments:?}: {text}");
            let has_remedy = text.contains("knowing index") && text.contains("graph.db");
            assert!(output.status.code() != Some(3) || has_remedy, "round {round}, {arguments:?}: {text}");
        }
        index(&project.root, &project.options(true), &|_| {}).unwrap_or_else(|error| panic!("round {round}: {error}"));
        project.check();
        assert!(dump(&project.database) == before, "round {round}");
    }
}

/// Removes the database and its sibling files.
fn remove_all(database: &Path) {
    for suffix in ["", "-wal", "-shm", "-lock", "-new", "-replaced"] {
        let path = PathBuf::from(format!("{}{suffix}", database.display()));
        if path.exists() {
            std::fs::remove_file(path).unwrap();
        }
    }
}
