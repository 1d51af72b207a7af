//! How the demo prints what happens to a call.

use franking::{Account, Decision, Facts, Operation, Plan, Preflight, Questions, Roles, Violation};

const RULE: &str =
    "────────────────────────────────────────────────────────────────────────────────";

pub(crate) fn title(name: &str, operation: Operation, body: &[u8]) {
    println!(
        "{RULE}\n{name}: a call of {} with {} bytes\n",
        operation.name(),
        body.len()
    );
}

pub(crate) fn account(account: Option<&Account>) {
    println!("  asked    which account has this key?");
    match account {
        None => println!("           none"),
        Some(account) => {
            let credit = |credit: Option<i64>| {
                credit.map_or("no limit".to_string(), |credit| credit.to_string())
            };
            let mut states = vec![];
            for (is_so, state) in [
                (account.blocked, "blocked"),
                (account.expired, "expired"),
                (account.deactivated, "deactivated"),
            ] {
                if is_so {
                    states.push(state);
                }
            }
            let state = if states.is_empty() {
                "in good standing".to_string()
            } else {
                states.join(", ")
            };
            println!(
                "           one {state}; subscriber credit {}, email credit {}",
                credit(account.subscriber_credit),
                credit(account.email_credit)
            );
        }
    }
}

pub(crate) fn facts(questions: &Questions<'_>, facts: &Facts) {
    println!("  asked    in one batch:");
    let line = |question: &str, answer: String| println!("           {question:<58} {answer}");
    for (id, mailer) in questions.mailers().zip(facts.mailers.iter()) {
        line(
            &format!("the stored email {id}?"),
            mailer
                .as_ref()
                .map_or("none".into(), |mailer| format!("from {}", mailer.from)),
        );
    }
    for (key, is_active) in questions.senders().zip(&facts.senders) {
        line(&format!("is {key} an active sender?"), yes(*is_active));
    }
    for (id, subscriber) in questions.subscriber_ids().zip(facts.subscriber_ids.iter()) {
        line(
            &format!("subscriber {id}?"),
            subscriber.map_or("none".into(), |subscriber| subscriber.email.to_string()),
        );
    }
    for (key, subscriber) in questions.subscribers().zip(facts.subscribers.iter()) {
        line(
            &format!("a subscriber with {key}?"),
            subscriber.map_or("none".into(), |subscriber| {
                format!("subscriber {}", subscriber.id)
            }),
        );
    }
    for (list, exists) in questions.lists().zip(&facts.lists) {
        line(&format!("a list named {list}?"), yes(*exists));
    }
    for ((domain, roles), listed) in questions.domains().zip(&facts.domains) {
        let answer = if listed.is_empty() {
            "no".to_string()
        } else {
            format!("yes, as {}", names(*listed))
        };
        line(
            &format!("is {domain} blacklisted as {}?", names(roles)),
            answer,
        );
    }
}

fn yes(is_so: bool) -> String {
    if is_so { "yes".into() } else { "no".into() }
}

fn names(roles: Roles) -> String {
    roles.names().collect::<Vec<_>>().join(", ")
}

pub(crate) fn plan(plan: &Plan<'_>) {
    println!("  plan");
    for subscriber in plan.create() {
        let fields: Vec<String> = subscriber
            .fields()
            .map(|(name, value)| format!("{name} {value:?}"))
            .collect();
        println!(
            "           create {} in list {}",
            subscriber.email(),
            subscriber.list()
        );
        if !fields.is_empty() {
            println!("             with {}", fields.join(", "));
        }
    }
    for update in plan.update() {
        let fields: Vec<String> = update
            .fields()
            .map(|(name, value)| format!("{name} {value:?}"))
            .collect();
        println!(
            "           update subscriber {}: {}",
            update.id(),
            fields.join(", ")
        );
    }
    for id in plan.enlist() {
        println!(
            "           enlist subscriber {id} in {}",
            franking::API_LIST
        );
    }
    for message in plan.messages() {
        let content = match (message.mailer(), message.subject(), message.html()) {
            (Some(mailer), ..) => format!("stored email {mailer}"),
            (None, subject, html) => {
                format!(
                    "{:?}, {} bytes of HTML",
                    subject.unwrap_or_default(),
                    html.unwrap_or_default().len()
                )
            }
        };
        let name = message
            .from_name()
            .map_or(String::new(), |name| format!(" ({name})"));
        for recipient in message.recipients() {
            let role = recipient
                .role()
                .map_or(String::new(), |role| format!(" ({})", role.name()));
            println!(
                "           send {content} from {}{name} to {}{role}",
                message.from(),
                recipient.to()
            );
        }
    }
    for collapsed in plan.collapsed() {
        println!(
            "           leave out the repeated {} at {}",
            collapsed.to(),
            collapsed.pointer()
        );
    }
    let debit = plan.debit();
    println!(
        "           debit {} email credit, {} subscriber credit",
        debit.email, debit.subscriber
    );
}

