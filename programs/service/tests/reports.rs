//! What is read from the messages that come to the address for reports.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use franking_service::mail::EnhancedCode;
use franking_service::outcomes::{Action, Report, ReportKind};

const RETURNED: &str =
    "Content-Type: text/rfc822-headers\n\nMessage-ID: <17@mail.example.com>\nSubject: Hello\n";

fn notification(status: &str, returned: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example.net\nMessage-ID: <report@mx.example.net>\nAuto-Submitted: auto-replied\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\n\n\
         --b\nContent-Type: text/plain\n\nIt could not be delivered: 5.7.1\n\
         --b\nContent-Type: message/delivery-status\n\n{status}\n--b\n{returned}\n--b--\n"
    )
}

fn group(action: &str, code: &str) -> String {
    format!(
        "Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; reader@example.org\nAction: {action}\nStatus: {code}\n"
    )
}

fn complaint(kind: &str) -> String {
    format!(
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nAn email abuse report\n\
         --b\nContent-Type: message/feedback-report\n\nFeedback-Type: {kind}\nUser-Agent: Loop/1\nVersion: 1\n\
         --b\nContent-Type: message/rfc822\n\nMessage-ID: <17@mail.example.com>\nSubject: Hello\n\nHello\n--b--\n"
    )
}

fn actions(message: &str) -> Vec<Action> {
    match Report::read(message.as_bytes()).kind {
        ReportKind::Status(recipients) => recipients.iter().map(|one| one.action).collect(),
        _ => Vec::new(),
    }
}

fn original(message: &str) -> Option<String> {
    let original = Report::read(message.as_bytes()).original;
    original.map(|id| id.as_str().to_owned())
}

#[test]
fn each_action_is_kept_apart_in_any_case_and_with_both_line_ends() {
    for (word, action) in [
        ("failed", Action::Failed),
        ("Delayed", Action::Delayed),
        ("delivered", Action::Delivered),
        ("RELAYED", Action::Relayed),
        ("expanded", Action::Expanded),
    ] {
        let message = notification(&group(word, "5.1.1"), RETURNED);
        assert_eq!(actions(&message), [action]);
        assert_eq!(actions(&message.replace('\n', "\r\n")), [action]);
    }
    assert_eq!(
        actions(&notification(&group("lost", "5.1.1"), RETURNED)),
        []
    );
}

#[test]
fn the_code_is_that_of_the_status_field_and_not_that_of_a_text_or_of_the_returned_email() {
    let returned = format!("{RETURNED}Status: 5.1.1\nAction: failed\n");
    let message = notification(&group("failed", "5.2.2 (mailbox full)"), &returned);
    let codes = match Report::read(message.as_bytes()).kind {
        ReportKind::Status(recipients) => recipients.iter().map(|one| one.code).collect(),
        _ => Vec::new(),
    };
    assert_eq!(codes, [EnhancedCode::parse("5.2.2")]);
}

#[test]
fn a_folded_diagnostic_is_kept_and_its_address_is_masked() {
    let status = group("failed", "5.1.1")
        + "Diagnostic-Code: smtp; 550 5.1.1\n <reader@example.org> unknown\n";
    let report = Report::read(notification(&status, RETURNED).as_bytes());
    let text = format!("{report:?}");
    assert!(text.contains("unknown"), "{text}");
    assert!(!text.contains("reader") && !text.contains("17@"), "{text}");
}

#[test]
fn every_recipient_of_a_report_is_read() {
    let status = group("failed", "5.1.1")
        + "\n\n\nFinal-Recipient: rfc822; b@example.org\nAction: relayed\nStatus: 2.1.9\n";
    assert_eq!(
        actions(&notification(&status, RETURNED)),
        [Action::Failed, Action::Relayed]
    );
}

#[test]
fn the_original_is_that_of_the_returned_headers_or_email_and_never_the_reports_own() {
    let whole = "Content-Type: message/rfc822\n\nMessage-ID: <17@mail.example.com>\nSubject: Hello\n\nHello\n";
    for returned in [RETURNED, whole] {
        let message = notification(&group("failed", "5.1.1"), returned);
        assert_eq!(original(&message).as_deref(), Some("17@mail.example.com"));
    }
    let message = notification(
        &group("failed", "5.1.1"),
        "Content-Type: text/plain\n\nMessage-ID: <17@mail.example.com>\n",
    );
    assert_eq!(original(&message), None);
}

#[test]
fn abuse_and_fraud_are_complaints_and_other_feedback_is_not() {
    for kind in ["abuse", "Fraud"] {
        let message = complaint(kind);
        assert_eq!(Report::read(message.as_bytes()).kind, ReportKind::Complaint);
        assert_eq!(original(&message).as_deref(), Some("17@mail.example.com"));
    }
    for kind in ["not-spam", "auth-failure"] {
        assert_eq!(
            Report::read(complaint(kind).as_bytes()).kind,
            ReportKind::Nothing
        );
    }
}

