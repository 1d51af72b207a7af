//! What sendMailer does: who receives the email, from whom, and what becomes of subscribers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use franking::Operation::SendMailer;
use serde_json::{Value, json};
use support::Case;

fn send(changes: Value) -> Case {
    Case::send_mailer(changes)
}

/// A call that names a subscriber by id instead of an address.
fn by_id(changes: Value) -> Case {
    Case::new(
        SendMailer,
        &support::with(
            json!({"apiKey": support::KEY, "mailerID": 42, "subID": 5}),
            changes,
        ),
    )
}

#[test]
fn sub_id_alone_identifies_the_subscriber_and_email_is_not_looked_at_not_even_its_type() {
    for email in [
        json!("nobody"),
        json!([]),
        json!("quiet@customer.example"),
        json!("new@bad.example"),
    ] {
        let case = send(json!({"subID": 5, "email": email}));
        let plan = case.plan();
        assert_eq!(
            plan["messages"][0]["recipients"],
            json!([{"to": "Old@Customer.example", "role": null, "subscriber": 5}])
        );
        assert_eq!(
            (&plan["create"], &plan["debit"]),
            (&json!([]), &json!({"email": 1, "subscriber": 0}))
        );
        assert_eq!(plan["update"], json!([]), "the stored address stays");
    }
}

#[test]
fn email_and_from_are_each_one_plain_address() {
    for text in [
        "nobody",
        "a@b.example,c@d.example",
        "Name <a@b.example>",
        "a@b",
        "\"a\"@b.example",
        "a@[192.0.2.1]",
    ] {
        let recipient = send(json!({"email": text}));
        assert_eq!(
            (recipient.outcome(), recipient.place().0),
            ((412, "recipient-malformed".into()), Some("/email".into())),
            "{text}"
        );
        let sender = send(json!({"from": text}));
        assert_eq!(
            (sender.outcome(), sender.place().0),
            ((442, "sender-malformed".into()), Some("/from".into())),
            "{text}"
        );
    }
}

#[test]
fn a_mailer_is_named_and_known_or_the_code_is_442() {
    let missing = send(json!({"mailerID": null}));
    assert_eq!(missing.outcome(), (442, "mailer-missing".into()));
    let unknown = send(json!({"mailerID": 99}));
    assert_eq!(
        (unknown.outcome(), unknown.place().0),
        ((442, "mailer-unknown".into()), Some("/mailerID".into()))
    );
}

#[test]
fn a_sub_id_that_cannot_exist_is_454_without_asking_the_host() {
    for id in [
        json!(0),
        json!(-7),
        json!(1.5),
        json!("x"),
        json!("+5"),
        json!("9223372036854775808"),
        json!(true),
        json!([5]),
        json!({}),
    ] {
        let decision = by_id(json!({"subID": id})).decide();
        assert_eq!(
            (&decision["code"], &decision["rule"]),
            (&json!(454), &json!("subscriber-id-malformed")),
            "{id}"
        );
        assert_eq!(decision["asked"]["facts"], 0);
    }
    let decision = by_id(json!({"subID": i64::MAX})).decide();
    assert_eq!(
        (&decision["rule"], &decision["asked"]["facts"]),
        (&json!("subscriber-unknown"), &json!(1))
    );
}

#[test]
fn the_effective_sender_is_from_else_the_mailers_and_so_is_the_name() {
    let from = |changes: Value| {
        let message = send(changes).message();
        (message["from"].clone(), message["from_name"].clone())
    };
    assert_eq!(
        from(json!({})),
        (json!("news@shop.example"), json!("The Shop"))
    );
    let world = json!({"senders": ["other@shop.example"]});
    let message = send(json!({"from": "Other@Shop.example"}))
        .world(world.clone())
        .message();
    assert_eq!(
        (&message["from"], &message["from_name"]),
        (&json!("Other@Shop.example"), &json!("The Shop"))
    );
    let message = send(json!({"from": "other@shop.example", "fromName": "We"}))
        .world(world)
        .message();
    assert_eq!(
        (&message["from"], &message["from_name"]),
        (&json!("other@shop.example"), &json!("We"))
    );
}

#[test]
fn the_name_is_null_when_neither_the_call_nor_the_mailer_has_one() {
    let world = json!({"mailers": {"42": {"from": "news@shop.example", "from_name": null}}});
    assert_eq!(
        send(json!({})).world(world).message()["from_name"],
        Value::Null
    );
}

#[test]
fn from_is_mandatory_when_from_name_is_given_also_when_from_is_only_white_space() {
    assert_eq!(send(json!({"fromName": "We"})).outcome().0, 478);
    assert_eq!(
        send(json!({"fromName": "We", "from": " "})).outcome().0,
        478
    );
    assert_eq!(
        send(json!({"fromName": " "})).outcome().0,
        200,
        "an absent name asks for no sender"
    );
}

