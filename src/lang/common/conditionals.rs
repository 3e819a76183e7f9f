//! Conditional compilation by lines: `#if`, `#elif`, `#else`, `#endif`.
//!
//! Branches can divide a statement, so that the text with all of them is no program and a grammar finds no structure in
//! it. The text with the first branch of each condition is one.

/// Replaces directives and all branches but the first of each condition by spaces, so that positions stay.
pub fn first_branches(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    // Whether the current branch of each open condition is the first.
    let mut open: Vec<bool> = Vec::new();
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        let name = directive.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        match name {
            "if" | "ifdef" | "ifndef" => open.push(true),
            "elif" | "else" => {
                if let Some(is_first) = open.last_mut() {
                    *is_first = false;
                }
            }
            "endif" => _ = open.pop(),
            _ => {}
        }
        let is_directive = matches!(name, "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif");
        if is_directive || open.contains(&false) {
            masked.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
        } else {
            masked.push_str(line);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_branches_stay_in_place() {
        let text = "a\n#if X\n  b\n  # if Y\nc\n#else\nd é\n#endif\n#elif Z\ne\n#else\nf\n#endif\n#region g\n";
        let masked = first_branches(text);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "#region", "g"]);
        assert_eq!(masked.find("#region"), text.find("#region"));
        assert_eq!(first_branches("#endif\n#else\nx"), format!("{}\n{}\nx", " ".repeat(6), " ".repeat(5)));
    }
}
