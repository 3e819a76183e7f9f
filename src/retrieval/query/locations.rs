//! Locations in a task: a path with a line, as people, compilers and stack traces write them.
//!
//! Recognized are `path:line`, with a column or not, `path(line,column)`, `path#Lline`, `path, line N`,
//! `path on line N`, `line N of path` and `File "path", line N`. Whether a path is a file of the repository is decided elsewhere.

use super::frames::{Frame, InnermostFirst, frame, with_neighbors};

/// A path, as written, with a line from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    pub path: String,
    pub line: u32,
    /// The last segment of the function's name in a frame of a stack trace; empty elsewhere.
    pub function: String,
    /// The type or module of the function; empty if it is not known.
    pub container: String,
}

/// Limit of the locations of a task.
const MAX_LOCATIONS: usize = 64;
/// Limit of a path, in bytes.
const MAX_PATH_BYTES: usize = 500;
/// Limit of the characters after the dot of a file name.
const MAX_EXTENSION_CHARS: usize = 10;

/// Returns the locations of a text, each once, the most important first: that is the innermost frame of a stack trace,
/// and otherwise the order of the text. Linear in the text.
pub fn locations(text: &str) -> Vec<Location> {
    let mut order = InnermostFirst::default();
    for (line, neighbors) in with_neighbors(text) {
        order.line(line);
        order.extend(in_line(line, neighbors));
    }
    let mut found: Vec<Location> = Vec::new();
    for location in order.finish() {
        if found.len() < MAX_LOCATIONS && !found.contains(&location) {
            found.push(location);
        }
    }
    found
}

/// Returns the locations of a line, each with whether it is a frame of a trace whose innermost frame is the last.
fn in_line(line: &str, [previous, next]: [&str; 2]) -> Vec<(bool, Location)> {
    if let Some(frame) = frame(previous, line, next) {
        let Frame { path, line, function, container, is_outermost_first } = frame;
        let line = line.filter(|_| !path.is_empty());
        let location = line.map(|line| Location { path, line, function, container });
        return location.into_iter().map(|location| (is_outermost_first, location)).collect();
    }
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = |distance: usize| words.get(index + distance).copied().unwrap_or_default();
        if let Some((location, rest)) = attached(word) {
            let is_frame = rest == ":" && is_exception(next(1));
            found.push((is_frame, location));
        } else if next(1).eq_ignore_ascii_case("line") {
            found.extend(location(word, next(2)).map(|location| (false, location)));
        } else if next(1) == "on" && next(2) == "line" {
            found.extend(location(word, next(3)).map(|location| (false, location)));
        } else if word.eq_ignore_ascii_case("line") && ["of", "in"].contains(&next(2)) {
            found.extend(location(next(3), next(1)).map(|location| (false, location)));
        }
    }
    found
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>' | '[' | ']' | '{' | '}' | ',' | ';' | '|')
}

/// Returns the location in a word such as `src/a.rs:12:5`, and what follows it in the word.
pub(super) fn attached(word: &str) -> Option<(Location, &str)> {
    let marks = word.match_indices([':', '(', '#']).map(|(index, _)| index);
    marks
        .filter_map(|index| {
            let rest = &word[index + 1..];
            let rest = if word[index..].starts_with('#') { rest.strip_prefix('L')? } else { rest };
            let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            let location = location(&word[..index], &rest[..digits])?;
            let rest = &rest[digits..];
            let column =
                rest.strip_prefix(':').map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
            Some((location, column.filter(|after| after.len() + 1 < rest.len()).unwrap_or(rest)))
        })
        .next()
}

/// Returns the location of a path and a line, if the path looks like one.
pub(super) fn location(path: &str, line: &str) -> Option<Location> {
    let line = line.trim_end_matches([':', '.', ')', ',']).parse().ok().filter(|line| *line > 0)?;
    // A bracket or the scheme of a URL can precede the path in the same word.
    let path = path.rsplit(['(', '=']).next().unwrap_or(path);
    let path = path.rsplit_once("://").map_or(path, |(_, path)| path).trim_end_matches([':', ',', '.', ')']);
    is_source_path(path).then(|| Location { path: path.replace('\\', "/"), line, ..Location::default() })
}

