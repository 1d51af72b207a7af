//! What the host is asked, in columns.

use std::borrow::Cow;

use crate::call::{FrankingCall, State};
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run};
use crate::numbers::{
    FRANKING_COLUMN_DOMAINS, FRANKING_COLUMN_LISTS, FRANKING_COLUMN_MAILERS,
    FRANKING_COLUMN_SENDERS, FRANKING_COLUMN_SUBSCRIBER_IDS, FRANKING_COLUMN_SUBSCRIBERS,
};
use crate::size::put;
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, room};

fn no_column(column: i32, of: &str) -> Fail {
    Fail::argument(format!(
        "{column} is no column of {of}: give one of the FRANKING_COLUMN constants"
    ))
}

impl State {
    fn question_count(&self, column: i32) -> Outcome<usize> {
        let questions = self.questions()?;
        Ok(match column {
            FRANKING_COLUMN_MAILERS => questions.mailers().len(),
            FRANKING_COLUMN_SENDERS => questions.sender_count(),
            FRANKING_COLUMN_SUBSCRIBER_IDS => questions.subscriber_ids().len(),
            FRANKING_COLUMN_SUBSCRIBERS => questions.subscriber_count(),
            FRANKING_COLUMN_LISTS => questions.lists().len(),
            FRANKING_COLUMN_DOMAINS => questions.domain_count(),
            _ => return Err(no_column(column, "questions")),
        })
    }

    /// One member of a column of texts; a text that has to be made is kept until the call is answered.
    pub(crate) fn question_text(
        &mut self,
        column: i32,
        index: usize,
    ) -> Outcome<Option<FrankingText>> {
        if let Some(made) = self.made(column, index) {
            return Ok(Some(made));
        }
        let questions = self.questions()?;
        let text = match column {
            FRANKING_COLUMN_SENDERS => questions.sender(index),
            FRANKING_COLUMN_SUBSCRIBERS => questions.subscriber(index),
            FRANKING_COLUMN_LISTS => questions.lists().nth(index),
            FRANKING_COLUMN_DOMAINS => questions.domain(index).map(|(name, _)| name),
            _ => return Err(no_column(column, "texts")),
        };
        Ok(match text {
            None => None,
            Some(Cow::Borrowed(text)) => Some(FrankingText::new(text)),
            Some(Cow::Owned(text)) => Some(self.keep_made(column, index, text)),
        })
    }
}

/// At FRANKING_STEP_FACTS: how many members a column has; one of FRANKING_COLUMN.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_question_count(
    call: *mut FrankingCall,
    column: i32,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(count, "count")?;
        let found = call.state.read(|state| state.question_count(column))?;
        // SAFETY: checked above.
        unsafe { put_out(count, found) }
    })
}

/// At FRANKING_STEP_FACTS: members of a column of ids, from first on, up to capacity of them. *count is how many were
/// written, 0 behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_question_ids(
    call: *mut FrankingCall,
    column: i32,
    first: usize,
    ids: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes room for as many ids as it says.
        let ids = unsafe { room(ids, capacity, "ids") }?;
        check_out(count, "count")?;
        let written = call.state.read(|state| {
            let questions = state.questions()?;
            let mut fill = |column: &mut dyn Iterator<Item = u64>| {
                let mut written = 0_usize;
                for id in column.skip(first).take(capacity) {
                    put(ids, written, id);
                    written = written.saturating_add(1);
                }
                written
            };
            Ok(match column {
                FRANKING_COLUMN_MAILERS => fill(&mut questions.mailers()),
                FRANKING_COLUMN_SUBSCRIBER_IDS => fill(&mut questions.subscriber_ids()),
                _ => return Err(no_column(column, "ids")),
            })
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
    })
}

/// At FRANKING_STEP_FACTS: members of a column of texts, from first on, up to capacity of them. *count is how many were
/// written, 0 behind the last. The texts live until the call is answered or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_question_texts(
    call: *mut FrankingCall,
    column: i32,
    first: usize,
    texts: *mut FrankingText,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes room for as many texts as it says.
        let texts = unsafe { room(texts, capacity, "texts") }?;
        check_out(count, "count")?;
        let written = call.state.write(|state| {
            let mut written = 0_usize;
            while written < capacity {
                let index = first.saturating_add(written);
                let Some(text) = state.question_text(column, index)? else {
                    break;
                };
                put(texts, written, text);
                written = written.saturating_add(1);
            }
            if capacity == 0 {
                state.question_text(column, first)?;
            }
            Ok(written)
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
    })
}

/// At FRANKING_STEP_FACTS: the roles in which the members of FRANKING_COLUMN_DOMAINS appear, as FRANKING_ROLE bits, from
/// first on, up to capacity of them. *count is how many were written, 0 behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_question_roles(
    call: *mut FrankingCall,
    first: usize,
    role_bits: *mut u8,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes room for as many sets as it says.
        let bits = unsafe { room(role_bits, capacity, "role_bits") }?;
        check_out(count, "count")?;
        let written = call.state.read(|state| {
            let questions = state.questions()?;
            let mut written = 0_usize;
            while written < capacity {
                let Some((_, roles)) = questions.domain(first.saturating_add(written)) else {
                    break;
                };
                put(bits, written, roles.bits());
                written = written.saturating_add(1);
            }
            Ok(written)
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
    })
}
