//! Calls of many requests.

use franking::Operation::HttpSendMail;
use franking::PolicyBuilder;

use super::{Body, HTTP, body, filled, separated};

/// Sets the largest number of requests that a policy can allow.
fn any_requests(policy: PolicyBuilder) -> PolicyBuilder {
    policy.max_requests(u64::from(u32::MAX >> 1))
}

fn requests(size: usize, to: impl Fn(usize) -> String) -> Vec<u8> {
    filled(HTTP, "]}", size, |number, text| {
        let to = to(number);
        let request = format!(r#"{{"subject":"s","body":"b","from":"a@b.example","to":"{to}"}}"#);
        separated(text, number, &request)
    })
}

pub(super) const BODIES: &[Body] = &[
    body("too many requests", HttpSendMail, 453, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, "{}")
        })
    }),
    body(
        "too many requests that are none",
        HttpSendMail,
        453,
        |size| {
            filled(HTTP, "]}", size, |number, text| {
                separated(text, number, "0")
            })
        },
    ),
    body("many requests", HttpSendMail, 200, |size| {
        requests(size, |number| format!("{number}@b.example"))
    })
    .under(any_requests),
    body("many requests to one address", HttpSendMail, 200, |size| {
        requests(size, |_| "a@b.example".to_string())
    })
    .under(any_requests),
    body(
        "many requests that are refused",
        HttpSendMail,
        412,
        |size| requests(size, |_| "x".to_string()),
    )
    .under(any_requests),
    body("many empty requests", HttpSendMail, 406, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, "{}")
        })
    })
    .under(any_requests),
    body(
        "many requests that are not objects",
        HttpSendMail,
        475,
        |size| {
            filled(HTTP, "]}", size, |number, text| {
                separated(text, number, "0")
            })
        },
    )
    .under(any_requests),
    body("many requests of one address", HttpSendMail, 406, |size| {
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, r#"{"to":"a@b.c"}"#)
        })
    })
    .under(any_requests),
    body("many requests that hide hosts", HttpSendMail, 413, |size| {
        let request = r#"{"subject":"s","body":"\u001b","from":"a@b.example","to":"a@b.example"}"#;
        filled(HTTP, "]}", size, |number, text| {
            separated(text, number, request)
        })
    })
    .under(any_requests),
];
