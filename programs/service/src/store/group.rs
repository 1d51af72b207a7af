//! A group of plans that are carried out together. They are judged by data that nobody else can change until the group is
//! committed.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use franking::{Account, Conflict, Operation};

use super::Committed;
use super::asked::to_signed;
use super::error::StoreError;
use super::idempotency::Kept;
use super::work::{Ids, Work};

/// The keys under which the stored data of a group is looked up: each once, in ascending order, and with the number of its
/// account if it belongs to one.
pub(super) struct Keys<'w> {
    pub(super) accounts: Vec<i64>,
    pub(super) calls: Vec<i64>,
    /// Idempotency keys.
    pub(super) kept: Vec<(i64, &'w str)>,
    /// The match keys of subscribers to create.
    pub(super) match_keys: Vec<(i64, &'w str)>,
    /// Existing subscribers, each with the stored email that is sent to them.
    pub(super) subscribers: Vec<(i64, i64, Option<i64>)>,
    /// Lists that have to exist.
    pub(super) lists: Vec<(i64, &'w str)>,
    /// Lists that are created if they are missing.
    pub(super) made_lists: Vec<(i64, &'w str)>,
    /// Stored emails.
    pub(super) mailers: Vec<(i64, i64)>,
}

impl<'w> Keys<'w> {
    pub(super) fn of(works: &[&'w Work]) -> Self {
        Self {
            accounts: keys(works, |work| [work.account.0]),
            calls: keys(works, |work| [to_signed(work.id.0)]),
            kept: keys(works, |work| {
                let records = work.record.iter();
                records.map(|record| (work.account.0, record.hold.key.as_str()))
            }),
            match_keys: keys(works, |work| {
                let new = work.create.iter();
                new.map(|new| (work.account.0, new.match_key.as_str()))
            }),
            subscribers: keys(works, |work| {
                let (account, mailer) = (work.account.0, work.mailer());
                work.existing.iter().map(move |id| (account, *id, mailer))
            }),
            lists: keys(works, |work| {
                work.found_lists()
                    .map(|name| (work.account.0, name.as_str()))
            }),
            made_lists: keys(works, |work| {
                work.made_lists()
                    .map(|name| (work.account.0, name.as_str()))
            }),
            mailers: keys(works, |work| {
                let mailers = work.messages.iter().filter_map(|message| message.mailer);
                mailers.map(|mailer| (work.account.0, mailer))
            }),
        }
    }
}

/// Collects the keys of one kind.
fn keys<'w, I>(works: &[&'w Work], of: impl Fn(&'w Work) -> I) -> Vec<I::Item>
where
    I: IntoIterator<Item: Ord>,
{
    let mut all: Vec<I::Item> = works.iter().copied().flat_map(of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The stored data that a group is about. A key that is missing here is missing in the database.
#[derive(Default)]
pub(super) struct Stored {
    /// On PostgreSQL, the accounts whose rows another transaction holds. The other data about them may still change.
    pub(super) held: HashSet<i64>,
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

/// The verdict on a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The answer for its caller, who is not told before the group is committed.
    Told(Result<Committed, StoreError>),
    /// An earlier plan of the group sends to the same subscriber, and one of the two changes what their emails are filled in
    /// with. This plan is judged again when the earlier one is written.
    Later,
    /// The account is in [`Stored::held`], so the plan is left out of the group.
    Held,
}

impl Verdict {
    /// Whether the plan is carried out.
    pub(super) fn is_done(&self) -> bool {
        *self == Self::Told(Ok(Committed::Done))
    }
}

/// Judges plans in their order. Each plan sees what the plans before it change.
pub(super) fn judge<'a>(
    works: impl IntoIterator<Item = &'a Work>,
    stored: &mut Stored,
) -> Vec<Verdict> {
    // The subscribers to whom stored emails are sent, each with whether a plan changes its personalization.
    let mut filled_in = HashMap::new();
    let mut waits = |work: &Work| {
        let changes = work.update.is_some();
        let mut ids = work.existing.iter();
        work.operation == Operation::SendMailer
            && ids.any(|id| match filled_in.entry((work.account, *id)) {
                Entry::Occupied(earlier) => changes || *earlier.get(),
                Entry::Vacant(none) => {
                    none.insert(changes);
                    false
                }
            })
    };
    let one = |work: &Work| {
        if stored.held.contains(&work.account.0) {
            return Verdict::Held;
        }
        let told = stored.check(work);
        if told != Ok(Committed::Done) {
            return Verdict::Told(told);
        }
        if waits(work) {
            return Verdict::Later;
        }
        stored.take(work);
        Verdict::Told(told)
    };
    works.into_iter().map(one).collect()
}

impl Stored {
    /// Returns what the caller of a plan is told, as judged by this data.
    pub(super) fn check(&self, work: &Work) -> Result<Committed, StoreError> {
        match self.check_account(work)? {
            Committed::Done => self.check_subscribers(work),
            replayed @ Committed::Replayed(_) => Ok(replayed),
        }
    }

    /// As [`Stored::check`], for everything but the subscribers.
    pub(super) fn check_account(&self, work: &Work) -> Result<Committed, StoreError> {
        let own = work.account.0;
        let kept = key(work).and_then(|key| self.kept.get(&key));
        if let Some(kept) = kept {
            return Ok(Committed::Replayed(kept.clone()));
        }
        let other = Err(StoreError::Conflict(Conflict::Other));
        let Some(account) = self.accounts.get(&own) else {
            return other;
        };
        if self.calls.contains(&to_signed(work.id.0)) {
            return other;
        }
        if let Some(why) = work.undebited(account) {
            return Err(StoreError::Conflict(why));
        }
        let has = |name: &String| self.lists.contains(&(own, name.clone()));
        let is_as_judged = |mailer| {
            let found = self.revisions.get(&(own, mailer));
            found.copied() == work.mailer_revision && found.is_some()
        };
        let mut mailers = work.messages.iter().filter_map(|message| message.mailer);
        match work.found_lists().all(has) && mailers.all(is_as_judged) {
            true => Ok(Committed::Done),
            false => other,
        }
    }

    fn check_subscribers(&self, work: &Work) -> Result<Committed, StoreError> {
        let own = work.account.0;
        let exists = |key: &str| self.match_keys.contains(&(own, key.to_owned()));
        if work.create.iter().any(|new| exists(&new.match_key)) {
            return Err(StoreError::Conflict(Conflict::SubscriberExists));
        }
        for id in &work.existing {
            match self.inactive.get(&(own, *id, work.mailer())) {
                None => return Err(StoreError::Conflict(work.gone())),
                Some(true) => return Err(StoreError::Conflict(Conflict::SubscriberInactive)),
                Some(false) => {}
            }
        }
        Ok(Committed::Done)
    }

    /// Applies the changes of a plan, for the plans after it.
    fn take(&mut self, work: &Work) {
        let own = work.account.0;
        if let Some(account) = self.accounts.get_mut(&own) {
            let less = |credit: Option<i64>, needed: u64| {
                credit.map(|credit| credit.saturating_sub(to_signed(needed)))
            };
            account.subscriber_credit = less(account.subscriber_credit, work.debit.subscriber);
            account.email_credit = less(account.email_credit, work.debit.email);
        }
        self.calls.insert(to_signed(work.id.0));
        if let (Some(key), Some(record)) = (key(work), &work.record) {
            let kept = Kept {
                call: work.id,
                digest: record.digest,
                answer: record.answer.clone(),
            };
            self.kept.insert(key, kept);
        }
        let keys = work.create.iter().map(|new| (own, new.match_key.clone()));
        self.match_keys.extend(keys);
    }
}

/// Returns the account and the idempotency key of a plan.
fn key(work: &Work) -> Option<(i64, String)> {
    let record = work.record.as_ref()?;
    Some((work.account.0, record.hold.key.as_str().to_owned()))
}

/// A plan that is carried out, and the ids of the subscribers that it creates.
pub(super) struct Plan<'w> {
    pub(super) work: &'w Work,
    pub(super) ids: Ids,
}

impl Plan<'_> {
    pub(super) fn account(&self) -> i64 {
        self.work.account.0
    }

    pub(super) fn id(&self) -> i64 {
        to_signed(self.work.id.0)
    }
}

/// The credits that plans take: each account, its subscriber credits and its email credits.
pub(super) fn debits(group: &[Plan<'_>]) -> Vec<(i64, i64, i64)> {
    let mut debits = BTreeMap::<i64, (i64, i64)>::new();
    for plan in group {
        let debit = debits.entry(plan.account()).or_default();
        let (subscribers, emails) = (plan.work.debit.subscriber, plan.work.debit.email);
        debit.0 = debit.0.saturating_add(to_signed(subscribers));
        debit.1 = debit.1.saturating_add(to_signed(emails));
    }
    let debits = debits.into_iter();
    debits
        .map(|(account, (subscribers, emails))| (account, subscribers, emails))
        .collect()
}

#[cfg(test)]
mod tests;
