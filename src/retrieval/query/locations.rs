//! Locations in a task: a path with a line, as people, compilers and stack traces write them.
//!
//! Recognized are `path:line`, with a column or not, `path(line,column)`, `path#Lline`, `path-line-`, `line N of path`, what
//! [`FORMS`] has, and the lines below a path (ESLint, ripgrep, a patch). Whether a path is a file of the repository is decided
//! elsewhere.

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

/// Limit of a word up to its line, in bytes: a path with the address that it is at.
const MAX_WORD_BYTES: usize = 2 * MAX_PATH_BYTES;
/// Texts between a path and its line `N`, after closing quotes and brackets; a second `N` is a column.
const FORMS: [&str; 21] = [
    " line N",
    ", line N",
    ": line N",
    " (line N",
    " on line N",
    " lines N",
    ", lines N",
    " (lines N",
    " LN",
    ", LN",
    " (LN",
    // A report of JUnit, a command of GitHub's workflows, JSON.
    " line=\"N",
    ",line=N",
    ",\"line\":N",
    ", \"line\": N",
    // Maven, Kotlin, webpack, dash.
    ":[N,N",
    ": (N, N",
    ": (N,N",
    " N:N-N",
    ": N: ",
    "; line N",
];

/// Returns the locations of a text, each once, the most important first: that is the innermost frame of a stack trace,
/// and otherwise the order of the text. Linear in the text.
pub fn locations(text: &str) -> Vec<Location> {
    let (mut order, mut heading) = (InnermostFirst::default(), Heading::default());
    for (line, neighbors) in with_neighbors(text) {
        order.line(line);
        let below = heading.below(line).map(|location| (false, location));
        order.extend(in_line(line, neighbors).into_iter().chain(below));
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
    let (mut found, mut from) = (Vec::new(), 0);
    for (index, word) in words.iter().enumerate() {
        let next = |distance: usize| words.get(index + distance).copied().unwrap_or_default();
        let path = word.trim_end_matches([':', '.', ')']);
        from += line[from..].find(word).unwrap_or_default();
        let after = &line[from + path.len()..];
        from += word.len();
        if let Some((location, rest)) = attached(word) {
            let is_frame = rest == ":" && is_exception(next(1));
            found.push((is_frame, location));
        } else if let Some(location) = location_after(path, after).or_else(|| of_context(word).filter(|_| index == 0)) {
            found.push((false, location));
        } else if next(1).eq_ignore_ascii_case("line") {
            found.extend(location(word, next(2)).map(|location| (false, location)));
        } else if word.eq_ignore_ascii_case("line") && ["of", "in"].contains(&next(2)) {
            found.extend(location(next(3), next(1)).map(|location| (false, location)));
        }
    }
    found
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>' | '[' | ']' | '{' | '}' | ',' | ';' | '|')
}

/// Returns the line that follows a path in one of [`FORMS`].
fn line_after(after: &str) -> Option<&str> {
    let after = after.trim_start_matches(['"', '\'', '`', '>', '}', ']', ')']);
    FORMS.iter().find_map(|form| {
        let (mut rest, mut line) = (after, None);
        for letter in form.chars() {
            if letter == 'N' {
                let number = &rest[..digits(rest)];
                line = line.or(Some(number)).filter(|_| !number.is_empty());
                line?;
                rest = &rest[number.len()..];
            } else {
                let first = rest.chars().next().filter(|first| first.eq_ignore_ascii_case(&letter))?;
                rest = &rest[first.len_utf8()..];
            }
        }
        line.filter(|_| !(form.ends_with('N') && rest.starts_with(char::is_alphabetic)))
    })
}

fn location_after(path: &str, after: &str) -> Option<Location> {
    location(path, line_after(after)?)
}

/// Returns the location of a line around a match of grep, which begins with `src/a.py-12-`.
fn of_context(word: &str) -> Option<Location> {
    let marks = word.match_indices('-').map(|(index, _)| index).take_while(|index| *index <= MAX_WORD_BYTES);
    marks.filter(|index| word[..*index].contains('.')).find_map(|index| {
        let (path, rest) = (&word[..index], &word[index + 1..]);
        let line = &rest[..digits(rest)];
        rest[line.len()..].starts_with('-').then(|| location(path, line))?
    })
}

/// The file that the lines below its path are of.
#[derive(Default)]
struct Heading<'a> {
    path: &'a str,
    is_of_patch: bool,
    /// The next line of a hunk of the patch, until its first change.
    hunk: Option<u32>,
}

