//! The cost pane: the tokens of the pack by file, and files by folder.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::pack::{self, Stage};
use super::{Column, Pane, PaneId, Region, page_rows};
use crate::model::PackedSymbol;
use crate::text::display::safe;
use crate::text::parent_dir;
use crate::tui::command::{Command, CommandSpec, Context};
use crate::tui::effect::Effect;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// The id of the pane.
pub const ID: PaneId = PaneId("cost");

const GO: &str = "cost.go";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.cost", "tokens by file", "", &[(Context::Normal, "7")]),
    CommandSpec::pane(GO, "go to the best symbol of this file", "go", &[(Context::Pane(ID), "Enter")]).jumps(),
];

/// The tokens of the pack by file.
pub struct CostPane;

impl Pane for CostPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn region(&self) -> Region {
        Region::Foot(Column::Right, 1, 5)
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn run(&self, model: &mut Model, command: Command, _now: Instant, _effects: &mut Vec<Effect>) -> bool {
        match command {
            Command::Pane(GO) => go_to_best_symbol(model),
            Command::Fold if model.focus == Focus::Pane(ID) => {
                if !model.panes.cost.fold(model.panes.pack.packed_symbols()) {
                    model.show_message("there is no folder to fold");
                }
            }
            _ => return false,
        }
        true
    }

    fn has_current_symbol(&self) -> bool {
        false
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        let height = page_rows(model, ID);
        let lines = lines_of(model).len();
        model.panes.cost.step(by, lines, height.saturating_sub(1));
    }

    fn click(&self, model: &mut Model, position: Position, area: Rect) {
        let index = model.panes.cost.offset + (position.y - area.y) as usize;
        if index < lines_of(model).len() {
            model.panes.cost.selected = index;
        }
    }

    fn filter<'model>(&self, model: &'model Model) -> Option<&'model str> {
        Some(&model.panes.cost.filter)
    }

    fn set_filter(&self, model: &mut Model, text: String) {
        let folded = std::mem::take(&mut model.panes.cost.folded);
        model.panes.cost = CostMap { filter: text, folded, ..CostMap::default() };
    }

    fn filter_counts(&self, model: &Model) -> (usize, usize) {
        let packed = model.panes.pack.packed_symbols();
        (model.panes.cost.lines(packed).len(), CostMap::default().lines(packed).len())
    }

    fn title(&self, _model: &Model, _columns: usize) -> String {
        format!("{} by file", ID.label())
    }

    fn status(&self, model: &Model) -> String {
        let list = &model.panes.pack;
        let total = list.tokens_used;
        match model.panes.cost.filter.trim() {
            _ if list.stage != Stage::Full => String::new(),
            "" => text::count(total, "token"),
            filter => format!("{}, /{}", text::count(total, "token"), safe(filter)),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        draw(canvas, area);
    }
}

/// A file of the pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCost {
    /// Empty for symbols from outside the repository.
    pub file: String,
    pub tokens: usize,
    pub symbols: usize,
    /// Index of its best symbol.
    pub first: usize,
}

/// A line of the pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CostLine {
    Folder {
        folder: String,
        tokens: usize,
        files: usize,
    },
    File(FileCost),
    /// The tokens of the pack that belong to no symbol: its head and its edges.
    Rest(usize),
}

/// Returns the files of the symbols with their tokens, the most expensive first.
fn files(packed: &[PackedSymbol]) -> Vec<FileCost> {
    let mut indexes: HashMap<&str, usize> = HashMap::new();
    let mut files: Vec<FileCost> = Vec::new();
    for (row, packed) in packed.iter().enumerate() {
        let file = packed.symbol.file.as_str();
        let index = *indexes.entry(file).or_insert_with(|| {
            files.push(FileCost { file: file.to_owned(), tokens: 0, symbols: 0, first: row });
            files.len() - 1
        });
        files[index].tokens += packed.tokens;
        files[index].symbols += 1;
    }
    files.sort_by(|one, two| two.tokens.cmp(&one.tokens).then(one.first.cmp(&two.first)));
    files
}

