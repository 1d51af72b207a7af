//! What is written of the record of an email, and when.

use std::time::Duration;

use franking_service::mail::Reason;
use franking_service::store::{Claimed, OperatorError, Settled, Settlement};

use crate::databases::{SERVER, connect, runtime};
use crate::shop::{ASK, Shop, counts, wait};
use crate::support::database::{Database, on_both};

/// Statements for each database that make it refuse changes of records.
const REFUSE: (&str, &str) = (
    "CREATE TRIGGER refuse BEFORE UPDATE ON deliveries BEGIN SELECT raise(ABORT, 'a record is written'); END",
    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''a record is written''; END';
    CREATE TRIGGER refuse BEFORE UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse()",
);

fn refuse_changes(database: &Database) {
    database.script(match database.address() {
        None => REFUSE.0,
        Some(_) => REFUSE.1,
    });
}

fn all(claimed: &[Claimed], end: &Settlement) -> Vec<Settled> {
    let settled = claimed.iter().map(|claimed| Settled {
        lease: claimed.lease,
        end: end.clone(),
    });
    settled.collect()
}

on_both! {
    fn a_claim_a_renewal_and_what_is_given_back_write_nothing_of_the_record(database: &Database) {
        let runtime = runtime();
        let store = runtime.block_on(database.store());
        let shop = runtime.block_on(Shop::open(&store, "a"));
        runtime.block_on(shop.send_many(3, "reader.example"));
        refuse_changes(database);
        runtime.block_on(async {
            let back = Settlement::GivenBack(Duration::ZERO, None);
            for _ in 0..3 {
                let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
                assert_eq!(claimed.len(), 3);
                let leases: Vec<_> = claimed.iter().map(|claimed| claimed.lease).collect();
                let kept = store.renew(leases, Duration::from_secs(60)).await.unwrap();
                assert_eq!(store.settle(all(&claimed, &back)).await.unwrap(), kept);
            }
            // The end of an attempt is written to the record. Here that is refused, and nothing is done.
            let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
            let delivered = Settlement::Delivered(Reason::new("250 OK"));
            assert!(store.settle(all(&claimed, &delivered)).await.is_err());
            assert_eq!(counts(&store).await, (3, 0, 0));
        });
    }

    fn what_has_ended_is_in_the_queue_no_more_and_what_is_sent_again_is(database: &Database) {
        let runtime = runtime();
        let store = runtime.block_on(database.store());
        let shop = runtime.block_on(Shop::open(&store, "a"));
        runtime.block_on(shop.send_many(2, "reader.example"));
        let claim = || runtime.block_on(async { store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries });
        let settle = |settled| runtime.block_on(async { store.settle(settled).await.unwrap() });
        let waiting = || database.number("SELECT count(*) FROM queue");
        assert_eq!(waiting(), 2);
        let claimed = claim();
        let ends = [
            Settlement::Delivered(Reason::new("250 OK")),
            Settlement::Postponed(Duration::ZERO, Reason::new("451 later")),
        ];
        let settled = claimed.iter().zip(ends);
        let settled = settled.map(|(claimed, end)| Settled { lease: claimed.lease, end });
        let done = settle(settled.collect());
        assert_eq!((done.len(), waiting()), (2, 1));
        runtime.block_on(async { store.resend(claimed[0].lease.delivery).await.unwrap() });
        assert_eq!(waiting(), 2);
        let bounced = Settlement::Bounced(Reason::new("550 no"));
        assert_eq!(settle(all(&claim(), &bounced)), done);
        assert_eq!((waiting(), runtime.block_on(counts(&store))), (0, (0, 0, 2)));
    }

    fn what_was_cancelled_is_not_sent_again_while_it_may_be_on_its_way(database: &Database) {
        let runtime = runtime();
        let store = runtime.block_on(database.store());
        let shop = runtime.block_on(Shop::open(&store, "a"));
        let which = runtime.block_on(shop.send_many(2, "reader.example"));
        let claimed = runtime.block_on(async { store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries });
        assert_eq!(runtime.block_on(async { store.cancel(which).await }), Ok(2));
        let [sent, other] = [0, 1].map(|place| claimed[place].lease.delivery);
        let resend = |delivery| runtime.block_on(async { store.resend(delivery).await });
        // Its worker does not know yet that it was cancelled. If it were due, another worker would send it as well.
        assert_eq!((resend(sent), resend(other)), (Err(OperatorError::OnItsWay), Err(OperatorError::OnItsWay)));
        let waiting = || database.number("SELECT count(*) FROM queue");
        assert_eq!(waiting(), 0);
        let end = Settlement::Delivered(Reason::new("250 OK"));
        let settled = vec![Settled { lease: claimed[0].lease, end }];
        assert_eq!(runtime.block_on(async { store.settle(settled).await.unwrap().len() }), 1);
        assert_eq!(runtime.block_on(counts(&store)), (0, 1, 1));
        assert_eq!((resend(sent), resend(other)), (Ok(()), Err(OperatorError::OnItsWay)), "one has arrived");
        // When no claim of that time holds any more, the email can be sent.
        let change = |ended: &str| format!("UPDATE deliveries SET ended = ended - {ended} WHERE id = {other}");
        database.execute(&change("961"), &change("interval '961 seconds'"));
        assert_eq!((resend(other), waiting()), (Ok(()), 2));
    }
}

#[test]
fn a_claim_writes_no_index() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let database = Database::at(server.migrated().await);
        let store = database.store().await;
        let shop = Shop::open(&store, "a").await;
        shop.send_many(1_000, "reader.example").await;
        let mut claimed = 0;
        while claimed < 1_000 {
            let batch = store.claim_batch(ASK, Vec::new()).await.unwrap();
            assert!(
                !batch.deliveries.is_empty(),
                "of 1,000 emails, {claimed} are claimed"
            );
            claimed += batch.deliveries.len();
        }
        // What a session has written is counted when it has rested for a while.
        let client = connect(database.address().unwrap()).await;
        let written = async || {
            let sql =
                "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'queue'";
            let row = client.query_one(sql, &[]).await.unwrap();
            (row.get::<_, i64>(0), row.get::<_, i64>(1))
        };
        wait("the claims are not counted", async || {
            written().await.0 >= 1_000
        })
        .await;
        let (rows, in_place) = written().await;
        println!("of {rows} claims, {in_place} have written no index");
        assert!(in_place * 100 >= rows * 99, "{rows} {in_place}");
    });
}
