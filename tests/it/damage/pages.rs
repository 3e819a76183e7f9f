//! Damage of one or two pages or headers of a small database: a rebuild keeps every vote, or says that some are lost.
//!
//! By default a sample of all single damages and of their pairs is tried. `KNOWING_PAGES=all` tries every single one and
//! 20,000 pairs, `KNOWING_PAGES=N` every single one and N pairs.

use std::path::{Path, PathBuf};

use knowing_analysis::model::SymbolId;
use knowing_indexing::feedback::{Cluster, EventKind, FeedbackEvent, Subject, SymbolVote, Vote};
use knowing_indexing::store::{Journal, StoreError, Writer};

use crate::index::source::Dice;

/// Number of single damages and of pairs in a sample.
const SAMPLE: usize = 60;
const PAIRS: usize = 20_000;
/// Length of the header of the file, and of a page of a tree.
const FILE_HEADER: usize = 100;
const PAGE_HEADER: usize = 12;

#[derive(Debug, Clone, Copy)]
enum Damage {
    Zeroed(usize),
    /// Bytes of a page, by a seed.
    Random(usize),
    /// Some bits of the first 4 kB, by a seed.
    Scattered(u64),
    /// Offset of a byte, and number of a bit.
    Bit(usize, u8),
    /// Number of bytes that are left.
    Truncated(usize),
    Copied(usize, usize),
    Swapped(usize, usize),
}

impl Damage {
    fn apply(self, bytes: &mut Vec<u8>, page_bytes: usize) {
        let page = |number: usize| number * page_bytes..(number + 1) * page_bytes;
        match self {
            Damage::Zeroed(number) => bytes[page(number)].fill(0),
            Damage::Random(number) => {
                let dice = &mut Dice::new(number as u64);
                bytes[page(number)].iter_mut().for_each(|byte| *byte = dice.roll(256) as u8);
            }
            Damage::Scattered(seed) => {
                let dice = &mut Dice::new(seed);
                for _ in 0..=dice.roll(64) {
                    bytes[dice.roll(4_096) as usize] ^= 1 << dice.roll(8);
                }
            }
            Damage::Bit(offset, bit) => bytes[offset] ^= 1 << bit,
            Damage::Truncated(length) => bytes.truncate(length),
            Damage::Copied(from, to) => bytes.copy_within(page(from), to * page_bytes),
            Damage::Swapped(one, two) => {
                let (first, second) = (bytes[page(one)].to_vec(), bytes[page(two)].to_vec());
                bytes[page(one)].copy_from_slice(&second);
                bytes[page(two)].copy_from_slice(&first);
            }
        }
    }

    /// Returns every single damage of a file.
    fn all(length: usize, page_bytes: usize) -> Vec<Damage> {
        let pages = length / page_bytes;
        let mut all = Vec::new();
        for page in 0..pages {
            all.extend([Damage::Zeroed(page), Damage::Random(page)]);
            all.extend([0, page_bytes / 2].map(|more| Damage::Truncated(page * page_bytes + more)));
            // The first page begins with the header of the file.
            let start = page * page_bytes + if page == 0 { FILE_HEADER } else { 0 };
            all.extend((start..start + PAGE_HEADER).flat_map(|offset| (0..8).map(move |bit| Damage::Bit(offset, bit))));
            all.extend((0..pages).filter(|other| *other != page).map(|other| Damage::Copied(other, page)));
            all.extend((0..page).map(|other| Damage::Swapped(other, page)));
        }
        all.extend((0..FILE_HEADER).flat_map(|offset| (0..8).map(move |bit| Damage::Bit(offset, bit))));
        all.extend((0..400).map(Damage::Scattered));
        all
    }
}

/// A database with five votes.
struct Sample {
    _folder: tempfile::TempDir,
    path: PathBuf,
    sound: Vec<u8>,
    page_bytes: usize,
    events: Vec<FeedbackEvent>,
}

