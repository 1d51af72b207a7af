//! What vectors do not cover of httpSendMail: its retirement, listed links, and HTML with too many hosts.

use crate::support::Case;
use franking::Operation::{HttpSendMail, SendMailer};
use serde_json::{Value, json};

fn http(changes: Value) -> Case {
    Case::http_send_mail(changes)
}

#[test]
fn there_is_no_cap_on_the_number_of_links() {
    let mut html = "<a href='//clean.example/'>".repeat(20_000);
    html.push_str("<img src='//www.bad.example/'>");
    let case = http(json!({"body": html}));
    assert_eq!(
        (case.outcome(), case.place().0),
        (
            (413, "html-domain-blacklisted".into()),
            Some("/requests/0/body".into())
        )
    );
}

#[test]
fn html_with_more_hosts_than_can_be_read_is_refused_also_if_the_policy_asks_about_hidden_hosts() {
    let ask = json!({"hidden_hosts": "ask"});
    let with_starts = |count: usize| format!("<svg>{}", "//a.b/".repeat(count));
    // An ESC is a clause of its own, and is reported before the others.
    for html in [with_starts(500), format!("\u{1b}{}", with_starts(500))] {
        let case = http(json!({"body": html})).policy(ask.clone());
        assert_eq!(case.outcome(), (413, "html-host-hidden".into()));
    }
    let escape = format!("\u{1b}{}", with_starts(5));
    let case = http(json!({"body": escape})).policy(ask);
    assert_eq!(case.outcome().0, 200);
}

#[test]
fn every_decision_on_the_operation_carries_its_last_day_and_successor() {
    let deprecation = json!({"last_day": "2024-04-30", "successor": "sendEmail"});
    let mut wrong_method = http(json!({}));
    wrong_method.method = "GET".to_string();
    let retired = http(json!({})).policy(json!({"today": "2025-01-01"}));
    for case in [
        http(json!({})),
        http(json!({"to": "x"})),
        wrong_method,
        retired,
        Case::raw(HttpSendMail, ""),
    ] {
        assert_eq!(case.decide()["deprecation"], deprecation);
    }
    assert_eq!(
        Case::send_mailer(json!({})).decide()["deprecation"],
        Value::Null
    );
    let sunset = HttpSendMail.deprecation().unwrap().sunset;
    assert_eq!(sunset, "Tue, 30 Apr 2024 23:59:59 GMT");
    assert!(SendMailer.deprecation().is_none());
}

#[test]
fn a_413_names_the_element_the_url_its_place_in_the_html_and_the_listed_domain() {
    let html = "<p>x</p><A HREF='https://shop.bad-links.example/a?b=1&amp;c'>y</A>";
    let case = Case::http_send_mail(json!({"body": form_encoded(html)})).world(json!({
        "blacklists": {"content": ["bad-links.example"]}
    }));
    case.decide_with(|decision| {
        let violation = decision.violation().unwrap();
        assert_eq!(violation.code().number(), 413);
        let link = decision.blacklisted_link(&violation).unwrap();
        assert_eq!((link.request, &*link.place), (0, "href of <a>"));
        assert_eq!(link.url, "https://shop.bad-links.example/a?b=1&c");
        assert_eq!(
            html.get(link.span.clone()).unwrap(),
            "https://shop.bad-links.example/a?b=1&amp;c"
        );
        assert_eq!(link.domain, "bad-links.example");
        // The span in the call is the one of the `body` field.
        let sent = &case.body[violation.span().unwrap()];
        assert_eq!(sent, format!("\"{}\"", form_encoded(html)).as_bytes());
    });
}

fn form_encoded(html: &str) -> String {
    percent_encoding::utf8_percent_encode(html, percent_encoding::NON_ALPHANUMERIC).to_string()
}
