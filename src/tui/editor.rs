//! Opens the user's editor at a line.
//!
//! An editor is a command with a preset for its syntax, or a template with `{file}` and `{line}`. No shell is involved:
//! arguments are separated by whitespace, and a file name is always one argument.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::roots::Roots;
use super::screen::Screen;

/// The editor if neither settings nor environment name one.
const DEFAULT_EDITOR: &str = "vi";

/// A look-up of variables of the environment.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// An error of running the editor.
#[derive(Debug, Error)]
pub enum EditorError {
    #[error("cannot write the task to a temporary file: {0}")]
    TemporaryFile(io::Error),
    #[error("cannot open the terminal for {0}: {1}")]
    Terminal(String, io::Error),
    #[error("cannot start {0} (set $VISUAL or $EDITOR): {1}")]
    Start(String, io::Error),
    #[error("the file is outside the repository")]
    Outside,
    #[error("{0} failed: {1}")]
    Failed(String, ExitStatus),
}

/// Returns the command line that opens files at lines in an editor named by the settings, `$VISUAL` or `$EDITOR`. Where
/// only one line can be passed it is that of the first file.
fn command_line(editor: &str, locations: &[(PathBuf, usize)], lookup: Lookup<'_>) -> Vec<OsString> {
    let (first, others) = match locations.split_first() {
        Some(((path, line), others)) => ((path.as_path(), *line), others),
        None => return vec![DEFAULT_EDITOR.into()],
    };
    let paths = others.iter().map(|(path, _)| OsString::from(path));
    if editor.contains(FILE) {
        let words = editor.split_whitespace().map(|word| variable(word, lookup));
        return words.map(|word| expand(&word, first.0, first.1)).chain(paths).collect();
    }
    let words: Vec<String> = editor.split_whitespace().map(|word| variable(word, lookup)).collect();
    if is_nvim_server(&words) {
        return words.into_iter().map(OsString::from).chain(remote_arguments(locations)).collect();
    }
    let mut words = words.iter().map(String::as_str);
    let program = words.next().unwrap_or(DEFAULT_EDITOR);
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).trim_end_matches(".exe");
    let mut arguments: Vec<OsString> = vec![program.into()];
    arguments.extend(words.map(OsString::from));
    arguments.extend(arguments_of(name, first.0, first.1));
    match name {
        "vi" | "vim" | "nvim" | "gvim" | "view" => arguments.extend(paths),
        _ => arguments.extend(others.iter().flat_map(|(path, line)| arguments_of(name, path, *line))),
    }
    arguments
}

/// Returns the value of the environment's variable that a word names, as in `$NVIM`; any other word is returned as it is.
fn variable(word: &str, lookup: Lookup<'_>) -> String {
    word.strip_prefix('$').and_then(lookup).unwrap_or_else(|| word.to_owned())
}

/// Returns whether a command line names a Neovim that is already open.
fn is_nvim_server(words: &[String]) -> bool {
    let program = words.first().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    program == "nvim" && words.iter().any(|word| word == "--server")
}

/// Returns the arguments by which a running Neovim opens files, the first one last, at its line. Its `--remote` takes no
/// line, and keys that are sent would be read as part of a file name.
fn remote_arguments(locations: &[(PathBuf, usize)]) -> [OsString; 2] {
    let mut expression = OsString::from("execute([");
    for (path, line) in locations.iter().rev() {
        expression.push("'drop ' . fnameescape('");
        // Within these quotes only the quote itself has a meaning.
        expression.push(path.to_string_lossy().replace('\'', "''"));
        expression.push(format!("'), '{line}', "));
    }
    expression.push("])");
    ["--remote-expr".into(), expression]
}

/// Returns the arguments that open a file at a line in the editor with this name.
fn arguments_of(name: &str, path: &Path, line: usize) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let at_line = |separator: &str| {
        let mut text = path.as_os_str().to_os_string();
        text.push(format!("{separator}{line}"));
        text
    };
    match name {
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => {
            arguments.extend(["--goto".into(), at_line(":")]);
        }
        "hx" | "helix" | "zed" | "zeditor" | "subl" | "sublime_text" | "atom" => arguments.push(at_line(":")),
        "idea" | "pycharm" | "goland" | "rustrover" | "webstorm" | "clion" | "kate" | "mate" => {
            arguments.extend(["--line".into(), line.to_string().into(), path.into()]);
        }
        "vi" | "vim" | "nvim" | "gvim" | "view" | "nano" | "emacs" | "emacsclient" | "kak" | "micro" | "joe" | "mg"
        | "ne" | "jed" => {
            arguments.extend([format!("+{line}").into(), path.into()]);
        }
        // The syntax for lines is unknown.
        _ => arguments.push(path.into()),
    }
    arguments
}

