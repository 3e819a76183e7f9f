//! Steering: a person's pins and drops, by task or by branch, which apply to the packs of agents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::symbol::SteeredSymbol;
use super::{Exchange, ExchangeError, now_ms, shorten};
use crate::feedback::Cluster;
use crate::model::{Options, SymbolId};

const FILE: &str = "steering.json";
/// Limits of the file, in bytes and entries.
const MAX_FILE_BYTES: u64 = 16 << 20;
const MAX_ENTRIES: usize = 100;
const MAX_SYMBOLS: usize = 50;
const MAX_KEYWORDS: usize = 64;
const MAX_TEXT_BYTES: usize = 1_000;
const MAX_WORD_BYTES: usize = 200;

/// The requests that pins and drops apply to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SteeringScope {
    /// Tasks whose clusters overlap with these primary keywords, as for feedback.
    Task { keywords: Vec<String> },
    /// Every request while this branch is checked out.
    Branch { name: String },
}

/// The pins and drops of one scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SteeringEntry {
    pub scope: SteeringScope,
    /// The task at which the person made them.
    #[serde(default)]
    pub task: String,
    #[serde(default)]
    pub at_ms: u64,
    #[serde(default)]
    pub pinned: Vec<SteeredSymbol>,
    #[serde(default)]
    pub dropped: Vec<SteeredSymbol>,
}

/// All pins and drops for agents, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steering {
    #[serde(default)]
    pub entries: Vec<SteeringEntry>,
}

/// The pins and drops that apply to one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SteeringEffect {
    pub pinned: Vec<SteeredSymbol>,
    pub dropped: Vec<SteeredSymbol>,
}

impl SteeringEntry {
    /// Creates an entry that is made now.
    pub fn new(
        scope: SteeringScope,
        task: &str,
        pinned: Vec<SteeredSymbol>,
        dropped: Vec<SteeredSymbol>,
    ) -> SteeringEntry {
        SteeringEntry { scope, task: task.to_owned(), at_ms: now_ms(), pinned, dropped }
    }

    fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.dropped.is_empty()
    }

    /// Returns the entry of a file within the limits, without symbols that are not valid.
    fn bounded(self) -> SteeringEntry {
        let mut entry = self.valid();
        entry.pinned.truncate(MAX_SYMBOLS);
        entry.dropped.truncate(MAX_SYMBOLS);
        entry
    }

    /// Returns the entry without symbols that are not valid, and with short texts.
    fn valid(mut self) -> SteeringEntry {
        for symbols in [&mut self.pinned, &mut self.dropped] {
            symbols.retain(SteeredSymbol::is_valid);
        }
        shorten(&mut self.task, MAX_TEXT_BYTES);
        match &mut self.scope {
            SteeringScope::Branch { name } => shorten(name, MAX_WORD_BYTES),
            SteeringScope::Task { keywords } => {
                keywords.retain(|word| word.len() <= MAX_WORD_BYTES);
                keywords.sort_unstable();
                keywords.dedup();
                keywords.truncate(MAX_KEYWORDS);
            }
        }
        self
    }
}

impl Steering {
    /// Returns the pins and the drops of a scope.
    pub fn lists(&self, scope: &SteeringScope) -> [Vec<SteeredSymbol>; 2] {
        let entry = self.entries.iter().find(|entry| entry.scope == *scope).cloned();
        entry.map_or([Vec::new(), Vec::new()], |entry| [entry.pinned, entry.dropped])
    }

    /// Replaces the pins and drops of the entry's scope; an entry without any removes them.
    pub fn set(&mut self, entry: SteeringEntry) {
        let entry = entry.valid();
        self.entries.retain(|known| known.scope != entry.scope);
        if !entry.is_empty() {
            self.entries.push(entry);
        }
    }

