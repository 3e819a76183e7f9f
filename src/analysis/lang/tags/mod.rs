//! Tagged languages: a query file and a lexicon each. They have definitions with containers and docs, and references by
//! name; what a name means is inferred from the names of the repository, and no edge by a name is certain.
//!
//! A query file has patterns of tree-sitter with these captures; predicates and other captures that begin with `_` are
//! for conditions:
//!
//! | capture | meaning |
//! |---|---|
//! | `@definition.class`, `.type`, `.interface`, `.protocol`, `.function`, `.macro`, `.constant`, `.variable`, `.field`, `.variant`, `.module` | a definition, with `#set! named "route"` of a method and a path. Those inside of it belong to it; with `#set! scope "file"` all of the file does, with `#set! scope "next"` all until the next such definition |
//! | `@definition.ignored` | not a definition, though a later pattern says so |
//! | `@name` | the name of the definition or reference. Several are joined by dots, after the `prefix` that the pattern sets |
//! | `@doc`, `@doc.inside` | documentation of the definition of its match, or else of the next one; of the one around it |
//! | `@reference.call`, `.type`, `.read`, `.member`, `.extends`, `.implements` | a use of a name; `.member` of a value that is not known |
//! | `@reference.ignored` | not a use, though a later pattern says so |
//! | `@receiver` | the value or module before the name of a reference |
//! | `@local` | a parameter or local variable, which hides what else has its name; with `@type`, its type; with `#set! scope "function"` also before it |
//! | `@alias` | the name in this file of the module `@name`, or of the file at `@path` |
//! | `@type` | the type of a field or variable, and what a function without parameters is read as |
//! | `@types` | code in which what looks like a call is a type |
//! | `@runs` | commands, which run files and targets; `@folder` is that in which they start |
//! | `@operation` | the method by which the path `@name` of an interface is requested |
//! | `@env.sets`, `@env.reads` | the name of an environment variable, or its assignment |
//!
//! Other names of the field's tag queries mean one of these: `@definition.method` a function, `.property` a field,
//! `.enum_variant` a variant, `.struct` and `.enum` a type; `@reference.class`, `.interface` and `.module` a type, `.send` a call,
//! `.field` and `.enum_variant` a read name, `.implementation` what is implemented. In a query of the user further kinds are
//! ignored.
//!
//! Of several patterns for one node, the first counts.

mod extraction;
mod just;
mod languages;

#[cfg(test)]
mod tests;

use tree_sitter::{Query, QueryError, QueryErrorKind};

use super::common::lexicon::Lexicon;
use super::own::Extract;
use crate::facts::Role;
use crate::model::SymbolKind;
use crate::resolve::rules::LibraryReceivers;

pub use languages::{
    CLOJURE, DART, DOCKERFILE, ELIXIR, ELM, ERLANG, GDSCRIPT, GRAPHQL, GROOVY, HASKELL, JSON, JUST, MAKEFILE, NIX,
    POWERSHELL, R, SOLIDITY, SQL, TERRAFORM, YAML, ZIG, own_rules,
};

/// The data by which a tagged language is extracted.
struct Tags {
    query: Query,
    /// The meaning of each capture of the query.
    captures: Vec<Capture>,
    lexicon: Lexicon,
    /// The words of the grammar, which are not search words. Sorted.
    keywords: Vec<String>,
    style: Style,
}

/// The way in which a language names and divides its functions.
#[derive(Debug, Clone, Copy)]
struct Style {
    /// Whether neighboring functions of one name are one: clauses, and a signature with its body.
    joins_clauses: bool,
    /// Whether a dot is a letter of names, and not between the segments of a path.
    has_dots_in_names: bool,
    /// The commands that run what files of these names define at their top; the empty name is that of all files.
    runners: &'static [(&'static str, &'static str)],
    /// The receivers that are of libraries, if they are not known.
    library_receivers: LibraryReceivers,
    /// Whether a file is a type, whose members are the functions at its top.
    files_are_types: bool,
    /// Members that the language's own types have. Sorted.
    ubiquitous: &'static [&'static str],
}

impl Style {
    /// The style of most languages.
    const PLAIN: Style = Style {
        joins_clauses: false,
        has_dots_in_names: false,
        runners: &[],
        library_receivers: LibraryReceivers::Capitals,
        files_are_types: false,
        ubiquitous: &[],
    };
}

/// The meaning of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capture {
    /// `None`: ignored.
    Definition(Option<DefinitionTag>),
    /// `None`: ignored.
    Reference(Option<ReferenceTag>),
    Name,
    Receiver,
    Local,
    Alias,
    Path,
    Type,
    Types,
    Effect(Effect),
    Folder,
    Doc,
    InsideDoc,
    Condition,
}

/// The kind of a definition by its capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DefinitionTag {
    kind: SymbolKind,
    /// Whether functions in it stay functions.
    is_module: bool,
    is_variant: bool,
}

/// The kind of a reference by its capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReferenceTag {
    Role(Role),
    /// A call of a member of an unknown value.
    Member,
    Extends,
    Implements,
}

/// An effect of running a definition, by its capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Runs,
    SetsEnv,
    ReadsEnv,
    Requests,
}

