//! Every accepted email is sent, as often as it has to be.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use franking_service::outbox::{Limits, Retry};
use franking_service::store::sqlite::Sqlite;
use franking_service::store::{Ask, Store, Which};

use crate::databases::on_both;
use crate::shop::{ASK, Shop, until, wait};
use crate::sink::{Does, Sink, quick, work};

/// A number that depends only on the seed, the email and the attempt.
fn dice(seed: u64, id: i64, attempt: usize) -> u64 {
    let mut mixed = seed ^ id.unsigned_abs().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for round in 0..=attempt {
        mixed ^= (mixed << 13) ^ round as u64;
        mixed ^= mixed >> 7;
        mixed ^= mixed << 17;
    }
    mixed % 100
}

on_both! {
    async fn whatever_the_transport_does_nothing_is_lost_and_repeats_are_those_that_may_be(store: Store) {
        let seed = RandomState::new().hash_one(0);
        println!("seed {seed}");
        let shops = [Shop::open(&store, "one").await, Shop::open(&store, "other").await];
        for shop in &shops {
            for domain in ["a.example", "b.example"] {
                shop.send_many(50, domain).await;
            }
        }
        let sink = Sink::new(move |email, attempt| match dice(seed, email.id(), attempt) {
            0..40 => Does::Deliver,
            40..50 => Does::Refuse,
            50..70 => Does::Defer,
            70..75 => Does::Fault,
            75..82 => Does::TakeUnanswered,
            82..90 => Does::LoseUnanswered,
            90..95 => Does::Panic,
            _ => Does::HangBefore,
        });
        let limits = Limits { send: Duration::from_millis(50), ..quick() };
        let workers = [(); 3].map(|()| work(&store, &sink, limits.clone()));
        let mut tries = 0;
        while crate::shop::counts(&store).await.0 > 0 {
            // An email that met a fault waits until others were sent. The test does not wait.
            store.retry(Which::All).await.unwrap();
            tries += 1;
            assert!(tries < 3000, "emails still wait");
            // clock: how long that takes does not matter
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for (worker, _) in workers {
            worker.end().await;
        }
        let attempts = sink.attempts();
        let mut by_id: HashMap<i64, Vec<_>> = HashMap::new();
        for attempt in &attempts {
            by_id.entry(attempt.id).or_default().push(attempt);
        }
        assert_eq!(by_id.len(), 200);
        let (mut delivered, mut bounced) = (0, 0);
        for (id, attempts) in &by_id {
            let (last, before) = attempts.split_last().unwrap();
            assert!(attempts.iter().all(|one| one.message_id == last.message_id), "{id}: one Message-ID");
            match (last.does, last.finished) {
                (Does::Deliver, true) => delivered += 1,
                (Does::Refuse, true) => bounced += 1,
                other => panic!("{id} ended after {other:?}"),
            }
            for attempt in before {
                // On a busy machine, any attempt may take too long and be broken off before the end of the data.
                let is_an_end = matches!(attempt.does, Does::Deliver | Does::Refuse);
                assert!(!(attempt.finished && is_an_end), "{id}: {attempts:?}");
            }
        }
        assert_eq!(crate::shop::counts(&store).await, (0, delivered, bounced));
        println!("{} attempts, {delivered} delivered, {bounced} bounced", attempts.len());
    }

    async fn a_message_id_stays_and_does_not_tell_how_many_emails_there_are(store: Store) {
        let message_ids = async |store: &Arc<dyn Store>| -> BTreeMap<i64, String> {
            let ask = Ask { lease: Duration::ZERO, ..ASK };
            let claimed = store.claim_batch(ask, Vec::new()).await.unwrap().deliveries.into_iter();
            let claimed = claimed.map(|one| one.delivery.unwrap());
            claimed.map(|one| (one.id, one.message_id)).collect()
        };
        let folder = tempfile::tempdir().unwrap();
        let other: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        for store in [&store, &other] {
            Shop::open(store, "a").await.send_many(3, "reader.example").await;
        }
        let first = message_ids(&store).await;
        assert_eq!(message_ids(&store).await, first);
        // The same numbers in another database have other ids, so ids of the two are never the same.
        let elsewhere = message_ids(&other).await;
        assert!(first.keys().eq(elsewhere.keys()));
        let all: BTreeSet<&String> = first.values().chain(elsewhere.values()).collect();
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|id| id.len() == 48));
    }

    async fn several_workers_send_each_email_once(store: Store) {
        let shop = Shop::open(&store, "a").await;
        for domain in 0..5 {
            shop.send_many(200, &format!("d{domain}.example")).await;
        }
        let sink = Sink::new(|_, _| Does::Deliver);
        let workers: Vec<_> = (0..4).map(|_| work(&store, &sink, quick())).collect();
        until(&store, (0, 1000, 0)).await;
        for (worker, state) in workers {
            assert_eq!(state.trouble(), None);
            worker.end().await;
        }
        let taken = sink.taken();
        assert_eq!(taken.len(), 1000);
        assert!(taken.values().all(|times| *times == 1));
    }

    async fn a_worker_that_waits_is_woken_by_what_is_accepted_and_by_the_operator(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let sink = Sink::new(|_, attempt| if attempt == 0 { Does::Defer } else { Does::Deliver });
        let retry = Retry { first: Duration::from_secs(36_000), ..Retry::default() };
        let limits = Limits { idle: Duration::from_secs(36_000), retry, ..quick() };
        let (worker, _) = work(&store, &sink, limits);
        // clock: until it waits; the test passes even if it does not wait yet
        tokio::time::sleep(Duration::from_millis(300)).await;
        shop.send_many(1, "reader.example").await;
        wait("the accepted email is not tried", async || store.queue(u32::MAX).await.unwrap().later() > 0).await;
        assert_eq!(store.retry(Which::All).await, Ok(1));
        until(&store, (0, 1, 0)).await;
        store.set_paused(None, true).await.unwrap();
        shop.send_many(2, "other.example").await;
        // clock: time in which it could send what it must not
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(crate::shop::counts(&store).await, (2, 1, 0));
        assert_eq!(sink.count(), 2);
        store.set_paused(None, false).await.unwrap();
        wait("nothing is tried after the pause", async || store.queue(u32::MAX).await.unwrap().later() >= 2).await;
        worker.end().await;
    }

    async fn what_cannot_be_sent_is_given_up_after_its_time_and_says_why(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(3, "reader.example").await;
        let sink = Sink::new(|_, _| Does::Defer);
        let retry = Retry { give_up: Duration::ZERO, ..Retry::default() };
        let (worker, _) = work(&store, &sink, Limits { retry, ..quick() });
        until(&store, (0, 0, 3)).await;
        worker.end().await;
        assert_eq!(sink.count(), 3);
    }
}
