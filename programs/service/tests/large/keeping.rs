//! Years of data: imports of a million rows, deletion day by day, and the removal of one person from a large database.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
// clock: times are printed, not judged
use std::time::Instant;

use franking_service::operate::retention::{Kept, Retention};
use franking_service::store::Store;
use tokio_util::sync::CancellationToken;

use super::fill::{emails, fill};
use crate::support::database::Database;
use crate::support::{databases, program, runtime, world};
use crate::world as store_world;

/// Runs a test on both databases.
fn on_each(test: impl Fn(&str, &Database)) {
    let world = world("world.json");
    test("SQLite", &Database::sqlite(&world));
    test(
        "PostgreSQL",
        &Database::postgres(&world).expect("PostgreSQL is installed"),
    );
}

/// The seconds that a program took, and the most memory that it had, in KB.
fn taken(command: &mut Command) -> (f64, u64) {
    // clock: printed, not judged
    let began = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut peak = 0;
    let mut status = std::fs::File::open(format!("/proc/{}/status", child.id())).unwrap();
    loop {
        let mut text = String::new();
        std::io::Seek::rewind(&mut status).unwrap();
        let _ = status.read_to_string(&mut text);
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let memory = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(memory.unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success());
            // clock: as above
            return (began.elapsed().as_secs_f64(), peak);
        }
        // clock: until it has ended
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn import(database: &Database, what: &[&str], path: &std::path::Path) -> (f64, u64) {
    let mut command = program();
    command.args(what).arg(path).args(database.flags());
    taken(&mut command)
}

/// The seconds that the database's own way of loading subscribers takes.
fn bulk_load(database: &Database, count: u64) -> f64 {
    // clock: printed, not judged
    let began = Instant::now();
    match database.address() {
        None => {
            let path = database.data().join("franking.db");
            let mut connection = rusqlite::Connection::open(path).unwrap();
            let transaction = connection.transaction().unwrap();
            {
                let sql = "INSERT INTO subscribers (account, id, match_key, email) VALUES (1, ?1, ?2, ?2)";
                let mut insert = transaction.prepare(sql).unwrap();
                for number in 0..count {
                    let email = format!("bulk{number}@import.example");
                    insert
                        .execute(rusqlite::params![2_000_000_000 + number as i64, email])
                        .unwrap();
                }
            }
            transaction.commit().unwrap();
        }
        Some(address) => {
            let mut rows = String::new();
            for number in 0..count {
                let email = format!("bulk{number}@import.example");
                writeln!(rows, "1\t{}\t{email}\t{email}", 2_000_000_000 + number).unwrap();
            }
            let psql = databases::binaries().unwrap().join("psql");
            let copy = "COPY subscribers (account, id, match_key, email) FROM STDIN";
            let mut child = Command::new(psql)
                .args(["--no-psqlrc", "--quiet", "--command", copy, address])
                .stdin(Stdio::piped())
                .spawn()
                .unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), rows.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success());
        }
    }
    // clock: as above
    began.elapsed().as_secs_f64()
}

