//! The pictures of the README: the explorer on the bundled sample, and a moving one of a session.
//!
//! The test fails when the program draws something else than `assets/` has. `KNOWING_SCREENSHOTS=write cargo test --test it
//! screenshots` writes the pictures anew.

use std::fmt::Write;
use std::path::Path;

use knowing::tui::action::Action;
use knowing::tui::demo::TICKET;
use knowing::tui::effect::Effect;
use knowing::tui::update::update;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::{Duration, Instant, Size, Stage, appearance, copy, project, svg};
use crate::index::history::commit;

const SIZE: Size = Size { width: 100, height: 30 };

/// Makes the sample a repository in which a change is not committed.
fn sample(folder: &Path) -> std::path::PathBuf {
    let root = folder.join("lending");
    copy(&project().join("assets/sample"), &root);
    let repository = git2::Repository::init(&root).unwrap();
    commit(&repository, "web: renew loans", 1_767_225_600);
    let first = repository.head().unwrap().peel_to_commit().unwrap();
    repository.branch("release", &first, true).unwrap();
    root
}

/// Changes the sample.
fn change(root: &Path) {
    for (file, before, after) in [
        ("lending/web.py", "    current_session()\n    try", "    sessions.touch(current_session())\n    try"),
        ("lending/fines.py", "return max((now - due).days, 0)", "return max((now.date() - due.date()).days, 0)"),
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(text.contains(before), "{file}");
        std::fs::write(root.join(file), text.replace(before, after)).unwrap();
    }
}

/// Opens the explorer with an index, and votes, of this name.
fn stage(root: &Path, name: &str) -> Stage {
    let database = root.with_file_name(format!("{name}.db"));
    let mut stage = Stage::new(root, Some(&database), appearance("dark"), SIZE);
    stage.settle();
    stage
}

/// Returns the screen, with what is drawn after a delay, and with a time that is the same in every run.
fn screen(stage: &mut Stage) -> Buffer {
    stage.settle();
    stage.act_at(Action::Tick, Instant::now() + Duration::from_secs(2));
    stage.model.panes.pack.took = Duration::from_millis(9);
    stage.draw().backend().buffer().clone()
}

/// Returns the file as an editor shows it at a line.
fn editor(root: &Path, file: &str, line: usize) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, SIZE.width, SIZE.height));
    let text = std::fs::read_to_string(root.join(file)).unwrap();
    let first = line.saturating_sub(SIZE.height as usize / 2);
    for (row, (number, text)) in (1..).zip(text.lines()).skip(first).take(SIZE.height as usize - 1).enumerate() {
        let style = if number == line { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        buffer.set_string(0, row as u16, format!("{number:4} "), Style::new().add_modifier(Modifier::DIM));
        buffer.set_string(5, row as u16, text, style);
    }
    let status = format!(" {file}   line {line}");
    let width = SIZE.width as usize;
    buffer.set_string(0, SIZE.height - 1, format!("{status:width$}"), Style::new().add_modifier(Modifier::REVERSED));
    buffer
}

/// A screen of the moving picture.
struct Frame {
    screen: Buffer,
    /// The action before it.
    caption: &'static str,
    seconds: f64,
}

/// Plays a session: an issue is pasted, its code is explained, what should use the third place does not, and that is
/// voted on and opened.
fn session(root: &Path) -> Vec<Frame> {
    let mut stage = stage(root, "tour");
    let mut frames = Vec::new();
    let mut show = |stage: &mut Stage, caption, seconds| frames.push(Frame { screen: screen(stage), caption, seconds });
    show(&mut stage, "knowing", 2.0);
    stage.act(Action::Paste(TICKET.to_owned()));
    show(&mut stage, "paste an issue: the code that matters, the best first", 5.0);
    stage.press("Esc K");
    show(&mut stage, "K: why is the first one there?", 4.0);
    stage.press("2 j j");
    show(&mut stage, "j: the third one lets a session last longer", 3.0);
    stage.press("g r");
    show(&mut stage, "gr: what uses it? lend and give_back, but not renew", 4.5);
    stage.press("Esc g g +");
    show(&mut stage, "+: renew was it; remembered for tasks like this one", 3.0);
    let key = knowing::tui::key::Key::sequence("e").unwrap().remove(0);
    let event = super::TerminalEvent::Key(super::KeyEvent::new(key.code, super::KeyModifiers::NONE));
    let action = super::action::translate(&stage.model, event).unwrap();
    let effects = update(&mut stage.model, action, Instant::now());
    let edited = effects.into_iter().find_map(|effect| match effect {
        Effect::Edit { file, line } => Some((file, line)),
        _ => None,
    });
    let (file, line) = edited.expect("`e` opens the editor");
    frames.push(Frame { screen: editor(root, &file, line), caption: "e: your editor, at the line", seconds: 3.0 });
    frames
}

