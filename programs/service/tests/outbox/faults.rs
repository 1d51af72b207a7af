//! A fault of one email affects no other email, and a fault of the transport bounces no email.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use franking_service::outbox::{Limits, Retry, Trouble};
use franking_service::store::{Address, Which};
use serde_json::json;

use crate::databases::on_both;
use crate::shop::{Shop, counts, until, wait};
use crate::sink::{Does, Sink, quick, work};

on_both! {
    async fn an_email_that_cannot_be_made_bounces_and_stops_nobody_elses(store: Store) {
        let shop = Shop::open(&store, "a").await;
        // With its values filled in, this email is longer than an email may be.
        shop.mailer(66, "Poison", &"{{ extra1 }}".repeat(40)).await;
        for number in 0..2 {
            let long = json!({"extra1": "x".repeat(1 << 20)});
            shop.send_mailer_with(66, &format!("p{number}@reader.example"), long).await;
        }
        shop.send_many(20, "reader.example").await;
        let sink = Sink::new(|_, _| Does::Deliver);
        let (worker, _) = work(&store, &sink, quick());
        until(&store, (0, 20, 2)).await;
        worker.end().await;
    }

    async fn an_email_on_which_the_service_panics_is_postponed_alone(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(30, "reader.example").await;
        let sink = Sink::new(|email, attempt| match email.id() % 10 {
            0 if attempt < 2 => Does::Panic,
            _ => Does::Deliver,
        });
        let (worker, _) = work(&store, &sink, quick());
        until(&store, (0, 30, 0)).await;
        worker.end().await;
        assert_eq!(sink.count(), 36);
    }

    async fn a_fault_of_the_transport_pauses_sending_and_bounces_nobody(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(100, "reader.example").await;
        let works = Arc::new(AtomicBool::new(false));
        let is_working = works.clone();
        let sink = Sink::new(move |_, _| match is_working.load(Ordering::Relaxed) {
            true => Does::Deliver,
            false => Does::Fault,
        });
        let limits = Limits {
            pause: Duration::from_millis(200),
            longest_pause: Duration::from_millis(200),
            ..quick()
        };
        let (worker, state) = work(&store, &sink, limits);
        wait("sending is not paused", async || state.trouble().is_some()).await;
        assert_eq!(state.trouble(), Some(Trouble::Transport));
        wait("nothing is tried again", async || {
            let is_tried = sink.count() >= 10;
            if !is_tried {
                store.retry(Which::All).await.unwrap();
            }
            is_tried
        }).await;
        // There were the first attempts, and then one attempt at a time.
        assert!(sink.count() <= 12, "{}", sink.count());
        assert_eq!(counts(&store).await, (100, 0, 0));
        works.store(true, Ordering::Relaxed);
        wait("emails are not sent after the fault", async || {
            store.retry(Which::All).await.unwrap();
            counts(&store).await == (0, 100, 0)
        }).await;
        assert_eq!(state.trouble(), None);
        worker.end().await;
    }

    async fn one_senders_fault_does_not_keep_others_from_sending(store: Store) {
        let (bad, good) = (Shop::open(&store, "bad").await, Shop::open(&store, "good").await);
        bad.send_many(50, "bad.example").await;
        good.send_many(50, "good.example").await;
        let sink = Sink::new(|email, _| match email.destination() {
            "bad.example" => Does::RefuseSender,
            _ => Does::Deliver,
        });
        let (worker, _) = work(&store, &sink, quick());
        until(&store, (50, 50, 0)).await;
        worker.end().await;
    }

    async fn a_refused_sender_bounces_in_its_time_and_its_accounts_other_senders_go_on(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let other = Address::parse("other@shop.example").unwrap();
        store.put_sender(shop.account, other, true).await.unwrap();
        for number in 0..40 {
            let to = [format!("reader{number}@reader.example")];
            shop.send_from("other@shop.example", &to).await;
            shop.send("<p>News</p>", &to).await;
        }
        let sink = Sink::new(|email, _| {
            let is_refused = String::from_utf8_lossy(email.bytes()).contains("From: other@");
            if is_refused { Does::RefuseSender } else { Does::Deliver }
        });
        let retry = Retry { first: Duration::from_secs(3600), longest: Duration::from_secs(3600), ..Retry::default() };
        let (worker, state) = work(&store, &sink, Limits { retry, ..quick() });
        until(&store, (40, 40, 0)).await;
        // Of the emails from the refused sender, only those that were on their way together were tried.
        assert!(sink.count() <= 40 + 8, "{}", sink.count());
        assert_eq!(state.trouble(), None);
        worker.end().await;
        // Each email has its own time limit, so emails that only waited for the pause end as well.
        let retry = Retry { give_up: Duration::ZERO, ..retry };
        let (worker, _) = work(&store, &sink, Limits { retry, ..quick() });
        store.retry(Which::All).await.unwrap();
        until(&store, (0, 40, 40)).await;
        worker.end().await;
    }

    async fn emails_in_flight_do_not_end_the_pause_that_one_of_them_has_begun(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(20, "reader.example").await;
        let begun = AtomicUsize::new(0);
        // The first email is refused while the others are on their way, and these are taken.
        let sink = Sink::held(move |_, _| {
            match begun.fetch_add(1, Ordering::Relaxed) {
                0 => Does::TooFast,
                _ => Does::Deliver,
            }
        });
        let retry = Retry { first: Duration::from_secs(36_000), longest: Duration::from_secs(36_000), ..Retry::default() };
        let (worker, _) = work(&store, &sink, Limits { retry, ..quick() });
        // When the refused email waits in the database, the pause has begun.
        wait("the refused email is not postponed", async || store.queue(u32::MAX).await.unwrap().later() > 0).await;
        sink.let_go();
        until(&store, (14, 6, 0)).await;
        shop.send_many(10, "reader.example").await;
        wait("emails are not postponed", async || store.queue(u32::MAX).await.unwrap().later() >= 24).await;
        worker.end().await;
        assert_eq!(sink.count(), 7, "only what was on its way together was tried");
    }

    async fn a_server_that_takes_few_connections_gets_no_more_and_no_email_waits_for_it(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(200, "reader.example").await;
        let open = Arc::new(AtomicUsize::new(0));
        let opened = open.clone();
        let sink = Sink::limited(Duration::from_millis(2), move |now| {
            opened.fetch_max(now, Ordering::Relaxed);
            if now > 3 { Does::Busy } else { Does::Deliver }
        });
        let retry = Retry { first: Duration::from_secs(3600), ..Retry::default() };
        let limits = Limits { sends: 32, batch: 256, retry, ..quick() };
        let (worker, _) = work(&store, &sink, limits);
        // No email was postponed: the first pause would take an hour.
        until(&store, (0, 200, 0)).await;
        worker.end().await;
        let refused = sink.count() - 200;
        assert!(refused < 120, "{refused}");
    }

    async fn an_account_whose_emails_hang_leaves_room_for_another(store: Store) {
        let (bad, good) = (Shop::open(&store, "bad").await, Shop::open(&store, "good").await);
        for domain in 0..200 {
            bad.send_many(1, &format!("d{domain}.bad.example")).await;
        }
        let sink = Sink::new(|email, _| match email.destination().ends_with("bad.example") {
            true => Does::HangBefore,
            false => Does::Deliver,
        });
        let limits = Limits { sends: 32, batch: 256, ..quick() };
        let (worker, _) = crate::sink::work_until(&store, &sink, limits, Duration::ZERO);
        wait("the account gets less than it may", async || sink.count() >= 28).await;
        for number in 0..20 {
            good.send_many(1, &format!("g{number}.good.example")).await;
            until(&store, (200, number + 1, 0)).await;
        }
        assert_eq!(sink.count(), 28 + 20, "one account alone leaves an eighth");
        worker.end().await;
    }

    async fn what_never_ends_is_broken_off_and_tried_again(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(40, "reader.example").await;
        let sink = Sink::new(|email, attempt| match (email.id() % 4, attempt) {
            (0, 0) => Does::HangBefore,
            (1, 0) => Does::HangAfter,
            _ => Does::Deliver,
        });
        let limits = Limits { send: Duration::from_millis(50), ..quick() };
        let (worker, _) = work(&store, &sink, limits);
        until(&store, (0, 40, 0)).await;
        worker.end().await;
        let (taken, attempts) = (sink.taken(), sink.attempts());
        // The emails that were sent twice are those whose connection was lost after the end of the data. On a busy machine, an
        // attempt may be broken off before it gets there.
        let is_lost = |id: i64| attempts.iter().any(|one| one.id == id && one.does == Does::HangAfter && one.finished);
        assert_eq!(taken.len(), 40);
        for (id, times) in taken {
            assert_eq!(times, 1 + usize::from(is_lost(id)), "{id}: {attempts:?}");
        }
        assert!(attempts.iter().any(|one| is_lost(one.id)), "{attempts:?}");
    }

    async fn at_shutdown_what_is_in_flight_ends_and_the_rest_goes_back(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(100, "reader.example").await;
        let sink = Sink::slow(Duration::from_millis(100), |_, _| Does::Deliver);
        let (worker, _) = work(&store, &sink, Limits { sends: 4, ..quick() });
        wait("nothing is in flight", async || sink.count() > 0).await;
        worker.end().await;
        let delivered = sink.count() as u64;
        assert!(delivered < 100);
        assert_eq!(counts(&store).await, (100 - delivered, delivered, 0));
        let queue = store.queue(u32::MAX).await.unwrap();
        assert_eq!((queue.due(), queue.later()), (100 - delivered, 0), "nothing is left claimed");
        // Another worker continues at once.
        let sink = Sink::new(|_, _| Does::Deliver);
        let (worker, _) = work(&store, &sink, quick());
        until(&store, (0, 100, 0)).await;
        worker.end().await;
        assert_eq!(sink.taken().len() as u64, 100 - delivered);
    }

    async fn what_does_not_end_at_shutdown_goes_back_or_counts_as_unanswered(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(4, "reader.example").await;
        let sink = Sink::new(|email, _| match email.id() % 2 {
            0 => Does::HangBefore,
            _ => Does::HangAfter,
        });
        let (worker, _) = crate::sink::work_until(&store, &sink, quick(), Duration::ZERO);
        wait("not all emails are in flight", async || sink.count() >= 4 && sink.taken().len() >= 2).await;
        worker.end().await;
        assert_eq!(counts(&store).await, (4, 0, 0));
        let again = store.claim_batch(crate::shop::ASK, Vec::new()).await.unwrap().deliveries;
        let attempts: Vec<u32> = again.iter().map(|claimed| claimed.attempts).collect();
        assert_eq!(attempts, [1; 4]);
    }

    async fn a_worker_without_a_valid_lease_finishes_no_email(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(5, "reader.example").await;
        let sink = Sink::new(|_, _| Does::Deliver);
        // This lease is shorter than an answer may take.
        let limits = Limits {
            lease: Duration::from_secs(60),
            answer: Duration::from_secs(61),
            ..quick()
        };
        let (worker, _) = work(&store, &sink, limits);
        wait("emails are not tried again", async || sink.count() >= 10).await;
        worker.end().await;
        assert!(sink.taken().is_empty());
        assert_eq!(counts(&store).await, (5, 0, 0));
    }

    async fn what_is_cancelled_while_it_is_being_sent_is_not_finished_after_the_next_renewal(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_many(3, "reader.example").await;
        let sink = Sink::held(|_, _| Does::Deliver);
        // The lease is renewed every 100 ms.
        let limits = Limits {
            lease: Duration::from_millis(60_300),
            answer: Duration::from_secs(60),
            ..quick()
        };
        let (worker, _) = work(&store, &sink, limits);
        wait("not all emails are in flight", async || sink.count() >= 3).await;
        assert_eq!(store.cancel(Which::All).await, Ok(3));
        // clock: time for several renewals; the test passes even if there is none
        tokio::time::sleep(Duration::from_millis(1500)).await;
        sink.let_go();
        worker.end().await;
        let (queued, delivered, bounced) = counts(&store).await;
        assert_eq!((queued, delivered + bounced), (0, 3));
        assert_eq!(sink.taken().len() as u64, delivered);
    }
}
