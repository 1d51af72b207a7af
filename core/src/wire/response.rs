//! The response to a call, read by a client (interface, section 2.6).

use alloc::string::{String, ToString};

use serde_json::Value;

use super::answer::is_transaction_id;
use crate::code::Code;
use crate::debug::debug_shows;

/// A response as a client reads it. Debug shows only the code, because a status may name a place of the call.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The result code.
    pub code: Code,
    /// The status text, if there is one.
    pub status: Option<String>,
    /// The number that identifies the call, if there is one.
    pub transaction_id: Option<u64>,
}

/// The response body is not an answer of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// It is not JSON.
    #[error("the response is not JSON: it may come from a proxy and not from the service")]
    NotJson,
    /// It is JSON, but not an object.
    #[error("the response is not a JSON object: it may come from another service")]
    NotObject,
    /// `code` is missing, or is not a number of three digits.
    #[error("the response has no code of three digits: it may come from another service")]
    Code,
    /// `status` is neither a text nor a number.
    #[error("the status of the response is neither a text nor a number")]
    Status,
    /// `transactionId` is not a whole number from 1 to 2^53-1.
    #[error("the transactionId of the response is not a whole number from 1 to 9007199254740991")]
    TransactionId,
}

impl Response {
    /// Reads a response body; codes and transaction ids may be strings or numbers (interface, section 2.6).
    ///
    /// ```
    /// let response = franking::Response::read(r#"{"code":"200","status":"Success","transactionId":7}"#)?;
    /// assert_eq!((response.code.number(), response.transaction_id), (200, Some(7)));
    /// # Ok::<(), franking::ResponseError>(())
    /// ```
    ///
    /// # Errors
    /// - [`ResponseError::NotJson`] or [`ResponseError::NotObject`] when the text is not a JSON object;
    /// - [`ResponseError::Code`] when it has no code of three digits;
    /// - [`ResponseError::Status`] or [`ResponseError::TransactionId`] when that member has an invalid value.
    pub fn read(text: &str) -> Result<Self, ResponseError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|_| ResponseError::NotJson)?;
        let Value::Object(members) = value else {
            return Err(ResponseError::NotObject);
        };
        let status = |value: &Value| match value {
            Value::String(status) => Some(status.clone()),
            Value::Number(status) => Some(status.to_string()),
            _ => None,
        };
        let id = members.get("transactionId");
        Ok(Self {
            code: members
                .get("code")
                .and_then(code)
                .ok_or(ResponseError::Code)?,
            status: optional(members.get("status"), status, ResponseError::Status)?,
            transaction_id: optional(id, transaction_id, ResponseError::TransactionId)?,
        })
    }

    /// Whether the call was accepted.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.code == Code::SUCCESS
    }
}

/// A member that may be absent or null. If it is there, and `read` cannot read it, that is `error`.
pub(crate) fn optional<T, E>(
    value: Option<&Value>,
    read: impl FnOnce(&Value) -> Option<T>,
    error: E,
) -> Result<Option<T>, E> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).map(Some).ok_or(error),
    }
}

/// A code: a number of three digits.
pub(crate) fn code(value: &Value) -> Option<Code> {
    let digits = digits(value).filter(|digits| digits.len() == 3)?;
    Code::new(digits.parse().ok()?)
}

/// A transaction id, 1 to 2^53-1.
pub(crate) fn transaction_id(value: &Value) -> Option<u64> {
    let id = digits(value)?.parse::<u64>().ok()?;
    is_transaction_id(id).then_some(id)
}

/// The digits of a number or of a string of ASCII digits.
pub(crate) fn digits(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

debug_shows!(this: Response { "code": this.code.number() });
