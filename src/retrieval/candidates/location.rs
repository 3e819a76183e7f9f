//! The `location` channel: the definitions at the paths and lines that a task names, such as the frames of a trace.

use super::files::SourceFiles;
use super::{IndexView, is_definition};
use crate::model::{NodeId, Symbol, SymbolKind};
use crate::query::Location;
use crate::rank::tuning;
use crate::store::StoreError;
use crate::text::file_name;

/// Returns the innermost definition at each location in a file of the repository: 1 for the first definition, less for
/// each next one.
///
/// # Errors
/// When the store can't be read.
pub fn located(index: IndexView<'_>, locations: &[Location]) -> Result<Vec<(NodeId, f64)>, StoreError> {
    let mut found: Vec<(NodeId, f64)> = Vec::new();
    let files = SourceFiles::new(index, locations.iter().map(|location| location.path.as_str()));
    for location in locations {
        let Location { path, line, function, container } = location;
        // What is compiled has other lines, and the same functions.
        let Some((_, file)) = files.only(path, !function.is_empty()) else { continue };
        let line = Some(*line).filter(|_| file_name(file) == file_name(path));
        let symbols = index.reader.symbols_of_file(file)?;
        let Some(node) = definition(&symbols, line, (function, container)) else { continue };
        if found.iter().all(|(known, _)| *known != node) {
            let value = match found.len() {
                0 => 1.0,
                rank => tuning::LOCATION_NEXT * tuning::LOCATION_DECAY.powi(rank as i32 - 1),
            };
            found.push((node, value));
        }
    }
    Ok(found)
}

/// Returns the definition of a frame: the nearest of its function's name, in the type or module that the frame names if
/// it is there, or else the innermost at its line. The trace can be of another version, where the lines differ.
pub(super) fn definition(symbols: &[Symbol], line: Option<u32>, (function, container): (&str, &str)) -> Option<NodeId> {
    let named = symbols.iter().filter(|symbol| is_definition(symbol.kind) && symbol.name == function);
    let is_within = |symbol: &Symbol| symbol.scope.rsplit('.').next() == Some(container) && !container.is_empty();
    let is_function = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    let distance = |symbol: &&Symbol| {
        let lines = line.map_or(0, |line| symbol.span.start_line.abs_diff(line));
        // A constructor has the name of its type in some languages.
        (!is_within(symbol), !is_function(symbol), lines)
    };
    let nearest = named.filter(|_| !function.is_empty()).min_by_key(distance).map(|symbol| symbol.node);
    nearest.or_else(|| innermost(symbols, line?))
}

/// Returns the smallest function that contains a line, or else the smallest definition. A frame of a
/// trace refers to a function, not to a field that it assigns.
fn innermost(symbols: &[Symbol], line: u32) -> Option<NodeId> {
    let contains = |symbol: &&Symbol| symbol.span.start_line <= line && line <= symbol.span.end_line;
    let is_function = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    let containing = symbols.iter().filter(|symbol| is_definition(symbol.kind)).filter(contains);
    let size = |symbol: &Symbol| symbol.span.end_byte.saturating_sub(symbol.span.start_byte);
    containing.min_by_key(|symbol| (!is_function(symbol), size(symbol))).map(|symbol| symbol.node)
}
