//! Words: identifier splitting, stemming, safe display, token counting.

pub mod tokens;
