//! Three processes over one PostgreSQL: whatever their clients send at the same time, they behave like one process.

use std::thread;

use crate::support::database::Database;
use crate::support::{Answer, KEY, Service, http_send_mail, runtime, send_mailer, world};

const CREDIT: u64 = 40;

/// Sends 48 calls at once, in turns to each of the services. On a busy machine a database may make a call wait for too long:
/// where the answer says that nothing was done, the client sends the call again.
fn send(
    services: &[Service],
    call: impl Fn(usize) -> (&'static str, Vec<u8>, &'static str) + Sync,
) -> Vec<Answer> {
    thread::scope(|scope| {
        let running: Vec<_> = (0..48)
            .map(|number| {
                let (service, call) = (&services[number % services.len()], &call);
                scope.spawn(move || {
                    let (path, body, key) = call(number);
                    let key = [("Idempotency-Key", key)];
                    let key = if key[0].1.is_empty() { &key[..0] } else { &key };
                    let send = |_| service.post(path, key, &body);
                    let mut answers = (0..10).map(send);
                    answers
                        .find(|answer| !answer.is_undone())
                        .expect("a call that is decided at last")
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn processes_create_one_subscriber_spend_the_last_credits_once_and_keep_a_key_once() {
    let mut world = world("world.json");
    world["accounts"][KEY]["email_credit"] = CREDIT.into();
    world["accounts"][KEY]["subscriber_credit"] = CREDIT.into();
    let Some(database) = Database::postgres(&world) else {
        return;
    };
    let services: Vec<Service> = (0..3).map(|_| database.serve(&[])).collect();

    // One call with one key is carried out once.
    let answers = send(&services, |_| {
        ("/v4/sendMailer", send_mailer("key@customer.example"), "k")
    });
    let accepted: Vec<_> = answers.iter().filter(|one| one.status == 200).collect();
    assert!(
        answers.iter().all(|one| [200, 409].contains(&one.status)),
        "{answers:?}"
    );
    assert!(accepted.iter().all(|one| one.body == accepted[0].body));
    let is_first = |one: &&&Answer| one.header("idempotent-replayed").is_none();
    assert_eq!(accepted.iter().filter(is_first).count(), 1);

    // The calls have the same new addresses in opposite orders, and more emails than there are credits.
    let answers = send(&services, |number| {
        let (one, other) = ("a@customer.example", "b@customer.example");
        match number % 3 {
            0 => ("/v4/sendMailer", send_mailer(one), ""),
            1 => (
                "/v4/httpSendMail",
                http_send_mail(&format!("{one},{other}")),
                "",
            ),
            _ => (
                "/v4/httpSendMail",
                http_send_mail(&format!("{other},{one}")),
                "",
            ),
        }
    });
    let codes: Vec<_> = answers.iter().filter_map(Answer::code).collect();
    assert_eq!(codes.len(), 48, "{answers:?}");
    assert!(
        codes.iter().all(|code| [200, 445].contains(code)),
        "{codes:?}"
    );
    for service in services {
        assert_eq!(service.end().0, Some(0));
    }

    let accepted = codes.iter().filter(|code| **code == 200).count();
    let calls = database.calls();
    assert_eq!(calls.len(), accepted + 1);
    let sum = |of: fn(&franking_service::store::CallRow) -> u64| calls.iter().map(of).sum::<u64>();
    let (emails, subscribers) = (sum(|row| row.emails), sum(|row| row.subscribers));
    assert_eq!(sum(|row| row.deliveries), emails);
    assert!(emails <= CREDIT);
    let accounts = runtime().block_on(async { database.store().await.accounts().await.unwrap() });
    let account = accounts[0].account;
    assert_eq!(
        account.email_credit.unwrap().unsigned_abs(),
        CREDIT - emails
    );
    assert_eq!(
        account.subscriber_credit.unwrap().unsigned_abs(),
        CREDIT - subscribers
    );
    // One subscriber is from the world.
    let stored = database.number("SELECT count(*) FROM subscribers");
    assert_eq!(stored.unsigned_abs(), subscribers + 1);
    assert!(subscribers <= 3);
}
