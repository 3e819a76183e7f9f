//! Ids: dense numbers that are valid only within one state of the index.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares an id: a `u32` of its own type, with the order, hash and serialized form of the bare number.
macro_rules! define_id {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The greatest id, which no row has: tables use it for "none".
            pub const MAX: $name = $name(u32::MAX);

            /// Returns the id with this number.
            #[inline]
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// Returns the id of the row at `index` of a dense table.
            ///
            /// # Panics
            ///
            /// Panics if `index` exceeds `u32::MAX`. The tables of an index have fewer rows.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).expect("a table has at most u32::MAX rows"))
            }

            /// Returns all ids from 0, ascending, to zip with the rows of a dense table.
            pub fn sequence() -> impl Iterator<Item = $name> + Clone {
                (0_u32..).map($name)
            }

            /// Returns the number.
            #[inline]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// Returns the number as the index of a row in a dense table.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    };
}

define_id!(
    /// Number of a symbol in the store, or its position in a graph in memory; dense from 0.
    NodeId
);
define_id!(
    /// Number of a file in the store, from 1.
    FileId
);
define_id!(
    /// Position of a file in the list of files that resolution or derivation works on; dense from 0.
    FileIndex
);
define_id!(
    /// Number of a definition within the facts of its file; dense from 0.
    DefId
);

impl FileId {
    /// The file of symbols without a file, such as externals.
    pub const NONE: FileId = FileId(0);
}

/// Hash of a Git commit: SHA-1, or the first 20 bytes of SHA-256.
pub type CommitId = [u8; 20];

/// A symbol of one of several repositories; of a single repository, the member is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MemberNode {
    /// The position of the repository in its workspace.
    pub member: u16,
    pub node: NodeId,
}

impl MemberNode {
    /// Creates the node of the repository at a position.
    ///
    /// # Panics
    ///
    /// Panics if the position exceeds `u16::MAX`. A workspace has fewer repositories.
    pub fn new(position: usize, node: NodeId) -> MemberNode {
        MemberNode { member: u16::try_from(position).expect("a workspace has at most 1,000 repositories"), node }
    }

    /// Returns the position of the repository.
    pub const fn position(self) -> usize {
        self.member as usize
    }
}