impl Capture {
    /// Returns the meaning of a capture's name; `None` if it has none.
    fn named(name: &str) -> Option<Capture> {
        let of = |kind| Capture::Definition(Some(DefinitionTag { kind, is_module: false, is_variant: false }));
        let refer = |tag| Capture::Reference(Some(tag));
        Some(match name {
            "name" => Capture::Name,
            "receiver" => Capture::Receiver,
            "local" => Capture::Local,
            "alias" => Capture::Alias,
            "path" => Capture::Path,
            "type" => Capture::Type,
            "types" => Capture::Types,
            "runs" => Capture::Effect(Effect::Runs),
            "env.sets" => Capture::Effect(Effect::SetsEnv),
            "env.reads" => Capture::Effect(Effect::ReadsEnv),
            "operation" => Capture::Effect(Effect::Requests),
            "folder" => Capture::Folder,
            "doc" => Capture::Doc,
            "doc.inside" => Capture::InsideDoc,
            "definition.class" | "definition.struct" | "definition.enum" | "definition.type" => of(SymbolKind::Type),
            "definition.interface" => of(SymbolKind::Interface),
            "definition.protocol" => Capture::Definition(Some(DefinitionTag {
                kind: SymbolKind::Interface,
                is_module: true,
                is_variant: false,
            })),
            "definition.module" => {
                Capture::Definition(Some(DefinitionTag { kind: SymbolKind::Type, is_module: true, is_variant: false }))
            }
            "definition.function" | "definition.method" => of(SymbolKind::Function),
            "definition.macro" => of(SymbolKind::Macro),
            "definition.constant" => of(SymbolKind::Const),
            "definition.variable" => of(SymbolKind::Var),
            "definition.field" | "definition.property" => of(SymbolKind::Field),
            "definition.variant" | "definition.enum_variant" => {
                Capture::Definition(Some(DefinitionTag { kind: SymbolKind::Field, is_module: false, is_variant: true }))
            }
            "definition.ignored" => Capture::Definition(None),
            "reference.call" | "reference.send" => refer(ReferenceTag::Role(Role::Call)),
            "reference.type" | "reference.class" | "reference.interface" | "reference.module" => {
                refer(ReferenceTag::Role(Role::Type))
            }
            "reference.read" | "reference.field" | "reference.enum_variant" => refer(ReferenceTag::Role(Role::Read)),
            "reference.member" => refer(ReferenceTag::Member),
            "reference.extends" => refer(ReferenceTag::Extends),
            "reference.implements" | "reference.implementation" => refer(ReferenceTag::Implements),
            "reference.ignored" => Capture::Reference(None),
            condition if condition.starts_with('_') => Capture::Condition,
            _ => return None,
        })
    }

    /// Returns the meaning of a capture in a query of the user: kinds of the field's form that are not known here are ignored.
    fn of_user(name: &str) -> Option<Capture> {
        let ignored = || match name.split_once('.')? {
            ("definition", _) => Some(Capture::Definition(None)),
            ("reference", _) => Some(Capture::Reference(None)),
            _ => None,
        };
        Capture::named(name).or_else(ignored)
    }
}

impl Tags {
    /// Reads a query file.
    ///
    /// # Errors
    /// If it is not a query of the grammar, or has other captures than the table of this module.
    fn read(
        grammar: &tree_sitter::Language,
        query: &str,
        lexicon: Lexicon,
        style: Style,
        meaning: fn(&str) -> Option<Capture>,
    ) -> Result<Tags, String> {
        let query = Query::new(grammar, query).map_err(|error| described(&error))?;
        let meaning = |name: &&str| meaning(name).ok_or_else(|| format!("`@{name}` has no meaning here"));
        let captures = query.capture_names().iter().map(meaning).collect::<Result<Vec<Capture>, String>>()?;
        let kinds = (0..grammar.node_kind_count()).filter_map(|kind| u16::try_from(kind).ok());
        let words = kinds.filter(|kind| !grammar.node_kind_is_named(*kind));
        let mut keywords: Vec<String> =
            words.filter_map(|kind| grammar.node_kind_for_id(kind)).map(str::to_owned).collect();
        keywords.retain(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_'));
        keywords.sort_unstable();
        keywords.dedup();
        Ok(Tags { query, captures, lexicon, keywords, style })
    }
}

/// Returns what is wrong with a query, with its line.
fn described(error: &QueryError) -> String {
    let line = error.row + 1;
    let message = error.message.trim_matches('"');
    match error.kind {
        QueryErrorKind::NodeType => format!("line {line}: the grammar has no node `{message}`"),
        QueryErrorKind::Field => format!("line {line}: the grammar has no field `{message}`"),
        QueryErrorKind::Capture => format!("line {line}: the pattern has no capture `@{message}`"),
        QueryErrorKind::Structure => format!("line {line}: the grammar has no such nodes in each other"),
        _ => format!("line {line}: it is not a query at column {}", error.column + 1),
    }
}

/// Returns what extracts the facts of files of a language of the user's settings.
///
/// # Errors
/// When the query is not one of the grammar, or has captures without a meaning.
pub(super) fn extractor(grammar: &tree_sitter::Language, query: &str, comments: &[String]) -> Result<Extract, String> {
    let tags = Tags::read(grammar, query, languages::own_lexicon(comments), Style::PLAIN, Capture::of_user)?;
    Ok(Box::new(move |file| extraction::extract(file, &tags)))
}
