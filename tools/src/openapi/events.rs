//! The events that an account reads, and that are posted to its webhooks.

use franking::{Event, EventType};

use super::document::{problem_schema, reference};
use super::node::{Node, object};

/// `GET /events`.
pub(super) fn operation(others: impl IntoIterator<Item = (String, Node)>) -> Node {
    let mut responses = vec![(
        "200".to_string(),
        object! {
            "description": "Events, and where to go on.",
            "content": object! {"application/json": object! {"schema": reference("schemas", "EventPage")}},
        },
    )];
    for (status, when) in [
        (
            "400",
            "When the query has anything but after, limit and wait, or one of them cannot be.",
        ),
        ("401", "When no account has the API key, or there is none."),
        (
            "410",
            "When events after this number were deleted because their time was over. Without after, reading begins at the oldest that is kept.",
        ),
    ] {
        responses.push((
            status.into(),
            object! {"description": when, "content": problem_schema()},
        ));
    }
    responses.extend(others);
    object! {
        "operationId": "events",
        "tags": Node::list(["service"]),
        "x-origin": "service",
        "summary": "What became of an account's emails and of their readers",
        "description": "No event is ever added before a next that was answered: whoever keeps it after it has dealt with a page gets each \
            event at least once.",
        "security": Node::list([object! {"apiKey": Node::List(Vec::new())}]),
        "parameters": Node::list([
            parameter(
                "after",
                "The next of the answer before. Without it reading begins at the oldest event that is kept.",
                object! {"type": "string", "pattern": "^[0-9]{1,18}$"},
            ),
            parameter(
                "limit",
                "How many events at most.",
                object! {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
            ),
            parameter(
                "wait",
                "How many seconds to wait for the first event.",
                object! {"type": "integer", "minimum": 0, "maximum": 30, "default": 0},
            ),
        ]),
        "responses": Node::Map(responses),
    }
}

fn parameter(name: &str, description: &str, schema: Node) -> Node {
    object! {
        "name": name,
        "in": "query",
        "required": false,
        "description": description,
        "schema": schema,
    }
}

/// The description of a post to a webhook.
pub(super) fn webhook() -> Node {
    let header = |name: &str, description: &str, pattern: &str| {
        object! {
            "name": name,
            "in": "header",
            "required": true,
            "description": description,
            "schema": object! {"type": "string", "pattern": pattern},
        }
    };
    object! {
        "operationId": "event",
        "tags": Node::list(["service"]),
        "x-origin": "service",
        "summary": "Something happened to an email or to its reader",
        "description": "Posted at least once, and signed as Standard Webhooks 1.0.0 says. What is not answered by a status of 2xx within 15 \
            seconds is posted again, for three days.",
        "parameters": Node::list([
            header("webhook-id", "The event's id: the same each time it is posted.", "^[1-9][0-9]{0,18}$"),
            header("webhook-timestamp", "When it was signed, in seconds since 1970.", "^[0-9]+$"),
            header(
                "webhook-signature",
                "A signature by each live secret: v1 by a shared secret, v1a by a key pair.",
                "^v1a?,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$",
            ),
        ]),
        "requestBody": object! {
            "required": true,
            "content": object! {"application/json": object! {"schema": reference("schemas", "Event")}},
        },
        "responses": object! {
            "2XX": object! {"description": "The event was taken. The body is not read."},
            "410": object! {"description": "The endpoint is gone: it is posted to no more."},
            "default": object! {"description": "It was not taken, and is posted again."},
        },
    }
}

/// The schemas of a page and of an event.
pub(super) fn schemas() -> [(String, Node); 2] {
    let names = EventType::ALL.iter().map(|one| one.name());
    let codes = Event::ALL.iter().map(|event| event.code().to_string());
    let text = |description: &str| {
        object! {
            "description": description,
            "type": Node::list(["string", "null"]),
        }
    };
    let data = object! {
        "type": "object",
        "properties": object! {
            "id": object! {"description": "Its number.", "type": "string", "pattern": "^[1-9][0-9]{0,18}$"},
            "code": object! {
                "description": "The interface's code for it (section 6).",
                "anyOf": Node::list([
                    object! {"type": "string", "enum": Node::list(codes)},
                    object! {"type": "null"},
                ]),
            },
            "transactionId": text("That of the call."),
            "customField": text("That of the call."),
            "recipient": text("The recipient's address, as long as it is stored."),
            "status": text("The enhanced status code (RFC 3463)."),
            "reason": text("Why, in the words of a mail server, a report or the operator."),
        },
        "required": Node::list([
            "id", "code", "transactionId", "customField", "recipient", "status", "reason",
        ]),
    };
    let event = object! {
        "x-origin": "service",
        "description": "Something that happened to an email or to its reader. What is not known is null. Other types may come.",
        "type": "object",
        "properties": object! {
            "type": object! {"type": "string", "enum": Node::list(names)},
            "timestamp": object! {
                "description": "When it happened, in UTC (RFC 3339).",
                "type": Node::list(["string", "null"]),
                "format": "date-time",
            },
            "data": data,
        },
        "required": Node::list(["type", "timestamp", "data"]),
    };
    let page = object! {
        "x-origin": "service",
        "type": "object",
        "properties": object! {
            "events": object! {"type": "array", "items": reference("schemas", "Event"), "maxItems": 1000},
            "next": object! {
                "description": "What to give as after the next time.",
                "type": "string",
                "pattern": "^(0|[1-9][0-9]{0,18})$",
            },
        },
        "required": Node::list(["events", "next"]),
    };
    [("Event".into(), event), ("EventPage".into(), page)]
}
