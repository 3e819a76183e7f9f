//! The file of feature values: a zstd stream of a JSON line with the names of the features and, for each task, a JSON
//! line with its labels and the binary values of its candidates, little-endian.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::{Deserialize, Serialize};

use super::task_lines::DataSet;
use crate::model::{Intent, NodeId};

/// Version of the format.
const FORMAT: u32 = 1;
/// Compression level: the largest that is as fast as ranking on one core.
const LEVEL: i32 = 3;
/// Maximum length of a JSON line, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 28;

/// The candidates of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub set: DataSet,
    pub repository: String,
    pub project: String,
    pub id: String,
    pub intent: Intent,
    /// The questions of a group count as one task.
    #[serde(default)]
    pub group: Option<String>,
    /// Language of the ground truth; `None` if it has no files.
    pub language: Option<String>,
    /// Number of entries of the ground truth.
    pub gold: usize,
    /// Number of candidates. They are in the order in which rankings break ties.
    pub candidates: usize,
    /// Pairs of a candidate and an entry of the ground truth that it matches, ascending.
    pub strict: Vec<(usize, usize)>,
    /// The same by the dotted rule.
    pub dotted: Vec<(usize, usize)>,
    /// For each candidate of an issue the number of its file; `None` if the metric does not count the file.
    pub files: Vec<Option<u32>>,
    /// For each candidate of an issue the number of its function.
    pub functions: Vec<Option<u32>>,
    /// Numbers of the files of an issue's ground truth; `None` for a file without candidates.
    pub gold_files: Vec<Option<u32>>,
    /// The candidates' nodes in the database, to look up what is missed.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
    /// For each candidate the numbers of its file, of its type or that of a member, and of its name.
    #[serde(default)]
    pub places: Vec<[u32; 3]>,
    /// For each pair of `strict`, the candidates that are its candidate's neighbors in the graph.
    #[serde(default)]
    pub neighbors: Vec<Vec<usize>>,
    /// The candidates' scores in the ranking.
    #[serde(skip)]
    pub scores: Vec<f64>,
    /// The parts of the scores that [`super::is_fixed`] features contribute, without the base.
    #[serde(skip)]
    pub fixed: Vec<f64>,
    /// Values, feature by feature.
    #[serde(skip)]
    pub values: Vec<f32>,
}

impl Sample {
    /// Returns the group of a sample: a sample without one is a group of its own.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.id)
    }

    /// Returns the values of a feature.
    pub fn column(&self, feature: usize) -> &[f32] {
        &self.values[feature * self.candidates..(feature + 1) * self.candidates]
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    /// Version of the program.
    version: String,
    features: Vec<String>,
}

/// The samples of one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeatureFile {
    pub features: Vec<String>,
    pub samples: Vec<Sample>,
}

/// A file without feature values.
#[derive(Debug, thiserror::Error)]
pub enum FeatureFileError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("it has format {found}, this version reads {FORMAT}; run `knowing-eval features` again")]
    Format { found: u32 },
    #[error("the task `{id}` has values of other features or candidates than it lists")]
    Shape { id: String },
}

/// Writes samples.
pub struct FeatureWriter<W: Write> {
    out: zstd::Encoder<'static, W>,
    features: Option<Vec<String>>,
    /// Samples without candidates before the first one that has features.
    waiting: Vec<Sample>,
}

impl<W: Write> FeatureWriter<W> {
    /// Begins a file in `out`.
    ///
    /// # Errors
    /// When there is too little memory.
    pub fn new(out: W) -> io::Result<FeatureWriter<W>> {
        Ok(FeatureWriter { out: zstd::Encoder::new(out, LEVEL)?, features: None, waiting: Vec::new() })
    }

    /// Writes a task. All tasks with candidates have the same features.
    ///
    /// # Errors
    /// When `out` can't be written, or the sample has other features.
    pub fn write(&mut self, features: &[String], sample: &Sample) -> Result<(), FeatureFileError> {
        match &self.features {
            None if sample.candidates == 0 => {
                self.waiting.push(sample.clone());
                return Ok(());
            }
            None => self.begin(features.to_vec())?,
            Some(known) if sample.candidates > 0 && known != features => {
                return Err(FeatureFileError::Shape { id: sample.id.clone() });
            }
            Some(_) => {}
        }
        self.put(sample)
    }

    fn begin(&mut self, features: Vec<String>) -> Result<(), FeatureFileError> {
        let header = Header { format: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), features };
        write_line(&mut self.out, &header)?;
        self.features = Some(header.features);
        std::mem::take(&mut self.waiting).iter().try_for_each(|sample| self.put(sample))
    }

    fn put(&mut self, sample: &Sample) -> Result<(), FeatureFileError> {
        write_line(&mut self.out, sample)?;
        let long = sample.scores.iter().chain(&sample.fixed).flat_map(|value| value.to_le_bytes());
        let bytes: Vec<u8> = long.chain(sample.values.iter().flat_map(|value| value.to_le_bytes())).collect();
        Ok(self.out.write_all(&bytes)?)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn finish(mut self) -> Result<W, FeatureFileError> {
        if self.features.is_none() {
            self.begin(Vec::new())?;
        }
        Ok(self.out.finish()?)
    }
}

fn write_line(out: &mut impl Write, record: &impl Serialize) -> Result<(), FeatureFileError> {
    serde_json::to_writer(&mut *out, record)?;
    Ok(out.write_all(b"\n")?)
}

