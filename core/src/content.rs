//! What is known of a call from its body alone.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use crate::check::http_send_mail::HttpSendMailContent;
use crate::check::send_mailer::{SendMailerCheck, key_place};
use crate::domains::{Domains, Names};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::roles::Roles;
use crate::violation::Place;
use crate::wire::field::SendMailerField;
use crate::wire::json::Value;
use crate::wire::send_mailer::SendMailerBody;
use crate::wire::value::text;

/// A body that was read. What it is made of is large and stays where it is, so that a call is cheap to move.
#[derive(Clone, Debug, Default)]
pub(crate) enum Content {
    /// Not read: the call was refused before.
    #[default]
    Unread,
    SendMailer(Box<SendMailerContent>),
    HttpSendMail(Box<HttpSendMailContent>),
}

impl Content {
    /// The second values of names that stand twice, by position.
    pub(crate) fn repeats(&self) -> &[u32] {
        match self {
            Self::Unread => &[],
            Self::SendMailer(content) => &content.body.repeats,
            Self::HttpSendMail(content) => &content.repeats,
        }
    }

    /// The body's object.
    pub(crate) fn object(&self) -> Option<Value> {
        match self {
            Self::Unread => None,
            Self::SendMailer(content) => Some(content.body.object),
            Self::HttpSendMail(content) => Some(content.object),
        }
    }

    /// The domains to ask about.
    pub(crate) fn domains(&self) -> &Domains {
        match self {
            Self::Unread => const { &Domains::NONE },
            Self::SendMailer(content) => &content.domains,
            Self::HttpSendMail(content) => &content.domains,
        }
    }

    /// The account's key.
    pub(crate) fn key(&self) -> Value {
        match self {
            Self::Unread => Value::default(),
            Self::SendMailer(content) => content.body.get(SendMailerField::ApiKey),
            Self::HttpSendMail(content) => content.key,
        }
    }

    /// Where the key stands, or would stand.
    pub(crate) fn key_place(&self) -> Place {
        match self {
            Self::Unread => Place::None,
            Self::SendMailer(content) => key_place(&content.body),
            Self::HttpSendMail(content) => content.key_place(),
        }
    }
}

/// A sendMailer call: its places, and what its questions are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct SendMailerContent {
    pub(crate) body: SendMailerBody,
    pub(crate) domains: Domains,
}

impl SendMailerContent {
    /// The names of the domains to ask about.
    pub(crate) fn names<'c>(&'c self, bytes: &'c [u8]) -> Names<'c> {
        self.domains.iter(bytes, self.body.kept_text())
    }

    /// Notes the domains to ask about: those of the sender and of the recipient, as far as the body has them.
    pub(crate) fn collect_domains(&mut self, bytes: &[u8]) {
        self.collect_domain(bytes, SendMailerField::From, Roles::SENDER);
        let is_by_id = SendMailerCheck {
            bytes,
            body: &self.body,
        }
        .is_by_id();
        if !is_by_id {
            self.collect_domain(bytes, SendMailerField::Email, Roles::RECIPIENT);
        }
    }

    /// Not inlined: the same code twice takes room from what else a small call runs through.
    #[inline(never)]
    fn collect_domain(&mut self, bytes: &[u8], field: SendMailerField, role: Roles) {
        let Self { body, domains } = self;
        let check = SendMailerCheck { bytes, body };
        if let Some(address) = body.address(field) {
            let content = check.get(field).content();
            let domain = content.start.saturating_add(address.at()).saturating_add(1);
            domains.insert_body(domain..content.end, address.upper_domain, bytes, role);
        } else if let Some(text) = check.trimmed(field) {
            domains.insert_address(&text, check.get(field), bytes, role);
        }
    }
}

/// A call as it was sent, and the policy by which it is judged.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) operation: Operation,
    pub(crate) policy: Policy,
    pub(crate) content: Content,
}

/// A call as its questions see it: without what the host says.
#[derive(Clone, Copy)]
pub(crate) struct SentView<'c> {
    pub(crate) bytes: &'c [u8],
    pub(crate) sent: &'c Sent,
}

impl<'c> SentView<'c> {
    /// The account's key, where it lies in the body: a secret is not handed out of a copy.
    pub(crate) fn key(self) -> Option<Cow<'c, str>> {
        text(self.sent.content.key(), self.bytes)
    }

    /// The names of the domains to ask about.
    pub(crate) fn domains(self) -> Names<'c> {
        match &self.sent.content {
            Content::SendMailer(content) => content.names(self.bytes),
            other => other.domains().iter(self.bytes, ""),
        }
    }

    pub(crate) fn send_mailer(self) -> Option<SendMailerCheck<'c>> {
        match &self.sent.content {
            Content::SendMailer(content) => Some(SendMailerCheck {
                bytes: self.bytes,
                body: &content.body,
            }),
            _ => None,
        }
    }

    pub(crate) fn http_send_mail(self) -> Option<&'c HttpSendMailContent> {
        match &self.sent.content {
            Content::HttpSendMail(content) => Some(content),
            _ => None,
        }
    }
}
