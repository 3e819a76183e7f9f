//! Justfiles, read as Makefiles: what differs is blank, byte for byte.

/// Returns the text that the grammar of Makefiles can read: recipes have no marks, parameters and attributes, and their
/// lines begin with a tab.
pub fn masked(_path: &str, text: &str) -> Option<String> {
    let mut masked = text.as_bytes().to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        mask_line(line, &mut masked[start..start + line.len()]);
        start += line.len();
    }
    String::from_utf8(masked).ok()
}

/// Blanks the parts of a line; `bytes` are its bytes.
fn mask_line(line: &str, bytes: &mut [u8]) {
    if line.starts_with([' ', '\t']) {
        bytes[0] = b'\t';
        return;
    }
    let content = line.trim_end().len();
    let is_setting =
        ["set ", "alias ", "import ", "mod ", "export ", "unexport ", "["].iter().any(|word| line.starts_with(word));
    if is_setting {
        bytes[..content].fill(b' ');
        return;
    }
    if line.starts_with('@') {
        bytes[0] = b' ';
    }
    let Some(colon) = head_end(line) else { return };
    // The name stays; what is between it and the colon are parameters.
    let name = usize::from(line.starts_with('@'));
    let end = line[name..colon].find([' ', '\t']).map_or(colon, |end| name + end);
    bytes[end..colon].fill(b' ');
    // Needed recipes with arguments are in parentheses.
    for (at, letter) in line.char_indices().skip_while(|(at, _)| *at <= colon) {
        if matches!(letter, '(' | ')' | '&') {
            bytes[at] = b' ';
        }
    }
}

/// Returns where the head of a recipe ends: at its colon. `None` for any other line.
fn head_end(line: &str) -> Option<usize> {
    if line.starts_with('#') {
        return None;
    }
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            ':' if quote.is_none() => return (!line[at..].starts_with(":=")).then_some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn recipes_are_rules_of_a_makefile() {
        let text = "set shell := [\"bash\"]\nx := \"é:\"\n# Builds.\n[private]\n@build target='a:b' *flags: clean (test \"all\")\n  cargo build\n";
        let masked = masked("justfile", text).unwrap();
        assert_eq!(masked.len(), text.len());
        let lines: Vec<&str> = masked.lines().map(str::trim_end).collect();
        let head = lines[4].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((lines[0], lines[2], lines[3], head.as_str()), ("", "# Builds.", "", "build : clean test \"all\""));
        assert_eq!((lines[1], lines[5]), ("x := \"é:\"", "\t cargo build"));
    }

    #[test]
    fn hostile_lines_stay_text() {
        for text in ["@", "@é:", "é:", ":", "'", "@ :", "[", "\u{feff}a:\n\té\n"] {
            assert_eq!(masked("justfile", text).map(|masked| masked.len()), Some(text.len()), "{text}");
        }
    }
}
