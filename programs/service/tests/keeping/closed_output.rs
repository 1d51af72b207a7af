//! The reader closes the output of a command before its end, as `head` does. That changes neither what the command does nor
//! its exit status.

use super::rows_of;
use crate::support::database::on_both;
use crate::transcripts::{rows, run, unread};

on_both! {
    fn a_person_is_erased_from_each_account_when_nobody_reads_what_was_removed(database: &Database) {
        let before = rows_of(database, "subscribers");
        let another = run(database, &["account", "add", "Another"]);
        for account in ["1", another.trim()] {
            run(database, &["subscriber", "add", account, "ada@reader.example"]);
        }
        let ended = unread(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert_eq!((ended.status.code(), &*ended.stderr), (Some(0), &b""[..]), "{ended:?}");
        assert_eq!(rows_of(database, "subscribers"), before);
        assert_eq!(rows(database, &["audit", "list"])[0]["outcome"], "done");
    }

    fn the_status_says_that_a_database_is_not_whole_when_nobody_reads_the_checks(database: &Database) {
        let whole = unread(database, &["verify"]);
        assert_eq!((whole.status.code(), &*whole.stderr), (Some(0), &b""[..]), "{whole:?}");
        let damage = "UPDATE senders SET match_key = 'mallory@shop.example'";
        assert!(database.execute(damage, damage) > 0);
        let damaged = unread(database, &["verify"]);
        assert_eq!((damaged.status.code(), &*damaged.stderr), (Some(1), &b""[..]), "{damaged:?}");
    }

    fn an_export_that_is_not_read_to_its_end_does_not_fail(database: &Database) {
        // This is more than is held before it is written.
        let addresses = (0..2_000).map(|number| format!("reader{number}@import.example\n"));
        let path = database.data().join("in.csv");
        std::fs::write(&path, format!("email\n{}", addresses.collect::<String>())).unwrap();
        run(database, &["subscriber", "import", "1", path.to_str().unwrap()]);
        for format in ["csv", "jsonl"] {
            let ended = unread(database, &["subscriber", "export", "1", "--format", format]);
            assert_eq!((ended.status.code(), &*ended.stderr), (Some(0), &b""[..]), "{ended:?}");
        }
    }
}
