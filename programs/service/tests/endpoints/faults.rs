//! Endpoints that misbehave.

use super::endpoint::{Does, Endpoint};
use super::{add, events, is_done, keys, pass, send, serve, wait, webhook};
use crate::support::database::{Database, on_both};

/// This is longer than any pause between two attempts.
const DAY: u32 = 25 * 3600;

fn attempts(database: &Database, id: &str) -> String {
    webhook(database, &["attempts", "1", id])
}

/// The number of attempts of a webhook for which a condition holds. A test that waits asks the database: starting the command
/// again and again takes more of the processors than what the test waits for.
fn attempted(database: &Database, id: &str, such: &str) -> i64 {
    let count = "SELECT count(*) FROM webhook_attempts WHERE webhook";
    database.number(&format!("{count} = {id} AND {such}"))
}

on_both! {
    fn one_endpoint_that_misbehaves_harms_no_other(database: &Database) {
        let bad = [
            (Does::Hangs, "no answer within 15 seconds"),
            (Does::Closes, "the connection was closed"),
            (Does::Redirects, "HTTP status 307"),
            (Does::FloodsHead, "is not HTTP"),
            (Does::Answers(500), "HTTP status 500"),
            (Does::Answers(404), "HTTP status 404"),
        ];
        let bad: Vec<_> = bad.into_iter().map(|(does, why)| {
            let endpoint = Endpoint::that(does);
            let (id, _) = add(database, &endpoint, &[]);
            (endpoint, id, why)
        }).collect();
        // Only the head of an answer is read.
        let floods = Endpoint::that(Does::Floods);
        let (flooded, _) = add(database, &floods, &[]);
        let good = Endpoint::that(Does::Answers(200));
        let (id, _) = add(database, &good, &[]);
        let service = serve(database);
        send(&service, 20);
        wait("events are not posted to the good one", || good.taken().len() == 20);
        wait("the good one is not done", || is_done(database, &id));
        wait("events are not posted to the one with the long answer", || is_done(database, &flooded));
        for (_, id, why) in &bad {
            let said = format!("problem LIKE '%{why}%'");
            wait("nothing is said of a bad one", || attempted(database, id, &said) > 0);
            let attempts = attempts(database, id);
            assert!(attempts.contains(why), "{attempts}");
            // The columns are time, event, attempt, status, milliseconds, and why.
            assert!(attempts.lines().all(|line| line.split('\t').nth(3) != Some("200")));
        }
        send(&service, 20);
        wait("events are not posted to the good one", || good.taken().len() == 40);
        assert_eq!(good.posts().len(), 40);
    }

    fn an_event_that_is_not_understood_holds_up_no_other(database: &Database) {
        let endpoint = Endpoint::by(|_, event| match event["data"]["recipient"].as_str() {
            Some("r3@example.org") => Does::Answers(422),
            _ => Does::Answers(200),
        });
        let (id, _) = add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 10);
        wait("the others are not posted", || endpoint.taken().len() == 9);
        // An event is posted ten times over three days, and then given up. The webhook stays active.
        for attempt in 2..=10 {
            let refused = format!("attempt = {attempt} AND status = 422");
            pass(database, DAY);
            wait("it is not posted again", || attempted(database, &id, &refused) > 0);
        }
        wait("it is not given up", || is_done(database, &id));
        assert!(attempts(database, &id).contains("\t10\t422\t"));
        assert!(webhook(database, &["list", "1"]).trim_end().ends_with("\t-"));
        send(&service, 2);
        wait("later ones are not posted", || endpoint.taken().len() == 11);
        let (_, log) = service.end();
        assert!(log.contains("an event was given up"), "{log}");
    }

    fn an_endpoint_that_fails_for_three_days_is_disabled_and_nothing_is_lost(database: &Database) {
        use std::sync::Arc;
        use std::sync::atomic::{AtomicBool, Ordering};
        let is_well = Arc::new(AtomicBool::new(false));
        let well = Arc::clone(&is_well);
        let endpoint = Endpoint::by(move |_, _| match well.load(Ordering::SeqCst) {
            true => Does::Answers(200),
            false => Does::Answers(503),
        });
        let (id, _) = add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 3);
        let disabled = || webhook(database, &["list", "1"]).contains("\tits endpoint has accepted nothing for three days: HTTP status 503");
        wait("it is not disabled", || {
            pass(database, DAY);
            disabled()
        });
        assert_eq!(database.texts("SELECT reason FROM events WHERE kind = 'webhook_disabled'").len(), 1);
        let posts = endpoint.posts().len();
        send(&service, 2);
        wait("events are not numbered", || events(database).len() == 6);
        pass(database, DAY);
        assert_eq!(endpoint.posts().len(), posts);
        is_well.store(true, Ordering::SeqCst);
        webhook(database, &["enable", "1", &id]);
        wait("what was not taken is not posted", || is_done(database, &id));
        let taken: Vec<String> = endpoint.taken().iter().map(ToString::to_string).collect();
        assert_eq!(taken, events(database));
        let (_, log) = service.end();
        assert!(log.contains("a webhook was disabled"), "{log}");
    }

    fn an_endpoint_that_has_just_taken_an_event_is_not_disabled(database: &Database) {
        use std::sync::Arc;
        use std::sync::atomic::{AtomicBool, Ordering};
        // Whether the endpoint takes the next post. It refuses the posts after that one.
        let takes_one = Arc::new(AtomicBool::new(false));
        let takes = Arc::clone(&takes_one);
        let endpoint = Endpoint::by(move |_, _| match takes.swap(false, Ordering::SeqCst) {
            true => Does::Answers(200),
            false => Does::Answers(503),
        });
        let (id, _) = add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 3);
        for attempt in 1..=9 {
            let refused = format!("attempt = {attempt} AND status = 503");
            wait("they are not posted again", || attempted(database, &id, &refused) == 3);
            // The last attempt of one event succeeds, and those of the others fail.
            takes_one.store(attempt == 9, Ordering::SeqCst);
            pass(database, DAY);
        }
        wait("the others are not given up", || is_done(database, &id));
        assert_eq!(attempts(database, &id).matches("\t9\t503\t").count(), 3);
        assert!(webhook(database, &["list", "1"]).trim_end().ends_with("\t-"));
        assert_eq!(endpoint.taken().len(), 1);
        let (_, log) = service.end();
        assert!(log.contains("an event was given up"), "{log}");
    }

    fn an_endpoint_that_is_gone_is_posted_to_no_more(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(410));
        add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 1);
        let disabled = "SELECT count(*) FROM webhooks WHERE disabled IS NOT NULL";
        wait("it is not disabled", || database.number(disabled) == 1);
        assert!(webhook(database, &["list", "1"]).contains("\tits endpoint answered 410"));
        let (_, log) = service.end();
        assert!(log.contains("410"), "{log}");
    }

    fn an_address_that_is_not_allowed_any_more_is_not_connected_to(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(200));
        let (id, _) = add(database, &endpoint, &[]);
        let keys = keys(database);
        for (flags, why) in [
            (vec!["--key-file", &keys], "the URL of a webhook has to begin with https:"),
            (vec!["--key-file", &keys, "--webhook-networks", "10.0.0.0/8"], "127.0.0.1, which is this host"),
        ] {
            let service = database.serve(&flags);
            send(&service, 1);
            let said = format!("problem LIKE '%{why}%'");
            wait("nothing is said of it", || attempted(database, &id, &said) > 0);
            assert!(attempts(database, &id).contains(why));
            drop(service);
        }
        assert!(endpoint.posts().is_empty());
    }

    fn every_event_is_posted_whoever_is_killed(database: &Database) {
        // `make prove` sets a larger number of kills.
        let kills = std::env::var("KILLS").map_or(3, |kills| kills.parse().unwrap());
        let endpoint = Endpoint::by(|nth, _| if nth % 5 == 0 { Does::Answers(500) } else { Does::Answers(200) });
        let (id, _) = add(database, &endpoint, &[]);
        for kill in 0..kills {
            let mut service = serve(database);
            send(&service, 12);
            let posts = endpoint.posts().len();
            // The service is killed at another moment each time.
            let until = posts + kill % 9;
            wait("nothing is posted", || endpoint.posts().len() >= until);
            service.process.kill().unwrap();
            drop(service);
            database.settle();
            database.execute("UPDATE webhooks SET leased = 0", "UPDATE webhooks SET leased = '-infinity'");
            pass(database, DAY);
        }
        let _service = serve(database);
        wait("not all is posted", || {
            pass(database, DAY);
            database.number("SELECT count(*) FROM deliveries WHERE state = 'queued'") == 0 && is_done(database, &id)
        });
        let taken: Vec<String> = endpoint.taken().iter().map(ToString::to_string).collect();
        assert_eq!(taken, events(database));
        assert_eq!(taken.len(), 12 * kills);
    }
}
