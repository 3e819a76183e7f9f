//! Which files are test code.

/// True when a path names a test file by its suffix or one of its folders.
pub fn is_test_path(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or("");
    let in_folder = parts.iter().any(|part| {
        matches!(*part, "__tests__" | "test" | "tests" | "__mocks__" | "__fixtures__" | "spec" | "specs" | "e2e")
    });
    let marks = [".test.", ".spec.", ".test-d.", ".spec-d.", ".e2e."];
    in_folder || marks.iter().any(|mark| name.contains(mark)) || name.contains("-test.") || name.contains("_test.")
}
