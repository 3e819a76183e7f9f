//! The state of the list: the ranked symbols, the cut line, which of them are listed, and the selection.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use super::arrangement::Arrangement;
use super::delta::{self, Delta};
use super::file_label::FileLabel;
use super::fold::Folds;
use crate::model::{ContextPack, PackedSymbol, SymbolId};

/// The completeness of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// No rows.
    #[default]
    Empty,
    /// Lexical matches without scores.
    Lexical,
    /// A complete ranking.
    Full,
}

/// The ranked list.
#[derive(Debug, Clone, Default)]
pub struct PackList {
    /// Packed symbols, then omitted ones, each best first.
    pub symbols: Vec<PackedSymbol>,
    /// The rank by score of each symbol, from 1. A symbol too large for the pack ranks above some that are packed.
    pub ranks: Vec<usize>,
    /// The change of each rank since the previous ranking.
    pub deltas: Vec<Delta>,
    /// The number of packed symbols.
    pub packed: usize,
    pub tokens_used: usize,
    pub budget_tokens: usize,
    /// Tokens left for one more symbol.
    pub left_tokens: usize,
    /// Whether negative scores are packed as well.
    pub packs_negative: bool,
    /// The relations to the subject of the question, if the task is one.
    pub relations: BTreeMap<SymbolId, String>,
    /// The first line of each symbol that uses the subject of the question.
    pub use_lines: BTreeMap<SymbolId, u32>,
    /// The tasks that ask about one symbol each, if the name in a question is ambiguous.
    pub choices: BTreeMap<SymbolId, String>,
    /// The answer of the graph to a question, or the notice for a name that nothing has, or for words that no symbol contains.
    pub notice: Option<String>,
    pub stage: Stage,
    /// Whether a newer ranking was requested.
    pub stale: bool,
    /// Whether that request takes long enough for the rows to be dimmed.
    pub dimmed: bool,
    /// The time that the ranking took.
    pub took: Duration,
    /// Index of the selected symbol in `symbols`.
    pub selected: usize,
    /// First visible display line.
    pub offset: usize,
    /// Filter, facet and order.
    pub arrangement: Arrangement,
    /// Indexes of the listed symbols in `symbols`, in their order.
    pub shown: Vec<usize>,
    /// The marked symbols, which commands such as a vote act on together.
    pub marked: BTreeSet<SymbolId>,
    /// The file of each symbol as the list shows it.
    pub labels: Vec<FileLabel>,
    /// The cells that names and places of the first rows need.
    pub first_needed: usize,
    /// Whether the list or a pane beside it has the focus: then another ranking of the same task keeps the selected
    /// symbol, also that of the first row.
    pub is_read: bool,
    /// The old and the new rank of the selected symbol after a change on disk moved it, until the selection moves.
    pub moved: Option<(usize, usize)>,
    /// The changed files without symbols, below the others in a ranking of changes, each with what is known of it.
    pub others: Vec<(String, &'static str)>,
    /// The folds below the rows.
    pub folds: Folds,
    /// The symbol that the next ranking selects, if it has it.
    pub awaited: Option<SymbolId>,
    /// The version of the index that was ranked.
    pub index_version: u64,
    /// The ranked task; empty for lexical matches.
    task: String,
    /// The display lines.
    lines: Vec<DisplayLine>,
    /// Whether the user chose a row: then the selection follows its symbol.
    chosen: bool,
    /// The ranks of the last ranking whose task was accepted: one that was ranked while it was typed is nothing to compare
    /// with.
    baseline: HashMap<SymbolId, usize>,
    /// Whether the task of the shown ranking was accepted.
    is_accepted: bool,
}

/// The content of a display line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayLine {
    /// The notice above the symbols.
    Notice,
    /// A symbol, by its index in [`PackList::symbols`].
    Symbol(usize),
    /// The file of the rows below, by the index of the first of them in [`PackList::symbols`].
    File(usize),
    /// The line below the last packed symbol.
    Cut,
    /// A changed file without symbols, by its index in [`PackList::others`].
    Other(usize),
}

