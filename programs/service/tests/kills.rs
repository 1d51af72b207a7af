//! SIGKILL at random moments under load: everything that was answered is in the database, and nothing is there in part.
//!
//! `KILLS` sets the number of kills. The seed of the moments is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::returned::wait;
use crate::support::database::{Database, on_both};
use crate::support::ends::Ends;
use crate::support::{Answer, KEY, PATIENCE, parse, request, runtime};
use franking_service::store::CallRow;

const CREDIT: i64 = 1_000_000;
/// The number of recipients of a large call.
const MANY: u64 = 1_000;

/// The call with this number. Both operations occur, with one or three recipients, and sometimes with many more. Calls share
/// the addresses that begin with `shared`.
struct Sent {
    path: &'static str,
    body: String,
    emails: u64,
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
    let many = if number % 64 == 1 { MANY } else { 0 };
    let mut to = format!("own{number}@customer.example,shared{shared}@customer.example");
    for other in 0..many {
        to.push_str(&format!(",other{other}of{number}@customer.example"));
    }
    let body = format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"S{number}","body":"%3Cp%3E{number}","to":"{to}","from":"news@shop.example"}},{{"subject":"T","body":"T","bcc":"third{number}@customer.example","from":"news@shop.example"}}]}}"#
    );
    Sent {
        path: "/v4/httpSendMail",
        body,
        emails: 3 + many,
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

/// Sends a call until it is decided. On a busy machine, a database may make a call wait for too long.
fn decided(address: SocketAddr, number: u64) -> Option<Answer> {
    (0..10)
        .map(|_| post(address, number))
        .find(|answer| !answer.as_ref().is_some_and(Answer::is_undone))
        .expect("a call that is decided at last")
}

/// The rows of each call. Also checks that the tables agree with each other.
fn check(database: &Database) -> BTreeMap<u64, CallRow> {
    let (rows, spent) = runtime().block_on(async {
        let store = database.store().await;
        let account = store.accounts().await.unwrap().remove(0);
        let rows = store.calls(account.id).await.unwrap();
        (rows, account.account)
    });
    let rows: BTreeMap<u64, CallRow> = rows
        .into_iter()
        .map(|(id, row)| (id.number(), row))
        .collect();
    let emails: u64 = rows.values().map(|row| row.emails).sum();
    let subscribers: u64 = rows.values().map(|row| row.subscribers).sum();
    let left = |spent: u64| Some(CREDIT - i64::try_from(spent).unwrap());
    assert_eq!(spent.email_credit, left(emails));
    assert_eq!(spent.subscriber_credit, left(subscribers));
    for row in rows.values() {
        let messages = if row.emails == 1 { 1 } else { 2 };
        assert_eq!((row.deliveries, row.messages), (row.emails, messages));
    }
    if let Some(folder) = database.folder() {
        check_tables(folder, emails, subscribers);
    }
    rows
}

/// Checks that the tables of SQLite agree with each other.
fn check_tables(folder: &Path, emails: u64, subscribers: u64) {
    let connection = rusqlite::Connection::open(folder.join("franking.db")).unwrap();
    let number = |sql: &str| -> u64 {
        let number: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        number.try_into().unwrap()
    };
    let whole: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(whole, "ok");
    assert_eq!(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_eq!(number("SELECT count(*) FROM deliveries"), emails);
    // One subscriber is from the world.
    assert_eq!(number("SELECT count(*) FROM subscribers"), subscribers + 1);
    let calls = number("SELECT count(*) FROM calls");
    assert_eq!(number("SELECT count(*) FROM idempotency"), calls);
}

on_both! {
    fn what_was_answered_is_whole_after_a_kill_and_repeats_change_nothing(database: &Database) {
        let kills: u64 = std::env::var("KILLS").map_or(5, |kills| kills.parse().unwrap());
        let mut seed = RandomState::new().hash_one(kills) | 1;
        println!("seed {seed}");
        let next = AtomicU64::new(0);
        // The answers, by the numbers of the calls.
        let answered: Mutex<BTreeMap<u64, Answer>> = Mutex::default();
        let begun: Mutex<BTreeSet<u64>> = Mutex::default();
        for _ in 0..kills {
            let mut service = database.serve(&[]);
            let is_over = AtomicBool::new(false);
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let moment = Duration::from_micros(seed % 400_000);
            thread::scope(|scope| {
                let ends = Ends(&is_over);
                for _ in 0..16 {
                    scope.spawn(|| {
                        while !is_over.load(Ordering::Relaxed) {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            begun.lock().unwrap().insert(number);
                            let Some(answer) = decided(service.address, number) else {
                                break;
                            };
                            answered.lock().unwrap().insert(number, answer);
                        }
                    });
                }
                let before = answered.lock().unwrap().len();
                let has_answered = || answered.lock().unwrap().len() > before;
                wait("no call is answered", has_answered);
                // clock: a random moment, at which nothing may go wrong
                thread::sleep(moment);
                service.signal(rustix::process::Signal::KILL);
                drop(ends);
            });
            service.process.wait().unwrap();
            // Credits and calls are read one after the other, so nothing may be written between.
            database.settle();
            let rows = check(database);
            for (number, answer) in answered.lock().unwrap().iter() {
                assert_eq!(answer.code(), Some(200), "{number}: {answer:?}");
                let row = &rows[&answer.transaction_id().unwrap()];
                let emails = call(*number).emails;
                assert_eq!((row.emails, row.deliveries), (emails, emails));
            }
        }

        // Every call that was begun is sent again. Each is in the database once, and the answers stay the same.
        let service = database.serve(&[]);
        let (answered, begun) = (answered.into_inner().unwrap(), begun.into_inner().unwrap());
        for number in &begun {
            let answer = decided(service.address, *number).unwrap();
            if answer.code() != Some(200) {
                panic!("{number}: {answer:?}\n{}", service.end().1);
            }
            if let Some(first) = answered.get(number) {
                assert_eq!(answer.body, first.body);
                assert_eq!(answer.header("idempotent-replayed"), Some("true"));
            }
        }
        service.end();
        assert_eq!(check(database).len(), begun.len());
        let (calls, lost) = (answered.len(), begun.len() - answered.len());
        println!("{kills} kills, {calls} calls answered, {lost} not");
        assert!(calls > 0, "nothing was tried");
        println!("cases tried {}, findings 0", begun.len());
    }
}
