//! The journal and learned terms as JSON lines, for export and import.

use serde::{Deserialize, Serialize};

use super::event::{EventKind, FeedbackEvent, Subject, SymbolVote, TermObservation, Vote};
use super::{Cluster, learned_terms};
use crate::model::SymbolId;
use crate::text::display::escaped_json;

/// An error in a line of an import.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the import is invalid: {problem}")]
pub struct LineError {
    /// From 1.
    pub line: usize,
    pub problem: String,
}

/// An event as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct EventLine {
    /// The kind of the event.
    event: String,
    at: i64,
    session: String,
    task: String,
    keywords: Vec<String>,
    symbols: Vec<VoteLine>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct VoteLine {
    #[serde(flatten)]
    subject: SubjectLine,
    vote: i8,
}

#[derive(Serialize, Deserialize)]
struct TermLine {
    keyword: String,
    #[serde(flatten)]
    subject: SubjectLine,
    observations: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SubjectLine {
    /// Without the name of the repository, if that is given.
    symbol: String,
    /// The name of the repository that the identity is computed with. Published votes have it in `symbol`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<String>,
    id: String,
    package: String,
    package_root: String,
}

/// Returns an event as one line; `None` for one without votes.
pub fn event_line(event: &FeedbackEvent) -> Option<String> {
    let mut event_line = EventLine::from_event(event);
    event_line.symbols.iter_mut().for_each(|vote| vote.subject.split_repository());
    (!event.votes.is_empty()).then(|| line(&event_line))
}

/// Returns an event as one line, in which the names of symbols have the repository. It never changes: votes that were
/// published are known by it.
pub(super) fn qualified_line(event: &FeedbackEvent) -> String {
    if event.votes.is_empty() { String::new() } else { line(&EventLine::from_event(event)) }
}

/// Returns a learned term as one line.
pub fn term_line(term: &TermObservation) -> String {
    let mut subject = SubjectLine::from_subject(&term.subject);
    subject.split_repository();
    line(&TermLine { keyword: term.keyword.clone(), subject, observations: term.observations })
}

/// Parses the lines of [`event_line`]; empty lines are skipped. The events have the number 0.
///
/// # Errors
/// When a line is not an event.
pub fn parse_events(text: &str) -> Result<Vec<FeedbackEvent>, LineError> {
    read(text, read_event)
}

/// Checks an event; its number is 0.
///
/// # Errors
/// A description of the problem.
pub(super) fn read_event(line: EventLine) -> Result<FeedbackEvent, String> {
    let kind = EventKind::named(&line.event).filter(|kind| *kind == EventKind::Vote || kind.is_implicit());
    let kind = kind.ok_or_else(|| format!("unknown event `{}`", line.event))?;
    let votes: Result<Vec<SymbolVote>, String> = line.symbols.iter().map(|line| line.read(kind)).collect();
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if let Some(keyword) = line.keywords.iter().find(|keyword| !is_word(keyword)) {
        return Err(format!("a keyword is one word, not \"{}\"", keyword.escape_debug()));
    }
    Ok(FeedbackEvent {
        id: 0,
        batch: 0,
        at: line.at,
        session: line.session,
        kind,
        task: line.task,
        cluster: Cluster::new(line.keywords.into_iter()),
        undone: false,
        votes: votes?,
        terms: Vec::new(),
    })
}

/// Parses the lines of [`term_line`]; empty lines are skipped.
///
/// # Errors
/// When a line is not a learned term.
pub fn parse_terms(text: &str) -> Result<Vec<TermObservation>, LineError> {
    read(text, |line: TermLine| {
        if line.observations == 0 || !learned_terms::is_learnable(&line.keyword) {
            return Err("it has no observations, or a keyword that is not learned".to_owned());
        }
        Ok(TermObservation { keyword: line.keyword, subject: line.subject.read()?, observations: line.observations })
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

/// Serializes strings, numbers and lists of them, which cannot fail. The lines are printed to a terminal, too.
fn line(value: &impl Serialize) -> String {
    escaped_json(serde_json::to_string(value).unwrap_or_default())
}

impl EventLine {
    pub(super) fn from_event(event: &FeedbackEvent) -> EventLine {
        let symbol = |vote: &SymbolVote| VoteLine {
            subject: SubjectLine::from_subject(&vote.subject),
            vote: match vote.vote {
                Vote::Useful => 1,
                Vote::NotUseful => -1,
                Vote::Clear => 0,
            },
        };
        EventLine {
            event: event.kind.name().to_owned(),
            at: event.at,
            session: event.session.clone(),
            task: event.task.clone(),
            keywords: event.cluster.words().to_vec(),
            symbols: event.votes.iter().map(symbol).collect(),
        }
    }
}

impl VoteLine {
    fn read(&self, kind: EventKind) -> Result<SymbolVote, String> {
        let vote = match self.vote {
            1 if kind != EventKind::PassedOver => Vote::Useful,
            -1 if !kind.is_use() => Vote::NotUseful,
            0 if kind == EventKind::Vote => Vote::Clear,
            other => return Err(format!("invalid vote {other} for the event `{}`", kind.name())),
        };
        Ok(SymbolVote { subject: self.subject.read()?, vote })
    }
}

impl SubjectLine {
    fn from_subject(subject: &Subject) -> SubjectLine {
        SubjectLine {
            symbol: subject.qualified_name.clone(),
            repository: None,
            id: subject.id.hex(),
            package: subject.package.clone(),
            package_root: hex::encode(subject.package_root),
        }
    }

    /// Moves the name of the repository out of the symbol's, so that the line reads the same in a clone of any name.
    fn split_repository(&mut self) {
        if let Some((repository, symbol)) = self.symbol.split_once("://") {
            (self.repository, self.symbol) = (Some(repository.to_owned()), symbol.to_owned());
        }
    }

    fn read(&self) -> Result<Subject, String> {
        let qualified_name = match &self.repository {
            Some(repository) => format!("{repository}://{}", self.symbol),
            None => self.symbol.clone(),
        };
        let mut package_root = [0; 32];
        hex::decode_to_slice(&self.package_root, &mut package_root)
            .map_err(|_| "`package_root` is not 64 hexadecimal digits")?;
        Ok(Subject {
            id: SymbolId::from_hex(&self.id).ok_or("`id` is not 32 hexadecimal digits")?,
            qualified_name,
            package: self.package.clone(),
            package_root,
        })
    }
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

    fn event(cluster: Cluster, votes: Vec<SymbolVote>) -> FeedbackEvent {
        FeedbackEvent {
            id: 0,
            batch: 0,
            at: 12,
            session: "s".to_owned(),
            kind: EventKind::Vote,
            task: "pay \"now\" \u{9b}31m\u{202e}".to_owned(),
            cluster,
            undone: false,
            votes,
            terms: Vec::new(),
        }
    }

    #[test]
    fn lines_round_trip() {
        let votes = [Vote::Useful, Vote::NotUseful, Vote::Clear].map(|vote| SymbolVote { subject: subject(), vote });
        let event = event(Cluster::new(["pay".to_owned()].into_iter()), votes.to_vec());
        let line = event_line(&event).unwrap();
        assert!(!line.chars().any(crate::text::display::is_unsafe), "{line}");
        assert_eq!(parse_events(&format!("{line}\n\n{line}\n")).unwrap(), [event.clone(), event.clone()]);
        assert!(!line.contains("://") && line.contains("\"repository\":\"shop\""), "{line}");
        let qualified = line.replace(",\"repository\":\"shop\"", "").replace("\"a.py.", "\"shop://a.py.");
        assert_eq!(parse_events(&qualified).unwrap(), [event]);
        let term = TermObservation { keyword: "till".to_owned(), subject: subject(), observations: 3 };
        assert_eq!(parse_terms(&term_line(&term)).unwrap(), [term]);
    }

    #[test]
    fn errors_have_line_numbers() {
        for text in ["\n{", "\n[]", "\n{\"event\":\"vote\"}"] {
            let message = parse_events(text).unwrap_err().to_string();
            assert!(message.starts_with("line 2 of the import is invalid: "), "{message}");
        }
        let votes = vec![SymbolVote { subject: subject(), vote: Vote::Useful }];
        let keywords = Cluster::new(["pay".to_owned()].into_iter());
        let line = event_line(&event(keywords, votes)).unwrap();
        for (right, wrong, problem) in [
            ("\"vote\":1", "\"vote\":7", "invalid vote 7 for the event `vote`"),
            ("\"event\":\"vote\"", "\"event\":\"passed_over\"", "invalid vote 1 for the event `passed_over`"),
            ("\"event\":\"vote\"", "\"event\":\"forget\"", "unknown event `forget`"),
            ("[\"pay\"]", "[\"pay now\"]", "a keyword is one word, not \"pay now\""),
        ] {
            let message = parse_events(&line.replace(right, wrong)).unwrap_err().to_string();
            assert!(message.ends_with(problem), "{message}");
        }
        let term = TermObservation { keyword: "till".to_owned(), subject: subject(), observations: 3 };
        let short = TermObservation { keyword: "go".to_owned(), ..term.clone() };
        assert!(parse_terms(&term_line(&short)).unwrap_err().to_string().contains("a keyword that is not learned"));
        let bad = term_line(&term).replace("0707", "07");
        assert!(parse_terms(&bad).unwrap_err().to_string().contains("package_root"));
    }
}