#[test]
fn the_domain_of_the_effective_sender_is_judged_and_the_places_are_from_or_the_mailers_id() {
    let assigned = send(json!({"mailerID": 43}));
    assert_eq!(
        (assigned.outcome().0, assigned.place().0),
        (414, Some("/mailerID".into()))
    );
    let sent = send(json!({"from": "news@bad.example"}));
    assert_eq!(
        (sent.outcome().0, sent.place().0),
        (414, Some("/from".into()))
    );
    // With from given, the assigned address is of no account.
    assert_eq!(
        send(json!({"mailerID": 43, "from": "news@shop.example"}))
            .outcome()
            .0,
        200
    );
}

#[test]
fn senders_are_compared_by_match_key_and_the_assigned_address_need_not_be_an_active_sender() {
    assert_eq!(send(json!({"from": "NEWS@SHOP.EXAMPLE"})).outcome().0, 200);
    assert_eq!(
        send(json!({"from": "news2@shop.example"})).outcome(),
        (442, "sender-unknown".into())
    );
    assert_eq!(
        send(json!({})).world(json!({"senders": []})).outcome().0,
        200
    );
    // It is the host's own: only its domain is judged, not its form.
    let odd = json!({"mailers": {"42": {"from": "\"The Shop\"@localhost", "from_name": "a\nb"}}});
    assert_eq!(
        send(json!({})).world(odd).message()["from"],
        "\"The Shop\"@localhost"
    );
}

#[test]
fn the_stored_address_of_a_matched_subscriber_is_judged_and_gets_the_email() {
    let case = send(json!({"email": "OLD@customer.EXAMPLE"}));
    let plan = case.plan();
    assert_eq!(
        plan["messages"][0]["recipients"],
        json!([{"to": "Old@Customer.example", "role": null, "subscriber": 5}])
    );
    assert_eq!(plan["create"], json!([]));
    let listed = by_id(json!({"subID": 6}));
    assert_eq!(
        (listed.outcome().0, listed.place().0),
        (416, Some("/subID".into()))
    );
    // The address that was sent is clean, the stored one is not.
    let world = json!({"blacklists": {"recipient": ["customer.example"]}});
    assert_eq!(by_id(json!({})).world(world.clone()).outcome().0, 416);
    assert_eq!(
        send(json!({})).world(world).place().0,
        Some("/email".into())
    );
}

