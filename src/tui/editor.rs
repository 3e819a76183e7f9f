//! Opens the user's editor at a line.
//!
//! An editor is a command with a preset for its syntax, or a template with `{file}` and `{line}`. Its words are those of a
//! shell, which git would start; none is, and a file name is always one argument.

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
    let words = words(editor, lookup);
    if editor.contains(FILE) {
        return words.iter().map(|word| expand(word, first.0, first.1)).chain(paths).collect();
    }
    let name = program_name(&words).to_owned();
    let mut arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
    if name == "nvim" && words.iter().any(|word| word == "--server") {
        arguments.extend(remote_arguments(locations));
        return arguments;
    }
    arguments.extend(arguments_of(&name, first.0, first.1));
    match name.as_str() {
        "vi" | "vim" | "nvim" | "gvim" | "view" => arguments.extend(paths),
        _ => arguments.extend(others.iter().flat_map(|(path, line)| arguments_of(&name, path, *line))),
    }
    arguments
}

/// Splits a command line into words as a shell does: quotes hold blanks, `$NAME`, `${NAME}` and `~` are replaced, and what is
/// set before the program is set for it.
fn words(editor: &str, lookup: Lookup<'_>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = editor;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let next = after.chars().next();
        let is_escape = |next: char| cfg!(unix) && (quote.is_none() || matches!(next, '"' | '\\' | '$'));
        rest = after;
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (None, '~') if word.is_none() && next.is_none_or(|next| next == '/' || next.is_whitespace()) => {
                word = Some(lookup("HOME").unwrap_or_else(|| "~".to_owned()));
            }
            (None | Some('"'), '\\') if next.is_some_and(is_escape) => {
                word.get_or_insert_default().extend(next);
                rest = &after[next.map_or(0, char::len_utf8)..];
            }
            (None | Some('"'), '$') => {
                let (value, after) = variable(after, lookup);
                word.get_or_insert_default().push_str(&value);
                rest = after;
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if words.first().is_some_and(|first| is_assignment(first)) {
        words.insert(0, ENV.to_owned());
    }
    if words.is_empty() { vec![DEFAULT_EDITOR.to_owned()] } else { words }
}

/// Returns the value of the variable whose name a text begins with, behind its `$`, and the rest of the text. One that is not
/// set stays as it is.
fn variable<'text>(text: &'text str, lookup: Lookup<'_>) -> (String, &'text str) {
    let end_of = |text: &str| text.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric());
    let (name, rest) = match text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        Some(braced) => braced,
        None => text.split_at(end_of(text).unwrap_or(text.len())),
    };
    (lookup(name).unwrap_or_else(|| format!("${}", &text[..text.len() - rest.len()])), rest)
}

/// The program that sets variables for another one.
const ENV: &str = "env";

/// Returns whether a word sets a variable, as in `FOO=1 nvim`.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
        && name.bytes().all(|letter| letter == b'_' || letter.is_ascii_alphanumeric())
}

/// Returns the name of the program that a command line starts, behind `env` and what that sets.
fn program_name(words: &[String]) -> &str {
    let mut programs = words.iter().map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word));
    let first = programs.next().unwrap_or_default();
    let program = match first == ENV {
        true => programs.find(|word| !word.starts_with('-') && !is_assignment(word)).unwrap_or(first),
        false => first,
    };
    program.trim_end_matches(".exe")
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

    #[cfg(unix)]
    #[test]
    fn words_are_those_of_a_shell() {
        let variables = |name: &str| {
            let known = [("HOME", "/home/a b"), ("X", "1 2")];
            known.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
        };
        let cases: [(&str, &[&str]); 9] = [
            ("nvim --cmd 'let g:x=1 $X'", &["nvim", "--cmd", "let g:x=1 $X", "+7", "/r/a.rs"]),
            ("\"/my ed/nvim\" -p", &["/my ed/nvim", "-p", "+7", "/r/a.rs"]),
            ("/my\\ ed/hx", &["/my ed/hx", "/r/a.rs:7"]),
            ("FOO=1 BAR='a b' nvim", &["env", "FOO=1", "BAR=a b", "nvim", "+7", "/r/a.rs"]),
            ("env -u X FOO=1 nvim", &["env", "-u", "X", "FOO=1", "nvim", "/r/a.rs"]),
            ("env FOO=1 code -w", &["env", "FOO=1", "code", "-w", "--goto", "/r/a.rs:7"]),
            ("~/bin/nvim \"${X}\" ~", &["/home/a b/bin/nvim", "1 2", "/home/a b", "+7", "/r/a.rs"]),
            ("$HOME/ed '{file}' \"at {line}\"", &["/home/a b/ed", "/r/a.rs", "at 7"]),
            (" ''nvim \"", &["nvim", "", "+7", "/r/a.rs"]),
        ];
        for (editor, expected) in cases {
            assert_eq!(command_line(editor, &[(PathBuf::from("/r/a.rs"), 7)], &variables), expected, "{editor}");
        }
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
