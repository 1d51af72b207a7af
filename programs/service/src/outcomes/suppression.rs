//! Decides when a subscriber becomes INACTIVE because of bounces and complaints.

use std::collections::BTreeMap;

use crate::mail::EnhancedCode;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The rule by which bounces make a subscriber INACTIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuppressionRule {
    /// The number of emails that have to bounce because the address is dead; 0 for never.
    pub bounces: u16,
    /// The days within which they have to bounce.
    pub days: u16,
}

/// An event of a subscriber that a judgement looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastEvent {
    /// The email that it is about; `None` for [`PastKind::Lifted`].
    pub delivery: Option<i64>,
    /// What happened.
    pub kind: PastKind,
    /// The report that says so.
    pub report: Option<i64>,
    /// The time at which it happened, in seconds since 1970.
    pub happened: i64,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastKind {
    /// The mail server took over an email.
    Delivered,
    /// An email bounced, with that code.
    Bounced(Option<EnhancedCode>),
    /// A bounce was undone.
    NotBounced,
    /// The reader complained.
    Complained,
    /// A complaint was undone.
    NotComplained,
    /// The operator has made the subscriber active again: earlier events do not count any more.
    Lifted,
}

/// The reasons to suppress a subscriber. The numbers are indexes of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The last of the bounces that are enough to suppress.
    pub bounces: Option<usize>,
    /// The last complaint.
    pub complaint: Option<usize>,
}

/// What is known of one email.
#[derive(Clone, Copy, Default)]
struct Email {
    delivered: bool,
    /// The index of the event with which it bounced.
    bounced: Option<usize>,
    /// The time at which it bounced because the address is dead.
    dead: Option<i64>,
}

impl SuppressionRule {
    /// Judges by the events of a subscriber up to a time, in the order in which they were recorded.
    ///
    /// It counts emails, in the order in which they were accepted, and not reports. An email that was delivered and has not
    /// bounced starts the count again. A bounce for another reason does not count, and does not start the count again.
    #[must_use]
    pub fn judge(self, events: &[PastEvent], until: i64) -> Verdict {
        let since = until.saturating_sub(i64::from(self.days).saturating_mul(DAY));
        let mut emails = BTreeMap::<i64, Email>::new();
        let mut complaints = BTreeMap::<i64, usize>::new();
        for (place, event) in events.iter().enumerate() {
            let Some(delivery) = event.delivery else {
                if event.kind == PastKind::Lifted {
                    emails.clear();
                    complaints.clear();
                }
                continue;
            };
            let email = emails.entry(delivery).or_default();
            let counts = since < event.happened && event.happened <= until;
            match event.kind {
                PastKind::NotBounced => (email.bounced, email.dead) = (None, None),
                PastKind::NotComplained => drop(complaints.remove(&delivery)),
                _ if !counts => {}
                PastKind::Delivered => email.delivered = true,
                PastKind::Bounced(code) => {
                    email.bounced = Some(place);
                    let is_dead = code.is_some_and(EnhancedCode::says_address_is_dead);
                    email.dead = is_dead.then_some(event.happened);
                }
                PastKind::Complained => drop(complaints.insert(delivery, place)),
                PastKind::Lifted => {}
            }
        }
        Verdict {
            bounces: self.last_straw(emails.values()),
            complaint: complaints.values().max().copied(),
        }
    }

