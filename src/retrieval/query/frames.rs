//! Frames of stack traces, as Python, IPython, pytest, Node and browsers, the JVM (Java, Kotlin, Scala), .NET, Ruby, PHP,
//! Go, Rust, Swift, Lua, and the debuggers and sanitizers of C and C++ write them. Linear in a line.

use super::locations::{attached, is_source_path, location};

/// A frame of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The path, with forward slashes; for the JVM, which has the file's name only, it begins with the folders of the
    /// package. Empty for a frame without one.
    pub path: String,
    /// The line from 1, if the trace has it.
    pub line: Option<u32>,
    /// The last segment of the function's name; empty for a module, a closure without a name or none.
    pub function: String,
    /// The segment before it: the type or module that has the function; empty for none.
    pub container: String,
    /// Whether the innermost frame of such a trace is the last.
    pub is_outermost_first: bool,
}

/// Orders what the lines of a text have, so that what is of the innermost frame is first.
pub(super) struct InnermostFirst<T> {
    outermost_first: Vec<T>,
    /// Those of each exception: the last one is the cause of those before it.
    others: Vec<Vec<T>>,
}

impl<T> Default for InnermostFirst<T> {
    fn default() -> InnermostFirst<T> {
        InnermostFirst { outermost_first: Vec::new(), others: vec![Vec::new()] }
    }
}

impl<T> InnermostFirst<T> {
    /// Begins a line.
    pub fn line(&mut self, line: &str) {
        if line.trim_start().starts_with("Caused by: ") {
            self.others.push(Vec::new());
        }
    }

    /// Adds what a line has, each with whether it is of a trace whose innermost frame is the last.
    pub fn extend(&mut self, found: impl IntoIterator<Item = (bool, T)>) {
        for (is_outermost_first, one) in found {
            match self.others.last_mut() {
                Some(others) if !is_outermost_first => others.push(one),
                _ => self.outermost_first.push(one),
            }
        }
    }

    /// Returns everything that was added.
    pub fn finish(self) -> Vec<T> {
        self.outermost_first.into_iter().rev().chain(self.others.into_iter().rev().flatten()).collect()
    }
}

/// Returns the lines of a text, each with the one before and the one after it.
pub(super) fn with_neighbors(text: &str) -> impl Iterator<Item = (&str, [&str; 2])> {
    let before = std::iter::once("").chain(text.lines());
    let after = text.lines().skip(1).chain(std::iter::once(""));
    text.lines().zip(before.zip(after)).map(|(line, (before, after))| (line, [before, after]))
}

/// Returns the frame of a line. Go and Rust write the function in the line before, PHP in the line after.
pub fn frame(previous: &str, line: &str, next: &str) -> Option<Frame> {
    python(line)
        .or_else(|| lua(line))
        .or_else(|| ruby(line))
        .or_else(|| ipython(line))
        .or_else(|| php(line, next))
        .or_else(|| jvm(line))
        .or_else(|| dotnet(line))
        .or_else(|| native(line))
        .or_else(|| node_or_rust(previous, line))
        .or_else(|| browser(line))
        .or_else(|| go(previous, line))
}

/// Parses `File "app/views.py", line 12, in get`.
fn python(line: &str) -> Option<Frame> {
    let (path, rest) = line.split_once("File \"")?.1.split_once('"')?;
    let rest = rest.strip_prefix(", line ")?;
    let (number, function) = rest.split_once(", in ").unwrap_or((rest, ""));
    let location = location(path, number.split(',').next().unwrap_or_default())?;
    Some(named(location.path, Some(location.line), function, true))
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
    Some(named(path, line, function, true))
}

