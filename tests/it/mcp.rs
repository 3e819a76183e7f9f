//! `knowing mcp` and `knowing index watch`, driven as an agent or a user would.

mod answers;
pub mod client;
mod http;
mod projects;
mod protocol;
mod questions;
mod unanswered;
mod watch;
