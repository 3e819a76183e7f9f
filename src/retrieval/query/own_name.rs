//! The repository's own name in a question, which says nothing about where in it the answer is.

use std::borrow::Cow;

/// Returns a text without the words that `is_own` accepts, which gets them in lower case, without the punctuation around
/// them and a final *'s*. A name in backticks or within a path or a dotted name stays: it names code.
pub fn without_own_name(text: &str, is_own: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let is_name = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '`').to_lowercase();
        is_own(bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(&bare))
    };
    if !text.split_whitespace().any(is_name) {
        return Cow::Borrowed(text);
    }
    let without = |line: &str| line.split_whitespace().filter(|word| !is_name(word)).collect::<Vec<&str>>().join(" ");
    Cow::Owned(text.lines().map(without).collect::<Vec<String>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> String {
        without_own_name(text, |word| word == "httpie").into_owned()
    }

    #[test]
    fn own_name_is_left_out() {
        assert_eq!(without("how does HTTPie read netrc?"), "how does read netrc?");
        assert_eq!(without("HTTPie's (httpie) sessions,\nin HTTPie."), "sessions,\nin");
    }

    #[test]
    fn names_of_code_stay() {
        for text in ["where is `httpie` set", "what does httpie.core do", "httpie/core.py", "what is httpies"] {
            assert_eq!(without(text), text);
        }
    }
}