impl<'a> Heading<'a> {
    /// Returns the location of the next line of the text: `  12:5  error …` and `12:code` below the path alone, the first
    /// change of a hunk below `+++ b/path`.
    fn below(&mut self, line: &'a str) -> Option<Location> {
        if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path).trim();
            *self = Heading { path: path.strip_prefix("b/").unwrap_or(path), is_of_patch: true, hunk: None };
            return None;
        }
        if let Some((_, new)) = line.strip_prefix("@@ -").and_then(|hunk| hunk.split_once(" +")) {
            self.hunk = new[..digits(new)].parse().ok();
            return None;
        }
        if let Some(number) = self.hunk {
            let is_change = line.starts_with(['+', '-']);
            self.hunk = Some(number.saturating_add(1)).filter(|_| !is_change);
            return is_change.then(|| location(self.path, &number.to_string()))?;
        }
        let text = line.trim();
        if is_source_path(text) && !text.contains(is_separator) {
            *self = Heading { path: text, ..Heading::default() };
            return None;
        }
        if text.is_empty() && !self.is_of_patch {
            self.path = "";
        }
        let (number, rest) = text.split_at(digits(text));
        (!self.is_of_patch && rest.starts_with(':')).then(|| location(self.path, number))?
    }
}

/// Returns the length of the digits that a text begins with.
fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len()
}

/// Returns the location in a word such as `src/a.rs:12:5`, and what follows it in the word.
pub(super) fn attached(word: &str) -> Option<(Location, &str)> {
    let marks =
        word.match_indices([':', '(', '#']).map(|(index, _)| index).take_while(|index| *index <= MAX_WORD_BYTES);
    marks
        .filter_map(|index| {
            let rest = &word[index + 1..];
            let fragment = rest.strip_prefix("lines-").or_else(|| rest.strip_prefix('L'));
            let rest = if word[index..].starts_with('#') { fragment? } else { fragment.unwrap_or(rest) };
            let (line, rest) = rest.split_at(digits(rest));
            // What is before the port of an address is a host.
            let location = location(&word[..index], line).filter(|_| !rest.starts_with('/'))?;
            let column =
                rest.strip_prefix(':').map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
            Some((location, column.filter(|after| after.len() + 1 < rest.len()).unwrap_or(rest)))
        })
        .next()
}

/// Returns the location of a path and a line, if the path looks like one.
pub(super) fn location(path: &str, line: &str) -> Option<Location> {
    let line = line.trim_end_matches([':', '.', ')', ',']).parse().ok().filter(|line| *line > 0)?;
    // A query can follow the path of a URL; a bracket or its scheme can precede the path in the same word.
    let path = path.split('?').next().unwrap_or(path);
    let path = path.rsplit(['(', '=']).next().unwrap_or(path);
    let path = path.rsplit_once("://").map_or(path, |(_, path)| path).trim_end_matches([':', ',', '.', ')']);
    is_source_path(path).then(|| Location { path: path.replace('\\', "/"), line, ..Location::default() })
}

