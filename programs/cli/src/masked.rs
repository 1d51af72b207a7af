//! Explains a masked transcript. It cannot be replayed, so its JSON form is shown.

use std::collections::BTreeSet;
use std::ops::Range;

use franking::{Judgement, Operation, Rule, Scope, TranscriptError, rules_in_order};
use serde_json::Value;

use crate::Status;
use crate::error::CommandError;
use crate::explain::result;
use crate::finding::Finding;
use crate::narrate;
use crate::output::Output;
use crate::places::Places;
use crate::visible::visible;

type Told = Result<(), CommandError>;

pub(crate) fn explain(
    label: &str,
    text: &str,
    output: &mut Output<'_>,
    failed: &dyn Fn(TranscriptError) -> CommandError,
) -> Result<Status, CommandError> {
    let form = |reason: String| failed(TranscriptError::Form(reason));
    let document: Value = serde_json::from_str(text).map_err(|error| form(error.to_string()))?;
    let operation = document.get("operation").and_then(Value::as_str);
    let operation = operation.and_then(Operation::from_name);
    let operation = operation.ok_or_else(|| form("it has no operation".to_string()))?;
    let body = document.get("body").and_then(Value::as_str);
    let body = body.ok_or_else(|| form("it has no body".to_string()))?;
    narrate::title(output, label, operation, body.len())?;
    output.line("  masked: letters are x, digits are 0, and all places are those of the call\n")?;
    let steps = document.get("steps").and_then(Value::as_array);
    let steps = steps.map(Vec::as_slice).unwrap_or_default();
    for asked in steps {
        step(output, asked)?;
    }
    let decision = document.get("decision").unwrap_or(&Value::Null);
    let Some(code) = decision.get("code").and_then(Value::as_u64) else {
        output.line("  not decided: there are no more answers\n")?;
        return Ok(Status::Wrong);
    };
    let broken = rule(decision);
    let places = Places::new(body.as_bytes());
    if broken.is_some() {
        output.line("  refused\n")?;
        finding(output, operation, decision, &places)?;
    }
    let refused = decision.get("refused").and_then(Value::as_array);
    let refused = refused.map(Vec::as_slice).unwrap_or_default();
    if broken.is_none() && !refused.is_empty() {
        output.line("  left out\n")?;
        for row in refused {
            finding(output, operation, row, &places)?;
        }
    }
    output.line(&format!("  answer   {code}\n"))?;
    output.line("  rules, in the order in which they are judged")?;
    let in_part: BTreeSet<Rule> = refused.iter().filter_map(rule).collect();
    let is_conflict = steps
        .last()
        .is_some_and(|step| step.pointer("/answer/commit/conflict").is_some());
    let order: Vec<Rule> = rules_in_order(operation).collect();
    let position_of = |found: &Rule| order.iter().position(|judged| judged == found);
    let reached_by = |found: &Rule| match found.scope(operation) {
        // All rules of the phase have judged a request of which only recipients are left out.
        Scope::Address => order
            .iter()
            .rposition(|judged| judged.phase() == found.phase()),
        Scope::Call | Scope::Request => position_of(found),
    };
    // When nothing remains of a partial batch, later rules than the one that gives the code have refused parts of it.
    let decided_by = broken.as_ref().and_then(position_of);
    let last = in_part
        .iter()
        .filter_map(reached_by)
        .chain(decided_by)
        .max();
    for (at, judged) in order.iter().copied().enumerate() {
        let judgement = match broken {
            Some(broken) if broken == judged => Judgement::Broken,
            _ if in_part.contains(&judged) => Judgement::BrokenInPart,
            // A conflict comes after all rules were judged and kept.
            Some(_) if !is_conflict && Some(at) > last => Judgement::NotReached,
            _ => Judgement::Kept,
        };
        if let Some(code) = judged.code(operation) {
            result(output, judgement, code.number(), judged.identifier())?;
        }
    }
    Ok(if code == 200 {
        Status::Fine
    } else {
        Status::Wrong
    })
}

/// Shows a question and its answer: the columns of facts line by line.
fn step(output: &mut Output<'_>, step: &Value) -> Told {
    let (ask, answer) = (step.get("ask"), step.get("answer").unwrap_or(&Value::Null));
    let of = |value: Option<&Value>, name: &str| value.and_then(|value| value.get(name)).cloned();
    if let Some(account) = answer.get("account") {
        output.line("  asked    which account has this key?")?;
        return narrate::indented(output, &visible(&account.to_string()));
    }
    if let Some(facts) = answer.get("facts") {
        output.line("  asked    in one batch:")?;
        let Some(Value::Object(columns)) = of(ask, "facts") else {
            return Ok(());
        };
        for (column, asked) in &columns {
            let answers = facts.get(column).and_then(Value::as_array);
            let answers = answers.map(Vec::as_slice).unwrap_or_default();
            let asked = asked.as_array().map(Vec::as_slice).unwrap_or_default();
            for (asked, answer) in asked.iter().zip(answers) {
                let text = format!("{} {asked}: {answer}", column.replace('_', " "));
                narrate::indented(output, &visible(&text))?;
            }
        }
        return Ok(());
    }
    if let Some(commit) = answer.get("commit") {
        if let Some(plan) = of(ask, "commit") {
            output.line("  plan")?;
            for (name, part) in plan.as_object().into_iter().flatten() {
                let rows = match part {
                    Value::Array(rows) => rows.as_slice(),
                    row => std::slice::from_ref(row),
                };
                for row in rows {
                    narrate::indented(output, &visible(&format!("{name} {row}")))?;
                }
            }
        }
        output.line(&format!("  commit   {}", visible(&commit.to_string())))?;
    }
    Ok(())
}

fn rule(row: &Value) -> Option<Rule> {
    Rule::from_identifier(row.get("rule")?.as_str()?)
}

fn finding(
    output: &mut Output<'_>,
    operation: Operation,
    row: &Value,
    places: &Places<'_>,
) -> Told {
    let Some(rule) = rule(row) else {
        return Ok(());
    };
    let pointer = row
        .get("pointer")
        .and_then(Value::as_str)
        .map(str::to_string);
    let finding = Finding::of_rule(rule, operation, pointer, span(row));
    let width = output.width();
    output.line(&finding.render("the body", 1, places, width))?;
    output.line("")
}

fn span(row: &Value) -> Option<Range<usize>> {
    let place = |index| row.get("span")?.get(index)?.as_u64()?.try_into().ok();
    Some(place(0)?..place(1)?)
}
