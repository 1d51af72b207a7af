//! Hostile texts in every place of an email do not break out of it.

use std::sync::Arc;

use franking_service::mail::{
    ComposeError, Composer, Delivery, MailSettings, Outcome, Smtp, Template, Transport as _,
};

use super::hostile::Dice;
use super::reader::{Expected, check_lines, read};
use super::scripted::Server;
use super::support::{compose, delivery, runtime, smtp, tried, valid};
use crate::support::cases;

/// The number of deliveries; `HOSTILE` sets it.
fn calls() -> i64 {
    cases("HOSTILE", 1_000)
}

/// A delivery of httpSendMail whose texts are hostile.
fn as_it_is(id: i64, dice: &mut Dice) -> Delivery {
    Delivery {
        from_name: (!dice.is_one_in(5)).then(|| dice.text()),
        reply_to: dice.is_one_in(2).then(|| "answers@shop.example".into()),
        subject: dice.text(),
        html: Arc::from(dice.text()),
        ..delivery(id)
    }
}

/// A delivery of a stored mailer whose values are hostile.
fn personalized(id: i64, dice: &mut Dice) -> Delivery {
    let values = ["firstName", "lastName", "extra1"].map(|name| (name.to_owned(), dice.text()));
    Delivery {
        from_name: Some(dice.text()),
        subject: "To {{ firstName }} {{ lastName|default('friend') }}!".into(),
        html: Arc::from(
            "<p title=\"{{ extra1 }}\">{{ firstName }}{% if lastName %}, {{ lastName }}{% endif %}{{ nobody }}</p>\n",
        ),
        fields: Some(values.to_vec()),
        list_unsubscribe: Some("https://shop.example/u/{{ nobody }}".into()),
        ..delivery(id)
    }
}

fn value<'a>(delivery: &'a Delivery, name: &str) -> &'a str {
    let fields = delivery.fields.as_ref().unwrap();
    &fields.iter().find(|(known, _)| known == name).unwrap().1
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;")
        .replace('/', "&#x2f;")
}

/// The subject and the HTML that have to arrive, made without a template.
fn expected(delivery: &Delivery) -> (String, String) {
    if delivery.fields.is_none() {
        return (delivery.subject.clone(), delivery.html.to_string());
    }
    let [first, last, extra] =
        ["firstName", "lastName", "extra1"].map(|name| value(delivery, name));
    let friend = if last.is_empty() { "friend" } else { last };
    let and_last = if last.is_empty() {
        String::new()
    } else {
        format!(", {}", escaped(last))
    };
    let html = format!(
        "<p title=\"{}\">{}{and_last}</p>\n",
        escaped(extra),
        escaped(first)
    );
    (format!("To {first} {friend}!"), html)
}

#[test]
fn hostile_texts_stay_in_their_headers_bodies_and_lines() {
    let mut dice = Dice::new(20);
    let deliveries: Vec<Delivery> = (0..calls())
        .map(|id| match id % 2 {
            0 => as_it_is(id, &mut dice),
            _ => personalized(id, &mut dice),
        })
        .collect();
    let emails: Vec<Vec<u8>> = deliveries
        .iter()
        .map(|one| compose(one).bytes().to_vec())
        .collect();
    for email in &emails {
        check_lines(email, true);
    }
    runtime().block_on(check_dialogue(&deliveries));
    let Some(read) = read(&emails) else { return };
    for (delivery, read) in deliveries.iter().zip(&read) {
        let (subject, html) = expected(delivery);
        read.check(&Expected {
            delivery,
            subject,
            html,
        });
        if delivery.list_unsubscribe.is_some() {
            assert_eq!(read.list_unsubscribe, "<https://shop.example/u/>");
        }
    }
    tried(read.len());
}

/// Checks that the server gets the four lines of each email's dialogue and the email, and nothing else.
async fn check_dialogue(deliveries: &[Delivery]) {
    let server = Server::good().await;
    let transport = Smtp::new(&smtp(server.port)).unwrap();
    for delivery in deliveries {
        let outcome = transport.send(compose(delivery), valid()).await;
        assert!(matches!(outcome, Outcome::Delivered { .. }), "{outcome:?}");
    }
    let seen = server.seen.lock().unwrap();
    assert_eq!(seen.connections, 1);
    let mut commands = vec!["EHLO localhost".to_owned()];
    for delivery in deliveries {
        let size = compose(delivery).bytes().len();
        commands.push(format!("MAIL FROM:<news@shop.example> SIZE={size}"));
        commands.push("RCPT TO:<reader@customer.example>".into());
        commands.push("DATA".into());
    }
    assert_eq!(seen.commands, commands);
    for (message, delivery) in seen.messages.iter().zip(deliveries) {
        assert_eq!(*message, compose(delivery).bytes());
    }
}

#[test]
fn a_hostile_address_is_refused_or_is_an_address() {
    let composer = Composer::new(&MailSettings::default()).unwrap();
    let mut dice = Dice::new(21);
    let (mut accepted, mut refused) = (0, 0);
    for id in 0..calls() {
        let mut hostile = delivery(id);
        let text = format!("a{}@customer.example", dice.text());
        match id % 3 {
            0 => hostile.from = text.clone(),
            1 => hostile.to = text.clone(),
            _ => hostile.reply_to = Some(text.clone()),
        }
        match composer.compose(&hostile) {
            Ok(email) => {
                franking::address::parse(&text).unwrap();
                check_lines(email.bytes(), false);
                accepted += 1;
            }
            Err(error) => {
                assert!(matches!(error, ComposeError::Address(_)), "{error}");
                assert!(!error.to_string().contains('@'));
                refused += 1;
            }
        }
    }
    assert!(refused > accepted, "{refused}");
    tried(accepted + refused);
}

#[test]
fn hostile_templates_are_refused_or_filled_in() {
    let composer = Composer::new(&MailSettings::default()).unwrap();
    let mut dice = Dice::new(22);
    let (mut filled, mut refused) = (0, 0);
    for id in 0..calls() {
        let hostile = Delivery {
            subject: dice.text(),
            html: Arc::from(dice.text()),
            ..personalized(id, &mut dice)
        };
        let checked = Template::parse(hostile.subject.clone(), hostile.html.to_string(), None);
        match composer.compose(&hostile) {
            Ok(email) => {
                assert!(checked.is_ok());
                check_lines(email.bytes(), true);
                filled += 1;
            }
            Err(error) => {
                assert_eq!(ComposeError::Template(checked.unwrap_err()), error);
                refused += 1;
            }
        }
    }
    assert!(filled > 100 && refused > 100, "{filled} {refused}");
    tried(filled + refused);
}
