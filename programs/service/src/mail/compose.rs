//! Composes the email of a delivery.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use super::dkim::Signers;
use super::email::{Email, Mailbox};
use super::header::Head;
use super::template::{self, TemplateError, Values};
use super::tracked::{filled_in, tracked};
use super::{Delivery, MailSettings, MailSettingsError, text};
use crate::outcomes::{ReturnPaths, TrackingLinks, UnsubscribeLinks};

/// Makes emails from deliveries.
#[derive(Debug)]
pub struct Composer {
    signers: Signers,
    return_paths: Option<Arc<ReturnPaths>>,
    unsubscribe_links: Option<Arc<UnsubscribeLinks>>,
    tracking_links: Option<Arc<TrackingLinks>>,
}

/// Why no email can be made of a delivery. Its recipient gets no email, now or later. The text contains no address and no
/// content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// An address that is not valid.
    #[error("the {0} address is not valid")]
    Address(&'static str),
    /// A time of acceptance outside the calendar.
    #[error("the time of acceptance is not valid")]
    Time,
    /// The stored mailer cannot be personalized.
    #[error("the stored email cannot be filled in: {0}")]
    Template(#[from] TemplateError),
    /// A signature that cannot be made.
    #[error("the DKIM signature cannot be made")]
    Signature,
    /// Writing the text failed.
    #[error("the email cannot be written")]
    Write(#[from] fmt::Error),
}

impl Composer {
    /// Makes a composer from the settings, and reads the DKIM keys that they name.
    ///
    /// # Errors
    /// A key cannot be used.
    pub fn new(settings: &MailSettings) -> Result<Self, MailSettingsError> {
        Ok(Self {
            signers: Signers::open(&settings.dkim)?,
            return_paths: settings.return_paths.clone(),
            unsubscribe_links: settings.unsubscribe_links.clone(),
            tracking_links: settings.tracking_links.clone(),
        })
    }

    /// Makes the email of a delivery. This takes time in proportion to the HTML: call it on a thread on which nothing else
    /// waits.
    ///
    /// # Errors
    /// No email can be made of the delivery. The reason is the same each time.
    pub fn compose(&self, delivery: &Delivery) -> Result<Email, ComposeError> {
        let address = |role, text| Mailbox::parse(text).ok_or(ComposeError::Address(role));
        let from = address("sender", &delivery.from)?;
        let to = address("recipient", &delivery.to)?;
        let reply_to = match &delivery.reply_to {
            Some(text) => Some(address("reply", text)?),
            None => None,
        };
        let content = Content::of(delivery)?;

        let mut head = Head::default();
        let name = delivery.from_name.as_deref().unwrap_or_default();
        head.mailbox("From", one_line(name).trim(), &from)?;
        if let Some(reply_to) = &reply_to {
            head.mailbox("Reply-To", "", reply_to)?;
        }
        head.mailbox("To", "", &to)?;
        head.text("Subject", &one_line(&content.subject))?;
        head.own("Date", &date(delivery.created).ok_or(ComposeError::Time)?);
        let message_id = &delivery.message_id;
        head.own("Message-ID", &format!("<{message_id}@{}>", from.domain));
        let own = self.unsubscribe_url(delivery);
        if let Some(url) = own.as_ref().or(content.list_unsubscribe.as_ref()) {
            head.url("List-Unsubscribe", url);
            // RFC 8058 defines one-click unsubscription for https only.
            if url
                .get(..6)
                .is_some_and(|start| start.eq_ignore_ascii_case("https:"))
            {
                head.own("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
            }
        }
        head.own("MIME-Version", "1.0");
        let boundary = format!("=_{message_id}");
        let multipart = format!("multipart/alternative;\r\n boundary=\"{boundary}\"");
        head.own("Content-Type", &multipart);

        let head = head.into_string();
        let tracked = match &self.tracking_links {
            Some(links) => tracked(&content.html, delivery, links),
            None => Cow::Borrowed(&*content.html),
        };
        let body = body(&text::of_html(&content.html), &tracked, &boundary)?;
        let signature = self
            .signers
            .sign(&from.domain, delivery.created, &head, &body);
        let signature = signature.map_err(|_| ComposeError::Signature)?;
        let needs_smtputf8 = !head.is_ascii();
        // The headers use the spare capacity of the body's buffer, so that a long body is not reallocated.
        let mut text = body;
        text.insert_str(0, &[&signature, &head, "\r\n"].concat());
        Ok(Email {
            id: delivery.id,
            created: delivery.created,
            needs_smtputf8,
            return_path: self.return_path(delivery.id, from),
            to,
            bytes: text.into_bytes(),
        })
    }
}

impl Composer {
    /// Returns the URL of the service's own List-Unsubscribe, if the delivery has it.
    fn unsubscribe_url(&self, delivery: &Delivery) -> Option<String> {
        let links = self.unsubscribe_links.as_ref();
        let links = links.filter(|_| delivery.unsubscribe)?;
        Some(links.url(delivery.id.try_into().ok()?))
    }

    /// The return path of a delivery's envelope.
    fn return_path(&self, delivery: i64, from: Mailbox) -> Mailbox {
        let (Some(paths), Ok(delivery)) = (&self.return_paths, u64::try_from(delivery)) else {
            return from;
        };
        Mailbox {
            address: paths.address(delivery),
            domain: paths.domain().to_owned(),
        }
    }
}

/// The parts of a delivery that its recipient reads, filled in.
struct Content<'a> {
    subject: Cow<'a, str>,
    html: Cow<'a, str>,
    list_unsubscribe: Option<String>,
}

impl<'a> Content<'a> {
    fn of(delivery: &'a Delivery) -> Result<Self, TemplateError> {
        let values = delivery.fields.as_ref().map(|fields| Values {
            email: &delivery.to,
            fields,
        });
        let subject = &*delivery.subject;
        let subject = match values {
            Some(values) => template::subject(subject, values)?.into(),
            None => subject.into(),
        };
        // The call has already been answered, so a URL that its values make too long for a header is left out.
        let list_unsubscribe = values.zip(delivery.list_unsubscribe.as_deref());
        let list_unsubscribe =
            list_unsubscribe.and_then(|(values, url)| template::list_unsubscribe(url, values).ok());
        Ok(Self {
            subject,
            html: filled_in(&delivery.html, &delivery.to, delivery.fields.as_deref())?,
            list_unsubscribe,
        })
    }
}

/// Replaces each control character and line separator by a space, because a header field is one line.
fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) {
        text.replace(breaks, " ").into()
    } else {
        text.into()
    }
}

