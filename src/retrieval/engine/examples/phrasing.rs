//! Commit subjects and comments that read as a task.

/// Number of words of a text that reads as a task.
const WORDS: std::ops::RangeInclusive<usize> = 4..=12;
/// Limit of a task in bytes: one line of a small terminal.
const MAX_LEN: usize = 64;

/// Verbs of tasks about behavior. Verbs of refactoring, such as *move* and *use*, are too unspecific.
const VERBS: &[&str] = &[
    "abort",
    "accept",
    "add",
    "allow",
    "apply",
    "avoid",
    "cache",
    "canonicalize",
    "check",
    "close",
    "compute",
    "configure",
    "convert",
    "copy",
    "create",
    "decode",
    "delay",
    "delete",
    "detect",
    "display",
    "emit",
    "enable",
    "encode",
    "ensure",
    "escape",
    "expand",
    "expose",
    "extract",
    "filter",
    "find",
    "fix",
    "flush",
    "follow",
    "format",
    "generate",
    "handle",
    "hide",
    "highlight",
    "honor",
    "ignore",
    "implement",
    "improve",
    "include",
    "infer",
    "invalidate",
    "keep",
    "limit",
    "list",
    "load",
    "log",
    "match",
    "open",
    "parse",
    "pass",
    "permit",
    "persist",
    "prefer",
    "preserve",
    "prevent",
    "print",
    "propagate",
    "provide",
    "raise",
    "read",
    "recognize",
    "refresh",
    "reject",
    "render",
    "report",
    "reset",
    "resolve",
    "respect",
    "restore",
    "retry",
    "save",
    "search",
    "send",
    "serialize",
    "show",
    "skip",
    "sort",
    "start",
    "stop",
    "store",
    "stream",
    "strip",
    "support",
    "suppress",
    "throw",
    "track",
    "treat",
    "trim",
    "validate",
    "wait",
    "warn",
    "watch",
    "wrap",
    "write",
];

/// Words of subjects that are not about the behavior of code.
const CHORES: &[&str] = &[
    "annotation",
    "annotations",
    "assorted",
    "benchmark",
    "benchmarks",
    "build",
    "bump",
    "bumps",
    "changelog",
    "chore",
    "ci",
    "cleanup",
    "clippy",
    "comment",
    "comments",
    "contributing",
    "copyright",
    "coverage",
    "dep",
    "dependencies",
    "dependency",
    "deps",
    "doc",
    "docs",
    "docstring",
    "docstrings",
    "documentation",
    "eslint",
    "example",
    "examples",
    "fixdoc",
    "fixture",
    "fixtures",
    "flake8",
    "github",
    "gofmt",
    "grammar",
    "hint",
    "hints",
    "housekeeping",
    "isort",
    "jsdoc",
    "license",
    "lint",
    "linter",
    "linting",
    "lints",
    "merge",
    "merges",
    "minor",
    "misc",
    "msrv",
    "mypy",
    "nightly",
    "nit",
    "nits",
    "pyright",
    "readme",
    "refactor",
    "release",
    "releases",
    "revert",
    "reverts",
    "ruff",
    "rustfmt",
    "snapshot",
    "snapshots",
    "spelling",
    "style",
    "test",
    "testing",
    "tests",
    "tweak",
    "tweaks",
    "translation",
    "translations",
    "typing",
    "typings",
    "typo",
    "typos",
    "vendored",
    "version",
    "versions",
    "whitespace",
    "wip",
    "workflow",
    "workflows",
];

/// Returns a commit subject as a task if it reads as one.
pub fn subject(subject: &str) -> Option<String> {
    let subject = subject.trim();
    // `[6.0.x] …` names a branch, `Fixed #123 -- …` a ticket, and some subjects begin with a picture.
    let subject = subject.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(subject, |(_, rest)| rest);
    let subject = match subject.split_once(" -- ") {
        Some((ticket, rest)) if ticket.contains('#') => rest,
        _ => subject,
    };
    let mut subject = subject.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '`');
    // `fix(core): …` and `core, api: …` name the area.
    if let Some((area, rest)) = subject.split_once(": ")
        && is_area(area)
    {
        if words(area).any(|word| CHORES.contains(&word.as_str())) {
            return None;
        }
        subject = rest;
    }
    while let Some((rest, _)) = subject.strip_suffix(')').and_then(|open| open.rsplit_once(" (")) {
        subject = rest;
    }
    task(subject.trim())
}

