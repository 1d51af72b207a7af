//! How the answers of a mail server are read.

use franking_service::mail::{Smtp, Transport as _};

use super::faults::{Is, at_each, kind, reason};
use super::scripted::{At, Does, Server};
use super::support::{compose, delivery, runtime, smtp, valid};

#[test]
fn an_answer_counts_by_its_first_digit() {
    let places = [At::Greeting, At::Mail, At::Rcpt, At::End];
    let answer = Does::Say("299 2.0.0 fine");
    runtime().block_on(at_each(&places, answer, Is::Delivered));
}

#[test]
fn an_answer_to_the_message_that_is_too_long_counts_by_its_code() {
    runtime().block_on(async {
        for (code, is) in [
            ("250", Is::Delivered),
            ("450", Is::Deferred),
            ("550", Is::Refused),
        ] {
            let line = format!("{code}-{}\r\n", "x".repeat(500));
            let long = format!("{}{code} end", line.repeat(20));
            let server = Server::start(At::End, Does::Say(long.leak()), 1).await;
            let smtp = Smtp::new(&smtp(server.port)).unwrap();
            let outcome = smtp.send(compose(&delivery(1)), valid()).await;
            assert_eq!(kind(&outcome), is, "{outcome:?}");
            assert!(reason(&outcome).starts_with(code), "{outcome:?}");
            // The rest of the answer is not taken for an answer about the next email.
            let outcome = smtp.send(compose(&delivery(2)), valid()).await;
            assert_eq!(kind(&outcome), Is::Delivered, "{code} {outcome:?}");
            let seen = server.seen.lock().unwrap();
            assert_eq!((seen.connections, seen.messages.len()), (2, 2));
        }
    });
}
