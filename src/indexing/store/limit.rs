//! Time limits of checks: a file of unknown origin must not keep the program busy for ever.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// Number of steps of SQLite's virtual machine between two looks at the clock.
const STEPS: i32 = 1_000;

/// Maximum time of the checks of a file that is opened.
pub(super) const OPEN: Duration = Duration::from_secs(10);

/// Returns the maximum time of reading all rows of a database: ten times what a slow disk needs.
pub(super) fn of_whole(path: &Path) -> Duration {
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    Duration::from_secs(60 + (bytes >> 20))
}

/// Interrupts the statements of a connection from now on when the time is over.
pub(super) fn start(connection: &mut Connection, limit: Duration) -> rusqlite::Result<()> {
    let end = Instant::now() + limit;
    connection.progress_handler(STEPS, Some(move || Instant::now() >= end))
}

/// Ends the limit.
pub(super) fn stop(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.progress_handler(0, None::<fn() -> bool>)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::error::StoreError;

    #[test]
    fn a_statement_without_end_is_interrupted() {
        let mut connection = Connection::open_in_memory().unwrap();
        start(&mut connection, Duration::ZERO).unwrap();
        let endless = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
        let error = connection.query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err();
        let message = StoreError::from_sql(Path::new("graph.db"), error).to_string();
        assert!(message.contains("graph.db") && message.contains("too long"), "{message}");
        assert!(message.contains("knowing index --force"), "{message}");
        stop(&mut connection).unwrap();
        let short =
            "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 9000) SELECT count(*) FROM c";
        assert_eq!(connection.query_row(short, [], |row| row.get::<_, i64>(0)).unwrap(), 9_000);
    }
}
