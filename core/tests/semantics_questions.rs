//! The form of questions and answers, and how often a host is asked.

use franking::Operation::SendMailer;
use franking::{Account, Step};
use serde_json::{Value, json};

use crate::support::{Case, World, request};

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
