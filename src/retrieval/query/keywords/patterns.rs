//! Recognition of code in prose.

use std::collections::HashSet;

use crate::lang::language_of;
use crate::text::{is_cjk, split_identifier};

/// Minimum length of a segment of a path.
const MIN_SEGMENT_LEN: usize = 3;
/// Minimum length of a word that may name a folder.
const MIN_PATH_TERM_LEN: usize = 4;
/// Limit of a word that is matched, in bytes.
const MAX_PATTERN_LEN: usize = 200;

/// Returns the identifiers in a word: calls with parentheses, `Class.method`, and dotted or `::` paths with an
/// underscore. Prose such as `e.g.` and version numbers match none of them.
pub fn code_patterns(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    if word.len() > MAX_PATTERN_LEN {
        return found;
    }
    if let Some((callee, _)) = word.split_once('(') {
        let name = callee.rsplit(|c: char| !is_name_char(c)).next().unwrap_or("");
        if is_name(name) && word.contains(')') {
            found.push(name.to_owned());
        }
    }
    for path in word.split(|c: char| !(is_name_char(c) || matches!(c, '.' | ':'))) {
        let parts: Vec<&str> = path.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        if parts.len() < 2 || !parts.iter().all(|part| is_name(part)) || is_file(path) {
            continue;
        }
        let starts_upper = parts[parts.len() - 2].starts_with(char::is_uppercase) && parts[parts.len() - 2].len() > 1;
        let rust_path = path.contains("::");
        if starts_upper || rust_path || parts.iter().any(|part| part.contains('_')) {
            found.push(parts.join("."));
            found.push(parts[parts.len() - 1].to_owned());
        }
    }
    found
}

/// Returns the identifiers and dotted paths in quotes within one word of prose: `'resolve'`, `"Session.save"`. An
/// apostrophe follows a letter, so it opens no quote.
pub fn in_quotes(word: &str) -> Vec<&str> {
    const QUOTES: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('‘', '’'), ('“', '”')];
    let mut found = Vec::new();
    for (open, close) in QUOTES {
        let Some((before, rest)) = word.split_once(open) else { continue };
        let Some((inner, after)) = rest.split_once(close) else { continue };
        let apart = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        let parts = inner.strip_suffix("()").unwrap_or(inner).split(['.', ':']).filter(|part| !part.is_empty());
        if apart && !is_file(inner) && parts.clone().count() > 0 && parts.clone().all(is_name) {
            found.push(inner);
        }
    }
    found
}

/// Returns whether a word is a kind of symbol, as it follows a symbol's name in prose: "the resolve function".
pub fn is_kind(word: &str) -> bool {
    const KINDS: [&str; 14] = [
        "function",
        "method",
        "class",
        "struct",
        "trait",
        "interface",
        "enum",
        "type",
        "macro",
        "decorator",
        "hook",
        "constant",
        "variable",
        "field",
    ];
    KINDS.contains(&word.strip_suffix('s').unwrap_or(word)) || KINDS.contains(&word) || word == "classes"
}

/// Returns whether a word is an identifier of several parts: with an inner underscore, of mixed case, or of more Chinese,
/// Japanese or Korean characters than one pair.
pub fn is_compound(piece: &str) -> bool {
    if piece.len() > MAX_PATTERN_LEN || !piece.contains(char::is_alphabetic) || piece.contains('.') {
        return false;
    }
    let inner = piece.trim_matches('_');
    let mixed = inner.chars().skip(1).any(char::is_uppercase) && inner.contains(char::is_lowercase);
    let pairs = inner.chars().filter(|letter| is_cjk(*letter)).nth(2).is_some();
    inner.contains('_') || mixed || pairs
}

/// Returns the segments of the paths among words, in lower case and without extensions.
pub fn path_segments(words: &[&str]) -> Vec<String> {
    let paths = words.iter().filter(|word| word.contains('/') && word.len() <= MAX_PATTERN_LEN);
    let segments = paths.flat_map(|path| path.split('/')).map(|part| {
        let part = part.trim_matches(|c: char| !c.is_alphanumeric());
        part.split('.').next().unwrap_or(part).to_lowercase()
    });
    segments.collect()
}

/// Returns the first `limit` terms that may name a folder or a file: segments of paths, then words that are long
/// enough.
pub fn path_terms(
    segments: impl Iterator<Item = String>,
    words: impl Iterator<Item = String>,
    limit: usize,
) -> Vec<String> {
    let segments = segments.filter(|segment| segment.chars().count() >= MIN_SEGMENT_LEN);
    let words = words.filter(|word| word.chars().count() >= MIN_PATH_TERM_LEN);
    let mut seen = HashSet::new();
    segments.chain(words).filter(|term| seen.insert(term.clone())).take(limit).collect()
}

/// Returns a text without its URLs, and the words of their hosts. The host of a repository says nothing about its code.
pub fn without_urls(text: &str) -> (String, Vec<String>) {
    let (mut rest, mut without, mut words) = (text, String::new(), Vec::new());
    let url_start = |text: &str| ["http://", "https://"].iter().filter_map(|scheme| text.find(scheme)).min();
    while let Some(start) = url_start(rest) {
        let url = &rest[start..];
        let is_end = |letter: char| letter.is_whitespace() || matches!(letter, ')' | '>' | ']' | '"' | '\'' | '`');
        let end = url.find(is_end).unwrap_or(url.len());
        without.push_str(&rest[..start]);
        without.push(' ');
        let host = url[..end].split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let host = host.split(':').next().unwrap_or(host);
        let labels: Vec<&str> = host.split('.').filter(|label| *label != "www").collect();
        if !host.contains("github") && !host.contains("gitlab") {
            // The last label is the top-level domain.
            let labels = &labels[..labels.len().saturating_sub(1)];
            words.extend(
                labels.iter().flat_map(|label| split_identifier(label).into_iter().chain([label.to_lowercase()])),
            );
        }
        rest = &url[end..];
    }
    without.push_str(rest);
    (without, words)
}

/// Returns the command-line options of several words in a word: `keep-lines` for `--keep-lines=3`.
pub fn flags(word: &str) -> Vec<&str> {
    let pieces = word.split(|c: char| !(is_name_char(c) || c == '-'));
    let flags = pieces.filter_map(|piece| piece.strip_prefix("--"));
    flags.filter(|flag| flag.starts_with(char::is_alphabetic) && flag.trim_end_matches('-').contains('-')).collect()
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_name_char)
}

/// Returns whether a word is the name of a source file, a document or a configuration file.
fn is_file(path: &str) -> bool {
    const EXTENSIONS: [&str; 5] = ["md", "toml", "json", "yaml", "yml"];
    let is_other = || path.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension));
    language_of(path).is_some() || is_other()
}

#[cfg(test)]
mod tests {
    use super::without_urls;

    #[test]
    fn urls_are_found_after_words_that_begin_like_them() {
        let (without, words) =
            without_urls("http requests fail, see https://github.com/a/b and http://docs.shop.dev/x.");
        assert!(!without.contains("://") && without.contains("http requests fail"), "{without}");
        assert_eq!(words, ["docs", "docs", "shop", "shop"]);
    }
}
