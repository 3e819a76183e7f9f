//! Reasons for skipping files and folders.

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
    /// A file with NUL bytes.
    Binary = 3, "binary";
    /// Larger than [`super::read::MAX_FILE_BYTES`].
    TooLarge = 4, "too_large";
    /// Refused by the operating system, or removed meanwhile.
    Unreadable = 5, "unreadable";
    /// The path is not UTF-8.
    PathNotUtf8 = 6, "path_not_utf8";
    /// A symbolic link; links are never followed.
    Symlink = 7, "symlink";
    /// A folder nested deeper than [`super::discover::MAX_FOLDER_DEPTH`].
    TooDeep = 8, "too_deep";
    /// The content is not UTF-8.
    NotUtf8 = 9, "not_utf8";
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
}

impl SkipReason {
    /// Returns whether a later read can succeed although the file's size and time are unchanged.
    pub fn is_transient(self) -> bool {
        matches!(self, SkipReason::Unreadable | SkipReason::Symlink | SkipReason::Special)
    }
}

/// A skipped file or folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Path relative to the repository's root, with forward slashes; a folder's path ends with one.
    pub path: String,
    pub reason: SkipReason,
}
