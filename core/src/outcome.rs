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
        1 << self as u8
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
mod tests;
