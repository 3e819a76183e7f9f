//! Coding agents: what `knowing install` writes into their configuration, and the hooks that they run.
//!
//! An agent is a seed file, `seeds/agents/NAME.toml`, and its line in [`profile`]. [`install`] plans changes of files and
//! applies them, [`record`] keeps how each is reversed, [`edits`] has the formats of files. [`hook`] answers the hooks.

mod edits;
mod files;
mod hook;
mod install;
mod part;
mod profile;
mod record;

pub use files::FileError;
pub use hook::{HookKind, answer};
pub use install::{Action, Change, InstallError, InstallLock, Installer, PartState, Plan, in_use};
pub use profile::{Profile, Scope, profiles};
