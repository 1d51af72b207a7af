//! What a host's blacklists answer, and which answers a host must not leave out.

use franking::{
    Account, Blacklists, Call, Code, Commit, DomainSet, Facts, Mailer, Misuse, Operation, Policy,
    Step, Subscriber,
};

fn set(entry: &str) -> DomainSet {
    DomainSet::from_entries([entry]).unwrap()
}

/// Decides a call of sendMailer whose host leaves `blacklisted` of its stored addresses to the blacklists.
fn decided(
    body: &str,
    from: &str,
    email: &str,
    blacklists: &Blacklists,
) -> Result<Option<u16>, Misuse> {
    let policy = Policy::default();
    let mut call = Call::new(&policy, Operation::SendMailer, "POST", body.as_bytes());
    call.answer_account(Some(Account::default()))?;
    call.fill_facts(|questions, facts| {
        for _ in questions.mailers() {
            facts.mailers.push(Some(Mailer {
                from,
                from_name: None,
                blacklisted: None,
            }));
        }
        facts.senders.extend(questions.senders().map(|_| true));
        let found = Subscriber {
            id: 7,
            email,
            inactive: false,
            blacklisted: None,
        };
        for _ in questions.subscriber_ids() {
            facts.subscriber_ids.push(Some(found));
        }
        for _ in questions.subscribers() {
            facts.subscribers.push(Some(found));
        }
        blacklists.answer(questions, facts);
        Ok::<_, Misuse>(())
    })?;
    if let Step::Commit(_) = call.step() {
        call.answer_commit(Commit::Done { transaction_id: 1 })?;
    }
    Ok(call
        .decision()
        .and_then(|decision| decision.code())
        .map(Code::number))
}

const BY_ID: &str = r#"{"apiKey":"k","mailerID":42,"subID":7}"#;
const BY_ADDRESS: &str = r#"{"apiKey":"k","mailerID":42,"email":"reader@customer.example"}"#;
const OWN_SENDER: &str =
    r#"{"apiKey":"k","mailerID":42,"subID":7,"from":"news@mail.shop.example"}"#;

#[test]
fn stored_addresses_are_judged_by_the_set_of_their_role_and_by_parents() {
    let sender = Blacklists {
        sender: set("shop.example"),
        ..Blacklists::default()
    };
    let recipient = Blacklists {
        recipient: set("customer.example"),
        ..Blacklists::default()
    };
    let (from, email) = ("news@mail.Shop.example", "Reader@old.customer.example");
    for body in [BY_ID, BY_ADDRESS, OWN_SENDER] {
        assert_eq!(
            decided(body, from, email, &Blacklists::default()),
            Ok(Some(200))
        );
        assert_eq!(decided(body, from, email, &sender), Ok(Some(414)), "{body}");
        assert_eq!(
            decided(body, from, email, &recipient),
            Ok(Some(416)),
            "{body}"
        );
    }
    let others = Blacklists {
        sender: set("customer.example"),
        recipient: set("shop.example"),
        content: set("customer.example"),
        reply_to: set("shop.example"),
    };
    assert_eq!(decided(BY_ID, from, email, &others), Ok(Some(200)));
}

#[test]
fn a_stored_address_without_a_valid_domain_gets_no_answer_and_is_a_misuse() {
    let blacklists = Blacklists::default();
    let misuse = |column, address: &str| {
        Err(match address {
            "" => Misuse::EmptyAddress { column },
            _ => Misuse::BlacklistedNotSaid { column },
        })
    };
    let good = "a@x.example";
    for broken in ["", "nobody", "a@", "a@b c.example", "a@x..example"] {
        assert_eq!(
            decided(BY_ID, broken, good, &blacklists),
            misuse("mailers", broken),
            "{broken}"
        );
        assert_eq!(
            decided(BY_ID, good, broken, &blacklists),
            misuse("subscriber_ids", broken),
            "{broken}"
        );
        assert_eq!(
            decided(BY_ADDRESS, good, broken, &blacklists),
            misuse("subscribers", broken),
            "{broken}"
        );
        // The assigned address is not used when the call has a `from`.
        assert_eq!(
            decided(OWN_SENDER, broken, good, &blacklists),
            Ok(Some(200))
        );
    }
}

#[test]
fn domains_of_a_batch_are_answered_for_the_roles_that_were_asked_about() {
    let body = br#"{"ApiKey":"k","requests":[{"subject":"s","body":"http://both.example/","to":"a@both.example","from":"n@shop.example"}]}"#;
    let policy = Policy::default();
    let mut call = Call::new(&policy, Operation::HttpSendMail, "POST", body);
    call.answer_account(Some(Account::default())).unwrap();
    let blacklists = Blacklists {
        sender: set("both.example"),
        content: set("both.example"),
        ..Blacklists::default()
    };
    let Step::Facts(questions) = call.step() else {
        panic!("facts are asked for");
    };
    let mut facts = Facts::default();
    facts.senders.push(true);
    facts.subscribers.push(None);
    blacklists.answer(&questions, &mut facts);
    // A second answer replaces the first.
    blacklists.answer(&questions, &mut facts);
    let asked: Vec<_> = questions
        .domains()
        .map(|(name, _)| name.into_owned())
        .collect();
    assert_eq!(asked, ["shop.example", "both.example"]);
    assert_eq!(facts.domains.len(), 2);
    assert!(facts.domains[0].is_empty());
    assert_eq!(facts.domains[1], franking::DomainRoles::CONTENT);
    call.answer_facts(facts).unwrap();
    let code = call.decision().unwrap().code().map(Code::number);
    assert_eq!(code, Some(413));
}
