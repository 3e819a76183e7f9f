//! Lines: one location per symbol, as compilers and `grep --vimgrep` print them, for editors and pickers.

use super::{Renderer, escape, rounded, scoped_name};
use crate::model::{ContextPack, PackedSymbol, Symbol};

/// The line format. It has no edges, bodies and deltas.
pub struct Lines;

impl Renderer for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn render(&self, pack: &ContextPack) -> String {
        pack.symbols.iter().map(|symbol| self.symbol(pack, symbol)).collect()
    }

    fn symbol(&self, pack: &ContextPack, packed: &PackedSymbol) -> String {
        let column = pack.columns.get(&packed.symbol.id).copied().unwrap_or(1);
        format!(
            "{}  {:.2}\n",
            line(&pack.repositories.path(&packed.symbol), &packed.symbol, column),
            rounded(packed.score, 2)
        )
    }

    fn has_deltas(&self) -> bool {
        false
    }

    fn has_columns(&self) -> bool {
        true
    }
}

/// Returns a symbol's location, kind and name on one line, such as `src/app.py:12:5: method App.run`. `file` is the
/// shown path of the symbol's file.
pub fn line(file: &str, symbol: &Symbol, column: u32) -> String {
    let (file, name) = (escape::one_line(file), escape::one_line(&scoped_name(symbol)));
    // Editors expect a line; what has none, such as a package, is opened at the first.
    format!("{file}:{}:{column}: {} {name}", symbol.span.name_line.max(1), symbol.kind.name())
}
