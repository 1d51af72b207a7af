//! What was found, as a SARIF 2.1.0 log (OASIS, Static Analysis Results Interchange Format).
//!
//! The log is written result by result, so that it is never held as a whole.

use std::ops::Range;
use std::path::Path;

use franking::{Operation, Preflight, Rule, WarningKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use crate::input::Body;
use crate::places::Places;

/// The end of the log.
pub(crate) const TAIL: &str = "]}]}";

/// What a path of a URI is made of stays (RFC 3986, section 3.3).
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The start of the log: the tool, and all that it may report.
pub(crate) fn head() -> String {
    let rules = Rule::ALL.iter().map(|rule| {
        let codes = Operation::ALL.iter().filter_map(|operation| {
            Some(format!("{} on {}", rule.code(*operation)?, operation.name()))
        });
        json!({
            "id": rule.identifier(),
            "shortDescription": {"text": rule.meaning()},
            "fullDescription": {"text": format!("{} ({})", rule.meaning(), codes.collect::<Vec<_>>().join(", "))},
            "help": {"text": rule.remedy()},
            "defaultConfiguration": {"level": "error"},
        })
    });
    let warnings = WarningKind::ALL.iter().map(|kind| {
        json!({
            "id": kind.identifier(),
            "shortDescription": {"text": kind.meaning()},
            "defaultConfiguration": {"level": "warning"},
        })
    });
    let driver = json!({
        "name": "franking",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.chain(warnings).collect::<Vec<_>>(),
    });
    format!(
        r#"{{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{{"tool":{{"driver":{driver}}},"columnKind":"unicodeCodePoints","results":["#
    )
}

/// The results of one body, with commas between them; empty when there are none.
pub(crate) fn results(body: &Body, preflight: &Preflight<&[u8]>, has_warnings: bool) -> String {
    let places = Places::new(&body.bytes);
    let location =
        |pointer: Option<&str>, span: Option<Range<usize>>| location(body, &places, pointer, span);
    let violations = preflight.violations().map(|violation| {
        json!({
            "ruleId": violation.rule().identifier(),
            "level": "error",
            "message": {"text": format!("{} {}", sentence(violation.rule().meaning()), violation.remedy())},
            "locations": [location(violation.pointer().as_deref(), violation.span())],
            "properties": {"code": violation.code().number(), "operation": body.operation.name()},
        })
    });
    let warnings = preflight
        .warnings()
        .take(if has_warnings { usize::MAX } else { 0 })
        .map(|warning| {
            json!({
                "ruleId": warning.kind().identifier(),
                "level": "warning",
                "message": {"text": sentence(&warning.message())},
                "locations": [location(warning.pointer(), warning.span())],
            })
        });
    let mut results = String::new();
    for result in violations.chain(warnings) {
        if !results.is_empty() {
            results.push_str(",\n");
        }
        results.push_str(&result.to_string());
    }
    results
}

fn location(
    body: &Body,
    places: &Places<'_>,
    pointer: Option<&str>,
    span: Option<Range<usize>>,
) -> Value {
    let mut physical = json!({"artifactLocation": {"uri": uri(&body.path)}});
    if let Some(span) = span {
        let first_line = body.line.unwrap_or(1);
        let (start, end) = (places.of(span.start), places.of(span.end));
        let mut region = json!({
            "startLine": first_line + start.line,
            "startColumn": start.column + 1,
            "endLine": first_line + end.line,
            "endColumn": end.column + 1,
        });
        if body.line.is_none() {
            // Of a line only the offset in the line is known, and not that in the file.
            region["byteOffset"] = json!(span.start);
            region["byteLength"] = json!(span.len());
        }
        physical["region"] = region;
    }
    let mut location = json!({"physicalLocation": physical});
    if let Some(pointer) = pointer {
        location["logicalLocations"] = json!([{"fullyQualifiedName": pointer}]);
    }
    location
}

/// A relative reference to a file (RFC 3986, section 4.2).
fn uri(path: &Path) -> String {
    let path = if path == Path::new("-") {
        Path::new("standard-input")
    } else {
        path
    };
    percent_encode(path.as_os_str().as_encoded_bytes(), PATH).to_string()
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut characters = clause.trim_end_matches('.').chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}
