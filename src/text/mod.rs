//! Words: identifier splitting, stemming, safe display, token counting.

pub mod display;
pub mod tokens;