#[test]
#[ignore = "it takes minutes: make prove PART=large"]
fn a_million_subscribers_and_domains_come_in_with_flat_memory() {
    let count = emails().min(1_000_000);
    on_each(|name, database| {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, head: &str, count: u64, row: &dyn Fn(u64) -> String| {
            let mut text = head.to_owned();
            for number in 0..count {
                writeln!(text, "{}", row(number)).unwrap();
            }
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let few = file("few.csv", "email,firstName\n", count / 20, &|n| {
            format!("few{n}@import.example,Few {n}")
        });
        let many = file("many.csv", "email,firstName\n", count, &|n| {
            format!("reader{n}@import.example,Reader {n}")
        });
        let domains = file("domains.csv", "domain\n", count, &|n| {
            format!("spam{n}.example")
        });
        let (_, least) = import(database, &["subscriber", "import", "1"], &few);
        let (seconds, most) = import(database, &["subscriber", "import", "1"], &many);
        let (of_domains, _) = import(database, &["blacklist", "import"], &domains);
        let bulk = bulk_load(database, count);
        let each = |seconds: f64| count as f64 / seconds;
        println!(
            "{name}: {count} subscribers {:.0} a second with their names, {:.2} of what the database's own bulk load takes without; domains {:.0} a second; memory {least} KB for a twentieth, {most} KB for all",
            each(seconds),
            bulk / seconds,
            each(of_domains),
        );
        let stored = database.number("SELECT count(*) FROM subscribers");
        assert_eq!(stored as u64, 1 + count / 20 + 2 * count);
        assert_eq!(
            database.number("SELECT count(*) FROM blacklist") as u64,
            count
        );
        assert!(most < least + 16 * 1024, "{least} {most}");
    });
}

/// The seconds in a day.
const DAY: i64 = 86_400;

/// Adds emails that have ended on one day, in calls of ten emails.
fn fill_day(database: &Database, day: i64, time: i64, emails: u64) {
    let calls = emails / 10;
    let first = day * 10_000_000;
    let (numbers, hash, bytes, moment) = match database.address() {
        None => (
            "json_each('[' || substr(replace(hex(zeroblob(COUNT)), '00', ',0'), 2) || ']')",
            "CAST(printf('%032d', N) AS BLOB)",
            "CAST(hex(randomblob(1000)) AS BLOB)",
            "TIME",
        ),
        Some(_) => (
            "generate_series(0, COUNT - 1) j (key)",
            "sha256(convert_to(N::text, 'UTF8'))",
            "convert_to(repeat(md5(N::text), 60), 'UTF8')",
            "to_timestamp(TIME)",
        ),
    };
    let sql = "
        INSERT INTO contents (hash, html) SELECT HASH, BYTES FROM CALLS;
        INSERT INTO calls (id, account, operation, emails, subscribers, created)
            SELECT N, 1, 'httpSendMail', 10, 0, MOMENT FROM CALLS;
        INSERT INTO messages (call, position, subject, content, from_address, track_opens, track_clicks)
            SELECT N, 0, 'Subject', HASH, 'news@shop.example', FALSE, FALSE FROM CALLS;
        INSERT INTO deliveries (call, message, account, subscriber, to_address, state, events, created, ended)
            SELECT FIRST + key / 10, 0, 1, 7, 'known@customer.example', 'delivered', 2, MOMENT, MOMENT FROM EMAILS;
        INSERT INTO transcripts (account, operation, code, bytes, milliseconds, peer, request, received)
            SELECT 1, 'httpSendMail', 412, 500, 1, '192.0.2.1', 'r', MOMENT FROM CALLS;
        INSERT INTO hits (delivery, reason, happened) SELECT N, 'person', MOMENT FROM CALLS";
    let sql = sql
        .replace("CALLS", &numbers.replace("COUNT", &calls.to_string()))
        .replace("EMAILS", &numbers.replace("COUNT", &emails.to_string()))
        .replace("HASH", hash)
        .replace("BYTES", bytes)
        .replace("MOMENT", moment)
        .replace("printf('%032d', N)", "printf('%032d', FIRST + key)")
        .replace("(N::text", "((FIRST + key)::text")
        .replace("SELECT N,", "SELECT FIRST + key,")
        .replace("FIRST", &first.to_string())
        .replace("TIME", &time.to_string());
    database.script(&sql);
}

fn size(database: &Database) -> i64 {
    match database.address() {
        None => database
            .number("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
        Some(_) => {
            // autovacuum does this at a time of its own.
            database.script("VACUUM");
            database.number("SELECT pg_database_size(current_database())")
        }
    }
}

const KEPT: Kept = Kept {
    contents: 7,
    deliveries: 7,
    calls: 7,
    transcripts: 7,
    events: 7,
    reports: 7,
    readers: None,
    hits: 7,
    audit: 7,
};

/// Decides calls one after the other until `is_over`. Returns the 99th percentile of their milliseconds, and their number.
async fn slowest(
    store: &Arc<dyn Store>,
    name: &str,
    is_over: impl Fn(usize) -> bool,
) -> (f64, usize) {
    let mut times = Vec::new();
    while !is_over(times.len()) {
        let call = store_world::send_mailer(&format!("{name}{}@customer.example", times.len()));
        // clock: printed, not judged
        let began = Instant::now();
        assert_eq!(store_world::decide(Arc::clone(store), call).await, 200);
        // clock: as above
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() * 99 / 100], times.len())
}

#[test]
#[ignore = "it takes minutes: make prove PART=large"]
fn thirty_days_with_a_retention_of_seven_keep_the_size_level_and_calls_quick_on_sqlite() {
    thirty_days("SQLite", &Database::sqlite(&world("world.json")));
}

#[test]
#[ignore = "it takes minutes: make prove PART=large"]
fn thirty_days_with_a_retention_of_seven_keep_the_size_level_and_calls_quick_on_postgres() {
    let database = Database::postgres(&world("world.json"));
    thirty_days("PostgreSQL", &database.expect("PostgreSQL is installed"));
}

fn thirty_days(name: &str, database: &Database) {
    let each_day = (emails() / 30).min(100_000) / 10 * 10;
    let store = runtime();
    let now = store.block_on(async { database.visit().await.time().await.unwrap() });
    let mut sizes = Vec::new();
    for day in 1..=30 {
        let time = now + day * DAY;
        fill_day(database, day, time, each_day);
        store.block_on(async {
            let store = database.visit().await;
            let mut retention = Retention::new(store, KEPT).without_rest();
            retention.round(time + 10, &CancellationToken::new()).await;
        });
        sizes.push(size(database));
    }
    let megabytes = |day: usize| sizes[day - 1] / (1 << 20);
    println!(
        "{name}: {each_day} emails a day: {} MB after 4 days, {} after 8, {} after 15, {} after 30",
        megabytes(4),
        megabytes(8),
        megabytes(15),
        megabytes(30)
    );
    assert!(sizes[29] <= sizes[8] * 11 / 10, "{sizes:?}");
    assert_eq!(
        database.number("SELECT count(*) FROM deliveries") as u64,
        7 * each_day
    );
    let (alone, beside, after, calls) = store.block_on(async {
        let store = database.store().await;
        store_world::account(&store, 1_000_000, 1_000_000).await;
        let (alone, _) = slowest(&store, "alone", |calls| calls == 20_000).await;
        let end = CancellationToken::new();
        let mut retention = Retention::new(Arc::clone(&store), KEPT);
        let until = end.clone();
        let deleting = tokio::spawn(async move { retention.round(now + 100 * DAY, &until).await });
        let (beside, calls) = slowest(&store, "beside", |calls| calls == 20_000).await;
        assert!(!deleting.is_finished(), "it was deleted too soon to be met");
        end.cancel();
        deleting.await.unwrap();
        let mut rest = Retention::new(Arc::clone(&store), KEPT).without_rest();
        rest.round(now + 100 * DAY, &CancellationToken::new()).await;
        let (after, _) = slowest(&store, "after", |calls| calls == 20_000).await;
        (alone, beside, after, calls)
    });
    println!(
        "{name}: the 99th of a hundred calls takes {alone:.1} ms before, {beside:.1} ms while seven days are deleted, and {after:.1} ms after that ({calls} calls each)"
    );
    assert_eq!(
        database.number("SELECT count(*) FROM deliveries WHERE account = 1"),
        0
    );
}

#[test]
#[ignore = "it takes minutes: make prove PART=large"]
fn one_person_is_removed_from_a_large_database_and_is_nowhere() {
    const PERSON: &str = "unique.person@erase.example";
    on_each(|name, database| {
        fill(database, emails());
        let reader = "(SELECT min(subscriber) FROM deliveries WHERE account = 2)";
        for sql in [
            format!(
                "UPDATE deliveries SET to_address = '{PERSON}', reason = '250 ok <{PERSON}>' WHERE account = 2 AND subscriber = {reader}"
            ),
            format!(
                "UPDATE events SET reason = '250 ok <{PERSON}>' WHERE account = 2 AND subscriber = {reader}"
            ),
            format!(
                "UPDATE subscribers SET match_key = '{PERSON}', email = '{PERSON}' WHERE account = 2 AND id = {reader}"
            ),
        ] {
            database.execute(&sql, &sql);
        }
        let mut command = program();
        command
            .args(["subscriber", "erase", PERSON, "--yes"])
            .args(database.flags());
        let (seconds, _) = taken(&mut command);
        let kept = crate::keeping::bytes(database);
        println!(
            "{name}: a person is removed in {seconds:.2} s; {} MB hold nothing",
            kept.len() >> 20
        );
        assert!(
            !kept
                .windows(PERSON.len())
                .any(|part| part == PERSON.as_bytes())
        );
    });
}
