//! The outcome of an email after it was accepted: delivered, bounced, opened, clicked.
//!
//! Events can arrive late, twice and in any order. An outcome is the set of events seen. Recording and merging are therefore
//! commutative, associative and idempotent, and the summary does not depend on the order of events.

use thiserror::Error;

use crate::word::words;

words! {
    #[derive(PartialOrd, Ord)]
    enum Event "Something that happened to an email after it was accepted (interface, section 6). Its number is a code."
    417 Bounced "bounced" "It could not be delivered."
    418 Delivered "delivered" "It reached the recipient's mail server."
    451 Opened "opened" "The recipient opened it."
    452 Clicked "clicked" "The recipient followed a link in it."
}

/// A code that is not the code of an [`Event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("{0} is not the code of an event: events are 417, 418, 451 and 452")]
pub struct UnknownEvent(pub u16);

impl Event {
    /// The event with this code of the interface.
    ///
    /// # Errors
    ///
    /// [`UnknownEvent`] for any code except 417, 418, 451 and 452.
    pub fn from_code(code: u16) -> Result<Self, UnknownEvent> {
        Self::from_number(code).ok_or(UnknownEvent(code))
    }

    /// Its code in the interface.
    pub fn code(self) -> u16 {
        self.number()
    }

    fn flag(self) -> u8 {
        match self {
            Self::Bounced => 1,
            Self::Delivered => 2,
            Self::Opened => 4,
            Self::Clicked => 8,
        }
    }
}

impl TryFrom<u16> for Event {
    type Error = UnknownEvent;

    fn try_from(code: u16) -> Result<Self, UnknownEvent> {
        Self::from_code(code)
    }
}

/// The tracking with which an email was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tracking {
    /// Whether opens are tracked.
    pub opens: bool,
    /// Whether clicks are tracked.
    pub clicks: bool,
}

/// The outcome of an email, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Summary {
    /// It was accepted, and no event that counts was seen.
    Accepted = 200,
    /// It reached the recipient's mail server.
    Delivered = 418,
    /// It bounced, and was neither opened nor clicked.
    Bounced = 417,
    /// It was opened, but no link in it was followed.
    Opened = 451,
    /// A link in it was followed.
    Clicked = 452,
}

impl Summary {
    /// Its code in the interface.
    pub fn code(self) -> u16 {
        self as u16
    }
}

/// The outcome of one email: the set of events seen.
///
/// ```
/// use franking::{Event, Outcome, Summary, Tracking};
/// let mut outcome = Outcome::new(Tracking { opens: true, clicks: false });
/// assert_eq!(outcome.summary(), Summary::Accepted);
/// outcome.record(Event::Opened);
/// outcome.record(Event::Clicked);
/// outcome.record(Event::Delivered);
/// assert_eq!(outcome.summary(), Summary::Opened);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Outcome {
    tracking: Tracking,
    /// All events, including those that do not count without tracking. Outcomes can therefore be merged in any order.
    seen: u8,
}

impl Outcome {
    /// The outcome of an email to which nothing has happened yet.
    pub fn new(tracking: Tracking) -> Self {
        Self { tracking, seen: 0 }
    }

    /// Adds an event.
    ///
    /// An open or a click does not count unless the email was sent with that tracking.
    pub fn record(&mut self, event: Event) {
        self.seen |= event.flag();
    }

    /// Adds the events of another outcome of the same email.
    ///
    /// If the two differ in their tracking, opens or clicks count as tracked if either outcome tracks them.
    pub fn merge(&mut self, other: Self) {
        self.seen |= other.seen;
        self.tracking.opens |= other.tracking.opens;
        self.tracking.clicks |= other.tracking.clicks;
    }

    /// The tracking with which the email was sent.
    pub fn tracking(self) -> Tracking {
        self.tracking
    }

    /// Whether this event was seen and counts.
    pub fn has(self, event: Event) -> bool {
        let counts = match event {
            Event::Opened => self.tracking.opens,
            Event::Clicked => self.tracking.clicks,
            Event::Bounced | Event::Delivered => true,
        };
        counts && self.seen & event.flag() != 0
    }

    /// The events that were seen and count, by code.
    pub fn events(self) -> impl Iterator<Item = Event> {
        Event::ALL
            .iter()
            .copied()
            .filter(move |&event| self.has(event))
    }