pub(crate) fn decision(decision: &Decision<'_>, body: &[u8]) {
    if let Some(found) = decision.violation() {
        println!("  refused");
        violation(&found, body);
        if let Some(link) = decision.blacklisted_link(&found) {
            println!(
                "           {} leads to {}: {}",
                link.place, link.domain, link.url
            );
        }
    }
}

/// What else a client would learn before it sends.
pub(crate) fn others(preflight: &Preflight<&[u8]>, decision: &Decision<'_>, body: &[u8]) {
    let shown = decision
        .violation()
        .map(|violation| (violation.rule(), violation.span()));
    let is_other = |violation: &Violation<'_>| Some((violation.rule(), violation.span())) != shown;
    for (index, other) in preflight.violations().filter(is_other).enumerate() {
        if index == 0 {
            println!("  also     a preflight shows the rest:");
        }
        violation(&other, body);
    }
}

fn violation(violation: &Violation<'_>, body: &[u8]) {
    let pointer = violation.pointer().filter(|pointer| !pointer.is_empty());
    let place = pointer.map_or(String::new(), |pointer| format!(" at {pointer}"));
    println!(
        "           {} {}{place}: {}",
        violation.code(),
        violation.rule(),
        violation.rule().meaning()
    );
    match (violation.stopped_at(), violation.span()) {
        (Some(at), _) => underline(body, at..at + 1),
        (None, Some(span)) => underline(body, span),
        (None, None) => {}
    }
    println!("           {}", violation.remedy());
}

/// Prints the line of the body in which a span starts, with the span underlined.
fn underline(body: &[u8], span: std::ops::Range<usize>) {
    const WIDTH: usize = 66;
    let text = String::from_utf8_lossy(body);
    let (Some(before), Some(inside)) = (text.get(..span.start), text.get(span.clone())) else {
        return;
    };
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let lead: String = before
        .get(line_start..)
        .unwrap_or_default()
        .trim_start()
        .to_string();
    let rest = text
        .get(span.end..)
        .unwrap_or_default()
        .split('\n')
        .next()
        .unwrap_or_default();
    let inside = inside.split('\n').next().unwrap_or_default();
    // Of a long line the part around the span is shown.
    let skip = lead.chars().count().saturating_sub(WIDTH / 2);
    let lead: String = lead.chars().skip(skip).collect();
    let shown: String = format!("{lead}{inside}{rest}")
        .chars()
        .take(WIDTH)
        .collect();
    let marks = inside
        .chars()
        .count()
        .min(WIDTH.saturating_sub(lead.chars().count()))
        .max(1);
    println!(
        "             {shown}\n             {}{}",
        " ".repeat(lead.chars().count()),
        "^".repeat(marks)
    );
}

pub(crate) fn answer(decision: &Decision<'_>) {
    println!(
        "  answer   {}",
        decision
            .answer()
            .unwrap_or_else(|| "none: the host failed".to_string())
    );
    if let Some(deprecation) = decision.deprecation() {
        println!(
            "           Sunset: {} (use {} instead)",
            deprecation.sunset, deprecation.successor
        );
    }
    println!();
}