    /// Returns the pins and drops for a task of this cluster on this branch; without a cluster those of the branch.
    /// A symbol that is pinned and dropped is what the closest entry says: that of a task before that of the branch,
    /// the larger overlap before the smaller, the newer before the older.
    pub fn for_task(&self, cluster: Option<&Cluster>, branch: Option<&str>) -> SteeringEffect {
        let overlap = |entry: &SteeringEntry| match &entry.scope {
            SteeringScope::Branch { name } => (branch == Some(name.as_str())).then_some(0.0),
            SteeringScope::Task { keywords } => {
                let overlap = Cluster::new(keywords.iter().cloned()).overlap(cluster?);
                (overlap > 0.0).then_some(overlap)
            }
        };
        let mut applying: Vec<(f64, &SteeringEntry)> =
            self.entries.iter().filter_map(|entry| Some((overlap(entry)?, entry))).collect();
        applying.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.at_ms.cmp(&two.1.at_ms)));
        let mut symbols: BTreeMap<SymbolId, (bool, &SteeredSymbol)> = BTreeMap::new();
        for (_, entry) in applying {
            symbols.extend(entry.dropped.iter().map(|symbol| (symbol.id, (false, symbol))));
            symbols.extend(entry.pinned.iter().map(|symbol| (symbol.id, (true, symbol))));
        }
        let mut effect = SteeringEffect::default();
        for (is_pinned, symbol) in symbols.into_values() {
            let list = if is_pinned { &mut effect.pinned } else { &mut effect.dropped };
            list.push(symbol.clone());
        }
        effect
    }
}

impl SteeringEffect {
    /// Adds the pins and drops to the options of a request.
    pub fn apply(&self, options: &mut Options) {
        options.pinned.extend(self.pinned.iter().map(|symbol| symbol.id));
        options.dropped.extend(self.dropped.iter().map(|symbol| symbol.id));
    }

    /// Returns whether nothing is pinned or dropped.
    pub fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.dropped.is_empty()
    }
}