    /// The first of these that happened: clicked, opened, bounced, delivered; else accepted.
    pub fn summary(self) -> Summary {
        let summaries = [
            (Event::Clicked, Summary::Clicked),
            (Event::Opened, Summary::Opened),
            (Event::Bounced, Summary::Bounced),
            (Event::Delivered, Summary::Delivered),
        ];
        let first = summaries.into_iter().find(|(event, _)| self.has(*event));
        first.map_or(Summary::Accepted, |(_, summary)| summary)
    }
}

impl Extend<Event> for Outcome {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        events.into_iter().for_each(|event| self.record(event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn outcome(opens: bool, clicks: bool, events: &[Event]) -> Outcome {
        let mut outcome = Outcome::new(Tracking { opens, clicks });
        outcome.extend(events.iter().copied());
        outcome
    }

    #[test]
    fn the_summary_is_clicked_else_opened_else_bounced_else_delivered_else_accepted() {
        use Event::{Bounced, Clicked, Delivered, Opened};
        let summary = |events: &[Event]| outcome(true, true, events).summary();
        assert_eq!(summary(&[]), Summary::Accepted);
        assert_eq!(summary(&[Delivered]), Summary::Delivered);
        assert_eq!(summary(&[Bounced, Delivered]), Summary::Bounced);
        assert_eq!(summary(&[Opened, Bounced, Delivered]), Summary::Opened);
        assert_eq!(
            summary(&[Clicked, Opened, Bounced, Delivered]),
            Summary::Clicked
        );
    }

    #[test]
    fn opens_and_clicks_without_tracking_are_ignored() {
        use Event::{Clicked, Delivered, Opened};
        let all = [Clicked, Opened, Delivered];
        assert_eq!(outcome(false, false, &all).summary(), Summary::Delivered);
        assert_eq!(outcome(true, false, &all).summary(), Summary::Opened);
        assert_eq!(outcome(false, true, &all).summary(), Summary::Clicked);
        assert_eq!(
            outcome(false, false, &[Opened]).summary(),
            Summary::Accepted
        );
        assert!(outcome(false, true, &all).events().eq([Delivered, Clicked]));
    }

    #[test]
    fn events_are_the_four_codes_and_no_others() {
        let codes: Vec<u16> = (0..=u16::MAX)
            .filter(|&code| Event::from_code(code).is_ok_and(|event| event.code() == code))
            .collect();
        assert_eq!(codes, [417, 418, 451, 452]);
        assert_eq!(Event::try_from(200), Err(UnknownEvent(200)));
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        proptest::collection::vec(proptest::sample::select(Event::ALL), 0..12)
    }

    fn outcomes() -> impl Strategy<Value = Outcome> {
        (any::<bool>(), any::<bool>(), events())
            .prop_map(|(opens, clicks, events)| outcome(opens, clicks, &events))
    }

    fn merged(mut a: Outcome, b: Outcome) -> Outcome {
        a.merge(b);
        a
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn order_and_repetition_of_events_do_not_matter(
            opens: bool,
            clicks: bool,
            (events, shuffled) in events().prop_flat_map(|events| {
                let mut twice = events.clone();
                twice.extend(&events);
                (Just(events), Just(twice).prop_shuffle())
            }),
        ) {
            let once = outcome(opens, clicks, &events);
            prop_assert_eq!(once, outcome(opens, clicks, &shuffled));
        }

        #[test]
        fn merging_is_commutative_associative_and_idempotent(
            a in outcomes(),
            b in outcomes(),
            c in outcomes(),
        ) {
            prop_assert_eq!(merged(a, b), merged(b, a));
            prop_assert_eq!(merged(merged(a, b), c), merged(a, merged(b, c)));
            prop_assert_eq!(merged(a, a), a);
            prop_assert_eq!(merged(merged(a, b), b), merged(a, b));
        }

        #[test]
        fn recording_and_merging_may_come_in_any_order(
            a in outcomes(),
            b in outcomes(),
            events in events(),
        ) {
            let mut before = a;
            before.extend(events.iter().copied());
            let mut after = merged(a, b);
            after.extend(events);
            prop_assert_eq!(merged(before, b), after);
        }
    }
}
