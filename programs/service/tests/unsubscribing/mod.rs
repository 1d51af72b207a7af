//! Readers who unsubscribe, through the program: by its links, its page, and the operator's commands.

mod stored;

use std::collections::BTreeMap;

use crate::returned::{READER, keys, run, try_run, wait};
use crate::support::database::{Database, on_both};
use crate::support::{Answer, KEY, Service, request};

const BASE: &str = "https://mail.example.com";
const OUT: &str = "SELECT count(*) FROM unsubscribed WHERE lifted IS NULL";

fn serve(database: &Database) -> Service {
    let keys = keys(database);
    database.serve(&["--unsubscribe-url", BASE, "--key-file", &keys])
}

/// Stores an email of an account with these flags.
fn put_mailer(database: &Database, account: &str, id: &str, flags: &[&str]) {
    let html = database.data().join("mailer.html");
    std::fs::write(&html, "<p>Hello").unwrap();
    let given = [
        "mailer",
        "set",
        account,
        "--id",
        id,
        "--from",
        "news@shop.example",
        "--subject",
        "Hello",
    ];
    let html = [html.to_str().unwrap()];
    run(database, &[&given, flags, &html].concat());
}

fn mailer_code(service: &Service, key: &str, mailer: u32, to: &str) -> Option<u16> {
    let body = format!(r#"{{"apiKey":"{key}","mailerID":{mailer},"email":"{to}"}}"#);
    service.post("/v4/sendMailer", &[], body.as_bytes()).code()
}

fn http_code(service: &Service, to: &str) -> Option<u16> {
    let body = crate::support::http_send_mail(to);
    service.post("/v4/httpSendMail", &[], &body).code()
}

/// The sent emails, by delivery. Waits until all accepted emails are sent.
fn emails(database: &Database) -> BTreeMap<i64, String> {
    wait("they are not sent", || {
        database.number("SELECT count(*) FROM deliveries WHERE state = 'queued'") == 0
    });
    let entries = database.data().join("mail/new").read_dir().unwrap();
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let number = name.split('.').nth(1).unwrap().parse().unwrap();
        (number, std::fs::read_to_string(path).unwrap())
    };
    entries.map(read).collect()
}

