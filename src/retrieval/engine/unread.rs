//! Tells which code of a repository is not read, where an answer may lack it: no grammar reads it, or it was skipped.

use std::path::Path;

use super::questions::texts::{named_word, read_if, word_positions};
use super::{FilesWithoutGrammar, StoreError, files_without_grammar};
use crate::lang::known::other_build;
use crate::model::ContextPack;
use crate::scan::SkipReason;
use crate::scan::read::{MAX_FILE_BYTES, file_size};
use crate::store::{Reader, SkipRow};
use crate::text::count;

/// Maximum number of extensions in a message.
const MAX_EXTENSIONS: usize = 4;
/// Limits of the skipped files that are searched for a name.
const MAX_SEARCHED_FILES: usize = 1_000;
const MAX_SEARCHED_BYTES: u64 = 32 << 20;

/// Returns the files of the checkout that were skipped although they may have definitions.
///
/// # Errors
/// When the store can't be read.
pub(super) fn skipped_files(reader: &Reader) -> Result<Vec<SkipRow>, StoreError> {
    const REASONS: [SkipReason; 6] = [
        SkipReason::Generated,
        SkipReason::Minified,
        SkipReason::TooLarge,
        SkipReason::DeepSyntax,
        SkipReason::Unparsable,
        SkipReason::TooMany,
    ];
    let has_code = |skip: &SkipRow| REASONS.iter().any(|reason| reason.name() == skip.reason);
    Ok(reader.skips()?.into_iter().filter(|skip| has_code(skip) && !skip.path.ends_with('/')).collect())
}

/// Returns the size of a skipped file. Those that are left out before they are read are stored without it.
pub(super) fn size_of(root: &Path, skip: &SkipRow) -> u64 {
    match skip.size {
        0 => file_size(root, &skip.path).unwrap_or_default(),
        size => size,
    }
}

/// Returns the end of a sentence about a skipped file by the name of the reason: `is generated`.
pub(super) fn skipped_reason(name: &str) -> &'static str {
    let reason = SkipReason::ALL.iter().find(|reason| reason.name() == name);
    reason.map_or("is skipped", |reason| reason.description())
}

/// Returns where skipped files have a name, as a clause: `1 skipped file names it, api.pb.go:4 (it is generated)`; `None` if
/// none has it among those that are searched, which are at most 32 MB.
///
/// # Errors
/// When the store can't be read.
pub(super) fn skipped_with(reader: &Reader, root: &Path, name: &str) -> Result<Option<String>, StoreError> {
    let name = name.trim();
    let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    // Several words and an option are texts, of which no part means the whole.
    let is_text = name.contains(char::is_whitespace) || name.starts_with('-');
    let Some(word) = (if is_text { Some(name) } else { named_word(last) }) else { return Ok(None) };
    let (mut bytes_left, mut first, mut count) = (MAX_SEARCHED_BYTES, None, 0);
    for skip in skipped_files(reader)?.into_iter().take(MAX_SEARCHED_FILES) {
        let Some(left) = bytes_left.checked_sub(size_of(root, &skip)) else { continue };
        bytes_left = left;
        let Some(content) = read_if(root, &skip.path, MAX_FILE_BYTES, &|text| text.contains(word)) else { continue };
        let Some(at) = word_positions(&content.text, word).next() else { continue };
        count += 1;
        first.get_or_insert_with(|| {
            let line = 1 + content.text[..at].matches('\n').count();
            format!("{}:{line} (it {})", skip.path, skipped_reason(&skip.reason))
        });
    }
    Ok(first.map(|first| match count {
        1 => format!("1 skipped file names it, {first}"),
        _ => format!("{count} skipped files name it, the first is {first}"),
    }))
}

/// Returns the files that no grammar reads as a clause, such as `2 .dart files (Dart) are not read`; `None` if there are
/// none.
///
/// # Errors
/// When the store can't be read.
pub fn unread_code(reader: &Reader) -> Result<Option<String>, StoreError> {
    Ok(describe(&files_without_grammar(reader)?))
}

/// Returns the files that no grammar reads, as [`unread_code`], if a pack is likely to lack them: it is empty, nothing has the
/// name it is about, words of the task match nothing and these files are not few, or there are as many of them as indexed ones.
///
/// # Errors
/// When the store can't be read.
pub fn unread_beside(reader: &Reader, pack: &ContextPack) -> Result<Option<String>, StoreError> {
    let list = files_without_grammar(reader)?;
    let unread: u64 = list.iter().map(|row| row.files).sum();
    // File ids are dense, so the next one is about their number.
    let indexed = u64::from(reader.next_file_id()?.get());
    let is_likely = pack.symbols.is_empty()
        || pack.unknown_name.is_some()
        || !pack.unmatched_words.is_empty() && unread * MIN_SHARE >= indexed
        || unread >= indexed;
    Ok(describe(&list).filter(|_| is_likely))
}

/// Indexed files for each that is not read at most, where a word that nothing matches may be in the latter.
const MIN_SHARE: u64 = 20;

fn describe(list: &[FilesWithoutGrammar]) -> Option<String> {
    let part = |row: &FilesWithoutGrammar| {
        let files = count(row.files as usize, &format!(".{} file", row.extension));
        format!("{files} ({})", row.language)
    };
    let mut parts: Vec<String> = list.iter().take(MAX_EXTENSIONS).map(part).collect();
    let more = &list[parts.len()..];
    if !more.is_empty() {
        let files = more.iter().map(|row| row.files).sum::<u64>() as usize;
        parts.push(format!("{} of {}", count(files, "file"), count(more.len(), "more kind")));
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
