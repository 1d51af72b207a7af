//! The fields of a body: what each takes, which have to be there, and which codes they can get.

use franking::unstable::rows::{self, FieldRow, Takes};
use franking::{Operation, Policy, Rule};
use serde_json::Value;

use super::node::{Node, object};
use super::pages::{self, FieldText};

/// The fields of one level of a body.
pub(super) struct Level {
    operation: Operation,
    pub(super) fields: Vec<Field>,
}

/// A field, with what the tables and the page of the interface say of it.
pub(super) struct Field {
    pub(super) row: FieldRow,
    pub(super) text: FieldText,
    pub(super) is_required: bool,
    /// The rules that judge it.
    pub(super) rules: Vec<Rule>,
}

impl Level {
    pub(super) fn of_call(operation: Operation, page: &str) -> Result<Self, String> {
        Self::of(operation, rows::of_call(operation), page)
    }

    pub(super) fn of_request(page: &str) -> Result<Self, String> {
        Self::of(Operation::HttpSendMail, rows::of_request(), page)
    }

    fn of(
        operation: Operation,
        rows: impl Iterator<Item = FieldRow>,
        page: &str,
    ) -> Result<Self, String> {
        let rows: Vec<FieldRow> = rows.collect();
        let texts = pages::fields(page, &format!("## {}", operation.name()))?;
        let required = required(operation, &rows);
        let fields = rows.into_iter().map(|row| {
            let name = row.name;
            let text = texts.get(name).cloned();
            let rules = Rule::ALL.iter().copied();
            let judges =
                |rule: &Rule| rule.code(operation).is_some() && rule.fields().contains(&name);
            Ok(Field {
                row,
                text: text.ok_or(format!("docs/interface.md has no field {name}"))?,
                is_required: required.contains(&name),
                rules: rules.filter(judges).collect(),
            })
        });
        let fields = fields.collect::<Result<_, String>>()?;
        Ok(Self { operation, fields })
    }

    /// The fields of this level that a rule judges.
    fn judged(&self, rule: Rule) -> Vec<&'static str> {
        let names = self.fields.iter().map(|field| field.row.name);
        names.filter(|name| rule.fields().contains(name)).collect()
    }

    pub(super) fn schema(&self) -> Node {
        let fields = self.fields.iter();
        let properties = fields.map(|field| (field.row.name, field.schema(self.operation)));
        let required = self.fields.iter().filter(|field| field.is_required);
        let mut members = vec![
            ("type".to_string(), Node::from("object")),
            ("properties".to_string(), Node::map(properties)),
            (
                "required".to_string(),
                Node::list(required.map(|field| field.row.name)),
            ),
        ];
        if self.operation == Operation::SendMailer {
            let needs = object! {"fromName": Node::list(self.judged(Rule::SenderMissing))};
            members.push(("dependentRequired".to_string(), needs));
        }
        // Generators of clients read a schema with `anyOf` as a choice of types. With `if` the schema is one type.
        if let [others @ .., last] = self.judged(Rule::RecipientMissing).as_slice() {
            let others = others
                .iter()
                .map(|name| object! {"required": Node::list([*name])});
            let none = object! {"not": object! {"anyOf": Node::list(others)}};
            members.push(("if".to_string(), none));
            members.push((
                "then".to_string(),
                object! {"required": Node::list([*last])},
            ));
        }
        Node::Map(members)
    }
}

/// The fields that every call needs: a rule says that one is missing, and no other field can stand in for it.
fn required(operation: Operation, rows: &[FieldRow]) -> Vec<&'static str> {
    let missing = Rule::ALL.iter().filter(|rule| {
        let needs_another = operation == Operation::SendMailer && **rule == Rule::SenderMissing;
        rule.code(operation).is_some() && rule.identifier().ends_with("-missing") && !needs_another
    });
    let names = missing.filter_map(|rule| {
        let mut own = rows.iter().filter(|row| rule.fields().contains(&row.name));
        match (own.next(), own.next()) {
            (Some(row), None) => Some(row.name),
            _ => None,
        }
    });
    names.collect()
}

impl Field {
    /// Whether the field is exactly one address.
    fn is_address(&self, operation: Operation) -> bool {
        self.rules.iter().any(|rule| match rule {
            Rule::SenderMalformed | Rule::ReplyToMalformed => true,
            Rule::RecipientMalformed => operation == Operation::SendMailer,
            _ => false,
        })
    }

    fn schema(&self, operation: Operation) -> Node {
        let mut schema: Vec<(String, Node)> = Vec::new();
        let mut put = |name: &str, node: Node| schema.push((name.into(), node));
        match self.row.takes {
            Takes::Text => {
                put("type", "string".into());
                if self.is_address(operation) {
                    put("format", "idn-email".into());
                }
                // An empty text counts as absent.
                if self.is_required {
                    put("minLength", 1.into());
                }
            }
            Takes::Day => {
                put("type", "string".into());
                put("format", "date".into());
            }
            Takes::Id => {
                put("type", "integer".into());
                put("format", "int64".into());
                put("minimum", 1.into());
                put("maximum", i64::MAX.into());
            }
            Takes::Flag => {
                put("type", "integer".into());
                put("enum", Node::list([0, 1]));
            }
            Takes::Requests => {
                put("type", "array".into());
                put("minItems", 1.into());
                put(
                    "maxItems",
                    Value::from(Policy::default().max_requests()).into(),
                );
                put(
                    "items",
                    object! {"$ref": "#/components/schemas/HttpSendMailRequest"},
                );
            }
        }
        put("description", self.description(operation).into());
        Node::Map(schema)
    }

    fn description(&self, operation: Operation) -> String {
        let mut text = format!("{}.", self.text.takes);
        if let Some(absent) = &self.text.absent {
            text += &format!(" When absent: {absent}.");
        }
        if let Some(alias) = self.row.alias {
            text += &format!(" Also spelled `{alias}`.");
        }
        if let Some(part) = self.row.remedy {
            text += &format!(" {part}");
        }
        if !self.rules.is_empty() {
            text += "\n";
        }
        for rule in &self.rules {
            if let Some(code) = rule.code(operation) {
                text += &format!("\n- {code} `{rule}`: {}", rule.meaning());
            }
        }
        text
    }

    /// The type of the field, in a word with its bounds.
    pub(super) fn kind(&self, operation: Operation) -> String {
        match self.row.takes {
            Takes::Text if self.is_address(operation) => "string, an address".into(),
            Takes::Text => "string".into(),
            Takes::Day => "string, yyyy-mm-dd".into(),
            Takes::Id => format!("integer, 1 to {}", i64::MAX),
            Takes::Flag => "0 or 1".into(),
            Takes::Requests => format!(
                "array of 1 to {} requests",
                Policy::default().max_requests()
            ),
        }
    }
}
