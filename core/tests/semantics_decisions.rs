//! What is asked, in which form; what an answer looks like; what a preflight collects, where violations stand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use franking::Operation::{HttpSendMail, SendMailer};
use franking::{Account, Judgement, Phase, PolicyError, Step};
use serde_json::{Value, json};
use support::{Case, request, send_mailer_body};

// Section 1: what is asked, and how often.

#[test]
fn an_attempt_costs_two_look_ups_and_one_commit_however_many_requests_and_recipients() {
    let to: Vec<String> = (0..50)
        .map(|number| format!("r{number}@d{number}.example"))
        .collect();
    let requests = vec![request(json!({"to": to.join(",")})); 40];
    let (code, asked) = Case::requests(&requests).decide_with(|decision| decision.code());
    assert_eq!(code.unwrap().number(), 200);
    assert_eq!(asked, ["account", "facts", "commit"]);
}

#[test]
fn the_account_is_asked_for_only_if_the_key_is_not_empty() {
    for key in ["", " ", "\u{3000}"] {
        let (_, asked) = Case::send_mailer(json!({"apiKey": key})).decide_with(|_| ());
        assert!(asked.is_empty());
    }
}

#[test]
fn nothing_of_a_refused_call_is_carried_out() {
    let (plan, asked) = Case::send_mailer(json!({"email": "new@bad.example"}))
        .decide_with(|decision| decision.plan().is_some());
    assert_eq!((plan, asked), (false, vec!["account", "facts"]));
}

fn questions(case: &Case) -> Value {
    let mut call = case.call();
    call.answer_account(Some(Account::default())).unwrap();
    let Step::Facts(questions) = call.step() else {
        unreachable!("the call is refused: {}", call.step().to_json());
    };
    serde_json::from_str(&questions.to_json()).unwrap()
}

fn domain(name: &str, roles: &[&str]) -> Value {
    json!({"domain": name, "roles": roles})
}

#[test]
fn columns_name_each_member_once_in_the_order_of_first_use() {
    let asked = questions(&Case::requests(&[
        request(
            json!({"to": "B@x.example,a@x.example,b@X.example", "cc": "c@y.example", "from": "News@shop.example"}),
        ),
        request(json!({"to": "a@x.example,d@x.example", "from": "other@shop.example"})),
        request(json!({"to": "d@x.example", "from": "news@shop.example"})),
    ]));
    assert_eq!(
        asked["senders"],
        json!(["news@shop.example", "other@shop.example"])
    );
    assert_eq!(
        asked["subscribers"],
        json!(["b@x.example", "a@x.example", "c@y.example", "d@x.example"])
    );
    assert_eq!(
        (&asked["mailers"], &asked["subscriber_ids"], &asked["lists"]),
        (&json!([]), &json!([]), &json!([]))
    );
}

#[test]
fn domains_are_asked_about_with_their_parents_down_to_two_labels_and_the_roles_in_which_they_appear()
 {
    let asked = questions(&Case::http_send_mail(json!({
        "from": "a@mail.Shop.example",
        "replyTo": "a@shop.example",
        "to": "a@deep.mail.shop.example,b@B\u{fc}cher.example",
        "body": "<a href='https://www.shop.example/'><img src='//images.example./x'>",
    })));
    assert_eq!(
        asked["domains"],
        json!([
            domain("mail.shop.example", &["sender", "recipient"]),
            domain(
                "shop.example",
                &["sender", "reply_to", "recipient", "content"]
            ),
            domain("deep.mail.shop.example", &["recipient"]),
            domain("xn--bcher-kva.example", &["recipient"]),
            domain("www.shop.example", &["content"]),
            domain("images.example", &["content"]),
        ])
    );
}

