//! Tables that the queries in the texts of code name, as far as files of SQL or a schema of Rails define them.

use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::SourceFile;

/// The word before the name of a table or view in the bindings of the files that define it.
pub const TABLE: &str = "table";

/// Maximum size of a name.
const MAX_NAME_BYTES: usize = 100;

/// Words of a query with the names of tables after them.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i-u)\b(?:(?:from|join|into|truncate|(?:alter|create|drop|lock|truncate)\s+(?:(?:temporary|unlogged)\s+)?(?:table|view)(?:\s+if\s+(?:not\s+)?exists)?)\s+(?:only\s+)?["'`\[]?(?:\w+\.)?(\w+)|update\s+(?:only\s+)?["'`\[]?(?:\w+\.)?(\w+)["'`\]]?\s+(?:as\s+\w+\s+|[a-z]\s+)?set\b)"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Texts that are the name of a table by the name of what they are given to: `__tablename__ = "users"`, `table: 'users'`.
static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i-u)(?:\b|_)(?:db_?)?table(?:_?name)?(?:__)?["']?\s*(?:=>|[=:(])\s*["']([a-z_]\w*)["']"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// First words of queries. Sentences have a capital only.
const FIRST: [&str; 14] = [
    "alter", "create", "delete", "drop", "explain", "insert", "lock", "merge", "replace", "select", "truncate",
    "update", "with", "(select",
];

/// Returns the tables that the texts of a file name, each by the first byte of its name.
pub fn tables(file: &SourceFile<'_>) -> Vec<(usize, String)> {
    let text = file.text;
    if file.path.ends_with(".sql")
        || !["SELECT", "select", "FROM", "INTO", "into", "UPDATE", "table", "Table", "delete", "update"]
            .iter()
            .any(|word| text.contains(word))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    let in_queries = NAMED.captures_iter(text).filter_map(|captures| captures.get(1).or(captures.get(2)));
    for name in in_queries.filter(|name| name.len() <= MAX_NAME_BYTES && is_in_query(file, name.start())) {
        found.push((name.start(), format!("{TABLE} {}", name.as_str())));
    }
    let given = GIVEN.captures_iter(text).filter_map(|captures| captures.get(1));
    for name in given.filter(|name| name.len() <= MAX_NAME_BYTES && text_around(file, name.start()).is_some()) {
        found.push((name.start(), format!("{TABLE} {}", name.as_str())));
    }
    found
}

/// Returns whether a byte is in a text that is a query.
fn is_in_query(file: &SourceFile<'_>, at: usize) -> bool {
    let Some(node) = text_around(file, at) else { return false };
    let text = file.text.get(node.byte_range()).unwrap_or_default();
    let opening = |letter: char| letter.is_whitespace() || "\"'`#$@<>-~".contains(letter);
    let inner = text.trim_start_matches(opening);
    // `f"…"`, `r#"…"#`, `<<~SQL`.
    let inner = match inner.split_once(['"', '\'', '`', '\n']) {
        Some((prefix, rest))
            if prefix.len() <= 8 && prefix.chars().all(|letter| letter.is_alphabetic() || letter == '#') =>
        {
            if is_first(inner) { inner } else { rest.trim_start_matches(opening) }
        }
        _ => inner,
    };
    is_first(inner)
}

fn is_first(text: &str) -> bool {
    let word = text.split(char::is_whitespace).next().unwrap_or_default();
    let is_uniform =
        word.chars().all(|letter| !letter.is_uppercase()) || word.chars().all(|letter| !letter.is_lowercase());
    is_uniform && FIRST.contains(&word.to_ascii_lowercase().as_str())
}

/// Returns the largest node around a byte that is a text.
fn text_around<'t>(file: &SourceFile<'t>, at: usize) -> Option<Node<'t>> {
    let is_text = |node: &Node<'_>| {
        let kind = node.kind();
        kind.contains("string") || kind.contains("heredoc") || kind.contains("encapsed") || kind == "nowdoc"
    };
    let node = file.tree.root_node().descendant_for_byte_range(at, at)?;
    let mut around = std::iter::successors(Some(node), Node::parent).take(8);
    let first = around.find(is_text)?;
    Some(std::iter::successors(Some(first), Node::parent).take_while(is_text).last().unwrap_or(first))
}

#[cfg(test)]
mod tests {
    use crate::resolve::tests::edges;

    const SCHEMA: (&str, &str) =
        ("db/schema.sql", "CREATE TABLE loans (id int);\nCREATE TABLE users (id int);\nCREATE TABLE cups (id int);\n");

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let uses = edges(&[SCHEMA, (path, text)])
            .into_iter()
            .filter(|edge| edge.target_file == SCHEMA.0 && edge.edge_type == "references");
        let mut found: Vec<String> = uses.map(|edge| format!("{} {}", edge.source, edge.target)).collect();
        found.sort();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn queries_in_texts_name_tables() {
        let python = "def renew(db):\n    db.execute(\"\"\"\n    SELECT id FROM loans AS l JOIN users USING (id)\n\"\"\")\n\
                      def stop(db):\n    db.execute(f\"UPDATE cups SET id = {1}\")\n\
                      def store(db):\n    db.insert(table=\"users\")\n";
        check("a.py", python, &["renew loans", "renew users", "stop cups", "store users"]);
        check("a.go", "package a\nfunc renew() { q(`delete from loans where id = 1`) }\n", &["renew loans"]);
        check("a.rs", "fn renew() { q(r#\"insert into loans values (1)\"#) }\n", &["renew loans"]);
        check(
            "a.ts",
            "export function renew() { q(`\n  WITH x AS (SELECT 1 FROM loans) SELECT 2`) }\n",
            &["renew loans"],
        );
        check("a.rb", "def renew\n  q <<~SQL\n    SELECT 1 FROM loans\n  SQL\nend\n", &["renew loans"]);
        check(
            "a.php",
            "<?php\nfunction renew() { DB::table('loans'); q(\"SELECT 1 FROM users\"); }\n",
            &["renew loans", "renew users"],
        );
    }

    #[test]
    fn sentences_and_code_name_no_table() {
        let python = "from loans import users\ndef renew():\n    say(\"Select a cup from cups\")\n    say('moved from loans')\n    \
                      say('update loans set')\n    # SELECT 1 FROM loans\n    users = 'x'\n";
        check("a.py", python, &["renew loans"]);
    }
}
