//! A host whose knowledge comes from the generator.

use franking::{
    Account, Commit, Conflict, DomainRoles, Facts, HostAnswer, Mailer, Questions, Step, Subscriber,
    Subscribers,
};

use crate::rng::Rng;

/// The answers that a host gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Every fact is favourable.
    Favourable,
    /// Any fact may be anything.
    Any,
}

/// The answer to what a call asks; `None` when it is done.
pub(crate) fn answer(step: &Step<'_>, mood: Mood, rng: &mut Rng) -> Option<HostAnswer> {
    match step {
        Step::Account(_) => Some(HostAnswer::Account(account(mood, rng))),
        Step::Facts(questions) => Some(HostAnswer::Facts(facts(questions, mood, rng))),
        Step::Commit(_) => Some(HostAnswer::Commit(commit(mood, rng))),
        Step::Done(_) => None,
    }
}

/// An answer that was not asked for.
pub(crate) fn any_answer(rng: &mut Rng) -> HostAnswer {
    match rng.below(3) {
        0 => HostAnswer::Account(account(Mood::Any, rng)),
        1 => HostAnswer::Commit(commit(Mood::Any, rng)),
        _ => {
            let mut facts = Facts::default();
            for _ in 0..rng.below(3) {
                facts.senders.push(true);
                facts.subscribers.push(None);
                facts.domains.push(DomainRoles::CONTENT);
            }
            HostAnswer::Facts(facts)
        }
    }
}

/// The same facts with one column longer or shorter.
pub(crate) fn of_wrong_length(mut facts: Facts, rng: &mut Rng) -> Facts {
    match rng.below(6) {
        0 => facts.mailers.push(None),
        1 => facts.senders.push(true),
        2 => facts.subscriber_ids.push(None),
        3 => facts.subscribers.push(None),
        4 => facts.lists.push(false),
        _ if facts.domains.pop().is_none() => facts.domains.push(DomainRoles::NONE),
        _ => {}
    }
    facts
}

fn account(mood: Mood, rng: &mut Rng) -> Option<Account> {
    if mood == Mood::Favourable {
        return Some(Account::default());
    }
    let mut credit = || {
        let credits = [
            None,
            None,
            Some(0),
            Some(1),
            Some(3),
            Some(i64::MIN),
            Some(i64::MAX),
        ];
        rng.pick(&credits).copied().flatten()
    };
    let (subscriber_credit, email_credit) = (credit(), credit());
    let account = Account {
        blocked: rng.one_in(30),
        expired: rng.one_in(30),
        deactivated: rng.one_in(30),
        subscriber_credit,
        email_credit,
    };
    (!rng.one_in(30)).then_some(account)
}

fn facts(questions: &Questions<'_>, mood: Mood, rng: &mut Rng) -> Facts {
    let mut facts = Facts::default();
    let is_wrong = |rng: &mut Rng| mood == Mood::Any && rng.one_in(8);
    for _ in questions.mailers() {
        let mailer = Mailer {
            from: "sender@example.com",
            from_name: rng.one_in(2).then_some("Sender"),
            blacklisted: Some(is_wrong(rng)),
        };
        facts.mailers.push((!is_wrong(rng)).then_some(mailer));
    }
    facts
        .senders
        .extend(questions.senders().map(|_| !is_wrong(rng)));
    for id in questions.subscriber_ids() {
        push(
            &mut facts.subscriber_ids,
            (!is_wrong(rng)).then_some(id),
            is_wrong(rng),
            is_wrong(rng),
        );
    }
    for _ in questions.subscribers() {
        let id = rng.next() >> 1;
        push(
            &mut facts.subscribers,
            rng.one_in(2).then_some(id.max(1)),
            is_wrong(rng),
            is_wrong(rng),
        );
    }
    facts
        .lists
        .extend(questions.lists().map(|_| !is_wrong(rng)));
    for (_, asked) in questions.domains() {
        // These may include roles that were not asked about, which have no meaning.
        let roles = if is_wrong(rng) {
            DomainRoles::from_bits(rng.next().to_le_bytes()[0])
        } else {
            DomainRoles::NONE
        };
        facts.domains.push(if rng.one_in(2) {
            roles
        } else {
            roles.intersection(asked)
        });
    }
    facts
}

fn push(column: &mut Subscribers, id: Option<u64>, inactive: bool, blacklisted: bool) {
    let email = "recipient@example.com";
    column.push(id.map(|id| Subscriber {
        id,
        email,
        inactive,
        blacklisted: Some(blacklisted),
    }));
}

fn commit(mood: Mood, rng: &mut Rng) -> Commit {
    if mood == Mood::Favourable {
        return Commit::Done { transaction_id: 1 };
    }
    if rng.one_in(8) {
        return Commit::Unknown;
    }
    if rng.one_in(3) {
        let conflict = rng.pick(Conflict::ALL).copied();
        return Commit::Conflict(conflict.unwrap_or(Conflict::Other));
    }
    let ids = [1, 1, 1, 5, (1 << 53) - 1, 1 << 53, 0, u64::MAX];
    Commit::Done {
        transaction_id: rng.pick(&ids).copied().unwrap_or(1),
    }
}
