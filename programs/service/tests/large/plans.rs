//! No statement reads the whole of a table that grows.

use std::path::{Path, PathBuf};

use franking_service::store::erasing;
use franking_service::store::postgres::PLANS;

use super::fill::{emails, fill};
use crate::support::database::Database;
use crate::support::{databases, runtime, world};

/// The tables that grow with what is sent.
const GROWING: [&str; 14] = [
    "attempts",
    "audit",
    "blacklist",
    "calls",
    "contents",
    "deliveries",
    "events",
    "hits",
    "messages",
    "reports",
    "subscribers",
    "suppressions",
    "transcripts",
    "unsubscribed",
];

/// The statements of a database, each with its name. A statement that begins with another one is put together.
fn statements(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    // Parts of other statements.
    let parts = [
        "queued.sql",
        "refused.sql",
        "transcript_numbers.sql",
        "select_deliveries.sql",
        "select_transcript.sql",
        "select_transcripts.sql",
        "transcripts_placed.sql",
    ];
    let mut all = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if parts.contains(&name.as_str()) {
            continue;
        }
        let text = read(&name);
        let begins = text.lines().find(|line| !line.starts_with("--")).unwrap();
        let text = match begins.split(' ').next().unwrap() {
            _ if text.contains("FROM queued") => read("queued.sql") + &text,
            _ if name.starts_with("refused_of") => {
                let (numbers, all) = (
                    read("transcript_numbers.sql"),
                    read("select_transcripts.sql"),
                );
                [numbers, all, read("refused.sql"), text].concat()
            }
            _ if name == "transcripts_kept.sql" => {
                let (numbers, one) = (
                    read("transcript_numbers.sql"),
                    read("select_transcript.sql"),
                );
                [numbers, text, one, read("transcripts_placed.sql")].concat()
            }
            "WHERE" if name.starts_with("transcript") => read("select_transcript.sql") + &text,
            "WHERE" => read("select_deliveries.sql") + &text,
            _ => text,
        };
        all.push((name, text));
    }
    all
}

/// The statements that both databases share, in the form for one of them. `mark` is the character before the number of a
/// parameter, `now` is the time, and `rows` are the items of a parameter.
fn shared(mark: &str, now: &str, rows: [&str; 2]) -> Vec<(String, String)> {
    let of_erasure = erasing().into_iter();
    let of_erasure = of_erasure.map(|(table, sql)| {
        let of = if sql.contains("LIMIT 500") {
            " of an account"
        } else {
            ""
        };
        (format!("erasing {table}{of}"), sql.to_owned())
    });
    let all = statements("src/store/sql").into_iter().chain(of_erasure);
    all.map(|(name, sql)| {
        let mut sql = sql.replace("now()", now).replace("today()", "20000");
        for number in 1..=3 {
            let items = format!("{}?{number}{}", rows[0], rows[1]);
            sql = sql.replace(&format!("rows(?{number})"), &items);
        }
        (name, sql.replace('?', mark))
    })
    .collect()
}

/// The number of parameters of a statement.
fn values(sql: &str, mark: char) -> usize {
    let numbers = sql.split(mark).skip(1).filter_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    numbers.max().unwrap_or(0)
}

/// The table of an alias in a statement.
fn table<'t>(sql: &'t str, alias: &str) -> Option<&'t str> {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let mut pairs = words.windows(3);
    let found = pairs.find(|three| {
        let is_place = ["FROM", "JOIN", "UPDATE", "INTO"].contains(&three[0]);
        let own = |word: &str| word.trim_matches([',', ')', ';']) == alias;
        is_place && (own(three[2]) || own(three[1]))
    });
    found.map(|three| three[1].trim_matches([',', ')', ';']))
}

/// Statements that may read the whole of a table, with the reason.
const ALLOWED: &[(&str, &str)] = &[
    (
        "first_events.sql",
        "the oldest events, up to a limit, in the order of the table",
    ),
    (
        "forget_hits.sql",
        "the oldest hits, up to a limit, in the order of the table",
    ),
    (
        "forget_audit.sql",
        "the oldest notes, up to a limit, in the order of the table",
    ),
    ("latest.sql", "one row: the last by its number"),
    (
        "forget_reports.sql",
        "a hundred rows by their numbers, which cost more than a table that is small beside the others",
    ),
    ("erasing reports of an account", "as forget_reports.sql"),
    ("erasing transcripts of an account", "as forget_reports.sql"),
    (
        "erasing unsubscribed of an account",
        "as forget_reports.sql",
    ),
];

/// Statements that must read a range of an index, whatever the database estimates.
const INDEXES: &[(&str, &str)] = &[
    ("refused_of_account.sql", "transcripts_refused_of_account"),
    ("refused_of_rule.sql", "transcripts_refused_by_rule"),
    (
        "refused_of_account_and_rule.sql",
        "transcripts_refused_of_account_by_rule",
    ),
    ("count_refused_of_account.sql", "call_counts_of_account"),
    ("count_refused_of_rule.sql", "call_counts_of_rule"),
    ("calls_to_search.sql", "calls_of_account"),
    ("deliveries_bounced.sql", "deliveries_bounced"),
    ("deliveries_such.sql", "calls_of_account"),
    ("end_of_bounced.sql", "deliveries_bounced"),
    ("end_of_search.sql", "calls_of_account"),
    ("deliveries_queued.sql", "queue_by_time"),
    ("queue.sql", "queue_by_time"),
    ("waiting_reasons.sql", "queue_by_time"),
];

