//! The form of questions and answers, what a preflight collects, and the places of violations.

use crate::support::{Case, OPTIONAL_FIELDS, World, request};
use franking::Operation::{HttpSendMail, SendMailer};
use franking::{Account, Commit, Conflict, Failure, Judgement, Phase, PolicyError, Step};
use serde_json::{Value, json};

// Section 1: the questions, and how often they are asked.

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
    let mut facts = World::new(case.world.clone()).facts_of(&match call.step() {
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
fn invalid_policy_values_are_refused_when_the_policy_is_built_and_their_key_is_named() {
    let key = |text: &str| -> &'static str {
        franking::Policy::from_json(text)
            .map_err(|error: PolicyError| error.key())
            .expect_err(text)
    };
    for (text, expected) in [
        (r#"{"max_requests":0}"#, "max_requests"),
        (r#"{"max_requests":2147483648}"#, "max_requests"),
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

#[test]
fn an_explanation_of_a_partial_batch_of_which_nothing_remains_reaches_all_that_has_judged_it() {
    let unknown = json!({"from": "nobody@shop.example", "to": "nobody,new@customer.example"});
    let blank = json!({"subject": ""});
    let control = json!({"fromName": "A\nB"});
    let nobody = json!({"to": "nobody"});
    let listed = json!({"to": "a@bad.example"});
    // The requests, the rule that gives the code, those that are broken in part, and the last rule that was judged.
    let cases: [(Vec<Value>, &str, &[&str], &str); 6] = [
        (
            vec![blank.clone()],
            "subject-missing",
            &[],
            "subject-missing",
        ),
        (
            vec![control, blank.clone()],
            "from-name-control",
            &["subject-missing"],
            "from-name-control",
        ),
        (
            vec![nobody],
            "recipient-malformed",
            &[],
            "from-name-control",
        ),
        (
            vec![unknown.clone()],
            "recipient-malformed",
            &["sender-unknown"],
            "sender-unknown",
        ),
        (
            vec![unknown, blank.clone()],
            "recipient-malformed",
            &["subject-missing", "sender-unknown"],
            "sender-unknown",
        ),
        (
            vec![listed, blank],
            "subject-missing",
            &["recipient-domain-blacklisted"],
            "subscriber-inactive",
        ),
    ];
    for (requests, broken, in_part, last) in cases {
        let requests: Vec<_> = requests.into_iter().map(request).collect();
        let case = Case::requests(&requests).partial();
        let (explained, _) = case.decide_with(|decision| decision.explanation());
        let last = explained
            .iter()
            .position(|row| row.rule.identifier() == last);
        for (at, row) in explained.iter().enumerate() {
            let expected = match row.rule.identifier() {
                rule if rule == broken => Judgement::Broken,
                rule if in_part.contains(&rule) => Judgement::BrokenInPart,
                _ if Some(at) > last => Judgement::NotReached,
                _ => Judgement::Kept,
            };
            assert_eq!(row.judgement, expected, "{broken}: {}", row.rule);
        }
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

#[test]
fn an_explanation_of_a_call_that_failed_reaches_no_rule_from_where_it_failed_on() {
    for (commit, failure) in [
        (Commit::Unknown, Failure::Unknown),
        (Commit::Done { transaction_id: 0 }, Failure::Misuse),
        (Commit::Conflict(Conflict::Other), Failure::Host),
    ] {
        let case = Case::http_send_mail(json!({})).policy(json!({"max_attempts": 1}));
        let mut call = case.call();
        call.answer_account(Some(Account::default())).unwrap();
        let Step::Facts(questions) = call.step() else {
            unreachable!("facts are asked for");
        };
        let facts = World::new(crate::support::world()).facts_of(&questions);
        call.answer_facts(facts).unwrap();
        call.answer_commit(commit).unwrap();
        let decision = call.decision().unwrap();
        assert_eq!(decision.failure(), Some(failure));
        for row in decision.explanation() {
            let expected = match row.rule.phase() {
                Phase::Commit => Judgement::NotReached,
                _ => Judgement::Kept,
            };
            assert_eq!(row.judgement, expected, "{}", row.rule);
        }
    }
}

#[test]
fn senders_are_compared_by_match_key_and_the_assigned_address_need_not_be_an_active_sender() {
    assert_eq!(
        Case::send_mailer(json!({"from": "NEWS@SHOP.EXAMPLE"}))
            .outcome()
            .0,
        200
    );
    assert_eq!(
        Case::send_mailer(json!({"from": "news2@shop.example"})).outcome(),
        (442, "sender-unknown".into())
    );
    assert_eq!(
        Case::send_mailer(json!({}))
            .world(json!({"senders": []}))
            .outcome()
            .0,
        200
    );
    // The address is the host's: only its domain is judged, not its form.
    let odd = json!({"mailers": {"42": {"from": "\"The Shop\"@localhost", "from_name": "a\nb"}}});
    assert_eq!(
        Case::send_mailer(json!({})).world(odd).message()["from"],
        "\"The Shop\"@localhost"
    );
}

/// The interface, section 2.3.
#[test]
fn the_fields_of_personalization_are_the_optional_ones_that_are_stored_with_a_subscriber() {
    let others = [
        "from",
        "fromName",
        "subID",
        "listName",
        "trackOpens",
        "trackClicks",
        "customField",
    ];
    let mut expected = OPTIONAL_FIELDS.to_vec();
    expected.retain(|name| !others.contains(name));
    let mut fields: Vec<_> = franking::personalization_fields().collect();
    expected.sort_unstable();
    fields.sort_unstable();
    assert_eq!(fields, expected);
}
