//! The response to a call, written for the caller (interface, section 2.6).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::code::Code;
use crate::operation::Operation;
use crate::policy::{AnswerStatus, AnswerValues, Policy};
use crate::written::to_json;

/// Writes an answer. `place` is where the violation stands, for a policy that shows it.
pub(crate) fn write(
    policy: &Policy,
    operation: Operation,
    code: Code,
    place: Option<&str>,
    transaction_id: Option<u64>,
) -> String {
    let [start, to_status, to_id, end] = match policy.answer_values() {
        AnswerValues::Strings => [
            "{\"code\":\"",
            "\",\"status\":",
            ",\"transactionId\":\"",
            "\"}",
        ],
        AnswerValues::Numbers => ["{\"code\":", ",\"status\":", ",\"transactionId\":", "}"],
    };
    let status = match policy.answer_status() {
        AnswerStatus::Word if code == Code::SUCCESS => Cow::Borrowed("\"Success\""),
        AnswerStatus::Word => Cow::Borrowed("\"Error\""),
        status => Cow::Owned(meaning(status, operation, code, place)),
    };
    let (mut code_digits, mut id_digits) = (itoa::Buffer::new(), itoa::Buffer::new());
    let code = code_digits.format(code.number());
    let mut text = match transaction_id.map(|id| id_digits.format(id)) {
        Some(id) => [start, code, to_status, &status, to_id, id, end, SPARE].concat(),
        None => [start, code, to_status, &status, "}", SPARE].concat(),
    };
    text.truncate(text.len().saturating_sub(SPARE.len()));
    text
}

/// Room for the NUL that C wants behind a text: making it later would be an allocation.
const SPARE: &str = "\0";

/// The status of a policy that shows what a code means, as a JSON string.
#[cold]
fn meaning(status: AnswerStatus, operation: Operation, code: Code, place: Option<&str>) -> String {
    // A code that an operation does not have is no answer of it.
    let meaning = code.meaning(operation).unwrap_or("Error");
    let place = place.filter(|_| status == AnswerStatus::Place);
    to_json(&place.map_or(Cow::Borrowed(meaning), |place| {
        Cow::Owned(alloc::format!("{meaning} at {place}"))
    }))
}

/// The largest transaction id that a host can give a call: what every JSON reader keeps exact.
pub const MAX_TRANSACTION_ID: u64 = (1 << 53) - 1;

/// Whether a host can identify a call by it: 1 to 2^53-1.
pub(crate) fn is_transaction_id(id: u64) -> bool {
    (1..=MAX_TRANSACTION_ID).contains(&id)
}
