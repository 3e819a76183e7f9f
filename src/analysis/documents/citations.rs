//! Names of code in documents.

/// Bytes of the shortest name that is looked up: shorter ones are letters of formulas.
const MIN_NAME: usize = 3;

/// Returns the name in a span of code, with the one before it if it has one: `App.run` of `shop.App.run(host)`. `None` if it
/// is anything else: a command, an option, an expression.
pub(super) fn name(span: &str) -> Option<String> {
    let text = span.trim().trim_start_matches(['~', '@', '.', '#', '&', '*']);
    // What is called, indexed or parametrized is named before the bracket.
    let end = text.find(['(', '[', '<', '{', '!']).unwrap_or(text.len());
    let text = &text[..end];
    let segments: Vec<&str> = text.split("::").flat_map(|part| part.split(['.', '#'])).collect();
    let is_path = segments.len() <= 6 && segments.iter().all(|segment| is_identifier(segment));
    let last = segments.last().filter(|last| is_path && last.len() >= MIN_NAME)?;
    Some(match segments.len() {
        1 => (*last).to_owned(),
        more => format!("{}.{last}", segments[more - 2]),
    })
}

/// Returns the words of a text that are written like no word of prose: an underscore between letters, or a capital after a small
/// letter.
pub(super) fn in_prose(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| word.len() >= MIN_NAME && is_written_as_code(word) && is_identifier(word)).map(str::to_owned)
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn is_written_as_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_hump = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    inner.contains('_') || inner.as_bytes().windows(2).any(has_hump)
}
