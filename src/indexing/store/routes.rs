//! Lines of routes. The graph has a route by its name alone; the line where it is registered is in the facts of its file.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::StoreError;
use super::read::Reader;
use crate::facts::SignalKind;
use crate::model::{FileId, Span};

/// The first line of each route of a file, by name.
type Lines = Arc<HashMap<String, u32>>;

/// Lines of the files whose routes were read last.
pub(super) type KeptRoutes = HashMap<FileId, Lines>;

/// Number of files whose routes a reader keeps.
const KEPT_FILES: usize = 256;

impl Reader {
    /// Returns the span of a route: the line that registers it. It is empty while an index is being written, whose facts change.
    pub(super) fn span_of_route(&self, file: FileId, name: &str) -> Result<Span, StoreError> {
        if !self.is_snapshot {
            return Ok(Span::default());
        }
        let line = self.routes_of(file)?.get(name).copied().unwrap_or_default();
        Ok(Span { start_line: line, end_line: line, name_line: line, ..Span::default() })
    }

    fn routes_of(&self, file: FileId) -> Result<Lines, StoreError> {
        if let Some(found) = self.kept_routes.borrow().get(&file) {
            return Ok(found.clone());
        }
        let mut lines = HashMap::new();
        // With facts that can't be decoded only the lines are missing; `status --verify` reports such facts.
        if let (Some(outline), Some(code)) = (self.outline_blob(file)?, self.code_blob(file)?)
            && let Ok((outline, bounds)) = outline.outline()
            && let Ok(code) = code.code(&bounds)
        {
            for signal in code.signals {
                if let SignalKind::Route { route, .. } = signal.kind {
                    let line = lines.entry(outline.names.get(route).to_owned()).or_insert(signal.line);
                    *line = signal.line.min(*line);
                }
            }
        }
        let lines = Arc::new(lines);
        let mut kept = self.kept_routes.borrow_mut();
        if kept.len() >= KEPT_FILES {
            kept.clear();
        }
        kept.insert(file, lines.clone());
        Ok(lines)
    }
}