/// Renders the frames as one picture: each row of each frame is shown while it is the row of the screen.
fn animated(frames: &[Frame]) -> String {
    let total: f64 = frames.iter().map(|frame| frame.seconds).sum();
    let starts: Vec<f64> = (0..=frames.len())
        .map(|index| frames[..index].iter().fold(0.0, |sum, frame| sum + frame.seconds) / total * 100.0)
        .collect();
    let rows: Vec<Vec<String>> = (frames.iter())
        .map(|frame| {
            let mut rows = svg::rows(&frame.screen, svg::DARK);
            let area = Rect::new(0, 0, SIZE.width, SIZE.height + 2);
            let mut caption = Buffer::empty(area);
            let style = Style::new().add_modifier(Modifier::BOLD);
            caption.set_string(2, SIZE.height, format!("› {}", frame.caption), style);
            rows.push(svg::rows(&caption, svg::DARK).concat());
            rows
        })
        .collect();
    // The frame that is shown where motion is not wanted, or not possible: the list.
    let still = 1;
    let (mut style, mut elements, mut spans) = (String::new(), String::new(), std::collections::BTreeSet::new());
    for row in 0..=usize::from(SIZE.height) {
        let row: Vec<&str> = rows.iter().map(|frame| frame[row].as_str()).collect();
        let mut first = 0;
        while first < frames.len() {
            let last = (first..frames.len()).take_while(|frame| row[*frame] == row[first]).last().unwrap();
            if !row[first].is_empty() {
                let hidden = if (first..=last).contains(&still) { "" } else { " visibility=\"hidden\"" };
                let _written = write!(elements, "<g class=\"f{first}-{last}\"{hidden}>\n{}</g>\n", row[first]);
                spans.insert((first, last));
            }
            first = last + 1;
        }
    }
    for (first, last) in spans.into_iter().filter(|(first, last)| (*first, last + 1) != (0, frames.len())) {
        let (name, start, end) = (format!("f{first}-{last}"), starts[first], starts[last + 1]);
        let _written = writeln!(
            style,
            ".{name}{{animation:{name} {total}s step-end infinite}}\n@keyframes {name}{{0%{{visibility:hidden}}\
             {start:.2}%{{visibility:visible}}{end:.2}%{{visibility:hidden}}}}"
        );
    }
    let style = style.replace("0%{visibility:hidden}0.00%", "0%");
    elements.insert_str(
        0,
        &format!("<style>\n{style}@media (prefers-reduced-motion:reduce){{g[class]{{animation:none}}}}\n</style>\n"),
    );
    svg::frame(SIZE.width, SIZE.height + 2, svg::DARK, &elements)
}

/// Draws the pictures: names of files and contents.
fn pictures() -> Vec<(&'static str, String)> {
    let folder = tempfile::tempdir().unwrap();
    let root = sample(folder.path());
    let mut pictures = vec![("tour.svg", animated(&session(&root)))];
    let mut still = |name, task: &str, keys: &str| {
        let mut stage = stage(&root, name);
        stage.act(Action::Paste(task.to_owned()));
        stage.settle();
        stage.press("Esc");
        if !keys.is_empty() {
            stage.press(keys);
        }
        pictures.push((name, svg::svg(&screen(&mut stage), svg::DARK)));
    };
    still("rank.svg", TICKET, "");
    still("why.svg", TICKET, "K n");
    still("graph.svg", TICKET, "j j 5 )");
    still("questions.svg", "who calls fine_cents", "j");
    change(&root);
    let mut stage = stage(&root, "review");
    stage.press("Esc g b r e l e a s e Enter");
    pictures.push(("review.svg", svg::svg(&screen(&mut stage), svg::DARK)));
    pictures
}

#[test]
fn pictures_of_the_readme_are_current() {
    let assets = project().join("assets");
    let is_written = std::env::var("KNOWING_SCREENSHOTS").is_ok_and(|value| value == "write");
    let pictures = pictures();
    for (name, picture) in &pictures {
        if is_written {
            std::fs::write(assets.join(name), picture).unwrap();
        }
        let current = std::fs::read_to_string(assets.join(name)).unwrap_or_default();
        assert!(
            current == *picture,
            "the program draws assets/{name} differently; KNOWING_SCREENSHOTS=write cargo test --test it screenshots"
        );
    }
    let names = std::fs::read_dir(assets).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".svg")).collect();
    let mut drawn: Vec<&str> = pictures.iter().map(|(name, _)| *name).collect();
    files.sort();
    drawn.sort_unstable();
    assert_eq!(files, drawn, "other pictures are not made by a test");
}
