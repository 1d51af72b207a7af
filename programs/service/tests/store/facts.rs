//! Facts: the answers for what exists, for what does not exist, and for what is listed.

use franking::{Call, Commit, Conflict, DomainRoles, Operation};
use franking_service::mail::Template;
use franking_service::store::{
    Address, Again, CallId, Domain, Journal, KeyHash, NewMailer, NewSubscriber, StoreError,
};
use serde_json::json;

use crate::databases::on_both;
use crate::world::{KEY, account, call, decide, planned, send_mailer, subscriber};

/// A call to one recipient with links to 6,000 hosts, from `h0.link.example` on. These are more than are looked up at once.
fn many_hosts(to: &str) -> Call<'static> {
    let links: String = (0..6_000)
        .map(|number| format!("<a href=https://h{number}.link.example/>"))
        .collect();
    let request = json!({"subject": "s", "body": links, "from": "news@shop.example", "to": to});
    call(
        Operation::HttpSendMail,
        &json!({"ApiKey": KEY, "requests": [request]}),
    )
}

on_both! {
    async fn every_column_is_answered_from_the_database(store: Store) {
        let id = account(&store, 100, 100).await;
        let inactive = NewSubscriber {
            id: Some(i64::MAX.unsigned_abs()),
            email: Address::parse("idle@reader.example").unwrap(),
            inactive: true,
        };
        store.put_subscriber(id, inactive).await.unwrap();
        store.put_sender(id, Address::parse("old@shop.example").unwrap(), false).await.unwrap();
        store.create_list(id, "Guests".to_owned()).await.unwrap();
        let bad = subscriber(&store, id, "x@mail.bad.example").await;
        let mailer = NewMailer {
            unsubscribe: None,
            id: None,
            from: Address::parse("x@www.listed.example").unwrap(),
            from_name: None,
            template: Template::parse("Hello".to_owned(), "Hello".to_owned(), None).unwrap(),
        };
        assert_eq!(store.put_mailer(id, mailer).await.unwrap(), 43);
        let listed = |name: &str, roles| store.set_blacklisted(Domain::parse(name).unwrap(), roles);
        listed("bad.example", DomainRoles::RECIPIENT).await.unwrap();
        listed("Listed.Example", DomainRoles::SENDER | DomainRoles::CONTENT).await.unwrap();
        let send = async |fields: serde_json::Value| {
            let mut body = json!({"apiKey": "secret", "mailerID": 42});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            decide(store.clone(), call(Operation::SendMailer, &body)).await
        };
        assert_eq!(send(json!({"email": "a@reader.example"})).await, 200);
        assert_eq!(send(json!({"email": "b@reader.example", "listName": "Guests"})).await, 200);
        assert_eq!(send(json!({"email": "c@reader.example", "listName": "guests"})).await, 442);
        assert_eq!(send(json!({"email": "c@reader.example", "listName": "a\u{0}b"})).await, 442);
        assert_eq!(send(json!({"email": "c@reader.example", "mailerID": 44})).await, 442);
        assert_eq!(send(json!({"email": "c@reader.example", "from": "Old@shop.example"})).await, 442);
        assert_eq!(send(json!({"email": "c@reader.example", "from": "News@Shop.example"})).await, 200);
        assert_eq!(send(json!({"subID": i64::MAX})).await, 443);
        assert_eq!(send(json!({"email": "Idle@reader.example"})).await, 443);
        assert_eq!(send(json!({"subID": 4_000_000})).await, 454);
        // The parents of a stored address's domain count as well.
        assert_eq!(send(json!({"subID": bad})).await, 416);
        assert_eq!(send(json!({"email": "new@bad.example"})).await, 416);
        assert_eq!(send(json!({"email": "c@reader.example", "mailerID": 43})).await, 414);
        let link = "<a href=https://a.listed.example/>";
        let request = json!({"subject": "s", "body": link, "from": "news@shop.example", "to": "c@reader.example"});
        let linked = json!({"ApiKey": "secret", "requests": [request]});
        assert_eq!(decide(store.clone(), call(Operation::HttpSendMail, &linked)).await, 413);
        listed("listed.example", DomainRoles::NONE).await.unwrap();
        assert_eq!(send(json!({"email": "c@reader.example", "mailerID": 43})).await, 200);
    }

    async fn a_sender_is_judged_by_its_domain_of_today_whatever_was_looked_up_before(store: Store) {
        let id = account(&store, 100, 100).await;
        let listed = |name: &str, roles| store.set_blacklisted(Domain::parse(name).unwrap(), roles);
        listed("listed.example", DomainRoles::SENDER).await.unwrap();
        let mut number = 0;
        let mut send = async || {
            number += 1;
            decide(store.clone(), send_mailer(&format!("r{number}@reader.example"))).await
        };
        for (from, code) in [("a@shop.example", 200), ("a@www.listed.example", 414), ("b@shop.example", 200)] {
            let mailer = NewMailer {
                unsubscribe: None,
                id: Some(42),
                from: Address::parse(from).unwrap(),
                from_name: None,
                template: Template::parse("Hello".to_owned(), "Hello".to_owned(), None).unwrap(),
            };
            store.put_mailer(id, mailer).await.unwrap();
            assert_eq!((send().await, send().await), (code, code), "{from}");
        }
        listed("shop.example", DomainRoles::SENDER).await.unwrap();
        assert_eq!(send().await, 414);
        listed("shop.example", DomainRoles::NONE).await.unwrap();
        assert_eq!(send().await, 200);
    }

    async fn a_stored_address_is_judged_by_its_domain_however_the_domain_is_written(store: Store) {
        let id = account(&store, 100, 100).await;
        let mut calls = Vec::new();
        for (email, code) in [
            ("a@Mail.BAD.example", 416),
            ("b@bücher.example", 416),
            ("c@www.BÜCHER.example", 416),
            ("d@mail。bad.example", 416),
            ("e@xn--bcher-kva.example", 416),
            ("f@notbad.example", 200),
            ("g@bad.example.reader.example", 200),
            ("h@reader.example", 200),
        ] {
            let subscriber = subscriber(&store, id, email).await;
            calls.push((json!({"apiKey": "secret", "mailerID": 42, "subID": subscriber}), code));
        }
        let send = async |body: &serde_json::Value| decide(store.clone(), call(Operation::SendMailer, body)).await;
        for (body, _) in &calls {
            assert_eq!(send(body).await, 200, "{body}");
        }
        for name in ["bad.example", "bücher.example"] {
            store.set_blacklisted(Domain::parse(name).unwrap(), DomainRoles::RECIPIENT).await.unwrap();
        }
        // Each alone, and all at once.
        for (body, code) in &calls {
            assert_eq!(send(body).await, *code, "{body}");
        }
        let mut tasks = tokio::task::JoinSet::new();
        for (body, code) in calls {
            let decided = decide(store.clone(), call(Operation::SendMailer, &body));
            tasks.spawn(async move { (decided.await, code) });
        }
        for (decided, code) in tasks.join_all().await {
            assert_eq!(decided, code);
        }
    }

    async fn of_thousands_of_domains_each_is_found_on_the_blacklist(store: Store) {
        account(&store, 100, 100).await;
        for (listed, code) in [("h0", 413), ("h4999", 413), ("h5999", 413), ("h6000", 200)] {
            let listed = Domain::parse(&format!("{listed}.link.example")).unwrap();
            store.set_blacklisted(listed.clone(), DomainRoles::CONTENT).await.unwrap();
            let decided = decide(store.clone(), many_hosts("a@reader.example")).await;
            assert_eq!(decided, code, "{listed:?}");
            store.set_blacklisted(listed, DomainRoles::NONE).await.unwrap();
        }
    }

    async fn after_a_conflict_the_first_domains_are_looked_up_once_more_and_the_others_are_known(store: Store) {
        let id = account(&store, 100, 100).await;
        let mut readers = 0;
        for is_large in [false, true] {
            for (listed, code) in [("h6000", 200), ("h5999", 200), ("h0", 413)] {
                readers += 1;
                let to = format!("new{readers}@reader.example");
                let mut call = many_hosts(&to);
                let (work, domains) = planned(&store, &mut call, None).await.unwrap();
                assert!(!domains.is_empty());
                assert_eq!(decide(store.clone(), send_mailer(&to)).await, 200);
                let conflict = Conflict::SubscriberExists;
                assert_eq!(store.commit(work).await, Err(StoreError::Conflict(conflict)));
                call.answer_commit(Commit::Conflict(conflict)).unwrap();
                let listed = Domain::parse(&format!("{listed}.link.example")).unwrap();
                store.set_blacklisted(listed.clone(), DomainRoles::CONTENT).await.unwrap();
                let again = Again {
                    call,
                    key: KeyHash::of(KEY),
                    account: id,
                    is_large,
                    id: CallId::random().unwrap(),
                    record: None,
                    domains,
                    journal: Journal::default(),
                };
                let turned = store.in_turn(again).await.unwrap();
                let decided = turned.call.decision().unwrap().code().unwrap().number();
                assert_eq!(decided, code, "{listed:?}");
                store.set_blacklisted(listed, DomainRoles::NONE).await.unwrap();
            }
        }
    }

    async fn another_account_sees_nothing_of_it(store: Store) {
        let id = account(&store, 100, 100).await;
        let other = store.create_account("Other".to_owned(), franking::Account::default(), "tests".into()).await.unwrap();
        let key = KeyHash::of("other");
        store.add_key(other, key, None).await.unwrap();
        let subscriber = subscriber(&store, id, "a@reader.example").await;
        let body = json!({"apiKey": "other", "mailerID": 42, "subID": subscriber});
        assert_eq!(decide(store.clone(), call(Operation::SendMailer, &body)).await, 454);
        let body = json!({"apiKey": "other", "mailerID": 42, "email": "b@reader.example"});
        assert_eq!(decide(store.clone(), call(Operation::SendMailer, &body)).await, 442);
        let body = json!({"apiKey": "none", "mailerID": 42, "subID": subscriber});
        assert_eq!(decide(store.clone(), call(Operation::SendMailer, &body)).await, 403);
    }

    async fn calls_at_once_are_each_answered_by_what_their_own_account_holds(store: Store) {
        let id = account(&store, 1000, 1000).await;
        let other = store.create_account("Other".to_owned(), franking::Account::default(), "tests".into()).await.unwrap();
        let key = KeyHash::of("other");
        store.add_key(other, key, None).await.unwrap();
        let from = Address::parse("news@other.example").unwrap();
        let template = Template::parse("Hello".to_owned(), "Hello".to_owned(), None).unwrap();
        let mailer = NewMailer { id: Some(7), from: from.clone(), from_name: None, template, unsubscribe: None };
        store.put_sender(other, from, true).await.unwrap();
        store.put_mailer(other, mailer).await.unwrap();
        // Each account numbers its own subscribers from 1. The other account does not reach this id with the subscribers
        // that its calls create.
        let listed = NewSubscriber {
            id: Some(1_000_000),
            email: Address::parse("x@bad.example").unwrap(),
            inactive: false,
        };
        let listed = store.put_subscriber(id, listed).await.unwrap();
        let name = Domain::parse("bad.example").unwrap();
        store.set_blacklisted(name, DomainRoles::RECIPIENT).await.unwrap();
        // A body, and the code that answers it alone.
        let sorts = [
            (json!({"apiKey": "secret", "mailerID": 42, "email": "a@reader.example"}), 200),
            (json!({"apiKey": "other", "mailerID": 7, "email": "a@reader.example"}), 200),
            (json!({"apiKey": "other", "mailerID": 42, "email": "a@reader.example"}), 442),
            (json!({"apiKey": "secret", "mailerID": 7, "email": "a@reader.example"}), 442),
            (json!({"apiKey": "secret", "mailerID": 42, "subID": listed}), 416),
            (json!({"apiKey": "other", "mailerID": 7, "subID": listed}), 454),
            (json!({"apiKey": "none", "mailerID": 42, "email": "a@reader.example"}), 403),
        ];
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..140 {
            let (mut body, code) = sorts[number % sorts.len()].clone();
            if let Some(email) = body.get_mut("email") {
                *email = json!(format!("a{number}@reader.example"));
            }
            let decided = decide(store.clone(), call(Operation::SendMailer, &body));
            tasks.spawn(async move { (decided.await, code) });
        }
        for (decided, expected) in tasks.join_all().await {
            assert_eq!(decided, expected);
        }
    }
}
