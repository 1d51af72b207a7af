//! A backup has everything that was answered before it began, and damage is found.

use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use super::{filled, rows_of};
use crate::support::database::{Database, on_both};
use crate::support::ends::Ends;
use crate::support::{program, send_mailer};
use crate::transcripts::{rows, run, serve, try_run};

/// Runs a command that can find the programs of the server.
fn with_programs(arguments: &[&str], flags: &[&str]) -> Output {
    let mut command = program();
    if let Some(binaries) = crate::databases::binaries() {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", binaries.display()));
    }
    command.args(arguments).args(flags);
    command.output().unwrap()
}

/// Ways of damaging a database, each as a statement for SQLite and for PostgreSQL.
const DAMAGE: &[(&str, &str)] = &[
    (
        "the HTML of a content",
        "UPDATE contents SET html = CAST('other' AS BYTES)",
    ),
    (
        "a call without its account",
        "UPDATE calls SET account = 99",
    ),
    (
        "a call that is gone",
        "DELETE FROM calls WHERE operation = 'sendMailer'",
    ),
    (
        "a message that is gone",
        "DELETE FROM messages WHERE mailer IS NOT NULL",
    ),
    (
        "the content of a message that is gone",
        "DELETE FROM contents WHERE hash IN (SELECT content FROM messages WHERE mailer IS NULL)",
    ),
    (
        "a delivery of another account",
        "UPDATE deliveries SET account = 2 WHERE id = 1",
    ),
    (
        "a delivery that has ended and does not say when",
        "UPDATE deliveries SET ended = NULL WHERE id = 1",
    ),
    (
        "a delivery without its event",
        "UPDATE deliveries SET events = 0 WHERE id = 1",
    ),
    (
        "a delivery that waits without content",
        "UPDATE deliveries SET state = 'queued', ended = NULL; UPDATE messages SET content = NULL",
    ),
    (
        "a delivery that waits and is not in the queue",
        "UPDATE deliveries SET state = 'queued', ended = NULL WHERE id = 1",
    ),
    (
        "a delivery in the queue that has ended",
        "INSERT INTO queue (delivery, account, traffic_class) SELECT id, account, 0 FROM deliveries WHERE id = 1",
    ),
    (
        "a place in the queue whose delivery is gone",
        "INSERT INTO queue (delivery, account, traffic_class) VALUES (1000, 1, 0)",
    ),
    (
        "a delivery in the wrong traffic class",
        "INSERT INTO queue (delivery, account, traffic_class) SELECT id, account, CASE WHEN role IS NULL THEN 1 ELSE 0 END FROM deliveries; UPDATE deliveries SET state = 'queued', ended = NULL",
    ),
    (
        "credits that nobody gave",
        "UPDATE credits SET emails = emails + 1",
    ),
    (
        "credits that nobody took",
        "UPDATE credits SET subscribers = subscribers - 1",
    ),
    ("credits that are gone", "DELETE FROM credits"),
    (
        "a change of credits that is gone",
        "DELETE FROM credit_changes",
    ),
    (
        "an event with the number of one that is gone",
        "UPDATE event_numbers SET gone = 1000",
    ),
    (
        "counts of events that are gone",
        "DELETE FROM event_numbers",
    ),
    ("the keys of sending that are gone", "DELETE FROM outbox"),
    (
        "a match key of another address",
        "UPDATE subscribers SET match_key = 'mallory@reader.example' WHERE email = 'ada@reader.example'",
    ),
    (
        "a sender of another match key",
        "UPDATE senders SET match_key = 'mallory@shop.example'",
    ),
    (
        "a template that cannot be filled in",
        "UPDATE mailers SET subject = '{{'",
    ),
    (
        "a blacklisted domain that is not a domain",
        "INSERT INTO blacklist (domain, roles) VALUES ('Not A Domain', 1)",
    ),
    (
        "a blacklisted domain without roles",
        "INSERT INTO blacklist (domain, roles) VALUES ('spam.example', 0)",
    ),
    (
        "a suppressed subscriber who is active",
        "INSERT INTO suppressions (account, subscriber, cause, was_active) SELECT account, id, 'bounces', true FROM subscribers",
    ),
    (
        "an idempotency key without its call",
        "UPDATE idempotency SET call = 1",
    ),
    (
        "a member without a subscriber",
        "INSERT INTO list_members (list, account, subscriber) SELECT id, 1, 99 FROM lists",
    ),
    (
        "personalization without a subscriber",
        "INSERT INTO subscriber_fields (account, subscriber, name, value) VALUES (1, 99, 'city', CAST('x' AS FIELD))",
    ),
    (
        "an attempt without its delivery",
        "UPDATE attempts SET delivery = 99",
    ),
    (
        "the hash of a reader that is cut",
        "INSERT INTO unsubscribed (account, reader, scope, subscriber, delivery) VALUES (1, CAST('x' AS BYTES), 'account', 1, 1)",
    ),
    ("an index that is gone", "DROP INDEX queue_by_time"),
    ("a table that is gone", "DROP TABLE imports"),
    (
        "a table that is gone and that a check reads",
        "DROP TABLE attempts",
    ),
    (
        "an event that is not counted",
        "UPDATE event_counts SET events = 0; UPDATE event_totals SET events = 0",
    ),
    (
        "a total that is not that of the accounts",
        "UPDATE event_totals SET events = events + 1",
    ),
];

