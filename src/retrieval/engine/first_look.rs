//! A first look: answers before the first index of a large repository is built, from an index of the files that a request seems to
//! be about.
//!
//! The files are chosen by the words of the request, in paths and contents, with the weights of BM25 (Robertson and Zaragoza,
//! *The Probabilistic Relevance Framework*, 2009). Their index is temporary and is ranked as any other, so that answers have
//! reasons and edges; those to and from other files are missing.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use regex::bytes::{Regex, RegexBuilder};

use super::{Engine, EngineError, Ranker, Reader};
use crate::index::index_part;
use crate::model::Request;
use crate::query::{keywords_with_verbs, locations};
use crate::scan::changes::changed_paths;
use crate::scan::discover::{Discovery, discover};
use crate::scan::read::read_inside;
use crate::temporary::TemporaryFolder;
use crate::text::display::thousands;
use crate::text::{file_name, parent_dir};

/// Size of the source from which on the first index takes longer than one waits for an answer, in bytes.
const LARGE_BYTES: u64 = 32 << 20;
/// Limits of what is indexed. One and a half megabytes take two cores about a second.
const MAX_BYTES: u64 = 3 << 19;
const MAX_FILES: usize = 400;
/// A file that is larger than this is only chosen if the request names it.
const MAX_FILE_BYTES: u64 = MAX_BYTES / 4;
/// Time to search in contents. A file that is not read by then is chosen by its path.
const SEARCH_TIME: Duration = Duration::from_millis(700);
/// Limit of the terms that are searched, those of the greatest weight.
const MAX_TERMS: usize = 48;
/// The lengths of terms that are searched.
const TERM_CHARS: RangeInclusive<usize> = 3..=80;
/// The occurrences in the content for which one in the path counts.
const PATH_OCCURRENCES: u32 = 8;
/// The parameters of BM25 at their usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The files that the first index of a repository will have.
pub struct Survey {
    engine: Engine,
    discovery: Discovery,
}

/// A ranker of a part of the files.
pub struct FirstLook {
    pub ranker: Ranker,
    /// The number of its files, and of all.
    pub files: usize,
    pub of: usize,
}

impl FirstLook {
    /// Returns a sentence about what was read.
    pub fn notice(&self) -> String {
        let (files, of) = (thousands(self.files), thousands(self.of));
        format!("from {files} of {of} files, those that the request points to, while the first index is built")
    }
}

impl Engine {
    /// Lists the files of the repository without reading them.
    pub fn survey(&self) -> Survey {
        Survey { engine: self.clone(), discovery: discover(self.root()) }
    }
}

impl Survey {
    /// Returns whether the first index takes long enough for a first look.
    pub fn is_large(&self) -> bool {
        self.discovery.files.iter().map(|file| file.size).sum::<u64>() > LARGE_BYTES
    }

    /// Indexes the files that a request seems to be about, in about two seconds, and loads the index. It is deleted with the
    /// ranker.
    ///
    /// # Errors
    /// When a temporary database can't be written, or the request's base is unknown.
    pub fn first_look(&self, request: &Request) -> Result<FirstLook, EngineError> {
        let root = self.engine.root();
        let (named, text) = match request {
            Request::Task(text) => (locations(text).into_iter().map(|location| location.path).collect(), text.clone()),
            Request::Files(files) => {
                let names = files.iter().map(|file| file_name(file).split('.').next().unwrap_or_default());
                (files.clone(), names.collect::<Vec<_>>().join(" "))
            }
            Request::PullRequest(base) => (changed_paths(root, base)?, String::new()),
        };
        let chosen = self.choose(&named, &text)?;
        let folder = TemporaryFolder::new("first-look")
            .map_err(|cause| EngineError::Folder { path: std::env::temp_dir(), cause })?;
        let database = folder.path().join("graph.db");
        index_part(&self.engine.repository, &self.part(&chosen), &database)?;
        let mut ranker = Ranker::new(Reader::open(&database)?, root.to_owned())?;
        ranker.keep(folder);
        Ok(FirstLook { ranker, files: chosen.len(), of: self.discovery.files.len() })
    }

