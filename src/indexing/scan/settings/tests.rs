//! Settings of users and repositories, including hostile ones.

use super::*;

fn settings(user: &str, repository: &str) -> Settings {
    Settings::from_texts(Ok(Some(user.to_owned())), Ok(Some(repository.to_owned())))
}

fn is_included(settings: &Settings, path: &str) -> bool {
    settings.verdict(path, false) == Verdict::Included
}

fn is_excluded(settings: &Settings, path: &str) -> bool {
    matches!(settings.verdict(path, false), Verdict::Excluded(_))
}

#[test]
fn without_files_nothing_is_set() {
    let settings = Settings::from_texts(Ok(None), Ok(None));
    assert_eq!((settings.max_file_bytes(), settings.key().as_str()), (DEFAULT_MAX_FILE_BYTES, ""));
    assert_eq!(settings.verdict("a.py", false), Verdict::Unset);
    assert!(settings.problems.is_empty() && !settings.has_includes() && !settings.may_include_within("build"));
}

#[test]
fn the_file_of_the_user_wins() {
    let both = settings(
        "theme = \"dark\"\nmax_file_size = \"2MB\"\ninclude = [\"gen/\"]\n[keys.normal]\nQ = \"\"\n",
        "max_file_size = \"3MB\"\nexclude = [\"gen/\", \"docs/\"]\n",
    );
    assert_eq!(both.problems, [] as [String; 0]);
    assert_eq!(both.max_file_bytes(), 2_000_000);
    assert!(is_included(&both, "gen/deep/a.py") && is_excluded(&both, "docs/a.py"));
    assert!(both.may_include_within("gen") && !both.may_include_within("docs"));
    let other = settings("exclude = [\"*.py\"]\n", "max_file_size = 10\ninclude = [\"a.py\"]\n");
    assert!(is_excluded(&other, "a.py"));
    assert_eq!(other.max_file_bytes(), 10);
}

#[test]
fn exclude_outweighs_include_in_one_file() {
    let settings = settings("", "include = [\"build/\"]\nexclude = [\"build/tmp/*\", \"!build/tmp/keep.py\"]\n");
    assert!(is_included(&settings, "build/a.py") && is_excluded(&settings, "build/tmp/b.py"));
    assert!(is_included(&settings, "build/tmp/keep.py"));
    let Verdict::Excluded(rule) = settings.verdict("build/tmp/b.py", false) else { panic!("it is excluded") };
    assert_eq!(rule.to_string(), "`.knowing/settings.toml` line 2 (`build/tmp/*`)");
}

#[test]
fn a_path_from_the_root_leads_into_folders() {
    let settings =
        settings("", "include = [\"build/gen/*.py\", \"*.pyx\", \"/out/x.rs\", \"**/deep/a.py\", \"!a/b.py\"]\n");
    for (folder, expected) in [
        ("build", true),
        ("build/gen", true),
        ("build/other", false),
        ("out", true),
        ("node_modules", false),
        ("deep", false),
        ("a", false),
    ] {
        assert_eq!(settings.may_include_within(folder), expected, "{folder}");
    }
}

#[test]
fn the_key_changes_with_the_meaning_only() {
    let key = |user: &str, repository: &str| settings(user, repository).key();
    let exclude = key("", "exclude = [\"a/\"]\n");
    assert_eq!(key("theme = \"dark\"\n", "\n# moved\nexclude = [\n \"a/\",\n]\n"), exclude);
    assert_eq!(key("theme = \"dark\"\n", ""), "");
    for other in ["exclude = [\"b/\"]\n", "include = [\"a/\"]\n", "max_file_size = 9\n", "exclude = [\"a/\", \"b\"]\n"]
    {
        assert_ne!(key("", other), exclude, "{other}");
        assert_ne!(key("", other), "", "{other}");
    }
}

#[test]
fn each_problem_has_its_line_and_costs_one_setting() {
    let repository = "theme = \"dark\"\nmax_file_size = \"2 parsecs\"\ninclude = \"a\"\nexclude = [\n  \"docs/\",\n  7,\n  \
                      \"\",\n  \"a/[z-a]\",\n]\n[share]\nurl = \"http://evil\"\n";
    let settings = settings("", repository);
    let lines: Vec<&str> = settings.problems.iter().filter_map(|problem| problem.split(": ").next()).collect();
    let expected = [1, 2, 3, 6, 7, 8, 10].map(|line| format!(".knowing/settings.toml line {line}"));
    assert_eq!(lines, expected, "{:?}", settings.problems);
    assert!(settings.problems[0].ends_with("unknown setting `theme`; there are max_file_size, include, exclude"));
    assert!(is_excluded(&settings, "docs/a.py"));
    assert_eq!(settings.max_file_bytes(), DEFAULT_MAX_FILE_BYTES);
}

#[test]
fn a_repository_cannot_raise_the_limit_beyond_all_bounds() {
    for size in ["\"999999GB\"", "99999999999", "\"65MiB\""] {
        let settings = settings("", &format!("max_file_size = {size}\n"));
        assert_eq!(settings.max_file_bytes(), 64 << 20, "{size}");
        assert_eq!(settings.problems, [".knowing/settings.toml line 1: max_file_size is at most 64MiB, which applies"]);
    }
    for size in ["0", "-1", "true", "99999999999999999999999999", "1e400"] {
        let settings = settings("", &format!("max_file_size = {size}\n"));
        assert_eq!((settings.max_file_bytes(), settings.problems.len()), (DEFAULT_MAX_FILE_BYTES, 1), "{size}");
    }
}

fn unused(reason: &str) -> Result<Option<String>, ConfigError> {
    Err(ConfigError::unused(REPOSITORY_FILE, reason))
}

#[test]
fn invalid_and_huge_files_are_problems() {
    for text in ["\u{0}\n[[[", "include = [", "= 3\n", &"a = 1\n".repeat(20)] {
        let problems = settings("", text).problems;
        assert!((1..=10).contains(&problems.len()), "{text}: {problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with(".knowing/settings.toml line ")), "{problems:?}");
    }
    let list = vec!["\"a\""; 1_000].join(", ");
    assert!(settings("", &format!("exclude = [{list}]\n")).problems[0].contains("exclude has more than 200 elements"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(repository_text(folder.path()), Ok(None));
    fs::create_dir(folder.path().join(".knowing")).unwrap();
    assert_eq!(repository_text(folder.path()), Ok(None));
    fs::write(folder.path().join(REPOSITORY_FILE), "#".repeat(100_000)).unwrap();
    assert_eq!(repository_text(folder.path()), unused("it is too large"));
    fs::write(folder.path().join(REPOSITORY_FILE), b"# \xff\n").unwrap();
    assert_eq!(repository_text(folder.path()), unused("it is not UTF-8"));
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("settings.toml"), "exclude = [\"*\"]\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join(".knowing")).unwrap();
    assert_eq!(repository_text(folder.path()), unused("it is a symbolic link"));
    fs::remove_file(folder.path().join(".knowing")).unwrap();
    fs::create_dir(folder.path().join(".knowing")).unwrap();
    let file = folder.path().join(REPOSITORY_FILE);
    std::os::unix::fs::symlink(outside.path().join("settings.toml"), &file).unwrap();
    assert_eq!(repository_text(folder.path()), unused("it is a symbolic link"));
    fs::remove_file(&file).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(&file).unwrap();
    assert_eq!(repository_text(folder.path()), unused("it is a device, pipe or socket"));
}
