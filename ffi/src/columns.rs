//! Columns of calls, by Arrow's C stream interface.

use franking_columns::interface::{ArrowArrayStream, Owned};
use franking_columns::{Checks, ColumnError, Judge, Redecision, preflight, redecide, streams_of};

use crate::blacklists::FrankingBlacklists;
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run_alone};
use crate::numbers::{FRANKING_COLUMNS_ALL, operation};
use crate::policy::FrankingPolicy;
use crate::status::{FRANKING_STATUS_PANIC, Fail};

fn fail(error: ColumnError) -> Fail {
    match error {
        ColumnError::Internal => Fail::new(FRANKING_STATUS_PANIC, error.to_string()),
        _ => Fail::invalid(error),
    }
}

/// Checks a stream of calls, as franking_preflight_new does one. Both streams are those of Arrow's C stream interface, whose
/// structure your Arrow library or <https://arrow.apache.org/docs/format/CStreamInterface.html> has. *calls is moved, also
/// where its columns are not as they have to be: its release is NULL then. Where an argument is wrong it is not. *checked is
/// overwritten, and owned: release it. The policy may be freed before.
///
/// A batch of calls has a column body of texts or bytes: string, binary, their large forms and views, or a dictionary of them. A
/// stream without columns is one of bodies. operation is one of FRANKING_OPERATION, or 0, and each row has the name of its own in a
/// column operation. Other columns are not looked at. how is 0 or FRANKING_COLUMNS_ALL. threads is the number of threads that work
/// on a batch: 0 and 1 start none.
///
/// A batch is taken when one is asked for. For each row of it, in order, there are the columns code, rule, pointer, start, end
/// and request, which are those of its first violation, and violations and warnings, which are numbers of them. Without violations
/// the code is 200, and the others are null. A row without body, or without operation, is null in each column. The schema's metadata
/// have the version of the rules (franking.rules) and the SHA-256 of the policy's JSON form (franking.policy).
///
/// Fails with FRANKING_STATUS_INVALID when there are no such columns, or the stream fails. Whatever fails later is an error of
/// *checked: get_next returns a number that is not 0, and get_last_error a text that shows nothing of a call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_arrow(
    policy: *const FrankingPolicy,
    operation: i32,
    how: i32,
    threads: usize,
    calls: *mut ArrowArrayStream,
    checked: *mut ArrowArrayStream,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        let operation = match operation {
            0 => None,
            number => Some(self::operation(number)?),
        };
        if how & !FRANKING_COLUMNS_ALL != 0 {
            return Err(Fail::argument(
                "how has an unknown bit: give 0 or FRANKING_COLUMNS_ALL",
            ));
        }
        check_out(calls, "calls")?;
        check_out(checked, "checked")?;
        let checks = Checks {
            policy: policy.clone(),
            operation,
            all: how & FRANKING_COLUMNS_ALL != 0,
            threads,
        };
        // SAFETY: the caller passes a stream of the interface.
        let calls = unsafe { Owned::take(calls) };
        // SAFETY: as above.
        let lent = unsafe { preflight(checks, streams_of(calls)) }.map_err(fail)?;
        // SAFETY: checked above.
        unsafe { put_out(checked, lent.give()) }
    })
}

/// Decides the calls of transcripts again, with the host's answers that they note: what would a new policy or a new list have
/// changed? policy may be NULL: each call is judged by its own. blacklists may be NULL: domains are listed as the host said. Otherwise
/// they are listed as they are in blacklists now, and stored addresses are judged anew. Both may be freed before the stream is read.
/// Streams and threads are as for franking_preflight_arrow.
///
/// A batch of transcripts has a column transcript of texts or bytes. For each row of it, in order, there are the columns code_then, the
/// code that the transcript notes; code_now and rule_now; changed, whether the codes differ; and needs: null, or the name of the
/// column of questions that the call asks now and the transcript does not answer (account, mailers, senders, subscriber_ids,
/// subscribers, lists, domains), or transcript, where there is none that can be replayed. Where something is needed there is no code
/// now. A row without transcript is null in each column.
///
/// Fails with FRANKING_STATUS_INVALID when there is no such column, or the stream fails. Whatever fails later is an error of
/// *redecided.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_redecide_arrow(
    policy: *const FrankingPolicy,
    blacklists: *const FrankingBlacklists,
    threads: usize,
    transcripts: *mut ArrowArrayStream,
    redecided: *mut ArrowArrayStream,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let policy = match policy.is_null() {
            true => None,
            // SAFETY: the caller passes a policy that was not freed.
            false => Some(unsafe { get(policy, "policy") }?.get().clone()),
        };
        let blacklists = match blacklists.is_null() {
            true => None,
            // SAFETY: the caller passes blacklists that were not freed.
            false => Some(unsafe { get(blacklists, "blacklists") }?.lists()?),
        };
        check_out(transcripts, "transcripts")?;
        check_out(redecided, "redecided")?;
        let redecision = Redecision {
            policy,
            blacklists: blacklists.map(|lists| -> Judge {
                Box::new(move |questions, facts| lists.answer(questions, facts))
            }),
            threads,
        };
        // SAFETY: the caller passes a stream of the interface.
        let transcripts = unsafe { Owned::take(transcripts) };
        // SAFETY: as above.
        let lent = unsafe { redecide(redecision, streams_of(transcripts)) }.map_err(fail)?;
        // SAFETY: checked above.
        unsafe { put_out(redecided, lent.give()) }
    })
}
