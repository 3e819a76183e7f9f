//! Directions of the shapes: what a feature means decides whether its contribution may fall or rise.

/// The direction of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// A larger value never contributes less.
    Rising,
    /// A larger value never contributes more.
    Falling,
    Free,
}

/// Features that are evidence for a candidate.
const RISING: &[&str] = &[
    "area",
    "best_caller",
    "best_used",
    "best_user",
    "body",
    "body_rank",
    "cited",
    "command",
    "concept",
    "container",
    "container_named",
    "coverage",
    "doc",
    "dotted",
    "file",
    "framework",
    "lexical",
    "lexical_rank",
    "lexical_share",
    "local_use",
    "name",
    "name_overlap",
    "name_rank",
    "named",
    "overriders",
    "path_rarity",
    "path_rarity_share",
    "path_mention",
    "run",
    "scope",
    "scoped_overlap",
    "scoped_run",
    "subtypes",
    "tag",
    "tested_by",
    "type_text",
    "walk",
];
/// Beginnings of the names of such features.
const RISING_PREFIXES: &[&str] = &["frame", "history", "past", "subject"];
/// Features that are evidence against a candidate.
const FALLING: &[&str] = &["example", "test"];

impl Direction {
    /// Moves an increment of a shape to the nearest one that the direction allows.
    pub fn clamp(self, increment: f64) -> f64 {
        match self {
            Direction::Rising => increment.max(0.0),
            Direction::Falling => increment.min(0.0),
            Direction::Free => increment,
        }
    }

    /// Returns whether an increment is at the bound, and the descent along `gradient` leads beyond it.
    pub fn binds(self, increment: f64, gradient: f64) -> bool {
        match self {
            Direction::Rising => increment <= 0.0 && gradient > 0.0,
            Direction::Falling => increment >= 0.0 && gradient < 0.0,
            Direction::Free => false,
        }
    }
}

/// Returns the direction of a feature's shape.
pub fn direction(feature: &str) -> Direction {
    if FALLING.contains(&feature) {
        Direction::Falling
    } else if RISING.contains(&feature) || RISING_PREFIXES.iter().any(|prefix| feature.starts_with(prefix)) {
        Direction::Rising
    } else {
        Direction::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_prefixes_have_directions() {
        let found = ["lexical", "subject_rank", "history", "test", "members", "files"].map(direction);
        let (rising, free) = (Direction::Rising, Direction::Free);
        assert_eq!(found, [rising, rising, rising, Direction::Falling, free, free]);
    }

    #[test]
    fn bounds_bind_only_outward() {
        assert!(Direction::Rising.binds(0.0, 1.0) && !Direction::Rising.binds(0.0, -1.0));
        assert!(!Direction::Rising.binds(0.5, 1.0) && Direction::Falling.binds(0.0, -1.0));
        assert_eq!((Direction::Rising.clamp(-1.0), Direction::Falling.clamp(-1.0)), (0.0, -1.0));
    }
}
