//! The hooks by their names in `python.scm`.

use super::{calls, definitions, imports, patterns, statements, type_aliases, types, values, variables};
use crate::lang::common::Hook;

/// Each hook with its name.
pub const HOOKS: &[(&str, Hook)] = &[
    ("alias", type_aliases::type_alias),
    ("application", types::application),
    ("assignment", variables::assignment),
    ("attribute", values::attribute),
    ("augmented", variables::augmented_assignment),
    ("call", calls::call),
    ("comparison", values::comparison),
    ("comprehension", values::comprehension),
    ("conditional", values::conditional),
    ("definition", definitions::definition),
    ("delete", statements::delete),
    ("dotted", types::dotted_type),
    ("except", statements::except),
    ("for", statements::loop_over),
    ("for_in", values::for_in),
    ("from", imports::import_from),
    ("if_in", values::if_in),
    ("import", imports::import),
    ("match", patterns::match_statement),
    ("name", types::type_name),
    ("operator", values::operator),
    ("outer", statements::outer_names),
    ("quoted", types::quoted),
    ("raise", statements::raise),
    ("statement", statements::expression_statement),
    ("string", values::string),
    ("subscript", values::subscript),
    ("unary", values::unary),
    ("value", types::value),
    ("with", statements::with_item),
    ("yield", values::yield_value),
];
