//! The dialect of Rust, and the entry point of extraction.

use std::sync::LazyLock;

use super::{attributes, calls, imports, items, lexicon, macros, paths, patterns, values};
use crate::facts::{FileFacts, ScopeId, ScopeKind};
use crate::lang::SourceFile;
use crate::lang::common::options::Options;
use crate::lang::common::patterns::Patterns;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Dialect, Hook, Words, extract_with};

/// The hooks by their names in `rust.scm`.
const HOOKS: &[(&str, Hook)] = &[
    ("assign", values::assignment),
    ("attribute", attributes::attribute),
    ("binary", values::binary),
    ("block", values::type_block),
    ("break", values::break_value),
    ("call", calls::call),
    ("constant", items::constant),
    ("extern_crate", imports::extern_crate),
    ("field", values::field_value),
    ("for", values::for_loop),
    ("function", items::function),
    ("generic_function", calls::generic_function),
    ("implementation", items::implementation),
    ("index", values::index),
    ("let", values::let_binding),
    ("loop", values::loop_value),
    ("macro", macros::macro_call),
    ("macro_definition", items::macro_definition),
    ("match", values::match_value),
    ("module", items::module),
    ("name", paths::name),
    ("number", values::number),
    ("path", paths::path),
    ("statement", values::statement),
    ("string", values::string),
    ("struct", values::struct_literal),
    ("trait", items::trait_item),
    ("tuple_fields", items::tuple_fields),
    ("unary", values::unary),
    ("use", imports::use_item),
    ("variant", items::variant),
];

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| Patterns::read(include_str!("rust.scm"), &tree_sitter_rust::LANGUAGE.into(), HOOKS)),
    lexicon: lexicon::LEXICON,
    is_test_file,
    test_decorators: &[],
    modifier: |modifier, flags| flags.is_async |= modifier == "async",
    traits: &super::TRAITS,
    words: Words::Written,
    flow: None,
    options: Options {
        enter_lambda: None,
        calls_values: None,
        depends_on_call: |_, _| false,
        callee: |function| function,
        parameter: None,
        destructure: Some(patterns::pattern),
        marks_called_members: true,
        raw_prefix: "r#",
        doc: Some(attributes::doc),
        flags: attributes::flags,
        signature: attributes::signature,
        piece: lexicon::piece,
        has_keywords_in_strings: true,
    },
    on_call: None,
    on_end: Some(|walker| {
        walker.exclude_headers();
        add_self_to_docs(walker);
    }),
};

/// Returns the facts of one Rust file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    extract_with(file, &DIALECT, |walker: &mut Walker<'_>, root| {
        let mut doc = String::new();
        for node in walker.all_children(root) {
            let text = walker.text_of(node);
            if node.is_extra() {
                attributes::push_doc_comment(text, ["//!", "/*!"], &mut doc);
            } else if node.kind() == "inner_attribute_item" && attributes::is_test_attribute(text) {
                walker.facts.mark_test_file();
                walker.is_test = true;
            }
        }
        walker.facts.set_file_doc(doc);
    })
}

/// Puts the docs of types into the scopes of their members, where `Self` is the type.
fn add_self_to_docs(walker: &mut Walker<'_>) {
    let scopes = (0..).map(ScopeId).zip(walker.facts.scopes());
    let bodies = scopes.filter(|(_, scope)| scope.kind == ScopeKind::Type);
    let bodies: Vec<_> = bodies.filter_map(|(id, scope)| Some((id, scope.definition?))).collect();
    for (scope, id) in bodies {
        walker.facts.definition_mut(id).scope = scope;
    }
}

/// Returns whether a file is built for tests and benchmarks only, by Cargo's conventions, or has a module's tests.
fn is_test_file(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    matches!(name, "tests.rs" | "test.rs") || parts.any(|folder| matches!(folder, "tests" | "benches"))
}
