//! Explains why nothing is indexed: each cause that applies, with the number of files and the way out. The one home of
//! this sentence for every client.

use super::{StoreError, Unread};
use crate::documents::has_documents;
use crate::lang::known::{language_without_grammar, other_build, supported};
use crate::lang::language_of;
use crate::scan::settings::REPOSITORY_FILE;
use crate::scan::{Census, CheckoutState, SkipReason};
use crate::store::{Reader, SkipRow};
use crate::text::display::{bytes, thousands};

/// Maximum number of extensions in a message.
const MAX_EXTENSIONS: usize = 4;
/// Maximum number of causes in a message.
const MAX_CAUSES: usize = 3;

/// A cause that leaves out source files.
struct Cause {
    files: u64,
    /// The words about them that follow *is* or *are*.
    text: String,
    way_out: String,
}

/// Returns why nothing is indexed and what to do; `None` if a file is indexed.
///
/// # Errors
/// When the store can't be read.
pub fn reason_without_files(reader: &Reader) -> Result<Option<String>, StoreError> {
    if reader.has_files()? {
        return Ok(None);
    }
    let unread = Unread::read(reader)?;
    let census = unread.census.unwrap_or_default();
    Ok(Some(explain(&census, &reader.skips()?, unread.max_file_bytes)))
}

fn explain(census: &Census, skips: &[SkipRow], max_file_bytes: u64) -> String {
    if let Some(text) = census.state.map(|state| state_text(state, census.missing)) {
        return format!("nothing is indexed: {text}");
    }
    let mut causes = causes(census, skips, max_file_bytes);
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.files));
    let extensions = extensions(census);
    let Some(first) = causes.first() else {
        let count = supported().len();
        return format!(
            "no file in a supported language here (`knowing help languages` lists the {count}){extensions}"
        );
    };
    let way_out = &first.way_out;
    let total = causes.iter().map(|cause| cause.files).sum::<u64>();
    let text = match &causes[..] {
        [Cause { files: 1, text, .. }] => format!("the only source file is {text}"),
        [Cause { text, .. }] => format!("all {} source files are {text}", thousands(total as usize)),
        causes => {
            let is_or_are = |files| if files == 1 { "is" } else { "are" };
            let clause = |cause: &Cause| {
                format!("{} {} {}", thousands(cause.files as usize), is_or_are(cause.files), cause.text)
            };
            let mut clauses: Vec<String> = causes.iter().take(MAX_CAUSES).map(clause).collect();
            let others: u64 = causes.iter().skip(MAX_CAUSES).map(|cause| cause.files).sum();
            clauses
                .extend((others > 0).then(|| format!("{} are left out for other reasons", thousands(others as usize))));
            format!("of {} source files {}", thousands(total as usize), clauses.join(", "))
        }
    };
    format!("nothing is indexed: {text}; {way_out} (`knowing status --skips` lists everything){extensions}")
}

fn state_text(state: CheckoutState, missing: u64) -> String {
    match state {
        CheckoutState::Bare => "this is a bare git repository, which has no files; run in a clone of it, or in a \
                                worktree that `git worktree add DIR` makes"
            .to_owned(),
        CheckoutState::NotCheckedOut => {
            "no file of the commit is checked out; run `git checkout`, or `git worktree add \
                                         DIR` for a bare repository"
                .to_owned()
        }
        CheckoutState::Empty => "the folder is empty; add source files, or name another folder".to_owned(),
        CheckoutState::Sparse => {
            let files = if missing == 0 { String::new() } else { format!(" {}", thousands(missing as usize)) };
            format!(
                "the sparse checkout has none of the{files} tracked source files; `git sparse-checkout add FOLDER` \
                 checks a folder out"
            )
        }
    }
}