impl PackList {
    /// Shows lexical matches.
    pub fn set_lexical(&mut self, symbols: Vec<PackedSymbol>, took: Duration) {
        let rows = PackList {
            packed: symbols.len(),
            ranks: (1..=symbols.len()).collect(),
            deltas: vec![Delta::Same; symbols.len()],
            symbols,
            tokens_used: self.tokens_used,
            budget_tokens: self.budget_tokens,
            stage: Stage::Lexical,
            took,
            baseline: self.next_baseline(),
            ..PackList::default()
        };
        self.replace(rows);
    }

    /// Shows a complete ranking.
    pub fn set_pack(&mut self, pack: ContextPack, took: Duration) {
        let (packed, notice) = (pack.symbols.len(), notice(&pack));
        let mut symbols = pack.symbols;
        symbols.extend(pack.omitted);
        let ranks = ranks(&symbols);
        let baseline = self.next_baseline();
        let deltas = delta::deltas(&symbols, &ranks, packed, &baseline);
        let rows = PackList {
            notice,
            symbols,
            ranks,
            deltas,
            packed,
            tokens_used: pack.tokens_used,
            budget_tokens: pack.budget_tokens,
            left_tokens: pack.left_tokens,
            packs_negative: pack.packs_negative,
            // A choice says how to ask about it, for which the rows have no room; Enter does.
            relations: if pack.choices.is_empty() { pack.relations } else { BTreeMap::new() },
            use_lines: pack.use_lines,
            choices: pack.choices,
            stage: Stage::Full,
            took,
            baseline,
            task: pack.task,
            ..PackList::default()
        };
        self.replace(rows);
    }

    /// Shows a complete ranking of this version of the index. If files changed on disk since the last one, and the
    /// selected symbol has another rank, [`PackList::moved`] has both.
    pub fn set_pack_of(&mut self, pack: ContextPack, took: Duration, index_version: u64) {
        let is_same_task = self.is_of(&pack.task);
        let before = self.selected_symbol().map(|packed| (packed.symbol.id, self.selected_rank()));
        let was_moved = self.moved.take().map(|(old, _)| old);
        let has_changed = self.index_version != index_version;
        self.set_pack(pack, took);
        self.index_version = index_version;
        let (Some((id, rank)), Some(index)) = (before, self.selected_symbol().map(|_| self.selected)) else { return };
        let now = self.ranks[index];
        let old = was_moved.unwrap_or(rank);
        if is_same_task && (has_changed || was_moved.is_some()) && self.symbols[index].symbol.id == id && old != now {
            self.moved = Some((old, now));
        }
    }

    /// Returns the ranks to compare the next ranking with.
    fn next_baseline(&mut self) -> HashMap<SymbolId, usize> {
        if self.stage == Stage::Full && self.is_accepted {
            return self.symbols.iter().map(|packed| packed.symbol.id).zip(self.ranks.iter().copied()).collect();
        }
        std::mem::take(&mut self.baseline)
    }

    /// Compares the next ranking with this one.
    pub fn accept(&mut self) {
        self.is_accepted = true;
    }

    /// Returns whether a complete ranking of this task is shown.
    pub fn is_of(&self, task: &str) -> bool {
        self.stage == Stage::Full && self.task == task
    }

    /// Forgets the previous ranking and the choice of a row, because the next ranking is of another kind of task.
    pub fn reset_baseline(&mut self) {
        self.baseline.clear();
        (self.chosen, self.is_accepted) = (false, false);
        self.task.clear();
    }

    /// Shows nothing. Filter, facet and order stay.
    pub fn clear(&mut self) {
        *self = PackList { arrangement: std::mem::take(&mut self.arrangement), ..PackList::default() };
    }

