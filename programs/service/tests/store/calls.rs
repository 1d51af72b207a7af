//! One call at a time: the content of the database afterwards, and the reasons why a commit fails.

use std::time::Duration;

use franking::{Conflict, Operation};
use franking_service::store::{CallId, Committed, StoreError};
use serde_json::json;
use tokio::time::timeout;

use crate::databases::on_both;
use crate::world::{
    account, call, credits, decide, http_send_mail, send_mailer, stored, subscriber, to_commit,
};

on_both! {
    async fn an_accepted_call_is_whole_in_the_database(store: Store) {
        let id = account(&store, 10, 10).await;
        let known = subscriber(&store, id, "Known@reader.example").await;
        let request = |to: &str, cc: &str| json!({"subject": "Hello", "body": "<p>\u{0} \u{e9} \" \\ </p>",
            "from": "news@shop.example", "to": to, "cc": cc, "customField": "a\u{0}b\nc"});
        let mut sent = call(Operation::HttpSendMail, &json!({"ApiKey": "secret", "requests": [
            request("a@reader.example,known@reader.example", "b@reader.example"),
            request("A@Reader.example", "a@reader.example"),
        ]}));
        let work = to_commit(&store, &mut sent, None).await.unwrap();
        let call = work.id();
        assert_eq!(stored(&store, id, call).await, None);
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        let row = stored(&store, id, call).await.unwrap();
        assert_eq!((row.account, row.emails, row.subscribers), (id, 4, 2));
        assert_eq!((row.messages, row.deliveries), (2, 4));
        assert_eq!(credits(&store, id).await, (8, 6));
        assert_eq!(store.lists(id).await.unwrap(), [("API_EMAILS".to_owned(), 3)]);
        // Nobody is created or enlisted twice.
        assert_eq!(decide(store.clone(), http_send_mail(&["a@reader.example".to_owned()])).await, 200);
        assert_eq!(credits(&store, id).await, (8, 5));
        assert_eq!(store.lists(id).await.unwrap(), [("API_EMAILS".to_owned(), 3)]);
        assert!(store.personalization(id, known).await.unwrap().is_empty());
        assert_eq!(store.calls(id).await.unwrap().len(), 2);
    }

    async fn personalization_is_stored_and_overwritten_field_by_field(store: Store) {
        let id = account(&store, 10, 10).await;
        let send = |fields: serde_json::Value| {
            let mut body = json!({"apiKey": "secret", "mailerID": "42", "email": "reader@reader.example"});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            decide(store.clone(), call(Operation::SendMailer, &body))
        };
        assert_eq!(send(json!({"firstName": "A\u{0}da", "city": "'\"\\\u{e9}"})).await, 200);
        assert_eq!(send(json!({"city": "Turin", "extra1": "x"})).await, 200);
        assert_eq!(credits(&store, id).await, (9, 8));
        assert_eq!(store.lists(id).await.unwrap(), [("RealTime_Via_API".to_owned(), 1)]);
        let mut stored = store.personalization(id, 1).await.unwrap();
        stored.sort();
        let expected = [("city", "Turin"), ("extra1", "x"), ("firstName", "A\u{0}da")];
        assert_eq!(stored, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    async fn what_has_changed_since_the_facts_is_a_conflict_that_leaves_nothing(store: Store) {
        let id = account(&store, 10, 10).await;
        let known = subscriber(&store, id, "known@reader.example").await;
        let conflict = async |expected: Conflict, mut call: franking::Call<'static>, change: &dyn Fn() -> _| {
            let work = to_commit(&store, &mut call, None).await.unwrap();
            let number = work.id();
            let changed: franking_service::store::Reply<()> = change();
            changed.await.unwrap();
            assert_eq!(store.commit(work).await, Err(StoreError::Conflict(expected)));
            assert_eq!(stored(&store, id, number).await, None);
        };
        let (new, old) = (|| send_mailer("new@reader.example"), || send_mailer("known@reader.example"));
        let both = || http_send_mail(&["new@reader.example".to_owned(), "known@reader.example".to_owned()]);
        conflict(Conflict::SubscriberInactive, old(), &|| store.set_inactive(id, known, true)).await;
        store.set_inactive(id, known, false).await.unwrap();
        conflict(Conflict::SubscriberInactive, both(), &|| store.set_inactive(id, known, true)).await;
        store.set_inactive(id, known, false).await.unwrap();
        conflict(Conflict::SubscriberCredit, both(), &|| store.add_credits(id, -10, -1, "tests".into())).await;
        store.add_credits(id, 10, 1, "tests".into()).await.unwrap();
        conflict(Conflict::EmailCredit, both(), &|| store.add_credits(id, -9, -9, "tests".into())).await;
        store.add_credits(id, 9, 9, "tests".into()).await.unwrap();
        conflict(Conflict::Other, new(), &|| store.set_state(id, Some(true), None, None)).await;
        store.set_state(id, Some(false), None, None).await.unwrap();
        assert_eq!(credits(&store, id).await, (10, 10));
        assert!(store.lists(id).await.unwrap().is_empty());
        assert!(store.calls(id).await.unwrap().is_empty());
        // The address is still free.
        assert_eq!(decide(store.clone(), new()).await, 200);
    }

    async fn two_calls_of_one_id_are_one_call_and_a_conflict(store: Store) {
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        assert_eq!(store.commit(work.clone()).await, Ok(Committed::Done));
        let again = store.commit(work).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
        assert_eq!(credits(&store, id).await, (9, 9));
    }

    async fn a_commit_is_carried_out_also_when_nobody_waits_for_it(store: Store) {
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        let number = work.id();
        drop(store.commit(work));
        // A task of its own may begin late on a busy machine.
        let carried_out = async {
            while stored(&store, id, number).await.is_none() {
                // clock: until it has begun
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let limit = Duration::from_secs(60);
        // clock: a failing test has to end as well
        timeout(limit, carried_out).await.unwrap();
        assert_eq!(credits(&store, id).await, (9, 9));
    }

    async fn no_id_is_a_number_that_a_json_reader_could_round(_store: Store) {
        let mut last = 0;
        for _ in 0..100_000 {
            let id = CallId::random().unwrap().number();
            assert!((1..1 << 53).contains(&id));
            // New rows are next to each other.
            assert!(id > last);
            last = id;
        }
        assert_eq!(CallId::from_number(0), None);
        assert_eq!(CallId::from_number(1 << 53), None);
    }
}
