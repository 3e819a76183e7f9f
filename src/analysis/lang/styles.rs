//! Styles: the classes and custom properties that style sheets set, and the lines of markup and code that use them.
//!
//! A class has no definition of its own: any rule of any file can style it. So it is a symbol without a file, like a variable of
//! the environment, which the sheets set and the markup refers to. Names that no sheet of the repository sets are no edges:
//! `resolve/named` looks them up.
//!
//! Sheets are read by their braces alone, which CSS, SCSS and Less share. Sass by indentation, mixins and variables of the
//! preprocessors are not read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{Exclusions, Language, SourceFile};
use crate::facts::{BindingKind, Expr, FactsBuilder, FileFacts, ScopeId, Signal, SignalKind};
use crate::lang::common::light::rules::{Layout, LightRules};
use crate::model::EdgeType;
use crate::resolve::rules::Traits;
use crate::text::file_name;

/// The entry of style sheets in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["css", "less", "scss"],
    masked: |_, text| Some(if text.trim().is_empty() { String::new() } else { ";".to_owned() }),
    is_program: false,
    exclusions: Exclusions { minified_endings: &[".min.css", "-min.css", ".bundle.css"], ..Exclusions::NONE },
    ..Language::new("css", |_| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), extract, &RULES)
};

static RULES: LightRules = LightRules::new("css", Layout::Files { endings: &[], separator: '/' }, Traits::COMMON);

/// Maximum size of a name.
const MAX_NAME_BYTES: usize = 100;

