//! Attributes that the macros of a project name in small letters: `static int level __read_mostly = 3;`.
//!
//! The grammars take such a name for that of the variable. It is known by its form, two underscores and small letters, and by
//! its place, where nothing else can be: behind a type and a name, between both, or behind the bracket of a type. What is before
//! a type of the language is a macro whatever its form: `static noinline int f(void)`.

use super::macros::{AFTER_SPECIFIER, BEFORE_TYPE, PRIMITIVES, Reader, is_name_of_macro};

/// Maximum number of tokens of the arguments of an attribute.
const MAX_ARGUMENTS: usize = 64;

/// Maximum number of attributes behind a name.
const MAX_ATTRIBUTES: usize = 8;

/// Words for types that have names, after which something else is declared.
const TAGS: &[&str] = &["class", "enum", "struct", "typename", "union"];

impl Reader<'_> {
    /// Leaves out the attribute at an index, with its arguments. Returns the index after it; `None` if there is none.
    pub(super) fn small_attribute(&mut self, at: usize) -> Option<usize> {
        let after = self.after_attribute_or_macro(at).filter(|_| !self.is_defined(self.word(at)))?;
        self.blank(at, after);
        if self.after_record == Some(at) {
            self.after_record = Some(after);
        }
        if at == self.head {
            self.head = after;
        }
        Some(after)
    }

    fn after_attribute_or_macro(&self, at: usize) -> Option<usize> {
        if !is_small_attribute(self.word(at)) {
            return self.is_macro_before_type(at).then_some(at + 1);
        }
        let after = self.after_few_arguments(at + 1);
        let next = self.word(at + 1);
        if self.after_record == Some(at) {
            return (self.word(after) == ";" || self.is_name(after) || self.word(after) == "*").then_some(after);
        }
        let is_before_type = AFTER_SPECIFIER.contains(&next) && self.is_place(at) && !self.is_in_code();
        if is_before_type || at > self.head && self.is_between(at) {
            return Some(at + 1);
        }
        (self.is_behind(at, after) && !self.is_list_of_parameters(at + 1, after)).then_some(after)
    }

    /// Returns whether a macro of any form is before the type of a declaration: no type precedes another one.
    fn is_macro_before_type(&self, at: usize) -> bool {
        let is_tag = at > self.head && TAGS.contains(&self.word(at - 1));
        if self.is_in_code() || is_tag || !self.is_place(at) || !self.is_free(at) {
            return false;
        }
        let attributes = (at + 1..at + 1 + MAX_ATTRIBUTES).take_while(|next| is_small_attribute(self.word(*next)));
        let next = at + 1 + attributes.count();
        let word = self.word(next);
        if PRIMITIVES.contains(&word) {
            return word != "const";
        }
        // `static noinline ssize_t read(`
        let stars = (next + 1..self.tokens.list.len()).take_while(|star| self.word(*star) == "*").count();
        let name = next + 1 + stars;
        self.is_free(next) && self.is_free(name) && self.word(name + 1) == "("
    }

    /// Returns whether a word is neither a keyword, nor begins with `_`, nor is a macro in capitals.
    fn is_free(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_word = self.is_name(at) && !word.starts_with('_') && !is_name_of_macro(word);
        is_word && !super::LEXICON.keywords.contains(&word)
    }

    /// Returns whether a declaration begins at an index, or goes on after its specifiers.
    fn is_place(&self, at: usize) -> bool {
        at == self.head || at > self.head && matches!(self.word(at - 1), "extern" | "inline" | "static")
    }

    /// Returns whether an attribute is between a type and a name, or the sign of a pointer: `int __init f(void)`,
    /// `void __user *p`.
    fn is_between(&self, at: usize) -> bool {
        let (before, next) = (self.word(at - 1), self.word(at + 1));
        // `int __init API f(void)`
        let name = if is_name_of_macro(next) && self.is_name(at + 2) { at + 2 } else { at + 1 };
        let behind = self.word(name + 1);
        let is_typed = before == "*" && at >= self.head + 2 || self.is_type_or_name(at - 1);
        let is_name = self.is_name(at + 1)
            && (matches!(behind, ";" | "=" | "[" | "," | "(" | ")")
                || is_small_attribute(next) && self.is_name(at + 2));
        is_typed && (is_name || AFTER_SPECIFIER.contains(&next) || next == "*" && before != "*")
    }

    /// Returns whether an attribute is behind a type and a name, an array or the head of a function.
    fn is_behind(&self, at: usize, after: usize) -> bool {
        let next = self.word(after);
        let others = (0..MAX_ATTRIBUTES.min(at)).take_while(|back| is_small_attribute(self.word(at - 1 - back)));
        let first = at - others.count();
        let (Some(last), Some(before)) = (first.checked_sub(1), first.checked_sub(2)) else { return false };
        let is_code = self.is_in_code();
        let ends = matches!(next, ";" | "=") || is_small_attribute(next);
        match self.word(last) {
            "]" => ends || matches!(next, "," | "{"),
            ")" => !is_code && (ends || next == "{"),
            name => {
                let is_typed = self.word(before) == "*" || self.is_type_or_name(before);
                let is_declared = self.is_type_or_name(last) && !PRIMITIVES.contains(&name);
                let is_inside = before >= self.head && is_typed && is_declared;
                is_inside && (ends || matches!(next, "," | ")"))
            }
        }
    }

    /// Returns whether the word at an index can be a type or a name.
    fn is_type_or_name(&self, at: usize) -> bool {
        let word = self.word(at);
        if PRIMITIVES.contains(&word) {
            return !matches!(word, "const" | "struct");
        }
        let is_word = self.is_name(at) && !BEFORE_TYPE.contains(&word) && !super::LEXICON.keywords.contains(&word);
        is_word && !is_small_attribute(word) && !(self.is_cpp && is_name_of_macro(word))
    }

    /// Returns whether what is between parentheses declares parameters: `(struct page *page)`, `(void)`.
    fn is_list_of_parameters(&self, open: usize, after: usize) -> bool {
        let is_declared = |at: usize| {
            PRIMITIVES.contains(&self.word(at))
                || self.is_name(at) && (self.is_name(at + 1) || self.word(at + 1) == "*" && self.is_name(at + 2))
        };
        after > open && (after == open + 2 || (open + 1..after).any(is_declared))
    }

    /// Returns the index after the parenthesis that closes the one at an index, if it is near; otherwise the index itself.
    fn after_few_arguments(&self, at: usize) -> usize {
        if self.word(at) != "(" {
            return at;
        }
        let mut depth = 0_usize;
        for index in at..at + MAX_ARGUMENTS {
            match self.word(index) {
                "(" => depth += 1,
                ")" if depth == 1 => return index + 1,
                ")" => depth -= 1,
                _ => {}
            }
        }
        at
    }
}

/// Returns whether a name is that of an attribute by custom: two underscores and small letters. Types have digits, or end
/// with `_t`.
fn is_small_attribute(name: &str) -> bool {
    let is_small =
        |rest: &str| rest.len() > 2 && rest.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_');
    name.strip_prefix("__").is_some_and(|rest| !rest.starts_with('_') && is_small(rest))
        && !name.ends_with("__")
        && !name.ends_with("_t")
}
