//! The journal and learned words as JSON lines, to be kept, moved and read by other programs.

use serde::{Deserialize, Serialize};

use super::journal::{Act, ActKind, Judgement, Subject, Vote, Word};
use super::{Cluster, vocabulary};
use crate::model::SymbolId;

/// Why a line can't be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is not what an export writes: {problem}")]
pub struct LineError {
    /// From 1.
    pub line: usize,
    pub problem: String,
}

#[derive(Serialize, Deserialize)]
struct ActLine {
    act: String,
    at: i64,
    session: String,
    task: String,
    keywords: Vec<String>,
    symbols: Vec<JudgementLine>,
}

#[derive(Serialize, Deserialize)]
struct JudgementLine {
    #[serde(flatten)]
    subject: SubjectLine,
    vote: i8,
}

#[derive(Serialize, Deserialize)]
struct WordLine {
    keyword: String,
    #[serde(flatten)]
    subject: SubjectLine,
    observations: u32,
}

#[derive(Serialize, Deserialize)]
struct SubjectLine {
    symbol: String,
    id: String,
    package: String,
    package_root: String,
}

/// An entry of the journal as one line; nothing for one that teaches no judgement.
pub fn act_line(act: &Act) -> Option<String> {
    if act.judgements.is_empty() {
        return None;
    }
    let symbol = |judgement: &Judgement| JudgementLine {
        subject: SubjectLine::of(&judgement.subject),
        vote: match judgement.vote {
            Vote::Useful => 1,
            Vote::NotUseful => -1,
            Vote::Clear => 0,
        },
    };
    Some(line(&ActLine {
        act: act.kind.name().to_owned(),
        at: act.at,
        session: act.session.clone(),
        task: act.task.clone(),
        keywords: act.cluster.words().to_vec(),
        symbols: act.judgements.iter().map(symbol).collect(),
    }))
}

/// A learned word as one line.
pub fn word_line(word: &Word) -> String {
    let subject = SubjectLine::of(&word.subject);
    line(&WordLine { keyword: word.keyword.clone(), subject, observations: word.observations })
}

/// The entries that [`act_line`] wrote, one to a line; empty lines mean nothing. Their numbers are 0.
///
/// # Errors
/// When a line is something else.
pub fn acts_of(text: &str) -> Result<Vec<Act>, LineError> {
    read(text, |line: ActLine| {
        let kind = ActKind::named(&line.act).filter(|kind| *kind == ActKind::Vote || kind.is_implicit());
        let kind = kind.ok_or_else(|| format!("there is no act `{}`", line.act))?;
        let judgements: Result<Vec<Judgement>, String> = line.symbols.iter().map(|line| line.read(kind)).collect();
        let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        if let Some(keyword) = line.keywords.iter().find(|keyword| !is_word(keyword)) {
            return Err(format!("a keyword is one word, not \"{}\"", keyword.escape_debug()));
        }
        Ok(Act {
            id: 0,
            batch: 0,
            at: line.at,
            session: line.session,
            kind,
            task: line.task,
            cluster: Cluster::new(line.keywords.into_iter()),
            undone: false,
            judgements: judgements?,
            words: Vec::new(),
        })
    })
}

/// The words that [`word_line`] wrote, one to a line; empty lines mean nothing.
///
/// # Errors
/// When a line is something else.
pub fn words_of(text: &str) -> Result<Vec<Word>, LineError> {
    read(text, |line: WordLine| {
        if line.observations == 0 || !vocabulary::is_worth_learning(&line.keyword) {
            return Err("it has no observations, or a keyword that is not learned".to_owned());
        }
        Ok(Word { keyword: line.keyword, subject: line.subject.read()?, observations: line.observations })
    })
}

fn read<L: for<'a> Deserialize<'a>, T>(
    text: &str,
    convert: impl Fn(L) -> Result<T, String>,
) -> Result<Vec<T>, LineError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let one = |(number, line): (usize, &str)| {
        let failed = |problem: String| LineError { line: number, problem };
        let parsed = serde_json::from_str(line).map_err(|error| failed(error.to_string()))?;
        convert(parsed).map_err(failed)
    };
    lines.map(one).collect()
}

