//! Syntax highlighting: the class of each token, from its node in the syntax tree. One set of rules for every grammar.

use std::ops::Range;

use super::{Language, parser};

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    Comment,
    String,
    Number,
    Constant,
    Keyword,
    Operator,
    Function,
    Type,
    Variable,
}

/// A part of a text with its class. Text between tokens has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub range: Range<usize>,
    pub class: TokenClass,
}

/// A node on the path from the root to the cursor.
#[derive(Clone, Copy)]
struct Ancestor<'tree> {
    kind: &'tree str,
    field: Option<&'tree str>,
    /// Whether a string or a comment around it has colored it.
    is_colored: bool,
}

/// Returns the tokens of a text in a language, in order and without overlaps.
pub fn tokens(language: &Language, path: &str, text: &str) -> Vec<Token> {
    let Some(tree) = parser::syntax_tree(language, path, text) else { return Vec::new() };
    let mut classes: Vec<Option<TokenClass>> = vec![None; text.len()];
    let mut cursor = tree.walk();
    let mut ancestors: Vec<Ancestor<'_>> = Vec::new();
    loop {
        let node = cursor.node();
        let mut own = Ancestor { kind: node.kind(), field: cursor.field_name(), is_colored: false };
        let range = node.byte_range();
        if ancestors.last().is_some_and(|parent| parent.is_colored) {
            own.is_colored = !matches!(own.kind, "interpolation" | "template_substitution");
            if !own.is_colored {
                classes[range].fill(None);
            }
        } else if let Some(class) = literal(own, &ancestors).filter(|_| node.is_named()) {
            own.is_colored = true;
            classes[range].fill(Some(class));
        } else if node.child_count() == 0 {
            let class = match text.get(range.clone()) {
                Some(text) => leaf(language, own, node.is_named(), text, &ancestors),
                None => None,
            };
            classes[range].fill(class);
        }
        ancestors.push(own);
        if cursor.goto_first_child() {
            continue;
        }
        ancestors.pop();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return merged(&classes);
            }
            ancestors.pop();
        }
    }
}

/// Joins neighboring bytes of one class.
fn merged(classes: &[Option<TokenClass>]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (at, class) in classes.iter().enumerate() {
        let Some(class) = *class else { continue };
        match tokens.last_mut() {
            Some(last) if last.class == class && last.range.end == at => last.range.end = at + 1,
            _ => tokens.push(Token { range: at..at + 1, class }),
        }
    }
    tokens
}

/// Returns the class of a comment, a string or a similar literal, which applies to everything in it.
fn literal(own: Ancestor<'_>, ancestors: &[Ancestor<'_>]) -> Option<TokenClass> {
    let kind = own.kind;
    // A string that is a statement documents what it is in.
    let is_doc = || ancestors.last().is_some_and(|parent| parent.kind == "expression_statement");
    match kind {
        _ if kind.contains("comment") => Some(TokenClass::Comment),
        "string" if is_doc() => Some(TokenClass::Comment),
        "char_literal" | "rune_literal" | "regex" => Some(TokenClass::String),
        _ if kind.contains("string") => Some(TokenClass::String),
        "lifetime" => Some(TokenClass::Keyword),
        "predefined_type" => Some(TokenClass::Type),
        _ => None,
    }
}

/// Returns the class of a node without children.
fn leaf(
    language: &Language,
    own: Ancestor<'_>,
    is_named: bool,
    text: &str,
    ancestors: &[Ancestor<'_>],
) -> Option<TokenClass> {
    let kind = own.kind;
    match kind {
        "true" | "false" | "none" | "null" | "nil" | "iota" | "undefined" => return Some(TokenClass::Constant),
        "self" | "this" | "super" | "crate" | "mutable_specifier" => return Some(TokenClass::Keyword),
        "type_identifier" | "primitive_type" => return Some(TokenClass::Type),
        _ => {}
    }
    let is_number = ["integer", "float", "int_literal", "imaginary"].iter().any(|part| kind.contains(part));
    match is_named {
        true if is_number || kind == "number" => Some(TokenClass::Number),
        true if kind.contains("identifier") => identifier(language, own, text, ancestors),
        true => None,
        false if kind.starts_with(|letter: char| letter.is_alphabetic()) => Some(TokenClass::Keyword),
        false if matches!(kind, "." | ":" | "::" | "?." | "#") => None,
        false => kind.chars().all(|letter| "+-*/%=<>!&|^~?:.@".contains(letter)).then_some(TokenClass::Operator),
    }
}

fn identifier(language: &Language, own: Ancestor<'_>, text: &str, ancestors: &[Ancestor<'_>]) -> Option<TokenClass> {
    let (parent, field) = (ancestors.last()?, own.field.unwrap_or(""));
    let defines = |what: &str| field == "name" && parent.kind.contains(what);
    // In `a.b(…)` the member is the function of the call.
    let is_called_member =
        parent.field == Some("function") && matches!(field, "field" | "attribute" | "property" | "name");
    let is_function = field == "function"
        || field == "macro"
        || is_called_member
        || parent.kind == "decorator"
        || defines("function")
        || defines("method");
    let is_upper = |letter: char| letter.is_uppercase() || letter.is_numeric() || letter == '_';
    let starts_upper = language.traits().capitals_are_types && text.starts_with(char::is_uppercase);
    match text {
        "self" | "cls" => Some(TokenClass::Keyword),
        _ if text.len() > 1 && text.starts_with(char::is_uppercase) && text.chars().all(is_upper) => {
            Some(TokenClass::Constant)
        }
        _ if field == "constructor" || defines("class") || parent.kind == "type" => Some(TokenClass::Type),
        // Calling a class creates an instance.
        _ if is_function && !(starts_upper && own.kind == "identifier" && field == "function") => {
            Some(TokenClass::Function)
        }
        _ if starts_upper && own.kind == "identifier" => Some(TokenClass::Type),
        _ if parent.kind.contains("parameter") => Some(TokenClass::Variable),
        _ => None,
    }
}
