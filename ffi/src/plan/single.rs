//! The rows of a plan of sendMailer: one message to one recipient.

use core::mem::MaybeUninit;

use franking_core::SinglePlan;

use super::{
    FrankingCollapsed, FrankingDebit, FrankingField, FrankingMessage, FrankingNewSubscriber,
    FrankingPlan, FrankingRecipient, FrankingUpdate,
};
use crate::arena::Arena;
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, first};

/// The room for fields of personalization: a call of sendMailer cannot carry more.
pub(crate) const MAX_FIELDS: usize = 32;

/// One row of each kind, some of which may stand for none.
pub(crate) struct SingleRows {
    create: FrankingNewSubscriber,
    update: FrankingUpdate,
    message: FrankingMessage,
    recipient: FrankingRecipient,
}

impl SingleRows {
    /// Texts that lie nowhere else are kept in `texts`.
    #[inline(always)]
    pub(crate) fn new(plan: &SinglePlan<'_>, texts: &mut Arena) -> Self {
        let to = texts.keep(plan.to());
        let id = plan.subscriber().unwrap_or_default();
        Self {
            create: FrankingNewSubscriber {
                email: to,
                match_key: texts.keep_option(plan.match_key()),
                list: texts.keep_option(plan.list()),
                fields: core::ptr::null(),
                field_count: 0,
            },
            update: FrankingUpdate {
                id,
                fields: core::ptr::null(),
                field_count: 0,
            },
            message: FrankingMessage {
                mailer: plan.mailer(),
                request: 0,
                subject: FrankingText::NONE,
                from: texts.keep(plan.from()),
                from_name: texts.keep_option(plan.from_name()),
                reply_to: FrankingText::NONE,
                custom_field: texts.keep_option(plan.custom_field()),
                recipients: core::ptr::null(),
                recipient_count: 1,
                recipient_size: size_of::<FrankingRecipient>(),
                encoding: 0,
                track_opens: u8::from(plan.track_opens()),
                track_clicks: u8::from(plan.track_clicks()),
                has_request: 0,
                reserved: 0,
            },
            recipient: FrankingRecipient {
                to,
                subscriber: id,
                role: 0,
                reserved: 0,
            },
        }
    }

    /// Lets the rows point to each other, where they lie by now.
    #[inline(always)]
    pub(crate) fn link(&mut self, fields: &[FrankingField]) {
        self.message.recipients = &raw const self.recipient;
        (self.create.fields, self.create.field_count) = (first(fields), fields.len());
        (self.update.fields, self.update.field_count) = (first(fields), fields.len());
    }

    /// Writes the plan as the caller sees it. The rows were linked.
    #[inline(always)]
    pub(crate) fn show<'a>(
        &self,
        place: &'a mut MaybeUninit<FrankingPlan>,
    ) -> &'a mut FrankingPlan {
        let is_created = self.recipient.subscriber == 0;
        let is_updated = !is_created && self.update.field_count > 0;
        place.write(FrankingPlan {
            debit: FrankingDebit {
                email: 1,
                subscriber: u64::from(is_created),
            },
            create: &raw const self.create,
            create_count: usize::from(is_created),
            create_size: size_of::<FrankingNewSubscriber>(),
            update: &raw const self.update,
            update_count: usize::from(is_updated),
            update_size: size_of::<FrankingUpdate>(),
            messages: &raw const self.message,
            message_count: 1,
            message_size: size_of::<FrankingMessage>(),
            collapsed_size: size_of::<FrankingCollapsed>(),
            ..crate::size::Grows::EMPTY
        })
    }
}

/// Writes the fields of personalization. A function of its own: inlined, the loop ran out of registers.
#[inline(never)]
pub(crate) fn write_fields<'a>(
    plan: &SinglePlan<'_>,
    texts: &mut Arena,
    room: &'a mut [MaybeUninit<FrankingField>; MAX_FIELDS],
) -> Outcome<&'a [FrankingField]> {
    let mut left = room.iter_mut();
    // In this order: what a field is may stay in registers then.
    for (name, value) in plan.fields() {
        let value = texts.keep(value);
        let name = FrankingText::new(name);
        let Some(row) = left.next() else {
            // There are no more fields than that: nothing may be left out of a plan.
            return Err(Fail::panic());
        };
        row.write(FrankingField { name, value });
    }
    let count = MAX_FIELDS.saturating_sub(left.len());
    // SAFETY: the first `count` rows were written.
    Ok(unsafe { core::slice::from_raw_parts(room.as_ptr().cast(), count) })
}