/// Returns the first sentence of the comment of a symbol as a task if it reads as one.
pub fn sentence(name: &str, doc: &str) -> Option<String> {
    let paragraph = doc.trim_start().split("\n\n").next()?;
    let mut words: Vec<&str> = paragraph.split_whitespace().collect();
    // Comments begin with the name in some languages.
    if words.first() == Some(&name) {
        words.remove(0);
    }
    let text = words.join(" ");
    let first = text.split_once(". ").map_or(text.as_str(), |(first, _)| first);
    // Names of parameters are meaningless outside the comment.
    let is_parameter = |word: &str| word.len() == 1 && word != "a";
    task(first).filter(|task| !task.split(' ').any(is_parameter))
}

/// Returns whether the text before a colon is the name of an area: `core`, `core, api`, `fix(core)`.
fn is_area(text: &str) -> bool {
    let (names, scope) = text.split_once('(').unwrap_or((text, ")"));
    let mut names: Vec<&str> = names.trim_end().split(' ').collect();
    names.pop();
    names.iter().all(|name| name.ends_with(',')) && scope.trim_end_matches('!').ends_with(')')
}

/// Returns the text with its verb as an imperative; `None` if it does not begin with one or does not read as a task.
fn task(text: &str) -> Option<String> {
    let text = text.trim_end_matches('.');
    let (first, rest) = text.split_once(' ')?;
    let verb = imperative(&first.to_lowercase())?;
    let is_plain = |letter: char| letter.is_alphanumeric() || " `'\"/.,()-_".contains(letter);
    let is_release = |word: &str| word.split('.').filter(|part| part.starts_with(|c: char| c.is_numeric())).count() > 1;
    let fits = WORDS.contains(&text.split(' ').count()) && verb.len() + 1 + rest.len() <= MAX_LEN;
    let is_chore = words(text).any(|word| CHORES.contains(&word.as_str())) || text.split(' ').any(is_release);
    let is_clear = is_verb(verb, rest) && (verb == first.to_lowercase() || is_bendable(verb, rest));
    (fits && rest.chars().all(is_plain) && !is_chore && is_clear).then(|| format!("{verb} {rest}"))
}

/// Verbs that `for` may follow. After others it shows a noun: `fix for a crash`, `support for cookies`.
const VERBS_WITH_FOR: &[&str] = &["allow", "check", "search", "wait", "warn", "watch"];
/// Finite verbs of statements.
const FINITE: &[&str] = &[
    "are", "can", "cannot", "could", "did", "do", "does", "had", "has", "is", "may", "might", "must", "should", "was",
    "were", "will", "would",
];
/// Words that begin a clause, in which a finite verb belongs to another subject.
const CLAUSE: &[&str] = &[
    "after", "although", "as", "because", "before", "how", "if", "since", "so", "that", "though", "unless", "until",
    "what", "when", "where", "whether", "which", "while", "who", "whose", "why",
];
/// Words that follow a participle or a plural: `sorted by name`, `searches in archives`.
const AFTER_PARTICIPLE: &[&str] = &[
    "and", "as", "at", "by", "from", "in", "into", "off", "on", "or", "out", "over", "through", "to", "under", "up",
    "via", "with", "without",
];
/// Text between two statements of a subject.
const SEPARATORS: &[&str] = &[", ", " - ", " and ", " but ", " then "];

/// Returns whether a word that may be a noun is a verb before `rest`: not in `fix for a crash` and `cache keys are
/// wrong`.
fn is_verb(verb: &str, rest: &str) -> bool {
    match rest.split(' ').next().unwrap_or_default() {
        "of" | "now" => false,
        "for" => VERBS_WITH_FOR.contains(&verb),
        next => !FINITE.contains(&next),
    }
}

