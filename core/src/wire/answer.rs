//! The response to a call, written for the caller (interface, section 2.6).

use alloc::borrow::Cow;
use alloc::string::String;

use crate::code::Code;
use crate::operation::Operation;
use crate::policy::{AnswerStatus, AnswerValues, Policy};
use crate::serialize::to_json;

/// Writes an answer. `place` is the place of the violation, for a policy that shows it.
pub(crate) fn write(
    policy: &Policy,
    operation: Operation,
    code: Code,
    place: Option<&str>,
    transaction_id: Option<u64>,
) -> String {
    let status = match policy.answer_status() {
        AnswerStatus::Word if code == Code::SUCCESS => Cow::Borrowed("\"Success\""),
        AnswerStatus::Word => Cow::Borrowed("\"Error\""),
        status => Cow::Owned(meaning(status, operation, code, place)),
    };
    let is_quoted = policy.answer_values() == AnswerValues::Strings;
    let mut answer = String::with_capacity(ROOM + status.len());
    answer.push_str("{\"code\":");
    push_number(&mut answer, code.number(), is_quoted);
    answer.push_str(",\"status\":");
    answer.push_str(&status);
    if let Some(id) = transaction_id {
        answer.push_str(",\"transactionId\":");
        push_number(&mut answer, id, is_quoted);
    }
    answer.push('}');
    answer
}

/// The most bytes of an answer without its status. The NUL that the C library appends is included: otherwise it would need a
/// second allocation.
const ROOM: usize = "{'code':'100','status':,'transactionId':'9007199254740991'}\0".len();

fn push_number(answer: &mut String, number: impl itoa::Integer, is_quoted: bool) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number);
    if is_quoted {
        answer.push('"');
        answer.push_str(digits);
        answer.push('"');
    } else {
        answer.push_str(digits);
    }
}

/// The status under a policy that shows the meaning of a code, as a JSON string.
#[cold]
fn meaning(status: AnswerStatus, operation: Operation, code: Code, place: Option<&str>) -> String {
    // Operations answer only with codes that they have, so each code has a meaning.
    let meaning = code.meaning(operation).unwrap_or("Error");
    let place = place.filter(|_| status == AnswerStatus::Place);
    to_json(&place.map_or(Cow::Borrowed(meaning), |place| {
        Cow::Owned(alloc::format!("{meaning} at {place}"))
    }))
}

/// The largest transaction id of a call: the largest number that every JSON reader keeps exact.
pub const MAX_TRANSACTION_ID: u64 = (1 << 53) - 1;

/// Whether the number is a valid transaction id: 1 to 2^53-1.
pub(crate) fn is_transaction_id(id: u64) -> bool {
    (1..=MAX_TRANSACTION_ID).contains(&id)
}
