//! The explanation of a rank: its sentence, and the numbers behind it.

use super::*;
use crate::engine::WordMatch;
use crate::model::Component;
use crate::tui::panes::why::waterfall::ROUNDING;

/// Returns a model with the explanation of the first symbol, whose score has many small components.
fn explained(width: u16, height: u16) -> Model {
    let mut model = ranked(width, height);
    let names = ["path", "body", "name", "scope", "doc", "file", "folder", "method", "history", "users"];
    let packed = &mut model.panes.pack.symbols[0];
    packed.components.extend(names.iter().enumerate().map(|(index, name)| {
        let contribution = 0.001 * (index as f64 - 3.0);
        Component { name, value: 0.5, contribution }
    }));
    packed.score = packed.components.iter().map(|component| component.contribution).sum();
    model.panes.why.answer = Some(fixture::explained(0));
    model.panes.why.has_numbers = true;
    model
}

/// Returns the lines of the pane, which has the focus and the whole screen.
fn pane(model: &mut Model) -> Vec<String> {
    model.focus = Focus::Pane(why::ID);
    model.zoomed = true;
    screen(model).lines().map(str::to_owned).collect()
}

#[test]
fn the_sentence_is_before_the_components_by_size() {
    let lines = pane(&mut explained(120, 40));
    let row = |words: &str| lines.iter().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}"));
    let order = [
        "its name has \"session\" and its body \"cookies\"",
        "matches session (name) · cookie (body) · no match: auth",
        "near in the graph",
        "words anywhere in it",
        "used near the matches",
        "+ 10 more (za)",
        "= score",
    ];
    assert!(order.map(row).is_sorted(), "{lines:#?}");
    assert!(lines[row("near in the graph")].contains("Edges from the best matches lead to it"), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains("+0.000") && !line.contains("-0.000")), "{lines:#?}");
}

#[test]
fn numbers_are_shown_when_asked() {
    let mut model = explained(120, 40);
    model.panes.why.has_numbers = false;
    let lines = pane(&mut model).join("\n");
    assert!(lines.contains("its name has \"session\"") && lines.contains("n shows the numbers"), "{lines}");
    assert!(!lines.contains("near in the graph") && !lines.contains("= score"), "{lines}");
}

#[test]
fn at_most_three_words_without_a_match_are_named() {
    let mut model = explained(120, 40);
    let why = model.panes.why.answer.as_mut().unwrap().why.as_mut().unwrap();
    let missing = why.words.pop().unwrap();
    why.words.extend((0..9).map(|number| WordMatch { word: format!("noise{number}"), ..missing.clone() }));
    let lines = pane(&mut model).join("\n");
    assert!(lines.contains("noise2") && !lines.contains("noise3"), "{lines}");
}

#[test]
fn small_components_unfold() {
    let mut model = explained(120, 40);
    assert!(!pane(&mut model).iter().any(|line| line.contains("commits match")));
    model.panes.why.unfolded = true;
    let lines = pane(&mut model);
    assert!(lines.iter().any(|line| line.contains("commits match")), "{lines:#?}");
    assert!(ROUNDING < 0.001 && !lines.iter().any(|line| line.contains(" more (za)")), "{lines:#?}");
}

#[test]
fn sentences_below_the_score_are_whole_in_a_narrow_pane() {
    let mut model = explained(60, 60);
    let answer = model.panes.why.answer.as_mut().unwrap();
    let walk = answer.why.as_mut().unwrap().walk.as_mut().unwrap();
    walk.path[1].names[0] = format!("{}.initialize", "VeryLong".repeat(9));
    let shown: String = pane(&mut model).iter().map(|line| line.trim_matches(['"', ' ']).to_owned() + " ").collect();
    for words in ["in the pack", "hub 0.200 · authority 0.400", "VeryLong.initialize"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn a_dropped_symbol_is_not_over_budget() {
    let mut model = explained(120, 40);
    let answer = fixture::explained(5);
    model.task.options.dropped.insert(answer.symbol.id);
    model.panes.why.chosen = Some(answer.symbol.clone());
    model.panes.why.answer = Some(answer);
    let shown = pane(&mut model).join("\n");
    assert!(shown.contains("- you left it out of what agents get") && shown.contains("· dropped"), "{shown}");
    assert!(!shown.contains("over budget") && !shown.contains("not packed"), "{shown}");
}

#[test]
fn sentences_of_components_are_whole() {
    for width in [100, 120, 160] {
        let mut model = explained(width, 40);
        model.focus = Focus::Pane(why::ID);
        model.zoomed = true;
        model.panes.why.unfolded = true;
        let lines = pane(&mut model);
        let words = lines.join(" ").split_whitespace().collect::<Vec<&str>>().join(" ");
        let sentence = "Edges from the best matches lead to it";
        assert!(words.contains("Edges from") && !lines.iter().any(|line| line.trim_end().ends_with('…')), "{lines:#?}");
        assert!(width < 160 || words.contains(sentence), "{lines:#?}");
    }
}