/// Damages a database, in spite of its own constraints.
fn damage(database: &Database, sql: &str) {
    match database.address() {
        None => {
            let connection =
                rusqlite::Connection::open(database.data().join("franking.db")).unwrap();
            connection
                .pragma_update(None, "foreign_keys", false)
                .unwrap();
            let sql = sql
                .replace("AS BYTES", "AS BLOB")
                .replace("AS FIELD", "AS TEXT");
            connection.execute_batch(&sql).unwrap();
        }
        Some(address) => crate::support::runtime().block_on(async {
            let client = crate::databases::connect(address).await;
            let sql = sql
                .replace("AS BYTES", "AS bytea")
                .replace("AS FIELD", "AS bytea");
            let sql = format!("SET session_replication_role = replica; {sql}");
            client.batch_execute(&sql).await.unwrap();
        }),
    }
}

on_both! {
    fn a_backup_that_is_taken_under_load_has_all_that_was_answered_before_it_began(database: &Database) {
        let service = serve(database, &[]);
        let is_over = AtomicBool::new(false);
        let answered = Mutex::new(Vec::new());
        let file = database.data().join("backup");
        let before: Vec<u64> = thread::scope(|scope| {
            let ends = Ends(&is_over);
            for caller in 0..4 {
                let (service, is_over, answered) = (&service, &is_over, &answered);
                scope.spawn(move || {
                    let mut calls = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        let body = send_mailer(&format!("a{caller}-{calls}@customer.example"));
                        let answer = service.post("/v4/sendMailer", &[], &body);
                        assert_eq!(answer.code(), Some(200), "{answer:?}");
                        answered.lock().unwrap().push(answer.transaction_id().unwrap());
                        calls += 1;
                    }
                });
            }
            crate::returned::wait("no call is answered", || answered.lock().unwrap().len() > 50);
            let before = answered.lock().unwrap().clone();
            let backed_up = with_programs(&["backup", file.to_str().unwrap()], &database.flags());
            assert!(backed_up.status.success(), "{backed_up:?}");
            drop(ends);
            before
        });
        service.end();
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        let again = with_programs(&["backup", file.to_str().unwrap()], &database.flags());
        assert_eq!(again.status.code(), Some(2), "a backup is in the way: {again:?}");
        assert!(String::from_utf8_lossy(&again.stderr).contains("name another file"), "{again:?}");
        let restored = database.empty();
        let refused = with_programs(&["restore", file.to_str().unwrap()], &database.flags());
        assert_eq!(refused.status.code(), Some(2), "over a database: {refused:?}");
        let done = with_programs(&["restore", file.to_str().unwrap()], &restored.flags());
        assert!(done.status.success(), "{done:?}");
        let verified = try_run(&restored, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
        let calls: Vec<String> = restored.texts("SELECT CAST(id AS text) FROM calls");
        for call in &before {
            assert!(calls.contains(&call.to_string()), "{call}");
        }
        let service = restored.serve(&["--transport", "none"]);
        assert_eq!(service.post("/v4/sendMailer", &[], &send_mailer("after@customer.example")).code(), Some(200));
    }

    fn a_database_is_whole_after_more_credit_was_taken_than_there_was(database: &Database) {
        run(database, &["account", "credit", "1", "--email", "-2000000", "--subscriber", "-2000000"]);
        run(database, &["account", "credit", "1", "--email", "3"]);
        let unlimited = run(database, &["account", "add", "Without limit"]);
        run(database, &["account", "credit", unlimited.trim(), "--email", "5"]);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
    }

    fn each_way_of_damaging_a_database_is_found(database: &Database) {
        filled(database);
        run(database, &["account", "add", "Another"]);
        assert!(try_run(database, &["verify"]).status.success());
        let file = database.data().join("whole");
        assert!(with_programs(&["backup", file.to_str().unwrap()], &database.flags()).status.success());
        let restored = database.empty();
        let done = with_programs(&["restore", file.to_str().unwrap()], &restored.flags());
        assert!(done.status.success(), "{done:?}");
        assert!(DAMAGE.len() >= 20);
        for (what, sql) in DAMAGE {
            let copy = restored.copy();
            damage(&copy, sql);
            let verified = try_run(&copy, &["verify", "--json"]);
            assert_eq!(verified.status.code(), Some(1), "{what}: {verified:?}");
            let printed = String::from_utf8(verified.stdout).unwrap();
            let broken: Vec<Value> = printed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            assert!(broken.iter().any(|row| row["holds"] == false && !row["not_of"].is_null()), "{what}: {printed}");
        }
        assert!(rows(database, &["verify"]).iter().all(|row| row["holds"] == true));
        assert!(rows_of(database, "calls") > 0);
    }
}