fn event(number: i64) -> FeedbackEvent {
    let subject = Subject {
        id: SymbolId([number as u8; 16]),
        qualified_name: format!("r://a.f{number}"),
        package: "a".to_owned(),
        package_root: [1; 32],
    };
    FeedbackEvent {
        id: 0,
        batch: 0,
        at: number,
        session: "s".to_owned(),
        kind: EventKind::Vote,
        task: format!("task {number}"),
        cluster: Cluster::new([format!("word{number}")].into_iter()),
        undone: false,
        votes: vec![SymbolVote { subject, vote: Vote::Useful }],
        terms: Vec::new(),
    }
}

/// Fills an index with nothing, and returns the messages for the user.
fn fill(mut writer: Writer) -> Result<Vec<String>, StoreError> {
    let notes = writer.notes().to_vec();
    writer.begin()?;
    writer.clear()?;
    writer.set_repository("r")?;
    writer.commit()?;
    Ok(notes)
}

/// Does what `knowing index --force` does with a database.
fn force(path: &Path) -> Result<Vec<String>, StoreError> {
    match Writer::rebuild(path).and_then(fill) {
        Err(problem) if problem.rebuild_helps() => Writer::replace(path, &problem).and_then(fill),
        other => other,
    }
}

fn append(path: &Path, number: i64) -> Result<Vec<FeedbackEvent>, StoreError> {
    Journal::open_to_write(path)?.append(vec![event(number)])
}

fn update(path: &Path) -> Result<(), StoreError> {
    let mut writer = Writer::open(path)?;
    writer.begin()?;
    writer.set_meta("owners", "changed")?;
    writer.commit()
}

impl Sample {
    fn new() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.db");
        fill(Writer::open(&path).unwrap()).unwrap();
        (1..=5).for_each(|number| drop(append(&path, number).unwrap()));
        let events = Journal::open(&path).unwrap().events().unwrap();
        let sound = std::fs::read(&path).unwrap();
        let page_bytes = usize::from(u16::from_be_bytes([sound[16], sound[17]]));
        assert_eq!((events.len(), sound.len() % page_bytes), (5, 0));
        Sample { _folder: folder, path, sound, page_bytes, events }
    }

    /// Damages the database, perhaps uses it, and rebuilds it. Returns what is wrong.
    fn problem(&self, damages: &[Damage], usage: usize) -> Option<String> {
        for entry in std::fs::read_dir(self.path.parent().unwrap()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let mut bytes = self.sound.clone();
        for damage in damages {
            // A page can be gone already.
            if bytes.len() == self.sound.len() {
                damage.apply(&mut bytes, self.page_bytes);
            }
        }
        std::fs::write(&self.path, &bytes).unwrap();
        let mut expected = self.events.clone();
        match usage {
            1 => expected.extend(append(&self.path, 6).into_iter().flatten()),
            2 => drop(update(&self.path)),
            _ => {}
        }
        let notes = match force(&self.path) {
            Ok(notes) => notes.join("\n"),
            Err(error) => return Some(format!("{damages:?}, use {usage}: {error}")),
        };
        let kept = Journal::open(&self.path).and_then(|journal| journal.events());
        let is_told = ["could not be read", "no feedback", "lost is unknown", "was empty"];
        let is_kept = kept.as_ref().is_ok_and(|kept| expected.iter().all(|event| kept.contains(event)));
        let is_fine = is_kept || (kept.is_ok() && is_told.iter().any(|text| notes.contains(text)));
        (!is_fine).then(|| format!("{damages:?}, use {usage}: {kept:?}\n{notes}"))
    }
}

#[test]
fn a_rebuild_keeps_every_vote_or_says_that_some_are_lost() {
    let requested = std::env::var("KNOWING_PAGES").ok();
    let sample = Sample::new();
    let all = Damage::all(sample.sound.len(), sample.page_bytes);
    let step = if requested.is_some() { 1 } else { (all.len() / SAMPLE) | 1 };
    let pairs = requested.as_ref().map_or(SAMPLE, |text| text.parse().unwrap_or(PAIRS));
    let mut problems = Vec::new();
    for (number, damage) in all.iter().enumerate().step_by(step) {
        problems.extend(sample.problem(&[*damage], number % 3));
    }
    let dice = &mut Dice::new(1);
    for number in 0..pairs {
        let mut any = || all[dice.roll(all.len() as u64) as usize];
        problems.extend(sample.problem(&[any(), any()], number % 3));
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
