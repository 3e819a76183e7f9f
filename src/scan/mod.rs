//! Walks a checkout: ignore rules, content hashes, git history, code owners.
