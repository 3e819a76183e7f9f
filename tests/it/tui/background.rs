//! Themes: those that help lists, and `auto`, for which the terminal is asked for its background, never waited for, and
//! its replies are not typed.

use std::fs;

use vt100::Color;

use super::pty::Pty;
use super::session::shop;

/// The backgrounds of the themes `light` and `dark`.
const LIGHT: Color = Color::Idx(231);
const DARK: Color = Color::Idx(234);

/// Starts the program with this theme in its settings.
fn start(theme: &str) -> (tempfile::TempDir, Pty) {
    let folder = shop();
    let settings = folder.path().join("config/knowing");
    fs::create_dir_all(&settings).unwrap();
    fs::write(settings.join("config.toml"), format!("theme = \"{theme}\"\n")).unwrap();
    let pty = Pty::program(folder.path(), 120, 40);
    (folder, pty)
}

#[test]
fn the_theme_follows_the_terminal_while_the_user_types() {
    let (_folder, mut pty) = start("auto");
    // A terminal without an answer changes nothing.
    pty.wait_for("what do you want to do?");
    pty.wait_for_background(Color::Default);
    assert_eq!(pty.background_queries(), (true, true));
    pty.press("ring\x1b]11;rgb:ffff/ffff/ffff\x1b\\ up");
    pty.wait_for_background(LIGHT);
    pty.wait_for("ring up");
    pty.press(" vis\x1b[?997;1nitors");
    pty.wait_for_background(DARK);
    pty.wait_for("ring up visitors");
    // A reply in two pieces, and one in between keys.
    pty.press("\x1b]11;rgb:fd");
    pty.press("fd/f6f6/e3e3\x07 expire");
    pty.wait_for_background(LIGHT);
    pty.wait_for("ring up visitors expire");
    pty.press("\x1b");
    pty.wait_for("q quit");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
    assert_eq!(pty.background_queries(), (true, false));
}

#[test]
fn other_themes_ask_nothing() {
    let (_folder, mut pty) = start("gruvbox");
    pty.wait_for("what do you want to do?");
    assert_eq!(pty.background_queries(), (false, false));
    pty.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\ring up");
    pty.wait_for("ring up");
    pty.press("\x1b");
    pty.wait_for("q quit");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.expect_restored();
}

#[test]
fn help_lists_the_built_in_themes() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = crate::cli::stdout(&crate::cli::run_in(root, &["tui", "--help"]));
    for entry in fs::read_dir(root.join("themes")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(help.contains(&format!("{name},")), "{name}: {help}");
    }
}
