//! README and guides: every command line runs on the sample, and every command and option that they name exists.
//!
//! Lines in `sh` fences are run by a shell, one by one. Those in `console` fences are run, too, and print what follows them. Lines
//! in other fences, and code in sentences, name commands and options that exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use knowing::cli::grammar;
use tempfile::TempDir;

use crate::cli::{copy, data_home, stderr, stdout};
use crate::index::history::commit;

/// Options in the documents that are those of other programs.
const FOREIGN_OPTIONS: [&str; 12] = [
    "--features",
    "--format=%B",
    "--install-extension",
    "--listen",
    "--locked",
    "--name-only",
    "--no-default-features",
    "--no-dependencies",
    "--no-merges",
    "--path",
    "--server",
    "--wait",
];

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns README and guides: names and texts.
fn documents() -> Vec<(String, String)> {
    let guides = std::fs::read_dir(project().join("assets/guide")).unwrap();
    let mut paths: Vec<PathBuf> = guides.map(|entry| entry.unwrap().path()).collect();
    paths.push(project().join("README.md"));
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// Returns the lines of code between fences with their language, and the code in other lines with an empty one.
fn code(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut language = None;
    let mut sentence_start = 0;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(info) = line.strip_prefix("```") {
            if language.is_none() {
                found.extend(spans(&text[sentence_start..offset]));
            }
            language = if language.is_some() { None } else { Some(info.trim()) };
            sentence_start = offset + line.len();
        } else if let Some(language) = language {
            found.push((language, line.trim_end()));
        }
        offset += line.len();
    }
    found.extend(spans(&text[sentence_start..]));
    found
}

/// Returns the code in sentences; code may continue on the next line.
fn spans(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('`').skip(1).step_by(2).map(|span| ("", span))
}

/// A copy of the sample as a git repository, with a branch that changes it.
struct Sample {
    folder: TempDir,
}

impl Sample {
    fn new() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("lending");
        copy(&project().join("assets/sample"), &root);
        let repository = git2::Repository::init(&root).unwrap();
        commit(&repository, "web: renew loans", 1_767_225_600);
        let first = repository.head().unwrap().peel_to_commit().unwrap();
        if repository.find_branch("main", git2::BranchType::Local).is_err() {
            repository.branch("main", &first, true).unwrap();
        }
        for (file, before, after) in [
            ("lending/web.py", "    current_session()\n", "    sessions.touch(current_session())\n"),
            ("lending/fines.py", "(now - due).days", "(now.date() - due.date()).days"),
        ] {
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(before), "{file}");
            std::fs::write(root.join(file), text.replace(before, after)).unwrap();
        }
        Sample { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("lending")
    }

    /// Runs a line by a shell.
    fn run(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_knowing")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.root()).env("PATH", path).env_remove("KNOWING_HOME");
        command.env("HOME", self.folder.path()).env("XDG_DATA_HOME", data_home(&self.root()));
        command.env("XDG_CONFIG_HOME", self.folder.path().join("config")).env("KNOWING_CACHE", "off");
        command.env("TERM", "dumb").stdin(std::process::Stdio::null()).output().unwrap()
    }
}

/// Returns the part of a line that can run in a test: not the installation of the program, which is there already, and not
/// what opens a screen.
fn runnable(line: &str) -> Option<&str> {
    let line = line.split(" #").next().unwrap_or_default().trim();
    let line = line.rsplit("&& ").next().unwrap_or_default();
    let opens_explorer = line == "knowing" || line.starts_with("knowing \"") || line.starts_with("knowing tui");
    (!line.is_empty() && !opens_explorer && !line.starts_with(".ci/")).then_some(line)
}

#[cfg(unix)]
#[test]
fn command_lines_of_the_documents_run() {
    let sample = Sample::new();
    let mut count = 0;
    for (name, text) in documents() {
        for line in
            code(&text).into_iter().filter(|(language, _)| *language == "sh").filter_map(|(_, line)| runnable(line))
        {
            let line = line.replace("/tmp/lending", ".");
            let output = sample.run(&line);
            assert!(output.status.success(), "{name}: {line}\n{}{}", stdout(&output), stderr(&output));
            count += 1;
        }
    }
    assert!(count > 30, "only {count} lines were found");
}

#[cfg(unix)]
#[test]
fn printed_answers_of_the_documents_are_current() {
    let sample = Sample::new();
    let mut count = 0;
    for (name, text) in documents() {
        let mut expected: Option<(&str, String)> = None;
        let mut check = |expected: Option<(&str, String)>| {
            let Some((line, answer)) = expected else { return };
            assert_eq!(stdout(&sample.run(line)), answer, "{name}: {line}");
            count += 1;
        };
        for (_, line) in code(&text).into_iter().filter(|(language, _)| *language == "console") {
            match line.strip_prefix("$ ") {
                Some(command) => check(expected.replace((command, String::new()))),
                None => expected.as_mut().unwrap().1.push_str(&format!("{line}\n")),
            }
        }
        check(expected);
    }
    assert!(count > 1, "only {count} answers were found");
}

