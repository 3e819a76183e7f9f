//! Copies of a sample index, and what the program does with each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use knowing_analysis::model::Task;
use knowing_indexing::store::Journal;
use knowing_retrieval::engine::{Engine, EngineError, IndexReport, Vote};
use knowing_retrieval::render::{Renderer, renderer_named};

use super::harm::Harm;
use crate::index::dump::rows;
use crate::index::source::{Dice, PATHS, source};

const TASKS: [&str; 2] = ["where is the field of C1 set", "run f0 again and return v2"];

fn gcf() -> &'static dyn Renderer {
    renderer_named("gcf").unwrap()
}

/// The answer of a command: its result, an error for the user, or a panic.
#[derive(Debug, PartialEq)]
enum Answer {
    Result(String),
    Refused(String),
    Panic,
}

impl Answer {
    fn of(ask: impl FnOnce() -> Result<String, EngineError>) -> Answer {
        match catch_unwind(AssertUnwindSafe(ask)) {
            Ok(Ok(text)) => Answer::Result(text),
            Ok(Err(error)) => Answer::Refused(error.to_string()),
            Err(_) => Answer::Panic,
        }
    }

    fn differs(&self, sound: &Answer) -> bool {
        matches!(self, Answer::Result(_)) && self != sound
    }
}

/// The behavior of the program on a damaged copy.
#[derive(Debug, Default)]
pub struct Outcome {
    panic: bool,
    refused: bool,
    found_by_fsck: bool,
    other_context: bool,
    other_export: bool,
    other_update: bool,
    votes_lost_reported: bool,
    votes_lost: bool,
    /// An error without a remedy, or with control characters.
    bad_message: Option<String>,
    force_failed: Option<String>,
}

impl Outcome {
    pub const NAMES: [&'static str; 9] = [
        "panic",
        "refused",
        "fsck",
        "other context",
        "other export",
        "other update",
        "other, fsck silent",
        "votes lost, reported",
        "votes lost, silent",
    ];

    pub fn columns(&self) -> [bool; Outcome::NAMES.len()] {
        [
            self.panic,
            self.refused,
            self.found_by_fsck,
            self.other_context,
            self.other_export,
            self.other_update,
            self.is_other() && !self.found_by_fsck,
            self.votes_lost_reported,
            self.votes_lost,
        ]
    }

    fn is_other(&self) -> bool {
        self.other_context || self.other_export
    }

    /// Returns what must not happen but did.
    pub fn forbidden(&self) -> impl Iterator<Item = String> {
        let facts = [
            (self.panic, "panic"),
            (self.is_other() && !self.found_by_fsck, "another answer, and fsck finds nothing"),
            (self.other_export, "another export without an error"),
            (self.votes_lost, "votes lost without a message"),
        ];
        let texts = [&self.bad_message, &self.force_failed].into_iter().flatten().cloned();
        facts
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, what)| what.to_owned())
            .chain(texts)
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// A small repository with an index and votes.
pub struct Sample {
    _folder: tempfile::TempDir,
    root: PathBuf,
    sound: Vec<u8>,
    page_bytes: usize,
    context: Answer,
    export: Answer,
    events: String,
    /// The content of the index, before and after the edit.
    dumps: [Vec<String>; 2],
}

