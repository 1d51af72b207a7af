//! The plan of an accepted call: what the host has to do. A plan is a view of the call: it is iterated and never copied
//! as a whole.

mod message;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::Serialize;

use crate::by_operation::{ByOperation, either};
use crate::content::JudgedCall;
use crate::debug::debug_shows;
use crate::facts::Debit;
pub use crate::http_send_mail::Collapsed;
use crate::http_send_mail::View;
use crate::operation::API_LIST;
use crate::policy::Policy;
pub use crate::send_mailer::SinglePlan;
use crate::wire::field::RequestField;
use crate::word::words;
pub use message::{Encoding, Message, Recipient};

/// The plan of an accepted call. The host carries all of it out in one transaction.
///
/// Texts are data: they may hold any character, NUL and line breaks included. Encode them for the place where you put
/// them. Debug shows counts only.
#[derive(Clone, Copy)]
pub struct Plan<'c>(ByOperation<SinglePlan<'c>, View<'c>>);

words! {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum RecipientRole "The address list that a recipient is in (interface, section 4.2)."
    1 To "to" "The list to."
    2 Cc "cc" "The list cc, carbon copy."
    3 Bcc "bcc" "The list bcc, blind carbon copy."
}

impl RecipientRole {
    /// The role of an address list.
    pub(super) const fn of(field: RequestField) -> Option<Self> {
        match field {
            RequestField::To => Some(Self::To),
            RequestField::Cc => Some(Self::Cc),
            RequestField::Bcc => Some(Self::Bcc),
            _ => None,
        }
    }
}

impl<'c> Plan<'c> {
    /// The plan of a call that no rule refuses; `None` when the library contradicts itself.
    #[inline]
    pub(crate) fn new(judged: &'c JudgedCall, sent: &'c str, policy: &'c Policy) -> Option<Self> {
        Some(Self(match judged {
            ByOperation::SendMailer(judged) => {
                ByOperation::SendMailer(SinglePlan::new(judged, sent, policy.empty_clears())?)
            }
            ByOperation::HttpSendMail(judged) => {
                ByOperation::HttpSendMail(judged.view(sent, policy))
            }
        }))
    }

    /// Whether each message has everything that it needs. If one does not, the library contradicts itself.
    pub(crate) fn is_sound(&self) -> bool {
        match self.0 {
            // `SinglePlan::new` checks everything that the message needs.
            ByOperation::SendMailer(_) => true,
            ByOperation::HttpSendMail(view) => view.is_sound(),
        }
    }

