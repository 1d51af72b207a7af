//! What the failures of a mail server mean for the email, at every step of the dialogue.

use std::sync::Arc;
use std::time::Duration;

use franking_service::mail::{Delivery, Outcome, Smtp, SmtpSettings, Timeouts, Transport as _};

use super::scripted::{At, Does, Server};
use super::support::{compose, delivery, runtime, smtp, valid};
use crate::support::closed_port::ClosedPort;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Delivered,
    Refused,
    Deferred,
    Fault,
    SenderRefused,
    TooFast,
    Busy,
    Unanswered,
}

pub(super) fn kind(outcome: &Outcome) -> Is {
    match outcome {
        Outcome::Delivered { .. } => Is::Delivered,
        Outcome::Refused { .. } => Is::Refused,
        Outcome::Deferred { .. } => Is::Deferred,
        Outcome::TransportFault { .. } => Is::Fault,
        Outcome::SenderRefused { .. } => Is::SenderRefused,
        Outcome::TooFast { .. } => Is::TooFast,
        Outcome::Busy { .. } => Is::Busy,
        Outcome::Unanswered { .. } => Is::Unanswered,
    }
}

pub(super) fn reason(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Delivered { answer: reason }
        | Outcome::Refused { reason }
        | Outcome::Deferred { reason }
        | Outcome::TransportFault { reason }
        | Outcome::SenderRefused { reason }
        | Outcome::TooFast { reason }
        | Outcome::Busy { reason }
        | Outcome::Unanswered { reason } => reason.as_str(),
    }
}

/// The time limits of a transport. The limit of the step at which the server never answers is short. The other steps have
/// their time, because the server is as slow as the machine.
fn limits(at: At, does: Does) -> Timeouts {
    let mut limits = Timeouts::default();
    if does == Does::Stall {
        let step = match at {
            At::Greeting => &mut limits.greeting,
            At::Ehlo | At::Mail | At::SecondMail | At::Rcpt | At::Rset => &mut limits.command,
            At::Data => &mut limits.data,
            At::Message => &mut limits.block,
            At::End => &mut limits.end,
        };
        *step = Duration::from_millis(500);
    }
    limits
}

/// A server that never fails, and a transport to it.
async fn good() -> (Server, Smtp) {
    let server = Server::good().await;
    let smtp = Smtp::new(&smtp(server.port)).unwrap();
    (server, smtp)
}

async fn outcome(at: At, does: Does) -> Outcome {
    let server = Server::start(at, does, 1).await;
    // If the server fails within the message, the message has to be longer than the buffers of the connection.
    let times = if at == At::Message { 8 << 20 } else { 1 };
    let long = Delivery {
        html: "x".repeat(times).into(),
        ..delivery(1)
    };
    let settings = SmtpSettings {
        timeouts: limits(at, does),
        ..smtp(server.port)
    };
    let transport = Smtp::new(&settings).unwrap();
    transport.send(compose(&long), valid()).await
}

/// Sends an email for each of these places, at which the server does this. Fails unless each email ends in this way.
pub(super) async fn at_each(places: &[At], does: Does, is: Is) {
    for at in places.iter().copied() {
        let outcome = outcome(at, does).await;
        assert_eq!(kind(&outcome), is, "{at:?} {does:?} {outcome:?}");
    }
}

#[test]
fn a_refusal_bounces_from_rcpt_on_and_is_the_transports_fault_before() {
    let permanent = Does::Say("550 5.7.1 no, says <reader@customer.example>");
    runtime().block_on(async {
        for (at, is) in [
            (At::Greeting, Is::Fault),
            (At::Ehlo, Is::Fault),
            (At::Mail, Is::SenderRefused),
            (At::Rcpt, Is::Refused),
            (At::Data, Is::Refused),
            (At::End, Is::Refused),
        ] {
            let outcome = outcome(at, permanent).await;
            assert_eq!(kind(&outcome), is, "{at:?}");
            assert_eq!(reason(&outcome), "550 5.7.1 no, says <address>", "{at:?}");
        }
    });
}

#[test]
fn a_refusal_of_mail_bounces_where_the_server_says_that_it_is_of_this_email() {
    runtime().block_on(async {
        for (answer, is) in [
            ("550 no", Is::SenderRefused),
            ("550 5.7.1 not from you", Is::SenderRefused),
            ("550 5.7.0 no", Is::SenderRefused),
            ("553 5.1.8 bad sender address", Is::Refused),
            ("501 5.1.7 bad sender address", Is::Refused),
            ("552 5.3.4 too large", Is::Refused),
            ("553 5.6.7 not ASCII", Is::Refused),
        ] {
            let outcome = outcome(At::Mail, Does::Say(answer)).await;
            assert_eq!(kind(&outcome), is, "{answer}");
        }
    });
}

