//! Ids as texts, for languages whose numbers are exact only up to 2^53.

use serde_json::Value;

/// Members that hold an id, or null.
const ONE: &[&str] = &["id", "mailer", "subscriber"];
/// Columns of ids.
const MANY: &[&str] = &["mailers", "subscriber_ids"];

/// Writes the ids of questions and plans as texts.
pub(super) fn to_texts(form: &mut Value) {
    match form {
        Value::Array(items) => items.iter_mut().for_each(to_texts),
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::Number(id) if ONE.contains(&name.as_str()) => {
                        *value = Value::String(id.to_string());
                    }
                    Value::Array(ids) if MANY.contains(&name.as_str()) => {
                        for id in ids {
                            if let Value::Number(number) = id {
                                *id = Value::String(number.to_string());
                            }
                        }
                    }
                    // The members of debit are credits, although one of them is called subscriber.
                    _ if name == "debit" => {}
                    value => to_texts(value),
                }
            }
        }
        _ => {}
    }
}

/// Reads the ids of answers, which may be texts, as numbers. Each text that is a number of JSON becomes that number, even one
/// that cannot be an id, so that it is refused as the number would be: an invalid transaction id is a misuse, and not an
/// answer that cannot be read. Any other text stays as it is.
pub(super) fn to_numbers(answer: &mut Value) {
    for column in ["subscriber_ids", "subscribers"] {
        let rows = answer.pointer_mut(&format!("/facts/{column}"));
        for row in rows.and_then(Value::as_array_mut).into_iter().flatten() {
            row.get_mut("id").map(to_number);
        }
    }
    answer.pointer_mut("/commit/transaction_id").map(to_number);
}

fn to_number(id: &mut Value) {
    if let Value::String(text) = id
        && let Ok(number) = text.parse()
    {
        *id = Value::Number(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use franking_core::{Kind, RECORDS};
    use serde_json::json;

    #[test]
    fn every_id_of_the_table_of_records_becomes_a_text() {
        // A transaction id is at most 2^53 - 1, and no call asks or says anything about notices.
        let of_calls = RECORDS.iter().filter(|record| record.name != "Notice");
        for field in of_calls.flat_map(|record| record.fields) {
            let is_id = matches!(field.kind, Kind::Id) && field.name != "transaction_id";
            assert!(!is_id || ONE.contains(&field.name), "{}", field.name);
        }
    }

    #[test]
    fn ids_of_questions_and_plans_become_texts_and_credits_stay_numbers() {
        let largest = 9_223_372_036_854_775_807_u64;
        let mut form = json!({"ask": {"commit": {
            "update": [{"id": largest, "fields": {"id": "x"}}],
            "messages": [{"mailer": 42, "request": 7, "recipients": [{"subscriber": null}, {"subscriber": largest}]}],
            "debit": {"email": 2, "subscriber": 1},
        }, "facts": {"mailers": [42], "subscriber_ids": [largest], "lists": ["7"]}}});
        to_texts(&mut form);
        let text = largest.to_string();
        assert_eq!(
            form,
            json!({"ask": {"commit": {
                "update": [{"id": text, "fields": {"id": "x"}}],
                "messages": [{"mailer": "42", "request": 7, "recipients": [{"subscriber": null}, {"subscriber": text}]}],
                "debit": {"email": 2, "subscriber": 1},
            }, "facts": {"mailers": ["42"], "subscriber_ids": [text], "lists": ["7"]}}})
        );
    }

    #[test]
    fn ids_of_answers_are_read_from_texts_and_from_numbers() {
        let mut answer = json!({"facts": {"subscriber_ids": [null, {"id": "9007199254740993"}, {"id": 7}], "subscribers": []}});
        to_numbers(&mut answer);
        let read = json!({"facts": {"subscriber_ids": [null, {"id": 9_007_199_254_740_993_u64}, {"id": 7}], "subscribers": []}});
        assert_eq!(answer, read);
        let read = |text: &str| {
            let mut answer = json!({"commit": {"transaction_id": text}});
            to_numbers(&mut answer);
            answer.to_string()
        };
        for number in ["0", "-7", "1.5", "9007199254740992", "1e+300"] {
            let expected = format!("{{\"commit\":{{\"transaction_id\":{number}}}}}");
            assert_eq!(read(number), expected);
        }
        for odd in ["", "07", "+7", " 7", "7 ", "0x7", "x", "null"] {
            let expected = format!("{{\"commit\":{{\"transaction_id\":\"{odd}\"}}}}");
            assert_eq!(read(odd), expected);
        }
    }
}
