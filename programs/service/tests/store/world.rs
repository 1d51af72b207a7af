//! An account with which tests call, and its calls.

use std::sync::Arc;

use franking::{Account, Call, Commit, DomainRoles, Operation, Policy, Step};
use franking_service::mail::Template;
use franking_service::store::{
    AccountId, Address, Again, Asked, CallId, CallRow, Committed, DOMAINS_AT_ONCE, Journal,
    KeyHash, NewMailer, NewSubscriber, Record, Store, StoreError, Work,
};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "secret";

/// An account with a sender and a stored email with the number 42.
pub(crate) async fn account(store: &Arc<dyn Store>, subscriber: i64, email: i64) -> AccountId {
    let credits = Account {
        subscriber_credit: Some(subscriber),
        email_credit: Some(email),
        ..Account::default()
    };
    let account = store
        .create_account("Shop".to_owned(), credits, "tests".to_owned())
        .await
        .unwrap();
    store
        .add_key(account, KeyHash::of(KEY), None)
        .await
        .unwrap();
    let from = Address::parse("news@shop.example").unwrap();
    store.put_sender(account, from.clone(), true).await.unwrap();
    let mailer = NewMailer {
        unsubscribe: None,
        id: Some(42),
        from,
        from_name: Some("The Shop".to_owned()),
        template: Template::parse("Hello".to_owned(), "<p>Hello</p>".to_owned(), None).unwrap(),
    };
    assert_eq!(store.put_mailer(account, mailer).await.unwrap(), 42);
    account
}

pub(crate) async fn subscriber(store: &Arc<dyn Store>, account: AccountId, email: &str) -> u64 {
    let subscriber = NewSubscriber {
        id: None,
        email: Address::parse(email).unwrap(),
        inactive: false,
    };
    store.put_subscriber(account, subscriber).await.unwrap()
}

pub(crate) async fn credits(store: &Arc<dyn Store>, account: AccountId) -> (i64, i64) {
    let accounts = store.accounts().await.unwrap();
    let account = accounts
        .iter()
        .find(|row| row.id == account)
        .unwrap()
        .account;
    (
        account.subscriber_credit.unwrap(),
        account.email_credit.unwrap(),
    )
}

/// The row of a call in the database.
pub(crate) async fn stored(
    store: &Arc<dyn Store>,
    account: AccountId,
    id: CallId,
) -> Option<CallRow> {
    let calls = store.calls(account).await.unwrap();
    let found = calls.into_iter().find(|(stored, _)| *stored == id);
    found.map(|(_, row)| row)
}

/// A call of sendMailer to an address.
pub(crate) fn send_mailer(email: &str) -> Call<'static> {
    call(
        Operation::SendMailer,
        &json!({"apiKey": KEY, "mailerID": 42, "email": email}),
    )
}

/// A call of httpSendMail with one request to these addresses.
pub(crate) fn http_send_mail(to: &[String]) -> Call<'static> {
    let request = json!({"subject": "Hello", "body": "%3Cp%3EHello%3C%2Fp%3E", "from": "news@shop.example",
        "to": to.join(",")});
    call(
        Operation::HttpSendMail,
        &json!({"ApiKey": KEY, "requests": [request]}),
    )
}

pub(crate) fn call(operation: Operation, body: &Value) -> Call<'static> {
    Call::new(
        &Policy::default(),
        operation,
        "POST",
        body.to_string().into_bytes(),
    )
}

/// Answers a call up to its commit. `None` when it is decided without a commit.
pub(crate) async fn to_commit(
    store: &Arc<dyn Store>,
    call: &mut Call<'_>,
    record: Option<Record>,
) -> Option<Work> {
    let planned = planned(store, call, record).await;
    planned.map(|(work, _)| work)
}

/// As [`to_commit`]. Returns the answers about the domains beyond those that are looked up at once as well.
pub(crate) async fn planned(
    store: &Arc<dyn Store>,
    call: &mut Call<'_>,
    record: Option<Record>,
) -> Option<(Work, Vec<DomainRoles>)> {
    let (mut account, mut mailer_revision) = (None, None);
    let mut more = Vec::new();
    loop {
        match call.step() {
            Step::Account(question) => {
                let found = store.account(KeyHash::of(&question.key())).await.unwrap();
                account = found.map(|found| found.id);
                call.answer_account(found.map(|found| found.account))
                    .unwrap();
            }
            Step::Facts(questions) => {
                let asked = Asked::of(&questions);
                let mut found = store.facts(account.unwrap(), asked).await.unwrap();
                mailer_revision = found.mailer_revision;
                let domains = &mut found.facts.domains;
                while let Some(asked) = Asked::more(&questions, domains.len()) {
                    let next = store.facts(account.unwrap(), asked).await.unwrap();
                    domains.extend(next.facts.domains);
                }
                more = domains.get(DOMAINS_AT_ONCE..).unwrap_or_default().to_vec();
                call.answer_facts(found.facts).unwrap();
            }
            Step::Commit(_) => {
                call.begin_commit().unwrap();
                let id = CallId::random().unwrap();
                let work = Work::of(call, account.unwrap(), id, mailer_revision, record);
                return Some((work.unwrap(), more));
            }
            Step::Done(_) => return None,
        }
    }
}

/// Decides a call as the service does: step by step, and after a conflict in its turn if the store has turns. Returns the
/// code.
pub(crate) async fn decide(store: Arc<dyn Store>, mut call: Call<'static>) -> u16 {
    loop {
        let Some(work) = to_commit(&store, &mut call, None).await else {
            return call.decision().unwrap().code().unwrap().number();
        };
        let (id, account, is_large) = (work.id(), work.account(), work.is_large());
        match store.commit(work).await {
            Ok(Committed::Done) => call
                .answer_commit(Commit::Done {
                    transaction_id: id.number(),
                })
                .unwrap(),
            Err(StoreError::Conflict(conflict)) => {
                call.answer_commit(Commit::Conflict(conflict)).unwrap();
                call = turn(&store, call, account, is_large).await;
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Gives a turn to a call that waits for its account.
pub(crate) async fn turn(
    store: &Arc<dyn Store>,
    call: Call<'static>,
    account: AccountId,
    is_large: bool,
) -> Call<'static> {
    if !matches!(call.step(), Step::Account(_)) {
        return call;
    }
    let again = Again {
        call,
        key: KeyHash::of(KEY),
        account,
        is_large,
        id: CallId::random().unwrap(),
        record: None,
        domains: Vec::new(),
        journal: Journal::default(),
    };
    store.in_turn(again).await.unwrap().call
}
