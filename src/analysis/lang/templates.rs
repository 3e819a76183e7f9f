//! Templates: which others a template includes or extends, and which code names one by its path.
//!
//! The languages of templates share the forms of these statements, so one reader serves all of them. A text in code is the
//! path of a template if the repository has such a file.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::gates::ByPosition;
use super::views::{self, Place, View};
use super::{Language, SourceFile};
use super::{queries, styles};
use crate::facts::{FactsBuilder, FileFacts, NamesBuilder, Signal, SignalKind};
use crate::lang::common::light::rules::{Layout, LightRules};
use crate::model::EdgeType;
use crate::resolve::rules::Traits;
use crate::text::file_name;

/// The entry of templates in the registry. Those in HTML, Embedded Ruby and PHP are files of these languages.
pub const LANGUAGE: Language = Language {
    extensions: &[
        "ejs",
        "haml",
        "handlebars",
        "hbs",
        "j2",
        "jinja",
        "jinja2",
        "liquid",
        "mustache",
        "njk",
        "pug",
        "slim",
        "twig",
    ],
    masked: |_, text| Some(if text.trim().is_empty() { String::new() } else { ";".to_owned() }),
    is_program: false,
    ..Language::new(
        "template",
        |_| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        |_| FactsBuilder::new().finish(),
        &RULES,
    )
};

static RULES: LightRules = LightRules::new("template", Layout::Files { endings: &[], separator: '/' }, Traits::COMMON);

/// Maximum size of a path.
const MAX_PATH_BYTES: usize = 200;