#[test]
fn an_inactive_subscriber_is_refused_at_the_field_that_matched_it() {
    let by_email = send(json!({"email": "Quiet@customer.example"}));
    assert_eq!(
        (by_email.outcome().0, by_email.place().0),
        (443, Some("/email".into()))
    );
    let by_alias = Case::raw(SendMailer, r#"{"apiKey":"key-1","mailerID":42,"subid":7}"#);
    assert_eq!(
        (by_alias.outcome().0, by_alias.place().0),
        (443, Some("/subid".into()))
    );
}

#[test]
fn the_personalization_sent_overwrites_the_stored_one_field_by_field() {
    let plan = by_id(json!({"city": "Pune", "extra6": 7, "birthday": "1990-02-28"})).plan();
    assert_eq!(
        plan["update"],
        json!([{"id": 5, "fields": {"city": "Pune", "extra6": "7", "birthday": "1990-02-28"}}])
    );
}

#[test]
fn there_is_no_update_in_the_plan_when_nothing_was_sent() {
    assert_eq!(by_id(json!({})).plan()["update"], json!([]));
    let none_of_it_is_stored = json!({"listName": "Customers", "customField": "x", "trackOpens": 1, "from": "news@shop.example", "fromName": "We"});
    assert_eq!(by_id(none_of_it_is_stored).plan()["update"], json!([]));
}

#[test]
fn with_a_match_the_list_matters_only_by_its_type() {
    assert_eq!(by_id(json!({"listName": "Nowhere"})).outcome().0, 200);
    assert_eq!(
        send(json!({"email": "old@customer.example", "listName": "Nowhere"}))
            .outcome()
            .0,
        200
    );
    assert_eq!(by_id(json!({"listName": []})).rule(), "field-wrong-type");
}

#[test]
fn with_no_match_a_subscriber_is_created_with_all_that_was_sent() {
    let plan = send(json!({"email": "New@Customer.example", "city": "Pune", "mobile": 98, "listName": "Customers"})).plan();
    assert_eq!(
        plan["create"],
        json!([{"email": "New@Customer.example", "match_key": "new@customer.example", "list": "Customers", "fields": {"city": "Pune", "mobile": "98"}}])
    );
    assert_eq!((&plan["update"], &plan["enlist"]), (&json!([]), &json!([])));
    assert_eq!(
        plan["messages"][0]["recipients"],
        json!([{"to": "New@Customer.example", "role": null, "subscriber": null}])
    );
    assert_eq!(plan["debit"], json!({"email": 1, "subscriber": 1}));
}

#[test]
fn the_default_list_named_or_not_need_not_exist_and_any_other_must_by_its_exact_name() {
    assert_eq!(
        send(json!({})).plan()["create"][0]["list"],
        "RealTime_Via_API"
    );
    assert_eq!(
        send(json!({"listName": "RealTime_Via_API"})).plan()["create"][0]["list"],
        "RealTime_Via_API"
    );
    for name in [
        "customers",
        "Customers ",
        "CUSTOMERS",
        "realtime_via_api",
        "API_EMAILS",
    ] {
        assert_eq!(
            send(json!({"listName": name})).outcome(),
            (442, "list-unknown".into()),
            "{name}"
        );
    }
    assert_eq!(send(json!({"listName": "Customers"})).outcome().0, 200);
}

#[test]
fn the_email_costs_one_credit_and_a_new_subscriber_another() {
    let account = |email: i64, subscriber: i64| json!({"email_credit": email, "subscriber_credit": subscriber});
    assert_eq!(send(json!({})).account(account(1, 1)).outcome().0, 200);
    assert_eq!(send(json!({})).account(account(1, 0)).outcome().0, 444);
    assert_eq!(send(json!({})).account(account(0, 1)).outcome().0, 445);
    assert_eq!(send(json!({})).account(account(-3, -3)).outcome().0, 444);
    assert_eq!(
        by_id(json!({})).account(account(1, 0)).outcome().0,
        200,
        "a call that needs none is never refused for it"
    );
    assert_eq!(by_id(json!({})).account(account(0, 0)).outcome().0, 445);
}

#[test]
fn a_day_is_written_with_ascii_digits_from_year_1_to_9999_and_is_one_of_the_calendar() {
    for day in [
        "1990-02-28",
        "2000-02-29",
        "0001-01-01",
        "9999-12-31",
        "1900-02-28",
        "2999-06-30",
    ] {
        for field in ["birthday", "anniversary"] {
            assert_eq!(send(json!({field: day})).outcome().0, 200, "{day}");
        }
    }
    for day in [
        "1900-02-29",
        "2001-02-29",
        "0000-01-01",
        "1990-13-01",
        "1990-00-10",
        "1990-04-31",
        "90-02-28",
        "1990-2-28",
        "1990/02/28",
        " 1990-02-28",
        "1990-02-28 ",
        "1990-02-28T00:00",
        "+1990-02-28",
        "\u{0661}990-02-28",
        "28-02-1990",
        "x",
    ] {
        let case = send(json!({"anniversary": day}));
        assert_eq!(
            (case.outcome(), case.place().0),
            ((442, "date-malformed".into()), Some("/anniversary".into())),
            "{day}"
        );
    }
    let both = send(json!({"anniversary": "x", "birthday": "y"}));
    assert_eq!(both.place().0, Some("/birthday".into()));
    assert_eq!(both.violations().len(), 2);
}

#[test]
fn a_control_character_is_of_category_cc_or_one_of_the_two_separators() {
    for text in [
        "a\u{0}",
        "\u{1}a",
        "a\nb",
        "a\r",
        "\tb",
        "a\u{7f}",
        "a\u{85}b",
        "a\u{9f}",
        "a\u{2028}b",
        "a\u{2029}b",
    ] {
        let case = send(json!({"from": "news@shop.example", "fromName": text}));
        assert_eq!(
            case.outcome(),
            (442, "from-name-control".into()),
            "{text:?}"
        );
    }
    for text in [
        "a\u{a0}b",
        "a\u{200b}b",
        "a\u{202e}b",
        "a\u{ad}b",
        "\u{1f600}",
    ] {
        let case = send(json!({"from": "news@shop.example", "fromName": text}));
        assert_eq!(case.outcome().0, 200, "{text:?}");
    }
}

#[test]
fn send_mailer_answers_only_codes_that_the_interface_lists_for_it_and_442() {
    let listed = [
        200, 401, 402, 403, 404, 405, 412, 414, 416, 442, 443, 444, 445, 448, 454, 478, 602,
    ];
    let rules = franking::Rule::ALL.iter();
    for rule in rules {
        if let Some(code) = rule.code(SendMailer) {
            assert!(listed.contains(&code.number()), "{rule}");
        }
    }
}

#[test]
fn custom_field_and_flags_reach_the_plan_and_are_not_stored() {
    let plan = send(json!({"customField": "mine", "trackOpens": 1, "trackClicks": "1"})).plan();
    let message = &plan["messages"][0];
    assert_eq!(
        (
            &message["custom_field"],
            &message["track_opens"],
            &message["track_clicks"]
        ),
        (&json!("mine"), &json!(true), &json!(true))
    );
    assert_eq!(plan["create"][0]["fields"], json!({}));
    assert_eq!(
        (
            &message["mailer"],
            &message["subject"],
            &message["html"],
            &message["encoding"]
        ),
        (&json!(42), &Value::Null, &Value::Null, &Value::Null)
    );
}
