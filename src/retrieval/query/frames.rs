//! Frames of stack traces, as Python, IPython, pytest, Node, Go and Rust write them. Linear in a line.

use super::locations::{attached, is_source_path, location};

/// A frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The path, as written.
    pub path: String,
    /// The line from 1, if the trace has it.
    pub line: Option<u32>,
    /// The last segment of the function's name; empty for a module, a closure without a name or none.
    pub function: String,
    /// Whether the innermost frame of such a trace is the last.
    pub is_outermost_first: bool,
}

/// Returns the frame of a line. Go and Rust write the function in the line before.
pub fn frame(previous: &str, line: &str) -> Option<Frame> {
    python(line).or_else(|| ipython(line)).or_else(|| node_or_rust(previous, line)).or_else(|| go(previous, line))
}

/// Parses `File "app/views.py", line 12, in get`.
fn python(line: &str) -> Option<Frame> {
    let (path, rest) = line.split_once("File \"")?.1.split_once('"')?;
    let rest = rest.strip_prefix(", line ")?;
    let (number, function) = rest.split_once(", in ").unwrap_or((rest, ""));
    let location = location(path, number.split(',').next().unwrap_or_default())?;
    let (path, line) = (location.path, Some(location.line));
    Some(Frame { path, line, function: last_name(function), is_outermost_first: true })
}

/// Parses `File ~/app/views.py:12, in View.get(self)`, `app/views.py:12: in get` and `~/app/views.py in get(self)`.
fn ipython(line: &str) -> Option<Frame> {
    let line = line.trim_start();
    let line = line.strip_prefix("File ").unwrap_or(line);
    let (position, function) = line.split_once(" in ")?;
    let function = function.split('(').next().unwrap_or_default();
    let is_name =
        !function.is_empty() && function.chars().all(|letter| is_name_part(letter) || letter == '<' || letter == '>');
    if position.contains(char::is_whitespace) || !is_name {
        return None;
    }
    let position = position.trim_end_matches([',', ':']);
    let (path, line) = match attached(position) {
        Some((location, "")) => (location.path, Some(location.line)),
        Some(_) => return None,
        // A link to the file follows its name in some notebooks.
        None => {
            let path = position.trim_start_matches('[').split(']').next().unwrap_or(position);
            (Some(path).filter(|path| is_source_path(path) && line.contains('('))?.to_owned(), None)
        }
    };
    Some(Frame { path, line, function: last_name(function), is_outermost_first: true })
}

/// Parses `at pick (src/cart.js:12:7)`, `at src/main.mjs:3:1` and, after a numbered line, `at src/main.rs:9:13`.
fn node_or_rust(previous: &str, line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (function, position) = match rest.split_once(" (") {
        Some((function, position)) => (function.strip_prefix("async ").unwrap_or(function), position.trim_end()),
        None => (numbered(previous).unwrap_or_default(), rest.trim()),
    };
    let position = position.trim_end_matches(')');
    let (location, rest) = attached(position)?;
    let name = function.split(" [as ").next().unwrap_or(function).rsplit(' ').next().unwrap_or(function);
    let is_position = rest.is_empty() && !position.contains(char::is_whitespace);
    is_position.then(|| Frame {
        path: location.path,
        line: Some(location.line),
        function: last_name(name),
        is_outermost_first: false,
    })
}

/// Returns the function of a line such as `  1: shop::main`.
fn numbered(line: &str) -> Option<&str> {
    let (number, function) = line.trim_start().split_once(": ")?;
    let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
    // Some backtraces have addresses.
    is_number.then(|| function.trim().rsplit(" - ").next().unwrap_or(function))
}

