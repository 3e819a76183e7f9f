//! Reads a checkout: its files, manifests, owners and git history. Never writes, never executes anything of the
//! repository, and does not depend on the store.

pub mod census;
pub mod changes;
pub mod decode;
mod diff;
pub mod discover;
pub mod history;
pub mod ignored;
pub mod exclude;
mod git;
mod known_walk;
pub mod manifest;
pub mod owners;
mod patterns;
pub mod read;
mod readme;
pub mod repository;
pub mod settings;
pub mod skip;
mod stamps;
mod tracked;

pub use census::{Census, CheckoutState};
pub use discover::{DiscoveredFile, Discovery, discover};
pub use known_walk::{KnownWalk, WalkedAgain};
pub use manifest::read_manifests;
pub use owners::Owners;
pub use read::{Content, read};
pub use readme::readmes;
pub use repository::Repository;
pub use settings::Settings;
pub use skip::{Omission, Rule, Skip, SkipReason};
pub use stamps::{Stamp, surroundings};
