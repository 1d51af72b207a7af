//! Tests of whole calls through the C functions. After each step they read the structures that earlier steps handed out.
//! `tests/c/miri.sh` runs them under Miri, which finds an error that no sanitizer finds: a later step has made a pointer
//! invalid, although the memory is still there.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "the library owns all structures that a callback gets"
)]

use core::ffi::c_void;
use core::ptr::{null, null_mut};

use crate::by_hand::*;
use crate::call::franking_call_free;
use crate::commit::FrankingCommit;
use crate::constants::*;
use crate::decided::*;
use crate::driver::{FrankingHost, franking_call_decide};
use crate::facts::{FrankingFacts, franking_facts_keep};
use crate::http::{FrankingHttp, franking_call_http};
use crate::numbers::*;
use crate::plan::FrankingPlan;
use crate::policy::{franking_policy_free, franking_policy_new};
use crate::preflight::*;
use crate::questions::FrankingQuestions;
use crate::records::FrankingDecision;
use crate::records::{FrankingViolation, FrankingWarning};
use crate::rows::{FrankingAccount, FrankingMailer, FrankingSubscriber};
use crate::send_mailer::franking_send_mailer_decide;
use crate::size::Grows;
use crate::status::{FRANKING_STATUS_END, FRANKING_STATUS_OK, FRANKING_STATUS_STALE};
use crate::text::{FrankingBytes, FrankingText, franking_string_free};
use crate::violations::*;

/// Calls C functions, which have to return `FRANKING_STATUS_OK`.
macro_rules! ok {
    ($($called:expr),+ $(,)?) => {
        // SAFETY: handles were not freed, structures begin with their sizes, and texts can be read.
        $(assert_eq!(unsafe { $called }, FRANKING_STATUS_OK);)+
    };
}

/// Frees handles.
macro_rules! gone {
    ($($called:expr),+ $(,)?) => {
        // SAFETY: handles were not freed before.
        $(unsafe { $called };)+
    };
}

/// The rows that a structure points to.
fn rows<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the tests call this only while the rows live.
    unsafe { core::slice::from_raw_parts(first, count) }
}

/// The rows that the caller fills in.
fn places<'a, T>(first: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: as above, and no other code uses them meanwhile.
    unsafe { core::slice::from_raw_parts_mut(first, count) }
}

const SEND_MAILER: &str =
    r#"{"apiKey":"k\u0065y","mailerID":42,"email":"n\u0065w@example.org","firstName":"\u0041na"}"#;
const HTTP_SEND_MAIL: &str = r#"{"ApiKey":"key","requests":[{"subject":"Hi","body":"%3Cp%3EHi","from":"s@example.com",
    "to":"a@example.org, known@example.org, A@example.org"},{"subject":"H\u0069","body":"<p>","from":"s@example.com","to":"b@example.org"}]}"#;

fn bytes(text: &str) -> FrankingBytes {
    FrankingBytes {
        data: text.as_ptr(),
        len: text.len(),
    }
}

fn said<'a>(text: FrankingText) -> &'a str {
    // SAFETY: the tests call this only while the text lives.
    unsafe { text.read_option("text") }
        .ok()
        .flatten()
        .unwrap_or_default()
}

fn row() -> FrankingSubscriber {
    FrankingSubscriber {
        id: 7,
        email: FrankingText::new("known@example.org"),
        blacklisted: 2,
        ..FrankingSubscriber::NONE
    }
}

fn mailer() -> FrankingMailer {
    FrankingMailer {
        from: FrankingText::new("shop@example.com"),
        exists: 1,
        blacklisted: 2,
        ..FrankingMailer::NONE
    }
}

/// Fills in the rows in place.
fn answer(asked: &FrankingQuestions, facts: &FrankingFacts) {
    places(facts.mailers, facts.mailer_count).fill(mailer());
    places(facts.senders, facts.sender_count).fill(1);
    let keys = rows(asked.subscribers, asked.subscriber_count).iter();
    let known = places(facts.subscribers, facts.subscriber_count);
    for (key, place) in keys.zip(known) {
        if said(*key) == "known@example.org" {
            *place = row();
        }
    }
}

/// The number of bytes of all texts of a plan.
fn read(plan: &FrankingPlan) -> usize {
    let mut sum = 0;
    for row in rows(plan.create, plan.create_count) {
        sum += said(row.email).len() + said(row.match_key).len() + said(row.list).len();
        for field in rows(row.fields, row.field_count) {
            sum += said(field.name).len() + said(field.value).len();
        }
    }
    for message in rows(plan.messages, plan.message_count) {
        sum += said(message.subject).len() + said(message.from).len();
        for recipient in rows(message.recipients, message.recipient_count) {
            sum += said(recipient.to).len();
        }
    }
    for collapsed in rows(plan.collapsed, plan.collapsed_count) {
        sum += said(collapsed.pointer).len() + said(collapsed.to).len();
    }
    sum
}

