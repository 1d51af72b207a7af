//! Writes violations and warnings as a SARIF 2.1.0 log (OASIS, Static Analysis Results Interchange Format).
//!
//! The log is written body by body, so that it is never in memory as a whole.

use std::ops::Range;
use std::path::Path;

use franking::{Operation, Preflight, Rule, WarningKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use serde_json::json;

use crate::input::Body;
use crate::places::Places;

/// The end of the log.
pub(crate) const TAIL: &str = "]}]}";

/// The characters of a path that are percent-encoded: all that a URI's path cannot have (RFC 3986, section 3.3).
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The start of the log: the tool, and all rules and warnings that it may report.
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
pub(crate) fn results(body: &Body, preflight: &Preflight<'_>, has_warnings: bool) -> String {
    let places = Places::new(&body.bytes);
    let location =
        |pointer: Option<&str>, span: Option<Range<usize>>| location(body, &places, pointer, span);
    let mut listed = preflight.listed();
    let violations = listed.by_ref().map(|violation| {
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
    let violations: Vec<_> = violations.collect();
    let more = listed.more();
    let note = (more > 0).then(|| {
        let text = format!("{more} more violations are not listed.");
        json!({"level": "note", "message": {"text": text}})
    });
    let mut results = String::new();
    for result in violations.into_iter().chain(note).chain(warnings) {
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
) -> Location {
    let region = span.map(|span| {
        let first_line = body.line.unwrap_or(1);
        let (start, end) = (places.of(span.start), places.of(span.end));
        // For a body that is a line, only the offset in the line is known, not the offset in the file.
        let is_file = body.line.is_none();
        Region {
            start_line: first_line + start.line,
            start_column: start.column + 1,
            end_line: first_line + end.line,
            end_column: end.column + 1,
            byte_offset: is_file.then_some(span.start),
            byte_length: is_file.then_some(span.len()),
        }
    });
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: uri(&body.path),
            },
            region,
        },
        logical_locations: pointer.map(|pointer| {
            [LogicalLocation {
                fully_qualified_name: pointer.to_string(),
            }]
        }),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[LogicalLocation; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

/// A part of a file. Lines and columns count from 1; the end is after the last character.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_length: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
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