#[test]
fn numeric_hosts_and_single_labels_are_asked_about_as_they_are_and_a_mapped_one_as_both() {
    let asked = questions(&Case::http_send_mail(json!({
        "body": "<a href='http://0x7f.1/'><a href='http://intranet/'><a href='http://[::ffff:192.0.2.7]/'>",
    })));
    let names: Vec<_> = asked["domains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["domain"].as_str().unwrap().to_string())
        .collect();
    for name in ["127.0.0.1", "intranet", "[::ffff:c000:207]", "192.0.2.7"] {
        assert!(names.contains(&name.to_string()), "{name}: {names:?}");
    }
    assert!(
        !names.iter().any(|name| name == "0.0.1" || name == "0.2.7"),
        "{names:?}"
    );
}

#[test]
fn send_mailer_asks_for_the_mailer_the_sender_and_the_subscriber_and_their_domains() {
    let asked = questions(&Case::send_mailer(
        json!({"from": "News@shop.example", "email": "NEW@customer.example", "listName": "Customers"}),
    ));
    assert_eq!(
        asked,
        json!({
            "mailers": [42], "senders": ["news@shop.example"], "subscriber_ids": [], "subscribers": ["new@customer.example"],
            "lists": ["Customers"],
            "domains": [domain("shop.example", &["sender"]), domain("customer.example", &["recipient"])],
        })
    );
    let by_id = Case::new(
        SendMailer,
        &json!({"apiKey": "k", "mailerID": "042", "subID": "007", "listName": "Customers"}),
    );
    assert_eq!(
        questions(&by_id),
        json!({
            "mailers": [42], "senders": [], "subscriber_ids": [7], "subscribers": [], "lists": [], "domains": [],
        })
    );
}

#[test]
fn the_list_that_need_not_exist_is_not_asked_about() {
    assert_eq!(
        questions(&Case::send_mailer(json!({"listName": "RealTime_Via_API"})))["lists"],
        json!([])
    );
}

#[test]
fn a_listed_parent_refuses_its_children_in_the_role_for_which_it_is_listed_only() {
    let listed = |role: &str, domain: &str| json!({"blacklists": {role: [domain]}});
    let case = || {
        Case::http_send_mail(json!({"to": "a@deep.mail.shop.example", "from": "news@shop.example"}))
    };
    assert_eq!(
        case()
            .world(listed("recipient", "shop.example"))
            .outcome()
            .0,
        416
    );
    assert_eq!(
        case()
            .world(listed("recipient", "mail.shop.example"))
            .outcome()
            .0,
        416
    );
    assert_eq!(
        case()
            .world(listed("recipient", "other.shop.example"))
            .outcome()
            .0,
        200
    );
    assert_eq!(
        case().world(listed("recipient", "example")).outcome().0,
        200,
        "one label is no member of the walk"
    );
    assert_eq!(
        case().world(listed("sender", "shop.example")).outcome().0,
        414
    );
    assert_eq!(
        case().world(listed("content", "shop.example")).outcome().0,
        200
    );
}

#[test]
fn parents_are_asked_about_for_every_role_of_every_domain_below_them() {
    let case = Case::http_send_mail(json!({
        "from": "news@mail.shop.example",
        "to": "a@mail.shop.example",
        "replyTo": "b@mail.shop.example",
    }));
    let all = ["sender", "reply_to", "recipient"];
    assert_eq!(
        questions(&case)["domains"],
        json!([
            domain("mail.shop.example", &all),
            domain("shop.example", &all)
        ])
    );
    let world = |role: &str| {
        json!({
            "senders": ["news@mail.shop.example"],
            "blacklists": {role: ["shop.example"]},
        })
    };
    assert_eq!(case.clone().world(world("sender")).outcome().0, 414);
    assert_eq!(case.clone().world(world("reply_to")).outcome().0, 415);
    assert_eq!(case.world(world("recipient")).outcome().0, 416);
    let same = Case::send_mailer(json!({
        "from": "news@mail.shop.example",
        "email": "a@mail.shop.example",
    }));
    assert_eq!(same.world(world("recipient")).outcome().0, 416);
}

#[test]
fn a_role_that_was_not_asked_about_says_nothing() {
    let case = Case::http_send_mail(json!({}));
    let mut call = case.call();
    call.answer_account(Some(Account::default())).unwrap();
    let mut facts = support::World::new(case.world.clone()).facts_of(&match call.step() {
        Step::Facts(questions) => questions,
        _ => unreachable!(),
    });
    facts
        .domains
        .fill(franking::DomainRoles::REPLY_TO | franking::DomainRoles::CONTENT);
    call.answer_facts(facts).unwrap();
    assert!(matches!(call.step(), Step::Commit(_)));
}

#[test]
fn the_method_is_exactly_post() {
    for method in ["GET", "post", "Post", "POST ", " POST", "PUT", ""] {
        for mut case in [
            Case::send_mailer(json!({})),
            Case::http_send_mail(json!({})),
            Case::raw(HttpSendMail, "no JSON"),
        ] {
            case.method = method.to_string();
            let decision = case.decide();
            assert_eq!(
                (&decision["code"], &decision["rule"]),
                (&json!(401), &json!("method-not-post")),
                "{method:?}"
            );
            assert_eq!(decision["asked"]["account"], 0);
        }
    }
}

/// An httpSendMail body of one request whose address lists stand in the reverse of the interface's order.
fn reversed(bcc: &str, cc: &str, to: &str) -> Case {
    let body = format!(
        r#"{{"ApiKey":"key-1","requests":[{{"bcc":"{bcc}","cc":"{cc}","to":"{to}","from":"news@shop.example","body":"b","subject":"s"}}]}}"#
    );
    Case::raw(HttpSendMail, body)
}

#[test]
fn within_one_code_the_order_of_the_fields_in_the_interface_wins_and_then_the_position() {
    let malformed = reversed("b1", "c1,c2", "new@customer.example,t1,t2");
    let preflight = malformed.preflight();
    let places: Vec<_> = preflight
        .violations()
        .map(|violation| String::from_utf8_lossy(&malformed.body[violation.span().unwrap()]).into())
        .collect::<Vec<String>>();
    assert_eq!(places, ["t1", "t2", "c1", "c2", "b1"]);
    for (address, code) in [("new@bad.example", 416), ("quiet@customer.example", 443)] {
        let other = address.to_uppercase();
        let case = reversed(
            &format!("x{other}"),
            "third@customer.example",
            "a@b.example",
        );
        assert_eq!(case.outcome().0, if code == 416 { 416 } else { 200 });
        let case = reversed(
            address,
            &format!(" {address} "),
            &format!("a@b.example, {other}"),
        );
        assert_eq!(case.outcome().0, code);
        assert_eq!(case.place(), (Some("/requests/0/to".into()), Some(other)));
    }
}

// Section 8: the plan.

#[test]
fn texts_in_a_plan_may_hold_any_character() {
    let odd = "a\u{0}b\r\nc\u{1f600}\"'<>\\";
    let plan = Case::send_mailer(json!({"city": odd, "customField": odd})).plan();
    assert_eq!(plan["create"][0]["fields"]["city"], odd);
    assert_eq!(plan["messages"][0]["custom_field"], odd);
}

#[test]
fn a_transaction_id_is_any_whole_number_that_every_json_reader_keeps_exact() {
    for (id, is_taken) in [
        (1_u64, true),
        ((1 << 53) - 1, true),
        (0, false),
        (1 << 53, false),
        (u64::MAX, false),
    ] {
        let decision = Case::send_mailer(json!({}))
            .world(json!({"transaction_id": id}))
            .decide();
        assert_eq!(decision["code"] == 200, is_taken, "{id}");
        assert_eq!(decision.get("error").is_some(), !is_taken);
    }
}

// Section 10: the answer.

fn response(case: Case) -> String {
    case.decide()["response"].as_str().unwrap().to_string()
}

#[test]
fn an_answer_is_compact_json_with_its_keys_in_order_and_strings_as_the_interface_types_them() {
    let accepted = || Case::send_mailer(json!({})).world(json!({"transaction_id": 123}));
    assert_eq!(
        response(accepted()),
        r#"{"code":"200","status":"Success","transactionId":"123"}"#
    );
    let refused = || Case::send_mailer(json!({"apiKey": null}));
    assert_eq!(response(refused()), r#"{"code":"402","status":"Error"}"#);
    let numbers = json!({"answer_values": "numbers"});
    assert_eq!(
        response(accepted().policy(numbers.clone())),
        r#"{"code":200,"status":"Success","transactionId":123}"#
    );
    assert_eq!(
        response(refused().policy(numbers)),
        r#"{"code":402,"status":"Error"}"#
    );
}

#[test]
fn the_status_is_a_word_or_the_meaning_from_the_operations_own_table() {
    let meaning = |case: Case| response(case.policy(json!({"answer_status": "meaning"})));
    assert_eq!(
        meaning(Case::send_mailer(json!({}))),
        r#"{"code":"200","status":"Success","transactionId":"1"}"#
    );
    assert_eq!(
        meaning(Case::send_mailer(json!({"mailerID": null}))),
        r#"{"code":"442","status":"Error"}"#
    );
    assert_eq!(
        meaning(Case::http_send_mail(json!({})).policy(json!({"max_bytes": 1}))),
        r#"{"code":"454","status":"API call exceeds the allowed size"}"#
    );
    assert_eq!(
        meaning(Case::new(
            SendMailer,
            &json!({"apiKey": "key-1", "mailerID": 42, "subID": 99})
        )),
        r#"{"code":"454","status":"Subscriber does not exist"}"#
    );
}

#[test]
fn or_the_meaning_with_the_place_for_violations_of_phase_4_that_have_one_other_than_the_whole_body()
{
    let place = |case: Case| response(case.policy(json!({"answer_status": "place"})));
    let mut requests = vec![request(json!({})); 18];
    requests[17] = request(json!({"to": "nobody"}));
    assert_eq!(
        place(Case::requests(&requests)),
        r#"{"code":"412","status":"Invalid recipient email address at /requests/17/to"}"#
    );
    let nobody = Case::send_mailer(json!({"email": null}));
    assert_eq!(
        place(nobody),
        r#"{"code":"602","status":"No subscriber provided (neither subID nor email)"}"#,
        "the place is the whole body"
    );
    assert_eq!(
        place(Case::send_mailer(json!({"mailerID": null}))),
        r#"{"code":"442","status":"Error at /mailerID"}"#
    );
    let of_facts = Case::http_send_mail(json!({"from": "other@shop.example"}));
    assert_eq!(
        place(of_facts),
        r#"{"code":"420","status":"Sender email does not exist in the account"}"#,
        "not of phase 4"
    );
    assert_eq!(
        place(Case::send_mailer(json!({"apiKey": ""}))),
        r#"{"code":"402","status":"Unauthorized, empty key"}"#
    );
}

// Section 12: preflight, places, policy.

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
fn a_body_that_is_too_large_or_not_json_or_no_object_yields_that_one_violation() {
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
fn a_decision_too_says_where_reading_stopped_and_what_to_do() {
    let (seen, _) = Case::raw(SendMailer, r#"{"a":tru}"#).decide_with(|decision| {
        let violation = decision.violation().unwrap();
        (
            violation.pointer(),
            violation.span(),
            violation.stopped_at(),
            violation.remedy(),
        )
    });
    let (pointer, span, stopped_at, remedy) = seen;
    assert_eq!((pointer.as_deref(), span), (Some(""), Some(0..9)));
    let at = stopped_at.unwrap();
    assert!((5..=8).contains(&at), "{at}");
    assert!(remedy.contains(&format!("at byte {at}")), "{remedy}");
}

#[test]
fn every_rule_says_what_to_do_in_whole_sentences() {
    for rule in franking::Rule::ALL {
        assert!(
            rule.remedy().len() > 10 && rule.remedy().ends_with('.'),
            "{rule}"
        );
        assert!(
            !rule.meaning().is_empty() && !rule.meaning().ends_with('.'),
            "{rule}"
        );
    }
}

#[test]
fn policy_values_that_cannot_be_are_refused_when_the_policy_is_built_and_the_key_is_named() {
    let key = |text: &str| -> &'static str {
        franking::Policy::from_json(text)
            .map_err(|error: PolicyError| error.key())
            .expect_err(text)
    };
    for (text, expected) in [
        (r#"{"max_requests":0}"#, "max_requests"),
        (r#"{"max_bytes":0}"#, "max_bytes"),
        (r#"{"max_bytes":-1}"#, "max_bytes"),
        (r#"{"max_attempts":0}"#, "max_attempts"),
        (r#"{"max_attempts":"3"}"#, "max_attempts"),
        (r#"{"today":"2024-02-30"}"#, "today"),
        (r#"{"today":20240501}"#, "today"),
        (r#"{"batch":"half"}"#, "batch"),
        (r#"{"empty_clears":1}"#, "empty_clears"),
        (r#"{"html_encoding":"never"}"#, "html_encoding"),
        (r#"{"placeholders":[["",""]]}"#, "placeholders"),
        (r#"{"placeholders":["{{"]}"#, "placeholders"),
        (r#"{"answer_values":"words"}"#, "answer_values"),
        (r#"{"answer_status":""}"#, "answer_status"),
        ("[]", "policy"),
    ] {
        assert_eq!(key(text), expected, "{text}");
    }
}

/// The text of a member's value as it stands in the body.
fn place(case: &Case) -> (String, String) {
    let (pointer, span) = case.place();
    (pointer.unwrap(), span.unwrap())
}

#[test]
fn a_member_that_is_there_is_named_by_its_own_spelling_and_its_value_with_quotes() {
    let raw = |body: &str| place(&Case::raw(SendMailer, body));
    assert_eq!(
        raw(r#"{"ApiKey":"","mailerID":42,"subID":5}"#),
        ("/ApiKey".into(), r#""""#.into())
    );
    assert_eq!(
        raw(r#"{"apiKey": null ,"mailerID":42,"subID":5}"#),
        ("/apiKey".into(), "null".into())
    );
    assert_eq!(
        raw(r#"{"apiKey":"key-1","mailerID":" ","subID":5}"#),
        ("/mailerID".into(), r#"" ""#.into())
    );
    assert_eq!(
        raw(r#"{"apiKey":"key-1","mailerID":42,"subid": -5 }"#),
        ("/subid".into(), "-5".into())
    );
    assert_eq!(
        raw(r#"{"apiKey":"key-1","mailerID":42,"subID":5,"city":[ 1, 2 ]}"#),
        ("/city".into(), "[ 1, 2 ]".into())
    );
    let case = Case::http_send_mail(json!({"replyto": "nobody"}));
    assert_eq!(
        place(&case),
        ("/requests/0/replyto".into(), r#""nobody""#.into())
    );
}

#[test]
fn a_field_that_is_not_there_has_the_pointer_that_it_would_have_and_the_span_of_the_object_that_lacks_it()
 {
    let raw = |operation, body: &str| place(&Case::raw(operation, body));
    let body = r#" {"mailerID":42,"subID":5} "#;
    assert_eq!(
        raw(SendMailer, body),
        ("/apiKey".into(), body.trim().into())
    );
    assert_eq!(raw(HttpSendMail, "{}"), ("/ApiKey".into(), "{}".into()));
    let body = r#"{"ApiKey":"key-1"}"#;
    assert_eq!(raw(HttpSendMail, body), ("/requests".into(), body.into()));
    let case = Case::requests(&[request(json!({})), request(json!({"from": null}))]);
    assert_eq!(
        place(&case),
        (
            "/requests/1/from".into(),
            request(json!({"from": null})).to_string()
        )
    );
    let case = Case::send_mailer(json!({"fromName": "We"}));
    assert_eq!(place(&case).0, "/from");
}

#[test]
fn the_places_of_602_and_411_are_the_object_or_the_first_list_that_is_there() {
    let body = send_mailer_body(json!({"email": null})).to_string();
    assert_eq!(
        place(&Case::raw(SendMailer, body.clone())),
        (String::new(), body)
    );
    let case = Case::http_send_mail(json!({"to": null, "cc": " ", "bcc": ","}));
    assert_eq!(place(&case), ("/requests/0/cc".into(), r#"" ""#.into()));
    let case = Case::http_send_mail(json!({"to": null}));
    assert_eq!(
        place(&case),
        (
            "/requests/0".into(),
            request(json!({"to": null})).to_string()
        )
    );
}

#[test]
fn the_place_of_403_is_the_key_and_method_account_credit_and_commit_have_none() {
    assert_eq!(
        place(&Case::send_mailer(json!({"apiKey": "other"}))),
        ("/apiKey".into(), r#""other""#.into())
    );
    let none = (None, None);
    let base = || Case::http_send_mail(json!({}));
    let mut method = base();
    method.method = "GET".to_string();
    assert_eq!(method.place(), none);
    assert_eq!(base().policy(json!({"today": "2025-01-01"})).place(), none);
    for state in ["blocked", "expired", "deactivated"] {
        assert_eq!(base().account(json!({state: true})).place(), none);
    }
    assert_eq!(base().account(json!({"email_credit": 0})).place(), none);
    assert_eq!(
        base().account(json!({"subscriber_credit": 0})).place(),
        none
    );
    let commits = json!({"commits": [{"conflict": "subscriber_inactive"}]});
    assert_eq!(
        base()
            .policy(json!({"max_attempts": 1}))
            .world(commits)
            .place(),
        none
    );
}

#[test]
fn pointers_are_escaped_as_rfc_6901_says() {
    let body = r#"{"apiKey":"key-1","a/b":{"c~d":[{"":1,"":2}]}}"#;
    assert_eq!(
        place(&Case::raw(SendMailer, body)),
        ("/a~1b/c~0d/0/".into(), "2".into())
    );
}

#[test]
fn warnings_come_in_the_order_of_their_places_those_without_a_place_first() {
    let body = r#"{"x":1,"requests":[{"apiKey":"k","Subject":"s","subject":"s","body":"<a href='http://['>","to":"a@b.example,A@b.example","cc":"a@B.example","from":"a@b.example"}],"ApiKey":"<API_KEY>","mail":1}"#;
    let found: Vec<_> = Case::raw(HttpSendMail, body).warnings();
    let names: Vec<_> = found
        .iter()
        .map(|(name, pointer)| (*name, pointer.as_deref()))
        .collect();
    assert_eq!(
        names,
        [
            ("operation-deprecated", None),
            ("field-unknown", Some("/x")),
            ("key-in-request", Some("/requests/0/apiKey")),
            ("field-unknown", Some("/requests/0/Subject")),
            ("body-plain", Some("/requests/0/body")),
            ("link-unreadable", Some("/requests/0/body")),
            ("recipient-repeated", Some("/requests/0/to")),
            ("recipient-repeated", Some("/requests/0/cc")),
            ("key-placeholder", Some("/ApiKey")),
            ("field-unknown", Some("/mail")),
        ]
    );
}

#[test]
fn a_preflight_adds_for_sub_id_0_leave_it_out() {
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

#[test]
fn each_member_that_is_unknown_warns_also_one_that_stands_twice() {
    let body = r#"{"apiKey":"key-1","mailerID":42,"subID":5,"zz":1,"zz":2}"#;
    let unknown = ("field-unknown", Some("/zz".to_string()));
    assert_eq!(
        Case::raw(SendMailer, body).warnings(),
        [unknown.clone(), unknown]
    );
}

/// Warning, detail, and what its span covers.
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
fn a_duplicate_that_will_be_left_out_is_warned_of_at_the_entry() {
    let case =
        Case::http_send_mail(json!({"to": "a@b.example , A@B.example", "cc": "a@b.example"}));
    let places: Vec<_> = details(&case)
        .into_iter()
        .map(|row| (row.0, row.2))
        .collect();
    let repeated = |text: &str| ("recipient-repeated".to_string(), text.to_string());
    // The members of this body stand in the order of the alphabet: cc before to.
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
fn warnings_never_change_the_code() {
    let case = Case::send_mailer(json!({"firstname": "x", "zzz": []}));
    assert_eq!((case.warnings().len(), case.outcome().0), (2, 200));
}

#[test]
fn an_explanation_lists_every_rule_in_the_order_in_which_it_is_judged_and_those_not_reached() {
    let case = Case::http_send_mail(json!({"to": "nobody"}));
    let (explained, _) = case.decide_with(|decision| decision.explanation());
    let all = franking::Rule::ALL
        .iter()
        .filter(|rule| rule.code(HttpSendMail).is_some())
        .count();
    assert_eq!(explained.len(), all);
    let broken = explained
        .iter()
        .position(|row| row.judgement == Judgement::Broken)
        .unwrap();
    assert_eq!(explained[broken].rule.identifier(), "recipient-malformed");
    assert!(
        explained[..broken]
            .iter()
            .all(|row| row.judgement == Judgement::Kept)
    );
    assert!(
        explained[broken + 1..]
            .iter()
            .all(|row| row.judgement == Judgement::NotReached)
    );
    assert!(explained.is_sorted_by_key(|row| row.rule.phase()));
    let (explained, _) =
        Case::send_mailer(json!({})).decide_with(|decision| decision.explanation());
    assert!(explained.iter().all(|row| row.judgement == Judgement::Kept));
}

#[test]
fn an_explanation_of_a_call_level_violation_reaches_no_rule_of_single_requests() {
    for case in [
        Case::requests(&vec![json!({}); 2]).policy(json!({"max_requests": 1})),
        Case::requests(&[]),
        Case::requests(&[]).partial(),
    ] {
        let (explained, _) = case.decide_with(|decision| decision.explanation());
        for row in explained {
            let expected = match (row.rule.phase(), row.rule.identifier()) {
                (_, "too-many-requests") if row.judgement == Judgement::Broken => continue,
                (_, "requests-missing") if row.judgement != Judgement::Kept => continue,
                (_, "too-many-requests") => Judgement::Kept,
                (phase, _) if phase < Phase::Content => Judgement::Kept,
                _ => Judgement::NotReached,
            };
            assert_eq!(row.judgement, expected, "{}", row.rule);
        }
    }
}