/// Statements that name another template: of Jinja, Django, Twig, Nunjucks and Liquid; Twig's function; partials and layouts
/// (`{{!< default}}`) of Handlebars and Mustache; directives and components of Blade; EJS; Pug.
static STATEMENTS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?:\{%[-+~]?\s*(?:extends|include|import|from|embed|use|render)\s+|\{\{[-~]?\s*include\(\s*)["']([^"'\s]+)["']|\{\{~?(?:#?>|!<)\s*["']?([\w./-]+)|@(?:extends|include|includeIf|component|each)\(\s*["']([\w.:-]+)["']|<x-([\w.-]+)|<%-?\s*include\(\s*["']([\w./-]+)["']|(?m:^\s*(?:extends|include)\s+([\w./-]+)\s*$)"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Texts in code that end like the paths of templates, and names of Laravel's views.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r#"\.(?:html|handlebars|hbs|j2|jinja|jinja2|liquid|mustache|njk|twig)["'`]|(?-u:\b)view\(\s*["']([\w.-]+)["']"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Returns whether a page is a template, although it has no scripts.
pub fn is_template(text: &str) -> bool {
    text.contains("{%") || text.contains("{{")
}

/// Adds signals for the templates and styles that a file names.
pub fn add(facts: &mut FileFacts, file: &SourceFile<'_>) {
    let included = if may_include(file.path) { included(file) } else { named_in_code(file) };
    let mut named: Vec<(usize, String, EdgeType)> =
        included.into_iter().map(|(at, path)| (at, path, EdgeType::References)).collect();
    let mut of_definitions = Vec::new();
    for View { at, path } in views::rendered(facts, file) {
        match at {
            Place::Byte(at) if !is_comment(file, at) => named.push((at, path, EdgeType::References)),
            Place::Byte(_) => {}
            Place::Definition(id) => of_definitions.push((id, path)),
        }
    }
    named.extend(styles::of_markup(file));
    named.extend(queries::tables(file).into_iter().map(|(at, table)| (at, table, EdgeType::References)));
    if named.is_empty() && of_definitions.is_empty() {
        return;
    }
    named.sort_unstable_by(|one, two| (one.0, &one.1).cmp(&(two.0, &two.1)));
    let mut names = NamesBuilder::from(std::mem::take(&mut facts.outline.names));
    let folder = names.intern("");
    let definitions = ByPosition::new(&facts.outline.definitions);
    let mut known = HashSet::new();
    let mut line = (1, 0);
    for (at, path, edge_type) in named {
        line = (line.0 + file.text[line.1..at].matches('\n').count() as u32, at);
        let kind = SignalKind::Names { name: names.intern(&path), folder, edge_type };
        if known.insert((line.0, path)) {
            facts.code.signals.push(Signal { source: definitions.around(&(at..at)), kind, line: line.0 });
        }
    }
    for (id, path) in of_definitions {
        let kind = SignalKind::Names { name: names.intern(&path), folder, edge_type: EdgeType::References };
        let line = facts.outline.definitions[id.index()].span.name_line;
        facts.code.signals.push(Signal { source: Some(id), kind, line });
    }
    facts.outline.names = names.finish();
}

/// Returns whether a byte of a file is in a comment.
fn is_comment(file: &SourceFile<'_>, at: usize) -> bool {
    let node = file.tree.root_node().descendant_for_byte_range(at, at);
    node.is_some_and(|node| node.kind().contains("comment"))
}

/// Returns whether a file can be a template.
fn may_include(path: &str) -> bool {
    let extension = file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
    LANGUAGE.extensions.contains(&extension) || matches!(extension, "htm" | "html") || path.ends_with(".blade.php")
}

/// Returns the templates that a template names, by their places.
fn included(file: &SourceFile<'_>) -> Vec<(usize, String)> {
    let extension = file_name(file.path).rsplit_once('.').map_or("", |(_, extension)| extension);
    let path_of = |found: regex::Captures<'_>| {
        let at = found.get(0)?.start();
        let group = (1..found.len()).find(|group| found.get(*group).is_some())?;
        let name = found.get(group)?.as_str();
        let whole =
            || if name.ends_with(&format!(".{extension}")) { name.to_owned() } else { format!("{name}.{extension}") };
        let path = match (group, extension) {
            (1, _) => name.to_owned(),
            // A partial is named without its ending.
            (2, _) => format!("{name}.{extension}"),
            (3, "php") => blade(name),
            (4, "php") => format!("components/{}", blade(name)),
            (5, "ejs") | (6, "pug") => whole(),
            _ => return None,
        };
        Some((at, path))
    };
    let is_path = |path: &str| path.len() <= MAX_PATH_BYTES && !path.contains(' ') && !path.starts_with('/');
    STATEMENTS.captures_iter(file.text).filter_map(path_of).filter(|(_, path)| is_path(path)).collect()
}

/// Returns the path of a view of Laravel: `mail/welcome.blade.php` for `mail.welcome`.
fn blade(view: &str) -> String {
    format!("{}.blade.php", view.replace('.', "/"))
}

/// Returns the templates that the texts of code name, by their places.
fn named_in_code(file: &SourceFile<'_>) -> Vec<(usize, String)> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./".contains(byte);
    let mut named: Vec<(usize, String)> = Vec::new();
    for found in NAMED.captures_iter(file.text) {
        let (at, path) = match (found.get(0), found.get(1)) {
            (_, Some(view)) if file.path.ends_with(".php") => (view.start(), blade(view.as_str())),
            (Some(ending), None) => {
                let before = &file.text.as_bytes()[..ending.start()];
                let length = before.iter().rev().take(MAX_PATH_BYTES).take_while(|byte| is_part(byte)).count();
                let start = ending.start() - length;
                let is_open = start.checked_sub(1).is_some_and(|at| matches!(before[at], b'"' | b'\'' | b'`'));
                if !is_open {
                    continue;
                }
                (start, file.text[start..ending.end() - 1].to_owned())
            }
            _ => continue,
        };
        if !is_comment(file, at) && !path.starts_with(['/', '.']) {
            named.push((at, path));
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use crate::lang::parser::parse;
    use crate::lang::{language_of, testing};
    use crate::resolve::tests::edges;

    #[track_caller]
    fn check(sources: &[(&str, &str)], expected: &[&str]) {
        let found = edges(sources).into_iter().filter(|edge| edge.target.contains('.') && edge.edge_type != "declares");
        let mut found: Vec<String> =
            found.map(|edge| format!("{} {} {}", edge.source, edge.edge_type, edge.target)).collect();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn code_names_templates_by_their_paths() {
        let view = "def index():\n    # 'shop/base.html'\n    return render_template('shop/index.html', x='no.html')\n";
        let page = "{% extends \"shop/base.html\" %}{%- include 'row.html' -%}{# #}";
        check(
            &[
                ("app/views.py", view),
                ("app/templates/shop/index.html", page),
                ("app/templates/shop/base.html", "{{ title }}"),
                ("app/templates/shop/row.html", "{{ x }}"),
                ("app/templates/shop/part/a.html", "{% include 'row.html' %}"),
                ("other/row.html", "{{ x }}"),
            ],
            &[
                "app/templates/shop/index.html references app/templates/shop/base.html",
                "app/templates/shop/index.html references app/templates/shop/row.html",
                "app/templates/shop/part/a.html references app/templates/shop/row.html",
                "index references app/templates/shop/index.html",
            ],
        );
    }

    #[test]
    fn partials_and_views_have_no_endings() {
        check(
            &[
                ("views/list.hbs", "{{!< frame}}{{#each x}}{{> items/row}}{{/each}}"),
                ("views/frame.hbs", "{{{body}}}"),
                ("views/items/row.hbs", "{{y}}"),
                ("routes/web.php", "<?php function home() { return view('mail.welcome'); }"),
                ("resources/views/mail/welcome.blade.php", "@extends('layouts.app')"),
                ("resources/views/layouts/app.blade.php", "<p>{{ $x }}</p>"),
                ("t/a.html.twig", "{{ include('b.html.twig') }}"),
                ("t/b.html.twig", "b"),
            ],
            &[
                "home references resources/views/mail/welcome.blade.php",
                "resources/views/mail/welcome.blade.php references resources/views/layouts/app.blade.php",
                "t/a.html.twig references t/b.html.twig",
                "views/list.hbs references views/frame.hbs",
                "views/list.hbs references views/items/row.hbs",
            ],
        );
    }

    #[test]
    fn hostile_templates_end() {
        for text in
            ["{% include \"", "{{>", "{{> ", "@extends('", "{% extends '' %}", &"{{> a".repeat(20_000), "é.html\""]
        {
            for path in ["a.hbs", "a.html", "a.py"] {
                let language = language_of(path).expect("a language");
                assert!(parse(language, path, text.as_bytes()).map_or(0, |facts| facts.code.signals.len()) <= 20_000);
            }
        }
        let long = format!("x = '{}.html'", "a".repeat(5_000));
        assert!(testing::parse("a.py", &long).code.signals.is_empty());
    }
}
