//! Plain data shared by all modules: symbols, edges, identities, tasks, packs. Independent of
//! storage, ranking and output.

pub mod edge;
pub mod identity;
pub mod ids;
pub mod pack;
pub mod posting;
pub mod question;
pub mod repositories;
pub mod span;
mod sql;
pub mod symbol;
pub mod task;

pub use edge::{Edge, EdgeType, Provenance};
pub use identity::{SymbolId, SymbolName};
pub use ids::{CommitId, DefId, FileId, FileIndex, MemberNode, NodeId};
pub use pack::{
    Also, Component, ContextPack, CutLine, Digest, MissingSource, Omission, PackEdge, PackedSymbol, Reason,
    SourceLines, UnmatchedWord,
};
pub use posting::Posting;
pub use question::{
    Access, Answer, AnswerRow, AnswerStep, FieldAccess, Meaning, Mention, Occurrence, Question, StepEnd, Subject,
    SymbolDetails,
};
pub use repositories::{Repositories, RepositoryName, SINGLE_REPOSITORY, below_root, relative};
pub use span::Span;
pub use symbol::{Symbol, SymbolKind};
pub use task::{Detail, Intent, Options, Request, Seen, Task};