/// Strings, numbers and lists of them always have a form in JSON.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl JudgementLine {
    fn read(&self, kind: ActKind) -> Result<Judgement, String> {
        let vote = match self.vote {
            1 if kind != ActKind::PassedOver => Vote::Useful,
            -1 if !kind.is_use() => Vote::NotUseful,
            0 if kind == ActKind::Vote => Vote::Clear,
            other => return Err(format!("the vote of an act `{}` is not {other}", kind.name())),
        };
        Ok(Judgement { subject: self.subject.read()?, vote })
    }
}

impl SubjectLine {
    fn of(subject: &Subject) -> SubjectLine {
        SubjectLine {
            symbol: subject.qualified_name.clone(),
            id: subject.id.hex(),
            package: subject.package.clone(),
            package_root: hex(&subject.package_root),
        }
    }

    fn read(&self) -> Result<Subject, String> {
        Ok(Subject {
            id: SymbolId(bytes(&self.id).ok_or("`id` is not 32 hexadecimal digits")?),
            qualified_name: self.symbol.clone(),
            package: self.package.clone(),
            package_root: bytes(&self.package_root).ok_or("`package_root` is not 64 hexadecimal digits")?,
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let pairs = digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | *digit as u8)).collect();
    if text.len() == 2 * N { Vec::try_into(pairs).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> Subject {
        Subject {
            id: SymbolId([0xab; 16]),
            qualified_name: "shop://a.py.\u{1b}f".to_owned(),
            package: "a.py".to_owned(),
            package_root: [7; 32],
        }
    }

    fn act(cluster: Cluster, judgements: Vec<Judgement>) -> Act {
        Act {
            id: 0,
            batch: 0,
            at: 12,
            session: "s".to_owned(),
            kind: ActKind::Vote,
            task: "pay \"now\"".to_owned(),
            cluster,
            undone: false,
            judgements,
            words: Vec::new(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let judgements =
            [Vote::Useful, Vote::NotUseful, Vote::Clear].map(|vote| Judgement { subject: subject(), vote });
        let act = act(Cluster::new(["pay".to_owned()].into_iter()), judgements.to_vec());
        let line = act_line(&act).unwrap();
        assert!(!line.contains('\u{1b}') && !line.contains('\n'));
        assert_eq!(acts_of(&format!("{line}\n\n{line}\n")).unwrap(), [act.clone(), act]);
        let word = Word { keyword: "till".to_owned(), subject: subject(), observations: 3 };
        assert_eq!(words_of(&word_line(&word)).unwrap(), [word]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for text in ["\n{", "\n[]", "\n{\"act\":\"vote\"}"] {
            let message = acts_of(text).unwrap_err().to_string();
            assert!(message.starts_with("line 2 is not what an export writes"), "{message}");
        }
        let judgements = vec![Judgement { subject: subject(), vote: Vote::Useful }];
        let keywords = Cluster::new(["pay".to_owned()].into_iter());
        let line = act_line(&act(keywords, judgements)).unwrap();
        for (right, wrong, problem) in [
            ("\"vote\":1", "\"vote\":7", "the vote of an act `vote` is not 7"),
            ("\"act\":\"vote\"", "\"act\":\"passed_over\"", "the vote of an act `passed_over` is not 1"),
            ("\"act\":\"vote\"", "\"act\":\"forget\"", "there is no act `forget`"),
            ("[\"pay\"]", "[\"pay now\"]", "a keyword is one word, not \"pay now\""),
        ] {
            let message = acts_of(&line.replace(right, wrong)).unwrap_err().to_string();
            assert!(message.ends_with(problem), "{message}");
        }
        let word = Word { keyword: "till".to_owned(), subject: subject(), observations: 3 };
        let short = Word { keyword: "go".to_owned(), ..word.clone() };
        assert!(words_of(&word_line(&short)).unwrap_err().to_string().contains("a keyword that is not learned"));
        let bad = word_line(&word).replace("0707", "07");
        assert!(words_of(&bad).unwrap_err().to_string().contains("package_root"));
    }
}
