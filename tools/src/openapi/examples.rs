//! An example of each code: a call, which the library decides here, so that its answer is the library's own.

use franking::{Call, Code, Operation, Policy, Rule, decide};
use franking_cli::World;
use serde::Deserialize;
use serde_json::{Map, Value};

const FILE: &str = include_str!("examples.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    /// What the host knows.
    world: Map<String, Value>,
    /// A call of each operation that is accepted.
    accepted: Map<String, Value>,
    /// For each operation, how the call or the account of each example differs.
    examples: std::collections::BTreeMap<String, Vec<Difference>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    code: u16,
    method: Option<String>,
    /// Members of the call; null leaves a member out.
    #[serde(default)]
    call: Map<String, Value>,
    /// Members of its first request.
    #[serde(default)]
    request: Map<String, Value>,
    /// Members of the account.
    #[serde(default)]
    account: Map<String, Value>,
    #[serde(default)]
    policy: Map<String, Value>,
    commits: Option<Value>,
}

/// A call and its answer.
pub(super) struct Example {
    /// The code that the file states and that the call gets.
    pub(super) code: Code,
    /// The rule that the call breaks; `None` when it is accepted.
    pub(super) rule: Option<Rule>,
    pub(super) method: String,
    /// The body of the call.
    pub(super) call: Value,
    /// The body of the answer.
    pub(super) answer: Value,
    /// The settings of the policy that are not the default.
    pub(super) policy: Map<String, Value>,
}

impl Example {
    /// What is special about it, in whole sentences.
    pub(super) fn situation(&self, operation: Operation) -> String {
        let mut text = match self.rule {
            None => "The call is accepted.".to_string(),
            Some(rule) => format!(
                "`{rule}`: {}. {}",
                rule.meaning(),
                rule.remedy_on(operation)
            ),
        };
        if self.method != "POST" {
            text += &format!(" Here it is sent by {}.", self.method);
        }
        if !self.policy.is_empty() {
            let policy = Value::Object(self.policy.clone());
            text += &format!(" Here the host's policy is {policy}.");
        }
        text
    }
}

/// The examples of an operation, in the order of their codes.
pub(super) fn of(operation: Operation) -> Result<Vec<Example>, String> {
    let form: Form = serde_json::from_str(FILE).map_err(|error| format!("examples: {error}"))?;
    let differences = form.examples.get(operation.name()).into_iter().flatten();
    differences
        .map(|difference| {
            let example = example(operation, &form, difference);
            example.map_err(|error| format!("{} {}: {error}", operation.name(), difference.code))
        })
        .collect()
}

fn example(operation: Operation, form: &Form, difference: &Difference) -> Result<Example, String> {
    let mut call = form.accepted.get(operation.name()).cloned();
    let call = call.as_mut().ok_or("no call is accepted")?;
    change(Some(&mut *call), &difference.call)?;
    if !difference.request.is_empty() {
        change(call.pointer_mut("/requests/0"), &difference.request)?;
    }
    let (code, rule, answer) = decided(operation, form, difference, call)?;
    if code.number() != difference.code {
        return Err(format!("the call gets {code}"));
    }
    Ok(Example {
        code,
        rule,
        method: difference.method().into(),
        call: call.clone(),
        answer,
        policy: difference.policy.clone(),
    })
}

impl Difference {
    fn method(&self) -> &str {
        self.method.as_deref().unwrap_or("POST")
    }
}

/// Has the library decide a call, with a host that knows what the file states.
fn decided(
    operation: Operation,
    form: &Form,
    difference: &Difference,
    call: &Value,
) -> Result<(Code, Option<Rule>, Value), String> {
    let mut world = Value::Object(form.world.clone());
    change(
        world.pointer_mut("/accounts/<API_KEY>"),
        &difference.account,
    )?;
    if let (Some(world), Some(commits)) = (world.as_object_mut(), &difference.commits) {
        world.insert("commits".into(), commits.clone());
    }
    let policy = Value::Object(difference.policy.clone()).to_string();
    let policy = Policy::from_json(&policy).map_err(|error| error.to_string())?;
    let mut world = World::new(&world, operation)?;
    let body = call.to_string().into_bytes();
    let mut call = Call::new(&policy, operation, difference.method(), body);
    let decision = decide(&mut call, &mut world).map_err(|error| error.to_string())?;
    let code = decision.code().ok_or("the call gets no code")?;
    let answer = decision.response().ok_or("the call gets no answer")?;
    let answer = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    let rule = decision.violation().map(|violation| violation.rule());
    Ok((code, rule, answer))
}

/// Sets members of an object, and removes those that are null.
fn change(object: Option<&mut Value>, members: &Map<String, Value>) -> Result<(), String> {
    let object = object.and_then(Value::as_object_mut);
    let object = object.ok_or("there is no object to change")?;
    for (name, value) in members {
        match value {
            Value::Null => drop(object.remove(name)),
            value => drop(object.insert(name.clone(), value.clone())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test that meets the unexpected should stop"
    )]

    use super::*;
    use crate::openapi::document::answers;

    fn document() -> Value {
        let path = crate::root().join("docs/openapi.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    #[test]
    fn the_example_call_of_each_code_in_the_document_gets_that_code_and_the_answer_beside_it() {
        let (document, form): (Value, Form) = (document(), serde_json::from_str(FILE).unwrap());
        for operation in Operation::ALL.iter().copied() {
            let post = &document["paths"][operation.path()]["post"];
            let content = |part: &Value| part["content"]["application/json"]["examples"].clone();
            let (calls, replies) = (
                content(&post["requestBody"]),
                content(&post["responses"]["200"]),
            );
            let mut codes = Vec::new();
            for difference in &form.examples[operation.name()] {
                let name = difference.code.to_string();
                // A call by another method is not among the examples that are posted.
                let call = match difference.method() {
                    "POST" => calls[&name]["value"].clone(),
                    _ => Value::Null,
                };
                let (code, _, answer) = decided(operation, &form, difference, &call).unwrap();
                assert_eq!(
                    (code.to_string(), &answer),
                    (name.clone(), &replies[&name]["value"])
                );
                codes.push(code);
            }
            let answering = Code::all(operation).filter(|code| answers(*code, operation));
            assert!(codes.iter().copied().eq(answering), "{codes:?}");
            assert_eq!(replies.as_object().unwrap().len(), codes.len());
        }
    }

    #[test]
    fn an_example_that_gets_another_code_than_it_says_is_an_error() {
        let mut form: Form = serde_json::from_str(FILE).unwrap();
        form.examples.get_mut("sendMailer").unwrap()[0].code = 602;
        let difference = &form.examples["sendMailer"][0];
        let error = example(Operation::SendMailer, &form, difference).err();
        assert_eq!(error.as_deref(), Some("the call gets 200"));
    }
}
