//! An email is sent as it was accepted: later changes do not change it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use franking::{Batch, Call, Commit, Conflict, Operation, Policy};
use franking_service::mail::{Composer, Delivery, MailSettings};
use franking_service::store::{Ask, Committed, Store, StoreError, Unsendable};
use serde_json::json;

use crate::databases::on_both;
use crate::shop::{ASK, Shop, until};
use crate::sink::{Does, Sink, quick, work};
use crate::world::{call, to_commit};

/// All queued deliveries, in the order of acceptance. They can be claimed again at once.
async fn claimed(store: &Arc<dyn Store>) -> Vec<Delivery> {
    let ask = Ask {
        lease: Duration::ZERO,
        ..ASK
    };
    let batch = store.claim_batch(ask, Vec::new()).await.unwrap();
    let deliveries = batch
        .deliveries
        .into_iter()
        .map(|one| (one.lease.delivery, one.delivery.unwrap()));
    deliveries
        .collect::<BTreeMap<_, _>>()
        .into_values()
        .collect()
}

fn composed(delivery: &Delivery) -> String {
    let composer = Composer::new(&MailSettings::default()).unwrap();
    let email = composer.compose(delivery).unwrap();
    String::from_utf8(email.bytes().to_vec()).unwrap()
}

fn html(delivery: &Delivery) -> String {
    let email = composed(delivery);
    let (_, part) = email.split_once("Content-Type: text/html").unwrap();
    let (_, body) = part.split_once("\r\n\r\n").unwrap();
    let (body, _) = body.split_once("\r\n--").unwrap();
    let html = BASE64_STANDARD.decode(body.replace("\r\n", "")).unwrap();
    String::from_utf8(html).unwrap()
}

