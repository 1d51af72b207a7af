//! What a preflight collects: violations and warnings, with their places.

use franking::Operation::{HttpSendMail, SendMailer};
use serde_json::{Value, json};

use crate::support::{Case, request};

#[test]
fn a_preflight_makes_the_checks_of_phases_1_and_4_and_of_the_empty_key_all_of_them_in_order() {
    let rules = |case: &Case| -> Vec<String> {
        case.violations()
            .into_iter()
            .map(|(rule, _)| rule)
            .collect()
    };
    let case = Case::new(
        SendMailer,
        &json!({"fromName": "a\nb", "email": "nobody", "birthday": "x", "anniversary": "y", "city": []}),
    );
    assert_eq!(
        rules(&case),
        [
            "key-missing",
            "recipient-malformed",
            "sender-missing",
            "field-wrong-type",
            "mailer-missing",
            "from-name-control",
            "date-malformed",
            "date-malformed",
        ]
    );
    let case = Case::requests(&[
        request(json!({"subject": "{{a}}\n", "to": "x,y", "bcc": "z"})),
        json!(7),
        json!({}),
    ]);
    assert_eq!(
        rules(&case),
        [
            "recipient-malformed",
            "recipient-malformed",
            "recipient-malformed",
            "subject-control",
            "subject-placeholder",
            "request-not-object",
            "subject-missing",
            "html-missing",
            "sender-missing",
            "recipient-missing",
        ]
    );
    let unknown_to_the_host =
        Case::send_mailer(json!({"apiKey": "other", "mailerID": 99, "from": "other@bad.example"}));
    assert!(unknown_to_the_host.preflight().is_clean());
}

#[test]
fn the_method_is_not_judged_by_a_preflight_and_retirement_is() {
    let case = Case::http_send_mail(json!({"subject": ""})).policy(json!({"today": "2024-05-01"}));
    let rules: Vec<String> = case
        .violations()
        .into_iter()
        .map(|(rule, _)| rule)
        .collect();
    assert_eq!(rules, ["operation-retired", "subject-missing"]);
}

#[test]
fn a_body_that_is_too_large_or_not_a_json_object_has_just_that_violation() {
    for (case, rule) in [
        (
            Case::http_send_mail(json!({"to": "x"})).policy(json!({"max_bytes": 5})),
            "body-too-large",
        ),
        (Case::raw(SendMailer, "{"), "body-not-json"),
        (Case::raw(HttpSendMail, "[]"), "body-not-json"),
    ] {
        assert_eq!(case.violations(), [(rule.to_string(), Some(String::new()))]);
        let preflight = case.preflight();
        let violation = preflight.violations().next().unwrap();
        assert_eq!(violation.span(), Some(0..case.body.len()));
        assert!(
            violation.remedy().contains("eading stopped"),
            "{}",
            violation.remedy()
        );
    }
}

#[test]
fn a_preflight_warns_that_sub_id_0_should_be_left_out() {
    for value in [json!(0), json!("0"), json!("000")] {
        let case = Case::new(
            SendMailer,
            &json!({"apiKey": "k", "mailerID": 42, "subID": value}),
        );
        assert_eq!(
            case.warnings(),
            [("subscriber-id-zero", Some("/subID".to_string()))]
        );
    }
    let case = Case::new(
        SendMailer,
        &json!({"apiKey": "k", "mailerID": 42, "subID": -1}),
    );
    assert_eq!(case.warnings(), []);
}

#[test]
fn an_unknown_field_names_the_one_that_was_probably_meant() {
    let detail = |name: &str| {
        let case = Case::send_mailer(json!({name: "x"}));
        let preflight = case.preflight();
        let warning = preflight.warnings().next().unwrap();
        assert_eq!(warning.kind().identifier(), "field-unknown");
        warning.detail().map(str::to_string)
    };
    for (name, meant) in [
        ("firstname", "firstName"),
        ("first_name", "firstName"),
        ("pincode", "pinCode"),
        ("fromname", "fromName"),
        ("emial", "email"),
        ("cty", "city"),
        ("extra7", "extra1"),
        ("BIRTHDAY", "birthday"),
    ] {
        assert_eq!(detail(name).as_deref(), Some(meant), "{name}");
    }
    for name in [
        "zzz",
        "",
        "somethingElse",
        "\u{1f600}",
        &"x".repeat(100_000),
    ] {
        assert_eq!(detail(name), None);
    }
}

/// A warning, its detail, and the text that its span covers.
fn details(case: &Case) -> Vec<(String, Option<String>, String)> {
    let preflight = case.preflight();
    let row = |warning: franking::Warning| {
        let place = &case.body[warning.span().unwrap()];
        (
            warning.kind().identifier().to_string(),
            warning.detail().map(str::to_string),
            String::from_utf8_lossy(place).into_owned(),
        )
    };
    let with_place = preflight
        .warnings()
        .filter(|warning| warning.span().is_some());
    with_place.map(row).collect()
}

