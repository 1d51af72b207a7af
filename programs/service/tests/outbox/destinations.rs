//! Limits on what is held and sent at the same time: by bytes, and by domain.

use std::sync::Arc;
use std::time::Duration;

use franking_service::outbox::{DomainLimit, Limits};
use franking_service::store::Store;

use crate::databases::on_both;
use crate::shop::{Shop, until, wait};
use crate::sink::{Does, Sink, quick, work};
use crate::support::PATIENCE;

/// One account has `count` emails of this length, which hang: `begun` of them are begun. Another account then sends small
/// emails, each when the one before was delivered.
async fn small_emails_pass(store: &Arc<dyn Store>, count: u64, length: usize, begun: usize) {
    let (bad, good) = (
        Shop::open(store, "bad").await,
        Shop::open(store, "good").await,
    );
    for number in 0..count {
        let html = format!("{number:04}") + &"x".repeat(length - 4);
        bad.send(&html, &[format!("reader@d{number}.bad.example")])
            .await;
    }
    let sink = Sink::new(
        |email, _| match email.destination().ends_with("bad.example") {
            true => Does::HangBefore,
            false => Does::Deliver,
        },
    );
    let limits = Limits {
        batch_bytes: LIMIT,
        ..quick()
    };
    let (worker, _) = crate::sink::work_until(store, &sink, limits, Duration::ZERO);
    wait("too few emails are in flight", async || {
        sink.count() >= begun
    })
    .await;
    for number in 0..20 {
        good.send_many(1, &format!("g{number}.good.example")).await;
        until(store, (count, number + 1, 0)).await;
    }
    assert_eq!(sink.count(), begun + 20);
    worker.end().await;
}

/// The limit of the bytes that wait, and of those that are being sent.
const LIMIT: u64 = 400_000;

on_both! {
    async fn an_account_whose_large_emails_hang_leaves_bytes_for_another(store: Store) {
        // Three are within the seven eighths of one account, and one is beside the limit.
        small_emails_pass(&store, 40, 100_000, 4).await;
    }

    async fn an_account_whose_emails_are_longer_than_the_limit_and_hang_leaves_bytes_for_another(store: Store) {
        small_emails_pass(&store, 5, 900_000, 1).await;
    }

    async fn a_single_email_as_long_as_the_limit_that_hangs_leaves_bytes_for_another_account(store: Store) {
        small_emails_pass(&store, 1, LIMIT as usize, 1).await;
    }

    async fn large_emails_are_held_and_sent_at_once_up_to_their_bytes_and_all_are_sent(store: Store) {
        const LENGTH: usize = 100_000;
        let shop = Shop::open(&store, "a").await;
        for number in 0..40 {
            let html = number.to_string() + &"x".repeat(LENGTH - 2);
            shop.send(&html, &[format!("reader@d{number}.example")]).await;
        }
        let sink = Sink::slow(Duration::from_millis(200), |_, _| Does::Deliver);
        let limits = Limits { batch_bytes: 4 * LENGTH as u64, ..quick() };
        let (worker, _) = work(&store, &sink, limits);
        let mut held = 0;
        let all_sent = async {
            while crate::shop::counts(&store).await.0 > 0 {
                held = held.max(store.queue(u32::MAX).await.unwrap().claimed());
                // clock: how long that takes does not matter
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        // clock: a failing test has to end as well
        tokio::time::timeout(3 * PATIENCE, all_sent).await.expect("large emails are not sent");
        worker.end().await;
        assert_eq!(sink.count(), 40);
        assert!((2..=4).contains(&sink.most_at_once_of_all()), "{}", sink.most_at_once_of_all());
        // Four wait, four are being sent, and the rest are sent but not yet settled.
        assert!(held < 20, "{held}");
    }

    async fn a_slow_domain_gets_no_more_at_once_than_it_may_and_holds_no_other_up(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(300, "slow.example").await;
        shop.send_many(30, "fast.example").await;
        let sink = Sink::new(|email, _| match email.destination() {
            "slow.example" => Does::HangBefore,
            _ => Does::Deliver,
        });
        let slow = DomainLimit { domain: "slow.example".parse().unwrap(), max_sends: 3.try_into().unwrap() };
        let limits = Limits { domains: vec![slow], ..quick() };
        let (worker, _) = crate::sink::work_until(&store, &sink, limits, Duration::ZERO);
        until(&store, (300, 30, 0)).await;
        worker.end().await;
        assert_eq!(sink.most_at_once("slow.example"), 3);
    }
}
