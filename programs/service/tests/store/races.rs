//! Calls at the same time: in any order, each ends as if it had been alone.

use franking::Conflict;
use franking_service::store::{Committed, StoreError};

use crate::databases::on_both;
use crate::world::{
    account, credits, decide, http_send_mail, send_mailer, stored, subscriber, to_commit, turn,
};

on_both! {
    async fn of_64_calls_that_create_one_subscriber_one_does(store: Store) {
        let id = account(&store, 100, 100).await;
        // All calls have their facts before the first commit.
        let mut calls = Vec::new();
        for _ in 0..64 {
            let mut call = send_mailer("new@reader.example");
            let work = to_commit(&store, &mut call, None).await.unwrap();
            calls.push((call, work));
        }
        let commits: Vec<_> = calls.into_iter().map(|(call, work)| (call, store.commit(work))).collect();
        let mut done = 0;
        for (mut call, commit) in commits {
            match commit.await {
                Ok(Committed::Done) => done += 1,
                Err(StoreError::Conflict(Conflict::SubscriberExists)) => {
                    call.answer_commit(franking::Commit::Conflict(Conflict::SubscriberExists)).unwrap();
                    let call = turn(&store, call, id, false).await;
                    assert_eq!(decide(store.clone(), call).await, 200);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(done, 1);
        assert_eq!(credits(&store, id).await, (99, 36));
        assert_eq!(store.calls(id).await.unwrap().len(), 64);
        assert_eq!(store.lists(id).await.unwrap(), [("RealTime_Via_API".to_owned(), 1)]);
    }

    async fn the_last_credits_are_spent_once(store: Store) {
        let id = account(&store, 100, 10).await;
        subscriber(&store, id, "a@reader.example").await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..64 {
            tasks.spawn(decide(store.clone(), send_mailer("a@reader.example")));
        }
        let codes = tasks.join_all().await;
        assert_eq!(codes.iter().filter(|code| **code == 200).count(), 10);
        assert!(codes.iter().all(|code| [200, 445].contains(code)), "{codes:?}");
        assert_eq!(credits(&store, id).await, (100, 0));
        assert_eq!(store.calls(id).await.unwrap().len(), 10);
    }

    async fn calls_with_the_same_addresses_in_opposite_orders_all_end(store: Store) {
        let id = account(&store, 1000, 10_000).await;
        let addresses: Vec<String> = (0..50).map(|n| format!("r{n}@reader.example")).collect();
        let backwards: Vec<String> = addresses.iter().rev().cloned().collect();
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..32 {
            let order = if number % 2 == 0 { &addresses } else { &backwards };
            tasks.spawn(decide(store.clone(), http_send_mail(order)));
        }
        let codes = tasks.join_all().await;
        assert!(codes.iter().all(|code| *code == 200), "{codes:?}");
        assert_eq!(credits(&store, id).await, (950, 10_000 - 32 * 50));
        assert_eq!(store.lists(id).await.unwrap(), [("API_EMAILS".to_owned(), 50)]);
        let deliveries: u64 = store.calls(id).await.unwrap().iter().map(|(_, call)| call.deliveries).sum();
        assert_eq!(deliveries, 32 * 50);
    }

    async fn a_neighbour_that_is_rolled_back_takes_nothing_with_it(store: Store) {
        let account = account(&store, 1000, 1000).await;
        let mut works = Vec::new();
        for number in 0..60 {
            // Every third call has the same new subscriber.
            let name = if number % 3 == 0 { 0 } else { number };
            let mut call = send_mailer(&format!("n{name}@reader.example"));
            works.push(to_commit(&store, &mut call, None).await.unwrap());
        }
        let ids: Vec<_> = works.iter().map(franking_service::store::Work::id).collect();
        let commits: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
        let mut done = 0;
        for (id, commit) in ids.iter().zip(commits) {
            let result = commit.await;
            let row = stored(&store, account, *id).await;
            assert_eq!(row.is_some(), result == Ok(Committed::Done), "{result:?}");
            if let Some(row) = row {
                assert_eq!((row.messages, row.deliveries, row.emails, row.subscribers), (1, 1, 1, 1));
                done += 1;
            }
        }
        assert_eq!(done, 41);
        assert_eq!(credits(&store, account).await, (1000 - 41, 1000 - 41));
        assert_eq!(store.lists(account).await.unwrap(), [("RealTime_Via_API".to_owned(), 41)]);
    }
}
