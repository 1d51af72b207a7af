//! Events as accounts read them: `GET /events`, from a cursor on, and waiting for the next event.

use std::io::Write as _;
use std::thread;

use franking::EventType;
use franking_service::store::{About, EventPage, NewEvent};
use serde_json::Value;

use crate::returned::{READER, run, wait};
use crate::shop::Shop;
use crate::support::database::{Database, on_both};
use crate::support::{Answer, KEY, PATIENCE, Service, databases, request, runtime, world};

fn read(service: &Service, key: &str, query: &str) -> Answer {
    let bearer = format!("Bearer {key}");
    let path = format!("/events{query}");
    service.exchange(&request("GET", &path, &[("Authorization", &bearer)], b""))
}

/// The events of an answer, and the cursor after them.
fn page(answer: &Answer) -> (Vec<Value>, String) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("Cache-Control"), Some("no-store"));
    let mut body: Value = serde_json::from_str(&answer.body).unwrap();
    let next = body["next"].as_str().unwrap().to_owned();
    (
        body["events"].as_array_mut().unwrap().drain(..).collect(),
        next,
    )
}

fn call(key: &str, to: &str) -> Vec<u8> {
    format!(
        r#"{{"ApiKey":"{key}","requests":[{{"subject":"Hello","body":"Hello","to":"{to}","from":"news@shop.example","customField":"order 1"}}]}}"#
    )
    .into_bytes()
}

fn send(service: &Service, key: &str, to: &str) -> u64 {
    let answer = service.post("/v4/httpSendMail", &[], &call(key, to));
    assert_eq!(answer.code(), Some(200), "{answer:?}");
    answer.transaction_id().unwrap()
}

/// Another account with its key.
fn other(database: &Database) -> String {
    run(database, &["account", "add", "Other"]);
    run(database, &["sender", "set", "2", "news@shop.example"]);
    run(database, &["key", "add", "2"]).trim().to_owned()
}

fn all_numbered(database: &Database, count: i64) {
    wait("events are not numbered", || {
        database.number("SELECT count(*) FROM events WHERE number IS NOT NULL") == count
    });
}

