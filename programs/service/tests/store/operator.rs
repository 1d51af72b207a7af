//! What the operator creates, lists and changes.

use franking::{Account, DomainRoles};
use franking_service::store::{
    AccountId, Address, ApiKey, Domain, KeyHash, NewSubscriber, OperatorError, Rights,
};

use crate::databases::on_both;
use crate::world::account;

on_both! {
    async fn an_account_has_two_live_keys_at_most_and_none_that_was_revoked(store: Store) {
        let id = store.create_account("Shop".to_owned(), Account::default(), "tests".into()).await.unwrap();
        let keys = [ApiKey::generate().unwrap(), ApiKey::generate().unwrap(), ApiKey::generate().unwrap()];
        let first = store.add_key(id, keys[0].hash(), None).await.unwrap();
        let second = store.add_key(id, keys[1].hash(), None).await.unwrap();
        assert_eq!(store.add_key(id, keys[2].hash(), None).await, Err(OperatorError::TwoKeys));
        for key in &keys[..2] {
            let found = store.account(KeyHash::of(key.secret())).await.unwrap().unwrap();
            assert_eq!((found.id, found.account), (id, Account::default()));
        }
        let live = store.keys(id).await.unwrap();
        assert_eq!(live.iter().map(|row| row.id).collect::<Vec<_>>(), [first, second]);
        store.revoke_key(id, first).await.unwrap();
        assert!(store.account(keys[0].hash()).await.unwrap().is_none());
        assert_eq!(store.revoke_key(id, first).await, Err(OperatorError::NotFound("key")));
        let other = store.create_account("Other".to_owned(), Account::default(), "tests".into()).await.unwrap();
        assert_eq!(store.add_key(other, keys[1].hash(), None).await, Err(OperatorError::Exists("key")));
        assert!(store.account(keys[2].hash()).await.unwrap().is_none());
    }

    async fn a_session_begins_only_with_the_password_that_was_checked(store: Store) {
        let rights = Rights { unmask: false, act: false };
        let put = |hash: &str| store.put_operator("ada".to_owned(), hash.to_owned(), rights);
        let begin = |token, hash: &str| store.begin_session([token; 32], "ada".to_owned(), hash.to_owned());
        put("first").await.unwrap();
        assert_eq!(begin(1, "first").await, Ok(true));
        // Another password comes between the check and the session.
        put("second").await.unwrap();
        assert_eq!(begin(2, "first").await, Ok(false));
        for token in [1, 2] {
            assert_eq!(store.session([token; 32]).await, Ok(None), "{token}");
        }
        assert_eq!(begin(3, "second").await, Ok(true));
        assert_eq!(store.session([3; 32]).await.unwrap().unwrap().name, "ada");
        store.remove_operator("ada".to_owned()).await.unwrap();
        assert_eq!(begin(4, "second").await, Ok(false));
    }

    async fn credits_and_states_are_set_and_added_to(store: Store) {
        let id = account(&store, 5, 5).await;
        store.add_credits(id, 5, -9, "tests".into()).await.unwrap();
        store.set_state(id, Some(true), Some(false), Some(true)).await.unwrap();
        let row = store.accounts().await.unwrap().remove(0);
        let expected = Account {
            blocked: true,
            expired: false,
            deactivated: true,
            subscriber_credit: Some(10),
            email_credit: Some(0),
        };
        assert_eq!((row.id, row.name.as_str(), row.account), (id, "Shop", expected));
        let without_limit = Account { email_credit: Some(-3), ..Account::default() };
        let other = store.create_account("Other".to_owned(), without_limit, "tests".into()).await.unwrap();
        store.add_credits(other, 1, 1, "tests".into()).await.unwrap();
        let row = store.accounts().await.unwrap().remove(1);
        assert_eq!((row.account.subscriber_credit, row.account.email_credit), (None, Some(1)));
        let nobody = AccountId::from_number(77);
        assert_eq!(store.add_credits(nobody, 1, 1, "tests".into()).await, Err(OperatorError::NotFound("account")));
    }

    async fn what_is_noted_of_credits_is_what_has_changed(store: Store) {
        let id = account(&store, 5, 5).await;
        store.add_credits(id, -9, 2, "tests".into()).await.unwrap();
        store.add_credits(id, 1, -9, "tests".into()).await.unwrap();
        let one_limit = Account { email_credit: Some(-3), ..Account::default() };
        let other = store.create_account("Other".to_owned(), one_limit, "tests".into()).await.unwrap();
        store.add_credits(other, 1, -1, "tests".into()).await.unwrap();
        let none = store.create_account("None".to_owned(), Account::default(), "tests".into()).await.unwrap();
        for (account, noted) in [(id, vec![(1, -7), (-5, 2), (5, 5)]), (other, vec![(0, 0), (0, 0)]), (none, vec![])] {
            let changes = store.credit_changes(account, 10).await.unwrap();
            assert!(changes.iter().all(|change| change.operator == "tests"));
            let changes: Vec<_> = changes.iter().map(|change| (change.subscriber, change.email)).collect();
            assert_eq!(changes, noted);
        }
    }

    async fn what_is_there_is_listed_and_not_created_again(store: Store) {
        let id = account(&store, 5, 5).await;
        let nobody = AccountId::from_number(77);
        let address = |text| Address::parse(text).unwrap();
        store.put_sender(id, address("Old@shop.example"), true).await.unwrap();
        store.put_sender(id, address("old@shop.example"), false).await.unwrap();
        let senders = [("news@shop.example".to_owned(), true), ("Old@shop.example".to_owned(), false)];
        assert_eq!(store.senders(id).await.unwrap(), senders);
        assert_eq!(store.mailers(id).await.unwrap()[0].id, 42);
        store.create_list(id, "Guests".to_owned()).await.unwrap();
        assert_eq!(store.create_list(id, "Guests".to_owned()).await, Err(OperatorError::Exists("list")));
        assert_eq!(store.create_list(nobody, "G".to_owned()).await, Err(OperatorError::NotFound("account")));
        let new = |number, email| NewSubscriber { id: number, email: address(email), inactive: false };
        assert_eq!(store.put_subscriber(id, new(Some(9), "a@reader.example")).await, Ok(9));
        assert_eq!(store.put_subscriber(id, new(None, "b@reader.example")).await, Ok(10));
        let taken = Err(OperatorError::Exists("subscriber"));
        assert_eq!(store.put_subscriber(id, new(Some(9), "c@reader.example")).await, taken);
        assert_eq!(store.put_subscriber(id, new(None, "A@reader.example")).await, taken);
        let roles = DomainRoles::SENDER | DomainRoles::CONTENT;
        let domain = |text| Domain::parse(text).unwrap();
        store.set_blacklisted(domain("B\u{fc}cher.example"), roles).await.unwrap();
        store.set_blacklisted(domain("a.example"), roles).await.unwrap();
        store.set_blacklisted(domain("a.example"), DomainRoles::NONE).await.unwrap();
        let listed = [(domain("xn--bcher-kva.example"), roles)];
        assert_eq!(store.blacklist(String::new(), 10).await.unwrap(), listed);
        store.health().await.unwrap();
    }
}