/// The path of the link in an email.
fn path(email: &str) -> Option<String> {
    let (_, rest) = email.split_once(&format!("\r\nList-Unsubscribe:\r\n <{BASE}"))?;
    assert!(email.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    Some(rest.split_once('>').unwrap().0.to_owned())
}

fn last_path(database: &Database) -> String {
    path(emails(database).last_entry().unwrap().get()).unwrap()
}

/// One click in a mail program.
fn click(service: &Service, path: &str) -> Answer {
    service.post(
        path,
        &[("Host", "mail.example.com")],
        b"List-Unsubscribe=One-Click",
    )
}

fn events(database: &Database) -> Vec<String> {
    database.texts("SELECT kind FROM events WHERE kind LIKE '%subscribed' ORDER BY number")
}

on_both! {
    fn who_leaves_a_newsletter_gets_everything_else(database: &Database) {
        put_mailer(database, "1", "43", &["--unsubscribe", "mailer"]);
        let service = serve(database);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        let path = last_path(database);
        assert_eq!(click(&service, &path).status, 200);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        assert_eq!(mailer_code(&service, KEY, 43, "another@example.org"), Some(200));
        assert_eq!(mailer_code(&service, KEY, 42, READER), Some(200));
        assert_eq!(http_code(&service, READER), Some(200));
        // A mail program may try again.
        assert_eq!(click(&service, &path).status, 200);
        wait("events are not numbered", || events(database).len() == 1);
        assert_eq!(events(database), ["unsubscribed"]);
        assert_eq!(database.number(OUT), 1);
    }

    fn where_the_mailer_says_so_a_reader_leaves_the_account(database: &Database) {
        put_mailer(database, "1", "43", &["--unsubscribe", "account"]);
        let service = serve(database);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        assert_eq!(click(&service, &last_path(database)).status, 200);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        assert_eq!(mailer_code(&service, KEY, 42, READER), Some(443));
        assert_eq!(http_code(&service, READER), Some(443));
    }

    fn an_account_chooses_for_http_send_mail_and_that_never_stops_a_stored_email(database: &Database) {
        let service = serve(database);
        assert_eq!(http_code(&service, READER), Some(200));
        assert_eq!(path(emails(database).last_entry().unwrap().get()), None);
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        assert_eq!(http_code(&service, READER), Some(200));
        let path = last_path(database);
        assert_eq!(click(&service, &path).status, 200);
        assert_eq!(http_code(&service, READER), Some(443));
        assert_eq!(mailer_code(&service, KEY, 42, READER), Some(200));
        assert_eq!(http_code(&service, "another@example.org"), Some(200));
        let batch = crate::support::http_send_mail(&format!("{READER},another@example.org"));
        assert_eq!(service.post("/v4/httpSendMail", &[], &batch).code(), Some(443));
        assert!(!try_run(database, &["account", "http-unsubscribe", "9", "list"]).0);
    }

    fn a_scanner_that_follows_all_links_unsubscribes_nobody(database: &Database) {
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        let service = serve(database);
        let to: Vec<String> = (0..1000).map(|n| format!("reader{n}@example.org")).collect();
        assert_eq!(http_code(&service, &to.join(",")), Some(200));
        let emails = emails(database);
        assert_eq!(emails.len(), 1000);
        for email in emails.values() {
            let path = path(email).unwrap();
            let page = service.get(&path);
            assert_eq!(page.status, 200);
            assert!(page.body.contains("<form method=\"post\">") && !page.body.contains('@'), "{page:?}");
            let head = service.exchange(&request("HEAD", &path, &[], b""));
            assert_eq!((head.status, head.body.as_str()), (200, ""));
        }
        assert_eq!(database.number("SELECT count(*) FROM unsubscribed"), 0);
        assert!(events(database).is_empty());
        assert_eq!(http_code(&service, &to.join(",")), Some(200));
    }

    fn the_page_asks_and_its_button_unsubscribes(database: &Database) {
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        let service = serve(database);
        assert_eq!(http_code(&service, READER), Some(200));
        let path = last_path(database);
        let page = service.get(&path);
        for (name, value) in [
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("Content-Type", "text/html; charset=utf-8"),
        ] {
            assert_eq!(page.header(name), Some(value));
        }
        // Without an action, the form is sent to the address of the page.
        assert!(!page.body.contains("action="));
        let form = [("Content-Type", "application/x-www-form-urlencoded")];
        let done = service.post(&path, &form, b"List-Unsubscribe=One-Click");
        assert!(done.status == 200 && done.body.contains("You are unsubscribed"), "{done:?}");
        assert_eq!(database.number(OUT), 1);
    }

    fn a_forged_link_unsubscribes_nobody(database: &Database) {
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        let service = serve(database);
        assert_eq!(http_code(&service, "a@example.org,b@example.org"), Some(200));
        let paths: Vec<String> = emails(database).values().map(|email| path(email).unwrap()).collect();
        let (one, other) = (paths[0].rsplit_once('-').unwrap(), paths[1].rsplit_once('-').unwrap());
        let mut forged = vec![
            format!("{}-{}", one.0, other.1),
            format!("{}-{}", other.0, one.1),
            one.0.to_owned(),
            "/unsubscribe/1-1".to_owned(),
            "/unsubscribe/".to_owned(),
            format!("{}0", paths[0]),
            format!("{}/", paths[0]),
            paths[0].to_ascii_uppercase(),
        ];
        for at in "/unsubscribe/".len()..paths[0].len() {
            let mut changed = paths[0].clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            forged.push(String::from_utf8(changed).unwrap());
        }
        for path in forged {
            assert_eq!(service.get(&path).status, 404, "{path}");
            let answer = click(&service, &path);
            assert!(answer.status == 404 && answer.header("Location").is_none(), "{path} {answer:?}");
        }
        assert_eq!(database.number("SELECT count(*) FROM unsubscribed"), 0);
        assert_eq!(click(&service, &paths[0]).status, 200);
    }

    fn what_a_reader_ends_at_one_account_goes_on_at_another(database: &Database) {
        run(database, &["account", "add", "Other"]);
        let key = run(database, &["key", "add", "2"]).trim().to_owned();
        run(database, &["sender", "set", "2", "news@shop.example"]);
        for account in ["1", "2"] {
            put_mailer(database, account, "43", &["--unsubscribe", "account"]);
        }
        let service = serve(database);
        assert_eq!(mailer_code(&service, &key, 43, READER), Some(200));
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        assert_eq!(click(&service, &last_path(database)).status, 200);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        assert_eq!(mailer_code(&service, &key, 43, READER), Some(200));
        assert_eq!(run(database, &["unsubscribed", "list", "2"]), "");
    }

    fn who_is_erased_or_created_again_stays_out(database: &Database) {
        put_mailer(database, "1", "43", &["--unsubscribe", "account"]);
        let service = serve(database);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        let path = last_path(database);
        assert_eq!(click(&service, &path).status, 200);
        let erase = format!("DELETE FROM subscribers WHERE match_key = '{READER}'");
        assert_eq!(database.execute(&erase, &erase), 1);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        assert_eq!(http_code(&service, READER), Some(443));
        assert_eq!(click(&service, &path).status, 404);
        run(database, &["subscriber", "add", "1", "Reader@Example.ORG"]);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        assert_eq!(http_code(&service, READER), Some(443));
    }

    fn the_operator_lifts_an_entry_with_a_reason(database: &Database) {
        put_mailer(database, "1", "43", &["--unsubscribe", "mailer"]);
        let service = serve(database);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        let path = last_path(database);
        assert_eq!(click(&service, &path).status, 200);
        let list = run(database, &["unsubscribed", "list", "1"]);
        let fields: Vec<&str> = list.trim_end().split('\t').collect();
        assert!(fields[3..5] == ["mailer", "43"] && !list.contains('@'), "{list}");
        assert!(!try_run(database, &["unsubscribed", "lift", "1", fields[0]]).0);
        assert!(!try_run(database, &["unsubscribed", "lift", "2", fields[0], "--reason", "x"]).0);
        let lift = ["unsubscribed", "lift", "1", fields[0], "--reason", "asked for it"];
        assert_eq!(run(database, &lift), "");
        assert!(!try_run(database, &lift).0);
        assert!(run(database, &["unsubscribed", "list", "1"]).contains("\tasked for it"));
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(200));
        assert_eq!(click(&service, &path).status, 200);
        assert_eq!(mailer_code(&service, KEY, 43, READER), Some(443));
        wait("events are not numbered", || events(database).len() == 3);
        assert_eq!(events(database), ["unsubscribed", "resubscribed", "unsubscribed"]);
    }

    fn a_stored_email_has_one_way_out(database: &Database) {
        let html = database.data().join("mailer.html");
        std::fs::write(&html, "<p>Hello").unwrap();
        let (succeeds, text) = try_run(database, &[
            "mailer", "set", "1", "--from", "news@shop.example", "--subject", "Hello", "--unsubscribe", "mailer",
            "--list-unsubscribe", "https://shop.example/bye", html.to_str().unwrap(),
        ]);
        assert!(!succeeds && text.contains("cannot be used with"), "{text}");
    }
}
