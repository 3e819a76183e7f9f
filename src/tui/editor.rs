//! How to open the user's editor at a line: every editor has its own way to say it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The editor when the environment names none.
const FALLBACK: &str = "vi";

/// The command that opens `path` at `line`, for an editor as `$VISUAL` or `$EDITOR` names it.
pub fn arguments(editor: &str, path: &Path, line: usize) -> Vec<OsString> {
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

/// Opens the file and waits until the editor has ended; the error is in words.
pub fn open(editor: &str, path: &Path, line: usize) -> Result<(), String> {
    let arguments = arguments(editor, path, line);
    let Some((program, rest)) = arguments.split_first() else { return Err("no editor is set".into()) };
    let name = program.to_string_lossy().into_owned();
    match Command::new(program).args(rest).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => Err(format!("cannot start {name} (set $VISUAL or $EDITOR): {error}")),
    }
}

/// The user's editor.
pub fn chosen(lookup: &dyn Fn(&str) -> Option<String>) -> String {
    let named = |name| lookup(name).filter(|value| !value.trim().is_empty());
    named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| FALLBACK.into())
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
            ("ed", "ed /r/a.rs"),
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
        assert_eq!(chosen(&both), "hx");
        assert_eq!(chosen(&|_| None), "vi");
    }
}
