//! Idempotency keys: each is held once, kept when its call is accepted, and written once.

use std::sync::Arc;

use franking_service::store::{Claim, Committed, Hold, IdempotencyKey, Record, Store};

use crate::databases::on_both;
use crate::world::{account, credits, send_mailer, to_commit};

fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::parse(text).unwrap()
}

pub(crate) fn record(hold: &Arc<Hold>, answer: &str) -> Record {
    Record {
        hold: Arc::clone(hold),
        digest: [7; 32],
        answer: answer.to_owned(),
    }
}

async fn held(
    store: &Arc<dyn Store>,
    account: franking_service::store::AccountId,
    text: &str,
) -> Arc<Hold> {
    match store.claim(account, key(text)).await.unwrap() {
        Claim::Held(hold) => hold,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_has_1_to_255_visible_characters() {
    assert!(IdempotencyKey::parse("").is_none());
    assert!(IdempotencyKey::parse(&"k".repeat(255)).is_some());
    assert!(IdempotencyKey::parse(&"k".repeat(256)).is_none());
    assert!(IdempotencyKey::parse("a\nb").is_none());
    assert!(IdempotencyKey::parse("\u{e9}").is_none());
}

on_both! {
    async fn a_key_is_busy_while_it_is_held_and_kept_when_its_call_is_accepted(store: Store) {
        let id = account(&store, 10, 10).await;
        let other = store.create_account("Other".to_owned(), franking::Account::default(), "tests".into()).await.unwrap();
        let hold = held(&store, id, "one").await;
        assert!(matches!(store.claim(id, key("one")).await.unwrap(), Claim::Busy));
        drop(held(&store, id, "two").await);
        drop(held(&store, other, "one").await);
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, Some(record(&hold, "answer"))).await.unwrap();
        let number = work.id();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        drop(hold);
        let Claim::Kept(kept) = store.claim(id, key("one")).await.unwrap() else { panic!("not kept") };
        assert_eq!((kept.call, kept.digest, kept.answer.as_str()), (number, [7; 32], "answer"));
        drop(held(&store, id, "two").await);
        drop(held(&store, other, "one").await);
    }

    async fn of_calls_with_one_key_one_is_carried_out_and_the_others_learn_its_answer(store: Store) {
        let id = account(&store, 100, 100).await;
        // A process holds a key only once. These 16 commits with one hold are like calls of 16 processes.
        let hold = held(&store, id, "one").await;
        let mut commits = Vec::new();
        for number in 0..16 {
            let mut call = send_mailer(&format!("r{number}@reader.example"));
            let answer = record(&hold, &number.to_string());
            let work = to_commit(&store, &mut call, Some(answer)).await.unwrap();
            commits.push((number.to_string(), work));
        }
        let commits: Vec<_> = commits.into_iter().map(|(n, work)| (n, store.commit(work))).collect();
        let mut done = Vec::new();
        let mut replayed = Vec::new();
        for (number, commit) in commits {
            match commit.await.unwrap() {
                Committed::Done => done.push(number),
                Committed::Replayed(kept) => replayed.push(kept.answer),
            }
        }
        assert_eq!(done.len(), 1);
        assert_eq!(replayed, vec![done[0].clone(); 15]);
        assert_eq!(credits(&store, id).await, (99, 99));
        assert_eq!(store.calls(id).await.unwrap().len(), 1);
    }
}
