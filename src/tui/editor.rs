//! How to open the user's editor at a line: every editor has its own way to say it.
//!
//! An editor is named by a command, for which there are presets, or by a template of one with `{file}` and `{line}`.
//! No shell reads it: words are parted at blanks, and a file's name stays one word whatever is in it.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::screen::Screen;

/// The editor when the environment names none.
const FALLBACK: &str = "vi";

/// The command that opens `path` at `line`, for an editor as the settings, `$VISUAL` or `$EDITOR` name it.
pub fn arguments(editor: &str, path: &Path, line: usize) -> Vec<OsString> {
    if editor.contains(FILE) {
        return editor.split_whitespace().map(|word| filled(word, path, line)).collect();
    }
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(FALLBACK);
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).trim_end_matches(".exe");
    let mut arguments: Vec<OsString> = vec![program.into()];
    arguments.extend(words.map(OsString::from));
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
        "idea" | "pycharm" | "goland" | "rustrover" | "webstorm" | "clion" | "kate" => {
            arguments.extend(["--line".into(), line.to_string().into(), path.into()]);
        }
        "mate" => arguments.extend(["--line".into(), line.to_string().into(), path.into()]),
        "vi" | "vim" | "nvim" | "gvim" | "view" | "nano" | "emacs" | "emacsclient" | "kak" | "micro" | "joe" | "mg"
        | "ne" | "jed" => {
            arguments.extend([format!("+{line}").into(), path.into()]);
        }
        // An unknown editor at least gets the file.
        _ => arguments.push(path.into()),
    }
    arguments
}

/// Stands for the file in a template.
const FILE: &str = "{file}";

/// A word of a template with the file and the line in their places.
fn filled(word: &str, path: &Path, line: usize) -> OsString {
    let mut text = OsString::new();
    for (place, part) in word.split(FILE).enumerate() {
        if place > 0 {
            text.push(path);
        }
        text.push(part.replace("{line}", &line.to_string()));
    }
    text
}

/// Lets the user write in their editor, beginning with `text`; the error is in words.
pub fn compose(editor: &str, text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("the task can't be put into a file for the editor: {error}");
    // The ending turns off what editors do to code; the file is the user's alone, and goes when this ends.
    let mut file = tempfile::Builder::new().prefix("knowing-task-").suffix(".txt").tempfile().map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    open(editor, file.path(), 1)?;
    // Many editors write another file under the same name, so it is read by its name.
    let bytes = fs::read(file.path()).map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Opens the file and waits until the editor has ended; the error is in words.
pub fn open(editor: &str, path: &Path, line: usize) -> Result<(), String> {
    let arguments = arguments(editor, path, line);
    let Some((program, rest)) = arguments.split_first() else { return Err("no editor is set".into()) };
    let name = program.to_string_lossy().into_owned();
    let screen = Screen::for_child().map_err(|error| format!("{name} can't have the terminal: {error}"))?;
    match Command::new(program).args(rest).stdout(screen).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => Err(format!("cannot start {name} (set $VISUAL or $EDITOR): {error}")),
    }
}

/// The user's editor: that of the settings, else that of the environment.
pub fn chosen(configured: Option<&str>, lookup: &dyn Fn(&str) -> Option<String>) -> String {
    let named = |name| lookup(name).filter(|value| !value.trim().is_empty());
    configured
        .map(str::to_owned)
        .or_else(|| named("VISUAL"))
        .or_else(|| named("EDITOR"))
        .unwrap_or_else(|| FALLBACK.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_editor_is_told_the_line_its_own_way() {
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
            let words = arguments(editor, Path::new("/r/a.rs"), 7);
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected);
        }
    }

    #[test]
    fn visual_goes_before_editor() {
        let both = |name: &str| Some(if name == "VISUAL" { "hx".to_string() } else { "vim".into() });
        assert_eq!(chosen(None, &both), "hx");
        assert_eq!(chosen(Some("nano"), &both), "nano");
        assert_eq!(chosen(None, &|_| None), "vi");
    }

    #[test]
    fn a_file_with_blanks_and_braces_stays_one_word() {
        let words = arguments("ed {file} {line}", Path::new("/r/a {line} b.rs"), 3);
        assert_eq!(words, ["ed", "/r/a {line} b.rs", "3"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_task_comes_back_from_the_editor_as_it_was_left() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("append");
        fs::write(&script, "#!/bin/sh\nprintf 'more\\n\\n' >> \"$1\"\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let editor = format!("{} {{file}}", script.display());
        assert_eq!(compose(&editor, "fix\n"), Ok("fix\nmore".to_owned()));
        assert!(compose("false {file}", "").unwrap_err().contains("false ended with"));
    }
}
