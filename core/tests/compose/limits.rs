//! How many requests and bytes a composed call carries.

use franking::{ComposeError, ComposedCall, HttpSendMailRequest, Policy, compose};

use super::{HEAD, TAIL, body, calls, http_send_mail, policy, with_subject};

#[test]
fn a_call_carries_up_to_1000_requests() {
    for (count, lengths) in [
        (0, &[][..]),
        (1, &[1]),
        (999, &[999]),
        (1000, &[1000]),
        (1001, &[1000, 1]),
        (2000, &[1000, 1000]),
        (2001, &[1000, 1000, 1]),
    ] {
        let requests = vec![with_subject("s"); count];
        let calls: Vec<ComposedCall> = compose(&Policy::default(), "k", requests)
            .map(Result::unwrap)
            .collect();
        let carried: Vec<usize> = calls.iter().map(|call| call.requests().len()).collect();
        assert_eq!(carried, lengths, "{count}");
        let mut next = 0;
        for call in &calls {
            assert_eq!(call.requests().start, next);
            next = call.requests().end;
            assert_eq!(call.body(), body(&vec!["s"; call.requests().len()]));
        }
        assert_eq!(next, count);
    }
}

#[test]
fn a_call_has_exactly_max_bytes_or_fewer() {
    let two = body(&["ab", "c"]);
    let room = two.len() as u64;
    assert_eq!(calls(&policy(1000, room), &["ab", "c"]).unwrap(), [two]);
    assert_eq!(
        calls(&policy(1000, room - 1), &["ab", "c"]).unwrap(),
        [body(&["ab"]), body(&["c"])]
    );
    let one = body(&["ab"]);
    let room = one.len() as u64;
    assert_eq!(calls(&policy(1000, room), &["ab"]).unwrap(), [one]);
    assert!(calls(&policy(1000, room - 1), &["ab"]).is_err());
}

#[test]
fn bytes_are_counted_as_they_are_written() {
    for (subject, written) in [("é", "é"), ("😀", "😀"), ("\n", "\\n"), ("\0", "\\u0000")] {
        let exact = body(&[written]);
        let room = exact.len() as u64;
        assert_eq!(calls(&policy(1000, room), &[subject]).unwrap(), [exact]);
        assert!(
            calls(&policy(1000, room - 1), &[subject]).is_err(),
            "{written}"
        );
    }
    let encoded = format!(r#"{HEAD}{{"body":"%3C%C3%A9+%0A"}}{TAIL}"#);
    let room = encoded.len() as u64;
    let composed = |room| {
        let request = HttpSendMailRequest::new().html("<é \n");
        compose(&policy(1000, room), "k", [request]).next().unwrap()
    };
    assert_eq!(composed(room).unwrap().body(), encoded);
    assert!(composed(room - 1).is_err());
}

#[test]
fn the_default_limit_is_32_mb_to_the_byte() {
    let room = 33_554_432 - body(&["", ""]).len();
    let long = "s".repeat(room - 5);
    let both = calls(&Policy::default(), &[&long, "12345"]).unwrap();
    assert_eq!(
        both.iter().map(String::len).collect::<Vec<_>>(),
        [33_554_432]
    );
    assert_eq!(
        calls(&Policy::default(), &[&long, "123456"]).unwrap().len(),
        2
    );
    let alone = "s".repeat(33_554_432 - body(&[""]).len());
    assert_eq!(calls(&Policy::default(), &[&alone]).unwrap().len(), 1);
    let too_long = format!("{alone}s");
    assert_eq!(
        calls(&Policy::default(), &["s", &too_long])
            .unwrap_err()
            .request(),
        Some(1)
    );
}

#[test]
fn no_requests_make_no_call() {
    assert_eq!(calls(&Policy::default(), &[]).unwrap(), [""; 0]);
    assert_eq!(
        http_send_mail(r#"{"ApiKey":"k","requests":[]}"#).unwrap(),
        [""; 0]
    );
    // That holds even if no request would fit.
    assert_eq!(calls(&policy(1, 1), &[]).unwrap(), [""; 0]);
}

#[test]
fn a_request_too_large_for_any_call_is_named_and_no_calls_are_returned() {
    let room = body(&["four"]).len() as u64;
    let hopeless = "x".repeat(1000);
    for (subjects, index) in [
        (&["fiver"][..], 0),
        (&["a", "fiver"], 1),
        (&["four", "four", "a", "fiver", "a", "sixsix"], 3),
        // The long request is refused before it is written.
        (&["a", &hopeless, "a"], 1),
    ] {
        let error = calls(&policy(1000, room), subjects).unwrap_err();
        assert_eq!(
            error,
            ComposeError::RequestTooLarge {
                request: index,
                max_bytes: room
            }
        );
        assert_eq!(error.request(), Some(index));
        assert!(
            error
                .to_string()
                .starts_with(&format!("request {index} fits in no call"))
        );
    }
}

#[test]
fn a_key_that_leaves_no_room_is_reported_with_the_first_request() {
    let key = "k".repeat(40);
    let mut calls = compose(&policy(1, 40), &key, [HttpSendMailRequest::new()]);
    assert_eq!(calls.next().unwrap().unwrap_err().request(), Some(0));
}

#[test]
fn one_by_one_all_requests_before_the_one_that_does_not_fit_are_carried_and_none_after() {
    let policy = policy(2, body(&["a", "a"]).len() as u64);
    let subjects = ["a", "a", "a", "a much longer subject than that", "a"];
    let mut calls = compose(&policy, "k", subjects.map(with_subject));
    assert_eq!(calls.next().unwrap().unwrap().requests(), 0..2);
    assert_eq!(calls.next().unwrap().unwrap().requests(), 2..3);
    assert_eq!(calls.next().unwrap().unwrap_err().request(), Some(3));
    assert!(calls.next().is_none());
    assert!(calls.next().is_none());
}

#[test]
fn calls_are_composed_one_at_a_time_even_from_endless_requests() {
    let mut taken = 0;
    let requests = std::iter::repeat_with(|| {
        taken += 1;
        with_subject("s")
    });
    let calls = compose(&policy(3, 1000), "k", requests).take(2);
    let carried: usize = calls.map(|call| call.unwrap().requests().len()).sum();
    assert_eq!(
        (carried, taken),
        (6, 6),
        "no request is taken before its call is asked for"
    );
}
