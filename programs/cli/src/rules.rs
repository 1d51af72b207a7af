//! `franking rules`: the table of rules, and the meaning of a rule or a code.

use franking::{Code, Operation, Rule};

use crate::Status;
use crate::arguments::Rules;
use crate::error::CommandError;
use crate::output::Output;

pub(crate) fn run(options: &Rules, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let operations: Vec<Operation> = match options.operation {
        Some(operation) => vec![operation.into()],
        None => Operation::ALL.to_vec(),
    };
    let applies = |rule: &&Rule| {
        operations
            .iter()
            .any(|operation| rule.code(*operation).is_some())
    };
    let named: Vec<Rule> = match &options.name {
        None => Rule::ALL.iter().filter(applies).copied().collect(),
        Some(name) => match (
            Rule::from_identifier(name),
            name.parse().ok().and_then(Code::new),
        ) {
            (Some(rule), _) => vec![rule],
            (None, Some(code)) => return explain_code(code, &operations, options, output),
            (None, None) => return Err(CommandError::Unknown(name.clone())),
        },
    };
    if options.json {
        output.line(&serde_json::to_string_pretty(&named).unwrap_or_default())?;
    } else if options.name.is_some() {
        for rule in named {
            explain(rule, output)?;
        }
    } else {
        table(&named, &operations, output)?;
    }
    Ok(Status::Fine)
}

fn table(
    rules: &[Rule],
    operations: &[Operation],
    output: &mut Output<'_>,
) -> Result<(), CommandError> {
    let heading: Vec<String> = std::iter::once("phase".to_string())
        .chain(
            operations
                .iter()
                .map(|operation| operation.name().to_string()),
        )
        .chain(std::iter::once("rule".to_string()))
        .collect();
    let mut rows = vec![heading];
    for rule in rules {
        let phase = rule.phase();
        let mut row = vec![format!("{} {}", phase.number(), phase.name())];
        row.extend(operations.iter().map(|operation| {
            rule.code(*operation)
                .map_or("-".to_string(), |code| code.to_string())
        }));
        row.push(format!("{}: {}", rule.identifier(), rule.meaning()));
        rows.push(row);
    }
    let columns = operations.len() + 1;
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(String::len).fold(0, usize::max)
        })
        .collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        line.extend(row.last().map(String::as_str));
        output.line(&line)?;
    }
    Ok(())
}

fn explain(rule: Rule, output: &mut Output<'_>) -> Result<(), CommandError> {
    let codes: Vec<String> = Operation::ALL
        .iter()
        .filter_map(|operation| {
            Some(format!(
                "{} on {}",
                rule.code(*operation)?,
                operation.name()
            ))
        })
        .collect();
    let phase = rule.phase();
    output.line(&format!(
        "{}: {}, judged in phase {} ({})",
        rule.identifier(),
        codes.join(", "),
        phase.number(),
        phase.name()
    ))?;
    output.line(&format!("  Broken when {}.", rule.meaning()))?;
    output.line(&format!("  {}", rule.remedy()))
}

fn explain_code(
    code: Code,
    operations: &[Operation],
    options: &Rules,
    output: &mut Output<'_>,
) -> Result<Status, CommandError> {
    let known: Vec<Operation> = operations
        .iter()
        .copied()
        .filter(|operation| code.meaning(*operation).is_some())
        .collect();
    if known.is_empty() {
        return Err(CommandError::Unknown(code.to_string()));
    }
    let of = |operation: Operation| {
        Rule::ALL
            .iter()
            .copied()
            .filter(move |rule| rule.code(operation) == Some(code))
    };
    if options.json {
        let rules: Vec<Rule> = known.iter().flat_map(|operation| of(*operation)).collect();
        output.line(&serde_json::to_string_pretty(&rules).unwrap_or_default())?;
        return Ok(Status::Fine);
    }
    for operation in known {
        let meaning = code.meaning(operation).unwrap_or_default();
        let retry = code
            .retry(operation)
            .map_or("", |retry| retry.name())
            .replace('-', " ");
        output.line(&format!(
            "{code} on {}: {meaning} (sent again: {retry})",
            operation.name()
        ))?;
        for rule in of(operation) {
            explain(rule, output)?;
        }
    }
    Ok(Status::Fine)
}