/// Parses `cart.lua:12: in function 'Cart.pick'`, which other versions write `in method 'pick'` or `in upvalue 'pick'`.
fn lua(line: &str) -> Option<Frame> {
    const KINDS: [&str; 7] = ["function", "method", "upvalue", "local", "field", "global", "metamethod"];
    let (position, function) = line.trim_start().split_once(": in ")?;
    let (kind, name) = function.split_once(' ')?;
    let name = if function == "main chunk" { "" } else { name };
    let is_function = function == "main chunk" || KINDS.contains(&kind) && name.starts_with(['\'', '<']);
    let (location, rest) = attached(position)?;
    let name = name.strip_prefix('\'').and_then(|name| name.split('\'').next()).unwrap_or_default();
    (is_function && rest.is_empty()).then(|| named(location.path, Some(location.line), name, false))
}

/// Parses ``lib/cart.rb:12:in `pick'``, `from lib/cart.rb:12:in 'Shop::Cart#pick'` and `block in pick`.
fn ruby(line: &str) -> Option<Frame> {
    let (position, function) = line.split_once(":in `").or_else(|| line.split_once(":in '"))?;
    let position = position.trim_start();
    // A numbered trace has the innermost frame last.
    let numbered = position.split_once(": from ").filter(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
    let position = numbered.map_or(position, |(_, position)| position);
    // A program or a level may precede it.
    let position = position.rsplit(char::is_whitespace).next().unwrap_or(position);
    let (location, rest) = attached(position)?;
    let function = function.rsplit_once('\'').map_or(function, |(function, _)| function);
    let function = function.rsplit(" in ").next().unwrap_or(function);
    let function = if function.starts_with('<') { "" } else { function };
    rest.is_empty().then(|| named(location.path, Some(location.line), function, numbered.is_some()))
}

/// Parses `#0 /app/src/Cart.php(12): Shop\Cart->add(1)`, where the function in which the line is has the next frame.
fn php(line: &str, next: &str) -> Option<Frame> {
    let (path, line_number, _) = php_call(line)?;
    let location = location(path, line_number)?;
    let function = php_call(next).map_or("", |(.., call)| call).split('(').next().unwrap_or_default();
    Some(named(location.path, Some(location.line), function, false))
}

/// Returns path, line and call of `#0 /app/src/Cart.php(12): Shop\Cart->add(1)`.
fn php_call(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    let (position, call) = rest.split_once("): ")?;
    let (path, line) = position.rsplit_once('(')?;
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    (is_number(number) && is_number(line)).then_some((path, line, call))
}

/// The function of a frame's class that stands for the function around it, as Kotlin and Scala compile closures.
const CLOSURES: [&str; 4] = ["invoke", "invokeSuspend", "apply", "applyOrElse"];

/// Parses `at shop.Cart.pick(Cart.java:12)`, also with a module or a loader before the name, and without a file.
fn jvm(line: &str) -> Option<Frame> {
    let (name, rest) = line.trim_start().strip_prefix("at ")?.split_once('(')?;
    let (position, _) = rest.split_once(')')?;
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_part = |letter: char| is_name_part(letter) || matches!(letter, '<' | '>' | '-');
    let is_name = name.contains('.') && name.chars().all(is_part);
    let (file, number) = position.split_once(':').unwrap_or((position, ""));
    let is_known = is_source_path(file) && !file.contains(['/', '\\', ' ']);
    let is_unknown = matches!(position, "Native Method" | "Unknown Source");
    if !is_name || !(is_known || is_unknown) {
        return None;
    }
    let (class, method) = name.rsplit_once('.')?;
    let (package, class) = class.rsplit_once('.').unwrap_or(("", class));
    let (function, container) = jvm_names(class, method);
    let path = match (is_known, package) {
        (false, _) => String::new(),
        (true, "") => file.to_owned(),
        (true, package) => format!("{}/{file}", package.replace('.', "/")),
    };
    let line = number.parse().ok().filter(|line| *line > 0);
    Some(Frame { path, line, function, container, is_outermost_first: false })
}

/// Returns the function and its class as the source has them, by the names that compilers make.
fn jvm_names(class: &str, method: &str) -> (String, String) {
    let is_made = |part: &&str| part.chars().next().is_none_or(|letter| letter.is_ascii_digit());
    let mut parts: Vec<&str> = class.split('$').filter(|part| !is_made(part)).collect();
    let is_closure = parts.len() > 1 && class.ends_with(|letter: char| letter.is_ascii_digit());
    let mut function = method;
    if is_closure && CLOSURES.contains(&method) {
        function = parts.pop().unwrap_or(method);
    } else if let Some(rest) = method.strip_prefix("lambda$").or_else(|| method.strip_prefix("$anonfun$")) {
        function = rest.split('$').next().unwrap_or(rest);
    } else if let Some((before, _)) = method.split_once('$').filter(|(before, _)| !before.is_empty()) {
        function = before;
    }
    let container = parts.last().copied().unwrap_or_default();
    // The functions of a Kotlin file are in a class that the source does not have.
    let container = if container.ends_with("Kt") { "" } else { container };
    let function = if function.starts_with('<') { container } else { function };
    (function.to_owned(), container.to_owned())
}

/// Parses `at Shop.Cart.Pick(Int32 number) in C:\shop\Cart.cs:line 12`; the place is absent without symbols.
fn dotnet(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (call, position) = match rest.split_once(") in ") {
        Some(parts) => parts,
        None => (rest.trim_end().strip_suffix(')')?, ""),
    };
    let (name, arguments) = call.split_once('(')?;
    // The name before the parentheses of Node ends with a space, and what is in them has a line.
    let is_name = name.contains('.') && !name.contains(char::is_whitespace);
    if !is_name || position.is_empty() && (arguments.contains([':', '/', '\\']) || arguments.contains(".")) {
        return None;
    }
    let (function, container) = dotnet_names(name);
    let frame = Frame { function, container, ..Frame::default() };
    if position.is_empty() {
        return Some(frame);
    }
    let (path, number) = position.rsplit_once(":line ")?;
    let location = location(path, number.trim())?;
    Some(Frame { path: location.path, line: Some(location.line), ..frame })
}

/// Returns the function and its type as the source has them, by the names that the compiler makes: `<Get>d__3.MoveNext`,
/// `<>c__DisplayClass0_0.<Run>b__0`, `Cart..ctor`, `get_Total`.
fn dotnet_names(name: &str) -> (String, String) {
    let plain = |segment: &str| segment.split(['`', '[']).next().unwrap_or_default().to_owned();
    let mut function = String::new();
    for segment in name.rsplit(['.', '+']).filter(|segment| !segment.is_empty()) {
        let source = segment.strip_prefix('<').and_then(|made| made.split_once('>'));
        let local = segment.split_once("g__").map(|(_, local)| local.split('|').next().unwrap_or(local));
        match (source, local) {
            (Some(_), Some(local)) if function.is_empty() => function = local.to_owned(),
            // What is made for a closure has no name before the end of the brackets.
            (Some(("", _)), _) => {}
            (Some((source, _)), _) if function.is_empty() || function == "MoveNext" => function = source.to_owned(),
            (Some(_), _) => {}
            (None, _) if function.is_empty() => {
                let name = segment.strip_prefix("get_").or_else(|| segment.strip_prefix("set_")).unwrap_or(segment);
                function = plain(name);
            }
            (None, _) => {
                let container = plain(segment);
                let is_constructor = matches!(function.as_str(), "ctor" | "cctor");
                return (if is_constructor { container.clone() } else { function }, container);
            }
        }
    }
    (function, String::new())
}

/// Parses the frames of debuggers, sanitizers and Swift: `#1  0x55 in pick (cart=0x0) at src/cart.c:12`,
/// ``frame #0: 0x1 shop`pick(cart=0x0) at cart.c:12:7``, `#0 0x4f in shop::Cart::pick(int) /src/cart.cpp:12:7`,
/// `3 [ra] 0x1 Cart.pick(_:) + 12 in shop at /src/Cart.swift:12:7`, `2  Shop  0x1 Cart.pick() + 4 (Cart.swift:12)`.
fn native(line: &str) -> Option<Frame> {
    let text = line.trim().trim_start_matches("* ");
    let is_digit = |letter: char| letter.is_ascii_digit();
    let number = text.strip_prefix("frame #").or_else(|| text.strip_prefix('#')).unwrap_or(text);
    let is_marked = number.len() < text.len();
    let rest = number.trim_start_matches(is_digit);
    let before = rest.split('(').next().unwrap_or(rest);
    let address = before.split_whitespace().find(|word| word.starts_with("0x"));
    // "#12" may be a ticket.
    if rest.len() == number.len() || !(is_marked && rest.contains(" (") || address.is_some()) {
        return None;
    }
    let (head, position) = match rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some(parts) if attached(parts.1).is_some() => parts,
        _ => rest.rsplit_once(" at ").or_else(|| rest.rsplit_once(' '))?,
    };
    let (location, after) = attached(position.trim())?;
    if !after.is_empty() {
        return None;
    }
    let head = address.and_then(|address| head.split_once(address)).map_or(head, |(_, head)| head);
    let head = head.rsplit_once('`').map_or(head, |(_, head)| head);
    let head = head.split(" + ").next().unwrap_or(head).trim_start_matches(": ").trim();
    let head = head.strip_prefix("in ").unwrap_or(head);
    // A closure counts to its function.
    let head = if head.starts_with("closure ") { head.rsplit(" in ").next().unwrap_or(head) } else { head };
    let name = head.split(['(', '<']).next().unwrap_or(head).trim();
    let name = name.rsplit(' ').next().unwrap_or(name);
    let path = location.path.strip_prefix("package:").unwrap_or(&location.path).to_owned();
    Some(named(path, Some(location.line), name, false))
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
    is_position.then(|| named(location.path, Some(location.line), name, false))
}

