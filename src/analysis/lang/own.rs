//! Languages that the user's settings add, each with a grammar in a shared library and a query. They are registered once,
//! when the program starts, and come before those of the program.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;
use thiserror::Error;
#[cfg(feature = "rare-grammars")]
use tree_sitter_loader::{CompileConfig, Loader, LoaderError};

use super::{Language, SourceFile};
use crate::facts::FileFacts;
#[cfg(feature = "rare-grammars")]
use crate::text::file_name;

/// The versions of the tables of grammars that the parser can read.
const KNOWN_VERSIONS: RangeInclusive<usize> =
    tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION;

/// A language as the settings describe it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, such as [[language]]")]
pub struct OwnSetting {
    pub name: String,
    /// Extensions of its files, without the dot.
    pub endings: Vec<String>,
    /// A shared library, or the folder of a grammar with its `src/parser.c`.
    pub grammar: PathBuf,
    /// The name of the library's function, if it is not `tree_sitter_` and the name.
    pub symbol: Option<String>,
    /// The query of a tagged language.
    pub query: PathBuf,
    /// Beginnings of its comments (`//`), or beginnings and ends (`/* */`).
    #[serde(default)]
    pub comments: Vec<String>,
}

/// The reason why a language of the settings is not read.
#[derive(Debug, Error)]
pub enum OwnProblem {
    #[error("{} can't be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("the grammar in {} can't be compiled, for which a C compiler and `src/parser.c` are needed: {detail}", path.display())]
    NotCompiled { path: PathBuf, detail: String },
    #[error("{} can't be loaded as a library of this system: {detail}", path.display())]
    NotLoaded { path: PathBuf, detail: String },
    #[error("{} has no function `tree_sitter_{symbol}`; set `symbol` to the name of its grammar", path.display())]
    NoFunction { path: PathBuf, symbol: String },
    #[error(
        "the grammar of {} has version {version}, and {} to {} can be read; generate it with a tree-sitter of about that age",
        path.display(), KNOWN_VERSIONS.start(), KNOWN_VERSIONS.end()
    )]
    Version { path: PathBuf, version: usize },
    #[error("{}: {problem}", path.display())]
    Query { path: PathBuf, problem: String },
    #[error("this program was built without queries: rebuild it with --features rare-grammars, or install a release")]
    OtherBuild,
}

/// A language of the settings.
pub struct OwnLanguage {
    pub language: &'static Language,
    pub grammar: tree_sitter::Language,
    pub extract: Extract,
    /// A value that changes with the grammar, the query and the settings.
    pub version: String,
}

/// Extracts the facts of a file.
pub type Extract = Box<dyn Fn(&SourceFile<'_>) -> FileFacts + Send + Sync>;

/// The languages, and the reasons why others of the settings are not read.
static REGISTERED: OnceLock<(Vec<OwnLanguage>, Vec<String>)> = OnceLock::new();

/// Registers the languages of the settings. Only the first call of a process has an effect: stored files have their names.
pub fn register(languages: Vec<OwnLanguage>, problems: Vec<String>) {
    let _ = REGISTERED.set((languages, problems));
}

/// Returns the languages of the settings.
pub fn languages() -> impl Iterator<Item = &'static Language> + Clone {
    registered().iter().map(|own| own.language)
}

/// Returns why languages of the settings are not read.
pub fn problems() -> &'static [String] {
    REGISTERED.get().map_or(&[], |(_, problems)| problems)
}

/// Returns the versions of the languages of these files that are of the settings; empty without any.
pub fn versions<'a>(used: impl Iterator<Item = &'a Language> + Clone) -> String {
    let is_used = |own: &&OwnLanguage| used.clone().any(|language| std::ptr::eq(language, own.language));
    registered().iter().filter(is_used).map(|own| own.version.as_str()).collect::<Vec<&str>>().join(" ")
}

/// Returns the language of the settings whose files have this extension.
pub(super) fn of_extension(extension: &str) -> Option<&'static OwnLanguage> {
    registered().iter().find(|own| own.language.extensions.contains(&extension))
}

fn registered() -> &'static [OwnLanguage] {
    REGISTERED.get().map_or(&[], |(languages, _)| languages)
}

