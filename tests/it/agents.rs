//! `knowing install`, `uninstall` and `hook`, in throw-away home folders.

mod kept;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::cli::{Shop, code, program, stderr, stdout};

const AGENTS: [&str; 8] = ["claude", "codex", "cursor", "gemini", "helix", "opencode", "vscode", "zed"];

/// A repository and a home folder beside it.
struct Desk {
    shop: Shop,
    home: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { shop: Shop::new(), home: tempfile::tempdir().unwrap() }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let home = self.home.path();
        let mut command = program(&self.shop.root(), arguments);
        command
            .env("HOME", home)
            .env("KNOWING_CACHE", "off")
            .env("XDG_DATA_HOME", home.join(".data"))
            .env("XDG_CONFIG_HOME", home.join(".config"));
        for variable in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "CODE_USER", "KNOWING_HOOKS"] {
            command.env_remove(variable);
        }
        command
    }

    fn installed(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["--yes"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.shop.root().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Returns every file and folder of the repository and of the home folder but the program's own, with its bytes.
    fn files(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut files = BTreeMap::new();
        collect(&self.shop.root(), &mut files);
        collect(self.home.path(), &mut files);
        files
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with(".data") {
            continue;
        }
        if path.is_dir() {
            files.insert(path.clone(), None);
            collect(&path, files);
        } else {
            files.insert(path.clone(), Some(fs::read(&path).unwrap()));
        }
    }
}

/// Files of a user in every format, some without a final line break, with comments or with tabs.
const OWN: [(&str, &str); 10] = [
    ("CLAUDE.md", "# Notes\n\nUse tabs."),
    ("AGENTS.md", "# Agents\n"),
    ("GEMINI.md", "text\n\n"),
    (".mcp.json", "{}"),
    (".claude/settings.json", "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": []}]}, \"model\": \"x\"}\n"),
    (".codex/config.toml", "# mine\nmodel = \"x\"\n[mcp_servers.other]\ncommand = \"y\""),
    (".vscode/mcp.json", "{\n\t// mine\n\t\"servers\": {\n\t\t\"other\": { \"command\": \"y\", },\n\t},\n}\n"),
    (".zed/settings.json", "// Zed\n{ \"theme\": \"x\" }"),
    (".helix/config.toml", "[keys.normal.space]\nf = \"file_picker\"\n"),
    ("opencode.json", "{ \"mcp\": { \"other\": { \"type\": \"local\" } } }\n"),
];

#[test]
fn uninstall_restores_every_byte_for_each_agent_and_scope() {
    for is_own in [false, true] {
        for scope in [&[][..], &["--user"]] {
            let desk = Desk::new();
            if is_own {
                OWN.iter().for_each(|(name, text)| desk.write(name, text));
                for (name, text) in [(".claude.json", "{\"projects\":{}}"), (".codex/config.toml", "model = \"x\"")] {
                    fs::create_dir_all(desk.home.path().join(name).parent().unwrap()).unwrap();
                    fs::write(desk.home.path().join(name), text).unwrap();
                }
            }
            let before = desk.files();
            for agent in AGENTS {
                let printed = desk.installed(&[&["install", "--agent", agent], scope].concat());
                assert!(printed.lines().count() >= 1, "{agent}");
                let installed = desk.files();
                assert_ne!(installed, before, "{agent} {scope:?}");
                desk.installed(&[&["install", "--agent", agent], scope].concat());
                assert_eq!(desk.files(), installed, "{agent} {scope:?}: a second installation changes nothing");
                desk.installed(&[&["uninstall", "--agent", agent], scope].concat());
                assert_eq!(desk.files(), before, "{agent} {scope:?} {is_own}");
            }
            desk.installed(&[&["install", "--agent", "all"], scope].concat());
            for agent in AGENTS {
                desk.installed(&[&["uninstall", "--agent", agent], scope].concat());
            }
            assert_eq!(desk.files(), before, "one by one after all, {scope:?} {is_own}");
        }
    }
}

