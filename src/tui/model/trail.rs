//! The reading trail of a task: the symbols that the user keeps, in order, each with a note. They are always in the pack,
//! also in that of agents.

use serde::{Deserialize, Serialize};

use super::task::EntryPoint;
use crate::model::{Symbol, SymbolId};
use crate::text::display::safe;
use crate::tui::backend::RepositoryStatus;
use crate::tui::session::{NamedTrails, SavedTask};

/// A symbol of the trail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub symbol: Symbol,
    #[serde(default)]
    pub note: String,
}

/// The kept symbols in the order of reading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trail {
    pub steps: Vec<Step>,
    /// The removed steps with their former indexes: one that is kept again has its note and its place.
    #[serde(skip)]
    removed: Vec<(usize, Step)>,
}

impl Trail {
    /// Adds a symbol, at the end or where it was, or removes it.
    pub fn set(&mut self, symbol: &Symbol, is_kept: bool) {
        match (self.index_of(symbol.id), is_kept) {
            (None, true) => {
                let known = self.removed.iter().position(|(_, step)| step.symbol.id == symbol.id);
                let known = known.map(|position| self.removed.remove(position));
                let note = known.as_ref().map_or(String::new(), |(_, step)| step.note.clone());
                let index = known.map_or(self.steps.len(), |(index, _)| index.min(self.steps.len()));
                self.steps.insert(index, Step { symbol: symbol.clone(), note });
            }
            (Some(index), false) => self.removed.push((index, self.steps.remove(index))),
            _ => {}
        }
    }

    /// Returns the index of a symbol.
    pub fn index_of(&self, id: SymbolId) -> Option<usize> {
        self.steps.iter().position(|step| step.symbol.id == id)
    }

    /// Returns the note of a symbol; empty without one.
    pub fn note(&self, id: SymbolId) -> &str {
        self.index_of(id).map_or("", |index| &self.steps[index].note)
    }

    /// Moves a step up or down. Returns its new index.
    pub fn shift(&mut self, index: usize, down: bool) -> usize {
        let other = if down { index + 1 } else { index.saturating_sub(1) };
        if index < self.steps.len() && other < self.steps.len() {
            self.steps.swap(index, other);
            return other;
        }
        index
    }

    /// Returns the trail as Markdown for a ticket or a pull request, with permanent links where the repositories have a
    /// web page.
    pub fn markdown(&self, title: &str, repositories: &[RepositoryStatus]) -> String {
        let mut text = format!("### {}\n\n", safe(title.lines().next().unwrap_or_default().trim()));
        for (number, step) in self.steps.iter().enumerate() {
            let symbol = &step.symbol;
            let place = symbol.place();
            let name = match permalink(symbol, repositories) {
                Some(link) => format!("[`{}`]({link}) `{place}`", symbol.name),
                None => format!("`{}` `{place}`", symbol.name),
            };
            let note = if step.note.is_empty() { String::new() } else { format!(": {}", step.note) };
            text.push_str(&safe(&format!("{}. {name}{note}", number + 1)));
            text.push('\n');
        }
        text
    }
}

/// Returns the address of a symbol's lines at the indexed commit, on the hosts whose addresses are known.
fn permalink(symbol: &Symbol, repositories: &[RepositoryStatus]) -> Option<String> {
    let is_single = repositories.len() == 1;
    let repository = repositories.iter().find(|repository| is_single || symbol.repository() == repository.id)?;
    let file = match is_single {
        true => symbol.file.as_str(),
        false => symbol.file.strip_prefix(&repository.label)?.trim_start_matches('/'),
    };
    let (id, commit) = (&repository.id, &repository.commit);
    let (host, _) = id.split_once('/').filter(|(host, _)| host.contains('.') && !commit.is_empty())?;
    let (start, end) = (symbol.span.start_line, symbol.span.end_line);
    let file = file.replace(' ', "%20");
    Some(match host {
        "github.com" | "codeberg.org" => {
            let folder = if host == "github.com" { "blob" } else { "src/commit" };
            format!("https://{id}/{folder}/{commit}/{file}#L{start}-L{end}")
        }
        "bitbucket.org" => format!("https://{id}/src/{commit}/{file}#lines-{start}:{end}"),
        _ if host.contains("gitlab") => format!("https://{id}/-/blob/{commit}/{file}#L{start}-{end}"),
        _ => return None,
    })
}

/// Cells of a derived name at most.
const MAX_NAME: usize = 60;

/// Returns the name under which the trail of a task is kept: that of a saved one with the same task, else the start of
/// the task.
pub fn name_of(saved: &SavedTask, known: &NamedTrails) -> String {
    let same = known.iter().find(|(_, other)| saved.is_same_task(other));
    same.map_or_else(
        || {
            let entry_point = saved.entry_point();
            let words = entry_point.label().unwrap_or_else(|| saved.task.clone());
            let line = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            line.chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect()
        },
        |(name, _)| name.clone(),
    )
}

/// Returns the saved trail of this task.
pub fn saved_for<'a>(known: &'a NamedTrails, entry_point: &EntryPoint, text: &str) -> Option<&'a SavedTask> {
    known
        .values()
        .find(|saved| saved.entry_point() == *entry_point && (*entry_point != EntryPoint::Text || saved.task == text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn trail() -> Trail {
        let mut trail = Trail::default();
        fixture::pack().symbols.iter().take(3).for_each(|packed| trail.set(&packed.symbol, true));
        trail
    }

    #[test]
    fn steps_have_the_order_of_reading() {
        let mut trail = trail();
        let names = |trail: &Trail| trail.steps.iter().map(|step| step.symbol.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&trail), ["open_session", "save_session", "SessionMixin"]);
        assert_eq!((trail.shift(0, true), trail.shift(0, false), trail.shift(2, true)), (1, 0, 2));
        assert_eq!(names(&trail), ["save_session", "open_session", "SessionMixin"]);
        let symbol = trail.steps[1].symbol.clone();
        trail.set(&symbol, true);
        assert_eq!(trail.steps.len(), 3, "a symbol is kept once");
        trail.steps[1].note = "opens it".to_owned();
        trail.set(&symbol, false);
        assert_eq!(names(&trail), ["save_session", "SessionMixin"]);
        trail.set(&symbol, true);
        assert_eq!(names(&trail), ["save_session", "open_session", "SessionMixin"], "at its place");
        assert_eq!(trail.note(symbol.id), "opens it");
    }

    #[test]
    fn markdown_has_permanent_links_and_notes() {
        let mut trail = trail();
        trail.steps.truncate(2);
        trail.steps[1].note = "writes the cookie".to_owned();
        let mut repository = RepositoryStatus {
            id: "github.com/pallets/flask".to_owned(),
            label: "github.com/pallets/flask".to_owned(),
            commit: "0123abc".to_owned(),
            ..RepositoryStatus::default()
        };
        let expected = "### where are cookies?\n\n\
            1. [`open_session`](https://github.com/pallets/flask/blob/0123abc/src/flask/sessions.py#L324-L329) \
            `src/flask/sessions.py:324`\n\
            2. [`save_session`](https://github.com/pallets/flask/blob/0123abc/src/flask/sessions.py#L339-L344) \
            `src/flask/sessions.py:339`: writes the cookie\n";
        assert_eq!(trail.markdown("where are cookies?\nmore", &[repository.clone()]), expected);
        repository.id = "local/flask".to_owned();
        assert!(trail.markdown("x", &[repository]).contains("1. `open_session` `src/flask/sessions.py:324`\n"));
    }
}
