//! The vocabulary of a repository: concepts of all layers and word lists, from the embedded files, the user's
//! and the repository's.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::concept::{Concept, Layer, Scope, layer_of};
use super::files::{SeedText, Trust, read_folder};
use super::matching::{self, ConceptMatch, stems};
use super::profile::{FrameworkUse, Profile};
use super::seed_file::{self, Problem, SeedFile};
use super::word_file::WordsFile;
use super::words::{self, WordLists};
use crate::user_dirs;

/// Limit of the matches of one task; with the embedded concepts a task has about a dozen.
const MAX_MATCHES: usize = 100;
/// Name of the files that have word lists instead of concepts.
const WORDS: &str = "words.toml";
/// Folder of a repository's own seeds.
const REPOSITORY_FOLDER: &str = ".knowing/seeds";

/// The vocabulary of one repository.
#[derive(Debug)]
pub struct Vocabulary {
    /// In the order of the files. A repository's concept replaces a user's of the same name, which replaces an embedded
    /// one.
    concepts: Vec<Concept>,
    scopes: Vec<Scope>,
    problems: Vec<Problem>,
    words: WordLists,
}

/// The content of `seeds/` as the build script writes it.
type Embedded = (Vec<SeedFile>, WordsFile);

fn embedded() -> Embedded {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/seeds.bin"));
    postcard::from_bytes(bytes).expect("the build script wrote these very types")
}

impl Vocabulary {
    /// Returns the embedded vocabulary.
    pub fn embedded() -> Arc<Vocabulary> {
        static OWN: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| Arc::new(Builder::default().build()));
        Arc::clone(&OWN)
    }

    /// Loads the embedded vocabulary with the files of the user and of the repository at `root`. Invalid concepts are
    /// skipped and reported by [`Vocabulary::problems`].
    pub fn for_repository(root: &Path) -> Arc<Vocabulary> {
        let user = user_dirs::config().map(|folder| folder.join("seeds"));
        let user = user.map(|folder| read_folder(&folder, &folder.display().to_string(), Trust::User));
        // A symlink instead of the folder could point to any folder of the user.
        let is_link = std::fs::symlink_metadata(root.join(".knowing")).is_ok_and(|metadata| metadata.is_symlink());
        let own = (!is_link).then(|| read_folder(&root.join(REPOSITORY_FOLDER), REPOSITORY_FOLDER, Trust::Repository));
        Vocabulary::with(user.unwrap_or_default(), own.unwrap_or_default())
    }

    /// Returns the embedded vocabulary with the files of a user and of a repository.
    fn with((user, of_user): FolderRead, (own, of_own): FolderRead) -> Arc<Vocabulary> {
        if user.is_empty() && own.is_empty() && of_user.is_empty() && of_own.is_empty() {
            return Vocabulary::embedded();
        }
        let mut builder = Builder::default();
        builder.problems.extend(of_user);
        builder.problems.extend(of_own);
        user.into_iter().for_each(|text| builder.add_text(text, false));
        own.into_iter().for_each(|text| builder.add_text(text, true));
        Arc::new(builder.build())
    }

    #[cfg(test)]
    pub(super) fn with_files(user: Vec<SeedText>, own: Vec<SeedText>) -> Arc<Vocabulary> {
        Vocabulary::with((user, Vec::new()), (own, Vec::new()))
    }

    /// Returns every concept, in the order of the files.
    pub fn concepts(&self) -> &[Concept] {
        &self.concepts
    }

    /// Returns the repositories that a concept applies to.
    pub fn scope(&self, concept: &Concept) -> &Scope {
        &self.scopes[concept.scope]
    }

    /// Returns the problems of the user's and the repository's files.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the word lists of query analysis.
    pub fn words(&self) -> &WordLists {
        &self.words
    }

    /// Matches a task's concepts that apply to a repository of this profile, with the repository's use of their
    /// framework. Those of the greatest weight come first; at most [`MAX_MATCHES`].
    pub fn matches(&self, task: &str, profile: &Profile) -> Vec<(ConceptMatch<'_>, FrameworkUse)> {
        let uses: Vec<Option<FrameworkUse>> = self.scopes.iter().map(|scope| profile.framework_use(scope)).collect();
        let applicable = self.concepts.iter().filter(|concept| uses[concept.scope].is_some());
        let found = matching::matches(task, applicable).into_iter();
        let applicable = found.filter_map(|matched| {
            let framework_use = uses[matched.concept.scope]?;
            Some((matched, framework_use))
        });
        applicable.take(MAX_MATCHES).collect()
    }
}

/// Result of [`read_folder`].
type FolderRead = (Vec<SeedText>, Vec<Problem>);

/// Builds a vocabulary file by file.
struct Builder {
    concepts: Vec<Concept>,
    scopes: Vec<Scope>,
    problems: Vec<Problem>,
    words: WordsFile,
}

impl Default for Builder {
    /// Begins with the embedded files.
    fn default() -> Builder {
        let (files, words) = embedded();
        let mut builder = Builder { concepts: Vec::new(), scopes: Vec::new(), problems: Vec::new(), words };
        for file in files {
            let layer = layer_of(&file);
            builder.add_file(file, layer);
        }
        builder
    }
}

impl Builder {
    fn add_text(&mut self, SeedText { path, text }: SeedText, is_repository: bool) {
        match path.rsplit('/').next().unwrap_or_default() {
            WORDS => {
                if let Some(words) = self.read(&path, &text) {
                    self.words.extend(words);
                }
            }
            _ => {
                let (file, problems) = seed_file::parse(&path, &text, &stems);
                self.problems.extend(problems);
                let replaced = file.concepts.iter().map(|entry| &entry.concept);
                let removed: HashSet<&String> = file.disable.iter().chain(replaced).collect();
                self.concepts.retain(|known| !removed.contains(&known.entry.concept));
                let layer = if is_repository { Layer::Repository } else { layer_of(&file) };
                self.add_file(file, layer);
            }
        }
    }

    fn read(&mut self, path: &str, text: &str) -> Option<WordsFile> {
        match toml::from_str(text) {
            Ok(value) => Some(value),
            Err(error) => {
                let before = |start: usize| text.bytes().take(start).filter(|byte| *byte == b'\n').count();
                let line = error.span().map_or(0, |span| 1 + before(span.start) as u32);
                self.problems.push(Problem { path: path.to_owned(), line, message: error.message().to_owned() });
                None
            }
        }
    }

    fn add_file(&mut self, file: SeedFile, layer: Layer) {
        let SeedFile { path, name, language, packages, concepts, .. } = file;
        let scope = self.scopes.len();
        self.scopes.push(Scope { name, language, packages });
        self.concepts.extend(concepts.into_iter().map(|entry| Concept { layer, scope, path: path.clone(), entry }));
    }

    fn build(self) -> Vocabulary {
        Vocabulary {
            concepts: self.concepts,
            scopes: self.scopes,
            problems: self.problems,
            words: words::lists(&self.words),
        }
    }
}
