//! What Debug shows of values: names, roles, counts and codes. `personal_data.rs` tests that it shows nothing personal.

use std::fmt::Debug;

use crate::support::{Case, World, request, world};
use franking::HtmlEncoding;
use franking::html::links;
use franking::unstable::text::{address, domain, form};
use franking::{
    Account, DomainRoles, DomainSet, HostAnswer, Judgement, Mailer, Policy, Recorder, Response,
    Step, Subscriber, Subscribers,
};
use serde_json::json;

#[track_caller]
fn shows(value: &impl Debug, expected: &str) {
    assert_eq!(format!("{value:?}"), expected);
}

/// Two requests; one address is repeated, one belongs to a subscriber.
fn batch() -> Case {
    Case::requests(&[
        request(json!({"cc": "old@customer.example, New@customer.example"})),
        request(json!({"bcc": "third@other.example", "replyTo": "answers@shop.example"})),
    ])
}

#[test]
fn a_call_and_its_questions_show_how_much_is_asked() {
    let mut call = batch().call();
    let Step::Account(question) = call.step() else {
        panic!("the call asks for the account");
    };
    shows(&question, "AccountQuestion { .. }");
    call.answer_account(Some(Account::default())).unwrap();
    let Step::Facts(questions) = call.step() else {
        panic!("the call asks for facts");
    };
    shows(
        &questions,
        "Questions { mailers: 0, senders: 1, subscriber_ids: 0, subscribers: 3, lists: 0, domains: 3 }",
    );
    shows(
        &call,
        "Call { operation: HttpSendMail, asked: Asked { account: 1, facts: 0, commits: 0 }, .. }",
    );
    let mut call =
        Case::send_mailer(json!({"from": "news@shop.example", "listName": "Customers"})).call();
    call.answer_account(Some(Account::default())).unwrap();
    let Step::Facts(questions) = call.step() else {
        panic!("the call asks for facts");
    };
    shows(
        &questions,
        "Questions { mailers: 1, senders: 1, subscriber_ids: 0, subscribers: 1, lists: 1, domains: 2 }",
    );
}

#[test]
fn a_plan_and_its_parts_show_ids_roles_and_counts() {
    batch().decide_with(|decision| {
        shows(&decision, "Decision { code: Some(200), rule: None, .. }");
        let plan = decision.plan().unwrap();
        shows(
            &plan,
            "Plan { debit: Debit { email: 4, subscriber: 2 }, .. }",
        );
        shows(&plan.create().next().unwrap(), "NewSubscriber { .. }");
        shows(
            &plan.collapsed().next().unwrap(),
            "Collapsed { request: 0, .. }",
        );
        let message = plan.messages().last().unwrap();
        shows(&message, "Message { request: Some(1), .. }");
        let recipient = message.recipients().last().unwrap();
        shows(&recipient, "Recipient { role: Some(Bcc), .. }");
    });
    Case::send_mailer(json!({"email": "old@customer.example", "city": "Pune"})).decide_with(
        |decision| {
            let update = decision.plan().unwrap().update().next().unwrap();
            shows(&update, "Update { id: 5, .. }");
        },
    );
}

#[test]
fn debug_of_findings_shows_rules_codes_and_requests() {
    let case = Case::requests(&[request(json!({})), request(json!({"to": "nobody", "x": 1}))]);
    let preflight = case.preflight();
    shows(&preflight, "Preflight { operation: HttpSendMail, .. }");
    shows(
        &preflight.violations().next().unwrap(),
        "Violation { rule: RecipientMalformed, code: 412, request: Some(1), .. }",
    );
    shows(
        &preflight.warnings().last().unwrap(),
        "Warning { kind: FieldUnknown, .. }",
    );
    let html = "%3Cimg+src%3D%22https%3A%2F%2Fbad.example%22%3E";
    Case::http_send_mail(json!({"body": html})).decide_with(|decision| {
        shows(
            &decision,
            "Decision { code: Some(413), rule: Some(HtmlDomainBlacklisted), .. }",
        );
        let link = decision.blacklisted_link(&decision.violation().unwrap());
        shows(
            &link.unwrap(),
            "BlacklistedLink { request: 0, place: \"src of <img>\", .. }",
        );
    });
    // People paste addresses in angle brackets. They are elements to a reader of HTML.
    let html = "%3Creader%40customer.example+href%3D%22https%3A%2F%2Fbad.example%22%3E";
    Case::http_send_mail(json!({"body": html})).decide_with(|decision| {
        let link = decision.blacklisted_link(&decision.violation().unwrap());
        let link = link.unwrap();
        assert_eq!(link.place, "href of <reader@customer.example>");
        shows(&link, "BlacklistedLink { request: 0, place: \"..\", .. }");
    });
}

