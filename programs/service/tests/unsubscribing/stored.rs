//! Readers who unsubscribe while their emails are on the way, in the store.

use std::sync::Arc;
use std::time::Duration;

use franking::Conflict;
use franking_service::mail::{Composer, MailSettings, Template};
use franking_service::outcomes::{KEY_BYTES, SignedNumbers, SigningKey, UnsubscribeLinks};
use franking_service::store::{
    Address, Ask, Claimed, NewMailer, Store, StoreError, Unsendable, UnsubscribeScope,
    Unsubscription,
};

use crate::databases::on_both;
use crate::shop::{ASK, Shop};
use crate::world::{call, to_commit};

const READER: &str = "reader@example.org";

/// Stores an email with the service's own List-Unsubscribe, or without one.
async fn put(shop: &Shop, unsubscribe: Option<UnsubscribeScope>) {
    let mailer = NewMailer {
        id: Some(43),
        from: Address::parse("news@shop.example").unwrap(),
        from_name: None,
        template: Template::parse("Hello".into(), "<p>Hello".into(), None).unwrap(),
        unsubscribe,
    };
    shop.store.put_mailer(shop.account, mailer).await.unwrap();
}

/// All queued deliveries. They can be claimed again at once.
async fn claimed(store: &Arc<dyn Store>) -> Vec<Claimed> {
    let lease = Duration::ZERO;
    let batch = store.claim_batch(Ask { lease, ..ASK }, Vec::new());
    batch.await.unwrap().deliveries
}

fn composed(claimed: &Claimed) -> Vec<u8> {
    let numbers = SignedNumbers::new(SigningKey::new(1, &[7; KEY_BYTES]), Vec::new());
    let base = "https://mail.example.com".parse().unwrap();
    let links = UnsubscribeLinks::new(base, numbers);
    let settings = MailSettings {
        unsubscribe_links: Some(Arc::new(links)),
        ..MailSettings::default()
    };
    let composer = Composer::new(&settings).unwrap();
    let email = composer
        .compose(claimed.delivery.as_ref().unwrap())
        .unwrap();
    email.bytes().to_vec()
}

on_both! {
    async fn a_reader_who_unsubscribes_between_facts_and_commit_gets_no_email(store: Store) {
        let shop = Shop::open(&store, "a").await;
        put(&shop, Some(UnsubscribeScope::Mailer)).await;
        shop.send_mailer(43, READER).await;
        let first = claimed(&store).await.remove(0).lease.delivery;
        let body = serde_json::json!({"apiKey": shop.key, "mailerID": 43, "email": READER});
        let other = serde_json::json!({"apiKey": shop.key, "mailerID": 42, "email": READER});
        let mut late = call(franking::Operation::SendMailer, &body);
        let late = to_commit(&store, &mut late, None).await.unwrap();
        let mut other = call(franking::Operation::SendMailer, &other);
        let other = to_commit(&store, &mut other, None).await.unwrap();
        assert_eq!(store.unsubscribe(first).await, Ok(Unsubscription::New));
        assert_eq!(store.unsubscribe(first).await, Ok(Unsubscription::Repeated));
        let (late, other) = (store.commit(late), store.commit(other));
        assert_eq!(late.await, Err(StoreError::Conflict(Conflict::SubscriberInactive)));
        assert!(other.await.is_ok());
    }

    async fn what_is_accepted_and_not_sent_yet_stops_with_its_reader(store: Store) {
        let shop = Shop::open(&store, "a").await;
        put(&shop, Some(UnsubscribeScope::Mailer)).await;
        shop.send_mailer(43, READER).await;
        shop.send_mailer(42, READER).await;
        shop.send("<p>News</p>", &[READER.to_owned()]).await;
        let all = claimed(&store).await;
        assert_eq!(all.len(), 3);
        let first = all.iter().map(|one| one.lease.delivery).min().unwrap();
        assert_eq!(store.unsubscribe(first).await, Ok(Unsubscription::New));
        let all = claimed(&store).await;
        assert_eq!(all.len(), 3);
        for one in all {
            let stops = matches!(one.delivery, Err(Unsendable::Inactive));
            assert_eq!(stops, one.lease.delivery == first);
        }
    }

    async fn an_accepted_email_is_sent_again_byte_for_byte_whatever_changes(store: Store) {
        let shop = Shop::open(&store, "a").await;
        put(&shop, Some(UnsubscribeScope::Mailer)).await;
        shop.send_mailer(43, READER).await;
        let first = composed(&claimed(&store).await[0]);
        let text = String::from_utf8(first.clone()).unwrap();
        assert!(text.contains("List-Unsubscribe:\r\n <https://mail.example.com/unsubscribe/"), "{text}");
        put(&shop, None).await;
        assert_eq!(composed(&claimed(&store).await[0]), first);
        // The link of the email still unsubscribes its reader.
        let delivery = claimed(&store).await[0].lease.delivery;
        assert_eq!(store.unsubscribe(delivery).await, Ok(Unsubscription::New));
    }

    async fn an_email_without_the_link_unsubscribes_nobody(store: Store) {
        let shop = Shop::open(&store, "a").await;
        shop.send_mailer(42, READER).await;
        let delivery = claimed(&store).await[0].lease.delivery;
        for unknown in [delivery, delivery + 1, i64::MAX] {
            assert_eq!(store.has_unsubscribe(unknown).await, Ok(false));
            assert_eq!(store.unsubscribe(unknown).await, Ok(Unsubscription::Unknown));
        }
        assert_eq!(store.unsubscribed(shop.account, i64::MAX, 10).await, Ok(Vec::new()));
    }
}
