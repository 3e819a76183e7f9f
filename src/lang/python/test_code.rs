//! What counts as test code: by whole path segments and names, never by substrings.

/// True for a file that only tests: `test_x.py`, `x_test.py`, `conftest.py`, anything in a `tests` folder.
pub(super) fn is_test_file(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "conftest" | "tests")
        || folders.split('/').any(|folder| folder == "tests")
}

/// True for a name that test runners pick up.
pub(super) fn is_test_function(name: &str) -> bool {
    name.starts_with("test_")
}