    /// Returns some files and the manifests of their folders.
    fn part(&self, chosen: &[usize]) -> Discovery {
        let files: Vec<_> = chosen.iter().map(|&index| self.discovery.files[index].clone()).collect();
        let is_around = |manifest: &str| {
            let folder = parent_dir(manifest);
            folder.is_empty() || files.iter().any(|file| Path::new(&file.path).starts_with(folder))
        };
        let manifests = self.discovery.manifests.iter().filter(|manifest| is_around(&manifest.path)).cloned().collect();
        Discovery { files, manifests, settings: self.discovery.settings.clone(), ..Discovery::default() }
    }

    /// Returns the indexes of the files that are named, of those that have the words of a text, the best first, and without any
    /// of the last changed ones; then in the order of their paths.
    fn choose(&self, named: &[String], text: &str) -> Result<Vec<usize>, EngineError> {
        let files = &self.discovery.files;
        let ends =
            |path: &str, name: &str| path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        // A trace has paths of another machine, and those of several repositories begin with a label.
        let is_named = |path: &str| named.iter().any(|name| ends(path, name) || ends(name, path));
        let mut order: Vec<(bool, f64, i64, usize)> = (self.scores(text)?.into_iter().enumerate())
            .map(|(index, score)| (is_named(&files[index].path), score, files[index].mtime_ns, index))
            .collect();
        order.sort_by(|one, two| {
            two.0.cmp(&one.0).then(two.1.total_cmp(&one.1)).then(two.2.cmp(&one.2)).then(one.3.cmp(&two.3))
        });
        let has_best = order.first().is_some_and(|(is_named, score, ..)| *is_named || *score > 0.0);
        let (mut chosen, mut left) = (Vec::new(), MAX_BYTES);
        for (is_named, score, _, index) in order {
            let size = files[index].size;
            let is_apt = is_named || (score > 0.0 || !has_best) && size <= MAX_FILE_BYTES;
            if is_apt && size <= left && chosen.len() < MAX_FILES {
                left -= size;
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    /// Returns how well each file matches the words of a text; 0 if it has none of them.
    fn scores(&self, text: &str) -> Result<Vec<f64>, EngineError> {
        let files = &self.discovery.files;
        let terms = self.terms(text);
        if terms.is_empty() {
            return Ok(vec![0.0; files.len()]);
        }
        let search = Search::new(&terms)?;
        let mut counts: Vec<Vec<u32>> = files
            .iter()
            .map(|file| search.count(file.path.as_bytes()).into_iter().map(|count| count * PATH_OCCURRENCES).collect())
            .collect();
        for (index, found) in self.search_contents(&search, &counts) {
            counts[index].iter_mut().zip(found).for_each(|(count, more)| *count += more);
        }
        let total = files.len() as f64;
        let with = |term: usize| counts.iter().filter(|counts| counts[term] > 0).count() as f64;
        let weights: Vec<f64> = (0..search.weights.len())
            .map(|term| search.weights[term] * (1.0 + (total - with(term) + 0.5) / (with(term) + 0.5)).ln())
            .collect();
        let mean = files.iter().map(|file| file.size as f64).sum::<f64>() / total.max(1.0);
        let score = |(counts, size): (&Vec<u32>, u64)| {
            let length = K1 * (1.0 - B + B * size as f64 / mean.max(1.0));
            let part = |(count, weight): (&u32, &f64)| weight * f64::from(*count) / (f64::from(*count) + length);
            counts.iter().zip(&weights).map(part).sum::<f64>()
        };
        Ok(counts.iter().zip(files.iter().map(|file| file.size)).map(score).collect())
    }

    /// Returns the terms of a text to search, each with its weight.
    fn terms(&self, text: &str) -> Vec<(String, f64)> {
        let keywords = keywords_with_verbs(text, self.engine.vocabulary().words());
        let terms = keywords.terms().into_iter().map(|(term, (weight, _))| (term, weight));
        let mut terms: Vec<(String, f64)> =
            terms.filter(|(term, _)| TERM_CHARS.contains(&term.chars().count())).collect();
        terms.sort_by(|one, two| two.1.total_cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        terms.truncate(MAX_TERMS);
        terms
    }

    /// Counts the terms in the contents of files while there is time: first of those whose paths have most of them, then of those
    /// that changed last.
    fn search_contents(&self, search: &Search, in_paths: &[Vec<u32>]) -> Vec<(usize, Vec<u32>)> {
        let (files, root) = (&self.discovery.files, self.engine.root());
        let mut order: Vec<usize> = (0..files.len()).collect();
        let found_in_path = |index: usize| in_paths[index].iter().filter(|count| **count > 0).count();
        order.sort_by_cached_key(|&index| (std::cmp::Reverse((found_in_path(index), files[index].mtime_ns)), index));
        let (started, next, found) = (Instant::now(), AtomicUsize::new(0), Mutex::new(Vec::new()));
        rayon::broadcast(|_| {
            let mut own = Vec::new();
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                if started.elapsed() > SEARCH_TIME {
                    break;
                }
                // What can't be read has no words.
                if let Ok(content) = read_inside(root, &files[index].path, MAX_FILE_BYTES) {
                    own.push((index, search.count(&content)));
                }
            }
            found.lock().append(&mut own);
        });
        found.into_inner()
    }
}

/// A search for terms as beginnings of words and of parts of identifiers, in any case.
struct Search {
    pattern: Regex,
    /// The index of each term by its forms.
    terms: HashMap<Vec<u8>, usize>,
    weights: Vec<f64>,
}

impl Search {
    /// Returns the search for terms, each with its weight.
    fn new(terms: &[(String, f64)]) -> Result<Search, EngineError> {
        // The stem of `delivery` is `deliveri`.
        let with_y = |term: &str| Some(format!("{}y", term.strip_suffix('i')?));
        let forms = |(index, (term, _)): (usize, &(String, f64))| {
            [Some(term.to_lowercase()), with_y(term)].into_iter().flatten().map(move |form| (form.into_bytes(), index))
        };
        let by_form: HashMap<Vec<u8>, usize> = terms.iter().enumerate().flat_map(forms).collect();
        // Where one begins with another, the longer one is counted.
        let mut alternatives: Vec<String> =
            by_form.keys().map(|form| regex::escape(&String::from_utf8_lossy(form))).collect();
        alternatives.sort_by(|one, two| two.len().cmp(&one.len()).then_with(|| one.cmp(two)));
        // Case is only folded beyond ASCII where a term needs it: it takes more time.
        let is_ascii = terms.iter().all(|(term, _)| term.is_ascii());
        let pattern = RegexBuilder::new(&alternatives.join("|")).case_insensitive(true).unicode(!is_ascii).build();
        let pattern = pattern.map_err(|error| EngineError::Task { reason: error.to_string() })?;
        let weights = terms.iter().map(|(_, weight)| *weight).collect();
        Ok(Search { pattern, terms: by_form, weights })
    }

    /// Returns how often a text has each term.
    fn count(&self, text: &[u8]) -> Vec<u32> {
        let mut counts = vec![0; self.weights.len()];
        for found in self.pattern.find_iter(text) {
            let begins = match found.start().checked_sub(1).map(|before| text[before]) {
                Some(before) if before.is_ascii_alphabetic() => {
                    before.is_ascii_lowercase() && found.as_bytes()[0].is_ascii_uppercase()
                }
                _ => true,
            };
            let term = String::from_utf8_lossy(found.as_bytes()).to_lowercase();
            if begins && let Some(&term) = self.terms.get(term.as_bytes()) {
                counts[term] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted_where_words_and_parts_of_identifiers_begin() {
        let search =
            Search::new(&[("time".to_owned(), 1.0), ("timer".to_owned(), 1.0), ("a.b".to_owned(), 1.0)]).unwrap();
        assert_eq!(search.count(b"time runtime runTime TIMER_out retimer a.b axb"), [2, 1, 1]);
        let search = Search::new(&[("deliveri".to_owned(), 1.0)]).unwrap();
        assert_eq!(search.count(b"delivery deliveries deliver"), [2]);
        let search = Search::new(&[("größe".to_owned(), 1.0)]).unwrap();
        assert_eq!(search.count("die Größe, GRÖSSE und GRÖßE".as_bytes()), [2]);
    }
}