/// Returns whether a sentence stays right when its verb is replaced by the imperative. Another verb would keep its form
/// (`fixed A, removed B`), and a form may be no verb (`sorted by name`, `cached results are lost`).
fn is_bendable(verb: &str, rest: &str) -> bool {
    let mut words = rest.split(' ');
    let is_participle = words.clone().next().is_some_and(|next| AFTER_PARTICIPLE.contains(&next));
    let has_other_verb = SEPARATORS.iter().any(|separator| rest.contains(separator));
    // `ensure` has a clause without a word that begins it.
    let is_statement = verb != "ensure"
        && words.find(|word| CLAUSE.contains(word) || FINITE.contains(word)).is_some_and(|word| FINITE.contains(&word));
    !is_participle && !has_other_verb && !is_statement
}

/// Returns the verb of a form such as `fixes`, `fixed` or `fix`.
fn imperative(word: &str) -> Option<&'static str> {
    let is_form = |verb: &&&str| {
        let Some(ending) = word.strip_prefix(**verb) else {
            let stem = verb.strip_suffix('y').and_then(|stem| word.strip_prefix(stem));
            return matches!(stem, Some("ies" | "ied"));
        };
        let doubled = verb.chars().last().is_some_and(|last| ending.strip_prefix(last) == Some("ed"));
        doubled || matches!(ending, "" | "s" | "es" | "d" | "ed")
    };
    VERBS.iter().find(is_form).copied()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commit_subject_may_be_a_task() {
        for (text, task) in [
            ("fix(core): Retry uploads that time out (#12)", "retry uploads that time out"),
            ("Fixed #36012 -- Prevented infinite loop in paginator.", "prevent infinite loop in paginator"),
            ("[5.2.x] Fixes #1 -- Allowed empty names in forms", "allow empty names in forms"),
            ("✨ Add support for `SSE` responses (#1) (#2)", "add support for `SSE` responses"),
            ("ignore/types: add lowercase R extensions", "add lowercase R extensions"),
            ("core, api: Handle a missing socket", "handle a missing socket"),
            ("fix(`a` + `b`): reject names with blanks", "reject names with blanks"),
            ("Applied the filter to every row", "apply the filter to every row"),
            ("Stopped the server after errors", "stop the server after errors"),
            ("Converted all CRLF files to LF", "convert all CRLF files to LF"),
            (
                "added bailout to updateQueryData if patches is empty",
                "add bailout to updateQueryData if patches is empty",
            ),
            ("Ensures there is no slash in the url", "ensure there is no slash in the url"),
            ("logging: Warn for deprecated encoders", "warn for deprecated encoders"),
        ] {
            assert_eq!(subject(text).as_deref(), Some(task), "{text}");
        }
    }

    #[test]
    fn chores_and_unclear_subjects_are_not_tasks() {
        for text in [
            "Merge pull request #3 from a/b",
            "Bump the version of the thing",
            "Add `ty` to the pre-commit workflow",
            "docs(tap): add a note on errors",
            "test: add regression test for gitignore",
            "fix typo in the error message",
            "Add support for TypeScript 5.9 projects",
            "Fixed the crash and removed the retry",
            "Improves Printer, fixes some bugs",
            "feat(merge): adds mergeLatest - renamed legacy merge operator",
            "Sorted by name in the list of files",
            "Cached results are lost after a restart",
            "scan: Converted ends of lines do not change the other lines",
            "Formats of dates in the log",
            "logging: Fix for IP filtering",
            "fix: Allow should not get translated to Note",
            "feat(streams): Support for ReadableStreams",
            "Fix: it",
            "What the lints say; tidy: a missing head line",
            "Make everything a little bit nicer",
            "fix https://example.org/a?b=c once and for all",
            "",
        ] {
            assert_eq!(subject(text), None, "{text}");
        }
    }

    #[test]
    fn first_sentence_of_a_comment_may_be_a_task() {
        let doc = "Creates a cookie for\nthe session. More follows.\n\nAnd more.";
        assert_eq!(sentence("make", doc).as_deref(), Some("create a cookie for the session"));
        let go = "Parse parses text with the options of the site.";
        assert_eq!(sentence("Parse", go).as_deref(), Some("parse text with the options of the site"));
        assert_eq!(sentence("Parse", "Parse parses text as a template body for t."), None);
        assert_eq!(sentence("Meta", "Meta is for internal use."), None);
        assert_eq!(sentence("kind", "Returns the kind of a node."), None);
        assert_eq!(sentence("open", "Opens it."), None);
        assert_eq!(sentence("open", ""), None);
    }
}