#[test]
fn a_vacation_reply_is_one_by_its_headers() {
    for header in [
        "Auto-Submitted: auto-replied; owner=x",
        "Precedence: auto_reply",
    ] {
        let message =
            format!("From: reader@example.org\n{header}\nSubject: Away\n\nUndeliverable 5.1.1\n");
        assert_eq!(Report::read(message.as_bytes()).kind, ReportKind::Vacation);
    }
}

#[test]
fn undeliverable_in_a_subject_and_a_report_that_somebody_forwards_are_nothing() {
    let inner = notification(&group("failed", "5.1.1"), RETURNED);
    for message in [
        "From: a@example.org\nSubject: Undeliverable: Hello\n\nAction: failed\nStatus: 5.1.1\n"
            .to_owned(),
        format!(
            "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below\n--x\nContent-Type: message/rfc822\n\n{inner}\n--x--\n"
        ),
        format!("Content-Type: message/rfc822\n\n{inner}"),
        String::new(),
        "\0\n\n--b".to_owned(),
    ] {
        let report = Report::read(message.as_bytes());
        assert_eq!(report.kind, ReportKind::Nothing, "{message}");
        assert_eq!(report.original, None);
    }
}

#[test]
fn a_report_that_returns_32_mb_is_read_like_a_small_one() {
    let body = "All work and no play\n".repeat(32 * 1024 * 1024 / 21);
    let returned = format!(
        "Content-Type: message/rfc822\n\nMessage-ID: <17@mail.example.com>\nSubject: Hello\n\n{body}"
    );
    let message = notification(&group("failed", "5.1.1"), &returned);
    assert_eq!(actions(&message), [Action::Failed]);
    assert_eq!(original(&message).as_deref(), Some("17@mail.example.com"));
}

#[test]
fn a_report_cut_off_anywhere_never_says_more_than_the_whole() {
    let message = notification(&group("failed", "5.1.1"), RETURNED);
    for (end, _) in message.char_indices() {
        let (cut, _) = message.split_at(end);
        let cut = actions(cut);
        assert!(cut.is_empty() || cut == [Action::Failed], "{end}: {cut:?}");
    }
}

#[test]
fn a_message_of_nothing_but_nested_parts_is_nothing() {
    let nested: String = (0..20_000)
        .map(|depth| format!("Content-Type: multipart/report; boundary=b{depth}\n\n--b{depth}\n"))
        .collect();
    assert_eq!(Report::read(nested.as_bytes()).kind, ReportKind::Nothing);
}

#[test]
fn an_encoded_email_of_nothing_but_nested_emails_is_nothing() {
    let line = "Content-Type:message/rfc822\n\n";
    for levels in [2_000, 6_000] {
        let encoded = STANDARD.encode(line.repeat(levels));
        let encoded =
            format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{encoded}");
        assert_eq!(Report::read(encoded.as_bytes()).kind, ReportKind::Nothing);
        let report = notification(&group("failed", "5.1.1"), &encoded);
        assert_eq!(actions(&report), [Action::Failed]);
    }
}

#[test]
fn a_returned_email_is_read_without_its_transfer_encoding() {
    let returned = "Message-ID: <17@mail.example.com>\nSubject: Hello\n\nHello\n";
    for (name, encoded) in [
        ("base64", STANDARD.encode(returned)),
        ("quoted-printable", returned.replace("@", "=40")),
        ("base64", returned.to_owned()),
    ] {
        let part =
            format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: {name}\n\n{encoded}");
        let report = notification(&group("failed", "5.1.1"), &part);
        assert_eq!(
            original(&report).as_deref(),
            Some("17@mail.example.com"),
            "{part}"
        );
    }
}

#[test]
fn a_type_of_many_parameters_does_not_make_a_report() {
    let many: String = (0..20_000)
        .map(|number| format!("; p{number}*1=v"))
        .collect();
    let report = notification(&group("failed", "5.1.1"), RETURNED);
    let report = report.replace("; boundary", &format!("{many}; boundary"));
    assert_eq!(actions(&report), []);
}

#[test]
fn emails_within_emails_as_deep_as_a_report_can_be_are_nothing() {
    for line in [
        "Content-Type: message/rfc822\n\n",
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n",
        "Content-Type: multipart/report; boundary=b\n\n--b\n",
        "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n",
    ] {
        let nested = line.repeat(256 * 1024 / line.len());
        let report = Report::read(nested.as_bytes());
        assert_eq!(report.kind, ReportKind::Nothing, "{line}");
    }
}
