//! Databases that someone else made: every command refuses them and says how to go on, and none hangs.

use rusqlite::Connection;

use crate::cli::{Shop, code, stderr, stdout};

const TASK: &str = "sessions expire too early";

/// Rows without end.
const ENDLESS: &str = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT";

#[test]
fn a_database_with_another_schema_is_refused_by_every_command_and_replaced_by_force() {
    let shop = Shop::new();
    let folder = tempfile::tempdir().unwrap();
    let view = |table: &str, columns: &str| {
        format!("PRAGMA foreign_keys = OFF; DROP TABLE {table}; CREATE VIEW {table} AS {ENDLESS} {columns} FROM c")
    };
    let plants = [
        ("trigger", "CREATE TRIGGER t AFTER INSERT ON feedback BEGIN DELETE FROM feedback; END".to_owned(), true),
        ("index", "CREATE INDEX more ON files (language)".to_owned(), true),
        ("table", "CREATE TABLE more (x)".to_owned(), true),
        ("meta", view("meta", "'complete' AS key, 'yes' AS value"), true),
        ("symbols", view("symbols", "x AS block, x AS data"), true),
        ("files", view("files", "x AS id, 'a' AS path"), true),
        ("digests", view("digests", "'events' AS name, x AS row_count, 0 AS sum"), true),
        ("events", view("events", "x AS id, x AS batch"), false),
        ("feedback", view("feedback", "x AS id, x AS event"), false),
    ];
    for (name, sql, keeps_votes) in plants {
        let database = folder.path().join(format!("{name}.db"));
        let database = database.to_str().unwrap();
        let run = |arguments: &[&str]| shop.run(&[&["--db", database], arguments].concat());
        let vote = ["feedback", "--task", TASK, "--useful", "Cart.total"];
        for arguments in [&["index"][..], &vote] {
            let output = run(arguments);
            assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        }
        let votes = stdout(&run(&["feedback", "export"]));
        Connection::open(database).unwrap().execute_batch(&sql).unwrap();
        for arguments in [&["context", TASK][..], &["index"], &["status", "--verify"], &["feedback", "export"], &vote] {
            let output = run(arguments);
            let message = stderr(&output);
            assert_eq!(code(&output), 3, "{name}, {arguments:?}: {message}");
            assert!(message.contains(name) && message.contains("knowing index --force"), "{name}: {message}");
        }
        let output = run(&["index", "--force"]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert_eq!(stdout(&run(&["feedback", "export"])) == votes, keeps_votes, "{name}");
        let told = stderr(&output).contains("could be read") || stderr(&output).contains("could not be read");
        assert_eq!(told, !keeps_votes, "{name}: {}", stderr(&output));
        assert_eq!(code(&run(&["status", "--verify"])), 0, "{name}");
    }
}

/// Opening a pipe that nobody writes to would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_database_or_of_its_log_is_refused() {
    let shop = Shop::new();
    let folder = tempfile::tempdir().unwrap();
    for name in ["graph.db", "other.db-wal", "third.db-journal"] {
        let pipe = folder.path().join(name);
        let database = folder.path().join(name.split_inclusive(".db").next().unwrap());
        let database = database.to_str().unwrap();
        if !database.ends_with(name) {
            assert_eq!(code(&shop.run(&["--db", database, "index"])), 0);
            // A reader may have left its log.
            std::fs::remove_file(&pipe).unwrap_or_default();
        }
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for arguments in [&["context", TASK][..], &["status", "--verify"], &["index"]] {
            let output = shop.run(&[&["--db", database], arguments].concat());
            let message = stderr(&output);
            assert_eq!(code(&output), 3, "{name}, {arguments:?}: {message}");
            assert!(message.contains("not a regular file") && message.contains("--force"), "{name}: {message}");
        }
        let output = shop.run(&["--db", database, "index", "--force"]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert_eq!(code(&shop.run(&["--db", database, "status", "--verify"])), 0, "{name}");
    }
}