    fn last_straw<'a>(self, emails: impl Iterator<Item = &'a Email>) -> Option<usize> {
        let mut run = Vec::new();
        let mut last = None;
        for email in emails {
            match email {
                Email {
                    dead: Some(_),
                    bounced: Some(place),
                    ..
                } => run.push(*place),
                Email {
                    delivered: true,
                    bounced: None,
                    ..
                } => run.clear(),
                _ => {}
            }
            if self.bounces > 0 && run.len() >= usize::from(self.bounces) {
                last = last.max(run.iter().max().copied());
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: SuppressionRule = SuppressionRule {
        bounces: 3,
        days: 30,
    };
    const NOW: i64 = 1_000 * DAY;

    fn event(delivery: i64, kind: PastKind, days_ago: i64) -> PastEvent {
        PastEvent {
            delivery: Some(delivery),
            kind,
            report: None,
            happened: NOW - days_ago * DAY,
        }
    }

    fn dead(delivery: i64) -> PastEvent {
        dead_ago(delivery, 0)
    }

    fn dead_ago(delivery: i64, days_ago: i64) -> PastEvent {
        bounced(delivery, "5.1.1", days_ago)
    }

    fn bounced(delivery: i64, code: &str, days_ago: i64) -> PastEvent {
        let kind = PastKind::Bounced(EnhancedCode::parse(code));
        event(delivery, kind, days_ago)
    }

    fn delivered(delivery: i64) -> PastEvent {
        event(delivery, PastKind::Delivered, 0)
    }

    fn lifted() -> PastEvent {
        PastEvent {
            delivery: None,
            ..event(0, PastKind::Lifted, 0)
        }
    }

    fn suppresses(events: &[PastEvent]) -> bool {
        RULE.judge(events, NOW).bounces.is_some()
    }

    #[test]
    fn three_emails_to_a_dead_address_suppress_and_two_or_three_reports_of_two_do_not() {
        assert!(suppresses(&[dead(1), dead(2), dead(3)]));
        assert!(!suppresses(&[dead(1), dead(2)]));
        assert!(!suppresses(&[dead(1), dead(2), dead(2)]));
        let full = [bounced(1, "5.2.2", 0), bounced(2, "5.7.1", 0)];
        assert!(!suppresses(&[
            dead(3),
            dead(4),
            full[0].clone(),
            full[1].clone()
        ]));
    }

    #[test]
    fn a_delivery_between_begins_the_count_again_unless_it_bounced_later() {
        assert!(!suppresses(&[dead(1), delivered(2), dead(3), dead(4)]));
        let of_a_relay = [1, 2, 3].map(|id| [delivered(id), dead(id)]).concat();
        assert!(suppresses(&of_a_relay));
        let one_after = [of_a_relay, vec![delivered(4)]].concat();
        assert!(suppresses(&one_after));
    }

    #[test]
    fn a_bounce_for_another_reason_does_not_count_and_does_not_come_between() {
        let full = bounced(2, "5.2.2", 0);
        assert!(!suppresses(&[dead(1), full.clone(), dead(3)]));
        assert!(suppresses(&[dead(1), full.clone(), dead(3), dead(4)]));
        assert!(suppresses(&[dead(1), delivered(2), full, dead(3), dead(4)]));
    }

    #[test]
    fn the_order_of_reports_does_not_matter() {
        let events = [dead(1), delivered(2), dead(3), dead(4), dead(5)];
        for first in 0..events.len() {
            let mut turned = events.to_vec();
            turned.rotate_left(first);
            assert!(suppresses(&turned));
            turned.retain(|event| event.delivery != Some(5));
            assert!(!suppresses(&turned));
        }
    }

    #[test]
    fn what_is_older_than_the_days_does_not_count() {
        assert!(suppresses(&[dead_ago(1, 29), dead_ago(2, 10), dead(3)]));
        assert!(!suppresses(&[dead_ago(1, 30), dead_ago(2, 10), dead(3)]));
    }

    #[test]
    fn what_is_undone_or_lifted_does_not_count_any_more() {
        let undone = event(2, PastKind::NotBounced, 0);
        assert!(!suppresses(&[dead(1), dead(2), dead(3), undone]));
        assert!(!suppresses(&[dead(1), dead(2), dead(3), lifted()]));
        let again = [dead(1), dead(2), dead(3), lifted(), dead(4), dead(5)];
        assert!(!suppresses(&again));
        assert!(suppresses(&[again.as_slice(), &[dead(6)]].concat()));
    }

    #[test]
    fn each_complaint_suppresses_until_it_is_undone_or_lifted() {
        let complained = event(1, PastKind::Complained, 0);
        let judge = |events: &[PastEvent]| RULE.judge(events, NOW).complaint;
        assert_eq!(judge(&[delivered(1), complained.clone()]), Some(1));
        assert_eq!(judge(&[complained.clone(), lifted()]), None);
        let undone = event(1, PastKind::NotComplained, 0);
        assert_eq!(judge(&[complained, undone]), None);
    }

    #[test]
    fn no_number_of_bounces_suppresses_where_there_is_no_such_rule() {
        let rule = SuppressionRule { bounces: 0, ..RULE };
        let events = [1, 2, 3, 4, 5].map(dead);
        assert_eq!(rule.judge(&events, NOW).bounces, None);
    }
}
