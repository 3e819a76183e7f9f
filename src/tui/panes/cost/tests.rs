//! Lines, filter and selection of the cost map.

use super::*;
use crate::tui::fixture;

#[test]
fn lines_sum_to_the_tokens_of_the_pack() {
    let pack = fixture::pack();
    let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
    let total: usize = all.iter().map(|packed| packed.tokens).sum();
    let lines = CostMap::default().lines(&all);
    let of_files = |line: &CostLine| if matches!(line, CostLine::File(_)) { line.tokens() } else { 0 };
    assert_eq!(lines.iter().map(of_files).sum::<usize>(), total);
    let of_folders = |line: &CostLine| if matches!(line, CostLine::Folder { .. }) { line.tokens() } else { 0 };
    assert_eq!(lines.iter().map(of_folders).sum::<usize>(), total);
    for packed in &all {
        let lines_of_file = lines.iter().filter(|line| line.contains(&packed.symbol.file)).count();
        assert_eq!(lines_of_file, 2, "its file and its folder");
    }
    let costs: Vec<usize> = files(&all).iter().map(|file| file.tokens).collect();
    assert!(costs.is_sorted_by(|one, two| one >= two));
}

#[test]
fn with_head_and_edges_the_lines_sum_to_the_budget_meter() {
    let mut model = fixture::model(120, 40);
    model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
    let lines = lines_of(&model);
    let files = lines.iter().filter(|line| !matches!(line, CostLine::Folder { .. }));
    assert_eq!(files.map(CostLine::tokens).sum::<usize>(), model.panes.pack.tokens_used);
    assert_eq!(lines.last(), Some(&CostLine::Rest(20)));
    model.panes.cost.filter = "sessions".into();
    assert!(!lines_of(&model).contains(&CostLine::Rest(20)), "no path matches");
    for width in 0..200 {
        let (names, cells) = columns(width);
        assert!(names + cells + FIGURE_COLUMNS == width.max(FIGURE_COLUMNS) && cells <= names.max(1));
    }
}

#[test]
fn a_single_folder_has_no_line() {
    let pack = fixture::pack();
    let flat: Vec<PackedSymbol> =
        pack.symbols.into_iter().filter(|packed| packed.symbol.file.starts_with("src/flask/s")).collect();
    assert!(matches!(CostMap::default().lines(&flat)[..], [CostLine::File(_)]));
    assert_eq!(CostMap::default().lines(&[]), []);
    assert!(!CostMap::default().fold(&flat), "there is no folder to fold");
}

#[test]
fn the_filter_matches_paths_in_folded_folders() {
    let pack = fixture::pack();
    let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
    let mut map = CostMap { selected: 2, ..CostMap::default() };
    let lines = map.lines(&all).len();
    assert!(map.fold(&all));
    assert_eq!(map.selected, 0, "the folder of the selected file");
    assert!(map.lines(&all).len() < lines);
    assert!(map.fold(&all));
    assert_eq!(map.lines(&all).len(), lines);
    map.filter = "FLASK json".into();
    let found = map.lines(&all);
    assert!(matches!(&found[..], [CostLine::File(file)] if file.file == "src/flask/json/tag.py"), "{found:?}");
    assert!(map.folded.is_empty());
    map.folded.insert("src/flask/json".into());
    assert_eq!(map.lines(&all), found, "folding does not hide matches");
    map.filter = "nowhere".into();
    assert_eq!(map.lines(&all), []);
}

#[test]
fn the_selection_stays_among_the_lines() {
    let mut map = CostMap::default();
    map.step(7, 10, 3);
    assert_eq!((map.selected, map.offset), (7, 5));
    map.step(isize::MIN / 2, 10, 3);
    assert_eq!(map, CostMap::default());
    map.step(5, 0, 0);
    assert_eq!(map, CostMap::default());
}