#[test]
fn a_plain_body_is_warned_of_and_the_warning_says_so_if_it_still_holds_3c() {
    let warning = |body: &str| details(&Case::http_send_mail(json!({"body": body})));
    assert_eq!(
        warning("<p>a"),
        [("body-plain".to_string(), None, r#""<p>a""#.to_string())]
    );
    for body in ["<p>%3Cb%3E", "<p>%3cb"] {
        let found = warning(body);
        assert_eq!((found.len(), found[0].0.as_str()), (1, "body-plain"));
        assert!(found[0].1.as_deref().unwrap().contains("%3C"), "{found:?}");
    }
    assert_eq!(warning("%3Cp%3E"), []);
}

#[test]
fn each_link_that_no_browser_can_read_is_warned_of_and_the_warning_says_which() {
    let body = r#"%3Ca+href='http://['%3E%3Cp+style='background:url(//a+b.example)'%3E%3Cimg+src='//a.example'%3E"#;
    let found = details(&Case::http_send_mail(json!({"body": body})));
    let urls: Vec<_> = found
        .iter()
        .map(|row| (row.0.as_str(), row.1.as_deref()))
        .collect();
    assert_eq!(urls.first(), Some(&("link-unreadable", Some("http://["))));
    assert!(
        urls.iter().all(|(kind, _)| *kind == "link-unreadable"),
        "{urls:?}"
    );
    let value = json!(body).to_string();
    assert!(found.iter().all(|row| row.2 == value));
    let twice = "%3Ca+href='http://['%3E%3Ca+href='http://['%3E";
    assert_eq!(
        details(&Case::http_send_mail(json!({"body": twice}))).len(),
        2
    );
}

#[test]
fn a_link_in_a_string_of_css_that_no_browser_can_read_is_warned_of_once() {
    for sheet in [
        "@import 'http://['",
        "p{background:url('http://[')}",
        "p{background:image-set('http://[')}",
        "p{content:'http://['}",
    ] {
        // Because of the soup after it, each string of the sheet counts.
        let body = format!("%3Cstyle%3E{sheet}%3C/style%3E%3Csvg%3E");
        let found = details(&Case::http_send_mail(json!({"body": body})));
        assert_eq!(found.len(), 1, "{sheet} {found:?}");
    }
}

#[test]
fn a_duplicate_that_will_be_left_out_is_warned_of_at_the_entry() {
    let case =
        Case::http_send_mail(json!({"to": "a@b.example , A@B.example", "cc": "a@b.example"}));
    let places: Vec<_> = details(&case)
        .into_iter()
        .map(|row| (row.0, row.2))
        .collect();
    let repeated = |text: &str| ("recipient-repeated".to_string(), text.to_string());
    // The members of this body are in alphabetical order: `cc` comes before `to`.
    assert_eq!(places.len(), 2);
    assert!(places.contains(&repeated("A@B.example")) && places.contains(&repeated("a@b.example")));
}

#[test]
fn the_key_placeholder_of_a_documentation_is_warned_of() {
    for key in ["<API_KEY>", "$apiKey", "INSERT_YOUR_KEY"] {
        let case = Case::send_mailer(json!({"apiKey": key}));
        assert_eq!(
            case.warnings(),
            [("key-placeholder", Some("/apiKey".to_string()))],
            "{key}"
        );
    }
    for key in ["API_KEY", "<x", "a$b"] {
        assert_eq!(
            Case::send_mailer(json!({"apiKey": key})).warnings(),
            [],
            "{key}"
        );
    }
}

#[test]
fn a_list_of_violations_ends_and_says_how_many_more_there_are() {
    let requests = |count: usize| {
        let to = vec!["nobody"; count].join(",");
        Case::http_send_mail(json!({"to": to}))
            .preflight()
            .to_json()
    };
    for (count, more) in [(9_999, 0), (10_000, 0), (10_001, 1), (30_000, 20_000)] {
        let written: Value = serde_json::from_str(&requests(count)).unwrap();
        let listed = written["violations"].as_array().unwrap();
        assert_eq!(listed.len(), count - more);
        assert_eq!(
            written.get("more").map_or(0, |more| more.as_u64().unwrap()),
            more as u64
        );
    }
}

#[test]
fn every_warning_is_listed_and_their_text_grows_in_proportion_to_the_body() {
    let names: Vec<_> = (0..20_000)
        .map(|number| format!(r#""{number}":0"#))
        .collect();
    let unknown = format!(r#"{{"apiKey":"k",{}}}"#, names.join(","));
    let links = "<a href='http://[x'>".repeat(20_000);
    for case in [
        Case::raw(SendMailer, unknown),
        Case::http_send_mail(json!({"to": vec!["a@b.cc"; 20_001].join(",")})),
        Case::http_send_mail(json!({"body": links})),
    ] {
        let text = case.preflight().to_json();
        let written: Value = serde_json::from_str(&text).unwrap();
        let listed = written["warnings"].as_array().unwrap().len();
        assert!(listed >= 20_000, "{listed}");
        assert_eq!(listed, case.preflight().warnings().count());
        assert!(text.len() <= 100 * case.body.len(), "{}", text.len());
    }
}

#[test]
fn names_that_stand_twice_below_a_long_name_are_listed_in_bounds() {
    let name = "n/".repeat(1 << 19);
    let pairs = (0..40).map(|number| format!(r#""{number}":0,"{number}":1"#));
    let pairs: Vec<_> = pairs.collect();
    let body = format!(r#"{{"apiKey":"k","{name}":[{{{}}}]}}"#, pairs.join(","));
    let case = Case::raw(SendMailer, body);
    let preflight = case.preflight();
    assert_eq!(preflight.violations().count(), 42);
    let mut listed = preflight.listed();
    let pointers: Vec<_> = listed
        .by_ref()
        .map(|violation| violation.pointer().unwrap())
        .collect();
    let length = pointers[0].len();
    assert_eq!(pointers[0], format!("/{}/0/0", "n~1".repeat(1 << 19)));
    assert_eq!(
        pointers.len(),
        franking::memory_bound(case.body.len()).div_ceil(length)
    );
    assert_eq!(listed.more(), 42 - pointers.len());
}