#[test]
fn who_has_to_authenticate_bounces_nobody_and_one_recipient_holds_up_nobody_else() {
    let asks = Does::Say("530 5.7.0 Authentication required");
    runtime().block_on(async {
        at_each(&[At::Mail], asks, Is::Fault).await;
        at_each(&[At::Rcpt, At::Data, At::End], asks, Is::Deferred).await;
    });
}

#[test]
fn what_may_pass_is_tried_again() {
    runtime().block_on(async {
        for at in [
            At::Greeting,
            At::Ehlo,
            At::Mail,
            At::Rcpt,
            At::Data,
            At::End,
        ] {
            for does in [
                Does::Say("450 4.2.0 later"),
                Does::SayAndDrop("421 4.3.2 going down"),
            ] {
                let outcome = outcome(at, does).await;
                let is_closing = matches!(does, Does::SayAndDrop(_));
                let is = match at {
                    At::Greeting | At::Ehlo => Is::Busy,
                    At::Mail if is_closing => Is::Busy,
                    _ => Is::Deferred,
                };
                assert_eq!(kind(&outcome), is, "{at:?} {does:?}");
                assert!(reason(&outcome).starts_with('4'), "{at:?} {does:?}");
            }
        }
    });
}

#[test]
fn a_lost_connection_is_tried_again_and_after_the_final_dot_with_a_warning() {
    runtime().block_on(async {
        for at in [
            At::Greeting,
            At::Ehlo,
            At::Mail,
            At::Rcpt,
            At::Data,
            At::Message,
            At::End,
        ] {
            for does in [
                Does::Drop,
                Does::Stall,
                Does::Say("what?"),
                Does::Say("999 no code"),
                Does::Say("\u{1b}[2J\0\u{202e}"),
                Does::Say("250\u{ff}ok"),
                Does::Say("199 hm"),
                Does::SayAndDrop("250-a"),
                Does::Say("354 go on and on"),
                Does::Say(""),
            ] {
                let is_good = at == At::Data && does == Does::Say("354 go on and on");
                // A line that the server says during the message is read as the answer to the final dot.
                let is_said =
                    at == At::Message && matches!(does, Does::Say(_) | Does::SayAndDrop(_));
                if is_good || is_said {
                    continue;
                }
                let outcome = outcome(at, does).await;
                let is = match at {
                    At::Greeting | At::Ehlo => Is::Busy,
                    At::End => Is::Unanswered,
                    _ => Is::Deferred,
                };
                assert_eq!(kind(&outcome), is, "{at:?} {does:?} {outcome:?}");
                assert!(!reason(&outcome).contains(|c: char| c.is_control()));
            }
        }
    });
}

#[test]
fn a_server_that_cannot_be_reached_bounces_nobody() {
    runtime().block_on(async {
        let closed = ClosedPort::any();
        let outcome = Smtp::new(&smtp(closed.port()))
            .unwrap()
            .send(compose(&delivery(1)), valid())
            .await;
        assert_eq!(kind(&outcome), Is::Busy);
        let unknown = SmtpSettings {
            host: "nowhere.invalid".into(),
            ..smtp(25)
        };
        let outcome = Smtp::new(&unknown)
            .unwrap()
            .send(compose(&delivery(1)), valid())
            .await;
        assert_eq!(kind(&outcome), Is::Busy);
    });
}

#[test]
fn mail_that_comes_too_fast_slows_its_own_account_and_domain() {
    runtime().block_on(async {
        for text in [
            "450 4.7.28 flood",
            "451 Rate limit exceeded",
            "452 too many messages",
        ] {
            at_each(&[At::Rcpt, At::End], Does::Say(text), Is::TooFast).await;
        }
    });
}

#[test]
fn without_a_valid_lease_the_final_dot_is_not_sent() {
    runtime().block_on(async {
        let (server, smtp) = good().await;
        let seen = Arc::clone(&server.seen);
        let not_valid = Box::pin(async move {
            // The lease is checked when only the final dot is left to send.
            let commands = seen.lock().unwrap().commands.clone();
            assert_eq!(commands.last().map(String::as_str), Some("DATA"));
            false
        });
        let outcome = smtp.send(compose(&delivery(1)), not_valid).await;
        assert_eq!(kind(&outcome), Is::Deferred);
        let outcome = smtp.send(compose(&delivery(2)), valid()).await;
        assert_eq!(kind(&outcome), Is::Delivered);
        let seen = server.seen.lock().unwrap();
        assert_eq!((seen.messages.len(), seen.connections), (1, 2));
    });
}

