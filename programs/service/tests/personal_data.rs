//! No value of a call is in a log, a metric, an error or the audit log, at any level of the log.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::returned::{keys, wait};
use crate::support::database::on_both;
use crate::support::scripted::{At, Does, Server};
use crate::support::{KEY, program, request, runtime};

/// Each value has this word, in upper or lower case.
const CANARY: &str = "canary";

fn bodies() -> Vec<(&'static str, String)> {
    let requests = |to: &str, from: &str| {
        format!(
            r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"Canary subject","body":"<p>Canary <a href=\"https://canary.example/x\">x</a>","to":"{to}","cc":"canary.cc@canary.example","bcc":"canary.bcc@canary.example","from":"{from}","fromName":"Canary Name","replyTo":"canary.reply@canary.example","customField":"canary field"}}]}}"#
        )
    };
    let of_mailer = |more: &str| format!(r#"{{"apiKey":"{KEY}","mailerID":42,{more}}}"#);
    vec![
        (
            "/v4/httpSendMail",
            requests("canary.to@canary.example", "news@shop.example"),
        ),
        (
            "/v4/httpSendMail",
            requests("canary.to@canary.example", "canary@canary.example"),
        ),
        (
            "/v4/httpSendMail",
            requests("canary to", "news@shop.example"),
        ),
        (
            "/v4/sendMailer",
            of_mailer(
                r#""email":"canary@canary.example","firstName":"Canary","city":"Canary","customField":"canary""#,
            ),
        ),
        (
            "/v4/sendMailer",
            of_mailer(
                r#""email":"canary@canary.example","birthday":"canary","list":"Canary List""#,
            ),
        ),
        (
            "/v4/sendMailer",
            of_mailer(r#""email":"canary","canary":"canary""#),
        ),
        (
            "/v4/sendMailer",
            r#"{"apiKey":"canary-key","mailerID":42,"email":"canary@canary.example"}"#.to_owned(),
        ),
        (
            "/v4/sendMailer",
            r#"{"apiKey":"canary-key", canary"#.to_owned(),
        ),
        ("/v4/canary", "canary".to_owned()),
    ]
}

fn holds_none(what: &str, text: &str) {
    assert!(!text.to_lowercase().contains(CANARY), "{what}: {text}");
    assert!(!text.contains(KEY), "{what}: {text}");
}

on_both! {
    fn no_value_of_a_call_is_in_a_log_a_metric_an_error_or_a_note(database: &Database) {
        // This mail server repeats what it was told.
        let runtime = runtime();
        let server = runtime.block_on(Server::start(
            At::Rcpt, Does::SayAndDrop("550 5.1.1 <canary.to@canary.example>: canary.to@canary.example is unknown"), 1,
        ));
        let keys = keys(database);
        let mut command = program();
        command
            .env("RUST_LOG", "trace")
            .env("FRANKING_KEY_FILE", &keys)
            .env("FRANKING_TRANSCRIPTS", "whole")
            .env("FRANKING_LOG_FORMAT", "json");
        let service = database.serve_to(command, server.port);
        let headers = [
            ("Idempotency-Key", "canary-1"), ("X-Request-Id", "canary@canary.example"), ("User-Agent", "canary"),
            ("Authorization", "Bearer canary"), ("Cookie", "canary=canary"),
        ];
        for (path, body) in bodies() {
            service.post(path, &headers[1..], body.as_bytes());
            service.post(path, &headers, body.as_bytes());
        }
        for path in ["/events?after=canary", "/canary?canary=canary", "/v4/sendMailer?email=canary@canary.example"] {
            service.exchange(&request("GET", path, &headers, b""));
        }
        wait("nothing is sent", || {
            database.number("SELECT count(*) FROM deliveries WHERE state <> 'queued'") > 3
        });
        wait("calls are not kept", || database.number("SELECT count(*) FROM transcripts") > 5);
        for arguments in [
            &["subscriber", "add", "1", "canary.two@canary.example"][..], &["subscriber", "add", "1", "canary.two@canary.example"],
            &["sender", "set", "1", "canary@canary.example"], &["list", "add", "1", "Canary"], &["account", "add", "Canary"],
            &["mailer", "set", "1", "--from", "canary", "--subject", "Canary", "/dev/null"], &["subscriber", "add", "1", "canary"],
            &["key", "add", "1", "--label", "canary"], &["audit", "list"], &["refused", "list"], &["refused", "count"],
            &["call", "list", "1"], &["call", "explain", "1"], &["queue", "show"],
        ] {
            let mut command = program();
            command.args(arguments).args(database.flags()).args(["--key-file", &keys]);
            let output = command.output().unwrap();
            holds_none("what a command prints", &String::from_utf8_lossy(&output.stdout));
            holds_none("an error", &String::from_utf8_lossy(&output.stderr));
        }
        holds_none("metrics", &service.metrics());
        holds_none("a probe", &format!("{:?}", service.get("/readyz")));
        let (_, log) = service.end();
        assert!(log.lines().count() > 20, "{log}");
        holds_none("the log", &log);
    }
}

#[test]
fn every_file_of_the_service_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let mut command = program();
    command.args([
        "serve",
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--operator-listen",
        "127.0.0.1:0",
    ]);
    command
        .arg("--data")
        .arg(&data)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait("there is no folder for mail", || {
        data.join("mail/new").exists()
    });
    let all = files(&data);
    assert!(all.len() > 5);
    for path in all {
        let mode = std::fs::metadata(&path).unwrap().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all
}
