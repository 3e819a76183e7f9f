//! Folders that are more than a project are indexed only when the user agrees.

use std::path::Path;

use super::{Shop, code, program, run_in, stderr};

/// Runs the program in the fixture as if its folder was the home folder.
fn run_at_home(shop: &Shop, arguments: &[&str]) -> std::process::Output {
    program(&shop.root(), arguments).env("HOME", shop.root()).output().unwrap()
}

#[test]
fn home_folder_needs_yes() {
    let shop = Shop::new();
    for arguments in
        [&["query", "charge"][..], &["context", "charge"], &["index"], &["tui", "--plain"], &["feedback", "list"]]
    {
        let output = run_at_home(&shop, arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("home folder; to index it, add --yes"), "{}", stderr(&output));
    }
    assert!(!crate::cli::data_home(&shop.root()).exists(), "nothing is written");

    assert_eq!(code(&run_at_home(&shop, &["--yes", "query", "charge"])), 0);
    assert_eq!(code(&run_at_home(&shop, &["query", "charge"])), 0, "it has an index now");
}

#[cfg(target_os = "linux")]
#[test]
fn system_folders_need_yes() {
    for folder in ["/", "/proc", "/sys"] {
        let folder = Path::new(folder);
        let output = run_in(folder, &["query", "main"]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("add --yes"), "{}", stderr(&output));
    }
}

/// Runs the program on a terminal where the user types `answer`; returns the exit code and what the terminal shows.
#[cfg(unix)]
fn run_on_terminal(shop: &Shop, home: &Path, answer: &str) -> (u32, String) {
    use std::io::{Read, Write};

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    let terminal = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_knowing"));
    command.args(["query", "charge"]);
    command.cwd(shop.root());
    command.env("HOME", home);
    command.env_remove("KNOWING_HOME");
    command.env("XDG_DATA_HOME", crate::cli::data_home(&shop.root()));
    command.env("KNOWING_CACHE", "off");
    let mut child = terminal.slave.spawn_command(command).unwrap();
    terminal.master.take_writer().unwrap().write_all(answer.as_bytes()).unwrap();
    let mut reader = terminal.master.try_clone_reader().unwrap();
    let code = child.wait().unwrap().exit_code();
    drop(terminal.slave);
    let mut text = Vec::new();
    // On Linux, reading a terminal whose other end is closed fails after all data was read.
    let _end = reader.read_to_end(&mut text);
    (code, String::from_utf8_lossy(&text).into_owned())
}

#[cfg(unix)]
#[test]
fn user_is_asked_once_about_a_scip_index_of_the_repository() {
    for (answer, is_used) in [("\n", false), ("n\n", false), ("y\n", true)] {
        let shop = Shop::new();
        std::fs::write(shop.root().join("index.scip"), "no index").unwrap();
        let (code, text) = run_on_terminal(&shop, Path::new("/nonexistent"), answer);
        assert_eq!(code, 0, "{text}");
        assert!(text.contains("index.scip comes with the repository. Use its edges? [y/N]"), "{text}");
        assert_eq!(text.contains("index.scip is left out"), is_used, "{text}");
        let (code, text) = run_on_terminal(&shop, Path::new("/nonexistent"), "");
        assert!(code == 0 && !text.contains("comes with"), "{text}");
        assert!(!stderr(&shop.run(&["query", "charge"])).contains("comes with"), "the answer is remembered");
    }
}

#[cfg(unix)]
#[test]
fn user_is_asked_on_a_terminal() {
    let shop = Shop::new();
    for (answer, expected) in [("\n", 2), ("n\n", 2), ("y\n", 0)] {
        let (code, text) = run_on_terminal(&shop, &shop.root(), answer);
        assert_eq!(code, expected, "{answer:?}");
        assert!(text.contains("home folder. Index it? [y/N]"), "{text}");
        assert_eq!(crate::cli::database(&shop.root()).exists(), expected == 0);
    }
}
