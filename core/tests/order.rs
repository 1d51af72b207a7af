//! Which rule wins: every rule broken alone by a call, then every two rules that one call can break.
//!
//! What should win is computed here, from a literal copy of the table and from the order that `docs/rules.md` states
//! in words; nothing of the order is taken from the crate. The number of pairs is printed in every run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected should stop; some read files or the environment"
)]

#[path = "order/breakers.rs"]
mod breakers;
#[path = "order/impossible.rs"]
mod impossible;
mod support;

use std::collections::BTreeSet;

use breakers::{Breaker, HTTP_CALL, HTTP_REQUEST, SEND_MAILER, Slots, combine};
use franking::{Operation, Rule};
use serde_json::{Value, json};
use support::{Case, batch, object, request, send_mailer_body, with};

/// Identifier, phase, code on sendMailer, code on httpSendMail (0: none): the rows in the order of the table.
const TABLE: &[(&str, u8, u16, u16)] = &[
    ("method-not-post", 1, 401, 401),
    ("operation-retired", 1, 0, 401),
    ("body-too-large", 1, 0, 454),
    ("body-not-json", 1, 442, 475),
    ("field-repeated", 1, 442, 475),
    ("key-missing", 2, 402, 402),
    ("key-unknown", 2, 403, 403),
    ("account-blocked", 3, 404, 404),
    ("account-expired", 3, 405, 405),
    ("account-deactivated", 3, 448, 448),
    ("too-many-requests", 4, 0, 453),
    ("requests-missing", 4, 0, 475),
    ("request-not-object", 4, 0, 475),
    ("field-wrong-type", 4, 442, 475),
    ("subject-missing", 4, 0, 406),
    ("reply-to-malformed", 4, 0, 407),
    ("html-missing", 4, 0, 408),
    ("html-not-utf8", 4, 0, 408),
    ("sender-missing", 4, 478, 409),
    ("sender-malformed", 4, 442, 410),
    ("recipient-missing", 4, 602, 411),
    ("recipient-malformed", 4, 412, 412),
    ("subscriber-id-malformed", 4, 454, 0),
    ("mailer-missing", 4, 442, 0),
    ("subject-control", 4, 0, 476),
    ("subject-placeholder", 4, 0, 476),
    ("from-name-control", 4, 442, 477),
    ("date-malformed", 4, 442, 0),
    ("html-domain-blacklisted", 5, 0, 413),
    ("sender-domain-blacklisted", 5, 414, 414),
    ("reply-to-domain-blacklisted", 5, 0, 415),
    ("recipient-domain-blacklisted", 5, 416, 416),
    ("sender-unknown", 5, 442, 420),
    ("subscriber-inactive", 5, 443, 443),
    ("subscriber-unknown", 5, 454, 0),
    ("mailer-unknown", 5, 442, 0),
    ("list-unknown", 5, 442, 0),
    ("subscriber-credit-low", 6, 444, 444),
    ("email-credit-low", 6, 445, 445),
    ("subscriber-exists", 7, 442, 442),
];

/// A breaker's name is the rule's identifier; `@7` after it means that the host meets it when it commits.
fn rule_of(name: &str) -> &str {
    name.split('@').next().unwrap()
}

fn code_of(operation: Operation, name: &str) -> u16 {
    let row = TABLE.iter().find(|row| row.0 == rule_of(name)).unwrap();
    match operation {
        Operation::SendMailer => row.2,
        Operation::HttpSendMail => row.3,
    }
}

fn phase_of(name: &str) -> u8 {
    let row = TABLE.iter().find(|row| row.0 == rule_of(name)).unwrap();
    if name.ends_with("@7") { 7 } else { row.1 }
}

/// Where a violation stands in the order in which violations win. `request` is none for one of the whole call.
fn rank(operation: Operation, name: &str, request: Option<usize>) -> impl Ord + use<> {
    let code = code_of(operation, name);
    let unexplained = operation == Operation::SendMailer && code == 442;
    let row = TABLE.iter().position(|row| row.0 == rule_of(name)).unwrap();
    (
        phase_of(name),
        request.map_or(0, |request| request + 1),
        unexplained,
        code,
        row,
    )
}

