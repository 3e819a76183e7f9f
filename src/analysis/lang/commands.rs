//! Commands of shells, wherever they are written: scripts, recipes, jobs, images, and arguments of functions.
//!
//! A command names what it runs of the repository by a path (`./scripts/deploy.sh`, `python -m app.cli`) or by the name of
//! a target (`make test`, `npm run build`). Which of them exist is found when names are resolved.

use crate::facts::{FactsBuilder, SignalKind};
use crate::model::EdgeType;

/// Something that a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// A path, or two words by which a target is bound.
    pub name: String,
    /// The folder in which the command runs, as far as the text says so.
    pub folder: String,
    /// The line of the text, from 0.
    pub line: u32,
}

/// The words of a command without their quotes, and its line in the text, from 0. What is expanded is `$`.
struct Command {
    words: Vec<String>,
    line: u32,
}

/// Maximum size of a text that is read as commands. Longer ones are data.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Maximum size of a name.
const MAX_NAME_BYTES: usize = 200;

/// Words before a program.
const PREFIXES: &[&str] = &[
    "!",
    "command",
    "cross-env",
    "do",
    "doas",
    "elif",
    "else",
    "env",
    "exec",
    "if",
    "nohup",
    "npx",
    "run",
    "sudo",
    "then",
    "time",
    "until",
    "while",
    "xvfb-run",
];
/// Programs that run the program after one of their words.
const RUNNERS: &[(&str, &str)] = &[
    ("bundle", "exec"),
    ("hatch", "run"),
    ("pdm", "run"),
    ("pipenv", "run"),
    ("poetry", "run"),
    ("rye", "run"),
    ("uv", "run"),
];
/// Programs that run the files among their arguments.
const INTERPRETERS: &[&str] = &[
    "Rscript",
    "ash",
    "bash",
    "bun",
    "bundle",
    "coffee",
    "dash",
    "deno",
    "elixir",
    "escript",
    "expect",
    "go",
    "groovy",
    "julia",
    "ksh",
    "lua",
    "luajit",
    "node",
    "nodemon",
    "perl",
    "php",
    "powershell",
    "pwsh",
    "pypy",
    "pypy3",
    "python",
    "python3",
    "ruby",
    "sh",
    "source",
    "ts-node",
    "tsx",
    "zsh",
];
/// Commands of package managers that don't run a script.
const OF_MANAGERS: &[&str] = &[
    "access", "add", "audit", "cache", "ci", "config", "create", "dlx", "exec", "global", "help", "i", "import",
    "info", "init", "install", "link", "list", "login", "ls", "outdated", "pack", "prune", "publish", "remove", "set",
    "unlink", "up", "update", "upgrade", "version", "why",
];

/// Returns a signal for everything that commands run, with its line in the text, from 0. `folder` is that in which they start.
pub fn signals(facts: &mut FactsBuilder, text: &str, folder: &str) -> Vec<(u32, SignalKind)> {
    let signal = |Run { name, folder, line }: Run| {
        let (name, folder) = (facts.atom(&name), facts.atom(&folder));
        (line, SignalKind::Names { name, folder, edge_type: EdgeType::ExecutesProcess })
    };
    runs(text, folder).into_iter().map(signal).collect()
}

/// Returns what commands run, in their order.
pub fn runs(text: &str, folder: &str) -> Vec<Run> {
    if text.len() > MAX_TEXT_BYTES {
        return Vec::new();
    }
    let mut folder = folder.to_owned();
    let mut found = Vec::new();
    for Command { words, line } in commands(text) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match program_first(&words) {
            ["cd" | "pushd", path, ..] => {
                folder = if path.starts_with(['/', '$', '~']) { String::new() } else { within(&folder, path) };
            }
            // Its arguments are commands.
            ["concurrently", arguments @ ..] => {
                for argument in arguments {
                    let words: Vec<&str> = argument.split(' ').collect();
                    let script = argument.strip_prefix("npm:").map(|script| format!("npm {script}"));
                    found.extend(script.map(|name| Run { name, folder: folder.clone(), line }));
                    add_runs(&words, &folder, line, &mut found);
                }
            }
            words => add_runs(words, &folder, line, &mut found),
        }
    }
    found.retain(|run| run.name.len() <= MAX_NAME_BYTES);
    found
}

