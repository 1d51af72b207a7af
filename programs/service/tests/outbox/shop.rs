//! Accounts with emails to send.

use std::sync::Arc;

use franking::{Account, Operation};
use franking_service::mail::Template;
use franking_service::store::{
    AccountId, Address, Ask, Committed, KeyHash, NewMailer, Store, Which,
};
use serde_json::{Value, json};

use crate::world::{call, to_commit};
use std::time::Duration;

/// The request for a batch, in tests to which its size does not matter.
pub(crate) const ASK: Ask = Ask {
    most: 100,
    bytes: 1 << 20,
    longer: true,
    lease: Duration::from_secs(600),
};

/// An account that sends.
#[derive(Clone)]
pub(crate) struct Shop {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) account: AccountId,
    pub(crate) key: String,
}

impl Shop {
    pub(crate) async fn open(store: &Arc<dyn Store>, name: &str) -> Self {
        let account = store
            .create_account(name.to_owned(), Account::default(), "tests".to_owned())
            .await
            .unwrap();
        let key = format!("key of {name}");
        store
            .add_key(account, KeyHash::of(&key), None)
            .await
            .unwrap();
        let from = Address::parse("news@shop.example").unwrap();
        store.put_sender(account, from, true).await.unwrap();
        let shop = Self {
            store: store.clone(),
            account,
            key,
        };
        shop.mailer(42, "Hello", "<p>Hello {{ firstName }}</p>")
            .await;
        shop
    }

    /// Stores an email.
    pub(crate) async fn mailer(&self, id: u64, subject: &str, html: &str) {
        let url = Some("https://shop.example/bye?of={{ extra2 }}");
        self.mailer_with(id, subject, html, url).await;
    }

    /// Stores an email with this List-Unsubscribe.
    pub(crate) async fn mailer_with(&self, id: u64, subject: &str, html: &str, url: Option<&str>) {
        let mailer = NewMailer {
            unsubscribe: None,
            id: Some(id),
            from: Address::parse("news@shop.example").unwrap(),
            from_name: Some("The Shop".to_owned()),
            template: Template::parse(subject.to_owned(), html.to_owned(), url.map(str::to_owned))
                .unwrap(),
        };
        self.store.put_mailer(self.account, mailer).await.unwrap();
    }

    /// Accepts an httpSendMail call to these addresses. Returns its deliveries.
    pub(crate) async fn send(&self, html: &str, to: &[String]) -> Which {
        let html: String = html.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let request = json!({"subject": "News", "body": html, "from": "news@shop.example", "to": to.join(",")});
        let body = json!({"ApiKey": self.key, "requests": [request]});
        self.commit(Operation::HttpSendMail, &body).await
    }

    /// Accepts an httpSendMail call from this sender.
    pub(crate) async fn send_from(&self, from: &str, to: &[String]) -> Which {
        let request =
            json!({"subject": "News", "body": "%3Cp%3E", "from": from, "to": to.join(",")});
        let body = json!({"ApiKey": self.key, "requests": [request]});
        self.commit(Operation::HttpSendMail, &body).await
    }

    /// Accepts `count` emails, each to another person at one domain.
    pub(crate) async fn send_many(&self, count: usize, domain: &str) -> Which {
        let to: Vec<String> = (0..count).map(|n| format!("reader{n}@{domain}")).collect();
        self.send("<p>News</p>", &to).await
    }

    /// Accepts a sendMailer call.
    pub(crate) async fn send_mailer(&self, mailer: u64, to: &str) -> Which {
        self.send_mailer_with(mailer, to, json!({"firstName": "Ada"}))
            .await
    }

    /// Accepts a sendMailer call with this personalization.
    pub(crate) async fn send_mailer_with(&self, mailer: u64, to: &str, mut body: Value) -> Which {
        body["apiKey"] = json!(self.key);
        body["mailerID"] = json!(mailer);
        body["email"] = json!(to);
        self.commit(Operation::SendMailer, &body).await
    }

    async fn commit(&self, operation: Operation, body: &Value) -> Which {
        let mut call = call(operation, body);
        let work = to_commit(&self.store, &mut call, None).await;
        let work = work.unwrap_or_else(|| panic!("{:?}", call.decision()));
        let id = work.id();
        assert_eq!(self.store.commit(work).await, Ok(Committed::Done));
        Which::Call(id)
    }
}

/// Statements for each database that add this number of copies of the first delivery, to 97 domains. Calls would take too
/// long to accept as many.
pub(crate) fn copies(count: i64) -> (String, String) {
    let insert = |numbers: &str| {
        format!(
            "INSERT INTO deliveries (call, account, message, subscriber, to_address)
             SELECT call, account, message, subscriber, 'r' || i || '@d' || (i % 97) || '.example'
             FROM {numbers} CROSS JOIN (SELECT * FROM deliveries ORDER BY id LIMIT 1) d"
        )
    };
    let of_sqlite = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) {}",
        insert("n")
    );
    (of_sqlite, insert(&format!("generate_series(1, {count}) i")))
}

/// A statement that queues deliveries which a test has added.
pub(crate) const QUEUE: &str = "INSERT INTO queue (delivery, account, traffic_class)
    SELECT id, account, 1 FROM deliveries
    WHERE state = 'queued' AND id NOT IN (SELECT delivery FROM queue)";

/// The numbers of deliveries that are queued, delivered and bounced.
pub(crate) async fn counts(store: &Arc<dyn Store>) -> (u64, u64, u64) {
    let queue = store.queue(u32::MAX).await.unwrap();
    let queued = queue.emails();
    let (mut delivered, mut bounced) = (0, 0);
    for account in store.accounts().await.unwrap() {
        for (_, call) in store.calls(account.id).await.unwrap() {
            delivered += call.delivered;
            bounced += call.bounced;
        }
    }
    (queued, delivered, bounced)
}

/// Waits until something is so.
pub(crate) async fn wait(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    for _ in 0..9_000 {
        if is_so().await {
            return;
        }
        // clock: how long that takes does not matter; a wait without an end fails a test, however late
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what}");
}

/// Waits until the outbox has these numbers.
pub(crate) async fn until(store: &Arc<dyn Store>, expected: (u64, u64, u64)) {
    let mut tries = 0;
    loop {
        let found = counts(store).await;
        if found == expected {
            return;
        }
        tries += 1;
        assert!(tries < 3000, "{found:?} did not become {expected:?}");
        // clock: how long that takes does not matter
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
