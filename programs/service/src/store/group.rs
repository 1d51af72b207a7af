//! A group of plans that are carried out together. They are judged by data that cannot change until the group is committed,
//! because their accounts are locked.

use std::collections::{HashMap, HashSet};

use franking::{Account, Conflict, Operation};

use super::asked::to_signed;
use super::idempotency::Kept;
use super::work::Work;

/// The stored data that a group is about. A key that is missing here is missing in the database.
#[derive(Default)]
pub(super) struct Stored {
    /// Accounts, by number.
    pub(super) accounts: HashMap<i64, Account>,
    /// The calls that are kept, by account and idempotency key.
    pub(super) kept: HashMap<(i64, String), Kept>,
    /// The ids of calls that exist.
    pub(super) calls: HashSet<i64>,
    /// The match keys of subscribers that exist, with their accounts.
    pub(super) match_keys: HashSet<(i64, String)>,
    /// Whether a subscriber is INACTIVE to what is sent: by account, subscriber, and stored email, which is `None` for
    /// httpSendMail.
    pub(super) inactive: HashMap<(i64, i64, Option<i64>), bool>,
    /// The names of lists that exist, with their accounts.
    pub(super) lists: HashSet<(i64, String)>,
    /// The revisions of stored emails, by account and number.
    pub(super) revisions: HashMap<(i64, i64), i64>,
}

/// The verdict on a plan. No caller is told before the group is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The plan is carried out.
    Done,
    /// Another call was accepted under its idempotency key.
    Replayed(Kept),
    /// The plan no longer fits the data.
    Conflict(Conflict),
    /// The plan is about a subscriber that an earlier plan of the group is about. It is carried out later, in another group.
    Later,
}

/// Judges plans in their order. Each plan sees what the plans before it change.
pub(super) fn judge<'a>(
    works: impl IntoIterator<Item = &'a Work>,
    stored: &mut Stored,
) -> Vec<Verdict> {
    let mut filled_in = HashSet::new();
    let works = works.into_iter();
    works
        .map(|work| {
            stored
                .judge(work, &mut filled_in)
                .err()
                .unwrap_or(Verdict::Done)
        })
        .collect()
}

impl Stored {
    /// # Errors
    /// The plan is not carried out.
    fn judge(&mut self, work: &Work, filled_in: &mut HashSet<(i64, i64)>) -> Result<(), Verdict> {
        let own = work.account.0;
        let conflict = |conflict| Err(Verdict::Conflict(conflict));
        let key = work.record.as_ref();
        let key = key.map(|record| (own, record.hold.key.as_str().to_owned()));
        if let Some(kept) = key.as_ref().and_then(|key| self.kept.get(key)) {
            return Err(Verdict::Replayed(kept.clone()));
        }
        let id = to_signed(work.id.number());
        if self.calls.contains(&id) {
            return conflict(Conflict::Other);
        }
        let Some(account) = self.accounts.get(&own) else {
            return conflict(Conflict::Other);
        };
        if let Some(why) = work.undebited(account) {
            return conflict(why);
        }
        let has = |name: &String| self.lists.contains(&(own, name.clone()));
        let made: HashSet<&String> = work.made_lists().collect();
        if !work
            .lists
            .iter()
            .all(|name| made.contains(name) || has(name))
        {
            return conflict(Conflict::Other);
        }
        let exists = |key: &str| self.match_keys.contains(&(own, key.to_owned()));
        if work.create.iter().any(|new| exists(&new.match_key)) {
            return conflict(Conflict::SubscriberExists);
        }
        for id in &work.existing {
            match self.inactive.get(&(own, *id, work.mailer())) {
                None => return conflict(work.gone()),
                Some(true) => return conflict(Conflict::SubscriberInactive),
                Some(false) => {}
            }
        }
        let is_as_judged = |mailer| {
            let found = self.revisions.get(&(own, mailer));
            found.copied() == work.mailer_revision && found.is_some()
        };
        let mailers = work.messages.iter().filter_map(|message| message.mailer);
        if !mailers.into_iter().all(is_as_judged) {
            return conflict(Conflict::Other);
        }
        // Emails of stored mailers are filled in with the stored values of their subscriber, which an earlier plan can
        // change.
        if work.operation == Operation::SendMailer {
            for id in &work.existing {
                if !filled_in.insert((own, *id)) {
                    return Err(Verdict::Later);
                }
            }
        }
        self.take(work, id, key);
        Ok(())
    }

    /// Applies the changes of a plan, for the plans after it.
    fn take(&mut self, work: &Work, id: i64, key: Option<(i64, String)>) {
        let own = work.account.0;
        if let Some(account) = self.accounts.get_mut(&own) {
            let less = |credit: Option<i64>, needed: u64| {
                credit.map(|credit| credit.saturating_sub(to_signed(needed)))
            };
            account.subscriber_credit = less(account.subscriber_credit, work.debit.subscriber);
            account.email_credit = less(account.email_credit, work.debit.email);
        }
        self.calls.insert(id);
        if let (Some(key), Some(record)) = (key, &work.record) {
            let kept = Kept {
                call: work.id,
                digest: record.digest,
                answer: record.answer.clone(),
            };
            self.kept.insert(key, kept);
        }
        let made = work.made_lists().map(|name| (own, name.clone()));
        self.lists.extend(made);
        let keys = work.create.iter().map(|new| (own, new.match_key.clone()));
        self.match_keys.extend(keys);
    }
}