/// The attributes of markup and objects of code that hold classes: `class="a b"`, `className={'a'}`, `class: "a"`.
static ATTRIBUTES: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"class(?:Name)?["']?\s*(?:=>|[=:])\s*(?:"([^"\n]*)"|'([^'\n]*)'|\{([^}\n]*)\})"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Calls that take classes.
static CALLS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?:classList\.\w+|(?:add|has|remove|toggle)Class|getElementsByClassName|clsx|class[nN]ames|twMerge)\(([^)\n]*)\)"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Selectors in code, members of modules of styles, directives of Svelte, and custom properties.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?:querySelector(?:All)?|closest|\$)\(\s*["'`]([^"'`\n]*)["'`]|(?-u:\b)styles\.([\w]+)|(?-u:\b)class:([\w-]+)|(?:var\(\s*|["'])(--[\w-]+)"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// A style that a text sets or uses.
struct Found {
    at: usize,
    /// `.btn` for a class, `--accent` for a custom property.
    name: String,
    is_set: bool,
}

/// Returns the name under which a style is looked up.
fn key(name: &str) -> String {
    format!("style {name}")
}

/// Returns the name under which a file names a style that it sets itself.
fn own_key(name: &str) -> String {
    format!("own style {name}")
}

/// Extracts what a sheet sets and uses.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    let mut bound = BTreeSet::new();
    let folder = facts.atom("");
    let mut line = (1_u32, 0);
    let found = scan(file.text);
    let set: BTreeSet<String> = found.iter().filter(|one| one.is_set).map(|one| one.name.clone()).collect();
    // Of what it sets itself, only these lines count: one edge has one phrase.
    for Found { at, name, is_set } in found.into_iter().filter(|one| one.is_set || !set.contains(&one.name)) {
        line = (line.0 + file.text[line.1..at].matches('\n').count() as u32, at);
        let (key, own) = (facts.atom(&key(&name)), facts.atom(&own_key(&name)));
        if is_set && bound.insert(name) {
            let unknown = facts.expr(Expr::Unknown);
            facts.bind(ScopeId(0), key, at as u32, BindingKind::Alias(unknown));
        }
        let edge_type = if is_set { EdgeType::SetsEnv } else { EdgeType::References };
        let kind = SignalKind::Names { name: if is_set { own } else { key }, folder, edge_type };
        facts.signal(Signal { source: None, kind, line: line.0 });
    }
    facts.finish()
}

/// Returns the styles that markup and code use, and those that the sheets in it set, by their places: what is looked up, and the
/// type of its edge.
pub fn of_markup(file: &SourceFile<'_>) -> Vec<(usize, String, EdgeType)> {
    let extension = file_name(file.path).rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_markup = MARKUP.contains(&extension);
    if !is_markup && !CODE.contains(&extension) {
        return Vec::new();
    }
    let mut set: Vec<Found> = Vec::new();
    if is_markup {
        for (start, _) in file.text.match_indices("<style") {
            let Some(open) = file.text[start..].find('>').map(|open| start + open + 1) else { continue };
            let end = file.text[open..].find("</style").map_or(file.text.len(), |end| open + end);
            let inner = scan(&file.text[open..end]).into_iter();
            set.extend(inner.map(|found| Found { at: open + found.at, ..found }));
        }
    }
    let own: BTreeSet<&str> = set.iter().filter(|found| found.is_set).map(|found| found.name.as_str()).collect();
    let mut found: Vec<(usize, String, EdgeType)> = Vec::new();
    for Found { at, name, is_set } in
        uses(file.text, extension).into_iter().chain(set.iter().map(|one| Found { name: one.name.clone(), ..*one }))
    {
        let key = if own.contains(name.as_str()) { own_key(&name) } else { key(&name) };
        found.push((at, key, if is_set { EdgeType::SetsEnv } else { EdgeType::References }));
    }
    found
}

/// Extensions of markup, in which any attribute can hold classes.
const MARKUP: &[&str] = &[
    "astro",
    "eex",
    "ejs",
    "erb",
    "haml",
    "handlebars",
    "hbs",
    "heex",
    "htm",
    "html",
    "j2",
    "jinja",
    "jinja2",
    "jsx",
    "leex",
    "liquid",
    "mustache",
    "njk",
    "php",
    "pug",
    "slim",
    "svelte",
    "tsx",
    "twig",
    "vue",
];

/// Extensions of code that makes markup.
const CODE: &[&str] = &["cjs", "ex", "js", "mjs", "py", "rb", "ts"];

/// Returns the classes and properties that a text uses.
fn uses(text: &str, extension: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |at: usize, name: String| {
        if name.len() <= MAX_NAME_BYTES {
            found.push(Found { at, name, is_set: false });
        }
    };
    if text.contains("class") || text.contains("Class") {
        for captures in ATTRIBUTES.captures_iter(text) {
            let plain = captures.get(1).or(captures.get(2));
            if let Some(value) = plain.filter(|value| EXPRESSIONS.iter().any(|(open, _)| value.as_str().contains(open)))
            {
                let (fixed, made) = divided(value.as_str());
                words(value.start(), &fixed, &mut add);
                texts(value.start(), &made, &mut add);
            } else if let Some(value) = plain.filter(|value| !value.as_str().contains(['\'', '"', '`'])) {
                words(value.start(), value.as_str(), &mut add);
            } else if let Some(value) = plain.or(captures.get(3)) {
                texts(value.start(), value.as_str(), &mut add);
            }
        }
        for list in CALLS.captures_iter(text).filter_map(|captures| captures.get(1)) {
            texts(list.start(), list.as_str(), &mut add);
        }
    }
    for captures in OTHERS.captures_iter(text) {
        let selector = captures.get(1).filter(|selector| selector.as_str().contains('.'));
        for (at, name) in selector.map_or(Vec::new(), |selector| classes(selector.as_str())) {
            add(captures.get(1).map_or(0, |selector| selector.start()) + at, name);
        }
        if let Some(name) = captures.get(2).or(captures.get(3)) {
            add(name.start(), format!(".{}", name.as_str()));
        }
        if let Some(name) = captures.get(4) {
            add(name.start(), name.as_str().to_owned());
        }
    }
    if matches!(extension, "haml" | "pug" | "slim") {
        for (start, line) in lines(text) {
            let head = line.trim_start().split([' ', '(', '{', '=']).next().unwrap_or_default();
            let at = start + line.len() - line.trim_start().len();
            classes(head).into_iter().for_each(|(inner, name)| add(at + inner, name));
        }
    }
    found
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    })
}

/// Beginnings and ends of expressions in pages.
const EXPRESSIONS: &[(&str, &str)] =
    &[("{{", "}}"), ("{%", "%}"), ("{!!", "!!}"), ("<%", "%>"), ("${", "}"), ("#{", "}")];

/// Returns a text without its expressions, and only these, byte for byte. A word beside an expression is a part of a name.
fn divided(text: &str) -> (String, String) {
    let (mut fixed, mut made) = (String::with_capacity(text.len()), String::with_capacity(text.len()));
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some((_, close)) = EXPRESSIONS.iter().find(|(open, _)| rest.starts_with(open)) else {
            let letter = rest.chars().next().map_or(1, char::len_utf8);
            fixed.push_str(&rest[..letter]);
            made.extend(std::iter::repeat_n(' ', letter));
            at += letter;
            continue;
        };
        let length = rest.find(close).map_or(rest.len(), |end| end + close.len());
        // No name has this mark.
        fixed.extend(std::iter::repeat_n('\u{1}', length));
        made.push_str(&rest[..length]);
        at += length;
    }
    (fixed, made)
}

/// Adds the classes of a list of words.
fn words(start: usize, list: &str, add: &mut impl FnMut(usize, String)) {
    let mut rest = 0;
    for word in list.split_ascii_whitespace() {
        let at = rest + list[rest..].find(word).unwrap_or_default();
        rest = at + word.len();
        if is_name(word) {
            add(start + at, format!(".{word}"));
        }
    }
}

