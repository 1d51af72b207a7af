//! Nobody waits for all the mail to a slow domain.

use std::time::Duration;

use franking_service::outbox::Limits;

use crate::shop::{Shop, until};
use crate::sink::{Does, Sink, quick};

on_both! {
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
