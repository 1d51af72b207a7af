//! Nobody waits for all the mail of somebody else.

use std::time::Duration;

use franking_service::outbox::Limits;

use crate::shop::{Shop, until};
use crate::sink::{Does, Sink, quick, work};

on_both! {
    async fn one_accounts_mails_delay_anothers_single_one_by_what_is_held_and_no_more(store: Store) {
        let (big, small) = (Shop::open(&store, "big").await, Shop::open(&store, "small").await);
        for domain in 0..3 {
            big.send_many(1000, &format!("d{domain}.example")).await;
        }
        let sink = Sink::slow(Duration::from_millis(1), |_, _| Does::Deliver);
        let limits = quick();
        let (worker, _) = work(&store, &sink, limits);
        for round in 0..5 {
            while sink.count() < round * 400 {
                // clock: how long that takes is of no account
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            small.send_many(1, &format!("small{round}.example")).await;
            let before = sink.count();
            let own = format!("small{round}.example");
            let place = loop {
                let attempts = sink.attempts();
                if let Some(place) = attempts.iter().position(|one| one.destination == own) {
                    break place;
                }
                // clock: how long that takes is of no account
                tokio::time::sleep(Duration::from_millis(1)).await;
            };
            println!("{} others were sent first", place.saturating_sub(before));
            // What was held; and those that are sent at once overtake each other.
            let most = usize::from(limits.batch) + limits.sends;
            assert!(place <= before + most, "{before} {place}");
        }
        until(&store, (0, 3005, 0)).await;
        worker.end().await;
    }

    async fn a_slow_domain_gets_no_more_at_once_than_it_may_and_holds_no_other_up(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(300, "slow.example").await;
        shop.send_many(30, "fast.example").await;
        let sink = Sink::new(|email, _| match email.destination() {
            "slow.example" => Does::HangBefore,
            _ => Does::Deliver,
        });
        let limits = Limits { sends_per_domain: 3, ..quick() };
        let (worker, _) = crate::sink::work_until(&store, &sink, limits, Duration::ZERO);
        until(&store, (300, 30, 0)).await;
        worker.end().await;
        assert_eq!(sink.most_at_once("slow.example"), 3);
        assert!(sink.most_at_once("fast.example") <= 3);
    }
}