/// Adds the classes in the texts of an expression, and the keys of an object in it.
fn texts(start: usize, expression: &str, add: &mut impl FnMut(usize, String)) {
    let mut at = 0;
    while let Some((open, quote)) = expression[at..].char_indices().find(|(_, letter)| "\"'`".contains(*letter)) {
        let inner = at + open + quote.len_utf8();
        let Some(length) = expression[inner..].find(quote) else { break };
        words(start + inner, &expression[inner..inner + length], add);
        at = inner + length + quote.len_utf8();
    }
    if let Some(object) = expression.trim().strip_prefix('{') {
        let offset = expression.len() - expression.trim_start().len() + 1;
        for (position, _) in object.match_indices(':') {
            let before = object[..position].trim_end();
            let name = before.rsplit(|letter: char| !is_part(letter)).next().unwrap_or_default();
            if is_name(name) && !before.ends_with(['"', '\'']) {
                add(start + offset + before.len() - name.len(), format!(".{name}"));
            }
        }
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

fn is_name(word: &str) -> bool {
    let is_first = |letter: char| letter.is_alphabetic() || matches!(letter, '-' | '_');
    word.starts_with(is_first) && word.chars().all(is_part)
}

/// Returns the classes of a selector, with their dots, by their places.
fn classes(selector: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in selector.match_indices('.') {
        let rest = &selector[at + 1..];
        let name = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
        if is_name(name) && name.len() < MAX_NAME_BYTES {
            found.push((at, format!(".{name}")));
        }
    }
    found
}

/// Returns the text without comments and texts, byte for byte.
fn bare(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let rest = &text.as_bytes()[at..];
        let length = match byte {
            b'/' if rest.starts_with(b"/*") => text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4),
            // `http://` is no comment.
            b'/' if rest.starts_with(b"//") && (at == 0 || bytes[at - 1] != b':') => {
                rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
            }
            b'"' | b'\'' => {
                let end = rest[1..].iter().position(|other| *other == byte || *other == b'\n');
                end.map_or(rest.len(), |end| end + 2)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let end = (at + length).min(bytes.len());
        bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns what a sheet sets and uses, in the order of its text.
fn scan(text: &str) -> Vec<Found> {
    let text = &bare(text);
    let mut found: Vec<Found> = Vec::new();
    // The last classes of the selectors around, which `&` stands for.
    let mut open: Vec<Vec<String>> = Vec::new();
    let (mut start, mut parentheses, mut interpolations) = (0, 0_u32, 0_u32);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b'{' if text[..at].ends_with(['#', '@']) => interpolations += 1,
            b'}' if interpolations > 0 => interpolations -= 1,
            b'{' if parentheses == 0 => {
                let around = open.last().cloned().unwrap_or_default();
                open.push(selector(&text[start..at], start, around, &mut found));
                start = at + 1;
            }
            b';' | b'}' if parentheses == 0 || byte == b'}' => {
                parentheses = 0;
                declaration(&text[start..at], start, &mut found);
                start = at + 1;
                if byte == b'}' {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|one| one.at);
    found
}

/// Adds the classes that a selector styles, and returns the last ones of its parts. A rule such as `@media` is about those
/// around it.
fn selector(text: &str, start: usize, around: Vec<String>, found: &mut Vec<Found>) -> Vec<String> {
    if text.trim_start().starts_with('@') || text.contains("#{") {
        return around;
    }
    let mut last = Vec::new();
    let mut part_start = start;
    for part in text.split(',') {
        let mut own = classes(part);
        for (at, _) in part.match_indices('&') {
            let rest = &part[at + 1..];
            let suffix = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
            let is_short = |outer: &&String| outer.len() + suffix.len() < MAX_NAME_BYTES;
            own.extend(around.iter().filter(is_short).map(|outer| (at, format!("{outer}{suffix}"))));
        }
        own.sort();
        last.extend(own.last().map(|(_, name)| name.clone()));
        found.extend(own.into_iter().map(|(at, name)| Found { at: part_start + at, name, is_set: true }));
        part_start += part.len() + 1;
    }
    if last.is_empty() { around } else { last }
}

/// Adds the custom property that a declaration sets, and what its value uses.
fn declaration(text: &str, start: usize, found: &mut Vec<Found>) {
    let (property, value) = text.split_once(':').unwrap_or((text, ""));
    let inner = property.len() - property.trim_start().len();
    let name = property.trim();
    if name.starts_with("--") && name.len() > 2 && name.len() < MAX_NAME_BYTES && name.chars().all(is_part) {
        found.push(Found { at: start + inner, name: name.to_owned(), is_set: true });
    }
    for (at, _) in value.match_indices("var(") {
        let inside = value[at + 4..].trim_start();
        let name = &inside[..inside.find(|letter| !is_part(letter)).unwrap_or(inside.len())];
        if name.starts_with("--") && name.len() < MAX_NAME_BYTES {
            found.push(Found { at: start + text.len() - inside.len(), name: name.to_owned(), is_set: false });
        }
    }
    let used = name.strip_prefix("@extend").or_else(|| name.strip_prefix("@apply"));
    if let Some(list) = used {
        let at = start + inner + name.len() - list.len();
        words(at, &list.replace('.', " "), &mut |at, name| found.push(Found { at, name, is_set: false }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::testing::parse;
    use crate::resolve::tests::edges;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mark = |found: &Found| format!("{}{}", found.name, if found.is_set { "" } else { "?" });
        assert_eq!(scan(text).iter().map(mark).collect::<Vec<_>>(), expected, "{text}");
        assert!(scan(text).iter().all(|found| text.is_char_boundary(found.at)));
    }

    #[test]
    fn sheets_set_classes_and_properties() {
        check(
            "a.btn:hover, .card > .head { color: var( --ink, .5em ); --x: 1 }",
            &[".btn", ".card", ".head", "--ink?", "--x"],
        );
        check("/* .no { } */ @media (min-width: 1.5em) { .a { b: url(data:x;y.z) } }", &[".a"]);
        check(
            ".a { content: '.no {'; @apply btn lg; background: url(http://x.y/z) }\n// .no {\n.b {}",
            &[".a", ".btn?", ".lg?", ".b"],
        );
    }

    #[test]
    fn nested_rules_continue_the_class_around() {
        check(
            ".card { &__head { &:hover { x: 1 } } &.big &-x { } .in & { } }",
            &[".card", ".card__head", ".card__head", ".card", ".big", ".card-x", ".in", ".card"],
        );
        check(".a { #{$b}: 1; .c-#{$d} { } @extend .e; }", &[".a", ".e?"]);
    }

    #[test]
    fn hostile_sheets_end() {
        for text in [
            "{",
            "}",
            ".",
            "&",
            ".a{&",
            "/*",
            "\"",
            "var(",
            "--",
            "@extend",
            "é{.é{",
            &"(".repeat(9_000),
            &".a{&-b".repeat(9_000),
        ] {
            assert!(scan(text).len() <= 40_000);
            for path in ["a.css", "a.html", "a.tsx", "a.pug"] {
                let language = crate::lang::language_of(path).expect("a language");
                let facts = crate::lang::parser::parse(language, path, text.as_bytes());
                assert!(facts.map_or(0, |facts| facts.code.signals.len()) <= 40_000);
            }
        }
    }

    #[test]
    fn markup_and_code_use_what_a_sheet_sets() {
        let sheet = ".btn { color: var(--ink) } .big { } .head { } .row { } :root { --ink: red }";
        let component = "export function Card() { return <p className={clsx('btn', on && \"big x\")} style={{ color: 'var(--ink)' }}>a</p> }";
        let page = "<p class=\"head {{ a }} none\"><i :class=\"{ row: a, 'btn': b }\">{{ x }}</i><style>.own { }</style><b class=own>";
        let sources = [
            ("css/main.css", sheet),
            ("src/card.tsx", component),
            ("src/page.html", page),
            ("src/menu.js", "function open(e) { e.classList.add('big'); document.querySelector('ul .row') }"),
            ("views/a.pug", "p.head text\n"),
            ("views/b.blade.php", "<p class=\"head {{ $row ? 'big' : '' }} btn-{{ $row }} row{{ $x }}\">"),
            ("views/c.erb", "<p class='btn <%= row %>'>"),
            ("app/x.rb", "def link; link_to 'a', b, class: 'btn lost'; end"),
        ];
        let found = edges(&sources).into_iter().filter(|edge| edge.target.starts_with(['.', '-']));
        let mut found: Vec<String> = found
            .filter(|edge| edge.source != "css/main.css")
            .map(|edge| format!("{} {} {}", edge.source, edge.edge_type, edge.target))
            .collect();
        found.sort();
        let expected = [
            "Card references --ink",
            "Card references .big",
            "Card references .btn",
            "link references .btn",
            "open references .big",
            "open references .row",
            "src/page.html references .btn",
            "src/page.html references .head",
            "src/page.html references .row",
            "src/page.html sets_env .own",
            "views/a.pug references .head",
            "views/b.blade.php references .big",
            "views/b.blade.php references .head",
            "views/c.erb references .btn",
        ];
        assert_eq!(found, expected);
        assert_eq!(parse("css/main.css", sheet).code.signals.len(), 5);
    }
}
