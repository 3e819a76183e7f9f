//! Tables that translate the ids of a tree-sitter grammar, so that a walk never compares strings.

/// Defines `Kind`, an enum of named node kinds, and `kind_table`, the kinds by the grammar's ids.
macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// A named node kind that the walk distinguishes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Kind { $($variant,)* Other }

        fn kind_table(language: &tree_sitter::Language) -> Vec<Kind> {
            let mut table = vec![Kind::Other; language.node_kind_count()];
            for id in 0..language.node_kind_count() as u16 {
                if language.node_kind_is_named(id) {
                    table[id as usize] = match language.node_kind_for_id(id) {
                        $(Some($name) => Kind::$variant,)*
                        _ => Kind::Other,
                    };
                }
            }
            table
        }
    };
}

/// Defines `Fields`, the ids of the grammar's fields, and `field_table`, which looks them up.
macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// Ids of the grammar's fields.
        pub(super) struct Fields { $(pub $field: u16,)* }

        fn field_table(language: &tree_sitter::Language) -> Fields {
            // A field that the grammar lacks gets id 0, which no child has.
            let id = |name: &str| language.field_id_for_name(name).map_or(0, |id| id.get());
            Fields { $($field: id($name),)* }
        }
    };
}

pub(super) use {fields, kinds};
