//! Mentions of code in a task other than words: frames of traces, files, tags, commands, dotted names and an area.
//! Whether the repository has them is decided elsewhere.

use std::collections::HashSet;

use super::frames::{Frame, InnermostFirst, frame, with_neighbors};
use super::parts::{Block, Part, SENTENCES, blocks};
use crate::concepts::WordLists;
use crate::lang::language_of;
use crate::text::split_identifier;

/// Limits of the mentions of a task, those of the most worthy parts first.
const MAX_FRAMES: usize = 64;
const MAX_PATHS: usize = 64;
const MAX_TAGS: usize = 32;
const MAX_COMMANDS: usize = 16;
const MAX_DOTTED: usize = 64;
/// Limit of a name or a path, in bytes.
const MAX_LEN: usize = 300;
/// Limits of the characters of a tag and of an area.
const MAX_TAG_CHARS: usize = 31;
const MAX_AREA_CHARS: usize = 60;

/// The mentions of a task, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Frames of stack traces, the innermost first.
    pub frames: Vec<Frame>,
    /// Paths of source files, as written.
    pub paths: Vec<String>,
    /// Words in brackets in the subject and in errors, in lower case: `cart` in `[cart:lines]`.
    pub tags: Vec<String>,
    /// Words after the program in commands, in lower case: `routes` in `` `shop routes --all` ``.
    pub commands: Vec<String>,
    /// Names of several segments, in lower case, with dots.
    pub dotted: Vec<String>,
    /// Words of the area of a subject, in lower case: `cart` in `fix(cart): …`.
    pub area: Vec<String>,
}

/// Returns what a task mentions. Linear in the text.
pub fn mentions(task: &str, lists: &WordLists) -> Mentions {
    let mut blocks = blocks(task);
    let subject = blocks.iter().find(|block| block.part == Part::Subject).map_or("", |block| block.text);
    let (frames, area) = (frames(task), area(subject));
    blocks.sort_by_key(|block| block.part);
    let mut found = Mentions { frames, area, ..Mentions::default() };
    for block in &blocks {
        found.paths.extend(paths(block.text));
        found.dotted.extend(dotted(block.text));
        found.commands.extend(commands(block));
        if matches!(block.part, Part::Subject | Part::Error) {
            let is_tag = |word: &String| {
                word.chars().count() > 2 && !lists.filler_words.contains(word) && !lists.stop_words.contains(word)
            };
            found.tags.extend(tags(block.text).into_iter().filter(is_tag));
        }
    }
    for (list, limit) in [
        (&mut found.paths, MAX_PATHS),
        (&mut found.tags, MAX_TAGS),
        (&mut found.commands, MAX_COMMANDS),
        (&mut found.dotted, MAX_DOTTED),
    ] {
        let mut seen = HashSet::new();
        list.retain(|text| text.len() <= MAX_LEN && seen.insert(text.clone()));
        list.truncate(limit);
    }
    found
}

/// Returns the frames of a text, the innermost first.
fn frames(text: &str) -> Vec<Frame> {
    let mut order = InnermostFirst::default();
    for (line, neighbors) in with_neighbors(text) {
        order.line(line);
        order.extend(frame(neighbors[0], line, neighbors[1]).map(|frame| (frame.is_outermost_first, frame)));
    }
    let mut found = order.finish();
    found.dedup();
    found.truncate(MAX_FRAMES);
    found
}

/// Returns the paths of source files in a text.
fn paths(text: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '@' | '~' | '-' | '/' | '\\');
    let words = text.split(move |letter| !is_part(letter)).map(|word| word.trim_end_matches('.'));
    let is_file = |word: &&str| !word.starts_with('.') || word.starts_with("./") || word.starts_with("../");
    words.filter(is_file).filter(|word| language_of(word).is_some()).map(|path| path.replace('\\', "/"))
}

/// Returns the words of the tags in a text.
fn tags(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (tag, rest) in text.split('[').skip(1).filter_map(|rest| rest.split_once(']')) {
        let is_link = rest.starts_with('(');
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.' | ' ' | '-');
        let is_tag = tag.starts_with(char::is_alphabetic) && tag.chars().all(is_part) && !is_link;
        if is_tag && tag.chars().count() <= MAX_TAG_CHARS {
            let first = tag.split(':').next().unwrap_or(tag);
            found.extend(split_identifier(first));
            found.push(first.to_lowercase());
        }
    }
    found
}

