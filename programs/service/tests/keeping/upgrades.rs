//! Upgrades a database with its content from one schema to the next, while processes are replaced one by one.

use super::{filled, rows_of};
use crate::support::database::on_both;
use crate::support::send_mailer;
use crate::transcripts::{run, serve, try_run};

/// The first schema. tools/packaging/compatibility.py checks that it does not change once it is released.
const FIRST: [&str; 2] = [
    include_str!("../../src/store/sqlite/migrations/0001.sql"),
    include_str!("../../src/store/postgres/migrations/0001.sql"),
];

/// The additions of an invented next release. This program does not use them.
const EXPANDS: &str = "ALTER TABLE calls ADD COLUMN note text;
    ALTER TABLE deliveries ADD COLUMN note text;
    CREATE TABLE notes (id integer PRIMARY KEY, note text);
    INSERT INTO schema_version (version, least) VALUES (2, 1)";
/// The removals of the release after that.
const CONTRACTS: &str = "ALTER TABLE calls DROP COLUMN subscribers;
    INSERT INTO schema_version (version, least) VALUES (3, 3)";

on_both! {
    fn a_database_of_the_first_schema_is_one_of_this_program(database: &Database) {
        let first = database.empty();
        first.script(FIRST[usize::from(database.address().is_some())]);
        first.script(match database.address() {
            None => "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, least INTEGER NOT NULL) STRICT;
                INSERT INTO schema_version VALUES (1, 1)",
            Some(_) => "CREATE TABLE schema_version (version bigint PRIMARY KEY, least bigint NOT NULL);
                INSERT INTO schema_version VALUES (1, 1)",
        });
        let number = run(&first, &["account", "add", "Shop"]);
        assert_eq!(number.trim(), "1");
        run(&first, &["migrate"]);
        assert_eq!(rows_of(&first, "accounts"), 1);
        assert!(try_run(&first, &["verify"]).status.success());
    }

    fn processes_go_on_beside_a_schema_that_has_grown_and_are_refused_by_one_that_has_shrunk(database: &Database) {
        filled(database);
        let service = serve(database, &[]);
        let call = |reader: &str| service.post("/v4/sendMailer", &[], &send_mailer(reader)).code();
        assert_eq!(call("before@reader.example"), Some(200));
        database.script(EXPANDS);
        assert_eq!(call("beside@reader.example"), Some(200));
        run(database, &["call", "list", "1"]);
        assert!(try_run(database, &["verify"]).status.success());
        // A process of this release starts as well, on PostgreSQL beside the other one, and does not change the schema.
        let service = match database.address() {
            None => {
                service.end();
                None
            }
            Some(_) => Some(service),
        };
        let another = serve(database, &[]);
        for one in service.iter().chain([&another]) {
            let again = one.post("/v4/sendMailer", &[], &send_mailer("again@reader.example"));
            assert_eq!(again.code(), Some(200));
        }
        drop((service, another));
        assert_eq!(rows_of(database, "schema_version"), 2);
        database.script(CONTRACTS);
        for arguments in [&["call", "list", "1"][..], &["migrate"], &["serve", "--transport", "none"]] {
            let refused = try_run(database, arguments);
            assert!(!refused.status.success(), "{arguments:?}");
            let said = String::from_utf8_lossy(&refused.stderr);
            assert!(said.contains("Run the newer program"), "{arguments:?}: {said}");
        }
        assert_eq!(rows_of(database, "schema_version"), 3);
    }
}
