//! The response to a call, written for the caller (interface, section 2.6).

use alloc::borrow::Cow;
use alloc::string::String;

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

/// The largest transaction id: what every JSON reader keeps exact.
const MAX_TRANSACTION_ID: u64 = (1 << 53) - 1;

/// Whether a host can identify a call by it: 1 to 2^53-1.
pub(crate) fn is_transaction_id(id: u64) -> bool {
    (1..=MAX_TRANSACTION_ID).contains(&id)
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