#[test]
fn uninstall_keeps_later_edits() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "# Notes\n");
    desk.write(".mcp.json", "{\"mcpServers\": {\"a\": {}}}\n");
    desk.installed(&["install", "--agent", "claude"]);
    let text = fs::read_to_string(desk.path("CLAUDE.md")).unwrap();
    desk.write("CLAUDE.md", &format!("Before\n{text}After\n"));
    let servers = fs::read_to_string(desk.path(".mcp.json")).unwrap();
    desk.write(".mcp.json", &servers.replace("\"a\": {}", "\"a\": {\"b\": 1}").replace("stdio", "stdio "));
    desk.installed(&["uninstall"]);
    assert_eq!(fs::read_to_string(desk.path("CLAUDE.md")).unwrap(), "Before\n# Notes\nAfter\n");
    let servers = fs::read_to_string(desk.path(".mcp.json")).unwrap();
    assert!(servers.contains("stdio "), "an entry that the user changed is kept: {servers}");
}

#[test]
fn uninstall_works_without_the_record() {
    let desk = Desk::new();
    desk.write("AGENTS.md", "# Agents\n");
    desk.write(".codex/config.toml", "model = \"x\"\n");
    desk.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n");
    let before = desk.files();
    desk.installed(&["install", "--agent", "codex", "--agent", "claude", "--no-hooks"]);
    fs::remove_dir_all(desk.home.path().join(".data")).unwrap();
    desk.installed(&["uninstall", "--agent", "codex", "--agent", "claude"]);
    for (path, text) in before.iter().filter(|(_, text)| text.is_some()) {
        assert_eq!(fs::read(path).unwrap(), *text.as_ref().unwrap(), "{}", path.display());
    }
}

#[test]
fn tables_of_another_program_in_the_section_are_kept() {
    let desk = Desk::new();
    desk.write(".codex/config.toml", "model = \"x\"\n");
    desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
    let text = fs::read_to_string(desk.path(".codex/config.toml")).unwrap();
    let table = "[projects.\"/repository\"]\ntrust_level = \"trusted\"\n";
    desk.write(".codex/config.toml", &text.replace("# knowing:end", &format!("{table}# knowing:end")));
    desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
    desk.installed(&["uninstall", "--agent", "codex"]);
    let text = fs::read_to_string(desk.path(".codex/config.toml")).unwrap();
    assert!(text.contains(table) && text.contains("model") && !text.contains("knowing"), "{text}");
}

#[test]
fn inline_table_of_toml_is_not_broken() {
    let desk = Desk::new();
    desk.write(".helix/config.toml", "[keys.normal]\nspace = { f = \"file_picker\" }\n");
    let before = desk.files();
    let output = desk.run(&["--yes", "install", "--agent", "helix"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("is not a table of its own"), "{}", stderr(&output));
    assert_eq!(desk.files(), before);
}

#[test]
fn text_after_a_lost_end_marker_is_kept() {
    let desk = Desk::new();
    desk.write("AGENTS.md", "<!-- knowing:begin -->\nold\nmine\n");
    desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
    fs::remove_dir_all(desk.home.path().join(".data")).unwrap();
    desk.installed(&["uninstall", "--agent", "codex"]);
    assert!(fs::read_to_string(desk.path("AGENTS.md")).unwrap().contains("mine"));
}

#[test]
fn damaged_file_is_left_when_the_others_are_written() {
    let desk = Desk::new();
    desk.write(".mcp.json", "{\"mcpServers\": ");
    let output = desk.run(&["--yes", "install", "--agent", "all"]);
    assert_eq!(code(&output), 3);
    let text = stderr(&output);
    assert!(text.contains(".mcp.json: can't be changed") && text.contains("1 file was left as it is"), "{text}");
    assert_eq!(fs::read_to_string(desk.path(".mcp.json")).unwrap(), "{\"mcpServers\": ");
    assert!(fs::read_to_string(desk.path("AGENTS.md")).unwrap().contains("knowing"));
}

#[test]
fn an_edited_hook_is_not_doubled_and_uninstall_names_it() {
    let desk = Desk::new();
    desk.installed(&["install", "--agent", "claude"]);
    let settings = || fs::read_to_string(desk.path(".claude/settings.json")).unwrap();
    desk.write(".claude/settings.json", &settings().replacen("\"timeout\": 5", "\"timeout\": 60", 1));
    let edited = settings();
    let output = desk.run(&["--yes", "install", "--agent", "claude"]);
    assert!(stderr(&output).contains("hooks of its own, which are kept"), "{}", stderr(&output));
    assert_eq!(settings().matches(" hook prompt").count(), 1, "{}", settings());
    assert!(edited.contains("\"timeout\": 60") && settings().contains("\"timeout\": 60"));
    let checked = desk.run(&["install", "--agent", "claude", "--check"]);
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.lines().any(|line| line.contains("hooks") && line.contains("differs")), "{checked}");
    let output = desk.run(&["--yes", "uninstall", "--agent", "claude"]);
    assert!(stderr(&output).contains("is kept (hooks)"), "{}", stderr(&output));
    assert!(settings().contains("\"timeout\": 60") && !settings().contains(" hook search"), "{}", settings());
}

