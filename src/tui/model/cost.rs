//! Where the pack's tokens go: by file, and files by folder.

use std::collections::{BTreeSet, HashMap};

use crate::model::PackedSymbol;

/// A file of the pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCost {
    /// Empty for what is defined outside the repository.
    pub file: String,
    pub tokens: usize,
    pub symbols: usize,
    /// Row of its best symbol in the list.
    pub first: usize,
}

/// A line of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CostLine {
    Folder { folder: String, tokens: usize, files: usize },
    File(FileCost),
}

/// The files of these symbols with what they cost, the most costly first.
pub fn files(packed: &[PackedSymbol]) -> Vec<FileCost> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut files: Vec<FileCost> = Vec::new();
    for (row, packed) in packed.iter().enumerate() {
        let file = packed.symbol.file.as_str();
        let place = *places.entry(file).or_insert_with(|| {
            files.push(FileCost { file: file.to_owned(), tokens: 0, symbols: 0, first: row });
            files.len() - 1
        });
        files[place].tokens += packed.tokens;
        files[place].symbols += 1;
    }
    files.sort_by(|one, two| two.tokens.cmp(&one.tokens).then(one.first.cmp(&two.first)));
    files
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Folders with their files below them, the most costly first. With one folder only, its line is left out: it would say
/// what the total says.
fn lines(costs: Vec<FileCost>) -> Vec<CostLine> {
    let mut folders: Vec<(String, Vec<FileCost>)> = Vec::new();
    for file in costs {
        let folder = folder_of(&file.file);
        match folders.iter_mut().find(|(known, _)| known == folder) {
            Some((_, files)) => files.push(file),
            None => folders.push((folder.to_owned(), vec![file])),
        }
    }
    let tokens = |files: &[FileCost]| files.iter().map(|file| file.tokens).sum::<usize>();
    folders.sort_by(|one, two| tokens(&two.1).cmp(&tokens(&one.1)).then_with(|| one.0.cmp(&two.0)));
    let several = folders.len() > 1;
    let mut lines = Vec::new();
    for (folder, files) in folders {
        if several {
            lines.push(CostLine::Folder { folder, tokens: tokens(&files), files: files.len() });
        }
        lines.extend(files.into_iter().map(CostLine::File));
    }
    lines
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CostMap {
    /// Letters that the paths must have.
    pub filter: String,
    /// Folders whose files are folded away.
    pub folded: BTreeSet<String>,
    /// Place among the lines.
    pub selected: usize,
    /// First line on the screen.
    pub offset: usize,
}

impl CostMap {
    /// The lines that are shown: folders with their files below them, the most costly first.
    pub fn lines(&self, packed: &[PackedSymbol]) -> Vec<CostLine> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let passes = |file: &FileCost| {
            let path = file.file.to_lowercase();
            words.iter().all(|word| path.contains(word))
        };
        let mut lines = lines(files(packed).into_iter().filter(passes).collect());
        lines.retain(|line| match line {
            CostLine::Folder { .. } => true,
            // Whoever filters looks for files.
            CostLine::File(file) => !words.is_empty() || !self.folded.contains(folder_of(&file.file)),
        });
        lines
    }

    /// Folds the folder of a line away, or shows its files again; false when the map has no folders.
    pub fn fold(&mut self, packed: &[PackedSymbol]) -> bool {
        let lines = self.lines(packed);
        let folder = match lines.get(self.selected) {
            Some(CostLine::Folder { folder, .. }) => folder.as_str(),
            Some(CostLine::File(file)) => folder_of(&file.file),
            None => return false,
        };
        let head = |line: &CostLine| matches!(line, CostLine::Folder { folder: name, .. } if name == folder);
        let Some(place) = lines.iter().position(head) else { return false };
        if !self.folded.remove(folder) {
            self.folded.insert(folder.to_owned());
        }
        // What was selected may be folded away: its folder is not.
        self.selected = place;
        self.offset = self.offset.min(place);
        true
    }

    /// Moves the selection among `count` lines and scrolls as little as shows it in `height` lines.
    pub fn step(&mut self, by: isize, count: usize, height: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(count.saturating_sub(1));
        self.offset = self.offset.max((self.selected + 1).saturating_sub(height)).min(self.selected);
    }
}

impl CostLine {
    /// Its tokens.
    pub fn tokens(&self) -> usize {
        match self {
            CostLine::Folder { tokens, .. } => *tokens,
            CostLine::File(file) => file.tokens,
        }
    }

    /// True when a symbol of this file counts here.
    pub fn holds(&self, file: &str) -> bool {
        match self {
            CostLine::Folder { folder, .. } => folder_of(file) == folder,
            CostLine::File(cost) => cost.file == file,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn every_token_of_the_pack_is_on_the_map_once() {
        let pack = fixture::pack();
        let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
        let total: usize = all.iter().map(|packed| packed.tokens).sum();
        let lines = CostMap::default().lines(&all);
        let of_files = |line: &CostLine| if matches!(line, CostLine::File(_)) { line.tokens() } else { 0 };
        assert_eq!(lines.iter().map(of_files).sum::<usize>(), total);
        let of_folders = |line: &CostLine| if matches!(line, CostLine::Folder { .. }) { line.tokens() } else { 0 };
        assert_eq!(lines.iter().map(of_folders).sum::<usize>(), total);
        for packed in &all {
            let holders = lines.iter().filter(|line| line.holds(&packed.symbol.file)).count();
            assert_eq!(holders, 2, "its file and its folder");
        }
        let costs: Vec<usize> = files(&all).iter().map(|file| file.tokens).collect();
        assert!(costs.is_sorted_by(|one, two| one >= two));
    }

    #[test]
    fn a_single_folder_needs_no_line() {
        let pack = fixture::pack();
        let flat: Vec<PackedSymbol> =
            pack.symbols.into_iter().filter(|packed| packed.symbol.file.starts_with("src/flask/s")).collect();
        assert!(matches!(CostMap::default().lines(&flat)[..], [CostLine::File(_)]));
        assert_eq!(CostMap::default().lines(&[]), []);
        assert!(!CostMap::default().fold(&flat), "there is no folder to fold");
    }

    #[test]
    fn folders_fold_and_the_filter_looks_at_whole_paths() {
        let pack = fixture::pack();
        let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
        let mut map = CostMap { selected: 2, ..CostMap::default() };
        let lines = map.lines(&all).len();
        assert!(map.fold(&all));
        assert_eq!(map.selected, 0, "at the folder of the file that was selected");
        assert!(map.lines(&all).len() < lines);
        assert!(map.fold(&all));
        assert_eq!(map.lines(&all).len(), lines);
        map.filter = "FLASK json".into();
        let found = map.lines(&all);
        assert!(matches!(&found[..], [CostLine::File(file)] if file.file == "src/flask/json/tag.py"), "{found:?}");
        assert!(map.folded.is_empty());
        map.folded.insert("src/flask/json".into());
        assert_eq!(map.lines(&all), found, "a filter looks into folded folders");
        map.filter = "nowhere".into();
        assert_eq!(map.lines(&all), []);
    }

    #[test]
    fn the_selection_stays_on_the_map() {
        let mut map = CostMap::default();
        map.step(7, 10, 3);
        assert_eq!((map.selected, map.offset), (7, 5));
        map.step(isize::MIN / 2, 10, 3);
        assert_eq!(map, CostMap::default());
        map.step(5, 0, 0);
        assert_eq!(map, CostMap::default());
    }
}
