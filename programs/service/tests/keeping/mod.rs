//! What keeps a database in order for years: retention, erasure, import and export, backup.

mod backup;
mod closed_output;
mod erasure;
mod import;
mod retention;
mod upgrades;

use std::process::Command;

use crate::returned::wait;
use crate::support::database::Database;
use crate::support::{KEY, Service, http_send_mail, send_mailer};
use crate::transcripts::{refused_call, run, serve};

/// Runs a service, and fills the database: calls are accepted and refused, their emails end, and everything is recorded.
fn filled(database: &Database) {
    let service = serve(
        database,
        &[
            "--transcripts",
            "whole",
            "--tracking-url",
            "https://t.example",
        ],
    );
    calls(&service);
    wait("calls are not kept", || {
        database.number("SELECT count(*) FROM transcripts") == 4
    });
    service.end();
    let maildir = tempfile::tempdir().unwrap();
    let keys = crate::returned::keys(database);
    let flags = [
        "--key-file",
        &keys,
        "--transport",
        "maildir",
        "--maildir",
        maildir.path().to_str().unwrap(),
    ];
    let service = database.serve(&flags);
    wait("emails do not end", || {
        database.number("SELECT count(*) FROM deliveries WHERE state = 'queued'") == 0
    });
    wait("events have no number", || {
        database.number("SELECT count(*) FROM events WHERE number IS NULL") == 0
    });
    service.end();
    run(database, &["list", "add", "1", "Another"]);
    for sql in [
        "INSERT INTO hits (delivery, reason, address, agent) SELECT id, 'person', '192.0.2.1', 'agent' FROM deliveries",
        "INSERT INTO attempts (delivery, reason, happened) SELECT id, '450 ada@reader.example', created FROM deliveries WHERE to_address LIKE 'ada%'",
    ] {
        assert!(database.execute(sql, sql) > 0);
    }
    database.execute(
        "INSERT INTO reports (digest, kind, account, subscriber, delivery) SELECT randomblob(32), 'failure', account, subscriber, id FROM deliveries",
        "INSERT INTO reports (digest, kind, account, subscriber, delivery)
        SELECT sha256(id::text::bytea), 'failure', account, subscriber, id FROM deliveries",
    );
}

/// Sends calls to two readers, one alone and both together, and a call that is refused.
fn calls(service: &Service) {
    let keyed = [("Idempotency-Key", "one")];
    let ada = send_mailer("ada@reader.example");
    assert_eq!(
        service.post("/v4/sendMailer", &keyed, &ada).code(),
        Some(200)
    );
    let both = http_send_mail("ada@reader.example, eve@reader.example");
    assert_eq!(
        service.post("/v4/httpSendMail", &[], &both).code(),
        Some(200)
    );
    let alone = format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"Ada","body":"%3Cp%3EDear ada","to":"ada@reader.example","from":"news@shop.example","trackOpens":1}}]}}"#
    );
    assert_eq!(
        service
            .post("/v4/httpSendMail", &[], alone.as_bytes())
            .code(),
        Some(200)
    );
    refused_call(service);
}

/// The number of rows of a table.
fn rows_of(database: &Database, table: &str) -> i64 {
    database.number(&format!("SELECT count(*) FROM {table}"))
}

/// All bytes that are stored: the files of SQLite, or a dump of PostgreSQL.
pub fn bytes(database: &Database) -> Vec<u8> {
    match database.folder() {
        Some(folder) => {
            let files = std::fs::read_dir(folder).unwrap();
            files
                .flat_map(|file| std::fs::read(file.unwrap().path()).unwrap())
                .collect()
        }
        None => {
            let program = crate::databases::binaries().unwrap().join("pg_dump");
            let dumped = Command::new(program)
                .arg(database.address().unwrap())
                .output()
                .unwrap();
            assert!(dumped.status.success(), "{dumped:?}");
            dumped.stdout
        }
    }
}