/// Returns the function of a line such as `  1: shop::main`.
fn numbered(line: &str) -> Option<&str> {
    let (number, function) = line.trim_start().split_once(": ")?;
    let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
    // Some backtraces have addresses.
    is_number.then(|| function.trim().rsplit(" - ").next().unwrap_or(function))
}

/// Parses `pick@http://localhost/src/cart.js:12:7`, as Firefox and Safari write it.
fn browser(line: &str) -> Option<Frame> {
    let (function, position) = line.trim().split_once('@')?;
    let is_position = position.starts_with('/') || position.contains("://");
    let (location, rest) = attached(position)?;
    let name = function.split(['/', '<', '[']).next().unwrap_or(function);
    let is_frame = is_position && rest.is_empty() && !line.trim().contains(char::is_whitespace);
    is_frame.then(|| named(location.path, Some(location.line), name, false))
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
    is_frame.then(|| named(location.path, Some(location.line), if is_call { function } else { "" }, false))
}

fn is_name_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$')
}

/// Returns the frame of a function by its qualified name.
fn named(path: String, line: Option<u32>, qualified: &str, is_outermost_first: bool) -> Frame {
    let (function, container) = last_names(qualified);
    Frame { path, line, function, container, is_outermost_first }
}

/// Returns the last two segments of a qualified name that are names: closures count to their function.
fn last_names(qualified: &str) -> (String, String) {
    let is_name = |segment: &&str| {
        let is_closure = segment.strip_prefix("func").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
        segment.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && !(is_closure && segment.len() > 4)
    };
    let segments = qualified.trim().rsplit(['.', ':', '/', ')', '(', '*', '\\', '#', '>', '-', '[']);
    let mut names = segments.map(str::trim).filter(is_name).filter(|name| !is_hash(name));
    let mut next = || names.next().unwrap_or_default().to_owned();
    (next(), next())
}

/// Returns whether a segment is the hash at the end of a mangled Rust name.
fn is_hash(segment: &str) -> bool {
    segment.len() == 17 && segment.starts_with('h') && segment[1..].chars().all(|letter| letter.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests;