fn by_hand(operation: i32, body: &str, how: i32, is_refused: bool) {
    let (mut policy, mut call, none) = (null_mut(), null_mut(), null_mut());
    let method = FrankingText::new("POST");
    ok!(
        franking_policy_new(null(), &mut policy, none),
        franking_call_new(policy, operation, method, bytes(body), how, &mut call, none),
    );
    gone!(franking_policy_free(policy));
    let (mut key, mut again) = (FrankingText::NONE, FrankingText::NONE);
    let account = FrankingAccount {
        exists: 1,
        expired: u8::from(is_refused),
        ..FrankingAccount::EMPTY
    };
    ok!(
        franking_call_key(call, &mut key, none),
        franking_call_key(call, &mut again, none)
    );
    assert_eq!((said(key), said(again)), ("key", "key"));
    ok!(franking_call_answer_account(call, &account, none));
    if !is_refused {
        let mut asked = [FrankingQuestions::EMPTY; 2];
        let mut facts = [FrankingFacts::EMPTY; 2];
        let [first, second] = &mut asked;
        let [own, same] = &mut facts;
        ok!(franking_call_questions(call, first, own, none));
        answer(first, own);
        ok!(franking_call_questions(call, second, same, none));
        // The rows that were handed out first are still valid, and have the values that were filled in.
        answer(first, own);
        assert_eq!(own.subscribers, same.subscribers);
        let mut kept = FrankingText::NONE;
        ok!(
            franking_facts_keep(same, method, &mut kept, none),
            franking_call_answer_facts(call, same, none),
        );
        let (mut shown, mut begun) = (FrankingPlan::EMPTY, FrankingPlan::EMPTY);
        ok!(franking_call_plan(call, &mut shown, none));
        let count = read(&shown);
        let (mut html, mut other) = (FrankingText::NONE, FrankingText::NONE);
        ok!(
            franking_call_html(call, 0, &mut html, none),
            franking_call_begin_commit(call, &mut begun, none),
        );
        assert_eq!((read(&shown), read(&begun)), (count, count));
        assert!(said(html).is_empty() != (shown.message_count > 1));
        if shown.message_count > 1 {
            ok!(franking_call_html(call, 1, &mut other, none));
        }
        assert_eq!(read(&begun), count);
        let commit = FrankingCommit {
            kind: FRANKING_COMMIT_DONE,
            transaction_id: 9,
            ..FrankingCommit::EMPTY
        };
        ok!(franking_call_answer_commit(call, &commit, none));
    }
    read_decision(call, is_refused);
}

fn read_decision(call: *mut crate::call::FrankingCall, is_refused: bool) {
    let none = null_mut();
    let (mut first, mut second) = (FrankingDecision::EMPTY, FrankingDecision::EMPTY);
    let mut remedy = FrankingText::NONE;
    let (mut explained, mut count, mut refused) = (null(), 0, null_mut());
    let mut violation = FrankingViolation::EMPTY;
    let mut http = FrankingHttp::EMPTY;
    ok!(
        franking_call_decision(call, &mut first, none),
        franking_call_explanation(call, &mut explained, &mut count, none),
        franking_call_remedy(call, &mut remedy, none),
        franking_call_refused(call, &mut refused, none),
        franking_call_decision(call, &mut second, none),
        franking_call_http(call, FRANKING_STATUS_OK, &mut http, none),
    );
    assert_eq!(said(first.response), said(second.response));
    assert_eq!(said(first.pointer), said(second.pointer));
    assert_eq!(said(http.body), said(first.response));
    assert_eq!(said(remedy).is_empty(), !is_refused);
    assert!(rows(explained, count).iter().all(|row| row.rule > 0));
    // SAFETY: a cursor that was not freed.
    let status = unsafe { franking_violations_next(refused, &mut violation, none) };
    assert_eq!(status, FRANKING_STATUS_END);
    gone!(franking_call_free(call));
    // SAFETY: as above.
    let status = unsafe { franking_violations_next(refused, &mut violation, none) };
    assert!(matches!(
        status,
        FRANKING_STATUS_END | FRANKING_STATUS_STALE
    ));
    gone!(franking_violations_free(refused));
}

