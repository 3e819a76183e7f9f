//! Words: identifier splitting, stemming, safe display, token counting.
