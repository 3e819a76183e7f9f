//! The facts of one file: a language-neutral intermediate representation. [`crate::lang`] extracts it from a syntax
//! tree; [`crate::resolve`] reads the facts of all files together. This module is independent of any language.
//!
//! # Why
//!
//! Resolving a call needs scopes, imports, annotations and values, not only names. With an intermediate representation
//! one resolver serves all languages, an unchanged file can be resolved again without parsing it, and extraction is
//! independent of other files.
//!
//! The facts have three parts that are stored separately, because they are needed at different times: [`Outline`]
//! always (for the symbol tables), [`Code`] when an expression in the file is evaluated, and [`Texts`] for the search
//! index and similarity.

mod builder;
mod definition;
mod describe;
mod documented;
mod expression;
mod fingerprint;
mod names;
mod trivia;
pub(crate) mod reach;
mod reference;
mod scope;
mod stored;
mod uses;
mod validate;

pub use builder::FactsBuilder;
pub use definition::{
    ArgumentCount, Base, BaseRelation, Container, Definition, Extension, ExtensionId, Flags, Parameter, TypeParameter,
    objects,
};
pub use describe::Description;
pub use expression::{Expr, ExprId, LAMBDA_RECEIVER, RECEIVER_TYPE_NAME};
pub use fingerprint::Interface;
pub use names::{Atom, NameKey, Names, NamesBuilder, member_key, name_key};
pub use reference::{Reference, Role, Signal, SignalKind};
pub use scope::{Binding, BindingKind, Import, ImportId, ImportName, Scope, ScopeId, ScopeKind};
pub use trivia::equal_except_trivia;
pub use validate::{Bounds, InvalidFacts};

pub use crate::model::DefId;

use serde::{Deserialize, Serialize};

/// Everything extracted from one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    pub outline: Outline,
    pub code: Code,
    pub texts: Texts,
}

/// The file's definitions and module-level bindings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// All names in the file's facts.
    pub names: Names,
    /// Enclosing definitions come before enclosed ones.
    pub definitions: Vec<Definition>,
    /// Blocks that add members to a type, such as `impl`.
    pub extensions: Vec<Extension>,
    /// All imports of the file, at any depth.
    pub imports: Vec<Import>,
    /// Bindings of the module-level scopes (kinds [`ScopeKind::Module`] and [`ScopeKind::Exports`]), sorted by scope,
    /// name and position.
    pub bindings: Vec<Binding>,
    /// The package name, in languages whose files declare it (Go).
    pub package: Option<Atom>,
    /// Doc comment of the file or package.
    pub doc: String,
    /// Whether the whole file is test code.
    pub is_test: bool,
    /// Whether the usual build (Linux, no tags) excludes the file. Definitions of other files take precedence over its
    /// own.
    pub is_build_excluded: bool,
    /// The lines of which the grammar made nothing, as first and last line of each run, from 1: syntax errors, or syntax
    /// that it does not know.
    pub unparsed: Vec<(u32, u32)>,
    /// The keys of the words on these lines, sorted.
    pub unparsed_names: Vec<NameKey>,
}

impl Outline {
    /// Returns the lines of `text` of which the grammar made nothing; none beyond it, whatever the runs say.
    pub fn unparsed_lines(&self, text: &str) -> impl Iterator<Item = u32> {
        let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        self.unparsed.iter().flat_map(move |(first, last)| *first..=(*last).min(count))
    }

    /// Returns the number of lines of which the grammar made nothing.
    pub fn unparsed_count(&self) -> u32 {
        self.unparsed.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Returns about how many bytes the outline takes in memory.
    pub fn bytes(&self) -> usize {
        let of_definition = |definition: &Definition| {
            let Definition { scope_names, signature, doc, type_parameters, parameters, returns, bases, .. } =
                definition;
            let lists = size_of_val(&scope_names[..])
                + size_of_val(&type_parameters[..])
                + size_of_val(&parameters[..])
                + size_of_val(&returns[..])
                + size_of_val(&bases[..]);
            size_of::<Definition>() + signature.len() + doc.len() + lists
        };
        let of_import = |import: &Import| size_of::<Import>() + size_of_val(&import.path[..]);
        size_of::<Outline>()
            + self.names.text.len()
            + size_of_val(&self.names.ends[..])
            + self.definitions.iter().map(of_definition).sum::<usize>()
            + size_of_val(&self.extensions[..])
            + self.imports.iter().map(of_import).sum::<usize>()
            + size_of_val(&self.bindings[..])
            + size_of_val(&self.unparsed_names[..])
    }

    /// Returns the unused capacity of the lists, which stay in memory as long as files are resolved.
    fn shrink(&mut self) {
        self.names.text.shrink_to_fit();
        self.names.ends.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.bindings.shrink_to_fit();
        for definition in &mut self.definitions {
            definition.signature.shrink_to_fit();
            definition.scope_names.shrink_to_fit();
            definition.parameters.shrink_to_fit();
        }
    }
}

/// The file's scopes, expressions and references.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Code {
    /// Scope 0 is the file's module level.
    pub scopes: Vec<Scope>,
    /// Bindings of the scopes below module level, sorted like [`Outline::bindings`].
    pub bindings: Vec<Binding>,
    pub expressions: Vec<Expr>,
    pub references: Vec<Reference>,
    pub signals: Vec<Signal>,
}

impl Code {
    /// Returns about how many bytes the code takes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.scopes[..])
            + size_of_val(&self.bindings[..])
            + size_of_val(&self.expressions[..])
            + size_of_val(&self.references[..])
            + size_of_val(&self.signals[..])
    }

    /// Returns the last name of an expression that names something: `c` of `a.b.c`, of `c<T>` and of `c(x)`.
    pub fn last_name(&self, expr: ExprId) -> Option<Atom> {
        match self.expressions.get(expr.0 as usize)? {
            Expr::Name(name) | Expr::Root(name) | Expr::Member { name, .. } => Some(*name),
            Expr::Apply { base, .. } | Expr::Call { callee: base, .. } | Expr::Instance(base) => self.last_name(*base),
            Expr::FirstOf(parts) => parts.last().and_then(|last| self.last_name(*last)),
            // A call that an operator or a statement implies has the name of its method. Other unions have no name.
            Expr::Union(parts) => match parts[..] {
                [only] if matches!(self.expressions.get(only.0 as usize), Some(Expr::FirstOf(_))) => {
                    self.last_name(only)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Code {
    /// Returns for each expression whether it, or a part of it, has a name that passes.
    pub fn with_name(&self, passes: impl Fn(Atom) -> bool) -> Vec<bool> {
        let mut found: Vec<bool> = Vec::with_capacity(self.expressions.len());
        for expr in &self.expressions {
            let mut has_name =
                matches!(expr, Expr::Name(name) | Expr::Root(name) | Expr::Member { name, .. } if passes(*name));
            // Children come before their parents.
            expr.for_each_child(&mut |child| has_name |= found.get(child.0 as usize).copied().unwrap_or(false));
            found.push(has_name);
        }
        found
    }
}

/// Words of the definitions' bodies, for search and similarity.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    /// One entry for each definition: the identifiers and string words of its own body without nested definitions,
    /// separated by spaces.
    pub bodies: Vec<String>,
}