on_both! {
    async fn two_calls_to_one_reader_with_two_codes_are_two_emails_each_with_its_own(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.mailer(7, "Code {{ extra1 }}", "<p>{{ firstName }}: {{ extra1 }} {{ city }}</p>").await;
        for code in ["111111", "222222"] {
            let fields = json!({"firstName": "A\u{e9}\"\u{1}", "extra1": code, "extra9": "not used"});
            shop.send_mailer_with(7, "reader@customer.example", fields).await;
        }
        let first = claimed(&store).await;
        let texts: Vec<String> = first.iter().map(html).collect();
        let text = |code| format!("<p>A\u{e9}&quot;\u{1}: {code} </p>");
        assert_eq!(texts, [text("111111"), text("222222")]);
        assert_eq!(first[0].fields.as_ref().unwrap().len(), 2, "the names that the template uses, and no others");
        // A third call without a code keeps the code that the second one has stored, and the others keep theirs.
        shop.send_mailer_with(7, "reader@customer.example", json!({"city": "Bonn"})).await;
        let again = claimed(&store).await;
        assert_eq!(html(&again[2]), "<p>A\u{e9}&quot;\u{1}: 222222 Bonn</p>");
        for (one, other) in first.iter().zip(&again) {
            assert_eq!(composed(one), composed(other), "a repeat is the same to the byte");
        }
    }

    async fn calls_to_one_reader_that_are_committed_together_are_emails_each_with_its_own(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.mailer(7, "Code", "<p>{{ extra1 }}</p>").await;
        shop.send_mailer_with(7, "reader@customer.example", json!({"extra1": "0"})).await;
        let mut commits = Vec::new();
        for code in 1..=20 {
            let body = json!({"apiKey": shop.key, "mailerID": 7, "email": "reader@customer.example", "extra1": code.to_string()});
            let work = to_commit(&store, &mut call(Operation::SendMailer, &body), None).await.unwrap();
            commits.push(store.commit(work));
        }
        for commit in commits {
            assert_eq!(commit.await, Ok(Committed::Done));
        }
        let texts: BTreeSet<String> = claimed(&store).await.iter().map(html).collect();
        let expected: BTreeSet<String> = (0..=20).map(|code| format!("<p>{code}</p>")).collect();
        assert_eq!(texts, expected);
    }

    async fn values_are_stored_before_they_are_read_whatever_was_sent_before(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.mailer(7, "Code", "<p>{{ extra1 }}</p>").await;
        // Up to now, this connection has written plans, but no values.
        shop.send_many(1, "customer.example").await;
        for code in ["111111", "222222"] {
            shop.send_mailer_with(7, &format!("r{code}@customer.example"), json!({"extra1": code})).await;
        }
        let texts: Vec<String> = claimed(&store).await.iter().skip(1).map(html).collect();
        assert_eq!(texts, ["<p>111111</p>", "<p>222222</p>"]);
    }

    async fn values_of_a_group_that_take_several_statements_are_all_stored_before_they_are_read(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.mailer(7, "Code", "<p>{{ extra1 }}</p>").await;
        let value = "x".repeat(1_500_000);
        let mut works = Vec::new();
        for number in 0..8 {
            let to = format!("r{number}@customer.example");
            let body = json!({"apiKey": shop.key, "mailerID": 7, "email": to, "extra1": value});
            works.push(to_commit(&store, &mut call(Operation::SendMailer, &body), None).await.unwrap());
        }
        // The others gather to a group while the first one is carried out.
        let commits: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
        for commit in commits {
            assert_eq!(commit.await, Ok(Committed::Done));
        }
        let lengths: Vec<Option<usize>> = claimed(&store)
            .await
            .iter()
            .map(|delivery| Some(delivery.fields.as_ref()?.first()?.1.len()))
            .collect();
        assert_eq!(lengths, [Some(value.len()); 8]);
    }

    async fn an_email_stays_as_it_was_accepted_whatever_becomes_of_its_mailer(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_mailer_with(42, "reader@customer.example", json!({"firstName": "Ada", "extra2": "a b"})).await;
        let before: Vec<_> = claimed(&store).await.iter().map(composed).collect();
        assert!(before[0].contains("<https://shop.example/bye?of=a%20b>"));
        shop.mailer_with(42, "Changed", "<p>{{ lastName }}</p>", None).await;
        let after: Vec<_> = claimed(&store).await.iter().map(composed).collect();
        assert_eq!(before, after);
    }

    async fn a_list_unsubscribe_that_its_values_make_too_long_is_left_out_and_the_email_is_sent(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_mailer_with(42, "reader@customer.example", json!({"extra2": "x".repeat(900)})).await;
        let email = composed(&claimed(&store).await[0]);
        assert!(!email.contains("List-Unsubscribe"));
    }

    async fn who_has_become_inactive_after_acceptance_gets_nothing_and_the_record_says_why(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_mailer(42, "reader@customer.example").await;
        shop.send_mailer(42, "other@customer.example").await;
        store.set_inactive(shop.account, 1, true).await.unwrap();
        let ask = Ask { lease: Duration::ZERO, ..ASK };
        let batch = store.claim_batch(ask, Vec::new()).await.unwrap();
        assert!(matches!(batch.deliveries[0].delivery, Err(Unsendable::Inactive)));
        let sink = Sink::new(|_, _| Does::Deliver);
        let (worker, _) = work(&store, &sink, quick());
        until(&store, (0, 1, 1)).await;
        worker.end().await;
        assert_eq!(sink.count(), 1);
    }

    async fn a_mailer_that_changes_between_facts_and_commit_is_a_conflict(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let body = json!({"apiKey": shop.key, "mailerID": 42, "email": "reader@customer.example"});
        let mut call = call(Operation::SendMailer, &body);
        let work = to_commit(&store, &mut call, None).await.unwrap();
        shop.mailer(42, "Changed", "<p>Changed</p>").await;
        assert_eq!(store.commit(work).await, Err(StoreError::Conflict(Conflict::Other)));
        call.answer_commit(Commit::Conflict(Conflict::Other)).unwrap();
        // The call is judged again, so it is sent with the new subject.
        let work = to_commit(&store, &mut call, None).await.unwrap();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        assert_eq!(claimed(&store).await[0].subject, "Changed");
    }

    async fn what_a_partial_batch_leaves_out_is_stored_with_its_rule_and_its_place(store: Store) {
        let shop = Shop::open(&store, "a").await;
        let policy = Policy::default().to_builder().batch(Batch::Partial).build().unwrap();
        let request = |to: &str| json!({"subject": "News", "body": "%3Cp%3E", "from": "news@shop.example", "to": to});
        let requests = [request("a@reader.example,no address"), request("nobody"), request("b@reader.example")];
        let body = json!({"ApiKey": shop.key, "requests": requests}).to_string();
        let mut call = Call::new(&policy, Operation::HttpSendMail, "POST", body.clone().into_bytes());
        let work = to_commit(&store, &mut call, None).await.unwrap();
        let id = work.id();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        assert_eq!(claimed(&store).await.len(), 2);
        let left_out = store.left_out(id).await.unwrap();
        let shown = left_out.iter().map(|one| {
            let span = one.span.clone().unwrap();
            let place = usize::try_from(span.start).unwrap()..usize::try_from(span.end).unwrap();
            let bytes = body.get(place).unwrap();
            (one.request.unwrap(), one.pointer.as_deref().unwrap(), bytes, one.rule.as_str())
        });
        let shown: Vec<_> = shown.collect();
        assert_eq!(shown.iter().map(|one| one.0).collect::<Vec<_>>(), [0, 1]);
        assert!(shown.iter().all(|(_, pointer, _, rule)| pointer.ends_with("/to") && rule.contains("malformed")), "{shown:?}");
        assert!(shown[0].2.contains("no address") && shown[1].2.contains("nobody"), "{shown:?}");
    }
}