#[test]
fn a_byte_order_mark_is_kept() {
    let desk = Desk::new();
    desk.write(".mcp.json", "\u{feff}{\"mcpServers\": {}}\n");
    desk.installed(&["install", "--agent", "claude"]);
    let text = fs::read_to_string(desk.path(".mcp.json")).unwrap();
    assert!(text.starts_with("\u{feff}{") && text.contains("knowing"), "{text}");
    desk.installed(&["uninstall", "--agent", "claude"]);
    assert_eq!(fs::read_to_string(desk.path(".mcp.json")).unwrap(), "\u{feff}{\"mcpServers\": {}}\n");
}

#[test]
fn damaged_file_is_left_when_the_others_are_reversed() {
    let desk = Desk::new();
    let before = desk.files();
    desk.installed(&["install", "--agent", "all"]);
    desk.write(".mcp.json", "{\"mcpServers\": ");
    let output = desk.run(&["--yes", "uninstall"]);
    assert_eq!(code(&output), 3);
    let text = stderr(&output);
    assert!(text.contains(".mcp.json: can't be changed") && text.contains("1 file was left as it is"), "{text}");
    let mut left = desk.files();
    left.retain(|file, _| !before.contains_key(file));
    assert_eq!(left.into_keys().collect::<Vec<_>>(), [desk.path(".mcp.json")]);
}

