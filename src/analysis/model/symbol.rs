//! Symbols: the nodes of the graph.

use serde::{Deserialize, Serialize};

use super::{NodeId, Span, SymbolId};

/// The kind of a symbol. The numbers are stored and hashed: append, never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum SymbolKind {
    Function = 0,
    Method = 1,
    /// Struct, class, enum or alias.
    Type = 2,
    /// Interface, trait or protocol.
    Interface = 3,
    Const = 4,
    Var = 5,
    /// A struct field, class attribute, property without a body or enum member.
    Field = 6,
    Package = 7,
    /// A file; the source of the edges of its module-level code.
    File = 8,
    RouteHandler = 9,
    EnvVar = 10,
    Process = 11,
    /// A symbol outside the repository, one per dotted name.
    External = 12,
    /// A macro defined in the repository.
    Macro = 13,
    /// A Cargo feature, a build tag, a macro that only a build defines, or the flag of a service.
    Flag = 14,
    /// A section of a document. It is not a node of the graph.
    Section = 15,
    /// A class or custom property of style sheets, one per name.
    Style = 16,
}

impl SymbolKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [SymbolKind; 17] = [
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Type,
        SymbolKind::Interface,
        SymbolKind::Const,
        SymbolKind::Var,
        SymbolKind::Field,
        SymbolKind::Package,
        SymbolKind::File,
        SymbolKind::RouteHandler,
        SymbolKind::EnvVar,
        SymbolKind::Process,
        SymbolKind::External,
        SymbolKind::Macro,
        SymbolKind::Flag,
        SymbolKind::Section,
        SymbolKind::Style,
    ];

    /// Returns the kind with this stored number.
    pub fn from_number(number: u8) -> Option<SymbolKind> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the name used in output and in the store's checks.
    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Type => "type",
            SymbolKind::Interface => "interface",
            SymbolKind::Const => "const",
            SymbolKind::Var => "var",
            SymbolKind::Field => "field",
            SymbolKind::Package => "package",
            SymbolKind::File => "file",
            SymbolKind::RouteHandler => "route_handler",
            SymbolKind::EnvVar => "env_var",
            SymbolKind::Process => "process",
            SymbolKind::External => "external",
            SymbolKind::Macro => "macro",
            SymbolKind::Flag => "flag",
            SymbolKind::Section => "section",
            SymbolKind::Style => "style",
        }
    }

    /// Returns whether the kind is a type: it can have members and be extended.
    pub fn is_type(self) -> bool {
        matches!(self, SymbolKind::Type | SymbolKind::Interface)
    }

    /// Returns whether the kind can be called.
    pub fn is_callable(self) -> bool {
        matches!(self, SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro)
    }
}

/// A stored symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    /// Stable identity, equal across machines and checkouts.
    pub id: SymbolId,
    /// Number in one store, valid for the current snapshot only.
    pub node: NodeId,
    pub kind: SymbolKind,
    /// Plain name, such as `before_request`.
    pub name: String,
    /// Enclosing names joined by dots, such as `Scaffold`; empty at module level.
    pub scope: String,
    /// `<repository>://<path>.<Scope>.<name>`.
    pub qualified_name: String,
    /// Path relative to the repository's root, with forward slashes; empty for externals.
    pub file: String,
    pub signature: String,
    pub doc: String,
    pub span: Span,
    pub is_test: bool,
    /// The index of this definition among those with the same qualified name, in file and byte order.
    pub ordinal: u32,
}

impl Symbol {
    /// Returns the id of the symbol's repository.
    pub fn repository(&self) -> &str {
        self.qualified_name.split_once("://").map_or("", |(repository, _)| repository)
    }

    /// Returns where the symbol is, such as `src/app.py:12`.
    pub fn place(&self) -> String {
        self.span.place(&self.file)
    }

    /// Returns whether it is a section of a document, which is in no graph and no ranking.
    pub fn is_section(&self) -> bool {
        self.kind == SymbolKind::Section
    }

    /// Returns the qualified name without the repository's prefix, as shown in output.
    pub fn short_name(&self) -> &str {
        self.qualified_name.split_once("://").map_or(self.qualified_name.as_str(), |(_, rest)| rest)
    }
}
