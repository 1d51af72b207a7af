//! What a client reads: answers, the meanings of their codes, and whether a retry can help.

use franking::{Code, Operation, Response, ResponseError, Retry, Rule};
use std::collections::BTreeSet;

fn read(text: &str) -> (u16, Option<String>, Option<u64>) {
    let answer = Response::read(text).unwrap();
    (answer.code.number(), answer.status, answer.transaction_id)
}

fn text(status: &str) -> Option<String> {
    Some(status.to_string())
}

// Reading

#[test]
fn strings_and_numbers_are_read_alike() {
    for answer in [
        r#"{"code":"200","status":"Success","transactionId":"123"}"#,
        r#"{"code":200,"status":"Success","transactionId":123}"#,
        r#"{"code":"200","status":"Success","transactionId":123}"#,
        r#" { "transactionId" : "0123", "status":"Success", "code":200, "more": [{}] } "#,
        "\u{feff}{\"code\":200,\"status\":\"Success\",\"transactionId\":123}",
    ] {
        assert_eq!(read(answer), (200, text("Success"), Some(123)), "{answer}");
    }
}

#[test]
fn a_missing_or_null_status_or_transaction_id_is_none() {
    assert_eq!(read(r#"{"code":402}"#), (402, None, None));
    assert_eq!(
        read(r#"{"code":"402","status":null,"transactionId":null}"#),
        (402, None, None)
    );
    assert_eq!(read(r#"{"code":402,"status":""}"#), (402, text(""), None));
}

#[test]
fn a_code_that_the_interface_does_not_list_is_read_and_means_nothing() {
    for number in [100, 299, 500, 999] {
        let answer = Response::read(&format!(r#"{{"code":{number}}}"#)).unwrap();
        assert_eq!(answer.code.number(), number);
        for operation in Operation::ALL.iter().copied() {
            assert_eq!(
                (answer.code.meaning(operation), answer.code.retry(operation)),
                (None, None)
            );
        }
    }
}

#[test]
fn a_code_that_is_not_three_digits_is_an_error() {
    for code in [
        "",
        "\"\"",
        "null",
        "true",
        "[]",
        "{}",
        "20",
        "2000",
        "\"020\"",
        "\"20\"",
        "\" 200\"",
        "\"+200\"",
        "\"2e2\"",
        "-200",
        "200.0",
        "2e2",
        "\"²00\"",
        "\"２００\"",
        "1e400",
    ] {
        let answer = if code.is_empty() {
            "{}".to_string()
        } else {
            format!(r#"{{"code":{code}}}"#)
        };
        let error = Response::read(&answer).unwrap_err();
        let expected = if code == "1e400" {
            ResponseError::NotJson
        } else {
            ResponseError::Code
        };
        assert_eq!(error, expected, "{code}");
    }
}

#[test]
fn a_transaction_id_is_a_whole_number_up_to_2_to_the_53_less_1() {
    for (id, value) in [
        ("1", 1),
        ("\"1\"", 1),
        ("9007199254740991", 9_007_199_254_740_991),
    ] {
        let answer = format!(r#"{{"code":200,"transactionId":{id}}}"#);
        assert_eq!(read(&answer).2, Some(value));
    }
    for id in [
        "0",
        "\"0\"",
        "-1",
        "1.5",
        "9007199254740992",
        "\"x\"",
        "\"\"",
        "true",
        "[]",
        "\"99999999999999999999\"",
    ] {
        let answer = format!(r#"{{"code":200,"transactionId":{id}}}"#);
        assert_eq!(
            Response::read(&answer).unwrap_err(),
            ResponseError::TransactionId,
            "{id}"
        );
    }
}

#[test]
fn a_status_is_a_text_or_a_number() {
    assert_eq!(read(r#"{"code":200,"status":7}"#).1, text("7"));
    for status in ["true", "[]", "{}"] {
        let answer = format!(r#"{{"code":200,"status":{status}}}"#);
        assert_eq!(Response::read(&answer).unwrap_err(), ResponseError::Status);
    }
}

#[test]
fn an_answer_of_a_proxy_is_an_error_that_says_so() {
    for answer in ["", "<html>502</html>", "{", "{\"code\":200} x", "\u{feff}"] {
        let error = Response::read(answer).unwrap_err();
        assert_eq!(error, ResponseError::NotJson);
        assert!(error.to_string().contains("proxy"));
    }
    for answer in ["null", "200", "\"200\"", "[200]"] {
        assert_eq!(
            Response::read(answer).unwrap_err(),
            ResponseError::NotObject
        );
    }
}

#[test]
fn endless_brackets_are_an_error_and_do_not_overflow_the_stack() {
    let answer = format!(r#"{{"code":200,"more":{}"#, "[".repeat(1_000_000));
    assert!(Response::read(&answer).is_err());
}

#[test]
fn only_200_is_a_success() {
    for number in 100..=999 {
        let answer = Response::read(&format!(r#"{{"code":{number}}}"#)).unwrap();
        assert_eq!(answer.is_success(), number == 200);
    }
}

#[test]
fn debug_of_an_answer_shows_its_code_only() {
    let answer = Response::read(r#"{"code":412,"status":"at secret","transactionId":77}"#).unwrap();
    assert_eq!(format!("{answer:?}"), "Response { code: 412, .. }");
}

// Meanings

use Retry::{Accepted, ChangeTheAccount, ChangeTheCall, MayHelp};

/// Section 7 of the interface, written by hand for comparison: code, meaning, advice.
const COMMON: [(u16, &str, Retry); 17] = [
    (200, "Success", Accepted),
    (401, "Invalid method", ChangeTheCall),
    (402, "Unauthorized, empty key", ChangeTheCall),
    (403, "Unauthorized, invalid key", ChangeTheCall),
    (404, "Account sending blocked", ChangeTheAccount),
    (405, "Account expired", ChangeTheAccount),
    (412, "Invalid recipient email address", ChangeTheCall),
    (414, "Sender domain blacklisted", ChangeTheCall),
    (416, "Recipient email domain blacklisted", ChangeTheCall),
    (417, "Bounced", Accepted),
    (418, "Delivered", Accepted),
    (443, "Subscriber INACTIVE", ChangeTheAccount),
    (444, "Low subscriber credit", ChangeTheAccount),
    (445, "Low email credit", ChangeTheAccount),
    (448, "Account deactivated", ChangeTheAccount),
    (451, "Opened", Accepted),
    (452, "Clicked", Accepted),
];

const SEND_MAILER: [(u16, &str, Retry); 4] = [
    (442, "Error", ChangeTheCall),
    (454, "Subscriber does not exist", ChangeTheCall),
    (
        478,
        "from or fromName not provided (from missing when fromName is passed)",
        ChangeTheCall,
    ),
    (
        602,
        "No subscriber provided (neither subID nor email)",
        ChangeTheCall,
    ),
];

const HTTP_SEND_MAIL: [(u16, &str, Retry); 15] = [
    (406, "Email subject not provided", ChangeTheCall),
    (407, "Invalid email address for reply-to", ChangeTheCall),
    (408, "HTML content not provided", ChangeTheCall),
    (409, "Sender email not provided", ChangeTheCall),
    (410, "Invalid email address for sender", ChangeTheCall),
    (411, "No recipient email address provided", ChangeTheCall),
    (413, "Blacklisted domain in the HTML", ChangeTheCall),
    (415, "Reply-to domain blacklisted", ChangeTheCall),
    (
        420,
        "Sender email does not exist in the account",
        ChangeTheAccount,
    ),
    (442, "Subscriber already exists", MayHelp),
    (453, "Too many requests per API call", ChangeTheCall),
    (454, "API call exceeds the allowed size", ChangeTheCall),
    (475, "JSON is not valid", ChangeTheCall),
    (476, "Subject not valid", ChangeTheCall),
    (477, "From name not valid", ChangeTheCall),
];

fn listed(operation: Operation) -> Vec<(u16, &'static str, Retry)> {
    let own = match operation {
        Operation::SendMailer => &SEND_MAILER[..],
        Operation::HttpSendMail => &HTTP_SEND_MAIL[..],
    };
    let mut listed: Vec<_> = COMMON.iter().chain(own).copied().collect();
    listed.sort_by_key(|(code, ..)| *code);
    listed
}

#[test]
fn every_code_has_the_meaning_and_the_advice_of_its_operation() {
    for operation in Operation::ALL.iter().copied() {
        let listed = listed(operation);
        let numbers: Vec<u16> = Code::all(operation).map(Code::number).collect();
        assert_eq!(
            numbers,
            listed.iter().map(|(code, ..)| *code).collect::<Vec<_>>()
        );
        for (number, meaning, retry) in listed {
            let code = Code::new(number).unwrap();
            assert_eq!(code.meaning(operation), Some(meaning), "{number}");
            assert_eq!(code.retry(operation), Some(retry), "{number}");
        }
    }
}

#[test]
fn a_code_that_only_the_other_operation_lists_has_no_meaning() {
    let numbers = |operation| {
        Code::all(operation)
            .map(Code::number)
            .collect::<BTreeSet<_>>()
    };
    let [send_mailer, http_send_mail] =
        [Operation::SendMailer, Operation::HttpSendMail].map(numbers);
    for (operation, foreign) in [
        (Operation::SendMailer, &http_send_mail - &send_mailer),
        (Operation::HttpSendMail, &send_mailer - &http_send_mail),
    ] {
        assert!(!foreign.is_empty());
        for number in foreign {
            let code = Code::new(number).unwrap();
            assert_eq!(
                (code.meaning(operation), code.retry(operation)),
                (None, None),
                "{number}"
            );
        }
    }
}

#[test]
fn every_code_that_a_rule_gives_has_a_meaning_and_never_the_advice_of_an_accepted_call() {
    for rule in Rule::ALL {
        for operation in Operation::ALL.iter().copied() {
            let Some(code) = rule.code(operation) else {
                continue;
            };
            let retry = code.retry(operation).unwrap();
            assert!(
                code.meaning(operation).is_some() && retry != Accepted,
                "{rule:?} {operation:?}"
            );
        }
    }
}

#[test]
fn outcomes_of_emails_are_not_refusals() {
    for number in [417, 418, 451, 452] {
        let code = Code::new(number).unwrap();
        assert!(
            Operation::ALL
                .iter()
                .all(|operation| code.retry(*operation) == Some(Accepted))
        );
        assert!(Rule::ALL.iter().all(|rule| {
            Operation::ALL
                .iter()
                .all(|operation| rule.code(*operation) != Some(code))
        }));
    }
}

#[test]
fn only_numbers_of_three_digits_are_codes() {
    for number in [0, 99, 1000, u16::MAX] {
        assert_eq!(Code::new(number), None);
    }
}

#[test]
fn retry_advice_has_fixed_names() {
    let words = [Accepted, ChangeTheCall, ChangeTheAccount, MayHelp].map(Retry::name);
    assert_eq!(
        words,
        [
            "accepted",
            "change-the-call",
            "change-the-account",
            "may-help"
        ]
    );
}
