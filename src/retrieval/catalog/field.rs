//! The fields of a catalog: where a repository has a word.

/// Number of fields.
pub(super) const FIELDS: usize = 9;

/// The number of symbols, or of texts, that have a term in each field.
pub(super) type Counts = [u32; FIELDS];

/// A part of a repository that has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The repository's name, and the packages that it defines.
    Package,
    /// Names of definitions.
    Name,
    /// Names of folders and files.
    Path,
    Readme,
    /// Comments of definitions.
    Doc,
    Signature,
    /// Names and texts within definitions.
    Body,
    /// Packages that it requires or imports.
    Requirement,
    /// Phrases of the concepts whose symbols it has.
    Concept,
}

impl Field {
    /// Every field, in the order of [`Counts`].
    pub(super) const ALL: [Field; FIELDS] = [
        Field::Package,
        Field::Name,
        Field::Path,
        Field::Readme,
        Field::Doc,
        Field::Signature,
        Field::Body,
        Field::Requirement,
        Field::Concept,
    ];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Field::Package => "package",
            Field::Name => "name",
            Field::Path => "path",
            Field::Readme => "readme",
            Field::Doc => "comment",
            Field::Signature => "signature",
            Field::Body => "body",
            Field::Requirement => "requirement",
            Field::Concept => "concept",
        }
    }
}

/// Returns the set of the fields that have a term, one bit each.
pub(super) fn fields_of(counts: &Counts) -> u32 {
    (0..FIELDS).filter(|field| counts[*field] > 0).fold(0, |set, field| set | 1 << field)
}
