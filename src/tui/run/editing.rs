//! The user's editor: opened with the terminal, and asked afterwards which files have changed.

use anyhow::Result;

use super::Session;
use crate::tui::action::Action;
use crate::tui::editor::{self, OpenFiles};

impl Session {
    /// Opens files of the repository in the user's editor, and waits until it ends.
    pub(super) fn edit(&mut self, locations: &[(String, usize)]) -> Result<()> {
        self.guard.leave()?;
        let (files, result) = editor::edit(&self.editor(), &self.roots, locations, &self.loader.lookup);
        self.resume()?;
        self.workers.index();
        self.open_files = files;
        let is_open = matches!(result, Ok(true));
        self.report_edits(is_open)?;
        if let Err(error) = result {
            self.model.show_error(error.to_string());
        }
        Ok(())
    }

    /// Reports which files of the user's editor have changed; if it is not open elsewhere, no more of them will.
    pub(super) fn report_edits(&mut self, is_open: bool) -> Result<()> {
        let changed = self.open_files.take_changed();
        if is_open && changed.is_empty() {
            return Ok(());
        }
        if !is_open {
            self.open_files = OpenFiles::default();
        }
        self.act(Action::Edited { changed, is_open })?;
        Ok(())
    }

    fn editor(&self) -> String {
        editor::choose(self.model.settings.editor.as_deref(), &self.loader.lookup)
    }

    /// Opens the task in the editor of the user.
    pub(super) fn compose(&mut self, text: &str) -> Result<()> {
        self.guard.leave()?;
        let composed = editor::compose(&self.editor(), text, &self.loader.lookup);
        self.resume()?;
        self.act(Action::Composed(composed.map_err(|error| error.to_string())))?;
        Ok(())
    }
}
