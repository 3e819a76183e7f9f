//! Edits of users that `knowing uninstall` keeps, and leftovers of killed runs that it removes.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::{Desk, OWN};
use crate::cli::{code, stderr};

#[test]
fn what_is_written_between_the_markers_is_kept() {
    for has_record in [true, false] {
        for (old, new, kept) in [
            ("<!-- knowing:begin -->\n", "<!-- knowing:begin -->\nAsk me first.\n", "Ask me first.\n"),
            ("<!-- knowing:end -->", "\n- one\n\n- two\n\n<!-- knowing:end -->", "- one\n\n- two\n"),
            ("## Finding code: knowing", "## Our tools", "## Our tools\n"),
        ] {
            let desk = Desk::new();
            desk.write("AGENTS.md", "# Agents\n");
            desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
            let text = fs::read_to_string(desk.path("AGENTS.md")).unwrap();
            desk.write("AGENTS.md", &text.replacen(old, new, 1));
            if !has_record {
                fs::remove_dir_all(desk.home.path().join(".data")).unwrap();
            }
            let output = desk.run(&["--yes", "uninstall", "--agent", "codex"]);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            assert!(stderr(&output).contains("AGENTS.md: what you wrote or changed"), "{}", stderr(&output));
            assert_eq!(fs::read_to_string(desk.path("AGENTS.md")).unwrap(), format!("# Agents\n\n{kept}"), "{new}");
        }
    }
}

#[test]
fn a_second_installation_keeps_what_is_written_between_the_markers() {
    for has_record in [true, false] {
        let desk = Desk::new();
        desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
        let text = fs::read_to_string(desk.path("AGENTS.md")).unwrap();
        desk.write("AGENTS.md", &text.replace("<!-- knowing:end -->", "Ask me first.\n<!-- knowing:end -->"));
        if !has_record {
            fs::remove_dir_all(desk.home.path().join(".data")).unwrap();
        }
        desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
        let text = fs::read_to_string(desk.path("AGENTS.md")).unwrap();
        assert!(text.contains("Ask me first.\n") && text.matches("knowing:begin").count() == 1, "{text}");
        desk.installed(&["uninstall", "--agent", "codex"]);
        let text = fs::read_to_string(desk.path("AGENTS.md")).unwrap();
        assert_eq!(text.trim(), "Ask me first.");
    }
}

#[test]
fn a_section_of_toml_that_was_changed_is_kept() {
    for (addition, is_ours_left) in [("startup_timeout_sec = 30\n", true), ("# why this server\n", false)] {
        let desk = Desk::new();
        desk.write(".codex/config.toml", "model = \"x\"\n");
        desk.installed(&["install", "--agent", "codex", "--no-hooks"]);
        let text = fs::read_to_string(desk.path(".codex/config.toml")).unwrap();
        desk.write(".codex/config.toml", &text.replace("# knowing:end", &format!("{addition}# knowing:end")));
        let output = desk.run(&["--yes", "uninstall", "--agent", "codex"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stderr(&output).contains("config.toml: what you wrote or changed"), "{}", stderr(&output));
        let text = fs::read_to_string(desk.path(".codex/config.toml")).unwrap();
        assert!(text.contains(addition) && !text.contains("knowing:"), "{text}");
        assert_eq!(text.contains("[mcp_servers.knowing]"), is_ours_left, "{text}");
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(table["model"].as_str(), Some("x"));
    }
}

#[test]
fn uninstall_says_that_a_changed_entry_is_kept() {
    let desk = Desk::new();
    desk.installed(&["install", "--agent", "claude"]);
    let servers = fs::read_to_string(desk.path(".mcp.json")).unwrap();
    desk.write(".mcp.json", &servers.replace("stdio", "stdio "));
    let skill = desk.path(".claude/skills/knowing/SKILL.md");
    fs::write(&skill, fs::read_to_string(&skill).unwrap().replacen("knowing", "my knowing", 1)).unwrap();
    let output = desk.run(&["--yes", "uninstall"]);
    assert_eq!(code(&output), 0);
    for name in [".mcp.json", "SKILL.md"] {
        assert!(stderr(&output).contains(&format!("{name}: what you wrote or changed")), "{}", stderr(&output));
    }
    assert!(skill.is_file() && fs::read_to_string(desk.path(".mcp.json")).unwrap().contains("stdio "));
}

/// Checks leftovers of a killed run: folders without their file, and the new text of a file.
#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let desk = Desk::new();
    desk.write("AGENTS.md", "# Agents\n");
    let before = desk.files();
    desk.installed(&["install", "--agent", "all"]);
    for file in [".claude/skills/knowing/SKILL.md", ".codex/config.toml", ".mcp.json"] {
        fs::rename(
            desk.path(file),
            desk.path(file)
                .with_file_name(format!(".knowing-{}.new", Path::new(file).file_name().unwrap().to_str().unwrap())),
        )
        .unwrap();
    }
    desk.write(".knowing-AGENTS.md.new", "half");
    let output = desk.run(&["uninstall", "--dry-run"]);
    assert!(stderr(&output).contains(".knowing-AGENTS.md.new: left by an interrupted run"), "{}", stderr(&output));
    assert!(desk.path(".knowing-AGENTS.md.new").exists());
    desk.installed(&["uninstall"]);
    assert_eq!(desk.files(), before);
}

#[test]
fn kills_leave_nothing_that_the_next_run_does_not_remove() {
    let desk = Desk::new();
    OWN.iter().for_each(|(name, text)| desk.write(name, text));
    let before = desk.files();
    for round in 0..24_u64 {
        let arguments: &[&str] = if round % 2 == 0 { &["install", "--agent", "all"] } else { &["uninstall"] };
        if round % 2 == 1 {
            desk.installed(&["install", "--agent", "all"]);
        }
        let mut child = desk.command(&[&["--yes"], arguments].concat()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round * 4));
        child.kill().unwrap();
        child.wait().unwrap();
        desk.installed(&["uninstall"]);
        assert_eq!(desk.files(), before, "round {round}");
    }
}
