//! The plan of a call: what the host has to do, in one structure.
//!
//! A plan can be read at FRANKING_STEP_COMMIT, and at FRANKING_STEP_DONE of a call that was accepted.

mod many;
mod single;

use core::mem::MaybeUninit;
use std::borrow::Cow;

use franking_core::Plan;

use crate::arena::Arena;
use crate::records::{
    FrankingCollapsed, FrankingDebit, FrankingField, FrankingMessage, FrankingNewSubscriber,
    FrankingRecipient, FrankingUpdate,
};
use crate::size::Grows;
use crate::status::{Fail, Outcome};
use crate::text::FrankingText;
use many::ManyRows;
pub(crate) use single::{MAX_FIELDS, SingleRows, write_fields};

/// The address of a franking_call. A type of its own, because this module does not depend on that of calls.
pub struct PlanCall {
    _private: (),
}

/// What the host has to do for a call, all of it in one transaction. Start from FRANKING_PLAN_INIT. Rows and texts live
/// until the call is answered or freed; in a callback, until it returns.
///
/// A plan of sendMailer has one message to one recipient, who is created or may be updated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingPlan {
    /// sizeof(franking_plan).
    pub size: usize,
    /// The franking_call, for franking_call_html; NULL in franking_send_mailer_decide, whose plans have no HTML.
    pub call: *mut PlanCall,
    /// The operation that was called: one of FRANKING_OPERATION.
    pub operation: i32,
    /// 0.
    pub reserved: i32,
    /// The credits to take.
    pub debit: FrankingDebit,
    /// The subscribers to create, in order of first use.
    pub create: *const FrankingNewSubscriber,
    /// How many.
    pub create_count: usize,
    /// The size of each, by which franking_new_subscriber_at finds it.
    pub create_size: usize,
    /// The subscribers whose stored personalization is overwritten.
    pub update: *const FrankingUpdate,
    /// How many.
    pub update_count: usize,
    /// The size of each, by which franking_update_at finds it.
    pub update_size: usize,
    /// The ids of existing subscribers to add to the list API_EMAILS (FRANKING_API_LIST), those that are in it already
    /// included, in order of first use.
    pub enlist: *const u64,
    /// How many.
    pub enlist_count: usize,
    /// The messages, one for each request. The requests that a partial batch leaves out have none.
    pub messages: *const FrankingMessage,
    /// How many.
    pub message_count: usize,
    /// The size of each, by which franking_message_at finds it.
    pub message_size: usize,
    /// The repeated addresses that are left out, in order of requests, then of to, cc and bcc.
    pub collapsed: *const FrankingCollapsed,
    /// How many.
    pub collapsed_count: usize,
    /// The size of each, by which franking_collapsed_at finds it.
    pub collapsed_size: usize,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingPlan {
    const FIRST: usize = 152;
}

/// The rows of a plan. The call keeps them, and they do not move until it is answered.
pub(crate) struct PlanRows {
    rows: Kind,
    /// The HTML that was last asked for, if it had to be decoded.
    html: String,
}

enum Kind {
    Single {
        rows: SingleRows,
        fields: Vec<FrankingField>,
    },
    Many(ManyRows),
}

// SAFETY: the pointers in the rows are only numbers here; their targets live as long as the call.
unsafe impl Send for PlanRows {}
// SAFETY: as above.
unsafe impl Sync for PlanRows {}

impl PlanRows {
    /// Makes the rows. `texts` keeps the texts that had to be built.
    pub(crate) fn new(plan: &Plan<'_>, texts: &mut Arena) -> Outcome<Self> {
        // Borrowed in place: a copy would wait for the stores of its members.
        let single = plan.single();
        let rows = match &single {
            Some(plan) => {
                let mut room = [const { MaybeUninit::uninit() }; MAX_FIELDS];
                let fields = write_fields(plan, texts, &mut room)?.to_vec();
                let rows = SingleRows::new(plan, texts);
                Kind::Single { rows, fields }
            }
            None => Kind::Many(ManyRows::new(plan, texts)?),
        };
        Ok(Self {
            rows,
            html: String::new(),
        })
    }

    /// Sets the pointers between the rows, which may not move from here on.
    pub(crate) fn link(&mut self) {
        if let Kind::Single { rows, fields } = &mut self.rows {
            rows.link(fields);
        }
    }

    /// Writes the plan as the caller sees it, without the call and its operation. Call `link` before.
    pub(crate) fn show<'a>(
        &self,
        place: &'a mut MaybeUninit<FrankingPlan>,
    ) -> &'a mut FrankingPlan {
        match &self.rows {
            Kind::Single { rows, .. } => rows.show(place),
            Kind::Many(rows) => place.write(rows.show()),
        }
    }

    /// The HTML of a message. `plan` is the plan from which the rows were made.
    pub(crate) fn html(&mut self, plan: &Plan<'_>, message: usize) -> Outcome<FrankingText> {
        let Kind::Many(many) = &self.rows else {
            return Ok(FrankingText::NONE);
        };
        let request = many.request_of(message).ok_or_else(|| {
            Fail::argument(format!("the plan has no message {message}: count from 0"))
        })?;
        let html = plan.message(Some(request)).and_then(|one| one.html());
        Ok(match html {
            None => FrankingText::NONE,
            Some(Cow::Borrowed(html)) => FrankingText::new(html),
            Some(Cow::Owned(html)) => {
                self.html = html;
                FrankingText::new(&self.html)
            }
        })
    }
}
