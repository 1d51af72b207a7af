//! Subjects and HTML that cost much to read: placeholders, encodings, links, and hosts in text.

use franking::HiddenHosts;
use franking::Operation::HttpSendMail;

use super::{Body, END, body, filled, letters, mixed, push};

fn field(name: &str, size: usize, part: &str) -> Vec<u8> {
    let before = format!(
        r#"{{"ApiKey":"k","requests":[{{"from":"a@b.example","to":"a@b.example","{name}":""#
    );
    let after = match name {
        "subject" => r#"","body":"b"}]}"#,
        _ => r#"","subject":"s"}]}"#,
    };
    filled(&before, after, size, |_, text| push(text, part))
}

/// The start of a body, up to and including the start of its HTML.
pub(super) fn start_of_html(html: &str) -> String {
    format!(
        r#"{{"ApiKey":"k","requests":[{{"from":"a@b.example","to":"a@b.example","subject":"s","body":"{html}"#
    )
}

/// A body whose HTML is one text that is read as soup.
pub(super) fn soup(size: usize, before: &str, part: &str, after: &str) -> Vec<u8> {
    let end = format!("{after}{END}");
    filled(&start_of_html(before), &end, size, |_, text| {
        push(text, part)
    })
}

/// Hosts in which each `www.` begins another host. Each of them has two forms (UTS 46, deviation characters).
pub(super) fn nested_names(size: usize, html: &str, before: &str, after: &str) -> Vec<u8> {
    let names = "www.\u{df},".repeat(18);
    filled(&start_of_html(html), END, size, |number, text| {
        push(text, &format!("{before}{names}{}{after}", letters(number)));
    })
}

pub(super) const BODIES: &[Body] = &[
    body("opening marks in a subject", HttpSendMail, 200, |size| {
        field("subject", size, "{{")
    }),
    body(
        "opening marks and letters in a subject",
        HttpSendMail,
        200,
        |size| field("subject", size, "{{a "),
    ),
    body("placeholder that never ends", HttpSendMail, 200, |size| {
        field("subject", size, "*|a{%b${")
    }),
    body("encoded HTML", HttpSendMail, 200, |size| {
        field("body", size, "%3Cp%3E")
    }),
    body("plain HTML", HttpSendMail, 200, |size| {
        field("body", size, "<p>")
    }),
    body("HTML with escapes", HttpSendMail, 200, |size| {
        field("body", size, "<p>\\n")
    }),
    body("links to one host", HttpSendMail, 200, |size| {
        field("body", size, "<a href=//b.example>")
    }),
    body("plus signs", HttpSendMail, 408, |size| {
        field("body", size, "+")
    }),
    body("percent signs", HttpSendMail, 200, |size| {
        field("body", size, "%")
    }),
    body("different links", HttpSendMail, 200, |size| {
        filled(
            r#"{"ApiKey":"k","requests":[{"from":"a@b.example","to":"a@b.example","subject":"s","body":""#,
            END,
            size,
            |number, text| push(text, &format!("<a href=//{}.c>", letters(number))),
        )
    }),
    body("hosts of many labels", HttpSendMail, 200, |size| {
        filled(
            r#"{"ApiKey":"k","requests":[{"from":"a@b.example","to":"a@b.example","subject":"s","body":""#,
            END,
            size,
            |number, text| {
                push(
                    text,
                    &format!("<a href=//{}{}.c>", "a.".repeat(110), letters(number)),
                )
            },
        )
    }),
    body("words of links beyond ASCII", HttpSendMail, 200, |size| {
        soup(size, "", &format!("{} ", "www.\u{e9},".repeat(15)), "")
    }),
    body(
        "words of one long link beyond ASCII",
        HttpSendMail,
        200,
        |size| soup(size, "", &format!("{} ", "www.\u{e9}~".repeat(15)), ""),
    ),
    body(
        "words of different www. in each other beyond ASCII",
        HttpSendMail,
        200,
        |size| nested_names(size, "", "", " "),
    ),
    body(
        "URLs of many labels beyond ASCII",
        HttpSendMail,
        200,
        |size| {
            soup(
                size,
                "",
                &format!("<a href=//{}>", "\u{e9}.".repeat(127)),
                "",
            )
        },
    ),
    body(
        "different links to hosts of rare letters",
        HttpSendMail,
        200,
        |size| {
            filled(&start_of_html(""), END, size, |number, text| {
                push(text, &format!("<a href=//\u{101}{}.c>", letters(number)));
            })
        },
    ),
    body("a link in text of punctuation", HttpSendMail, 200, |size| {
        soup(size, "http://a", "!", "/")
    }),
    mixed("different domains in text that count as hosts", |size| {
        filled(&start_of_html(""), END, size, |number, text| {
            push(text, &format!("{}.c ", letters(number)));
        })
    })
    .under(|policy| policy.bare_domains(true)),
    mixed("hidden hosts that are asked about", |size| {
        soup(size, "<svg>", "<style>@import '//a<g>b</g>c.d'</style>", "")
    })
    .under(|policy| policy.hidden_hosts(HiddenHosts::Ask)),
];
