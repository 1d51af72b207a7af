//! The rows of a plan of httpSendMail.

use std::borrow::Cow;

use franking_core::Plan;

use super::{
    FrankingCollapsed, FrankingDebit, FrankingField, FrankingMessage, FrankingNewSubscriber,
    FrankingPlan, FrankingRecipient, FrankingUpdate,
};
use crate::arena::Arena;
use crate::size::{Grows, LaidOut};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingSpan, FrankingText, first};

/// The rows of each kind. Their allocations may fail.
#[derive(Default)]
pub(super) struct ManyRows {
    debit: (u64, u64),
    fields: Vec<FrankingField>,
    create: Vec<FrankingNewSubscriber>,
    update: Vec<FrankingUpdate>,
    enlist: Vec<u64>,
    messages: Vec<FrankingMessage>,
    recipients: Vec<FrankingRecipient>,
    collapsed: Vec<FrankingCollapsed>,
}

fn push<T>(rows: &mut Vec<T>, row: T) -> Outcome {
    if rows.len() == rows.capacity() {
        reserve(rows, 1)?;
    }
    rows.push(row);
    Ok(())
}

/// As [`Arena::keep`], for a text that can be one of thousands: an allocation may fail.
fn keep(texts: &mut Arena, text: Cow<'_, str>) -> Outcome<FrankingText> {
    texts.try_keep(text).map_err(|_| Fail::memory("the plan"))
}

fn reserve<T>(rows: &mut Vec<T>, count: usize) -> Outcome {
    let room = rows.try_reserve(count);
    room.map_err(|_| Fail::memory("the plan"))
}

/// Takes the next `count` rows off the front of `rows`.
fn pass<T: LaidOut>(rows: &mut &[T], count: usize) -> *const T {
    let (own, rest) = rows.split_at_checked(count).unwrap_or_default();
    *rows = rest;
    first(own)
}

impl ManyRows {
    /// Makes the rows. `texts` keeps the texts that had to be built.
    pub(super) fn new(plan: &Plan<'_>, texts: &mut Arena) -> Outcome<Self> {
        let debit = plan.debit();
        let mut rows = Self {
            debit: (debit.email, debit.subscriber),
            ..Self::default()
        };
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        reserve(&mut rows.create, count(debit.subscriber))?;
        reserve(&mut rows.recipients, count(debit.email))?;
        for subscriber in plan.create() {
            let field_count = rows.keep_fields(subscriber.fields(), texts)?;
            let row = FrankingNewSubscriber {
                email: keep(texts, subscriber.email())?,
                match_key: keep(texts, subscriber.match_key())?,
                list: keep(texts, subscriber.list())?,
                fields: core::ptr::null(),
                field_count,
            };
            push(&mut rows.create, row)?;
        }
        for update in plan.update() {
            let field_count = rows.keep_fields(update.fields(), texts)?;
            let row = FrankingUpdate {
                id: update.id(),
                fields: core::ptr::null(),
                field_count,
            };
            push(&mut rows.update, row)?;
        }
        for id in plan.enlist() {
            push(&mut rows.enlist, id)?;
        }
        for message in plan.messages() {
            let first = rows.recipients.len();
            for recipient in message.recipients() {
                let row = FrankingRecipient {
                    to: keep(texts, recipient.to())?,
                    subscriber: recipient.subscriber().unwrap_or_default(),
                    role: recipient.role().map_or(0, |role| i32::from(role.number())),
                    reserved: 0,
                };
                push(&mut rows.recipients, row)?;
            }
            let row = FrankingMessage {
                mailer: message.mailer().unwrap_or_default(),
                request: message.request().map_or(0, u64::from),
                subject: texts.keep_option(message.subject()),
                from: keep(texts, message.from())?,
                from_name: texts.keep_option(message.from_name()),
                reply_to: texts.keep_option(message.reply_to()),
                custom_field: texts.keep_option(message.custom_field()),
                recipients: core::ptr::null(),
                recipient_count: rows.recipients.len().saturating_sub(first),
                recipient_size: size_of::<FrankingRecipient>(),
                encoding: message
                    .encoding()
                    .map_or(0, |sent_as| i32::from(sent_as.number())),
                track_opens: u8::from(message.track_opens()),
                track_clicks: u8::from(message.track_clicks()),
                has_request: u8::from(message.request().is_some()),
                reserved: 0,
            };
            push(&mut rows.messages, row)?;
        }
        for collapsed in plan.collapsed() {
            let row = FrankingCollapsed {
                request: u64::from(collapsed.request()),
                pointer: keep(texts, Cow::Owned(collapsed.pointer()))?,
                span: FrankingSpan::from(collapsed.span()),
                to: keep(texts, collapsed.to())?,
            };
            push(&mut rows.collapsed, row)?;
        }
        rows.link();
        Ok(rows)
    }

    fn keep_fields<'a>(
        &mut self,
        fields: impl Iterator<Item = (&'static str, Cow<'a, str>)>,
        texts: &mut Arena,
    ) -> Outcome<usize> {
        let first = self.fields.len();
        for (name, value) in fields {
            let row = FrankingField {
                name: FrankingText::new(name),
                value: keep(texts, value)?,
            };
            push(&mut self.fields, row)?;
        }
        Ok(self.fields.len().saturating_sub(first))
    }

    /// Sets the pointers into other columns, which do not grow any more.
    fn link(&mut self) {
        let mut fields = &*self.fields;
        for row in &mut self.create {
            row.fields = pass(&mut fields, row.field_count);
        }
        for row in &mut self.update {
            row.fields = pass(&mut fields, row.field_count);
        }
        let mut recipients = &*self.recipients;
        for row in &mut self.messages {
            row.recipients = pass(&mut recipients, row.recipient_count);
        }
    }

    /// The request of a message, counted from 0.
    pub(super) fn request_of(&self, message: usize) -> Option<u32> {
        u32::try_from(self.messages.get(message)?.request).ok()
    }

    /// The plan as the caller sees it.
    pub(super) fn show(&self) -> FrankingPlan {
        FrankingPlan {
            debit: FrankingDebit {
                email: self.debit.0,
                subscriber: self.debit.1,
            },
            create: first(&self.create),
            create_count: self.create.len(),
            create_size: size_of::<FrankingNewSubscriber>(),
            update: first(&self.update),
            update_count: self.update.len(),
            update_size: size_of::<FrankingUpdate>(),
            enlist: first(&self.enlist),
            enlist_count: self.enlist.len(),
            messages: first(&self.messages),
            message_count: self.messages.len(),
            message_size: size_of::<FrankingMessage>(),
            collapsed: first(&self.collapsed),
            collapsed_count: self.collapsed.len(),
            collapsed_size: size_of::<FrankingCollapsed>(),
            ..FrankingPlan::EMPTY
        }
    }
}