/// Divides a text into commands.
fn commands(text: &str) -> Vec<Command> {
    let text = text.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    let text = quoted.filter(|inside| !inside.contains(['"', '\''])).unwrap_or(text);
    // The list of an image's command: `["npm", "start"]`.
    let is_list = text.starts_with('[') && text.ends_with(']');
    let (mut commands, mut words, mut word): (Vec<Command>, Vec<String>, Option<String>) = Default::default();
    let (mut quote, mut letters, mut line) = (None, text.chars().peekable(), 0);
    // The commands around a `$(…)`, with the quotes that are open.
    let mut around: Vec<(Vec<String>, String, Option<char>)> = Vec::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('\n') => line += 1,
                None => {}
                // In a text of JSON.
                Some('"') => quote = if quote == Some('"') { None } else { Some('"') },
                Some(other) => word.get_or_insert_default().push(other),
            },
            _ if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() => (quote, word) = (Some(letter), Some(word.unwrap_or_default())),
            '$' if quote != Some('\'') => match expansion(&mut letters) {
                Ok(program) => word.get_or_insert_default().push_str(program),
                Err(first) => {
                    let before = format!("{}$", word.take().unwrap_or_default());
                    around.push((std::mem::take(&mut words), before, quote.take()));
                    word = Some(first).filter(|first| !first.is_empty());
                }
            },
            ')' if quote.is_none() && !around.is_empty() => {
                end_command(&mut commands, &mut words, &mut word, line);
                if let Some((outer, before, open)) = around.pop() {
                    (words, word, quote) = (outer, Some(before), open);
                }
            }
            _ if quote.is_some() => {
                line += u32::from(letter == '\n');
                word.get_or_insert_default().push(letter);
            }
            ' ' | '\t' | '\r' => words.extend(word.take()),
            '[' | ']' | ',' if is_list => words.extend(word.take()),
            '#' if word.is_none() => while letters.next_if(|next| *next != '\n').is_some() {},
            '\n' | ';' | '&' | '|' | '(' | ')' | '`' => {
                end_command(&mut commands, &mut words, &mut word, line);
                line += u32::from(letter == '\n');
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    end_command(&mut commands, &mut words, &mut word, line);
    for (mut words, before, _) in around.into_iter().rev() {
        end_command(&mut commands, &mut words, &mut Some(before), line);
    }
    commands
}

fn end_command(commands: &mut Vec<Command>, words: &mut Vec<String>, word: &mut Option<String>, line: u32) {
    words.extend(word.take());
    if !words.is_empty() {
        commands.push(Command { words: std::mem::take(words), line });
    }
}

/// Reads what follows a `$`. Returns the word that is there for it.
///
/// # Errors
/// For the beginning of a command, with its first letters.
fn expansion(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<&'static str, String> {
    let is_name = |letter: &char| letter.is_alphanumeric() || *letter == '_';
    let open = letters.next_if(|next| matches!(next, '(' | '{'));
    // `${{ … }}` of workflows.
    let is_double = open == Some('{') && letters.next_if_eq(&'{').is_some();
    let mut name = String::new();
    if open.is_none() {
        letters.next_if(|next| matches!(next, '@' | '*' | '#' | '?' | '!' | '$'));
        while letters.next_if(is_name).is_some() {}
        return Ok("$");
    }
    while let Some(letter) = letters.next_if(is_name) {
        name.push(letter);
    }
    if open == Some('(') && letters.peek() != Some(&')') {
        return Err(name);
    }
    let mut depth = 1 + usize::from(is_double);
    while depth > 0 {
        match letters.next() {
            Some('{' | '(') => depth += 1,
            Some('}' | ')') => depth -= 1,
            Some('\n') | None => break,
            Some(_) => {}
        }
    }
    Ok(if name == "MAKE" { "make" } else { "$" })
}

/// Returns what follows the last expansion in a word, as a path in the repository; `None` if it can't be one.
fn path_of(word: &str) -> Option<&str> {
    let rest = word.rsplit('$').next().unwrap_or(word);
    let path = if rest.len() == word.len() { rest } else { rest.strip_prefix('/')? };
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/+@".contains(letter);
    let is_path = !path.is_empty() && path.len() <= MAX_NAME_BYTES && path.chars().all(is_part);
    (is_path && !path.starts_with(['/', '-']) && !path.ends_with('/')).then_some(path)
}

/// Returns whether a word looks like the path of a file.
fn is_file(word: &str) -> bool {
    word.contains('/')
        || word.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && (1..=4).contains(&ending.len())
                && ending.starts_with(|letter: char| letter.is_ascii_alphabetic())
        })
}

