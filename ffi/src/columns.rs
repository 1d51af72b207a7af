//! Columns of calls, by Arrow's C stream interface.

use franking_columns::interface::{ArrowArrayStream, Owned};
use franking_columns::{Checks, ColumnError, Lists, Redecision, preflight, redecide, streams_of};

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

/// Checks a stream of calls, as franking_preflight_new checks one. Both streams follow Arrow's C stream interface:
/// <https://arrow.apache.org/docs/format/CStreamInterface.html>. Your Arrow library defines the structure ArrowArrayStream.
///
/// The function takes *calls over and sets its release to NULL, also when it fails with FRANKING_STATUS_INVALID. After
/// FRANKING_STATUS_PANIC release says whether it did: NULL means yes. After another failure *calls is unchanged. On success
/// *checked is overwritten. The caller owns it and releases it. The policy may be freed before.
///
/// A batch of calls has a column body of texts or bytes: string, binary, their large forms and views, or a dictionary of them. A stream
/// without columns is a stream of bodies. operation is one of FRANKING_OPERATION. If it is 0, each row has the name of its operation in
/// a column operation. Other columns are ignored. how is 0 or FRANKING_COLUMNS_ALL. threads is the number of threads that work on a
/// batch, of which 256 are used at most. 0 and 1 start none.
///
/// The library reads a batch when get_next asks for a result. A result has one row for each call, in the same order. The columns code,
/// rule, pointer, start, end and request are those of the first violation. The columns violations and warnings are their numbers. A call
/// without violations has the code 200, and the other columns of a violation are null. A row without a body or without an operation
/// is null in every column. The metadata of the schema have the version of the rules (franking.rules) and the SHA-256 of the policy's
/// JSON form (franking.policy).
///
/// Fails with FRANKING_STATUS_INVALID when a column is missing or has another type, or when the stream fails at once. A
/// later failure is an error of *checked: get_next returns a number other than 0, and get_last_error returns a text. The
/// text shows nothing of a call, except what the producer of the stream says of its own failure.
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

/// Decides the calls of transcripts again, with the host's answers that they note. The result shows what a new policy or a
/// new blacklist would have changed. If policy is NULL, each call keeps its own. If blacklists is NULL, the host's own
/// answers count. Otherwise domains and stored addresses are looked up in blacklists as they are now. Both may be freed
/// before the stream is read. Streams and threads are those of franking_preflight_arrow.
///
/// A batch of transcripts has a column transcript of texts or bytes. A result has one row for each transcript, in the same order.
/// code_then is the code that the transcript notes. code_now and rule_now are those of the new decision. changed says whether the
/// codes differ. needs is null, or it names the questions that the call asks now and the transcript does not answer: account, mailers,
/// senders, subscriber_ids, subscribers, lists or domains. It is transcript if the text is not a transcript that can be replayed. If
/// something is needed, code_now, rule_now and changed are null. A call can end without a code. If it did so then, code_then and changed
/// are null. If it does so now, code_now and changed are. If the transcript has no answer to a plan, the plan counts as carried out. A row
/// without a transcript is null in every column.
///
/// Fails with FRANKING_STATUS_INVALID when the column is missing or has another type, or when the stream fails at once. A later failure is
/// an error of *redecided.
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
            blacklists: blacklists.map(|lists| {
                Lists::of_all_roles(Box::new(move |questions, facts| {
                    lists.answer(questions, facts)
                }))
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