on_both! {
    fn an_account_reads_what_became_of_its_emails(database: &Database) {
        let service = database.serve(&[]);
        let id = send(&service, KEY, READER);
        let (events, next) = page(&read(&service, KEY, "?wait=30"));
        let event = &events[0];
        assert_eq!((events.len(), &event["data"]["id"]), (1, &Value::from(next.as_str())));
        assert_eq!((event["type"].as_str(), event["data"]["code"].as_str()), (Some("delivered"), Some("418")));
        assert_eq!(event["data"]["transactionId"].as_str(), Some(&*id.to_string()));
        assert_eq!((event["data"]["customField"].as_str(), event["data"]["recipient"].as_str()), (Some("order 1"), Some(READER)));
        assert!(event["timestamp"].as_str().unwrap().ends_with('Z') && event["data"]["reason"].is_string(), "{event}");
        assert!(event["data"]["status"].is_null());
        // A reader who has read everything keeps the same cursor.
        assert_eq!(page(&read(&service, KEY, &format!("?after={next}"))), (Vec::new(), next.clone()));
        let from_the_beginning = page(&read(&service, KEY, "?after=0"));
        assert_eq!(from_the_beginning, (events, next));
    }

    fn nobody_else_reads_them(database: &Database) {
        let key = other(database);
        let service = database.serve(&[]);
        send(&service, KEY, READER);
        all_numbered(database, 1);
        assert_eq!(page(&read(&service, &key, "")).0, Vec::<Value>::new());
        let no_key = service.exchange(&request("GET", "/events", &[], b""));
        for answer in [read(&service, "unknown", ""), read(&service, "", ""), no_key] {
            assert_eq!((answer.status, answer.header("WWW-Authenticate")), (401, Some("Bearer")));
        }
        // A key in a URL would be written into logs.
        for query in ["apiKey", "key", "access_token"] {
            let path = format!("/events?{query}={KEY}");
            let answer = service.exchange(&request("GET", &path, &[], b""));
            assert!(answer.status == 400 && answer.body.contains("Authorization: Bearer"), "{answer:?}");
            assert!(!answer.body.contains(KEY));
        }
        let bearer = format!("Bearer {KEY}");
        let posted = service.post("/events", &[("Authorization", &bearer)], b"");
        assert_eq!((posted.status, posted.header("Allow")), (405, Some("GET")));
        let (_, log) = service.end();
        assert!(!log.contains(KEY) && !log.contains(READER), "{log}");
    }

    fn whoever_waits_gets_the_next_event_and_holds_up_nobody(database: &Database) {
        let key = other(database);
        let service = database.serve(&[]);
        thread::scope(|scope| {
            // These are more readers than may wait, and more than the connections to a database.
            let waiting: Vec<_> = (0..20).map(|_| scope.spawn(|| read(&service, KEY, "?wait=30"))).collect();
            let others = scope.spawn(|| read(&service, &key, "?wait=1"));
            assert_eq!(page(&others.join().unwrap()).0, Vec::<Value>::new());
            // Eight may wait. A reader who came only after the event would get it as well.
            wait("who may not wait is not answered", || waiting.iter().filter(|one| one.is_finished()).count() == 12);
            send(&service, KEY, READER);
            let got: Vec<_> = waiting.into_iter().map(|one| page(&one.join().unwrap()).0.len()).collect();
            assert_eq!(got.iter().filter(|count| **count == 1).count(), 8, "{got:?}");
            assert!(got.iter().all(|count| *count <= 1));
        });
    }

    fn pages_follow_each_other_without_a_gap(database: &Database) {
        let service = database.serve(&[]);
        send(&service, KEY, "a@example.org,b@example.org,c@example.org,d@example.org,e@example.org");
        all_numbered(database, 5);
        let (mut seen, mut query) = (Vec::new(), "?limit=2".to_owned());
        for expected in [2, 2, 1, 0] {
            let (events, next) = page(&read(&service, KEY, &query));
            assert_eq!(events.len(), expected);
            seen.extend(events.iter().map(|event| event["data"]["id"].as_str().unwrap().to_owned()));
            query = format!("?limit=2&after={next}");
        }
        assert_eq!(seen, database.texts("SELECT CAST(number AS text) FROM events ORDER BY events.number"));
    }

    fn what_has_outlived_its_time_is_deleted_and_whoever_has_not_read_it_is_told(database: &Database) {
        let service = database.serve(&[]);
        for _ in 0..2 {
            send(&service, KEY, READER);
        }
        all_numbered(database, 2);
        let (events, next) = page(&read(&service, KEY, ""));
        let first = events[0]["data"]["id"].as_str().unwrap().to_owned();
        drop(service);
        database.execute(
            "UPDATE events SET happened = happened - 91 * 86400",
            "UPDATE events SET happened = happened - interval '91 days'",
        );
        let service = database.serve(&[]);
        wait("events are not deleted", || database.number("SELECT count(*) FROM events") == 0);
        for query in ["?after=0".to_owned(), format!("?after={first}")] {
            let answer = read(&service, KEY, &query);
            assert!(answer.status == 410 && answer.body.contains("Leave after out"), "{answer:?}");
        }
        assert_eq!(page(&read(&service, KEY, "")), (Vec::new(), next.clone()));
        send(&service, KEY, READER);
        let (events, _) = page(&read(&service, KEY, &format!("?after={next}&wait=30")));
        assert_eq!(events.len(), 1);
    }

    fn no_reader_misses_an_event_whoever_commits_first(database: &Database) {
        const EVENTS: i64 = 600;
        runtime().block_on(async {
            let store = database.store().await;
            let account = Shop::open(&store, "a").await.account;
            let mut tasks = Vec::new();
            for writer in 0..3 {
                let store = store.clone();
                tasks.push(tokio::spawn(async move {
                    for id in 0..EVENTS / 3 {
                        let about = About::Subscriber(account, writer * EVENTS + id);
                        let event = NewEvent::new(about, EventType::Lifted);
                        assert_eq!(store.record(vec![event]).await, Ok(1));
                    }
                }));
            }
            let numbering = store.clone();
            tasks.push(tokio::spawn(async move {
                while numbering.last_event().await.unwrap() < EVENTS {
                    numbering.number_events(7).await.unwrap();
                }
            }));
            let (mut after, mut read) = (0, 0);
            let all_read = async {
                while read < EVENTS {
                    let page = store.events(account, Some(after), 50).await.unwrap();
                    let EventPage::Events(events, next) = page else { panic!("{page:?}") };
                    for event in &events {
                        assert!(event.number > after && event.number <= next, "{event:?} {after} {next}");
                        after = event.number;
                        read += 1;
                    }
                    assert!(next >= after);
                    after = next;
                }
            };
            // clock: a failing test has to end as well
            tokio::time::timeout(3 * PATIENCE, all_read).await.expect("events are not numbered");
            for task in tasks {
                task.await.unwrap();
            }
            assert_eq!(read, EVENTS);
        });
    }

    fn a_reader_goes_on_where_it_was_whoever_is_killed(database: &Database) {
        let (mut after, mut seen) = ("0".to_owned(), Vec::new());
        let mut read_on = |service: &Service, until: usize| {
            let mut tries = 0;
            while seen.len() < until {
                let (events, next) = page(&read(service, KEY, &format!("?after={after}&wait=1")));
                seen.extend(events.iter().map(|event| event["data"]["id"].as_str().unwrap().to_owned()));
                after = next;
                tries += 1;
                assert!(tries < 60, "{seen:?}");
            }
        };
        for round in 1..=4 {
            let mut service = database.serve(&[]);
            send(&service, KEY, "a@example.org,b@example.org,c@example.org");
            if round % 2 == 0 {
                read_on(&service, round * 3 - 1);
            }
            service.process.kill().unwrap();
            drop(service);
            // Until the database has noticed the end, the next process does not get the name of this one. It would claim emails
            // that nobody takes over when it is killed.
            database.settle();
        }
        let service = database.serve(&[]);
        wait("emails are not sent", || {
            database.number("SELECT count(*) FROM deliveries WHERE state = 'queued'") == 0
        });
        read_on(&service, 12);
        assert_eq!(seen, database.texts("SELECT CAST(number AS text) FROM events ORDER BY events.number"));
    }
}

