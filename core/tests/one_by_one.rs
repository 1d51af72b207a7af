//! Items that a program can look up one by one are those of the list, and there are none after its end.

use crate::support::{Case, request};
use franking::{Account, Mailer, Operation, Questions, Step, Subscriber, Subscribers};
use serde_json::json;

fn cases() -> Vec<Case> {
    vec![
        Case::send_mailer(json!({})),
        Case::send_mailer(json!({"from": "News@Shop.example", "listName": "Customers"})),
        Case::send_mailer(json!({"subID": 5})),
        Case::send_mailer(json!({"email": "\u{e4}b@b\u{fc}cher.example"})),
        Case::requests(&[
            request(json!({"cc": "old@customer.example, New@customer.example"})),
            request(json!({"bcc": "third@a.b.other.example", "replyTo": "answers@shop.example"})),
            request(json!({"from": "News@Shop.example", "body": "www.links.example"})),
        ]),
    ]
}

fn with_questions(case: &Case, look: impl FnOnce(&Questions<'_>)) {
    let mut call = case.call();
    call.answer_account(Some(Account::default())).unwrap();
    let Step::Facts(questions) = call.step() else {
        panic!("the call asks for facts");
    };
    look(&questions);
}

#[test]
fn the_questions_about_one_email_are_those_of_the_columns() {
    let mut singles = 0;
    for case in cases() {
        with_questions(&case, |questions| {
            let Some(single) = questions.single() else {
                assert_eq!(case.operation, Operation::HttpSendMail);
                return;
            };
            singles += 1;
            assert!(questions.mailers().eq([single.mailer()]));
            assert!(questions.senders().eq(single.sender()));
            assert!(questions.subscriber_ids().eq(single.subscriber_id()));
            assert!(questions.subscribers().eq(single.subscriber()));
            assert!(questions.lists().eq(single.list()));
            assert!(questions.domains().eq(single.domains()));
            assert_eq!(format!("{single:?}"), "SingleQuestions { .. }");
        });
    }
    assert_eq!(singles, 4);
}

#[test]
fn each_column_of_a_question_says_how_much_is_left_of_it() {
    fn count<T>(column: impl ExactSizeIterator<Item = T>, expected: usize) {
        let mut column = column;
        for left in (0..expected).rev() {
            assert_eq!(column.len(), left.saturating_add(1));
            assert!(column.next().is_some());
        }
        assert_eq!(column.len(), 0);
        assert!(column.next().is_none());
    }
    for case in cases() {
        with_questions(&case, |questions| {
            count(questions.mailers(), questions.mailers().count());
            count(questions.senders(), questions.sender_count());
            count(
                questions.subscriber_ids(),
                questions.subscriber_ids().count(),
            );
            count(questions.subscribers(), questions.subscriber_count());
            count(questions.lists(), questions.lists().count());
            count(questions.domains(), questions.domain_count());
        });
    }
}

#[test]
fn each_message_of_a_plan_is_found_by_its_request_and_no_other() {
    let mut batch = Case::requests(&[
        request(json!({"subject": "One"})),
        request(json!({"subject": "Two", "to": "nobody"})),
        request(json!({"subject": "Three"})),
    ])
    .partial();
    batch.decide_with(|decision| {
        let plan = decision.plan().unwrap();
        let subject = |index: u32| {
            plan.message(Some(index))
                .map(|message| message.subject().unwrap())
        };
        assert_eq!(subject(0).as_deref(), Some("One"));
        assert_eq!(plan.message(Some(0)).unwrap().request(), Some(0));
        assert_eq!(subject(1), None);
        assert_eq!(subject(2).as_deref(), Some("Three"));
        assert_eq!(plan.message(Some(2)).unwrap().request(), Some(2));
        assert_eq!(subject(3), None);
        assert!(plan.message(None).is_none());
    });
    batch = Case::send_mailer(json!({}));
    assert_eq!(batch.operation, Operation::SendMailer);
    batch.decide_with(|decision| {
        let plan = decision.plan().unwrap();
        assert_eq!(plan.message(None).unwrap().mailer(), Some(42));
        assert!(plan.message(Some(0)).is_none());
    });
}

#[test]
fn the_single_plan_of_a_send_mailer_call_says_what_its_lists_say() {
    let personalized = json!({"firstName": "Rowan", "city": "", "extra1": "a\u{e9}\"", "phone": 5});
    let mut kinds = Vec::new();
    for recipient in [
        json!({}),
        json!({"subID": 5}),
        json!({"email": "OLD@customer.example"}),
    ] {
        for sender in [
            json!({"fromName": null}),
            json!({"from": "news@shop.example", "fromName": "News"}),
            json!({"trackOpens": 1, "listName": "Customers", "customField": "c"}),
            json!({"trackClicks": "1", "customField": "\u{e9}"}),
        ] {
            for clears in [false, true] {
                let body = crate::support::with(
                    crate::support::with(personalized.clone(), recipient.clone()),
                    sender.clone(),
                );
                let case = Case::send_mailer(body).policy(json!({"empty_clears": clears}));
                case.decide_with(|decision| {
                    let plan = decision.plan().unwrap();
                    let single = plan.single().unwrap();
                    let messages: Vec<_> = plan.messages().collect();
                    let [message] = messages.as_slice() else {
                        panic!("one message");
                    };
                    assert_eq!(Some(single.mailer()), message.mailer());
                    assert_eq!(single.from(), message.from());
                    assert_eq!(single.from_name(), message.from_name());
                    assert_eq!(single.custom_field(), message.custom_field());
                    assert_eq!(single.track_opens(), message.track_opens());
                    assert_eq!(single.track_clicks(), message.track_clicks());
                    let recipients: Vec<_> = message.recipients().collect();
                    let [recipient] = recipients.as_slice() else {
                        panic!("one recipient");
                    };
                    assert_eq!(single.to(), recipient.to());
                    assert_eq!(single.subscriber(), recipient.subscriber());
                    let created = plan.create().next();
                    assert_eq!(created.is_some(), single.subscriber().is_none());
                    assert_eq!(
                        single.list(),
                        created.as_ref().map(|created| created.list())
                    );
                    let fields: Vec<_> = match (&created, plan.update().next()) {
                        (Some(created), None) => created.fields().collect(),
                        (None, Some(update)) => update.fields().collect(),
                        _ => panic!("a subscriber is created or updated"),
                    };
                    assert_eq!(single.fields().collect::<Vec<_>>(), fields);
                    kinds.push((created.is_some(), fields.len()));
                    assert_eq!(format!("{single:?}"), "SinglePlan { .. }");
                });
            }
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    // If the policy says so, an empty text clears a field of an existing subscriber.
    assert_eq!(kinds, [(false, 3), (false, 4), (true, 3)]);
    let several = Case::requests(&[request(json!({}))]);
    several.decide_with(|decision| assert!(decision.plan().unwrap().single().is_none()));
}

#[test]
fn the_assigned_address_of_a_stored_email_is_not_used_by_a_call_with_a_sender_of_its_own() {
    let from_of = |body: serde_json::Value, from: &str| {
        let mut call = Case::send_mailer(body).call();
        call.answer_account(Some(Account::default())).unwrap();
        let Step::Facts(questions) = call.step() else {
            panic!("the call asks for facts");
        };
        let mut facts = crate::support::World::new(crate::support::world()).facts_of(&questions);
        let asks_about_a_sender = questions.sender_count() == 1;
        let mailer = facts.mailers.get(0).unwrap();
        facts.mailers = [Some(Mailer { from, ..mailer })].into_iter().collect();
        call.answer_facts(facts).unwrap();
        let Step::Commit(plan) = call.step() else {
            panic!("the call has a plan");
        };
        let sender = plan.single().unwrap().from().into_owned();
        (asks_about_a_sender, sender)
    };
    let own = json!({"from": "news@shop.example"});
    let sender = "news@shop.example".to_string();
    assert_eq!(from_of(own.clone(), ""), (true, sender.clone()));
    assert_eq!(from_of(own, "other@shop.example"), (true, sender));
    let sender = "other@shop.example".to_string();
    assert_eq!(
        from_of(json!({"from": " "}), &sender),
        (false, sender.clone())
    );
    assert_eq!(from_of(json!({}), &sender), (false, sender));
}

#[test]
fn the_cost_of_a_plan_is_what_it_creates_and_sends() {
    for case in cases() {
        for case in [case.clone(), case.partial()] {
            case.decide_with(|decision| {
                let plan = decision.plan().unwrap();
                let debit = plan.debit();
                assert_eq!(debit.subscriber, plan.create().count() as u64);
                let emails = plan.messages().flat_map(|message| message.recipients());
                assert_eq!(debit.email, emails.count() as u64);
                assert_eq!(plan.email_count(), debit.email);
            });
        }
    }
}

#[test]
fn a_preflight_names_each_host_of_all_bodies_once() {
    let link = |host: &str| format!("<a href=https://{host}/x>www.{host}</a>");
    let case = Case::requests(&[
        request(json!({"body": link("shop.example")})),
        request(json!({"body": link("shop.example")})),
        request(json!({"body": link("other.example")})),
    ]);
    let hosts: Vec<String> = case.preflight().hosts().into_iter().collect();
    assert_eq!(
        hosts,
        [
            "other.example",
            "shop.example",
            "www.other.example",
            "www.shop.example"
        ]
    );
    assert!(Case::send_mailer(json!({})).preflight().hosts().is_empty());
}

#[test]
fn a_column_of_subscribers_gives_back_what_was_pushed() {
    let subscriber = |id, email, inactive, blacklisted| {
        Some(Subscriber {
            id,
            email,
            inactive,
            blacklisted,
        })
    };
    let rows = [
        None,
        subscriber(5, "first@customer.example", false, Some(true)),
        None,
        None,
        subscriber(6, "", true, Some(false)),
        subscriber(7, "third@customer.example", true, Some(true)),
        subscriber(8, "fourth@customer.example", false, Some(false)),
    ];
    let mut column = Subscribers::default();
    assert!(column.is_empty());
    column.reserve(rows.len());
    assert!(column.is_empty());
    for row in rows {
        column.push(row);
        assert!(!column.is_empty());
    }
    assert_eq!(column.len(), rows.len());
    assert_eq!(column.iter().len(), rows.len());
    assert_eq!(column.iter().collect::<Vec<_>>(), rows);
    let one_by_one: Vec<_> = (0..column.len()).map(|index| column.get(index)).collect();
    assert_eq!(one_by_one, rows);
    assert_eq!(column.get(rows.len()), None);
}

#[test]
fn the_html_of_each_message_is_that_of_its_request_and_lent_where_it_was_decoded() {
    let case = Case::requests(&[
        request(json!({"body": "%3Cp%3EOne%3C%2Fp%3E"})),
        // Its quotes are escaped in JSON.
        request(json!({"body": "<p class=\"two\">"})),
        request(json!({"body": "<p>Three"})),
        request(json!({"body": " %3Cp%3EFour+4 "})),
    ]);
    case.decide_with(|decision| {
        let of_message = |message: franking::Message<'_>| {
            let html = message.html().unwrap();
            let is_lent = matches!(html, std::borrow::Cow::Borrowed(_));
            (html.into_owned(), is_lent)
        };
        let html = decision.plan().unwrap().messages().map(of_message);
        let expected = [
            ("<p>One</p>", true),
            ("<p class=\"two\">", false),
            ("<p>Three", true),
            ("<p>Four 4", true),
        ];
        assert!(html.eq(expected.map(|(html, is_lent)| (html.to_owned(), is_lent))));
    });
}