    /// The subscribers to create, in order of first use.
    pub fn create(&self) -> impl Iterator<Item = NewSubscriber<'c>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(plan) => {
                let created = plan.match_key().and_then(|match_key| {
                    Some(NewSubscriber {
                        email: plan.to(),
                        match_key,
                        list: plan.list()?,
                        plan: Some(plan),
                    })
                });
                ByOperation::SendMailer(created.into_iter())
            }
            ByOperation::HttpSendMail(view) => {
                let created = view.create().map(|(email, match_key)| NewSubscriber {
                    email,
                    match_key,
                    list: Cow::Borrowed(API_LIST),
                    plan: None,
                });
                ByOperation::HttpSendMail(created)
            }
        }
    }

    /// The subscribers whose stored personalization is overwritten, field by field, with what was sent.
    pub fn update(&self) -> impl Iterator<Item = Update<'c>> + use<'c> {
        let plan = self.single();
        let update = plan.and_then(|plan| Some((plan.updated()?, plan)));
        update.map(|(id, plan)| Update { id, plan }).into_iter()
    }

    /// The ids of existing subscribers to add to the list [`API_LIST`], in order of first use. Those that are in it already
    /// are included.
    pub fn enlist(&self) -> impl Iterator<Item = u64> + use<'c> {
        let many = self.0.http_send_mail();
        many.into_iter().flat_map(View::enlist)
    }

    /// The messages, one for each request. The requests that a partial batch leaves out have none. Each recipient of a message
    /// gets a separate email.
    pub fn messages(&self) -> impl Iterator<Item = Message<'c>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(plan) => {
                ByOperation::SendMailer(core::iter::once(ByOperation::SendMailer(plan)))
            }
            ByOperation::HttpSendMail(view) => {
                ByOperation::HttpSendMail(view.messages().map(ByOperation::HttpSendMail))
            }
        }
        .map(Message)
    }

    /// The plan of a sendMailer call without iterators; `None` on httpSendMail.
    #[must_use]
    pub fn single(&self) -> Option<SinglePlan<'c>> {
        self.0.send_mailer()
    }

    /// The message of [`Plan::messages`] that has this [`Message::request`], found without iterating over the messages
    /// before it. `None` when there is none.
    #[must_use]
    pub fn message(&self, request: Option<u32>) -> Option<Message<'c>> {
        match (self.0, request) {
            (ByOperation::SendMailer(plan), None) => Some(Message(ByOperation::SendMailer(plan))),
            (ByOperation::HttpSendMail(view), Some(request)) => view
                .message(request)
                .map(ByOperation::HttpSendMail)
                .map(Message),
            (ByOperation::SendMailer(_), Some(_)) | (ByOperation::HttpSendMail(_), None) => None,
        }
    }

    /// The repeated addresses that are left out, in order of their requests, and within a request of `to`, `cc` and `bcc`.
    pub fn collapsed(&self) -> impl Iterator<Item = Collapsed<'c>> + use<'c> {
        let many = self.0.http_send_mail();
        many.into_iter().flat_map(View::collapsed)
    }

    /// The credits that the plan costs.
    #[must_use]
    pub fn debit(&self) -> Debit {
        either!(self.0, plan => plan.debit())
    }

    /// The number of emails that the plan sends.
    #[must_use]
    pub fn email_count(&self) -> u64 {
        self.debit().email
    }

    /// The lists that the plan names, each once.
    #[must_use]
    pub fn lists(&self) -> Vec<Cow<'c, str>> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.list().into_iter().collect(),
            ByOperation::HttpSendMail(_) => alloc::vec![Cow::Borrowed(API_LIST)],
        }
    }
}

debug_shows!(Plan<'_> { debit() });

/// A subscriber to create. Debug shows nothing of it.
#[derive(Clone)]
pub struct NewSubscriber<'c> {
    email: Cow<'c, str>,
    match_key: Cow<'c, str>,
    list: Cow<'c, str>,
    /// The plan of a call of sendMailer, which has personalization.
    plan: Option<SinglePlan<'c>>,
}

impl<'c> NewSubscriber<'c> {
    /// The address, as sent, without white space around it.
    #[must_use]
    pub fn email(&self) -> Cow<'c, str> {
        self.email.clone()
    }

    /// The match key of the address. The host was asked about the subscriber by this key, and finds it by this key later.
    #[must_use]
    pub fn match_key(&self) -> Cow<'c, str> {
        self.match_key.clone()
    }

    /// The name of the list to put the subscriber into.
    #[must_use]
    pub fn list(&self) -> Cow<'c, str> {
        self.list.clone()
    }

    /// The personalization that was sent, with the interface's names (section 2.3) and in its order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        self.plan.into_iter().flat_map(|plan| plan.fields())
    }
}

debug_shows!(NewSubscriber<'_> {});

/// A subscriber whose personalization is updated. Debug shows the id only.
#[derive(Clone)]
pub struct Update<'c> {
    id: u64,
    plan: SinglePlan<'c>,
}

impl<'c> Update<'c> {
    /// The subscriber's id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The fields to overwrite, with the interface's names (section 2.3) and in its order; `""` clears a field.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        self.plan.fields()
    }
}

debug_shows!(Update<'_> { id() });
