//! The paths of all files as one text, in which a name is found faster than in each path: a task asks for several, and a large
//! repository has a hundred thousand paths.

/// Between two paths; no path has it.
const BETWEEN: u8 = 0;

/// The paths of files in lower case.
#[derive(Debug)]
pub(super) struct PathText {
    text: String,
    /// Position after each path.
    ends: Vec<usize>,
}

impl PathText {
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a str>) -> PathText {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for path in paths {
            text.push_str(path);
            ends.push(text.len());
            text.push(char::from(BETWEEN));
        }
        text.make_ascii_lowercase();
        PathText { text, ends }
    }

    /// Returns the indexes of the paths of which a folder or the file has a name, with or without what follows its first dot,
    /// ascending. The name must be in lower case.
    pub(super) fn files_with_part(&self, name: &str) -> Vec<u32> {
        let is_outside = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(*byte, b'/' | BETWEEN));
        if name.is_empty() || name.contains(['/', char::from(BETWEEN)]) {
            return Vec::new();
        }
        let bytes = self.text.as_bytes();
        let mut files: Vec<u32> = Vec::new();
        for (start, _) in self.text.match_indices(name) {
            let before = start.checked_sub(1).map(|before| &bytes[before]);
            let after = bytes.get(start + name.len());
            let ends_stem = after == Some(&b'.') && !name.contains('.');
            if is_outside(before) && (ends_stem || is_outside(after)) {
                files.push(self.ends.partition_point(|end| *end <= start) as u32);
            }
        }
        files.dedup();
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_parts_match() {
        let text = PathText::new(["src/sql/store.rs", "src/src/A.test.ts", ".sql", "sql.d/a/a"].into_iter());
        for name in ["sql/", "/sql", "sql\0", "sr", "rs", "stores", "a.test", "test", "A", ""] {
            assert!(text.files_with_part(name).is_empty(), "{name:?}");
        }
        for name in ["store", "store.rs"] {
            assert_eq!(text.files_with_part(name), [0], "{name:?}");
        }
        assert_eq!(text.files_with_part("src"), [0, 1]);
        assert_eq!(text.files_with_part("sql"), [0, 3]);
        assert_eq!(text.files_with_part("sql.d"), [3]);
        assert_eq!(text.files_with_part(".sql"), [2]);
        assert_eq!(text.files_with_part("a"), [1, 3]);
        assert!(PathText::new(std::iter::empty()).files_with_part("a").is_empty());
    }
}
