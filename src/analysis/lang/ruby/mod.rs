//! Ruby: a pattern file, and the code for what no pattern can say.
//!
//! - `ruby.scm` says what each kind of node means; [`hooks`] has definitions and expressions; [`calls`] has calls, and
//!   [`declarations`] those that define something (`attr_reader :name`, `it "adds" do`);
//!   [`associations`] has what Active Record adds to models, [`tables`] the columns of their tables.
//! - [`erb`] reads views.
//! - [`rules`] resolves names across files; [`core_methods`] lists the methods that every program has.
//! - [`manifests`] reads Gemfiles and gemspecs; [`test_runner`] has the commands of RSpec and minitest.

mod associations;
mod calls;
mod core_methods;
mod declarations;
mod erb;
mod frameworks;
mod hooks;
mod manifests;
mod routes;
mod rules;
mod tables;
mod test_runner;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::common::lexicon::{DocStyle, Lexicon};
use super::common::options::Options;
use super::common::patterns::Patterns;
use super::common::{self, Dialect, Words};
use super::manifest::ManifestFormat;
use super::{Exclusions, Language, SourceFile};
use crate::facts::FileFacts;
use crate::resolve::rules::Traits;
use crate::text::file_name;

/// Ruby's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["builder", "erb", "gemspec", "jbuilder", "rake", "rb", "ru"],
    file_names: &[
        "Appraisals",
        "Berksfile",
        "Brewfile",
        "Capfile",
        "Dangerfile",
        "Fastfile",
        "Gemfile",
        "Guardfile",
        "Podfile",
        "Rakefile",
        "Steepfile",
        "Thorfile",
        "Vagrantfile",
    ],
    interpreters: &["jruby", "ruby"],
    masked: erb::masked,
    manifests: &[
        ManifestFormat { name: "Gemfile", names_modules: false, packages: Some(manifests::read_gems) },
        ManifestFormat { name: "gems.rb", names_modules: false, packages: Some(manifests::read_gems) },
        ManifestFormat { name: "*.gemspec", names_modules: false, packages: Some(manifests::read_gems) },
    ],
    exclusions: Exclusions { vendored_folders: &["vendor"], generated_endings: &["_pb.rb"], ..Exclusions::NONE },
    test_runner: test_runner::RUNNER,
    test_support_files: &["rails_helper.rb", "spec_helper.rb", "test_helper.rb"],
    ..Language::new(NAME, |_| tree_sitter_ruby::LANGUAGE.into(), extract, &rules::RubyRules)
};

/// Facts about the language that need no code.
pub const TRAITS: Traits = Traits {
    has_overloads: true,
    assignments_declare: true,
    returns_last_value: true,
    members_are_in_scope: true,
    types_are_open: true,
    separates_static_members: true,
    constructor: Some("initialize"),
    ..Traits::COMMON
};

/// The language's name in the registry and in the module table.
const NAME: &str = "ruby";

/// Path of the module that has the names of all files. No file has it.
const GLOBAL: &str = "::";

static DIALECT: Dialect = Dialect {
    patterns: LazyLock::new(|| {
        Patterns::read(include_str!("ruby.scm"), &tree_sitter_ruby::LANGUAGE.into(), hooks::HOOKS)
    }),
    lexicon: Lexicon {
        line_comments: &["#"],
        block_comments: &[("\n=begin", "\n=end")],
        quotes: &[],
        long_quotes: &["\"", "'", "`"],
        raw_quotes: &[],
        keywords: &[
            "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined", "do", "else", "elsif",
            "end", "ensure", "false", "for", "if", "in", "module", "next", "nil", "not", "or", "redo", "rescue",
            "retry", "return", "self", "super", "then", "true", "undef", "unless", "until", "when", "while", "yield",
        ],
        docs: DocStyle::TAGS,
    },
    is_test_file,
    test_decorators: &[],
    modifier: |_, _| {},
    traits: &TRAITS,
    words: Words::Written,
    flow: None,
    options: Options::DEFAULT,
    on_call: None,
    on_end: None,
};

/// Extracts the facts of a file. Of a view, it reads the code in the tags.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let code = erb::masked(file.path, file.text);
    let text = code.as_deref().unwrap_or(file.text);
    common::extract_with(&SourceFile { text, ..*file }, &DIALECT, |walker, _| {
        walker.state::<hooks::FileState>().view = erb::class_of_view(file.path);
    })
}

/// Returns whether a file is test code, by the folders and names of minitest and RSpec.
fn is_test_file(path: &str) -> bool {
    let name = file_name(path);
    path.rsplit('/').skip(1).any(|folder| matches!(folder, "test" | "tests" | "spec" | "features"))
        || name.ends_with("_test.rb")
        || name.ends_with("_spec.rb")
}