/// Makes the call: a sendMailer body with these slots.
fn send_mailer(slots: &Slots) -> Case {
    finish(Case::send_mailer(object(slots.body())), slots)
}

/// Makes the call: requests with these slots, and those of the call as a whole.
fn http_send_mail(call: &Slots, requests: &[&Slots]) -> Case {
    let mut entries: Vec<Value> = requests
        .iter()
        .map(|slots| match slots.whole() {
            Some(entry) => entry,
            None => request(object(slots.body())),
        })
        .collect();
    if call.has("policy.max_requests") {
        entries.resize(3, request(json!({})));
    }
    let body = with(batch(&entries), object(call.body()));
    finish(Case::new(Operation::HttpSendMail, &body), call)
}

/// What is not in the body.
fn finish(mut case: Case, slots: &Slots) -> Case {
    if let Some(method) = slots.get("method") {
        case.method = method.as_str().unwrap().to_string();
    }
    if slots.has("text.repeated") {
        case.body.splice(1..1, *br#""x":{"same":1,"same":2},"#);
    }
    if slots.has("text.cut") {
        case.body.pop();
    }
    case = case.account(object(slots.under("account.")));
    case = case.policy(object(slots.under("policy.")));
    if slots.has("commit") {
        case = case.policy(json!({"max_attempts": 1}));
        case = case.world(json!({"commits": [{"conflict": slots.get("commit").unwrap()}]}));
    }
    case
}

/// Decides, and compares with what should win: the code, the rule, the request, and how often the host was asked.
fn assert_wins(case: &Case, name: &str, request: Option<usize>, about: &str) {
    let decision = case.decide();
    let about = format!(
        "{about}\n{decision}\n{}",
        String::from_utf8_lossy(&case.body)
    );
    assert_eq!(decision["rule"], rule_of(name), "{about}");
    assert_eq!(decision["code"], code_of(case.operation, name), "{about}");
    assert_eq!(
        decision["request"].as_u64(),
        request.map(|request| request as u64),
        "{about}"
    );
    assert_eq!(decision["plan"], Value::Null, "{about}");
    let expected = match (rule_of(name), phase_of(name)) {
        (_, 1) | ("key-missing", _) => (0, 0, 0),
        (_, 2..=4) => (1, 0, 0),
        (_, 5 | 6) => (1, 1, 0),
        _ => (1, 1, 1),
    };
    let asked = &decision["asked"];
    let asked = ["account", "facts", "commits"].map(|key| asked[key].as_u64().unwrap());
    assert_eq!(asked, [expected.0, expected.1, expected.2], "{about}");
    assert_preflight_agrees(case, &[(name, request)], &about);
}

/// Where the content alone decides, a preflight lists the same violation, first.
fn assert_preflight_agrees(case: &Case, winner: &[(&str, Option<usize>)], about: &str) {
    for (name, _) in winner {
        let is_of_body = matches!(phase_of(name), 1 | 4) || *name == "key-missing";
        if is_of_body && rule_of(name) != "method-not-post" && case.method == "POST" {
            let first = case.violations().into_iter().next();
            assert_eq!(
                first.map(|first| first.0).as_deref(),
                Some(rule_of(name)),
                "{about}"
            );
        }
    }
}

fn breakers(operation: Operation) -> Vec<&'static Breaker> {
    match operation {
        Operation::SendMailer => SEND_MAILER.iter().collect(),
        Operation::HttpSendMail => HTTP_CALL.iter().chain(HTTP_REQUEST).collect(),
    }
}

#[test]
fn the_literal_table_has_the_rules_of_the_crate_in_their_order() {
    let code = |rule: &Rule, operation| rule.code(operation).map_or(0, |code| code.number());
    let rows: Vec<_> = Rule::ALL
        .iter()
        .map(|rule| {
            (
                rule.identifier(),
                rule.phase().number(),
                code(rule, Operation::SendMailer),
                code(rule, Operation::HttpSendMail),
            )
        })
        .collect();
    assert_eq!(rows, TABLE);
}