/// Returns the command that the first words name, and whether all of them are commands up to the first that begins like an
/// argument.
fn named_command(words: &[&str]) -> Result<clap::Command, String> {
    let mut command = grammar();
    for word in words {
        let is_name = word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase());
        let Some(next) = command.find_subcommand(word) else {
            let is_argument = !is_name || !command.has_subcommands() || command.get_positionals().next().is_some();
            return if is_argument { Ok(command) } else { Err(format!("`{word}` is not a command")) };
        };
        command = next.clone();
    }
    Ok(command)
}

/// Returns the options of a command with the global ones.
fn options(command: &clap::Command) -> BTreeSet<String> {
    let program = grammar();
    let arguments = command.get_arguments().chain(program.get_arguments());
    arguments.filter_map(clap::Arg::get_long).chain(["help", "version"]).map(|name| format!("--{name}")).collect()
}

/// Adds the options of a command and of its subcommands.
fn all_options(command: &clap::Command, found: &mut BTreeSet<String>) {
    found.extend(options(command));
    command.get_subcommands().for_each(|command| all_options(command, found));
}

#[test]
fn commands_and_options_of_the_documents_exist() {
    let mut every = BTreeSet::from(FOREIGN_OPTIONS.map(str::to_owned));
    all_options(&grammar(), &mut every);
    let mut problems = Vec::new();
    for (name, text) in documents() {
        for (_, line) in code(&text) {
            let line = line.split(" #").next().unwrap_or_default();
            for part in line.split(['|', ';', '&', '(']).map(str::trim) {
                let words: Vec<&str> = part.split_whitespace().collect();
                let named = words.iter().filter(|word| word.starts_with("--") && word.len() > 2);
                let named: Vec<&str> =
                    named.map(|word| word.split(['=', ')', ',', '"']).next().unwrap_or_default()).collect();
                let unknown = |known: &BTreeSet<String>| {
                    let is_unknown = |option: &&&str| !known.contains(**option) && !FOREIGN_OPTIONS.contains(*option);
                    named
                        .iter()
                        .filter(is_unknown)
                        .map(|option| format!("{name}: {part}: {option}"))
                        .collect::<Vec<_>>()
                };
                match words.as_slice() {
                    ["knowing", rest @ ..] => match named_command(&commands_of(rest)) {
                        Ok(command) => problems.extend(unknown(&options(&command))),
                        Err(problem) => problems.push(format!("{name}: {part}: {problem}")),
                    },
                    _ => problems.extend(unknown(&every)),
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns the words from the command on, without the global options before it.
fn commands_of<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.iter().copied().peekable();
    while words.peek().is_some_and(|word| ["--repo", "--workspace", "--db"].contains(word)) {
        words.next();
        words.next();
    }
    words.collect()
}

#[test]
fn the_readme_is_short_and_its_files_exist() {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150, "{} lines; details belong into assets/guide", readme.lines().count());
    for target in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(project().join(target).exists(), "{target} does not exist");
    }
    for guide in std::fs::read_dir(project().join("assets/guide")).unwrap() {
        let name = guide.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("(assets/guide/{name})")), "README has no link to {name}");
    }
}

#[test]
fn guides_and_commands_have_help() {
    let run = |arguments: &[&str]| crate::cli::run_in(Path::new("."), arguments);
    let list = stdout(&run(&["help"]));
    for guide in std::fs::read_dir(project().join("assets/guide")).unwrap() {
        let path = guide.unwrap().path();
        let (topic, text) = (path.file_stem().unwrap().to_str().unwrap(), std::fs::read_to_string(&path).unwrap());
        let title = text.lines().next().unwrap().trim_start_matches("# ");
        assert!(list.contains(&format!("  {topic} ")) && list.contains(title), "{topic} is missing:\n{list}");
        assert!(stdout(&run(&["help", topic])).starts_with(title), "{topic}");
        assert!(stdout(&run(&["man", topic])).contains(&format!(".TH knowing-{topic} 7")), "{topic}");
    }
    assert!(stdout(&run(&["help", "context"])).contains("--budget"));
    assert!(stdout(&run(&["help", "index", "share", "gc"])).contains("--keep"));
    let unknown = run(&["help", "nothing"]);
    assert!(stderr(&unknown).contains("no guide and no command is called `nothing`"), "{}", stderr(&unknown));
    assert_eq!(crate::cli::code(&unknown), 2);
}
