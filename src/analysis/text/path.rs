//! Paths with forward slashes, relative to the repository's root.

/// Returns the folder of a path; empty if it has none.
pub fn parent_dir(path: &str) -> &str {
    split_path(path).0
}

/// Returns the number of folders that two paths have in common.
pub fn common_folders(one: &str, other: &str) -> usize {
    let (one, other) = (parent_dir(one).split('/'), parent_dir(other).split('/'));
    one.zip(other).take_while(|(left, right)| left == right && !left.is_empty()).count()
}

/// Returns the part of a path after its last slash.
pub fn file_name(path: &str) -> &str {
    split_path(path).1
}

/// Splits a path at its last slash into the folder, empty if it has none, and the name.
pub fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Returns a route whose parameters are all written alike: `/users/{}` for `/users/:id`, `/users/<int:id>`, `/users/{id}`.
pub fn route_form(route: &str) -> String {
    let is_parameter = |segment: &str| segment.starts_with(':') || segment.contains(['{', '<', '[']);
    let segments = route.split('/').map(|segment| if is_parameter(segment) { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_split_at_its_last_slash() {
        assert_eq!(split_path("a/b/c.rs"), ("a/b", "c.rs"));
        assert_eq!((parent_dir("c.rs"), file_name("c.rs")), ("", "c.rs"));
        assert_eq!((parent_dir("a/"), file_name("a/")), ("a", ""));
    }

    #[test]
    fn parameters_of_all_frameworks_are_alike() {
        for route in ["GET /users/{id}/x", "GET /users/:id/x", "GET /users/<int:id>/x", "GET /users/[id]/x"] {
            assert_eq!(route_form(route), "GET /users/{}/x");
        }
    }
}
