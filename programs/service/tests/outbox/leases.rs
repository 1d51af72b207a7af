//! Which deliveries are claimed, by whom, and for how long.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use franking_service::mail::Reason;
use franking_service::store::{Ask, Claimed, Lease, Settled, Settlement, Store};

use crate::databases::on_both;
use crate::shop::{ASK, Shop, counts};

fn ids(claimed: &[Claimed]) -> Vec<i64> {
    claimed
        .iter()
        .map(|claimed| claimed.lease.delivery)
        .collect()
}

fn delivered(lease: Lease) -> Settled {
    Settled {
        lease,
        end: Settlement::Delivered(Reason::new("250 OK")),
    }
}

fn back(lease: Lease) -> Settled {
    Settled {
        lease,
        end: Settlement::GivenBack(Duration::ZERO, None),
    }
}

on_both! {
    async fn what_is_claimed_is_nobody_elses_until_it_is_given_back(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(5, "reader.example").await;
        let first = store.claim_batch(Ask { most: 3, ..ASK }, Vec::new()).await.unwrap().deliveries;
        let second = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        assert_eq!((first.len(), second.len()), (3, 2));
        let all: HashSet<i64> = ids(&first).into_iter().chain(ids(&second)).collect();
        assert_eq!(all.len(), 5);
        let none = store.claim_batch(ASK, Vec::new()).await.unwrap();
        assert!(none.deliveries.is_empty());
        let given = store.settle(vec![back(first[0].lease)]).await.unwrap();
        assert_eq!(given, HashSet::from([first[0].lease.delivery]));
        let again = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        assert_eq!(ids(&again), [first[0].lease.delivery]);
        assert_eq!(again[0].attempts, 0);
    }

    async fn an_expired_lease_is_taken_over_and_its_old_owner_settles_nothing(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(1, "reader.example").await;
        let expired = Ask { lease: Duration::ZERO, ..ASK };
        let old = store.claim_batch(expired, Vec::new()).await.unwrap().deliveries[0].lease;
        let new = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries[0].lease;
        assert_eq!(old.delivery, new.delivery);
        assert_ne!(old.claim, new.claim);
        assert!(store.renew(vec![old], Duration::from_secs(60)).await.unwrap().is_empty());
        assert!(store.settle(vec![delivered(old)]).await.unwrap().is_empty());
        assert_eq!(counts(&store).await, (1, 0, 0));
        let kept = HashSet::from([new.delivery]);
        assert_eq!(store.renew(vec![new], Duration::from_secs(60)).await.unwrap(), kept);
        assert_eq!(store.settle(vec![delivered(new)]).await.unwrap(), kept);
        assert_eq!(counts(&store).await, (0, 1, 0));
        assert!(store.settle(vec![delivered(new)]).await.unwrap().is_empty(), "it is settled once");
    }

    async fn a_renewed_lease_is_not_taken_over(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(1, "reader.example").await;
        let expired = Ask { lease: Duration::ZERO, ..ASK };
        let lease = store.claim_batch(expired, Vec::new()).await.unwrap().deliveries[0].lease;
        store.renew(vec![lease], Duration::from_secs(600)).await.unwrap();
        assert!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.is_empty());
    }

    async fn what_is_postponed_counts_its_attempts_and_is_due_later(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(1, "reader.example").await;
        for attempt in 0..3 {
            let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
            assert_eq!(claimed[0].attempts, attempt);
            let end = Settlement::Postponed(Duration::ZERO, Reason::new("451 later"));
            store.settle(vec![Settled { lease: claimed[0].lease, end }]).await.unwrap();
        }
        let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        let end = Settlement::Postponed(Duration::from_secs(300), Reason::new("451 later"));
        store.settle(vec![Settled { lease: claimed[0].lease, end }]).await.unwrap();
        let none = store.claim_batch(ASK, Vec::new()).await.unwrap();
        assert!(none.deliveries.is_empty());
        let next = none.next.unwrap();
        assert!(next > Duration::from_secs(200) && next <= Duration::from_secs(301), "{next:?}");
        let queue = store.queue(u32::MAX).await.unwrap();
        assert_eq!((queue.due(), queue.later()), (0, 1));
    }

    async fn claims_go_round_by_account(store: Store) {
        let big = Shop::open(&store, "big").await;
        let small = Shop::open(&store, "small").await;
        big.send_many(500, "reader.example").await;
        let ask = Ask { most: 10, ..ASK };
        assert_eq!(store.claim_batch(ask, Vec::new()).await.unwrap().deliveries.len(), 10);
        let one = small.send_many(1, "reader.example").await;
        let next = store.claim_batch(ask, Vec::new()).await.unwrap().deliveries;
        let senders: Vec<_> = next.iter().map(|claimed| claimed.lease.delivery).collect();
        // The newest delivery has the largest number.
        let newest = senders.iter().max().unwrap();
        assert!(*newest > 500, "{senders:?} lacks {one:?}");
        assert!(senders[..2].contains(newest), "it is not among the first: {senders:?}");
    }

    async fn with_more_accounts_than_places_each_has_its_turn(store: Store) {
        let mut shops = Vec::new();
        for number in 0..7 {
            let shop = Shop::open(&store, &format!("shop {number}")).await;
            shop.send_many(20, "reader.example").await;
            shops.push(shop);
        }
        let ask = Ask { most: 3, ..ASK };
        let mut seen = HashSet::new();
        // Each account gets three turns: the deliveries of one account follow one another.
        for _ in 0..9 {
            for claimed in store.claim_batch(ask, Vec::new()).await.unwrap().deliveries {
                seen.insert((claimed.lease.delivery - 1) / 20);
            }
        }
        assert_eq!(seen.len(), 7);
    }

    async fn with_fewer_accounts_than_places_each_has_a_share_of_each_batch(store: Store) {
        for number in 0..20 {
            let shop = Shop::open(&store, &format!("shop {number}")).await;
            shop.send_many(20, "reader.example").await;
        }
        // A share is 8.4 deliveries, and 20 times 9 are more than the batch.
        let ask = Ask { most: 168, ..ASK };
        let mut shares = [0; 20];
        for claimed in store.claim_batch(ask, Vec::new()).await.unwrap().deliveries {
            // The deliveries of one account follow one another.
            shares[usize::try_from(claimed.lease.delivery - 1).unwrap() / 20] += 1;
        }
        shares.sort_unstable();
        assert_eq!(shares, [vec![8; 12], vec![9; 8]].concat()[..]);
    }

    async fn the_number_of_an_erased_email_is_given_to_no_other(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let number = async || {
            let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
            claimed.first().map(|claimed| claimed.lease.delivery)
        };
        let which = shop.send_many(1, "erased.example").await;
        let erased = number().await.unwrap();
        store.cancel(which).await.unwrap();
        // Its reader is the first subscriber of the database.
        store.erase_reader(shop.account, 1).await.unwrap();
        shop.send_many(1, "other.example").await;
        let other = number().await;
        assert!(other > Some(erased), "{other:?} after {erased}");
    }

    async fn what_is_cancelled_after_it_was_claimed_is_lost_when_its_lease_is_renewed(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let wrong = shop.send_many(3, "reader.example").await;
        shop.send_many(1, "reader.example").await;
        let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        assert_eq!(store.cancel(wrong).await.unwrap(), 3);
        let leases: Vec<Lease> = claimed.iter().map(|claimed| claimed.lease).collect();
        let kept = store.renew(leases, Duration::from_secs(60)).await.unwrap();
        assert_eq!(kept, HashSet::from([claimed.iter().map(|claimed| claimed.lease.delivery).max().unwrap()]));
    }

    async fn a_batch_is_limited_in_bytes_and_a_text_counts_once(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let html = |letter: &str| letter.repeat(1000);
        for n in 0..3 {
            shop.send(&html("a"), &[format!("a{n}@reader.example")]).await;
        }
        for (n, letter) in ["b", "c", "d"].into_iter().enumerate() {
            shop.send(&html(letter), &[format!("b{n}@reader.example")]).await;
        }
        let ask = Ask { bytes: 2500, longer: false, ..ASK };
        let first = store.claim_batch(ask, Vec::new()).await.unwrap().deliveries;
        assert_eq!(first.len(), 4);
        let texts: Vec<_> = first.iter().map(|one| one.delivery.as_ref().unwrap().html.clone()).collect();
        assert!(Arc::ptr_eq(&texts[0], &texts[2]));
        assert_eq!(&*texts[3], html("b"));
        let second = store.claim_batch(Ask { bytes: 1, ..ASK }, Vec::new()).await.unwrap().deliveries;
        assert_eq!(second.len(), 1, "one is claimed whatever its length");
        assert_eq!(store.claim_batch(ask, Vec::new()).await.unwrap().deliveries.len(), 1);
    }

    async fn an_email_that_does_not_fit_into_a_batch_keeps_no_other_out_and_is_claimed_where_one_may_be_longer(store: Store) {
        let shop = Shop::open(&store, "a").await;
        for (n, length) in [1000, 1001, 100].into_iter().enumerate() {
            shop.send(&"x".repeat(length), &[format!("a{n}@reader.example")]).await;
        }
        let lengths = async |ask: Ask| -> Vec<usize> {
            let claimed = store.claim_batch(ask, Vec::new()).await.unwrap().deliveries;
            claimed.iter().map(|one| one.delivery.as_ref().unwrap().html.len()).collect()
        };
        let ask = Ask { bytes: 500, longer: false, lease: Duration::ZERO, ..ASK };
        assert_eq!(lengths(ask).await, [100]);
        assert!(lengths(Ask { bytes: 99, ..ask }).await.is_empty());
        assert_eq!(lengths(Ask { longer: true, ..ask }).await.len(), 2, "the short one, and one of the long ones");
    }

    async fn a_delivery_has_all_that_its_email_is_made_of(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_mailer(42, "ada@reader.example").await;
        shop.send("<p>5 €", &["bob@reader.example".to_owned()]).await;
        let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        let mailed = claimed[0].delivery.as_ref().unwrap();
        assert_eq!((mailed.to.as_str(), mailed.from.as_str()), ("ada@reader.example", "news@shop.example"));
        assert_eq!((mailed.subject.as_str(), &*mailed.html), ("Hello", "<p>Hello {{ firstName }}</p>"));
        assert_eq!(mailed.from_name.as_deref(), Some("The Shop"));
        assert_eq!(mailed.list_unsubscribe.as_deref(), Some("https://shop.example/bye?of={{ extra2 }}"));
        let fields = mailed.fields.as_ref().unwrap();
        assert!(fields.contains(&("firstName".to_owned(), "Ada".to_owned())), "{fields:?}");
        assert!(mailed.created > 1_700_000_000);
        let plain = claimed[1].delivery.as_ref().unwrap();
        assert_eq!((plain.subject.as_str(), &*plain.html), ("News", "<p>5 €"));
        assert_eq!((&plain.fields, &plain.list_unsubscribe), (&None, &None));
        assert_eq!(format!("{plain:?}"), format!("Delivery {{ id: {}, .. }}", plain.id));
    }

    async fn a_single_email_overtakes_its_accounts_mass_mail_and_neither_waits_for_all_of_the_other(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(100, "mass.example").await;
        let singles = async |count: usize, store: &Arc<dyn Store>| {
            let ask = Ask { most: 10, lease: Duration::ZERO, ..ASK };
            let batch = store.claim_batch(ask, Vec::new()).await.unwrap().deliveries;
            assert_eq!(batch.len(), 10);
            let single: Vec<bool> = batch.iter().map(|one| one.delivery.as_ref().unwrap().fields.is_some()).collect();
            assert_eq!(single.iter().filter(|single| **single).count(), count);
            assert!(single.is_sorted_by_key(|single| !single), "{single:?}");
        };
        singles(0, &store).await;
        for number in 0..3 {
            shop.send_mailer(42, &format!("r{number}@reader.example")).await;
        }
        singles(3, &store).await;
        for number in 3..50 {
            shop.send_mailer(42, &format!("r{number}@reader.example")).await;
        }
        singles(8, &store).await;
    }
}