#[test]
fn entry_of_the_user_is_kept() {
    let desk = Desk::new();
    desk.write(".mcp.json", "{\"mcpServers\": {\"knowing\": {\"command\": \"mine\"}}}\n");
    let output = desk.run(&["--yes", "install", "--agent", "claude"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("a server of its own, which is kept"), "{}", stderr(&output));
    desk.installed(&["uninstall"]);
    let text = fs::read_to_string(desk.path(".mcp.json")).unwrap();
    assert_eq!(text, "{\"mcpServers\": {\"knowing\": {\"command\": \"mine\"}}}\n");
}

#[test]
fn consent_is_needed_and_dry_run_writes_nothing() {
    let desk = Desk::new();
    let before = desk.files();
    let output = desk.run(&["install", "--agent", "codex"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("add --yes"), "{}", stderr(&output));
    let output = desk.run(&["install", "--agent", "codex", "--dry-run"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("+[mcp_servers.knowing]"), "{}", stdout(&output));
    let output = desk.run(&["install"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no coding agent is in use here"), "{}", stderr(&output));
    assert_eq!(desk.files(), before);
}

#[cfg(unix)]
#[test]
fn link_out_of_the_repository_is_refused_and_link_inside_is_followed() {
    let desk = Desk::new();
    std::os::unix::fs::symlink(desk.home.path(), desk.path(".claude")).unwrap();
    let output = desk.run(&["--yes", "install", "--agent", "claude"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("a link leads out of the repository"), "{}", stderr(&output));
    assert!(!desk.home.path().join("skills").exists());
    fs::remove_file(desk.path(".claude")).unwrap();
    desk.installed(&["uninstall"]);

    desk.write("AGENTS.md", "# Agents\n");
    std::os::unix::fs::symlink("AGENTS.md", desk.path("CLAUDE.md")).unwrap();
    desk.installed(&["install", "--agent", "claude", "--agent", "codex"]);
    assert!(desk.path("CLAUDE.md").is_symlink());
    let text = fs::read_to_string(desk.path("AGENTS.md")).unwrap();
    assert_eq!(text.matches("knowing:begin").count(), 1, "{text}");
    desk.installed(&["uninstall"]);
    assert_eq!(fs::read_to_string(desk.path("AGENTS.md")).unwrap(), "# Agents\n");
}

fn hook(desk: &Desk, event: &str, input: &str, switch: &str) -> Output {
    let mut command = program(&desk.shop.root(), &["hook", event, "--limit", "600000"]);
    command.env("KNOWING_HOOKS", switch).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn keys_of_helix_write_a_list_with_absolute_paths() {
    let desk = Desk::new();
    assert_eq!(code(&desk.run(&["index"])), 0);
    desk.installed(&["install", "--agent", "helix"]);
    let settings: toml::Table = fs::read_to_string(desk.path(".helix/config.toml")).unwrap().parse().unwrap();
    let keys = settings["keys"]["normal"]["space"]["K"]["c"].as_array().unwrap();
    let command = keys[0].as_str().unwrap().strip_prefix(":pipe-to ").unwrap();
    // Helix gives such a command to the shell, in the repository's root, with the selection as its input.
    let program = format!("knowing() {{ \"{}\" \"$@\"; }}; {command}", env!("CARGO_BIN_EXE_knowing"));
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(program).current_dir(desk.shop.root()).env("HOME", desk.home.path());
    shell.env("XDG_DATA_HOME", desk.home.path().join(".data")).env_remove("KNOWING_HOME").stdin(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(b"sessions expire too early").unwrap();
    assert!(shell.wait().unwrap().success());
    let list = fs::read_to_string(desk.home.path().join(".cache/knowing/selection.txt")).unwrap();
    let (path, _) = list.split_once(':').unwrap();
    assert!(Path::new(path).is_absolute() && Path::new(path).is_file(), "{list}");
    assert!(keys[1..].iter().any(|key| key.as_str() == Some(":open ~/.cache/knowing/selection.txt")));
}

#[test]
fn prompt_hook_adds_symbols_when_it_is_sure() {
    let desk = Desk::new();
    let event = |prompt: &str| {
        format!(r#"{{"hook_event_name":"UserPromptSubmit","cwd":{:?},"prompt":{prompt:?}}}"#, desk.shop.root())
    };
    let task = event("charge raises PaymentError twice for one payment");
    assert_eq!(stdout(&hook(&desk, "prompt", &task, "")), "", "there is no index");
    assert_eq!(code(&program(&desk.shop.root(), &["index"]).output().unwrap()), 0);
    let answer = hook(&desk, "prompt", &task, "");
    assert_eq!(code(&answer), 0);
    let answer: serde_json::Value = serde_json::from_str(&stdout(&answer)).unwrap();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "UserPromptSubmit");
    assert!(output["additionalContext"].as_str().unwrap().contains("charge"), "{output}");
    assert!(output["additionalContext"].as_str().unwrap().contains(" — "), "places have reasons: {output}");
    let journal = crate::cli::database(&desk.shop.root()).with_file_name("agents").join("requests-000001.jsonl");
    let lines = || fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines(), 1, "the request is journaled");
    for prompt in ["run the tests", "thanks, looks good", "/compact", ""] {
        assert_eq!(stdout(&hook(&desk, "prompt", &event(prompt), "")), "", "{prompt}");
    }
    assert_eq!(stdout(&hook(&desk, "prompt", &task, "off")), "");
    assert_eq!(lines(), 1, "silence is not");
    let payment = desk.shop.root().join("shop/payment.py");
    let text = fs::read_to_string(&payment).unwrap();
    fs::write(&payment, format!("import os\n{text}")).unwrap();
    let after = stdout(&hook(&desk, "prompt", &task, ""));
    assert!(after.contains("changed since they were indexed") && after.contains("shop/payment.py"), "{after}");
}

#[test]
fn hooks_fail_open() {
    let desk = Desk::new();
    for input in ["", "{", "[]", r#"{"cwd": "/nowhere"}"#, r#"{"prompt": 3}"#] {
        for event in ["prompt", "search", "subagent"] {
            let output = hook(&desk, event, input, "");
            assert_eq!((code(&output), stdout(&output)), (0, String::new()), "{event} {input}");
        }
    }
}

#[test]
fn search_hook_adds_the_definition() {
    let desk = Desk::new();
    assert_eq!(code(&program(&desk.shop.root(), &["index"]).output().unwrap()), 0);
    let names = stdout(&program(&desk.shop.root(), &["query", "charge", "--format", "json"]).output().unwrap());
    let names: serde_json::Value = serde_json::from_str(&names).unwrap();
    let (name, file) = (names[0]["name"].as_str().unwrap(), names[0]["file"].as_str().unwrap());
    let name = name.rsplit('.').next().unwrap();
    let event = format!(r#"{{"hook_event_name":"PreToolUse","tool_input":{{"command":"rg -n '{name}' ."}}}}"#);
    let text = stdout(&hook(&desk, "search", &event, ""));
    assert!(text.contains(file) && text.contains("additionalContext") && !text.contains("deny"), "{text}");
    let event = r#"{"tool_input":{"pattern":"no_such_name_here"}}"#;
    assert_eq!(stdout(&hook(&desk, "search", event, "")), "");
}

#[test]
fn check_shows_what_an_agent_has_and_reads() {
    let desk = Desk::new();
    let before = desk.run(&["install", "--check", "--agent", "claude"]);
    assert_eq!(code(&before), 1, "{}", stderr(&before));
    let files = desk.files();
    let text = stdout(&before);
    assert!(text.contains("Claude Code") && text.contains("missing") && !text.contains("registered"), "{text}");
    assert!(text.contains("knowing_context (") && text.contains("instructions ("), "{text}");
    assert_eq!(desk.files(), files, "nothing is written");
    desk.installed(&["install", "--agent", "claude"]);
    let after = desk.run(&["install", "--check", "--agent", "claude"]);
    assert_eq!(code(&after), 0, "{}", stdout(&after));
    assert!(!stdout(&after).contains("missing"), "{}", stdout(&after));
    desk.write("CLAUDE.md", "# Mine\n");
    let lost = stdout(&desk.run(&["install", "--check", "--agent", "claude"]));
    assert!(lost.lines().any(|line| line.contains("CLAUDE.md") && line.ends_with("missing")), "{lost}");
}

#[test]
fn plugin_of_an_editor_is_installed_for_the_user_and_removed() {
    let desk = Desk::new();
    let before = desk.files();
    let plugin = desk.home.path().join(".data/nvim/site/pack/knowing/start/knowing");
    let dry = desk.run(&["install", "--editor", "nvim", "--dry-run"]);
    assert!(stdout(&dry).contains("+vim.g.loaded_knowing = true"), "{}{}", stdout(&dry), stderr(&dry));
    assert!(!plugin.exists());
    desk.installed(&["install", "--editor", "nvim"]);
    for file in ["plugin/knowing.lua", "lua/knowing/init.lua", "doc/knowing.txt"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/editors/nvim").join(file);
        assert_eq!(fs::read(plugin.join(file)).unwrap(), fs::read(source).unwrap(), "{file}");
    }
    desk.installed(&["uninstall", "--editor", "nvim"]);
    assert!(!desk.home.path().join(".data/nvim").exists());
    assert_eq!(desk.files(), before);
    let code_says = desk.run(&["install", "--editor", "vscode"]);
    assert_eq!(code(&code_says), 2);
    assert!(stderr(&code_says).contains("code --install-extension"), "{}", stderr(&code_says));
    fs::create_dir_all(plugin.join("plugin")).unwrap();
    fs::write(plugin.join("plugin/knowing.lua"), "-- mine\n").unwrap();
    let output = desk.run(&["--yes", "install", "--editor", "nvim"]);
    assert!(stderr(&output).contains("it has a plugin of its own, which is kept"), "{}", stderr(&output));
    assert_eq!(code(&desk.run(&["install", "--agent", "nvim"])), 2, "it is not an agent");
    assert_eq!(code(&desk.run(&["install", "--editor", "claude"])), 2, "it is not an editor");
}

#[test]
fn edited_file_of_a_plugin_is_kept_until_it_is_as_it_was() {
    let desk = Desk::new();
    let folder = desk.home.path().join(".data/nvim");
    let file = folder.join("site/pack/knowing/start/knowing/plugin/knowing.lua");
    for edit in [|text: &str| format!("{text}-- mine\n"), |text: &str| text.replace("vim.g", "-- mine\nvim.g")] {
        desk.installed(&["install", "--editor", "nvim"]);
        let installed = fs::read_to_string(&file).unwrap();
        fs::write(&file, edit(&installed)).unwrap();
        let again = desk.run(&["--yes", "install", "--editor", "nvim"]);
        assert!(stderr(&again).contains("which is kept"), "{}", stderr(&again));
        assert_eq!(fs::read_to_string(&file).unwrap(), edit(&installed));
        fs::write(&file, &installed).unwrap();
        desk.installed(&["uninstall", "--editor", "nvim"]);
        assert!(!folder.exists());
    }
    desk.installed(&["install", "--editor", "nvim"]);
    let edited = format!("{}-- mine\n", fs::read_to_string(&file).unwrap());
    fs::write(&file, &edited).unwrap();
    let removal = desk.run(&["--yes", "uninstall", "--editor", "nvim"]);
    assert!(stderr(&removal).contains("is kept"), "{}", stderr(&removal));
    assert_eq!(fs::read_to_string(&file).unwrap(), edited);
    assert!(!file.with_file_name("../lua").exists());
}

#[test]
fn two_installations_at_once_are_both_recorded() {
    let desk = Desk::new();
    let other = Shop::new();
    let start = |root: &Path, arguments: &[&str]| {
        let mut command = desk.command(&[&["--yes"], arguments].concat());
        command.current_dir(root).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let roots = [desk.shop.root(), other.root()];
    let before = desk.files();
    for round in 0..5 {
        for arguments in [&["install", "--agent", "all"][..], &["uninstall"]] {
            let running = roots.each_ref().map(|root| start(root, arguments));
            for child in running {
                let output = child.wait_with_output().unwrap();
                assert_eq!(code(&output), 0, "{round} {arguments:?}: {}", stderr(&output));
                assert!(!stderr(&output).contains("interrupted"), "{}", stderr(&output));
            }
        }
        assert_eq!(desk.files(), before, "{round}");
    }
    let children = [["install", "--user", "--agent", "claude"], ["install", "--user", "--agent", "zed"]];
    for child in children.map(|arguments| start(&roots[0], &arguments)) {
        assert_eq!(code(&child.wait_with_output().unwrap()), 0);
    }
    desk.installed(&["uninstall", "--user"]);
    assert_eq!(desk.files(), before);
}