/// Returns the command without the words before its program.
fn program_first<'w, 'a>(mut words: &'w [&'a str]) -> &'w [&'a str] {
    while let [first, rest @ ..] = words {
        let is_assignment = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        });
        words = match rest {
            [second, after @ ..] if RUNNERS.contains(&(first, second)) => after,
            _ if is_assignment || first.starts_with('-') || PREFIXES.contains(first) => rest,
            _ => break,
        };
    }
    words
}

/// Adds what a command runs.
fn add_runs(words: &[&str], folder: &str, line: u32, found: &mut Vec<Run>) {
    let [program, arguments @ ..] = program_first(words) else { return };
    // The marks of a recipe's line.
    let program = program.trim_start_matches(['@', '-', '+']);
    let name = program.rsplit('/').next().unwrap_or(program);
    let mut folder = folder.to_owned();
    let mut plain = arguments.iter().copied().filter(|argument| !argument.starts_with('-'));
    let inside = |names: &[&str]| option(arguments, names).map(|inside| within(&folder, inside));
    let names: Vec<String> = match name {
        "make" | "gmake" => {
            folder = inside(&["-C", "--directory"]).unwrap_or(folder);
            let of_option = option(arguments, &["-C", "--directory", "-f", "--file", "-o"]);
            let is_target = |target: &&str| !target.contains(['=', '$']) && Some(*target) != of_option;
            plain.filter(is_target).map(|target| format!("make {target}")).collect()
        }
        "just" => plain.next().map(|recipe| format!("just {recipe}")).into_iter().collect(),
        "npm" | "pnpm" | "yarn" | "bun" => {
            folder = inside(&["--prefix", "--cwd", "-C", "--dir"]).unwrap_or(folder);
            script(name, arguments).map(|script| format!("npm {script}")).into_iter().collect()
        }
        "npm-run-all" | "run-s" | "run-p" => plain.map(|script| format!("npm {script}")).collect(),
        "composer" => {
            let script = plain.find(|word| !matches!(*word, "run" | "run-script"));
            script.map(|script| format!("composer {script}")).into_iter().collect()
        }
        "cargo" => {
            let example = option(arguments, &["--example"]).map(|name| format!("examples/{name}.rs"));
            let binary = option(arguments, &["--bin"]).map(|name| format!("src/bin/{name}.rs"));
            example.into_iter().chain(binary).collect()
        }
        "docker" | "podman" => {
            let file = option(arguments, &["-f", "--file"]).and_then(path_of);
            file.map(str::to_owned).into_iter().collect()
        }
        _ => files(name, program, arguments),
    };
    found.extend(names.into_iter().map(|name| Run { name, folder: folder.clone(), line }));
}

/// Returns the paths of the files that a program runs, or its own.
fn files(name: &str, program: &str, arguments: &[&str]) -> Vec<String> {
    // `python3.12` is `python3`.
    let interpreter = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(name);
    if program != "$" && !INTERPRETERS.contains(&interpreter) {
        let own = path_of(program).filter(|_| program.contains('/') || is_script(program));
        return own.map(str::to_owned).into_iter().collect();
    }
    if let Some(module) = option(arguments, &["-m"]).filter(|_| interpreter.starts_with("py")) {
        let path = module.replace('.', "/");
        return vec![format!("{path}.py"), format!("{path}/__main__.py")];
    }
    if arguments.iter().any(|argument| matches!(*argument, "-c" | "-e" | "--eval")) {
        return Vec::new();
    }
    let first = arguments.iter().find(|argument| !argument.starts_with('-') && is_file(argument));
    first.and_then(|first| path_of(first)).map(str::to_owned).into_iter().collect()
}

/// Returns a folder that is named in another one.
fn within(folder: &str, inside: &str) -> String {
    match folder.len() + inside.len() {
        // A script that changes its folder again and again is not followed.
        MAX_NAME_BYTES.. => String::new(),
        _ if folder.is_empty() => inside.to_owned(),
        _ => format!("{folder}/{inside}"),
    }
}

/// Returns whether a program without a folder is a file: a script that is named with its ending.
fn is_script(program: &str) -> bool {
    [".sh", ".py", ".js", ".rb", ".pl", ".bash"].iter().any(|ending| program.ends_with(ending))
}