    fn replace(&mut self, rows: PackList) {
        let is_same_task = rows.stage == Stage::Full && self.is_of(&rows.task);
        let keeps = self.chosen || (self.is_read && is_same_task);
        let awaited = if rows.stage == Stage::Full { self.awaited.take() } else { None };
        let known = awaited.or(self.selected_symbol().filter(|_| keeps).map(|packed| packed.symbol.id));
        let (row, was_chosen) = (self.selected_row(), self.chosen);
        let index = known.and_then(|id| rows.index_of(id));
        let marked = std::mem::take(&mut self.marked);
        let labels = FileLabel::all(&rows.symbols);
        // With the old offset a chosen symbol does not jump; `settle` makes it visible.
        *self = PackList {
            selected: index.unwrap_or(0),
            chosen: index.is_some(),
            offset: self.offset,
            arrangement: std::mem::take(&mut self.arrangement),
            is_read: self.is_read,
            folds: if is_same_task { std::mem::take(&mut self.folds) } else { Folds::default() },
            awaited: self.awaited,
            index_version: self.index_version,
            labels,
            ..rows
        };
        self.marked = marked.into_iter().filter(|id| self.index_of(*id).is_some()).collect();
        self.arrange();
        // An untouched selection of the first row that stays there follows the first row of other tasks.
        self.chosen &= was_chosen || self.selected_row() > 0;
        if known.is_some() && index.is_none() && is_same_task {
            // The symbol is gone: the one that took its row is next to what was read.
            self.select_row(row);
        }
        if !self.chosen {
            self.offset = 0;
        }
    }

    /// Applies filter, facet and order. A selection that is no longer listed moves to the first row.
    pub fn arrange(&mut self) {
        self.shown = self.arrangement.indexes(&self.symbols, &self.ranks, self.packed);
        if !self.shown.contains(&self.selected) || !self.chosen {
            self.selected = self.shown.first().copied().unwrap_or(0);
        }
        self.lines = self.display_lines();
        self.measure();
    }

    fn display_lines(&self) -> Vec<DisplayLine> {
        let mut lines = Vec::with_capacity(self.shown.len() + 2);
        lines.extend(self.notice.is_some().then_some(DisplayLine::Notice));
        let packed = self.shown.iter().filter(|index| self.is_packed(**index)).count();
        let is_cut = self.arrangement.is_packing && self.arrangement.is_by_rank();
        let has_cut = is_cut && self.stage == Stage::Full && packed < self.shown.len();
        let mut file = None;
        for (row, index) in self.shown.iter().enumerate() {
            if self.arrangement.by_file && file != Some(&self.symbols[*index].symbol.file) {
                file = Some(&self.symbols[*index].symbol.file);
                lines.push(DisplayLine::File(*index));
            } else if has_cut && !self.arrangement.by_file && row == packed {
                lines.push(DisplayLine::Cut);
            }
            lines.push(DisplayLine::Symbol(*index));
        }
        if !self.arrangement.is_filtered() {
            lines.extend((0..self.others.len()).map(DisplayLine::Other));
        }
        lines
    }

    /// Lists changed files that no listed symbol is in, below the symbols.
    pub fn set_others(&mut self, changed: impl Iterator<Item = (String, &'static str)>) {
        let known: HashSet<&str> = self.symbols.iter().map(|packed| packed.symbol.file.as_str()).collect();
        self.others = changed.filter(|(file, _)| !known.contains(file.as_str())).collect();
        self.lines = self.display_lines();
    }

    /// Returns the index of a symbol.
    pub fn index_of(&self, id: SymbolId) -> Option<usize> {
        self.symbols.iter().position(|packed| packed.symbol.id == id)
    }

    /// Returns the rank of a symbol, from 1, as the list shows it.
    pub fn rank_of(&self, id: SymbolId) -> Option<usize> {
        self.ranks.get(self.index_of(id)?).copied()
    }

    /// Returns the selected symbol; `None` when none is listed.
    pub fn selected_symbol(&self) -> Option<&PackedSymbol> {
        self.symbols.get(self.selected).filter(|_| !self.shown.is_empty())
    }

    /// Returns the rank of the selected symbol, from 1.
    pub fn selected_rank(&self) -> usize {
        self.ranks.get(self.selected).copied().unwrap_or(0)
    }

    /// Returns the packed symbols.
    pub fn packed_symbols(&self) -> &[PackedSymbol] {
        &self.symbols[..self.packed.min(self.symbols.len())]
    }

    /// Returns whether the symbol with this index is packed.
    pub fn is_packed(&self, index: usize) -> bool {
        index < self.packed
    }

    /// Selects a symbol by its index, listed or not.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.symbols.len().saturating_sub(1));
        self.folds.row = None;
        self.chosen = true;
        self.moved = None;
    }