/// Returns whether a text looks like the path of a file, with an extension.
pub fn is_source_path(path: &str) -> bool {
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
            ("[{app,run,1,[{file,\"src/app.erl\"},{line,12}]}]", "src/app.erl 12"),
            ("in app.py,  line 12", "app.py 12"),
            ("the loop at line 12 of app/views.py", "app/views.py 12"),
            ("PHP Warning: x in /app/src/Cart.php on line 12", "/app/src/Cart.php 12"),
            (
                "https://example.org/team/project/blob/main/src/a.rs#L12-L20",
                "example.org/team/project/blob/main/src/a.rs 12",
            ),
            (r"C:\projects\app\views.py:12", "C:/projects/app/views.py 12"),
            ("see `app.py`, lines 11-14", "app.py 11"),
            ("app.py (line 12)", "app.py 12"),
            ("(see [app.py]) line 12", "app.py 12"),
            ("in app.py (lines 12 to 14)", "app.py 12"),
            ("app.py L12-L14", "app.py 12"),
            ("app.py:L12", "app.py 12"),
            ("<testcase file=\"tests/a_test.py\" line=\"12\" time=\"0.1\"/>", "tests/a_test.py 12"),
            ("::error file=src/app.js,line=12,col=5::Missing semicolon", "src/app.js 12"),
            ("{\"file\":\"src/app.py\",\"line\":12}", "src/app.py 12"),
            ("{\"file\": \"src/app.py\", \"line\": 12}", "src/app.py 12"),
            ("[ERROR] /shop/src/App.java:[12,5] cannot find symbol", "/shop/src/App.java 12"),
            ("e: /shop/src/App.kt: (12, 5): Unresolved reference: x", "/shop/src/App.kt 12"),
            ("e: file:///shop/src/App.kt:12:5 Unresolved reference", "/shop/src/App.kt 12"),
            ("ERROR in ./src/app.ts 12:4-9", "./src/app.ts 12"),
            ("./x.sh: 12: foo: not found", "./x.sh 12"),
            ("./x.sh: line 12: foo: command not found", "./x.sh 12"),
            ("src/app.py-12-    return 1", "src/app.py 12"),
            ("http://localhost:5173/src/App.vue?t=169:12:5", "localhost:5173/src/App.vue 12"),
            ("at http://shop.example.org:8080/src/app.js:12:5", "shop.example.org:8080/src/app.js 12"),
            (
                "https://gitlab.com/a/b/-/blob/main/src/a.rs?ref_type=heads#L12",
                "gitlab.com/a/b/-/blob/main/src/a.rs 12",
            ),
            ("https://bitbucket.org/a/b/src/main/src/a.rs#lines-12:14", "bitbucket.org/a/b/src/main/src/a.rs 12"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn lines_below_a_path() {
        let eslint = "/shop/src/app.js\n  12:5   error  'x' is not defined  no-undef\n  20:1  warning  y\n\n\
                      /shop/src/cart.js\n  3:1  error  z\n\n\u{2716} 3 problems\n12:30 was the time";
        assert_eq!(found(eslint), ["/shop/src/app.js 12", "/shop/src/app.js 20", "/shop/src/cart.js 3"]);
        let ripgrep = "src/a.py\n12:def pick():\n13-    x\n\nsrc/b.py\n7:pick()";
        assert_eq!(found(ripgrep), ["src/a.py 12", "src/b.py 7"]);
        let patch = "diff --git a/src/a.py b/src/a.py\nindex 1..2 100644\n--- a/src/a.py\n+++ b/src/a.py\n\
                     @@ -118,4 +118,5 @@ def pick():\n     x\n\n+    y\n     z\n@@ -200 +201 @@\n-a\n+b\n\
                     --- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(found(patch), ["src/a.py 120", "src/a.py 201"]);
    }

    #[test]
    fn other_colons_are_not_locations() {
        for text in
            ["at 12:34:56", "127.0.0.1:8080", "localhost:80", "ratio 3:2", "a.py", "std::io:3", "x.py:0", ".py:3"]
                .into_iter()
                .chain([
                    "a.py 12:30",
                    "a.py, b.py",
                    "in v1.x-2-3",
                    "a.py L10n",
                    "http://example.org:80/a",
                    "in a.py: 12 lines",
                ])
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