/// Parses `\t/home/me/shop/cart.go:12 +0x1d`, which follows `main.pick(...)`.
fn go(previous: &str, line: &str) -> Option<Frame> {
    let position = line.strip_prefix(['\t', ' '])?.trim_start();
    let (position, offset) = position.split_once(' ').unwrap_or((position, ""));
    let (location, rest) = attached(position)?;
    let call = previous.strip_prefix("created by ").unwrap_or(previous);
    let call = call.split(" in goroutine").next().unwrap_or(call);
    let function = call.strip_suffix(')').and_then(|call| call.rsplit_once('(')).map_or(call, |(function, _)| function);
    let is_call = !function.is_empty() && !function.contains(char::is_whitespace) && function.contains('.');
    let is_frame = rest.is_empty() && location.path.ends_with(".go") && (is_call || offset.starts_with("+0x"));
    is_frame.then(|| Frame {
        path: location.path,
        line: Some(location.line),
        function: if is_call { last_name(function) } else { String::new() },
        is_outermost_first: false,
    })
}

fn is_name_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$')
}

/// Returns the last segment of a qualified name that is a name: closures count to their function.
fn last_name(qualified: &str) -> String {
    let is_name = |segment: &&str| {
        let is_closure = segment.strip_prefix("func").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        segment.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && !(is_closure && segment.len() > 4)
    };
    let segments = qualified.trim().rsplit(['.', ':', '/', ')', '(', '*']);
    segments.map(str::trim).filter(is_name).find(|name| !is_hash(name)).unwrap_or_default().to_owned()
}

/// Returns whether a segment is the hash at the end of a mangled Rust name.
fn is_hash(segment: &str) -> bool {
    segment.len() == 17 && segment.starts_with('h') && segment[1..].chars().all(|letter| letter.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(previous: &str, line: &str) -> Option<(String, u32, String)> {
        frame(previous, line).map(|frame| (frame.path, frame.line.unwrap_or(0), frame.function))
    }

    #[test]
    fn frames_of_every_kind_are_read() {
        for (previous, line, path, number, function) in [
            ("", "  File \"/srv/app/lib/run.py\", line 20, in run", "/srv/app/lib/run.py", 20, "run"),
            ("", "  File \"a.py\", line 3, in <module>", "a.py", 3, ""),
            ("", "File ~/lib/plot.py:841, in Plot._plot(self, pyplot)", "~/lib/plot.py", 841, "_plot"),
            ("", "~/lib/plot.py in draw(self)", "~/lib/plot.py", 0, "draw"),
            ("", "[plot.py](file:///home/me/plot.py) in draw(self)", "plot.py", 0, "draw"),
            ("", "src/a.py:30: in go", "src/a.py", 30, "go"),
            ("", "    at pick (/home/me/shop/cart.js:12:7)", "/home/me/shop/cart.js", 12, "pick"),
            ("", "    at async Cart.pick [as take] (cart.js:12:7)", "cart.js", 12, "pick"),
            ("", "    at file:///home/me/shop/main.mjs:3:1", "/home/me/shop/main.mjs", 3, ""),
            ("main.pick(...)", "\t/home/me/shop/cart.go:12 +0x1d", "/home/me/shop/cart.go", 12, "pick"),
            ("shop/cart.(*Cart).Add(0x1, 0x2)", "\t/shop/cart.go:9", "/shop/cart.go", 9, "Add"),
            ("main.pick.func1()", "\tcart.go:12 +0x1d", "cart.go", 12, "pick"),
            ("   1: shop::cart::pick", "             at ./src/cart.rs:9:13", "./src/cart.rs", 9, "pick"),
            ("   1: 0x55 - shop::pick::{{closure}}", "   at src/cart.rs:9:13", "src/cart.rs", 9, "pick"),
        ] {
            assert_eq!(read(previous, line), Some((path.into(), number, function.into())), "{line}");
        }
    }

    #[test]
    fn prose_and_code_are_no_frames() {
        for line in ["defined in cart.py in the shop", "    cart.go:12 is wrong", "at 12:34:56", "x in y(z)", "at home"]
        {
            assert_eq!(read("", line), None, "{line}");
        }
    }
}