/// Returns the words after the program in the commands of a block: a line `$ shop routes`, or `` `shop routes` ``.
fn commands(block: &Block<'_>) -> Vec<String> {
    let mut found: Vec<&str> =
        block.text.lines().filter_map(|line| command(line.trim_start().strip_prefix("$ ")?)).collect();
    if SENTENCES.contains(&block.part) {
        found.extend(block.text.split('`').skip(1).step_by(2).filter_map(command));
        found.extend(block.text.split("**").skip(1).step_by(2).filter_map(command));
    }
    found.into_iter().map(str::to_lowercase).collect()
}

/// Returns the second word of a command.
fn command(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let is_word = |word: &&str| {
        let is_part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-.".contains(letter);
        word.starts_with(|letter: char| letter.is_ascii_lowercase()) && word.chars().all(is_part)
    };
    words.next().filter(is_word)?;
    words.next().filter(is_word).filter(|word| word.len() > 1 && !word.contains('.'))
}

/// Returns the names of several segments in a text: `Cart.add`, `shop::cart::add`.
fn dotted(text: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':' | '/' | '@');
    text.split(move |letter| !is_part(letter)).filter_map(|word| {
        let name = word.trim_matches(['.', ':']).replace("::", ".");
        let is_name = |segment: &str| segment.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let is_dotted = name.contains('.') && !name.contains(['/', ':', '@']) && name.split('.').all(is_name);
        // Abbreviations such as "e.g" have segments of one letter only.
        let is_word = name.split('.').any(|segment| segment.len() > 1);
        (is_dotted && is_word && language_of(&name).is_none()).then(|| name.to_lowercase())
    })
}

/// Returns the words of the area of a subject: `cart` in `cart: …`, `fix(cart)!: …`.
fn area(subject: &str) -> Vec<String> {
    let Some((area, rest)) = subject.trim_start().split_once(": ") else { return Vec::new() };
    let is_area = area.chars().count() <= MAX_AREA_CHARS
        && area.split(',').all(|area| !area.trim().is_empty() && !area.trim().contains([' ', ':']));
    if !is_area || rest.trim().is_empty() {
        return Vec::new();
    }
    split_identifier(area)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(task: &str) -> Mentions {
        let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        mentions(task, &WordLists { filler_words: set(&["bug"]), ..WordLists::default() })
    }

    #[test]
    fn frames_are_innermost_first() {
        let python = "Cart fails\n  File \"a.py\", line 1, in go\n    x\n  File \"b.py\", line 2, in pick\nKeyError: 1";
        let functions = |task| found(task).frames.into_iter().map(|frame| frame.function).collect::<Vec<String>>();
        assert_eq!(functions(python), ["pick", "go"]);
        assert_eq!(functions("Cart fails\n    at pick (a.js:1:2)\n    at go (b.js:3:4)"), ["pick", "go"]);
    }

    #[test]
    fn files_are_paths_of_a_known_language() {
        let task =
            "see src/cart.py:12, `./lib/cart.ts` and https://example.org/team/shop/blob/main/a.go#L3, not e.g. 3.9";
        assert_eq!(found(task).paths, ["src/cart.py", "./lib/cart.ts", "//example.org/team/shop/blob/main/a.go"]);
        assert_eq!(found(r"C:\shop\cart.py fails").paths, ["/shop/cart.py"]);
    }

    #[test]
    fn tags_are_of_the_subject_and_of_errors() {
        let task = "[Cart:lines] [Bug] sums\nsee [prose] and [a link](x)\nERROR: [ledger] no sum";
        assert_eq!(found(task).tags, ["cart", "ledger"]);
    }

    #[test]
    fn commands_have_a_program_and_a_word() {
        let task = "`shop routes --all` fails, **shop list** too, `Cart add` and `cart` are none\n```\n$ shop sum-lines x\n```";
        assert_eq!(found(task).commands, ["routes", "list", "sum-lines"]);
    }

    #[test]
    fn dotted_names_are_neither_files_nor_versions() {
        let task = "Cart.add() and shop::cart::Line, not cart.py, 3.9, e.g. or https://shop.example.org/a";
        assert_eq!(found(task).dotted, ["cart.add", "shop.cart.line"]);
    }

    #[test]
    fn area_is_the_beginning_of_a_subject() {
        assert_eq!(found("fix(cart)!: sum lines").area, ["fix", "cart"]);
        assert_eq!(found("shop/cart, ledger: sum lines").area, ["shop", "cart", "ledger"]);
        assert!(found("the cart is wrong: no lines").area.is_empty() && found("cart:").area.is_empty());
    }
}