#[test]
fn the_calls_that_break_nothing_are_accepted() {
    assert_eq!(
        Case::new(Operation::SendMailer, &send_mailer_body(json!({})))
            .outcome()
            .0,
        200
    );
    let none = Slots::default();
    assert_eq!(http_send_mail(&none, &[&none, &none]).outcome().0, 200);
}

#[test]
fn every_rule_of_every_operation_has_a_call_that_breaks_it() {
    for operation in Operation::ALL.iter().copied() {
        let broken: BTreeSet<&str> = breakers(operation)
            .iter()
            .map(|breaker| rule_of(breaker.name))
            .collect();
        let rules = Rule::ALL
            .iter()
            .filter(|rule| rule.code(operation).is_some());
        let all: BTreeSet<&str> = rules.map(|rule| rule.identifier()).collect();
        assert_eq!(broken, all, "{}", operation.name());
    }
}

#[test]
fn every_rule_broken_alone_gives_its_own_code() {
    for breaker in SEND_MAILER {
        for slots in breaker.variants() {
            assert_wins(&send_mailer(&slots), breaker.name, None, breaker.name);
        }
    }
    let none = Slots::default();
    for breaker in HTTP_CALL {
        for slots in breaker.variants() {
            assert_wins(
                &http_send_mail(&slots, &[&none]),
                breaker.name,
                None,
                breaker.name,
            );
        }
    }
    for breaker in HTTP_REQUEST {
        for slots in breaker.variants() {
            assert_wins(
                &http_send_mail(&none, &[&slots]),
                breaker.name,
                Some(0),
                breaker.name,
            );
            assert_wins(
                &http_send_mail(&none, &[&none, &slots]),
                breaker.name,
                Some(1),
                breaker.name,
            );
        }
    }
}

/// The pairs of a scope: those that a call was made for, and those listed as impossible; each pair is one or other.
#[derive(Default)]
struct Scope {
    made: usize,
    impossible: BTreeSet<(&'static str, &'static str)>,
    /// Neither, or both.
    wrong: Vec<String>,
}

impl Scope {
    fn pair(
        &mut self,
        scope: &str,
        left: &'static Breaker,
        right: &'static Breaker,
        make: impl Fn(&Slots, &Slots) -> Option<Case>,
        winner: (&str, Option<usize>),
    ) {
        let listed = impossible::is(scope, left.name, right.name);
        let mut cases = combine(left, right)
            .filter_map(|(a, b)| make(&a, &b))
            .peekable();
        let about = format!("{scope}: {} and {}", left.name, right.name);
        if cases.peek().is_none() != listed {
            self.wrong.push(about);
            return;
        }
        if listed {
            self.impossible.insert((left.name, right.name));
            return;
        }
        for case in cases {
            assert_wins(&case, winner.0, winner.1, &about);
            assert_preflight_has_both(&case, left.name, right.name, &about);
        }
        self.made += 1;
    }
}

/// A preflight collects: it lists both violations when the body alone shows both.
fn assert_preflight_has_both(case: &Case, left: &str, right: &str, about: &str) {
    let names = [left, right];
    let ends_reading = |name: &&str| matches!(*name, "body-not-json" | "body-too-large");
    if names.iter().any(ends_reading) {
        return;
    }
    let violations = case.violations();
    // Nothing is said about single requests when they are too many.
    let too_many = names.contains(&"too-many-requests");
    for name in names {
        let is_of_body = matches!(phase_of(name), 1 | 4) || name == "key-missing";
        let is_shown =
            is_of_body && name != "method-not-post" && (!too_many || !is_of_request(name));
        if is_shown {
            let found = violations
                .iter()
                .any(|violation| violation.0 == rule_of(name));
            assert!(found, "{about}: the preflight lacks {name}: {violations:?}");
        }
    }
}

fn is_of_request(name: &str) -> bool {
    HTTP_REQUEST.iter().any(|breaker| breaker.name == name)
}

