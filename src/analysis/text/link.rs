//! Links to files of a repository in terminals (OSC 8).

use std::path::{Component, Path};

/// Ends a link.
pub const CLOSE: &str = "\x1b]8;;\x1b\\";

/// VTE before this version crashes on some links.
const MIN_VTE_VERSION: u32 = 5000;

/// Returns whether links are wanted, and not shown as garbage, by the environment: `KNOWING_LINKS` is `on` or `off`;
/// otherwise they are off where the terminal is known not to have them, and over SSH, as a terminal on another machine
/// can't open the path.
pub fn is_supported(lookup: &dyn Fn(&str) -> Option<String>) -> bool {
    let value = |name: &str| lookup(name).unwrap_or_default();
    match value("KNOWING_LINKS").as_str() {
        "on" => return true,
        "off" => return false,
        _ => {}
    }
    let is_set = |name: &&str| !value(name).is_empty();
    let is_old_vte = value("VTE_VERSION").parse().is_ok_and(|version: u32| version < MIN_VTE_VERSION);
    !(["SSH_CONNECTION", "STY", "INSIDE_EMACS"].iter().any(is_set)
        || matches!(value("TERM").as_str(), "dumb" | "linux")
        || value("TERM_PROGRAM") == "Apple_Terminal"
        || is_old_vte)
}

/// Returns the sequence that begins a link to a line of a file. The line is the fragment, which kitty and others pass to
/// the editor. `None` for a path that leads out of the root.
pub fn open(root: &Path, file: &str, line: u32) -> Option<String> {
    let is_inside = !file.is_empty() && Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    is_inside.then(|| format!("\x1b]8;;{}#{line}\x1b\\", url(&root.join(file))))
}

/// Returns the path of the URL of a file on this machine; `None` for anything else.
pub fn path_of_url(url: &str) -> Option<String> {
    let path = url.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path).strip_prefix('/')?;
    let mut bytes = Vec::with_capacity(path.len() + 1);
    // Windows has a drive there.
    if path.as_bytes().get(1) != Some(&b':') {
        bytes.push(b'/');
    }
    let mut parts = path.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Returns the URL of a file. Every other byte than letters, digits and a few signs is encoded, control characters too.
fn url(path: &Path) -> String {
    let mut url = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(byte)),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_no_control_characters_and_stay_in_the_repository() {
        let root = Path::new("/r x");
        let link = |file| open(root, file, 7);
        assert_eq!(link("src/a.py").as_deref(), Some("\x1b]8;;file:///r%20x/src/a.py#7\x1b\\"));
        assert_eq!(link("a\u{1b}\\é.py").as_deref(), Some("\x1b]8;;file:///r%20x/a%1B%5C%C3%A9.py#7\x1b\\"));
        for outside in ["", "../a.py", "src/../../a.py", "/etc/passwd", "."] {
            assert_eq!(link(outside), None, "{outside}");
        }
    }

    #[test]
    fn the_path_of_a_url_is_decoded() {
        for (url, path) in [
            ("file:///r%20x/%C3%A9.py", Some("/r x/é.py")),
            ("file://localhost/r", Some("/r")),
            ("file:///C:/r", Some("C:/r")),
            ("file:///", Some("/")),
            ("file://host/r", None),
            ("file:///r%2", None),
            ("file:///r%é", None),
            ("https://host/r", None),
            ("/r", None),
        ] {
            assert_eq!(path_of_url(url).as_deref(), path, "{url}");
        }
    }

    #[test]
    fn links_are_off_where_they_do_not_work() {
        let supported = |pairs: &[(&str, &str)]| {
            let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            is_supported(&lookup)
        };
        assert!(supported(&[]) && supported(&[("TERM", "tmux-256color"), ("VTE_VERSION", "7006")]));
        for (name, value) in [
            ("KNOWING_LINKS", "off"),
            ("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22"),
            ("STY", "1234.pts-0"),
            ("TERM", "linux"),
            ("TERM_PROGRAM", "Apple_Terminal"),
            ("VTE_VERSION", "4801"),
        ] {
            assert!(!supported(&[(name, value)]), "{name}={value}");
            assert!(name == "KNOWING_LINKS" || supported(&[(name, value), ("KNOWING_LINKS", "on")]), "{name}={value}");
        }
    }
}