#[test]
fn a_connection_serves_many_emails_and_outlives_a_refusal() {
    runtime().block_on(async {
        for (at, answer, times) in [
            (At::Rcpt, "550 5.1.1 unknown", 10),
            (At::End, "550 5.7.1 spam", 10),
            (At::Mail, "450 4.1.8 later", 10),
        ] {
            let server = Server::start(at, Does::Say(answer), times).await;
            let smtp = Smtp::new(&smtp(server.port)).unwrap();
            for id in 0..5 {
                let outcome = smtp.send(compose(&delivery(id)), valid()).await;
                assert_ne!(kind(&outcome), Is::Delivered);
            }
            assert_eq!(server.seen.lock().unwrap().connections, 1, "{at:?}");
        }
        let (server, smtp) = good().await;
        for id in 0..5 {
            let outcome = smtp.send(compose(&delivery(id)), valid()).await;
            assert_eq!(kind(&outcome), Is::Delivered);
            assert_eq!(reason(&outcome), "250 2.0.0 queued");
        }
        let seen = server.seen.lock().unwrap();
        assert_eq!((seen.connections, seen.messages.len()), (1, 5));
    });
}

#[test]
fn a_connection_that_was_closed_while_it_was_idle_costs_no_attempt() {
    runtime().block_on(async {
        for does in [Does::Drop, Does::SayAndDrop("421 4.4.2 idle for too long")] {
            let server = Server::start(At::SecondMail, does, 1).await;
            let smtp = Smtp::new(&smtp(server.port)).unwrap();
            for id in 1..=2 {
                let outcome = smtp.send(compose(&delivery(id)), valid()).await;
                assert_eq!(kind(&outcome), Is::Delivered, "{does:?}");
            }
            let seen = server.seen.lock().unwrap();
            assert_eq!((seen.connections, seen.messages.len()), (2, 2));
        }
    });
}

#[test]
fn a_connection_that_is_needed_no_more_is_ended_with_quit() {
    runtime().block_on(async {
        let (server, smtp) = good().await;
        smtp.send(compose(&delivery(1)), valid()).await;
        drop(smtp);
        let seen = Arc::clone(&server.seen);
        let ended = async {
            while seen.lock().unwrap().commands.last().unwrap() != "QUIT" {
                tokio::task::yield_now().await;
            }
        };
        // clock: a connection that is never ended fails the test, however late
        tokio::time::timeout(Duration::from_secs(60), ended)
            .await
            .unwrap();
    });
}

#[test]
fn an_email_that_the_server_cannot_take_bounces_without_being_sent() {
    runtime().block_on(async {
        let plain = Does::Say("250-server.test\r\n250 SIZE 2000");
        let cases: [(Delivery, Is); 3] = [
            (delivery(1), Is::Delivered),
            (
                Delivery {
                    html: "x".repeat(3_000).into(),
                    ..delivery(2)
                },
                Is::Refused,
            ),
            (
                Delivery {
                    to: "müller@customer.example".into(),
                    ..delivery(3)
                },
                Is::Refused,
            ),
        ];
        let server = Server::start(At::Ehlo, plain, 100).await;
        let smtp = Smtp::new(&smtp(server.port)).unwrap();
        for (delivery, is) in &cases {
            let outcome = smtp.send(compose(delivery), valid()).await;
            assert_eq!(kind(&outcome), *is, "{outcome:?}");
        }
        let seen = server.seen.lock().unwrap();
        assert_eq!((seen.connections, seen.messages.len()), (1, 1));
    });
}

#[test]
fn an_international_address_is_said_to_a_server_that_takes_it() {
    runtime().block_on(async {
        let (server, smtp) = good().await;
        for (to, said) in [
            (
                "müller@bücher.example",
                "RCPT TO:<müller@xn--bcher-kva.example>",
            ),
            (
                "reader@bücher.example",
                "RCPT TO:<reader@xn--bcher-kva.example>",
            ),
        ] {
            let delivery = Delivery {
                to: to.into(),
                ..delivery(1)
            };
            let outcome = smtp.send(compose(&delivery), valid()).await;
            assert_eq!(kind(&outcome), Is::Delivered);
            let seen = server.seen.lock().unwrap();
            let [.., mail, rcpt, _] = &seen.commands[..] else {
                panic!("too few commands")
            };
            assert_eq!(
                mail.ends_with(" BODY=8BITMIME SMTPUTF8"),
                !to.starts_with("reader")
            );
            assert_eq!(rcpt, said);
        }
    });
}
