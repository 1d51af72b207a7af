//! The emails that arrive are those that were to be sent: 200 messages, or `EMAILS`, through a real server, each read by an
//! independent reader.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use franking_service::mail::{Delivery, Outcome, Smtp, Transport as _};

use super::hostile::Dice;
use super::reader::{Expected, check_lines, read};
use super::sink::Sink;
use super::support::{compose, delivery, runtime, smtp, tried, valid};
use crate::returned::run;
use crate::support::database::Database;
use crate::support::{cases, world};

const NAMES: [Option<&str>; 9] = [
    None,
    Some("The Shop"),
    Some("The   Shop"),
    Some("Büro für Grüße"),
    Some("Shop, Inc."),
    Some("\"The\" Shop <x@y.example>"),
    Some("商店 😀"),
    Some("a.b@c"),
    Some(
        "A name that is much longer than the seventy-six characters that fit into a line of a header",
    ),
];
const SUBJECTS: [&str; 7] = [
    "Hello",
    "  two  spaces ",
    "Grüße aus Köln: schöne Grüße, und noch viele Wörter mehr, damit es länger als eine Zeile wird",
    "=?utf-8?q?no_encoded_word?=",
    "A subject of plain words that goes on for longer than the seventy-six characters that fit into one line",
    "مرحبا بالعالم",
    "x",
];
const BODIES: [&str; 7] = [
    "<p>Hello</p>",
    "<p>Grüße\r\n\r\n.\r\n..\r\nFrom me\n\r</p>\r",
    "plain",
    "<a href='https://shop.example/?a=1&amp;b=2'>Shop</a>\0",
    "\u{feff}<p>😀</p>\n\n\n",
    "--=_00000000000000000000000000000001--\r\n",
    " ",
];
const RECIPIENTS: [&str; 5] = [
    "reader@customer.example",
    "o'neil+tag@customer.example",
    "müller@bücher.example",
    "reader@bücher.example",
    "a.very.long.name.that.has.sixty.four.octets.exactly.as.is.allowd@a-domain-of-some-length.customer.example",
];

fn deliveries(count: i64) -> Vec<Delivery> {
    let mut dice = Dice::new(1);
    let mut some = |number: usize| dice.below(number);
    (0..count)
        .map(|id| {
            let long = if id % 100 == 99 {
                200_000
            } else {
                id as usize % 300
            };
            Delivery {
                created: 1_700_000_000 + id * 3_600,
                from: ["news@shop.example", "grüße@shop.example"][some(2)].into(),
                from_name: NAMES[some(9)].map(Into::into),
                reply_to: [
                    None,
                    Some("answers@shop.example"),
                    Some("büro@shop.example"),
                ][some(3)]
                .map(Into::into),
                to: RECIPIENTS[some(5)].into(),
                subject: SUBJECTS[some(7)].into(),
                html: Arc::from(BODIES[some(7)].to_owned() + &"<b>x</b>".repeat(long)),
                ..delivery(id)
            }
        })
        .collect()
}

#[test]
fn every_message_that_a_server_gets_is_the_one_that_was_to_be_sent() {
    let Some(sink) = Sink::start() else { return };
    let deliveries = deliveries(cases("EMAILS", 200));
    let transport = Arc::new(Smtp::new(&smtp(sink.port)).unwrap());
    runtime().block_on(async {
        let mut sending = tokio::task::JoinSet::new();
        for share in deliveries.chunks(deliveries.len().div_ceil(5)) {
            let emails: Vec<_> = share.iter().map(compose).collect();
            let transport = Arc::clone(&transport);
            sending.spawn(async move {
                for email in emails {
                    let outcome = transport.send(email, valid()).await;
                    assert!(matches!(outcome, Outcome::Delivered { .. }), "{outcome:?}");
                }
            });
        }
        while let Some(sent) = sending.join_next().await {
            sent.unwrap();
        }
    });
    let kept = sink.kept();
    assert_eq!(kept.len(), deliveries.len());
    let connections: BTreeSet<u16> = kept.iter().map(|kept| kept.peer).collect();
    assert!(connections.len() <= 5, "{} connections", connections.len());

    let emails: Vec<_> = kept.iter().map(super::sink::Kept::content).collect();
    let by_bytes: BTreeMap<Vec<u8>, &Delivery> = deliveries
        .iter()
        .map(|delivery| (compose(delivery).bytes().to_vec(), delivery))
        .collect();
    let read = read(&emails).unwrap();
    let mut met = BTreeSet::new();
    for ((kept, email), read) in kept.iter().zip(&emails).zip(&read) {
        let delivery = by_bytes[email];
        assert!(met.insert(delivery.id));
        let needs_utf8 = kept.options.iter().any(|option| option == "SMTPUTF8");
        check_lines(email, !needs_utf8);
        read.check(&Expected {
            delivery,
            subject: delivery.subject.clone(),
            html: delivery.html.to_string(),
        });
        let [(_, from)] = &read.from[..] else {
            panic!()
        };
        let [(_, to)] = &read.to[..] else { panic!() };
        assert_eq!((&kept.from, &kept.to[..]), (from, &[to.clone()][..]));
        assert!(!kept.encrypted && !kept.login);
    }
    tried(kept.len());
}

#[test]
fn a_repeat_is_the_same_email_byte_for_byte() {
    for delivery in deliveries(50) {
        assert_eq!(
            compose(&delivery).bytes(),
            compose(&delivery.clone()).bytes()
        );
    }
}

#[test]
fn debug_shows_no_address_subject_or_body() {
    let delivery = delivery(7);
    let shown = format!("{:?} {:?}", delivery, compose(&delivery));
    assert_eq!(shown, "Delivery { id: 7, .. } Email { id: 7, .. }");
}

#[test]
fn the_boundary_of_a_test_email_has_at_most_70_characters() {
    let database = Database::sqlite(&world("world.json"));
    let folder = tempfile::tempdir().unwrap();
    let maildir = folder.path().to_str().unwrap();
    let to = ["--to", "me@shop.example", "--transport", "maildir"];
    let test = ["mailer", "send-test", "1", "42", "--maildir", maildir];
    run(&database, &[&test[..], &to].concat());
    let mut sent = folder.path().join("new").read_dir().unwrap();
    let email = std::fs::read_to_string(sent.next().unwrap().unwrap().path()).unwrap();
    let (_, rest) = email.split_once("boundary=\"").unwrap();
    let (boundary, _) = rest.split_once('"').unwrap();
    assert!((1..=70).contains(&boundary.len()), "{boundary}");
    assert_eq!(email.matches(&format!("--{boundary}\r\n")).count(), 2);
}
