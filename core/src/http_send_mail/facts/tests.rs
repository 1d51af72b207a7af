use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::domains::content_hash;
use crate::{
    Account, Batch, Call, Commit, DomainRoles, Facts, HostAnswer, Operation, Policy, Step,
};

/// Two hosts whose hashes are equal.
fn alike() -> (String, String) {
    let mut seen = BTreeMap::new();
    let mut hosts = (0..).map(|number: u32| format!("h{number}.example"));
    let found = hosts.find_map(|host| {
        let before = seen.insert(content_hash(&host), host.clone())?;
        Some((before, host))
    });
    found.unwrap()
}

/// The requests that are left out when only `listed` is blacklisted.
fn refused(hosts: [&str; 3], listed: &str) -> Vec<u32> {
    let request = |host| {
        format!(r#"{{"subject":"s","from":"a@b.test","to":"a@b.test","body":"<a href=//{host}>"}}"#)
    };
    let body = format!(
        r#"{{"ApiKey":"k","requests":[{}]}}"#,
        hosts.map(request).join(",")
    );
    let policy = Policy::builder().batch(Batch::Partial).build().unwrap();
    let mut call = Call::new(&policy, Operation::HttpSendMail, "POST", body.as_bytes());
    loop {
        let answer = match call.step() {
            Step::Account(_) => HostAnswer::Account(Some(Account::default())),
            Step::Facts(questions) => {
                let mut facts = Facts {
                    senders: alloc::vec![true; questions.sender_count()],
                    ..Facts::default()
                };
                for _ in 0..questions.subscriber_count() {
                    facts.subscribers.push(None);
                }
                let answered = questions
                    .domains()
                    .map(|(name, asked)| match name == listed {
                        true => asked,
                        false => DomainRoles::NONE,
                    });
                facts.domains = answered.collect();
                HostAnswer::Facts(facts)
            }
            Step::Commit(_) => HostAnswer::Commit(Commit::Done { transaction_id: 1 }),
            Step::Done(decision) => {
                return decision.refused().filter_map(|row| row.request()).collect();
            }
        };
        call.answer(answer).unwrap();
    }
}

#[test]
fn of_hosts_whose_hashes_are_equal_the_listed_one_alone_refuses_its_request() {
    let (one, other) = alike();
    assert_eq!(refused([&one, &other, "c.test"], &one), [0]);
    assert_eq!(refused([&one, &other, "c.test"], &other), [1]);
    assert_eq!(refused([&other, "www.c.test", &one], "c.test"), [1]);
    assert_eq!(refused([&other, &one, "c.test"], "example"), [0; 0]);
}
