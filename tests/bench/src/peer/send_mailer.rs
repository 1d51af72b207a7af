//! The peer's decision on a call of sendMailer.

use jiff::civil::Date;

use super::json::{Number, SendMailer, given};
use super::{authenticate, domain, is_blacklisted, match_key};
use crate::database::Database;

/// The values of an acceptable call that the facts are needed for.
struct Content {
    mailer: u64,
    sender: Option<String>,
    recipient: Recipient,
}

enum Recipient {
    Id(u64),
    Address(String),
}

pub(super) fn decide(database: &Database, body: &[u8]) -> Result<(), u16> {
    let call: SendMailer<'_> = serde_json::from_slice(body).map_err(|_| 442_u16)?;
    let account = authenticate(database, given(call.api_key.as_ref()))?;
    let content = content(&call)?;

    let mailer = database.mailer(database.hashed(content.mailer));
    let subscriber = match &content.recipient {
        Recipient::Id(id) => database.subscriber_by_id(database.hashed(*id)),
        Recipient::Address(address) => database.subscriber(database.hashed(address)),
    };
    let sender = content
        .sender
        .as_deref()
        .or(mailer.map(|mailer| mailer.from.as_str()));
    if sender.is_some_and(|sender| is_blacklisted(database, domain(sender))) {
        return Err(414);
    }
    let stored;
    let recipient = match (&content.recipient, subscriber) {
        // The stored address has the same match key.
        (Recipient::Address(address), _) => address,
        (Recipient::Id(_), Some(subscriber)) => {
            stored = subscriber.email.to_lowercase();
            &stored
        }
        (Recipient::Id(_), None) => return Err(454),
    };
    if is_blacklisted(database, domain(recipient)) {
        return Err(416);
    }
    if subscriber.is_some_and(|subscriber| subscriber.inactive) {
        return Err(443);
    }
    let list = given(call.list_name.as_ref()).unwrap_or("RealTime_Via_API");
    let sender_is_unknown = content
        .sender
        .is_some_and(|sender| !account.has_sender(database.hashed(&sender)));
    let list_is_unknown = subscriber.is_none()
        && list != "RealTime_Via_API"
        && !database.has_list(database.hashed(list));
    if sender_is_unknown || mailer.is_none() || list_is_unknown {
        return Err(442);
    }
    if subscriber.is_none() && account.subscriber_credit == 0 {
        return Err(444);
    }
    if account.email_credit == 0 {
        Err(445)
    } else {
        Ok(())
    }
}

fn content(call: &SendMailer<'_>) -> Result<Content, u16> {
    let from = given(call.from.as_ref());
    let from_name = given(call.from_name.as_ref());
    let number = |number: Option<&Number>| number.and_then(|number| number.0);
    let recipient = match (number(call.sub_id.as_ref()), given(call.email.as_ref())) {
        (Some(0), _) => Err(454),
        (Some(id), _) => Ok(Recipient::Id(id)),
        (None, Some(email)) => match_key(email).map(Recipient::Address).ok_or(412),
        (None, None) => Err(602),
    };
    if let Err(code @ (412 | 454)) = recipient {
        return Err(code);
    }
    if from.is_none() && from_name.is_some() {
        return Err(478);
    }
    let recipient = recipient?;
    let sender = from
        .map(|from| match_key(from).ok_or(442_u16))
        .transpose()?;
    let mailer = number(call.mailer_id.as_ref()).ok_or(442_u16)?;
    let dates = [&call.birthday, &call.anniversary];
    let flags = [&call.track_opens, &call.track_clicks];
    let wrong = from_name.is_some_and(|name| name.chars().any(char::is_control))
        || dates
            .iter()
            .any(|date| given(date.as_ref()).is_some_and(|date| !is_date(date)))
        || flags
            .iter()
            .any(|flag| number(flag.as_ref()).is_some_and(|flag| flag > 1));
    if wrong {
        return Err(442);
    }
    Ok(Content {
        mailer,
        sender,
        recipient,
    })
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok()
}
