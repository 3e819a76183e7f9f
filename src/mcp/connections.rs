//! The open connections of the server over HTTP. Clients that send nothing, or half of a request, keep no other client
//! out: when there are too many connections, the one that has been idle for the longest is closed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Mutex, MutexGuard};
use tokio::task::AbortHandle;

/// Limit of the connections at once. Far more than are served at a time, since idle ones cost little.
const MAX_CONNECTIONS: usize = 256;

/// The open connections. Clones share them.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    next: u64,
    by_number: BTreeMap<u64, Connection>,
}

struct Connection {
    /// `None` until its task is known.
    task: Option<AbortHandle>,
    /// Requests with the token that have arrived as a whole and are not answered yet.
    requests: usize,
    idle_since: Instant,
}

/// A connection, which is forgotten when this is dropped.
pub struct Entry {
    connections: Connections,
    number: u64,
}

/// A request that is served, until this is dropped.
pub struct Serving {
    connections: Connections,
    number: u64,
}

impl Connections {
    /// Adds a connection. At the limit the one that has been idle for the longest is closed for it; `None` if each
    /// serves a request.
    pub fn enter(&self) -> Option<Entry> {
        let mut open = self.lock();
        if open.by_number.len() >= MAX_CONNECTIONS {
            let idle = open.by_number.iter().filter(|(_, connection)| connection.requests == 0);
            let oldest = idle.min_by_key(|(_, connection)| connection.idle_since).map(|(number, _)| *number)?;
            if let Some(task) = open.by_number.remove(&oldest).and_then(|connection| connection.task) {
                task.abort();
            }
        }
        let number = open.next;
        open.next += 1;
        open.by_number.insert(number, Connection { task: None, requests: 0, idle_since: Instant::now() });
        Some(Entry { connections: self.clone(), number })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock()
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Connection)) {
        // A connection that was closed for another is unknown.
        if let Some(connection) = self.lock().by_number.get_mut(&number) {
            change(connection);
        }
    }

    /// Names the task that serves a connection.
    pub fn attach(&self, number: u64, task: AbortHandle) {
        self.change(number, |connection| connection.task = Some(task));
    }
}

impl Entry {
    /// Returns the number with which [`Connections::attach`] names the task.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Marks the connection as busy.
    pub fn serving(&self) -> Serving {
        self.connections.change(self.number, |connection| connection.requests += 1);
        Serving { connections: self.connections.clone(), number: self.number }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.lock().by_number.remove(&self.number);
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.connections.change(self.number, |connection| {
            connection.requests -= 1;
            connection.idle_since = Instant::now();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_makes_room() {
        let connections = Connections::default();
        let entries: Vec<Entry> = (0..MAX_CONNECTIONS).map(|_| connections.enter().unwrap()).collect();
        let oldest = entries[0].serving();
        let newest = connections.enter().unwrap();
        let is_open = |entry: &Entry| connections.lock().by_number.contains_key(&entry.number);
        assert!(is_open(&newest) && is_open(&entries[0]) && !is_open(&entries[1]) && is_open(&entries[2]));
        let busy: Vec<Serving> = entries.iter().chain([&newest]).map(Entry::serving).collect();
        assert!(connections.enter().is_none(), "each serves a request");
        drop((oldest, busy));
        assert!(connections.enter().is_some());
        drop((entries, newest));
        assert!(connections.lock().by_number.is_empty());
    }
}
