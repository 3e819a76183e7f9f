//! Everything the program knows of words: classes of all layers, thesaurus, word lists; its own, the user's and the
//! repository's, loaded once.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use etcetera::BaseStrategy;
use serde::de::DeserializeOwned;

use crate::rank::keywords::WordLists;
use crate::vocab::class::{Class, Layer, Scope, layer_of};
use crate::vocab::files::{SeedText, Trust, read_folder};
use crate::vocab::matching::{self, Fired, stems};
use crate::vocab::profile::{Profile, Standing};
use crate::vocab::seed_file::{self, Problem, SeedFile};
use crate::vocab::thesaurus::Thesaurus;
use crate::vocab::word_file::{ThesaurusFile, WordsFile};
use crate::vocab::words;

/// Classes that one task fires, at most; the program's own fire a dozen.
const MOST_FIRED: usize = 100;
/// Files of these names hold words, not classes.
const WORDS: &str = "words.toml";
const THESAURUS: &str = "thesaurus.toml";
/// Where a repository keeps its own seeds.
const REPOSITORY_FOLDER: &str = ".knowing/seeds";

/// The vocabulary that one repository is ranked with.
#[derive(Debug)]
pub struct Vocabulary {
    /// In the order of the files; a nearer file's class has replaced one of the same concept.
    classes: Vec<Class>,
    scopes: Vec<Scope>,
    problems: Vec<Problem>,
    thesaurus: Thesaurus,
    words: WordLists,
}

/// What the build script made of `seeds/`.
type Embedded = (Vec<SeedFile>, WordsFile, ThesaurusFile);

fn embedded() -> Embedded {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/seeds.bin"));
    postcard::from_bytes(bytes).expect("the build script wrote these very types")
}

impl Vocabulary {
    /// The program's own vocabulary.
    pub fn embedded() -> Arc<Vocabulary> {
        static OWN: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| Arc::new(Builder::default().build()));
        Arc::clone(&OWN)
    }

    /// The program's own vocabulary with the user's and that of the repository at `root`. What can't be used of those
    /// is left out and told of in [`Vocabulary::problems`].
    pub fn of_repository(root: &Path) -> Arc<Vocabulary> {
        let user = etcetera::choose_base_strategy().ok().map(|places| places.config_dir().join("knowing/seeds"));
        let user = user.map(|folder| read_folder(&folder, &folder.display().to_string(), Trust::User));
        // A link in place of the folder would have another repository's files, or anyone's, read.
        let is_link = std::fs::symlink_metadata(root.join(".knowing")).is_ok_and(|metadata| metadata.is_symlink());
        let own = (!is_link).then(|| read_folder(&root.join(REPOSITORY_FOLDER), REPOSITORY_FOLDER, Trust::Repository));
        Vocabulary::with(user.unwrap_or_default(), own.unwrap_or_default())
    }

    /// The program's own vocabulary with the files of a user and of a repository.
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

    /// Every class, in the order of the layers' files.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// For which repositories a class is.
    pub fn scope(&self, class: &Class) -> &Scope {
        &self.scopes[class.scope]
    }

    /// What was wrong with the user's and the repository's files.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Near-synonyms.
    pub fn thesaurus(&self) -> &Thesaurus {
        &self.thesaurus
    }

    /// Stop words, verbs, abbreviations, words about tests.
    pub fn words(&self) -> &WordLists {
        &self.words
    }

    /// The classes that a task speaks of and that are for a repository of this profile, with what their framework is to
    /// it; those that count most first, and no more than a task can mean.
    pub fn fired(&self, task: &str, profile: &Profile) -> Vec<(Fired<'_>, Standing)> {
        let all = matching::fired(task, &self.classes);
        let standing = |fired: &Fired<'_>| profile.standing(self.scope(fired.class));
        let here = all.into_iter().filter_map(|fired| standing(&fired).map(|standing| (fired, standing)));
        here.take(MOST_FIRED).collect()
    }
}

/// What [`read_folder`] gives.
type FolderRead = (Vec<SeedText>, Vec<Problem>);

/// Puts a vocabulary together, file by file.
struct Builder {
    classes: Vec<Class>,
    scopes: Vec<Scope>,
    problems: Vec<Problem>,
    words: WordsFile,
    clusters: Vec<Vec<String>>,
}

impl Default for Builder {
    /// What is embedded.
    fn default() -> Builder {
        let (files, words, thesaurus) = embedded();
        let clusters = thesaurus.clusters;
        let mut builder = Builder { classes: Vec::new(), scopes: Vec::new(), problems: Vec::new(), words, clusters };
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
                if let Some(words) = self.read::<WordsFile>(&path, &text) {
                    self.words.extend(words);
                }
            }
            THESAURUS => {
                if let Some(thesaurus) = self.read::<ThesaurusFile>(&path, &text) {
                    self.clusters.extend(thesaurus.clusters);
                }
            }
            _ => {
                let (file, problems) = seed_file::parse(&path, &text, &stems);
                self.problems.extend(problems);
                let of_classes = file.classes.iter().map(|entry| &entry.concept);
                let gone: HashSet<&String> = file.disable.iter().chain(of_classes).collect();
                self.classes.retain(|known| !gone.contains(&known.entry.concept));
                let layer = if is_repository { Layer::Repository } else { layer_of(&file) };
                self.add_file(file, layer);
            }
        }
    }

    fn read<T: DeserializeOwned>(&mut self, path: &str, text: &str) -> Option<T> {
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
        let SeedFile { path, name, language, packages, classes, .. } = file;
        let scope = self.scopes.len();
        self.scopes.push(Scope { name, language, packages });
        self.classes.extend(classes.into_iter().map(|entry| Class { layer, scope, path: path.clone(), entry }));
    }

    fn build(self) -> Vocabulary {
        Vocabulary {
            classes: self.classes,
            scopes: self.scopes,
            problems: self.problems,
            thesaurus: Thesaurus::new(self.clusters),
            words: words::lists(&self.words),
        }
    }
}
