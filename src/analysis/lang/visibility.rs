//! Visibility of definitions outside of their project, by the rules of their languages.

use super::language_of;

/// Returns whether code of other projects can name a definition, as far as its name and its signature tell. One of a type
/// (`is_member`) is visible only if the type is, too.
pub fn is_visible(file: &str, name: &str, signature: &str, is_member: bool) -> bool {
    let words: Vec<&str> = signature.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).collect();
    let has = |word: &str| words.contains(&word);
    match language_of(file).map_or("", |language| language.name) {
        "rust" => has("pub") && !signature.contains("pub(crate)") && !signature.contains("pub(super)"),
        "go" => name.starts_with(char::is_uppercase),
        "python" => !name.starts_with('_'),
        "java" => has("public") || has("protected"),
        "csharp" => has("public") || has("protected"),
        "kotlin" => !has("private") && !has("internal"),
        "scala" | "php" => !has("private"),
        "swift" => has("public") || has("open"),
        "typescript" => {
            let is_hidden = has("private") || name.starts_with(['#', '_']);
            has("export") || has("exports") || (is_member && !is_hidden)
        }
        "lua" => is_member || !signature.starts_with("local "),
        "c" => has("define") || !has("static"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::is_visible;

    #[test]
    fn visibility_follows_the_rules_of_the_language() {
        assert!(is_visible("a.rs", "run", "pub fn run()", false));
        assert!(!is_visible("a.rs", "run", "pub(crate) fn run()", false));
        assert!(!is_visible("a.go", "run", "func run()", false) && is_visible("a.go", "Run", "func Run()", false));
        assert!(!is_visible("a.py", "_run", "def _run()", false) && is_visible("a.py", "run", "def run()", false));
        assert!(!is_visible("a.c", "run", "static int run(void)", false));
        assert!(!is_visible("a.ts", "run", "function run()", false));
        assert!(is_visible("a.ts", "run", "export function run()", false));
        assert!(!is_visible("A.cs", "Run", "void Run()", true));
    }
}