/// What is wrong if a statement does not read its index.
fn without_its_index(name: &str, plan: &str) -> Option<String> {
    let (_, index) = INDEXES.iter().find(|(own, _)| *own == name)?;
    let words = plan.split_whitespace();
    let is_read = words.into_iter().any(|word| word == *index);
    (!is_read).then(|| format!("{name} does not read {index}: {plan}"))
}

#[test]
#[ignore = "it fills a database: make prove PART=large"]
fn no_statement_of_sqlite_reads_all_of_a_table_that_grows() {
    let database = Database::sqlite(&world("world.json"));
    fill(&database, emails());
    let connection = rusqlite::Connection::open(database.data().join("franking.db")).unwrap();
    franking_service::store::sqlite::add_functions(&connection).unwrap();
    let mut found = Vec::new();
    let all = [
        statements("src/store/sqlite/sql"),
        shared("?", "unixepoch()", ["json_each(", ")"]),
    ]
    .concat();
    assert!(all.len() > 100);
    for (name, sql) in all {
        let mut explained = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut rows = explained.raw_query();
        let mut whole = String::new();
        while let Some(row) = rows.next().unwrap() {
            let detail: String = row.get(3).unwrap();
            whole = whole + &detail + "\n";
            let Some(rest) = detail.strip_prefix("SCAN ") else {
                continue;
            };
            let alias = rest.split(' ').next().unwrap();
            let is_growing = table(&sql, alias).is_some_and(|table| GROWING.contains(&table));
            if is_growing && !ALLOWED.iter().any(|(own, _)| *own == name) {
                found.push(format!("{name}: {detail}"));
            }
        }
        found.extend(without_its_index(&name, &whole));
    }
    assert_eq!(found, Vec::<String>::new());
}

/// A plan is made when a table is still small, and used when it has grown.
#[test]
fn no_plan_of_a_new_database_of_postgres_reads_all_of_a_table_that_grows() {
    let Some(database) = Database::postgres(&world("world.json")) else {
        return;
    };
    runtime().block_on(async {
        let (address, analyze) = (database.address().unwrap(), "ANALYZE");
        let client = databases::connect(address).await;
        client.batch_execute(analyze).await.unwrap();
        let plans = plans_of_postgres(address).await;
        let found: Vec<_> = plans.iter().flat_map(scans).collect();
        assert_eq!(found, Vec::<String>::new());
    });
}

#[test]
#[ignore = "it fills a database: make prove PART=large"]
fn no_statement_of_postgres_reads_all_of_a_table_that_grows() {
    let database = Database::postgres(&world("world.json")).expect("PostgreSQL is installed");
    fill(&database, emails());
    let plans = runtime().block_on(plans_of_postgres(database.address().unwrap()));
    let wrong = plans
        .iter()
        .filter_map(|(name, plan)| without_its_index(name, plan));
    let found: Vec<_> = plans.iter().flat_map(scans).chain(wrong).collect();
    assert_eq!(found, Vec::<String>::new());
}

/// The lines of a plan that read all of a table that grows, if the statement may not do that.
fn scans((name, plan): &(String, String)) -> Vec<String> {
    if ALLOWED.iter().any(|(own, _)| own == name) {
        return Vec::new();
    }
    let is_scan = |line: &&str| {
        let mut growing = GROWING.iter();
        growing.any(|table| line.contains(&format!("Seq Scan on {table}")))
    };
    plan.lines()
        .filter(is_scan)
        .map(|line| format!("{name}: {line}"))
        .collect()
}

/// The name of each statement, and its plan on a connection with the settings of the service.
async fn plans_of_postgres(address: &str) -> Vec<(String, String)> {
    let client = databases::connect(&format!("{address} options='{PLANS}'")).await;
    let rows = ["jsonb_array_elements(", "::text::jsonb)"];
    let own = statements("src/store/postgres/sql").into_iter();
    let all = own.chain(shared("$", "clock_timestamp()", rows));
    let mut plans = Vec::new();
    for (name, sql) in all {
        let nothing = vec!["NULL"; values(&sql, '$')].join(", ");
        let given = match nothing.is_empty() {
            true => String::new(),
            false => format!("({nothing})"),
        };
        client
            .batch_execute(&format!("PREPARE one AS {sql}"))
            .await
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let plan = client
            .simple_query(&format!("EXPLAIN EXECUTE one{given}"))
            .await
            .unwrap();
        client.batch_execute("DEALLOCATE one").await.unwrap();
        let lines = plan.iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap().trim()),
            _ => None,
        });
        plans.push((name, lines.collect::<Vec<_>>().join("\n")));
    }
    assert!(plans.len() > 100);
    plans
}
