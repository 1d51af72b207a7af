//! The document itself.

use std::collections::BTreeMap;

use franking::{Code, MAX_TRANSACTION_ID, Operation, Rule};

use super::Described;
use super::events;
use super::examples::Example;
use super::node::{Node, object};
use super::pages::Status;

const ABOUT: &str = "\
The two operations of the interface, and what the service adds to them over HTTP.

`x-origin` says whose a part is. `interface`: every host of the interface has it, with these fields and codes. `service`: only \
`franking-service` has it. A part without it is of the same origin as the part that it is in.

Bodies are read more leniently than the schemas say: a text field takes a number as well, an id takes a string of digits, and \
a flag takes `true`, `false`, `\"0\"` and `\"1\"`. Fields that are not known are ignored. A call that breaks a schema gets a code \
like any other call.

Calls have no `Authorization` header: the account's API key is in the body. Events are read with it as a bearer token.";

/// Statuses of paths that are not the interface's.
const ELSEWHERE: [u16; 2] = [404, 405];

pub(super) fn write(described: &Described) -> Node {
    let mut paths: Vec<(String, Node)> = Vec::new();
    for operation in Operation::ALL.iter().copied() {
        let post = call(described, operation);
        paths.push((operation.path().into(), object! {"post": post}));
    }
    paths.push((
        "/openapi.json".into(),
        object! {"get": itself(&described.statuses)},
    ));
    let others = of_any_path(&described.statuses);
    paths.push(("/events".into(), object! {"get": events::operation(others)}));
    object! {
        "openapi": "3.1.0",
        "info": object! {
            "title": "franking",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "A transactional email API",
            "description": ABOUT,
            "license": object! {"name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE")},
        },
        "servers": Node::list([object! {"url": "/", "description": "Where this document is served"}]),
        "tags": Node::list([
            object! {"name": "interface", "description": "The operations that send emails."},
            object! {"name": "service", "description": "What the service adds."},
        ]),
        "security": Node::List(Vec::new()),
        "paths": Node::Map(paths),
        "webhooks": object! {"event": object! {"post": events::webhook()}},
        "components": components(described),
    }
}

fn schema_name(operation: Operation, what: &str) -> String {
    let name = operation.name();
    let (first, rest) = name.split_at_checked(1).unwrap_or((name, ""));
    format!("{}{rest}{what}", first.to_ascii_uppercase())
}

pub(super) fn reference(group: &str, name: &str) -> Node {
    object! {"$ref": format!("#/components/{group}/{name}")}
}

fn call(described: &Described, operation: Operation) -> Node {
    let examples = described.examples(operation);
    let mut members: Vec<(String, Node)> = Vec::new();
    let mut put = |name: &str, node: Node| members.push((name.into(), node));
    put("operationId", operation.name().into());
    put("tags", Node::list(["interface"]));
    put("x-origin", "interface".into());
    put("summary", described.summary(operation).into());
    put("description", description(operation).into());
    if operation.deprecation().is_some() {
        put("deprecated", true.into());
    }
    put(
        "parameters",
        Node::list([reference("parameters", "IdempotencyKey")]),
    );
    let posted = examples.iter().filter(|example| example.method == "POST");
    let schema = reference("schemas", &schema_name(operation, "Call"));
    put(
        "requestBody",
        object! {
            "required": true,
            "content": object! {"application/json": object! {
                "schema": schema,
                "examples": Node::map(posted.map(|example| {
                    (example.code.to_string(), shown(example, operation, &example.call))
                })),
            }},
        },
    );
    let mut responses = vec![("200".to_string(), answered(examples, operation))];
    for status in of_calls(&described.statuses) {
        responses.push((
            status.to_string(),
            reference("responses", &problem_name(status)),
        ));
    }
    put("responses", Node::Map(responses));
    Node::Map(members)
}

