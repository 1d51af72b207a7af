//! Events: what happened to emails and their readers after the calls were answered.
//!
//! Every change of a delivery's outcome is an event, and events are added in the transaction that makes them true. A
//! delivery has each outcome at most once, however often it is reported. Its record is the set of its outcomes, as in
//! [`franking::Outcome`].

use std::collections::{BTreeMap, HashSet};

use franking::EventType;

use super::Answer;
use super::identity::{AccountId, CallId};
use crate::mail::{EnhancedCode, Reason};

/// Returns the outcome that an event adds to its delivery, as the bit in `deliveries.events`.
const fn sets(kind: EventType) -> i16 {
    match kind {
        EventType::Bounced => 1,
        EventType::Delivered => 2,
        EventType::Opened => 4,
        EventType::Clicked => 8,
        EventType::Complained => 16,
        _ => 0,
    }
}

/// Returns the outcome that an event removes from its delivery.
const fn clears(kind: EventType) -> i16 {
    match kind {
        EventType::NotBounced => sets(EventType::Bounced),
        EventType::NotComplained => sets(EventType::Complained),
        _ => 0,
    }
}

/// Returns the code that sums up the outcomes of a delivery, as [`franking::Outcome`] does.
pub(super) fn summary(outcomes: i64) -> i64 {
    let tracking = franking::Tracking {
        opens: true,
        clicks: true,
    };
    let mut outcome = franking::Outcome::new(tracking);
    let events = [
        (EventType::Bounced, franking::Event::Bounced),
        (EventType::Delivered, franking::Event::Delivered),
        (EventType::Opened, franking::Event::Opened),
        (EventType::Clicked, franking::Event::Clicked),
    ];
    for (kind, event) in events {
        if outcomes & i64::from(sets(kind)) != 0 {
            outcome.record(event);
        }
    }
    outcome.summary().code().into()
}

/// The subject of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// A delivery, and its subscriber. Nothing is recorded about a delivery that is no longer stored.
    Delivery(i64),
    /// A subscriber.
    Subscriber(AccountId, i64),
    /// An account.
    Account(AccountId),
}

/// An event to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The subject.
    pub about: About,
    /// What happened.
    pub kind: EventType,
    /// The reason, with the enhanced status code if there is one.
    pub reason: Option<Reason>,
    /// The report that says what happened.
    pub report: Option<i64>,
    /// When it happened, in seconds since 1970; `None` for now.
    pub happened: Option<i64>,
}

impl NewEvent {
    /// Makes an event that happens now, without a reason.
    #[must_use]
    pub const fn new(about: About, kind: EventType) -> Self {
        Self {
            about,
            kind,
            reason: None,
            report: None,
            happened: None,
        }
    }

    /// The account, unless it is that of the delivery.
    pub(super) const fn account(&self) -> Option<i64> {
        match self.about {
            About::Delivery(_) => None,
            About::Subscriber(account, _) | About::Account(account) => Some(account.0),
        }
    }

    /// The subscriber, unless it is that of the delivery.
    pub(super) const fn subscriber(&self) -> Option<i64> {
        match self.about {
            About::Subscriber(_, subscriber) => Some(subscriber),
            About::Delivery(_) | About::Account(_) => None,
        }
    }

    pub(super) const fn delivery(&self) -> Option<i64> {
        match self.about {
            About::Delivery(delivery) => Some(delivery),
            About::Subscriber(..) | About::Account(_) => None,
        }
    }

    /// The bits that it sets and clears in `deliveries.events`.
    pub(super) const fn bits(&self) -> (i16, i16) {
        (sets(self.kind), clears(self.kind))
    }

    /// Whether it may suppress its subscriber.
    pub(super) fn may_suppress(&self) -> bool {
        let code = self.reason.as_ref().and_then(Reason::code);
        match self.kind {
            EventType::Bounced => code.is_some_and(EnhancedCode::says_address_is_dead),
            EventType::Complained => true,
            _ => false,
        }
    }