impl Sample {
    pub fn new() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo");
        let mut sample = Sample {
            root,
            sound: Vec::new(),
            page_bytes: 0,
            context: Answer::Panic,
            export: Answer::Panic,
            events: String::new(),
            dumps: [Vec::new(), Vec::new()],
            _folder: folder,
        };
        sample.write_sources();
        sample.edit();
        sample.index(true).unwrap();
        sample.dumps[1] = rows(&sample.database());
        sample.write_sources();
        sample.index(true).unwrap();
        sample.dumps[0] = rows(&sample.database());
        sample.vote().unwrap();
        (sample.context, sample.export) = (sample.context(), sample.export());
        sample.events = sample.events().unwrap();
        assert!(matches!((&sample.context, &sample.export), (Answer::Result(_), Answer::Result(_))));
        assert!(sample.events.matches("FeedbackEvent").count() >= 5, "{}", sample.events);
        let connection = rusqlite::Connection::open(sample.database()).unwrap();
        sample.page_bytes =
            connection.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0)).unwrap() as usize;
        connection.pragma_update_and_check(None, "wal_checkpoint", "TRUNCATE", |_| Ok(())).unwrap();
        drop(connection);
        sample.sound = std::fs::read(sample.database()).unwrap();
        sample
    }

    fn write_sources(&self) {
        for (path, number) in PATHS.iter().zip(1..) {
            let path = self.root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, source(path.to_str().unwrap(), number)).unwrap();
        }
    }

    fn edit(&self) {
        let path = self.root.join(PATHS[1]);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{text}\n\ndef added(x):\n    return C1(x)\n")).unwrap();
    }

    fn database(&self) -> PathBuf {
        self.root.with_file_name("graph.db")
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        Engine::open(&self.root, Some(&self.database()))
    }

    fn index(&self, force: bool) -> Result<IndexReport, EngineError> {
        self.engine()?.index(force, Some(2), &|_| {})
    }

    /// Votes on symbols, and undoes one vote.
    fn vote(&self) -> Result<(), EngineError> {
        let engine = self.engine()?;
        let symbols = engine.reader()?.all_symbols()?;
        let mut recorder = engine.feedback_recorder(Some("s"))?;
        for (symbol, number) in symbols.iter().filter(|symbol| !symbol.file.is_empty()).step_by(7).take(12).zip(0..) {
            let vote = if number % 3 == 0 { Vote::NotUseful } else { Vote::Useful };
            recorder.vote(TASKS[number % 2], symbol, vote)?;
        }
        Ok(Journal::open_to_write(&self.database())?.set_undone(3, true)?)
    }

    fn context(&self) -> Answer {
        Answer::of(|| {
            let ranker = self.engine()?.ranker()?;
            let rank = |task: &&str| {
                ranker.rank_lexical(task, 20).and_then(|lexical| {
                    let pack = ranker.pack(&Task::from_text(*task), gcf(), false, &|| false)?;
                    Ok(format!("{lexical:?}\n{pack:?}"))
                })
            };
            Ok(TASKS.iter().map(rank).collect::<Result<Vec<_>, _>>()?.concat())
        })
    }

    fn export(&self) -> Answer {
        Answer::of(|| {
            let reader = self.engine()?.reader()?;
            Ok(format!("{:?}\n{:?}", reader.all_symbols()?, reader.all_edges()?))
        })
    }

    fn events(&self) -> Result<String, EngineError> {
        Ok(format!("{:?}", Journal::open(&self.database())?.events()?))
    }

    /// Replaces the database by a damaged copy, and returns a description of the damage.
    pub fn damage(&self, harm: Harm, dice: &mut Dice) -> String {
        self.restore(&self.sound);
        harm.apply(&self.database(), self.page_bytes, dice)
    }

    /// Writes the database, without its siblings.
    fn restore(&self, bytes: &[u8]) {
        for suffix in ["-wal", "-shm", "-new", "-replaced", ""] {
            let path = format!("{}{suffix}", self.database().display());
            if Path::new(&path).exists() {
                std::fs::remove_file(path).unwrap();
            }
        }
        std::fs::write(self.database(), bytes).unwrap();
    }

    /// Runs every command on the damaged copy.
    pub fn observe(&self) -> Outcome {
        let mut outcome = Outcome::default();
        let damaged = std::fs::read(self.database()).unwrap();
        let (context, export) = (self.context(), self.export());
        let fsck = Answer::of(|| {
            let findings = self.engine()?.fsck()?;
            Ok(findings.into_iter().flat_map(|finding| finding.problems).collect::<Vec<_>>().join("\n"))
        });
        outcome.found_by_fsck = fsck != Answer::Result(String::new());
        outcome.other_context = context.differs(&self.context);
        outcome.other_export = export.differs(&self.export);
        self.edit();
        let update = Answer::of(|| self.index(false).map(|_| String::new()));
        if let Answer::Result(_) = update {
            let after = Answer::of(|| self.engine()?.reader().map(|_| String::new()));
            let same = catch_unwind(AssertUnwindSafe(|| rows(&self.database()) == self.dumps[1])).unwrap_or(false);
            outcome.other_update = after == Answer::Result(String::new()) && !same;
        }
        let answers = [context, export, fsck, update];
        self.write_sources();
        self.restore(&damaged);
        self.observe_rebuild(&mut outcome);
        outcome.panic |= answers.contains(&Answer::Panic);
        for answer in &answers {
            if let Answer::Refused(message) = answer {
                outcome.refused = true;
                if !is_good(message) {
                    outcome.bad_message = Some(format!("bad message: {message}"));
                }
            }
        }
        outcome
    }

    fn observe_rebuild(&self, outcome: &mut Outcome) {
        let report = match catch_unwind(AssertUnwindSafe(|| self.index(true))) {
            Err(_) => {
                outcome.panic = true;
                return;
            }
            Ok(Err(error)) => {
                outcome.force_failed = Some(format!("--force failed: {error}"));
                return;
            }
            Ok(Ok(report)) => report,
        };
        if rows(&self.database()) != self.dumps[0] {
            outcome.force_failed = Some("--force made another index".to_owned());
        }
        let same = self.events().is_ok_and(|events| events == self.events);
        let notes = report.notes.join("\n");
        let is_reported = ["could not be read", "no feedback", "lost is unknown", "was empty"]
            .iter()
            .any(|text| notes.contains(text));
        outcome.votes_lost_reported = !same && is_reported;
        outcome.votes_lost = !same && !is_reported;
    }
}

/// Returns whether a message names the database and the remedy, and has no statement or control character.
fn is_good(message: &str) -> bool {
    let is_complete = message.contains("graph.db") && message.contains("knowing index");
    let has_sql = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].iter().any(|word| message.contains(word));
    is_complete && !has_sql && !message.chars().any(knowing_analysis::text::display::is_unsafe)
}