/// The statuses of problems that a call can get.
fn of_calls(statuses: &BTreeMap<u16, Status>) -> impl Iterator<Item = u16> {
    let statuses = statuses.keys().copied();
    statuses.filter(|status| !ELSEWHERE.contains(status))
}

fn problem_name(status: u16) -> String {
    format!("Problem{status}")
}

/// An example, with what is special about it.
fn shown(example: &Example, operation: Operation, value: &serde_json::Value) -> Node {
    let meaning = example.code.meaning(operation).unwrap_or_default();
    object! {
        "summary": format!("{}: {meaning}", example.code),
        "description": example.situation(operation),
        "value": value.clone(),
    }
}

fn description(operation: Operation) -> String {
    let mut text = String::new();
    if operation.path().ends_with(".php") {
        text += "The path may be written without `.php`. ";
    }
    text += "A call that is decided is answered with HTTP status 200, also where it is refused: `code` says which. One \
        that is sent by another method than POST gets code 401.\n\nThe codes:\n";
    for code in Code::all(operation) {
        let meaning = code.meaning(operation).unwrap_or_default();
        text += &format!("\n- `{code}` {meaning}");
        if answers(code, operation) {
            let retry = code.retry(operation).map_or("", franking::Retry::name);
            text += &format!(" (sending it again: {retry})");
        } else {
            text += ". An outcome of an email: it never answers a call.";
        }
    }
    text
}

/// Whether a code can answer a call.
pub(super) fn answers(code: Code, operation: Operation) -> bool {
    code == Code::SUCCESS
        || Rule::ALL
            .iter()
            .any(|rule| rule.code(operation) == Some(code))
}

fn answered(examples: &[Example], operation: Operation) -> Node {
    let mut headers = vec![(
        "Idempotent-Replayed".to_string(),
        object! {
            "x-origin": "service",
            "description": "The answer is the one that the first call with this Idempotency-Key got; nothing was done now.",
            "schema": object! {"type": "string", "enum": Node::list(["true"])},
        },
    )];
    if let Some(deprecation) = operation.deprecation() {
        for (name, value, says) in [
            (
                "Sunset",
                deprecation.sunset,
                "When the operation ends (RFC 8594).",
            ),
            (
                "Deprecation",
                deprecation.deprecation,
                "Since when it is deprecated (RFC 9745).",
            ),
        ] {
            let schema = object! {"type": "string", "const": value};
            headers.push((name.into(), object! {"description": says, "schema": schema}));
        }
    }
    let examples = examples.iter();
    let examples = examples.map(|one| (one.code.to_string(), shown(one, operation, &one.answer)));
    object! {
        "description": "The call is decided.",
        "headers": Node::Map(headers),
        "content": object! {"application/json": object! {
            "schema": reference("schemas", &schema_name(operation, "Answer")),
            "examples": Node::map(examples),
        }},
    }
}

