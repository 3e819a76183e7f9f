//! The hooks by their names in `python.scm`.

use super::{calls, definitions, imports, patterns, statements, type_aliases, types, values, variables};
use crate::lang::common::Hook;

/// Each hook with its name.
pub const HOOKS: &[(&str, Hook)] = &[
    ("alias", type_aliases::type_alias),
    ("application", types::application),
    ("assert", statements::assert),
    ("assignment", variables::assignment),
    ("attribute", values::attribute),
    ("augmented", variables::augmented_assignment),
    ("boolean", values::boolean),
    ("call", calls::call),
    ("class", definitions::class),
    ("comprehension", values::comprehension),
    ("conditional", values::conditional),
    ("decorated", definitions::decorated),
    ("dictionary", values::dictionary),
    ("dotted", types::dotted_type),
    ("except", statements::except),
    ("for", statements::for_loop),
    ("for_in", values::for_in),
    ("from", imports::import_from),
    ("function", definitions::function),
    ("global", statements::global),
    ("if_in", values::if_in),
    ("import", imports::import),
    ("match", patterns::match_statement),
    ("name", types::type_name),
    ("named", variables::named_expression),
    ("nonlocal", statements::nonlocal),
    ("operator", values::operator),
    ("quoted", types::quoted),
    ("raise", statements::raise),
    ("statement", statements::expression_statement),
    ("string", values::string),
    ("subscript", values::subscript),
    ("try", statements::try_statement),
    ("value", types::value),
    ("with", statements::with_item),
    ("yield", values::yield_value),
];