impl Exchange {
    /// Reads the pins and drops for agents; none if there is no file.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn steering(&self) -> Result<Steering, ExchangeError> {
        let Some(bytes) = self.read(FILE, MAX_FILE_BYTES)? else { return Ok(Steering::default()) };
        let malformed = |error: serde_json::Error| {
            let reason = error.to_string();
            ExchangeError::Malformed { path: self.file(FILE), reason }
        };
        let mut steering: Steering = serde_json::from_slice(&bytes).map_err(malformed)?;
        steering.entries.truncate(MAX_ENTRIES);
        steering.entries = steering.entries.into_iter().map(SteeringEntry::bounded).collect();
        Ok(steering)
    }

    /// Replaces the pins and drops of the entry's scope; an entry without any removes them. An unreadable file is
    /// replaced, too.
    ///
    /// # Errors
    /// When there is no index, the entry has too many symbols, or the file can't be written.
    pub fn steer(&self, entry: SteeringEntry) -> Result<Steering, ExchangeError> {
        self.update_steering(|steering| steering.set(entry)).map(|(steering, ())| steering)
    }

    /// Changes the pins and drops; no other process changes them meanwhile. An unreadable file is replaced. Returns the
    /// new ones and what `change` returned.
    ///
    /// # Errors
    /// When there is no index, an entry has too many symbols, or the file can't be written. Nothing was changed.
    pub fn update_steering<T>(&self, change: impl FnOnce(&mut Steering) -> T) -> Result<(Steering, T), ExchangeError> {
        self.prepare()?;
        let _lock = self.lock()?;
        let mut steering = match self.steering() {
            Err(ExchangeError::Malformed { .. }) => Steering::default(),
            steering => steering?,
        };
        let result = change(&mut steering);
        let count = |entry: &SteeringEntry| entry.pinned.len().max(entry.dropped.len());
        if steering.entries.iter().any(|entry| count(entry) > MAX_SYMBOLS) {
            return Err(ExchangeError::TooMany { limit: MAX_SYMBOLS });
        }
        let surplus = steering.entries.len().saturating_sub(MAX_ENTRIES);
        steering.entries.drain(..surplus);
        let bytes = serde_json::to_vec(&steering).expect("strings, numbers and lists of them have a form in JSON");
        self.replace(FILE, &bytes)?;
        Ok((steering, result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(byte: u8) -> SteeredSymbol {
        SteeredSymbol { id: SymbolId([byte; 16]), name: format!("f{byte}"), file: "a.py".into(), line: 1 }
    }

    fn keywords(words: &str) -> SteeringScope {
        SteeringScope::Task { keywords: words.split(' ').map(str::to_owned).collect() }
    }

    fn cluster(words: &str) -> Cluster {
        Cluster::new(words.split(' ').map(str::to_owned))
    }

    fn bytes(symbols: &[SteeredSymbol]) -> Vec<u8> {
        symbols.iter().map(|symbol| symbol.id.0[0]).collect()
    }

    #[test]
    fn an_entry_applies_to_its_cluster_or_branch() {
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        exchange.steer(SteeringEntry::new(keywords("b a"), "a b", vec![symbol(1)], vec![symbol(2)])).unwrap();
        let branch = SteeringScope::Branch { name: "topic".into() };
        exchange.steer(SteeringEntry::new(branch.clone(), "x", vec![symbol(2), symbol(3)], Vec::new())).unwrap();
        let steering = exchange.steering().unwrap();

        let effect = steering.for_task(Some(&cluster("a b c")), Some("topic"));
        assert_eq!((bytes(&effect.pinned), bytes(&effect.dropped)), (vec![1, 3], vec![2]), "the task's drop is closer");
        let effect = steering.for_task(Some(&cluster("x y")), Some("topic"));
        assert_eq!((bytes(&effect.pinned), bytes(&effect.dropped)), (vec![2, 3], vec![]));
        assert_eq!(steering.for_task(None, Some("topic")), effect);
        assert!(steering.for_task(Some(&cluster("x y")), Some("main")).is_empty());
        let mut options = Options::default();
        effect.apply(&mut options);
        assert_eq!(options.pinned.len(), 2);

        exchange.steer(SteeringEntry::new(keywords("a b"), "a b", vec![symbol(4)], Vec::new())).unwrap();
        let steering = exchange.steer(SteeringEntry::new(branch, "", Vec::new(), Vec::new())).unwrap();
        assert_eq!(steering, exchange.steering().unwrap());
        assert_eq!((steering.entries.len(), bytes(&steering.entries[0].pinned)), (1, vec![4]));
    }

    #[test]
    fn files_of_others_are_validated() {
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        exchange.prepare().unwrap();
        for text in ["", "[", "{\"entries\":[{}]}", "{\"entries\":[{\"scope\":{\"task\":{\"keywords\":[1]}}}]}"] {
            exchange.replace(FILE, text.as_bytes()).unwrap();
            assert!(matches!(exchange.steering(), Err(ExchangeError::Malformed { .. })), "{text}");
        }
        let outside = SteeredSymbol { file: "../../etc/passwd".into(), ..symbol(1) };
        let entry = SteeringEntry::new(keywords("a"), &"x".repeat(2_000), vec![outside, symbol(1)], Vec::new());
        let entries = vec![entry; 2 * MAX_ENTRIES];
        exchange.replace(FILE, &serde_json::to_vec(&Steering { entries }).unwrap()).unwrap();
        let read = exchange.steering().unwrap();
        assert_eq!((read.entries.len(), bytes(&read.entries[0].pinned)), (MAX_ENTRIES, vec![1]));
        exchange.replace(FILE, &vec![b' '; MAX_FILE_BYTES as usize + 1]).unwrap();
        assert!(exchange.steering().is_err());
        let entry = SteeringEntry::new(keywords("a"), "", vec![symbol(1)], Vec::new());
        assert_eq!(exchange.steer(entry).unwrap().entries.len(), 1, "an unreadable file is replaced");
    }

    #[cfg(unix)]
    #[test]
    fn file_that_a_checkout_could_have_written_is_not_trusted() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        exchange.steer(SteeringEntry::new(keywords("a"), "", vec![symbol(1)], Vec::new())).unwrap();
        assert_eq!(exchange.steering().unwrap().entries.len(), 1);
        std::fs::set_permissions(exchange.file(FILE), PermissionsExt::from_mode(0o644)).unwrap();
        assert!(matches!(exchange.steering(), Err(ExchangeError::Untrusted { .. })));
    }

    #[test]
    fn entries_and_symbols_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        for number in 0..MAX_ENTRIES + 5 {
            let scope = keywords(&format!("word{number}"));
            let last = if number == 5 { MAX_SYMBOLS as u8 } else { 1 };
            exchange.steer(SteeringEntry::new(scope, "", (0..last).map(symbol).collect(), Vec::new())).unwrap();
        }
        let steering = exchange.steering().unwrap();
        let surplus = (0..=MAX_SYMBOLS as u8).map(symbol).collect();
        let refused = exchange.steer(SteeringEntry::new(keywords("word5"), "", surplus, Vec::new()));
        assert!(matches!(refused, Err(ExchangeError::TooMany { .. })), "no pin is lost without a word: {refused:?}");
        assert_eq!(exchange.steering().unwrap(), steering);
        assert_eq!((steering.entries.len(), steering.entries[0].pinned.len()), (MAX_ENTRIES, MAX_SYMBOLS));
        assert_eq!(steering.entries[0].scope, keywords("word5"), "the oldest are removed");
    }
}
