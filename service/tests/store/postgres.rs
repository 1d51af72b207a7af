//! What holds on PostgreSQL alone: lost connections, and several processes.

use std::sync::Arc;

use franking_service::store::postgres::{OpenError, Postgres};
use franking_service::store::{Claim, Committed, IdempotencyKey, KeyHash, Store, StoreError};

use crate::databases::{SERVER, Server, connect, runtime};
use crate::idempotency::record;
use crate::proxy::Proxy;
use crate::world::{KEY, account, credits, decide, http_send_mail, send_mailer, stored, to_commit};

async fn open(address: &str) -> Arc<dyn Store> {
    Arc::new(Postgres::open(address, 16).await.unwrap())
}

/// Has the server end the session whose transaction has inserted a call, when that is committed.
const END_AT_COMMIT: &str = "
    CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER end_at_commit AFTER INSERT ON calls DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION end_session()";

#[test]
fn a_database_of_a_later_release_is_refused_and_left_alone() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        drop(open(&address).await);
        let client = connect(&address).await;
        client
            .batch_execute("INSERT INTO schema_version VALUES (1000)")
            .await
            .unwrap();
        let refused = Postgres::open(&address, 1).await;
        assert!(
            matches!(refused, Err(OpenError::Newer { found: 1000, .. })),
            "{refused:?}"
        );
    });
}

#[test]
fn processes_that_start_at_once_make_one_schema() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let mut opening = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let address = address.clone();
            opening.spawn(async move { open(&address).await.health().await });
        }
        assert_eq!(opening.join_all().await, vec![Ok(()); 8]);
    });
}

#[test]
fn a_commit_that_is_lost_and_was_not_carried_out_is_known_to_be_undone() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let store = open(&address).await;
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        let client = connect(&address).await;
        client.batch_execute(END_AT_COMMIT).await.unwrap();
        let lost = store.commit(work).await;
        assert!(matches!(lost, Err(StoreError::Failed(_))), "{lost:?}");
        assert_eq!(credits(&store, id).await, (10, 10));
        assert!(store.calls(id).await.unwrap().is_empty());
        client
            .batch_execute("DROP TRIGGER end_at_commit ON calls")
            .await
            .unwrap();
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
    });
}

/// Commits through a proxy that keeps the answer to COMMIT back, and compares with what the server then has.
async fn commit_without_answer(server: &Server, closes: bool) -> Result<Committed, StoreError> {
    let address = server.database().await;
    let direct = open(&address).await;
    let proxy = Proxy::start(server.folder());
    let [server, proxied] =
        [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
    let store: Arc<dyn Store> = Arc::new(
        Postgres::open(&address.replace(server, proxied), 1)
            .await
            .unwrap(),
    );
    let id = account(&store, 10, 10).await;
    let mut call = send_mailer("a@reader.example");
    let work = to_commit(&store, &mut call, None).await.unwrap();
    let number = work.id();
    proxy.cut(closes);
    let answer = store.commit(work).await;
    // It was carried out, once.
    assert!(stored(&direct, id, number).await.is_some());
    assert_eq!(credits(&direct, id).await, (9, 9));
    answer
}

#[test]
fn a_commit_whose_answer_is_lost_is_found_by_its_own_id() {
    let Some(server) = &*SERVER else { return };
    let answer = runtime().block_on(commit_without_answer(server, false));
    assert_eq!(answer, Ok(Committed::Done));
}

#[test]
fn a_commit_whose_answer_is_lost_is_unknown_while_nobody_can_be_asked() {
    let Some(server) = &*SERVER else { return };
    let answer = runtime().block_on(commit_without_answer(server, true));
    assert!(matches!(answer, Err(StoreError::Unknown(_))), "{answer:?}");
}

#[test]
fn a_server_that_vanishes_is_given_up_and_the_next_connection_is_used_at_once() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let proxy = Proxy::start(server.folder());
        let [server, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let store: Arc<dyn Store> = Arc::new(
            Postgres::open(&address.replace(server, proxied), 4)
                .await
                .unwrap(),
        );
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        // Several connections of the pool are open, and the session of the keys.
        drop(store.claim(id, IdempotencyKey::parse("key").unwrap()).await);
        drop(tokio::join!(store.health(), store.health(), store.health()));
        proxy.swallow(true);
        let key = IdempotencyKey::parse("other").unwrap();
        // clock: printed, not judged
        let began = std::time::Instant::now();
        let (committed, healthy, claimed, found) = tokio::join!(
            store.commit(work),
            store.health(),
            store.claim(id, key),
            store.account(KeyHash::of(KEY)),
        );
        // clock: printed, not judged
        println!(
            "answers of a server that has vanished came after {:?}",
            began.elapsed() // clock: printed, not judged
        );
        assert!(
            matches!(
                committed,
                Err(StoreError::Failed(_) | StoreError::Unknown(_))
            ),
            "{committed:?}"
        );
        assert!(healthy.is_err() && claimed.is_err() && found.is_err());
        proxy.swallow(false);
        assert!(
            store.health().await.is_ok(),
            "no connection of before is used"
        );
        assert!(store.account(KeyHash::of(KEY)).await.unwrap().is_some());
        let key = IdempotencyKey::parse("other").unwrap();
        assert!(matches!(
            store.claim(id, key).await.unwrap(),
            Claim::Held(_)
        ));
    });
}

