//! What the host is to do: cursors over the parts of a plan.
//!
//! A plan can be read at FRANKING_STEP_COMMIT, and at FRANKING_STEP_DONE of a call that was accepted.

mod collapsed;
mod messages;
mod single;
mod subscribers;

use crate::call::FrankingCall;
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run};
use crate::size::{Grows, write_sized};
use crate::status::Fail;
use crate::text::FrankingString;
pub(crate) use collapsed::FrankingCollapsed;
pub(crate) use messages::{FrankingMessage, FrankingRecipient};
pub(crate) use single::{FrankingSinglePlan, write_fields};
pub(crate) use subscribers::{FrankingField, FrankingNewSubscriber};

type Boxed<T> = Box<dyn Iterator<Item = T> + Send + Sync>;

/// The credits that a plan costs. Start from FRANKING_DEBIT_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingDebit {
    /// sizeof(franking_debit).
    pub size: usize,
    /// Email credit: one for each email.
    pub email: u64,
    /// Subscriber credit: one for each subscriber that is created.
    pub subscriber: u64,
}

// SAFETY: repr(C), 3 * 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingDebit {
    const FIRST: usize = 24;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        email: 0,
        subscriber: 0,
    };
}

/// What the plan costs, which is also how many emails it sends and how many subscribers it creates. debit->size has to be
/// set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_debit(
    call: *mut FrankingCall,
    debit: *mut FrankingDebit,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        call.state.read(|state| {
            let cost = state.plan()?.debit();
            let value = FrankingDebit {
                size: size_of::<FrankingDebit>(),
                email: cost.email,
                subscriber: cost.subscriber,
            };
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized(debit, "debit", value) }
        })
    })
}

/// The JSON form of the plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_plan_json(
    call: *mut FrankingCall,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let text = call.state.read(|state| Ok(state.plan()?.to_json()))?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)) }
    })
}

fn nowhere() -> Fail {
    Fail::misuse("the cursor is at nothing: move it first, and ask nothing behind the end")
}
