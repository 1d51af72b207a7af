//! Shows what happens to a call, step by step: the questions to the host, its answers, the plan and the decision.

use franking::{
    API_LIST, Account, Call, Commit, Decision, DomainRoles, Facts, HostAnswer, Operation, Plan,
    Preflight, Questions, Step, Violation,
};

use crate::error::CommandError;
use crate::finding::Finding;
use crate::output::Output;
use crate::places::Places;
use crate::visible::{columns, visible};

type Told = Result<(), CommandError>;

/// The column in which answers begin.
const ANSWERS: usize = 58;
const INDENT: &str = "           ";

/// Writes a horizontal line and a title with the operation.
pub(crate) fn title(
    output: &mut Output<'_>,
    label: &str,
    operation: Operation,
    bytes: usize,
) -> Told {
    output.line(&"─".repeat(output.width().min(80)))?;
    output.line(&format!(
        "{label}: a call of {} with {bytes} bytes\n",
        operation.name()
    ))
}

/// Answers each step of a call with `answer`, and shows the question and the answer. Stops when the call has ended, or when
/// `answer` returns `None`.
pub(crate) fn drive(
    output: &mut Output<'_>,
    call: &mut Call<'_>,
    mut answer: impl FnMut(&Step<'_>) -> Result<Option<HostAnswer>, CommandError>,
) -> Told {
    loop {
        let step = call.step();
        if let Step::Done(_) = step {
            return Ok(());
        }
        let Some(answer) = answer(&step)? else {
            return output.line("  not decided: there are no more answers\n");
        };
        match (&step, &answer) {
            (Step::Account(_), HostAnswer::Account(answer)) => account(output, answer.as_ref())?,
            (Step::Facts(questions), HostAnswer::Facts(answer)) => {
                facts(output, questions, answer)?
            }
            (Step::Commit(to_commit), HostAnswer::Commit(answer)) => {
                plan(output, to_commit)?;
                commit(output, answer)?;
            }
            _ => {}
        }
        if let Err(misuse) = call.answer(answer) {
            output.line(&format!("  misuse   {misuse}"))?;
        }
    }
}

fn account(output: &mut Output<'_>, account: Option<&Account>) -> Told {
    output.line("  asked    which account has this key?")?;
    let Some(account) = account else {
        return indented(output, "none");
    };
    let credit =
        |credit: Option<i64>| credit.map_or("no limit".to_string(), |credit| credit.to_string());
    let states = [
        (account.blocked, "blocked"),
        (account.expired, "expired"),
        (account.deactivated, "deactivated"),
    ];
    let states: Vec<&str> = states
        .iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, state)| *state)
        .collect();
    let state = if states.is_empty() {
        "in good standing".to_string()
    } else {
        states.join(", ")
    };
    indented(
        output,
        &format!(
            "one {state}; subscriber credit {}, email credit {}",
            credit(account.subscriber_credit),
            credit(account.email_credit)
        ),
    )
}

fn facts(output: &mut Output<'_>, questions: &Questions<'_>, facts: &Facts) -> Told {
    output.line("  asked    in one batch:")?;
    let mut line = |question: String, answer: String| {
        let question = visible(&question);
        let gap = " ".repeat(ANSWERS.saturating_sub(columns(&question)));
        indented(output, &format!("{question}{gap} {}", visible(&answer)))
    };
    let none = || "none".to_string();
    for (id, mailer) in questions.mailers().zip(facts.mailers.iter()) {
        let answer = mailer.map_or_else(none, |mailer| format!("from {}", mailer.from));
        line(format!("the stored email {id}?"), answer)?;
    }
    for (key, is_active) in questions.senders().zip(&facts.senders) {
        line(format!("is {key} an active sender?"), yes(*is_active))?;
    }
    for (id, subscriber) in questions.subscriber_ids().zip(facts.subscriber_ids.iter()) {
        let answer = subscriber.map_or_else(none, |subscriber| subscriber.email.to_string());
        line(format!("subscriber {id}?"), answer)?;
    }
    for (key, subscriber) in questions.subscribers().zip(facts.subscribers.iter()) {
        let answer =
            subscriber.map_or_else(none, |subscriber| format!("subscriber {}", subscriber.id));
        line(format!("a subscriber with {key}?"), answer)?;
    }
    for (list, exists) in questions.lists().zip(&facts.lists) {
        line(format!("a list named {list}?"), yes(*exists))?;
    }
    for ((domain, roles), listed) in questions.domains().zip(&facts.domains) {
        let answer = if listed.is_empty() {
            "no".to_string()
        } else {
            format!("yes, as {}", names(*listed))
        };
        line(
            format!("is {domain} blacklisted as {}?", names(roles)),
            answer,
        )?;
    }
    Ok(())
}

