//! Events: each outcome of a delivery is recorded once, in an order that readers can rely on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use franking::{Event, EventType, Outcome, Summary, Tracking};
use franking_service::mail::{EnhancedCode, Reason};
use franking_service::store::{About, Lease, NewEvent, Settled, Settlement, Store, Which};

use crate::databases::connect;
use crate::shop::{ASK, Shop};
use crate::support::database::{Database, on_both};
use crate::support::{PATIENCE, runtime};

/// All events, in the order of their numbers.
const EVENTS: &str = "SELECT coalesce(delivery, 0) || ' ' || kind || ' ' || coalesce(status, '-') || ' ' || coalesce(reason, '-')
    FROM events WHERE number IS NOT NULL ORDER BY number";

async fn claimed(store: &Arc<dyn Store>) -> Vec<Lease> {
    let batch = store.claim_batch(ASK, Vec::new()).await.unwrap();
    let mut leases: Vec<Lease> = batch.deliveries.iter().map(|one| one.lease).collect();
    leases.sort_by_key(|lease| lease.delivery);
    leases
}

async fn settle(store: &Arc<dyn Store>, lease: Lease, end: Settlement) {
    let settled = store.settle(vec![Settled { lease, end }]).await.unwrap();
    assert!(settled.contains(&lease.delivery));
}

fn bounced(why: &str, code: &str) -> Settlement {
    Settlement::Bounced(Reason::new(why).with_code(EnhancedCode::parse(code)))
}

on_both! {
    fn how_a_delivery_ends_is_an_event_of_the_same_transaction(database: &Database) {
        let ids = runtime().block_on(async {
            let store = database.store().await;
            let shop = Shop::open(&store, "a").await;
            shop.send_many(4, "reader.example").await;
            let leases = claimed(&store).await;
            settle(&store, leases[0], Settlement::Delivered(Reason::new("250 OK"))).await;
            settle(&store, leases[1], bounced("550 5.1.1 no", "5.1.1")).await;
            let later = Settlement::Postponed(Duration::from_secs(60), Reason::new("450 later"));
            settle(&store, leases[2], later).await;
            // A report comes before the answer to an attempt, which was lost.
            let early = NewEvent::new(About::Delivery(leases[3].delivery), EventType::Bounced);
            assert_eq!(store.record(vec![early]).await, Ok(1));
            settle(&store, leases[3], bounced("554 gone", "")).await;
            while store.number_events(2).await.unwrap() > 0 {}
            leases.iter().map(|lease| lease.delivery).collect::<Vec<_>>()
        });
        let expected = [
            format!("{} delivered - 250 OK", ids[0]),
            format!("{} bounced 5.1.1 550 5.1.1 no", ids[1]),
            format!("{} bounced - -", ids[3]),
        ];
        assert_eq!(database.texts(EVENTS), expected);
        let bits = "SELECT CAST(events AS text) FROM deliveries ORDER BY id";
        assert_eq!(database.texts(bits), ["2", "1", "0", "1"]);
    }

    fn what_was_cancelled_and_is_delivered_all_the_same_has_not_bounced(database: &Database) {
        let ids = runtime().block_on(async {
            let store = database.store().await;
            let shop = Shop::open(&store, "a").await;
            shop.send_many(2, "reader.example").await;
            let leases = claimed(&store).await;
            assert_eq!(store.cancel(Which::All).await, Ok(2));
            assert_eq!(store.cancel(Which::All).await, Ok(0));
            settle(&store, leases[1], Settlement::Delivered(Reason::new("250 OK"))).await;
            while store.number_events(100).await.unwrap() > 0 {}
            leases.iter().map(|lease| lease.delivery).collect::<Vec<_>>()
        });
        let expected = [
            format!("{} bounced - cancelled", ids[0]),
            format!("{} bounced - cancelled", ids[1]),
            format!("{} not_bounced - -", ids[1]),
            format!("{} delivered - 250 OK", ids[1]),
        ];
        let mut found = database.texts(EVENTS);
        // Two deliveries that are cancelled at the same time may be in either order.
        found[..2].sort_unstable();
        assert_eq!(found, expected);
        let bits = "SELECT CAST(events AS text) FROM deliveries ORDER BY id";
        assert_eq!(database.texts(bits), ["1", "2"]);
    }

    fn events_in_any_order_twice_and_from_three_visitors_give_one_summary(database: &Database) {
        const KINDS: [(EventType, Event); 4] = [
            (EventType::Delivered, Event::Delivered),
            (EventType::Bounced, Event::Bounced),
            (EventType::Opened, Event::Opened),
            (EventType::Clicked, Event::Clicked),
        ];
        // The bits of a delivery's place say which events it has.
        let of = |place: usize| KINDS.iter().enumerate().filter(move |(bit, _)| place >> bit & 1 == 1).map(|(_, kind)| kind);
        let ids = runtime().block_on(async {
            let store = database.store().await;
            let shop = Shop::open(&store, "a").await;
            shop.send_many(16, "reader.example").await;
            claimed(&store).await.iter().map(|lease| lease.delivery).collect::<Vec<_>>()
        });
        let mut events: Vec<NewEvent> = ids
            .iter()
            .enumerate()
            .flat_map(|(place, id)| of(place).map(|(kind, _)| NewEvent::new(About::Delivery(*id), *kind)))
            .collect();
        assert_eq!(events.len(), 32);
        runtime().block_on(async {
            let mut visits = Vec::new();
            for turn in 0..3 {
                events.rotate_left(7 * turn);
                events.reverse();
                let (visitor, events) = (database.visit().await, events.clone());
                visits.push(tokio::spawn(async move {
                    let mut added = 0;
                    for part in [events.as_slice(), &events].concat().chunks(5) {
                        added += visitor.record(part.to_vec()).await.unwrap();
                    }
                    added
                }));
            }
            let mut added = 0;
            for visit in visits {
                added += visit.await.unwrap();
            }
            assert_eq!(added, 32);
        });
        let mut found: BTreeMap<i64, Outcome> = BTreeMap::new();
        for event in database.texts("SELECT delivery || ' ' || kind FROM events") {
            let (id, kind) = event.split_once(' ').unwrap();
            let (_, event) = KINDS.iter().find(|(known, _)| known.name() == kind).unwrap();
            let all = Tracking { opens: true, clicks: true };
            found.entry(id.parse().unwrap()).or_insert(Outcome::new(all)).record(*event);
        }
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id");
        for (place, id) in ids.iter().enumerate() {
            let mut expected = Outcome::new(Tracking { opens: true, clicks: true });
            expected.extend(of(place).map(|(_, event)| *event));
            let summary = found.get(id).map_or(Summary::Accepted, |found| found.summary());
            assert_eq!(summary, expected.summary(), "{place}");
            let bit = |event: &Event| match event { Event::Bounced => 1, Event::Delivered => 2, Event::Opened => 4, Event::Clicked => 8 };
            let sum: i32 = of(place).map(|(_, event)| bit(event)).sum();
            assert_eq!(bits[place], sum.to_string(), "{place}");
        }
    }
}

