//! The peer's decision on a call of httpSendMail.

use std::borrow::Cow;
use std::collections::HashSet;

use percent_encoding::percent_decode_str;

use super::json::{HttpSendMail, Request, given};
use super::links::Links;
use super::{authenticate, domain, is_blacklisted, match_key};
use crate::database::{AccountRow, Database};
use crate::workload::MAX_BYTES;

const MAX_REQUESTS: usize = 1_000;
const PLACEHOLDERS: [(&str, &str); 6] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("%%", "%%"),
    ("*|", "|*"),
    ("{*", "*}"),
    ("${", "}"),
];

/// The values of an acceptable request that the facts are needed for.
struct Content {
    hosts: Vec<String>,
    sender: String,
    reply_to: Option<String>,
    recipients: HashSet<String>,
}

pub(super) fn decide(database: &Database, links: &impl Links, body: &[u8]) -> Result<(), u16> {
    if body.len() > MAX_BYTES {
        return Err(454);
    }
    let call: HttpSendMail<'_> = serde_json::from_slice(body).map_err(|_| 475_u16)?;
    let account = authenticate(database, given(call.api_key.as_ref()))?;
    let requests = call.requests.unwrap_or_default();
    if requests.len() > MAX_REQUESTS {
        return Err(453);
    }
    if requests.is_empty() {
        return Err(475);
    }
    let contents = requests
        .iter()
        .map(|request| content(links, request))
        .collect::<Result<Vec<_>, _>>()?;

    let mut emails = 0;
    let mut unknown = 0;
    for content in &contents {
        unknown += facts(database, account, content)?;
        emails += content.recipients.len() as u64;
    }
    if unknown > account.subscriber_credit
        && created(database, &contents) > account.subscriber_credit
    {
        return Err(444);
    }
    if emails > account.email_credit {
        Err(445)
    } else {
        Ok(())
    }
}

/// The number of subscribers that the call creates. An unknown address counts once, however many requests have it.
fn created(database: &Database, contents: &[Content]) -> u64 {
    let recipients = contents.iter().flat_map(|content| &content.recipients);
    let unknown =
        recipients.filter(|address| database.subscriber(database.hashed(address)).is_none());
    unknown.collect::<HashSet<_>>().len() as u64
}

fn content(links: &impl Links, request: &Request<'_>) -> Result<Content, u16> {
    let subject = given(request.subject.as_ref()).ok_or(406_u16)?;
    let reply_to = given(request.reply_to.as_ref())
        .map(|address| match_key(address).ok_or(407_u16))
        .transpose()?;
    let html = decode(given(request.body.as_ref()).ok_or(408_u16)?).ok_or(408_u16)?;
    if html.trim().is_empty() {
        return Err(408);
    }
    let sender = match_key(given(request.from.as_ref()).ok_or(409_u16)?).ok_or(410_u16)?;
    let recipients = recipients(request)?;
    let holds = |(open, close): &(&str, &str)| {
        subject
            .split_once(open)
            .is_some_and(|(_, rest)| rest.contains(close))
    };
    if subject.chars().any(char::is_control) || PLACEHOLDERS.iter().any(holds) {
        return Err(476);
    }
    if given(request.from_name.as_ref()).is_some_and(|name| name.chars().any(char::is_control)) {
        return Err(477);
    }
    let flags = [&request.track_opens, &request.track_clicks];
    if flags.iter().any(|flag| {
        flag.as_ref()
            .and_then(|flag| flag.0)
            .is_some_and(|flag| flag > 1)
    }) {
        return Err(475);
    }
    let hosts = links.hosts(&html);
    Ok(Content {
        hosts,
        sender,
        reply_to,
        recipients,
    })
}

/// The distinct addresses of a request.
fn recipients(request: &Request<'_>) -> Result<HashSet<String>, u16> {
    let lists = [&request.to, &request.cc, &request.bcc]
        .map(|list| given(list.as_ref()).unwrap_or_default());
    let commas: usize = lists.iter().map(|list| list.matches(',').count()).sum();
    let mut recipients = HashSet::with_capacity(commas + 1);
    let mut malformed = false;
    let mut missing = true;
    for list in lists {
        for entry in list
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
        {
            missing = false;
            match match_key(entry) {
                Some(address) => drop(recipients.insert(address)),
                None => malformed = true,
            }
        }
    }
    match (missing, malformed) {
        (true, _) => Err(411),
        (_, true) => Err(412),
        _ => Ok(recipients),
    }
}

/// The HTML to be delivered: form-decoded, unless it shows that it is not encoded.
fn decode(body: &str) -> Option<Cow<'_, str>> {
    if body.contains('<') {
        return Some(Cow::Borrowed(body));
    }
    let spaced = body.replace('+', " ");
    let html = percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(Cow::Owned(html.into_owned()))
}

/// Judges what only the host knows about a request. Returns how many of its recipients are not subscribers yet.
fn facts(database: &Database, account: &AccountRow, content: &Content) -> Result<u64, u16> {
    let Content {
        hosts,
        sender,
        reply_to,
        recipients,
    } = content;
    if hosts.iter().any(|host| is_blacklisted(database, host)) {
        return Err(413);
    }
    if is_blacklisted(database, domain(sender)) {
        return Err(414);
    }
    if reply_to
        .as_ref()
        .is_some_and(|address| is_blacklisted(database, domain(address)))
    {
        return Err(415);
    }
    if recipients
        .iter()
        .any(|address| is_blacklisted(database, domain(address)))
    {
        return Err(416);
    }
    if !account.has_sender(database.hashed(sender)) {
        return Err(420);
    }
    let mut unknown = 0;
    for address in recipients {
        match database.subscriber(database.hashed(address)) {
            Some(subscriber) if subscriber.inactive => return Err(443),
            Some(_) => {}
            None => unknown += 1,
        }
    }
    Ok(unknown)
}
