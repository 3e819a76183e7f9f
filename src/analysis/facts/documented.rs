//! Names of symbols in documentation, as its authors mark them: `` `name` ``, `[Name]`, `{@link Name}`.

/// Maximum number of names that are read from one text.
const MAX_NAMES: usize = 64;
/// Maximum number of segments of a name.
const MAX_SEGMENTS: usize = 6;

/// Returns the names that a doc comment marks as code or as a link, each as the segments of its path, without duplicates
/// and in order. Blocks of code are examples, so their names are left out.
pub(super) fn names(doc: &str) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    for line in prose_lines(doc) {
        for name in marked(line).into_iter().filter_map(path) {
            if found.len() < MAX_NAMES && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Returns the lines outside blocks of code.
fn prose_lines(doc: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    doc.lines().filter(move |line| {
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the texts that a line marks.
fn marked(line: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(['`', '[', '{']) {
        let opened = &rest[start..];
        let (text, after) = match opened.as_bytes()[0] {
            b'`' => code_span(opened),
            b'[' => bracketed(opened),
            _ => inline_tag(opened),
        };
        texts.extend(text);
        rest = after;
    }
    texts
}

/// Returns the content of a span in backticks, and the rest of the line.
fn code_span(text: &str) -> (Option<&str>, &str) {
    let content = text.trim_start_matches('`');
    let ticks = &text[..text.len() - content.len()];
    match content.split_once(ticks) {
        Some((inner, rest)) => (Some(inner), rest),
        None => (None, content),
    }
}

/// Returns the content of `[Name]`, which is only a name if it cannot be an index or a footnote.
fn bracketed(text: &str) -> (Option<&str>, &str) {
    let Some((inner, _)) = text[1..].split_once(']') else { return (None, &text[1..]) };
    let is_name = inner.contains(|c: char| c.is_uppercase() || c == '.' || c == ':') && !inner.contains('`');
    (Some(inner).filter(|_| is_name), &text[1..])
}

/// Returns the name in `{@link Name text}`.
fn inline_tag(text: &str) -> (Option<&str>, &str) {
    let rest = &text[1..];
    let Some((inner, after)) = rest.strip_prefix("@link").and_then(|tag| tag.split_once('}')) else {
        return (None, rest);
    };
    // `{@linkcode Name}` and `{@linkplain Name}` are the same.
    let target = inner.split([' ', '|']).filter(|word| !matches!(*word, "" | "code" | "plain")).map(str::trim);
    (target.take(1).next(), after)
}

/// Splits a name at `::`, `.` and `#`. Returns `None` for any other text.
fn path(text: &str) -> Option<Vec<&str>> {
    // `~` hides the path in Sphinx, `()` and `!` mark functions and macros.
    let text = text.trim().trim_start_matches(['~', '.', '#']);
    let text = text.strip_suffix("()").or_else(|| text.strip_suffix('!')).unwrap_or(text);
    let segments: Vec<&str> = text.split("::").flat_map(|part| part.split(['.', '#'])).collect();
    let is_name = |segment: &&str| {
        segment.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && segment.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    (segments.len() <= MAX_SEGMENTS && segments.iter().all(is_name)).then_some(segments)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[track_caller]
    fn check(doc: &str, expected: &[&str]) {
        let found: Vec<String> = names(doc).iter().map(|segments| segments.join("/")).collect();
        assert_eq!(found, expected, "{doc}");
    }

    #[test]
    fn code_spans_and_links_are_names() {
        check("Opens it; see `Reader::open` and [`close`](Self::close).", &["Reader/open", "close"]);
        check("A [Request] for [net/http.Client], see [http.Client].", &["Request", "http/Client"]);
        check("Uses :class:`~flask.Flask` and ``run()``, `vec!` too.", &["flask/Flask", "run", "vec"]);
        check("@see {@link Store#get the getter} and {@linkcode Cache}", &["Store/get", "Cache"]);
        check("`a` and `a` again, `b`", &["a", "b"]);
    }

    #[test]
    fn other_text_is_not_a_name() {
        check("`x + y`, `--flag`, `2`, `a b`, ``, `[x]`, a[i], [1], {x}, `unclosed", &[]);
        check("text\n```\n`inside` Code::new()\n```\n`after`", &["after"]);
        check("plain words, é`ö`ß [", &["ö"]);
        check(&"`a.b.c.d.e.f.g` ".repeat(3), &[]);
    }
}
