//! Build constraints: whether the default build (linux/amd64, no tags) includes a file.
//!
//! Of several definitions of a name, the one in the default build is preferred. Syntax: `go doc go/build/constraint`.

use crate::lang::gates::GatedCode;

/// Values of `GOOS` that a file name may end in.
#[rustfmt::skip]
const OPERATING_SYSTEMS: &[&str] = &[
    "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9",
    "solaris", "wasip1", "windows",
];

/// Values of `GOARCH` that a file name may end in.
#[rustfmt::skip]
const ARCHITECTURES: &[&str] = &[
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
];

/// Other tags that the toolchain sets, or set for systems that it no longer knows.
const TOOLCHAIN: &[&str] = &["asan", "cgo", "gc", "gccgo", "hurd", "msan", "nacl", "race", "unix", "zos"];

/// Returns whether the default build excludes a file.
pub fn is_excluded(path: &str, text: &str) -> bool {
    is_excluded_by_name(path) || !constraints(text).into_iter().all(is_satisfied)
}

/// Returns whether the suffix of the file name excludes it: `_windows`, `_arm64`, `_linux_arm64`.
fn is_excluded_by_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    // The first part is not a constraint: every system builds `linux.go`.
    let mut parts = stem.split('_').skip(1).collect::<Vec<_>>();
    if let Some(last) = parts.last()
        && ARCHITECTURES.contains(last)
    {
        if *last != "amd64" {
            return true;
        }
        parts.pop();
    }
    parts.last().is_some_and(|last| OPERATING_SYSTEMS.contains(last) && *last != "linux")
}

/// Returns the `//go:build` expressions in the comments before the first token.
fn constraints(text: &str) -> Vec<&str> {
    let mut constraints = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("//") {
            let line = rest.lines().next().unwrap_or(rest);
            constraints.extend(line.strip_prefix("//go:build "));
            line.len()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return constraints;
        };
        rest = rest[end..].trim_start();
    }
}

/// Returns the tags that a build sets by `-tags`. They gate the whole file.
pub fn gates(text: &str) -> Vec<GatedCode> {
    let tags = constraints(text).into_iter().flat_map(|constraint| constraint.split(|c: char| !is_tag_char(c)));
    let is_own = |tag: &&str| !tag.is_empty() && !is_known(tag) && *tag != "ignore" && !tag.starts_with("go1");
    tags.filter(is_own).map(|tag| GatedCode { flag: tag.to_owned(), range: None, is_macro: false }).collect()
}

/// Returns whether the toolchain sets or clears a tag by itself.
fn is_known(tag: &str) -> bool {
    OPERATING_SYSTEMS.contains(&tag) || ARCHITECTURES.contains(&tag) || TOOLCHAIN.contains(&tag)
}

fn is_tag_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Returns whether linux/amd64 without tags satisfies a constraint.
fn is_satisfied(constraint: &str) -> bool {
    Parser { rest: constraint, depth: 0 }.or()
}

/// Maximum nesting of a constraint; deeper ones count as satisfied.
const MAX_DEPTH: u32 = 50;

/// A recursive-descent parser that evaluates `a && !b || (c)`.
struct Parser<'c> {
    rest: &'c str,
    depth: u32,
}

impl Parser<'_> {
    /// Consumes a token if it is next.
    fn accept(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> bool {
        let mut value = self.and();
        while self.accept("||") {
            value |= self.and();
        }
        value
    }

    fn and(&mut self) -> bool {
        let mut value = self.not();
        while self.accept("&&") {
            value &= self.not();
        }
        value
    }

    fn not(&mut self) -> bool {
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH {
            true
        } else if self.accept("!") {
            !self.not()
        } else if self.accept("(") {
            let value = self.or();
            self.accept(")");
            value
        } else {
            self.tag()
        };
        self.depth -= 1;
        value
    }

    /// Consumes a tag and returns whether the default build sets it.
    fn tag(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        let length = self.rest.find(|c| !is_tag_char(c)).unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(length);
        self.rest = rest;
        matches!(tag, "linux" | "unix" | "amd64" | "cgo" | "gc") || tag.starts_with("go1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_and_build_lines_exclude_files() {
        assert!(is_excluded("a/listen_windows.go", ""));
        assert!(is_excluded("listen_linux_arm64.go", ""));
        assert!(!is_excluded("listen_linux_amd64_test.go", ""));
        assert!(!is_excluded("windows.go", "package a"));
        assert!(is_excluded("a.go", "// Copyright\n\n//go:build !unix || solaris\n\npackage a"));
        assert!(!is_excluded("a.go", "//go:build unix && !(windows || plan9)\npackage a"));
        assert!(is_excluded("a.go", "//go:build ignore\npackage a"));
        assert!(!is_excluded("a.go", "package a\n//go:build ignore"));
        assert!(is_excluded("a.go", "/* Copyright\n   of many */\n//go:build ignore\n\npackage a"));
        assert!(!is_excluded("a.go", "/*\n//go:build ignore\n*/\npackage a"));
    }
}