#[test]
fn a_lost_connection_ends_no_store() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let store = open(&address).await;
        let id = account(&store, 10, 10).await;
        let client = connect(&address).await;
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        client.batch_execute(kill).await.unwrap();
        // What was idle in the pool may fail once each; then it works again.
        let mut failures = 0;
        while store.health().await.is_err() {
            failures += 1;
            assert!(failures < 20);
        }
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
        assert_eq!(credits(&store, id).await, (9, 9));
    });
}

#[test]
fn of_two_processes_with_one_key_one_carries_its_call_out_and_the_other_learns_its_answer() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let stores = [open(&address).await, open(&address).await];
        let id = account(&stores[0], 10, 10).await;
        let mut works = Vec::new();
        for (number, store) in stores.iter().enumerate() {
            let claim = store.claim(id, IdempotencyKey::parse("one").unwrap());
            let Claim::Held(hold) = claim.await.unwrap() else {
                panic!("a process knows of its own calls alone");
            };
            let mut call = send_mailer(&format!("a{number}@reader.example"));
            let record = record(&hold, &number.to_string());
            works.push(to_commit(store, &mut call, Some(record)).await.unwrap());
        }
        let other = works.pop().unwrap();
        let first = works.pop().unwrap();
        let number = first.id();
        assert_eq!(stores[0].commit(first).await, Ok(Committed::Done));
        let Ok(Committed::Replayed(kept)) = stores[1].commit(other).await else {
            panic!("two calls were carried out under one key");
        };
        assert_eq!((kept.call, kept.answer.as_str()), (number, "0"));
        assert_eq!(credits(&stores[0], id).await, (9, 9));
    });
}

#[test]
fn three_processes_create_one_subscriber_and_spend_the_last_credits_once() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let stores = [
            open(&address).await,
            open(&address).await,
            open(&address).await,
        ];
        let id = account(&stores[0], 100, 20).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..48 {
            let store = stores[number % 3].clone();
            let to = ["a@reader.example".to_owned(), "b@reader.example".to_owned()];
            tasks.spawn(async move {
                match number % 2 {
                    0 => decide(store, send_mailer("a@reader.example")).await,
                    _ => decide(store, http_send_mail(&to)).await,
                }
            });
        }
        let codes = tasks.join_all().await;
        assert!(
            codes.iter().all(|code| [200, 445].contains(code)),
            "{codes:?}"
        );
        let (subscribers, emails) = credits(&stores[0], id).await;
        let calls = stores[0].calls(id).await.unwrap();
        let sum = |of: fn(&franking_service::store::CallRow) -> u64| {
            calls.iter().map(|(_, row)| of(row)).sum::<u64>()
        };
        assert_eq!(
            codes.iter().filter(|code| **code == 200).count(),
            calls.len()
        );
        assert_eq!(sum(|row| row.emails), (20 - emails).unsigned_abs());
        assert_eq!(sum(|row| row.deliveries), sum(|row| row.emails));
        assert_eq!(
            sum(|row| row.subscribers),
            (100 - subscribers).unsigned_abs()
        );
        assert!(sum(|row| row.subscribers) <= 2);
        assert!(emails >= 0);
    });
}

/// The statements that logged connections have sent to a database.
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

    /// The address for connections that are logged.
    fn logged(address: &str) -> String {
        format!("{address} options='-c log_statement=all'")
    }

    fn statements(&self) -> usize {
        let log = self.server.log();
        // What tells others of new emails belongs to no call: it comes when it comes.
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
        let address = server.database().await;
        let plain = open(&address).await;
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
        // At first statements are prepared: the least is what a call needs.
        let least = |of: usize| {
            let own = || counts.iter().skip(of).step_by(2);
            let asked = own().map(|(asked, _)| *asked).min().unwrap();
            (asked, own().map(|(_, done)| *done).min().unwrap())
        };
        println!("statements to ask and to commit: {:?}", least(0));
        assert_eq!(least(0), least(1));
        let (asked, done) = least(0);
        assert!(
            (1..=3).contains(&asked) && (8..=20).contains(&done),
            "{counts:?}"
        );
    });
}

#[test]
fn a_call_takes_two_round_trips_for_its_facts_and_three_for_its_plan() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let proxy = Proxy::start(server.folder());
        let [server, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let address = address.replace(server, proxied);
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 1).await.unwrap());
        account(&store, 1000, 1000).await;
        // The first calls prepare statements. Where the server is faster than the client, an answer may stand between two
        // statements that are sent together: the least is what a call needs.
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
        // One more looks the account up.
        assert_eq!(least, (3, 3));
    });
}

#[test]
fn calls_at_once_share_their_statements_and_round_trips() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let log = Log::of(server, &address).await;
        let proxy = Proxy::start(server.folder());
        let [direct, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let address = Log::logged(&address.replace(direct, proxied));
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 16).await.unwrap());
        account(&store, 10_000, 10_000).await;
        let mut alone = 0;
        let mut costs = Vec::new();
        // At first connections prepare their statements. As with one call, the least round trips are what is needed.
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