fn ids(events: &[Value]) -> impl Iterator<Item = u64> {
    let ids = events
        .iter()
        .map(|event| event["data"]["id"].as_str().unwrap());
    ids.map(|id| id.parse().unwrap())
}

/// Starts a process that takes its own claims again when it is started again.
fn serve_as(database: &Database, name: usize) -> Service {
    database.serve(&["--instance", &format!("process-{name}")])
}

/// This is for PostgreSQL alone: nobody can hold up those who read a SQLite database.
#[test]
fn readers_of_one_account_have_one_connection_and_calls_of_another_are_answered() {
    const READS: &str = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%Up to $3 events of account%'";
    let Some(database) = Database::postgres(&world("world.json")) else {
        return;
    };
    let key = other(&database);
    // Without a transport there are no events, for which deliveries would wait as well.
    let service = database.serve(&["--transport", "none"]);
    let bearer = format!("Bearer {KEY}");
    let asks = request("GET", "/events", &[("Authorization", &bearer)], b"");
    let runtime = runtime();
    let lock = runtime.block_on(async {
        let client = databases::connect(database.address().unwrap()).await;
        let lock = "BEGIN; LOCK TABLE events";
        client.batch_execute(lock).await.unwrap();
        client
    });
    // The database goes on reading for a client that hangs up.
    wait("no page is read", || {
        let mut hangs_up = service.connect();
        hangs_up.write_all(&asks).unwrap();
        database.number(READS) > 0
    });
    thread::scope(|scope| {
        let readers: Vec<_> = (0..40)
            .map(|_| scope.spawn(|| service.exchange(&asks)))
            .collect();
        for number in 0..20 {
            send(&service, &key, &format!("a{number}@customer.example"));
            let reads = database.number(READS);
            assert!(reads <= 1, "{reads}");
        }
        drop(lock);
        for reader in readers {
            let answer = reader.join().unwrap();
            // The time for a turn may be over.
            assert!([200, 503].contains(&answer.status), "{answer:?}");
        }
    });
}

/// This is for PostgreSQL alone: a SQLite database has one process.
#[test]
fn a_reader_of_three_processes_misses_no_event_whoever_is_killed() {
    let Some(database) = Database::postgres(&world("world.json")) else {
        return;
    };
    const ROUNDS: usize = 6;
    let mut services: Vec<Service> = (0..3).map(|name| serve_as(&database, name)).collect();
    let (mut after, mut seen) = ("0".to_owned(), Vec::<u64>::new());
    let mut accepted = 0;
    for round in 0..ROUNDS {
        // Each process accepts, sends and numbers.
        thread::scope(|scope| {
            for service in &services {
                scope
                    .spawn(move || send(service, KEY, "a@example.org,b@example.org,c@example.org"));
            }
        });
        accepted += 9;
        let reader = &services[round % 3];
        let (events, next) = page(&read(
            reader,
            KEY,
            &format!("?after={after}&wait=1&limit=1000"),
        ));
        let floor: u64 = after.parse().unwrap();
        seen.extend(ids(&events));
        assert!(seen.iter().rev().take(events.len()).all(|id| *id > floor));
        after = next;
        let killed = (round + 1) % 3;
        services[killed].process.kill().unwrap();
        services[killed] = serve_as(&database, killed);
    }
    // A process that is started before the database has noticed the end of the one before it does not get its name. Then the
    // old claims last.
    database.execute("", "UPDATE queue SET leased = '-infinity'");
    let queued = "SELECT count(*) FROM deliveries WHERE state = 'queued'";
    wait("emails are not sent", || database.number(queued) == 0);
    all_numbered(&database, accepted);
    wait("the events do not end", || {
        let (events, next) = page(&read(
            &services[0],
            KEY,
            &format!("?after={after}&wait=1&limit=1000"),
        ));
        seen.extend(ids(&events));
        after = next;
        events.is_empty()
    });
    let all: Vec<u64> = database
        .texts("SELECT CAST(number AS text) FROM events ORDER BY events.number")
        .iter()
        .map(|number| number.parse().unwrap())
        .collect();
    assert_eq!(seen, all);
    assert_eq!(all.len() as i64, accepted);
}
