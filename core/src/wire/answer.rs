//! The answer to a call: written for the caller (interface, section 2.6), and read by a client.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;

use serde_json::Value;

use crate::code::Code;
use crate::operation::Operation;
use crate::policy::{AnswerStatus, AnswerValues, Policy};

/// What stands around the values of an answer.
struct Form {
    before_code: &'static str,
    before_status: &'static str,
    before_id: &'static str,
    /// Behind the transaction id.
    end: &'static str,
    /// All that comes before the transaction id in the answer to most calls.
    success: &'static str,
}

/// A form whose code and transaction id stand between these quotes.
macro_rules! form {
    ($quote:literal) => {
        form!(
            $quote,
            "{\"code\":",
            ",\"status\":\"",
            "\",\"transactionId\":"
        )
    };
    ($quote:literal, $code:literal, $status:literal, $id:literal) => {
        Form {
            before_code: concat!($code, $quote),
            before_status: concat!($quote, $status),
            before_id: concat!($id, $quote),
            end: concat!($quote, "}"),
            success: concat!(
                $code, $quote, "200", $quote, $status, "Success", $id, $quote
            ),
        }
    };
}

const STRINGS: Form = form!("\"");
const NUMBERS: Form = form!("");

/// Writes an answer. `place` is where the violation stands, for a policy that shows it.
pub(crate) fn write(
    policy: &Policy,
    operation: Operation,
    code: Code,
    place: Option<&str>,
    transaction_id: Option<u64>,
) -> String {
    let form = match policy.answer_values() {
        AnswerValues::Strings => STRINGS,
        AnswerValues::Numbers => NUMBERS,
    };
    let mut digits = itoa::Buffer::new();
    let id = transaction_id.map(|id| digits.format(id));
    match (policy.answer_status(), code, id) {
        // In three parts: each copy depends on the one before it.
        (AnswerStatus::Word, Code::SUCCESS, Some(id)) => [form.success, id, form.end].concat(),
        (AnswerStatus::Word, ..) => any(&form, code, word(code), id),
        (status, ..) => any(
            &form,
            code,
            &other_status(status, operation, code, place),
            id,
        ),
    }
}

/// Any answer.
fn any(form: &Form, code: Code, status: &str, id: Option<&str>) -> String {
    let mut digits = itoa::Buffer::new();
    let code = digits.format(u64::from(code.number()));
    let [before_id, id, end] = match id {
        Some(id) => [form.before_id, id, form.end],
        None => ["\"}", "", ""],
    };
    let parts = [
        form.before_code,
        code,
        form.before_status,
        status,
        before_id,
        id,
        end,
    ];
    let length = parts.iter().map(|part| part.len()).sum();
    let mut answer = String::with_capacity(length);
    answer.extend(parts);
    answer
}

fn word(code: Code) -> &'static str {
    if code == Code::SUCCESS {
        "Success"
    } else {
        "Error"
    }
}

/// The status of a policy that shows more than a word.
#[cold]
fn other_status(
    status: AnswerStatus,
    operation: Operation,
    code: Code,
    place: Option<&str>,
) -> Cow<'static, str> {
    let meaning = code.meaning(operation).unwrap_or_else(|| word(code));
    between_quotes(match place.filter(|_| status == AnswerStatus::Place) {
        Some(place) => Cow::Owned(alloc::format!("{meaning} at {place}")),
        None => Cow::Borrowed(meaning),
    })
}

/// A text as it stands between the quotes of a JSON string.
fn between_quotes(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        return text;
    }
    let quoted = serde_json::to_string(&*text).unwrap_or_default();
    let inside = quoted
        .strip_prefix('"')
        .and_then(|quoted| quoted.strip_suffix('"'));
    Cow::Owned(inside.unwrap_or_default().into())
}

/// An answer as a client reads it. Debug shows the code only: a status may name a place of the call.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    code: Code,
    status: Option<String>,
    transaction_id: Option<u64>,
}

/// A response body that is no answer of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// It is not JSON.
    #[error("the response is not JSON: it may come from a proxy and not from the service")]
    NotJson,
    /// It is JSON, but no object.
    #[error("the response is not a JSON object: it may come from another service")]
    NotObject,
    /// `code` is missing, or no number of three digits.
    #[error("the response has no code of three digits: it may come from another service")]
    Code,
    /// `status` is no text.
    #[error("the status of the response is neither a text nor a number")]
    Status,
    /// `transactionId` is no whole number from 1 to 2^53-1.
    #[error("the transactionId of the response is no whole number from 1 to 9007199254740991")]
    TransactionId,
}

/// The largest transaction id: what every JSON reader keeps exact.
const MAX_TRANSACTION_ID: u64 = (1 << 53) - 1;

/// Whether a host can identify a call by it: 1 to 2^53-1.
pub(crate) fn is_transaction_id(id: u64) -> bool {
    (1..=MAX_TRANSACTION_ID).contains(&id)
}

impl Answer {
    /// Reads a response body; codes and transaction ids may be strings or numbers (interface, section 2.6).
    ///
    /// ```
    /// let answer = franking::Answer::read(r#"{"code":"200","status":"Success","transactionId":7}"#)?;
    /// assert_eq!((answer.code().number(), answer.transaction_id()), (200, Some(7)));
    /// # Ok::<(), franking::AnswerError>(())
    /// ```
    ///
    /// # Errors
    /// [`AnswerError`] says what is wrong with the response.
    pub fn read(text: &str) -> Result<Self, AnswerError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|_| AnswerError::NotJson)?;
        let Value::Object(members) = value else {
            return Err(AnswerError::NotObject);
        };
        let code = members
            .get("code")
            .and_then(digits)
            .filter(|digits| digits.len() == 3);
        let code = code
            .and_then(|digits| digits.parse().ok())
            .and_then(Code::new)
            .ok_or(AnswerError::Code)?;
        let status = match members.get("status") {
            None | Some(Value::Null) => None,
            Some(Value::String(status)) => Some(status.clone()),
            Some(Value::Number(status)) => Some(status.to_string()),
            Some(_) => return Err(AnswerError::Status),
        };
        let transaction_id = match members.get("transactionId") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let id = digits(value).and_then(|digits| digits.parse().ok());
                Some(
                    id.filter(|id| is_transaction_id(*id))
                        .ok_or(AnswerError::TransactionId)?,
                )
            }
        };
        Ok(Self {
            code,
            status,
            transaction_id,
        })
    }

    /// The result code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Whether the call was accepted.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.code == Code::SUCCESS
    }

    /// The status text, if there is one.
    #[must_use]
    pub fn status(&self) -> Option<&str> {
        self.status.as_deref()
    }

    /// The number that identifies the call, if there is one.
    #[must_use]
    pub fn transaction_id(&self) -> Option<u64> {
        self.transaction_id
    }
}

/// The digits of a number or of a string of ASCII digits.
fn digits(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("code", &self.code.number())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_most_calls_is_what_any_answer_is_made_of() {
        for form in [STRINGS, NUMBERS] {
            let expected = any(&form, Code::SUCCESS, word(Code::SUCCESS), Some("1203"));
            assert_eq!([form.success, "1203", form.end].concat(), expected);
        }
    }
}
