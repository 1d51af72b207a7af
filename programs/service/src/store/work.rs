//! An owned copy of a plan: everything that the store writes for it.

use std::collections::{BTreeMap, HashMap};

use franking::{
    API_LIST, Account, Call, Conflict, DEFAULT_LIST, Debit, Message, Operation, Plan,
    RecipientRole, Violation, address,
};
use sha2::{Digest as _, Sha256};

use super::asked::to_signed;
use super::error::{Cause, StoreError};
use super::idempotency::Record;
use super::identity::{AccountId, CallId};

/// A plan with more rows, or with more bytes of HTML, is large.
const LARGE_ROWS: usize = 1_000;
const LARGE_BYTES: usize = 4 << 20;

/// Everything that the store writes for a plan. Debug shows only the id, the account and the costs.
///
/// Making it decodes and hashes each HTML body, so a large call does this on a thread for large bodies.
#[derive(Clone)]
pub struct Work {
    pub(super) account: AccountId,
    pub(super) id: CallId,
    pub(super) operation: Operation,
    pub(super) debit: Debit,
    /// The lists that the plan names.
    pub(super) lists: Vec<String>,
    /// In the order of match keys.
    pub(super) create: Vec<NewRow>,
    /// Existing subscribers that are sent to, each once, in ascending order. They still have to exist, and must not be
    /// INACTIVE.
    pub(super) existing: Vec<i64>,
    /// Whether the existing subscribers are added to the list of httpSendMail.
    pub(super) enlists: bool,
    pub(super) update: Option<UpdateRow>,
    /// HTML under its SHA-256, each once, in the order of the hashes.
    pub(super) contents: BTreeMap<[u8; 32], String>,
    pub(super) messages: Vec<MessageRow>,
    pub(super) deliveries: Vec<DeliveryRow>,
    /// The revision of the mailer that the call was judged by.
    pub(super) mailer_revision: Option<i64>,
    /// What a partial batch has left out.
    pub(super) left_out: Vec<LeftOutRow>,
    pub(super) record: Option<Record>,
}

/// A request or a recipient that a partial batch has left out.
#[derive(Clone)]
pub(super) struct LeftOutRow {
    pub(super) request: Option<i32>,
    pub(super) pointer: Option<String>,
    /// The range of the body that broke the rule: its first byte, and the first byte after it.
    pub(super) span: Option<(i64, i64)>,
    pub(super) rule: &'static str,
}

/// A subscriber to create.
#[derive(Clone)]
pub(super) struct NewRow {
    pub(super) match_key: String,
    pub(super) email: String,
    pub(super) list: String,
    pub(super) fields: Fields,
}