fn causes(census: &Census, skips: &[SkipRow], max_file_bytes: u64) -> Vec<Cause> {
    let include = format!("`include` in `{REPOSITORY_FILE}` has patterns of files to index nevertheless");
    let mut causes: Vec<Cause> = Vec::new();
    let mut add = |files: u64, text: String, way_out: String| {
        causes.extend((files > 0).then_some(Cause { files, text, way_out }));
    };
    for (reason, rule, files) in &census.rules {
        match reason {
            SkipReason::Excluded => {
                add(*files, format!("excluded by {rule}"), "change `exclude` there".to_owned());
            }
            _ => add(*files, format!("ignored by {rule}"), format!("change the rule, or: {include}")),
        }
    }
    add(census.missing, "tracked by git but deleted".to_owned(), "`git restore .` brings them back".to_owned());
    add(census.hidden, "hidden (a name starts with a dot)".to_owned(), include.clone());
    add(census.vendored, "in folders of vendored code".to_owned(), include.clone());
    for reason in SkipReason::ALL {
        let is_source = |skip: &&&SkipRow| language_of(&skip.path).is_some();
        let skipped: Vec<&SkipRow> = skips.iter().filter(|skip| skip.reason == reason.name()).collect();
        let files = skipped.iter().filter(is_source).count() as u64;
        let (text, way_out) = match reason {
            SkipReason::TooLarge => (
                format!("over the limit of {}", bytes(max_file_bytes)),
                format!("raise `max_file_size` in `{REPOSITORY_FILE}`"),
            ),
            SkipReason::Binary => ("not readable as text (binary)".to_owned(), "save them as UTF-8".to_owned()),
            SkipReason::Generated => ("generated".to_owned(), include.clone()),
            SkipReason::Minified => ("minified".to_owned(), include.clone()),
            SkipReason::Symlink => {
                ("symbolic links, which are not followed".to_owned(), "name the folder that they lead to".to_owned())
            }
            SkipReason::Unreadable => ("unreadable".to_owned(), "check their permissions".to_owned()),
            SkipReason::Special => ("devices, pipes or sockets".to_owned(), "replace them by files".to_owned()),
            SkipReason::NoCode => ("pages without scripts".to_owned(), "add source files".to_owned()),
            SkipReason::DeepSyntax | SkipReason::Unparsable => {
                ("beyond the parser (nested too deep, or no code)".to_owned(), "simplify or split them".to_owned())
            }
            _ => (format!("skipped ({})", reason.name()), "look at them one by one".to_owned()),
        };
        add(files, text, way_out);
    }
    causes
}