#[test]
fn what_a_call_has_handed_out_stays_while_it_is_stepped_by_hand() {
    for how in [0, FRANKING_NEW_BORROWED, FRANKING_NEW_RECORDED] {
        for is_refused in [false, true] {
            by_hand(FRANKING_OPERATION_SEND_MAILER, SEND_MAILER, how, is_refused);
            by_hand(
                FRANKING_OPERATION_HTTP_SEND_MAIL,
                HTTP_SEND_MAIL,
                how,
                is_refused,
            );
        }
    }
}

#[test]
fn cursors_outlive_the_preflight_that_they_are_of() {
    let (mut policy, mut preflight, none) = (null_mut(), null_mut(), null_mut());
    let (mut violations, mut warnings) = (null_mut(), null_mut());
    let body =
        bytes(r#"{"apiKey":"k","mailerID":0,"\u0065mail":"nobody","firstname":"x","frstName":""}"#);
    ok!(
        franking_policy_new(null(), &mut policy, none),
        franking_preflight_new(
            policy,
            FRANKING_OPERATION_SEND_MAILER,
            body,
            0,
            &mut preflight,
            none
        ),
        franking_preflight_violations(preflight, &mut violations, none),
        franking_preflight_warnings(preflight, &mut warnings, none),
    );
    let (mut violation, mut warning) = (FrankingViolation::EMPTY, FrankingWarning::EMPTY);
    ok!(
        franking_violations_next(violations, &mut violation, none),
        franking_warnings_next(warnings, &mut warning, none),
    );
    assert!(!said(violation.remedy).is_empty() && !said(warning.message).is_empty());
    gone!(
        franking_policy_free(policy),
        franking_preflight_free(preflight)
    );
    assert!(!said(violation.pointer).is_empty());
    // SAFETY: a cursor that was not freed.
    let status = unsafe { franking_violations_next(violations, &mut violation, none) };
    assert_eq!(status, FRANKING_STATUS_STALE);
    gone!(
        franking_violations_free(violations),
        franking_warnings_free(warnings)
    );
}

unsafe extern "C-unwind" fn account(
    _: *mut c_void,
    key: FrankingText,
    account: *mut FrankingAccount,
) -> i32 {
    // SAFETY: a place that the library made.
    unsafe { (*account).exists = u8::from(said(key) == "key") };
    0
}

unsafe extern "C-unwind" fn facts(
    _: *mut c_void,
    asked: *const FrankingQuestions,
    facts: *mut FrankingFacts,
) -> i32 {
    // SAFETY: structures that the library made.
    let (asked, facts) = unsafe { (&*asked, &*facts) };
    answer(asked, facts);
    0
}

unsafe extern "C-unwind" fn commit(
    context: *mut c_void,
    plan: *const FrankingPlan,
    commit: *mut FrankingCommit,
) -> i32 {
    // SAFETY: structures that the library made, and the context of `host`.
    let (plan, commit, count) = unsafe { (&*plan, &mut *commit, &mut *context.cast::<usize>()) };
    *count += read(plan);
    commit.kind = FRANKING_COMMIT_DONE;
    commit.transaction_id = 9;
    0
}

#[test]
fn callbacks_read_what_they_get_and_write_where_they_may() {
    let mut count = 0_usize;
    let host = FrankingHost {
        context: (&raw mut count).cast(),
        account: Some(account),
        facts: Some(facts),
        commit: Some(commit),
        ..FrankingHost::EMPTY
    };
    let (mut policy, none) = (null_mut(), null_mut());
    let method = FrankingText::new("POST");
    ok!(franking_policy_new(null(), &mut policy, none));
    for (operation, body) in [
        (FRANKING_OPERATION_SEND_MAILER, SEND_MAILER),
        (FRANKING_OPERATION_HTTP_SEND_MAIL, HTTP_SEND_MAIL),
    ] {
        let mut call = null_mut();
        ok!(
            franking_call_new(policy, operation, method, bytes(body), 0, &mut call, none),
            franking_call_decide(call, &host, none),
        );
        read_decision(call, false);
    }
    let (mut decision, mut response) = (FrankingDecision::EMPTY, null_mut());
    ok!(franking_send_mailer_decide(
        policy,
        method,
        bytes(SEND_MAILER),
        &host,
        &mut decision,
        &mut response,
        none
    ));
    assert_eq!(decision.code, 200);
    assert!(said(decision.response).contains("\"9\""));
    gone!(franking_string_free(response), franking_policy_free(policy));
    assert!(count > 100);
}
