//! Build constraints: whether the usual build takes in a file. Of two definitions of one name, that build's is meant.

/// Systems that a file's name may end in.
const SYSTEMS: [&str; 15] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
];

/// Architectures that a file's name may end in.
const ARCHITECTURES: [&str; 14] = [
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
];

/// True for files that a plain build on Linux leaves out.
pub(super) fn excluded(path: &str, text: &str) -> bool {
    excluded_by_name(path) || !constraints(text).into_iter().all(holds)
}

fn excluded_by_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    // The first part is a name of its own: `linux.go` is for every system.
    let mut parts = stem.split('_').skip(1).collect::<Vec<_>>();
    if let Some(last) = parts.last()
        && ARCHITECTURES.contains(last)
    {
        if *last != "amd64" {
            return true;
        }
        parts.pop();
    }
    parts.last().is_some_and(|last| SYSTEMS.contains(last) && *last != "linux")
}

/// The constraints in the file's head, which is all comments before the first word of code.
fn constraints(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("//") {
            let line = rest.lines().next().unwrap_or(rest);
            found.extend(line.strip_prefix("//go:build "));
            line.len()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return found;
        };
        rest = rest[end..].trim_start();
    }
}

/// Whether a constraint holds for Linux on amd64 with no tags given.
fn holds(constraint: &str) -> bool {
    let mut reader = Reader { rest: constraint, depth: 0 };
    reader.either()
}

/// Reads `a && !b || (c)`.
struct Reader<'c> {
    rest: &'c str,
    depth: u32,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn either(&mut self) -> bool {
        let mut value = self.both();
        while self.take("||") {
            value |= self.both();
        }
        value
    }

    fn both(&mut self) -> bool {
        let mut value = self.one();
        while self.take("&&") {
            value &= self.one();
        }
        value
    }

    fn one(&mut self) -> bool {
        self.depth += 1;
        let value = if self.depth > 50 {
            true
        } else if self.take("!") {
            !self.one()
        } else if self.take("(") {
            let value = self.either();
            self.take(")");
            value
        } else {
            self.tag()
        };
        self.depth -= 1;
        value
    }

    fn tag(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        let length = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(length);
        self.rest = rest;
        matches!(tag, "linux" | "unix" | "amd64" | "cgo" | "gc") || tag.starts_with("go1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lines_decide() {
        assert!(excluded("a/listen_windows.go", ""));
        assert!(excluded("listen_linux_arm64.go", ""));
        assert!(!excluded("listen_linux_amd64_test.go", ""));
        assert!(!excluded("windows.go", "package a"));
        assert!(excluded("a.go", "// Copyright\n\n//go:build !unix || solaris\n\npackage a"));
        assert!(!excluded("a.go", "//go:build unix && !(windows || plan9)\npackage a"));
        assert!(excluded("a.go", "//go:build ignore\npackage a"));
        assert!(!excluded("a.go", "package a\n//go:build ignore"));
        assert!(excluded("a.go", "/* Copyright\n   of many */\n//go:build ignore\n\npackage a"));
        assert!(!excluded("a.go", "/*\n//go:build ignore\n*/\npackage a"));
    }
}