/// Formats a time for the header Date. Returns `None` for a time outside the calendar.
fn date(seconds: i64) -> Option<String> {
    let time = Timestamp::from_second(seconds).ok()?;
    rfc2822::DateTimePrinter::new()
        .timestamp_to_string(&time)
        .ok()
}

/// The capacity that is reserved for the headers of a message and of its parts. Few messages need more.
const HEAD_ROOM: usize = 4 << 10;

/// Returns the two alternatives, of which the preferred one is last. In base64, no line has a meaning for a mail server, and
/// the HTML arrives byte for byte. No line of base64 can be the boundary, which contains `_`.
fn body(plain: &str, html: &str, boundary: &str) -> Result<String, fmt::Error> {
    // A line of 76 characters and its CR LF encode 57 bytes.
    let lines = plain.len().saturating_add(html.len()) / 57;
    let mut body = String::with_capacity(lines.saturating_mul(78).saturating_add(HEAD_ROOM));
    for (subtype, content) in [("plain", plain), ("html", html)] {
        body.push_str("--");
        body.push_str(boundary);
        body.push_str("\r\nContent-Type: text/");
        body.push_str(subtype);
        body.push_str("; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n");
        email_encoding::body::base64::encode(content.as_bytes(), &mut body)?;
        body.push_str("\r\n");
    }
    body.push_str("--");
    body.push_str(boundary);
    body.push_str("--\r\n");
    Ok(body)
}
