//! What the operator does to waiting emails.

use std::collections::HashSet;
use std::time::Duration;

use franking_service::mail::Reason;
use franking_service::store::{AccountId, Ask, OperatorError, Settled, Settlement, Which};

use crate::databases::on_both;
use crate::shop::{ASK, Shop, counts};

on_both! {
    async fn a_paused_account_is_left_out_until_it_is_resumed(store: Store) {
        let (one, other) = (Shop::open(&store, "one").await, Shop::open(&store, "other").await);
        one.send_many(3, "reader.example").await;
        other.send_many(2, "reader.example").await;
        store.set_paused(Some(one.account), true).await.unwrap();
        assert_eq!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.len(), 2);
        let none = store.claim_batch(ASK, Vec::new()).await.unwrap();
        assert!(none.deliveries.is_empty());
        if let Some(next) = none.next {
            // The leases of the claimed deliveries still have to end.
            assert!(next > Duration::from_secs(60));
        }
        let measure = store.measure().await.unwrap();
        assert_eq!((measure.is_paused, measure.paused_accounts), (false, vec![one.account]));
        store.set_paused(Some(one.account), false).await.unwrap();
        assert_eq!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.len(), 3);
        let nobody = store.set_paused(Some(AccountId::from_number(77)), true).await;
        assert_eq!(nobody, Err(OperatorError::NotFound("account")));
    }

    async fn what_waits_is_counted_up_to_a_number_of_each_account(store: Store) {
        let (one, other) = (Shop::open(&store, "one").await, Shop::open(&store, "other").await);
        one.send_many(5, "reader.example").await;
        other.send_many(2, "reader.example").await;
        let emails = async |at_most| {
            let largest = store.queue(at_most).await.unwrap().largest(9);
            let counted = largest.iter().map(|waiting| (waiting.account, waiting.emails()));
            counted.collect::<Vec<_>>()
        };
        assert_eq!(emails(10_000).await, [(one.account, 5), (other.account, 2)]);
        assert_eq!(emails(3).await, [(one.account, 3), (other.account, 2)]);
        // The email that has waited longest is found, unless its account is paused.
        assert!(store.queue(1).await.unwrap().oldest().is_some());
        store.set_paused(Some(one.account), true).await.unwrap();
        store.set_paused(Some(other.account), true).await.unwrap();
        let queue = store.queue(1).await.unwrap();
        assert_eq!((queue.oldest(), queue.due(), queue.due_and_going()), (None, 2, 0));
    }

    async fn what_the_server_said_is_shown_of_each_account_however_many_emails_of_another_wait(store: Store) {
        let (one, other) = (Shop::open(&store, "one").await, Shop::open(&store, "other").await);
        one.send_many(2, "reader.example").await;
        let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        let later = claimed.iter().map(|claimed| Settled {
            lease: claimed.lease,
            end: Settlement::Postponed(Duration::from_secs(3600), Reason::new("451 later")),
        });
        store.settle(later.collect()).await.unwrap();
        other.send_many(300, "reader.example").await;
        assert_eq!(store.waiting_reasons(10).await.unwrap(), [("451 later".to_owned(), 2)]);
    }

    async fn a_pause_of_all_is_lifted_for_all(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(3, "reader.example").await;
        store.set_paused(None, true).await.unwrap();
        let none = store.claim_batch(ASK, Vec::new()).await.unwrap();
        assert!(none.deliveries.is_empty() && none.next.is_none());
        assert!(store.measure().await.unwrap().is_paused);
        store.set_paused(None, false).await.unwrap();
        assert_eq!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.len(), 3);
    }

    async fn retry_makes_due_what_waits_of_an_account_of_a_call_or_of_all(store: Store) {
        let (one, other) = (Shop::open(&store, "one").await, Shop::open(&store, "other").await);
        one.send_many(3, "a.example").await;
        let call = one.send_many(2, "b.example").await;
        other.send_many(4, "reader.example").await;
        let postpone = async || {
            let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
            let later = claimed.iter().map(|claimed| Settled {
                lease: claimed.lease,
                end: Settlement::Postponed(Duration::from_secs(3600), Reason::new("451 later")),
            });
            store.settle(later.collect()).await.unwrap();
        };
        for (which, count) in [(call, 2), (Which::Account(one.account), 5), (Which::All, 9)] {
            postpone().await;
            assert_eq!(store.queue(u32::MAX).await.unwrap().later(), 9);
            assert_eq!(store.retry(which).await, Ok(count));
            assert_eq!(store.queue(u32::MAX).await.unwrap().due(), count);
        }
        assert_eq!(store.retry(Which::All).await, Ok(0));
        assert_eq!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.len(), 9);
    }

    async fn what_is_cancelled_ends_as_bounced_and_is_sent_no_more(store: Store) {
        let (one, other) = (Shop::open(&store, "one").await, Shop::open(&store, "other").await);
        one.send_many(3, "a.example").await;
        let call = one.send_many(2, "b.example").await;
        other.send_many(4, "reader.example").await;
        assert_eq!(store.cancel(call).await, Ok(2));
        assert_eq!(counts(&store).await, (7, 0, 2));
        assert_eq!(store.cancel(Which::Account(one.account)).await, Ok(3));
        assert_eq!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.len(), 4);
        assert_eq!(store.cancel(Which::All).await, Ok(4));
        assert_eq!(counts(&store).await, (0, 0, 9));
        assert!(store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries.is_empty());
    }

    async fn what_is_delivered_though_it_was_cancelled_is_recorded_as_delivered(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(2, "reader.example").await;
        let claimed = store.claim_batch(ASK, Vec::new()).await.unwrap().deliveries;
        assert_eq!(store.cancel(Which::All).await, Ok(2));
        let ends = [
            Settlement::Delivered(Reason::new("250 OK")),
            Settlement::Postponed(Duration::ZERO, Reason::new("451 later")),
        ];
        let settled = claimed.iter().zip(ends);
        let settled = settled.map(|(claimed, end)| Settled { lease: claimed.lease, end });
        let done = store.settle(settled.collect()).await.unwrap();
        assert_eq!(done, HashSet::from([claimed[0].lease.delivery]));
        assert_eq!(counts(&store).await, (0, 1, 1));
    }

    async fn more_is_cancelled_and_retried_than_fits_into_one_transaction(store: Store) {
        let shop = Shop::open(&store, "a").await;
        for batch in 0..6 {
            shop.send_many(1000, &format!("b{batch}.example")).await;
        }
        let mut left = 6000;
        while left > 0 {
            let claimed = store.claim_batch(Ask { most: 1000, ..ASK }, Vec::new()).await.unwrap().deliveries;
            assert!(!claimed.is_empty(), "{left} emails are not claimed");
            left -= claimed.len();
            let later = claimed.iter().map(|claimed| Settled {
                lease: claimed.lease,
                end: Settlement::Postponed(Duration::from_secs(3600), Reason::new("451 later")),
            });
            assert_eq!(store.settle(later.collect()).await.unwrap().len(), claimed.len());
        }
        assert_eq!(store.retry(Which::All).await, Ok(6000));
        assert_eq!(store.cancel(Which::Account(shop.account)).await, Ok(6000));
    }
}
