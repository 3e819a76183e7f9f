//! The modifiers of Kotlin's declarations, which the grammar does not see.

/// Modifiers that are names elsewhere. `enum` and `companion` are parts of what they modify.
#[rustfmt::skip]
pub const MODIFIERS: &[&str] = &[
    "abstract", "actual", "annotation", "const", "data", "expect", "external", "final", "infix", "inline", "inner",
    "internal", "lateinit", "open", "operator", "override", "private", "protected", "public", "sealed", "suspend",
    "tailrec", "value",
];

/// Returns where the modifiers before a byte begin: those on its line, and lines above that have nothing else or an
/// annotation.
pub fn modifiers_start(text: &str, at: usize) -> usize {
    let mut start = at;
    loop {
        let before = text[..start].trim_end();
        // A line is looked at only from the one below, so that a long line costs no more than its length.
        let is_above = text[before.len()..start].contains('\n');
        let line = if is_above { before.rfind('\n').map_or(0, |end| end + 1) } else { before.len() };
        let own = before[line..].trim_start();
        if is_annotation(own) {
            start = before.len() - own.len();
            continue;
        }
        let first = |letter: char| !letter.is_alphanumeric();
        let word = before.char_indices().rev().find(|(_, letter)| first(*letter));
        let word = word.map_or(0, |(last, letter)| last + letter.len_utf8());
        let are_modifiers = |words: &str| words.split_whitespace().all(|word| MODIFIERS.contains(&word));
        if word == before.len() || !are_modifiers(&before[word..]) || (is_above && !are_modifiers(own)) {
            return start;
        }
        start = word;
    }
}

/// Returns whether a line is an annotation and nothing else.
pub fn is_annotation(line: &str) -> bool {
    let Some(name) = line.strip_prefix('@') else { return false };
    let arguments =
        name.trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | ':'));
    let mut depth = 0_usize;
    let end = arguments.find(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    name.len() > arguments.len() && (arguments.is_empty() || end == Some(arguments.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_begin_on_lines_of_their_own() {
        let start = |text: &str| modifiers_start(text, text.rfind("fun").unwrap());
        assert_eq!(start("a()\npublic\n  inline fun b()"), 4);
        assert_eq!(start("val a = open\nfun b()"), 13);
        assert_eq!(start("@A(b(\"c\"))\n@D\nprivate fun b()"), 0);
        assert_eq!(start("@A(1) var c = d(2)\nfun b()"), 19);
        assert_eq!(start("{ fun b() }"), 2);
    }
}
