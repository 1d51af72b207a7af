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

/// The capacity for fields of personalization. A call of sendMailer cannot have more.
pub(crate) const MAX_FIELDS: usize = 32;

/// One row of each kind. `show` leaves out those that the plan does not have.
pub(crate) struct SingleRows {
    create: FrankingNewSubscriber,
    update: FrankingUpdate,
    message: FrankingMessage,
    recipient: FrankingRecipient,
}

impl SingleRows {
    /// Makes the rows. `texts` keeps the texts that had to be built.
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

    /// Sets the pointers between the rows, which may not move from here on.
    #[inline(always)]
    pub(crate) fn link(&mut self, fields: &[FrankingField]) {
        self.message.recipients = &raw const self.recipient;
        (self.create.fields, self.create.field_count) = (first(fields), fields.len());
        (self.update.fields, self.update.field_count) = (first(fields), fields.len());
    }

    /// Writes the plan as the caller sees it. Call `link` before.
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

/// Writes the fields of personalization. Not inlined, because the inlined loop would run out of registers.
#[inline(never)]
pub(crate) fn write_fields<'a>(
    plan: &SinglePlan<'_>,
    texts: &mut Arena,
    room: &'a mut [MaybeUninit<FrankingField>; MAX_FIELDS],
) -> Outcome<&'a [FrankingField]> {
    let mut left = room.iter_mut();
    // The value comes before the name, so that the parts of a field can stay in registers.
    for (name, value) in plan.fields() {
        let value = texts.keep(value);
        let name = FrankingText::new(name);
        let Some(row) = left.next() else {
            // Never reached, since there are no more fields. If it were, the plan would lack a field, so it is a fault.
            return Err(Fail::panic());
        };
        row.write(FrankingField { name, value });
    }
    let count = MAX_FIELDS.saturating_sub(left.len());
    // SAFETY: the first `count` rows were written.
    Ok(unsafe { core::slice::from_raw_parts(room.as_ptr().cast(), count) })
}
