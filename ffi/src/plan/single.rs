//! The plan of a call of sendMailer in one structure.

use core::mem::MaybeUninit;

use franking_core::SinglePlan;

use super::FrankingField;
use crate::arena::Arena;
use crate::call::{FrankingCall, State};
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run};
use crate::size::{Grows, RowsRoom, check_sized, write_sized_with};
use crate::status::{FRANKING_STATUS_SIZE, Fail, Outcome};
use crate::text::FrankingText;

/// The plan of a call of sendMailer, which is one email to one recipient. Start from FRANKING_SINGLE_PLAN_INIT. Texts live
/// until franking_call_single_plan is called again, or the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingSinglePlan {
    /// sizeof(franking_single_plan).
    pub size: usize,
    /// The id of the stored email to send.
    pub mailer: u64,
    /// The id of the subscriber who gets it; 0: to be created, with the fields.
    pub subscriber: u64,
    /// The address to send to.
    pub to: FrankingText,
    /// The match key of a subscriber that is created, to be stored beside the address; data NULL: none is.
    pub match_key: FrankingText,
    /// The list to put a subscriber into that is created; data NULL: none is.
    pub list: FrankingText,
    /// The effective sender address.
    pub from: FrankingText,
    /// The effective sender name; data NULL: none.
    pub from_name: FrankingText,
    /// The caller's text for its own tracking; data NULL: none.
    pub custom_field: FrankingText,
    /// Not 0: opens are to be tracked.
    pub track_opens: u8,
    /// Not 0: clicks are to be tracked.
    pub track_clicks: u8,
    /// 0.
    pub reserved: [u8; 6],
}

// SAFETY: repr(C), 3 * 8 + 6 * 16 + 8 * 1 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingSinglePlan {
    const FIRST: usize = 128;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        mailer: 0,
        subscriber: 0,
        to: FrankingText::NONE,
        match_key: FrankingText::NONE,
        list: FrankingText::NONE,
        from: FrankingText::NONE,
        from_name: FrankingText::NONE,
        custom_field: FrankingText::NONE,
        track_opens: 0,
        track_clicks: 0,
        reserved: [0; 6],
    };
}

impl FrankingSinglePlan {
    /// Texts that lie nowhere else are kept in `texts`. Member by member: all at once, they would first stand elsewhere.
    #[inline(always)]
    pub(crate) fn write<'a>(
        place: &'a mut MaybeUninit<Self>,
        plan: &SinglePlan<'_>,
        texts: &mut Arena,
    ) -> &'a Self {
        let view = place.write(Self::EMPTY);
        view.mailer = plan.mailer();
        view.subscriber = plan.subscriber().unwrap_or_default();
        view.to = texts.keep(plan.to());
        if let Some(key) = plan.match_key() {
            view.match_key = texts.keep(key);
        }
        if let Some(list) = plan.list() {
            view.list = texts.keep(list);
        }
        view.from = texts.keep(plan.from());
        if let Some(name) = plan.from_name() {
            view.from_name = texts.keep(name);
        }
        if let Some(text) = plan.custom_field() {
            view.custom_field = texts.keep(text);
        }
        view.track_opens = u8::from(plan.track_opens());
        view.track_clicks = u8::from(plan.track_clicks());
        view
    }
}

/// Writes the fields of personalization; how many there are. A function of its own: inlined, the loop ran out of registers.
///
/// Fails when there are more than rows.
#[inline(never)]
pub(crate) fn write_fields(
    plan: &SinglePlan<'_>,
    texts: &mut Arena,
    rows: &mut [MaybeUninit<FrankingField>],
) -> Outcome<usize> {
    let capacity = rows.len();
    let mut left = rows.iter_mut();
    // In this order: what a field is may stay in registers then.
    for (name, value) in plan.fields() {
        let value = texts.keep(value);
        let name = FrankingText::new(name);
        let Some(row) = left.next() else {
            return Err(too_few_rows());
        };
        row.write(FrankingField { name, value });
    }
    Ok(capacity.saturating_sub(left.len()))
}

#[cold]
fn too_few_rows() -> Fail {
    let message = "the plan has more fields than there are rows: pass FRANKING_MAX_FIELDS of this version's header";
    Fail::new(FRANKING_STATUS_SIZE, message)
}

/// As [`write_fields`], into rows of any size.
///
/// # Safety
/// The room is the caller's.
#[cold]
#[inline(never)]
unsafe fn write_fields_apart(
    plan: &SinglePlan<'_>,
    texts: &mut Arena,
    room: &mut RowsRoom<FrankingField>,
) -> Outcome<usize> {
    for (name, value) in plan.fields() {
        if room.is_full() {
            return Err(too_few_rows());
        }
        let value = texts.keep(value);
        let name = FrankingText::new(name);
        // SAFETY: as demanded of the caller.
        unsafe { room.push(FrankingField { name, value }) };
    }
    Ok(room.written())
}

impl State {
    /// # Safety
    /// The room is the caller's.
    unsafe fn single_plan(
        &mut self,
        room: &mut RowsRoom<FrankingField>,
        place: &mut MaybeUninit<FrankingSinglePlan>,
    ) -> Outcome<usize> {
        let Some(plan) = self.machine.plan() else {
            return Err(self.no_plan());
        };
        // Looked at where it is made: copied, it waits for its own parts.
        let single = plan.single();
        let Some(plan) = &single else {
            return Err(Fail::misuse(
                "the call is one of httpSendMail: read its plan with franking_call_messages and its kin",
            ));
        };
        self.texts.clear();
        // SAFETY: as demanded of the caller.
        let count = match unsafe { room.as_slice() } {
            Some(rows) => write_fields(plan, &mut self.texts, rows)?,
            // SAFETY: as demanded of the caller.
            None => unsafe { write_fields_apart(plan, &mut self.texts, room) }?,
        };
        FrankingSinglePlan::write(place, plan, &mut self.texts);
        Ok(count)
    }
}

/// The plan of a call of sendMailer in one structure, and the fields of personalization to store: those of a subscriber to
/// create, or those to overwrite, in the interface's order, in capacity rows of row_size, sizeof(franking_field). *count is how
/// many there are. plan->size has to be set.
///
/// Fails with FRANKING_STATUS_MISUSE on a call of httpSendMail, and when there is no plan. Fails with FRANKING_STATUS_SIZE when
/// there are more fields than rows; FRANKING_MAX_FIELDS are enough for the interface as this version knows it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_single_plan(
    call: *mut FrankingCall,
    plan: *mut FrankingSinglePlan,
    rows: *mut FrankingField,
    capacity: usize,
    row_size: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(plan, "plan") }?;
        let mut room = RowsRoom::new(rows, capacity, row_size, "rows")?;
        check_out(count, "count")?;
        let mut written = 0;
        call.state.write(|state| {
            let make = |place: &mut _| {
                // SAFETY: the caller passes room for as many rows as it says.
                written = unsafe { state.single_plan(&mut room, place) }?;
                Ok(())
            };
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(plan, "plan", make) }
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
    })
}