    /// Selects the symbol in a row of the listed ones, or the last one.
    fn select_row(&mut self, row: usize) {
        if let Some(index) = self.shown.get(row).or(self.shown.last()) {
            self.selected = *index;
            self.chosen = row > 0;
        }
    }

    /// Returns the task that asks about the selected symbol, where the name in a question is ambiguous.
    pub fn choice(&self) -> Option<&String> {
        let selected = self.selected_symbol().filter(|_| self.folds.row.is_none())?;
        self.choices.get(&selected.symbol.id)
    }

    /// Selects the next listed symbol that is not among these, else the previous one, if the selected one is among
    /// them.
    pub fn step_over(&mut self, ids: &[SymbolId]) {
        let is_free = |index: &&usize| !ids.contains(&self.symbols[**index].symbol.id);
        let row = self.selected_row();
        let below = self.shown.iter().skip(row).find(is_free);
        if let Some(index) = below.or_else(|| self.shown.iter().take(row).rev().find(is_free)).copied() {
            self.select(index);
        }
    }

    /// Marks the selected symbol, or removes its mark, and moves to the next row.
    pub fn toggle_mark(&mut self) {
        let Some(id) = self.selected_symbol().map(|packed| packed.symbol.id) else { return };
        if !self.marked.remove(&id) {
            self.marked.insert(id);
        }
        self.step(1);
    }

    /// Returns the marked symbols in the order of the list.
    pub fn marked_symbols(&self) -> Vec<&PackedSymbol> {
        self.symbols.iter().filter(|packed| self.marked.contains(&packed.symbol.id)).collect()
    }

