//! Reasons for skipping files and folders.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! skip_reasons {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal;)*) => {
        /// The reason why a file or folder was skipped. The numbers are stored: append, never renumber.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum SkipReason { $($(#[$doc])* $variant = $number),* }

        impl SkipReason {
            /// All reasons in the order of their numbers.
            pub const ALL: &'static [SkipReason] = &[$(SkipReason::$variant),*];

            /// Returns the name used in output.
            pub fn name(self) -> &'static str {
                match self { $(SkipReason::$variant => $name),* }
            }
        }
    };
}

skip_reasons! {
    /// Vendored code (`vendor/`, `node_modules/`).
    Vendored = 0, "vendored";
    /// Generated code, by its name or first lines.
    Generated = 1, "generated";
    /// Minified code, by the length of its lines.
    Minified = 2, "minified";
    /// Not text, by its share of control characters.
    Binary = 3, "binary";
    /// Larger than the limit of the settings.
    TooLarge = 4, "too_large";
    /// Refused by the operating system, or removed meanwhile.
    Unreadable = 5, "unreadable";
    /// The path is not UTF-8.
    PathNotUtf8 = 6, "path_not_utf8";
    /// A symbolic link; links are never followed.
    Symlink = 7, "symlink";
    /// A folder nested deeper than [`super::discover::MAX_FOLDER_DEPTH`].
    TooDeep = 8, "too_deep";
    /// A device, pipe or socket.
    Special = 10, "special_file";
    /// A syntax tree deeper than the parser's limit.
    DeepSyntax = 11, "deep_syntax";
    /// The parser returned no tree.
    Unparsable = 12, "unparsable";
    /// Beyond [`super::discover::MAX_FILES`].
    TooMany = 13, "too_many";
    /// A page without scripts.
    NoCode = 14, "no_code";
    /// Ignored by a rule of git or of `.ignore`, and not tracked.
    Ignored = 15, "ignored";
    /// Excluded by the settings.
    Excluded = 16, "excluded";
    /// A linked worktree of a repository that is indexed: a copy of what is.
    Worktree = 17, "worktree";
}

impl SkipReason {
    /// Returns the reason as the end of a sentence about one file.
    pub fn description(self) -> &'static str {
        match self {
            SkipReason::Vendored => "is vendored",
            SkipReason::Generated => "is generated",
            SkipReason::Minified => "is minified",
            SkipReason::Binary => "is not text",
            SkipReason::TooLarge => "is too large",
            SkipReason::Unreadable => "can't be read",
            SkipReason::PathNotUtf8 => "has a name that is not UTF-8",
            SkipReason::Symlink => "is a symbolic link",
            SkipReason::TooDeep => "is nested too deep",
            SkipReason::Special => "is a device, pipe or socket",
            SkipReason::DeepSyntax => "has a syntax tree that is too deep",
            SkipReason::Unparsable => "can't be parsed",
            SkipReason::TooMany => "is one file too many",
            SkipReason::NoCode => "has no code",
            SkipReason::Ignored => "is ignored",
            SkipReason::Excluded => "is excluded",
            SkipReason::Worktree => "is a linked worktree",
        }
    }

    /// Returns whether a later read can succeed although the file's size and time are unchanged.
    pub fn is_transient(self) -> bool {
        matches!(self, SkipReason::Unreadable | SkipReason::Symlink | SkipReason::Special)
    }
}

/// A skipped file or folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skip {
    /// Path relative to the repository's root, with forward slashes; a folder's path ends with one.
    pub path: String,
    pub reason: SkipReason,
}

/// A line that decides about files: of an ignore file, or of the settings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rule {
    /// The name of its file in messages, relative to the repository's root if it is in the repository.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub pattern: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` line {} (`{}`)", self.file, self.line, self.pattern)
    }
}

/// A file or folder that a rule leaves out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Omission {
    /// Path relative to the repository's root; a folder's path ends with a slash.
    pub path: String,
    /// [`SkipReason::Ignored`] or [`SkipReason::Excluded`].
    pub reason: SkipReason,
    pub rule: Rule,
}