impl FeatureFile {
    /// Reads the output of a [`FeatureWriter`].
    ///
    /// # Errors
    /// When `input` can't be read or has no such content.
    pub fn read(input: impl Read) -> Result<FeatureFile, FeatureFileError> {
        let mut input = BufReader::with_capacity(1 << 20, zstd::Decoder::new(input)?);
        let line = read_line(&mut input)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        let header: Header = serde_json::from_str(&line)?;
        if header.format != FORMAT {
            return Err(FeatureFileError::Format { found: header.format });
        }
        let mut file = FeatureFile { features: header.features, samples: Vec::new() };
        while let Some(line) = read_line(&mut input)? {
            let mut sample: Sample = serde_json::from_str(&line)?;
            let count = sample.candidates;
            sample.scores = numbers(&mut input, count, f64::from_le_bytes)?;
            sample.fixed = numbers(&mut input, count, f64::from_le_bytes)?;
            sample.values = numbers(&mut input, count.saturating_mul(file.features.len()), f32::from_le_bytes)?;
            if !is_consistent(&sample) {
                return Err(FeatureFileError::Shape { id: sample.id });
            }
            file.samples.push(sample);
        }
        Ok(file)
    }
}

/// Returns whether the labels refer to existing candidates and entries, and every value is a number.
fn is_consistent(sample: &Sample) -> bool {
    let Sample { candidates, gold, .. } = *sample;
    let mut pairs = sample.strict.iter().chain(&sample.dotted);
    let numbered = [sample.files.len(), sample.functions.len()];
    pairs.all(|(candidate, entry)| *candidate < candidates && *entry < gold)
        && gold > 0
        && numbered == [if sample.set == DataSet::Issues { candidates } else { 0 }; 2]
        && sample.values.iter().all(|value| value.is_finite())
        && sample.scores.iter().chain(&sample.fixed).all(|value| value.is_finite())
}

fn read_line(input: &mut impl BufRead) -> Result<Option<String>, FeatureFileError> {
    let mut line = String::new();
    input.take(MAX_LINE_BYTES).read_line(&mut line)?;
    Ok((!line.is_empty()).then_some(line))
}

/// Reads `count` numbers. Memory grows with the bytes that are there, whatever `count` is.
fn numbers<T, const N: usize>(input: &mut impl Read, count: usize, number: fn([u8; N]) -> T) -> io::Result<Vec<T>> {
    let length = count.saturating_mul(N) as u64;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let (numbers, _) = bytes.as_chunks::<N>();
    Ok(numbers.iter().map(|bytes| number(*bytes)).collect())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a commit of `repository` with one feature, whose candidates match the entry of their number if
    /// `relevant`.
    pub fn sample(repository: &str, id: &str, values: &[f32], relevant: &[usize]) -> Sample {
        Sample {
            set: DataSet::Commits,
            repository: repository.to_owned(),
            project: repository.to_owned(),
            id: id.to_owned(),
            intent: Intent::Locate,
            group: None,
            language: None,
            gold: relevant.len().max(1),
            candidates: values.len(),
            strict: relevant.iter().enumerate().map(|(entry, candidate)| (*candidate, entry)).collect(),
            dotted: Vec::new(),
            files: Vec::new(),
            functions: Vec::new(),
            gold_files: Vec::new(),
            nodes: Vec::new(),
            places: Vec::new(),
            neighbors: Vec::new(),
            scores: vec![0.5; values.len()],
            fixed: vec![0.0; values.len()],
            values: values.to_vec(),
        }
    }

    fn written(samples: &[Sample]) -> Vec<u8> {
        let mut writer = FeatureWriter::new(Vec::new()).unwrap();
        samples.iter().for_each(|sample| writer.write(&["lexical".to_owned()], sample).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn samples_are_read_back() {
        let empty = Sample { strict: Vec::new(), ..sample("shop", "c", &[], &[]) };
        let samples = vec![empty, sample("shop", "a", &[0.5, 0.0], &[1]), sample("shop", "b", &[], &[])];
        let file = FeatureFile::read(written(&samples).as_slice()).unwrap();
        assert_eq!(file, FeatureFile { features: vec!["lexical".to_owned()], samples });
        assert_eq!(file.samples[1].column(0), [0.5, 0.0]);
        assert_eq!(FeatureFile::read(written(&[]).as_slice()).unwrap(), FeatureFile::default());
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = written(&[sample("shop", "a", &[0.5, 0.0], &[1])]);
        for length in [3, bytes.len() / 2, bytes.len() - 1] {
            assert!(FeatureFile::read(&bytes[..length]).is_err(), "{length}");
        }
        let beyond = written(&[sample("shop", "a", &[0.5, 0.0], &[2])]);
        assert!(matches!(FeatureFile::read(beyond.as_slice()), Err(FeatureFileError::Shape { .. })));
        let infinite = written(&[sample("shop", "a", &[f32::INFINITY], &[0])]);
        assert!(matches!(FeatureFile::read(infinite.as_slice()), Err(FeatureFileError::Shape { .. })));
    }

    #[test]
    fn other_features_are_refused() {
        let mut writer = FeatureWriter::new(Vec::new()).unwrap();
        writer.write(&["lexical".to_owned()], &sample("shop", "a", &[0.5], &[0])).unwrap();
        assert!(writer.write(&["body".to_owned()], &sample("shop", "b", &[0.5], &[0])).is_err());
    }
}
