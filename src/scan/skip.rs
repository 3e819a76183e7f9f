//! Why a file or folder is left out of the index.

use serde::{Deserialize, Serialize};

macro_rules! skip_reasons {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal;)*) => {
        /// Why something was left out. The numbers are stored: append, never renumber.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum SkipReason { $($(#[$doc])* $variant = $number),* }

        impl SkipReason {
            /// Every reason, in the order of its number.
            pub const ALL: &'static [SkipReason] = &[$(SkipReason::$variant),*];

            /// The name used in output.
            pub fn name(self) -> &'static str {
                match self { $(SkipReason::$variant => $name),* }
            }
        }
    };
}

skip_reasons! {
    /// Other people's code, copied in (`vendor/`, `node_modules/`).
    Vendored = 0, "vendored";
    /// Written by a program, by its name or by what its first lines say.
    Generated = 1, "generated";
    /// Lines too long for a person to have written them.
    Minified = 2, "minified";
    /// It holds NUL bytes.
    Binary = 3, "binary";
    /// Larger than [`super::read::MAX_FILE_BYTES`].
    TooLarge = 4, "too_large";
    /// The operating system refuses it, or it vanished meanwhile.
    Unreadable = 5, "unreadable";
    /// Its path can't be written as text.
    PathNotUtf8 = 6, "path_not_utf8";
    /// A symbolic link; links are never followed.
    Symlink = 7, "symlink";
    /// A folder nested deeper than [`super::discover::MAX_FOLDER_DEPTH`].
    TooDeep = 8, "too_deep";
    /// Its content is not UTF-8.
    NotUtf8 = 9, "not_utf8";
    /// A device, pipe or socket.
    Special = 10, "special_file";
    /// Its syntax tree is nested deeper than the parser's limit.
    DeepSyntax = 11, "deep_syntax";
    /// The parser gave nothing for it.
    Unparsable = 12, "unparsable";
    /// Beyond [`super::discover::MAX_FILES`].
    TooMany = 13, "too_many";
}

impl SkipReason {
    /// True when the file's size and time don't tell whether the reason still holds: a reading that failed may succeed
    /// the next time.
    pub fn is_transient(self) -> bool {
        matches!(self, SkipReason::Unreadable | SkipReason::Symlink | SkipReason::Special)
    }
}

/// A file or folder that was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// Path relative to the repository's root, with forward slashes; a folder's ends with one.
    pub path: String,
    pub reason: SkipReason,
}