/// Personalization by the names of the interface; `""` clears a field.
pub(super) type Fields = Vec<(&'static str, String)>;

/// A subscriber whose personalization is overwritten, field by field.
#[derive(Clone)]
pub(super) struct UpdateRow {
    pub(super) subscriber: i64,
    pub(super) fields: Fields,
}

/// One message of the call.
#[derive(Clone)]
pub(super) struct MessageRow {
    /// The position in `requests`; `None` on sendMailer.
    pub(super) request: Option<i32>,
    pub(super) mailer: Option<i64>,
    pub(super) subject: Option<String>,
    pub(super) content: Option<[u8; 32]>,
    pub(super) from: String,
    pub(super) from_name: Option<String>,
    pub(super) reply_to: Option<String>,
    pub(super) custom_field: Option<String>,
    pub(super) track_opens: bool,
    pub(super) track_clicks: bool,
}

/// One email to one recipient.
#[derive(Clone)]
pub(super) struct DeliveryRow {
    /// The place of its message in [`Work::messages`].
    pub(super) message: i32,
    pub(super) to: String,
    /// `to`, `cc`, `bcc`; `None` on sendMailer.
    pub(super) role: Option<&'static str>,
    pub(super) subscriber: Who,
}

/// A subscriber of the plan.
#[derive(Clone, Copy)]
pub(super) enum Who {
    /// The subscriber with this id.
    Existing(i64),
    /// The place in [`Work::create`].
    New(usize),
}

/// The ids that a database gave to new subscribers, by their places in [`Work::create`].
#[derive(Default)]
pub(super) struct Ids(pub(super) Vec<i64>);

impl Ids {
    pub(super) fn of(&self, who: Who) -> Result<i64, StoreError> {
        let id = match who {
            Who::Existing(id) => Some(id),
            Who::New(place) => self.0.get(place).copied(),
        };
        id.ok_or(StoreError::Failed(Cause::new(
            "carrying a plan out: a new subscriber has no id",
        )))
    }
}

impl Work {
    /// Copies the plan of a call, which [`Call::begin_commit`] has handed out, and what the call has left out.
    ///
    /// Returns `None` if there is no plan, if it sends to a recipient that neither exists nor is to be created, or if it has
    /// more messages than a body can hold. Each of these is a fault of the service or of the library.
    #[must_use]
    pub fn of(
        call: &Call<'_>,
        account: AccountId,
        id: CallId,
        mailer_revision: Option<i64>,
        record: Option<Record>,
    ) -> Option<Self> {
        let plan = &call.plan()?;
        let refused = call.decision()?.refused();
        let mut create: Vec<NewRow> = plan.create().map(|new| NewRow::of(&new)).collect();
        create.sort_unstable_by(|one, other| one.match_key.cmp(&other.match_key));
        let single = plan.single();
        let mut existing: Vec<i64> = match single {
            Some(single) => single.subscriber().map(to_signed).into_iter().collect(),
            None => plan.enlist().map(to_signed).collect(),
        };
        existing.sort_unstable();
        let mut work = Self {
            account,
            id,
            operation: call.operation(),
            debit: plan.debit(),
            lists: plan.lists().into_iter().map(Into::into).collect(),
            create,
            existing,
            enlists: single.is_none(),
            update: plan.update().next().map(|update| UpdateRow {
                subscriber: to_signed(update.id()),
                fields: owned(update.fields()),
            }),
            contents: BTreeMap::new(),
            messages: Vec::new(),
            deliveries: Vec::new(),
            mailer_revision,
            left_out: refused
                .map(|one| LeftOutRow::of(&one))
                .collect::<Option<_>>()?,
            record,
        };
        work.take_messages(plan)?;
        Some(work)
    }

    fn take_messages(&mut self, plan: &Plan<'_>) -> Option<()> {
        let create = std::mem::take(&mut self.create);
        let places: HashMap<&str, usize> = create
            .iter()
            .enumerate()
            .map(|(place, new)| (new.match_key.as_str(), place))
            .collect();
        for message in plan.messages() {
            let content = message.html().map(|html| {
                let hash: [u8; 32] = Sha256::digest(html.as_bytes()).into();
                self.contents.entry(hash).or_insert_with(|| html.into());
                hash
            });
            let place = i32::try_from(self.messages.len()).ok()?;
            self.messages.push(MessageRow::of(&message, content)?);
            for recipient in message.recipients() {
                let to = recipient.to();
                let subscriber = match recipient.subscriber() {
                    Some(id) => Who::Existing(to_signed(id)),
                    None => {
                        let key = address::parse(&to).ok()?.match_key().into_owned();
                        Who::New(*places.get(key.as_str())?)
                    }
                };
                self.deliveries.push(DeliveryRow {
                    message: place,
                    to: to.into(),
                    role: recipient.role().map(RecipientRole::name),
                    subscriber,
                });
            }
        }
        drop(places);
        self.create = create;
        Some(())
    }

    /// The stored email that the call sends. `None` for httpSendMail.
    pub(super) fn mailer(&self) -> Option<i64> {
        self.messages.first()?.mailer
    }

    /// The stored email that a delivery sends. `None` for httpSendMail.
    pub(super) fn mailer_of(&self, delivery: &DeliveryRow) -> Option<i64> {
        let message = usize::try_from(delivery.message).ok()?;
        self.messages.get(message)?.mailer
    }

    /// The call's own id.
    #[must_use]
    pub const fn id(&self) -> CallId {
        self.id
    }

    /// The account of the call.
    #[must_use]
    pub const fn account(&self) -> AccountId {
        self.account
    }

    /// Whether it is carried out separately from others, because it would keep them waiting.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.rows() > LARGE_ROWS || self.html_bytes() > LARGE_BYTES
    }

    fn html_bytes(&self) -> usize {
        let bytes = self.contents.values().map(String::len);
        bytes.fold(0, usize::saturating_add)
    }

    /// How much it writes, in rows. HTML counts as the rows that take as long to write.
    pub(super) fn size(&self) -> usize {
        let html = self.html_bytes() / (LARGE_BYTES / LARGE_ROWS);
        self.rows().saturating_add(html)
    }

    /// The lists that are created if they are missing.
    pub(super) fn made_lists(&self) -> impl Iterator<Item = &String> {
        self.lists.iter().filter(|name| is_made(name))
    }

    /// The lists that have to exist.
    pub(super) fn found_lists(&self) -> impl Iterator<Item = &String> {
        self.lists.iter().filter(|name| !is_made(name))
    }

    /// The personalization that is written: a subscriber, the name of a field and its value.
    pub(super) fn fields(&self) -> impl Iterator<Item = (Who, &'static str, &str)> {
        let created = self.create.iter().enumerate();
        let created = created.map(|(place, new)| (Who::New(place), &new.fields));
        let updated = self.update.iter();
        let updated = updated.map(|update| (Who::Existing(update.subscriber), &update.fields));
        created.chain(updated).flat_map(|(who, fields)| {
            fields
                .iter()
                .map(move |(name, value)| (who, *name, value.as_str()))
        })
    }

    /// The subscribers that become members of lists, each with the list.
    pub(super) fn members(&self) -> impl Iterator<Item = (&str, Who)> {
        let created = self.create.iter().enumerate();
        let created = created.map(|(place, new)| (new.list.as_str(), Who::New(place)));
        let existing = self.existing.iter().filter(|_| self.enlists);
        created.chain(existing.map(|id| (API_LIST, Who::Existing(*id))))
    }

    /// The conflict when a recipient has been deleted.
    pub(super) fn gone(&self) -> Conflict {
        match self.operation {
            Operation::SendMailer => Conflict::SubscriberGone,
            // The interface has no code for this on httpSendMail.
            Operation::HttpSendMail => Conflict::Other,
        }
    }

    /// Returns why the plan's credits cannot be taken from an account in its current state, or `None` if they can.
    pub(super) fn undebited(&self, account: &Account) -> Option<Conflict> {
        let lacks = |credit: Option<i64>, needed: u64| {
            needed > 0 && credit.is_some_and(|credit| credit < to_signed(needed))
        };
        if account.blocked || account.expired || account.deactivated {
            // When the call is judged again, it meets the account's state.
            Some(Conflict::Other)
        } else if lacks(account.subscriber_credit, self.debit.subscriber) {
            Some(Conflict::SubscriberCredit)
        } else if lacks(account.email_credit, self.debit.email) {
            Some(Conflict::EmailCredit)
        } else {
            None
        }
    }

    /// An estimate of the rows that it writes. A group of commits is limited by it.
    pub(super) fn rows(&self) -> usize {
        // A subscriber is a row and a membership; the call and the account are two more.
        let subscribers = self.create.len().saturating_mul(2);
        [
            self.messages.len(),
            self.deliveries.len(),
            self.contents.len(),
            self.left_out.len(),
        ]
        .into_iter()
        .fold(subscribers.saturating_add(2), usize::saturating_add)
    }
}

