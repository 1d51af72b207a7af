//! The speed of a large database, compared with an empty one.

// clock: times are printed, not judged
use std::time::Instant;

use super::fill::{emails, fill};
use crate::desk::{get, signed_in};
use crate::returned::{keys, run, wait};
use crate::support::database::Database;
use crate::support::{http_send_mail, world};

/// The number of repetitions.
const TIMES: usize = 200;

/// Times in milliseconds, of which the median and the 99th percentile are shown.
struct Times(Vec<f64>);

impl Times {
    fn of(one: impl FnMut(usize)) -> Self {
        Self::of_many(TIMES, one)
    }

    /// Times ten runs, after a run that fills the caches.
    fn ten(one: impl Fn()) -> Self {
        one();
        Self::of_many(10, |_| one())
    }

    fn of_many(many: usize, mut one: impl FnMut(usize)) -> Self {
        let mut all: Vec<f64> = (0..many)
            .map(|number| {
                // clock: printed, not judged
                let began = Instant::now();
                one(number);
                // clock: as above
                began.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        all.sort_by(f64::total_cmp);
        Self(all)
    }

    fn at(&self, part: usize) -> f64 {
        self.0[(self.0.len() * part / 100).min(self.0.len() - 1)]
    }
}

/// Pages of the desk that show a part of a large table.
const PAGES: &[&str] = &[
    "/desk",
    "/desk/refused/list",
    "/desk/refused/list?account=1",
    "/desk/refused/list?rule=mailer-unknown",
    "/desk/refused/count",
    "/desk/call/list?account=1",
    "/desk/call/count",
    "/desk/delivery/count",
    "/desk/delivery/list?account=1",
    "/desk/delivery/list?account=1&recipient=r101%40d101.example",
    "/desk/queue/show",
    "/desk/account/list",
    "/desk/account/show?account=1",
    "/desk/subscriber/list?account=1",
    "/desk/suppression/list?account=1",
    "/desk/unsubscribed/list?account=1",
    "/desk/blacklist/list",
    "/desk/audit/list",
];

/// The measured operations, with their times.
fn measured(database: &Database, is_large: bool) -> Vec<(&'static str, Times)> {
    let service = database.serve(&["--key-file", &keys(database)]);
    let mut all = Vec::new();
    all.push((
        "a call",
        Times::of(|number| {
            let to = format!("new{number}@example.org,r101@d101.example");
            let answer = service.post("/v4/httpSendMail", &[], &http_send_mail(&to));
            assert_eq!(answer.code(), Some(200), "{answer:?}");
        }),
    ));
    let left =
        "SELECT count(*) FROM deliveries WHERE account = 1 AND state = 'queued' AND attempts = 0";
    wait("emails are not sent", || database.number(left) == 0);
    all.push((
        "a call and its email, to its end",
        Times::of(|number| {
            let answer = service.post(
                "/v4/httpSendMail",
                &[],
                &http_send_mail(&format!("late{number}@example.org")),
            );
            assert_eq!(answer.code(), Some(200), "{answer:?}");
            let call = answer.transaction_id().unwrap();
            let ended = format!(
                "SELECT count(*) FROM deliveries WHERE call = {call} AND state = 'delivered'"
            );
            wait("an email is not sent", || database.number(&ended) == 1);
        }),
    ));
    // This call is refused, so that it can be explained.
    let refused = br#"{"apiKey":"key-1","mailerID":9999,"email":"a@customer.example"}"#;
    let answer = service.post("/v4/sendMailer", &[("X-Request-Id", "refused")], refused);
    assert_eq!(answer.code(), Some(442));
    wait("a call is not kept", || {
        database.number("SELECT count(*) FROM transcripts WHERE request = 'refused'") == 1
    });
    let cookie = signed_in(database, &service);
    for path in PAGES {
        let look = || {
            let answer = get(&service, path, &cookie);
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            assert!(!is_large || !answer.body.contains("None."), "{path}");
        };
        all.push((*path, Times::ten(look)));
    }
    drop(service);
    let keys = keys(database);
    let commands: [(&str, &[&str]); 14] = [
        ("refused list", &["refused", "list", "--account", "1"]),
        (
            "refused list --rule --since",
            &[
                "refused",
                "list",
                "--rule",
                "mailer-unknown",
                "--since",
                "2020-01-01T00:00:00Z",
            ],
        ),
        ("refused count", &["refused", "count"]),
        (
            "call explain",
            &[
                "call",
                "explain",
                "--request",
                "refused",
                "--key-file",
                &keys,
            ],
        ),
        (
            "delivery list --state bounced",
            &["delivery", "list", "1", "--state", "bounced"],
        ),
        (
            "delivery list --domain --until",
            &[
                "delivery",
                "list",
                "1",
                "--domain",
                "d101.example",
                "--until",
                "2100-01-01T00:00:00Z",
            ],
        ),
        ("delivery show", &["delivery", "show", "1"]),
        ("account show", &["account", "show", "1"]),
        ("subscriber list", &["subscriber", "list", "1"]),
        ("call list", &["call", "list", "1"]),
        (
            "delivery list --recipient",
            &["delivery", "list", "1", "--recipient", "r101@d101.example"],
        ),
        (
            "delivery list --queued",
            &["delivery", "list", "1", "--queued"],
        ),
        ("queue show", &["queue", "show"]),
        ("account list", &["account", "list"]),
    ];
    let may_be_empty = ["delivery list --queued", "delivery list --state bounced"];
    for (name, arguments) in commands {
        let printed = run(database, arguments);
        assert!(
            !is_large || !printed.is_empty() || may_be_empty.contains(&name),
            "{name}"
        );
        let look = || drop(run(database, arguments));
        all.push((name, Times::ten(look)));
    }
    all
}

fn compare(name: &str, open: impl Fn() -> Database) {
    let (empty, large) = (open(), open());
    fill(&large, emails());
    println!(
        "{name}, {} emails: median and slowest hundredth in milliseconds, empty and large",
        emails()
    );
    for ((what, empty), (_, large)) in measured(&empty, false).iter().zip(measured(&large, true)) {
        println!(
            "{what:64} {:8.2} {:8.2}   {:8.2} {:8.2}   ratio {:.2} {:.2}",
            empty.at(50),
            empty.at(99),
            large.at(50),
            large.at(99),
            large.at(50) / empty.at(50),
            large.at(99) / empty.at(99)
        );
    }
}

#[test]
#[ignore = "it fills a database: make prove PART=times"]
fn a_large_database_of_sqlite_beside_an_empty_one() {
    compare("SQLite", || Database::sqlite(&world("world.json")));
}

#[test]
#[ignore = "it fills a database: make prove PART=times"]
fn a_large_database_of_postgres_beside_an_empty_one() {
    compare("PostgreSQL", || {
        Database::postgres(&world("world.json")).expect("PostgreSQL is installed")
    });
}
