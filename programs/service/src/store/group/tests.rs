#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
use std::sync::Arc;

use franking::{API_LIST, Debit};

use super::*;
use crate::store::idempotency::{Hold, IdempotencyKey, Record};
use crate::store::identity::{AccountId, CallId};
use crate::store::work::{MessageRow, NewRow, UpdateRow};

/// A plan of sendMailer with stored email 42, which costs one email.
fn plan(id: u64) -> Work {
    let message = MessageRow {
        request: None,
        mailer: Some(42),
        subject: None,
        content: None,
        from: "news@shop.example".to_owned(),
        from_name: None,
        reply_to: None,
        custom_field: None,
        track_opens: false,
        track_clicks: false,
    };
    let mut debit = Debit::default();
    debit.email = 1;
    Work {
        account: AccountId(1),
        id: CallId(id),
        operation: Operation::SendMailer,
        debit,
        lists: Vec::new(),
        create: Vec::new(),
        existing: Vec::new(),
        enlists: false,
        update: None,
        contents: BTreeMap::new(),
        messages: vec![message],
        deliveries: Vec::new(),
        mailer_revision: Some(3),
        left_out: Vec::new(),
        record: None,
    }
}

fn creating(id: u64, key: &str) -> Work {
    let new = NewRow {
        match_key: key.to_owned(),
        email: key.to_owned(),
        list: API_LIST.to_owned(),
        fields: Vec::new(),
    };
    Work {
        create: vec![new],
        ..plan(id)
    }
}

fn sending(id: u64, subscriber: i64, changes: bool) -> Work {
    let update = UpdateRow {
        subscriber,
        fields: Vec::new(),
    };
    Work {
        existing: vec![subscriber],
        update: changes.then_some(update),
        ..plan(id)
    }
}

/// Account 1 with credit for some emails, its stored email, and subscribers 7 and 8, of which 8 is INACTIVE.
fn stored(emails: i64) -> Stored {
    let account = Account {
        email_credit: Some(emails),
        ..Account::default()
    };
    let mut stored = Stored::default();
    stored.accounts.insert(1, account);
    stored.revisions.insert((1, 42), 3);
    stored.inactive.insert((1, 7, Some(42)), false);
    stored.inactive.insert((1, 8, Some(42)), true);
    stored
}

const DONE: Verdict = Verdict::Told(Ok(Committed::Done));

fn conflict(conflict: Conflict) -> Verdict {
    Verdict::Told(Err(StoreError::Conflict(conflict)))
}

#[test]
fn of_two_plans_the_second_sees_what_the_first_has_done() {
    let new = [creating(1, "a"), creating(2, "a"), creating(3, "b")];
    let exists = conflict(Conflict::SubscriberExists);
    assert_eq!(judge(&new, &mut stored(9)), [DONE, exists, DONE]);
    let credit = conflict(Conflict::EmailCredit);
    assert_eq!(judge(&[plan(1), plan(2)], &mut stored(1)), [DONE, credit]);
    let same = [plan(1), plan(1)];
    let other = conflict(Conflict::Other);
    assert_eq!(judge(&same, &mut stored(9)), [DONE, other]);
}

#[test]
fn of_two_plans_under_one_key_the_second_gets_the_answer_of_the_first() {
    let record = Record {
        hold: Arc::new(Hold {
            account: AccountId(1),
            key: IdempotencyKey::parse("key").unwrap(),
            release: Box::new(|_, _| {}),
        }),
        digest: [7; 32],
        answer: "first".to_owned(),
    };
    let [first, second] = [1, 2].map(|id| Work {
        record: Some(record.clone()),
        ..plan(id)
    });
    let kept = Kept {
        call: CallId(1),
        digest: [7; 32],
        answer: "first".to_owned(),
    };
    let replayed = Verdict::Told(Ok(Committed::Replayed(kept)));
    assert_eq!(judge([&first, &second], &mut stored(9)), [DONE, replayed]);
}

#[test]
fn a_plan_waits_for_another_to_its_subscriber_if_one_of_them_changes_the_personalization() {
    let to_7 = |changes: [bool; 3]| {
        let plans = (1..).zip(changes);
        let plans: Vec<Work> = plans.map(|(id, changes)| sending(id, 7, changes)).collect();
        judge(&plans, &mut stored(9))
    };
    assert_eq!(to_7([false, false, false]), [DONE, DONE, DONE]);
    assert_eq!(to_7([false, true, false]), [DONE, Verdict::Later, DONE]);
    assert_eq!(
        to_7([true, false, true]),
        [DONE, Verdict::Later, Verdict::Later]
    );
    // No plan waits for one that is refused, and a refused one does not wait.
    let plans = [
        sending(1, 8, true),
        sending(2, 9, true),
        sending(3, 7, true),
    ];
    let (inactive, gone) = (Conflict::SubscriberInactive, Conflict::SubscriberGone);
    let expected = [conflict(inactive), conflict(gone), DONE];
    assert_eq!(judge(&plans, &mut stored(9)), expected);
}

#[test]
fn what_is_not_as_it_was_when_the_call_was_judged_is_a_conflict() {
    let lists = vec![API_LIST.to_owned(), "Gold".to_owned()];
    let listed = Work { lists, ..plan(1) };
    let mut with_list = stored(9);
    with_list.lists.insert((1, "Gold".to_owned()));
    assert_eq!(judge([&listed], &mut with_list), [DONE]);
    let other = conflict(Conflict::Other);
    let mut changed = stored(9);
    changed.revisions.insert((1, 42), 4);
    let mut blocked = stored(9);
    blocked
        .accounts
        .entry(1)
        .and_modify(|account| account.blocked = true);
    let without = Stored::default();
    for (work, mut stored) in [
        (listed, stored(9)),
        (plan(1), changed),
        (plan(1), blocked),
        (plan(1), without),
    ] {
        assert_eq!(judge([&work], &mut stored), std::slice::from_ref(&other));
    }
}

#[test]
fn plans_of_an_account_whose_row_is_held_are_left_out() {
    let mut stored = stored(9);
    stored.held.insert(1);
    assert_eq!(judge(&[plan(1)], &mut stored), [Verdict::Held]);
}

#[test]
fn keys_are_each_once_and_debits_are_summed_by_account() {
    let works = [creating(2, "b"), creating(1, "a"), sending(3, 7, false)];
    let other = Work {
        account: AccountId(0),
        ..creating(4, "a")
    };
    let works: Vec<&Work> = works.iter().chain([&other]).collect();
    let keys = Keys::of(&works);
    assert_eq!(keys.accounts, [0, 1]);
    assert_eq!(keys.calls, [1, 2, 3, 4]);
    assert_eq!(keys.match_keys, [(0, "a"), (1, "a"), (1, "b")]);
    assert_eq!(keys.subscribers, [(1, 7, Some(42))]);
    assert_eq!(keys.mailers, [(0, 42), (1, 42)]);
    let group: Vec<Plan<'_>> = works
        .into_iter()
        .map(|work| Plan {
            work,
            ids: Ids::default(),
        })
        .collect();
    assert_eq!(debits(&group), [(0, 0, 1), (1, 0, 3)]);
}