/// Whether a list is created if it is missing.
fn is_made(name: &str) -> bool {
    [API_LIST, DEFAULT_LIST].contains(&name)
}

impl LeftOutRow {
    fn of(violation: &Violation<'_>) -> Option<Self> {
        let span = match violation.span() {
            Some(span) => Some((span.start.try_into().ok()?, span.end.try_into().ok()?)),
            None => None,
        };
        Some(Self {
            request: violation.request().map(i32::try_from).transpose().ok()?,
            pointer: violation.pointer(),
            span,
            rule: violation.rule().identifier(),
        })
    }
}

impl NewRow {
    fn of(new: &franking::NewSubscriber<'_>) -> Self {
        Self {
            match_key: new.match_key().into(),
            email: new.email().into(),
            list: new.list().into(),
            fields: owned(new.fields()),
        }
    }
}

impl MessageRow {
    fn of(message: &Message<'_>, content: Option<[u8; 32]>) -> Option<Self> {
        Some(Self {
            request: message.request().map(i32::try_from).transpose().ok()?,
            mailer: message.mailer().map(to_signed),
            subject: message.subject().map(Into::into),
            content,
            from: message.from().into(),
            from_name: message.from_name().map(Into::into),
            reply_to: message.reply_to().map(Into::into),
            custom_field: message.custom_field().map(Into::into),
            track_opens: message.track_opens(),
            track_clicks: message.track_clicks(),
        })
    }
}

fn owned<'c>(fields: impl Iterator<Item = (&'static str, std::borrow::Cow<'c, str>)>) -> Fields {
    fields.map(|(name, value)| (name, value.into())).collect()
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("id", &self.id)
            .field("account", &self.account)
            .field("debit", &self.debit)
            .finish_non_exhaustive()
    }
}