/// Loads the grammar of a language with the text of its query, and returns the library that the grammar is in. A folder's
/// grammar is compiled into `cache` if it is newer than what is there.
///
/// # Errors
/// With what is wrong, and the way out.
#[cfg(feature = "rare-grammars")]
pub fn load(setting: &OwnSetting, query: &str, cache: &Path) -> Result<(OwnLanguage, PathBuf), OwnProblem> {
    let (grammar, library) = load_grammar(setting, cache)?;
    let in_query = |problem| OwnProblem::Query { path: setting.query.clone(), problem };
    let extract = super::tags::extractor(&grammar, query, &setting.comments).map_err(in_query)?;
    let version = blake3::hash(format!("{setting:?} {query}").as_bytes()).to_hex().to_string();
    Ok((OwnLanguage { language: entry(setting), grammar, extract, version }, library))
}

/// Languages of the settings are read by queries, which this build has no code for.
///
/// # Errors
/// Always.
#[cfg(not(feature = "rare-grammars"))]
pub fn load(_: &OwnSetting, _: &str, _: &Path) -> Result<(OwnLanguage, PathBuf), OwnProblem> {
    Err(OwnProblem::OtherBuild)
}

/// Returns the entry of a language in the registry, which lasts as long as the process.
#[cfg(feature = "rare-grammars")]
fn entry(setting: &OwnSetting) -> &'static Language {
    let name: &'static str = setting.name.clone().leak();
    let endings: Vec<&'static str> = setting.endings.iter().map(|ending| &*ending.clone().leak()).collect();
    Box::leak(Box::new(Language {
        extensions: endings.leak(),
        ..Language::new(
            name,
            |extension| of_extension(extension).expect("its extension is registered").grammar.clone(),
            |file| {
                let extension = file_name(file.path).rsplit_once('.').map_or("", |(_, extension)| extension);
                of_extension(extension).map_or_else(FileFacts::default, |own| (own.extract)(file))
            },
            super::tags::own_rules(name),
        )
    }))
}

/// Returns a grammar, and the library that it is in.
#[cfg(feature = "rare-grammars")]
fn load_grammar(setting: &OwnSetting, cache: &Path) -> Result<(tree_sitter::Language, PathBuf), OwnProblem> {
    let path = setting.grammar.clone();
    let kind = path.metadata().map_err(|error| OwnProblem::Unreadable { path: path.clone(), error })?;
    if !kind.is_dir() && !kind.is_file() {
        return Err(OwnProblem::Unreadable { path, error: std::io::Error::other("it is not a regular file") });
    }
    let symbol = setting.symbol.clone().unwrap_or_else(|| setting.name.replace('-', "_"));
    let (grammar, library) = if kind.is_dir() {
        // Folders with grammars of one name have a library each.
        let folder = cache.join("grammars").join(&blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex()[..16]);
        let library = folder.join(&symbol).with_extension(std::env::consts::DLL_EXTENSION);
        let source = path.join("src");
        let mut config = CompileConfig::new(&source, None, None);
        config.name = symbol.clone();
        (Loader::with_parser_lib_path(folder).load_language_at_path_with_name(config), library)
    } else {
        (Loader::load_language(&path, &format!("tree_sitter_{symbol}")), path.clone())
    };
    let grammar = grammar.map_err(|error| match error {
        LoaderError::Symbol(_) => OwnProblem::NoFunction { path: path.clone(), symbol },
        LoaderError::Compilation(_, detail) => {
            OwnProblem::NotCompiled { path: path.clone(), detail: first_line(&detail) }
        }
        LoaderError::Compiler(error) => OwnProblem::NotCompiled { path: path.clone(), detail: error.error.to_string() },
        LoaderError::Library(error) => OwnProblem::NotLoaded { path: path.clone(), detail: error.error.to_string() },
        other => OwnProblem::NotLoaded { path: path.clone(), detail: first_line(&other.to_string()) },
    })?;
    match grammar.abi_version() {
        version if KNOWN_VERSIONS.contains(&version) => Ok((grammar, library)),
        version => Err(OwnProblem::Version { path, version }),
    }
}

/// Returns the first line with an error of the output of a compiler.
#[cfg(feature = "rare-grammars")]
fn first_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next().unwrap_or_default();
    lines.find(|line| line.contains("error")).unwrap_or(first).trim().to_owned()
}
