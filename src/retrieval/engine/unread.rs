//! Tells which code of a repository no grammar reads, where an answer may lack it.

use super::{FilesWithoutGrammar, StoreError, files_without_grammar};
use crate::lang::known::other_build;
use crate::model::ContextPack;
use crate::store::Reader;
use crate::text::display::thousands;

/// Maximum number of extensions in a message.
const MAX_EXTENSIONS: usize = 4;

/// Returns the files that no grammar reads as a clause, such as `2 .dart files (Dart) are not read`; `None` if there are
/// none.
///
/// # Errors
/// When the store can't be read.
pub fn unread_code(reader: &Reader) -> Result<Option<String>, StoreError> {
    Ok(describe(&files_without_grammar(reader)?))
}

/// Returns the files that no grammar reads, as [`unread_code`], if a pack is likely to lack them: it is empty, words of the
/// task match nothing, or there are as many of these files as indexed ones.
///
/// # Errors
/// When the store can't be read.
pub fn unread_beside(reader: &Reader, pack: &ContextPack) -> Result<Option<String>, StoreError> {
    let list = files_without_grammar(reader)?;
    let unread: u64 = list.iter().map(|row| row.files).sum();
    // File ids are dense, so the next one is about their number.
    let is_likely = pack.symbols.is_empty()
        || !pack.unmatched_words.is_empty()
        || pack.unknown_name.is_some()
        || unread >= u64::from(reader.next_file_id()?.get());
    Ok(describe(&list).filter(|_| is_likely))
}

fn describe(list: &[FilesWithoutGrammar]) -> Option<String> {
    let part = |row: &FilesWithoutGrammar| {
        let plural = if row.files == 1 { "" } else { "s" };
        format!("{} .{} file{plural} ({})", thousands(row.files as usize), row.extension, row.language)
    };
    let mut parts: Vec<String> = list.iter().take(MAX_EXTENSIONS).map(part).collect();
    let more = &list[parts.len()..];
    if !more.is_empty() {
        let files = more.iter().map(|row| row.files).sum::<u64>() as usize;
        parts.push(format!(
            "{} files of {} more {}",
            thousands(files),
            more.len(),
            if more.len() == 1 { "kind" } else { "kinds" }
        ));
    }
    let is_one = matches!(list, [only] if only.files == 1);
    let way_out =
        other_build(list.iter().map(|row| row.language)).map_or(String::new(), |way_out| format!("; {way_out}"));
    (!parts.is_empty()).then(|| format!("{} {} not read{way_out}", parts.join(", "), if is_one { "is" } else { "are" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_listed_up_to_a_limit() {
        let row = |extension: &str, files| FilesWithoutGrammar { extension: extension.into(), language: "X", files };
        assert_eq!(describe(&[]), None);
        assert_eq!(describe(&[row("dart", 1)]).unwrap(), "1 .dart file (X) is not read");
        assert_eq!(describe(&[row("dart", 1_312)]).unwrap(), "1,312 .dart files (X) are not read");
        let swift = FilesWithoutGrammar { extension: "swift".into(), language: "Swift", files: 3 };
        let text = describe(&[swift]).unwrap();
        let (files, way_out) = text.split_once("; ").unwrap();
        assert_eq!(files, "3 .swift files (Swift) are not read");
        assert!(way_out.contains("--features rare-grammars"), "{way_out}");
        let many: Vec<FilesWithoutGrammar> = ["a", "b", "c", "d", "e", "f"].map(|name| row(name, 2)).into();
        let text = describe(&many).unwrap();
        assert!(text.ends_with("2 .d files (X), 4 files of 2 more kinds are not read"), "{text}");
    }
}