#[test]
fn a_hosts_answers_show_ids_flags_and_lengths() {
    let mailer = Mailer {
        from: "news@shop.example",
        from_name: None,
        blacklisted: Some(true),
    };
    shows(&mailer, "Mailer { blacklisted: Some(true), .. }");
    let subscriber = Subscriber {
        id: 7,
        email: "reader@customer.example",
        inactive: true,
        blacklisted: Some(false),
    };
    shows(
        &subscriber,
        "Subscriber { id: 7, inactive: true, blacklisted: Some(false), .. }",
    );
    let mut column = Subscribers::default();
    column.push(Some(subscriber));
    column.push(None);
    shows(&column, "Subscribers { len: 2, .. }");
    shows(&DomainRoles::NONE, "{}");
    shows(
        &(DomainRoles::SENDER | DomainRoles::CONTENT),
        "{\"sender\", \"content\"}",
    );
    let answer = Response::read(r#"{"code":"412","status":"Error"}"#).unwrap();
    shows(&answer, "Response { code: 412, .. }");
    shows(&answer.code, "Code(412)");
}

#[test]
fn a_transcript_shows_how_many_steps_it_has_and_which_were_misuse() {
    let case = Case::send_mailer(json!({}));
    let mut recorder = Recorder::new(&Policy::default(), case.operation, "POST", case.body);
    let mut host = World::new(world());
    recorder
        .answer(HostAnswer::Commit(host.commit_of()))
        .unwrap_err();
    recorder
        .answer(HostAnswer::Account(Some(Account {
            blocked: true,
            ..Account::default()
        })))
        .unwrap();
    shows(&recorder, "Recorder { steps: 2, .. }");
    let transcript = recorder.transcript();
    shows(
        &transcript,
        "Transcript { operation: SendMailer, steps: 2, .. }",
    );
    let replay = transcript.replay().unwrap();
    let shown = format!("{replay:?}");
    assert!(shown.starts_with("Replay { steps: [Err("), "{shown}");
    assert!(shown.ends_with(", Ok(())], .. }"), "{shown}");
}

#[test]
fn texts_show_their_type_and_nothing_of_themselves() {
    shows(
        &address::parse("reader@customer.example").unwrap(),
        "Address { .. }",
    );
    shows(&domain::walk("shop.example"), "Walk { .. }");
    let set = DomainSet::from_entries(["bad.example", "worse.example"]).unwrap();
    shows(&set, "DomainSet { len: 2, .. }");
    let decoded = form::decode("%3Cp%3E", HtmlEncoding::Detect).unwrap();
    shows(&decoded, "Decoded { encoding: Form, .. }");
    let html = "<a href=//shop.example>";
    shows(&links(html), "Links { .. }");
    shows(
        &links(html).next().unwrap(),
        "Link { place: href of <a>, span: 8..22, readable: true, .. }",
    );
}

#[test]
fn judgements_are_named_as_in_the_json_forms() {
    let names = [
        (Judgement::Kept, "kept"),
        (Judgement::Broken, "broken"),
        (Judgement::BrokenInPart, "broken-in-part"),
        (Judgement::NotReached, "not-reached"),
    ];
    for (judgement, name) in names {
        assert_eq!(judgement.name(), name);
    }
}
