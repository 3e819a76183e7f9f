//! A pack that a person sends to an agent: its symbols are pinned in the agent's next pack, once.

use std::fs;
use std::io::ErrorKind;

use serde::{Deserialize, Serialize};

use super::symbol::SteeredSymbol;
use super::{Exchange, ExchangeError, now_ms, shorten};

const FILE: &str = "sent.json";
/// Limits of the file, in bytes and entries.
const MAX_FILE_BYTES: u64 = 256 << 10;
const MAX_SYMBOLS: usize = 200;
const MAX_TEXT_BYTES: usize = 4_096;
/// An older pack is not delivered: the agent of that time is gone.
const MAX_AGE_MS: u64 = 24 * 3_600_000;
/// Largest difference between the clocks of two machines that share a folder.
const MAX_CLOCK_SKEW_MS: u64 = 60_000;

/// A pack for the next request of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentPack {
    pub at_ms: u64,
    /// The task for which the person made the pack.
    #[serde(default)]
    pub task: String,
    /// A message of the person to the agent; may be empty.
    #[serde(default)]
    pub note: String,
    /// In rank order, best first.
    pub symbols: Vec<SteeredSymbol>,
}

impl SentPack {
    /// Creates a pack that is sent now.
    pub fn new(task: &str, note: &str, symbols: Vec<SteeredSymbol>) -> SentPack {
        SentPack { at_ms: now_ms(), task: task.to_owned(), note: note.to_owned(), symbols }
    }

    fn bounded(mut self) -> SentPack {
        shorten(&mut self.task, MAX_TEXT_BYTES);
        shorten(&mut self.note, MAX_TEXT_BYTES);
        self.symbols.retain(SteeredSymbol::is_valid);
        self.symbols.truncate(MAX_SYMBOLS);
        self
    }
}

impl Exchange {
    /// Sends a pack to the next request of an agent. It replaces an undelivered one.
    ///
    /// # Errors
    /// When there is no index, or the file can't be written.
    pub fn send(&self, pack: SentPack) -> Result<(), ExchangeError> {
        self.prepare()?;
        let _lock = self.lock()?;
        self.write_sent(pack)
    }

    fn write_sent(&self, pack: SentPack) -> Result<(), ExchangeError> {
        let bytes = serde_json::to_vec(&pack.bounded()).expect("strings, numbers and lists have a form in JSON");
        self.replace(FILE, &bytes)
    }

    /// Returns the pack that waits for delivery, if there is one.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn sent(&self) -> Result<Option<SentPack>, ExchangeError> {
        let Some(bytes) = self.read(FILE, MAX_FILE_BYTES)? else { return Ok(None) };
        let malformed =
            |error: serde_json::Error| ExchangeError::Malformed { path: self.file(FILE), reason: error.to_string() };
        let pack: SentPack = serde_json::from_slice(&bytes).map_err(malformed)?;
        let now = now_ms();
        let is_current = pack.at_ms <= now + MAX_CLOCK_SKEW_MS && now.saturating_sub(pack.at_ms) <= MAX_AGE_MS;
        Ok(is_current.then(|| pack.bounded()))
    }

    /// Removes the waiting pack and returns it. Of several processes one gets it. A file that can't be read is removed,
    /// too, so that the error occurs once.
    ///
    /// # Errors
    /// When the file can't be read or removed.
    pub fn take_sent(&self) -> Result<Option<SentPack>, ExchangeError> {
        self.take_sent_if(|_| true)
    }

    /// Removes the waiting pack as [`Exchange::take_sent`], if it is a wanted one.
    ///
    /// # Errors
    /// Those of [`Exchange::take_sent`].
    pub fn take_sent_if(&self, is_wanted: impl FnOnce(&SentPack) -> bool) -> Result<Option<SentPack>, ExchangeError> {
        let path = self.file(FILE);
        if self.is_missing(&path)? {
            return Ok(None);
        }
        let _lock = self.lock()?;
        let pack = self.sent();
        if let Ok(Some(pack)) = &pack
            && !is_wanted(pack)
        {
            return Ok(None);
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ExchangeError::io("remove", &path, error)),
            Ok(()) => pack,
        }
    }

    /// Returns a taken pack that was not delivered, unless another one was sent since.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn put_back_sent(&self, pack: SentPack) -> Result<(), ExchangeError> {
        self.prepare()?;
        let _lock = self.lock()?;
        if self.is_missing(&self.file(FILE))? { self.write_sent(pack) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn exchange() -> (tempfile::TempDir, Exchange) {
        let folder = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&folder.path().join("graph.db"));
        (folder, exchange)
    }

    fn pack(task: &str) -> SentPack {
        let symbol = SteeredSymbol { id: SymbolId([1; 16]), name: "f".into(), file: "a.py".into(), line: 1 };
        SentPack::new(task, "look here", vec![symbol])
    }

    #[test]
    fn a_sent_pack_is_delivered_once() {
        let (_folder, exchange) = exchange();
        assert_eq!(exchange.take_sent().unwrap(), None);
        exchange.send(pack("first")).unwrap();
        exchange.send(pack("second")).unwrap();
        assert_eq!(exchange.sent().unwrap().unwrap().task, "second");
        let taken: Vec<SentPack> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| exchange.take_sent().unwrap())).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(taken.len(), 1);
        exchange.put_back_sent(taken[0].clone()).unwrap();
        assert_eq!(exchange.take_sent().unwrap().unwrap(), taken[0]);
        exchange.send(pack("third")).unwrap();
        exchange.put_back_sent(pack("old")).unwrap();
        assert_eq!(exchange.take_sent().unwrap().unwrap().task, "third");
    }

    #[test]
    fn only_a_wanted_pack_is_taken() {
        let (_folder, exchange) = exchange();
        exchange.send(pack("first")).unwrap();
        assert_eq!(exchange.take_sent_if(|pack| pack.task == "second").unwrap(), None);
        let taken = exchange.take_sent_if(|pack| {
            assert!(exchange.lock().is_err(), "no other process can send between the look and the removal");
            pack.task == "first"
        });
        assert_eq!(taken.unwrap().unwrap().task, "first");
    }

    #[test]
    fn a_returned_pack_never_replaces_another() {
        let (_folder, exchange) = exchange();
        for _ in 0..50 {
            std::thread::scope(|scope| {
                scope.spawn(|| exchange.send(pack("new")).unwrap());
                scope.spawn(|| exchange.put_back_sent(pack("old")).unwrap());
            });
            assert_eq!(exchange.take_sent().unwrap().unwrap().task, "new");
        }
    }

    #[test]
    fn old_and_malformed_packs_are_not_delivered() {
        let (_folder, exchange) = exchange();
        exchange.send(SentPack { at_ms: 1, ..pack("old") }).unwrap();
        assert_eq!(exchange.take_sent().unwrap(), None);
        fs::write(exchange.file(FILE), "{\"symbols\":").unwrap();
        assert!(exchange.take_sent().is_err());
        assert_eq!(exchange.take_sent().unwrap(), None);
    }
}