    /// Selects a symbol, clearing filter and facet if it is not listed. Returns false if it is not ranked.
    pub fn go_to(&mut self, id: SymbolId) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        if !self.shown.contains(&index) {
            let Arrangement { sort, reversed, by_file, is_packing, .. } = self.arrangement;
            self.arrangement = Arrangement { sort, reversed, by_file, is_packing, ..Arrangement::default() };
        }
        self.select(index);
        self.arrange();
        true
    }

    /// Moves the selection by some rows. On the first row it stays there, whichever symbol comes first.
    pub fn step(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        let row = self.selected_row().saturating_add_signed(by).min(last);
        self.moved = None;
        self.select_row(row);
    }

    fn selected_row(&self) -> usize {
        self.shown.iter().position(|index| *index == self.selected).unwrap_or(0)
    }

    /// Returns the display line between packed and omitted symbols; `None` where they are mixed or only one kind is
    /// listed.
    pub fn cut(&self) -> Option<usize> {
        self.lines.iter().position(|line| *line == DisplayLine::Cut)
    }

    /// Selects the listed symbol above the cut line, else the one below it.
    pub fn select_cut(&mut self) {
        let Some(cut) = self.cut() else { return };
        let beside = [cut.checked_sub(1), Some(cut + 1)].into_iter().flatten();
        let symbol = |line: usize| match self.lines.get(line) {
            Some(DisplayLine::Symbol(index)) => Some(*index),
            _ => None,
        };
        if let Some(index) = beside.filter_map(symbol).next() {
            self.select(index);
        }
    }

    /// Returns the number of display lines.
    pub fn display_len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the content of a display line.
    pub fn display(&self, line: usize) -> Option<DisplayLine> {
        self.lines.get(line).copied()
    }

    /// Returns the display line of the selection.
    pub fn selected_line(&self) -> usize {
        self.lines.iter().position(|line| *line == DisplayLine::Symbol(self.selected)).unwrap_or(0)
    }

    /// Scrolls no further than needed to show the selection in `height` rows; a selection further than a page away is
    /// shown in the middle, with what is around it.
    pub fn settle(&mut self, height: usize) {
        let line = self.selected_line();
        let lowest = self.display_len().saturating_sub(height);
        // The notice, the heading of a file, and the cut line are visible with the row next to them.
        let has_heading = line > 0
            && height > 1
            && matches!(self.lines.get(line - 1), Some(DisplayLine::File(_) | DisplayLine::Notice));
        let has_cut = height > 1 && self.lines.get(line + 1) == Some(&DisplayLine::Cut);
        // Files without symbols are visible with the last symbol.
        let is_last = matches!(self.lines.get(line + 1), Some(DisplayLine::Other(_)));
        let below = if is_last { self.others.len() } else { usize::from(has_cut) };
        let (first, last) = (line - usize::from(has_heading), line + below);
        let is_far = first + height < self.offset || last >= self.offset + 2 * height;
        let offset = if is_far { last.saturating_sub(height / 2) } else { self.offset };
        self.offset = offset.max((last + 1).saturating_sub(height)).min(first).min(lowest);
    }

    /// Returns whether the symbol's score keeps it out of the pack, whatever the budget.
    pub fn excludes(&self, packed: &PackedSymbol) -> bool {
        packed.is_excluded() && !self.packs_negative
    }

    /// Returns what a larger budget would admit: the cheapest and the best omitted symbol that is neither `dropped` nor
    /// excluded, each by its rank and with the tokens that are missing.
    pub fn admission_costs(&self, dropped: &dyn Fn(SymbolId) -> bool) -> Vec<(usize, usize)> {
        let omitted = self.symbols.iter().enumerate().skip(self.packed).take(MAX_CANDIDATES);
        let offers: Vec<(usize, usize)> = omitted
            .filter(|(_, packed)| !self.excludes(packed) && !dropped(packed.symbol.id))
            .map(|(index, packed)| (self.ranks[index], packed.tokens.saturating_sub(self.left_tokens)))
            .filter(|(_, missing)| *missing > 0)
            .collect();
        let cheapest = offers.iter().copied().min_by_key(|(_, missing)| *missing);
        let best = offers.first().copied();
        let mut costs: Vec<(usize, usize)> = cheapest.into_iter().chain(best).collect();
        costs.dedup();
        costs
    }
}

/// Omitted symbols that are considered.
const MAX_CANDIDATES: usize = 50;

/// Returns the notice above the symbols; that of an empty pack is on the start screen.
fn notice(pack: &ContextPack) -> Option<String> {
    // A word of prose that is not in the code is no news; one that is like a name may be misspelled.
    let is_misspelled = pack.unmatched_words.iter().any(|unmatched| !unmatched.nearest.is_empty());
    let is_news = pack.unknown_name.is_some() || pack.symbols.is_empty() || is_misspelled;
    if !pack.choices.is_empty() {
        return Some(format!("{} symbols match; Enter asks about the highlighted one", pack.choices.len()));
    }
    pack.answer.clone().or_else(|| pack.unmatched_notice().filter(|_| is_news))
}

/// Returns the rank of each symbol by score, from 1; equal scores keep their order.
fn ranks(symbols: &[PackedSymbol]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by(|one, two| symbols[*two].score.total_cmp(&symbols[*one].score));
    let mut ranks = vec![0; symbols.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank + 1;
    }
    ranks
}
