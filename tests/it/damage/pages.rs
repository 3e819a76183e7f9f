//! Damage of one or two pages or headers of a small database: a rebuild keeps every vote, or says that some are lost.
//!
//! By default a sample of all single damages and of their pairs is tried, and every single bit of the headers that has lost
//! a vote or stopped a rebuild before. `KNOWING_PAGES=all` tries every single damage and 20,000 pairs, `KNOWING_PAGES=N`
//! every single one and N pairs. The numbers are printed with `-- --nocapture`.

use std::path::{Path, PathBuf};

use knowing_analysis::model::SymbolId;
use knowing_indexing::feedback::{Cluster, EventKind, FeedbackEvent, Subject, SymbolVote, Vote};
use knowing_indexing::store::{Journal, StoreError, Writer};

use crate::index::source::Dice;

/// Number of single damages and of pairs in a sample.
const SAMPLE: usize = 60;
const PAIRS: usize = 20_000;
/// A damaged database is rebuilt at once, after a vote, or after an update.
const USES: usize = 3;
/// Length of the header of the file, and of a page of a tree.
const FILE_HEADER: usize = 100;
const PAGE_HEADER: usize = 12;
/// Offset of the version that says who may write the file.
const WRITE_VERSION: usize = 18;
/// Offset and length of the number of cells in the header of a page.
const CELL_COUNT: (usize, usize) = (3, 2);

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

/// Updates an index, and returns the messages for the user.
fn update(path: &Path) -> Result<Vec<String>, StoreError> {
    let mut writer = Writer::open(path)?;
    let notes = writer.notes().to_vec();
    writer.begin()?;
    writer.set_meta("owners", "changed")?;
    writer.commit()?;
    Ok(notes)
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

    /// Returns the numbers of the first pages of the journal's tables and indexes.
    fn journal_pages(&self) -> Vec<usize> {
        let connection = rusqlite::Connection::open(&self.path).unwrap();
        let tables = "('events', 'feedback', 'learned_terms')";
        let sql = format!("SELECT rootpage - 1 FROM sqlite_schema WHERE tbl_name IN {tables}");
        let mut statement = connection.prepare(&sql).unwrap();
        let pages = statement.query_map([], |row| row.get::<_, u32>(0)).unwrap();
        let pages: Vec<usize> = pages.map(|page| page.unwrap() as usize).collect();
        assert!(pages.len() >= 3, "{pages:?}");
        pages
    }

    /// Tries damages, each with a number of what is done before the rebuild.
    fn assert_fine(&self, trials: Vec<(Vec<Damage>, usize)>) {
        let tried = trials.into_iter().filter_map(|(damages, usage)| self.problem(&damages, usage));
        let problems: Vec<String> = tried.collect();
        assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    }

    /// Writes the database with damages.
    fn damage(&self, damages: &[Damage]) {
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
    }

    /// Damages the database, perhaps uses it, and rebuilds it. Returns what is wrong.
    fn problem(&self, damages: &[Damage], usage: usize) -> Option<String> {
        self.damage(damages);
        let (mut expected, mut notes) = (self.events.clone(), Vec::new());
        // What is refused changes nothing.
        match usage {
            1 => expected.extend(append(&self.path, 6).into_iter().flatten()),
            2 => notes.extend(update(&self.path).into_iter().flatten()),
            _ => {}
        }
        match force(&self.path) {
            Ok(told) => notes.extend(told),
            Err(error) => return Some(format!("{damages:?}, use {usage}: {error}")),
        }
        let notes = notes.join("\n");
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
    let mut trials: Vec<(Vec<Damage>, usize)> =
        all.iter().enumerate().step_by(step).map(|(number, damage)| (vec![*damage], number % USES)).collect();
    let singles = trials.len();
    let dice = &mut Dice::new(1);
    let mut any = || all[dice.roll(all.len() as u64) as usize];
    trials.extend((0..pairs).map(|number| (vec![any(), any()], number % USES)));
    println!("{singles} single damages, {pairs} pairs");
    sample.assert_fine(trials);
}

#[test]
fn a_vote_that_is_accepted_on_a_damaged_page_of_the_journal_is_not_lost() {
    let sample = Sample::new();
    let trials = (sample.journal_pages().into_iter())
        .flat_map(|page| {
            let start = page * sample.page_bytes + CELL_COUNT.0;
            (start..start + CELL_COUNT.1).flat_map(|offset| (0..8).map(move |bit| (vec![Damage::Bit(offset, bit)], 1)))
        })
        .collect();
    sample.assert_fine(trials);
}

#[test]
fn a_database_with_an_unknown_write_version_is_rebuilt_with_its_votes() {
    let sample = Sample::new();
    let bits = || (0..8).map(|bit| vec![Damage::Bit(WRITE_VERSION, bit)]);
    sample.assert_fine(bits().flat_map(|damages| (0..USES).map(move |usage| (damages.clone(), usage))).collect());
    let refused = bits().filter(|damages| {
        sample.damage(damages);
        let refusals = [append(&sample.path, 6).err(), update(&sample.path).err()];
        let is_clear = |error: &StoreError| error.to_string().contains("knowing index --force");
        assert!(refusals.iter().flatten().all(is_clear), "{damages:?}: {refusals:?}");
        refusals.iter().all(Option::is_some)
    });
    assert_eq!(refused.count(), 7, "all but version 0");
}

#[test]
fn an_empty_file_is_told_until_an_index_is_complete() {
    let sample = Sample::new();
    sample.assert_fine((0..USES).map(|usage| (vec![Damage::Truncated(0)], usage)).collect());
    sample.damage(&[Damage::Truncated(0)]);
    for _ in 0..2 {
        // It is dropped before it has written an index, as when a run fails.
        let mut writer = Writer::open(&sample.path).unwrap();
        assert!(writer.notes().iter().any(|note| note.contains("was empty")), "{:?}", writer.notes());
        writer.begin().unwrap();
    }
    assert!(fill(Writer::open(&sample.path).unwrap()).unwrap().iter().any(|note| note.contains("was empty")));
    assert_eq!(Writer::open(&sample.path).unwrap().notes().len(), 0);
}

#[test]
fn a_damaged_event_is_not_sealed_anew_by_a_vote_or_an_undo() {
    let sample = Sample::new();
    let connection = rusqlite::Connection::open(&sample.path).unwrap();
    connection.execute_batch("UPDATE events SET batch = 6, task = 'other' WHERE id = 5").unwrap();
    drop(connection);
    let mut journal = Journal::open_to_write(&sample.path).unwrap();
    for refusal in [journal.append(vec![event(6)]).err(), journal.set_undone(6, true).err()] {
        assert!(refusal.is_some_and(|error| error.to_string().contains("knowing index --force")));
    }
    assert!(journal.events().is_err());
}