/// Returns the value of the first of these options: after it, or behind `=`.
fn option<'a>(arguments: &[&'a str], names: &[&str]) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(number, argument)| match argument.split_once('=') {
        Some((name, value)) if names.contains(&name) => Some(value),
        _ if names.contains(argument) => arguments.get(number + 1).copied(),
        _ => None,
    })
}

/// Returns the script that a command of a package manager runs.
fn script<'a>(manager: &str, arguments: &[&'a str]) -> Option<&'a str> {
    const WITH_VALUE: &[&str] = &["--prefix", "--cwd", "-C", "--dir", "-w", "--workspace", "--filter", "-F"];
    let mut words = Vec::new();
    let mut arguments = arguments.iter().copied().take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        if WITH_VALUE.contains(&argument) {
            arguments.next();
        } else if !argument.starts_with('-') {
            words.push(argument);
        }
    }
    match words[..] {
        ["run" | "run-script", script, ..] => Some(script),
        ["workspace", _, "run", script, ..] | ["workspace", _, script, ..] => Some(script),
        ["t", ..] => Some("test"),
        [script, ..] if manager != "npm" || matches!(script, "test" | "start" | "stop" | "restart") => {
            Some(script).filter(|script| !OF_MANAGERS.contains(script))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = runs(text, "").into_iter().map(|Run { name, folder, .. }| match folder.as_str() {
            "" => name,
            folder => format!("{folder}: {name}"),
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn scripts_are_named_by_their_paths() {
        check("./scripts/deploy.sh --prod && bash ci/test.sh | tee log", &["./scripts/deploy.sh", "ci/test.sh"]);
        check("if [ -n \"$X\" ]; then\n  CI=1 sudo -E ./a.sh\nfi # ./no.sh", &["./a.sh"]);
        check(
            "python3.12 -W error tools/gen.py x.txt; python -m app.cli",
            &["tools/gen.py", "app/cli.py", "app/cli/__main__.py"],
        );
        check(
            "\"$(dirname \"$0\")/lib/x.sh\" && \"$ROOT/b/y.sh\" ${{ github.workspace }}/z.sh",
            &["lib/x.sh", "b/y.sh"],
        );
        check("a=$(scripts/list.py --all) && b=\"$(./x.sh)\"", &["scripts/list.py", "./x.sh"]);
        check("node -e 'x.js' && git log -- ./a.sh && /usr/bin/env && rm -rf build/x", &[]);
        check("cd web && node build.mjs\ncd ..\n./x.sh", &["web: build.mjs", "web/..: ./x.sh"]);
    }

    #[test]
    fn targets_are_named_by_their_tools() {
        check("@$(MAKE) -C docs html V=1 && make -j4 lint test", &["docs: make html", "make lint", "make test"]);
        check(
            "npm ci && npm run build -- --prod; npm t; yarn lint && yarn add x",
            &["npm build", "npm test", "npm lint"],
        );
        check("npm --prefix web run build; pnpm --filter app dev", &["web: npm build", "npm dev"]);
        check("run-s clean build:*", &["npm clean", "npm build:*"]);
        check("concurrently \\\"npm:watch\\\" \\\"node server.js\\\"", &["npm watch", "server.js"]);
        check("[\"npm\", \"run\", \"serve\"]", &["npm serve"]);
        check("cargo run --example demo && cargo run --bin=tool", &["examples/demo.rs", "src/bin/tool.rs"]);
        check("just deploy prod", &["just deploy"]);
    }

    #[test]
    fn commands_have_their_lines() {
        let text = "|\n  make a && \\\n    make b\n\n  # x\n  echo 'c\n d'; make e";
        let lines: Vec<(String, u32)> = runs(text, "").into_iter().map(|run| (run.name, run.line)).collect();
        let expected = [("make a", 1), ("make b", 2), ("make e", 6)];
        assert_eq!(lines, expected.map(|(name, line)| (name.to_owned(), line)));
    }

    #[test]
    fn hostile_texts_end() {
        for text in
            ["$(", "${{", "\"", "\\", "'", "$", "`", "a=$(b", "[", "${", &"$(".repeat(9_000), &"(".repeat(70_000)]
        {
            assert!(runs(text, "").is_empty());
        }
        let long = format!("./{}.sh", "a".repeat(400));
        assert!(runs(&long, "").is_empty() && runs(&format!("make {}", "a".repeat(400)), "").is_empty());
    }
}
