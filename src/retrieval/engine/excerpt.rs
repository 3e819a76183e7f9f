//! The lines of a definition that are worth reading for a task: all of them when it is short, else its beginning and the
//! lines that have the task's words. Comments are folded to their first line.

use std::collections::{BTreeSet, HashMap};

use crate::text::{identifier_parts, stem};

/// Lines that are shown before and after one that matches.
const AROUND: usize = 1;
/// Lines at the beginning that are always shown.
const BEGINNING: usize = 2;
/// A comment of more lines is folded.
const MAX_COMMENT_LINES: usize = 1;
/// A longer line is cut: it is data or generated.
const MAX_LINE_CHARS: usize = 240;

/// Beginnings of lines that are comments in some language, and what follows them in code of others.
const COMMENT_STARTS: [&str; 6] = ["//", "#", "--", "/*", "*", ";;"];
const CODE_STARTS: [&str; 12] =
    ["#[", "#!", "#include", "#define", "#if", "#el", "#end", "#undef", "#pragma", "#import", "#region", "*/"];
/// Quotes around comments of several lines in Python.
const DOC_QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// Returns at most about `limit` lines of a definition with their numbers, from `first_line`. `words` are the stems of the
/// task's words with their worth.
pub fn excerpt(source: &str, first_line: u32, words: &HashMap<String, f64>, limit: usize) -> Vec<(u32, String)> {
    let lines: Vec<&str> = source.lines().collect();
    let folded = without_comments(&lines);
    let kept = if folded.len() <= limit { folded } else { matching(&lines, folded, words, limit) };
    let shown = |index: usize| (first_line + index as u32, cut(lines[index]));
    kept.into_iter().map(shown).collect()
}

/// Returns the indexes of the lines without those after the first line of each comment, and without empty lines beside
/// what is left out.
fn without_comments(lines: &[&str]) -> Vec<usize> {
    let mut kept = Vec::with_capacity(lines.len());
    let (mut run, mut quote, mut is_block) = (0, None::<&str>, false);
    for (index, line) in lines.iter().map(|line| line.trim()).enumerate() {
        let is_comment = if let Some(open) = quote {
            if line.ends_with(open) {
                quote = None;
            }
            true
        } else if is_block {
            is_block = !line.ends_with("*/");
            true
        } else {
            let opened = DOC_QUOTES.into_iter().find(|open| line.starts_with(open));
            quote = opened.filter(|open| line.len() == open.len() || !line[open.len()..].contains(open));
            is_block = line.starts_with("/*") && !line.contains("*/");
            opened.is_some() || is_comment_line(line)
        };
        run = if is_comment { run + 1 } else { 0 };
        let is_after_fold = line.is_empty() && kept.last().is_some_and(|last| last + 1 < index);
        if run <= MAX_COMMENT_LINES && !is_after_fold {
            kept.push(index);
        }
    }
    kept
}

fn is_comment_line(line: &str) -> bool {
    // A star is also a pointer or a product.
    let is_star = line.starts_with('*') && !line.starts_with("* ") && line != "*";
    COMMENT_STARTS.iter().any(|start| line.starts_with(start))
        && !CODE_STARTS.iter().any(|start| line.starts_with(start))
        && !is_star
}

/// Returns the beginning, and the lines that have most of the words with those around them, up to a limit.
fn matching(lines: &[&str], folded: Vec<usize>, words: &HashMap<String, f64>, limit: usize) -> Vec<usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let found: Vec<BTreeSet<String>> = folded.iter().map(|index| stems(lines[*index], words)).collect();
    found.iter().flatten().for_each(|word| *counts.entry(word.clone()).or_default() += 1);
    // A word that every line has tells nothing.
    let worth = |word: &String| words.get(word).copied().unwrap_or(0.0) / counts.get(word).copied().unwrap_or(1) as f64;
    let mut order: Vec<(f64, usize)> = found.iter().map(|found| found.iter().map(worth).sum()).zip(0..).collect();
    order.retain(|(worth, _)| *worth > 0.0);
    order.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
    let mut kept: BTreeSet<usize> = (0..BEGINNING.min(folded.len())).collect();
    for (_, at) in order {
        let near = at.saturating_sub(AROUND)..=(at + AROUND).min(folded.len() - 1);
        let added = near.clone().filter(|index| !kept.contains(index)).count();
        if kept.len() + added <= limit {
            kept.extend(near);
        }
    }
    // What is left is for what follows the beginning.
    let rest = (BEGINNING..folded.len()).filter(|index| !kept.contains(index)).take(limit.saturating_sub(kept.len()));
    let rest: Vec<usize> = rest.collect();
    kept.extend(rest);
    kept.into_iter().map(|at| folded[at]).collect()
}

/// Returns the words of the task that a line has.
fn stems(line: &str, words: &HashMap<String, f64>) -> BTreeSet<String> {
    let runs = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|run| !run.is_empty());
    let parts = runs.flat_map(|run| identifier_parts(run).map(|part| stem(&part.to_lowercase()).into_owned()));
    parts.filter(|part| words.contains_key(part)).collect()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> HashMap<String, f64> {
        list.iter().map(|word| (stem(word).into_owned(), 1.0)).collect()
    }

    fn numbers(source: &str, list: &[&str], limit: usize) -> Vec<u32> {
        excerpt(source, 1, &words(list), limit).into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn a_short_definition_is_whole_but_for_its_comments() {
        let rust =
            "/// Returns it.\n/// Always.\n#[inline]\nfn f() {\n    // let a = 1;\n    // let b = 2;\n    g()\n}";
        assert_eq!(numbers(rust, &[], 30), [1, 3, 4, 5, 7, 8]);
        let python = "def f():\n    \"\"\"Return it.\n\n    Always.\n    \"\"\"\n    return 1\n\n\nx = 2";
        assert_eq!(numbers(python, &[], 30), [1, 2, 6, 7, 8, 9]);
        let c = "/*\n * One.\n */\nint *f(void) {\n#ifdef A\n  return 1;\n#endif\n}";
        assert_eq!(numbers(c, &[], 30), [1, 4, 5, 6, 7, 8]);
        assert_eq!(numbers("def f():\n    \"\"\"One line.\"\"\"\n    return 1", &[], 30), [1, 2, 3]);
    }

    #[test]
    fn a_long_definition_has_its_beginning_and_the_lines_that_match() {
        let mut lines: Vec<String> = (1..=100).map(|number| format!("    step{number}()")).collect();
        lines[0] = "def run(self):".to_owned();
        lines[49] = "    self.expireSession()".to_owned();
        lines[79] = "    self.session = 1".to_owned();
        let source = lines.join("\n");
        assert_eq!(numbers(&source, &["sessions", "expired"], 8), [1, 2, 49, 50, 51, 79, 80, 81]);
        assert_eq!(numbers(&source, &["nothing"], 4), [1, 2, 3, 4]);
        assert_eq!(excerpt(&"x".repeat(9_000), 7, &words(&[]), 3)[0].1.chars().count(), MAX_LINE_CHARS + 1);
    }
}