fn components(described: &Described) -> Node {
    let mut schemas = vec![
        ("SendMailerCall".to_string(), described.send_mailer.schema()),
        (
            "HttpSendMailCall".to_string(),
            described.http_send_mail.schema(),
        ),
        (
            "HttpSendMailRequest".to_string(),
            described.request.schema(),
        ),
    ];
    for operation in Operation::ALL.iter().copied() {
        schemas.push((schema_name(operation, "Answer"), answer(operation)));
    }
    schemas.extend(events::schemas());
    schemas.push((
        "Problem".into(),
        object! {
            "x-origin": "service",
            "description": "Why a request was not answered as the interface answers (RFC 9457).",
            "type": "object",
            "properties": object! {
                "title": object! {"type": "string"},
                "status": object! {"type": "integer", "minimum": 400, "maximum": 599},
                "detail": object! {"type": "string"},
            },
            "required": Node::list(["title", "status", "detail"]),
        },
    ));
    let statuses = described.statuses.iter();
    let responses = statuses.filter(|(status, _)| !ELSEWHERE.contains(status));
    object! {
        "schemas": Node::Map(schemas),
        "parameters": object! {"IdempotencyKey": object! {
            "name": "Idempotency-Key",
            "in": "header",
            "x-origin": "service",
            "description": "A key of the caller's choice, with which a call can be sent again: it is carried out once, and the \
                first answer is given again for 24 hours. Each account has keys of its own.",
            "required": false,
            // The visible characters of ASCII and spaces. HTTP removes spaces at either end.
            "schema": object! {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$"},
        }},
        "responses": Node::map(responses.map(|(number, status)| (problem_name(*number), problem(status)))),
        "securitySchemes": object! {"apiKey": object! {
            "x-origin": "service",
            "type": "http",
            "scheme": "bearer",
            "description": "The account's API key.",
        }},
    }
}

/// The answer to a call of an operation. Its values are strings or numbers, as the host's policy says.
fn answer(operation: Operation) -> Node {
    let codes = || Code::all(operation).filter(move |code| answers(*code, operation));
    let texts = codes().map(|code| code.to_string());
    let numbers = codes().map(Code::number);
    object! {
        "type": "object",
        "properties": object! {
            "code": object! {
                "description": "The result. A host writes it as a string or as a number.",
                "anyOf": Node::list([
                    object! {"type": "string", "enum": Node::list(texts)},
                    object! {"type": "integer", "enum": Node::list(numbers)},
                ]),
            },
            "status": object! {
                "description": "Success or Error, or the meaning of the code, as the host chooses.",
                "type": "string",
            },
            "transactionId": object! {
                "description": "The number of the call. It is there when the code is 200. A host writes it as a string or as a number.",
                "anyOf": Node::list([
                    object! {"type": "string", "pattern": "^[1-9][0-9]{0,15}$"},
                    object! {"type": "integer", "minimum": 1, "maximum": MAX_TRANSACTION_ID},
                ]),
            },
        },
        "required": Node::list(["code", "status"]),
    }
}

fn problem(status: &Status) -> Node {
    let mut members = vec![
        ("x-origin".to_string(), Node::from("service")),
        (
            "description".to_string(),
            Node::from(format!("When {}.", status.when.join("; or when "))),
        ),
    ];
    if status.has_retry_after {
        let schema = object! {"type": "integer", "minimum": 1};
        let header = object! {
            "description": "Seconds after which the call can be sent again. Without this header it may have been carried out.",
            "schema": schema,
        };
        members.push(("headers".into(), object! {"Retry-After": header}));
    }
    members.push(("content".into(), problem_schema()));
    Node::Map(members)
}

/// The content of a problem.
pub(super) fn problem_schema() -> Node {
    let schema = object! {"schema": reference("schemas", "Problem")};
    object! {"application/problem+json": schema}
}

/// The responses that a request of any path can get.
fn of_any_path(statuses: &BTreeMap<u16, Status>) -> Vec<(String, Node)> {
    let known = [421, 500, 503].into_iter();
    let known = known.filter(|status| statuses.contains_key(status));
    known
        .map(|status| {
            let response = reference("responses", &problem_name(status));
            (status.to_string(), response)
        })
        .collect()
}

/// The description of the path at which this document is served.
fn itself(statuses: &BTreeMap<u16, Status>) -> Node {
    let etag = || {
        object! {"ETag": object! {
            "description": "Changes with the document.",
            "schema": object! {"type": "string"},
        }}
    };
    let mut responses = vec![
        (
            "200".to_string(),
            object! {
                "description": "This document.",
                "headers": etag(),
                "content": object! {"application/json": object! {"schema": object! {"type": "object"}}},
            },
        ),
        (
            "304".to_string(),
            object! {
                "description": "The document is the one that If-None-Match names.",
                "headers": etag(),
            },
        ),
    ];
    responses.extend(of_any_path(statuses));
    object! {
        "operationId": "description",
        "tags": Node::list(["service"]),
        "x-origin": "service",
        "summary": "This document",
        "responses": Node::Map(responses),
    }
}