#[test]
fn a_file_that_is_no_backup_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (file, data) = (folder.path().join("file"), folder.path().join("data"));
    let empty = folder.path().join("empty.db");
    rusqlite::Connection::open(&empty)
        .unwrap()
        .execute_batch("CREATE TABLE t (a)")
        .unwrap();
    std::fs::write(&file, "not a database").unwrap();
    for file in [file, empty, folder.path().join("missing")] {
        let data = ["--data", data.to_str().unwrap()];
        let refused = with_programs(&["restore", file.to_str().unwrap()], &data);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    }
    assert!(!data.exists());
}

#[test]
fn a_restore_into_a_server_that_cannot_be_reached_says_what_postgres_says() {
    if crate::databases::binaries().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "a backup").unwrap();
    let address = ["--database", "postgres://u@127.0.0.1:1/none"];
    let refused = with_programs(&["restore", file.to_str().unwrap()], &address);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        error.contains("127.0.0.1") && error.contains("psql has failed"),
        "{error}"
    );
}

/// Replaces a table by a view that refuses to be read by a statement with a limit of time.
const REFUSES_LIMITS: &str = "DROP TABLE attempts;
    CREATE FUNCTION is_limited() RETURNS boolean LANGUAGE plpgsql AS
    'BEGIN IF current_setting(''statement_timeout'') <> ''0'' THEN RAISE ''limited''; END IF; RETURN false; END';
    CREATE VIEW attempts AS SELECT 1::bigint AS id, 1::bigint AS delivery WHERE is_limited()";

#[test]
fn a_check_of_postgres_takes_as_long_as_it_takes() {
    let Some(database) = Database::postgres(&crate::support::world("world.json")) else {
        return;
    };
    database.script(REFUSES_LIMITS);
    let verified = try_run(&database, &["verify"]);
    let printed = String::from_utf8(verified.stdout).unwrap();
    let holds = "each attempt has its delivery\tyes";
    assert!(printed.contains(holds), "{printed}");
}

/// Makes a backup of a SQLite database.
fn backup_of_sqlite(database: &Database) -> String {
    let file = database.data().join("backup").display().to_string();
    let made = with_programs(&["backup", &file], &database.flags());
    assert!(made.status.success(), "{made:?}");
    file
}

#[test]
fn a_restore_that_fails_or_is_killed_leaves_no_database_and_can_be_run_again() {
    let database = Database::sqlite(&crate::support::world("world.json"));
    let file = backup_of_sqlite(&database);
    for (on_the_limit, status) in [("trap '' XFSZ", Some(2)), (":", None)] {
        let restored = database.empty();
        let mut shell = Command::new("sh");
        // The limit is in blocks of 512 bytes. Without the trap, a program that writes more is killed.
        let limited = format!(r#"{on_the_limit}; ulimit -c 0; ulimit -f 16; exec "$0" "$@""#);
        shell.args(["-c", &limited]).arg(program().get_program());
        let ended = shell.args(["restore", &file]).args(restored.flags());
        let ended = ended.output().unwrap();
        assert_eq!(ended.status.code(), status, "{ended:?}");
        let exists = |name: &str| restored.data().join(name).exists();
        assert_eq!(
            (exists("franking.db"), exists("franking.db.part")),
            (false, status.is_none())
        );
        if status.is_none() {
            // A service does not begin with an empty database in its place.
            let refused = try_run(&restored, &["migrate"]);
            let error = String::from_utf8_lossy(&refused.stderr);
            assert!(error.contains("was interrupted: run it again"), "{error}");
        }
        let again = with_programs(&["restore", &file], &restored.flags());
        assert!(again.status.success(), "{again:?}");
        assert!(run(&restored, &["account", "list"]).contains("world"));
    }
}

#[test]
fn a_backup_is_not_restored_beside_files_of_another_database() {
    let database = Database::sqlite(&crate::support::world("world.json"));
    let file = backup_of_sqlite(&database);
    for name in ["franking.db-wal", "franking.db-shm", "franking.db-journal"] {
        let restored = database.empty();
        std::fs::write(restored.data().join(name), "").unwrap();
        let refused = with_programs(&["restore", &file], &restored.flags());
        let error = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(
            error.contains(name) && error.contains("move it away"),
            "{error}"
        );
        assert!(!restored.data().join("franking.db").exists());
    }
}
