//! SIGKILL at random moments under load: what was answered is there, whole, and nothing is there by half.
//!
//! `KILLS` says how often; the seed of the moments is printed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use support::{Answer, KEY, PATIENCE, Service, fill, parse, request, world};

const CREDIT: i64 = 1_000_000;

/// What a call is, by its number: of both operations, with one to three recipients, some of whom other calls have, too.
struct Sent {
    path: &'static str,
    body: String,
    emails: i64,
}

fn call(number: u64) -> Sent {
    let shared = number % 50;
    if number.is_multiple_of(2) {
        let body = format!(
            r#"{{"apiKey":"{KEY}","mailerID":42,"email":"shared{shared}@customer.example","firstName":"n{number}"}}"#
        );
        return Sent {
            path: "/v4/sendMailer",
            body,
            emails: 1,
        };
    }
    let to = format!("own{number}@customer.example,shared{shared}@customer.example");
    let body = format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"S{number}","body":"%3Cp%3E{number}","to":"{to}","from":"news@shop.example"}},{{"subject":"T","body":"T","bcc":"third{number}@customer.example","from":"news@shop.example"}}]}}"#
    );
    Sent {
        path: "/v4/httpSendMail",
        body,
        emails: 3,
    }
}

fn post(address: SocketAddr, number: u64) -> Option<Answer> {
    let sent = call(number);
    let key = number.to_string();
    let headers = [("Idempotency-Key", key.as_str())];
    let mut stream = TcpStream::connect(address).ok()?;
    // clock: a service that never answers fails a test, however late
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream
        .write_all(&request("POST", sent.path, &headers, sent.body.as_bytes()))
        .ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    parse(&bytes).filter(|answer| {
        let length = answer
            .header("content-length")
            .and_then(|length| length.parse().ok());
        length == Some(answer.body.len())
    })
}

/// What the database holds of one call.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    emails: i64,
    subscribers: i64,
    messages: i64,
    deliveries: i64,
}

/// Reads the calls, and checks what has to hold between the tables.
fn check(folder: &Path) -> BTreeMap<u64, Row> {
    let connection = rusqlite::Connection::open(folder.join("franking.db")).unwrap();
    let number = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    let whole: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(whole, "ok");
    assert_eq!(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let spent = |credit: &str| number(&format!("SELECT {CREDIT} - {credit} FROM accounts"));
    assert_eq!(
        spent("email_credit"),
        number("SELECT coalesce(sum(emails), 0) FROM calls")
    );
    assert_eq!(
        spent("email_credit"),
        number("SELECT count(*) FROM deliveries")
    );
    let created = number("SELECT coalesce(sum(subscribers), 0) FROM calls");
    assert_eq!(spent("subscriber_credit"), created);
    // One of the world was there before.
    assert_eq!(number("SELECT count(*) - 1 FROM subscribers"), created);
    assert_eq!(
        number("SELECT count(*) FROM idempotency"),
        number("SELECT count(*) FROM calls")
    );
    let mut statement = connection
        .prepare(
            "SELECT id, emails, subscribers,
                (SELECT count(*) FROM messages WHERE call = calls.id),
                (SELECT count(*) FROM deliveries WHERE call = calls.id)
             FROM calls",
        )
        .unwrap();
    let rows = statement
        .query_map([], |row| {
            let id: i64 = row.get(0)?;
            Ok((
                u64::try_from(id).unwrap(),
                Row {
                    emails: row.get(1)?,
                    subscribers: row.get(2)?,
                    messages: row.get(3)?,
                    deliveries: row.get(4)?,
                },
            ))
        })
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn what_was_answered_is_whole_after_a_kill_and_repeats_change_nothing() {
    let kills: u64 = std::env::var("KILLS").map_or(10, |kills| kills.parse().unwrap());
    let mut seed = RandomState::new().hash_one(kills) | 1;
    println!("seed {seed}");
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), &world("world.json"));
    let next = AtomicU64::new(0);
    // By the call's number: what it was answered.
    let answered: Mutex<BTreeMap<u64, Answer>> = Mutex::default();
    let begun: Mutex<BTreeSet<u64>> = Mutex::default();
    for _ in 0..kills {
        let mut service = Service::start(folder.path(), &[]);
        let is_over = AtomicBool::new(false);
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let moment = Duration::from_micros(20_000 + seed % 400_000);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        begun.lock().unwrap().insert(number);
                        let Some(answer) = post(service.address, number) else {
                            break;
                        };
                        answered.lock().unwrap().insert(number, answer);
                    }
                });
            }
            // clock: a random moment, at which nothing may go wrong
            thread::sleep(moment);
            service.signal(rustix::process::Signal::KILL);
            is_over.store(true, Ordering::Relaxed);
        });
        service.process.wait().unwrap();
        let rows = check(folder.path());
        for (number, answer) in answered.lock().unwrap().iter() {
            assert_eq!(answer.code(), Some(200), "{number}: {answer:?}");
            let row = &rows[&answer.transaction_id().unwrap()];
            let emails = call(*number).emails;
            assert_eq!((row.emails, row.deliveries), (emails, emails));
        }
        for row in rows.values() {
            let messages = if row.emails == 1 { 1 } else { 2 };
            assert_eq!((row.deliveries, row.messages), (row.emails, messages));
        }
    }

    // Every call that was begun is sent again: each is in the database once, and what was answered stays so.
    let service = Service::start(folder.path(), &[]);
    let (answered, begun) = (answered.into_inner().unwrap(), begun.into_inner().unwrap());
    for number in &begun {
        let answer = post(service.address, *number).unwrap();
        assert_eq!(answer.code(), Some(200));
        if let Some(first) = answered.get(number) {
            assert_eq!(answer.body, first.body);
            assert_eq!(answer.header("idempotent-replayed"), Some("true"));
        }
    }
    service.end();
    assert_eq!(check(folder.path()).len(), begun.len());
    let (calls, lost) = (answered.len(), begun.len() - answered.len());
    println!("{kills} kills, {calls} calls answered, {lost} not");
    assert!(calls > 0, "nothing was tried");
    println!("cases tried {}, findings 0", begun.len());
}