fn plan(output: &mut Output<'_>, plan: &Plan<'_>) -> Told {
    output.line("  plan")?;
    let mut line = |text: String| indented(output, &visible(&text));
    let fields = |fields: &mut dyn Iterator<Item = (String, String)>| {
        fields
            .map(|(name, value)| format!("{name} {value:?}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    for subscriber in plan.create() {
        line(format!(
            "create {} in list {}",
            subscriber.email(),
            subscriber.list()
        ))?;
        let mut all = subscriber
            .fields()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let with = fields(&mut all);
        if !with.is_empty() {
            line(format!("  with {with}"))?;
        }
    }
    for update in plan.update() {
        let mut all = update
            .fields()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        line(format!(
            "update subscriber {}: {}",
            update.id(),
            fields(&mut all)
        ))?;
    }
    for id in plan.enlist() {
        line(format!("enlist subscriber {id} in {API_LIST}"))?;
    }
    for message in plan.messages() {
        let content = match message.mailer() {
            Some(mailer) => format!("stored email {mailer}"),
            None => format!(
                "{:?}, {} bytes of HTML",
                message.subject().unwrap_or_default(),
                message.html().unwrap_or_default().len()
            ),
        };
        let name = message
            .from_name()
            .map_or(String::new(), |name| format!(" ({name})"));
        for recipient in message.recipients() {
            let role = recipient
                .role()
                .map_or(String::new(), |role| format!(" ({})", role.name()));
            line(format!(
                "send {content} from {}{name} to {}{role}",
                message.from(),
                recipient.to()
            ))?;
        }
    }
    for collapsed in plan.collapsed() {
        line(format!(
            "leave out the repeated {} at {}",
            collapsed.to(),
            collapsed.pointer()
        ))?;
    }
    let debit = plan.debit();
    line(format!(
        "debit {} email credit, {} subscriber credit",
        debit.email, debit.subscriber
    ))
}

fn commit(output: &mut Output<'_>, commit: &Commit) -> Told {
    let came = match commit {
        Commit::Done { transaction_id } => format!("carried out as transaction {transaction_id}"),
        Commit::Conflict(conflict) => format!("rolled back: {}", conflict.name().replace('_', " ")),
        Commit::Unknown => "it is not known whether it was carried out".to_string(),
    };
    output.line(&format!("  commit   {came}"))
}

/// Shows the decision: the violation with its place in the body, what a partial batch leaves out, and the response.
pub(crate) fn decision(
    output: &mut Output<'_>,
    label: &str,
    line: usize,
    decision: &Decision<'_>,
    body: &[u8],
) -> Told {
    let places = Places::new(body);
    if let Some(violation) = decision.violation() {
        output.line("  refused\n")?;
        finding(output, label, line, &places, decision, &violation)?;
    }
    let mut refused = decision.refused().peekable();
    if refused.peek().is_some() && decision.is_accepted() {
        output.line("  left out\n")?;
        for violation in refused {
            finding(output, label, line, &places, decision, &violation)?;
        }
    }
    if let Some(failure) = decision.failure() {
        output.line(&format!("  failed   {}", visible(&failure.to_string())))?;
    }
    let response = decision
        .response()
        .unwrap_or_else(|| "none: the host failed".to_string());
    output.line(&format!("  answer   {}", visible(&response)))?;
    if let Some(deprecation) = decision.deprecation() {
        indented(
            output,
            &format!(
                "Sunset: {} (use {} instead)",
                deprecation.sunset, deprecation.successor
            ),
        )?;
    }
    output.line("")
}

/// Shows the violations that a preflight finds besides the one that was decided.
pub(crate) fn others(
    output: &mut Output<'_>,
    label: &str,
    line: usize,
    preflight: &Preflight<'_>,
    decision: &Decision<'_>,
) -> Told {
    let shown = decision
        .violation()
        .map(|violation| (violation.rule(), violation.span()));
    let places = Places::new(preflight.body());
    let mut is_first = true;
    let mut listed = preflight.listed();
    for violation in listed.by_ref() {
        if Some((violation.rule(), violation.span())) == shown {
            continue;
        }
        if std::mem::replace(&mut is_first, false) {
            output.line("  a preflight shows the rest\n")?;
        }
        finding(output, label, line, &places, decision, &violation)?;
    }
    let more = listed.more();
    if more > 0 {
        output.line(&format!("  {more} more violations are not shown\n"))?;
    }
    Ok(())
}

fn finding(
    output: &mut Output<'_>,
    label: &str,
    line: usize,
    places: &Places<'_>,
    decision: &Decision<'_>,
    violation: &Violation<'_>,
) -> Told {
    let mut finding = Finding::of_violation(violation, decision.operation());
    if let Some(link) = decision.blacklisted_link(violation) {
        let note = format!("{} leads to {}: {}", link.place, link.domain, link.url);
        finding = finding.with_note(visible(&note));
    }
    let width = output.width();
    output.line(&finding.render(label, line, places, width))?;
    output.line("")
}

pub(crate) fn indented(output: &mut Output<'_>, text: &str) -> Told {
    output.line(&format!("{INDENT}{text}"))
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_string()
}

fn names(roles: DomainRoles) -> String {
    roles.names().collect::<Vec<_>>().join(", ")
}