/// Returns folders with their files, the most expensive first. A single folder has no line: its tokens are the total.
fn lines(costs: Vec<FileCost>) -> Vec<CostLine> {
    let mut folders: Vec<(String, Vec<FileCost>)> = Vec::new();
    for file in costs {
        let folder = parent_dir(&file.file);
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
    /// Words that a path must contain to be shown.
    pub filter: String,
    pub folded: BTreeSet<String>,
    /// Index among the lines.
    pub selected: usize,
    /// First visible line.
    offset: usize,
}

impl CostMap {
    /// Returns the lines that pass the filter and are not folded; `rest` are the tokens of the pack without a symbol.
    pub fn lines_with(&self, packed: &[PackedSymbol], rest: usize) -> Vec<CostLine> {
        let mut lines = self.lines(packed);
        if rest > 0 && !lines.is_empty() && self.filter.trim().is_empty() {
            lines.push(CostLine::Rest(rest));
        }
        lines
    }

    /// Returns the lines of files and folders that pass the filter and are not folded.
    pub fn lines(&self, packed: &[PackedSymbol]) -> Vec<CostLine> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let passes = |file: &FileCost| {
            let path = file.file.to_lowercase();
            words.iter().all(|word| path.contains(word))
        };
        let mut lines = lines(files(packed).into_iter().filter(passes).collect());
        lines.retain(|line| match line {
            CostLine::Folder { .. } | CostLine::Rest(_) => true,
            // A filter finds files in folded folders too.
            CostLine::File(file) => !words.is_empty() || !self.folded.contains(parent_dir(&file.file)),
        });
        lines
    }

    /// Folds or unfolds the folder of the selected line. Returns false if there are no folders.
    pub fn fold(&mut self, packed: &[PackedSymbol]) -> bool {
        let lines = self.lines(packed);
        let folder = match lines.get(self.selected) {
            Some(CostLine::Folder { folder, .. }) => folder.as_str(),
            Some(CostLine::File(file)) => parent_dir(&file.file),
            Some(CostLine::Rest(_)) | None => return false,
        };
        let head = |line: &CostLine| matches!(line, CostLine::Folder { folder: name, .. } if name == folder);
        let Some(index) = lines.iter().position(head) else { return false };
        if !self.folded.remove(folder) {
            self.folded.insert(folder.to_owned());
        }
        // The selected file may be folded now; its folder is visible.
        self.selected = index;
        self.offset = self.offset.min(index);
        true
    }

    /// Moves the selection among `count` lines, and scrolls no further than needed to show it in `height` rows.
    pub fn step(&mut self, by: isize, count: usize, height: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(count.saturating_sub(1));
        self.offset = self.offset.max((self.selected + 1).saturating_sub(height)).min(self.selected);
    }
}

impl CostLine {
    /// Returns the tokens of the file or folder.
    pub fn tokens(&self) -> usize {
        match self {
            CostLine::Folder { tokens, .. } => *tokens,
            CostLine::File(file) => file.tokens,
            CostLine::Rest(tokens) => *tokens,
        }
    }

    /// Returns whether the line is that of a file or of its folder.
    pub fn contains(&self, file: &str) -> bool {
        match self {
            CostLine::Folder { folder, .. } => parent_dir(file) == folder,
            CostLine::File(cost) => cost.file == file,
            CostLine::Rest(_) => false,
        }
    }
}

/// Returns the tokens of the pack that belong to no symbol.
fn rest(model: &Model) -> usize {
    let list = &model.panes.pack;
    let of_symbols: usize = list.packed_symbols().iter().map(|packed| packed.tokens).sum();
    list.tokens_used.saturating_sub(of_symbols)
}

fn lines_of(model: &Model) -> Vec<CostLine> {
    model.panes.cost.lines_with(model.panes.pack.packed_symbols(), rest(model))
}

/// Selects the best symbol of the selected file or folder in the list.
fn go_to_best_symbol(model: &mut Model) {
    let packed = model.panes.pack.packed_symbols();
    let lines = model.panes.cost.lines(packed);
    let Some(line) = lines.get(model.panes.cost.selected) else {
        if lines.is_empty() {
            return;
        }
        return model.show_message("head and edges of the pack belong to no symbol");
    };
    let best = packed.iter().find(|packed| line.contains(&packed.symbol.file)).map(|packed| packed.symbol.id);
    if best.is_some_and(|best| model.panes.pack.go_to(best)) {
        model.focus = Focus::Pane(pack::ID);
    }
}

fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let list = &canvas.model.panes.pack;
    let map = &canvas.model.panes.cost;
    let lines = if list.stage == Stage::Full { lines_of(canvas.model) } else { Vec::new() };
    if lines.is_empty() {
        let words = match map.filter.trim() {
            "" => " The tokens of the pack's files appear here.",
            _ => " No path in the pack matches the filter.",
        };
        let words = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(area, &words);
        return;
    }
    let total = list.tokens_used;
    let most = lines.iter().map(CostLine::tokens).max().unwrap_or(1).max(1);
    let selected = list.selected_symbol().filter(|_| list.selected < list.packed).map(|packed| &packed.symbol.file);
    let focused = canvas.model.focus == Focus::Pane(ID);
    let offset = map.offset.min(lines.len().saturating_sub(1));
    for (row, line) in lines.iter().enumerate().skip(offset).take(area.height as usize) {
        let line_area = Canvas::row(area, row - offset);
        let is_current = selected.is_some_and(|file| line.contains(file) && matches!(line, CostLine::File(_)));
        let drawn = bar(canvas, line, (most, total), is_current, area.width as usize);
        canvas.line(line_area, &drawn);
        if focused && row == map.selected {
            canvas.select(line_area, true);
        }
    }
}

/// Columns of tokens, share and the mark of the current file.
const FIGURE_COLUMNS: usize = 14;

/// Returns the columns of the names and of the bars: names are as wide as legible bars allow.
fn columns(width: usize) -> (usize, usize) {
    let room = width.saturating_sub(FIGURE_COLUMNS);
    let cells = (room * 2 / 5).min(MAX_BAR_COLUMNS);
    (room - cells, cells)
}

/// Longer bars are not more legible.
const MAX_BAR_COLUMNS: usize = 40;

/// Returns the line of a file or folder: name, bar, tokens and share of the total.
fn bar(
    canvas: &Canvas<'_>,
    line: &CostLine,
    (most, total): (usize, usize),
    is_current: bool,
    width: usize,
) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let (name_columns, cells) = columns(width);
    let (slot, name) = match line {
        CostLine::Folder { folder, files, .. } => {
            let name = if folder.is_empty() { "at the root".to_owned() } else { format!("{folder}/") };
            let hidden = canvas.model.panes.cost.folded.contains(folder).then(|| format!(" +{files}"));
            (Slot::Heading, name + &hidden.unwrap_or_default())
        }
        CostLine::Rest(_) => (Slot::Dim, "head and edges of the pack".to_owned()),
        CostLine::File(file) if file.file.is_empty() => (Slot::Text, "outside".to_owned()),
        CostLine::File(file) => {
            let name = file.file.rsplit('/').next().unwrap_or_default();
            (Slot::Text, format!("  {name}"))
        }
    };
    let name = text::fit_end(&safe(&name), name_columns, glyphs.ellipsis).into_owned();
    let share = line.tokens() as f64 / most as f64;
    let drawn = match line {
        CostLine::Folder { folder, .. } if !canvas.model.panes.cost.folded.contains(folder) => String::new(),
        _ => text::bar(share, cells, glyphs.bar),
    };
    let percent = match line.tokens() as f64 * 100.0 / total.max(1) as f64 {
        small if small > 0.0 && small < 1.0 => "<1%".to_owned(),
        percent => format!("{percent:.0}%"),
    };
    Line::from(vec![
        canvas.span(Slot::Prompt, if is_current { glyphs.selection } else { " " }),
        canvas.span(slot, text::pad(&name, name_columns + 1)),
        canvas.span(Slot::Bar, text::pad(&drawn, cells)),
        canvas.span(Slot::Tokens, text::pad_start(&text::thousands(line.tokens()), 7)),
        canvas.span(Slot::Dim, text::pad_start(&percent, 5)),
    ])
}

#[cfg(test)]
mod tests;