/// The one of two violations that wins.
fn first(
    operation: Operation,
    left: (&'static str, Option<usize>),
    right: (&'static str, Option<usize>),
) -> (&'static str, Option<usize>) {
    let is_left = rank(operation, left.0, left.1) <= rank(operation, right.0, right.1);
    if is_left { left } else { right }
}

fn each_two(
    breakers: &'static [Breaker],
) -> impl Iterator<Item = (&'static Breaker, &'static Breaker)> {
    breakers
        .iter()
        .enumerate()
        .flat_map(|(index, left)| breakers[index + 1..].iter().map(move |right| (left, right)))
}

/// Prints a line that the test harness does not keep to itself.
fn print(line: std::fmt::Arguments<'_>) {
    use std::io::Write;
    let mut out = std::io::stdout();
    out.write_all(format!("{line}\n").as_bytes()).unwrap();
}

#[test]
fn of_every_two_rules_that_one_call_can_break_the_right_one_wins() {
    let none = Slots::default();
    let mut total = 0;
    let mut wrong = Vec::new();
    let mut report = |scope: &str, found: Scope| {
        wrong.extend(found.wrong);
        print(format_args!(
            "{scope}: {} pairs, {} impossible",
            found.made,
            found.impossible.len()
        ));
        total += found.made;
    };

    let mut scope = Scope::default();
    for (left, right) in each_two(SEND_MAILER) {
        let winner = first(Operation::SendMailer, (left.name, None), (right.name, None));
        let make = |a: &Slots, b: &Slots| Some(send_mailer(&a.merged(b)?));
        scope.pair("sendMailer", left, right, make, winner);
    }
    report("sendMailer", scope);

    let operation = Operation::HttpSendMail;
    let mut scope = Scope::default();
    for (left, right) in each_two(HTTP_CALL) {
        let winner = first(operation, (left.name, None), (right.name, None));
        let make = |a: &Slots, b: &Slots| Some(http_send_mail(&a.merged(b)?, &[&none]));
        scope.pair("httpSendMail, both of the call", left, right, make, winner);
    }
    report("httpSendMail, both of the call", scope);

    let mut scope = Scope::default();
    for left in HTTP_CALL {
        for right in HTTP_REQUEST {
            let winner = first(operation, (left.name, None), (right.name, Some(0)));
            // The other request stands, so that the call needs credit and creates a subscriber.
            let make = |a: &Slots, b: &Slots| {
                a.merged(b)?;
                Some(http_send_mail(a, &[b, &none]))
            };
            scope.pair("httpSendMail, call and request", left, right, make, winner);
        }
    }
    report("httpSendMail, call and request", scope);

    let mut scope = Scope::default();
    for (left, right) in each_two(HTTP_REQUEST) {
        let winner = first(operation, (left.name, Some(0)), (right.name, Some(0)));
        let make = |a: &Slots, b: &Slots| Some(http_send_mail(&none, &[&a.merged(b)?, &none]));
        scope.pair("httpSendMail, one request", left, right, make, winner);
    }
    report("httpSendMail, one request", scope);

    let mut made = 0;
    for left in HTTP_REQUEST {
        for right in HTTP_REQUEST {
            let winner = first(operation, (left.name, Some(0)), (right.name, Some(1)));
            for a in left.variants() {
                for b in right.variants() {
                    let case = http_send_mail(&none, &[&a, &b]);
                    let about = format!("two requests: {} and {}", left.name, right.name);
                    assert_wins(&case, winner.0, winner.1, &about);
                    assert_preflight_has_both(&case, left.name, right.name, &about);
                }
            }
            made += 1;
        }
    }
    print(format_args!("httpSendMail, two requests: {made} pairs"));
    total += made;

    assert!(
        wrong.is_empty(),
        "neither made nor listed as impossible, or both:\n{}",
        wrong.join("\n")
    );
    print(format_args!("{total} pairs of rules broken by one call"));
    assert!(total > 900, "only {total} pairs");
}

#[test]
fn no_pair_is_listed_as_impossible_that_is_no_pair() {
    let sends: Vec<&str> = SEND_MAILER.iter().map(|breaker| breaker.name).collect();
    let https: Vec<&str> = HTTP_CALL
        .iter()
        .chain(HTTP_REQUEST)
        .map(|breaker| breaker.name)
        .collect();
    for (scope, lefts, rights, _) in impossible::PAIRS {
        let known = if *scope == "sendMailer" {
            &sends
        } else {
            &https
        };
        for name in lefts.iter().chain(*rights) {
            assert!(known.contains(name), "{scope}: {name}");
        }
    }
}
