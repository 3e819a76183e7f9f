//! Splits identifiers into words.

/// Returns the words of an identifier in lower case: `http`, `server` for `HTTPServer`.
pub fn split_identifier(identifier: &str) -> Vec<String> {
    identifier_parts(identifier).map(str::to_lowercase).collect()
}

/// Returns the words of an identifier as slices of it, in order.
///
/// Words are separated by everything that is neither letter nor digit. Within a run of letters and digits, a word
/// starts at an upper-case letter after a lower-case one, at the last letter of an acronym that is followed by lower
/// case (except in plurals such as `URLs`), and after digits that are followed by a letter and a lower-case letter
/// (`sha256sum`, but not `i18n`).
///
/// Chinese, Japanese and Korean are written without spaces, or with endings that no English stemmer takes off: the words of
/// a run of their characters are its overlapping pairs, as of Lucene's `CJKBigramFilter`; a single character is one.
pub fn identifier_parts(identifier: &str) -> impl Iterator<Item = &str> {
    identifier.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()).flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (end, next) = first_pair(rest).unwrap_or_else(|| {
                let end = first_word_end(rest);
                (end, end)
            });
            let word = &rest[..end];
            rest = &rest[next..];
            Some(word)
        })
    })
}

/// Returns whether a character is of a script whose words are not told apart by spaces and case: Chinese characters, kana
/// and Hangul.
pub fn is_cjk(letter: char) -> bool {
    matches!(letter,
        '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{303b}' | '\u{3041}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns the byte length of the first pair of Chinese, Japanese or Korean characters, and where the next word starts;
/// `None` for other text.
fn first_pair(run: &str) -> Option<(usize, usize)> {
    let mut letters = run.chars().map(|letter| is_cjk(letter).then_some(letter.len_utf8()));
    let first = letters.next()??;
    let Some(second) = letters.next().flatten() else { return Some((first, first)) };
    let is_last = letters.next().flatten().is_none();
    Some((first + second, if is_last { first + second } else { first }))
}

/// Returns the byte length of the first word of a non-empty run of letters and digits.
fn first_word_end(run: &str) -> usize {
    let mut previous: Option<char> = None;
    let mut has_letter = false;
    for (index, current) in run.char_indices() {
        if let Some(before) = previous
            && (has_letter || !before.is_numeric() || is_cjk(current))
            && (is_cjk(current) || starts_word(before, &run[index..]))
        {
            return index;
        }
        previous = Some(current);
        has_letter |= current.is_alphabetic();
    }
    run.len()
}

fn starts_word(before: char, rest: &str) -> bool {
    let mut following = rest.chars();
    let current = following.next().unwrap_or(' ');
    let next = following.next();
    if before.is_numeric() {
        let small_words_on = next.is_some_and(char::is_lowercase);
        return current.is_alphabetic() && small_words_on;
    }
    if !current.is_uppercase() {
        return false;
    }
    if !before.is_uppercase() {
        return true;
    }
    // An acronym ends before the upper-case letter that starts the next word, unless the rest is only a plural.
    let is_plural = next == Some('s') && following.next().is_none_or(|c| !c.is_lowercase());
    next.is_some_and(char::is_lowercase) && !is_plural
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(identifier: &str, expected: &str) {
        assert_eq!(split_identifier(identifier).join(" "), expected);
    }

    #[test]
    fn splits_at_case_and_separators() {
        check("getUserName", "get user name");
        check("get_user__name_", "get user name");
        check("kebab-case.and/paths", "kebab case and paths");
        check("SCREAMING_SNAKE", "screaming snake");
        check("__init__", "init");
        check("_", "");
        check("", "");
    }

    #[test]
    fn acronyms_are_not_split() {
        check("HTTPServer", "http server");
        check("parseJSON", "parse json");
        check("XMLHTTPRequest", "xmlhttp request");
        check("userIDs", "user ids");
        check("URLsToFetch", "urls to fetch");
        check("ID", "id");
        check("aB", "a b");
    }

    #[test]
    fn digits_belong_to_the_preceding_word() {
        check("utf8Decode", "utf8 decode");
        check("sha256sum", "sha256 sum");
        check("i18n", "i18n");
        check("Point2D", "point2d");
        check("x509Certificate", "x509 certificate");
        check("v2beta1", "v2 beta1");
        check("2fa", "2fa");
    }

    #[test]
    fn splits_other_scripts() {
        check("größeÄndern", "größe ändern");
        check("Привет", "привет");
    }

    #[test]
    fn words_without_spaces_are_pairs_of_characters() {
        check("名前取得", "名前 前取 取得");
        check("用户登录：检查", "用户 户登 登录 检查");
        check("パスワード", "パス スワ ワー ード");
        check("비밀번호를 확인", "비밀 밀번 번호 호를 확인");
        check("用", "用");
        check("getUser用户Info", "get user 用户 info");
        check("2用户 v2用户3", "2 用户 v2 用户 3");
        check("𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂");
    }
}
