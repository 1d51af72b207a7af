//! What an endpoint receives.

use super::endpoint::{Does, Endpoint};
use super::{READER, add, events, is_done, run, send, serve, try_run, wait, webhook};
use crate::support::database::on_both;
use crate::support::{KEY, request};

on_both! {
    fn an_endpoint_gets_each_event_signed(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(204));
        let (id, secret) = add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 40);
        wait("events are not posted", || events(database).len() == 40 && is_done(database, &id));
        let posts = endpoint.posts();
        assert_eq!(posts.len(), 40);
        let taken: Vec<String> = endpoint.taken().iter().map(ToString::to_string).collect();
        assert_eq!(taken, events(database));
        let bearer = format!("Bearer {KEY}");
        let page = service.exchange(&request("GET", "/events", &[("Authorization", &bearer)], b""));
        let page: serde_json::Value = serde_json::from_str(&page.body).unwrap();
        for post in &posts {
            assert!(post.is_signed_by(&[&secret]));
            assert_eq!(post.header("content-type"), "application/json");
            assert!(post.header("user-agent").starts_with("franking-service/"));
            assert!(endpoint.url().contains(post.header("host")));
            // The event is the same as that of `GET /events`.
            let event = post.json();
            assert_eq!(event["data"]["id"].as_str(), Some(post.header("webhook-id")));
            assert!(page["events"].as_array().unwrap().contains(&event), "{event}");
        }
        assert_eq!(webhook(database, &["attempts", "1", &id]).lines().filter(|line| line.ends_with("\t-")).count(), 40);
        let (_, log) = service.end();
        assert!(!log.contains("example.org") && !log.contains(&secret), "{log}");
    }

    fn a_webhook_has_the_types_that_it_asks_for(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(200));
        let (id, _) = add(database, &endpoint, &["--type", "unsubscribed", "--type", "lifted"]);
        let service = serve(database);
        send(&service, 3);
        run(database, &["subscriber", "add", "1", READER]);
        wait("events are not numbered", || events(database).len() == 3 && is_done(database, &id));
        assert!(endpoint.posts().is_empty());
        let (succeeds, text) = try_run(database, &["webhook", "add", "1", "https://shop.example/", "--type", "sent"]);
        assert!(!succeeds && text.contains("delivered"), "{text}");
    }

    fn both_secrets_of_a_rotation_sign(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(200));
        let (id, old) = add(database, &endpoint, &["--key-pair"]);
        assert!(old.starts_with("whpk_"), "{old}");
        let service = serve(database);
        send(&service, 1);
        wait("the first is not posted", || endpoint.posts().len() == 1);
        let new = webhook(database, &["rotate", "1", &id]).trim().to_owned();
        let (succeeds, text) = try_run(database, &super::of_webhook(database, &["rotate", "1", &id]));
        assert!(!succeeds && text.contains("two secrets"), "{text}");
        wait("the webhook is not given back", || is_done(database, &id));
        send(&service, 1);
        wait("the second is not posted", || endpoint.posts().len() == 2);
        webhook(database, &["retire", "1", &id]);
        send(&service, 1);
        wait("the third is not posted", || endpoint.posts().len() == 3);
        let posts = endpoint.posts();
        let signed = |secret: &str| posts.iter().map(|post| post.is_signed_by(&[secret])).collect::<Vec<_>>();
        assert_eq!((signed(&old), signed(&new)), (vec![true, true, false], vec![false, true, true]));
    }

    fn a_webhook_is_posted_again_from_a_cursor(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(200));
        let (id, _) = add(database, &endpoint, &[]);
        let service = serve(database);
        send(&service, 5);
        wait("events are not posted", || events(database).len() == 5 && is_done(database, &id));
        let third = &events(database)[2];
        webhook(database, &["replay", "1", &id, "--after", third]);
        wait("events are not posted again", || endpoint.posts().len() == 7);
        let again: Vec<String> = endpoint.posts()[5..].iter().map(|post| post.header("webhook-id").to_owned()).collect();
        let mut again = again;
        again.sort();
        let mut last = events(database)[3..].to_vec();
        last.sort();
        assert_eq!(again, last);
        // A webhook that begins with the oldest event also gets the earlier events.
        let other = Endpoint::that(Does::Answers(200));
        add(database, &other, &["--after", "0"]);
        wait("the oldest are not posted", || other.taken().len() == 5);
    }

    fn secrets_lie_in_the_database_sealed_and_other_accounts_see_nothing(database: &Database) {
        let endpoint = Endpoint::that(Does::Answers(200));
        let (id, secret) = add(database, &endpoint, &[]);
        run(database, &["account", "add", "Other"]);
        for command in [vec!["attempts", "2", &id], vec!["list", "2"]] {
            assert_eq!(webhook(database, &command), "");
        }
        for command in [vec!["remove", "2", &id, "--yes"], vec!["rotate", "2", &id], vec!["enable", "2", &id]] {
            let (succeeds, text) = try_run(database, &super::of_webhook(database, &command));
            assert!(!succeeds && text.contains("no such webhook"), "{text}");
        }
        let list = webhook(database, &["list", "1"]);
        assert!(list.contains(&endpoint.url()) && list.trim_end().ends_with("\t-") && !list.contains(&secret), "{list}");
        let hexadecimal = match database.address() {
            None => "SELECT hex(secret) FROM webhooks",
            Some(_) => "SELECT upper(encode(secret, 'hex')) FROM webhooks",
        };
        let stored = database.texts(hexadecimal).concat();
        let shown: String = secret.bytes().map(|byte| format!("{byte:02X}")).collect();
        assert!(stored.len() > 80 && !stored.contains(&shown[..40]));
        webhook(database, &["remove", "1", &id, "--yes"]);
        assert_eq!(webhook(database, &["list", "1"]), "");
    }
}