/// Returns whether a text looks like the path of a file, with an extension.
pub(super) fn is_source_path(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_extension = (1..=MAX_EXTENSION_CHARS).contains(&extension.len())
        && extension.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && extension.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_extension && !stem.is_empty() && path.len() <= MAX_PATH_BYTES
}

/// Returns whether a word is the name of an exception, which follows the innermost frame in some traces.
pub(super) fn is_exception(word: &str) -> bool {
    let name = word.trim_end_matches(':');
    let name = name.rsplit('.').next().unwrap_or(name);
    name.starts_with(char::is_uppercase) && (name.ends_with("Error") || name.ends_with("Exception"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        locations(text).into_iter().map(|Location { path, line, .. }| format!("{path} {line}")).collect()
    }

    #[test]
    fn ways_to_write_a_location() {
        for (text, expected) in [
            ("resources/transform.go:348", "resources/transform.go 348"),
            ("see `src/a.rs:12:5`.", "src/a.rs 12"),
            ("src/a.rs:12-20 is wrong", "src/a.rs 12"),
            ("src/app.ts(10,5): error TS2304: Cannot find name 'x'.", "src/app.ts 10"),
            ("  --> src/main.rs:10:5", "src/main.rs 10"),
            ("./prog.go:7:2: declared and not used: x", "./prog.go 7"),
            ("app/views.py line 12", "app/views.py 12"),
            ("app/views.py, line 12: wrong", "app/views.py 12"),
            ("the loop at line 12 of app/views.py", "app/views.py 12"),
            ("PHP Warning: x in /app/src/Cart.php on line 12", "/app/src/Cart.php 12"),
            (
                "https://example.org/team/project/blob/main/src/a.rs#L12-L20",
                "example.org/team/project/blob/main/src/a.rs 12",
            ),
            (r"C:\projects\app\views.py:12", "C:/projects/app/views.py 12"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn other_colons_are_not_locations() {
        for text in
            ["at 12:34:56", "127.0.0.1:8080", "localhost:80", "ratio 3:2", "a.py", "std::io:3", "x.py:0", ".py:3"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn innermost_frame_of_a_traceback_is_first() {
        let trace = "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line 3, in <module>\n    run()\n\
                     \x20 File \"/srv/app/lib/run.py\", line 20, in run\n    raise ValueError(x)\nValueError: 7";
        assert_eq!(found(trace), ["/srv/app/lib/run.py 20", "/srv/app/main.py 3"]);
        let short = "tests/test_a.py:12: in test_a\n    go()\nsrc/a.py:30: in go\n    x\nsrc/b.py:4: KeyError";
        assert_eq!(found(short), ["src/b.py 4", "src/a.py 30", "tests/test_a.py 12"]);
    }

    #[test]
    fn innermost_frame_of_other_traces_is_first() {
        let panic = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n\
                     main.pick(...)\n\t/home/me/shop/cart.go:12 +0x1d\nmain.main()\n\t/home/me/shop/main.go:8 +0x2b\n";
        assert_eq!(found(panic), ["/home/me/shop/cart.go 12", "/home/me/shop/main.go 8"]);
        let backtrace = "thread 'main' panicked at src/cart.rs:4:5:\nindex out of bounds\nstack backtrace:\n   \
                         0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:652:5\n   \
                         1: shop::main\n             at ./src/main.rs:9:13";
        let expected = ["src/cart.rs 4", "/rustc/abc/library/std/src/panicking.rs 652", "./src/main.rs 9"];
        assert_eq!(found(backtrace), expected);
        let stack = "TypeError: x is not a function\n    at pick (/home/me/shop/src/cart.js:12:7)\n    \
                     at file:///home/me/shop/src/main.mjs:3:1\n    at node:internal/main/run_main_module:23:47";
        assert_eq!(found(stack), ["/home/me/shop/src/cart.js 12", "/home/me/shop/src/main.mjs 3"]);
    }

    #[test]
    fn repeated_locations_are_counted_once_and_limited() {
        let log: String = (0..1_000).map(|number| format!("a.py:{}: x\n", number % 200 + 1)).collect();
        assert_eq!(found(&log).len(), MAX_LOCATIONS);
        assert_eq!(found("a.py:1 a.py:1"), ["a.py 1"]);
    }
}
