//! The costs of calls on PostgreSQL, in statements and round trips, alone and at the same time.

use std::sync::Arc;

use franking::Account;
use franking_service::store::postgres::Postgres;
use franking_service::store::{Committed, KeyHash, Store, Which};
use tokio_postgres::SimpleQueryMessage;

use crate::databases::{SERVER, Server, connect, runtime, without_autovacuum};
use crate::proxy::Proxy;
use crate::shop::wait;
use crate::world::{KEY, account, http_send_mail, send_mailer, to_commit};

/// The statements that the logged connections have sent to a database.
struct Log<'s> {
    server: &'s Server,
    marks: [String; 2],
}

impl<'s> Log<'s> {
    async fn of(server: &'s Server, address: &str) -> Self {
        let client = connect(address).await;
        for statement in [
            "ALTER SYSTEM SET log_line_prefix = '%d '",
            "SELECT pg_reload_conf()",
        ] {
            client.batch_execute(statement).await.unwrap();
        }
        let database = address.rsplit('=').next().unwrap();
        let marks = ["statement:", "execute "].map(|mark| format!("{database} LOG:  {mark}"));
        Self { server, marks }
    }

    /// The address for connections whose statements are logged.
    fn logged(address: &str) -> String {
        format!("{address} options='-c log_statement=all'")
    }

    fn statements(&self) -> usize {
        let log = self.server.log();
        // The notice about new emails belongs to no call, and comes at a time of its own.
        let is_one = |line: &&str| {
            let is_sent = self.marks.iter().any(|mark| line.starts_with(mark));
            is_sent && !line.contains("pg_notify")
        };
        log.lines().filter(is_one).count()
    }
}

#[test]
fn a_call_of_1000_addresses_takes_as_many_statements_as_one_of_one() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let plain: Arc<dyn Store> = Arc::new(Postgres::open(&address, 16).await.unwrap());
        let id = account(&plain, 10_000, 10_000).await;
        let log = Log::of(server, &address).await;
        let store: Arc<dyn Store> =
            Arc::new(Postgres::open(&Log::logged(&address), 1).await.unwrap());
        let count = || log.statements();
        let mut counts = Vec::new();
        for batch in 0..12 {
            let count_of = [1, 1000][batch % 2];
            crate::world::subscriber(&plain, id, &format!("r0@b{batch}.example")).await;
            let to: Vec<String> = (0..=count_of)
                .map(|n| format!("r{n}@b{batch}.example"))
                .collect();
            let mut call = http_send_mail(&to);
            let before = count();
            let work = to_commit(&store, &mut call, None).await.unwrap();
            let asked = count();
            assert_eq!(store.commit(work).await, Ok(Committed::Done));
            counts.push((asked - before, count() - asked));
        }
        // The first calls prepare statements, so the smallest number is that of a call.
        let least = |of: usize| {
            let own = || counts.iter().skip(of).step_by(2);
            let asked = own().map(|(asked, _)| *asked).min().unwrap();
            (asked, own().map(|(_, done)| *done).min().unwrap())
        };
        println!("statements to ask and to commit: {:?}", least(0));
        assert_eq!(least(0), least(1));
        let (asked, done) = least(0);
        assert!(
            (1..=3).contains(&asked) && (5..=8).contains(&done),
            "{counts:?}"
        );
    });
}

#[test]
fn a_call_takes_one_round_trip_for_its_facts_and_two_for_its_plan() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let proxy = Proxy::start(server.folder());
        let [server, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let address = address.replace(server, proxied);
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 1).await.unwrap());
        account(&store, 1000, 1000).await;
        // The first calls prepare statements, and the first one looks the sender of its stored email up on its own. If the
        // server is faster than the client, an answer may come between two statements that are sent together. So the
        // smallest number is that of a call.
        let mut least = (u64::MAX, u64::MAX);
        for number in 0..32 {
            let mut call = send_mailer(&format!("a{number}@reader.example"));
            let before = proxy.round_trips();
            let work = to_commit(&store, &mut call, None).await.unwrap();
            let asked = proxy.round_trips();
            assert_eq!(store.commit(work).await, Ok(Committed::Done));
            let committed = proxy.round_trips();
            least = (least.0.min(asked - before), least.1.min(committed - asked));
        }
        // One more round trip looks the account up.
        assert_eq!(least, (2, 2));
    });
}

#[test]
fn calls_at_once_share_their_statements_and_round_trips() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let log = Log::of(server, &address).await;
        let proxy = Proxy::start(server.folder());
        let [direct, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let address = Log::logged(&address.replace(direct, proxied));
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 16).await.unwrap());
        account(&store, 10_000, 10_000).await;
        let mut alone = 0;
        let mut costs = Vec::new();
        // The first calls of each connection prepare its statements, so the smallest number of round trips counts here as well.
        for round in 0..4 {
            let mut works = Vec::new();
            for number in 0..=256 {
                let mut call = send_mailer(&format!("a{number}@b{round}.example"));
                works.push(to_commit(&store, &mut call, None).await.unwrap());
            }
            let before = log.statements();
            let one = store.commit(works.pop().unwrap()).await;
            assert_eq!(one, Ok(Committed::Done));
            alone = log.statements() - before;
            let before = (log.statements(), proxy.round_trips());
            let commits: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
            for commit in commits {
                assert_eq!(commit.await, Ok(Committed::Done));
            }
            costs.push((
                log.statements() - before.0,
                proxy.round_trips() - before.1,
            ));
        }
        println!("statements of a call alone: {alone}; statements and round trips of 256 at once: {costs:?}");
        let statements = costs.iter().map(|(statements, _)| *statements);
        assert!(statements.min().unwrap() < 256 * alone / 16, "{costs:?}");
        let least = costs.iter().map(|(_, trips)| *trips).min();
        assert!(least.unwrap() < 256, "{costs:?}");
    });
}