/// The placeholder of the file in a template.
const FILE: &str = "{file}";

/// Expands the placeholders in an argument of a template.
fn expand(word: &str, path: &Path, line: usize) -> OsString {
    let mut text = OsString::new();
    for (index, part) in word.split(FILE).enumerate() {
        if index > 0 {
            text.push(path);
        }
        text.push(part.replace("{line}", &line.to_string()));
    }
    text
}

/// Opens `text` in the editor and returns the edited text.
///
/// # Errors
/// When the editor cannot be started or fails, or the temporary file cannot be written or read.
pub fn compose(editor: &str, text: &str, lookup: Lookup<'_>) -> Result<String, EditorError> {
    // `.txt` keeps editors from formatting the text. The file is private and deleted at the end.
    let file = tempfile::Builder::new().prefix("knowing-task-").suffix(".txt").tempfile();
    let mut file = file.map_err(EditorError::TemporaryFile)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(EditorError::TemporaryFile)?;
    open(editor, &[(file.path().to_owned(), 1)], lookup)?;
    // Many editors replace the file, so it is read by name.
    let bytes = fs::read(file.path()).map_err(EditorError::TemporaryFile)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Files that are open in the user's editor, with the hashes of their contents.
#[derive(Debug, Default)]
pub struct OpenFiles {
    files: Vec<(String, PathBuf, Option<blake3::Hash>)>,
}

impl OpenFiles {
    /// Returns the files whose contents have changed, and removes them.
    pub fn take_changed(&mut self) -> Vec<String> {
        let files = self.files.extract_if(.., |(_, path, before)| fingerprint(path) != *before);
        files.map(|(file, ..)| file).collect()
    }
}

/// An editor that ends so soon is open elsewhere, such as `code`, or `hx` in a split of tmux.
const DETACHED: Duration = Duration::from_secs(1);

/// Opens files of the repository at lines and waits until the editor ends. Returns the files, the error of the editor, and
/// whether the editor may still be open elsewhere.
pub fn edit(
    editor: &str,
    roots: &Roots,
    locations: &[(String, usize)],
    lookup: Lookup<'_>,
) -> (OpenFiles, Result<bool, EditorError>) {
    let inside = locations.iter().map(|(file, line)| Some((roots.path(file)?, *line)));
    let Some(inside) = inside.collect::<Option<Vec<_>>>() else {
        return (OpenFiles::default(), Err(EditorError::Outside));
    };
    let paths =
        locations.iter().zip(&inside).map(|((file, _), (path, _))| (file.clone(), path.clone(), fingerprint(path)));
    let files = OpenFiles { files: paths.collect() };
    let start = Instant::now();
    let ended = open(editor, &inside, lookup);
    (files, ended.map(|()| start.elapsed() < DETACHED))
}

/// Returns the hash of a file's contents; `None` if it cannot be read.
fn fingerprint(path: &Path) -> Option<blake3::Hash> {
    // A pipe is not opened.
    fs::metadata(path).ok().filter(|metadata| metadata.is_file())?;
    Some(blake3::Hasher::new().update_reader(File::open(path).ok()?).ok()?.finalize())
}

/// Opens files at lines and waits until the editor ends.
fn open(editor: &str, locations: &[(PathBuf, usize)], lookup: Lookup<'_>) -> Result<(), EditorError> {
    let mut arguments = command_line(editor, locations, lookup).into_iter();
    let program = arguments.next().unwrap_or_else(|| DEFAULT_EDITOR.into());
    let name = program.to_string_lossy().into_owned();
    let screen = match Screen::for_child() {
        Ok(screen) => screen,
        Err(error) => return Err(EditorError::Terminal(name, error)),
    };
    match Command::new(program).args(arguments).stdout(screen).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(EditorError::Failed(name, status)),
        Err(error) => Err(EditorError::Start(name, error)),
    }
}