    pub(super) fn status(&self) -> Option<String> {
        let code = self.reason.as_ref().and_then(Reason::code);
        code.map(|code| code.to_string())
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.as_ref().map(Reason::as_str)
    }
}

/// Returns the events without repetitions. Of several events of one kind about the same subject, the first one stays.
pub(super) fn once(events: &[NewEvent]) -> Vec<&NewEvent> {
    let mut seen = HashSet::new();
    let events = events.iter();
    events
        .filter(|event| seen.insert((event.about, event.kind)))
        .collect()
}

/// Returns the outcomes that events set and clear, by delivery.
pub(super) fn outcomes(events: &[&NewEvent]) -> BTreeMap<i64, (i16, i16)> {
    let mut outcomes = BTreeMap::<i64, (i16, i16)>::new();
    for event in events {
        if let (Some(delivery), (sets, clears)) = (event.delivery(), event.bits())
            && sets | clears != 0
        {
            let all = outcomes.entry(delivery).or_default();
            *all = (all.0 | sets, all.1 | clears);
        }
    }
    outcomes
}

/// Adds, numbers and reads events.
pub trait Events {
    /// Adds events in a transaction of their own. Returns how many were new.
    fn record(&self, events: Vec<NewEvent>) -> Answer<u64>;

    /// Numbers at most `at_most` events that were committed without a number, in the order in which they were added. Returns
    /// how many. Readers see only numbered events, so no event is ever added before a number that a reader has seen.
    ///
    /// Does nothing while another process numbers events. On SQLite, events have numbers from the beginning.
    fn number_events(&self, at_most: u32) -> Answer<u64>;

    /// Returns at most `at_most` events of an account after a number, in order. Without a number, it begins with the oldest
    /// event that is kept.
    fn events(&self, account: AccountId, after: Option<i64>, at_most: u32) -> Answer<EventPage>;

    /// Returns the last number that was given to an event of any account, or 0 if there was none.
    fn last_event(&self) -> Answer<i64>;
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPage {
    /// Events, and the number after which the next page begins. No event is ever added up to this number.
    Events(Vec<EventRow>, i64),
    /// Some of the events after the number were deleted because their time was over.
    Gone,
}

/// An event as it is read. `Debug` shows the number and the kind.
#[derive(Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Its number.
    pub number: i64,
    /// What happened: the name of an [`EventType`].
    pub kind: String,
    /// The call that was accepted. `None` for an event that is not about a delivery, or if the call is no longer stored.
    pub call: Option<CallId>,
    /// The `customField` of the call.
    pub custom_field: Option<String>,
    /// The recipient's address, as long as it is stored.
    pub recipient: Option<String>,
    /// The enhanced status code (RFC 3463), if there is one.
    pub status: Option<String>,
    /// Why, in the words of a mail server, a report or the operator.
    pub reason: Option<String>,
    /// When it happened, in seconds since 1970.
    pub happened: i64,
}

impl std::fmt::Debug for EventRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EventRow")
            .field("number", &self.number)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// The result of a read in one snapshot: the number up to which events are deleted, the last number, and the events that
/// were asked for.
pub(super) struct ReadEvents {
    pub(super) gone: i64,
    pub(super) last: i64,
    pub(super) events: Vec<EventRow>,
}

impl ReadEvents {
    /// Makes the page of a reader who has read up to a number.
    pub(super) fn page(self, after: Option<i64>, at_most: u32) -> EventPage {
        if after.is_some_and(|after| after < self.gone) {
            return EventPage::Gone;
        }
        let is_full = u32::try_from(self.events.len()).map_or(true, |read| read >= at_most);
        let of_page = self.events.last().map(|event| event.number);
        let last = match of_page.filter(|_| is_full) {
            Some(of_page) => of_page,
            None => self.last.max(after.unwrap_or(0)),
        };
        EventPage::Events(self.events, last)
    }
}