#[test]
fn look_ups_at_once_share_their_statements() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let log = Log::of(server, &address).await;
        let store: Arc<dyn Store> =
            Arc::new(Postgres::open(&Log::logged(&address), 16).await.unwrap());
        account(&store, 10, 10).await;
        let before = log.statements();
        let keys = (0..512).map(|number| match number % 2 {
            0 => KeyHash::of(KEY),
            _ => KeyHash::of(&number.to_string()),
        });
        let looking: Vec<_> = keys.map(|key| store.account(key)).collect();
        for (number, found) in looking.into_iter().enumerate() {
            assert_eq!(found.await.unwrap().is_some(), number % 2 == 0);
        }
        let statements = log.statements() - before;
        println!("512 look-ups at once took {statements} statements");
        assert!(statements < 64, "{statements}");
    });
}

/// A server whose autovacuum runs every second.
const PREPARE: &str = r#"echo "autovacuum_naptime = 1s" >>"$1/data/postgresql.conf""#;

/// Waits until a column of `pg_stat_user_tables` is at least this number.
async fn counted(client: &tokio_postgres::Client, table: &str, column: &str, number: i64) {
    let sql = format!("SELECT {column} FROM pg_stat_user_tables WHERE relname = '{table}'");
    wait("the server does not count that", async || {
        client.query_one(&sql, &[]).await.unwrap().get::<_, i64>(0) >= number
    })
    .await;
}

/// The server plans statements and checks of foreign keys while a table is small. It uses these plans when the table has
/// grown, until autovacuum runs, by default a minute later.
#[test]
fn what_a_call_reads_does_not_grow_with_a_small_database() {
    const CALLS: i64 = 600;
    let Some(server) = Server::start_prepared(5438, PREPARE) else {
        return;
    };
    runtime().block_on(async {
        let address = server.database().await;
        let filling: Arc<dyn Store> = Arc::new(Postgres::open(&address, 1).await.unwrap());
        for _ in 0..64 {
            let (name, credits) = ("another one".into(), Account::default());
            let other = filling.create_account(name, credits, "tests".into());
            let id = other.await.unwrap();
            crate::world::subscriber(&filling, id, "known@reader.example").await;
        }
        account(&filling, 10_000, 10_000).await;
        // The server counts what a connection has done when the connection ends.
        drop(filling);
        let client = connect(&address).await;
        counted(&client, "subscribers", "n_tup_ins", 64).await;
        let small = "CREATE TABLE small AS SELECT * FROM generate_series(1, 100)";
        client.batch_execute(small).await.unwrap();
        // When autovacuum has analyzed this table, it has also considered the tables that were filled before.
        counted(&client, "small", "autoanalyze_count", 1).await;
        for statement in [
            "ALTER SYSTEM SET autovacuum = off",
            "SELECT pg_reload_conf()",
        ] {
            client.batch_execute(statement).await.unwrap();
        }
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 1).await.unwrap());
        for number in 0..CALLS {
            let mut call = send_mailer(&format!("a{number}@reader.example"));
            let work = to_commit(&store, &mut call, None).await.unwrap();
            assert_eq!(store.commit(work).await, Ok(Committed::Done));
        }
        drop(store);
        counted(&client, "deliveries", "n_tup_ins", CALLS).await;
        let sql = "SELECT relname::text, seq_tup_read + coalesce(idx_tup_fetch, 0)
            FROM pg_stat_user_tables";
        for row in client.query(sql, &[]).await.unwrap() {
            let (table, read) = (row.get::<_, &str>(0), row.get::<_, i64>(1) / CALLS);
            println!("{table}: {read} rows a call");
            assert!(read <= 30, "{table}: a call reads {read} rows");
        }
    });
}

/// A claim reads the index of the queue from an account's first entry on. It also reads the entries of deleted rows until
/// these are vacuumed.
#[test]
fn claims_read_no_entries_of_cancelled_deliveries() {
    const WAITING: i64 = 30_000;
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 1).await.unwrap());
        account(&store, 10_000, 10_000).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        let client = connect(&address).await;
        without_autovacuum(&client).await;
        let copies = format!(
            "INSERT INTO deliveries (call, account, message, subscriber, to_address)
             SELECT call, account, message, subscriber, to_address
             FROM generate_series(2, {WAITING}) CROSS JOIN (SELECT * FROM deliveries LIMIT 1) d"
        );
        let queue = "INSERT INTO queue (delivery, account, traffic_class)
            SELECT id, account, 1 FROM deliveries WHERE id NOT IN (SELECT delivery FROM queue)";
        for statement in [&copies, queue, "SET enable_seqscan = off"] {
            client.batch_execute(statement).await.unwrap();
        }
        let cancelled = store.cancel(Which::All).await.unwrap();
        assert_eq!(cancelled, WAITING.unsigned_abs());
        let sql = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
            SELECT delivery FROM queue WHERE account > 0 ORDER BY account, traffic_class, due LIMIT 1";
        let answer = client.simple_query(sql).await.unwrap();
        let plan = answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        let plan: serde_json::Value = serde_json::from_str(plan.unwrap()).unwrap();
        let pages = |kind: &str| plan[0]["Plan"][kind].as_i64().unwrap();
        let read = pages("Shared Hit Blocks") + pages("Shared Read Blocks");
        assert!(read <= 10, "{read} pages: {plan}");
    });
}