/// Returns the editor of the settings, else that of the environment.
pub fn choose(configured: Option<&str>, lookup: Lookup<'_>) -> String {
    let from_environment = |name| lookup(name).filter(|value| !value.trim().is_empty());
    configured
        .map(str::to_owned)
        .or_else(|| from_environment("VISUAL"))
        .or_else(|| from_environment("EDITOR"))
        .unwrap_or_else(|| DEFAULT_EDITOR.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_pass_file_and_line() {
        let cases = [
            ("nvim", "nvim +7 /r/a.rs"),
            ("/usr/bin/vim -p", "/usr/bin/vim -p +7 /r/a.rs"),
            ("code --wait", "code --wait --goto /r/a.rs:7"),
            ("hx", "hx /r/a.rs:7"),
            ("emacsclient -nw", "emacsclient -nw +7 /r/a.rs"),
            ("nano", "nano +7 /r/a.rs"),
            ("idea", "idea --line 7 /r/a.rs"),
            ("micro", "micro +7 /r/a.rs"),
            ("kak", "kak +7 /r/a.rs"),
            ("subl -w", "subl -w /r/a.rs:7"),
            ("ed", "ed /r/a.rs"),
            ("my-editor --at={line} {file}", "my-editor --at=7 /r/a.rs"),
            ("e {file}:{line}:1", "e /r/a.rs:7:1"),
        ];
        for (editor, expected) in cases {
            let words = command_line(editor, &[(PathBuf::from("/r/a.rs"), 7)], &|_| None);
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
        }
    }

    #[test]
    fn several_files_are_opened() {
        let locations = [(PathBuf::from("/r/a.rs"), 7), (PathBuf::from("/r/b.rs"), 9)];
        for (editor, expected) in [
            ("nvim", "nvim +7 /r/a.rs /r/b.rs"),
            ("hx", "hx /r/a.rs:7 /r/b.rs:9"),
            ("code", "code --goto /r/a.rs:7 --goto /r/b.rs:9"),
            ("e {file}:{line}", "e /r/a.rs:7 /r/b.rs"),
        ] {
            let words = command_line(editor, &locations, &|_| None);
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
        }
    }

    #[test]
    fn running_neovim_opens_files_without_reading_their_names_as_commands() {
        let locations = [(PathBuf::from("/r/it's | q.rs"), 7), (PathBuf::from("/r/b.rs"), 9)];
        let socket = |name: &str| (name == "NVIM").then(|| "/tmp/nvim.0".to_owned());
        let expected =
            "execute(['drop ' . fnameescape('/r/b.rs'), '9', 'drop ' . fnameescape('/r/it''s | q.rs'), '7', ])";
        let words = command_line("nvim --server $NVIM", &locations, &socket);
        assert_eq!(words, ["nvim", "--server", "/tmp/nvim.0", "--remote-expr", expected]);
        assert_eq!(command_line("nvim $OTHER", &locations[1..], &socket), ["nvim", "$OTHER", "+9", "/r/b.rs"]);
    }

    #[test]
    fn visual_precedes_editor() {
        let both = |name: &str| Some(if name == "VISUAL" { "hx".to_string() } else { "vim".into() });
        assert_eq!(choose(None, &both), "hx");
        assert_eq!(choose(Some("nano"), &both), "nano");
        assert_eq!(choose(None, &|_| None), "vi");
    }

    #[test]
    fn file_name_is_one_argument() {
        let words = command_line("ed {file} {line}", &[(PathBuf::from("/r/a {line} b.rs"), 3)], &|_| None);
        assert_eq!(words, ["ed", "/r/a {line} b.rs", "3"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_files_with_other_contents_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let locations = [("a.py".to_owned(), 1), ("b.py".to_owned(), 2)];
        for (file, _) in &locations {
            fs::write(folder.path().join(file), "x = 1\n").unwrap();
        }
        let edit = |editor: &str, locations: &[(String, usize)]| {
            edit(editor, &Roots::single(folder.path().to_owned()), locations, &|_| None)
        };
        let changed = |editor: &str, locations: &[(String, usize)]| edit(editor, locations).0.take_changed();
        assert!(changed("true", &locations).is_empty(), "left without a change");
        assert!(changed("touch", &locations).is_empty(), "written without a change");
        let (mut files, _) = edit("true", &locations);
        fs::write(folder.path().join("a.py"), "x = 2\n").unwrap();
        assert_eq!(files.take_changed(), ["a.py"], "saved later, in an editor that is open elsewhere");
        assert!(files.take_changed().is_empty(), "a change counts once");
        assert_eq!(changed("rm", &locations[1..]), ["b.py"]);
        assert!(edit("false", &locations[..1]).1.is_err());
        assert!(matches!(edit("true", &[("../a".into(), 1)]).1, Err(EditorError::Outside)));
    }

    #[cfg(unix)]
    #[test]
    fn compose_returns_edited_text() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("append");
        fs::write(&script, "#!/bin/sh\nprintf 'more\\n\\n' >> \"$1\"\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let editor = format!("{} {{file}}", script.display());
        assert_eq!(compose(&editor, "fix\n", &|_| None).unwrap(), "fix\nmore");
        assert!(compose("false {file}", "", &|_| None).unwrap_err().to_string().contains("false failed: "));
    }
}
