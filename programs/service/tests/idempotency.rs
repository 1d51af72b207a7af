//! Calls with an `Idempotency-Key`: their effect happens once.

use std::sync::Mutex;
use std::thread;

use crate::returned::wait;
use crate::support::database::on_both;
use crate::support::{Answer, Service, http_send_mail, send_mailer};

fn call(service: &Service, key: &str, body: &[u8]) -> Answer {
    service.post("/v4/sendMailer", &[("Idempotency-Key", key)], body)
}

on_both! {
    fn keys_older_than_a_day_are_deleted_and_younger_ones_answer_still(database: &Database) {
        let service = database.serve(&[]);
        let body = |number: usize| send_mailer(&format!("a{number}@customer.example"));
        let first = call(&service, "k0", &body(0));
        let copies = 1200;
        for number in 1..3 {
            call(&service, &format!("k{number}"), &body(number));
        }
        service.end();
        // These old keys are more than one batch.
        let copied = database.execute(
            "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
             INSERT INTO idempotency (account, key, call, digest, answer, created)
             SELECT account, 'copy' || n, call, digest, answer, unixepoch() - 86401
             FROM idempotency, n WHERE key = 'k1'",
            "INSERT INTO idempotency (account, key, call, digest, answer, created)
             SELECT account, 'copy' || n, call, digest, answer, clock_timestamp() - interval '86401 seconds'
             FROM idempotency, generate_series(1, 1200) n WHERE key = 'k1'",
        );
        assert_eq!(copied, copies);
        database.execute(
            "UPDATE idempotency SET created = unixepoch() - 86401 WHERE key = 'k1'",
            "UPDATE idempotency SET created = clock_timestamp() - interval '86401 seconds' WHERE key = 'k1'",
        );
        database.execute(
            "UPDATE idempotency SET created = unixepoch() - 86000 WHERE key = 'k0'",
            "UPDATE idempotency SET created = clock_timestamp() - interval '86000 seconds' WHERE key = 'k0'",
        );
        let service = database.serve(&[]);
        let every = "SELECT count(*) FROM idempotency";
        wait("old keys are not deleted", || database.number(every) <= 2);
        assert_eq!(database.number(every), 2);
        assert_eq!(call(&service, "k0", &body(0)).body, first.body);
        let anew = call(&service, "k1", &body(1));
        assert_eq!((anew.code(), anew.header("idempotent-replayed")), (Some(200), None));
    }

    fn a_repeated_call_gets_the_first_answer_and_changes_nothing(database: &Database) {
        let service = database.serve(&[]);
        let body = send_mailer("a@customer.example");
        let first = call(&service, "k", &body);
        assert_eq!(first.header("idempotent-replayed"), None);
        for _ in 0..3 {
            let again = call(&service, "k", &body);
            assert_eq!(again.body, first.body);
            assert_eq!(again.header("idempotent-replayed"), Some("true"));
            assert_eq!(again.header("content-type"), Some("application/json"));
        }
        assert_ne!(call(&service, "another", &body).body, first.body);
        service.end();
        // The next process knows the key as well.
        let service = database.serve(&[]);
        assert_eq!(call(&service, "k", &body).body, first.body);
        service.end();
        assert_eq!(database.calls().len(), 2);
    }

    fn a_key_whose_day_is_over_is_that_of_the_next_call_that_has_it(database: &Database) {
        let service = database.serve(&[]);
        let [first, next] = ["a", "b"].map(|name| send_mailer(&format!("{name}@customer.example")));
        assert_eq!(call(&service, "k", &first).code(), Some(200));
        database.execute(
            "UPDATE idempotency SET created = unixepoch() - 86401",
            "UPDATE idempotency SET created = clock_timestamp() - interval '86401 seconds'",
        );
        let anew = call(&service, "k", &next);
        assert_eq!((anew.code(), anew.header("idempotent-replayed")), (Some(200), None));
        let again = call(&service, "k", &next);
        assert_eq!((&again.body, again.header("idempotent-replayed")), (&anew.body, Some("true")));
        assert_eq!(call(&service, "k", &first).status, 422);
    }

    fn the_key_of_another_call_is_422(database: &Database) {
        let service = database.serve(&[]);
        call(&service, "k", &send_mailer("a@customer.example"));
        let answer = call(&service, "k", &send_mailer("b@customer.example"));
        assert_eq!((answer.status, answer.code()), (422, None));
        let headers = [("Idempotency-Key", "k")];
        let body = http_send_mail("a@customer.example");
        assert_eq!(
            service.post("/v4/httpSendMail", &headers, &body).status,
            422
        );
        service.end();
        assert_eq!(database.calls().len(), 1);
    }

    fn refusals_are_judged_anew(database: &Database) {
        let service = database.serve(&[]);
        for _ in 0..2 {
            let answer = call(&service, "k", &send_mailer("none"));
            assert_eq!(answer.code(), Some(412));
            assert_eq!(answer.header("idempotent-replayed"), None);
        }
        let accepted = call(&service, "k", &send_mailer("a@customer.example"));
        assert_eq!(accepted.code(), Some(200));
    }

    fn a_malformed_key_is_400_for_those_who_are_known(database: &Database) {
        let service = database.serve(&[]);
        let body = send_mailer("a@customer.example");
        let long = "k".repeat(256);
        for key in ["", "caf\u{e9}", "a\tb", &long] {
            assert_eq!(call(&service, key, &body).status, 400, "{key:?}");
            let unknown = br#"{"apiKey":"another","mailerID":42}"#;
            assert_eq!(call(&service, key, unknown).code(), Some(403));
        }
        let twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "a")];
        assert_eq!(service.post("/v4/sendMailer", &twice, &body).status, 400);
        let longest = "k".repeat(255);
        assert_eq!(call(&service, &longest, &body).code(), Some(200));
    }

    fn of_calls_at_once_with_one_key_one_is_carried_out(database: &Database) {
        let service = database.serve(&[]);
        let body = send_mailer("a@customer.example");
        let answers: Vec<Answer> = thread::scope(|scope| {
            let running: Vec<_> = (0..32)
                .map(|_| scope.spawn(|| call(&service, "k", &body)))
                .collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let accepted: Vec<_> = answers.iter().filter(|one| one.status == 200).collect();
        let first = accepted.first().unwrap();
        assert!(accepted.iter().all(|one| one.body == first.body));
        let anew = accepted
            .iter()
            .filter(|one| one.header("idempotent-replayed").is_none());
        assert_eq!(anew.count(), 1);
        let is_known = |one: &Answer| one.status == 200 || one.status == 409;
        assert!(answers.iter().all(is_known));
        service.end();
        assert_eq!(database.calls().len(), 1);
    }

    fn a_key_that_is_held_is_409_until_its_call_has_ended(database: &Database) {
        let service = database.serve(&[]);
        let body = send_mailer("a@customer.example");
        // No call can be committed until one of the two has been refused.
        let lock = Mutex::new(Some(database.lock_writing()));
        let mut statuses: Vec<u16> = thread::scope(|scope| {
            let running: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let answer = call(&service, "k", &body);
                        drop(lock.lock().unwrap().take());
                        answer.status
                    })
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let again = call(&service, "k", &body);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
    }
}
