//! Tells which languages are supported, and which source files of a repository no grammar reads.

use super::{FilesWithoutGrammar, StoreError, files_without_grammar};
use crate::store::Reader;
use crate::text::display::thousands;

/// Maximum number of extensions in a message.
const MAX_EXTENSIONS: usize = 4;

/// Returns the names of the supported languages as a list for users.
pub fn supported_languages() -> String {
    crate::lang::known::supported().join(", ")
}

/// Returns the files that no grammar reads as one line, such as `no grammar for 312 .dart (Dart), 4 .ex (Elixir)`;
/// `None` if there are none.
///
/// # Errors
/// When the store can't be read.
pub fn without_grammar(reader: &Reader) -> Result<Option<String>, StoreError> {
    Ok(describe(&files_without_grammar(reader)?))
}

/// Returns the reason why nothing is indexed, with the supported languages; `None` if a file is indexed.
///
/// # Errors
/// When the store can't be read.
pub fn reason_without_files(reader: &Reader) -> Result<Option<String>, StoreError> {
    if reader.has_files()? {
        return Ok(None);
    }
    let without_grammar = without_grammar(reader)?.map(|text| format!("; {text}")).unwrap_or_default();
    Ok(Some(format!("no file in a supported language here ({}){without_grammar}", supported_languages())))
}

fn describe(list: &[FilesWithoutGrammar]) -> Option<String> {
    let mut parts: Vec<String> = (list.iter().take(MAX_EXTENSIONS))
        .map(|row| format!("{} .{} ({})", thousands(row.files as usize), row.extension, row.language))
        .collect();
    if list.len() > MAX_EXTENSIONS {
        parts.push(format!("{} other extensions", list.len() - MAX_EXTENSIONS));
    }
    (!parts.is_empty()).then(|| format!("no grammar for {}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_listed_up_to_a_limit() {
        let row = |extension: &str, files| FilesWithoutGrammar { extension: extension.into(), language: "X", files };
        assert_eq!(describe(&[]), None);
        let one = [row("dart", 1_312)];
        assert_eq!(describe(&one).unwrap(), "no grammar for 1,312 .dart (X)");
        let many: Vec<FilesWithoutGrammar> = ["a", "b", "c", "d", "e", "f"].map(|name| row(name, 2)).into();
        let text = "no grammar for 2 .a (X), 2 .b (X), 2 .c (X), 2 .d (X), 2 other extensions";
        assert_eq!(describe(&many).unwrap(), text);
    }
}