#[test]
fn on_postgres_no_event_comes_before_a_number_that_was_seen() {
    let Some(database) = Database::postgres(&crate::support::world("world.json")) else {
        return;
    };
    let insert = |id: i64| {
        format!(
            "INSERT INTO events (account, subscriber, delivery, kind) VALUES (1, 1, {id}, 'opened')"
        )
    };
    runtime().block_on(async {
        let address = database.address().unwrap();
        let (slow, quick) = (connect(address).await, connect(address).await);
        let store = database.visit().await;
        // This event is added first and committed last.
        slow.batch_execute(&format!("BEGIN; {}", insert(1)))
            .await
            .unwrap();
        quick.batch_execute(&insert(2)).await.unwrap();
        quick.batch_execute(&insert(3)).await.unwrap();
        assert_eq!(store.number_events(1).await, Ok(1));
        assert_eq!(store.number_events(10).await, Ok(1));
        slow.batch_execute("COMMIT").await.unwrap();
        // The next number follows the last one, even if its event was deleted.
        quick
            .batch_execute("DELETE FROM events WHERE number = 2")
            .await
            .unwrap();
        quick.batch_execute(&insert(4)).await.unwrap();
        assert_eq!(store.number_events(10).await, Ok(2));
        assert_eq!(store.number_events(10).await, Ok(0));
    });
    let numbers = "SELECT number || ' ' || delivery FROM events ORDER BY number";
    assert_eq!(database.texts(numbers), ["1 2", "3 1", "4 4"]);
}

#[test]
fn on_postgres_numbers_become_visible_in_their_order_whoever_gives_them() {
    const EVENTS: i64 = 300;
    let Some(database) = Database::postgres(&crate::support::world("world.json")) else {
        return;
    };
    runtime().block_on(async {
        let address = database.address().unwrap();
        let mut tasks = Vec::new();
        for writer in 0..3 {
            let client = connect(address).await;
            tasks.push(tokio::spawn(async move {
                for id in 0..EVENTS / 3 {
                    let sql = format!(
                        "INSERT INTO events (account, subscriber, delivery, kind) VALUES (1, 1, {}, 'opened')",
                        writer * EVENTS + id
                    );
                    client.batch_execute(&sql).await.unwrap();
                }
            }));
        }
        for _ in 0..2 {
            let store = database.visit().await;
            let client = connect(address).await;
            tasks.push(tokio::spawn(async move {
                let last = "SELECT last FROM event_numbers";
                while client.query_one(last, &[]).await.unwrap().get::<_, i64>(0) < EVENTS {
                    store.number_events(7).await.unwrap();
                }
            }));
        }
        // A reader with a cursor reads all events in order.
        let reader = connect(address).await;
        let mut cursor = 0_i64;
        let all_read = async {
            while cursor < EVENTS {
                let sql = "SELECT number FROM events WHERE number > $1 ORDER BY number LIMIT 20";
                for row in reader.query(sql, &[&cursor]).await.unwrap() {
                    let number: i64 = row.get(0);
                    assert_eq!(number, cursor + 1);
                    cursor = number;
                }
            }
        };
        // clock: a failing test has to end as well
        let limit = tokio::time::timeout(3 * PATIENCE, all_read);
        limit.await.expect("events are not numbered");
        for task in tasks {
            task.await.unwrap();
        }
    });
}