/// Returns the files that no grammar reads as a clause, such as `; no grammar for 312 .nim (Nim), 4 .md`; empty without
/// any.
fn extensions(census: &Census) -> String {
    // Documents need no grammar.
    let others = census.extensions.iter().filter(|(name, _)| !has_documents(name));
    let mut list: Vec<(&str, u64)> = others.map(|(name, files)| (name.as_str(), *files)).collect();
    // Code comes before data.
    list.sort_by_key(|(name, files)| (language_without_grammar(name).is_none(), std::cmp::Reverse(*files), *name));
    let mut parts: Vec<String> = (list.iter().filter(|(name, _)| !name.is_empty()).take(MAX_EXTENSIONS))
        .map(|(name, files)| {
            let language = language_without_grammar(name).map(|language| format!(" ({language})")).unwrap_or_default();
            format!("{} .{name}{language}", thousands(*files as usize))
        })
        .collect();
    match list.len().saturating_sub(parts.len()) {
        _ if parts.is_empty() => return String::new(),
        0 => (),
        1 => parts.push("1 other kind of files".to_owned()),
        others => parts.push(format!("{others} other kinds of files")),
    }
    let languages = list.iter().filter_map(|(name, _)| language_without_grammar(name));
    let way_out = other_build(languages).map_or(String::new(), |way_out| format!("; {way_out}"));
    format!("; no grammar for {}{way_out}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Rule;

    fn rule(line: usize, pattern: &str) -> Rule {
        Rule { file: ".gitignore".to_owned(), line, pattern: pattern.to_owned() }
    }

    fn skip(path: &str, reason: SkipReason) -> SkipRow {
        SkipRow { path: path.to_owned(), reason: reason.name().to_owned(), size: 9, mtime_ns: 0 }
    }

    fn extensions_of(files: &[(&str, u64)]) -> Census {
        let extensions = files.iter().map(|(name, files)| ((*name).to_owned(), *files)).collect();
        Census { extensions, ..Census::default() }
    }

    #[test]
    fn extensions_are_listed_up_to_a_limit() {
        assert_eq!(extensions(&Census::default()), "");
        assert_eq!(extensions(&extensions_of(&[("nim", 1_312)])), "; no grammar for 1,312 .nim (Nim)");
        let many = extensions_of(&[("csv", 90), ("nim", 2), ("a", 5), ("b", 4), ("c", 3), ("", 7), ("md", 99)]);
        let text = "; no grammar for 2 .nim (Nim), 90 .csv, 5 .a, 4 .b, 2 other kinds of files";
        assert_eq!(extensions(&many), text);
    }

    #[test]
    fn one_cause_has_its_number_and_its_way_out() {
        let ignored = |files| Census {
            rules: vec![(SkipReason::Ignored, rule(3, "*.py"), files)],
            ..extensions_of(&[("nim", 1)])
        };
        let text = explain(&ignored(1_200), &[], 1 << 20);
        let start = "nothing is indexed: all 1,200 source files are ignored by `.gitignore` line 3 (`*.py`); change the \
                     rule, or: `include` in `.knowing/settings.toml` ";
        assert!(text.starts_with(start), "{text}");
        assert!(text.ends_with("; no grammar for 1 .nim (Nim)"), "{text}");
        let one = explain(&ignored(1), &[], 1 << 20);
        assert!(one.contains("the only source file is ignored by "), "{one}");
        let large = explain(&Census::default(), &[skip("a.py", SkipReason::TooLarge)], 2_000_000);
        let expected = "the only source file is over the limit of 2.0 MB; raise `max_file_size` in \
                        `.knowing/settings.toml`";
        assert!(large.contains(expected), "{large}");
    }

    #[test]
    fn several_causes_are_listed_largest_first() {
        let census = Census {
            rules: vec![(SkipReason::Ignored, rule(1, "*.py"), 3), (SkipReason::Excluded, rule(2, "docs/"), 1)],
            vendored: 9,
            hidden: 1,
            ..Census::default()
        };
        let skips = [skip("a.pb.go", SkipReason::Generated), skip("vendor/", SkipReason::Vendored)];
        let text = explain(&census, &skips, 1 << 20);
        let expected = "of 15 source files 9 are in folders of vendored code, 3 are ignored by `.gitignore` line 1 \
                        (`*.py`), 1 is excluded by `.gitignore` line 2 (`docs/`), 2 are left out for other reasons; \
                        `include` in ";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn every_reason_that_skips_a_source_file_is_a_cause() {
        for reason in SkipReason::ALL {
            let text = explain(&Census::default(), &[skip("a.py", *reason)], 1 << 20);
            assert!(text.starts_with("nothing is indexed: the only source file is "), "{text}");
        }
    }

    #[test]
    fn states_of_a_checkout_are_told_apart() {
        let text = |state, missing| explain(&Census { state: Some(state), missing, ..Census::default() }, &[], 1);
        assert!(text(CheckoutState::Bare, 0).contains("bare git repository"));
        assert!(text(CheckoutState::Empty, 0).contains("the folder is empty"));
        assert!(text(CheckoutState::NotCheckedOut, 3).contains("no file of the commit is checked out"));
        assert!(text(CheckoutState::Sparse, 12).contains("none of the 12 tracked source files"));
        assert!(text(CheckoutState::Sparse, 0).contains("none of the tracked source files; `git sparse-checkout add"));
    }
}
