//! The samples of several feature files, in an order that does not depend on that of the files.

use crate::training::{FeatureFile, Sample};

/// The feature whose best candidates are always part of the training rows.
const LEXICAL: &str = "lexical";
/// The feature that orders candidates by BM25F alone, tests lower.
const BY_WORDS: &str = "lexical_share";

/// Samples with the same features.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    pub features: Vec<String>,
    /// By set, repository and id.
    pub samples: Vec<Sample>,
    /// Index of the lexical feature.
    pub lexical: usize,
    /// Index of [`BY_WORDS`], or of the lexical feature without it.
    pub by_words: usize,
}

/// Feature files that can't be used together.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("{one} and {other} have different features; write both with the same version of the program")]
    Differs { one: String, other: String },
    #[error("the task `{id}` of {repository} is in the files more than once")]
    Duplicate { repository: String, id: String },
    #[error("no task has candidates with the feature `{LEXICAL}`")]
    NoFeatures,
    #[error("no feature `{feature}`; there are {}", .known.join(", "))]
    UnknownFeature { feature: String, known: Vec<String> },
}

impl Data {
    /// Joins feature files, each with its name.
    ///
    /// # Errors
    /// When files have different features, or two samples are of the same task.
    pub fn new(files: Vec<(String, FeatureFile)>) -> Result<Data, DataError> {
        let mut first: Option<(String, Vec<String>)> = None;
        let mut samples: Vec<Sample> = Vec::new();
        for (name, file) in files {
            samples.extend(file.samples);
            match &first {
                // A file of tasks without candidates.
                _ if file.features.is_empty() => {}
                None => first = Some((name, file.features)),
                Some((one, features)) if *features != file.features => {
                    return Err(DataError::Differs { one: one.clone(), other: name });
                }
                Some(_) => {}
            }
        }
        let (_, features) = first.ok_or(DataError::NoFeatures)?;
        let lexical = features.iter().position(|name| name == LEXICAL).ok_or(DataError::NoFeatures)?;
        samples.sort_by(|one, other| key(one).cmp(&key(other)));
        if let Some(pair) = samples.windows(2).find(|pair| key(&pair[0]) == key(&pair[1])) {
            return Err(DataError::Duplicate { repository: pair[0].repository.clone(), id: pair[0].id.clone() });
        }
        let by_words = features.iter().position(|name| name == BY_WORDS).unwrap_or(lexical);
        Ok(Data { features, samples, lexical, by_words })
    }

    /// Checks that every name is one of a feature.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn check_features(&self, names: &[String]) -> Result<(), DataError> {
        match names.iter().find(|name| !self.features.contains(name)) {
            Some(name) => Err(DataError::UnknownFeature { feature: name.clone(), known: self.features.clone() }),
            None => Ok(()),
        }
    }

    /// Returns the names of the projects, each once, in ascending order.
    pub fn projects(&self) -> Vec<&str> {
        let mut projects: Vec<&str> = self.samples.iter().map(|sample| sample.project.as_str()).collect();
        projects.sort_unstable();
        projects.dedup();
        projects
    }
}

fn key(sample: &Sample) -> impl Ord {
    (sample.set, sample.repository.as_str(), sample.id.as_str())
}

/// Returns a number that depends only on the task of a sample, as the seed of random choices.
pub(super) fn seed(sample: &Sample) -> u64 {
    let Sample { set, repository, id, .. } = sample;
    xxhash_rust::xxh3::xxh3_64(format!("{set:?}\n{repository}\n{id}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::tests::sample;

    fn file(samples: Vec<Sample>) -> FeatureFile {
        FeatureFile { features: vec!["lexical".to_owned()], samples }
    }

    #[test]
    fn samples_are_sorted_and_projects_are_named_once() {
        let samples = [("till", "b"), ("shop", "z"), ("shop", "a")].map(|(name, id)| sample(name, id, &[], &[]));
        let files = samples.map(|sample| (sample.id.clone(), file(vec![sample])));
        let data = Data::new(files.to_vec()).unwrap();
        let ids: Vec<&str> = data.samples.iter().map(|sample| sample.id.as_str()).collect();
        assert_eq!((ids, data.projects()), (vec!["a", "z", "b"], vec!["shop", "till"]));
    }

    #[test]
    fn contradictory_files_are_refused() {
        let one = || ("one".to_owned(), file(vec![sample("shop", "a", &[], &[])]));
        assert!(matches!(Data::new(vec![one(), one()]), Err(DataError::Duplicate { .. })));
        let other = FeatureFile { features: vec!["body".to_owned()], samples: Vec::new() };
        let message = Data::new(vec![one(), ("other".to_owned(), other)]).unwrap_err().to_string();
        assert!(message.starts_with("one and other have different features"), "{message}");
        assert!(matches!(Data::new(Vec::new()), Err(DataError::NoFeatures)));
        let unknown = Data::new(vec![one()]).unwrap().check_features(&["walk".to_owned()]).unwrap_err();
        assert_eq!(unknown.to_string(), "no feature `walk`; there are lexical");
    }
}
