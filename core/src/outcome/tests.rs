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
    assert_eq!(Event::from_code(200), Err(UnknownEvent(200)));
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
