//! The document as a page.

use std::fmt::Write as _;

use franking::{Code, EventType, Operation, Retry};

use super::Described;
use super::document::answers;
use super::fields::Level;

const TOP: &str = "\
# The interface as OpenAPI 3.1

This page shows what [openapi.json](openapi.json) says, and is written with it by `cargo run -p franking-tools -- openapi` from
the tables of fields, rules and codes, from [interface.md](interface.md) and from [answers.md](answers.md). Do not edit it by
hand: a test compares it.

The service serves the document at `GET /openapi.json`, without authentication, and answers `304` to an `If-None-Match` that
names its `ETag`. In the document `x-origin` says whose a part is: `interface` is what every host of the interface has, `service` is
what `franking-service` adds. Examples are calls that the library has decided.
";

pub(super) fn write(described: &Described) -> String {
    let mut page = TOP.to_string();
    for operation in Operation::ALL.iter().copied() {
        let (name, path) = (operation.name(), operation.path());
        page += &format!(
            "\n## {name}: `POST {path}`\n\n{}.\n",
            described.summary(operation)
        );
        let levels = match operation {
            Operation::SendMailer => vec![(&described.send_mailer, "field")],
            Operation::HttpSendMail => vec![
                (&described.http_send_mail, "field"),
                (&described.request, "field of a request"),
            ],
        };
        for (level, what) in levels {
            fields(&mut page, level, what, operation);
        }
        codes(&mut page, described, operation);
    }
    page += "\n## What the service adds\n\nA call may have an `Idempotency-Key`. These statuses have a problem \
        (`application/problem+json`) in place of an answer:\n\n| HTTP status | when | `Retry-After` |\n|---|---|---|\n";
    for (number, status) in &described.statuses {
        let retry = if status.has_retry_after {
            "may be there"
        } else {
            ""
        };
        let _ = writeln!(page, "| {number} | {} | {retry} |", status.when.join("; "));
    }
    page += "\n`GET /events` gives an account what became of its emails ([outcomes.md](outcomes.md#reading-events)), and a webhook is posted \
        the same ([events.md](events.md)). The types of events:\n\n| type | code | |\n|---|---|---|\n";
    for one in EventType::ALL.iter().copied() {
        let code = one.event().map(|event| event.code().to_string());
        let about = EventType::WORDS
            .words
            .iter()
            .find(|word| word.name == one.name());
        let about = about.map_or("", |word| word.about);
        let _ = writeln!(
            page,
            "| `{}` | {} | {about} |",
            one.name(),
            code.unwrap_or_default()
        );
    }
    page
}

fn fields(page: &mut String, level: &Level, what: &str, operation: Operation) {
    let _ = writeln!(
        page,
        "\n| {what} | required | type | takes | when absent | codes |\n|---|---|---|---|---|---|"
    );
    for field in &level.fields {
        let mut codes: Vec<u16> = Vec::new();
        codes.extend(
            field
                .rules
                .iter()
                .filter_map(|rule| rule.code(operation))
                .map(Code::number),
        );
        codes.sort_unstable();
        codes.dedup();
        let codes: Vec<String> = codes.iter().map(u16::to_string).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} |",
            field.row.name,
            if field.is_required { "yes" } else { "" },
            field.kind(operation),
            field.text.takes,
            field.text.absent.as_deref().unwrap_or_default(),
            codes.join(", "),
        );
    }
}

fn codes(page: &mut String, described: &Described, operation: Operation) {
    *page += "\n| code | meaning | trying again | example |\n|---|---|---|---|\n";
    for code in Code::all(operation) {
        let meaning = code.meaning(operation).unwrap_or_default();
        let retry = code.retry(operation).map_or("", Retry::name);
        let mut examples = described.examples(operation).iter();
        let example = examples.find(|example| example.code == code);
        let example = match example {
            // A bar would end the cell.
            Some(example) => format!(
                "{} `{}`",
                example.situation(operation),
                example.call.to_string().replace('|', "\\|")
            ),
            None => "It never answers a call.".into(),
        };
        let retry = if answers(code, operation) { retry } else { "" };
        let _ = writeln!(page, "| {code} | {meaning} | {retry} | {example} |");
    }
}
