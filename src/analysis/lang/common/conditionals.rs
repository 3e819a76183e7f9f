//! Conditional compilation by lines: `#if`, `#elif`, `#else`, `#endif`.
//!
//! Branches can divide a statement, so that the text with all of them is not a program and a grammar finds no structure in
//! it. The text with the first branch of each condition is one.

use crate::lang::gates::GatedCode;

/// Replaces directives and all branches but the first of each condition by spaces, so that positions stay.
pub fn first_branches(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    // Whether the current branch of each open condition is the first.
    let mut open: Vec<bool> = Vec::new();
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        let name = directive.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        match name {
            "if" | "ifdef" | "ifndef" => open.push(true),
            "elif" | "else" => {
                if let Some(is_first) = open.last_mut() {
                    *is_first = false;
                }
            }
            "endif" => _ = open.pop(),
            _ => {}
        }
        let is_directive = matches!(name, "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif");
        if is_directive || open.contains(&false) {
            masked.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
        } else {
            masked.push_str(line);
        }
    }
    masked
}

/// Returns the text without the conditions whose branches divide a block or a list, such as the two heads of one `if`:
/// of these only the first branch remains, and lines keep their positions. `None` if there is none. A branch that is
/// only for `never` or for nothing is not the first one, and is left out if it only opens or closes something.
pub fn without_split_branches(text: &str, never: &[&str]) -> Option<String> {
    if !has_conditions(text) {
        return None;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut is_kept = vec![true; lines.len()];
    let mut open: Vec<Condition> = Vec::new();
    let mut scanner = Scanner::default();
    let mut is_continued = false;
    for (number, line) in lines.iter().enumerate() {
        let is_directive = !scanner.is_comment && (is_continued || line.trim_start().starts_with('#'));
        if !is_directive {
            let depths = scanner.scan(line);
            if let Some(branch) = open.last_mut().and_then(|condition| condition.branches.last_mut()) {
                branch.add(depths);
            }
            continue;
        }
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        let directive = if is_continued { "" } else { directive };
        is_continued = line.trim_end().ends_with('\\');
        let name = directive.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        match name {
            "if" | "ifdef" | "ifndef" => {
                let words = |text: &str| text.split([' ', '\t']).collect::<String>();
                let condition = directive[name.len()..].split("//").next().unwrap_or_default();
                let condition = words(condition.split("/*").next().unwrap_or_default().trim());
                let is_never =
                    name != "ifndef" && (condition == "0" || never.iter().any(|never| words(never) == condition));
                open.push(Condition { is_never, branches: vec![Branch::from(number)] });
            }
            "elif" | "else" => {
                if let Some(condition) = open.last_mut() {
                    condition.branches.push(Branch::from(number));
                }
            }
            "endif" => {
                let Some(condition) = open.pop() else { continue };
                let kept = condition.end(number, &lines, &mut is_kept);
                if let (Some(outer), Some(kept)) = (open.last_mut(), kept) {
                    outer.branches.last_mut().into_iter().for_each(|branch| branch.add(kept));
                }
            }
            _ => {}
        }
    }
    if is_kept.iter().all(|is_kept| *is_kept) {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    for (line, is_kept) in lines.iter().zip(is_kept) {
        if is_kept {
            masked.push_str(line);
        } else {
            masked.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
        }
    }
    Some(masked)
}

/// Returns whether a text can have conditions. Most sources of C have none, and need not be scanned.
fn has_conditions(text: &str) -> bool {
    text.match_indices('#').any(|(at, _)| text[at + 1..].trim_start().starts_with("if"))
}

/// Maximum nesting of conditions, and number of macros in one, that are gates. Real code stays below ten.
const MAX_CONDITIONS: usize = 32;

/// Returns the code between `#if` and `#endif`, once for each macro of the condition. The names that a compiler or a
/// system reserves are not flags, nor is a macro that is defined where it is missing: an include guard or a default.
pub fn gates(text: &str) -> Vec<GatedCode> {
    let mut gates = Vec::new();
    if !has_conditions(text) {
        return gates;
    }
    // The start of each open condition's code, and the macros of its branches so far.
    let mut open: Vec<Vec<(usize, String)>> = Vec::new();
    let mut scanner = Scanner::default();
    let mut missing: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let directive = line.trim_start().strip_prefix('#').filter(|_| !scanner.is_comment).map(str::trim_start);
        scanner.scan(line);
        let Some(directive) = directive else { continue };
        let end = directive.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(directive.len());
        let (name, condition) = directive.split_at(end);
        let tested = missing.take();
        match name {
            "if" | "ifdef" | "ifndef" => {
                let macros = macros(condition);
                let negated = name == "ifndef" || condition.trim_start().starts_with('!');
                missing = macros.first().copied().filter(|_| negated && macros.len() == 1);
                open.push(macros.into_iter().map(|name| (at, name.to_owned())).collect());
            }
            "elif" => {
                if let Some(names) = open.last_mut() {
                    names.extend(macros(condition).into_iter().map(|name| (at, name.to_owned())));
                }
            }
            "define" if macros(condition).first().copied() == tested && tested.is_some() => {
                open.last_mut().into_iter().for_each(Vec::clear);
            }
            "endif" => {
                let ended = open.pop().unwrap_or_default().into_iter();
                let ended = ended.take(if open.len() < MAX_CONDITIONS { MAX_CONDITIONS } else { 0 });
                gates.extend(ended.map(|(from, flag)| GatedCode { flag, range: Some(from..start), is_macro: true }));
            }
            _ => {}
        }
    }
    gates
}

/// Returns the names in a condition that can be flags: no reserved ones, none with arguments, and none without a capital,
/// which are functions and types that a system may define as macros.
fn macros(condition: &str) -> Vec<&str> {
    let condition = condition.split("//").next().unwrap_or(condition);
    let condition = condition.split("/*").next().unwrap_or(condition);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut rest = condition;
    while let Some(start) = rest.find(is_name).filter(|_| names.len() < MAX_CONDITIONS) {
        let word = &rest[start..];
        let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        let arguments = after.trim_start().strip_prefix('(').filter(|_| name != "defined");
        let is_flag =
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.contains(|c: char| c.is_ascii_uppercase());
        if arguments.is_none() && is_flag && !names.contains(&name) {
            names.push(name);
        }
        rest = arguments.map_or(after, |arguments| arguments.split_once(')').map_or("", |(_, rest)| rest));
    }
    names
}

/// The change of the nesting of brackets by a text, and the least nesting in it.
#[derive(Debug, Clone, Copy, Default)]
struct Depths {
    change: i64,
    least: i64,
}

/// A branch of a condition, from the line of its directive on.
#[derive(Debug)]
struct Branch {
    start: usize,
    depths: Depths,
}

impl Branch {
    fn from(start: usize) -> Branch {
        Branch { start, depths: Depths::default() }
    }

    fn add(&mut self, next: Depths) {
        let Depths { change, least } = self.depths;
        self.depths = Depths { change: change + next.change, least: least.min(change + next.least) };
    }
}

#[derive(Debug)]
struct Condition {
    /// Whether the first branch is not part of the program.
    is_never: bool,
    branches: Vec<Branch>,
}

impl Condition {
    /// Marks what does not remain if a branch has unequal brackets. Returns what remains; `None` if all does.
    fn end(self, end: usize, lines: &[&str], is_kept: &mut [bool]) -> Option<Depths> {
        let is_split = |branch: &Branch| branch.depths.change != 0 || branch.depths.least < 0;
        // `extern "C"` before what the condition does not contain.
        let is_prefix = self.is_never
            && self.branches.first().is_some_and(|first| match &lines[first.start + 1..end] {
                [only] => only.trim_end().ends_with('"'),
                _ => false,
            });
        // An attribute before a function, which directives can't divide for the grammars.
        let is_attribute = self.branches.first().is_some_and(|first| match &lines[first.start + 1..end] {
            [only] => only.trim_start().starts_with("__attribute__") && only.trim_end().ends_with(')'),
            _ => false,
        });
        if !is_prefix && !is_attribute && !self.branches.iter().any(is_split) {
            return None;
        }
        let chosen = usize::from(self.is_never);
        let ends = self.branches.iter().skip(1).map(|branch| branch.start).chain([end]);
        for (number, (branch, end)) in self.branches.iter().zip(ends).enumerate() {
            is_kept[branch.start] = false;
            if number != chosen {
                is_kept[branch.start..end].fill(false);
            }
        }
        is_kept[end] = false;
        Some(self.branches.get(chosen).map(|branch| branch.depths).unwrap_or_default())
    }
}

/// Counts brackets outside of comments, strings and characters.
#[derive(Debug, Default)]
struct Scanner {
    /// Whether the line begins in a comment.
    is_comment: bool,
}

impl Scanner {
    fn scan(&mut self, line: &str) -> Depths {
        let bytes = line.as_bytes();
        let mut depths = Depths::default();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            let next = bytes.get(at).copied();
            match byte {
                b'*' if self.is_comment && next == Some(b'/') => {
                    self.is_comment = false;
                    at += 1;
                }
                _ if self.is_comment => {}
                b'/' if next == Some(b'/') => break,
                b'/' if next == Some(b'*') => {
                    self.is_comment = true;
                    at += 1;
                }
                // `1'000` has no character.
                b'\'' if at > 1 && bytes[at - 2].is_ascii_alphanumeric() => {}
                b'"' | b'\'' => {
                    while let Some(&inner) = bytes.get(at) {
                        at += if inner == b'\\' { 2 } else { 1 };
                        if inner == byte {
                            break;
                        }
                    }
                }
                b'{' | b'(' => depths.change += 1,
                b'}' | b')' => depths.change -= 1,
                _ => {}
            }
            depths.least = depths.least.min(depths.change);
        }
        depths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_branches_stay_in_place() {
        let text = "a\n#if X\n  b\n  # if Y\nc\n#else\nd é\n#endif\n#elif Z\ne\n#else\nf\n#endif\n#region g\n";
        let masked = first_branches(text);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "#region", "g"]);
        assert_eq!(masked.find("#region"), text.find("#region"));
        assert_eq!(first_branches("#endif\n#else\nx"), format!("{}\n{}\nx", " ".repeat(6), " ".repeat(5)));
    }

    #[test]
    fn branches_that_divide_a_block_become_one() {
        let text = "f() {\n#ifdef X\n  if (a) {\n#else\n  if (b) { // }\n#endif\n  }\n}\n#if Y\ng() { '{'; }\n#else\nh() {}\n#endif\n";
        let masked = without_split_branches(text, &[]).unwrap();
        assert_eq!(masked.len(), text.len());
        let expected = "f() { if (a) { } } #if Y g() { '{'; } #else h() {} #endif";
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        let guard = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#if 0\n{\n#elif Z\n(\n#endif\n";
        let masked = without_split_branches(guard, &["__cplusplus"]).unwrap();
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>(), ["int", "f(void);", "("]);
        let prefix = "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid f();\n";
        assert_eq!(without_split_branches(prefix, &["__cplusplus"]).unwrap().trim(), "void f();");
        for whole in ["#if A\nint a;\n#endif\n", "#endif\n}\n#else", "/* \n#if\n{ */\n#define A { \\\n {\n"] {
            assert_eq!(without_split_branches(whole, &[]), None, "{whole}");
        }
    }
}
